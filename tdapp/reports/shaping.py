"""Print text in scripts that the program's typefaces lack or that need shaping, such as Arabic and Chinese.

HarfBuzz shapes it in a font of the system. It is drawn as outlines, so that any font format works.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

# One character for each class, so that the rules are patterns: "A" Arabic letter, "1" and "2" its numbers.
_CLASSES = {
    "L": "L", "R": "R", "AL": "A", "EN": "1", "AN": "2", "ES": "+", "ET": "%", "CS": ",", "NSM": "m",
}  # fmt: skip
_ISOLATE = re.compile("\u2068([^\u2068\u2069]*)\u2069")
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"  # of an isolate; neutral
_LEVELS = ({"L": 0, "R": 1, "1": 2, "2": 2}, {"L": 2, "R": 1, "1": 2, "2": 2})  # by direction of the line


def order_text_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the runs of a line from left to right, each in reading order. True marks a right-to-left run.

    The line is right-to-left if all its letters are.
    """
    isolates = [found[1] for found in _ISOLATE.finditer(text)]
    text = _ISOLATE.sub(_PLACE, text).translate({0x2068: None, 0x2069: None})
    kinds = [unicodedata.bidirectional(sign) for sign in text]
    line = int("L" not in kinds and not {"R", "AL"}.isdisjoint(kinds))
    levels = [
        _LEVELS[line][kind]
        for kind in _resolve_directions("".join(_CLASSES.get(kind, "n") for kind in kinds), "LR"[line])
    ]
    for begin, end in _list_runs(levels):
        right_to_left = bool(levels[begin] % 2)
        before = text[:begin].count(_PLACE)
        pieces = text[begin:end].split(_PLACE)
        inner = isolates[before : before + len(pieces) - 1]
        parts = [(piece, own) for at, piece in enumerate(pieces) for own in (inner[at : at + 1] or [""])]
        for piece, own in reversed(parts) if right_to_left else parts:
            shown = [(piece, right_to_left)] if piece else []
            nested = [*order_text_runs(own)] if own else []
            yield from (*nested, *shown) if right_to_left else (*shown, *nested)


def _resolve_directions(kinds: str, line: str) -> str:
    """Return the direction of each character by rules W1 to N2 of Unicode (UAX 9)."""
    made = re.sub("(.)m+", lambda found: found[1] * len(found[0]), line + kinds)
    made = re.sub("A[^LRA]*", lambda found: found[0].replace("1", "2"), made).replace("A", "R")
    made = re.sub("(?<=2),(?=2)", "2", re.sub("(?<=1)[+,](?=1)", "1", made))
    made = re.sub("%+(?=1)|(?<=1)%+", lambda found: "1" * len(found[0]), made)
    made = re.sub("[+,%]", "n", made)
    made = re.sub("L[^LR]*", lambda found: found[0].replace("1", "L"), made) + line

    def resolve_neutral_characters(found: re.Match[str]) -> str:
        before, after = ("L" if made[at] == "L" else "R" for at in (found.start() - 1, found.end()))
        return (before if before == after else line) * len(found[0])

    return re.sub("n+", resolve_neutral_characters, made)[1:-1]


def _list_runs(levels: list[int]) -> list[tuple[int, int]]:
    """Return the runs from left to right (UAX 9, rule L2)."""
    if not levels:
        return []
    cuts = [at for at, level in enumerate(levels) if not at or level != levels[at - 1]]
    runs = [*zip(cuts, [*cuts[1:], len(levels)], strict=True)]
    for level in range(max(levels, default=0), 0, -1):
        at = 0
        while at < len(runs):
            end = at
            while end < len(runs) and levels[runs[end][0]] >= level:
                end += 1
            runs[at:end] = reversed(runs[at:end])
            at = end + 1
    return runs


JOINERS = frozenset("\u200c\u200d")
_DEVANAGARI = re.compile("[\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff]")  # in the faces, but needs shaping
_MARKS = frozenset({"Mn", "Mc", "Me"})
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_UNFIT = re.compile("italic|oblique|mono|light|thin|black|narrow|condensed|emoji|lastresort", re.IGNORECASE)
_EMBOLDENED = 0.035  # strokes of a font without bold letters, in ems
_CONDENSED = 75.0  # width in percent


class ShapedPart(Struct, frozen=True):
    """A part of a text, in reading order, that one font writes."""

    text: str
    width: float  # in ems
    font: Any = None  # None if the typeface of the text has all letters
    glyphs: tuple[tuple[int, float, float], ...] = ()  # glyph number, x and y in units of the font


class Typeface(Struct, frozen=True, dict=True):
    """A typeface."""

    name: str  # in ReportLab
    letters: frozenset[int]  # character codes that the font has
    path: Path

    @property
    def is_bold(self) -> bool:
        return self.name.endswith("Bold")

    @property
    def is_condensed(self) -> bool:
        return "Condensed" in self.name

    @cached_property
    def _known_widths(self) -> dict[str, float]:
        return {}

    @cached_property
    def _known_parts(self) -> dict[str, tuple[ShapedPart, ...]]:
        return {}

    def measure_width(self, text: str, size: float) -> float:
        width = self._known_widths.get(text)
        if width is None:  # lists are measured in many sizes
            plain = self.can_write(text)
            width = (
                self.measure_unshaped_text(text) if plain else sum(part.width for part in self.shape_text(text))
            )
            self._known_widths[text] = width
        return width * size

    def can_write(self, text: str) -> bool:
        return text.isascii() or (self.letters.issuperset(map(ord, text)) and not needs_shaping(text))

    def measure_unshaped_text(self, text: str) -> float:
        from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn

        return float(pdfmetrics.stringWidth(text, self.name, 1))

    def shape_text(self, text: str) -> tuple[ShapedPart, ...]:
        if text not in self._known_parts:
            self._known_parts[text] = tuple(_shape_line(text, self))
        return self._known_parts[text]


