"""The statistics of a division: the best of each kind, with averages of all games; and everybody's."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import statistics
from tdapp.domain.tables.table import Kind
from tdapp.i18n.phrases import titled
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, text_field, wrapped_text


def _statistics(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    lines = list(_lines(context, division))
    headings = (catalogue.text("What"), catalogue.heading("player"), catalogue.text("How"))
    made = [
        text_field(context, heading, (line[place] for line in lines), kind=Kind.NAME if place == 1 else Kind.TEXT)
        for place, heading in enumerate(headings)
    ]
    return section(context, division, catalogue.text("Statistics"), wrapped_text(made, [headings[2]]), "")


def _lines(context: Context, division: Division) -> Iterator[tuple[str, str, str]]:
    """Yield a line for each best, and one for each average."""
    catalogue, after = context.catalogue, context.after(division)
    for award in statistics.best(context.index, division, after):
        for winner in award.winners:
            yield (
                titled(catalogue.code(award.prize.kind)),
                winner.player.name,
                catalogue.award(winner.code, winner.facts),
            )
    for figure in statistics.figures(context.index, division, after):
        kind = Kind.SHARE if figure.key == "starts-won" else Kind.POINTS
        value = "" if figure.value is None else _text(context, kind, figure.value)
        yield titled(catalogue.code(figure.key)), "", value


def _text(context: Context, kind: Kind, value: Fraction) -> str:
    """Return a figure with decimals: an average of 412½ points would stand beside one of 412.3."""
    return context.catalogue.cell(kind, value) if kind is Kind.SHARE else context.catalogue.number(value)


STATISTICS = Report(
    "statistics",
    N_("Statistics"),
    _statistics,
    Group.AFTER,
    N_("High games and averages, for the reporter."),
    scale=attrgetter("board"),
)


def _averages(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    table = statistics.averages(context.index, division, context.after(division))
    first = fields(context, table, ("rank", "name", "games"), bold=("rank", "name"))
    decimals = [
        text_field(
            context, catalogue.heading(heading),
            ("" if value is None else catalogue.number(value) for value in map(attrgetter(own), table.rows)),
            kind=Kind.POINTS,
        )
        for heading, own in (("average", "points"), ("average_against", "against"))
    ]  # fmt: skip
    made = (*first, *decimals, *fields(context, table, ("average_spread", "highest")))
    return section(context, division, catalogue.text("Averages"), made, catalogue.text("Nobody is ranked yet."))


AVERAGES = Report(
    "averages", N_("Averages"), _averages, Group.AFTER, N_("Everybody’s average points for and against.")
)
