"""Checks the pairings and ranks of an event from any pairing program. FIDE calls this a pairing checker.

The check compares each round, criterion by criterion, with the best pairing of the same players before that round.
It accepts tables that the director set. It does not report unavoidable repeats and byes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.entries import RankFromFile
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, ConstraintKind, Division, Game, PlayerId, Round, Scalar, StartDecision
from tdapp.domain.proposal import Proposal, ProposedGame
from tdapp.domain.records import Record, compute_records
from tdapp.domain.standings import compute_standings
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.pairing.field import FixedPair
from tdapp.pairing.proposing import propose_given_pairs, propose_pairings
from tdapp.pairing.recheck import (
    copy_without_last_round,
    find_latecomers,
    find_players_with_bye_before_latecomers,
    list_manual_pairs_and_byes,
    list_proposed_player_groups,
    restore_presence_at_pairing,
)

_MIN_REPORTED_STARTS = 3  # in consecutive rounds


class PairingFinding(Struct, frozen=True):
    """An error found in a round."""

    code: str
    round: int
    facts: tuple[tuple[str, Scalar], ...]


class RoundCostComparison(Struct, frozen=True):
    """The cost of a round, and of the best pairing of the same players, by criterion."""

    round: int
    system: str
    cost: tuple[tuple[str, int], ...] = ()  # of the round; it and `optimum` are empty after an error
    optimum: tuple[tuple[str, int], ...] = ()
    error: CommandError | None = None  # the round could not be paired again


class DivisionPairingCheck(Struct, frozen=True):
    """The pairing costs of all rounds of a division, by criterion, and the errors found in the rounds."""

    division: Division
    rounds: tuple[RoundCostComparison, ...]
    findings: tuple[PairingFinding, ...]
    uneven: int  # greatest difference of starts and replies of a player
    running: int  # most starts in a row of a player


def check_division_pairings(
    tournament: Tournament, division: Division, stated_ranks: Sequence[RankFromFile] = ()
) -> DivisionPairingCheck:
    index, value = TournamentIndex(tournament), tournament
    history = compute_records(index, division)
    findings, checked_rounds = [*_find_wrong_stated_ranks(index, division, stated_ranks)], []
    for item in reversed(index.rounds(division.id)):
        full_index, value = TournamentIndex(value), copy_without_last_round(value, item)
        checked_round, round_findings = _compare_round_with_best_pairing(full_index, value, item, division)
        checked_rounds.append(checked_round)
        findings += _check_presence_and_forbidden_pairs(full_index, item)
        findings += [*_check_starts(full_index, item, history), *round_findings]
    findings.sort(key=attrgetter("round"))
    uneven = max((abs(_compute_balance_of_starts(record)) for record in history.values()), default=0)
    running = max(
        (_count_consecutive_starts(record, entry.round) for record in history.values() for entry in record),
        default=0,
    )
    return DivisionPairingCheck(division, tuple(reversed(checked_rounds)), tuple(findings), uneven, running)


def _check_presence_and_forbidden_pairs(index: TournamentIndex, round_row: Round) -> Iterator[PairingFinding]:
    value = index.tournament
    for game in index.games(round_row.id):
        result = index.get_result(game.id)
        for player in (game.first, game.second):
            if index.find_absence(player, round_row.number) and not (result and result.forfeit):
                yield _make_finding("referee-absent", index, round_row, table=game.table, player=player)
    is_prescribed = get_pairing_system(value.stages[round_row.stage]).is_prescribed
    for row in () if is_prescribed else _list_forbidden_games(value, index.games(round_row.id), round_row.number):
        yield _make_finding(
            "referee-kept-apart", index, round_row, table=row.table, player=row.first, other=row.second
        )


def _list_forbidden_games(tournament: Tournament, games: Sequence[Game], number: int) -> list[Game]:
    forbidden_pairs = {
        frozenset({row.player, row.other})
        for row in tournament.constraints.values()
        if row.kind is ConstraintKind.NEVER and row.since < number
    }
    return [game for game in games if frozenset({game.first, game.second}) in forbidden_pairs]


def _check_starts(
    index: TournamentIndex, round_row: Round, history: Mapping[PlayerId, Record]
) -> Iterator[PairingFinding]:
    stage = index.tournament.stages[round_row.stage]
    if get_pairing_system(stage).has_seats or stage.settings.draw_starts:
        return
    for game in index.games(round_row.id):
        balance = _compute_balance_of_starts(history[game.first], round_row.number)
        other_balance = _compute_balance_of_starts(history[game.second], round_row.number)
        result = index.get_result(game.id)
        if game.start is not StartDecision.ASSIGNED or game.locked or (result and result.forfeit):
            continue
        if balance > other_balance:
            times = _count_consecutive_starts(history[game.first], round_row.number)
            code = "referee-start-again" if times >= _MIN_REPORTED_STARTS else "referee-start"
            facts = {"balance": balance, "other_balance": other_balance, "times": times}
            yield _make_finding(
                code, index, round_row, table=game.table, player=game.first, other=game.second, **facts
            )


def _compute_balance_of_starts(record: Record, before: int | None = None) -> int:
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


def _find_wrong_stated_ranks(
    index: TournamentIndex, division: Division, stated_ranks: Sequence[RankFromFile]
) -> Iterator[PairingFinding]:
    stated_ranks = [row for row in stated_ranks if row.capped in {None, bool(division.spread_caps)}]
    for number in sorted({row.round for row in stated_ranks}):
        table = compute_standings(index, division, number)
        ranks = {row.player.number: row for row in table}
        for row in stated_ranks:
            if row.round != number or row.player not in ranks or ranks[row.player].disqualified:
                continue
            rank = ranks[row.player].rank
            tied_count = sum(other.rank == rank for other in table)
            if not rank <= row.rank < rank + tied_count:
                facts = (("player", ranks[row.player].player.name), ("stated", row.rank), ("rank", rank))
                yield PairingFinding("referee-rank", number, (("round", number), *facts))


def _compare_round_with_best_pairing(
    index: TournamentIndex, tournament: Tournament, round_row: Round, division: Division
) -> tuple[RoundCostComparison, list[PairingFinding]]:
    system = index.tournament.stages[round_row.stage].system
    tournament = restore_presence_at_pairing(index, tournament, round_row, division.id)
    violated_pairs = {
        frozenset({game.first, game.second})
        for game in _list_forbidden_games(tournament, index.games(round_row.id), round_row.number)
    }
    constraints = tournament.constraints.values()
    unconstrained = tournament.drop(*(row for row in constraints if {row.player, row.other} in violated_pairs))
    manual_pairs = [
        pair for pair in list_manual_pairs_and_byes(index, round_row) if pair.locked or pair.code is not None
    ]
    latecomers = find_latecomers(index, round_row)
    games = [game for game in index.games(round_row.id) if not latecomers & {game.first, game.second}]
    pairs = [FixedPair(game.first, game.second, code=None) for game in games]
    pairs += [
        FixedPair(player, code=None)
        for player in sorted(find_players_with_bye_before_latecomers(index, round_row))
    ]
    try:
        best = propose_pairings(
            TournamentIndex(tournament),
            division.id,
            fixed_pairs=manual_pairs,
            source_round=round_row.source,
            assumed=round_row.assumed,
        )
        proposal = propose_given_pairs(
            TournamentIndex(unconstrained),
            division.id,
            round_row.number,
            pairs,
            source_round=best.source,
            assumed=round_row.assumed,
        )
    except CommandError as error:
        return RoundCostComparison(round_row.number, system, error=error), []
    checked_round = RoundCostComparison(round_row.number, system, proposal.cost, best.cost)
    return checked_round, [
        *_check_costs(index, round_row, proposal, best),
        *_check_byes(index, round_row, proposal, best),
    ]


def _check_costs(
    index: TournamentIndex, round_row: Round, proposal: Proposal, best: Proposal
) -> Iterator[PairingFinding]:
    best_costs = dict(best.cost)
    for name, cost in proposal.cost:
        if cost == best_costs.get(name, 0):
            continue
        if cost > best_costs.get(name, 0):
            costly_games = [game for game in proposal.games if _get_criterion_cost(game, name)]
            costly_pairs = [{game.first, game.second} for game in costly_games]
            games = index.games(round_row.id)
            tables = [game.table for game in games if {game.first, game.second} in costly_pairs]
            facts: dict[str, Scalar] = {"criterion": name, "cost": cost, "least": best_costs.get(name, 0)}
            table_list = ", ".join(map(str, tables)) or "–"
            yield _make_finding("referee-dearer", index, round_row, tables=table_list, **facts)
        return
    if get_pairing_system(index.tournament.stages[round_row.stage]).has_seats and (
        other_tables := list_proposed_player_groups(proposal) - list_proposed_player_groups(best)
    ):
        yield _make_finding("referee-otherwise", index, round_row, n=len(other_tables))


def _get_criterion_cost(game: ProposedGame, name: str) -> int:
    return dict(game.reason.cost).get(name, 0) if game.reason else 0


def _check_byes(
    index: TournamentIndex, round_row: Round, proposal: Proposal, best: Proposal
) -> Iterator[PairingFinding]:
    comparable_codes = {"bye-dearer": "bye-above"}  # only the best pairing has the amount
    best_codes = {comparable_codes.get(bye.reason.code, bye.reason.code) for bye in best.byes if bye.reason}
    for bye in proposal.byes:
        if bye.kind is ByeKind.BYE and bye.reason and bye.reason.code in {"bye-again", "bye-above"} - best_codes:
            facts = {key: value for key, value in bye.reason.facts if key != "score"}
            is_second_bye = bye.reason.code == "bye-again" and _has_earlier_bye(index, round_row, bye.player)
            code = "referee-bye-again" if is_second_bye else "referee-bye-above"
            yield _make_finding(code, index, round_row, player=bye.player, **facts)


def _has_earlier_bye(index: TournamentIndex, round_row: Round, player: PlayerId) -> bool:
    record = compute_records(index, index.get_division_of_round(round_row.id))[player]
    return any(entry.bye is ByeKind.BYE and entry.round < round_row.number for entry in record)


def _make_finding(code: str, index: TournamentIndex, round_row: Round, **facts: Scalar) -> PairingFinding:
    names = index.tournament.players
    named_facts = {
        key: names[PlayerId(str(value))].name if key in {"player", "other"} else value
        for key, value in facts.items()
    }
    return PairingFinding(code, round_row.number, tuple({"round": round_row.number, **named_facts}.items()))
