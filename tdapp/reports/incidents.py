"""The log of incidents at the tables of a division."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import jury_log
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section
from tdapp.reports.text_wrapping import wrapped_text

_WANTED = ("at", "round", "table", "kind", "time", "players", "note", "author")


def _incidents(context: Context, division: Division) -> Section:
    words = context.words
    table = jury_log.incidents(context.index, division, context.round)
    made = wrapped_text(fields(context, table, _WANTED, bold=("table",)), [words.heading("note")])
    return section(context, division, words.text("Incidents"), made, words.text("Nothing was noted."), joined=True)


INCIDENTS = Report(
    "incidents",
    N_("Incidents"),
    _incidents,
    attrgetter("desk"),
    wide=True,
    group=Group.JURY,
    purpose=N_("What happened at the tables, as the jury noted it."),
)
