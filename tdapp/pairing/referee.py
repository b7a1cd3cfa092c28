"""Checks the pairings and ranks of an event made by any pairing program.

Each round is compared, criterion by criterion, with the best pairing of the same players from the data of that
time. Tables that the director set are accepted. Unavoidable repeats and byes are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from tdapp.domain.entries import RankFromFile
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, ConstraintKind, Division, Game, PlayerId, Round, Scalar, Start
from tdapp.domain.proposal import Proposal, ProposedGame
from tdapp.domain.records import Record, compute_records
from tdapp.domain.standings import compute_standings
from tdapp.domain.systems import get_system
from tdapp.domain.tournament import Tournament
from tdapp.pairing.field import FixedPair
from tdapp.pairing.proposing import evaluate_round, propose_pairings
from tdapp.pairing.recheck import (
    find_bye_players,
    find_latecomers,
    list_manual_tables,
    list_proposed_pairs,
    remove_last_round,
    restore_presence_at_pairing,
)

_RUNNING = 3  # minimum of reported consecutive starts


class RoundFinding(Struct, frozen=True):
    """An error in a round."""

    code: str
    round: int
    facts: tuple[tuple[str, Scalar], ...]


class MeasuredRound(Struct, frozen=True):
    """The cost of a round and of the best possible pairing of the same players, by criterion."""

    round: int
    system: str
    cost: tuple[tuple[str, int], ...] = ()  # this and `optimum` are empty if `failed` is set
    optimum: tuple[tuple[str, int], ...] = ()
    failed: RuleViolation | None = None


class DivisionExamination(Struct, frozen=True):
    """The errors and measurements found in the pairings of a division."""

    division: Division
    rounds: tuple[MeasuredRound, ...]
    findings: tuple[RoundFinding, ...]
    uneven: int  # greatest difference of starts and replies of a player
    running: int  # most starts in a row of a player


def examine_division(
    tournament: Tournament, division: Division, stated: Sequence[RankFromFile] = ()
) -> DivisionExamination:
    index, value = Index(tournament), tournament
    history = compute_records(index, division)
    found, measured = [*_check_ranks(index, division, stated)], []
    for item in reversed(index.rounds(division.id)):
        whole, value = Index(value), remove_last_round(value, item)
        round_, wrong = _measure_round(whole, value, item, division)
        measured.append(round_)
        found += [*_check_presence_and_forbidden_pairs(whole, item), *_check_starts(whole, item, history), *wrong]
    found.sort(key=lambda one: one.round)
    uneven = max((abs(_compute_start_balance(record)) for record in history.values()), default=0)
    running = max(
        (_count_consecutive_starts(record, entry.round) for record in history.values() for entry in record),
        default=0,
    )
    return DivisionExamination(division, tuple(reversed(measured)), tuple(found), uneven, running)


def _check_presence_and_forbidden_pairs(index: Index, item: Round) -> Iterator[RoundFinding]:
    value = index.tournament
    for game in index.games(item.id):
        result = index.result(game.id)
        for player in (game.first, game.second):
            if index.find_absence(player, item.number) and not (result and result.forfeit):
                yield _make_finding("referee-absent", index, item, table=game.table, player=player)
    prescribed = get_system(value.stages[item.stage]).is_prescribed
    for row in () if prescribed else _list_forbidden_games(value, index.games(item.id), item.number):
        yield _make_finding("referee-kept-apart", index, item, table=row.table, player=row.first, other=row.second)


def _list_forbidden_games(value: Tournament, games: Sequence[Game], number: int) -> list[Game]:
    never = {
        frozenset({row.player, row.other})
        for row in value.constraints.values()
        if row.kind is ConstraintKind.NEVER and row.since < number
    }
    return [game for game in games if frozenset({game.first, game.second}) in never]


def _check_starts(index: Index, item: Round, history: Mapping[PlayerId, Record]) -> Iterator[RoundFinding]:
    stage = index.tournament.stages[item.stage]
    if get_system(stage).has_seats or stage.settings.draw_starts:
        return
    for game in index.games(item.id):
        one, two = (_compute_start_balance(history[player], item.number) for player in (game.first, game.second))
        result = index.result(game.id)
        if game.start is Start.ASSIGNED and one > two and not game.locked and not (result and result.forfeit):
            times = _count_consecutive_starts(history[game.first], item.number)
            code = "referee-start-again" if times >= _RUNNING else "referee-start"
            facts = {"balance": one, "other_balance": two, "times": times}
            yield _make_finding(code, index, item, table=game.table, player=game.first, other=game.second, **facts)


def _compute_start_balance(record: Record, before: int | None = None) -> int:
    return sum(
        1 if row.started else -1
        for row in record
        if row.started is not None and (before is None or row.round < before)
    )


def _count_consecutive_starts(record: Record, number: int) -> int:
    times = 0
    for row in record:
        if row.started is not None and row.round <= number:
            times = times + 1 if row.started else 0
    return times


def _check_ranks(index: Index, division: Division, stated: Sequence[RankFromFile]) -> Iterator[RoundFinding]:
    stated = [row for row in stated if row.capped in {None, bool(division.spread_caps)}]
    for number in sorted({row.round for row in stated}):
        table = compute_standings(index, division, number)
        ranks = {row.player.number: row for row in table}
        for row in stated:
            if row.round != number or row.player not in ranks or ranks[row.player].disqualified:
                continue
            rank = ranks[row.player].rank
            level = sum(one.rank == rank for one in table)
            if not rank <= row.rank < rank + level:
                facts = (("player", ranks[row.player].player.name), ("stated", row.rank), ("rank", rank))
                yield RoundFinding("referee-rank", number, (("round", number), *facts))


def _measure_round(
    whole: Index, earlier: Tournament, item: Round, division: Division
) -> tuple[MeasuredRound, list[RoundFinding]]:
    system = whole.tournament.stages[item.stage].system
    then = restore_presence_at_pairing(whole, earlier, item, division.id)
    violated = {
        frozenset({game.first, game.second})
        for game in _list_forbidden_games(then, whole.games(item.id), item.number)
    }
    free = then.drop(*(row for row in then.constraints.values() if {row.player, row.other} in violated))
    around = [one for one in list_manual_tables(whole, item) if one.locked or one.code is not None]
    late = find_latecomers(whole, item)
    games = [game for game in whole.games(item.id) if not late & {game.first, game.second}]
    pairs = [FixedPair(game.first, game.second, code=None) for game in games]
    pairs += [FixedPair(player, code=None) for player in sorted(find_bye_players(whole, item))]
    try:
        best = propose_pairings(
            Index(then), division.id, fixed=around, source_round=item.source, assumed=item.assumed
        )
        made = evaluate_round(
            Index(free), division.id, item.number, pairs, source_round=best.source, assumed=item.assumed
        )
    except RuleViolation as error:
        return MeasuredRound(item.number, system, failed=error), []
    measured = MeasuredRound(item.number, system, made.cost, best.cost)
    return measured, [*_check_costs(whole, item, made, best), *_check_byes(whole, item, made, best)]


def _check_costs(whole: Index, item: Round, made: Proposal, best: Proposal) -> Iterator[RoundFinding]:
    least = dict(best.cost)
    for name, cost in made.cost:
        if cost == least.get(name, 0):
            continue
        if cost > least.get(name, 0):
            dear = {frozenset({one.first, one.second}) for one in made.games if _get_criterion_cost(one, name)}
            tables = [game.table for game in whole.games(item.id) if frozenset({game.first, game.second}) in dear]
            facts: dict[str, Scalar] = {"criterion": name, "cost": cost, "least": least.get(name, 0)}
            listed = ", ".join(map(str, tables)) or "–"
            yield _make_finding("referee-dearer", whole, item, tables=listed, **facts)
        return
    if get_system(whole.tournament.stages[item.stage]).has_seats and (
        others := list_proposed_pairs(made) - list_proposed_pairs(best)
    ):
        yield _make_finding("referee-otherwise", whole, item, n=len(others))


def _get_criterion_cost(game: ProposedGame, name: str) -> int:
    return dict(game.reason.cost).get(name, 0) if game.reason else 0


def _check_byes(whole: Index, item: Round, made: Proposal, best: Proposal) -> Iterator[RoundFinding]:
    known = {"bye-dearer": "bye-above"}  # the amount is known for the best only
    spared = {known.get(bye.reason.code, bye.reason.code) for bye in best.byes if bye.reason}
    for bye in made.byes:
        if bye.kind is ByeKind.BYE and bye.reason and bye.reason.code in {"bye-again", "bye-above"} - spared:
            facts = {key: value for key, value in bye.reason.facts if key != "score"}
            again = bye.reason.code == "bye-again" and _had_bye(whole, item, bye.player)
            code = "referee-bye-again" if again else "referee-bye-above"
            yield _make_finding(code, whole, item, player=bye.player, **facts)


def _had_bye(whole: Index, item: Round, player: PlayerId) -> bool:
    record = compute_records(whole, whole.division_of(item.id))[player]
    return any(entry.bye is ByeKind.BYE and entry.round < item.number for entry in record)


def _make_finding(code: str, index: Index, item: Round, **facts: Scalar) -> RoundFinding:
    names = index.tournament.players
    told = {
        key: names[PlayerId(str(value))].name if key in {"player", "other"} else value
        for key, value in facts.items()
    }
    return RoundFinding(code, item.number, tuple({"round": item.number, **told}.items()))
