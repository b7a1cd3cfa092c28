"""Compute the score of a sheet under a rule set, and find its issues.

An issue is a contradiction between the sheet and the rules, or within the sheet. Totals can be negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import fields, replace

from tdapp.domain import score_breakdown
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.ruleset import (
    MAX_TABLE_SIZE,
    ChallengeMode,
    ChallengePointsReceiver,
    ChallengeRule,
    KnockoutTieResolution,
    Outcome,
    OvertimeKind,
    PassPermission,
    RuleSet,
    RunningTotalsRequirement,
    SanctionPointsSource,
    ScorelessTurnsRule,
    TurnsThatCanEndGame,
)
from tdapp.domain.score_breakdown import PlayerPoints, ScoreBreakdown
from tdapp.scrabble import coordinates
from tdapp.scrabble.board import RACK_SIZE
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.replay import ReplayedSheet, ReplayedTurn, ReplayRules, replay_sheet
from tdapp.scrabble.sheet import (
    MAX_WORDS,
    GameEnding,
    Ruling,
    SanctionKind,
    Sheet,
    SheetDifference,
    SheetField,
    Turn,
    TurnKind,
    find_differences,
    join_with_slashes,
)
from tdapp.scrabble.tiles import TileSet

# Turns that only a challenge can cause.
_CHALLENGE_KINDS = frozenset({TurnKind.FAILED_CHALLENGE, TurnKind.WITHDRAWN})
Columns = Sequence[PlayerPoints]
_IDLE_KINDS = frozenset({TurnKind.LOST_TURN, TurnKind.PASS})  # players write a missed turn as either


def compute_challenge_points_by_turn(sheet: Sheet, rule: ChallengeRule) -> tuple[PlayerPoints, ...]:
    """Return each player's points from challenges, one tuple for each item of `sheet.turns`."""
    points_by_line = []
    challenged_player: int | None = None
    impossible_challenges = map_forbidden_challenges_to_issue_codes(sheet)
    for number, turn in enumerate(sheet.turns, 1):
        points: PlayerPoints = (0,) * len(sheet.players)
        if turn.kind is TurnKind.FAILED_CHALLENGE and number not in impossible_challenges:
            points = score_breakdown.compute_failed_challenge_points(
                rule,
                players=len(sheet.players),
                challenger=turn.player - 1,
                challenged_player=challenged_player,
                words=turn.words,
            )
        elif turn.kind.is_real_turn:
            challenged_player = turn.player - 1
        points_by_line.append(points)
    return tuple(points_by_line)


def infer_challenged_word_counts(
    sheet: Sheet, events: Sequence[GcgEvent], rule: ChallengeRule
) -> tuple[Sheet, tuple[GcgEvent, ...]]:
    """Infer from the `events` of a GCG game file how many words each wrong challenge was about.

    For example, at 5 points per word, 10 points mean two words. Return the sheet with these numbers, and all
    events (of any kind) that gave no number.
    """
    challenges = [event for event in events if event.kind is GcgEventKind.CHALLENGE]
    words = {event: _infer_challenged_word_count(rule, event.points) for event in challenges}
    remaining_challenges = iter(challenges)
    turns = tuple(
        replace(turn, words=words[next(remaining_challenges)] or 1)
        if turn.kind is TurnKind.FAILED_CHALLENGE
        else turn
        for turn in sheet.turns
    )
    return replace(sheet, turns=turns), tuple(event for event in events if not words.get(event))


def _infer_challenged_word_count(rule: ChallengeRule, points: int) -> int | None:
    to_other = rule.to is ChallengePointsReceiver.OPPONENT
    return next((n for n in range(1, MAX_WORDS + 1) if points == (rule.compute_cost(n) if to_other else 0)), None)


def find_challenge_losers(sheet: Sheet, rule: ChallengeRule) -> tuple[int, ...]:
    """Return `(0,)` if player 1 loses the game by a challenge, `(1,)` for player 2, otherwise `()`."""
    deciding_turn = _find_challenge_turn_that_decides_game(sheet, rule)
    return () if deciding_turn is None else (sheet.turns[deciding_turn - 1].player - 1,)


