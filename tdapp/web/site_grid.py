"""Tables of the web pages: cells with their CSS classes, rows and headings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import compress

from msgspec import Struct

from tdapp.domain.tables.table import ColumnKind
from tdapp.i18n.lists import TextColumn, TextTable
from tdapp.i18n.locales import make_sort_key

_CLASSES = ("number", "strong", "spare", "name", "square", "score")


@cache
def _choose_css_classes(*conditions: bool) -> str:
    return " ".join(compress(_CLASSES, conditions))


class SiteCell(Struct, frozen=True):
    """A cell of a list."""

    text: str
    link: str = ""  # page name, or ""
    is_row_heading: bool = False  # whether the cell is the heading of its row
    numeric: bool = False
    person: bool = False  # a name that browsers must not translate
    bold: bool = False
    hidden_on_phone: bool = False  # hidden on a phone
    square: bool = False  # with borders, as in a crosstable

    @property
    def css_classes(self) -> str:
        """CSS classes, separated by blanks."""
        score = self.numeric and " – " in self.text
        return _choose_css_classes(self.numeric, self.bold, self.hidden_on_phone, self.person, self.square, score)


class ColumnHeading(Struct, frozen=True):
    """The heading of a column."""

    text: str
    title: str = ""  # full text of the heading
    numeric: bool = False
    hidden_on_phone: bool = False  # hidden on a phone

    @property
    def css_classes(self) -> str:
        """CSS classes, separated by blanks."""
        return _choose_css_classes(self.numeric, False, self.hidden_on_phone)


class SiteRow(Struct, frozen=True):
    """A row of a list."""

    cells: tuple[SiteCell, ...]
    key: str = ""  # text for the search


class SiteGrid(Struct, frozen=True):
    """A table on a web page."""

    caption: str
    column_headings: tuple[ColumnHeading, ...]
    rows: tuple[SiteRow, ...]
    empty_text: str = ""  # text for a list without rows


def make_site_grid(
    text_table: TextTable,
    make_page_name: Callable[[int], str],
    column_ids: Iterable[str] | None = None,
    *,
    heading_column: str = "name",
    bold: Collection[str] = (),
    hidden_on_phone: Collection[str] = (),
) -> SiteGrid:
    """Return the columns `column_ids` (None: all) of `text_table`.

    `make_page_name` returns the page name for a player's number. The cells of the column `heading_column` are the
    headings of the rows. A search finds a row by the name in this column.
    """
    columns = text_table.columns if column_ids is None else text_table.get_columns_by_ids(column_ids)
    heading_index = next((index for index, column in enumerate(columns) if column.id == heading_column), 0)
    headings = tuple(
        ColumnHeading(
            column.heading,
            "" if column.explanation == column.heading else column.explanation,
            column.is_numeric,
            column.id in hidden_on_phone,
        )
        for column in columns
    )
    lines = []
    for row in range(len(columns[0].cells) if columns else 0):
        row_heading_index = (
            heading_index if columns[heading_index].cells[row] else heading_index + 1
        )  # a bye has no table
        cells = tuple(
            _make_cell(
                column,
                row,
                make_page_name,
                is_row_heading=index == row_heading_index,
                bold=column.id in bold,
                hidden_on_phone=column.id in hidden_on_phone,
            )
            for index, column in enumerate(columns)
        )
        names = (cells[heading_index],) if cells[heading_index].person else cells
        lines.append(SiteRow(cells, make_search_key(cell.text for cell in names if cell.person)))
    return SiteGrid(text_table.title, headings, tuple(lines), text_table.empty)


def _make_cell(
    column: TextColumn,
    row: int,
    make_page_name: Callable[[int], str],
    *,
    is_row_heading: bool,
    bold: bool,
    hidden_on_phone: bool,
) -> SiteCell:
    number = column.players[row] if column.players else None
    return SiteCell(
        column.cells[row],
        "" if number is None else make_page_name(number),
        is_row_heading,
        column.is_numeric,
        person=column.kind is ColumnKind.NAME and (number is not None or not column.players),
        bold=is_row_heading or bold or row in column.winners,
        hidden_on_phone=hidden_on_phone,
        square=column.id.startswith("round_"),
    )


def make_search_key(names: Iterable[str]) -> str:
    return " ".join(make_sort_key("en", name)[0] for name in names)
