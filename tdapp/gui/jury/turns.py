"""The turns of a score sheet in the rows of the form. A text field moves through them in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from tdapp.domain.translatable import C_
from tdapp.gui.widgets.access import Announcer, ScreenReaderLabels, announce_text
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.theme import SMALL, UNIT, Appearance, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.sheet_reading import SheetHeading, TurnCell

_HEAD, _LINE, _EDITED, _NOTE = 34, 28, 36, 19  # heights in pixels
_NUMBER, _GAP, _SQUARE, _SCORE, _TOTAL = 28, 12, 44, 52, 50  # widths in pixels
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _TurnField(LineEdit):
    enter = Signal(bool)  # True: backwards
    step = Signal(int)
    jump = Signal(bool)  # True: after the last turn
    leave = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in ENTER and not control:
            self.enter.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif control and key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
            self.jump.emit(key == Qt.Key.Key_End)
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.step.emit(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_Escape:
            self.leave.emit()
        else:
            super().keyPressEvent(event)


class _HeadingRow(QWidget):
    def __init__(self, view: TurnsView) -> None:
        super().__init__(view)
        self._view = view

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._view.paint_headings(painter, self.rect())
        painter.end()


class TurnsView(QAbstractScrollArea):
    """The list of turns. An empty position after the last turn receives a new turn."""

    typed = Signal(str)  # new text of the current turn
    entered = Signal(bool)  # Enter; True: backwards
    cursor_moved = Signal(int)  # new place of the cursor
    left = Signal()  # Esc

    def __init__(self, look: Appearance, catalogue: Catalogue) -> None:
        super().__init__()
        self._look = look
        self._catalogue = catalogue
        self.cells: tuple[TurnCell, ...] = ()
        self._headings: tuple[SheetHeading, ...] = ()
        self._rows: list[dict[int, int]] = []
        self._turn_index = 0
        self._player = self._next_row = 1
        self._written = 0  # place of the line in the field
        self._message = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(0, scale_line_height(_HEAD), 0, 0)
        self._head = _HeadingRow(self)
        self.setAccessibleName(catalogue.text("Turns"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(scale_pixels(UNIT * 52))
        self.setMinimumHeight(scale_line_height(_HEAD) + 3 * scale_line_height(_LINE))
        self.field = _TurnField(catalogue.text("Turn"), parent=self.viewport())
        high = scale_line_height(24)
        self.field.setStyleSheet(f"QLineEdit {{ min-height: {high}px; max-height: {high}px; padding: 0 5px; }}")
        self.field.hide()
        self.field.textEdited.connect(self.typed)
        self.field.enter.connect(self.entered)
        self.field.step.connect(self._move_cursor_by_rows)
        self.field.jump.connect(self._move_cursor_to_start_or_end)
        self.field.leave.connect(self.left)
        self._painted = ScreenReaderLabels(self)
        self._announcer = Announcer(self)
        look.changed.connect(self.viewport().update)

    # --- interface for the page

    def show_empty_message(self, message: str) -> None:
        self.cells, self._headings, self._rows = (), (), []
        self._message = message
        self.field.hide()
        self._update_scroll_range()

    def show_turns(
        self,
        headings: Sequence[SheetHeading],
        cells: Sequence[TurnCell],
        *,
        turn_index: int,
        player: int,
        next_row: int,
        read_only: bool,
    ) -> None:
        """Show the turns and the cursor. A new turn of `player` goes into row `next_row` of the form."""
        self._message = ""
        self._headings, self.cells = tuple(headings), tuple(cells)
        before, self._turn_index, self._player, self._next_row = self._turn_index, turn_index, player, next_row
        self._rows = _arrange_turns_in_rows([cell.player for cell in cells] + ([] if read_only else [player]))
        self.field.setReadOnly(read_only)
        name = headings[self._get_player_number(turn_index) - 1].name
        self.field.setAccessibleName(
            self._catalogue.text("Row {row}, {player}", row=self._get_row_on_form(turn_index), player=name)
        )
        problem = self._describe_problem(cells[turn_index]) if turn_index < len(cells) else ""
        self.field.setAccessibleDescription(problem)
        self.field.show()
        if turn_index != before and self.field.hasFocus():
            self._announcer.announce_later(self._describe_turn(before), self.field.accessibleName())
        self._update_scroll_range()

    def set_field_text(self, text: str) -> None:
        """Set the text and clear its undo history. Ctrl+Z then stays within this turn."""
        if self.field.text() != text or self._written != self._turn_index:
            self.field.setText(text)
        self._written = self._turn_index
        self.field.mark_invalid(is_invalid=False)
        self._scroll_to_cursor()

    def mark_invalid(self) -> None:
        self.field.mark_invalid(is_invalid=True)
        announce_text(self, self.field.accessibleDescription(), urgent=True)

    def focus_field(self) -> None:
        if self.field.isVisible():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _describe_turn(self, turn_index: int) -> str:
        if turn_index >= len(self.cells):
            return ""
        cell, total = self.cells[turn_index], self._catalogue.text(C_("score", "total"))
        parts = (self._headings[cell.player - 1].name, f"{cell.square} {cell.word}".strip(), cell.score)
        figures = ", ".join(filter(None, (*parts, f"{total} {cell.total}" if cell.total else "")))
        return ". ".join(filter(None, (figures, self._describe_problem(cell))))

    def _describe_problem(self, cell: TurnCell) -> str:
        what = cell.more or cell.note
        return self._catalogue.text("Problem: {what}", what=what) if what and cell.tone == "red" else what

    def _update_screen_reader_labels(self) -> None:
        texts = [
            (self._describe_turn(place), at)
            for place, at in self._compute_turn_rects().items()
            if place < len(self.cells)
        ]
        self._painted.set_labels([(self._message, self.viewport().rect())] if self._message else texts)

    # --- field

    def _move_cursor_by_rows(self, by: int) -> None:
        place, player = self._turn_index, self._get_player_number(self._turn_index)
        row = next((number for number, row in enumerate(self._rows) if place in row.values()), 0)
        rows = self._rows[row + 1 :] if by > 0 else self._rows[:row][::-1]
        last = sum(len(row) for row in self._rows) - 1
        self.cursor_moved.emit(
            next((other[player] for other in rows if player in other), max(0, min(last, place + by)))
        )

    def _move_cursor_to_start_or_end(self, to_end: bool) -> None:
        self.cursor_moved.emit(len(self.cells) if to_end else 0)

    def _get_player_number(self, turn_index: int) -> int:
        return self.cells[turn_index].player if turn_index < len(self.cells) else self._player

    def _get_row_on_form(self, turn_index: int) -> int:
        return self.cells[turn_index].row if turn_index < len(self.cells) else self._next_row

    # --- geometry

    def _update_scroll_range(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._compute_row_tops()[-1] + UNIT - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(scale_line_height(_LINE))
        self._position_field()
        self._update_screen_reader_labels()
        self._head.setVisible(bool(self._headings))
        self._head.update()
        self.viewport().update()

    def _compute_row_tops(self) -> list[int]:
        line, edited = scale_line_height(_LINE), scale_line_height(_EDITED) + scale_line_height(_NOTE)
        here = [self._headings and self._turn_index in row.values() for row in self._rows]
        return [*accumulate((edited if one else line for one in here), initial=0)]

    def _compute_column_rect(self, player: int) -> QRect:
        width = (self.viewport().width() - scale_pixels(_NUMBER) - scale_pixels(_GAP) - UNIT) // 2
        return QRect(scale_pixels(_NUMBER) + (player - 1) * (width + scale_pixels(_GAP)), 0, width, 0)

    def _compute_turn_rects(self) -> dict[int, QRect]:
        tops, offset, found = self._compute_row_tops(), self.verticalScrollBar().value(), {}
        columns = {player: self._compute_column_rect(player) for player in (1, 2)}
        for (top, below), row in zip(pairwise(tops), self._rows, strict=True):
            for place in row.values():
                column = columns[self._get_player_number(place)]
                found[place] = QRect(column.left(), top - offset, column.width(), below - top)
        return found

    def _compute_turn_rect(self, turn_index: int) -> QRect:
        return self._compute_turn_rects().get(turn_index, QRect())

    def _position_field(self) -> None:
        if not self._headings:
            return
        rect = self._compute_turn_rect(self._turn_index)
        self.field.setGeometry(
            rect.left() - 2,
            rect.top() + 3,
            rect.width() - scale_pixels(_TOTAL) + 2,
            scale_line_height(_EDITED) - 6,
        )

    def _scroll_to_cursor(self) -> None:
        rect, bar = self._compute_turn_rect(self._turn_index), self.verticalScrollBar()
        if rect.top() < 0:
            bar.setValue(bar.value() + rect.top())
        elif rect.bottom() > self.viewport().height():
            bar.setValue(bar.value() + rect.bottom() - self.viewport().height() + UNIT)
        self._position_field()

    def _find_turn_at(self, point: QPoint) -> int | None:
        return next((place for place, rect in self._compute_turn_rects().items() if rect.contains(point)), None)

    # --- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.viewport().rect()
        painter.fillRect(whole, self._look.colour("surface"))
        if not self._headings:
            painter.setPen(self._look.colour("muted"))
            text = whole.adjusted(UNIT * 4, 0, -UNIT * 4, 0)
            painter.drawText(text, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._message)
            return
        tops, offset = self._compute_row_tops(), self.verticalScrollBar().value()
        for number, row in enumerate(self._rows):
            top, bottom = tops[number] - offset, tops[number + 1] - offset
            if bottom < 0 or top > whole.height():
                continue
            painter.setFont(make_scaled_font(11))
            painter.setPen(self._look.colour("muted"))
            here = self._turn_index in row.values()
            line = QRect(
                0, top, scale_pixels(_NUMBER) - 6, scale_line_height(_EDITED) if here else scale_line_height(_LINE)
            )
            numbers = {self._get_row_on_form(place) for place in row.values()}
            above = {
                self._get_row_on_form(place) for other in self._rows[:number][-1:] for place in other.values()
            }
            painter.drawText(line, _RIGHT, "" if numbers <= above else str(max(numbers)))
            for place in row.values():
                self._paint_turn_cell(painter, place, line.height())
            painter.setPen(self._look.colour("line"))
            painter.drawLine(0, bottom - 1, whole.width(), bottom - 1)
        painter.end()

    def paint_headings(self, painter: QPainter, whole: QRect) -> None:
        painter.fillRect(whole, self._look.colour("surface"))
        painter.setPen(self._look.colour("edge"))
        painter.drawLine(0, whole.bottom(), whole.width(), whole.bottom())
        for player, heading in enumerate(self._headings, 1):
            rect = self._compute_column_rect(player).adjusted(0, 0, 0, scale_line_height(_HEAD) - 1)
            painter.setFont(make_scaled_font(SMALL, bold=True))
            painter.setPen(self._look.colour("text"))
            painter.drawText(rect.adjusted(0, 0, -4, 0), _RIGHT, heading.total)
            self._paint_player_name(painter, heading, rect.adjusted(0, 0, -scale_pixels(_TOTAL), 0))

    def _paint_player_name(self, painter: QPainter, heading: SheetHeading, area: QRect) -> None:
        starts = f"  ·  {self._catalogue.text('starts')}" if heading.starts else ""
        metrics, name = painter.fontMetrics(), heading.name + starts
        if metrics.horizontalAdvance(name) > area.width():
            name = heading.name.partition(",")[0] + starts
        draw_elided_text(painter, area, name)

    def _paint_turn_cell(self, painter: QPainter, turn_index: int, height: int) -> None:
        if turn_index >= len(self.cells):
            return
        cell, rect = self.cells[turn_index], self._compute_turn_rect(turn_index)
        line = QRect(rect.left(), rect.top(), rect.width(), height)
        painter.setFont(make_scaled_font(SMALL))
        painter.setPen(self._look.colour("muted"))
        painter.drawText(line.adjusted(0, 0, -4, 0), _RIGHT, cell.total)
        if turn_index != self._turn_index:
            self._paint_turn_text(painter, cell, line)
        if cell.note and rect.height() > scale_line_height(_LINE):
            self._paint_note(
                painter, cell, QRect(rect.left(), line.bottom() - 2, rect.width(), scale_line_height(_NOTE))
            )
        elif cell.note:
            self._paint_note_icon(painter, cell, line.right() - scale_pixels(_TOTAL + _SCORE), line)

    def _paint_turn_text(self, painter: QPainter, cell: TurnCell, line: QRect) -> None:
        painter.setPen(self._look.colour("muted"))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cell.square)
        figures = line.adjusted(0, 0, -scale_pixels(_TOTAL), 0)
        used = make_scaled_font(SMALL)
        used.setItalic(cell.computed)
        painter.setFont(used)
        painter.setPen(self._look.colour("muted" if cell.computed else "text"))
        painter.drawText(figures, _RIGHT, cell.score)
        written = make_scaled_font(SMALL)
        written.setStrikeOut(cell.struck)
        painter.setFont(written)
        painter.setPen(self._look.colour("red" if cell.struck else "text"))
        area = line.adjusted(
            0 if cell.wide else scale_pixels(_SQUARE), 0, -scale_pixels(_TOTAL) - scale_pixels(_SCORE), 0
        )
        draw_elided_text(painter, area, cell.word)

    def _paint_note_icon(self, painter: QPainter, cell: TurnCell, left: int, line: QRect) -> None:
        icon = "warning" if cell.tone == "red" else "info"
        side = scale_pixels(14)
        pixmap = self._look.draw_icon(icon, cell.tone, 14, self)
        painter.drawPixmap(QRect(left, line.center().y() - side // 2, side, side), pixmap)

    def _paint_note(self, painter: QPainter, cell: TurnCell, rect: QRect) -> None:
        self._paint_note_icon(painter, cell, rect.left(), rect)
        painter.setFont(make_scaled_font(11))
        painter.setPen(QPen(self._look.colour(cell.tone)))
        draw_elided_text(painter, rect.adjusted(scale_pixels(18), 0, -4, -2), cell.note)

    # --- Qt events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._find_turn_at(event.position().toPoint())
        if place is not None:
            self.cursor_moved.emit(place)

    def viewportEvent(self, event: QHelpEvent) -> bool:  # type: ignore[override]
        if event.type() is QHelpEvent.Type.ToolTip:
            place = self._find_turn_at(event.pos())
            cell = self.cells[place] if place is not None and place < len(self.cells) else None
            QToolTip.showText(event.globalPos(), cell.more or cell.note if cell else "", self)
            return True
        return super().viewportEvent(event)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self._position_field()
        self._update_screen_reader_labels()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._head.setGeometry(0, 0, self.viewport().width(), scale_line_height(_HEAD))
        self._update_scroll_range()
        self._scroll_to_cursor()


def draw_elided_text(painter: QPainter, area: QRect, text: str) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)


def _arrange_turns_in_rows(players: Sequence[int]) -> list[dict[int, int]]:
    rows: list[dict[int, int]] = []
    for at, player in enumerate(players):
        if not rows or player in rows[-1] or (player == 1 and rows[-1]):
            rows.append({})
        rows[-1][player] = at
    return rows
