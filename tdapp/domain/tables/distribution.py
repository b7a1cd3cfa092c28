"""How scores and margins are spread over a division's games that were played out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.records import RoundRecord, records
from tdapp.domain.tables.table import Column, Kind, Table

WIDTHS = (5, 10, 20, 25, 50, 100, 200, 500)  # of a bin, in points
MOST_BINS = 16


@dataclass(frozen=True, slots=True)
class Bin:
    """How many values lie from `low` up to and with `high`, in points."""

    low: int
    high: int
    count: int

    @property
    def key(self) -> str:
        """The bin's identity in a table."""
        return str(self.low)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Values in bins of one width, none left out between the lowest and the highest; `mean` to the tenth."""

    bins: tuple[Bin, ...]
    count: int
    low: int | None
    high: int | None
    mean: Fraction | None
    median: Fraction | None

    @property
    def fullest(self) -> Bin | None:
        """The first of the bins with the most values."""
        return max(self.bins, key=lambda one: one.count, default=None)


def scores(index: Index, division: Division, after: int | None = None) -> Distribution:
    """Return how the points that players made are spread, up to round `after` (None: all)."""
    return _spread([entry.points for entry in _played(index, division, after) if entry.points is not None])


def margins(index: Index, division: Division, after: int | None = None) -> Distribution:
    """Return how the differences between winner and loser are spread, up to round `after` (None: all)."""
    found = {}
    for entry in _played(index, division, after):
        found[entry.game] = abs(entry.margin)
    return _spread(list(found.values()))


def mean(numbers: Iterable[int | None]) -> Fraction | None:
    """Return the mean to the tenth, a half up, None of nothing."""
    known = [number for number in numbers if number is not None]
    return Fraction((20 * sum(known) + len(known)) // (2 * len(known)), 10) if known else None


def table(found: Distribution) -> Table[Bin]:
    """Return a distribution as a table."""
    return Table("distribution", _COLUMNS, found.bins)


def _played(index: Index, division: Division, after: int | None) -> list[RoundRecord]:
    return [one for own in records(index, division, after).values() for one in own if one.played]


def _spread(values: Sequence[int]) -> Distribution:
    if not values:
        return Distribution((), 0, None, None, None, None)
    low, high = min(values), max(values)
    width = next((one for one in WIDTHS if high // one - low // one < MOST_BINS), WIDTHS[-1])
    counts: dict[int, int] = {}
    for value in values:
        counts[value // width] = counts.get(value // width, 0) + 1
    bins = tuple(
        Bin(place * width, (place + 1) * width - 1, counts.get(place, 0))
        for place in range(low // width, high // width + 1)
    )
    ordered, half = sorted(values), len(values) // 2
    middle = ordered[half] if len(values) % 2 else Fraction(ordered[half - 1] + ordered[half], 2)
    return Distribution(bins, len(values), low, high, mean(values), Fraction(middle))


_COLUMNS: tuple[Column[Bin], ...] = (
    Column("from_points", Kind.NUMBER, attrgetter("low")),
    Column("to_points", Kind.NUMBER, attrgetter("high")),
    Column("how_many", Kind.NUMBER, attrgetter("count")),
)
