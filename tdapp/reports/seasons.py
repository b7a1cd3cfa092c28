"""Reports about a season: its table, and the evenings of each member."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.model import Division
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import compute_season_lines, find_division_season
from tdapp.domain.tables.seasons import make_member_year_table, make_season_table
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import list_columns
from tdapp.i18n.season_sentences import describe_season_rule
from tdapp.reports.report import Context, Group, Report, choose_fields, make_section
from tdapp.reports.sections import Section

_TABLE = (
    "category", "rank", "moved", "name", "season_total", "season_results", "season_evenings", "games", "average",
    "season_shift", "qualified",
)  # fmt: skip

_NO_YEAR = make_member_year_table(SeasonRule("", ""), ())


def _make_season_section(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id)
    empty = catalogue.text("The file has no season yet.")
    if season is None:
        made = list_columns(catalogue, _NO_YEAR)
        return make_section(context, division, catalogue.text("Season"), made, empty)
    made = choose_fields(
        context,
        make_season_table(context.index, season),
        _TABLE,
        bold=("rank", "name", "season_total"),
        wrapped="season_results",
    )
    legend = catalogue.text("Results in brackets do not count.")
    rule = describe_season_rule(catalogue, season)
    return make_section(context, division, season.name, made, empty, note=rule, legend=legend)


SEASON = Report(
    "season",
    N_("Season"),
    _make_season_section,
    Group.AFTER,
    N_("The table over the evenings, with the results of the last twelve."),
    scale=attrgetter("board"),
)


def _make_year_section(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id)
    title, empty = catalogue.text("Evenings of each member"), catalogue.text("The file has no season yet.")
    if season is None:
        return make_section(context, division, title, list_columns(catalogue, _NO_YEAR), empty)
    table = make_member_year_table(season.rule, compute_season_lines(context.index, season))
    made = choose_fields(context, table, [column.id for column in table.columns], bold=("season_value",))
    return make_section(context, division, f"{season.name}: {title}", made, empty, joined=True)


YEARS = Report(
    "season-years",
    N_("Evenings of each member"),
    _make_year_section,
    Group.AFTER,
    N_("For each member of the season: every evening, its value, and whether it counts."),
)
