"""Pairs published rounds again, and compares the new pairs with the stored ones. This is slow.

Pairs can differ if settings, ratings or results were changed after the publication.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands import discard_round, remove_player
from tdapp.domain.commands.rounds import JOINED_REASON, SPLIT_REASON
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    DivisionId,
    Game,
    PairingReason,
    PlayerId,
    Round,
    RoundState,
    Scalar,
    Seat,
)
from tdapp.domain.proposal import Proposal, compute_pairing_digest
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import DIRECTED
from tdapp.pairing.field import FixedPair, make_fixed_pair
from tdapp.pairing.mixed_tables import BY_HAND
from tdapp.pairing.proposing import propose_pairings

LATECOMER_REASONS = frozenset({"latecomer", SPLIT_REASON, JOINED_REASON})  # reasons of the places of latecomers


def copy_without_last_round(tournament: Tournament, round_row: Round, *, keep_seeds: bool = True) -> Tournament:
    """Return the tournament without its last round `round_row`.

    With `keep_seeds`, keep the seeds and seats that the pairing of this round stored.
    """
    reopened = tournament.put(replace(tournament.event, finished=False))
    stage = tournament.stages[round_row.stage]
    if stage.evening:  # without rounds, a later evening would continue this one
        later_stages = (
            row for row in TournamentIndex(tournament).stages(stage.division) if row.position > stage.position
        )
        reopened = reopened.drop_with_children(*later_stages)
    shortened = discard_round(reopened, round=round_row.id, reason="as it was", with_results=True)
    stored_seeds = (row for key, row in tournament.seeds.items() if key not in shortened.seeds)
    return shortened.put(*stored_seeds) if keep_seeds else shortened


def restore_presence_at_pairing(
    full_index: TournamentIndex, tournament: Tournament, round_row: Round, division: DivisionId
) -> Tournament:
    """Return `tournament` as it was when `round_row` was paired. `full_index` contains this round.

    Only players paired in this round are present. In knockouts and round robins, players without a game (such as
    eliminated players) also stay present.
    """
    bye_players = {bye.player for bye in full_index.byes(round_row.id)}
    paired_players = {bye.player for bye in full_index.list_byes_for_lack_of_opponent(round_row.id)}
    for game in full_index.games(round_row.id):
        paired_players |= {game.first, game.second}
    paired_players |= {seat.player for seat in full_index.seats(round_row.id)}
    paired_players -= (latecomers := find_latecomers(full_index, round_row))
    has_seats = get_pairing_system(full_index.tournament.stages[round_row.stage]).has_seats
    if tournament.stages[round_row.stage].evening:
        players = TournamentIndex(tournament).players(division)
        tournament = tournament.put(*(replace(row, checked_in=row.id in paired_players) for row in players))
    index = TournamentIndex(tournament)
    ended_absences: list[Absence] = []
    new_absences: list[Absence] = []
    new_players: list[PlayerId] = []
    for player in index.players(division):
        absence = index.find_absence(player.id, round_row.number)
        is_new = not index.has_game_or_bye_or_seat(player.id) and player.id not in paired_players | bye_players
        if player.id in paired_players:
            ended_absences += index.absences(player.id) if absence else ()
        elif absence is None and is_new:
            new_players.append(player.id)
        elif absence is None and (player.id in latecomers or not has_seats):
            new_absences.append(
                Absence(AbsenceId(f"then.{player.id}"), player.id, round_row.number, round_row.number)
            )
    later_constraints = [row for row in tournament.constraints.values() if row.since >= round_row.number]
    tournament = tournament.drop(*ended_absences, *later_constraints).put(*new_absences)
    for new_player in new_players:
        tournament = remove_player(tournament, player=new_player)
    return tournament


def find_latecomers(index: TournamentIndex, round_row: Round) -> set[PlayerId]:
    reasons = [row.reason for row in index.games(round_row.id)] + [row.reason for row in index.seats(round_row.id)]
    numbers = {
        dict(reason.facts)["late"] for reason in reasons if reason is not None and reason.code in LATECOMER_REASONS
    }
    ends = [player for game in index.games(round_row.id) for player in (game.first, game.second)]
    ends += [seat.player for seat in index.seats(round_row.id)]
    return {player for player in ends if index.tournament.players[player].number in numbers}


def list_players_of_split_tables(index: TournamentIndex, round_row: Round) -> tuple[frozenset[PlayerId], ...]:
    """Return the players of each table of three that a latecomer turned into two tables of two.

    The latecomers themselves are left out.
    """
    latecomers = find_latecomers(index, round_row)
    players_by_latecomer = defaultdict[Scalar, set[PlayerId]](set)
    for game in index.games(round_row.id):
        if game.reason is not None and game.reason.code == SPLIT_REASON:
            players_by_latecomer[dict(game.reason.facts)["late"]] |= {game.first, game.second} - latecomers
    return tuple(map(frozenset, players_by_latecomer.values()))


def is_game_paired_by_hand(game: Game) -> bool:
    """Return whether the director locked the game or chose its players.

    Games without a pairing reason, such as imported games, also count.
    """
    return game.locked or is_decided_by_director(game.reason)


def list_manual_pairs_and_byes(index: TournamentIndex, round_row: Round) -> tuple[FixedPair, ...]:
    tables = [
        make_fixed_pair(game, locked=game.locked, code=game.reason.code if game.reason else None)
        for game in index.games(round_row.id)
        if is_game_paired_by_hand(game)
    ]
    byes = [
        FixedPair(bye.player, locked=False)
        for bye in index.list_byes_for_lack_of_opponent(round_row.id)
        if is_decided_by_director(bye.reason)
    ]
    return (*tables, *byes)


def is_decided_by_director(reason: PairingReason | None) -> bool:
    """Return whether the director decided the pair. A pair from another program (`reason` None) also counts."""
    return reason is None or reason.code in DIRECTED


class DifferentlyPairedRound(Struct, frozen=True):
    """A round whose pairs differ between two versions of a tournament."""

    round: int
    tables: int  # number of changed tables
    bye_before: PlayerId | None = None
    bye_after: PlayerId | None = None
    draft: bool = False


def compare_recomputed_pairings(
    before: Tournament, after: Tournament, division: DivisionId
) -> tuple[DifferentlyPairedRound, ...]:
    """Return the rounds whose pairs differ between the tournaments.

    The rounds of both tournaments are paired again, to ignore manual changes.
    """
    return tuple(reversed(list(_compare_recomputed_rounds(before, after, division))))


def _compare_recomputed_rounds(
    before: Tournament, after: Tournament, division: DivisionId
) -> Iterator[DifferentlyPairedRound]:
    for item in reversed(TournamentIndex(after).rounds(division)):
        index = TournamentIndex(after)
        before, after = (copy_without_last_round(value, item, keep_seeds=False) for value in (before, after))
        old, new = TournamentIndex(before), TournamentIndex(after)
        if compute_pairing_digest(old, division, item.number, item.source) == compute_pairing_digest(
            new, division, item.number, item.source
        ):
            return
        old_proposal = _pair_round_again(index, before, item, division)
        new_proposal = _pair_round_again(index, after, item, division)
        if old_proposal is None or new_proposal is None:
            continue
        difference = DifferentlyPairedRound(
            round=item.number,
            tables=len(list_proposed_player_groups(new_proposal) - list_proposed_player_groups(old_proposal)),
            bye_before=_find_bye_player(old_proposal),
            bye_after=_find_bye_player(new_proposal),
            draft=item.state is RoundState.DRAFT,
        )
        if difference.tables or difference.bye_before != difference.bye_after:
            yield difference


def _pair_round_again(
    index: TournamentIndex, tournament: Tournament, round_row: Round, division: DivisionId
) -> Proposal | None:
    try:
        return propose_pairings(
            TournamentIndex(restore_presence_at_pairing(index, tournament, round_row, division)),
            division,
            fixed_pairs=_list_pairs_to_keep(index, round_row),
            source_round=round_row.source,
            assumed=[game for game in round_row.assumed if game not in tournament.results],
        )
    except CommandError:
        return None


def _list_pairs_to_keep(index: TournamentIndex, round_row: Round) -> tuple[FixedPair, ...]:
    return tuple(
        make_fixed_pair(game)
        for game in index.games(round_row.id)
        if game.locked or (game.reason is not None and game.reason.code == "by-hand")
    )


def list_proposed_player_groups(proposal: Proposal) -> set[frozenset[PlayerId]]:
    tables = (group for _, group in groupby(proposal.seats, attrgetter("table")))
    return {
        *(frozenset({game.first, game.second}) for game in proposal.games),
        *(frozenset(seat.player for seat in seats) for seats in tables),
    }


def _find_bye_player(proposal: Proposal) -> PlayerId | None:
    return next((bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE), None)


class RoundPairingComparison(Struct, frozen=True):
    """The comparison of a round with the pairing that the program now makes."""

    round: int
    tables: int
    by_hand: tuple[int, ...] = ()  # numbers of the tables that the director set
    otherwise: tuple[int, ...] = ()  # numbers of the tables that get other players
    stored_byes: frozenset[PlayerId] = frozenset()  # players with a bye in the stored round
    new_byes: frozenset[PlayerId] = frozenset()  # players with a bye in the new pairing
    refusal: CommandError | None = None  # why the round could not be paired

    @property
    def has_same_pairing(self) -> bool:
        return self.refusal is None and not self.otherwise and self.stored_byes == self.new_byes


def recheck_rounds(tournament: Tournament, division: DivisionId) -> tuple[RoundPairingComparison, ...]:
    rechecked_rounds = []
    for item in reversed(TournamentIndex(tournament).rounds(division)):
        index, tournament = TournamentIndex(tournament), copy_without_last_round(tournament, item)
        rechecked_rounds.append(_recheck_round(index, tournament, item, division))
    return tuple(reversed(rechecked_rounds))


def _recheck_round(
    index: TournamentIndex, tournament: Tournament, round_row: Round, division: DivisionId
) -> RoundPairingComparison:
    """Pair a round again, and compare the new pairs with the stored ones.

    Do this twice: first keep the pairs made by hand, then let the pairing system pair all players. Return the
    comparison with fewer differences.
    """
    tables = index.list_seats_by_table(round_row.id)
    by_hand = [game.table for game in index.games(round_row.id) if is_game_paired_by_hand(game)]
    by_hand += [seats[0].table for seats in tables if _is_manual_seat(seats[0])]
    bye_players, count = (
        find_players_with_bye_before_latecomers(index, round_row),
        len(index.games(round_row.id)) + len(tables),
    )
    unchanged = RoundPairingComparison(
        round_row.number, count, tuple(sorted(by_hand)), stored_byes=bye_players, new_byes=bye_players
    )
    if len(by_hand) == count or any(_is_manual_seat(seats[0]) for seats in tables):
        return unchanged  # tables of three set by hand decide the sizes of the others
    restored_index = TournamentIndex(restore_presence_at_pairing(index, tournament, round_row, division))
    manual_pairs = list_manual_pairs_and_byes(index, round_row)
    ordered_pairs = tuple(pair for pair in manual_pairs if pair.code not in {"by-hand", None})
    # the director can set tables before or after the pairing of the other players
    comparisons = [
        _compare_with_fixed_pairs(
            restored_index, index, round_row, division, fixed_pairs=pairs, unchanged=unchanged
        )
        for pairs in dict.fromkeys([manual_pairs, ordered_pairs])
    ]
    return min(
        comparisons,
        key=lambda comparison: (
            comparison.refusal is not None,
            len(comparison.otherwise),
            comparison.stored_byes != comparison.new_byes,
        ),
    )


def _compare_with_fixed_pairs(
    restored_index: TournamentIndex,
    index: TournamentIndex,
    round_row: Round,
    division: DivisionId,
    *,
    fixed_pairs: Sequence[FixedPair],
    unchanged: RoundPairingComparison,
) -> RoundPairingComparison:
    try:
        proposal = propose_pairings(
            restored_index,
            division,
            fixed_pairs=fixed_pairs,
            source_round=round_row.source,
            assumed=round_row.assumed,
        )
    except CommandError as error:
        return replace(unchanged, refusal=error)
    new_pairs = list_proposed_player_groups(proposal)
    latecomers, split_tables = (
        find_latecomers(index, round_row),
        list_players_of_split_tables(index, round_row),
    )
    moved_players = latecomers.union(*split_tables)
    other_games = [
        game
        for game in index.games(round_row.id)
        if not is_game_paired_by_hand(game) and not _get_game_players(game) & moved_players
    ]
    byes = frozenset(bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE)
    is_set_by_hand = any(
        is_decided_by_director(bye.reason) for bye in index.list_byes_for_lack_of_opponent(round_row.id)
    )
    return replace(
        unchanged,
        otherwise=tuple(
            sorted(
                [
                    *(game.table for game in other_games if _get_game_players(game) not in new_pairs),
                    *(
                        seats[0].table
                        for seats in index.list_seats_by_table(round_row.id)
                        if frozenset(seat.player for seat in seats) - latecomers not in new_pairs
                    ),
                    *(
                        game.table
                        for game in index.games(round_row.id)
                        if any(
                            _get_game_players(game) <= table and table not in new_pairs for table in split_tables
                        )
                    ),
                ]
            )
        ),
        new_byes=unchanged.stored_byes if is_set_by_hand else byes,
    )


def _is_manual_seat(seat: Seat) -> bool:
    return seat.reason is None or seat.reason.code == BY_HAND


def _get_game_players(game: Game) -> frozenset[PlayerId]:
    return frozenset({game.first, game.second})


def find_players_with_bye_before_latecomers(index: TournamentIndex, round_row: Round) -> frozenset[PlayerId]:
    """Return the players with a bye. A player whose bye became a game against a latecomer also counts."""
    latecomers = find_latecomers(index, round_row)
    replaced_players = {
        player
        for game in index.games(round_row.id)
        if _get_game_players(game) & latecomers and game.reason is not None and game.reason.code != SPLIT_REASON
        for player in _get_game_players(game) - latecomers
    }
    return frozenset(replaced_players | {bye.player for bye in index.list_byes_for_lack_of_opponent(round_row.id)})
