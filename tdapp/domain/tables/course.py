"""How the standings came about: everybody's place and match points after each round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.standings import Standing, standings
from tdapp.domain.tables.table import Column, Kind, Table


@dataclass(frozen=True, slots=True)
class CourseRow:
    """A player's place and match points after each round from the first on; None where not listed then."""

    standing: Standing
    places: tuple[int | None, ...]
    points: tuple[Fraction | None, ...]

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.standing.key


def course(
    index: Index, division: Division, after: int, *, tick: Callable[[int, int], None] | None = None
) -> tuple[CourseRow, ...]:
    """Return the course of everybody up to round `after`, in the order of its standings; `tick` hears how far."""
    found: dict[str, list[Standing | None]] = {}
    ranked: tuple[Standing, ...] = ()
    for number in range(1, after + 1):
        ranked = standings(index, division, number)
        rows = {row.key: row for row in ranked}
        for key in rows.keys() - found.keys():
            found[key] = [None] * (number - 1)
        for key, own in found.items():
            own.append(rows.get(key))
        if tick is not None:
            tick(number, after)
    return tuple(
        CourseRow(
            row,
            tuple(one.rank if one else None for one in found[row.key]),
            tuple(one.match_points if one else None for one in found[row.key]),
        )
        for row in ranked
    )


def table(rows: tuple[CourseRow, ...], *, points: bool = False) -> Table[CourseRow]:
    """Return a course with a column for each round: places, or match points."""
    rounds = len(rows[0].places) if rows else 0
    kind = Kind.POINTS if points else Kind.NUMBER
    columns = tuple(
        Column(str(number), kind, _value(number - 1, points=points)) for number in range(1, rounds + 1)
    )
    return Table("course", (*_COLUMNS, *columns), rows)


def _value(place: int, *, points: bool) -> Callable[[CourseRow], object]:
    if points:
        return lambda row: row.points[place]
    return lambda row: row.places[place]


_COLUMNS: tuple[Column[CourseRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("standing.rank")),
    Column("name", Kind.NAME, attrgetter("standing.player.name")),
)
