"""The logs of a division: sanctions and rulings, the rulings alone, and incidents at the tables."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import jury_log
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, wrapped_text

_SANCTION_COLUMNS = ("round", "table", "name", "kind", "penalty", "turn", "word", "why", "author")


def _sanctions(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    table = jury_log.sanctions_and_rulings(context.index, division, context.round)
    made = wrapped_text(fields(context, table, _SANCTION_COLUMNS, bold=("name",)), [catalogue.heading("why")])
    title = catalogue.text("Sanctions and rulings")
    return section(context, division, title, made, catalogue.text("There are no sanctions and no rulings."))


def _rulings(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    rows = [
        row for row in jury_log.rulings(context.index, division) if (row.round or 0) <= context.after(division)
    ]
    table = replace(jury_log.sanctions(context.index, division), rows=tuple(rows))
    wanted = ("round", "table", "turn", "word", "name", "kind", "why", "author")
    made = wrapped_text(fields(context, table, wanted, bold=("word",)), [catalogue.heading("why")])
    return section(context, division, catalogue.text("Rulings"), made, catalogue.text("There are no rulings."))


SANCTIONS = Report(
    "sanctions",
    N_("Sanctions and rulings"),
    _sanctions,
    Group.JURY,
    N_("Sanctions, and the rulings on score sheets."),
    wide=True,
)
RULINGS = Report(
    "rulings", N_("Rulings"), _rulings, Group.JURY, N_("What the jury found on words of score sheets."), wide=True
)


_INCIDENT_COLUMNS = ("at", "round", "table", "kind", "time", "players", "note", "author")


def _incidents(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    table = jury_log.incidents(context.index, division, context.round)
    made = wrapped_text(fields(context, table, _INCIDENT_COLUMNS, bold=("table",)), [catalogue.heading("note")])
    return section(
        context, division, catalogue.text("Incidents"), made, catalogue.text("Nothing was noted."), joined=True
    )


INCIDENTS = Report(
    "incidents",
    N_("Incidents"),
    _incidents,
    Group.JURY,
    N_("What happened at the tables, as the jury noted it."),
    wide=True,
)
