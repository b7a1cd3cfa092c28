"""The standings of the teams of a division."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables import teams
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section
from tdapp.reports.text_wrapping import wrapped_text

_WANTED = ("rank", "team", "team_size", "wins", "losses", "spread", "counting")


def _teams(context: Context, division: Division) -> Section:
    words, after = context.words, context.after(division)
    table = teams.table(context.index, division, after, best=context.best)
    made = wrapped_text(
        fields(context, table, _WANTED, bold=("rank", "team", "wins")), [words.heading("counting")]
    )
    title = words.text("Teams after round {round}", round=after)
    note = words.plural("the best one of each counts", "the best {n} of each count", context.best or 0)
    empty, said = words.text("Nobody plays in a team."), note if context.best else ""
    return section(context, division, title, made, empty, note=said, joined=True)


TEAMS = Report(
    "teams", N_("Teams"), _teams, attrgetter("board"), group=Group.AFTER, purpose=N_("The ranking of the teams.")
)
