"""The standings of a division after a round, with the tie-breaks that decide."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from tdapp.domain.checking import in_use, tally
from tdapp.domain.index import Index
from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import standings
from tdapp.domain.tables.table import Table
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import standings_title
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section

_FIRST = ("class_rank", "rank", "name", "stage_group", "games", "wins", "losses")


def _standings(context: Context, division: Division) -> Section:
    after = context.after(division)
    table: Table[Any] = standings.table(context.index, division, after)
    if context.category:
        table = standings.class_table(context.index, division, context.category, after)
    present = [column.id for column in table.columns]
    others = [name for name in present if name not in {*_FIRST, "rating", "starts"}]
    first = [name for name in _FIRST if name in present]
    made = fields(context, table, (*first, *others), bold=("class_rank", "rank", "name", "wins"))
    empty = context.catalogue.text("Nobody is ranked yet.")
    title = standings_title(context.catalogue, context.index, division, after)
    if context.category:
        title = context.catalogue.text("{title}: category {category}", title=title, category=context.category)
    note = unchecked(context.catalogue, context.index, division, after)
    return section(context, division, title, made, empty, note=note)


def unchecked(catalogue: Catalogue, index: Index, division: Division, after: int) -> str:
    """Return how many of the games the jury has checked, while some are not; nothing where nobody checks any."""
    counted = tally(index, division, after)
    if not counted.unchecked or not in_use(index):
        return ""
    return catalogue.plural(
        "{checked} of {n} game checked", "{checked} of {n} games checked", counted.played, checked=counted.checked
    )


STANDINGS = Report(
    "standings",
    N_("Standings"),
    _standings,
    Group.AFTER,
    N_("For the wall: the ranking with all that decides it."),
    scale=attrgetter("board"),
)