def map_turns_lost_by_wrong_challenges(sheet: Sheet, rule: ChallengeRule) -> Mapping[int, bool]:
    """Return the turns that players had to miss after a wrong challenge.

    The keys are turn numbers. The value is true if the player really missed the turn.
    """
    lost_turns: dict[int, bool] = {}
    penalised_players: set[int] = set()
    impossible_challenges = map_forbidden_challenges_to_issue_codes(sheet)
    for number, turn in enumerate(sheet.turns, 1):
        if turn.kind is TurnKind.FAILED_CHALLENGE:
            if rule.mode is ChallengeMode.DOUBLE and number not in impossible_challenges:
                penalised_players.add(turn.player)
        elif turn.player in penalised_players:
            penalised_players.remove(turn.player)
            lost_turns[number] = turn.kind in _IDLE_KINDS
    return lost_turns


def find_challenge_issues(sheet: Sheet, rule: ChallengeRule) -> Iterator[SheetIssue]:
    for number, codes in map_forbidden_challenges_to_issue_codes(sheet).items():
        yield from (SheetIssue(code, number) for code in codes)
    if rule.mode is ChallengeMode.VOID:
        challenge_turns = (number for number, turn in enumerate(sheet.turns, 1) if turn.kind in _CHALLENGE_KINDS)
        yield from (SheetIssue("challenge-not-in-rules", number) for number in challenge_turns)
    yield from (
        SheetIssue("turn-not-lost", number)
        for number, is_lost in map_turns_lost_by_wrong_challenges(sheet, rule).items()
        if not is_lost
    )
    deciding_turn = _find_challenge_turn_that_decides_game(sheet, rule)
    if deciding_turn is not None and deciding_turn < len(sheet.turns):
        yield SheetIssue("turn-after-end", deciding_turn + 1)


def map_forbidden_challenges_to_issue_codes(sheet: Sheet) -> Mapping[int, tuple[str, ...]]:
    """Return the turn number of each forbidden challenge, with the codes of its issues.

    A player can challenge only the last move, if it is an opponent's play, and only once
    (no-turneringsreglement 3.9). Omit challenges that the user confirmed.
    """
    reasons_by_turn: dict[int, tuple[str, ...]] = {}
    last: Turn | None = None
    has_play = is_challenged = False
    for number, turn in enumerate(sheet.turns, 1):
        if turn.kind.is_real_turn:
            last, is_challenged, has_play = turn, False, has_play or turn.kind is TurnKind.PLAY
            continue
        reasons = {
            "challenge-before-play": not has_play,
            "challenge-no-play": last is not None and last.kind is not TurnKind.PLAY,
            "challenge-own-play": last is not None and last.kind is TurnKind.PLAY and last.player == turn.player,
            "challenge-twice": is_challenged,
        }
        codes = tuple(code for code, applies in reasons.items() if applies)
        is_challenged = is_challenged or not codes
        if codes and not turn.confirmed:
            reasons_by_turn[number] = codes
    return reasons_by_turn


def _find_challenge_turn_that_decides_game(sheet: Sheet, rule: ChallengeRule) -> int | None:
    if rule.mode is not ChallengeMode.TRIPLE:
        return None
    impossible_challenges = map_forbidden_challenges_to_issue_codes(sheet)
    challenges = (number for number, turn in enumerate(sheet.turns, 1) if turn.kind in _CHALLENGE_KINDS)
    return next((number for number in challenges if number not in impossible_challenges), None)


class JudgedSheet(Struct, frozen=True):
    """The score of a sheet after rulings, penalties and overtime, and the problems found."""

    breakdown: tuple[ScoreBreakdown, ...]
    results: tuple[Outcome | None, ...]  # None in an unfinished game
    match_points: tuple[Fraction | None, ...]  # None in an unfinished game
    rated: bool
    spreads: tuple[int | None, ...]  # None with more than two players
    recount_right: bool
    turns: tuple[ReplayedTurn, ...]
    issues: tuple[SheetIssue, ...]
    flagged: int | None = None  # index (from 0) of the player who lost on time

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(part.total for part in self.breakdown)

    @property
    def spread(self) -> int | None:
        return self.spreads[0]


