"""Pair stored rounds again, as they were paired or with later corrections. Changes nothing. Slow.

A round gets its original players, and kept and manual tables, without later latecomers. Settings, ratings and
results are today's, which can explain a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands import discard_round, remove_player
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, ByeKind, DivisionId, Game, PlayerId, Reason, Round, RoundState
from tdapp.domain.proposal import Proposal, compute_fingerprint
from tdapp.domain.systems import system_of
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import DIRECTED
from tdapp.pairing.field import Fixed, as_paired
from tdapp.pairing.proposing import propose_pairings

LATE = "latecomer"  # reason of a game between a latecomer and the player with the bye


def without_round(tournament: Tournament, item: Round, *, seated: bool = True) -> Tournament:
    """Return the tournament without the last round; with `seated` its seats stay."""
    open_again = tournament.put(replace(tournament.event, finished=False))
    earlier = discard_round(open_again, round=item.id, reason="as it was", with_results=True)
    settled = (row for key, row in tournament.seeds.items() if key not in earlier.seeds)
    return earlier.put(*settled) if seated else earlier


def as_present(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Tournament:
    """Return `earlier` with exactly the players who were paired in the round.

    In a system with seats eliminated players stay present.
    """
    stood = {bye.player for bye in whole.byes(item.id)}
    seated = {bye.player for bye in whole.byes(item.id) if bye.kind is ByeKind.BYE}
    for game in whole.games(item.id):
        seated |= {game.first, game.second}
    seated -= (late := find_latecomers(whole, item))
    has_seats = system_of(whole.tournament.stages[item.stage]).seated
    index = Index(earlier)
    gone: list[Absence] = []
    away: list[Absence] = []
    new: list[PlayerId] = []
    for player in index.players(division):
        absence = index.absence(player.id, item.number)
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


def find_latecomers(whole: Index, item: Round) -> set[PlayerId]:
    games = [game for game in whole.games(item.id) if game.reason is not None and game.reason.code == LATE]
    numbers = {dict(game.reason.facts)["late"] for game in games if game.reason}
    ends = [player for game in games for player in (game.first, game.second)]
    return {player for player in ends if whole.tournament.players[player].number in numbers}


def is_directed(game: Game) -> bool:
    """Return whether a person set a table: kept, manual, ordered, or not paired here."""
    return game.locked or by_director(game.reason)


def manual_tables(whole: Index, item: Round) -> tuple[Fixed, ...]:
    """Return tables and byes set by a person."""
    tables = [
        as_paired(game, locked=game.locked, code=game.reason.code if game.reason else None)
        for game in whole.games(item.id)
        if is_directed(game)
    ]
    byes = [
        Fixed(bye.player, locked=False)
        for bye in whole.byes(item.id)
        if bye.kind is ByeKind.BYE and by_director(bye.reason)
    ]
    return (*tables, *byes)


def by_director(reason: Reason | None) -> bool:
    """Return whether a reason means a person's decision. None was not paired here."""
    return reason is None or reason.code in DIRECTED


class RoundDifference(Struct, frozen=True):
    """A round with other pairs: number of different `tables`, and changed byes.

    `had` and `instead`: players with the bye, or None; equal if unchanged.
    """

    round: int
    tables: int
    had: PlayerId | None = None
    instead: PlayerId | None = None
    draft: bool = False


def would_differ(before: Tournament, after: Tournament, division: DivisionId) -> tuple[RoundDifference, ...]:
    """Return the rounds with other pairs from `after` than from `before`.

    Both sides are paired again, so that manual changes are no difference. Rounds that cannot be paired are
    omitted.
    """
    return tuple(reversed(list(_find_differences(before, after, division))))


def _find_differences(before: Tournament, after: Tournament, division: DivisionId) -> Iterator[RoundDifference]:
    for item in reversed(Index(after).rounds(division)):
        whole = Index(after)
        before, after = (without_round(value, item, seated=False) for value in (before, after))
        old, new = Index(before), Index(after)
        if compute_fingerprint(old, division, item.number, item.source) == compute_fingerprint(
            new, division, item.number, item.source
        ):
            return
        one, other = _pair_again(whole, before, item, division), _pair_again(whole, after, item, division)
        if one is None or other is None:
            continue
        found = RoundDifference(
            round=item.number,
            tables=len(pairs_of(other) - pairs_of(one)),
            had=_find_bye(one),
            instead=_find_bye(other),
            draft=item.state is RoundState.DRAFT,
        )
        if found.tables or found.had != found.instead:
            yield found


