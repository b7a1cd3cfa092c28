"""Reads and writes squares in the notations that players use.

GCG numbers the rows; Norwegian and German players use letters for rows. A square can include the direction, as in
`HM5` or `G2w`.
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
    """The direction of a word."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def crossing_direction(self) -> Direction:
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS


class SquareNotation(StrEnum):
    """A notation of squares. The order of letter and number may give the direction."""

    NUMBERED_ROWS = "numbered-rows"  # 8H across, H8 down (GCG)
    LETTERED_ROWS = "lettered-rows"  # h8 across, 8h down: H is the row
    NUMBERED_ROWS_UNDIRECTED = "numbered-rows-undirected"  # direction only by HM5, G2w or an arrow
    LETTERED_ROWS_UNDIRECTED = "lettered-rows-undirected"

    @property
    def has_lettered_rows(self) -> bool:
        return self in {SquareNotation.LETTERED_ROWS, SquareNotation.LETTERED_ROWS_UNDIRECTED}

    @property
    def is_direction_shown_by_letter_position(self) -> bool:
        return self in {SquareNotation.NUMBERED_ROWS, SquareNotation.LETTERED_ROWS}


class WordStart(NamedTuple):
    """The first square of a word."""

    row: int
    column: int
    direction: Direction | None  # None if it is not written


_DIRECTIONS = {
    "h": Direction.ACROSS,
    "w": Direction.ACROSS,  # waagerecht
    "→": Direction.ACROSS,
    "v": Direction.DOWN,
    "s": Direction.DOWN,  # senkrecht
    "↓": Direction.DOWN,
}
_SQUARE_PATTERN = re.compile(
    r"(?P<before>[HV])?(?:(?P<letter>[A-O])(?P<number>[0-9]{1,2})|(?P<first>[0-9]{1,2})(?P<second>[A-O]))"
    r"(?P<after>[HVWS→↓?])?",
    re.IGNORECASE | re.ASCII,
)


@lru_cache(maxsize=2 * SIZE * SIZE)  # called at every key while a sheet is typed
def parse_square_notation(text: str, convention: SquareNotation = SquareNotation.NUMBERED_ROWS) -> WordStart:
    """Return the square and direction that a text such as `8H` means in the notation `convention`.

    A written direction (`HM5`, `VM5`, `G2w`, `G2s`, `M5→`, `M5↓`) overrides the order of letter and number. A
    question mark (`H8?`) means that the direction is unknown.
    """
    match = _SQUARE_PATTERN.fullmatch("".join(text.split()))
    number = int(match["number"] or match["first"]) if match else 0
    if match is None or not 1 <= number <= SIZE:
        raise ScrabbleError("coordinate-unreadable", text)
    letter = _COLUMNS.index((match["letter"] or match["second"]).upper()) + 1
    row, column = (letter, number) if convention.has_lettered_rows else (number, letter)
    return WordStart(row, column, _read_direction(match, convention))


def _read_direction(match: re.Match[str], convention: SquareNotation) -> Direction | None:
    direction_mark = match["before"] or match["after"]
    if direction_mark is not None:
        return _DIRECTIONS.get(direction_mark.lower())
    if not convention.is_direction_shown_by_letter_position:
        return None
    is_row_first = (match["letter"] is not None) == convention.has_lettered_rows
    return Direction.ACROSS if is_row_first else Direction.DOWN


def format_square_notation(start: WordStart, convention: SquareNotation = SquareNotation.NUMBERED_ROWS) -> str:
    row, column = (start.column, start.row) if convention.has_lettered_rows else (start.row, start.column)
    letter, number = _COLUMNS[column - 1], str(row)
    if not convention.is_direction_shown_by_letter_position:
        return letter + number + {None: "", Direction.ACROSS: "→", Direction.DOWN: "↓"}[start.direction]
    if start.direction is None:
        return f"{letter}{number}?"
    is_letter_first = (start.direction is Direction.ACROSS) == convention.has_lettered_rows
    return letter + number if is_letter_first else number + letter
