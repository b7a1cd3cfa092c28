"""Signs of any writing in one line of text: which are kept, and how texts stand beside others."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

MOST_MARKS = 4  # on one letter: more reach into the lines above and below
_JOINERS = "\u200c\u200d"  # in Persian, Hindi and others they tell words apart
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})  # classes of Unicode's bidirectional algorithm


def checked(text: str) -> Iterator[tuple[str, str]]:
    """Yield each sign with the code of what is wrong with it, empty for nothing.

    A joiner is kept between letters; of the marks on a letter MOST_MARKS.
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


def isolated(text: str) -> str:
    """Return a text to be put beside others: one that runs to the left takes no number along.

    For what is shown only: it is neither kept nor exported as data.
    """
    if text.isascii() or not any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text):
        return text
    return f"{_ISOLATE}{text}{_ISOLATE_END}"


def first_name_first(name: str) -> str:
    """Return a name as it is spoken: `Müller-Schmidt, Jan (Bonn)` is Jan Müller-Schmidt (Bonn); another stays."""
    bare, apart = bare_name(name)
    last, comma, first = (part.strip() for part in bare.partition(","))
    return f"{first} {last}{apart}" if comma and first else name


def bare_name(name: str) -> tuple[str, str]:
    """Return a name and what tells it from the same name, in brackets behind it with the space before them."""
    bare, opened, told = name.partition(" (")
    return bare, opened + told


def aligned(lines: Sequence[Sequence[str]], *, right: Collection[int]) -> list[str]:
    """Return lines of cells with each column as wide as its longest cell; those of `right` end together."""
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    padded = (
        [_padded(*one, right=at in right) for at, one in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return ["  ".join(line).rstrip() for line in padded]


def width(text: str) -> int:
    """Return how many signs of equal width a text takes: marks stand on their letters, joiners take no room."""
    return sum(unicodedata.category(sign) not in {"Mn", "Me", "Cf"} for sign in text)


def _padded(cell: str, wide: int, *, right: bool) -> str:
    space = " " * (wide - width(cell))
    return f"{space}{isolated(cell)}" if right else f"{isolated(cell)}{space}"


def _is_letter(sign: str) -> bool:
    return bool(sign) and unicodedata.category(sign)[0] in "LM"
