"""Typography of all printouts."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace
from reportlab.lib.pagesizes import A3, A4, LETTER

if TYPE_CHECKING:
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfbase.ttfonts import TTFont

LARGE = "-large"  # suffix of a paper size: large type for wall lists
PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": A4, "letter": LETTER, "a3": A3,
    f"a4{LARGE}": A4, f"letter{LARGE}": LETTER, f"a3{LARGE}": A3,
}  # fmt: skip
_REPLACEMENTS = {"✓": "×", "→": "–", "\r": " ", "\t": " ", "\n": " "}
_UNSEEN = dict.fromkeys(map(ord, "\u200c\u200d\u2068\u2069"))  # joiners and isolates, which have no effect here
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class Typeface(Struct, frozen=True, dict=True):
    """A face, with its name in ReportLab."""

    name: str
    letters: frozenset[int]

    @cached_property
    def _widths(self) -> dict[str, float]:
        return {}

    def width(self, text: str, size: float) -> float:
        width = self._widths.get(text)
        if width is None:  # lists are measured in many sizes
            from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn

            width = self._widths[text] = float(pdfmetrics.stringWidth(text, self.name, 1))
        return width * size


class TypeScale(Struct, frozen=True):
    """Usual sizes, and smaller ones for wide content."""

    usual: tuple[float, ...]
    small: tuple[float, ...]


class Style(Struct, frozen=True):
    """In points. `wall` is read in passing, `board` from close by, `desk` in the hand."""

    page: tuple[float, float]
    regular: Typeface
    bold: Typeface
    condensed: Typeface
    condensed_bold: Typeface
    margin: float = 34
    gutter: float = 22
    note: float = 8.5
    lead: float = 11.5
    title: float = 22
    wall: TypeScale = TypeScale((28, 24, 20, 18, 16, 15, 14), (12, 10.5, 9, 7.5))
    board: TypeScale = TypeScale((20, 18, 16, 15, 14, 13, 12), (11, 10, 9, 8, 7))
    desk: TypeScale = TypeScale((12, 11, 10), (9, 8, 7))
    leading: float = 1.45  # row height as a multiple of its type size
    band: float = 0.93  # grey of every second row, light enough for a worn printer drum
    quiet: float = 0.35  # grey of secondary text
    logo: ImageReader | None = None  # the logo

    @property
    def large(self) -> bool:
        """Whether wall lists are always large."""
        return not self.wall.small

    @property
    def width(self) -> float:
        return self.page[0] - 2 * self.margin

    def face(self, *, bold: bool, condensed: bool = False) -> Typeface:
        if condensed:
            return self.condensed_bold if bold else self.condensed
        return self.bold if bold else self.regular

    def printable(self, text: str) -> str:
        """Replace missing characters by the base, a similar one or a visible gap."""
        if text.isascii() and text.isprintable():
            return text
        letters = self.regular.letters
        text = unicodedata.normalize("NFC", text).translate(_UNSEEN)
        if letters.issuperset(map(ord, text)):
            return text
        return "".join(_replace_sign(sign, letters) for sign in text)


def load(fonts: Path, *, paper: str = "a4") -> Style:
    """`paper` is a key of PAPERS."""
    names = ("NotoSans-Regular", "NotoSans-Bold", "NotoSansCondensed-Regular", "NotoSansCondensed-Bold")
    regular, bold, condensed, condensed_bold = (_load_face(fonts / f"{name}.ttf") for name in names)
    style = Style(PAPERS[paper], regular, bold, condensed, condensed_bold)
    if not paper.endswith(LARGE):
        return style
    large = TypeScale((36, 32, 28, 25, 22), ())
    return replace(style, wall=large, board=large)


def _load_face(path: Path) -> Typeface:
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415 - loaded when something is drawn

    name = f"tdapp-{path.stem}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(path)))
    font = cast("TTFont", pdfmetrics.getFont(name))
    return Typeface(name, frozenset(font.face.charToGlyph))


def _replace_sign(sign: str, letters: frozenset[int]) -> str:
    if ord(sign) in letters:
        return sign
    if sign in _REPLACEMENTS:
        return _REPLACEMENTS[sign]
    if unicodedata.category(sign) in {"Cf", "Mn"}:  # joiners, direction marks, stray accents
        return ""
    base = "".join(part for part in unicodedata.normalize("NFKD", sign) if ord(part) in letters)
    return base or _UNKNOWN
