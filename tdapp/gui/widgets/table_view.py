"""The table view for all tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tdapp.domain.tables.table import ColumnKind
from tdapp.gui.widgets.columns import PADDING, FittedTable, FrozenColumnsView, set_common_table_options
from tdapp.gui.widgets.fields import ENTER, LineEdit, make_label
from tdapp.gui.widgets.rows import AnyIndex, TableRowsModel
from tdapp.gui.widgets.theme import ROW, SMALL, UNIT, Appearance, make_scaled_font, scale_line_height, scale_pixels

UNCUT_LENGTH = 48  # letters: longer texts are measured and cut
END_KEYS = {Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
MAX_HEAT_OPACITY = 0.45  # of the accent in a warm cell: text stays readable on it in every scheme
# Shape and tone of a state. States not listed are shown as a word alone.
STATE_SHAPES: Mapping[str, tuple[str, str]] = {
    "open": ("ring", "amber"),
    "entered": ("dot", "accent"),
    "doubt": ("cross", "amber"),
    "disputed": ("cross", "amber"),
    "differs": ("cross", "amber"),
    "verdict": ("cross", "amber"),
    "checked": ("tick", "green"),
    "final": ("square", "green"),
    "draft": ("ring", "amber"),
    "published": ("dot", "green"),
    "active": ("dot", "green"),
    "absent": ("ring", "amber"),
    "withdrawn": ("cross", "red"),
    "disqualified": ("cross", "red"),
    "present": ("tick", "green"),
    "missing": ("ring", "amber"),
    "away": ("minus", "muted"),
    "win": ("plus", "green"),
    "loss": ("minus", "red"),
    "draw": ("equal", "muted"),
    "decided": ("square", "green"),
    "safe": ("tick", "green"),
    "out-of-reach": ("cross", "muted"),
    "valid": ("tick", "green"),
    "invalid": ("cross", "red"),
    "not-binding": ("ring", "amber"),
    "printed": ("tick", "green"),
    "stale": ("ring", "amber"),
    "waived": ("dot", "muted"),
    "unprinted": ("minus", "muted"),
}


Lines: TypeAlias = tuple[tuple[tuple[float, float], ...], ...]


class TableCellDelegate(QStyledItemDelegate):
    """Paints the cells of a table, and makes their editors."""

    def __init__(self, rows: TableRowsModel, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self._appearance = appearance
        self._closing_editor: QObject | None = None  # the editor in which Enter was pressed

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        rect: QRect = option.rect
        self._paint_background(painter, option, rect, self._rows.get_heat_map_intensity(index))
        text, tone, kind, code, alignment, special_font = self._rows.get_cell_paint_data(index)
        if not text:
            return
        inner = rect.adjusted(PADDING, 0, -PADDING, 0)
        if kind is ColumnKind.CODE:
            shape, colour = STATE_SHAPES.get(code, ("", tone))
            inner = self._paint_state_shape_at_left(painter, inner, shape, "muted" if tone == "muted" else colour)
        if kind is ColumnKind.MARK:
            self._paint_tick(painter, rect)
            return
        painter.setPen(self._appearance.get_colour(tone or "text"))
        painter.setFont(special_font.resolve(option.font) if special_font is not None else option.font)
        metrics = painter.fontMetrics()
        if len(text) > UNCUT_LENGTH or metrics.horizontalAdvance(text) > inner.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, alignment, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        text, _, kind, _, _, special_font = self._rows.get_cell_paint_data(index)
        shape = scale_pixels(UNIT * 2) if kind is ColumnKind.CODE else 0
        letters = special_font.resolve(option.font) if special_font is not None else option.font
        metrics = QFontMetrics(make_scaled_font(SMALL, bold=True) if kind is ColumnKind.NAME else letters)
        return QSize(metrics.horizontalAdvance(text) + 2 * PADDING + shape + 2, scale_line_height(ROW))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        editor = LineEdit(str(index.model().headerData(index.column(), Qt.Orientation.Horizontal)), parent=parent)
        editor.setAlignment(index.data(Qt.ItemDataRole.TextAlignmentRole))
        return editor

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        if isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
            editor.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept only one press of Enter per editor: another press can arrive before Qt closes the editor."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in ENTER:
            if watched is self._closing_editor:
                return True
            self._closing_editor = watched
        return super().eventFilter(watched, event)

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, heat: float) -> None:
        state = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        if is_selected:
            painter.fillRect(rect, self._appearance.get_colour("accent_soft"))
        if heat > 0:
            heat_colour = QColor(self._appearance.get_colour("accent"))
            heat_colour.setAlphaF(MAX_HEAT_OPACITY * heat**0.6)
            painter.fillRect(rect, heat_colour)
        painter.setPen(self._appearance.get_colour("line"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if is_selected and state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._appearance.get_colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))

    def _paint_tick(self, painter: QPainter, rect: QRect) -> None:
        lines = (((-5, 0), (-1.5, 4), (5, -4)),)
        self._paint_shape_at_point(painter, QPointF(rect.center()) + QPointF(0.5, 0.5), lines, "green")

    def _paint_state_shape_at_left(self, painter: QPainter, inner: QRect, shape: str, tone: str) -> QRect:
        if not shape:
            return inner
        centre = QPointF(inner.left() + scale_pixels(5), inner.center().y() + 0.5)
        self._paint_shape_at_point(painter, centre, _LINES.get(shape, shape), tone)
        return inner.adjusted(scale_pixels(UNIT * 2), 0, 0, 0)

    def _paint_shape_at_point(self, painter: QPainter, centre: QPointF, shape: Lines | str, tone: str) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(centre)
        painter.scale(scale_pixels(100) / 100, scale_pixels(100) / 100)
        painter.setPen(_make_pen(self._appearance, tone))
        painter.setBrush(
            self._appearance.get_colour(tone) if shape in {"dot", "square"} else Qt.BrushStyle.NoBrush
        )
        if not isinstance(shape, str):
            for line in shape:
                painter.drawPolyline([QPointF(x, y) for x, y in line])
        elif shape == "square":
            painter.drawRect(QRectF(-3, -3, 6, 6))
        else:
            painter.drawEllipse(QPointF(), 3.4, 3.4)
        painter.restore()


_LINES: Mapping[str, Lines] = {
    "tick": (((-4, 0), (-1, 3.5), (4.5, -3.5)),),
    "cross": (((-3.5, -3.5), (3.5, 3.5)), ((-3.5, 3.5), (3.5, -3.5))),
    "plus": (((-4, 0), (4, 0)), ((0, -4), (0, 4))),
    "minus": (((-4, 0), (4, 0)),),
    "equal": (((-4, -2), (4, -2)), ((-4, 2), (4, 2))),
}


def _make_pen(appearance: Appearance, tone: str) -> QPen:
    return QPen(appearance.get_colour(tone), 1.75, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


class TableView(FittedTable):
    """A table with search and editing. Signal `current_row_changed` carries the key of the current row."""

    current_row_changed = Signal(str)
    selection_changed = Signal()
    row_activated = Signal(str)
    name_double_clicked = Signal(str)  # in a column of `make_names_double_clickable`; it activates no row

    def __init__(self, rows: TableRowsModel, *, appearance: Appearance, name: str, empty: str = "") -> None:
        super().__init__(rows)
        self._appearance = appearance
        self._empty = empty
        self._no_match_text = rows.catalogue.text(
            "Nothing found for “{}”. Press Esc in the search field to show all."
        )
        self._search_text = ""
        self._describe_other_matches: Callable[[str], str] = lambda _text: ""
        self._names: frozenset[str] = frozenset()
        self._key_actions: dict[int, Callable[[], object]] = {}
        self.setAccessibleName(name)
        self.setItemDelegate(TableCellDelegate(rows, appearance, self))
        self._set_table_view_options()
        self._message = make_label("", "muted", wrap=True)
        self._message.setParent(self.viewport())
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.hide()
        self.setModel(rows)
        self.connect_row_signals()
        self.doubleClicked.connect(self._open_player_or_activate_row)
        rows.rows_changed.connect(self._update_empty_message)
        appearance.changed.connect(self.viewport().update)
        self._update_empty_message()

    def _set_table_view_options(self) -> None:
        set_common_table_options(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.verticalHeader().setMinimumSectionSize(scale_line_height(ROW - 6))
        header = self.horizontalHeader()
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(scale_pixels(UNIT * 5))
        header.setSortIndicatorClearable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSectionsClickable(True)
        self.setSortingEnabled(True)

    def freeze_columns(self, count: int) -> None:
        delegate = TableCellDelegate(self.rows, self._appearance, self)
        FrozenColumnsView(self, delegate, count=count)  # owned by this table

    def set_search_hint(self, describe_other_matches: Callable[[str], str]) -> None:
        """Set a function that describes matches elsewhere if a search finds no row of this table."""
        self._describe_other_matches = describe_other_matches

    def filter_rows(self, text: str) -> None:
        self._search_text = text
        self.rows.filter_rows(text)
        self._update_empty_message()

    def select_row(self, key: str) -> None:
        position = self.rows.find_row_position(key)
        if position >= 0:
            index = self.rows.index(position, max(self.currentIndex().column(), 0))
            select_only = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, select_only)  # with any modifier keys
            self.scrollTo(self.currentIndex())

    def get_current_row_key(self) -> str:
        index = self.currentIndex()
        return self.rows.keys()[index.row()] if index.isValid() else ""

    def list_selected_keys(self) -> tuple[str, ...]:
        keys = self.rows.keys()
        return tuple(keys[position] for position in self._list_selected_positions())

    def _list_selected_positions(self) -> list[int]:
        selection = self.selectionModel().selection()
        ranges = [selection.at(index) for index in range(selection.count())]
        return sorted(
            {
                row_position
                for selection_range in ranges
                for row_position in range(selection_range.top(), selection_range.bottom() + 1)
            }
        )

    def make_names_double_clickable(self, columns: Collection[str]) -> None:
        """Set the columns in which a double click opens the player."""
        self._names = frozenset(columns)

    def add_keyboard_actions(self, actions: Mapping[str, Callable[[], object]]) -> None:
        """Set the actions of keys in the table. They have priority over the window's actions."""
        self._key_actions |= {QKeySequence(name)[0].toCombined(): run for name, run in actions.items()}  # type: ignore[index]

    def disable_sorting(self) -> None:
        self.setSortingEnabled(False)
        self.horizontalHeader().setSortIndicatorShown(False)

    def make_label_for_cut_off_text(self, column: str) -> QLabel:
        """Return a label with the current row's text in `column`. It is visible while the column cuts the text."""
        note = make_label("", "muted", wrap=True)
        note.setParent(self)
        note.hide()
        show_text = partial(self._show_full_text_of_cut_cell, note, column)
        for signal in (self.current_row_changed, self.columns_fitted, self.rows.rows_changed):
            signal.connect(show_text)
        return note

    def _show_full_text_of_cut_cell(self, note: QLabel, column: str, *_: object) -> None:
        names, row = self.rows.list_column_ids(), self.currentIndex().row()
        position = names.index(column) if column in names else -1
        is_cut = position >= 0 and self._get_width_of_longest_cells(position) > self.columnWidth(position)
        note.setText(self.rows.get_text_at(row, position) if is_cut and row >= 0 else "")
        note.setVisible(is_cut)

    def set_empty_text(self, text: str) -> None:
        self._empty = text
        self._update_empty_message()

    def copy_rows(self) -> None:
        positions = self._list_selected_positions() or range(self.rows.rowCount())
        columns = [column for column in range(self.rows.columnCount()) if not self.isColumnHidden(column)]
        horizontal = Qt.Orientation.Horizontal
        lines = ["\t".join(str(self.rows.headerData(column, horizontal)) for column in columns)]
        lines += [
            "\t".join(str(self.rows.index(position, column).data()) for column in columns)
            for position in positions
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._find_action_of_key_press(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _find_action_of_key_press(self, event: QKeyEvent) -> Callable[[], object] | None:
        key = event.keyCombination().toCombined() & ~Qt.KeyboardModifier.KeypadModifier.value
        return self._key_actions.get(key) if not self.has_open_editor() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run_action = self._find_action_of_key_press(event)
        if run_action is not None:
            run_action()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_rows()
        elif event.key() in ENTER:
            if not self.has_open_editor():  # typed keys stay in the editor
                self._activate_row_unless_editable(self.currentIndex())
        elif event.key() == Qt.Key.Key_F2 and not event.modifiers():
            self._edit_current_row()
        else:
            super().keyPressEvent(event)

    def has_open_editor(self) -> bool:
        return self.state() == self.State.EditingState

    def _edit_current_row(self) -> None:
        current = self.currentIndex()
        cells = [current, *(current.siblingAtColumn(column) for column in range(self.rows.columnCount()))]
        visible_cells = (
            row_cell for row_cell in cells if row_cell.isValid() and not self.isColumnHidden(row_cell.column())
        )
        cell = next(
            (
                visible_cell
                for visible_cell in visible_cells
                if self.rows.flags(visible_cell) & Qt.ItemFlag.ItemIsEditable
            ),
            None,
        )
        if cell is not None and not self.has_open_editor():
            self.setCurrentIndex(cell)
            self.edit(cell)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        ends = {self.CursorAction.MoveHome: 0, self.CursorAction.MoveEnd: self.rows.rowCount() - 1}
        wide = self.horizontalScrollBar().maximum() > 0
        if wide or action not in ends or not self.currentIndex().isValid():
            return super().moveCursor(action, modifiers)
        return self.rows.index(ends[action], self.currentIndex().column())

    def selectionCommand(self, index: AnyIndex, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Let Ctrl+Shift+End select to the end. Qt would only move the cursor."""
        control_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if (
            isinstance(event, QKeyEvent)
            and event.key() in END_KEYS
            and event.modifiers() & control_shift == control_shift
        ):
            return QItemSelectionModel.SelectionFlag.SelectCurrent | QItemSelectionModel.SelectionFlag.Rows
        return super().selectionCommand(index, event)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.current_row_changed.emit(self.rows.keys()[current.row()])

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._message.setGeometry(self.viewport().rect().adjusted(UNIT * 4, 0, -UNIT * 4, 0))

    def _open_player_or_activate_row(self, index: AnyIndex) -> None:
        if index.isValid() and self.rows.list_column_ids()[index.column()] in self._names:
            self.name_double_clicked.emit(self.rows.keys()[index.row()])
        else:
            self._activate_row_unless_editable(index)

    def _activate_row_unless_editable(self, index: AnyIndex) -> None:
        if index.isValid() and not self.rows.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.row_activated.emit(self.rows.keys()[index.row()])

    def _update_empty_message(self) -> None:
        empty = self.rows.rowCount() == 0
        text = self._empty
        if empty and self._search_text and self.rows.unfiltered_row_count:
            text = "\n".join(
                filter(
                    None,
                    (
                        self._no_match_text.format(self._search_text),
                        self._describe_other_matches(self._search_text),
                    ),
                )
            )
        self._message.setText(text if empty else "")
        # the only accessible children of a table are its cells
        self.setAccessibleDescription(self._message.text())
        self._message.setVisible(empty)
