"""Paint the bracket, and the board of the featured table.

All sizes are relative to the height of the screen.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tdapp.domain.tables.bracket import Branch, MatchBox, MatchSlot, Twig
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.gui.screens.text_fitting import (
    NAME,
    WRAPPED,
    draw_line,
    find_largest_font,
    fit_text,
    make_font,
    measure_width,
    shorten_first_names,
)
from tdapp.gui.widgets.theme import PREMIUMS
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import decided_by
from tdapp.i18n.scores import match_score
from tdapp.i18n.slides import FeaturedSlide
from tdapp.scrabble.board import CENTRE, LAYOUT
from tdapp.scrabble.coordinates import SIZE

_LABEL, _LINE = 0.03, 0.058  # heights of a match title and of a player
_GAP = 0.05  # gap between columns
_WIDEST = 0.9  # maximum width of a match
_NOBODY = "–"
_LEFT, _RIGHT, _CENTRE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


class BracketPainter:
    """Paints matches with names large enough for a room, and the lines between them.

    `room` is the area on a display with height `high` in pixels. `colour` maps a meaning to a colour.
    """

    def __init__(
        self, painter: QPainter, room: QRectF, high: float, colour: Callable[[str], QColor], catalogue: Catalogue
    ) -> None:
        self._painter, self._room, self._high = painter, room, high
        self._colour, self._catalogue = colour, catalogue

    def paint(self, branch: Branch) -> None:
        """Paint the lines, then the matches."""
        placed = {twig.box.key: (twig, self._place_match(branch, twig)) for twig in branch.twigs}
        self._painter.setPen(QPen(self._colour("edge"), self._high / 360))
        for twig, at in placed.values():
            to = placed.get(twig.box.next)
            if to is not None:
                self._paint_join(at, to[1])
        for twig, at in placed.values():
            self._paint_match(twig.box, at)

    def _place_match(self, branch: Branch, twig: Twig) -> QRectF:
        gap = self._high * _GAP
        wide = min((self._room.width() - gap * (branch.columns - 1)) / branch.columns, self._high * _WIDEST)
        whole = wide * branch.columns + gap * (branch.columns - 1)
        left = self._room.center().x() - whole / 2 + twig.column * (wide + gap)
        high = self._high * (_LABEL + 2 * _LINE)
        return QRectF(left, self._room.top() + twig.middle * self._room.height() - high / 2, wide, high)

    def _paint_join(self, at: QRectF, to: QRectF) -> None:
        begin, end = QPointF(at.right(), self._find_middle(at)), QPointF(to.left(), self._find_middle(to))
        bend = end.x() - self._high * _GAP / 2
        self._painter.drawPolyline([begin, QPointF(bend, begin.y()), QPointF(bend, end.y()), end])

    def _find_middle(self, at: QRectF) -> float:
        return at.top() + self._high * (_LABEL + _LINE)

    def _paint_match(self, box: MatchBox, at: QRectF) -> None:
        label = QRectF(at.left(), at.top(), at.width(), self._high * _LABEL)
        self._painter.setPen(self._colour("accent" if box.open else "muted"))
        text, made = fit_text(
            self._label_match(box), at.width(), usual=self._high * 0.026, least=self._high * 0.022
        )
        draw_line(self._painter, label, text, made, align=_LEFT)
        lines = at.adjusted(0, label.height(), 0, 0)
        self._painter.setPen(QPen(self._colour("accent" if box.open else "edge"), self._high / 360))
        self._painter.setBrush(self._colour("sunken" if box.bye else "surface"))
        self._painter.drawRoundedRect(lines, self._high / 120, self._high / 120)
        middle, half = lines.center().y(), lines.height() / 2
        self._painter.drawLine(QPointF(lines.left(), middle), QPointF(lines.right(), middle))
        for number, side in enumerate(box.sides):
            row = QRectF(lines.left(), lines.top() + number * half, lines.width(), half)
            self._paint_side(box, number, side, row.adjusted(self._high * 0.01, 0, -self._high * 0.01, 0))

    def _label_match(self, box: MatchBox) -> str:
        catalogue = self._catalogue
        table = catalogue.text("table {table}", table=box.games[-1].table) if box.open and box.games else ""
        return " · ".join(
            filter(None, (catalogue.match(box.name, within=True), table, decided_by(catalogue, box)))
        )

    def _paint_side(self, box: MatchBox, number: int, side: MatchSlot, row: QRectF) -> None:
        lost = box.decided and not side.won
        self._painter.setPen(self._colour("text" if side.player and not lost else "muted"))
        points = self._format_points(box, number)
        figures = make_font(self._high * 0.036, bold=side.won)
        taken = measure_width(points, figures) + self._high * 0.015 if points else 0.0
        draw_line(self._painter, row, points, figures, align=_RIGHT)
        name = side.name or self._name_coming(box, side)
        least = self._high * (NAME if side.player else 0.026)
        usual = self._high * (0.044 if side.player else 0.032)
        winner, short = side.won and not box.bye, shorten_first_names(name) if side.player else ""
        text, made = fit_text(name, row.width() - taken, usual=usual, least=least, bold=winner, short=short)
        draw_line(self._painter, row, text, made, align=_LEFT)

    def _format_points(self, box: MatchBox, number: int) -> str:
        return match_score(self._catalogue, box, number) or (_NOBODY if box.games else "")

    def _name_coming(self, box: MatchBox, side: MatchSlot) -> str:
        if side.came:
            return self._catalogue.coming(side.came, within=True)
        return self._catalogue.code("bye") if box.bye else _NOBODY


class FeaturedPainter:
    """Paints the board at the left, and next to it players, score and last play.

    Arguments as for BracketPainter.
    """

    def __init__(self, painter: QPainter, room: QRectF, high: float, colour: Callable[[str], QColor]) -> None:
        self._painter, self._room, self._high, self._colour = painter, room, high, colour

    def paint(self, slide: FeaturedSlide) -> None:
        room, gap = self._room, self._high * 0.04
        side = min(room.height(), room.width() * 0.6)
        self._paint_board(slide.game, QRectF(room.left(), room.top(), side, side))
        left, wide, top = room.left() + side + gap, room.width() - side - gap, room.top()
        for number in (0, 1):
            self._paint_player(slide.game, number, QRectF(left, top, wide, self._high * 0.19))
            top += self._high * 0.2
        self._paint_text(
            slide.last, QRectF(left, top, wide, self._high * 0.15), most=0.055, tone="text", bold=True
        )
        top += self._high * 0.15
        if slide.doubt:
            self._paint_text(slide.doubt, QRectF(left, top, wide, self._high * 0.08), tone="red")
            top += self._high * 0.08
        self._painter.setPen(self._colour("muted"))
        title = QRectF(left, top, wide, self._high * 0.04)
        draw_line(self._painter, title, slide.unseen_title, make_font(self._high * 0.03), align=_LEFT)
        self._paint_text(
            slide.unseen, QRectF(left, title.bottom(), wide, room.bottom() - title.bottom()), tone="text"
        )

    def _paint_player(self, game: FeaturedGame, number: int, at: QRectF) -> None:
        score = str(game.scores[number])
        figures = make_font(self._high * 0.1, bold=True)
        line = QRectF(at.left(), at.top(), at.width(), self._high * 0.11)
        if game.turn == number + 1:
            stroke = QRectF(at.left() - self._high * 0.02, line.top(), self._high * 0.008, line.height())
            self._painter.fillRect(stroke, self._colour("accent"))
        self._painter.setPen(self._colour("text"))
        draw_line(self._painter, line, score, figures, align=_RIGHT)
        room = at.width() - measure_width(score, figures) - self._high * 0.02
        name, least = game.names[number], self._high * NAME
        name, made = fit_text(
            name, room, usual=self._high * 0.055, least=least, bold=True, short=shorten_first_names(name)
        )
        draw_line(self._painter, line, name, made, align=_LEFT)
        side = min(self._high * 0.065, at.width() / 7.5)
        for place, tile in enumerate(game.racks[number]):
            self._paint_tile(tile, QRectF(at.left() + place * side, line.bottom(), side, side), new=False)

    def _paint_board(self, game: FeaturedGame, at: QRectF) -> None:
        side = at.width() / SIZE
        for row in range(1, SIZE + 1):
            for column in range(1, SIZE + 1):
                square = QRectF(at.left() + (column - 1) * side, at.top() + (row - 1) * side, side, side)
                tile = game.board.at(row, column)
                if tile:
                    self._paint_tile(tile, square, new=(row, column) in game.new)
                else:
                    self._paint_square(square, row, column)

    def _paint_square(self, at: QRectF, row: int, column: int) -> None:
        ground = self._colour(PREMIUMS.get(LAYOUT[row - 1][column - 1], "sunken"))
        self._painter.fillRect(at.adjusted(1, 1, -1, -1), ground)
        if (row, column) == (CENTRE, CENTRE):
            self._painter.setPen(self._colour("text"))
            draw_line(self._painter, at, "★", make_font(at.height() * 0.5), align=_CENTRE)

    def _paint_tile(self, tile: str, at: QRectF, *, new: bool) -> None:
        inner, blank = at.adjusted(1, 1, -1, -1), tile.islower() or tile == "?"
        self._painter.setPen(QPen(self._colour("accent" if new else "edge"), 2))
        self._painter.setBrush(self._colour("accent_soft" if new else "surface"))
        self._painter.drawRoundedRect(inner, at.width() * 0.1, at.width() * 0.1)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        made = make_font(at.height() * (0.68 if len(tile) == 1 else 0.5), bold=not blank)
        made.setItalic(blank)
        self._painter.setPen(self._colour("muted" if blank else "text"))
        draw_line(self._painter, inner, tile.upper(), made, align=_CENTRE)

    def _paint_text(self, text: str, at: QRectF, *, most: float = 0.045, tone: str, bold: bool = False) -> None:
        self._painter.setPen(self._colour(tone))
        self._painter.setFont(
            find_largest_font(text, at, most=self._high * most, least=self._high * 0.026, bold=bold)
        )
        flags = (int(WRAPPED) & ~int(Qt.AlignmentFlag.AlignCenter)) | int(_LEFT) | int(Qt.AlignmentFlag.AlignTop)
        self._painter.drawText(at, flags, text)
