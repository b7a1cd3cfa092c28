"""The layouts `card` and `poster`.

On 3 pages with 4 cards each, page 1 has cards 1, 4, 7 and 10. If the director cuts the stack of pages into 4 piles
and puts these piles on top of each other, all cards are in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.pen import THICK, THIN, PageBox, Pen, TextAlign, count_pages
from tdapp.reports.style import PAPERS, PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Paint = Callable[[Pen, PageBox], None]
_CUT_MARK_LENGTH = 9.0
_LEADING = 1.45  # of a poster
_MAX_LOGO_SIZE = (220.0, 70.0)  # on a poster


class CardPageLayout(Struct, frozen=True):
    """A page divided into cards of equal size, or a sheet of labels."""

    columns: int
    rows: int
    margin: float = 22  # within each card, in points
    # False for sticky labels: number them page by page
    stacked: bool = True  # number the cards through the stack of pages
    # on a sheet of labels, in points: the left and top margin, and the size of a label
    left: float = 0
    top: float = 0
    width: float = 0  # 0 divides the page evenly
    height: float = 0
    step_x: float = 0  # distance between the left edges of two labels

    def get_card_box(self, style: PrintStyle, number: int) -> PageBox:
        row, column = divmod(number, self.columns)
        if self.width:
            top = style.page[1] - self.top - row * self.height
            return PageBox(self.left + column * self.step_x, top - self.height, self.width, self.height)
        width, height = style.page[0] / self.columns, style.page[1] / self.rows
        return PageBox(column * width, style.page[1] - (row + 1) * height, width, height)


def make_card_pages(
    title: str, division_title: str, cards: Sequence[Paint], sheet: CardPageLayout
) -> CustomPaintedSection:
    per_page = sheet.columns * sheet.rows
    pages = count_pages(len(cards), per_page)
    cards_by_page = []
    for page in range(pages):
        numbers = [
            position * pages + page if sheet.stacked else page * per_page + position
            for position in range(per_page)
        ]
        cards_by_page.append(
            {position: cards[number] for position, number in enumerate(numbers) if number < len(cards)}
        )
    return CustomPaintedSection(
        title, division_title, "", tuple(partial(_paint_page, sheet, page) for page in cards_by_page), is_bare=True
    )


def _paint_page(
    sheet: CardPageLayout, page: dict[int, Paint], canvas: Canvas, style: PrintStyle, _top: float, _bottom: float
) -> None:
    pen = Pen(canvas, style)
    enlargement = 1.0 if sheet.width else _compute_enlargement_from_a4(style)
    for position, paint in page.items():
        box = sheet.get_card_box(style, position).shrink_box(sheet.margin)
        canvas.saveState()
        canvas.translate(box.x, box.y)
        canvas.scale(enlargement, enlargement)
        paint(pen, PageBox(0, 0, box.width / enlargement, box.height / enlargement))
        canvas.restoreState()
    if not sheet.width:
        _draw_cut_lines(sheet, canvas, style)


def _compute_enlargement_from_a4(style: PrintStyle) -> float:
    sides = zip(sorted(style.page), sorted(PAPERS["a4"]), strict=True)
    return max(1.0, min(side / a4_side for side, a4_side in sides))


def _draw_cut_lines(sheet: CardPageLayout, canvas: Canvas, style: PrintStyle) -> None:
    width, height = style.page
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(style.secondary_grey)
    xs = [width * column / sheet.columns for column in range(sheet.columns + 1)]
    ys = [height * row / sheet.rows for row in range(sheet.rows + 1)]
    for x in xs[1:-1]:
        for y in ys:
            canvas.line(x, y - _CUT_MARK_LENGTH, x, y + _CUT_MARK_LENGTH)
    for y in ys[1:-1]:
        for x in xs:
            canvas.line(x - _CUT_MARK_LENGTH, y, x + _CUT_MARK_LENGTH, y)
    canvas.setStrokeGray(0)


def draw_folded_card(large_text: str, size: float, lines: tuple[str, str, str], pen: Pen, box: PageBox) -> None:
    """Draw a card to fold in the middle. The upper half is upside down."""
    lower_half = PageBox(box.x, box.y, box.width, box.height / 2)
    _draw_card_face(pen, lower_half.shrink_box(14), large_text, size, lines)
    upper_half = PageBox(box.x, box.y + box.height / 2, box.width, box.height / 2)
    with pen.draw_upside_down(upper_half):
        _draw_card_face(pen, upper_half.shrink_box(14), large_text, size, lines)
    pen.canvas.setDash(2, 4)
    pen.draw_horizontal_line(box.x, upper_half.y, box.x + 12)
    pen.draw_horizontal_line(box.right - 12, upper_half.y, box.right)
    pen.canvas.setDash()


def _draw_card_face(pen: Pen, box: PageBox, large_text: str, size: float, lines: tuple[str, str, str]) -> None:
    left_text, right_text, footer = lines
    middle = box.y + box.height / 2
    pen.write_text(left_text, box, box.top - 16, 16, bold=True)
    pen.write_text(right_text, box, box.top - 16, 12, align=TextAlign.RIGHT)
    pen.write_text(large_text, box, middle - size * 0.36, size, bold=True, align=TextAlign.CENTRE, shrink=True)
    pen.write_text(footer, box, box.y, 9, is_grey=True, align=TextAlign.CENTRE)


# --- posters


class PosterLine(Struct, frozen=True):
    """A line of a poster."""

    text: str
    size: float
    bold: bool = False
    is_grey: bool = False


SignatureFields = tuple[tuple[str, str], ...]  # label and value of each field in the footer


def make_poster_pages(
    title: str, division_title: str, pages: Iterable[Sequence[PosterLine]], signature_fields: SignatureFields
) -> CustomPaintedSection:
    return CustomPaintedSection(
        title,
        division_title,
        "",
        tuple(partial(_paint_poster, lines, signature_fields) for lines in pages),
        is_bare=True,
        with_checksum=True,
    )


def _paint_poster(
    lines: Sequence[PosterLine],
    signature_fields: SignatureFields,
    canvas: Canvas,
    style: PrintStyle,
    _top: float,
    _bottom: float,
) -> None:
    pen, enlargement = Pen(canvas, style), _compute_enlargement_from_a4(style)
    sheet = PageBox(0, 0, *(side / enlargement for side in style.page))
    canvas.saveState()
    canvas.scale(enlargement, enlargement)
    pen.draw_frame(sheet.shrink_box(26), weight=2 * THICK)
    pen.draw_frame(sheet.shrink_box(32), weight=THIN)
    box = sheet.shrink_box(70)
    footer_height = 60.0
    if style.logo is not None:
        picture_width, picture_height = style.logo.getSize()
        width = min(_MAX_LOGO_SIZE[0], _MAX_LOGO_SIZE[1] * picture_width / picture_height)
        pen.draw_picture_filling_box(
            style.logo,
            PageBox(
                sheet.width / 2 - width / 2,
                box.top - _MAX_LOGO_SIZE[1],
                width,
                width * picture_height / picture_width,
            ),
        )
    filled_lines = [line for line in lines if line.text]
    height = sum(line.size for line in filled_lines) * _LEADING
    base = box.top - (box.height - footer_height - height) / 2
    for line in filled_lines:
        base -= line.size * _LEADING
        pen.write_text(
            line.text, box, base + line.size * 0.4, line.size,
            bold=line.bold, is_grey=line.is_grey, align=TextAlign.CENTRE, shrink=True,
        )  # fmt: skip
    left, _, right = box.split_into_columns(4, 2, 4)
    for half, (label, value) in zip((left, right), signature_fields, strict=True):
        pen.draw_blank_field(label, PageBox(half.x, box.y, half.width, 30), value=value)
    canvas.restoreState()
