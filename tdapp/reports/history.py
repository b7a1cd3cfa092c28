"""What was done in a tournament, by whom and when: an extract for the file of the organiser."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.history import history
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, wrapped_text

_WANTED = ("seq", "at", "station", "step", "undone")


def _history(context: Context, division: Division) -> Section:
    """Return the steps of the whole tournament, the first first: they belong to no division."""
    catalogue = context.catalogue
    table = history(context.steps)
    table = replace(table, rows=tuple(reversed(table.rows)))
    made = wrapped_text(fields(context, table, _WANTED), [catalogue.heading("step")])
    own = section(context, division, catalogue.text("History"), made, catalogue.text("Nothing was done yet."))
    return replace(own, mark="")


HISTORY = Report(
    "history",
    N_("History"),
    _history,
    Group.JURY,
    N_("Everything that was done in this tournament, step by step."),
    once=True,
)
