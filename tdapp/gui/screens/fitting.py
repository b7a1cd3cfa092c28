"""Names and words in big type: the largest that fits, a narrower face, a shortened name, and at last a cut one."""

from __future__ import annotations

from bisect import bisect

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from tdapp.gui.widgets.theme import exact_font

NAME = 1 / 25  # the least size of a name, of the height
_NARROW = "Noto Sans Condensed"
WRAPPED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def face(size: float, *, bold: bool = False, narrow: bool = False) -> QFont:
    """Return the program's font in `size` pixels, narrow where room is scarce."""
    made = exact_font(max(round(size), 1), bold=bold)
    if narrow:
        made.setFamily(_NARROW)
    return made


def width(text: str, made: QFont) -> float:
    """Return how wide a text is, in pixels."""
    return QFontMetricsF(made).horizontalAdvance(text)


def fitted(name: str, room: float, *, usual: float, least: float, bold: bool = False) -> tuple[str, QFont]:
    """Return a name as it fits into `room` pixels, with its font: never smaller than `least` pixels."""
    short = initials(name)
    ways = [(name, usual, False), (name, usual, True), (name, least, True)]
    ways += [(short, usual, True), (short, least, True)]
    for text, size, narrow in ways:
        made = face(size, bold=bold, narrow=narrow)
        if width(text, made) <= room:
            return text, made
    return QFontMetricsF(made).elidedText(name, Qt.TextElideMode.ElideRight, room), made


def initials(name: str) -> str:
    """Return a name with its first names shortened: `Müller-Schmidt, Jan Willem` to `Müller-Schmidt, J. W.`."""
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma:
        return f"{last}, {_short(first)}"
    *firsts, last = name.split() or [name]
    return f"{_short(' '.join(firsts))} {last}".strip()


def _short(names: str) -> str:
    return " ".join(f"{one[0]}." for one in names.split())


def largest(text: str, room: QRectF, *, most: float, least: float, bold: bool = False) -> QFont:
    """Return the largest font between two sizes in which a text, wrapped at its words, fits into a rectangle."""
    low = round(least)
    larger = range(low + 1, round(most) + 1)
    fitting = bisect(larger, 0, key=lambda size: not _fits(text, room, face(size, bold=bold)))
    return face(low + fitting, bold=bold)


def _fits(text: str, room: QRectF, made: QFont) -> bool:
    metrics = QFontMetricsF(made)
    if any(metrics.horizontalAdvance(word) > room.width() for word in text.split()):
        return False
    needed = metrics.boundingRect(QRectF(0, 0, room.width(), 1e6), int(WRAPPED), text)
    return needed.height() <= room.height() and needed.width() <= room.width()


def draw(painter: QPainter, room: QRectF, text: str, made: QFont, *, align: Qt.AlignmentFlag) -> None:
    """Draw a text on one line, in the middle of a rectangle's height."""
    painter.setFont(made)
    painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)
