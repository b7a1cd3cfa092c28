"""What looks wrong on a score sheet by a rule set, besides what its replay finds on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from tdapp.domain import account
from tdapp.domain.account import Column
from tdapp.domain.ruleset import OvertimeKind, Passing, RowKind, RuleSet, TotalsNoted
from tdapp.scrabble.board import RACK_SIZE
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.replay import Replay
from tdapp.scrabble.sheet import Ended, Ruling, SanctionKind, Sheet, Turn, TurnKind

_WITHOUT_TILES = frozenset({TurnKind.PASS, TurnKind.EXCHANGE, TurnKind.WITHDRAWN, TurnKind.LOST_TURN})
_KNOWN = frozenset({None, Ended.OPEN, Ended.FORFEIT})


def issues_of(sheet: Sheet, rules: RuleSet, played: Replay, challenges: Sequence[Column]) -> tuple[Issue, ...]:
    """Return all issues of a sheet, by turn, those of the whole game last.

    `challenges` is what each line brings each player by a wrong challenge. Codes besides the replay's:
    turn-after-end, pass-twice, phony-not-in-rules, contested-not-in-rules, total-missing, score-differs of a wrong
    challenge; end-not-in-rules, row-incomplete, bag-not-empty, nobody-out, rack-missing, overtime-not-in-rules,
    overtime-stops-game, sanction-not-in-rules.
    """
    given = [sanction.kind for sanction in sheet.sanctions]
    found = [
        *_without_paid_challenges(sheet, played, challenges),
        *_row(sheet, rules),
        *_turns(sheet, rules, played, challenges),
        *_end(sheet, rules, played),
        *_clocks(sheet, rules),
        *(
            Issue("sanction-not-in-rules", detail=kind.value)
            for kind in given
            if kind not in rules.sanctions.named
        ),
    ]
    last = len(sheet.turns) + 1
    return tuple(sorted(found, key=lambda issue: issue.turn or last))


def facts_of(issue: Issue) -> dict[str, object]:
    """Return what fills the sentence of an issue; its `detail` as a choice where it is one."""
    facts: dict[str, object] = {item.name: getattr(issue, item.name) for item in fields(issue)}
    choices = {"end-not-in-rules": Ended, "sanction-not-in-rules": SanctionKind}
    if issue.code in choices:
        facts["detail"] = choices[issue.code](issue.detail)
    return facts


def _without_paid_challenges(sheet: Sheet, played: Replay, challenges: Sequence[Column]) -> Iterator[Issue]:
    """Yield the replay's issues; a total that only counts a wrong challenge in at once is right.

    Norwegian players deduct the points where they stand; others leave them to the end.
    """
    open_points = [0] * len(sheet.players)
    totals_differ = {issue.turn: issue for issue in played.issues if issue.code == "total-differs"}
    excused = set()
    for number, (turn, paid) in enumerate(zip(sheet.turns, challenges, strict=True), 1):
        if turn.kind is not TurnKind.FAILED_CHALLENGE or turn.score is None:
            open_points = [before + now for before, now in zip(open_points, paid, strict=True)]
        issue = totals_differ.get(number)
        own = open_points[turn.player - 1]
        if issue and own and (issue.stated or 0) - (issue.computed or 0) == own:
            excused.add(issue)
            open_points[turn.player - 1] = 0
    yield from (issue for issue in played.issues if issue not in excused)


def _row(sheet: Sheet, rules: RuleSet) -> Iterator[Issue]:
    """Yield a turn after the row that ends the game, or a row that is too short."""
    row = rules.ending.row
    length = row.length_for(len(sheet.players))
    run, over = 0, False
    for number, turn in enumerate(sheet.turns, 1):
        if not turn.kind.is_turn:
            continue
        if over:
            yield Issue("turn-after-end", number)
            return
        run = run + 1 if counts_in_row(turn, rules) else 0
        over = row.kind is not RowKind.NONE and run >= length
    if sheet.ended is Ended.PASSES and row.kind is not RowKind.NONE and not over:
        yield Issue("row-incomplete", stated=run, computed=length)


def counts_in_row(turn: Turn, rules: RuleSet) -> bool:
    """Return whether a turn counts in the row of turns that ends a game.

    A play that the jury finds wrong later is a play all the same; one challenged off has left no tiles.
    """
    if rules.ending.row.kind is RowKind.SCORELESS:
        return turn.kind in _WITHOUT_TILES
    if turn.kind is TurnKind.WITHDRAWN:
        return rules.challenge.withdrawn_is_pass
    return turn.kind is TurnKind.PASS


def _turns(sheet: Sheet, rules: RuleSet, played: Replay, challenges: Sequence[Column]) -> Iterator[Issue]:
    totals, totals_kept = rules.form.totals, any(turn.total is not None for turn in sheet.turns)
    passed: set[int] = set()
    for number, (turn, line) in enumerate(zip(sheet.turns, played.lines, strict=True), 1):
        if turn.ruling is Ruling.PHONY and not rules.phony.ruled:
            yield Issue("phony-not-in-rules", number)
        if turn.contested is not None and not rules.contested.known:
            yield Issue("contested-not-in-rules", number)
        if turn.kind is TurnKind.PASS and turn.player in passed and rules.passing is Passing.NOT_TWICE:
            yield Issue("pass-twice", number)
        needed = totals is TotalsNoted.ALWAYS or (totals is TotalsNoted.WHILE_BAG and bool(line.bag))
        if turn.kind is TurnKind.PLAY and turn.total is None and totals_kept and needed:
            yield Issue("total-missing", number, computed=line.total)
        paid = challenges[number - 1][turn.player - 1]
        if turn.kind is TurnKind.FAILED_CHALLENGE and turn.score not in {None, paid}:
            yield Issue("score-differs", number, turn.score, paid)
        if turn.kind.is_turn:
            passed = passed | {turn.player} if turn.kind is TurnKind.PASS else passed - {turn.player}


def _end(sheet: Sheet, rules: RuleSet, played: Replay) -> Iterator[Issue]:
    if sheet.ended in _KNOWN:
        return
    if sheet.ended not in rules.ending.ends:
        yield Issue("end-not-in-rules", detail=str(sheet.ended))
    bag = None if played.left is None else max(0, len(played.left) - RACK_SIZE * len(sheet.players))
    if sheet.ended is Ended.BLOCKED and not rules.ending.blocked_with_tiles and bag:
        yield Issue("bag-not-empty", stated=bag, computed=0)
    if sheet.ended is Ended.OVERTIME and rules.overtime.kind is OvertimeKind.MINUTES:
        return  # the racks are not asked
    if None in played.rack_values:
        yield Issue("rack-missing")
    elif sheet.ended is Ended.OUT and all(played.rack_values):
        yield Issue("nobody-out")


def _clocks(sheet: Sheet, rules: RuleSet) -> Iterator[Issue]:
    late = any(sheet.overtime_seconds)
    if late and rules.overtime.kind is not OvertimeKind.MINUTES and sheet.ended is not Ended.FLAG:
        yield Issue("overtime-not-in-rules", stated=max(sheet.overtime_seconds), computed=0)
    if account.beyond(rules.overtime, sheet.overtime_seconds) and sheet.ended is not Ended.OVERTIME:
        yield Issue("overtime-stops-game", stated=max(sheet.overtime_seconds), computed=rules.overtime.limit)


def pegs(score: int, row: int) -> tuple[int, int]:
    """Return the hole of the upper row, each worth `row` points, and of the lower one (be-brailleliga).

    Raises ValueError for a negative score, which the racks cannot show.
    """
    if score < 0:
        raise ValueError(f"no holes for {score}")
    return divmod(score, row)