def _pair_again(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Proposal | None:
    """Return round `item` paired again from `earlier`, or None."""
    try:
        return propose_pairings(
            Index(as_present(whole, earlier, item, division)),
            division,
            fixed=_kept_tables(whole, item),
            source_round=item.source,
            assumed=[game for game in item.assumed if game not in earlier.results],
        )
    except RuleViolation:
        return None


def _kept_tables(whole: Index, item: Round) -> tuple[Fixed, ...]:
    return tuple(
        as_paired(game)
        for game in whole.games(item.id)
        if game.locked or (game.reason is not None and game.reason.code == "by-hand")
    )


def pairs_of(proposal: Proposal) -> set[frozenset[PlayerId]]:
    return {frozenset({game.first, game.second}) for game in proposal.games}


def _find_bye(proposal: Proposal) -> PlayerId | None:
    return next((bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE), None)


class Repaired(Struct, frozen=True):
    """A round paired again: its `tables`, of which `by_hand` were set by a person.

    `otherwise`: tables with other players. `had` and `instead`: players with a bye before and after. `failed`:
    the error.
    """

    round: int
    tables: int
    by_hand: tuple[int, ...] = ()
    otherwise: tuple[int, ...] = ()
    had: frozenset[PlayerId] = frozenset()
    instead: frozenset[PlayerId] = frozenset()
    failed: RuleViolation | None = None

    @property
    def same(self) -> bool:
        """Whether the program gives the same pairs again."""
        return self.failed is None and not self.otherwise and self.had == self.instead


def recheck_rounds(tournament: Tournament, division: DivisionId) -> tuple[Repaired, ...]:
    """Return each stored round compared with its new pairing."""
    found = []
    for item in reversed(Index(tournament).rounds(division)):
        whole, tournament = Index(tournament), without_round(tournament, item)
        found.append(_compare_round(whole, tournament, item, division))
    return tuple(reversed(found))


def _compare_round(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Repaired:
    """Return a round compared with two pairings: around the manual tables, and without them.

    Some systems pair the rest differently around a fixed pair.
    """
    games = whole.games(item.id)
    by_hand = tuple(game.table for game in games if is_directed(game))
    had = with_bye(whole, item)
    found = Repaired(item.number, len(games), by_hand, had=had, instead=had)
    if len(by_hand) == len(games):
        return found
    then = Index(as_present(whole, earlier, item, division))
    around = manual_tables(whole, item)
    ways = [around, tuple(fixed for fixed in around if fixed.code not in {"by-hand", None})]
    made = [
        _repaired_around(then, whole, item, division, fixed=fixed, found=found) for fixed in dict.fromkeys(ways)
    ]
    return min(made, key=lambda one: (one.failed is not None, len(one.otherwise), one.had != one.instead))


def _repaired_around(
    then: Index, whole: Index, item: Round, division: DivisionId, *, fixed: Sequence[Fixed], found: Repaired
) -> Repaired:
    """Return the differences after pairing around `fixed`, except manual tables."""
    try:
        proposal = propose_pairings(then, division, fixed=fixed, source_round=item.source, assumed=item.assumed)
    except RuleViolation as error:
        return replace(found, failed=error)
    again = pairs_of(proposal)
    late = find_latecomers(whole, item)
    others = [game for game in whole.games(item.id) if not is_directed(game) and not _game_players(game) & late]
    byes = frozenset(bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE)
    set_by_hand = any(by_director(bye.reason) for bye in whole.byes(item.id) if bye.kind is ByeKind.BYE)
    return replace(
        found,
        otherwise=tuple(game.table for game in others if _game_players(game) not in again),
        instead=found.had if set_by_hand else byes,
    )


def _game_players(game: Game) -> frozenset[PlayerId]:
    return frozenset({game.first, game.second})


def with_bye(whole: Index, item: Round) -> frozenset[PlayerId]:
    """Return the players with a bye, including a latecomer's opponent."""
    late = find_latecomers(whole, item)
    before = {
        player
        for game in whole.games(item.id)
        if _game_players(game) & late
        for player in _game_players(game) - late
    }
    return frozenset(before | {bye.player for bye in whole.byes(item.id) if bye.kind is ByeKind.BYE})
