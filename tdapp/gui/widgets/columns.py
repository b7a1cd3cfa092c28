"""Column widths of a table, and first columns that stay visible during sideways scrolling."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QHeaderView, QTableView

from tdapp.domain.tables.table import ColumnKind
from tdapp.gui.widgets.rows import AnyIndex, TableRowsModel
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels

PADDING = 10  # pixels left and right of a cell's contents
NARROWEST, PINCHED = UNIT * 18, UNIT * 11  # of a column with names, with all hideable columns hidden
WIDE_ENOUGH = UNIT * 32  # of a column with names: others do without air so that it has that much

AIR = UNIT * 10  # of a column with names, in addition to its need
_NAMES = frozenset({"name", "first_name", "second_name"})
_PAIR = ("first_name", "second_name")


def set_common_table_options(view: QTableView) -> None:
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(scale_line_height(ROW))
    view.horizontalHeader().setHighlightSections(False)


class FittedTable(QTableView):
    """A table whose columns share its width. Widths set by the user stay."""

    columns_fitted = Signal()  # column widths have changed

    def __init__(self, rows: TableRowsModel) -> None:
        super().__init__()
        self.rows = rows
        self._widths: Mapping[str, int] = {}
        self.dragged: dict[str, int] = {}  # widths in pixels that the user gave columns
        self._sharing = False  # the view itself is changing widths
        self._optional: frozenset[str] = frozenset()
        self._scrolls = False
        self._hideable: tuple[str, ...] = ()
        self._dropped: frozenset[str] = frozenset()  # hidden columns of `_hideable`
        self._pinched = False  # too narrow even with all of them hidden
        self._all = False
        self._stretched: tuple[str, ...] = ("name", "first_name", "second_name", "step", "opponent", "notes")
        self._hints: dict[int, int] = {}  # pixels that the contents of a column need, until other rows come
        self._measured: dict[int, set[str]] = {}  # texts of a column already measured
        self._headings: dict[tuple[str, bool], int] = {}  # pixels that a heading needs, also where it sorts
        self._tight = False  # whether columns have only what their contents need
        self.horizontalHeader().sectionResized.connect(self._record_dragged_width)

    def refit_after_row_changes(self) -> None:
        for signal in (self.rows.rows_changed, self.rows.modelReset):
            signal.connect(self._measure_and_fit_columns)
        self.rows.dataChanged.connect(self._fit_columns_to_changed_rows)

    def set_widths(self, widths: Mapping[str, int], *, stretch: tuple[str, ...] | None = None) -> None:
        """Set widths in pixels at the normal text size. The `stretch` columns share the rest."""
        self._widths = widths
        if stretch is not None:
            self._stretched = stretch
        self._fit_columns()

    def set_dragged_widths(self, widths: Mapping[str, int]) -> None:
        self.dragged = dict(widths)
        self._fit_columns()

    def hide_columns_if_empty(self, names: Collection[str]) -> None:
        """Hide these columns while they are empty, except after `show_all_columns`."""
        self._optional = frozenset(names)
        self._fit_columns()

    def allow_sideways_scrolling(self) -> None:
        self._scrolls = True

    def hide_columns_if_too_narrow(self, names: Sequence[str]) -> None:
        """Hide these columns if space is short, the last of `names` first."""
        self._hideable = tuple(names)
        self._fit_columns()

    def show_all_columns(self, *, show: bool) -> None:
        self._all = show
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.StyleChange, QEvent.Type.FontChange}:
            self._headings.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns before Qt resizes the table: otherwise Qt briefly shows a scroll bar."""
        with self._suspend_width_recording():
            self._share_width_among_columns()
        super().resizeEvent(event)

    def _record_dragged_width(self, column: int, _before: int, width: int) -> None:
        names = self.rows.list_column_ids()
        if not self._sharing and width and column < len(names) and names[column] not in self._stretched:
            self.dragged[names[column]] = width

    def _measure_and_fit_columns(self) -> None:
        self._forget_measured_widths()
        self._fit_columns()

    @contextmanager
    def _suspend_width_recording(self) -> Iterator[None]:
        header = self.horizontalHeader()
        before, self._sharing = self._sharing, True
        heard = header.blockSignals(True)
        yield
        header.blockSignals(heard)
        self._sharing = before
        self.updateGeometries()
        self.viewport().update()
        self.columns_fitted.emit()

    def _fit_columns(self) -> None:
        header = self.horizontalHeader()
        left_out = self._find_empty_columns()
        with self._suspend_width_recording():
            for column, name in enumerate(self.rows.list_column_ids()):
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
                self.setColumnHidden(column, name in left_out | self._dropped)
                if name not in left_out and name not in self._stretched:
                    header.resizeSection(column, self._compute_usual_width(column))
            self._share_width_among_columns()

    def _compute_usual_width(self, column: int) -> int:
        """Return the usual width in pixels. Headings and codes are never cut."""
        name = self.rows.list_column_ids()[column]
        if name in self.dragged:
            return self.dragged[name]
        wanted = scale_pixels(self._widths.get(name, 0))
        if not wanted or self.rows.get_column_kind(column) is ColumnKind.CODE:
            wanted = max(wanted, self._get_measured_width(column))
        return max(wanted, self._measure_heading(column))

    def _measure_heading(self, column: int) -> int:
        header = self.horizontalHeader()
        words = str(self.rows.headerData(column, Qt.Orientation.Horizontal))
        key = words, column == header.sortIndicatorSection()
        found = self._headings.get(key)
        if found is None:
            found = self._headings[key] = header.sectionSizeHint(column)
        return found

    def _find_empty_columns(self) -> frozenset[str]:
        return frozenset() if self._all else frozenset(filter(self.rows.is_column_empty, self._optional))

    def _fit_columns_to_changed_rows(self, first: AnyIndex, last: AnyIndex) -> None:
        grown = self._measure_changed_rows(range(first.row(), last.row() + 1))
        shown = {
            name for column, name in enumerate(self.rows.list_column_ids()) if not self.isColumnHidden(column)
        }
        left_out = self._find_empty_columns() | self._dropped
        if grown or shown & left_out or not shown | left_out >= {*self.rows.list_column_ids()}:
            self._fit_columns()

    def _share_width_among_columns(self) -> None:
        header = self.horizontalHeader()
        names = self.rows.list_column_ids()
        self._hide_columns_to_fit(names)
        shown = [column for column in range(len(names)) if not self.isColumnHidden(column)]
        wide = [column for column in shown if names[column] in self._stretched]
        narrow = [column for column in shown if column not in wide]
        wishes = {
            one: min(
                max(self._compute_wanted_width(one, names), scale_pixels(NARROWEST)), scale_pixels(WIDE_ENOUGH)
            )
            for one in wide
        }
        wished = sum(wishes.values())
        self._shrink_columns_to_contents(narrow, self.viewport().width() - wished)
        self._widen_fixed_columns(narrow, wide, self.viewport().width() - wished)
        over = self.viewport().width() - sum(map(header.sectionSize, narrow)) - wished
        for column, width in (
            self._shrink_wanted_widths_to_fit(wishes, names, over + wished) if over < 0 else wishes
        ).items():
            least = scale_pixels(PINCHED) if self._pinched else self._get_least_width(column, names)
            header.resizeSection(column, max(width + max(over, 0) // len(wide), least))

    def _widen_fixed_columns(self, fixed: Sequence[int], stretched: Sequence[int], room: int) -> None:
        """Divide `room` pixels among the `fixed` columns.

        Spare pixels go first to columns with shortened texts.
        """
        if not fixed or self._tight or self._scrolls:
            return
        names = self.rows.list_column_ids()
        widths = {column: self._compute_usual_width(column) for column in fixed}
        room -= sum(widths.values())
        for column in fixed:
            if (
                self.rows.get_column_kind(column) in {ColumnKind.TEXT, ColumnKind.WHY}
                and names[column] not in self.dragged
            ):
                longer = min(self._get_measured_width(column), scale_pixels(WIDE_ENOUGH)) - widths[column]
                more = max(0, min(longer, room))
                widths[column], room = widths[column] + more, room - more
        if stretched and _NAMES.issuperset(names[one] for one in stretched):
            behind = [column for column in fixed if column > stretched[0]]
            given = max(0, room - len(stretched) * scale_pixels(AIR)) // (len(behind) + 1)
            widths |= {column: widths[column] + given for column in behind}
        for column, width in widths.items():
            self.horizontalHeader().resizeSection(column, width)

    def _compute_wanted_width(self, column: int, names: Sequence[str]) -> int:
        """Return the contents' width in pixels. The columns for the two players of a game are equally wide."""
        pair = [names.index(one) for one in _PAIR if one in names] if names[column] in _PAIR else [column]
        return max(map(self._get_measured_width, pair))

    def _hide_columns_to_fit(self, names: Sequence[str]) -> None:
        left_out = self._find_empty_columns() if self._hideable else frozenset()
        there = {name: column for column, name in enumerate(names) if name not in left_out}
        needed = {
            name: self._get_least_width(column, names)
            for name, column in (there.items() if self._hideable else ())
        }
        dropped = set()
        for name in reversed([one for one in self._hideable if one in there]):
            if sum(needed.values()) <= self.viewport().width():
                break
            dropped.add(name)
            del needed[name]
        for name in self._dropped ^ dropped:
            if name in there:
                self.setColumnHidden(there[name], name in dropped)
        self._dropped = frozenset(dropped)
        self._pinched = sum(needed.values()) > self.viewport().width()

    def _get_least_width(self, column: int, names: Sequence[str]) -> int:
        """Return the smallest width in pixels. With less space a hideable column is hidden."""
        name = names[column]
        if name not in self._stretched:
            least = self.horizontalHeader().minimumSectionSize()
            return max(min(self._measure_contents_and_heading(column), self._compute_usual_width(column)), least)
        if name not in _NAMES:
            return scale_pixels(PINCHED if name in self._hideable else NARROWEST)
        return min(max(self._compute_wanted_width(column, names), scale_pixels(PINCHED)), scale_pixels(NARROWEST))

    def _shrink_wanted_widths_to_fit(
        self, wishes: Mapping[int, int], names: Sequence[str], room: int
    ) -> Mapping[int, int]:
        texts = [one for one in wishes if names[one] in self._hideable and names[one] not in _NAMES]
        kept = sum(wish for one, wish in wishes.items() if one not in texts)
        least = scale_pixels(PINCHED)
        if texts and room - kept >= least * len(texts):
            return {one: (room - kept) // len(texts) if one in texts else wish for one, wish in wishes.items()}
        each = (room - least * len(texts)) // max(len(wishes) - len(texts), 1)
        return {one: least if one in texts else each for one in wishes}

    def _shrink_columns_to_contents(self, columns: Sequence[int], max_width: int) -> None:
        if self._scrolls:
            return
        tight = sum(self._compute_usual_width(column) for column in columns) > max_width
        if not tight and not self._tight:
            return  # a column that the user has made wider stays so
        self._tight = tight
        header = self.horizontalHeader()
        for column in columns:
            usual = self._compute_usual_width(column)
            given = self.rows.list_column_ids()[column] in self.dragged
            header.resizeSection(
                column, min(self._measure_contents_and_heading(column), usual) if tight and not given else usual
            )

    def _measure_contents_and_heading(self, column: int) -> int:
        heading = str(self.rows.headerData(column, Qt.Orientation.Horizontal))
        room = self.horizontalHeader().fontMetrics().horizontalAdvance(heading) + 2 * PADDING + 2
        return max(self._get_measured_width(column), room)

    def _forget_measured_widths(self) -> None:
        self._hints.clear()
        self._measured.clear()

    def _measure_changed_rows(self, lines: Iterable[int]) -> bool:
        before = dict(self._hints)
        for line in lines:
            for column, known in self._hints.items():
                text, measured = self.rows.get_text_at(line, column), self._measured[column]
                if text not in measured:
                    measured.add(text)
                    self._hints[column] = max(known, self.sizeHintForIndex(self.rows.index(line, column)).width())
        return before != self._hints

    def _get_measured_width(self, column: int) -> int:
        found = self._hints.get(column)
        if found is None:
            longest = {
                self.rows.get_text_at(one.row(), column): one for one in self.rows.find_longest_cells(column)
            }
            found = max((self.sizeHintForIndex(one).width() for one in longest.values()), default=0)
            self._hints[column], self._measured[column] = found, set(longest)
        return found


class FrozenColumns(QTableView):
    """A view of the first columns of a table, with the same selection.

    They stay in place during sideways scrolling.
    """

    def __init__(self, table: FittedTable, painter: QAbstractItemDelegate, *, count: int) -> None:
        """Put the first `count` columns over the table.

        They need their own `painter`: with a shared one Qt would pass typed text to the wrong view.
        """
        super().__init__(table)
        self._whole, self._count = table, count
        self.setObjectName("frozen")
        self.setAccessibleName(table.accessibleName())
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.setItemDelegate(painter)
        self.setFont(table.font())
        self.setFocusProxy(table)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the table has one
        self.doubleClicked.connect(table.doubleClicked)
        set_common_table_options(self)
        here, there = self.verticalScrollBar(), table.verticalScrollBar()
        there.valueChanged.connect(here.setValue)
        here.valueChanged.connect(there.setValue)
        table.horizontalScrollBar().valueChanged.connect(self.copy_table_layout)
        table.horizontalHeader().sectionResized.connect(self.copy_table_layout)
        table.columns_fitted.connect(self.copy_table_layout)
        table.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self.copy_table_layout()
        return super().eventFilter(watched, event)

    def copy_table_layout(self) -> None:
        header = self._whole.horizontalHeader()
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column >= self._count or self._whole.isColumnHidden(column))
        for column in range(min(self._count, header.count())):
            self.setColumnWidth(column, header.sectionSize(column))
        edge = self._whole.frameWidth()
        height = header.height() + self._whole.viewport().height()
        self.horizontalHeader().setFixedHeight(header.height())
        self.setGeometry(edge, edge, self.horizontalHeader().length() + 1, height)
        self.verticalScrollBar().setValue(self._whole.verticalScrollBar().value())
        self.setVisible(self._whole.horizontalScrollBar().value() > 0)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        covered = self.width() - self._whole.columnViewportPosition(current.column())
        if self.isVisible() and current.column() >= self._count and covered > 0:
            bar = self._whole.horizontalScrollBar()
            bar.setValue(bar.value() - covered)
