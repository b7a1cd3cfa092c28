"""Certificates: one for each of the first three places of a division, and for each other prize won.

Hides the spacing of a few lines in the middle of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, PrizeKind
from tdapp.domain.tables import prizes, standings
from tdapp.i18n.phrases import prize_named
from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import THICK, THIN, Align, PageBox, Pen
from tdapp.reports.report import Context, Group, Report, section
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_LEADING = 1.45
_LOGO = (220.0, 70.0)  # how wide and how high the organiser's picture may be


@dataclass(frozen=True, slots=True)
class PosterLine:
    """A line of a poster."""

    text: str
    size: float
    bold: bool = False
    quiet: bool = False


def posters(title: str, mark: str, pages: Sequence[tuple[Sequence[PosterLine], tuple[str, str]]]) -> PaintedPages:
    """Return a poster for each of `pages`: its lines, and two places to sign at the foot."""
    return PaintedPages(
        title, mark, "", tuple(partial(_paint, lines, signed) for lines, signed in pages), bare=True
    )


def _paint(
    lines: Sequence[PosterLine], signed: tuple[str, str], canvas: Canvas, style: Style, _top: float, _bottom: float
) -> None:
    pen = Pen(canvas, style)
    sheet = PageBox(0, 0, *style.page)
    pen.frame(sheet.inset(26), weight=2 * THICK)
    pen.frame(sheet.inset(32), weight=THIN)
    box = sheet.inset(70)
    foot = 60.0
    if style.logo is not None:
        across, down = style.logo.getSize()
        width = min(_LOGO[0], _LOGO[1] * across / down)
        pen.picture(
            style.logo, PageBox(sheet.width / 2 - width / 2, box.top - _LOGO[1], width, width * down / across)
        )
    shown = [line for line in lines if line.text]
    height = sum(line.size for line in shown) * _LEADING
    base = box.top - (box.height - foot - height) / 2
    for line in shown:
        base -= line.size * _LEADING
        pen.text(
            line.text, box, base + line.size * 0.4, line.size,
            bold=line.bold, quiet=line.quiet, align=Align.CENTRE, shrink=True,
        )  # fmt: skip
    left, _, right = box.columns(4, 2, 4)
    for half, label in zip((left, right), signed, strict=True):
        pen.blank(label, PageBox(half.x, box.y, half.width, 30))


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
                PosterLine(prize_text, 24),
                PosterLine(detail, 13, quiet=True),
                PosterLine(head.mark, 14),
            ),
            signed,
        )
        for name, prize_text, detail in _winners(context, division)
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
                prize_text = (
                    prize.prize.text if prize.prize.kind is PrizeKind.HAND else prize_named(catalogue, prize.prize)
                )
                yield winner.player.name, prize_text, catalogue.award(winner.code, winner.facts)


CERTIFICATES = Report(
    "certificates",
    N_("Certificates"),
    _certificates,
    Group.AFTER,
    N_("One for each prize and place, to hand over."),
    wide=True,
)
