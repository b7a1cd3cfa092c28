"""A table on screen: Rows painted on the grid, sorted, searched, copied, with words for when it is empty."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView

from tdapp.gui.widgets.cells import Painter
from tdapp.gui.widgets.columns import FittedTable, set_manners
from tdapp.gui.widgets.fields import ENTER, label
from tdapp.gui.widgets.rows import AnyIndex, Rows
from tdapp.gui.widgets.theme import ROW, SMALL, UNIT, Look, font


class TableView(FittedTable):
    """Shows Rows; `current` tells the key of the row the cursor is on, `selected` that others are selected."""

    current = Signal(str)
    selected = Signal()
    activated_row = Signal(str)
    name_clicked = Signal(str)  # twice, in a column of `set_names`; that activates nothing

    def __init__(self, rows: Rows, *, look: Look, name: str, empty: str = "") -> None:
        """`name` is what a screen reader says; `empty` stands where there are no rows."""
        super().__init__(rows)
        self._look = look
        self._empty = empty
        self._nothing = rows.catalogue.text("Nothing found for “{}”. Esc in the search field shows all.")
        self._sought = ""
        self._names: frozenset[str] = frozenset()
        self._own_keys: dict[int, Callable[[], object]] = {}
        self.setAccessibleName(name)
        self.setItemDelegate(Painter(rows, look, self))
        self._set_manners()
        self._message = label("", "muted", wrap=True)
        self._message.setParent(self.viewport())
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.hide()
        self.setModel(rows)
        self.fit_to_rows()
        self.doubleClicked.connect(self._double_click)
        for signal in (rows.rowsInserted, rows.rowsRemoved):
            signal.connect(self._show_message)
        look.changed.connect(self.viewport().update)
        self._show_message()

    def _set_manners(self) -> None:
        set_manners(self)
        self.setFont(font(SMALL))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.verticalHeader().setMinimumSectionSize(ROW - 6)
        header = self.horizontalHeader()
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(UNIT * 5)
        header.setSortIndicatorClearable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSectionsClickable(True)
        self.setSortingEnabled(True)

    # --- what pages use

    def filter(self, text: str) -> None:
        """Show only the rows that have every word of `text`."""
        self._sought = text
        self.rows.seek(text)
        self._show_message()

    def choose(self, key: str) -> None:
        """Put the cursor on the row with `key` and bring it into sight."""
        place = self.rows.position(key)
        if place >= 0:
            index = self.rows.index(place, max(self.currentIndex().column(), 0))
            alone = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, alone)  # whatever keys are held down
            self.scrollTo(self.currentIndex())

    def current_key(self) -> str:
        """Return the key of the row that the cursor is on, empty if on none."""
        index = self.currentIndex()
        return self.rows.keys()[index.row()] if index.isValid() else ""

    def chosen_keys(self) -> tuple[str, ...]:
        """Return the keys of the selected rows, in the order shown."""
        keys = self.rows.keys()
        return tuple(keys[place] for place in sorted(one.row() for one in self.selectionModel().selectedRows()))

    def set_names(self, columns: Collection[str]) -> None:
        """Let a double click in these columns mean the player there."""
        self._names = frozenset(columns)

    def set_keys(self, keys: Mapping[str, Callable[[], object]]) -> None:
        """Let keys, each by its name, do something here, whatever they are for elsewhere in the window."""
        self._own_keys |= {QKeySequence(name)[0].toCombined(): run for name, run in keys.items()}  # type: ignore[index]

    def keep_order(self) -> None:
        """Show rows in the table's own order: no heading sorts them."""
        self.setSortingEnabled(False)
        self.horizontalHeader().setSortIndicatorShown(False)

    def set_empty(self, text: str) -> None:
        """Say something else where there are no rows."""
        self._empty = text
        self._show_message()

    def copy(self) -> None:
        """Copy the selected rows, or all, with headings, separated by tabs."""
        places = sorted(one.row() for one in self.selectionModel().selectedRows()) or range(self.rows.rowCount())
        columns = [one for one in range(self.rows.columnCount()) if not self.isColumnHidden(one)]
        horizontal = Qt.Orientation.Horizontal
        lines = ["\t".join(str(self.rows.headerData(one, horizontal)) for one in columns)]
        lines += ["\t".join(str(self.rows.index(place, one).data()) for one in columns) for place in places]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def event(self, event: QEvent) -> bool:
        """Keep the view's own keys here."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own_key(event):
            event.accept()
            return True
        return super().event(event)

    def _own_key(self, event: QKeyEvent) -> Callable[[], object] | None:
        pressed = event.keyCombination().toCombined() & ~Qt.KeyboardModifier.KeypadModifier.value
        return self._own_keys.get(pressed) if self.state() != self.State.EditingState else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what a key of the view's own does; copy, and open the row on Enter."""
        own = self._own_key(event)
        if own is not None:
            own()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in ENTER and self.state() != self.State.EditingState:
            self._activate(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Tell which row the cursor is on."""
        super().currentChanged(current, previous)
        if current.isValid():
            self.current.emit(self.rows.keys()[current.row()])

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Tell that other rows are selected."""
        super().selectionChanged(selected, deselected)
        self.selected.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the message in the middle."""
        super().resizeEvent(event)
        self._message.setGeometry(self.viewport().rect().adjusted(UNIT * 4, 0, -UNIT * 4, 0))

    def _double_click(self, index: AnyIndex) -> None:
        if index.isValid() and self.rows.column_ids()[index.column()] in self._names:
            self.name_clicked.emit(self.rows.keys()[index.row()])
        else:
            self._activate(index)

    def _activate(self, index: AnyIndex) -> None:
        if index.isValid() and not self.rows.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.activated_row.emit(self.rows.keys()[index.row()])

    def _show_message(self) -> None:
        empty = self.rows.rowCount() == 0
        text = self._nothing.format(self._sought) if self._sought and self.rows.total else self._empty
        self._message.setText(text if empty else "")
        self._message.setVisible(empty)


class TurnedView(TableView):
    """A table that says when the chosen rows are to be decided otherwise."""

    turned = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn on Space and Enter."""
        if event.key() in {Qt.Key.Key_Space, *ENTER} and not event.modifiers():
            self.turned.emit()
        else:
            super().keyPressEvent(event)
