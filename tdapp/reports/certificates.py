"""Certificates: one for each of the first three places of a division, and for each other prize won."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, PrizeKind
from tdapp.domain.tables import prizes, standings
from tdapp.reports.layout import Picture
from tdapp.reports.poster import Line, posters
from tdapp.reports.prizes import named
from tdapp.reports.report import Context, Group, Report, section

_PLACES = 3


def _certificates(context: Context, division: Division) -> Picture:
    words, event = context.words, context.index.tournament.event
    head = section(context, division, words.text("Certificates"), (), "")
    where = " · ".join(filter(None, (event.place, words.date(event.date))))
    signed = (words.text("Place and date"), event.director or words.heading("director"))
    pages = [
        (
            (
                Line(words.text("Certificate"), 46, bold=True),
                Line(event.name, 22),
                Line(where, 13, quiet=True),
                Line(" ", 14),
                Line(name, 40, bold=True),
                Line(said, 24),
                Line(detail, 13, quiet=True),
                Line(head.mark, 14),
            ),
            signed,
        )
        for name, said, detail in _winners(context, division)
    ]
    return posters(head.title, head.mark, pages or [((Line(words.text("Nobody is ranked yet."), 22),), signed)])


def _winners(context: Context, division: Division) -> Iterator[tuple[str, str, str]]:
    """Yield who gets a certificate, for what, and by what."""
    words, after = context.words, context.after(division)
    for row in standings.table(context.index, division, after).rows:
        if row.rank <= _PLACES and row.games:
            facts = {"wins": row.match_points, "games": row.games, "spread": words.signed(row.spread)}
            detail = words.text("{wins} of {games} games won, spread {spread}", **facts)
            yield row.player.name, words.text("Place {rank}", rank=row.rank), detail
    for prize in prizes.table(context.index, division, after).rows:
        if prize.prize.kind is not PrizeKind.RANK:
            for winner in prize.award.winners:
                said = prize.prize.text if prize.prize.kind is PrizeKind.HAND else named(words, prize.prize)
                yield winner.player.name, said, words.award(winner.code, winner.facts)


CERTIFICATES = Report(
    "certificates",
    N_("Certificates"),
    _certificates,
    attrgetter("desk"),
    wide=True,
    group=Group.AFTER,
    purpose=N_("One for each prize and place, to hand over."),
)
