"""A table for display: columns with headings over rows of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct


class ColumnKind(StrEnum):
    """The kind of values in a column, such as number or name."""

    TEXT = "text"
    WHY = "why"  # a reason: a text, or a code of `tdapp.domain.rulings`
    NAME = "name"  # a player's name: sorted by language, may be shortened in print
    NUMBER = "number"
    RATING = "rating"  # a whole number, with a question mark if it is provisional
    POINTS = "points"  # match points or sums; halves are formatted by language
    SIGNED = "signed"  # a signed whole number: spreads
    SHARE = "share"  # from 0 to 1, shown in per cent
    MONEY = "money"  # hundredths of the currency
    DECIMAL = "decimal"  # two decimals, such as an expected score
    AVERAGE = "average"  # one decimal
    CODE = "code"  # an id with a text in the catalogue: state, kind
    MARK = "mark"  # true or false: a tick or nothing
    TIME = "time"  # an instant in UTC as ISO text, shown in local time
    RESULTS = "results"  # values of evenings; those that do not count are in brackets
    STEP = "step"  # a journal step, as a sentence


NUMERIC = frozenset(
    {
        ColumnKind.NUMBER,
        ColumnKind.RATING,
        ColumnKind.POINTS,
        ColumnKind.SIGNED,
        ColumnKind.SHARE,
        ColumnKind.MONEY,
        ColumnKind.DECIMAL,
        ColumnKind.AVERAGE,
    }
)


class KeyedRow(Protocol):
    """A row with a `key`, which identifies the row even if its values change."""

    @property
    def key(self) -> str:
        """The row's identity."""


R = TypeVar("R", bound=KeyedRow)


class Column(Generic[R], Struct, frozen=True):
    """One column of a table."""

    id: str
    kind: ColumnKind
    value: Callable[[R], object]
    editable: bool = False
    words: str = ""  # catalogue id of the heading, "" if equal to `id`

    @property
    def heading_id(self) -> str:
        return self.words or self.id


def make_columns_from_row_attributes(
    kind: ColumnKind, *ids: str, parent: str = "", editable: bool = False
) -> Iterator[Column[Any]]:
    """Yield a column for each row attribute in `ids`.

    For example, with the `parent` "player", the id "name" reads `row.player.name`.
    """
    return (Column(name, kind, attrgetter(f"{parent}.{name}" if parent else name), editable) for name in ids)


def make_column_for_each_tuple_item(kind: ColumnKind, field: str, ids: Iterable[str]) -> Iterator[Column[Any]]:
    return (Column(name, kind, partial(_get_tuple_item, field, position)) for position, name in enumerate(ids))


def _get_tuple_item(field: str, position: int, row: Any) -> object:
    item: object = getattr(row, field)[position]
    return item


def rotate_rows_to_start_after_key(rows: Sequence[R], key: str) -> Sequence[R]:
    """Return all rows, beginning with the row after the row `key` and ending with that row."""
    start = next((position for position, row in enumerate(rows, 1) if row.key == key), 0)
    return (*rows[start:], *rows[:start])


class Table(Generic[R], Struct, frozen=True):
    """Rows of values under columns with headings."""

    id: str  # kind of table
    columns: tuple[Column[R], ...]
    rows: tuple[R, ...]
