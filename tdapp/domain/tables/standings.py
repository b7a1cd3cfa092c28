"""The standings of a division as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.standings import Standing, order_of, standings
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.domain.tiebreaks import TIEBREAKS

# Tie-breaks that a column of their own shows anyway.
_SHOWN = frozenset({"wins", "losses", "spread", "points"})


def table(index: Index, division: Division, after: int | None = None, *, group: int = 0) -> Table[Standing]:
    """Return the standings after a round (None: all published rounds), the chosen tie-breaks shown.

    With a `group` those of the players of that group alone, ranked by their places in it.
    """
    rows = standings(index, division, after)
    columns = [*_COLUMNS]
    columns[5:5] = [_tiebreak(name) for name in order_of(index, division, after) if name not in _SHOWN]
    if group:
        rows = tuple(replace(row, rank=row.place) for row in rows if row.group == group and not row.out)
    elif rows and rows[0].group:
        columns.insert(2, _GROUP)
    return Table("standings", tuple(columns), rows)


def _tiebreak(name: str) -> Column[Standing]:
    return Column(name, TIEBREAKS[name].kind, _shown(name), words=TIEBREAKS[name].key)


def _shown(name: str) -> Callable[[Standing], object]:
    return lambda row: row.shown(name)


_COLUMNS: tuple[Column[Standing], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("rank")),
    Column("name", Kind.NAME, attrgetter("player.name")),
    Column("games", Kind.NUMBER, attrgetter("games")),
    Column("wins", Kind.POINTS, attrgetter("match_points")),
    Column("losses", Kind.POINTS, attrgetter("games_lost")),
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    Column("points", Kind.NUMBER, attrgetter("points")),
    Column("starts", Kind.NUMBER, attrgetter("starts")),
    Column("rating", Kind.NUMBER, attrgetter("player.rating")),
)
_GROUP: Column[Standing] = Column("stage_group", Kind.NUMBER, lambda row: row.group or None)
