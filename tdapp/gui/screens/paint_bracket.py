"""Paints a page of a bracket: matches with names that are read across a room, and the lines between them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tdapp.domain.tables.bracket import Branch, MatchBox, MatchSlot, Twig
from tdapp.gui.screens.fitting import NAME, draw, face, fitted, width
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import decided_by

_LABEL, _LINE = 0.03, 0.058  # heights: what a match is called, one player
_GAP = 0.05  # between columns
_WIDEST = 0.9  # of a match
_NOBODY = "–"
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


class BracketPainter:
    """Paints into `room` of a display `high` pixels high; `colour` returns one by its meaning."""

    def __init__(
        self, painter: QPainter, room: QRectF, high: float, colour: Callable[[str], QColor], catalogue: Catalogue
    ) -> None:
        self._painter, self._room, self._high = painter, room, high
        self._colour, self._catalogue = colour, catalogue

    def paint(self, branch: Branch) -> None:
        """Paint the lines, then the matches over them."""
        placed = {twig.box.key: (twig, self._place(branch, twig)) for twig in branch.twigs}
        self._painter.setPen(QPen(self._colour("edge"), self._high / 360))
        for twig, at in placed.values():
            to = placed.get(twig.box.next)
            if to is not None:
                self._join(at, to[1])
        for twig, at in placed.values():
            self._match(twig.box, at)

    def _place(self, branch: Branch, twig: Twig) -> QRectF:
        gap = self._high * _GAP
        wide = min((self._room.width() - gap * (branch.columns - 1)) / branch.columns, self._high * _WIDEST)
        whole = wide * branch.columns + gap * (branch.columns - 1)
        left = self._room.center().x() - whole / 2 + twig.column * (wide + gap)
        high = self._high * (_LABEL + 2 * _LINE)
        return QRectF(left, self._room.top() + twig.middle * self._room.height() - high / 2, wide, high)

    def _join(self, at: QRectF, to: QRectF) -> None:
        begin, end = QPointF(at.right(), self._middle(at)), QPointF(to.left(), self._middle(to))
        bend = end.x() - self._high * _GAP / 2
        self._painter.drawPolyline([begin, QPointF(bend, begin.y()), QPointF(bend, end.y()), end])

    def _middle(self, at: QRectF) -> float:
        return at.top() + self._high * (_LABEL + _LINE)

    def _match(self, box: MatchBox, at: QRectF) -> None:
        label = QRectF(at.left(), at.top(), at.width(), self._high * _LABEL)
        self._painter.setPen(self._colour("accent" if box.open else "muted"))
        text, made = fitted(self._label(box), at.width(), usual=self._high * 0.026, least=self._high * 0.022)
        draw(self._painter, label, text, made, align=_LEFT)
        lines = at.adjusted(0, label.height(), 0, 0)
        self._painter.setPen(QPen(self._colour("accent" if box.open else "edge"), self._high / 360))
        self._painter.setBrush(self._colour("sunken" if box.bye else "surface"))
        self._painter.drawRoundedRect(lines, self._high / 120, self._high / 120)
        middle, half = lines.center().y(), lines.height() / 2
        self._painter.drawLine(QPointF(lines.left(), middle), QPointF(lines.right(), middle))
        for number, side in enumerate(box.sides):
            row = QRectF(lines.left(), lines.top() + number * half, lines.width(), half)
            self._side(box, number, side, row.adjusted(self._high * 0.01, 0, -self._high * 0.01, 0))

    def _label(self, box: MatchBox) -> str:
        catalogue = self._catalogue
        table = catalogue.text("table {table}", table=box.games[-1].table) if box.open and box.games else ""
        return " · ".join(
            filter(None, (catalogue.match(box.name, within=True), table, decided_by(catalogue, box)))
        )

    def _side(self, box: MatchBox, number: int, side: MatchSlot, row: QRectF) -> None:
        lost = box.decided and not side.won
        self._painter.setPen(self._colour("text" if side.player and not lost else "muted"))
        points = self._points(box, number, side)
        figures = face(self._high * 0.036, bold=side.won)
        taken = width(points, figures) + self._high * 0.015 if points else 0.0
        draw(self._painter, row, points, figures, align=_RIGHT)
        name = side.name or self._coming(box, side)
        least = self._high * (NAME if side.player else 0.026)
        usual = self._high * (0.044 if side.player else 0.032)
        winner = side.won and not box.bye
        text, made = fitted(name, row.width() - taken, usual=usual, least=least, bold=winner)
        draw(self._painter, row, text, made, align=_LEFT)

    def _points(self, box: MatchBox, number: int, side: MatchSlot) -> str:
        """Return the games won of a series, or the points of the game."""
        if side.score is not None and box.games:
            return self._catalogue.points(Fraction(side.score))
        shown = [game.points[number] for game in box.games[-1:]]
        return "  ".join(_NOBODY if one is None else str(one) for one in shown)

    def _coming(self, box: MatchBox, side: MatchSlot) -> str:
        if side.came:
            return self._catalogue.coming(side.came, within=True)
        return self._catalogue.code("bye") if box.bye else _NOBODY