def judge_sheet(sheet: Sheet, rules: RuleSet, tileset: TileSet) -> JudgedSheet:
    """Return the score of a sheet.

    Raises CommandError "too-many-at-table" if the sheet has too many players. Raises InputError
    "sheet-without-flag" or "sheet-overtime-unclear" if it is unclear whose time ran out.
    """
    max_players = MAX_TABLE_SIZE if rules.tables.has_group_tables else rules.most_players
    if len(sheet.players) > max_players:
        raise CommandError("too-many-at-table", players=len(sheet.players), most=max_players)
    _refuse_unclear_time_loss(sheet, rules)
    if sheet.ended is GameEnding.FORFEIT:
        return _score_forfeit(sheet, rules)
    challenges = compute_challenge_points_by_turn(sheet, rules.challenge)
    replay = replay_sheet(sheet, tileset, make_replay_rules(rules), challenges)
    accounts = _compute_score_breakdowns_and_losers(sheet, rules, replay, challenges)
    issues = (
        *list_sheet_issues(sheet, rules, replay, challenges),
        *_find_final_score_issues(sheet, accounts.breakdown),
    )
    return _make_judged_sheet(sheet, rules, replay, accounts, issues)


def list_form_differences_as_issues(
    form: Sheet, other_form: Sheet, rules: RuleSet, tileset: TileSet
) -> tuple[SheetIssue, ...]:
    """Return the differences between a game's two sheets as issues of `form`.

    Raises CommandError or InputError for invalid sheets.
    """
    return tuple(
        SheetIssue(
            "forms-differ",
            None if difference.turn > len(form.turns) else difference.turn,
            stated=difference.value,
            other=difference.other_value,
            detail=difference.field,
        )
        for difference in find_form_differences(form, other_form, rules, tileset)
    )


def find_form_differences(
    first_form: Sheet, second_form: Sheet, rules: RuleSet, tileset: TileSet
) -> tuple[SheetDifference, ...]:
    """Return the differences between a game's two sheets, with the final scores last.

    Raises CommandError or InputError for invalid sheets.
    """
    return (
        *find_differences(first_form, second_form),
        *filter(None, [find_score_difference(first_form, second_form, rules, tileset)]),
    )


def find_score_difference(
    first_form: Sheet, second_form: Sheet, rules: RuleSet, tileset: TileSet
) -> SheetDifference | None:
    """Compare the total scores of two sheets. Rulings and sanctions do not count. Return None if equal.

    Raises CommandError or InputError for invalid sheets.
    """
    if not (first_form.has_ending and second_form.has_ending):
        return None
    forms_without_rulings = (
        replace(form, sanctions=(), turns=tuple(replace(turn, ruling=None) for turn in form.turns))
        for form in (first_form, second_form)
    )
    first, second = (join_with_slashes(judge_sheet(form, rules, tileset).scores) for form in forms_without_rulings)
    if first == second:
        return None
    return SheetDifference(max(len(first_form.turns), len(second_form.turns)) + 1, SheetField.FINAL, first, second)


def make_replay_rules(rules: RuleSet) -> ReplayRules:
    return ReplayRules(
        bonus=rules.bonus,
        exchange_minimum=rules.exchange.minimum,
        pass_with_tiles=rules.passing is not PassPermission.EMPTY_BAG,
        beside_star=rules.challenge.beside_star,
        first_word=rules.first_word,
    )


class _ScoreBreakdownsAndLosers(Struct, frozen=True):
    breakdown: tuple[ScoreBreakdown, ...]
    losers: tuple[int, ...]


def _compute_score_breakdowns_and_losers(
    sheet: Sheet, rules: RuleSet, replay: ReplayedSheet, challenges: Columns
) -> _ScoreBreakdownsAndLosers:
    players = range(len(sheet.players))
    columns = {
        "turns": replay.totals,
        "phonies": _compute_phony_points(sheet, rules, replay),
        "racks": _compute_rack_points(sheet, rules, replay),
        "challenges": tuple(sum(line[player] for line in challenges) for player in players),
        "sanctions": _compute_sanction_points(sheet, rules),
    }
    points_before_overtime = [sum(column[player] for column in columns.values()) for player in players]
    overtime = score_breakdown.compute_overtime_penalties(
        rules.overtime, points_before_overtime, sheet.overtime_seconds or (0,) * len(sheet.players)
    )
    columns["overtime"] = overtime.points
    breakdown = tuple(
        ScoreBreakdown(**{name: column[player] for name, column in columns.items()}) for player in players
    )
    return _ScoreBreakdownsAndLosers(
        breakdown, (*overtime.losers, *_find_losers_regardless_of_points(sheet, rules))
    )


