"""The layout `card`: equal pieces of paper cut from a page; hides where each is and where to cut.

Pieces are stacked: cut the pile of pages once, put the heaps on each other, and the pieces are in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import PageBox, Pen, pages_of
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Paint = Callable[[Pen, PageBox], None]
_MARK = 9.0  # length of a mark where to cut


@dataclass(frozen=True, slots=True)
class CardSheet:
    """How a page is cut: so many pieces across and down, each with a `margin`.

    Of bought labels in points: `left` and `top` of the first, their `width` and `height`, how far apart their left
    edges are; a `width` of 0: the whole page is cut.
    """

    across: int
    down: int
    margin: float = 22
    stacked: bool = True
    left: float = 0
    top: float = 0
    width: float = 0
    height: float = 0
    step_x: float = 0

    def place(self, style: Style, number: int) -> PageBox:
        """Return where piece `number` of a page is, from 0, row by row."""
        row, column = divmod(number, self.across)
        if self.width:
            top = style.page[1] - self.top - row * self.height
            return PageBox(self.left + column * self.step_x, top - self.height, self.width, self.height)
        width, height = style.page[0] / self.across, style.page[1] / self.down
        return PageBox(column * width, style.page[1] - (row + 1) * height, width, height)


def cards(title: str, mark: str, pieces: Sequence[Paint], sheet: CardSheet) -> PaintedPages:
    """Return pages of pieces; without any, one empty page."""
    per_page = sheet.across * sheet.down
    pages = pages_of(len(pieces), per_page)
    placed = []
    for page in range(pages):
        numbers = [place * pages + page if sheet.stacked else page * per_page + place for place in range(per_page)]
        placed.append({place: pieces[number] for place, number in enumerate(numbers) if number < len(pieces)})
    return PaintedPages(title, mark, "", tuple(partial(_paint, sheet, page) for page in placed), bare=True)


def _paint(
    sheet: CardSheet, page: dict[int, Paint], canvas: Canvas, style: Style, _top: float, _bottom: float
) -> None:
    pen = Pen(canvas, style)
    for place, paint in page.items():
        paint(pen, sheet.place(style, place).inset(sheet.margin))
    if not sheet.width:
        _cuts(sheet, canvas, style)


def _cuts(sheet: CardSheet, canvas: Canvas, style: Style) -> None:
    """Draw short marks where to cut: at the edges and where cuts cross."""
    width, height = style.page
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(style.quiet)
    xs = [width * column / sheet.across for column in range(sheet.across + 1)]
    ys = [height * row / sheet.down for row in range(sheet.down + 1)]
    for x in xs[1:-1]:
        for y in ys:
            canvas.line(x, y - _MARK, x, y + _MARK)
    for y in ys[1:-1]:
        for x in xs:
            canvas.line(x - _MARK, y, x + _MARK, y)
    canvas.setStrokeGray(0)
