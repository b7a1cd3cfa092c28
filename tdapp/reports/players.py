"""The players of a division, for the desk."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.model import Division
from tdapp.domain.tables import players
from tdapp.i18n.mark import N_
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Report, fields, section


def _players(context: Context, division: Division) -> Section:
    table = players.players(context.index, division)
    wanted = ("number", "name", "rating", "club", "country", "category", "team", "fixed_table", "status")
    made = fields(context, table, wanted, bold=("number", "name"))
    words = context.words
    title = words.plural("{n} player", "{n} players", len(table.rows))
    return section(context, division, title, made, words.text("No players yet."))


PLAYERS = Report(N_("Players"), _players, attrgetter("desk"))
