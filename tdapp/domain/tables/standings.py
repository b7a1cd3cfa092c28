"""The standings of a division as a table, those of one class of it, with ranks of their own, and those of teams.

For a team the match points of its players are added, then the spreads. All count, or the best of each: those who
rank higher in the division. A team with fewer players than count goes with those it has.
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
from tdapp.domain.prizes import all_classes, belongs
from tdapp.domain.standings import Standing, StandingRow, order_of, standings
from tdapp.domain.tables.table import Column, Kind, Table, columns
from tdapp.domain.tiebreaks import TIEBREAKS

# The tie-breaks that have a column in every standings.
_SHOWN = frozenset({"wins", "losses", "spread", "points"})


def table(index: Index, division: Division, after: int | None = None, *, group: int = 0) -> Table[Standing]:
    """Return the standings after a round (None: all published rounds), with the tie-breaks chosen and who left.

    With a `group` those of the players of that group alone, ranked by their places in it.
    """
    rows = standings(index, division, after)
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
        *(_tiebreak(name) for name in order_of(index, division, after) if name not in _SHOWN),
        *_SUMS,
        *(() if all(row.status == "active" for row in rows) else (_STATUS,)),
    )
    return Table("standings", columns, rows)


def deciding(index: Index, division: Division, after: int | None = None) -> tuple[Column[Standing], ...]:
    """Return the columns of what ranks a division after a round, in the order in which it does."""
    known = {column.id: column for column in (*_PLAYER, *_GAMES, *_SUMS)}
    return tuple(known.get(name) or _tiebreak(name) for name in order_of(index, division, after))


def deciding_columns(index: Index, division: Division, after: int | None = None) -> tuple[Column[Any], ...]:
    """Return the columns of `deciding` for rows about players of the standings."""
    return tuple(_from_standing(column) for column in deciding(index, division, after))


def _tiebreak(name: str) -> Column[Standing]:
    return Column(name, TIEBREAKS[name].kind, lambda row: row.shown(name), words=TIEBREAKS[name].key)


_PLAYER: tuple[Column[Standing], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("listed_rank")),
    Column("number", Kind.NUMBER, attrgetter("player.number")),
    Column("name", Kind.NAME, attrgetter("player.name")),
)
_GAMES: tuple[Column[Standing], ...] = (  # the tie-breaks that have no column here stand behind these
    Column("games", Kind.NUMBER, attrgetter("games")),
    Column("wins", Kind.POINTS, attrgetter("match_points")),
    Column("losses", Kind.POINTS, attrgetter("games_lost")),
)
_SUMS: tuple[Column[Standing], ...] = (
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    *columns(Kind.NUMBER, "points", "starts"),
    Column("rating", Kind.NUMBER, attrgetter("player.rating")),
)
_GROUP: Column[Standing] = Column("stage_group", Kind.NUMBER, lambda row: row.group or None)
_STATUS: Column[Standing] = Column("status", Kind.CODE, lambda row: None if row.status == "active" else row.status)


class ClassRow(StandingRow, frozen=True):
    """A player's rank in a class, None for a disqualified player, beside the rank in the division."""

    place: int | None

    @property
    def player(self) -> Player:
        """The player at this rank."""
        return self.standing.player

    @property
    def status(self) -> str:
        """Active, withdrawn or disqualified."""
        return self.standing.status


def class_named(index: Index, division: Division, category: str) -> str:
    """Return a class of the division as it is written there; raise RuleViolation if it has no players."""
    known = all_classes(index.players(division.id))
    for one in known:
        if one.casefold() == category.strip().casefold():
            return one
    if not known:
        raise RuleViolation("no-classes", division=division.code)
    raise RuleViolation("no-such-class", category=category, known=", ".join(known))


def class_table(index: Index, division: Division, category: str, after: int | None = None) -> Table[ClassRow]:
    """Return the standings of a class after a round; equals share a rank in it as they do in the division."""
    whole = table(index, division, after)
    inside = [row for row in whole.rows if belongs(row.player, category)]
    first: dict[int, int] = {}
    rows = tuple(
        ClassRow(row, None if row.disqualified else first.setdefault(row.rank, place))
        for place, row in enumerate(inside, 1)
    )
    columns = map(_from_standing, whole.columns)
    own: Column[ClassRow] = Column("class_rank", Kind.NUMBER, attrgetter("place"))
    return Table("class_standings", (own, *columns), rows)


def _from_standing(column: Column[Standing]) -> Column[Any]:
    """Return a column of standings for rows about a player of them."""
    return Column(column.id, column.kind, lambda row: column.value(row.standing), words=column.words)


MOST_COUNTING = 10_000  # of a team: as good as all


class TeamRow(Struct, frozen=True):
    """One team; `players` are those who count, the best first, `size` is how many it has in all."""

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
        """The players who count, in one text."""
        return "; ".join(self.players)


def team_table(
    index: Index, division: Division, after: int | None = None, *, best: int | None = None
) -> Table[TeamRow]:
    """Return the teams of a division after a round; `best` players of each count, None for all.

    Teams that are equal on match points and spread share a rank and are listed by name.
    Raise RuleViolation for bad-number where `best` is less than one.
    """
    if best is not None and best < 1:
        raise RuleViolation("bad-number", value=best, least=1, most=MOST_COUNTING)
    members: dict[str, list[Standing]] = defaultdict(list)
    for standing in standings(index, division, after):
        if standing.player.team.strip():
            members[standing.player.team.strip()].append(standing)
    made = [_row(team, rows, rows[:best]) for team, rows in members.items()]
    made.sort(key=lambda row: (-row.wins, -row.spread, row.team.casefold(), row.team))
    first: dict[tuple[Fraction, int], int] = {}
    ranks = [first.setdefault((row.wins, row.spread), place) for place, row in enumerate(made, 1)]
    return Table(
        "teams", _TEAM_COLUMNS, tuple(replace(row, rank=rank) for row, rank in zip(made, ranks, strict=True))
    )


def _row(team: str, rows: list[Standing], counting: list[Standing]) -> TeamRow:
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
    *columns(Kind.POINTS, "wins", "losses"),
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    Column("points", Kind.NUMBER, attrgetter("points")),
    Column("counting", Kind.TEXT, attrgetter("counting")),
)
