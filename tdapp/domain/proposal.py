"""A proposed pairing of a round, and its checks before publication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import combinations

from msgspec import Struct, msgpack

from tdapp.domain.bracket import are_knockout_matches_decided
from tdapp.domain.game_results import list_unchecked_games
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    ByeKind,
    ConstraintKind,
    Division,
    DivisionId,
    GameId,
    PairingReason,
    PlayerId,
    Round,
    RoundState,
    StageId,
    StartDecision,
)
from tdapp.domain.records import compute_fines
from tdapp.domain.systems import get_pairing_system

_FINGERPRINT_ENCODER = msgpack.Encoder(enc_hook=repr, order="deterministic")
_PAIR = 2


class ProposedGame(Struct, frozen=True):
    """A proposed game of two players and the reason for it. `model.Game` explains the fields."""

    table: int
    first: PlayerId
    second: PlayerId
    start: StartDecision = StartDecision.ASSIGNED
    locked: bool = False
    match: int | None = None
    reason: PairingReason | None = None


class ProposedBye(Struct, frozen=True):
    """A proposed bye and the reason for it. `model.Bye` explains the fields."""

    player: PlayerId
    kind: ByeKind
    spread: int | None = None
    match: int | None = None
    reason: PairingReason | None = None


class ProposedSeat(Struct, frozen=True):
    """A proposed place at a group table: a table of one player, or of three or more."""

    table: int
    position: int
    player: PlayerId
    reason: PairingReason | None = None


class Proposal(Struct, frozen=True):
    """The proposed pairing of a round. `model.Round` explains `cost`, `relaxed`, `source` and `assumed`."""

    stage: StageId
    number: int
    games: tuple[ProposedGame, ...]
    byes: tuple[ProposedBye, ...]
    based_on: str  # fingerprint of the data that the pairing used
    cost: tuple[tuple[str, int], ...] = ()
    relaxed: tuple[str, ...] = ()
    source: int | None = None
    assumed: tuple[GameId, ...] = ()
    seats: tuple[ProposedSeat, ...] = ()


def get_source_round_or_previous(round_number: int, source_round: int | None) -> int:
    """Return the round whose standings are used to pair `round_number`: `source_round`, or the round before."""
    return round_number - 1 if source_round is None else source_round


def find_absences_and_forbidden_pairs_in_draft(
    index: TournamentIndex, round_row: Round
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield error codes, with message values, for absent players and forbidden pairs of a draft.

    Forbidden pairs are ignored if seed numbers or the bracket determine the pairings.
    """
    names, games, number = index.tournament.players, index.games(round_row.id), round_row.number
    player_ids = [player for game in games for player in (game.first, game.second)]
    player_ids += [bye.player for bye in index.list_byes_for_lack_of_opponent(round_row.id)]
    player_ids += [seat.player for seat in index.seats(round_row.id)]
    absent_names = [names[player].name for player in player_ids if index.find_absence(player, number) is not None]
    if absent_names:
        yield "draft-absent", {"round": number, "players": "; ".join(absent_names), "n": len(absent_names)}
    is_prescribed = get_pairing_system(index.tournament.stages[round_row.stage]).is_prescribed
    for table, first, second in () if is_prescribed else find_forbidden_pairs(index, round_row):
        pair = {"first": names[first].name, "second": names[second].name}
        yield "draft-forbidden", {"round": number, "table": table, **pair}


def find_forbidden_pairs(index: TournamentIndex, round_row: Round) -> Iterator[tuple[int, PlayerId, PlayerId]]:
    """Yield pairs at one table who must never meet: the table number and both players."""
    rows = index.tournament.constraints.values()
    forbidden_pairs = {frozenset({row.player, row.other}) for row in rows if row.kind is ConstraintKind.NEVER}
    pairs = [(game.table, game.first, game.second) for game in index.games(round_row.id)]
    for seats in index.list_seats_by_table(round_row.id) if forbidden_pairs else ():
        pairs += ((first.table, first.player, second.player) for first, second in combinations(seats, _PAIR))
    return (pair for pair in pairs if frozenset(pair[1:]) in forbidden_pairs)


def compute_pairing_digest(
    index: TournamentIndex, division: DivisionId, number: int, source: int | None = None
) -> str:
    """Return a digest (hash) of all data that the pairing of round `number` uses.

    If the digest changes, the pairing must be computed again. With `source`, the pairing uses the standings after
    this round. The digest then contains no results of later rounds, except forfeits.
    """
    tournament = index.tournament
    digest, division_row = blake2b(digest_size=16), tournament.divisions[division]
    earlier_rounds = index.list_published_rounds(division, number - 1)
    players = index.players(division)
    player_ids = {player.id for player in players}
    rows: list[object] = [tournament.event.seed, tournament.get_ruleset_of_row(division_row), division_row]
    rows += [*index.stages(division), *players, *earlier_rounds]
    rows += [seed for stage in index.stages(division) for seed in index.seeds(stage.id)]
    rows += [absence for player in players for absence in index.absences(player.id)]
    constraints = tournament.constraints
    rows += [constraints[key] for key in sorted(constraints) if constraints[key].player in player_ids]
    fines = compute_fines(index, tournament.divisions[division], get_source_round_or_previous(number, source))
    rows.append(sorted(fines.items()))
    for item in earlier_rounds:
        rows += [*index.games(item.id), *index.byes(item.id), *index.seats(item.id)]
        results = [index.get_result(game.id) for game in index.games(item.id)]
        is_later = source is not None and item.number > source
        rows += [result and result.forfeit for result in results] if is_later else results
    digest.update(_FINGERPRINT_ENCODER.encode(rows))
    return digest.hexdigest()


def find_next_round(index: TournamentIndex, division: Division) -> int | None:
    number = len(index.list_published_rounds(division.id)) + 1
    stage = index.find_stage(division.id, number)
    if stage is None:
        return None
    is_last_stage = stage.id == index.stages(division.id)[-1].id
    return (
        None
        if is_last_stage and get_pairing_system(stage).is_knockout and are_knockout_matches_decided(index, stage)
        else number
    )


def count_planned_rounds_left(index: TournamentIndex, division: Division) -> int:
    number = find_next_round(index, division)
    return 0 if number is None else index.count_planned_rounds(division.id) - number + 1


def find_round_ready_to_pair(index: TournamentIndex, division: Division) -> int | None:
    """Return the number of the next round to pair, None if it cannot be paired yet.

    All results must be in, and checked if required. No draft may exist, and at least two players must be present.
    """
    number = find_next_round(index, division)
    if number is None or index.tournament.event.finished:
        return None
    rounds = index.rounds(division.id)
    if any(item.state is RoundState.DRAFT or index.list_open_tables(item.id) for item in rounds):
        return None
    if index.tournament.event.check_first and list_unchecked_games(index, division.id):
        return None
    present_players = [
        player for player in index.players(division.id) if index.find_absence(player.id, number) is None
    ]
    return number if len(present_players) >= _PAIR else None
