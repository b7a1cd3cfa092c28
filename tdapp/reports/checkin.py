"""The list at the door: everybody by name, with a square to tick who has come."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import players
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, text_field

_SQUARE = "[    ]"


def _check_in(context: Context, division: Division) -> Section:
    words = context.words
    table = players.players(context.index, division)
    rows = tuple(sorted(table.rows, key=lambda row: (*words.sort_key(row.name), row.number)))
    made = fields(context, replace(table, rows=rows), ("name", "number", "club", "country"), bold=("name",))
    here = ("[ × ]" if row.checked_in else _SQUARE for row in rows)
    ticks = text_field(context, words.heading("checked_in"), here)
    remarks = text_field(context, words.text("Remarks"), ("_" * 16 for _ in rows))
    title = words.text("Check-in")
    return section(context, division, title, (ticks, *made, remarks), words.text("No players yet."))


CHECK_IN = Report(
    "check-in",
    N_("Check-in list"),
    _check_in,
    attrgetter("desk"),
    group=Group.FORM,
    purpose=N_("For the door: tick who has come."),
)