def _compute_phony_points(sheet: Sheet, rules: RuleSet, replay: ReplayedSheet) -> PlayerPoints:
    costs = [0] * len(sheet.players)
    for turn, line in zip(sheet.turns, replay.lines, strict=True):
        if turn.ruling is Ruling.PHONY:
            costs[turn.player - 1] += score_breakdown.compute_phony_points(
                rules.phony, score=line.score, words=turn.wrong_words
            )
        if turn.contested is not None and rules.contested.known:
            costs[turn.player - 1] -= rules.contested.points
    return tuple(costs)


def _compute_rack_points(sheet: Sheet, rules: RuleSet, replay: ReplayedSheet) -> PlayerPoints:
    values = [value or 0 for value in replay.rack_values]
    if sheet.ended in {None, GameEnding.OPEN} or score_breakdown.list_players_beyond_overtime_limit(
        rules.overtime, sheet.overtime_seconds
    ):
        return (0,) * len(values)
    return score_breakdown.compute_rack_adjustments(
        rules.racks.out, values, finisher=_find_player_without_tiles(sheet, replay)
    )


def _find_player_without_tiles(sheet: Sheet, replay: ReplayedSheet) -> int | None:
    """Return the index (from 0) of the player without tiles, None if unclear.

    Also in a game that ended by time, a player can have no tiles (nl-reglement IV.1d, ad b).
    """
    if sheet.ended not in {GameEnding.OUT, GameEnding.TIME}:
        return None
    players_without_tiles = [player for player, value in enumerate(replay.rack_values) if value == 0]
    if sheet.racks is not None:  # blanks are worth 0, so compare with the empty rack
        players_without_tiles = [player for player in players_without_tiles if not sheet.racks[player].strip()]
    last = next((turn.player - 1 for turn in reversed(sheet.turns) if turn.kind is TurnKind.PLAY), None)
    if sheet.ended is GameEnding.OUT and last in players_without_tiles:
        return last
    return players_without_tiles[0] if len(players_without_tiles) == 1 else None


def _compute_sanction_points(sheet: Sheet, rules: RuleSet) -> PlayerPoints:
    costs = [0] * len(sheet.players)
    for sanction in sheet.sanctions:
        if rules.sanctions.find_sanction_points_source(sanction.kind) is SanctionPointsSource.GAME:
            costs[sanction.player - 1] -= sanction.points
    return tuple(costs)


def _find_losers_regardless_of_points(sheet: Sheet, rules: RuleSet) -> tuple[int, ...]:
    flagged_player = find_player_who_lost_on_time(sheet, rules)
    sanctioned_players = [sanction.player - 1 for sanction in sheet.sanctions if sanction.kind.is_loss_of_game]
    challenge_losers = find_challenge_losers(sheet, rules.challenge)
    losers = (*challenge_losers, *sanctioned_players)
    return losers if flagged_player is None else (flagged_player, *losers)


def find_player_who_lost_on_time(sheet: Sheet, rules: RuleSet) -> int | None:
    if sheet.ended is not GameEnding.FLAG or rules.overtime.kind is not OvertimeKind.FLAG:
        return None
    if sheet.flag is not None:
        return sheet.flag - 1
    late_players = [player for player, seconds in enumerate(sheet.overtime_seconds) if seconds > 0]
    return late_players[0] if len(late_players) == 1 else None


def _refuse_unclear_time_loss(sheet: Sheet, rules: RuleSet) -> None:
    if (
        rules.overtime.kind is OvertimeKind.FLAG
        and sheet.ended is GameEnding.FLAG
        and find_player_who_lost_on_time(sheet, rules) is None
    ):
        raise InputError("sheet-without-flag")
    late_players = score_breakdown.list_players_beyond_overtime_limit(rules.overtime, sheet.overtime_seconds)
    has_limit = rules.overtime.kind is OvertimeKind.MINUTES and rules.overtime.limit is not None
    if len(late_players) > 1 or (has_limit and not late_players and sheet.ended is GameEnding.OVERTIME):
        raise InputError("sheet-overtime-unclear", limit=rules.overtime.limit)


