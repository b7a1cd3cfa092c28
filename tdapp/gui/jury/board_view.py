"""A board as a picture: premium squares in the palette's colours with their signs, tiles with their values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tdapp.gui.widgets.theme import UNIT, Look, font
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.board import CENTRE, LAYOUT, Board
from tdapp.scrabble.coordinates import SIZE, Convention
from tdapp.scrabble.tiles import TileSet

Square = tuple[int, int]
LETTERS = "ABCDEFGHIJKLMNO"
# The ground and the sign's colour of each premium; the sign is a text, so that colour never stands alone.
_PREMIUMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        sign: (f"{tone}_soft", tone)
        for sign, tone in (("3", "red"), ("2", "amber"), ("c", "accent"), ("b", "green"))
    }
)
_SMALLEST, _LARGEST = 17, 30  # pixels of one square


class BoardView(QWidget):
    """Shows a board; new tiles have a frame."""

    def __init__(self, look: Look, catalogue: Catalogue) -> None:
        super().__init__()
        self._look = look
        text = catalogue.text
        self._signs = {"3": text("3W"), "2": text("2W"), "c": text("3L"), "b": text("2L")}
        self._board = Board()
        self._new: frozenset[Square] = frozenset()
        self._values: Mapping[str, int] = {}
        self._lettered_rows = False
        self._known = True
        self.setAccessibleName(catalogue.text("Board"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_board(
        self,
        board: Board,
        new: Collection[Square],
        *,
        tileset: TileSet,
        convention: Convention,
        known: bool = True,
    ) -> None:
        """Show `board`, on which the squares `new` were laid last; `known` False: it is not the whole board."""
        self._board, self._new, self._known = board, frozenset(new), known
        self._values = {letter.text: letter.value for letter in tileset.letters}
        self._lettered_rows = convention.lettered_rows
        rows = (" ".join(board.at(row, column) or "." for column in range(1, SIZE + 1)) for row in range(1, 16))
        self.setAccessibleDescription("" if board.is_empty else "\n".join(rows))
        self.update()

    @property
    def shown(self) -> tuple[Board, frozenset[Square]]:
        """What is shown: the board and its new squares."""
        return self._board, self._new

    def sizeHint(self) -> QSize:
        """Return a square that fits the width."""
        return _around(self._side(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the smallest board that can be read."""
        return _around(_SMALLEST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stay square."""
        super().resizeEvent(event)
        self.setFixedHeight(self.sizeHint().height())

    def _side(self, width: int) -> int:
        return max(_SMALLEST, min(_LARGEST, (width - 2 * UNIT) // SIZE))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the signs at the edges, the squares and the tiles."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._side(self.width())
        origin = QPointF(2 * UNIT, 2 * UNIT)
        self._edges(painter, origin, side)
        for row in range(1, SIZE + 1):
            for column in range(1, SIZE + 1):
                at = QRectF(origin.x() + (column - 1) * side, origin.y() + (row - 1) * side, side, side)
                tile = self._board.at(row, column)
                if tile:
                    self._tile(painter, at, tile, is_new=(row, column) in self._new)
                else:
                    self._square(painter, at, row, column)
        painter.end()

    def _edges(self, painter: QPainter, origin: QPointF, side: int) -> None:
        painter.setFont(font(10))
        painter.setPen(self._look.colour("muted"))
        numbers = [str(n) for n in range(1, SIZE + 1)]
        across, down = (numbers, LETTERS) if self._lettered_rows else (LETTERS, numbers)
        for index in range(SIZE):
            top = QRectF(origin.x() + index * side, 0, side, origin.y() - 2)
            left = QRectF(0, origin.y() + index * side, origin.x() - 3, side)
            painter.drawText(top, Qt.AlignmentFlag.AlignCenter, across[index])
            painter.drawText(left, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, down[index])

    def _square(self, painter: QPainter, at: QRectF, row: int, column: int) -> None:
        premium = LAYOUT[row - 1][column - 1]
        ground, tone = _PREMIUMS.get(premium, ("surface" if self._known else "window", "muted"))
        painter.setPen(QPen(self._look.colour("line"), 1))
        painter.setBrush(self._look.colour(ground))
        painter.drawRect(at.adjusted(0.5, 0.5, -0.5, -0.5))
        if premium == "_":
            return
        painter.setPen(self._look.colour(tone))
        sign = "★" if (row, column) == (CENTRE, CENTRE) else self._signs[premium]
        painter.setFont(font(max(8, int(at.width() * 0.4))))
        painter.drawText(at, Qt.AlignmentFlag.AlignCenter, sign)

    def _tile(self, painter: QPainter, at: QRectF, tile: str, *, is_new: bool) -> None:
        """Paint a tile: a blank has its letter in italics and no value, a new tile a frame and a strong ground."""
        blank = tile.islower()
        inner = at.adjusted(1, 1, -1, -1)
        painter.setPen(QPen(self._look.colour("accent" if is_new else "edge"), 2 if is_new else 1))
        painter.setBrush(self._look.colour("accent_soft" if is_new else "sunken"))
        painter.drawRoundedRect(inner, 3, 3)
        letter = font(int(at.width() * (0.58 if len(tile) == 1 else 0.44)), bold=not blank)
        letter.setItalic(blank)
        painter.setFont(letter)
        painter.setPen(self._look.colour("muted" if blank else "text"))
        place = inner if blank else inner.adjusted(0, -1, -at.width() * 0.18, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, tile)
        if not blank:
            painter.setFont(font(max(7, int(at.width() * 0.34))))
            painter.setPen(self._look.colour("text"))
            corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            painter.drawText(inner.adjusted(0, 0, -1.5, 0), corner, str(self._values.get(tile, "")))


def _around(side: int) -> QSize:
    """Return the size of a board whose squares have `side` pixels."""
    return QSize(side * SIZE + 2 * UNIT, side * SIZE + 2 * UNIT + 4)
