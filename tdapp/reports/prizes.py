"""The prizes of a division with those who get them, and for what."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.prizes import Award
from tdapp.domain.tables import prizes
from tdapp.domain.tables.table import Kind
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import prize_named
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, section, text_field, wrapped_text

_Line = tuple[str, str, str, str, str]


def share_of(catalogue: Catalogue, award: Award) -> str:
    """Return how a prize is shared, nothing where it is not."""
    if not award.shared or not award.pool:
        return ""
    facts = {"count": len(award.winners), "first": award.first, "last": award.last}
    return catalogue.award("shared", {**facts, "pool": catalogue.money(award.pool)})


def _prizes(context: Context, division: Division) -> Section:
    catalogue, after = context.catalogue, context.after(division)
    table = prizes.table(context.index, division, after)
    lines = [line for row in table.rows for line in _lines(catalogue, row.award)]
    headings = [catalogue.heading(name) for name in ("prize", "amount", "winners", "each", "why")]
    kinds = (Kind.TEXT, Kind.NUMBER, Kind.NAME, Kind.NUMBER, Kind.TEXT)
    made = [
        text_field(context, heading, (line[place] for line in lines), kind=kind)
        for place, (heading, kind) in enumerate(zip(headings, kinds, strict=True))
    ]
    made = wrapped_text(made, [headings[0], headings[-1]])
    title = catalogue.text("Prizes after round {round}", round=after) if after else catalogue.text("Prizes")
    return section(context, division, title, made, catalogue.text("There are no prizes."), joined=True)


def _lines(catalogue: Catalogue, award: Award) -> list[_Line]:
    """Return a line for each winner of a prize, the prize itself on the first only."""
    amount = " + ".join(filter(None, (catalogue.cell(Kind.MONEY, award.prize.amount), award.prize.text)))
    name = prize_named(catalogue, award.prize)
    if not award.winners:
        return [(name, amount, catalogue.award("nobody", {}), "", "")]
    reasons = [catalogue.award(winner.code, winner.facts) for winner in award.winners]
    reasons[0] = "; ".join(filter(None, (reasons[0], share_of(catalogue, award))))
    shares = [catalogue.cell(Kind.MONEY, winner.share) for winner in award.winners]
    names = [winner.player.name for winner in award.winners]
    first, *others = zip(names, shares, reasons, strict=True)
    return [(name, amount, *first), *(("", "", *other) for other in others)]


PRIZES = Report(
    "prizes", N_("Prizes"), _prizes, Group.AFTER, N_("Who gets what, and for what."), scale=attrgetter("board")
)