def _make_judged_sheet(
    sheet: Sheet,
    rules: RuleSet,
    replay: ReplayedSheet,
    accounts: _ScoreBreakdownsAndLosers,
    issues: tuple[SheetIssue, ...],
) -> JudgedSheet:
    breakdown = accounts.breakdown
    scores = [part.total for part in breakdown]
    is_finished = sheet.ended not in {None, GameEnding.OPEN} or bool(find_challenge_losers(sheet, rules.challenge))
    has_two_players = len(scores) == 2  # noqa: PLR2004 - spread and recount need two players
    results: tuple[Outcome | None, ...] = (None,) * len(scores)
    if is_finished:
        results = score_breakdown.compute_player_outcomes(
            scores, losers=accounts.losers, replier=_find_winner_of_tied_game(sheet, rules)
        )
    difference = rules.recount.difference
    return JudgedSheet(
        breakdown=breakdown,
        results=results,
        match_points=tuple(_convert_to_match_points(rules, result) for result in results),
        rated=is_finished,
        spreads=(scores[0] - scores[1], scores[1] - scores[0]) if has_two_players else (None,) * len(scores),
        recount_right=(
            is_finished and has_two_players and difference is not None and abs(scores[0] - scores[1]) <= difference
        ),
        turns=replay.lines,
        issues=issues,
        flagged=find_player_who_lost_on_time(sheet, rules),
    )


def _find_winner_of_tied_game(sheet: Sheet, rules: RuleSet) -> int | None:
    replier_wins = sheet.knockout and rules.knockout.tie is KnockoutTieResolution.REPLIER
    has_two_players = len(sheet.players) == 2  # noqa: PLR2004
    return 2 - sheet.first if replier_wins and has_two_players else None


def _convert_to_match_points(rules: RuleSet, result: Outcome | None) -> Fraction | None:
    return None if result is None else rules.match_points.get_match_points(result)


def _score_forfeit(sheet: Sheet, rules: RuleSet) -> JudgedSheet:
    """Score a forfeited game: no points, the forfeit margin as spread (no-turneringsreglement 2.2)."""
    players = range(1, len(sheet.players) + 1)
    losses = [sheet.forfeit in {player, "both"} for player in players]
    results = tuple(Outcome.LOSS if is_loss else Outcome.WIN for is_loss in losses)
    margin = rules.forfeit.margin
    return JudgedSheet(
        breakdown=tuple(ScoreBreakdown() for _ in players),
        results=results,
        match_points=tuple(_convert_to_match_points(rules, result) for result in results),
        rated=rules.forfeit.rated,
        spreads=tuple(-margin if is_loss else margin for is_loss in losses),
        recount_right=False,
        turns=(),
        issues=(),
    )


_KINDS_WITHOUT_TILES = frozenset({TurnKind.PASS, TurnKind.EXCHANGE, TurnKind.WITHDRAWN, TurnKind.LOST_TURN})
_ENDINGS_WITHOUT_CHECKS = frozenset({None, GameEnding.OPEN, GameEnding.FORFEIT})
_ENDINGS_WITH_TILES = frozenset({GameEnding.PASSES, GameEnding.BLOCKED})  # every player has tiles left


def list_sheet_issues(
    sheet: Sheet, rules: RuleSet, replay: ReplayedSheet, challenges: Columns
) -> tuple[SheetIssue, ...]:
    sanction_kinds = [sanction.kind for sanction in sheet.sanctions]
    issues = [
        *replay.issues,
        *find_challenge_issues(sheet, rules.challenge),
        *_find_scoreless_turn_issues(sheet, rules),
        *_find_turn_issues(sheet, rules, replay, challenges),
        *_find_game_end_issues(sheet, rules, replay),
        *_find_overtime_issues(sheet, rules),
        *(
            SheetIssue("sanction-not-in-rules", detail=kind.value)
            for kind in sanction_kinds
            if kind not in rules.sanctions.named
        ),
    ]
    last = len(sheet.turns) + 1
    return tuple(sorted(issues, key=lambda issue: issue.turn or last))


