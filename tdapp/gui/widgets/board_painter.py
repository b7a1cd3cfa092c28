"""Paint the squares and tiles of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tdapp.gui.widgets.theme import PREMIUM_TONES, make_unscaled_font
from tdapp.i18n.layouts import BoardSquare

_CENTRED = Qt.AlignmentFlag.AlignCenter


class BoardPainter:
    """Paints boards and racks.

    `colour` returns the colour for a name such as "line". `square_tone` is the colour name of squares without a
    premium. The tone "sunken" also makes tiles light and letters large, for distant viewers.
    """

    def __init__(self, painter: QPainter, colour: Callable[[str], QColor], side: float, square_tone: str) -> None:
        self._painter, self._colour, self._side, self._square_tone = painter, colour, side, square_tone
        large = square_tone == "sunken"
        self._line, self._tile, self._letter = ("surface", "surface", 0.68) if large else ("line", "sunken", 0.58)

    def paint_board(self, squares: Iterable[BoardSquare], left: float, top: float) -> None:
        side = self._side
        for square in squares:
            area = QRectF(left + (square.column - 1) * side, top + (square.row - 1) * side, side, side)
            if square.tile:
                self._paint_tile(square, area)
            else:
                self._paint_empty_square(square, area)

    def paint_rack(self, tiles: Iterable[BoardSquare], left: float, top: float) -> None:
        for index, tile in enumerate(tiles):
            self._paint_tile(tile, QRectF(left + index * self._side, top, self._side, self._side))

    def _paint_empty_square(self, square: BoardSquare, area: QRectF) -> None:
        self._painter.setPen(QPen(self._colour(self._line), 1))
        self._painter.setBrush(self._colour(PREMIUM_TONES.get(square.premium, self._square_tone)))
        self._painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
        self._painter.setPen(self._colour("text"))
        self._painter.setFont(make_unscaled_font(max(8, int(self._side * 0.4))))
        self._painter.drawText(area, _CENTRED, "★" if square.is_centre else square.sign)

    def _paint_tile(self, square: BoardSquare, area: QRectF) -> None:
        inner, side = area.adjusted(1, 1, -1, -1), self._side
        self._painter.setPen(
            QPen(self._colour("accent" if square.new else "edge"), side / (15 if square.new else 30))
        )
        self._painter.setBrush(self._colour("accent_soft" if square.new else self._tile))
        self._painter.drawRoundedRect(inner, side / 10, side / 10)
        letter = make_unscaled_font(
            int(side * self._letter * (1 if len(square.tile) == 1 else 0.75)), bold=not square.is_blank
        )
        letter.setItalic(square.is_blank)
        self._painter.setFont(letter)
        self._painter.setPen(self._colour("muted" if square.is_blank else "text"))
        letter_area = inner.adjusted(0, -1, -side * 0.18, 0) if square.value else inner
        self._painter.drawText(letter_area, _CENTRED, square.tile.upper())
        self._painter.setFont(make_unscaled_font(max(7, int(side * 0.34))))
        self._painter.setPen(self._colour("text"))
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        self._painter.drawText(inner.adjusted(0, 0, -1.5, 0), corner, square.value)
