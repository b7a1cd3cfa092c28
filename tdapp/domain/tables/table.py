"""A table as people read it: columns over rows of values, which screen, paper, pages and JSON each format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct


class Kind(StrEnum):
    """What a column holds, and so how it is written, aligned and sorted."""

    TEXT = "text"
    WHY = "why"  # a reason: a text, or a code of `tdapp.domain.reasons`
    NAME = "name"  # a player's name: sorts by the language's rules, may be shortened on paper
    NUMBER = "number"  # a whole number
    POINTS = "points"  # match points or what is summed from them: halves are written as the language does
    SIGNED = "signed"  # a whole number with its sign: spreads
    SHARE = "share"  # from 0 to 1, written in per cent
    MONEY = "money"  # hundredths of the currency
    DECIMAL = "decimal"  # always written with two decimals: games expected
    CODE = "code"  # an id whose word the catalogue knows: states, kinds
    MARK = "mark"  # true or false: a tick or nothing
    TIME = "time"  # an instant in UTC as ISO text, shown in local time
    STEP = "step"  # a journal step, put into words


class Keyed(Protocol):
    """A row that can be distinguished: `key` stays the same when its values change."""

    @property
    def key(self) -> str:
        """The row's identity."""


R = TypeVar("R", bound=Keyed)


class Column(Generic[R], Struct, frozen=True):
    """One column: whoever picks columns does so by `id`; cells of an `editable` one are edited on screen.

    `words` is the key of its heading in the catalogue, empty where that is its id.
    """

    id: str
    kind: Kind
    value: Callable[[R], object]
    editable: bool = False
    words: str = ""

    @property
    def heading(self) -> str:
        """Return the key of its heading in the catalogue."""
        return self.words or self.id


def columns(kind: Kind, *ids: str, of: str = "", editable: bool = False) -> Iterator[Column[Any]]:
    """Yield columns of one kind that show what their ids name: attributes of a row, or of its attribute `of`."""
    return (Column(name, kind, attrgetter(f"{of}.{name}" if of else name), editable) for name in ids)


def item_columns(kind: Kind, field: str, ids: Iterable[str]) -> Iterator[Column[Any]]:
    """Yield columns of one kind that show the first, the second ... item of an attribute of a row."""
    return (Column(name, kind, partial(_item, field, at)) for at, name in enumerate(ids))


def _item(field: str, place: int, row: Any) -> object:
    found: object = getattr(row, field)[place]
    return found


def from_next(rows: Sequence[R], key: str) -> Sequence[R]:
    """Return rows from the one behind `key` on, those up to it last; as they are where there is no such row."""
    start = next((at for at, row in enumerate(rows, 1) if row.key == key), 0)
    return (*rows[start:], *rows[:start])


class Table(Generic[R], Struct, frozen=True):
    """Rows in their natural order under columns; `id` names the kind of table."""

    id: str
    columns: tuple[Column[R], ...]
    rows: tuple[R, ...]
