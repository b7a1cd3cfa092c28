"""The layout `grid`: a row for each player, a square for each round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.tables.table import ColumnKind
from tdapp.i18n.lists import TextColumn
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.measuring import MIN_TEXT_SCALE, compute_page_body_height
from tdapp.reports.pen import PAD, THICK, THIN, PageBox, Pen, TextAlign
from tdapp.reports.report import ReportContext
from tdapp.reports.sections import Section
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_HEADING_HEIGHT = 18.0
_MAX_SQUARE_WIDTH = 96.0
_NAME_WIDTHS = (90.0, 170.0)  # minimum, and maximum if squares are narrow
_MAX_NAME_SHARE = 0.45  # of the page width, for very long names
_HEADING_SIZE = 8.0  # next to the squares
_TEXT_SIZE = 11.0  # next to the squares
_LEADING = 1.18
_COMFORTABLE_FACTOR = 1.15  # times the minimum width of a square
_MAX_HEIGHT_FACTOR = 1.4  # times the row height
_TIGHT_FACTOR = 0.9  # times height and width of squares, if this saves a page
_SCALES = (1.0, 1.15, 1.3, 1.4, 1.6, 1.8)
_LARGE_SCALES = (1.5, 1.75, 2.0, 2.25, 2.5, 3.0)
_LARGE_NAME_SIZE = 22.0  # minimum type size in large print
_NAME_LEADING = 1.5


class ColumnBesideSquares(Struct, frozen=True):
    """A column of texts left or right of the squares."""

    heading: str
    width: float  # in points; 0 takes the remaining width of the page
    cells: tuple[str, ...]
    align: TextAlign = TextAlign.CENTRE
    bold: bool = False


class PlayerSquareGrid(Struct, frozen=True):
    """A table with a row for each player: squares in the middle, other columns on the left and right."""

    columns_before: tuple[ColumnBesideSquares, ...]
    headings: tuple[str, ...]
    squares: tuple[tuple[tuple[str, ...], ...], ...]  # lines of text by player and square
    columns_after: tuple[ColumnBesideSquares, ...]
    sizes: tuple[float, ...]  # type size of each line; the first is bold
    minimum_square_width: float

    @property
    def row_height(self) -> float:
        return sum(self.sizes) * _LEADING + 4


class _GridPlan(Struct, frozen=True):
    scale: float
    style: PrintStyle
    rows: tuple[range, ...]
    columns: tuple[range, ...]
    height: float
    name_width: float
    text_size: float
    longest_name_width: float

    @property
    def layout_cost(self) -> tuple[int, bool, float]:
        shortened = self.name_width < self.longest_name_width * MIN_TEXT_SCALE + 2 * PAD
        return len(self.rows) * len(self.columns), shortened, -self.scale


def make_grid_pages(section: Section, grid: PlayerSquareGrid, style: PrintStyle) -> CustomPaintedSection:
    """Return the fewest possible pages, in the largest type that fits.

    For large print, names have a type of at least 22 points.
    """
    scales = _LARGE_SCALES if style.large else _SCALES
    plan = min((_make_grid_plan(grid, style, scale) for scale in scales), key=lambda plan: plan.layout_cost)
    pages = [
        partial(_scale_and_paint_page, grid, plan, rows, rounds) for rows in plan.rows for rounds in plan.columns
    ]
    return CustomPaintedSection(
        section.title,
        section.division_title,
        section.subtitle,
        tuple(pages),
        legend=section.legend,
        note=section.note,
        empty=section.empty,
    )


def _make_grid_plan(grid: PlayerSquareGrid, style: PrintStyle, scale: float) -> _GridPlan:
    body_height = (compute_page_body_height(style) - style.note_size) / scale - _HEADING_HEIGHT
    page_width, page_height = (side / scale for side in style.page)
    text_size = max(_TEXT_SIZE, style.large * _LARGE_NAME_SIZE / scale)
    style = replace(style, page=(page_width, page_height), margin=style.margin / scale)
    row_height = max(grid.row_height, text_size * _NAME_LEADING)
    rows = _split_count_into_even_ranges(
        len(grid.squares), max(1, int(body_height // (row_height * _TIGHT_FACTOR)))
    )
    longest_name, minimum_name = _measure_longest_name_and_minimum_width(grid, style, text_size)
    flexible_width = style.printable_width - sum(
        column.width for column in (*grid.columns_before, *grid.columns_after)
    )
    columns = _split_count_into_even_ranges(
        len(grid.headings),
        max(1, int((flexible_width - minimum_name) // (grid.minimum_square_width * _TIGHT_FACTOR))),
    )
    squares_width = len(columns[0]) * grid.minimum_square_width
    maximum_name = _NAME_WIDTHS[1] * text_size / _TEXT_SIZE
    name_width = (
        longest_name
        if longest_name <= flexible_width - squares_width * _COMFORTABLE_FACTOR
        else max(minimum_name, min(maximum_name, longest_name, flexible_width - squares_width))
    )
    square_height = min(_MAX_HEIGHT_FACTOR * row_height, body_height / max(1, len(rows[0])))
    return _GridPlan(scale, style, rows, columns, square_height, name_width, text_size, longest_name)


def _scale_and_paint_page(
    grid: PlayerSquareGrid, plan: _GridPlan, rows: range, rounds: range,
    canvas: Canvas, _style: PrintStyle, top: float, _bottom: float,
) -> None:  # fmt: skip
    canvas.saveState()
    canvas.scale(plan.scale, plan.scale)
    _paint_page(grid, plan, rows, rounds, canvas, top / plan.scale)
    canvas.restoreState()


def _measure_longest_name_and_minimum_width(
    grid: PlayerSquareGrid, style: PrintStyle, size: float
) -> tuple[float, float]:
    """Return the width of the longest name, and a minimum width that usually fits 95% of the names."""
    cells = next((column.cells for column in grid.columns_before if not column.width), ())
    typeface = style.get_typeface(bold=True, condensed=True)
    widths = sorted(
        typeface.measure_width(style.replace_unprintable_characters(cell), size) for cell in cells
    ) or [0.0]
    minimum_width, maximum_width = (side * size / _TEXT_SIZE for side in _NAME_WIDTHS)
    longest_name, shorter_name = (
        max(minimum_width, width + 7) for width in (widths[-1], widths[len(widths) - 1 - len(widths) // 20])
    )
    return longest_name, max(
        min(maximum_width, shorter_name),
        min(longest_name * MIN_TEXT_SCALE + 2 * PAD, style.printable_width * _MAX_NAME_SHARE),
    )


def _split_count_into_even_ranges(count: int, maximum: int) -> tuple[range, ...]:
    parts = max(1, ceil(count / maximum))
    size = ceil(count / parts)
    return tuple(range(part * size, min(count, (part + 1) * size)) for part in range(parts))


def _paint_page(
    grid: PlayerSquareGrid, plan: _GridPlan, rows: range, rounds: range, canvas: Canvas, top: float
) -> None:
    style, row_height, name_width = plan.style, plan.height, plan.name_width
    pen = Pen(canvas, style)
    height = _HEADING_HEIGHT + len(rows) * row_height
    box = PageBox(style.margin, top - height, style.printable_width, height)
    fixed_width = sum(column.width for column in (*grid.columns_before, *grid.columns_after))
    square_width = min(_MAX_SQUARE_WIDTH, (box.width - fixed_width - name_width) / max(1, len(rounds)))
    flexible_width = min(box.width - fixed_width - square_width * len(rounds), name_width * 1.4)
    x = box.x
    for grid_column in grid.columns_before:
        width = grid_column.width or flexible_width
        _draw_column_beside_squares(pen, grid_column, PageBox(x, box.y, width, height), rows, plan)
        x += width
    for square_index in rounds:
        column_box = PageBox(x, box.y, square_width, height)
        pen.write_vertically_centred_text(
            grid.headings[square_index],
            column_box.make_row_box(0, _HEADING_HEIGHT),
            9,
            bold=True,
            align=TextAlign.CENTRE,
        )
        canvas.setLineWidth(THIN)
        canvas.line(x, box.y, x, box.top - _HEADING_HEIGHT)
        for drop, number in zip(_list_row_distances_from_top(row_height, len(rows)), rows, strict=True):
            _draw_square(pen, grid, grid.squares[number][square_index], column_box.make_row_box(drop, row_height))
        x += square_width
    for grid_column in grid.columns_after:
        column_box = PageBox(x, box.y, grid_column.width, height)
        canvas.setLineWidth(THIN)
        canvas.line(x, box.y, x, box.top - _HEADING_HEIGHT)
        _draw_column_beside_squares(pen, grid_column, column_box, rows, plan)
        x += grid_column.width
    for drop in _list_row_distances_from_top(row_height, len(rows)):
        pen.draw_horizontal_line(box.x, box.top - drop - row_height, x)
    pen.draw_horizontal_line(box.x, box.top - _HEADING_HEIGHT, x, weight=THICK)


def _list_row_distances_from_top(row_height: float, row_count: int) -> Iterator[float]:
    return (_HEADING_HEIGHT + number * row_height for number in range(row_count))


def _draw_column_beside_squares(
    pen: Pen, column: ColumnBesideSquares, box: PageBox, rows: range, plan: _GridPlan
) -> None:
    pen.write_vertically_centred_text(
        column.heading, box.make_row_box(0, _HEADING_HEIGHT), _HEADING_SIZE, bold=True, align=column.align
    )
    for number, row in enumerate(rows):
        cell = box.make_row_box(_HEADING_HEIGHT + number * plan.height, plan.height)
        pen.write_vertically_centred_text(
            column.cells[row], cell, plan.text_size, bold=column.bold, align=column.align, shrink=True
        )


def _draw_square(pen: Pen, grid: PlayerSquareGrid, lines: Sequence[str], box: PageBox) -> None:
    base = box.top - (box.height - grid.row_height) / 2 - 2
    for number, (line, size) in enumerate(zip(lines, grid.sizes, strict=False)):
        base -= size * _LEADING
        pen.write_text(line, box.shrink_box(2), base + size * 0.25, size, bold=number == 0, align=TextAlign.CENTRE)


def make_columns_beside_squares(
    context: ReportContext, columns: Iterable[TextColumn]
) -> tuple[ColumnBesideSquares, ...]:
    grid_columns = []
    for column in columns:
        is_name, typeface = column.kind is ColumnKind.NAME, context.style.get_typeface(bold=True, condensed=True)
        minimum_width = max(
            26 if column.id in {"rank", "number"} else 36,
            typeface.measure_width(column.heading, _HEADING_SIZE) + 2 * PAD + 0.5,
        )
        align, bold = TextAlign.LEFT if is_name else TextAlign.CENTRE, column.kind is not ColumnKind.SIGNED
        grid_columns.append(
            ColumnBesideSquares(column.heading, 0 if is_name else minimum_width, column.cells, align, bold=bold)
        )
    return tuple(grid_columns)
