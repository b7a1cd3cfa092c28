"""Unicode characters in single-line texts: validation, direction and alignment."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

MOST_MARKS = 4  # marks on one letter; more would overlap the neighbouring lines
_JOINERS = "\u200c\u200d"  # they distinguish words in Persian, Hindi and other languages
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})  # classes of Unicode's bidirectional algorithm


def list_character_problems(text: str) -> Iterator[tuple[str, str]]:
    """Yield each character with the error code of its problem, "" if it has none.

    Joiners are valid between letters only. A letter can have up to MOST_MARKS marks.
    """
    marks = 0
    for at, sign in enumerate(text):
        if sign in _JOINERS:
            joins = _is_letter(text[at - 1 : at]) and _is_letter(text[at + 1 : at + 2])
            yield sign, "" if joins else "text-not-printable"
            continue
        marks = marks + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        if not sign.isprintable():
            yield sign, "text-not-printable"
        else:
            yield sign, "text-marks-piled" if marks > MOST_MARKS else ""


def isolate_text_direction(text: str) -> str:
    """Isolate right-to-left text, so that numbers beside it are not reordered."""
    if text.isascii() or not any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text):
        return text
    return f"{_ISOLATE}{text}{_ISOLATE_END}"


def put_first_name_first(name: str) -> str:
    """Convert `Müller-Schmidt, Jan (Bonn)` to `Jan Müller-Schmidt (Bonn)`."""
    bare, apart = split_name_suffix(name)
    last, comma, first = (part.strip() for part in bare.partition(","))
    return f"{first} {last}{apart}" if comma and first else name


def split_name_suffix(name: str) -> tuple[str, str]:
    bare, opened, told = name.partition(" (")
    return bare, opened + told


def align_columns(lines: Sequence[Sequence[str]], *, right: Collection[int]) -> list[str]:
    """Pad cells to equal width. Columns whose index is in `right` are right-aligned."""
    widths = [max(map(measure_width, column)) for column in zip(*lines, strict=True)]
    padded = (
        [_pad_cell(*one, right=at in right) for at, one in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return ["  ".join(line).rstrip() for line in padded]


def measure_width(text: str) -> int:
    """Return the display width in characters. Marks and joiners have no width."""
    return sum(unicodedata.category(sign) not in {"Mn", "Me", "Cf"} for sign in text)


def _pad_cell(cell: str, wide: int, *, right: bool) -> str:
    space = " " * (wide - measure_width(cell))
    return f"{space}{isolate_text_direction(cell)}" if right else f"{isolate_text_direction(cell)}{space}"


def _is_letter(sign: str) -> bool:
    return bool(sign) and unicodedata.category(sign)[0] in "LM"
