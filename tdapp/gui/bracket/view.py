"""The widget that draws a bracket."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea

from tdapp.domain.tables.bracket import BracketTree, MatchBox, MatchOnPage, MatchSlot
from tdapp.gui.widgets.fields import ENTER
from tdapp.gui.widgets.theme import LEAD, SMALL, UNIT, Appearance, make_scaled_font, make_unscaled_font
from tdapp.i18n.catalogue import TICK, Catalogue
from tdapp.i18n.layouts import NOBODY, BracketScale, PlacedMatch, SlotText, lay_out_matches
from tdapp.i18n.phrases import explain_match_decision
from tdapp.i18n.scores import format_side_scores

_NAME = UNIT * 28  # the width of a name
_GAME = UNIT * 5  # of the points of one game
_SCORE = UNIT * 4
_LINE = 28
_HEAD = 20  # the line that names the match
_BOX = _HEAD + 2 * _LINE
_PITCH = _BOX + UNIT * 3
_GAP = UNIT * 7  # between columns
_TITLE = UNIT * 5
_MARGIN = UNIT
SMALLEST, LARGEST, STEP = 0.4, 2.0, 1.15
_WAYS: Mapping[Qt.Key, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_MOST_GAMES = 5  # of a series whose points are shown one by one


class BracketView(QAbstractScrollArea):
    """Bracket widget.

    Arrow keys move the cursor, Enter opens a match, plus and minus zoom, 0 shows the whole bracket.
    """

    activated = Signal(str)
    cursor_moved = Signal()

    def __init__(self, look: Appearance, catalogue: Catalogue) -> None:
        super().__init__()
        self._look, self._catalogue = look, catalogue
        self.trees: Sequence[BracketTree] = ()
        self.placed: Mapping[str, PlacedMatch] = {}
        self._titles: Sequence[tuple[str, float]] = ()
        self._size = (0.0, 0.0)
        self._games = 1
        self.zoom = look.size / 100  # how large everything is, 1 for the usual size
        self._current = ""
        self._empty = ""
        self.setAccessibleName(catalogue.text("Bracket"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        look.changed.connect(self.viewport().update)

    # --- what is shown

    def show_bracket_trees(self, trees: Sequence[BracketTree]) -> None:
        self.trees = trees
        most = max((len(box.games) for tree in trees for box in tree.boxes), default=1)
        self._games = min(max(most, 1), _MOST_GAMES)
        self._compute_match_positions()
        if self._current not in self.placed:
            shown = [one.box for one in self.placed.values()]
            first = next((box for box in shown if box.open), shown[0] if shown else None)
            self._current = first.key if first else ""
        self._announce_match()
        self._set_scroll_ranges()
        self.viewport().update()

    def set_empty_text(self, text: str) -> None:
        self._empty = text
        self._announce_match()
        self.viewport().update()

    @property
    def current_match(self) -> MatchBox | None:
        placed = self.placed.get(self._current)
        return placed.box if placed else None

    def select_match(self, key: str) -> None:
        if key in self.placed:
            self._current = key
            self._scroll_to_match()
            self._announce_match()
            self.viewport().update()
            self.cursor_moved.emit()

    # --- how large

    def zoom_by(self, factor: float) -> None:
        self._set_zoom(max(SMALLEST, min(LARGEST, self.zoom * factor)))

    def show_whole_bracket(self) -> None:
        width, height = self._size
        if width and height:
            room = self.viewport().size()
            self._set_zoom(max(SMALLEST, min(1.0, room.width() / width, room.height() / height)))

    def _set_zoom(self, zoom: float) -> None:
        self.zoom = zoom
        self._set_scroll_ranges()
        self._scroll_to_match()
        self.viewport().update()

    # --- where everything is

    def _compute_match_positions(self) -> None:
        placed: dict[str, PlacedMatch] = {}
        titles: list[tuple[str, float]] = []
        top, width = float(_MARGIN), 0.0
        for tree in self.trees:
            boxes = [box for box in tree.boxes if box.needed or box.games]
            if not boxes:
                continue
            titles.append((self._catalogue.name_bracket_part(tree.title, *tree.places), top))
            first = top + _TITLE - min(0.5, *(box.row for box in boxes)) * _PITCH + _HEAD + _LINE
            scale = BracketScale(self._match_width, _GAP, _PITCH, _MARGIN, first)
            page_matches = (MatchOnPage(box, box.column, box.row) for box in boxes)
            matches = {one.box.key: one for one in lay_out_matches(self._catalogue, page_matches, scale)}
            top = max(one.middle for one in matches.values()) + _LINE + UNIT * 3
            width = max(width, _MARGIN * 2 + tree.columns * (self._match_width + _GAP) - _GAP)
            placed |= matches
        self.placed, self._titles, self._size = placed, titles, (width, top)

    def compute_match_area(self, match: PlacedMatch) -> QRectF:
        return QRectF(match.left, match.middle - _LINE - _HEAD, self._match_width, _BOX)

    @property
    def _match_width(self) -> int:
        series = any(side.score is not None for tree in self.trees for box in tree.boxes for side in box.sides)
        return _NAME + self._games * _GAME + (_SCORE if series else 0) + UNIT

    def _set_scroll_ranges(self) -> None:
        room = self.viewport().size()
        for bar, size, page in (
            (self.horizontalScrollBar(), self._size[0], room.width()),
            (self.verticalScrollBar(), self._size[1], room.height()),
        ):
            bar.setPageStep(page)
            bar.setSingleStep(UNIT * 4)
            bar.setRange(0, max(0, int(size * self.zoom) - page))

    def _scroll_to_match(self) -> None:
        placed = self.placed.get(self._current)
        if placed is None:
            return
        room = self.viewport().size()
        at = self.compute_match_area(placed)
        for bar, start, end, page in (
            (self.horizontalScrollBar(), at.left(), at.right(), room.width()),
            (self.verticalScrollBar(), at.top() - _TITLE, at.bottom(), room.height()),
        ):
            low, high = int(start * self.zoom) - UNIT, int(end * self.zoom) + UNIT
            bar.setValue(max(high - page, min(bar.value(), low)))

    def _find_match_key_at(self, point: QPoint) -> str:
        x = (point.x() + self.horizontalScrollBar().value()) / self.zoom
        y = (point.y() + self.verticalScrollBar().value()) / self.zoom
        return next(
            (key for key, one in self.placed.items() if self.compute_match_area(one).contains(QPointF(x, y))), ""
        )

    # --- hands

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _WAYS:
            self._move_cursor(*_WAYS[Qt.Key(event.key())])
        elif event.key() in ENTER and self._current:
            self.activated.emit(self._current)
        elif event.text() in {"+", "="}:
            self.zoom_by(STEP)
        elif event.text() == "-":
            self.zoom_by(1 / STEP)
        elif event.text() == "0":
            self.show_whole_bracket()
        else:
            super().keyPressEvent(event)

    def _move_cursor(self, x_step: int, y_step: int) -> None:
        """Move to the nearest match in a direction.

        Right goes to the winner's next match. Each step is -1, 0 or 1.
        """
        here = self.placed.get(self._current)
        if here is None:
            return
        if x_step > 0 and here.box.next in self.placed:
            self.select_match(here.box.next)
            return

        def measure_distance(match: PlacedMatch) -> float:
            x, y = match.left - here.left, match.middle - here.middle
            along, aside = (x * x_step, abs(y)) if x_step else (y * y_step, abs(x))
            return along + 2 * aside if along > 1 else float("inf")

        best = min(self.placed.values(), key=measure_distance)
        if measure_distance(best) < float("inf"):
            self.select_match(best.box.key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._find_match_key_at(event.position().toPoint())
        if key:
            self.select_match(key)
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        key = self._find_match_key_at(event.position().toPoint())
        if key:
            self.activated.emit(key)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(STEP if event.angleDelta().y() > 0 else 1 / STEP)
            event.accept()
        else:
            super().wheelEvent(event)

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        placed = self.placed.get(self._current)
        if query is not Qt.InputMethodQuery.ImCursorRectangle or placed is None:
            return super().inputMethodQuery(query)
        left, top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        at, zoom = self.compute_match_area(placed), self.zoom
        return QRectF(
            at.left() * zoom - left, at.top() * zoom - top, at.width() * zoom, at.height() * zoom
        ).toAlignedRect()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_scroll_ranges()
        self._scroll_to_match()

    def _announce_match(self) -> None:
        box = self.current_match
        self.setAccessibleDescription(self.describe_match(box) if box else self._empty)

    def describe_match(self, box: MatchBox) -> str:
        names = [self._format_slot_name(side) for side in box.sides]
        points = [f"{game.points[0]}{NOBODY}{game.points[1]}" for game in box.games if game.points[0] is not None]
        won = next((side.name for side in box.sides if side.won), "")
        parts = (self._catalogue.name_match(box.name), f"{names[0]} {NOBODY} {names[1]}", ", ".join(points))
        won = f"{TICK} {won}" if won and not box.bye else ""
        return ". ".join(
            filter(None, (*parts, won, explain_match_decision(self._catalogue, box), self._describe_warning(box)))
        )

    # --- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.placed:
            painter.setPen(self._look.colour("muted"))
            painter.setFont(make_scaled_font(LEAD))
            wrapped = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect(), wrapped, self._empty)
            painter.end()
            return
        painter.translate(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        painter.scale(self.zoom, self.zoom)
        painter.setPen(self._look.colour("text"))
        painter.setFont(make_unscaled_font(LEAD, bold=True))
        for title, top in self._titles:
            painter.drawText(QPointF(_MARGIN, top + _TITLE - UNIT * 2), title)
        self._paint_connecting_lines(painter)
        seen = painter.worldTransform().inverted()[0].mapRect(QRectF(self.viewport().rect()))
        for one in self.placed.values():
            if self.compute_match_area(one).intersects(seen):
                self._paint_match(painter, one)
        painter.end()

    def _paint_connecting_lines(self, painter: QPainter) -> None:
        for one in sorted(self.placed.values(), key=lambda one: one.box.decided):  # decided matches on top
            gone = one.box.decided
            painter.setPen(QPen(self._look.colour("accent" if gone else "edge"), 2.5 if gone else 1.5))
            painter.drawPolyline([QPointF(*point) for point in one.join])

    def _paint_match(self, painter: QPainter, match: PlacedMatch) -> None:
        look, box, at = self._look, match.box, self.compute_match_area(match)
        chosen = box.key == self._current and self.hasFocus()
        lines = at.adjusted(0, _HEAD, 0, 0)
        warning = self._describe_warning(box)
        tone = "amber" if warning else "accent" if box.open else "muted"
        painter.setFont(make_unscaled_font(11, bold=box.open))
        painter.setPen(look.colour(tone))
        metrics = QFontMetrics(painter.font())
        label = metrics.elidedText(match.title, Qt.TextElideMode.ElideRight, int(at.width()))
        painter.drawText(QRectF(at.left(), at.top(), at.width(), _HEAD), Qt.AlignmentFlag.AlignVCenter, label)
        below = QRectF(at.left(), at.bottom() + 2, at.width(), _HEAD)
        painter.setPen(look.colour("amber" if warning else "muted"))
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, warning or match.reason)
        self._paint_match_background(painter, box, lines)
        border = "accent" if chosen else "amber" if warning else "accent" if box.open else "edge"
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(look.colour(border), 3 if chosen else 2 if box.open else 1.2))
        painter.drawRoundedRect(lines, 6, 6)
        painter.setPen(QPen(look.colour("line"), 1))
        painter.drawLine(QPointF(lines.left() + 1, match.middle), QPointF(lines.right() - 1, match.middle))
        for number, slot in enumerate(match.slots):
            row = QRectF(lines.left(), lines.top() + number * _LINE, at.width(), _LINE)
            self._paint_slot(painter, box, number, slot, row)

    def _paint_match_background(self, painter: QPainter, box: MatchBox, area: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.colour("sunken" if box.bye else "surface"))
        painter.drawRoundedRect(area, 6, 6)
        for number, side in enumerate(box.sides):
            if side.won and not box.bye:
                painter.setBrush(self._look.colour("accent_soft"))
                painter.setClipRect(QRectF(area.left(), area.top() + number * _LINE, area.width(), _LINE))
                painter.drawRoundedRect(area, 6, 6)
                painter.setClipping(False)

    def _describe_warning(self, box: MatchBox) -> str:
        if box.outdated:
            return self._catalogue.text("result changed: choose who plays")
        return self._catalogue.text("tie: choose the winner") if box.level else ""

    def _paint_slot(self, painter: QPainter, box: MatchBox, slot_index: int, slot: SlotText, area: QRectF) -> None:
        letters = make_unscaled_font(SMALL, bold=slot.won)
        letters.setStrikeOut(box.sides[slot_index].withdrawn)
        painter.setFont(letters)
        painter.setPen(self._look.colour("text" if slot.known and not slot.lost else "muted"))
        right = area.right() - UNIT / 2
        metrics, end = QFontMetrics(painter.font()), Qt.TextElideMode.ElideRight
        for text, least in self._list_score_texts(box, slot_index, box.sides[slot_index]):
            width = max(least, metrics.horizontalAdvance(text) + UNIT)
            right -= width
            painter.drawText(QRectF(right, area.top(), width, area.height()), Qt.AlignmentFlag.AlignCenter, text)
        seed = QRectF(area.left() + UNIT / 2, area.top(), UNIT * 3, area.height())
        room = QRectF(seed.right() + UNIT / 2, area.top(), right - seed.right() - UNIT, area.height())
        name = metrics.elidedText(slot.name, end, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(make_unscaled_font(11))
        painter.setPen(self._look.colour("muted"))
        painter.drawText(seed, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, slot.seed)

    def _list_score_texts(self, box: MatchBox, slot_index: int, slot: MatchSlot) -> Iterator[tuple[str, int]]:
        if slot.score is not None:
            yield self._catalogue.format_points(Fraction(slot.score)) if box.games else "", _SCORE
        for game in reversed(box.games[-self._games :]):
            text = format_side_scores(self._catalogue, game.points, game.decision)[slot_index]
            yield text or (NOBODY if game.decision is not None else ""), _GAME

    def _format_slot_name(self, slot: MatchSlot) -> str:
        if slot.player is not None:
            status = self._catalogue.code("disqualified" if slot.disqualified else "withdrawn")
            return f"{slot.name} ({status})" if slot.withdrawn else slot.name
        return self._catalogue.describe_slot_origin(slot.origin) if slot.origin else self._catalogue.code("bye")
