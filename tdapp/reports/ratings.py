"""Performances and new ratings of a division's players."""

from __future__ import annotations

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.ratings import chosen
from tdapp.domain.tables import ratings
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section

_WANTED = ("rank", "name", "rating", "games", "wins", "expected", "performance", "new_rating", "change")


def _ratings(context: Context, division: Division) -> Section:
    catalogue, after = context.catalogue, context.after(division)
    system = chosen(context.systems, division.rating)
    table = ratings.table(context.index, division, system, after)
    made = fields(context, table, _WANTED, bold=("name", "new_rating"))
    title = catalogue.text("Ratings after round {round}", round=after)
    return section(context, division, title, made, catalogue.text("No players yet."), note=system.name)


RATINGS = Report(
    "ratings", N_("Ratings"), _ratings, Group.AFTER, N_("What everybody’s rating was, is and gained.")
)
