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

from tdapp.domain.tables.bracket import BracketTree, MatchBox, MatchBoxOnPage, MatchSlot
from tdapp.gui.widgets.fields import ENTER
from tdapp.gui.widgets.theme import LEAD, SMALL, UNIT, Appearance, make_scaled_font, make_unscaled_font
from tdapp.i18n.catalogue import TICK, Catalogue
from tdapp.i18n.layouts import DASH, BracketDimensions, BracketSlotText, PositionedMatch, lay_out_matches
from tdapp.i18n.phrases import explain_match_decision
from tdapp.i18n.scores import format_scores_of_both_players

_NAME_WIDTH = UNIT * 28
_POINTS_WIDTH = UNIT * 5  # points of one game
_SCORE_WIDTH = UNIT * 4
_SLOT_HEIGHT = 28
_HEADER_HEIGHT = 20  # the line that names the match
_MATCH_HEIGHT = _HEADER_HEIGHT + 2 * _SLOT_HEIGHT
_MATCH_PITCH = _MATCH_HEIGHT + UNIT * 3
_COLUMN_GAP = UNIT * 7
_TITLE_HEIGHT = UNIT * 5
_MARGIN = UNIT
MIN_ZOOM, MAX_ZOOM, ZOOM_STEP = 0.4, 2.0, 1.15
_DIRECTIONS: Mapping[Qt.Key, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_MAX_SHOWN_GAMES = 5  # games of a series with their own points


class BracketView(QAbstractScrollArea):
    """Bracket widget.

    Arrow keys move the cursor, Enter opens a match, plus and minus zoom, 0 shows the whole bracket.
    """

    activated = Signal(str)
    cursor_moved = Signal()

    def __init__(self, appearance: Appearance, catalogue: Catalogue) -> None:
        super().__init__()
        self._appearance, self._catalogue = appearance, catalogue
        self.trees: Sequence[BracketTree] = ()
        self.placed_matches: Mapping[str, PositionedMatch] = {}
        self._titles: Sequence[tuple[str, float]] = ()
        self._size = (0.0, 0.0)
        self._shown_game_count = 1
        self.zoom = appearance.size / 100  # 1 for the usual size
        self._current_key = ""
        self._empty_text = ""
        self.setAccessibleName(catalogue.text("Bracket"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        appearance.changed.connect(self.viewport().update)

    # --- content

    def show_bracket_trees(self, trees: Sequence[BracketTree]) -> None:
        self.trees = trees
        most_games = max((len(box.games) for tree in trees for box in tree.boxes), default=1)
        self._shown_game_count = min(max(most_games, 1), _MAX_SHOWN_GAMES)
        self._compute_match_positions()
        if self._current_key not in self.placed_matches:
            boxes = [match.box for match in self.placed_matches.values()]
            first = next((box for box in boxes if box.open), boxes[0] if boxes else None)
            self._current_key = first.key if first else ""
        self._update_match_description()
        self._set_scroll_ranges()
        self.viewport().update()

    def set_empty_text(self, text: str) -> None:
        self._empty_text = text
        self._update_match_description()
        self.viewport().update()

    @property
    def current_match(self) -> MatchBox | None:
        match = self.placed_matches.get(self._current_key)
        return match.box if match else None

    def select_match(self, key: str) -> None:
        if key in self.placed_matches:
            self._current_key = key
            self._scroll_to_current_match()
            self._update_match_description()
            self.viewport().update()
            self.cursor_moved.emit()

    # --- zoom

    def zoom_by(self, factor: float) -> None:
        self._set_zoom(max(MIN_ZOOM, min(MAX_ZOOM, self.zoom * factor)))

    def zoom_out_to_whole_bracket(self) -> None:
        width, height = self._size
        if width and height:
            viewport_size = self.viewport().size()
            self._set_zoom(max(MIN_ZOOM, min(1.0, viewport_size.width() / width, viewport_size.height() / height)))

    def _set_zoom(self, zoom: float) -> None:
        self.zoom = zoom
        self._set_scroll_ranges()
        self._scroll_to_current_match()
        self.viewport().update()

    # --- layout

    def _compute_match_positions(self) -> None:
        placed_matches: dict[str, PositionedMatch] = {}
        titles: list[tuple[str, float]] = []
        top, width = float(_MARGIN), 0.0
        for tree in self.trees:
            boxes = [box for box in tree.boxes if box.needed or box.games]
            if not boxes:
                continue
            titles.append((self._catalogue.format_bracket_part(tree.title, *tree.places), top))
            first_row = min(0.5, *(box.row for box in boxes))
            first = top + _TITLE_HEIGHT - first_row * _MATCH_PITCH + _HEADER_HEIGHT + _SLOT_HEIGHT
            scale = BracketDimensions(self._unscaled_match_width, _COLUMN_GAP, _MATCH_PITCH, _MARGIN, first)
            page_matches = (MatchBoxOnPage(box, box.column, box.row) for box in boxes)
            matches = {match.box.key: match for match in lay_out_matches(self._catalogue, page_matches, scale)}
            top = max(match.middle for match in matches.values()) + _SLOT_HEIGHT + UNIT * 3
            width = max(
                width, _MARGIN * 2 + tree.columns * (self._unscaled_match_width + _COLUMN_GAP) - _COLUMN_GAP
            )
            placed_matches |= matches
        self.placed_matches, self._titles, self._size = placed_matches, titles, (width, top)

    def compute_unscaled_match_area(self, match: PositionedMatch) -> QRectF:
        return QRectF(
            match.left, match.middle - _SLOT_HEIGHT - _HEADER_HEIGHT, self._unscaled_match_width, _MATCH_HEIGHT
        )

    @property
    def _unscaled_match_width(self) -> int:
        has_series = any(side.score is not None for tree in self.trees for box in tree.boxes for side in box.sides)
        return _NAME_WIDTH + self._shown_game_count * _POINTS_WIDTH + (_SCORE_WIDTH if has_series else 0) + UNIT

    def _set_scroll_ranges(self) -> None:
        viewport_size = self.viewport().size()
        for bar, size, page in (
            (self.horizontalScrollBar(), self._size[0], viewport_size.width()),
            (self.verticalScrollBar(), self._size[1], viewport_size.height()),
        ):
            bar.setPageStep(page)
            bar.setSingleStep(UNIT * 4)
            bar.setRange(0, max(0, int(size * self.zoom) - page))

    def _scroll_to_current_match(self) -> None:
        match = self.placed_matches.get(self._current_key)
        if match is None:
            return
        viewport_size = self.viewport().size()
        area = self.compute_unscaled_match_area(match)
        for bar, start, end, page in (
            (self.horizontalScrollBar(), area.left(), area.right(), viewport_size.width()),
            (self.verticalScrollBar(), area.top() - _TITLE_HEIGHT, area.bottom(), viewport_size.height()),
        ):
            area_start, area_end = int(start * self.zoom) - UNIT, int(end * self.zoom) + UNIT
            bar.setValue(max(area_end - page, min(bar.value(), area_start)))

    def _find_match_key_at(self, point: QPoint) -> str:
        x = (point.x() + self.horizontalScrollBar().value()) / self.zoom
        y = (point.y() + self.verticalScrollBar().value()) / self.zoom
        return next(
            (
                key
                for key, match in self.placed_matches.items()
                if self.compute_unscaled_match_area(match).contains(QPointF(x, y))
            ),
            "",
        )

    # --- keyboard and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _DIRECTIONS:
            self._move_cursor(*_DIRECTIONS[Qt.Key(event.key())])
        elif event.key() in ENTER and self._current_key:
            self.activated.emit(self._current_key)
        elif event.text() in {"+", "="}:
            self.zoom_by(ZOOM_STEP)
        elif event.text() == "-":
            self.zoom_by(1 / ZOOM_STEP)
        elif event.text() == "0":
            self.zoom_out_to_whole_bracket()
        else:
            super().keyPressEvent(event)

    def _move_cursor(self, x_step: int, y_step: int) -> None:
        """Move to the nearest match in a direction.

        Right goes to the winner's next match. Each step is -1, 0 or 1.
        """
        current = self.placed_matches.get(self._current_key)
        if current is None:
            return
        if x_step > 0 and current.box.next in self.placed_matches:
            self.select_match(current.box.next)
            return

        def measure_distance(match: PositionedMatch) -> float:
            x, y = match.left - current.left, match.middle - current.middle
            forward_distance, side_distance = (x * x_step, abs(y)) if x_step else (y * y_step, abs(x))
            return forward_distance + 2 * side_distance if forward_distance > 1 else float("inf")

        nearest = min(self.placed_matches.values(), key=measure_distance)
        if measure_distance(nearest) < float("inf"):
            self.select_match(nearest.box.key)

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
            self.zoom_by(ZOOM_STEP if event.angleDelta().y() > 0 else 1 / ZOOM_STEP)
            event.accept()
        else:
            super().wheelEvent(event)

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        match = self.placed_matches.get(self._current_key)
        if query is not Qt.InputMethodQuery.ImCursorRectangle or match is None:
            return super().inputMethodQuery(query)
        x_scroll, y_scroll = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        area, zoom = self.compute_unscaled_match_area(match), self.zoom
        return QRectF(
            area.left() * zoom - x_scroll, area.top() * zoom - y_scroll, area.width() * zoom, area.height() * zoom
        ).toAlignedRect()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_scroll_ranges()
        self._scroll_to_current_match()

    def _update_match_description(self) -> None:
        box = self.current_match
        self.setAccessibleDescription(self.describe_match(box) if box else self._empty_text)

    def describe_match(self, box: MatchBox) -> str:
        names = [self._format_player_or_slot_origin(side) for side in box.sides]
        points = [f"{game.points[0]}{DASH}{game.points[1]}" for game in box.games if game.points[0] is not None]
        winner = next((side.name for side in box.sides if side.won), "")
        parts = (
            self._catalogue.format_knockout_match(box.name),
            f"{names[0]} {DASH} {names[1]}",
            ", ".join(points),
        )
        winner = f"{TICK} {winner}" if winner and not box.bye else ""
        return ". ".join(
            filter(
                None,
                (*parts, winner, explain_match_decision(self._catalogue, box), self._describe_match_warning(box)),
            )
        )

    # --- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.placed_matches:
            painter.setPen(self._appearance.get_colour("muted"))
            painter.setFont(make_scaled_font(LEAD))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect(), flags, self._empty_text)
            painter.end()
            return
        painter.translate(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        painter.scale(self.zoom, self.zoom)
        painter.setPen(self._appearance.get_colour("text"))
        painter.setFont(make_unscaled_font(LEAD, bold=True))
        for title, top in self._titles:
            painter.drawText(QPointF(_MARGIN, top + _TITLE_HEIGHT - UNIT * 2), title)
        self._paint_connecting_lines(painter)
        visible_area = painter.worldTransform().inverted()[0].mapRect(QRectF(self.viewport().rect()))
        for match in self.placed_matches.values():
            if self.compute_unscaled_match_area(match).intersects(visible_area):
                self._paint_match(painter, match)
        painter.end()

    def _paint_connecting_lines(self, painter: QPainter) -> None:
        matches = sorted(self.placed_matches.values(), key=lambda match: match.box.decided)
        for match in matches:  # decided matches on top
            is_decided = match.box.decided
            painter.setPen(
                QPen(self._appearance.get_colour("accent" if is_decided else "edge"), 2.5 if is_decided else 1.5)
            )
            painter.drawPolyline([QPointF(*point) for point in match.join])

    def _paint_match(self, painter: QPainter, match: PositionedMatch) -> None:
        appearance, box, area = self._appearance, match.box, self.compute_unscaled_match_area(match)
        is_current = box.key == self._current_key and self.hasFocus()
        lines = area.adjusted(0, _HEADER_HEIGHT, 0, 0)
        warning = self._describe_match_warning(box)
        tone = "amber" if warning else "accent" if box.open else "muted"
        painter.setFont(make_unscaled_font(11, bold=box.open))
        painter.setPen(appearance.get_colour(tone))
        metrics = QFontMetrics(painter.font())
        label = metrics.elidedText(match.title, Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(
            QRectF(area.left(), area.top(), area.width(), _HEADER_HEIGHT), Qt.AlignmentFlag.AlignVCenter, label
        )
        note_area = QRectF(area.left(), area.bottom() + 2, area.width(), _HEADER_HEIGHT)
        painter.setPen(appearance.get_colour("amber" if warning else "muted"))
        painter.drawText(note_area, Qt.AlignmentFlag.AlignVCenter, warning or match.reason)
        self._paint_match_background(painter, box, lines)
        border = "accent" if is_current else "amber" if warning else "accent" if box.open else "edge"
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(appearance.get_colour(border), 3 if is_current else 2 if box.open else 1.2))
        painter.drawRoundedRect(lines, 6, 6)
        painter.setPen(QPen(appearance.get_colour("line"), 1))
        painter.drawLine(QPointF(lines.left() + 1, match.middle), QPointF(lines.right() - 1, match.middle))
        for number, slot in enumerate(match.slots):
            row = QRectF(lines.left(), lines.top() + number * _SLOT_HEIGHT, area.width(), _SLOT_HEIGHT)
            self._paint_slot(painter, box, number, slot, row)

    def _paint_match_background(self, painter: QPainter, box: MatchBox, area: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.get_colour("sunken" if box.bye else "surface"))
        painter.drawRoundedRect(area, 6, 6)
        for number, side in enumerate(box.sides):
            if side.won and not box.bye:
                painter.setBrush(self._appearance.get_colour("accent_soft"))
                painter.setClipRect(
                    QRectF(area.left(), area.top() + number * _SLOT_HEIGHT, area.width(), _SLOT_HEIGHT)
                )
                painter.drawRoundedRect(area, 6, 6)
                painter.setClipping(False)

    def _describe_match_warning(self, box: MatchBox) -> str:
        if box.outdated:
            return self._catalogue.text("result changed: check who plays")
        return self._catalogue.text("tie: choose the winner") if box.level else ""

    def _paint_slot(
        self, painter: QPainter, box: MatchBox, slot_index: int, slot: BracketSlotText, area: QRectF
    ) -> None:
        font = make_unscaled_font(SMALL, bold=slot.won)
        font.setStrikeOut(box.sides[slot_index].withdrawn)
        painter.setFont(font)
        painter.setPen(self._appearance.get_colour("text" if slot.known and not slot.lost else "muted"))
        right = area.right() - UNIT / 2
        metrics, elide_mode = QFontMetrics(painter.font()), Qt.TextElideMode.ElideRight
        for text, min_width in self._list_score_texts_and_widths(box, slot_index, box.sides[slot_index]):
            width = max(min_width, metrics.horizontalAdvance(text) + UNIT)
            right -= width
            painter.drawText(QRectF(right, area.top(), width, area.height()), Qt.AlignmentFlag.AlignCenter, text)
        seed_area = QRectF(area.left() + UNIT / 2, area.top(), UNIT * 3, area.height())
        name_area = QRectF(
            seed_area.right() + UNIT / 2, area.top(), right - seed_area.right() - UNIT, area.height()
        )
        name = metrics.elidedText(slot.name, elide_mode, int(name_area.width()))
        painter.drawText(name_area, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(make_unscaled_font(11))
        painter.setPen(self._appearance.get_colour("muted"))
        painter.drawText(seed_area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, slot.seed)

    def _list_score_texts_and_widths(
        self, box: MatchBox, slot_index: int, slot: MatchSlot
    ) -> Iterator[tuple[str, int]]:
        if slot.score is not None:
            yield self._catalogue.format_points(Fraction(slot.score)) if box.games else "", _SCORE_WIDTH
        for game in reversed(box.games[-self._shown_game_count :]):
            text = format_scores_of_both_players(self._catalogue, game.points, game.decision)[slot_index]
            yield text or (DASH if game.decision is not None else ""), _POINTS_WIDTH

    def _format_player_or_slot_origin(self, slot: MatchSlot) -> str:
        if slot.player is not None:
            status = self._catalogue.translate_code("disqualified" if slot.disqualified else "withdrawn")
            return f"{slot.name} ({status})" if slot.withdrawn else slot.name
        return (
            self._catalogue.describe_bracket_slot_origin(slot.origin)
            if slot.origin
            else self._catalogue.translate_code("bye")
        )
