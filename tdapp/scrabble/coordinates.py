"""Squares as people write them: three conventions, read and written.

Hides the spelling; what is kept is row, column and direction. GCG numbers its rows; Norwegian and German players
letter theirs; `HM5` and `G2w` name the direction.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from tdapp.scrabble.issue import ScrabbleError

SIZE = 15
_COLUMNS = "ABCDEFGHIJKLMNO"


class Direction(StrEnum):
    """Which way a word runs."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def other(self) -> Direction:
        """The other way."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS


class Convention(StrEnum):
    """What letters and numbers stand for, and whether their order tells the direction."""

    NUMBERED_ROWS = "numbered-rows"  # 8H across, H8 down (GCG)
    LETTERED_ROWS = "lettered-rows"  # h8 across, 8h down: H is the row
    NUMBERED_ROWS_UNDIRECTED = "numbered-rows-undirected"  # row 8, column H; only HM5, G2w or an arrow say the way
    LETTERED_ROWS_UNDIRECTED = "lettered-rows-undirected"

    @property
    def lettered_rows(self) -> bool:
        """Whether letters name rows."""
        return self in {Convention.LETTERED_ROWS, Convention.LETTERED_ROWS_UNDIRECTED}

    @property
    def directed(self) -> bool:
        """Whether the order of letter and number tells the direction."""
        return self in {Convention.NUMBERED_ROWS, Convention.LETTERED_ROWS}


class At(NamedTuple):
    """Where a word begins; `direction` None: it was not written."""

    row: int
    column: int
    direction: Direction | None


_WAYS = {
    "h": Direction.ACROSS,
    "w": Direction.ACROSS,  # waagerecht
    "→": Direction.ACROSS,
    "v": Direction.DOWN,
    "s": Direction.DOWN,  # senkrecht
    "↓": Direction.DOWN,
}
_WRITTEN = re.compile(
    r"(?P<before>[HV])?(?:(?P<letter>[A-O])(?P<number>[0-9]{1,2})|(?P<first>[0-9]{1,2})(?P<second>[A-O]))"
    r"(?P<after>[HVWS→↓?])?",
    re.IGNORECASE | re.ASCII,
)


@lru_cache(maxsize=2 * SIZE * SIZE)  # a sheet that is typed is read again at every key
def read(text: str, convention: Convention = Convention.NUMBERED_ROWS) -> At:
    """Return where a word begins.

    A direction that is spelt out (`HM5`, `VM5`, `G2w`, `G2s`, `M5→`, `M5↓`) goes before the order of letter and
    number; a question mark (`H8?`) leaves it open. Raise ScrabbleError (coordinate-unreadable).
    """
    found = _WRITTEN.fullmatch("".join(text.split()))
    number = int(found["number"] or found["first"]) if found else 0
    if found is None or not 1 <= number <= SIZE:
        raise ScrabbleError("coordinate-unreadable", text)
    letter = _COLUMNS.index((found["letter"] or found["second"]).upper()) + 1
    row, column = (letter, number) if convention.lettered_rows else (number, letter)
    return At(row, column, _direction(found, convention))


def _direction(found: re.Match[str], convention: Convention) -> Direction | None:
    mark = found["before"] or found["after"]
    if mark is not None:
        return _WAYS.get(mark.lower())
    if not convention.directed:
        return None
    row_first = (found["letter"] is not None) == convention.lettered_rows
    return Direction.ACROSS if row_first else Direction.DOWN


def write(at: At, convention: Convention = Convention.NUMBERED_ROWS) -> str:
    """Return the text of a place, such that `read` with the same convention returns it."""
    row, column = (at.column, at.row) if convention.lettered_rows else (at.row, at.column)
    letter, number = _COLUMNS[column - 1], str(row)
    if not convention.directed:
        return letter + number + {None: "", Direction.ACROSS: "→", Direction.DOWN: "↓"}[at.direction]
    if at.direction is None:
        return f"{letter}{number}?"
    letter_first = (at.direction is Direction.ACROSS) == convention.lettered_rows
    return letter + number if letter_first else number + letter
