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
MIN_NAME_WIDTH = UNIT * 18  # of a column with names
PINCHED_NAME_WIDTH = UNIT * 11  # of a column with names, if space is very short
GOOD_NAME_WIDTH = UNIT * 32  # good width of a column with names: margins of other columns shrink first

NAME_MARGIN = UNIT * 10  # extra width of a column with names
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
    """A table whose columns share its width. Columns resized by the user keep their width."""

    columns_fitted = Signal()  # column widths have changed

    def __init__(self, rows: TableRowsModel) -> None:
        super().__init__()
        self.rows = rows
        self._widths: Mapping[str, int] = {}
        self.dragged: dict[str, int] = {}  # widths in pixels that the user gave columns
        self._is_sharing = False  # the view itself is changing widths
        self._optional: frozenset[str] = frozenset()
        self._scrolls_sideways = False
        self._hideable: tuple[str, ...] = ()
        self._hidden_columns: frozenset[str] = frozenset()  # hidden columns of `_hideable`
        self._is_pinched = False  # too narrow even without all hideable columns
        self._shows_empty_columns = False
        self._stretched_columns: tuple[str, ...] = (
            "name",
            "first_name",
            "second_name",
            "step",
            "opponent",
            "notes",
        )
        self._hints: dict[int, int] = {}  # pixels that the contents of a column need, cleared when the rows change
        self._measured_texts: dict[int, set[str]] = {}  # texts of a column already measured
        # pixels that a heading needs, by text and whether the table is sorted by it
        self._headings: dict[tuple[str, bool], int] = {}
        self._is_tight = False  # whether columns have only what their contents need
        self.horizontalHeader().sectionResized.connect(self._store_dragged_column_width)

    def connect_row_signals(self) -> None:
        for signal in (self.rows.rows_changed, self.rows.modelReset):
            signal.connect(self._measure_and_fit_columns)
        self.rows.dataChanged.connect(self._fit_columns_to_changed_rows)

    def set_widths(self, widths: Mapping[str, int], *, stretch: tuple[str, ...] | None = None) -> None:
        """Set column widths in pixels at the normal text size. The `stretch` columns share the remaining width."""
        self._widths = widths
        if stretch is not None:
            self._stretched_columns = stretch
        self._fit_columns()

    def set_dragged_widths(self, widths: Mapping[str, int]) -> None:
        self.dragged = dict(widths)
        self._fit_columns()

    def hide_columns_if_empty(self, names: Collection[str]) -> None:
        """Hide these columns while they are empty, unless the user wants to see empty columns."""
        self._optional = frozenset(names)
        self._fit_columns()

    def allow_sideways_scrolling(self) -> None:
        self._scrolls_sideways = True

    def hide_columns_if_too_narrow(self, names: Sequence[str]) -> None:
        """If the table is too narrow, hide as few columns of `names` as possible, the last first."""
        self._hideable = tuple(names)
        self._fit_columns()

    def set_empty_columns_visible(self, *, show: bool) -> None:
        self._shows_empty_columns = show
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.StyleChange, QEvent.Type.FontChange}:
            self._headings.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns before Qt resizes the table, so that no scroll bar appears briefly."""
        with self._suspend_width_recording():
            self._share_width_among_columns()
        super().resizeEvent(event)

    def _store_dragged_column_width(self, column: int, _before: int, width: int) -> None:
        names = self.rows.list_column_ids()
        if not self._is_sharing and width and column < len(names) and names[column] not in self._stretched_columns:
            self.dragged[names[column]] = width

    def _measure_and_fit_columns(self) -> None:
        self._forget_measured_widths()
        self._fit_columns()

    @contextmanager
    def _suspend_width_recording(self) -> Iterator[None]:
        header = self.horizontalHeader()
        was_sharing, self._is_sharing = self._is_sharing, True
        was_blocked = header.blockSignals(True)
        yield
        header.blockSignals(was_blocked)
        self._is_sharing = was_sharing
        self.updateGeometries()
        self.viewport().update()
        self.columns_fitted.emit()

    def _fit_columns(self) -> None:
        header = self.horizontalHeader()
        empty_columns = self._find_empty_columns()
        with self._suspend_width_recording():
            for column, name in enumerate(self.rows.list_column_ids()):
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
                self.setColumnHidden(column, name in empty_columns | self._hidden_columns)
                if name not in empty_columns and name not in self._stretched_columns:
                    header.resizeSection(column, self._compute_user_or_heading_width(column))
            self._share_width_among_columns()

    def _compute_user_or_heading_width(self, column: int) -> int:
        """Return the width set by the user, or else a width that fits the heading, in pixels."""
        name = self.rows.list_column_ids()[column]
        if name in self.dragged:
            return self.dragged[name]
        width = scale_pixels(self._widths.get(name, 0))
        if not width or self.rows.get_column_kind(column) is ColumnKind.CODE:
            width = max(width, self._get_width_of_longest_cells(column))
        return max(width, self._measure_heading(column))

    def _measure_heading(self, column: int) -> int:
        header = self.horizontalHeader()
        words = str(self.rows.headerData(column, Qt.Orientation.Horizontal))
        key = words, column == header.sortIndicatorSection()
        heading_width = self._headings.get(key)
        if heading_width is None:
            heading_width = self._headings[key] = header.sectionSizeHint(column)
        return heading_width

    def _find_empty_columns(self) -> frozenset[str]:
        return (
            frozenset()
            if self._shows_empty_columns
            else frozenset(filter(self.rows.is_column_empty, self._optional))
        )

    def _fit_columns_to_changed_rows(self, first: AnyIndex, last: AnyIndex) -> None:
        has_grown = self._measure_rows_and_check_column_growth(range(first.row(), last.row() + 1))
        visible_names = {
            name for column, name in enumerate(self.rows.list_column_ids()) if not self.isColumnHidden(column)
        }
        hidden_names = self._find_empty_columns() | self._hidden_columns
        if (
            has_grown
            or visible_names & hidden_names
            or not visible_names | hidden_names >= {*self.rows.list_column_ids()}
        ):
            self._fit_columns()

    def _share_width_among_columns(self) -> None:
        header = self.horizontalHeader()
        names = self.rows.list_column_ids()
        self._hide_columns_to_fit(names)
        visible_columns = [column for column in range(len(names)) if not self.isColumnHidden(column)]
        stretched_columns = [column for column in visible_columns if names[column] in self._stretched_columns]
        fixed_columns = [column for column in visible_columns if column not in stretched_columns]
        wanted_widths = {
            column_index: min(
                max(self._compute_contents_width(column_index, names), scale_pixels(MIN_NAME_WIDTH)),
                scale_pixels(GOOD_NAME_WIDTH),
            )
            for column_index in stretched_columns
        }
        wanted_sum = sum(wanted_widths.values())
        self._shrink_columns_to_fit(fixed_columns, self.viewport().width() - wanted_sum)
        self._widen_fixed_columns(fixed_columns, stretched_columns, self.viewport().width() - wanted_sum)
        spare_width = self.viewport().width() - sum(map(header.sectionSize, fixed_columns)) - wanted_sum
        for column in stretched_columns:
            if names[column] not in _NAMES:  # a shortened text gets spare pixels first
                missing_width = self._get_width_of_longest_cells(column) - wanted_widths[column]
                extra_width = max(0, min(missing_width, spare_width))
                wanted_widths[column], spare_width = wanted_widths[column] + extra_width, spare_width - extra_width
        own_widths = {
            column: max(self._get_width_of_longest_cells(column), scale_pixels(MIN_NAME_WIDTH))
            for column in stretched_columns
        }
        available_width = spare_width + sum(wanted_widths.values())
        equal_share = max(spare_width, 0) // max(len(stretched_columns), 1)
        is_text_cut = any(wanted_widths[column] + equal_share < own_widths[column] for column in stretched_columns)
        if is_text_cut and sum(own_widths.values()) <= available_width:
            wanted_widths, spare_width = own_widths, available_width - sum(own_widths.values())
        for column, width in (
            self._shrink_wanted_widths_to_fit(wanted_widths, names, spare_width + wanted_sum)
            if spare_width < 0
            else wanted_widths
        ).items():
            least = scale_pixels(PINCHED_NAME_WIDTH) if self._is_pinched else self._get_least_width(column, names)
            header.resizeSection(column, max(width + max(spare_width, 0) // len(stretched_columns), least))

    def _widen_fixed_columns(
        self, fixed_columns: Sequence[int], stretched_columns: Sequence[int], available_width: int
    ) -> None:
        if not fixed_columns or self._is_tight or self._scrolls_sideways:
            return
        names = self.rows.list_column_ids()
        widths = {column: self._compute_user_or_heading_width(column) for column in fixed_columns}
        available_width -= sum(widths.values())
        for column in fixed_columns:
            if (
                self.rows.get_column_kind(column) in {ColumnKind.TEXT, ColumnKind.WHY}
                and names[column] not in self.dragged
            ):
                missing_width = (
                    min(self._get_width_of_longest_cells(column), scale_pixels(GOOD_NAME_WIDTH)) - widths[column]
                )
                extra_width = max(0, min(missing_width, available_width))
                widths[column], available_width = widths[column] + extra_width, available_width - extra_width
        # if only name columns stretch, the columns to the right of the first name share the spare width
        if stretched_columns and _NAMES.issuperset(names[column_index] for column_index in stretched_columns):
            later_columns = [column for column in fixed_columns if column > stretched_columns[0]]
            share = max(0, available_width - len(stretched_columns) * scale_pixels(NAME_MARGIN)) // (
                len(later_columns) + 1
            )
            widths |= {column: widths[column] + share for column in later_columns}
        for column, width in widths.items():
            self.horizontalHeader().resizeSection(column, width)

    def _compute_contents_width(self, column: int, names: Sequence[str]) -> int:
        """Return the width of a column's contents in pixels. `names` are all column ids.

        "first_name" and "second_name" get the same width.
        """
        columns = [names.index(name) for name in _PAIR if name in names] if names[column] in _PAIR else [column]
        return max(map(self._get_width_of_longest_cells, columns))

    def _hide_columns_to_fit(self, names: Sequence[str]) -> None:
        empty_columns = self._find_empty_columns() if self._hideable else frozenset()
        present_columns = {name: column for column, name in enumerate(names) if name not in empty_columns}
        needed = {
            name: self._get_least_width(column, names)
            for name, column in (present_columns.items() if self._hideable else ())
        }
        hidden_columns = set()
        for name in reversed([column_name for column_name in self._hideable if column_name in present_columns]):
            if sum(needed.values()) <= self.viewport().width():
                break
            hidden_columns.add(name)
            del needed[name]
        for name in self._hidden_columns ^ hidden_columns:
            if name in present_columns:
                self.setColumnHidden(present_columns[name], name in hidden_columns)
        self._hidden_columns = frozenset(hidden_columns)
        self._is_pinched = sum(needed.values()) > self.viewport().width()

    def _get_least_width(self, column: int, names: Sequence[str]) -> int:
        name = names[column]
        if name not in self._stretched_columns:
            least = self.horizontalHeader().minimumSectionSize()
            return max(
                min(self._measure_contents_and_heading(column), self._compute_user_or_heading_width(column)), least
            )
        if name not in _NAMES:
            return scale_pixels(PINCHED_NAME_WIDTH if name in self._hideable else MIN_NAME_WIDTH)
        return min(
            max(self._compute_contents_width(column, names), scale_pixels(PINCHED_NAME_WIDTH)),
            scale_pixels(MIN_NAME_WIDTH),
        )

    def _shrink_wanted_widths_to_fit(
        self, wanted_widths: Mapping[int, int], names: Sequence[str], available_width: int
    ) -> Mapping[int, int]:
        text_columns = [
            column for column in wanted_widths if names[column] in self._hideable and names[column] not in _NAMES
        ]
        name_width = sum(width for column, width in wanted_widths.items() if column not in text_columns)
        least = scale_pixels(PINCHED_NAME_WIDTH)
        if text_columns and available_width - name_width >= least * len(text_columns):
            return {
                column: (available_width - name_width) // len(text_columns) if column in text_columns else width
                for column, width in wanted_widths.items()
            }
        width_of_others = (available_width - least * len(text_columns)) // max(
            len(wanted_widths) - len(text_columns), 1
        )
        return {column: least if column in text_columns else width_of_others for column in wanted_widths}

    def _shrink_columns_to_fit(self, columns: Sequence[int], available_width: int) -> None:
        if self._scrolls_sideways:
            return
        is_tight = sum(self._compute_user_or_heading_width(column) for column in columns) > available_width
        if not is_tight and not self._is_tight:
            return  # keep a column that the user has widened
        self._is_tight = is_tight
        header = self.horizontalHeader()
        for column in columns:
            usual = self._compute_user_or_heading_width(column)
            is_dragged = self.rows.list_column_ids()[column] in self.dragged
            header.resizeSection(
                column,
                min(self._measure_contents_and_heading(column), usual) if is_tight and not is_dragged else usual,
            )

    def _measure_contents_and_heading(self, column: int) -> int:
        heading = str(self.rows.headerData(column, Qt.Orientation.Horizontal))
        heading_width = self.horizontalHeader().fontMetrics().horizontalAdvance(heading) + 2 * PADDING + 2
        return max(self._get_width_of_longest_cells(column), heading_width)

    def _forget_measured_widths(self) -> None:
        self._hints.clear()
        self._measured_texts.clear()

    def _measure_rows_and_check_column_growth(self, lines: Iterable[int]) -> bool:
        before = dict(self._hints)
        for line in lines:
            for column, known_width in self._hints.items():
                text, measured_texts = self.rows.get_text_at(line, column), self._measured_texts[column]
                if text not in measured_texts:
                    measured_texts.add(text)
                    self._hints[column] = max(
                        known_width, self.sizeHintForIndex(self.rows.index(line, column)).width()
                    )
        return before != self._hints

    def _get_width_of_longest_cells(self, column: int) -> int:
        width = self._hints.get(column)
        if width is None:
            longest = {
                self.rows.get_text_at(cell.row(), column): cell for cell in self.rows.find_longest_cells(column)
            }
            width = max(
                (self.sizeHintForIndex(longest_cell).width() for longest_cell in longest.values()), default=0
            )
            self._hints[column], self._measured_texts[column] = width, set(longest)
        return width


class FrozenColumnsView(QTableView):
    """A view of the first columns of a table, which stay in place during sideways scrolling.

    It shares the selection of the table.
    """

    def __init__(self, table: FittedTable, delegate: QAbstractItemDelegate, *, count: int) -> None:
        """Put the first `count` columns over the table.

        `delegate` must not be the delegate of `table`: Qt would pass typed text to the wrong view.
        """
        super().__init__(table)
        self._table, self._count = table, count
        self.setObjectName("frozen")
        self.setAccessibleName(table.accessibleName())
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.setItemDelegate(delegate)
        self.setFont(table.font())
        self.setFocusProxy(table)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the table has one
        self.doubleClicked.connect(table.doubleClicked)
        set_common_table_options(self)
        own_bar, table_bar = self.verticalScrollBar(), table.verticalScrollBar()
        table_bar.valueChanged.connect(own_bar.setValue)
        own_bar.valueChanged.connect(table_bar.setValue)
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
        header = self._table.horizontalHeader()
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column >= self._count or self._table.isColumnHidden(column))
        for column in range(min(self._count, header.count())):
            self.setColumnWidth(column, header.sectionSize(column))
        edge = self._table.frameWidth()
        height = header.height() + self._table.viewport().height()
        self.horizontalHeader().setFixedHeight(header.height())
        self.setGeometry(edge, edge, self.horizontalHeader().length() + 1, height)
        self.verticalScrollBar().setValue(self._table.verticalScrollBar().value())
        self.setVisible(self._table.horizontalScrollBar().value() > 0)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        covered_width = self.width() - self._table.columnViewportPosition(current.column())
        if self.isVisible() and current.column() >= self._count and covered_width > 0:
            bar = self._table.horizontalScrollBar()
            bar.setValue(bar.value() - covered_width)
