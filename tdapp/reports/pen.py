"""Draw texts, lines and QR codes on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.reports.measuring import FittedTextLine, condense_or_shorten_text, fit_text_in_one_or_two_lines
from tdapp.reports.style import PrintStyle

if TYPE_CHECKING:
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

QUIET_ZONE = 4  # light squares around a code (ISO 18004)
_QR_MASK = 2  # all eight masks are readable


def make_qr_squares(value: str) -> tuple[tuple[bool, ...], ...]:
    """Return the squares of a QR code by row. True is dark."""
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel  # noqa: PLC0415 - loaded when something is drawn

    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(value)
    code.version = code.calculate_version()  # type: ignore[no-untyped-call]
    code.makeImpl(False, _QR_MASK)  # trying all eight masks takes ten times as long
    return tuple(tuple(bool(square) for square in row) for row in code.modules)


THIN, THICK = 0.4, 1.1
PAD = 3.0  # padding of a text in its box


class TextAlign(Enum):
    """Alignment of a text."""

    LEFT = 0.0
    CENTRE = 0.5
    RIGHT = 1.0


class PageBox(Struct, frozen=True):
    """A rectangle on a page, in points."""

    x: float  # left edge
    y: float  # lower edge
    width: float
    height: float

    @property
    def top(self) -> float:
        return self.y + self.height

    @property
    def right(self) -> float:
        return self.x + self.width

    def shrink_box(self, margin: float) -> PageBox:
        return PageBox(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def make_row_box(self, drop: float, height: float) -> PageBox:
        """Return a box of the same width that begins `drop` points below the top."""
        return PageBox(self.x, self.top - drop - height, self.width, height)

    def split_into_columns(self, *shares: float) -> tuple[PageBox, ...]:
        unit, x, boxes = self.width / sum(shares), self.x, []
        for share in shares:
            boxes.append(PageBox(x, self.y, share * unit, self.height))
            x += share * unit
        return tuple(boxes)


class Pen:
    """Writes and draws on one page. Replaces unprintable characters."""

    def __init__(self, canvas: Canvas, style: PrintStyle) -> None:
        self.canvas = canvas
        self.style = style

    def write_text(
        self,
        text: str,
        box: PageBox,
        base: float,
        size: float,
        *,
        bold: bool = False,
        is_grey: bool = False,
        align: TextAlign = TextAlign.LEFT,
        shrink: bool = False,
    ) -> None:
        """Write a text. `base` is the height of its base line on the page, in points.

        With `shrink` a long text gets a smaller type, then two lines, before it is shortened.
        """
        text = self.style.replace_unprintable_characters(text)
        if not text:
            return
        if is_grey:
            self.canvas.setFillGray(self.style.secondary_grey)
        lines = (
            fit_text_in_one_or_two_lines(text, self.style, size, box.width, bold=bold)
            if shrink
            else (FittedTextLine(*condense_or_shorten_text(text, self.style, size, box.width, bold=bold), size),)
        )
        for line in lines:
            left = (box.width - line.typeface.measure_width(line.text, line.size)) * align.value
            self.canvas.setFont(line.typeface.name, line.size)
            self.canvas.drawString(box.x + left, base + line.rise, line.text)
        if is_grey:
            self.canvas.setFillGray(0)

    def write_vertically_centred_text(
        self,
        text: str,
        box: PageBox,
        size: float,
        *,
        bold: bool = False,
        is_grey: bool = False,
        align: TextAlign = TextAlign.LEFT,
        pad: float = PAD,
        shrink: bool = False,
    ) -> None:
        inner = PageBox(box.x + pad, box.y, box.width - 2 * pad, box.height)
        base = box.y + (box.height - size * 0.71) / 2
        self.write_text(text, inner, base, size, bold=bold, is_grey=is_grey, align=align, shrink=shrink)

    def draw_horizontal_line(self, x: float, y: float, right: float, *, weight: float = THIN) -> None:
        self.canvas.setLineWidth(weight)
        self.canvas.line(x, y, right, y)

    def draw_frame(self, box: PageBox, *, weight: float, fill: tuple[float, float, float] | None = None) -> None:
        """Draw a border. `fill` is red, green, blue from 0 to 1."""
        self.canvas.setLineWidth(weight)
        if fill is not None:
            self.canvas.setFillColorRGB(*fill)
        self.canvas.rect(box.x, box.y, box.width, box.height, stroke=weight > 0, fill=fill is not None)
        self.canvas.setFillGray(0)

    def draw_blank_field(self, label: str, box: PageBox, *, value: str = "", size: float = 11) -> None:
        base = box.y + self.style.note_size * 1.25
        self.draw_horizontal_line(box.x, base, box.right)
        self.write_text(label, box, box.y + self.style.note_size * 0.3, self.style.note_size * 0.8, is_grey=True)
        self.write_text(value, box, base + size * 0.3, size, bold=True)

    def draw_tick_box(self, label: str, x: float, base: float, width: float, *, size: float = 10) -> None:
        self.draw_frame(PageBox(x, base - size * 0.15, size, size), weight=THICK)
        self.write_text(label, PageBox(x + size * 1.5, base, width - size * 1.5, size), base, size)

    def draw_qr_code(self, value: str, box: PageBox) -> None:
        modules = make_qr_squares(value)
        side = min(box.width, box.height)
        unit = side / (len(modules) + 2 * QUIET_ZONE)
        left, top = box.right - side + QUIET_ZONE * unit, box.top - QUIET_ZONE * unit
        path = self.canvas.beginPath()
        for row, line in enumerate(modules):
            column = 0
            for dark, run in groupby(line):
                length = len(list(run))
                if dark:
                    path.rect(left + column * unit, top - (row + 1) * unit, length * unit, unit)
                column += length
        self.canvas.drawPath(path, stroke=0, fill=1)

    def draw_picture_filling_box(self, picture: ImageReader, box: PageBox) -> None:
        self.canvas.drawImage(picture, box.x, box.y, box.width, box.height, mask="auto")

    @contextmanager
    def draw_upside_down(self, box: PageBox) -> Iterator[None]:
        """Draw upside down within a `with` block."""
        self.canvas.saveState()
        self.canvas.translate(2 * box.x + box.width, 2 * box.y + box.height)
        self.canvas.rotate(180)
        yield
        self.canvas.restoreState()


def count_pages(count: int, per_page: int) -> int:
    return max(1, ceil(count / per_page))


MAX_CELL_SIZE = 10.0  # type size in a ruled cell
_HEADING_RATIO = 1.9  # height to type size


class ColumnWithRuledLines(Struct, frozen=True):
    """A column of a table with ruled lines."""

    heading: str
    share: float  # fraction of the width
    cells: tuple[str, ...] = ()  # from the top
    align: TextAlign = TextAlign.CENTRE
    bold: bool = False


def draw_columns_with_ruled_lines(
    pen: Pen,
    box: PageBox,
    columns: Sequence[ColumnWithRuledLines],
    rows: int,
    *,
    heading_size: float = 7,
    max_cell_size: float = MAX_CELL_SIZE,
) -> None:
    heading_height = heading_size * _HEADING_RATIO
    height = (box.height - heading_height) / rows
    size = min(max_cell_size, height * 0.62)
    lines: list[tuple[float, float, float, float]] = []
    for column, strip in zip(columns, box.split_into_columns(*(column.share for column in columns)), strict=True):
        pen.write_vertically_centred_text(
            column.heading, strip.make_row_box(0, heading_height), heading_size, bold=True, align=column.align
        )
        for row, cell in enumerate(column.cells[:rows]):
            cell_box = strip.make_row_box(heading_height + row * height, height)
            pen.write_vertically_centred_text(
                cell, cell_box, size, bold=column.bold, align=column.align, shrink=True
            )
        lines.append((strip.x, box.y, strip.x, box.top - heading_height))
    tops = (box.top - heading_height - row * height for row in range(1, rows))
    lines += [(box.x, top, box.right, top) for top in tops]
    pen.canvas.setLineWidth(THIN)
    pen.canvas.lines(lines)
    pen.draw_frame(PageBox(box.x, box.y, box.width, box.height - heading_height), weight=THICK)
