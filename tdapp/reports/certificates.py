"""Certificates: one for each of the first three places of a division, and for each other prize won."""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, PrizeKind
from tdapp.domain.tables import prizes, standings
from tdapp.i18n.phrases import prize_named
from tdapp.reports.cards import PosterLine, posters
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, section

_PLACES = 3


def _certificates(context: Context, division: Division) -> PaintedPages:
    catalogue, event = context.catalogue, context.index.tournament.event
    head = section(context, division, catalogue.text("Certificates"), (), "")
    where = " · ".join(filter(None, (event.place, catalogue.date(event.date))))
    signed = (catalogue.text("Place and date"), event.director or catalogue.heading("director"))
    pages = [
        (
            (
                PosterLine(catalogue.text("Certificate"), 46, bold=True),
                PosterLine(event.name, 22),
                PosterLine(where, 13, quiet=True),
                PosterLine(" ", 14),
                PosterLine(name, 40, bold=True),
                PosterLine(award, 24),
                PosterLine(detail, 13, quiet=True),
                PosterLine(head.mark, 14),
            ),
            signed,
        )
        for name, award, detail in _winners(context, division)
    ]
    return posters(
        head.title, head.mark, pages or [((PosterLine(catalogue.text("Nobody is ranked yet."), 22),), signed)]
    )


def _winners(context: Context, division: Division) -> Iterator[tuple[str, str, str]]:
    """Yield who gets a certificate, for what, and by what."""
    catalogue, after = context.catalogue, context.after(division)
    for row in standings.table(context.index, division, after).rows:
        if row.rank <= _PLACES and row.games:
            facts = {"wins": row.match_points, "games": row.games, "spread": catalogue.signed(row.spread)}
            detail = catalogue.text("{wins} of {games} games won, spread {spread}", **facts)
            yield row.player.name, catalogue.text("Place {rank}", rank=row.rank), detail
    for prize in prizes.table(context.index, division, after).rows:
        if prize.prize.kind is not PrizeKind.RANK:
            for winner in prize.award.winners:
                award = (
                    prize.prize.text if prize.prize.kind is PrizeKind.HAND else prize_named(catalogue, prize.prize)
                )
                yield winner.player.name, award, catalogue.award(winner.code, winner.facts)


CERTIFICATES = Report(
    "certificates",
    N_("Certificates"),
    _certificates,
    Group.AFTER,
    N_("One for each prize and place, to hand over."),
    wide=True,
)
