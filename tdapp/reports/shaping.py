"""Print text in scripts that the program's typefaces lack or that need shaping, such as Arabic and Chinese.

HarfBuzz shapes the text in a font of the system. The text is drawn as outlines, so that any font format works.
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

# One character for each class, so that patterns can express the rules. "A": Arabic letter; "1", "2": numbers.
_CLASSES = {
    "L": "L", "R": "R", "AL": "A", "EN": "1", "AN": "2", "ES": "+", "ET": "%", "CS": ",", "NSM": "m",
}  # fmt: skip
_ISOLATE = re.compile("\u2068([^\u2068\u2069]*)\u2069")
_ISOLATE_PLACEHOLDER = "\N{OBJECT REPLACEMENT CHARACTER}"  # neutral direction
_LEVELS = ({"L": 0, "R": 1, "1": 2, "2": 2}, {"L": 2, "R": 1, "1": 2, "2": 2})  # UAX 9, by direction of the line


def order_text_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Split a line into runs, each written in one direction. True marks a right-to-left run.

    The runs are in their order on paper, from the left. The letters of each run are in reading order.
    """
    isolates = [match[1] for match in _ISOLATE.finditer(text)]
    text = _ISOLATE.sub(_ISOLATE_PLACEHOLDER, text).translate({0x2068: None, 0x2069: None})
    kinds = [unicodedata.bidirectional(character) for character in text]
    line_level = int("L" not in kinds and not {"R", "AL"}.isdisjoint(kinds))
    levels = [
        _LEVELS[line_level][kind]
        for kind in _resolve_bidi_directions("".join(_CLASSES.get(kind, "n") for kind in kinds), "LR"[line_level])
    ]
    for begin, end in _order_runs_left_to_right(levels):
        right_to_left = bool(levels[begin] % 2)
        before = text[:begin].count(_ISOLATE_PLACEHOLDER)
        pieces = text[begin:end].split(_ISOLATE_PLACEHOLDER)
        inner = isolates[before : before + len(pieces) - 1]
        parts = [
            (piece, isolate)
            for index, piece in enumerate(pieces)
            for isolate in (inner[index : index + 1] or [""])
        ]
        for piece, isolate in reversed(parts) if right_to_left else parts:
            own_run = [(piece, right_to_left)] if piece else []
            isolate_runs = [*order_text_runs(isolate)] if isolate else []
            yield from (*isolate_runs, *own_run) if right_to_left else (*own_run, *isolate_runs)


def _resolve_bidi_directions(bidi_classes: str, line_direction: str) -> str:
    """Return the direction of each character by rules W1 to N2 of Unicode (UAX 9)."""
    resolved = re.sub("(.)m+", lambda match: match[1] * len(match[0]), line_direction + bidi_classes)
    resolved = re.sub("A[^LRA]*", lambda match: match[0].replace("1", "2"), resolved).replace("A", "R")
    resolved = re.sub("(?<=2),(?=2)", "2", re.sub("(?<=1)[+,](?=1)", "1", resolved))
    resolved = re.sub("%+(?=1)|(?<=1)%+", lambda match: "1" * len(match[0]), resolved)
    resolved = re.sub("[+,%]", "n", resolved)
    resolved = re.sub("L[^LR]*", lambda match: match[0].replace("1", "L"), resolved) + line_direction

    def resolve_neutral_characters(match: re.Match[str]) -> str:
        before, after = (
            "L" if resolved[position] == "L" else "R" for position in (match.start() - 1, match.end())
        )
        return (before if before == after else line_direction) * len(match[0])

    return re.sub("n+", resolve_neutral_characters, resolved)[1:-1]


