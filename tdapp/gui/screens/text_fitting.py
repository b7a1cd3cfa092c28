"""Fit text into a width: smaller, narrow, short name, cut."""

from __future__ import annotations

from bisect import bisect

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from tdapp.domain.text_characters import split_name_suffix
from tdapp.gui.widgets.theme import exact_font

NAME = 1 / 25  # smallest size of a name, relative to the height
_NARROW = "Noto Sans Condensed"
WRAPPED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def make_font(size: float, *, bold: bool = False, narrow: bool = False) -> QFont:
    """`size` is in pixels."""
    made = exact_font(max(round(size), 1), bold=bold)
    if narrow:
        made.setFamily(_NARROW)
    return made


def measure_width(text: str, made: QFont) -> float:
    return QFontMetricsF(made).horizontalAdvance(text)


def fit_text(
    text: str, room: float, *, usual: float, least: float, bold: bool = False, short: str = ""
) -> tuple[str, QFont]:
    """Fit into `room` pixels with a font of at least `least` pixels.

    `short` is the short form of a name. The suffix that separates it from equal names is never cut.
    """
    ways = [(text, usual, False), (text, usual, True), (text, least, True)]
    ways += [(short, usual, True), (short, least, True)] if short else []
    for shown, size, narrow in ways:
        made = make_font(size, bold=bold, narrow=narrow)
        if measure_width(shown, made) <= room:
            return shown, made
    name, apart = split_name_suffix(short or text)
    left = room - measure_width(apart, made)
    if not short or left < room / 3:
        name, apart, left = short or text, "", room
    return QFontMetricsF(made).elidedText(name, Qt.TextElideMode.ElideRight, left) + apart, made


def shorten_first_names(name: str) -> str:
    """Turn `van Dam, Jan Willem` into `van Dam, J. W.`.

    Prefixes such as `van`, and the suffix that separates equal names, stay.
    """
    name, apart = split_name_suffix(name)
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma:
        return f"{last}, {_short(first)}{apart}"
    *firsts, last = name.split() or [name]
    return f"{_short(' '.join(firsts))} {last}".strip() + apart


def _short(names: str) -> str:
    return " ".join(one if one[0].islower() else f"{one[0]}." for one in names.split())


def find_largest_font(text: str, room: QRectF, *, most: float, least: float, bold: bool = False) -> QFont:
    """Fit word-wrapped text between two sizes."""
    low = round(least)
    larger = range(low + 1, round(most) + 1)
    fitting = bisect(larger, 0, key=lambda size: not _fits(text, room, make_font(size, bold=bold)))
    return make_font(low + fitting, bold=bold)


def _fits(text: str, room: QRectF, made: QFont) -> bool:
    metrics = QFontMetricsF(made)
    if any(metrics.horizontalAdvance(word) > room.width() for word in text.split()):
        return False
    needed = metrics.boundingRect(QRectF(0, 0, room.width(), 1e6), int(WRAPPED), text)
    return needed.height() <= room.height() and needed.width() <= room.width()


def draw_line(painter: QPainter, room: QRectF, text: str, made: QFont, *, align: Qt.AlignmentFlag) -> None:
    painter.setFont(made)
    painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)
