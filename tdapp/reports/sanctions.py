"""Sanctions and rulings, for the desk and the report; and the rulings alone."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import jury_log
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section
from tdapp.reports.text_wrapping import wrapped_text

_WANTED = ("round", "table", "name", "kind", "penalty", "turn", "word", "why", "author")


def _sanctions(context: Context, division: Division) -> Section:
    words = context.words
    table = jury_log.sanctions_and_rulings(context.index, division, context.round)
    made = wrapped_text(fields(context, table, _WANTED, bold=("name",)), [words.heading("why")])
    title = words.text("Sanctions and rulings")
    return section(context, division, title, made, words.text("There are no sanctions and no rulings."))


def _rulings(context: Context, division: Division) -> Section:
    words = context.words
    rows = [
        row for row in jury_log.rulings(context.index, division) if (row.round or 0) <= context.after(division)
    ]
    table = replace(jury_log.sanctions(context.index, division), rows=tuple(rows))
    wanted = ("round", "table", "turn", "word", "name", "kind", "why", "author")
    made = wrapped_text(fields(context, table, wanted, bold=("word",)), [words.heading("why")])
    return section(context, division, words.text("Rulings"), made, words.text("There are no rulings."))


SANCTIONS = Report(
    "sanctions",
    N_("Sanctions and rulings"),
    _sanctions,
    attrgetter("desk"),
    wide=True,
    group=Group.JURY,
    purpose=N_("Sanctions, and the rulings on score sheets."),
)
RULINGS = Report(
    "rulings",
    N_("Rulings"),
    _rulings,
    attrgetter("desk"),
    wide=True,
    group=Group.JURY,
    purpose=N_("What the jury found on words of score sheets."),
)