def _order_runs_left_to_right(levels: list[int]) -> list[tuple[int, int]]:
    """Return the start and end of each run of characters with the same level, by rule L2 of Unicode (UAX 9).

    An odd level means right-to-left text.
    """
    if not levels:
        return []
    run_starts = [
        position for position, level in enumerate(levels) if not position or level != levels[position - 1]
    ]
    runs = [*zip(run_starts, [*run_starts[1:], len(levels)], strict=True)]
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(runs):
            end = start
            while end < len(runs) and levels[runs[end][0]] >= level:
                end += 1
            runs[start:end] = reversed(runs[start:end])
            start = end + 1
    return runs


JOINERS = frozenset("\u200c\u200d")
_DEVANAGARI = re.compile("[\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff]")  # in the typefaces, but needs shaping
_COMBINING_CATEGORIES = frozenset({"Mn", "Mc", "Me"})
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_MIRRORED_CHARACTERS = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_UNSUITABLE_NAME = re.compile(
    "italic|oblique|mono|light|thin|black|narrow|condensed|emoji|lastresort", re.IGNORECASE
)
_BOLD_STROKE = 0.035  # in ems, for fonts without bold letters
_CONDENSED_WIDTH = 75.0  # per cent


class ShapedTextRun(Struct, frozen=True):
    """A part of a text in one font, in reading order."""

    text: str
    width: float  # in ems
    font: Any = None  # None if the typeface of the text has all letters
    glyphs: tuple[tuple[int, float, float], ...] = ()  # glyph number, x and y in units of the font


class Typeface(Struct, frozen=True, dict=True):
    """A font of the printouts, with caches for the widths and shapes of texts."""

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
    def _cached_widths(self) -> dict[str, float]:
        return {}

    @cached_property
    def _cached_text_runs(self) -> dict[str, tuple[ShapedTextRun, ...]]:
        return {}

    def measure_width(self, text: str, size: float) -> float:
        width = self._cached_widths.get(text)
        if width is None:  # lists are measured in many sizes
            can_draw_without_shaping = self.can_draw_without_shaping(text)
            width = (
                self.measure_unshaped_text(text)
                if can_draw_without_shaping
                else sum(part.width for part in self.shape_text(text))
            )
            self._cached_widths[text] = width
        return width * size

    def can_draw_without_shaping(self, text: str) -> bool:
        return text.isascii() or (self.letters.issuperset(map(ord, text)) and not has_devanagari(text))

    def measure_unshaped_text(self, text: str) -> float:
        from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - loaded when something is drawn

        return float(pdfmetrics.stringWidth(text, self.name, 1))

    def shape_text(self, text: str) -> tuple[ShapedTextRun, ...]:
        if text not in self._cached_text_runs:
            self._cached_text_runs[text] = tuple(_shape_line(text, self))
        return self._cached_text_runs[text]


@cache
def import_harfbuzz() -> Any:
    import uharfbuzz  # noqa: PLC0415 - loaded for other scripts

    return uharfbuzz


def has_devanagari(text: str) -> bool:
    return bool(_DEVANAGARI.search(text))


def _shape_line(text: str, typeface: Typeface) -> Iterator[ShapedTextRun]:
    for run, right_to_left in order_text_runs(text):
        parts = [*_shape_run(run, typeface, right_to_left=right_to_left)]
        yield from reversed(parts) if right_to_left else parts


def find_missing_letters(text: str, typeface: Typeface) -> str:
    return "".join(
        character
        for character in dict.fromkeys(text)
        if ord(character) not in typeface.letters
        and unicodedata.category(character)[0] in "LMNP"
        and _find_font(character) is None
    )


def _shape_run(run: str, typeface: Typeface, *, right_to_left: bool) -> Iterator[ShapedTextRun]:
    for needs_font, text in _split_text_by_need_for_shaping(run, typeface):
        if not needs_font:
            visual_text = text[::-1].translate(_MIRRORED_CHARACTERS) if right_to_left else text
            yield ShapedTextRun(visual_text, typeface.measure_unshaped_text(visual_text))
            continue
        letters = "".join(sorted(set(text.translate(dict.fromkeys(map(ord, JOINERS))))))
        has_letters = typeface.letters.issuperset(map(ord, letters))
        path = typeface.path if has_letters else _find_font(letters)
        if path is not None:
            yield _shape_glyphs(
                text, _open_font(path, typeface, is_own_font=has_letters), right_to_left=right_to_left
            )
            continue
        for character in letters if len(letters) == 1 else text:
            yield from _shape_character(character, typeface, right_to_left=right_to_left)


