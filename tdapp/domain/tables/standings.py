"""Standings of a division, of one of its categories, and of teams.

A team has the sum of the match points of its players, then of the spreads. Either all players count or the best of
each team by rank in the division. A smaller team counts all its players.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player
from tdapp.domain.prizes import is_in_category, list_categories
from tdapp.domain.ruleset import PlayedGames
from tdapp.domain.standings import Standing, StandingRow, compute_standings, find_order
from tdapp.domain.tables.table import Column, Kind, Table, make_columns
from tdapp.domain.tiebreaks import TIEBREAKS

# Tie-breaks with a column in all standings.
_SHOWN = frozenset({"wins", "losses", "spread", "points"})


def standings_table(
    index: Index, division: Division, after: int | None = None, *, group: int = 0
) -> Table[Standing]:
    """Return the standings after a round (None: all published), with the tie-breaks and withdrawn players.

    With `group` only the players of that group, ranked in the group.
    """
    rows = compute_standings(index, division, after)
    in_groups = not group and bool(rows) and rows[0].group > 0
    if group:
        rows = tuple(
            row if row.disqualified else row._replace(rank=row.place)
            for row in rows
            if row.group == group and not row.out
        )
    columns = (
        *_PLAYER,
        *((_GROUP,) if in_groups else ()),
        *_GAMES,
        *(_tiebreak_column(name) for name in find_order(index, division, after) if name not in _SHOWN),
        *_SUMS,
        *(() if all(row.status == "active" for row in rows) else (_STATUS,)),
    )
    return Table("standings", columns, rows)


def deciding_standings_columns(
    index: Index, division: Division, after: int | None = None
) -> tuple[Column[Standing], ...]:
    """Return the tie-break columns of a division after a round, in order of priority."""
    known = {column.id: column for column in (*_PLAYER, *_GAMES, *_SUMS)}
    return tuple(known.get(name) or _tiebreak_column(name) for name in find_order(index, division, after))


def deciding_columns(index: Index, division: Division, after: int | None = None) -> tuple[Column[Any], ...]:
    return tuple(_from_standing(column) for column in deciding_standings_columns(index, division, after))


def _tiebreak_column(name: str) -> Column[Standing]:
    return Column(name, TIEBREAKS[name].kind, lambda row: row.shown(name), words=TIEBREAKS[name].key)


_PLAYER: tuple[Column[Standing], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("listed_rank")),
    Column("number", Kind.NUMBER, attrgetter("player.number")),
    Column("name", Kind.NAME, attrgetter("player.name")),
)
_GAMES: tuple[Column[Standing], ...] = (  # other tie-breaks follow
    Column("games", Kind.NUMBER, attrgetter("games")),
    Column("wins", Kind.POINTS, attrgetter("match_points")),
    Column("losses", Kind.POINTS, attrgetter("games_lost")),
)
_SUMS: tuple[Column[Standing], ...] = (
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    *make_columns(Kind.NUMBER, "points", "starts"),
    Column("rating", Kind.NUMBER, attrgetter("player.rating")),
)
_GROUP: Column[Standing] = Column("stage_group", Kind.NUMBER, lambda row: row.group or None)
_STATUS: Column[Standing] = Column("status", Kind.CODE, lambda row: None if row.status == "active" else row.status)


class ClassRow(StandingRow, frozen=True):
    """A player's rank in a category and in the division; None for a disqualified player."""

    place: int | None

    @property
    def player(self) -> Player:
        return self.standing.player

    @property
    def status(self) -> str:
        """Active, withdrawn or disqualified."""
        return self.standing.status


def find_category(index: Index, division: Division, category: str) -> str:
    """Return the division's spelling of a category. Raises RuleViolation if it has no players."""
    known = list_categories(index.players(division.id))
    for one in known:
        if one.casefold() == category.strip().casefold():
            return one
    if not known:
        raise RuleViolation("no-classes", division=division.code)
    raise RuleViolation("no-such-class", category=category, known=", ".join(known))


def class_table(index: Index, division: Division, category: str, after: int | None = None) -> Table[ClassRow]:
    """Return the standings of a category after a round. Equal players share a rank, as in the division."""
    whole = standings_table(index, division, after)
    inside = [row for row in whole.rows if is_in_category(row.player, category)]
    first: dict[int, int] = {}
    rows = tuple(
        ClassRow(row, None if row.disqualified else first.setdefault(row.rank, place))
        for place, row in enumerate(inside, 1)
    )
    columns = map(_from_standing, whole.columns)
    own: Column[ClassRow] = Column("class_rank", Kind.NUMBER, attrgetter("place"))
    return Table("class_standings", (own, *columns), rows)


def _from_standing(column: Column[Standing]) -> Column[Any]:
    return Column(column.id, column.kind, lambda row: column.value(row.standing), words=column.words)


MOST_COUNTING = 10_000  # players of a team: no limit


class TeamRow(Struct, frozen=True):
    """One team; `players` are the counting players, best first; `size` is the number of all its players."""

    key: str
    rank: int
    team: str
    size: int
    wins: Fraction
    losses: Fraction
    spread: int
    points: int
    players: tuple[str, ...]

    @property
    def counting(self) -> str:
        return "; ".join(self.players)


def team_table(
    index: Index, division: Division, after: int | None = None, *, best: int | None = None
) -> Table[TeamRow]:
    """Return the teams of a division after a round; the `best` players of each count (None: all).

    A disqualified player does not count if the rules forfeit the player's games.

    Teams with equal match points and spread share a rank and are listed by name. Raises RuleViolation
    (bad-number) if `best` is less than one.
    """
    if best is not None and best < 1:
        raise RuleViolation("bad-number", value=best, least=1, most=MOST_COUNTING)
    members: dict[str, list[Standing]] = defaultdict(list)
    lost = index.tournament.rules_of(division).sanctions.disqualified_games is PlayedGames.FORFEITED
    for standing in compute_standings(index, division, after):
        if standing.player.team.strip():
            members[standing.player.team.strip()].append(standing)
    counting = {
        team: [row for row in rows if not (lost and index.disqualified(row.player.id, after))][:best]
        for team, rows in members.items()
    }
    made = [_team_row(team, rows, counting[team]) for team, rows in members.items()]
    made.sort(key=lambda row: (-row.wins, -row.spread, row.team.casefold(), row.team))
    first: dict[tuple[Fraction, int], int] = {}
    ranks = [first.setdefault((row.wins, row.spread), place) for place, row in enumerate(made, 1)]
    return Table(
        "teams", _TEAM_COLUMNS, tuple(replace(row, rank=rank) for row, rank in zip(made, ranks, strict=True))
    )


def _team_row(team: str, rows: list[Standing], counting: list[Standing]) -> TeamRow:
    return TeamRow(
        key=team,
        rank=0,
        team=team,
        size=len(rows),
        wins=sum((one.match_points for one in counting), start=Fraction(0)),
        losses=sum((one.games_lost for one in counting), start=Fraction(0)),
        spread=sum(one.spread for one in counting),
        points=sum(one.points for one in counting),
        players=tuple(one.player.name for one in counting),
    )


_TEAM_COLUMNS: tuple[Column[TeamRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("rank")),
    Column("team", Kind.NAME, attrgetter("team")),
    Column("team_size", Kind.NUMBER, attrgetter("size")),
    *make_columns(Kind.POINTS, "wins", "losses"),
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    Column("points", Kind.NUMBER, attrgetter("points")),
    Column("counting", Kind.TEXT, attrgetter("counting")),
)
