"""The look of everything printed: paper, faces, sizes, greys; hides fonts and how wide text becomes."""

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

LARGE = "-large"  # behind a size of paper: lists for the wall have type to be read across a room
PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": A4, "letter": LETTER, "a3": A3,
    f"a4{LARGE}": A4, f"letter{LARGE}": LETTER, f"a3{LARGE}": A3,
}  # fmt: skip
_REPLACEMENTS = {"✓": "×", "→": "–", "\r": " ", "\t": " ", "\n": " "}
_UNSEEN = dict.fromkeys(
    map(ord, "\u200c\u200d\u2068\u2069")
)  # joiners and isolates: here signs stand as they come
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class Typeface(Struct, frozen=True, dict=True):
    """A face under the name by which ReportLab knows it."""

    name: str
    letters: frozenset[int]

    @cached_property
    def _widths(self) -> dict[str, float]:
        """Return the widths of the texts measured so far, in size 1."""
        return {}

    def width(self, text: str, size: float) -> float:
        """Return how wide `text` is, in points."""
        width = self._widths.get(text)
        if width is None:  # a list is measured in many sizes
            from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn

            width = self._widths[text] = float(pdfmetrics.stringWidth(text, self.name, 1))
        return width * size


class TypeScale(Struct, frozen=True):
    """Sizes of type for a list: the usual ones, and smaller ones for when its columns do not fit otherwise."""

    usual: tuple[float, ...]
    small: tuple[float, ...]


class Style(Struct, frozen=True):
    """One typographic system, in points.

    `wall` is for lists read in passing, `board` from close by, `desk` in the hand.
    """

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
    leading: float = 1.45  # height of a row for each point of its type
    band: float = 0.93  # grey of every other row: still white enough for a worn drum
    quiet: float = 0.35  # grey of what matters less
    logo: ImageReader | None = None  # the organiser's picture

    @property
    def large(self) -> bool:
        """Whether lists for the wall are never smaller than large."""
        return not self.wall.small

    @property
    def width(self) -> float:
        """How wide the text area is."""
        return self.page[0] - 2 * self.margin

    def face(self, *, bold: bool, condensed: bool = False) -> Typeface:
        """Return one of the four faces."""
        if condensed:
            return self.condensed_bold if bold else self.condensed
        return self.bold if bold else self.regular

    def printable(self, text: str) -> str:
        """Return `text` with each sign that the faces lack replaced by its base, a relative or a visible gap."""
        if text.isascii() and text.isprintable():
            return text
        letters = self.regular.letters
        text = unicodedata.normalize("NFC", text).translate(_UNSEEN)
        if letters.issuperset(map(ord, text)):
            return text
        return "".join(_printable(sign, letters) for sign in text)


def load(fonts: Path, *, paper: str = "a4") -> Style:
    """Return the style for `paper` (a key of PAPERS) with the faces found in the folder `fonts`."""
    names = ("NotoSans-Regular", "NotoSans-Bold", "NotoSansCondensed-Regular", "NotoSansCondensed-Bold")
    regular, bold, condensed, condensed_bold = (_face(fonts / f"{name}.ttf") for name in names)
    style = Style(PAPERS[paper], regular, bold, condensed, condensed_bold)
    if not paper.endswith(LARGE):
        return style
    large = TypeScale((36, 32, 28, 25, 22), ())
    return replace(style, wall=large, board=large)


def _face(path: Path) -> Typeface:
    """Register a face with ReportLab, whose list of fonts is one for the whole program."""
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415 - loaded when something is drawn

    name = f"tdapp-{path.stem}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(path)))
    font = cast("TTFont", pdfmetrics.getFont(name))
    return Typeface(name, frozenset(font.face.charToGlyph))


def _printable(sign: str, letters: frozenset[int]) -> str:
    if ord(sign) in letters:
        return sign
    if sign in _REPLACEMENTS:
        return _REPLACEMENTS[sign]
    if unicodedata.category(sign) in {"Cf", "Mn"}:  # joiners, direction marks, stray accents
        return ""
    base = "".join(part for part in unicodedata.normalize("NFKD", sign) if ord(part) in letters)
    return base or _UNKNOWN
