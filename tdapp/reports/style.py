"""Typography of all printouts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from reportlab.lib.pagesizes import A3, A4, LETTER

from tdapp.reports.shaping import JOINERS, Typeface, has_devanagari

if TYPE_CHECKING:
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfbase.ttfonts import TTFont

LARGE_SUFFIX = "-large"  # after a paper size: large type on wall lists
PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": A4, "letter": LETTER, "a3": A3,
    f"a4{LARGE_SUFFIX}": A4, f"letter{LARGE_SUFFIX}": LETTER, f"a3{LARGE_SUFFIX}": A3,
}  # fmt: skip
_REPLACEMENTS = {"✓": "×", "→": "–", "\r": " ", "\t": " ", "\n": " "}
_ISOLATES = dict.fromkeys(map(ord, "\u2068\u2069"))  # without effect among letters from left to right
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class FontSizes(Struct, frozen=True):
    """Usual type sizes, and smaller sizes for wide content."""

    usual: tuple[float, ...]
    small: tuple[float, ...]


_WALL_SCALE = FontSizes((28, 24, 20, 18, 16, 15, 14), (12, 10.5, 9, 7.5))
_BOARD_SCALE = FontSizes((20, 18, 16, 15, 14, 13, 12), (11, 10, 9, 8, 7))
_LARGE_SCALE = FontSizes((36, 32, 28, 25, 22), ())


class PrintStyle(Struct, frozen=True):
    """The fonts and measures of a printout. Sizes are in points."""

    page: tuple[float, float]
    regular: Typeface
    bold: Typeface
    condensed: Typeface
    condensed_bold: Typeface
    margin: float = 34
    gutter: float = 22
    note_size: float = 8.5
    subtitle_size: float = 11.5
    title_size: float = 22
    large: bool = False  # large print
    desk: FontSizes = FontSizes((12, 11, 10), (9, 8, 7))  # for reading in the hand
    leading: float = 1.45  # row height as a multiple of its type size
    band_grey: float = 0.93  # of every second row, light enough for a worn printer drum
    secondary_grey: float = 0.35  # of secondary text
    logo: ImageReader | None = None

    @property
    def wall_list_sizes(self) -> FontSizes:
        """The type sizes for wall lists, read from a distance."""
        return _LARGE_SCALE if self.large else _WALL_SCALE

    @property
    def sizes_for_close_reading(self) -> FontSizes:
        """The type sizes for lists read from close by."""
        return _LARGE_SCALE if self.large else _BOARD_SCALE

    @property
    def printable_width(self) -> float:
        return self.page[0] - 2 * self.margin

    def get_typeface(self, *, bold: bool, condensed: bool = False) -> Typeface:
        if condensed:
            return self.condensed_bold if bold else self.condensed
        return self.bold if bold else self.regular

    def replace_unprintable_characters(self, text: str) -> str:
        """Replace characters that the font lacks by their base letter or a similar character.

        If neither exists, letters, digits and punctuation remain, and symbols become U+FFFD.
        """
        if text.isascii() and text.isprintable():
            return text
        text = unicodedata.normalize("NFC", text)
        if not any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in text):
            text = text.translate(_ISOLATES)
        if self.regular.can_draw_without_shaping(text):
            return text
        return "".join(_replace_characters_missing_in_font(text, self.regular.letters))


def load_style(fonts: Path, *, paper: str = "a4") -> PrintStyle:
    names = ("NotoSans-Regular", "NotoSans-Bold", "NotoSansCondensed-Regular", "NotoSansCondensed-Bold")
    regular, bold, condensed, condensed_bold = (_load_typeface(fonts / f"{name}.ttf") for name in names)
    return PrintStyle(PAPERS[paper], regular, bold, condensed, condensed_bold, large=paper.endswith(LARGE_SUFFIX))


def _load_typeface(path: Path) -> Typeface:
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415 - loaded when something is drawn

    name = f"tdapp-{path.stem}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(path)))
    font = cast("TTFont", pdfmetrics.getFont(name))
    _TYPEFACES[name] = typeface = Typeface(name, frozenset(font.face.charToGlyph), path)
    return typeface


_TYPEFACES: dict[str, Typeface] = {}


def find_typeface(name: str) -> Typeface:
    return _TYPEFACES[name]


def _replace_characters_missing_in_font(text: str, letters: frozenset[int]) -> Iterator[str]:
    is_shaped = False  # marks and joiners after a shaped character remain
    for character in text:
        kind = unicodedata.category(character)
        is_combining = kind[0] == "M" or character in JOINERS
        if is_combining and is_shaped:
            yield character
            continue
        is_shaped = has_devanagari(character) or (ord(character) not in letters and kind[0] in "LNP")
        if (ord(character) in letters and character not in JOINERS) or ord(character) in _ISOLATES:
            yield character
        elif character in _REPLACEMENTS:
            yield _REPLACEMENTS[character]
        elif kind not in {"Cf", "Mn"}:  # neither a direction mark nor a stray accent
            base = "".join(part for part in unicodedata.normalize("NFKD", character) if ord(part) in letters)
            yield base or (character if is_shaped else _UNKNOWN)
