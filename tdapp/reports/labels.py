"""Labels as shops sell them, with a name and what tells the player apart."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, Player
from tdapp.reports.cards import CardSheet, Paint, cards
from tdapp.reports.layout import PaintedPages
from tdapp.reports.namecards import about
from tdapp.reports.pen import Align, PageBox, Pen
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.style import Style

_MM = 72 / 25.4


def _labels(context: Context, division: Division) -> PaintedPages:
    head = section(context, division, context.words.text("Labels"), (), "")
    event = context.index.tournament.event.name
    pieces: list[Paint] = [
        partial(_label, player, " · ".join(filter(None, (event, head.mark))))
        for player in context.index.players(division.id)
    ]
    return cards(head.title, head.mark, pieces, _bought(context.style))


def _bought(style: Style) -> CardSheet:
    """Return the labels that shops sell: 21 of 63.5 by 38.1 mm on A4, 30 of 2 5/8 by 1 inch on letter."""
    if style.page[1] > 800:  # noqa: PLR2004 - A4 is 842 points high, letter 792
        return CardSheet(3, 7, 6, False, 7.2 * _MM, 15.1 * _MM, 63.5 * _MM, 38.1 * _MM, 66 * _MM)
    return CardSheet(3, 10, 5, False, 13.5, 36, 189, 72, 198)


def _label(player: Player, event: str, pen: Pen, box: PageBox) -> None:
    pen.text(player.name, box, box.top - 20, 16, bold=True, shrink=True)
    pen.text(about(player), box, box.top - 34, 10)
    pen.text(event, PageBox(box.x, box.y, box.width - 32, box.height), box.y + 3, 8, quiet=True)
    pen.text(str(player.number), box, box.y + 3, 16, bold=True, align=Align.RIGHT)


LABELS = Report(
    "labels", N_("Labels"), _labels, attrgetter("desk"), group=Group.FORM, purpose=N_("Names on bought labels.")
)
