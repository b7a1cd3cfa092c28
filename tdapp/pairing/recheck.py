"""Pairs published rounds again, and compares the new pairs with the stored ones. This is slow.

If settings, ratings or results were changed since, the pairs can differ.
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
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
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
from tdapp.domain.systems import get_system
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import DIRECTED
from tdapp.pairing.field import FixedPair, make_fixed_pair
from tdapp.pairing.mixed_tables import BY_HAND
from tdapp.pairing.proposing import propose_pairings

LATECOMER_REASONS = frozenset({"latecomer", SPLIT_REASON, JOINED_REASON})  # reasons of the places of latecomers


def remove_last_round(tournament: Tournament, item: Round, *, keep_seeds: bool = True) -> Tournament:
    """Return the tournament without its last round `item`.

    With `keep_seeds`, keep the seeds and seats that were stored when this round was paired.
    """
    open_again = tournament.put(replace(tournament.event, finished=False))
    stage = tournament.stages[item.stage]
    if stage.evening:  # without rounds, a later evening would continue this one
        later = (one for one in Index(tournament).stages(stage.division) if one.position > stage.position)
        open_again = open_again.drop_with_children(*later)
    earlier = discard_round(open_again, round=item.id, reason="as it was", with_results=True)
    settled = (row for key, row in tournament.seeds.items() if key not in earlier.seeds)
    return earlier.put(*settled) if keep_seeds else earlier


def restore_presence_at_pairing(
    whole: Index, earlier: Tournament, item: Round, division: DivisionId
) -> Tournament:
    """Return `earlier` with the presence at the pairing of round `item`: only its paired players are present.

    In a system with fixed seats, eliminated players stay present.
    """
    stood = {bye.player for bye in whole.byes(item.id)}
    seated = {bye.player for bye in whole.list_unopposed_byes(item.id)}
    for game in whole.games(item.id):
        seated |= {game.first, game.second}
    seated |= {seat.player for seat in whole.seats(item.id)}
    seated -= (late := find_latecomers(whole, item))
    has_seats = get_system(whole.tournament.stages[item.stage]).has_seats
    if earlier.stages[item.stage].evening:
        here = (replace(one, checked_in=one.id in seated) for one in Index(earlier).players(division))
        earlier = earlier.put(*here)
    index = Index(earlier)
    gone: list[Absence] = []
    away: list[Absence] = []
    new: list[PlayerId] = []
    for player in index.players(division):
        absence = index.find_absence(player.id, item.number)
        came_since = not index.has_played(player.id) and player.id not in seated | stood
        if player.id in seated:
            gone += index.absences(player.id) if absence else ()
        elif absence is None and came_since:
            new.append(player.id)
        elif absence is None and (player.id in late or not has_seats):
            away.append(Absence(AbsenceId(f"then.{player.id}"), player.id, item.number, item.number))
    ordered_since = [row for row in earlier.constraints.values() if row.since >= item.number]
    then = earlier.drop(*gone, *ordered_since).put(*away)
    for one in new:
        then = remove_player(then, player=one)
    return then


def find_latecomers(index: Index, item: Round) -> set[PlayerId]:
    given = [row.reason for row in index.games(item.id)] + [row.reason for row in index.seats(item.id)]
    numbers = {
        dict(reason.facts)["late"] for reason in given if reason is not None and reason.code in LATECOMER_REASONS
    }
    ends = [player for game in index.games(item.id) for player in (game.first, game.second)]
    ends += [seat.player for seat in index.seats(item.id)]
    return {player for player in ends if index.tournament.players[player].number in numbers}


def list_split_tables(index: Index, item: Round) -> tuple[frozenset[PlayerId], ...]:
    """Return the players of each table of three that a latecomer turned into two tables of two.

    The latecomers themselves are left out.
    """
    late, found = find_latecomers(index, item), defaultdict[Scalar, set[PlayerId]](set)
    for game in index.games(item.id):
        if game.reason is not None and game.reason.code == SPLIT_REASON:
            found[dict(game.reason.facts)["late"]] |= {game.first, game.second} - late
    return tuple(map(frozenset, found.values()))


def is_manual_table(game: Game) -> bool:
    """Return whether the director fixed a table, paired it by hand or ordered it.

    An imported table without a reason also counts.
    """
    return game.locked or is_director_reason(game.reason)


def list_manual_tables(index: Index, item: Round) -> tuple[FixedPair, ...]:
    tables = [
        make_fixed_pair(game, locked=game.locked, code=game.reason.code if game.reason else None)
        for game in index.games(item.id)
        if is_manual_table(game)
    ]
    byes = [
        FixedPair(bye.player, locked=False)
        for bye in index.list_unopposed_byes(item.id)
        if is_director_reason(bye.reason)
    ]
    return (*tables, *byes)


def is_director_reason(reason: PairingReason | None) -> bool:
    """Return whether the director decided the pair. A pair from another program (`reason` None) also counts."""
    return reason is None or reason.code in DIRECTED


class RoundDifference(Struct, frozen=True):
    """A round that would be paired differently."""

    round: int
    tables: int  # number of changed tables
    bye_before: PlayerId | None = None
    bye_after: PlayerId | None = None
    draft: bool = False


def find_pairing_changes(
    before: Tournament, after: Tournament, division: DivisionId
) -> tuple[RoundDifference, ...]:
    """Return the rounds whose pairs differ between the tournaments.

    The rounds of both tournaments are paired again, to ignore manual changes.
    """
    return tuple(reversed(list(_find_round_differences(before, after, division))))


def _find_round_differences(
    before: Tournament, after: Tournament, division: DivisionId
) -> Iterator[RoundDifference]:
    for item in reversed(Index(after).rounds(division)):
        whole = Index(after)
        before, after = (remove_last_round(value, item, keep_seeds=False) for value in (before, after))
        old, new = Index(before), Index(after)
        if compute_pairing_digest(old, division, item.number, item.source) == compute_pairing_digest(
            new, division, item.number, item.source
        ):
            return
        one, other = (
            _pair_round_again(whole, before, item, division),
            _pair_round_again(whole, after, item, division),
        )
        if one is None or other is None:
            continue
        found = RoundDifference(
            round=item.number,
            tables=len(list_proposed_pairs(other) - list_proposed_pairs(one)),
            bye_before=_find_bye_player(one),
            bye_after=_find_bye_player(other),
            draft=item.state is RoundState.DRAFT,
        )
        if found.tables or found.bye_before != found.bye_after:
            yield found


def _pair_round_again(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Proposal | None:
    try:
        return propose_pairings(
            Index(restore_presence_at_pairing(whole, earlier, item, division)),
            division,
            fixed=_list_kept_tables(whole, item),
            source_round=item.source,
            assumed=[game for game in item.assumed if game not in earlier.results],
        )
    except RuleViolation:
        return None


def _list_kept_tables(index: Index, item: Round) -> tuple[FixedPair, ...]:
    return tuple(
        make_fixed_pair(game)
        for game in index.games(item.id)
        if game.locked or (game.reason is not None and game.reason.code == "by-hand")
    )


def list_proposed_pairs(proposal: Proposal) -> set[frozenset[PlayerId]]:
    tables = (group for _, group in groupby(proposal.seats, attrgetter("table")))
    return {
        *(frozenset({game.first, game.second}) for game in proposal.games),
        *(frozenset(seat.player for seat in seats) for seats in tables),
    }


def _find_bye_player(proposal: Proposal) -> PlayerId | None:
    return next((bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE), None)


class RecheckedRound(Struct, frozen=True):
    """The comparison of a round with the pairing that the program now makes."""

    round: int
    tables: int
    by_hand: tuple[int, ...] = ()  # numbers of the tables that a person set
    otherwise: tuple[int, ...] = ()  # numbers of the tables that get other players
    stored_byes: frozenset[PlayerId] = frozenset()  # players with a bye in the stored round
    new_byes: frozenset[PlayerId] = frozenset()  # players with a bye in the new pairing
    refusal: RuleViolation | None = None  # why it could not be paired

    @property
    def is_same(self) -> bool:
        return self.refusal is None and not self.otherwise and self.stored_byes == self.new_byes


def recheck_rounds(tournament: Tournament, division: DivisionId) -> tuple[RecheckedRound, ...]:
    found = []
    for item in reversed(Index(tournament).rounds(division)):
        whole, tournament = Index(tournament), remove_last_round(tournament, item)
        found.append(_compare_round(whole, tournament, item, division))
    return tuple(reversed(found))


def _compare_round(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> RecheckedRound:
    """Return the comparison of a round with a new pairing.

    The round is paired again twice, with and without the tables set by hand. The result with fewer differences
    from the stored round is returned. Some systems pair the other players differently if a pair is fixed.
    """
    tables = whole.list_seats_by_table(item.id)
    by_hand = [game.table for game in whole.games(item.id) if is_manual_table(game)]
    by_hand += [seats[0].table for seats in tables if _is_manual_seat(seats[0])]
    had, count = find_bye_players(whole, item), len(whole.games(item.id)) + len(tables)
    found = RecheckedRound(item.number, count, tuple(sorted(by_hand)), stored_byes=had, new_byes=had)
    if len(by_hand) == count or any(_is_manual_seat(seats[0]) for seats in tables):
        return found  # tables of three set by hand decide the sizes of the others
    then = Index(restore_presence_at_pairing(whole, earlier, item, division))
    around = list_manual_tables(whole, item)
    ways = [around, tuple(fixed for fixed in around if fixed.code not in {"by-hand", None})]
    made = [
        _compare_with_fixed_pairs(then, whole, item, division, fixed=fixed, found=found)
        for fixed in dict.fromkeys(ways)
    ]
    return min(
        made, key=lambda one: (one.refusal is not None, len(one.otherwise), one.stored_byes != one.new_byes)
    )


def _compare_with_fixed_pairs(
    then: Index,
    whole: Index,
    item: Round,
    division: DivisionId,
    *,
    fixed: Sequence[FixedPair],
    found: RecheckedRound,
) -> RecheckedRound:
    try:
        proposal = propose_pairings(then, division, fixed=fixed, source_round=item.source, assumed=item.assumed)
    except RuleViolation as error:
        return replace(found, refusal=error)
    again = list_proposed_pairs(proposal)
    late, split = find_latecomers(whole, item), list_split_tables(whole, item)
    moved = late.union(*split)
    others = [
        game for game in whole.games(item.id) if not is_manual_table(game) and not _get_game_players(game) & moved
    ]
    byes = frozenset(bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE)
    set_by_hand = any(is_director_reason(bye.reason) for bye in whole.list_unopposed_byes(item.id))
    return replace(
        found,
        otherwise=tuple(
            sorted(
                [
                    *(game.table for game in others if _get_game_players(game) not in again),
                    *(
                        seats[0].table
                        for seats in whole.list_seats_by_table(item.id)
                        if frozenset(seat.player for seat in seats) - late not in again
                    ),
                    *(
                        game.table
                        for game in whole.games(item.id)
                        if any(_get_game_players(game) <= three and three not in again for three in split)
                    ),
                ]
            )
        ),
        new_byes=found.stored_byes if set_by_hand else byes,
    )


def _is_manual_seat(seat: Seat) -> bool:
    return seat.reason is None or seat.reason.code == BY_HAND


def _get_game_players(game: Game) -> frozenset[PlayerId]:
    return frozenset({game.first, game.second})


def find_bye_players(index: Index, item: Round) -> frozenset[PlayerId]:
    """Return the players with a bye. A player whose bye became a game against a latecomer also counts."""
    late = find_latecomers(index, item)
    before = {
        player
        for game in index.games(item.id)
        if _get_game_players(game) & late and game.reason is not None and game.reason.code != SPLIT_REASON
        for player in _get_game_players(game) - late
    }
    return frozenset(before | {bye.player for bye in index.list_unopposed_byes(item.id)})
