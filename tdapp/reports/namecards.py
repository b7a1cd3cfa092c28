"""Cards that stand on a table, folded once, with the name of a player or the number of the table.

Both faces show it large in the middle, with three small lines around.
"""

from __future__ import annotations

from functools import partial

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, Player
from tdapp.reports.cards import CardSheet, Paint, cards
from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import Align, PageBox, Pen
from tdapp.reports.report import Context, Group, Report, section


def table_card(large: str, size: float, lines: tuple[str, str, str], pen: Pen, box: PageBox) -> None:
    """Draw both faces of a card: the upper one stands on its head, the fold is between them."""
    low = PageBox(box.x, box.y, box.width, box.height / 2)
    _face(pen, low.inset(14), large, size, lines)
    high = PageBox(box.x, box.y + box.height / 2, box.width, box.height / 2)
    with pen.turned(high):
        _face(pen, high.inset(14), large, size, lines)
    pen.canvas.setDash(2, 4)
    pen.rule(box.x, high.y, box.x + 12)
    pen.rule(box.right - 12, high.y, box.right)
    pen.canvas.setDash()


def _face(pen: Pen, box: PageBox, large: str, size: float, lines: tuple[str, str, str]) -> None:
    above, below, foot = lines
    middle = box.y + box.height / 2
    pen.text(above, box, box.top - 16, 16, bold=True)
    pen.text(below, box, box.top - 16, 12, align=Align.RIGHT)
    pen.text(large, box, middle - size * 0.36, size, bold=True, align=Align.CENTRE, shrink=True)
    pen.text(foot, box, box.y, 9, quiet=True, align=Align.CENTRE)


def _place_cards(context: Context, division: Division) -> PaintedPages:
    head = section(context, division, context.catalogue.text("Place cards"), (), "")
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(table_card, player.name, 30, (str(player.number), about(player), event))
        for player in context.index.players(division.id)
    ]
    return cards(head.title, head.mark, pieces, CardSheet(2, 3, 0))


def _table_cards(context: Context, division: Division) -> PaintedPages:
    catalogue, index = context.catalogue, context.index
    head = section(context, division, catalogue.text("Table cards"), (), "")
    used = {game.table for item in index.rounds(division.id) for game in index.games(item.id)}
    first = division.first_table
    tables = used or set(range(first, first + len(index.players(division.id)) // 2))
    lines = (catalogue.heading("table"), head.mark, index.tournament.event.name)
    pieces: list[Paint] = [partial(table_card, str(table), 180, lines) for table in sorted(tables)]
    return cards(head.title, head.mark, pieces, CardSheet(1, 2, 0))


def about(player: Player) -> str:
    """Return where a player comes from."""
    return " · ".join(filter(None, (player.club, player.country)))


PLACE_CARDS = Report(
    "place-cards", N_("Place cards"), _place_cards, Group.FORM, N_("A name to stand before each player.")
)
TABLE_CARDS = Report(
    "table-cards", N_("Table cards"), _table_cards, Group.FORM, N_("A number to stand on each table.")
)
