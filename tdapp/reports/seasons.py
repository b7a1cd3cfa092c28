"""Reports about a season: its table, and the evenings of each member."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.model import Division
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import compute_season_lines, find_division_season
from tdapp.domain.tables.seasons import make_member_year_table
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import list_columns, list_season
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    choose_fields,
    make_bold,
    make_list_section,
    make_section,
)
from tdapp.reports.sections import Section

_TABLE = (
    "category", "rank", "moved", "name", "season_total", "season_results", "season_evenings", "games", "average",
    "season_shift", "qualified",
)  # fmt: skip

_NO_YEAR = make_member_year_table(SeasonRule("", ""), ())


def _make_empty_section(context: ReportContext, division: Division, title: str) -> Section:
    columns = list_columns(context.catalogue, _NO_YEAR)
    return make_section(context, division, title, columns, context.catalogue.text("The file has no season yet."))


def _make_season_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id)
    if season is None:
        return _make_empty_section(context, division, catalogue.text("Season"))
    listed = list_season(catalogue, context.index, division, season)
    made = make_bold(listed.choose_columns(_TABLE), ("rank", "name", "season_total"))
    return make_list_section(context, division, listed, made)


SEASON = Report(
    "season",
    N_("Season"),
    _make_season_section,
    ReportGroup.AFTER,
    N_("The table over the evenings, with the results of the last twelve."),
    scale=attrgetter("board"),
)


def _make_member_evenings_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id)
    title = catalogue.text("Evenings of each member")
    if season is None:
        return _make_empty_section(context, division, title)
    table = make_member_year_table(season.rule, compute_season_lines(context.index, season))
    made = choose_fields(context, table, [column.id for column in table.columns], bold=("season_value",))
    return make_section(context, division, f"{season.name}: {title}", made, "", joined=True)


YEARS = Report(
    "season-years",
    N_("Evenings of each member"),
    _make_member_evenings_section,
    ReportGroup.AFTER,
    N_("For each member of the season: every evening, its value, and whether it counts."),
)
