"""Cards that stand on a table, folded once, with the name of a player or the number of the table; and labels."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from tdapp.domain.model import Division, Player
from tdapp.i18n.mark import N_
from tdapp.reports.cards import Paint, Sheet, cards
from tdapp.reports.layout import Picture
from tdapp.reports.pen import Align, Box, Pen
from tdapp.reports.report import Context, Report, section
from tdapp.reports.style import Style

_MM = 72 / 25.4


def _place_cards(context: Context, division: Division) -> Picture:
    head = section(context, division, context.words.text("Place cards"), (), "")
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(_tent, player.name, 30, (str(player.number), _about(player), event))
        for player in context.index.players(division.id)
    ]
    return cards(head.title, head.mark, pieces, Sheet(2, 3, 0))


def _table_cards(context: Context, division: Division) -> Picture:
    words, index = context.words, context.index
    head = section(context, division, words.text("Table cards"), (), "")
    used = {game.table for item in index.rounds(division.id) for game in index.games(item.id)}
    first = division.first_table
    tables = used or set(range(first, first + len(index.players(division.id)) // 2))
    lines = (words.heading("table"), head.mark, index.tournament.event.name)
    pieces: list[Paint] = [partial(_tent, str(table), 180, lines) for table in sorted(tables)]
    return cards(head.title, head.mark, pieces, Sheet(1, 2, 0))


def _tent(large: str, size: float, lines: tuple[str, str, str], pen: Pen, box: Box) -> None:
    """Draw both faces of a card: the upper one stands on its head, the fold is between them."""
    low = Box(box.x, box.y, box.width, box.height / 2)
    _face(pen, low.inset(14), large, size, lines)
    high = Box(box.x, box.y + box.height / 2, box.width, box.height / 2)
    with pen.turned(high):
        _face(pen, high.inset(14), large, size, lines)
    pen.canvas.setDash(2, 4)
    pen.rule(box.x, high.y, box.x + 12)
    pen.rule(box.right - 12, high.y, box.right)
    pen.canvas.setDash()


def _face(pen: Pen, box: Box, large: str, size: float, lines: tuple[str, str, str]) -> None:
    above, below, foot = lines
    middle = box.y + box.height / 2
    pen.text(above, box, box.top - 16, 16, bold=True)
    pen.text(below, box, box.top - 16, 12, align=Align.RIGHT)
    pen.text(large, box, middle - size * 0.36, size, bold=True, align=Align.CENTRE, shrink=True)
    pen.text(foot, box, box.y, 9, quiet=True, align=Align.CENTRE)


def _labels(context: Context, division: Division) -> Picture:
    head = section(context, division, context.words.text("Labels"), (), "")
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(_label, player, " · ".join(filter(None, (event, head.mark))))
        for player in context.index.players(division.id)
    ]
    return cards(head.title, head.mark, pieces, _bought(context.style))


def _bought(style: Style) -> Sheet:
    """Return the labels that shops sell: 21 of 63.5 by 38.1 mm on A4, 30 of 2 5/8 by 1 inch on letter."""
    if style.page[1] > 800:  # noqa: PLR2004 - A4 is 842 points high, letter 792
        return Sheet(3, 7, 6, False, 7.2 * _MM, 15.1 * _MM, 63.5 * _MM, 38.1 * _MM, 66 * _MM)
    return Sheet(3, 10, 5, False, 13.5, 36, 189, 72, 198)


def _label(player: Player, event: str, pen: Pen, box: Box) -> None:
    pen.text(player.name, box, box.top - 20, 16, bold=True, shrink=True)
    pen.text(_about(player), box, box.top - 34, 10)
    pen.text(event, Box(box.x, box.y, box.width - 32, box.height), box.y + 3, 8, quiet=True)
    pen.text(str(player.number), box, box.y + 3, 16, bold=True, align=Align.RIGHT)


def _about(player: Player) -> str:
    return " · ".join(filter(None, (player.club, player.country)))


PLACE_CARDS = Report(N_("Place cards"), _place_cards, attrgetter("desk"))
TABLE_CARDS = Report(N_("Table cards"), _table_cards, attrgetter("desk"))
LABELS = Report(N_("Labels"), _labels, attrgetter("desk"))