def make_issue_facts(
    issue: SheetIssue, convention: SquareNotation = SquareNotation.NUMBERED_ROWS
) -> dict[str, object]:
    facts: dict[str, object] = {
        issue_field.name: getattr(issue, issue_field.name) for issue_field in fields(issue)
    }
    choices = {"end-not-in-rules": GameEnding, "sanction-not-in-rules": SanctionKind, "forms-differ": SheetField}
    if issue.code in choices:
        facts["detail"] = choices[issue.code](issue.detail)
    if issue.code == "square-occupied":
        square = coordinates.parse_square_notation(issue.detail)._replace(direction=None)
        facts["detail"] = coordinates.format_square_notation(square, convention).rstrip("?")
    if issue.code == "forms-differ":
        kinds = {"ended": GameEnding, "kind": TurnKind}
        for name, value in (("stated", issue.stated), ("other", issue.other)):
            facts[name] = kinds[issue.detail](str(value)) if value and issue.detail in kinds else value
    return facts


def _find_scoreless_turn_issues(sheet: Sheet, rules: RuleSet) -> Iterator[SheetIssue]:
    rows = [row for row in (rules.ending.row, rules.ending.other_row) if row.kind is not TurnsThatCanEndGame.NONE]
    lengths = {row: row.compute_scoreless_turn_limit(len(sheet.players)) for row in rows}
    runs, is_over = dict.fromkeys(rows, 0), False
    lost_turns = map_turns_lost_by_wrong_challenges(sheet, rules.challenge)
    for number, turn in enumerate(sheet.turns, 1):
        if not turn.kind.is_real_turn or lost_turns.get(
            number
        ):  # a turn lost by a challenge neither counts nor breaks the row
            continue
        if is_over:
            yield SheetIssue("turn-after-end", number)
            return
        runs = {row: run + 1 if is_scoreless_turn(turn, row, rules) else 0 for row, run in runs.items()}
        is_over = any(run >= lengths[row] for row, run in runs.items())
    if sheet.ended is GameEnding.PASSES and rows and not is_over:
        nearest_row = min(rows, key=lambda row: lengths[row] - runs[row])
        yield SheetIssue("row-incomplete", stated=runs[nearest_row], computed=lengths[nearest_row])


def is_scoreless_turn(turn: Turn, scoreless_rule: ScorelessTurnsRule, rules: RuleSet) -> bool:
    """Return whether a turn counts as one of the consecutive turns without score that end a game.

    A play ruled wrong after the game never counts. A play removed after a challenge counts if `scoreless_rule`
    counts all turns without score, or if `rules` treat it as a pass.
    """
    if scoreless_rule.kind is TurnsThatCanEndGame.SCORELESS:
        return turn.kind in _KINDS_WITHOUT_TILES
    if turn.kind is TurnKind.WITHDRAWN:
        return rules.challenge.withdrawn_is_pass
    return turn.kind is TurnKind.PASS


