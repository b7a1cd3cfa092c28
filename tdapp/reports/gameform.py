"""The layout `form` of a whole game: both players' columns of turns, the board, and the sums at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdapp.domain.mark import N_
from tdapp.domain.model import Start
from tdapp.domain.tables.rounds import PairingRow
from tdapp.reports.boardform import board
from tdapp.reports.pen import THICK, Align, PageBox, Pen
from tdapp.reports.report import Context
from tdapp.reports.ruled import Ruled, ruled
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_TURNS = 22
_BOARD = 262.0


def game_form(
    context: Context, when: str, row: PairingRow | None, form: int, canvas: Canvas, style: Style, *_: float
) -> None:
    """Draw form `form` of a game, 0 and no `row` for an empty one."""
    pen, words, event = Pen(canvas, style), context.words, context.index.tournament.event
    page = PageBox(style.margin, style.margin, style.width, style.page[1] - 2 * style.margin)
    pen.text(words.text("Score sheet"), page, page.top - 18, style.title, bold=True)
    if row:
        table = words.text("Table {table}", table=row.table)
        pen.text(table, page, page.top - 18, style.title, bold=True, align=Align.RIGHT)
    else:
        left, right = page.below(0, 32).columns(4, 1, 1)[1:]
        pen.blank(words.heading("round"), PageBox(left.x, left.y, left.width - 8, left.height))
        pen.blank(words.heading("table"), right)
    said = words.text("Form {form}", form=form) if form else ""
    lead = " · ".join(filter(None, (event.name, when, said)))
    pen.text(lead, page, page.top - 34, style.lead)
    _players(context, pen, page.below(40, 34), row)
    low = PageBox(page.x, page.y, page.width, _BOARD)
    turns = PageBox(page.x, page.y + _BOARD + 12, page.width, page.height - _BOARD - 12 - 80)
    for half in _halves(turns):
        ruled(pen, half, _columns(context), _TURNS)
    board(pen, PageBox(low.x, low.y, _BOARD, _BOARD), words)
    _sums(context, pen, PageBox(low.x + _BOARD + 16, low.y, low.width - _BOARD - 16, _BOARD), row)


def _halves(box: PageBox) -> tuple[PageBox, PageBox]:
    left, _, right = box.columns(30, 1, 30)
    return left, right


def _players(context: Context, pen: Pen, box: PageBox, row: PairingRow | None) -> None:
    said = (context.words.text("starts"), context.words.text("replies"))
    if row and row.start is Start.DRAW:
        said = (context.words.heading("player"),) * 2
    names = (f"{row.first}  {row.first_name}", f"{row.second}  {row.second_name}") if row else ("", "")
    for half, label, name in zip(_halves(box), said, names, strict=True):
        pen.blank(label, half, value=name, size=13)


def _columns(context: Context) -> list[Ruled]:
    words = context.words
    turns = tuple(str(number) for number in range(1, _TURNS + 1))
    return [
        Ruled("", 2.2, turns),
        Ruled(words.heading("square"), 4),
        Ruled(words.heading("word"), 14, align=Align.LEFT),
        Ruled(words.heading("points"), 4.5),
        Ruled(words.heading("total"), 5.5),
    ]


def _sums(context: Context, pen: Pen, box: PageBox, row: PairingRow | None) -> None:
    """Draw what is added and taken off at the end, the final scores for the jury, and the signatures."""
    words = context.words
    lines = (N_("Subtotal"), N_("Tiles left"), N_("Overtime"), N_("Penalties"), N_("Final score (jury)"))
    numbers = (str(row.first), str(row.second)) if row else (words.text("starts"), words.text("replies"))
    labels = tuple(words.text(line) for line in lines)
    columns = [Ruled("", 9, labels, Align.LEFT), *(Ruled(number, 6) for number in numbers)]
    table = box.below(0, 150)
    ruled(pen, table, columns, len(lines), label=9)
    pen.frame(PageBox(table.x, table.y, table.width, (table.height - 17) / len(lines)), weight=2 * THICK)
    left, right = box.columns(1, 1)
    for half, number in ((left, numbers[0]), (right, numbers[1])):
        pen.blank(words.text("Signature {player}", player=number), PageBox(half.x, box.y + 44, half.width - 8, 34))
    pen.blank(words.text("Checked by the jury"), PageBox(box.x, box.y, box.width - 8, 34))
