"""The command that merges two entries of the same person into one player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from msgspec.structs import replace

from tdapp.domain.commands.rule import command, find_row
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, Bye, ByeKind, Constraint, Game, Player, PlayerId, Seat, Seed
from tdapp.domain.player_fields import EMPTY
from tdapp.domain.tournament import PARENTS, Row, Tournament
from tdapp.domain.translatable import N_

_OF_RATING = {"provisional", "rated_games"}  # belong to the rating beside them


@command(N_("{other} merged with {player}: one person"))
def merge_players(tournament: Tournament, *, player: PlayerId, other: PlayerId) -> Tournament:
    """Give all data and games of `other` to `player`, and remove `other`. `player` keeps name and number.

    An absence is removed if the other entry has a game in that round.
    """
    kept = find_row(tournament.players, player, "no-such-player")
    gone = find_row(tournament.players, other, "no-such-player")
    if kept is gone:
        raise RuleViolation("merge-same-player", player=kept.name)
    if kept.division != gone.division:
        raise RuleViolation("merge-other-division", player=kept.name, other=gone.name)
    index = Index(tournament)
    _refuse_double_results(index, kept, gone)
    byes = list(_find_spare_byes(index, kept, gone))
    absences = [*index.absences(player), *index.absences(other)]
    seeds = [seed for row in _find_spare_seeds(index, kept, gone) for seed in index.seeds(row.stage)]
    spare = {seed.id for seed in seeds if seed.player == other}
    photos = [row for key, row in tournament.photos.items() if key == other]
    bare = tournament.drop(*byes, *absences, *seeds, *photos, *_find_spare_constraints(tournament, kept, gone))
    bare = bare.put(*(replace(row, id=player) for row in photos if player not in tournament.photos))
    bare = bare.put(*_renumber_seeds([seed for seed in seeds if seed.id not in spare]))
    after = bare.put(*_list_moved_rows(bare, kept, gone))
    after = after.put(*_join_absences(Index(after), kept, absences), _fill_fields(kept, gone))
    return after.drop(gone)


def _refuse_double_results(index: Index, kept: Player, gone: Player) -> None:
    for season in index.listed_seasons:
        dates = {one.date for one in index.earlier(season.id) if one.player == kept.id}
        for one in index.earlier(season.id):
            if one.player == gone.id and one.date in dates:
                raise RuleViolation("merge-both-earlier", player=kept.name, other=gone.name, date=one.date)


def _find_spare_byes(index: Index, kept: Player, gone: Player) -> Iterator[Bye]:
    for item in index.rounds(kept.division):
        rows: list[Game | Bye | Seat] = []
        for player in (gone.id, kept.id):
            game = index.find_game_of(item.id, player) or index.find_seat_of(item.id, player)
            rows += [game] if game else [bye for bye in index.byes(item.id) if bye.player == player]
        if len(rows) > 1:
            spare = next((row for row in rows if isinstance(row, Bye) and row.kind is ByeKind.ABSENT), None)
            if spare is None:
                raise RuleViolation("merge-both-sat", player=kept.name, other=gone.name, round=item.number)
            yield spare


def _find_spare_seeds(index: Index, kept: Player, gone: Player) -> Iterator[Seed]:
    for stage in index.stages(kept.division):
        seeds = {seed.player: seed for seed in index.seeds(stage.id)}
        if kept.id in seeds and gone.id in seeds:
            begun = [item for item in index.rounds(kept.division) if item.stage == stage.id]
            if begun:
                raise RuleViolation("merge-both-seated", player=kept.name, other=gone.name, round=begun[0].number)
            yield seeds[gone.id]


def _renumber_seeds(seeds: list[Seed]) -> Iterator[Seed]:
    counts: dict[str, int] = {}
    for seed in seeds:
        counts[seed.stage] = counts.get(seed.stage, 0) + 1
        yield replace(seed, number=counts[seed.stage])


def _find_spare_constraints(tournament: Tournament, kept: Player, gone: Player) -> Iterator[Constraint]:
    rows = [row for row in tournament.constraints.values() if {row.player, row.other} & {kept.id, gone.id}]
    seen: set[object] = set()
    for row in sorted(rows, key=lambda row: gone.id in {row.player, row.other}):
        pair = frozenset(kept.id if one == gone.id else one for one in (row.player, row.other))
        if len(pair) == 1 or (pair, row.kind, row.round) in seen:
            yield row
        seen.add((pair, row.kind, row.round))


def _list_moved_rows(tournament: Tournament, kept: Player, gone: Player) -> Iterator[Row]:
    for kind, parents in PARENTS.items():
        names = [name for name, parent in parents.items() if parent == "players"]
        for row in tournament.rows(kind).values() if names else ():
            moved = {name: kept.id for name in names if getattr(row, name) == gone.id}
            if moved:
                yield cast("Row", replace(cast("Any", row), **moved))


def _join_absences(index: Index, kept: Player, absences: list[Absence]) -> Iterator[Absence]:
    """Join the absences. The merged player has withdrawn only if both entries have."""
    left = [row for row in absences if row.last_round is None]
    sat = {
        item.number
        for item in index.rounds(kept.division)
        if index.find_game_of(item.id, kept.id) or index.find_seat_of(item.id, kept.id)
    }
    if len({row.player for row in left}) > 1:
        yield replace(max(left, key=lambda row: row.first_round), player=kept.id)
    taken = set(sat)
    for row in absences:
        rounds = set(range(row.first_round, (row.last_round or 0) + 1))
        if rounds and not rounds & taken:
            taken |= rounds
            yield replace(row, player=kept.id)


def _fill_fields(kept: Player, gone: Player) -> Player:
    own = _OF_RATING if kept.rating is not None else set()
    taken = {
        name: getattr(gone, name)
        for name, empty in EMPTY.items()
        if name not in own and getattr(kept, name) == empty
    }
    return replace(kept, **{**taken, "paid": kept.paid + gone.paid})
