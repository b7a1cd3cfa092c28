"""The layout `grid`: a row for each player, a square for each round, over as few pages as possible.

The first columns repeat on each page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.tables.table import Kind
from tdapp.i18n.lists import ListColumn
from tdapp.reports.layout import PaintedPages
from tdapp.reports.measuring import body_height
from tdapp.reports.pen import PAD, THICK, THIN, Align, PageBox, Pen
from tdapp.reports.report import Context
from tdapp.reports.sections import Section
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_HEAD = 18.0
_WIDEST = 96.0  # width of a square
_NAME = (90.0, 170.0)  # minimum width of names, and maximum if squares would become narrow
_HEADING = 8.0  # heading size next to the squares
_TEXT = 11.0  # text size next to the squares
_LEADING = 1.18
_AIRY = 1.15  # factor on the minimum width of a square
_TALLEST = 1.4  # maximum factor on the row height


class Strip(Struct, frozen=True):
    """`width` in points; 0 takes the rest."""

    heading: str
    width: float
    cells: tuple[str, ...]
    align: Align = Align.CENTRE
    bold: bool = False


class SquareGrid(Struct, frozen=True):
    """`lines` of text, at least `narrowest` points wide."""

    before: tuple[Strip, ...]
    headings: tuple[str, ...]
    squares: tuple[tuple[tuple[str, ...], ...], ...]
    after: tuple[Strip, ...]
    sizes: tuple[float, ...]  # type size of each line; the first is bold
    narrowest: float

    @property
    def row_height(self) -> float:
        return sum(self.sizes) * _LEADING + 4


def grid(head: Section, made: SquareGrid, style: Style) -> PaintedPages:
    room = body_height(style) - _HEAD
    rows = _split_evenly(len(made.squares), max(1, int(room // made.row_height)))
    whole, some = _name_widths(made, style)
    most = style.width - sum(one.width for one in (*made.before, *made.after))
    columns = _split_evenly(len(made.headings), max(1, int((most - some) // made.narrowest)))
    squares = len(columns[0]) * made.narrowest
    names = whole if whole <= most - squares * _AIRY else max(some, min(_NAME[1], whole, most - squares))
    height = min(_TALLEST * made.row_height, room / max(1, len(rows[0])))
    pages = [partial(_paint_page, made, (height, names), own, rounds) for own in rows for rounds in columns]
    return PaintedPages(head.title, head.mark, head.lead, tuple(pages), legend=head.legend)


def _name_widths(made: SquareGrid, style: Style) -> tuple[float, float]:
    cells = next((one.cells for one in made.before if not one.width), ())
    face = style.face(bold=True, condensed=True)
    widths = sorted(face.width(style.printable(cell), _TEXT) for cell in cells) or [0.0]
    least, most = _NAME
    whole, some = (max(least, width + 7) for width in (widths[-1], widths[len(widths) - 1 - len(widths) // 20]))
    return whole, min(most, some)


def _split_evenly(count: int, most: int) -> tuple[range, ...]:
    """Return even ranges of at most `most`."""
    parts = max(1, ceil(count / most))
    size = ceil(count / parts)
    return tuple(range(part * size, min(count, (part + 1) * size)) for part in range(parts))


def _paint_page(
    made: SquareGrid,
    sizes: tuple[float, float],
    rows: range,
    rounds: range,
    canvas: Canvas,
    style: Style,
    top: float,
    _bottom: float,
) -> None:
    pen, (row, least) = Pen(canvas, style), sizes
    height = _HEAD + len(rows) * row
    box = PageBox(style.margin, top - height, style.width, height)
    fixed = sum(one.width for one in (*made.before, *made.after))
    square = min(_WIDEST, (box.width - fixed - least) / max(1, len(rounds)))
    spread = min(box.width - fixed - square * len(rounds), least * 1.4)
    x = box.x
    for strip in made.before:
        width = strip.width or spread
        _draw_strip(pen, strip, PageBox(x, box.y, width, height), rows, row)
        x += width
    for place in rounds:
        column = PageBox(x, box.y, square, height)
        pen.within(made.headings[place], column.below(0, _HEAD), 9, bold=True, align=Align.CENTRE)
        canvas.setLineWidth(THIN)
        canvas.line(x, box.y, x, box.top - _HEAD)
        for drop, number in zip(_row_tops(row, len(rows)), rows, strict=True):
            _draw_square(pen, made, made.squares[number][place], column.below(drop, row))
        x += square
    for strip in made.after:
        column = PageBox(x, box.y, strip.width, height)
        canvas.setLineWidth(THIN)
        canvas.line(x, box.y, x, box.top - _HEAD)
        _draw_strip(pen, strip, column, rows, row)
        x += strip.width
    for drop in _row_tops(row, len(rows)):
        pen.rule(box.x, box.top - drop - row, x)
    pen.rule(box.x, box.top - _HEAD, x, weight=THICK)


def _row_tops(row: float, rows: int) -> Iterator[float]:
    return (_HEAD + number * row for number in range(rows))


def _draw_strip(pen: Pen, strip: Strip, box: PageBox, rows: range, row_height: float) -> None:
    pen.within(strip.heading, box.below(0, _HEAD), _HEADING, bold=True, align=strip.align)
    for number, row in enumerate(rows):
        cell = box.below(_HEAD + number * row_height, row_height)
        pen.within(strip.cells[row], cell, _TEXT, bold=strip.bold, align=strip.align)


def _draw_square(pen: Pen, made: SquareGrid, lines: Sequence[str], box: PageBox) -> None:
    base = box.top - (box.height - made.row_height) / 2 - 2
    for at, (line, size) in enumerate(zip(lines, made.sizes, strict=False)):
        base -= size * _LEADING
        pen.text(line, box.inset(2), base + size * 0.25, size, bold=at == 0, align=Align.CENTRE)


def make_strips(context: Context, columns: Iterable[ListColumn]) -> tuple[Strip, ...]:
    """Return the columns before and after the squares."""
    made = []
    for column in columns:
        person, face = column.kind is Kind.NAME, context.style.face(bold=True, condensed=True)
        least = max(
            26 if column.id in {"rank", "number"} else 36, face.width(column.heading, _HEADING) + 2 * PAD + 0.5
        )
        align, bold = Align.LEFT if person else Align.CENTRE, column.kind is not Kind.SIGNED
        made.append(Strip(column.heading, 0 if person else least, column.cells, align, bold=bold))
    return tuple(made)
