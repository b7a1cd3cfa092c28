"""The layouts `card` and `poster`.

Successive cards are at the same position on successive pages. So the director can cut the stack of pages into
piles and put these on each other: all cards are then in order. Labels are in order on each page instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import THICK, THIN, PageBox, Pen, TextAlign, count_pages
from tdapp.reports.style import PAPERS, PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Paint = Callable[[Pen, PageBox], None]
_MARK = 9.0  # length of a cut mark
_LEADING = 1.45  # of a poster
_LOGO = (220.0, 70.0)  # maximum width and height of the logo on a poster


class CardSheet(Struct, frozen=True):
    """A page divided into cards of equal size, or a sheet of labels."""

    across: int
    down: int
    margin: float = 22  # within each card, in points
    stacked: bool = True  # number the cards through the stack of pages
    # on a sheet of labels, in points: the left and top margin, and the size of a label
    left: float = 0
    top: float = 0
    width: float = 0  # 0 divides the page evenly
    height: float = 0
    step_x: float = 0  # distance between the left edges of two labels

    def get_card_box(self, style: PrintStyle, number: int) -> PageBox:
        row, column = divmod(number, self.across)
        if self.width:
            top = style.page[1] - self.top - row * self.height
            return PageBox(self.left + column * self.step_x, top - self.height, self.width, self.height)
        width, height = style.page[0] / self.across, style.page[1] / self.down
        return PageBox(column * width, style.page[1] - (row + 1) * height, width, height)


def make_card_pages(title: str, mark: str, cards: Sequence[Paint], sheet: CardSheet) -> PaintedPages:
    per_page = sheet.across * sheet.down
    pages = count_pages(len(cards), per_page)
    placed = []
    for page in range(pages):
        numbers = [at * pages + page if sheet.stacked else page * per_page + at for at in range(per_page)]
        placed.append({at: cards[number] for at, number in enumerate(numbers) if number < len(cards)})
    return PaintedPages(title, mark, "", tuple(partial(_paint_page, sheet, page) for page in placed), bare=True)


def _paint_page(
    sheet: CardSheet, page: dict[int, Paint], canvas: Canvas, style: PrintStyle, _top: float, _bottom: float
) -> None:
    pen = Pen(canvas, style)
    larger = 1.0 if sheet.width else _compute_enlargement(style)
    for place, paint in page.items():
        box = sheet.get_card_box(style, place).shrink_box(sheet.margin)
        canvas.saveState()
        canvas.translate(box.x, box.y)
        canvas.scale(larger, larger)
        paint(pen, PageBox(0, 0, box.width / larger, box.height / larger))
        canvas.restoreState()
    if not sheet.width:
        _draw_cut_lines(sheet, canvas, style)


def _compute_enlargement(style: PrintStyle) -> float:
    """Return the factor that enlarges an A4 page to larger paper."""
    sides = zip(sorted(style.page), sorted(PAPERS["a4"]), strict=True)
    return max(1.0, min(own / usual for own, usual in sides))


def _draw_cut_lines(sheet: CardSheet, canvas: Canvas, style: PrintStyle) -> None:
    width, height = style.page
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(style.secondary_grey)
    xs = [width * column / sheet.across for column in range(sheet.across + 1)]
    ys = [height * row / sheet.down for row in range(sheet.down + 1)]
    for x in xs[1:-1]:
        for y in ys:
            canvas.line(x, y - _MARK, x, y + _MARK)
    for y in ys[1:-1]:
        for x in xs:
            canvas.line(x - _MARK, y, x + _MARK, y)
    canvas.setStrokeGray(0)


def draw_table_card(large_text: str, size: float, lines: tuple[str, str, str], pen: Pen, box: PageBox) -> None:
    """Draw a card to fold in the middle. The upper half is upside down."""
    low = PageBox(box.x, box.y, box.width, box.height / 2)
    _draw_card_face(pen, low.shrink_box(14), large_text, size, lines)
    high = PageBox(box.x, box.y + box.height / 2, box.width, box.height / 2)
    with pen.turn_upside_down(high):
        _draw_card_face(pen, high.shrink_box(14), large_text, size, lines)
    pen.canvas.setDash(2, 4)
    pen.draw_line(box.x, high.y, box.x + 12)
    pen.draw_line(box.right - 12, high.y, box.right)
    pen.canvas.setDash()


def _draw_card_face(pen: Pen, box: PageBox, large_text: str, size: float, lines: tuple[str, str, str]) -> None:
    above, below, foot = lines
    middle = box.y + box.height / 2
    pen.write_text(above, box, box.top - 16, 16, bold=True)
    pen.write_text(below, box, box.top - 16, 12, align=TextAlign.RIGHT)
    pen.write_text(large_text, box, middle - size * 0.36, size, bold=True, align=TextAlign.CENTRE, shrink=True)
    pen.write_text(foot, box, box.y, 9, is_grey=True, align=TextAlign.CENTRE)


# --- posters


class PosterLine(Struct, frozen=True):
    """A line of a poster."""

    text: str
    size: float
    bold: bool = False
    is_grey: bool = False


SignatureFields = tuple[tuple[str, str], ...]  # fields at the foot, with known values


def make_poster_pages(
    title: str, mark: str, pages: Iterable[Sequence[PosterLine]], signed: SignatureFields
) -> PaintedPages:
    return PaintedPages(
        title,
        mark,
        "",
        tuple(partial(_paint_poster, lines, signed) for lines in pages),
        bare=True,
        with_checksum=True,
    )


def _paint_poster(
    lines: Sequence[PosterLine],
    signed: SignatureFields,
    canvas: Canvas,
    style: PrintStyle,
    _top: float,
    _bottom: float,
) -> None:
    pen, larger = Pen(canvas, style), _compute_enlargement(style)
    sheet = PageBox(0, 0, *(side / larger for side in style.page))
    canvas.saveState()
    canvas.scale(larger, larger)
    pen.draw_frame(sheet.shrink_box(26), weight=2 * THICK)
    pen.draw_frame(sheet.shrink_box(32), weight=THIN)
    box = sheet.shrink_box(70)
    foot = 60.0
    if style.logo is not None:
        across, down = style.logo.getSize()
        width = min(_LOGO[0], _LOGO[1] * across / down)
        pen.draw_picture(
            style.logo, PageBox(sheet.width / 2 - width / 2, box.top - _LOGO[1], width, width * down / across)
        )
    shown = [line for line in lines if line.text]
    height = sum(line.size for line in shown) * _LEADING
    base = box.top - (box.height - foot - height) / 2
    for line in shown:
        base -= line.size * _LEADING
        pen.write_text(
            line.text, box, base + line.size * 0.4, line.size,
            bold=line.bold, is_grey=line.is_grey, align=TextAlign.CENTRE, shrink=True,
        )  # fmt: skip
    left, _, right = box.split_columns(4, 2, 4)
    for half, (label, known) in zip((left, right), signed, strict=True):
        pen.draw_blank_field(label, PageBox(half.x, box.y, half.width, 30), value=known)
    canvas.restoreState()
