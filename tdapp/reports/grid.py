"""The layout `grid`: a row for each player, a square for each round, on as few pages as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.tables.table import ColumnKind
from tdapp.i18n.lists import ListColumn
from tdapp.reports.layout import PaintedPages
from tdapp.reports.measuring import SHRUNK, get_body_height
from tdapp.reports.pen import PAD, THICK, THIN, PageBox, Pen, TextAlign
from tdapp.reports.report import ReportContext
from tdapp.reports.sections import Section
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_HEAD = 18.0
_WIDEST = 96.0  # width of a square
_NAME = (90.0, 170.0)  # minimum width of names, and maximum if squares would become narrow
_NAMES_SHARE = 0.45  # of the width of the page, at most, for very long names
_HEADING = 8.0  # heading size next to the squares
_TEXT = 11.0  # text size next to the squares
_LEADING = 1.18
_AIRY = 1.15  # factor on the minimum width of a square
_TALLEST = 1.4  # maximum factor on the row height
_TIGHT = 0.9  # factor on the height and width of squares if this saves a page
_SCALES = (1.0, 1.15, 1.3, 1.4, 1.6, 1.8)
_LARGE_SCALES = (1.5, 1.75, 2.0, 2.25, 2.5, 3.0)
_LARGE = 22.0  # minimum size of names in large type
_NAME_LEADING = 1.5


class GridColumn(Struct, frozen=True):
    """A column before or after the squares."""

    heading: str
    width: float  # in points; 0 takes the remaining width of the page
    cells: tuple[str, ...]
    align: TextAlign = TextAlign.CENTRE
    bold: bool = False


class SquareGrid(Struct, frozen=True):
    """The content of a grid: a row of squares for each player, with columns before and after."""

    columns_before: tuple[GridColumn, ...]
    headings: tuple[str, ...]
    squares: tuple[tuple[tuple[str, ...], ...], ...]  # lines of text by player and square
    columns_after: tuple[GridColumn, ...]
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
    def cost(self) -> tuple[int, bool, float]:
        shortened = self.name_width < self.longest_name_width * SHRUNK + 2 * PAD
        return len(self.rows) * len(self.columns), shortened, -self.scale


def make_grid_pages(head: Section, grid: SquareGrid, style: PrintStyle) -> PaintedPages:
    """Return the fewest possible pages, in the largest type that fits.

    For large print, names have a type of at least 22 points.
    """
    scales = _LARGE_SCALES if style.large else _SCALES
    plan = min((_make_plan(grid, style, scale) for scale in scales), key=lambda plan: plan.cost)
    pages = [partial(_paint_scaled_page, grid, plan, own, rounds) for own in plan.rows for rounds in plan.columns]
    return PaintedPages(
        head.title, head.mark, head.lead, tuple(pages), legend=head.legend, note=head.note, empty=head.empty
    )


def _make_plan(grid: SquareGrid, style: PrintStyle, scale: float) -> _GridPlan:
    room = (get_body_height(style) - style.note) / scale - _HEAD
    width, height = (side / scale for side in style.page)
    text = max(_TEXT, style.large * _LARGE / scale)
    style = replace(style, page=(width, height), margin=style.margin / scale)
    row = max(grid.row_height, text * _NAME_LEADING)
    rows = _split_evenly(len(grid.squares), max(1, int(room // (row * _TIGHT))))
    whole, some = _measure_name_widths(grid, style, text)
    most = style.width - sum(one.width for one in (*grid.columns_before, *grid.columns_after))
    columns = _split_evenly(len(grid.headings), max(1, int((most - some) // (grid.minimum_square_width * _TIGHT))))
    squares = len(columns[0]) * grid.minimum_square_width
    widest = _NAME[1] * text / _TEXT
    names = whole if whole <= most - squares * _AIRY else max(some, min(widest, whole, most - squares))
    tall = min(_TALLEST * row, room / max(1, len(rows[0])))
    return _GridPlan(scale, style, rows, columns, tall, names, text, whole)


def _paint_scaled_page(
    grid: SquareGrid, plan: _GridPlan, rows: range, rounds: range,
    canvas: Canvas, _style: PrintStyle, top: float, _bottom: float,
) -> None:  # fmt: skip
    canvas.saveState()
    canvas.scale(plan.scale, plan.scale)
    _paint_page(grid, plan, rows, rounds, canvas, top / plan.scale)
    canvas.restoreState()


def _measure_name_widths(grid: SquareGrid, style: PrintStyle, size: float) -> tuple[float, float]:
    """Return the width of the longest name, and the least width of the name column.

    At the least width the longest 5% of the names are printed smaller.
    """
    cells = next((one.cells for one in grid.columns_before if not one.width), ())
    face = style.get_face(bold=True, condensed=True)
    widths = sorted(face.measure_width(style.replace_unprintable(cell), size) for cell in cells) or [0.0]
    least, most = (side * size / _TEXT for side in _NAME)
    whole, some = (max(least, width + 7) for width in (widths[-1], widths[len(widths) - 1 - len(widths) // 20]))
    return whole, max(min(most, some), min(whole * SHRUNK + 2 * PAD, style.width * _NAMES_SHARE))


def _split_evenly(count: int, maximum: int) -> tuple[range, ...]:
    parts = max(1, ceil(count / maximum))
    size = ceil(count / parts)
    return tuple(range(part * size, min(count, (part + 1) * size)) for part in range(parts))


def _paint_page(grid: SquareGrid, plan: _GridPlan, rows: range, rounds: range, canvas: Canvas, top: float) -> None:
    style, row, least = plan.style, plan.height, plan.name_width
    pen = Pen(canvas, style)
    height = _HEAD + len(rows) * row
    box = PageBox(style.margin, top - height, style.width, height)
    fixed = sum(one.width for one in (*grid.columns_before, *grid.columns_after))
    square = min(_WIDEST, (box.width - fixed - least) / max(1, len(rounds)))
    spread = min(box.width - fixed - square * len(rounds), least * 1.4)
    x = box.x
    for strip in grid.columns_before:
        width = strip.width or spread
        _draw_grid_column(pen, strip, PageBox(x, box.y, width, height), rows, plan)
        x += width
    for place in rounds:
        column = PageBox(x, box.y, square, height)
        pen.write_centred_text(
            grid.headings[place], column.make_row_box(0, _HEAD), 9, bold=True, align=TextAlign.CENTRE
        )
        canvas.setLineWidth(THIN)
        canvas.line(x, box.y, x, box.top - _HEAD)
        for drop, number in zip(_list_row_tops(row, len(rows)), rows, strict=True):
            _draw_square(pen, grid, grid.squares[number][place], column.make_row_box(drop, row))
        x += square
    for strip in grid.columns_after:
        column = PageBox(x, box.y, strip.width, height)
        canvas.setLineWidth(THIN)
        canvas.line(x, box.y, x, box.top - _HEAD)
        _draw_grid_column(pen, strip, column, rows, plan)
        x += strip.width
    for drop in _list_row_tops(row, len(rows)):
        pen.draw_line(box.x, box.top - drop - row, x)
    pen.draw_line(box.x, box.top - _HEAD, x, weight=THICK)


def _list_row_tops(row: float, rows: int) -> Iterator[float]:
    return (_HEAD + number * row for number in range(rows))


def _draw_grid_column(pen: Pen, one: GridColumn, box: PageBox, rows: range, plan: _GridPlan) -> None:
    pen.write_centred_text(one.heading, box.make_row_box(0, _HEAD), _HEADING, bold=True, align=one.align)
    for number, row in enumerate(rows):
        cell = box.make_row_box(_HEAD + number * plan.height, plan.height)
        pen.write_centred_text(one.cells[row], cell, plan.text_size, bold=one.bold, align=one.align, shrink=True)


def _draw_square(pen: Pen, grid: SquareGrid, lines: Sequence[str], box: PageBox) -> None:
    base = box.top - (box.height - grid.row_height) / 2 - 2
    for at, (line, size) in enumerate(zip(lines, grid.sizes, strict=False)):
        base -= size * _LEADING
        pen.write_text(line, box.shrink_box(2), base + size * 0.25, size, bold=at == 0, align=TextAlign.CENTRE)


def make_grid_columns(context: ReportContext, columns: Iterable[ListColumn]) -> tuple[GridColumn, ...]:
    made = []
    for column in columns:
        person, face = column.kind is ColumnKind.NAME, context.style.get_face(bold=True, condensed=True)
        least = max(
            26 if column.id in {"rank", "number"} else 36,
            face.measure_width(column.heading, _HEADING) + 2 * PAD + 0.5,
        )
        align, bold = TextAlign.LEFT if person else TextAlign.CENTRE, column.kind is not ColumnKind.SIGNED
        made.append(GridColumn(column.heading, 0 if person else least, column.cells, align, bold=bold))
    return tuple(made)
