"""The standings of a division after a round, with the tie-breaks that decide."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.tables import standings
from tdapp.i18n.catalogue import Catalogue
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
    empty = context.words.text("Nobody is ranked yet.")
    return section(context, division, title(context.words, context.index, division, after), made, empty)


def title(words: Catalogue, index: Index, division: Division, after: int) -> str:
    """Return what standings after a round are called: while games are open they are those during it."""
    if after == 0:
        return words.text("Before the first round")
    if index.open_games(index.round(division.id, after).id):
        return words.text("Standings during round {round}", round=after)
    return words.text("Standings after round {round}", round=after)


STANDINGS = Report(N_("Standings"), _standings, attrgetter("board"))
