"""The turns of a score sheet in rows, as on paper. A text field moves from turn to turn in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from tdapp.domain.translatable import C_
from tdapp.gui.widgets.access import ScreenReaderAnnouncer, ScreenReaderLabels, announce_text
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.theme import SMALL, UNIT, Appearance, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.sheet_reading import SheetColumnHeading, TurnCell

_HEADER_HEIGHT, _TURN_HEIGHT, _FIELD_HEIGHT, _NOTE_HEIGHT = 34, 28, 36, 19  # heights in pixels
_NUMBER_WIDTH, _COLUMN_GAP, _SQUARE_WIDTH, _SCORE_WIDTH, _TOTAL_WIDTH = 28, 12, 44, 52, 50  # widths in pixels
_ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


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

    text_typed = Signal(str)  # new text of the current turn
    enter_pressed = Signal(bool)  # True: backwards
    cursor_moved = Signal(int)  # new turn index
    leave_requested = Signal()  # Esc

    def __init__(self, appearance: Appearance, catalogue: Catalogue) -> None:
        super().__init__()
        self._appearance = appearance
        self._catalogue = catalogue
        self.cells: tuple[TurnCell, ...] = ()
        self._headings: tuple[SheetColumnHeading, ...] = ()
        self._rows: list[dict[int, int]] = []
        self._turn_index = 0
        self._player = self._next_row = 1
        self._field_turn_index = 0  # turn of the text in the field
        self._message = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(0, scale_line_height(_HEADER_HEIGHT), 0, 0)
        self._heading_row = _HeadingRow(self)
        self.setAccessibleName(catalogue.text("Turns"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(scale_pixels(UNIT * 52))
        self.setMinimumHeight(scale_line_height(_HEADER_HEIGHT) + 3 * scale_line_height(_TURN_HEIGHT))
        self.field = _TurnField(catalogue.text("Turn"), parent=self.viewport())
        height = scale_line_height(24)
        self.field.setStyleSheet(
            f"QLineEdit {{ min-height: {height}px; max-height: {height}px; padding: 0 5px; }}"
        )
        self.field.hide()
        self.field.textEdited.connect(self.text_typed)
        self.field.enter.connect(self.enter_pressed)
        self.field.step.connect(self._move_cursor_by_rows)
        self.field.jump.connect(self._move_cursor_to_start_or_end)
        self.field.leave.connect(self.leave_requested)
        self._screen_reader_labels = ScreenReaderLabels(self)
        self._announcer = ScreenReaderAnnouncer(self)
        appearance.changed.connect(self.viewport().update)

    # --- interface for the page

    def replace_turns_with_message(self, message: str) -> None:
        self.cells, self._headings, self._rows = (), (), []
        self._message = message
        self.field.hide()
        self._update_scroll_range_and_layout()

    def show_turns(
        self,
        headings: Sequence[SheetColumnHeading],
        cells: Sequence[TurnCell],
        *,
        turn_index: int,
        player: int,
        next_row: int,
        read_only: bool,
    ) -> None:
        """Show the turns and the cursor.

        A new turn belongs to `player` (1 or 2), in row `next_row` of the sheet.
        """
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
            self._announcer.set_next_announcement(self._describe_turn(before), self.field.accessibleName())
        self._update_scroll_range_and_layout()

    def set_field_text(self, text: str) -> None:
        """Set the text and clear its undo history. Ctrl+Z then stays within this turn."""
        if self.field.text() != text or self._field_turn_index != self._turn_index:
            self.field.setText(text)
        self._field_turn_index = self._turn_index
        self.field.mark_invalid(is_invalid=False)
        self._scroll_to_cursor()

    def mark_field_invalid_and_announce_error(self) -> None:
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
        problem = cell.more or cell.note
        return self._catalogue.text("Problem: {what}", what=problem) if problem and cell.tone == "red" else problem

    def _update_screen_reader_labels(self) -> None:
        texts = [
            (self._describe_turn(turn_index), rect)
            for turn_index, rect in self._compute_turn_rects().items()
            if turn_index < len(self.cells)
        ]
        self._screen_reader_labels.set_labels(
            [(self._message, self.viewport().rect())] if self._message else texts
        )

    # --- field

    def _move_cursor_by_rows(self, row_step: int) -> None:
        turn_index, player = self._turn_index, self._get_player_number(self._turn_index)
        row = next((number for number, row in enumerate(self._rows) if turn_index in row.values()), 0)
        rows = self._rows[row + 1 :] if row_step > 0 else self._rows[:row][::-1]
        last = sum(len(row) for row in self._rows) - 1
        self.cursor_moved.emit(
            next(
                (turns_by_player[player] for turns_by_player in rows if player in turns_by_player),
                max(0, min(last, turn_index + row_step)),
            )
        )

    def _move_cursor_to_start_or_end(self, to_end: bool) -> None:
        self.cursor_moved.emit(len(self.cells) if to_end else 0)

    def _get_player_number(self, turn_index: int) -> int:
        return self.cells[turn_index].player if turn_index < len(self.cells) else self._player

    def _get_row_on_form(self, turn_index: int) -> int:
        return self.cells[turn_index].row if turn_index < len(self.cells) else self._next_row

    # --- geometry

    def _update_scroll_range_and_layout(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._compute_row_tops()[-1] + UNIT - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(scale_line_height(_TURN_HEIGHT))
        self._move_field_to_current_turn()
        self._update_screen_reader_labels()
        self._heading_row.setVisible(bool(self._headings))
        self._heading_row.update()
        self.viewport().update()

    def _compute_row_tops(self) -> list[int]:
        line_height = scale_line_height(_TURN_HEIGHT)
        edited_height = scale_line_height(_FIELD_HEIGHT) + scale_line_height(_NOTE_HEIGHT)
        edited_rows = [self._headings and self._turn_index in row.values() for row in self._rows]
        return [*accumulate((edited_height if is_edited else line_height for is_edited in edited_rows), initial=0)]

    def _compute_column_rect(self, player: int) -> QRect:
        width = (self.viewport().width() - scale_pixels(_NUMBER_WIDTH) - scale_pixels(_COLUMN_GAP) - UNIT) // 2
        return QRect(scale_pixels(_NUMBER_WIDTH) + (player - 1) * (width + scale_pixels(_COLUMN_GAP)), 0, width, 0)

    def _compute_turn_rects(self) -> dict[int, QRect]:
        tops, offset, rects = self._compute_row_tops(), self.verticalScrollBar().value(), {}
        columns = {player: self._compute_column_rect(player) for player in (1, 2)}
        for (top, next_top), row in zip(pairwise(tops), self._rows, strict=True):
            for turn_index in row.values():
                column = columns[self._get_player_number(turn_index)]
                rects[turn_index] = QRect(column.left(), top - offset, column.width(), next_top - top)
        return rects

    def _compute_turn_rect(self, turn_index: int) -> QRect:
        return self._compute_turn_rects().get(turn_index, QRect())

    def _move_field_to_current_turn(self) -> None:
        if not self._headings:
            return
        rect = self._compute_turn_rect(self._turn_index)
        self.field.setGeometry(
            rect.left() - 2,
            rect.top() + 3,
            rect.width() - scale_pixels(_TOTAL_WIDTH) + 2,
            scale_line_height(_FIELD_HEIGHT) - 6,
        )

    def _scroll_to_cursor(self) -> None:
        rect, bar = self._compute_turn_rect(self._turn_index), self.verticalScrollBar()
        if rect.top() < 0:
            bar.setValue(bar.value() + rect.top())
        elif rect.bottom() > self.viewport().height():
            bar.setValue(bar.value() + rect.bottom() - self.viewport().height() + UNIT)
        self._move_field_to_current_turn()

    def _find_turn_at(self, point: QPoint) -> int | None:
        return next(
            (turn_index for turn_index, rect in self._compute_turn_rects().items() if rect.contains(point)), None
        )

    # --- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.viewport().rect()
        painter.fillRect(area, self._appearance.get_colour("surface"))
        if not self._headings:
            painter.setPen(self._appearance.get_colour("muted"))
            text = area.adjusted(UNIT * 4, 0, -UNIT * 4, 0)
            painter.drawText(text, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._message)
            return
        tops, offset = self._compute_row_tops(), self.verticalScrollBar().value()
        for number, row in enumerate(self._rows):
            top, bottom = tops[number] - offset, tops[number + 1] - offset
            if bottom < 0 or top > area.height():
                continue
            painter.setFont(make_scaled_font(11))
            painter.setPen(self._appearance.get_colour("muted"))
            has_cursor = self._turn_index in row.values()
            line = QRect(
                0,
                top,
                scale_pixels(_NUMBER_WIDTH) - 6,
                scale_line_height(_FIELD_HEIGHT) if has_cursor else scale_line_height(_TURN_HEIGHT),
            )
            numbers = {self._get_row_on_form(turn_index) for turn_index in row.values()}
            previous_numbers = {
                self._get_row_on_form(turn_index)
                for previous_row in self._rows[:number][-1:]
                for turn_index in previous_row.values()
            }
            painter.drawText(line, _ALIGN_RIGHT, "" if numbers <= previous_numbers else str(max(numbers)))
            for turn_index in row.values():
                self._paint_turn_cell(painter, turn_index, line.height())
            painter.setPen(self._appearance.get_colour("line"))
            painter.drawLine(0, bottom - 1, area.width(), bottom - 1)
        painter.end()

    def paint_headings(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(area, self._appearance.get_colour("surface"))
        painter.setPen(self._appearance.get_colour("edge"))
        painter.drawLine(0, area.bottom(), area.width(), area.bottom())
        for player, heading in enumerate(self._headings, 1):
            rect = self._compute_column_rect(player).adjusted(0, 0, 0, scale_line_height(_HEADER_HEIGHT) - 1)
            painter.setFont(make_scaled_font(SMALL, bold=True))
            painter.setPen(self._appearance.get_colour("text"))
            painter.drawText(rect.adjusted(0, 0, -4, 0), _ALIGN_RIGHT, heading.total)
            self._paint_player_name(painter, heading, rect.adjusted(0, 0, -scale_pixels(_TOTAL_WIDTH), 0))

    def _paint_player_name(self, painter: QPainter, heading: SheetColumnHeading, area: QRect) -> None:
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
        painter.setPen(self._appearance.get_colour("muted"))
        painter.drawText(line.adjusted(0, 0, -4, 0), _ALIGN_RIGHT, cell.total)
        if turn_index != self._turn_index:
            self._paint_turn_text(painter, cell, line)
        if cell.note and rect.height() > scale_line_height(_TURN_HEIGHT):
            self._paint_note(
                painter, cell, QRect(rect.left(), line.bottom() - 2, rect.width(), scale_line_height(_NOTE_HEIGHT))
            )
        elif cell.note:
            self._paint_note_icon(painter, cell, line.right() - scale_pixels(_TOTAL_WIDTH + _SCORE_WIDTH), line)

    def _paint_turn_text(self, painter: QPainter, cell: TurnCell, line: QRect) -> None:
        painter.setPen(self._appearance.get_colour("muted"))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cell.square)
        figures = line.adjusted(0, 0, -scale_pixels(_TOTAL_WIDTH), 0)
        score_font = make_scaled_font(SMALL)
        score_font.setItalic(cell.is_computed)
        painter.setFont(score_font)
        painter.setPen(self._appearance.get_colour("muted" if cell.is_computed else "text"))
        painter.drawText(figures, _ALIGN_RIGHT, cell.score)
        word_font = make_scaled_font(SMALL)
        word_font.setStrikeOut(cell.is_phony)
        painter.setFont(word_font)
        painter.setPen(self._appearance.get_colour("red" if cell.is_phony else "text"))
        area = line.adjusted(
            0 if cell.is_wide else scale_pixels(_SQUARE_WIDTH),
            0,
            -scale_pixels(_TOTAL_WIDTH) - scale_pixels(_SCORE_WIDTH),
            0,
        )
        draw_elided_text(painter, area, cell.word)

    def _paint_note_icon(self, painter: QPainter, cell: TurnCell, x: int, line: QRect) -> None:
        icon = "warning" if cell.tone == "red" else "info"
        side = scale_pixels(14)
        pixmap = self._appearance.draw_icon(icon, cell.tone, 14, self)
        painter.drawPixmap(QRect(x, line.center().y() - side // 2, side, side), pixmap)

    def _paint_note(self, painter: QPainter, cell: TurnCell, rect: QRect) -> None:
        self._paint_note_icon(painter, cell, rect.left(), rect)
        painter.setFont(make_scaled_font(11))
        painter.setPen(QPen(self._appearance.get_colour(cell.tone)))
        draw_elided_text(painter, rect.adjusted(scale_pixels(18), 0, -4, -2), cell.note)

    # --- Qt events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        turn_index = self._find_turn_at(event.position().toPoint())
        if turn_index is not None:
            self.cursor_moved.emit(turn_index)

    def viewportEvent(self, event: QHelpEvent) -> bool:  # type: ignore[override]
        if event.type() is QHelpEvent.Type.ToolTip:
            turn_index = self._find_turn_at(event.pos())
            cell = self.cells[turn_index] if turn_index is not None and turn_index < len(self.cells) else None
            QToolTip.showText(event.globalPos(), cell.more or cell.note if cell else "", self)
            return True
        return super().viewportEvent(event)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self._move_field_to_current_turn()
        self._update_screen_reader_labels()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._heading_row.setGeometry(0, 0, self.viewport().width(), scale_line_height(_HEADER_HEIGHT))
        self._update_scroll_range_and_layout()
        self._scroll_to_cursor()


def draw_elided_text(painter: QPainter, area: QRect, text: str) -> None:
    elided_text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, elided_text)


def _arrange_turns_in_rows(players: Sequence[int]) -> list[dict[int, int]]:
    rows: list[dict[int, int]] = []
    for index, player in enumerate(players):
        if not rows or player in rows[-1] or (player == 1 and rows[-1]):
            rows.append({})
        rows[-1][player] = index
    return rows
