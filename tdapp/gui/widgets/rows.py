"""Table rows for Qt. When rows change, the selection, scroll position and open cell editor stay."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from heapq import nlargest
from itertools import groupby
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from tdapp.domain.tables.table import NUMERIC, Column, ColumnKind, Table
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.locales import fold_text, make_search_text

Edit = Callable[[str, str, str], None]
AnyIndex = QModelIndex | QPersistentModelIndex

_BOLD = QFont()
_BOLD.setBold(True)  # the rest comes from the font of the table
LONG = 16  # letters: longer texts have a tool tip
_LONGEST = 20  # number of long texts measured to find the widest
_NOWHERE = QModelIndex()
_READABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_EDITABLE = _READABLE | Qt.ItemFlag.ItemIsEditable
_NO_TEXTS: Mapping[str, Callable[[Any], str]] = {}


class _RowTexts:
    def __init__(self, row: Any, texts: tuple[str, ...], tone: str) -> None:
        self.row = row
        self.texts = texts
        self.tone = tone

    @cached_property
    def search_text(self) -> str:
        return make_search_text(" ".join(self.texts))


class TableRowsModel(QAbstractTableModel):
    """The Qt item model of a `Table`."""

    rows_changed = Signal()  # the rows have changed: one signal for all changes

    def __init__(  # noqa: PLR0913 - all that a table may declare
        self,
        catalogue: Catalogue,
        *,
        edit: Edit | None = None,
        hidden: Collection[str] = (),
        tone: Callable[[Any], str] = lambda _row: "",
        shown_texts: Mapping[str, Callable[[Any], str]] = _NO_TEXTS,
        edited_texts: Mapping[str, Callable[[Any], str]] = _NO_TEXTS,
        heat: Callable[[Any, str], float] | None = None,
        lazy: Callable[[str], bool] | None = None,
        name_key: Callable[[str], Any] | None = None,
    ) -> None:
        """Create an empty model without `hidden` columns. `edit` gets row key, column id and new text of a cell.

        `shown_texts` and `edited_texts` map a column id to a function. This function returns a row's text for the
        cell, or for the cell editor. `tone` returns the colour name of a row. `heat` returns a cell's background
        intensity, 0 to 1. If `lazy` returns True for a column id, only visible cells get a text, and search
        ignores the column.
        """
        super().__init__()
        self.catalogue = catalogue
        self._edit = edit
        self._hidden = frozenset(hidden)
        self._tone = tone
        self._shown_texts = shown_texts
        self._edited_texts = edited_texts
        self._heat = heat
        self._lazy = lazy
        self._name_key = name_key or catalogue.make_sort_key
        self._lazy_columns: frozenset[int] = frozenset()  # indexes of the lazy columns
        self._columns: tuple[Column[Any], ...] = ()
        self._alignments: list[Qt.AlignmentFlag] = []
        self._lines: dict[str, _RowTexts] = {}
        self._keys: list[str] = []
        self._positions: dict[str, int] = {}
        self._search_text = ""
        self._sort_order: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        self.locked = False  # nothing may be edited
        self.strong: Callable[[Any, str], bool] = lambda _row, _column: False  # highlighted cells

    # --- what pages use

    def show_table(self, table: Table[Any]) -> None:
        columns = tuple(column for column in table.columns if column.id not in self._hidden)
        was_emptied = False
        if [column.id for column in columns] != [column.id for column in self._columns]:
            was_emptied = bool(self._keys)
            self.beginResetModel()
            self._columns, self._lines, self._keys, self._positions = columns, {}, [], {}
            self._alignments = [_choose_column_alignment(column) for column in columns]
            self.endResetModel()
        self._columns = columns
        lazy = self._lazy
        self._lazy_columns = frozenset(
            index for index, shown_column in enumerate(columns) if lazy is not None and lazy(shown_column.id)
        )
        old_lines = self._lines
        changed_rows = [row for row in table.rows if (old := old_lines.get(row.key)) is None or old.row != row]
        new_lines = {line.row.key: line for line in self._make_row_texts(changed_rows)}
        lines = {row.key: new_lines.get(row.key) or old_lines[row.key] for row in table.rows}
        # removed rows are needed until the removal is complete
        self._lines = {**old_lines, **lines}
        self._show_rows_with_keys(self._filter_and_sort_keys(lines))
        self._lines = lines
        if was_emptied and not self._keys:
            self.rows_changed.emit()
        last = len(self._columns) - 1
        for position in (self._positions[key] for key in new_lines if key in old_lines and key in self._positions):
            self.dataChanged.emit(self.index(position, 0), self.index(position, last))

    def find_row_by_key(self, key: str) -> Any:
        line = self._lines.get(key)
        return None if line is None else line.row

    def keys(self) -> tuple[str, ...]:
        return tuple(self._keys)

    def find_row_position(self, key: str) -> int:
        return self._positions.get(key, -1)

    def list_column_ids(self) -> tuple[str, ...]:
        return tuple(column.id for column in self._columns)

    def get_text_at(self, position: int, column: int) -> str:
        return self._get_cell_text(self._lines[self._keys[position]], column)

    def is_column_empty(self, column: str) -> bool:
        column_indexes = [index for index, shown_column in enumerate(self._columns) if shown_column.id == column]
        return not any(
            line.texts[column_index] for line in self._lines.values() for column_index in column_indexes
        )

    def get_column_kind(self, column: int) -> ColumnKind:
        return self._columns[column].kind

    def find_longest_cells(self, column: int) -> Iterator[AnyIndex]:
        lines = [self._lines[key] for key in self._keys]
        if column in self._lazy_columns:
            lengths = [*map(len, self._format_cells(self._columns[column], [line.row for line in lines]))]
        else:
            lengths = [len(line.texts[column]) for line in lines]
        positions = nlargest(_LONGEST, range(len(lengths)), key=lengths.__getitem__)
        return (self.index(position, column) for position in positions)

    def filter_rows(self, text: str) -> None:
        """Show the rows that contain every word, ignoring case and accents."""
        self._search_text = fold_text(text)
        self._show_rows_with_keys(self._filter_and_sort_keys(self._lines))

    @property
    def unfiltered_row_count(self) -> int:
        return len(self._lines)

    def get_heat_map_intensity(self, index: AnyIndex) -> float:
        if self._heat is None:
            return 0
        return self._heat(self._lines[self._keys[index.row()]].row, self._columns[index.column()].id)

    def get_cell_paint_data(
        self, index: AnyIndex
    ) -> tuple[str, str, ColumnKind, str, Qt.AlignmentFlag, QFont | None]:
        """Return text, colour name, column kind, code, alignment and font of a cell.

        In a CODE column, the code is the cell's value, otherwise "". If the font is None, use the table's font.
        """
        line, column_index = self._lines[self._keys[index.row()]], index.column()
        column, text = self._columns[column_index], self._get_cell_text(line, column_index)
        code = str(column.value(line.row) or "") if column.kind is ColumnKind.CODE else ""
        special_font = _BOLD if self.strong(line.row, column.id) else None
        return text, line.tone, column.kind, code, self._alignments[column_index], special_font

    # --- what Qt asks

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._keys)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.catalogue.heading(column.heading_id)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.catalogue.explain_column(column.heading_id)
        return self._alignments[section] if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self._lines[self._keys[index.row()]]
        text = self._get_cell_text(line, index.column())
        value: object = None
        if role == Qt.ItemDataRole.EditRole:
            format_edited_text = self._edited_texts.get(self._columns[index.column()].id)
            value = text if format_edited_text is None else format_edited_text(line.row)
        elif role == Qt.ItemDataRole.DisplayRole:
            value = text
        elif role == Qt.ItemDataRole.TextAlignmentRole:
            value = self._alignments[index.column()]
        elif role == Qt.ItemDataRole.FontRole and self.strong(line.row, self._columns[index.column()].id):
            value = _BOLD
        elif role == Qt.ItemDataRole.ToolTipRole and len(text) > LONG:
            value = text
        return value

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        column = self._columns[index.column()]
        editable = (
            column.editable and self._edit is not None and not self.locked and column.kind is not ColumnKind.MARK
        )
        return _EDITABLE if editable else _READABLE

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Pass the typed text to `edit`, which changes the cell later through a command."""
        if self._edit is None or role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        text = str(value)
        if text != self.data(index, role):
            self._edit(self._keys[index.row()], self._columns[index.column()].id, text)
        return True

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, or restore the original order for -1. Empty cells are last."""
        self._sort_order = (column, order)
        self._show_rows_with_keys(self._filter_and_sort_keys(self._lines))

    def _make_row_texts(self, rows: Sequence[Any]) -> Iterable[_RowTexts]:
        # format whole columns: row by row takes three times as long
        texts = [
            [""] * len(rows) if index in self._lazy_columns else self._format_cells(column, rows)
            for index, column in enumerate(self._columns)
        ]
        return map(_RowTexts, rows, zip(*texts, strict=True), map(self._tone, rows))

    def _get_cell_text(self, row: _RowTexts, column: int) -> str:
        if column in self._lazy_columns:
            return self._format_cells(self._columns[column], (row.row,))[0]
        return row.texts[column]

    def _format_cells(self, column: Column[Any], rows: Sequence[Any]) -> list[str]:
        format_text = self._shown_texts.get(column.id)
        if format_text is not None:
            return [*map(format_text, rows)]
        if column.kind is ColumnKind.TIME:
            return [*map(self._format_time, map(column.value, rows))]
        return self.catalogue.format_cells(column.kind, map(column.value, rows))

    def _format_time(self, value: object) -> str:
        if isinstance(value, str):
            return self.catalogue.format_date_and_time(datetime.fromisoformat(value).astimezone())
        return self.catalogue.format_cell(ColumnKind.TIME, value)

    def _filter_and_sort_keys(self, lines: Mapping[str, _RowTexts]) -> list[str]:
        words = self._search_text.split()
        keys = [key for key, line in lines.items() if all(word in line.search_text for word in words)]
        column_index, order = self._sort_order
        if not 0 <= column_index < len(self._columns):
            return keys
        column = self._columns[column_index]
        empty_keys = [key for key in keys if not lines[key].texts[column_index]]
        filled_keys = [key for key in keys if lines[key].texts[column_index]]
        filled_keys.sort(
            key=self._make_sort_key_function(column, column_index, lines),
            reverse=order is Qt.SortOrder.DescendingOrder,
        )
        return filled_keys + empty_keys

    def _make_sort_key_function(
        self, column: Column[Any], position: int, lines: Mapping[str, _RowTexts]
    ) -> Callable[[str], Any]:
        if column.kind in NUMERIC or column.kind in {ColumnKind.MARK, ColumnKind.TIME}:
            return lambda key: column.value(lines[key].row)
        sort_key = self._name_key if column.kind is ColumnKind.NAME else self.catalogue.make_sort_key
        return lambda key: sort_key(lines[key].texts[position])

    def _show_rows_with_keys(self, wanted_keys: list[str]) -> None:
        before = frozenset(self._keys)
        for first, end in reversed([*_find_runs_of_unknown_keys(self._keys, frozenset(wanted_keys))]):
            self.beginRemoveRows(_NOWHERE, first, end - 1)
            del self._keys[first:end]
            self.endRemoveRows()
        present_keys = frozenset(self._keys)
        kept_keys = [key for key in wanted_keys if key in present_keys]
        if kept_keys != self._keys:
            self._reorder_rows(kept_keys)
        for first, end in _find_runs_of_unknown_keys(wanted_keys, present_keys):
            self.beginInsertRows(_NOWHERE, first, end - 1)
            self._keys[first:first] = wanted_keys[first:end]
            self.endInsertRows()
        self._positions = {key: index for index, key in enumerate(self._keys)}
        if before != present_keys or len(present_keys) < len(wanted_keys):
            self.rows_changed.emit()

    def _reorder_rows(self, keys: list[str]) -> None:
        self.layoutAboutToBeChanged.emit()
        old_indexes = self.persistentIndexList()
        positions = {key: index for index, key in enumerate(keys)}
        new_indexes = [self.index(positions[self._keys[index.row()]], index.column()) for index in old_indexes]
        self._keys = keys
        self.changePersistentIndexList(old_indexes, new_indexes)
        self.layoutChanged.emit()


def _find_runs_of_unknown_keys(keys: list[str], known_keys: frozenset[str]) -> Iterator[tuple[int, int]]:
    end = 0
    for is_known, run in groupby(keys, known_keys.__contains__):
        first, end = end, end + len([*run])
        if not is_known:
            yield first, end


def _choose_column_alignment(column: Column[Any]) -> Qt.AlignmentFlag:
    if column.kind in NUMERIC:
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    if column.kind is ColumnKind.MARK:
        return Qt.AlignmentFlag.AlignCenter
    return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
