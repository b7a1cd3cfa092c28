"""A table on screen: Rows painted on the grid, sorted, searched, copied, with words for when it is empty."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from tdapp.gui.widgets.cells import PADDING, Painter
from tdapp.gui.widgets.fields import ENTER, label
from tdapp.gui.widgets.rows import AnyIndex, Rows
from tdapp.gui.widgets.theme import ROW, SMALL, UNIT, Look, font

NARROWEST, PINCHED = UNIT * 18, UNIT * 11  # of a column with names; where everything spare is left out
WIDE_ENOUGH = UNIT * 32  # of a column with names: others do without air so that it has that much


class TableView(QTableView):
    """Shows Rows; `current` tells the key of the row the cursor is on, `selected` that others are selected."""

    current = Signal(str)
    selected = Signal()
    activated_row = Signal(str)
    name_clicked = Signal(str)  # twice, in a column of `set_names`; that activates nothing

    def __init__(self, rows: Rows, *, look: Look, name: str, empty: str = "") -> None:
        """`name` is what a screen reader says; `empty` stands where there are no rows."""
        super().__init__()
        self.rows = rows
        self._look = look
        self._empty = empty
        self._nothing = rows.catalogue.text("Nothing found for “{}”. Esc in the search field shows all.")
        self._sought = ""
        self._widths: Mapping[str, int] = {}
        self._dragged: dict[str, int] = {}  # widths that the user gave
        self._sharing = False  # the view itself is changing widths
        self._optional: frozenset[str] = frozenset()
        self._scrolls = False
        self._spare: tuple[str, ...] = ()
        self._dropped: frozenset[str] = frozenset()  # of the spare ones
        self._pinched = False  # there is no room though all of them are left out
        self._all = False
        self._stretched: tuple[str, ...] = ("name", "first_name", "second_name", "step", "opponent", "notes")
        self._hints: dict[int, int] = {}  # pixels that the contents of a column need, until other rows come
        self._tight = False  # whether columns have only what their contents need
        self._names: frozenset[str] = frozenset()
        self._own_keys: dict[int, Callable[[], object]] = {}
        self.setAccessibleName(name)
        self.setItemDelegate(Painter(rows, look, self))
        self._set_manners()
        self._set_headers()
        self._message = label("", "muted", wrap=True)
        self._message.setParent(self.viewport())
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.hide()
        self.setModel(rows)
        self._follow(rows)
        look.changed.connect(self.viewport().update)
        self._say_empty()

    def _set_manners(self) -> None:
        self.setFont(font(SMALL))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )

    def _follow(self, rows: Rows) -> None:
        self.doubleClicked.connect(self._double_click)
        rows.rowsInserted.connect(self._say_empty)
        rows.rowsInserted.connect(self._fit_anew)
        rows.rowsRemoved.connect(self._say_empty)
        rows.rowsRemoved.connect(self._forget)
        rows.modelReset.connect(self._fit_anew)
        rows.dataChanged.connect(self._refit)

    # --- what pages use

    def filter(self, text: str) -> None:
        """Show only the rows that have every word of `text`."""
        self._sought = text
        self.rows.seek(text)
        self._say_empty()

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

    def set_widths(self, widths: Mapping[str, int], *, stretch: tuple[str, ...] | None = None) -> None:
        """Give columns a width in pixels; the others fit their contents, names share what is left."""
        self._widths = widths
        if stretch is not None:
            self._stretched = stretch
        self._fit()

    @property
    def dragged(self) -> Mapping[str, int]:
        """The widths in pixels that the user gave columns."""
        return self._dragged

    def set_dragged(self, widths: Mapping[str, int]) -> None:
        """Give columns the widths that the user gave them before."""
        self._dragged = dict(widths)
        self._fit()

    def set_optional(self, names: Collection[str]) -> None:
        """Leave columns out as long as nothing stands in them; `show_all` brings them."""
        self._optional = frozenset(names)
        self._fit()

    def let_scroll(self) -> None:
        """Let columns keep their widths, and scroll sideways where there are many."""
        self._scrolls = True

    def set_spare(self, names: Sequence[str]) -> None:
        """Leave columns out where there is no room for all, the last of `names` first."""
        self._spare = tuple(names)
        self._fit()

    def set_names(self, columns: Collection[str]) -> None:
        """Let a double click in these columns mean the player there."""
        self._names = frozenset(columns)

    def set_keys(self, keys: Mapping[str, Callable[[], object]]) -> None:
        """Let keys, each by its name, do something here, whatever they are for elsewhere in the window."""
        self._own_keys |= {QKeySequence(name)[0].toCombined(): run for name, run in keys.items()}  # type: ignore[index]

    def show_all(self, *, show: bool) -> None:
        """Show the optional columns though they are empty, or no longer."""
        self._all = show
        self._fit()

    def keep_order(self) -> None:
        """Show rows in the table's own order: no heading sorts them."""
        self.setSortingEnabled(False)
        self.horizontalHeader().setSortIndicatorShown(False)

    def set_empty(self, text: str) -> None:
        """Say something else where there are no rows."""
        self._empty = text
        self._say_empty()

    def copy(self) -> None:
        """Copy the selected rows, or all, with headings, separated by tabs."""
        places = sorted(one.row() for one in self.selectionModel().selectedRows()) or range(self.rows.rowCount())
        columns = [one for one in range(self.rows.columnCount()) if not self.isColumnHidden(one)]
        horizontal = Qt.Orientation.Horizontal
        lines = ["\t".join(str(self.rows.headerData(one, horizontal)) for one in columns)]
        lines += ["\t".join(str(self.rows.index(place, one).data()) for one in columns) for place in places]
        QGuiApplication.clipboard().setText("\n".join(lines))

    # --- inside

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
        with self._own_widths():
            self._share()
        self._message.setGeometry(self.viewport().rect().adjusted(UNIT * 4, 0, -UNIT * 4, 0))

    def _set_headers(self) -> None:
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setMinimumSectionSize(ROW - 6)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(UNIT * 5)
        header.setSortIndicatorClearable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSectionsClickable(True)
        header.sectionResized.connect(self._note_width)
        self.setSortingEnabled(True)

    def _double_click(self, index: AnyIndex) -> None:
        if index.isValid() and self.rows.column_ids()[index.column()] in self._names:
            self.name_clicked.emit(self.rows.keys()[index.row()])
        else:
            self._activate(index)

    def _activate(self, index: AnyIndex) -> None:
        if index.isValid() and not self.rows.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.activated_row.emit(self.rows.keys()[index.row()])

    def _say_empty(self) -> None:
        empty = self.rows.rowCount() == 0
        text = self._nothing.format(self._sought) if self._sought and self.rows.total else self._empty
        self._message.setText(text if empty else "")
        self._message.setVisible(empty)

    def _note_width(self, place: int, _before: int, width: int) -> None:
        """Keep the width that the user gives a column; those that share what is left are never kept."""
        names = self.rows.column_ids()
        if not self._sharing and width and place < len(names) and names[place] not in self._stretched:
            self._dragged[names[place]] = width

    def _fit_anew(self) -> None:
        self._forget()
        self._fit()

    def _fit(self) -> None:
        with self._own_widths():
            self._fit_all()

    @contextmanager
    def _own_widths(self) -> Iterator[None]:
        """Change widths without taking them for the user's."""
        before, self._sharing = self._sharing, True
        yield
        self._sharing = before

    def _fit_all(self) -> None:
        header = self.horizontalHeader()
        left_out = self._left_out()
        for place, name in enumerate(self.rows.column_ids()):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Interactive)
            self.setColumnHidden(place, name in left_out | self._dropped)
            if name in left_out:
                continue
            if name not in self._stretched:
                header.resizeSection(place, self._usual(place))
        self._share()

    def _usual(self, place: int) -> int:
        """Return the pixels that a column has where there is room."""
        name = self.rows.column_ids()[place]
        if name in self._dragged:
            return self._dragged[name]
        wanted = self._widths.get(name) or self._hint(place)
        return max(wanted, self.horizontalHeader().sectionSizeHint(place))

    def _left_out(self) -> frozenset[str]:
        return frozenset() if self._all else frozenset(filter(self.rows.is_empty, self._optional))

    def _refit(self, first: AnyIndex, last: AnyIndex) -> None:
        """Bring in a column in which something stands now, let one grow; widths stay otherwise."""
        grown = self._grown(range(first.row(), last.row() + 1))
        shown = {name for place, name in enumerate(self.rows.column_ids()) if not self.isColumnHidden(place)}
        left_out = self._left_out() | self._dropped
        if grown or shown & left_out or not shown | left_out >= {*self.rows.column_ids()}:
            self._fit()

    def _share(self) -> None:
        """Give the stretched columns what the others leave: its wish, or all the same; at least a name's."""
        header = self.horizontalHeader()
        names = self.rows.column_ids()
        self._drop(names)
        shown = [place for place in range(len(names)) if not self.isColumnHidden(place)]
        wide = [place for place in shown if names[place] in self._stretched]
        narrow = [place for place in shown if place not in wide]
        wishes = [self._wish(place) for place in wide]
        self._tighten(narrow, self.viewport().width() - sum(wishes))
        room = self.viewport().width() - sum(header.sectionSize(place) for place in narrow)
        least = PINCHED if self._pinched else NARROWEST
        over = room - sum(wishes)
        for place, wish in zip(wide, wishes, strict=True):
            width = wish + over // len(wide) if over >= 0 else room // len(wide)
            header.resizeSection(place, max(width, least))

    def _drop(self, names: Sequence[str]) -> None:
        """Leave out as many of the spare columns as there is no room for, and bring the others back."""
        left_out = self._left_out() if self._spare else frozenset()
        there = {name: place for place, name in enumerate(names) if name not in left_out}
        needed = {
            name: NARROWEST if name in self._stretched else min(self._least(place), self._usual(place))
            for name, place in (there.items() if self._spare else ())
        }
        dropped = set()
        for name in reversed([one for one in self._spare if one in there]):
            if sum(needed.values()) <= self.viewport().width():
                break
            dropped.add(name)
            del needed[name]
        for name in self._dropped ^ dropped:
            if name in there:
                self.setColumnHidden(there[name], name in dropped)
        self._dropped = frozenset(dropped)
        self._pinched = sum(needed.values()) > self.viewport().width()

    def _tighten(self, places: Sequence[int], room: int) -> None:
        """Let columns have no more than their contents need where they do not fit into `room` pixels."""
        if self._scrolls:
            return
        tight = sum(self._usual(place) for place in places) > room
        if not tight and not self._tight:
            return  # whoever has made a column wider keeps it so
        self._tight = tight
        header = self.horizontalHeader()
        for place in places:
            usual = self._usual(place)
            given = self.rows.column_ids()[place] in self._dragged
            header.resizeSection(place, min(self._least(place), usual) if tight and not given else usual)

    def _least(self, place: int) -> int:
        """Return the pixels that contents and heading of a column need, without a sign of sorting."""
        heading = str(self.rows.headerData(place, Qt.Orientation.Horizontal))
        room = self.horizontalHeader().fontMetrics().horizontalAdvance(heading) + 2 * PADDING + 2
        return max(self._hint(place), room)

    def _wish(self, place: int) -> int:
        """Return the pixels that the others leave to a stretched column, as far as they can."""
        return min(max(self._hint(place), NARROWEST), WIDE_ENOUGH)

    def _forget(self) -> None:
        self._hints.clear()

    def _grown(self, lines: Iterable[int]) -> bool:
        """Take note of what rows need now; tell whether a column needs more than before."""
        before = dict(self._hints)
        for line in lines:
            for place, known in self._hints.items():
                self._hints[place] = max(known, self.sizeHintForIndex(self.rows.index(line, place)).width())
        return before != self._hints

    def _hint(self, place: int) -> int:
        found = self._hints.get(place)
        if found is None:  # asking takes milliseconds where there are hundreds of rows
            found = self._hints[place] = self.sizeHintForColumn(place)
        return found


class TurnedView(TableView):
    """A table that says when the chosen rows are to be decided otherwise."""

    turned = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn on Space and Enter."""
        if event.key() in {Qt.Key.Key_Space, *ENTER} and not event.modifiers():
            self.turned.emit()
        else:
            super().keyPressEvent(event)
