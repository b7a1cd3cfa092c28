"""The standings of a division after a round, with the tie-breaks that decide."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.model import Division
from tdapp.domain.tables import standings
from tdapp.i18n.mark import N_
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Report, fields, section

_FIRST = ("rank", "name", "games", "wins", "losses")


def _standings(context: Context, division: Division) -> Section:
    published = context.index.published(division.id)
    after = min(context.round if context.round is not None else len(published), len(published))
    table = standings.table(context.index, division, after)
    others = [column.id for column in table.columns if column.id not in {*_FIRST, "rating", "starts"}]
    made = fields(context, table, (*_FIRST, *others), bold=("rank", "name", "wins"))
    words = context.words
    title = (
        words.text("Standings after round {round}", round=after) if after else words.text("Before the first round")
    )
    return section(context, division, title, made, words.text("Nobody is ranked yet."))


STANDINGS = Report(N_("Standings"), _standings, attrgetter("board"))
