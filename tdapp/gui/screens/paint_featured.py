"""Paints the featured table for the room: the board at the left, beside it who plays, the score, the last play.

Hides every measure; all are parts of the height of the screen.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tdapp.domain.tables.featured import FeaturedGame
from tdapp.gui.screens.fitting import NAME, WRAPPED, draw, face, fitted, largest, width
from tdapp.i18n.slides import FeaturedSlide
from tdapp.scrabble.board import CENTRE, LAYOUT
from tdapp.scrabble.coordinates import SIZE

_PREMIUMS = {"3": "word_3", "2": "word_2", "c": "letter_3", "b": "letter_2", "_": "sunken"}
_LEFT, _RIGHT, _CENTRE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


class FeaturedPainter:
    """Paints into `room` of a screen that is `high` pixels high."""

    def __init__(self, painter: QPainter, room: QRectF, high: float, colour: Callable[[str], QColor]) -> None:
        self._painter, self._room, self._high, self._colour = painter, room, high, colour

    def paint(self, slide: FeaturedSlide) -> None:
        """Paint the board and what is beside it."""
        room, gap = self._room, self._high * 0.04
        side = min(room.height(), room.width() * 0.6)
        self._board(slide.game, QRectF(room.left(), room.top(), side, side))
        left, wide, top = room.left() + side + gap, room.width() - side - gap, room.top()
        for number in (0, 1):
            self._player(slide.game, number, QRectF(left, top, wide, self._high * 0.19))
            top += self._high * 0.2
        self._text(slide.last, QRectF(left, top, wide, self._high * 0.15), most=0.055, tone="text", bold=True)
        top += self._high * 0.15
        if slide.doubt:
            self._text(slide.doubt, QRectF(left, top, wide, self._high * 0.08), tone="red")
            top += self._high * 0.08
        self._painter.setPen(self._colour("muted"))
        title = QRectF(left, top, wide, self._high * 0.04)
        draw(self._painter, title, slide.unseen_title, face(self._high * 0.03), align=_LEFT)
        self._text(slide.unseen, QRectF(left, title.bottom(), wide, room.bottom() - title.bottom()), tone="text")

    def _player(self, game: FeaturedGame, number: int, at: QRectF) -> None:
        """Paint a name, the score large, and the rack where it is known; who plays next has a stroke beside it."""
        score = str(game.scores[number])
        figures = face(self._high * 0.1, bold=True)
        line = QRectF(at.left(), at.top(), at.width(), self._high * 0.11)
        if game.turn == number + 1:
            stroke = QRectF(at.left() - self._high * 0.02, line.top(), self._high * 0.008, line.height())
            self._painter.fillRect(stroke, self._colour("accent"))
        self._painter.setPen(self._colour("text"))
        draw(self._painter, line, score, figures, align=_RIGHT)
        room = at.width() - width(score, figures) - self._high * 0.02
        name, made = fitted(game.names[number], room, usual=self._high * 0.055, least=self._high * NAME, bold=True)
        draw(self._painter, line, name, made, align=_LEFT)
        side = min(self._high * 0.065, at.width() / 7.5)
        for place, tile in enumerate(game.racks[number]):
            self._tile(tile, QRectF(at.left() + place * side, line.bottom(), side, side), new=False)

    def _board(self, game: FeaturedGame, at: QRectF) -> None:
        side = at.width() / SIZE
        for row in range(1, SIZE + 1):
            for column in range(1, SIZE + 1):
                square = QRectF(at.left() + (column - 1) * side, at.top() + (row - 1) * side, side, side)
                tile = game.board.at(row, column)
                if tile:
                    self._tile(tile, square, new=(row, column) in game.new)
                else:
                    self._square(square, row, column)

    def _square(self, at: QRectF, row: int, column: int) -> None:
        self._painter.fillRect(at.adjusted(1, 1, -1, -1), self._colour(_PREMIUMS[LAYOUT[row - 1][column - 1]]))
        if (row, column) == (CENTRE, CENTRE):
            self._painter.setPen(self._colour("text"))
            draw(self._painter, at, "★", face(at.height() * 0.5), align=_CENTRE)

    def _tile(self, tile: str, at: QRectF, *, new: bool) -> None:
        """Paint a tile: a blank in italics, those of the last play on a strong ground."""
        inner, blank = at.adjusted(1, 1, -1, -1), tile.islower() or tile == "?"
        self._painter.setPen(QPen(self._colour("accent" if new else "edge"), 2))
        self._painter.setBrush(self._colour("accent_soft" if new else "surface"))
        self._painter.drawRoundedRect(inner, at.width() * 0.1, at.width() * 0.1)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        made = face(at.height() * (0.68 if len(tile) == 1 else 0.5), bold=not blank)
        made.setItalic(blank)
        self._painter.setPen(self._colour("muted" if blank else "text"))
        draw(self._painter, inner, tile.upper(), made, align=_CENTRE)

    def _text(self, text: str, at: QRectF, *, most: float = 0.045, tone: str, bold: bool = False) -> None:
        self._painter.setPen(self._colour(tone))
        self._painter.setFont(largest(text, at, most=self._high * most, least=self._high * 0.026, bold=bold))
        flags = (int(WRAPPED) & ~int(Qt.AlignmentFlag.AlignCenter)) | int(_LEFT) | int(Qt.AlignmentFlag.AlignTop)
        self._painter.drawText(at, flags, text)
