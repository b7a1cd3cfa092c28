"""The score sheet form: both players’ columns of turns, the board, and the sums at the end; two for each game.

Nl-reglement II.1: the players enter each other's data on the form handed out, then all scores and (sub)totals;
IV: the jury notes the final scores on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, Start
from tdapp.domain.tables.rounds import PairingRow, pairings
from tdapp.i18n import Catalogue
from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import THICK, THIN, Align, PageBox, Pen, Ruled, ruled
from tdapp.reports.report import Context, Group, Report, round_of, section
from tdapp.reports.style import Style
from tdapp.scrabble.board import LAYOUT

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

# The mark of a premium square (times, letter or word) and its grey: still white enough to write on.
_PREMIUMS: Mapping[str, tuple[str, float]] = {
    "3": (N_("3W"), 0.72),
    "2": (N_("2W"), 0.86),
    "c": (N_("3L"), 0.8),
    "b": (N_("2L"), 0.92),
}


def board(pen: Pen, box: PageBox, catalogue: Catalogue) -> None:
    """Draw a board with its coordinates, letters above and numbers at the left, in a square `box`.

    The page description has it once, however many pages show it.
    """
    name, canvas = f"board-{box.width:g}", pen.canvas
    if not canvas.hasForm(name):
        canvas.beginForm(name)
        _board(pen, PageBox(0, 0, box.width, box.height), catalogue)
        canvas.endForm()
    canvas.saveState()
    canvas.translate(box.x, box.y)
    canvas.doForm(name)
    canvas.restoreState()


def _board(pen: Pen, box: PageBox, catalogue: Catalogue) -> None:
    size = len(LAYOUT)
    unit = box.width / (size + 1)
    for row, line in enumerate(LAYOUT, 1):
        pen.within(str(row), PageBox(box.x, box.top - (row + 1) * unit, unit, unit), 7, align=Align.CENTRE, pad=0)
        top = PageBox(box.x + row * unit, box.top - unit, unit, unit)
        pen.within(chr(ord("A") + row - 1), top, 7, align=Align.CENTRE, pad=0)
        for column, sign in enumerate(line, 1):
            square = PageBox(box.x + column * unit, box.top - (row + 1) * unit, unit, unit)
            mark, grey = _PREMIUMS.get(sign, ("", 1.0))
            pen.frame(square, weight=THIN, grey=grey)
            pen.within(catalogue.text(mark), square, 4.5, quiet=True, align=Align.CENTRE, pad=0)
    pen.frame(PageBox(box.x + unit, box.y, size * unit, size * unit), weight=THICK)


_TURNS = 22
_BOARD = 262.0


def _form(
    context: Context, when: str, row: PairingRow | None, form: int, canvas: Canvas, style: Style, *_: float
) -> None:
    """Draw form `form` of a game, 0 and no `row` for an empty one."""
    pen, catalogue, event = Pen(canvas, style), context.catalogue, context.index.tournament.event
    page = PageBox(style.margin, style.margin, style.width, style.page[1] - 2 * style.margin)
    pen.text(catalogue.text("Score sheet"), page, page.top - 18, style.title, bold=True)
    if row:
        table = catalogue.text("Table {table}", table=row.table)
        pen.text(table, page, page.top - 18, style.title, bold=True, align=Align.RIGHT)
    else:
        left, right = page.below(0, 32).columns(4, 1, 1)[1:]
        pen.blank(catalogue.heading("round"), PageBox(left.x, left.y, left.width - 8, left.height))
        pen.blank(catalogue.heading("table"), right)
    numbered = catalogue.text("Form {form}", form=form) if form else ""
    lead = " · ".join(filter(None, (event.name, when, numbered)))
    pen.text(lead, page, page.top - 34, style.lead)
    _players(context, pen, page.below(40, 34), row)
    low = PageBox(page.x, page.y, page.width, _BOARD)
    turns = PageBox(page.x, page.y + _BOARD + 12, page.width, page.height - _BOARD - 12 - 80)
    for half in _halves(turns):
        ruled(pen, half, _columns(context), _TURNS)
    board(pen, PageBox(low.x, low.y, _BOARD, _BOARD), catalogue)
    _sums(context, pen, PageBox(low.x + _BOARD + 16, low.y, low.width - _BOARD - 16, _BOARD), row)


def _halves(box: PageBox) -> tuple[PageBox, PageBox]:
    left, _, right = box.columns(30, 1, 30)
    return left, right


def _players(context: Context, pen: Pen, box: PageBox, row: PairingRow | None) -> None:
    labels = (context.catalogue.text("starts"), context.catalogue.text("replies"))
    if row and row.start is Start.DRAW:
        labels = (context.catalogue.heading("player"),) * 2
    names = (f"{row.first}  {row.first_name}", f"{row.second}  {row.second_name}") if row else ("", "")
    for half, label, name in zip(_halves(box), labels, names, strict=True):
        pen.blank(label, half, value=name, size=13)


def _columns(context: Context) -> list[Ruled]:
    catalogue = context.catalogue
    turns = tuple(str(number) for number in range(1, _TURNS + 1))
    return [
        Ruled("", 2.2, turns),
        Ruled(catalogue.heading("square"), 4),
        Ruled(catalogue.heading("word"), 14, align=Align.LEFT),
        Ruled(catalogue.heading("points"), 4.5),
        Ruled(catalogue.heading("total"), 5.5),
    ]


def _sums(context: Context, pen: Pen, box: PageBox, row: PairingRow | None) -> None:
    """Draw what is added and taken off at the end, the final scores for the jury, and the signatures."""
    catalogue = context.catalogue
    lines = (N_("Subtotal"), N_("Tiles left"), N_("Overtime"), N_("Penalties"), N_("Final score (jury)"))
    numbers = (str(row.first), str(row.second)) if row else (catalogue.text("starts"), catalogue.text("replies"))
    labels = tuple(catalogue.text(line) for line in lines)
    columns = [Ruled("", 9, labels, Align.LEFT), *(Ruled(number, 6) for number in numbers)]
    table = box.below(0, 150)
    ruled(pen, table, columns, len(lines), label=9)
    pen.frame(PageBox(table.x, table.y, table.width, (table.height - 17) / len(lines)), weight=2 * THICK)
    left, right = box.columns(1, 1)
    for half, number in ((left, numbers[0]), (right, numbers[1])):
        pen.blank(
            catalogue.text("Signature {player}", player=number), PageBox(half.x, box.y + 44, half.width - 8, 34)
        )
    pen.blank(catalogue.text("Checked by the jury"), PageBox(box.x, box.y, box.width - 8, 34))


def _forms(context: Context, division: Division) -> PaintedPages:
    """Return two forms for each game of the round, one for each player; one empty form before the first."""
    head = section(context, division, context.catalogue.text("Score sheet"), (), "")
    if context.round is None and not context.index.published(division.id):
        empty = partial(_form, context, head.mark, None, 0)
        return PaintedPages(head.title, head.mark, "", (empty,), bare=True)
    item = round_of(context, division)
    rows = pairings(context.index, item).rows
    when = " · ".join(filter(None, (head.mark, context.catalogue.text("Round {round}", round=item.number))))
    pages = tuple(partial(_form, context, when, row, form) for row in rows for form in (1, 2))
    return PaintedPages(head.title, head.mark, "", pages, bare=True)


SCORE_SHEETS = Report(
    "score-sheets",
    N_("Score sheet forms"),
    _forms,
    Group.ROUND,
    N_("Two for each game, with the board and columns for words and points."),
)
