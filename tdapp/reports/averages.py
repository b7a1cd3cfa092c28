"""Everybody's averages, in the order of the standings."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import statistics
from tdapp.domain.tables.table import Kind
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, text_field


def _averages(context: Context, division: Division) -> Section:
    words = context.words
    table = statistics.averages(context.index, division, context.after(division))
    first = fields(context, table, ("rank", "name", "games"), bold=("rank", "name"))
    decimals = [
        text_field(
            context, words.heading(heading),
            ("" if value is None else words.number(value) for value in map(attrgetter(own), table.rows)),
            kind=Kind.POINTS,
        )
        for heading, own in (("average", "points"), ("average_against", "against"))
    ]  # fmt: skip
    made = (*first, *decimals, *fields(context, table, ("average_spread", "highest")))
    return section(context, division, words.text("Averages"), made, words.text("Nobody is ranked yet."))


AVERAGES = Report(
    "averages",
    N_("Averages"),
    _averages,
    attrgetter("desk"),
    group=Group.AFTER,
    purpose=N_("Everybody’s average points for and against."),
)