@cache
def load_harfbuzz() -> Any:
    import uharfbuzz  # noqa: PLC0415 - loaded for other scripts

    return uharfbuzz


def needs_shaping(text: str) -> bool:
    return bool(_DEVANAGARI.search(text))


def _shape_line(text: str, face: Typeface) -> Iterator[ShapedPart]:
    for run, right_to_left in order_text_runs(text):
        parts = [*_shape_run(run, face, right_to_left=right_to_left)]
        yield from reversed(parts) if right_to_left else parts


def find_missing_letters(text: str, face: Typeface) -> str:
    return "".join(
        sign
        for sign in dict.fromkeys(text)
        if ord(sign) not in face.letters and unicodedata.category(sign)[0] in "LMNP" and _find_font(sign) is None
    )


def _shape_run(run: str, face: Typeface, *, right_to_left: bool) -> Iterator[ShapedPart]:
    for foreign, text in _split_run_by_shaping(run, face):
        if not foreign:
            shown = text[::-1].translate(_MIRRORED) if right_to_left else text
            yield ShapedPart(shown, face.measure_unshaped_text(shown))
            continue
        letters = "".join(sorted(set(text.translate(dict.fromkeys(map(ord, JOINERS))))))
        own = face.letters.issuperset(map(ord, letters))
        path = face.path if own else _find_font(letters)
        if path is not None:
            yield _shape_glyphs(text, _open_font(path, face, is_own_font=own), right_to_left=right_to_left)
            continue
        for sign in letters if len(letters) == 1 else text:
            yield from _shape_character(sign, face, right_to_left=right_to_left)


def _shape_character(sign: str, face: Typeface, *, right_to_left: bool) -> Iterator[ShapedPart]:
    own = ord(sign) in face.letters
    path = face.path if own else _find_font(sign)
    if path is not None:
        yield _shape_glyphs(sign, _open_font(path, face, is_own_font=own), right_to_left=right_to_left)
    elif unicodedata.category(sign) not in _MARKS:
        yield ShapedPart(_UNKNOWN, face.measure_unshaped_text(_UNKNOWN))


def _split_run_by_shaping(run: str, face: Typeface) -> Iterator[tuple[bool, str]]:
    """Split a text into parts. True means that the part must be shaped."""
    found: list[bool] = []
    for sign in run:
        joined = sign in JOINERS or unicodedata.category(sign) in _MARKS
        found.append(found[-1] if joined and found else not face.can_write(sign))
    for foreign, part in groupby(zip(found, run, strict=True), key=lambda one: one[0]):
        yield foreign, "".join(sign for _, sign in part)


def _shape_glyphs(text: str, font: Any, *, right_to_left: bool) -> ShapedPart:
    buffer = load_harfbuzz().Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if right_to_left else "ltr"
    load_harfbuzz().shape(font, buffer)
    x, glyphs = 0.0, []
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyphs.append((info.codepoint, x + place.x_offset, float(place.y_offset)))
        x += place.x_advance
    return ShapedPart(text, x / font.face.upem, font, tuple(glyphs))


def _open_font(path: Path, face: Typeface, *, is_own_font: bool) -> Any:
    return _make_font(path, bold=face.is_bold and not is_own_font, condensed=face.is_condensed and not is_own_font)


@cache
def _make_font(path: Path, *, bold: bool, condensed: bool) -> Any:
    font = load_harfbuzz().Font(_open_face(path))
    axes = {axis.tag for axis in font.face.axis_infos}
    wanted = {"wght": 700.0 if bold else 400.0, "wdth": _CONDENSED if condensed else 100.0}
    font.set_variations({name: value for name, value in wanted.items() if name in axes})
    if bold and "wght" not in axes:
        font.synthetic_bold = (_EMBOLDENED, _EMBOLDENED, False)
    return font


@cache
def _find_font(letters: str) -> Path | None:
    wanted = load_harfbuzz().Set(map(ord, letters))
    return next(
        (path for path in _list_fonts(tuple(list_font_folders())) if _read_letters(path).issuperset(wanted)), None
    )


@cache
def _list_fonts(folders: tuple[Path, ...]) -> tuple[Path, ...]:
    walked = (Path(folder, name) for root in folders for folder, _, names in os.walk(root) for name in names)
    paths = {path for path in walked if path.suffix.lower() in _SUFFIXES and not _UNFIT.search(path.stem)}

    def rank_font(path: Path) -> tuple[object, ...]:
        stem = path.stem.lower()
        return "bold" in stem, "serif" in stem and "sans" not in stem, not stem.startswith("noto"), stem, str(path)

    return tuple(sorted(paths, key=rank_font))


def list_font_folders() -> Iterable[Path]:
    home, windows = Path.home(), os.environ.get("WINDIR", "C:/Windows")
    if sys.platform == "win32":
        return Path(windows, "Fonts"), home / "AppData/Local/Microsoft/Windows/Fonts"
    if sys.platform == "darwin":
        return Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"
    own = home / ".local/share/fonts", home / ".fonts"
    return Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/run/host/fonts"), *own


@cache
def _read_letters(path: Path) -> Any:
    face = _open_face(path)
    return load_harfbuzz().Set() if face is None or face.has_color_png else face.unicodes


@cache
def _open_face(path: Path) -> Any:
    try:
        return load_harfbuzz().Face(load_harfbuzz().Blob.from_file_path(str(path)))
    except (OSError, load_harfbuzz().HarfBuzzError):
        return None