def _find_turn_issues(
    sheet: Sheet, rules: RuleSet, replay: ReplayedSheet, challenges: Columns
) -> Iterator[SheetIssue]:
    totals, has_totals = rules.form.totals, any(turn.total is not None for turn in sheet.turns)
    passing_players: set[int] = set()
    impossible_challenges, allowed_sanctions = (
        map_forbidden_challenges_to_issue_codes(sheet),
        rules.sanctions.named,
    )
    lost_turns = map_turns_lost_by_wrong_challenges(sheet, rules.challenge)
    for number, (turn, line) in enumerate(zip(sheet.turns, replay.lines, strict=True), 1):
        if turn.ruling is Ruling.PHONY and not rules.phony.ruled:
            yield SheetIssue("phony-not-in-rules", number)
        if turn.kind is TurnKind.WITHDRAWN and rules.contested.known:
            yield SheetIssue("withdrawn-not-in-rules", number)
        if (
            turn.kind is TurnKind.LOST_TURN
            and not lost_turns.get(number)
            and SanctionKind.TURN not in allowed_sanctions
        ):
            yield SheetIssue("lost-turn-not-in-rules", number)
        if turn.contested is not None and not rules.contested.known:
            yield SheetIssue("contested-not-in-rules", number)
        if (
            turn.kind is TurnKind.PASS
            and turn.player in passing_players
            and rules.passing is PassPermission.NOT_TWICE
        ):
            yield SheetIssue("pass-twice", number)
        if turn.kind is TurnKind.PLAY and turn.score is not None and turn.score < 0:
            yield SheetIssue("score-negative", number, stated=turn.score)
        is_total_needed = totals is RunningTotalsRequirement.ALWAYS or (
            totals is RunningTotalsRequirement.WHILE_BAG and bool(line.bag)
        )
        if turn.kind is TurnKind.PLAY and turn.total is None and has_totals and is_total_needed:
            yield SheetIssue("total-missing", number, computed=line.total)
        challenge_points = challenges[number - 1][turn.player - 1]
        if (
            turn.kind is TurnKind.FAILED_CHALLENGE
            and turn.score not in {None, challenge_points}
            and number not in impossible_challenges
        ):
            yield SheetIssue("score-differs", number, turn.score, challenge_points)
        if turn.kind.is_real_turn:
            passing_players = (
                passing_players | {turn.player} if turn.kind is TurnKind.PASS else passing_players - {turn.player}
            )


def _find_game_end_issues(sheet: Sheet, rules: RuleSet, replay: ReplayedSheet) -> Iterator[SheetIssue]:
    if sheet.ended in _ENDINGS_WITHOUT_CHECKS:
        return
    if sheet.ended not in rules.ending.ends:
        yield SheetIssue("end-not-in-rules", detail=str(sheet.ended))
    bag = (
        None
        if replay.unplayed_tiles is None
        else max(0, len(replay.unplayed_tiles) - RACK_SIZE * len(sheet.players))
    )
    if sheet.ended is GameEnding.BLOCKED and not rules.ending.blocked_with_tiles and bag:
        yield SheetIssue("bag-not-empty", stated=bag, computed=0)
    if sheet.ended is GameEnding.OVERTIME and rules.overtime.kind is OvertimeKind.MINUTES:
        return  # racks do not count
    if None in replay.rack_values:
        yield SheetIssue("rack-missing")
    elif sheet.ended is GameEnding.OUT and all(replay.rack_values):
        yield SheetIssue("nobody-out")
    elif sheet.ended in _ENDINGS_WITH_TILES and sheet.racks is not None and not all(map(str.strip, sheet.racks)):
        names = [
            name or str(number)
            for number, (name, rack) in enumerate(zip(sheet.players, sheet.racks, strict=False), 1)
            if not rack.strip()
        ]
        yield SheetIssue("rack-not-counted", detail=", ".join(names))


def _find_final_score_issues(sheet: Sheet, breakdown: Sequence[ScoreBreakdown]) -> Iterator[SheetIssue]:
    for final, part in zip(sheet.finals, breakdown, strict=False):
        computed = part.total - part.phonies - part.sanctions
        if final not in {None, computed}:
            yield SheetIssue("total-differs", stated=final, computed=computed)


def _find_overtime_issues(sheet: Sheet, rules: RuleSet) -> Iterator[SheetIssue]:
    has_overtime = any(sheet.overtime_seconds)
    if has_overtime and rules.overtime.kind is not OvertimeKind.MINUTES and sheet.ended is not GameEnding.FLAG:
        yield SheetIssue("overtime-not-in-rules", stated=max(sheet.overtime_seconds), computed=0)
    if (
        score_breakdown.list_players_beyond_overtime_limit(rules.overtime, sheet.overtime_seconds)
        and sheet.ended is not GameEnding.OVERTIME
    ):
        yield SheetIssue("overtime-stops-game", stated=max(sheet.overtime_seconds), computed=rules.overtime.limit)


def compute_peg_rack_holes(score: int, points_per_hole: int) -> tuple[int, int]:
    """Return the hole numbers for a score on a blind player's peg rack: upper row, then lower row.

    A hole is worth `points_per_hole` in the upper row, 1 point in the lower row (be-brailleliga).
    """
    if score < 0:
        raise ValueError(f"no holes for {score}")
    return divmod(score, points_per_hole)
