"""The standings of the teams of a division."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import teams
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, wrapped_text

_WANTED = ("rank", "team", "team_size", "wins", "losses", "spread", "counting")


def _teams(context: Context, division: Division) -> Section:
    catalogue, after = context.catalogue, context.after(division)
    table = teams.table(context.index, division, after, best=context.best)
    made = wrapped_text(
        fields(context, table, _WANTED, bold=("rank", "team", "wins")), [catalogue.heading("counting")]
    )
    title = catalogue.text("Teams after round {round}", round=after)
    note = catalogue.plural("the best one of each counts", "the best {n} of each count", context.best or 0)
    empty, best = catalogue.text("Nobody plays in a team."), note if context.best else ""
    return section(context, division, title, made, empty, note=best, joined=True)


TEAMS = Report(
    "teams", N_("Teams"), _teams, Group.AFTER, N_("The ranking of the teams."), scale=attrgetter("board")
)
