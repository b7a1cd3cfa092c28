"""How often everybody ends at each place when the rounds left are simulated; and who has started how often."""

from __future__ import annotations

from tdapp.domain.errors import RuleViolation
from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import balance
from tdapp.pairing.forecast import forecast, table
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, text_field


def _chances(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    try:
        found = forecast(context.index, division.id)
    except RuleViolation as error:
        nothing = [text_field(context, catalogue.heading("name"), ())]
        return section(context, division, catalogue.text("Chances"), nothing, catalogue.error(error))
    made = table(found)
    note = catalogue.plural("{n} simulation", "{n} simulations", found.times)
    title = catalogue.text("Chances after round {round}", round=found.after)
    wanted = [column.id for column in made.columns]
    listed = fields(context, made, wanted, bold=("place", "name"))
    return section(context, division, title, listed, "", note=note)


def _balance(context: Context, division: Division) -> Section:
    catalogue, after = context.catalogue, context.after(division)
    found = balance.balance(context.index, division, after)
    wanted = [column.id for column in found.columns if column.id != "rank"]
    made = fields(context, found, wanted, bold=("name",))
    title = catalogue.text("Starts and byes after round {round}", round=after)
    return section(context, division, title, made, catalogue.text("No players yet."))


CHANCES = Report(
    "chances",
    N_("Chances"),
    _chances,
    Group.JURY,
    N_("How often everybody ends at each place when the rounds left are simulated."),
    wide=True,
)
BALANCE = Report(
    "balance",
    N_("Balance of starts and byes"),
    _balance,
    Group.JURY,
    N_("Who has started, met again and waited how often."),
)