def _shape_character(character: str, typeface: Typeface, *, right_to_left: bool) -> Iterator[ShapedTextRun]:
    has_letter = ord(character) in typeface.letters
    path = typeface.path if has_letter else _find_font(character)
    if path is not None:
        yield _shape_glyphs(
            character, _open_font(path, typeface, is_own_font=has_letter), right_to_left=right_to_left
        )
    elif unicodedata.category(character) not in _COMBINING_CATEGORIES:
        yield ShapedTextRun(_UNKNOWN, typeface.measure_unshaped_text(_UNKNOWN))


def _split_text_by_need_for_shaping(run: str, typeface: Typeface) -> Iterator[tuple[bool, str]]:
    shaping_flags: list[bool] = []
    for character in run:
        is_joined = character in JOINERS or unicodedata.category(character) in _COMBINING_CATEGORIES
        shaping_flags.append(
            shaping_flags[-1] if is_joined and shaping_flags else not typeface.can_draw_without_shaping(character)
        )
    for needs_font, part in groupby(zip(shaping_flags, run, strict=True), key=lambda pair: pair[0]):
        yield needs_font, "".join(character for _, character in part)


def _shape_glyphs(text: str, font: Any, *, right_to_left: bool) -> ShapedTextRun:
    buffer = import_harfbuzz().Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if right_to_left else "ltr"
    import_harfbuzz().shape(font, buffer)
    x, glyphs = 0.0, []
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyphs.append((info.codepoint, x + position.x_offset, float(position.y_offset)))
        x += position.x_advance
    return ShapedTextRun(text, x / font.face.upem, font, tuple(glyphs))


def _open_font(path: Path, typeface: Typeface, *, is_own_font: bool) -> Any:
    return _make_font(
        path, bold=typeface.is_bold and not is_own_font, condensed=typeface.is_condensed and not is_own_font
    )


@cache
def _make_font(path: Path, *, bold: bool, condensed: bool) -> Any:
    font = import_harfbuzz().Font(_open_font_face(path))
    axes = {axis.tag for axis in font.face.axis_infos}
    axis_values = {"wght": 700.0 if bold else 400.0, "wdth": _CONDENSED_WIDTH if condensed else 100.0}
    font.set_variations({name: value for name, value in axis_values.items() if name in axes})
    if bold and "wght" not in axes:
        font.synthetic_bold = (_BOLD_STROKE, _BOLD_STROKE, False)
    return font


@cache
def _find_font(letters: str) -> Path | None:
    codes = import_harfbuzz().Set(map(ord, letters))
    return next(
        (
            path
            for path in _list_fonts(tuple(list_font_folders()))
            if _read_letters_of_font(path).issuperset(codes)
        ),
        None,
    )


@cache
def _list_fonts(folders: tuple[Path, ...]) -> tuple[Path, ...]:
    font_paths = (Path(folder, name) for root in folders for folder, _, names in os.walk(root) for name in names)
    paths = {
        path for path in font_paths if path.suffix.lower() in _SUFFIXES and not _UNSUITABLE_NAME.search(path.stem)
    }

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
    user_folders = home / ".local/share/fonts", home / ".fonts"
    return Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/run/host/fonts"), *user_folders


@cache
def _read_letters_of_font(path: Path) -> Any:
    face = _open_font_face(path)
    return import_harfbuzz().Set() if face is None or face.has_color_png else face.unicodes


@cache
def _open_font_face(path: Path) -> Any:
    try:
        return import_harfbuzz().Face(import_harfbuzz().Blob.from_file_path(str(path)))
    except (OSError, import_harfbuzz().HarfBuzzError):
        return None
