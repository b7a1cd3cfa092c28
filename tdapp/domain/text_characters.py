"""Unicode characters in single-line texts: validation, direction and alignment."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

MAX_MARKS = 4  # marks on one letter; more would overlap the neighbouring lines
_JOINERS = "\u200c\u200d"  # invisible; they distinguish words in Persian, Hindi and other languages
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})  # classes of Unicode's bidirectional algorithm


def iterate_characters_with_error_codes(text: str) -> Iterator[tuple[str, str]]:
    """Yield each character with the error code of its problem, "" if it has none.

    Joiners (invisible characters) are valid between letters only. A letter can have up to
    MAX_MARKS combining marks.
    """
    marks = 0
    for position, character in enumerate(text):
        if character in _JOINERS:
            is_joiner = _is_letter_or_mark(text[position - 1 : position]) and _is_letter_or_mark(
                text[position + 1 : position + 2]
            )
            yield character, "" if is_joiner else "text-not-printable"
            continue
        marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        if not character.isprintable():
            yield character, "text-not-printable"
        else:
            yield character, "text-marks-piled" if marks > MAX_MARKS else ""


def isolate_text_direction(text: str) -> str:
    """Isolate right-to-left text, so that numbers beside it are not reordered."""
    if text.isascii() or not any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        return text
    return f"{_ISOLATE}{text}{_ISOLATE_END}"


def put_first_name_first(name: str) -> str:
    """Convert `Müller-Schmidt, Jan (Bonn)` to `Jan Müller-Schmidt (Bonn)`."""
    base_name, suffix = split_bracketed_suffix(name)
    last, comma, first = (part.strip() for part in base_name.partition(","))
    return f"{first} {last}{suffix}" if comma and first else name


def split_bracketed_suffix(name: str) -> tuple[str, str]:
    base_name, opening, suffix = name.partition(" (")
    return base_name, opening + suffix


def align_columns(lines: Sequence[Sequence[str]], *, right: Collection[int]) -> list[str]:
    """Pad cells to equal width. Columns whose index is in `right` are right-aligned."""
    widths = [max(map(count_visible_characters, column)) for column in zip(*lines, strict=True)]
    padded_rows = (
        [
            _pad_cell(*cell_and_width, right=column in right)
            for column, cell_and_width in enumerate(zip(line, widths, strict=True))
        ]
        for line in lines
    )
    return ["  ".join(line).rstrip() for line in padded_rows]


def count_visible_characters(text: str) -> int:
    """Return the display width in characters. Combining marks and invisible joiners have no width."""
    return sum(unicodedata.category(character) not in {"Mn", "Me", "Cf"} for character in text)


def _pad_cell(cell: str, width: int, *, right: bool) -> str:
    padding = " " * (width - count_visible_characters(cell))
    return f"{padding}{isolate_text_direction(cell)}" if right else f"{isolate_text_direction(cell)}{padding}"


def _is_letter_or_mark(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in "LM"
