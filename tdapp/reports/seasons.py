"""Reports about a season: its table, and the evenings of each member."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from tdapp.domain.model import Division, Season
from tdapp.domain.season_ratings import select_season_rating_system
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import find_division_season
from tdapp.domain.tables.seasons import (
    choose_season_value_column_kind,
    list_shown_evenings,
    list_shown_results,
    make_member_evening_table,
    make_rating_list_table,
)
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import ListColumn, list_season_table, make_columns_of_texts, make_list_columns
from tdapp.i18n.season_sentences import compute_sorted_season_lines, make_rating_list_title
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    make_bold,
    make_list_section,
    make_ranking_report,
    make_section,
    select_columns,
)
from tdapp.reports.sections import Section

_FIRST = ("category", "rank", "moved", "name", "season_total")
_LAST = ("season_evenings", "games", "average", "season_shift", "qualified")

_MOST_LARGE = 4  # evenings in large type
_NO_YEAR = make_member_evening_table(SeasonRule("", ""), ())


def _make_empty_section(context: ReportContext, division: Division, title: str) -> Section:
    columns = make_list_columns(context.catalogue, _NO_YEAR)
    return make_section(context, division, title, columns, context.catalogue.text("The file has no season yet."))


def _make_season_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id, context.category)
    if season is None:
        return _make_empty_section(context, division, catalogue.text("Season"))
    listed = list_season_table(catalogue, context.index, division, season, context.season_date)
    made = make_bold(listed.choose_columns(_FIRST), ("rank", "name", "season_total"))
    made += _list_evening_columns(context, season)
    made += listed.choose_columns(_LAST[-2:] if context.style.large else _LAST)
    return make_list_section(context, division, listed, made)


def _list_evening_columns(context: ReportContext, season: Season) -> list[ListColumn]:
    catalogue, held = context.catalogue, list_shown_evenings(context.index, season, context.season_date)
    held = held[-_MOST_LARGE:] if context.style.large else held
    lines = compute_sorted_season_lines(catalogue, context.index, season, context.season_date)
    shown = [list_shown_results(held, line) for line in lines]
    return [
        ListColumn(
            catalogue.format_day(evening.date, "Md") or evening.name,
            ColumnKind.NUMBER,
            tuple(catalogue.format_cell(ColumnKind.RESULTS, (row[at],)) for row in shown),
        )
        for at, evening in enumerate(held)
    ]


SEASON = make_ranking_report(
    "season",
    N_("Season"),
    _make_season_section,
    N_("The table over the evenings, with the results of the last twelve."),
    wide=True,
)


def _make_member_evenings_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id, context.category)
    title = catalogue.text("Evenings of each member")
    if season is None:
        return _make_empty_section(context, division, title)
    lines = compute_sorted_season_lines(catalogue, context.index, season, context.season_date)
    table = make_member_evening_table(season.rule, lines)
    others = [column.id for column in table.columns if column.id not in {"name", "date"}]
    value = partial(catalogue.format_cell, choose_season_value_column_kind(season.rule))
    members: list[tuple[str, str]] = []
    for line in lines:
        rank = "–" if line.rank is None else catalogue.format_number(line.rank)
        total = f"{catalogue.heading('season_total')}: {value(line.total)}"
        members += [(rank, line.member.name), ("", total), *[("", "")] * len(line.cells)][: len(line.cells)]
    dates = [(catalogue.format_day(row.cell.evening.date, "yMMMd"),) for row in table.rows]
    heads = (("rank", ColumnKind.NUMBER), ("name", ColumnKind.NAME))
    made = [
        *make_bold(
            make_columns_of_texts(members, ((catalogue.heading(name), kind) for name, kind in heads)), ("0", "1")
        ),
        *make_columns_of_texts(dates, ((catalogue.heading("date"), ColumnKind.TEXT),)),
        *select_columns(context, table, others, bold=("season_value",)),
    ]
    return make_section(context, division, title, made, "", note=season.name, joined=True)


YEARS = Report(
    "season-years",
    N_("Evenings of each member"),
    _make_member_evenings_section,
    ReportGroup.AFTER,
    N_("For each member of the season: every evening, its value, and whether it counts."),
)


def _make_rating_section(context: ReportContext, division: Division) -> Section:
    catalogue, index = context.catalogue, context.index
    season = find_division_season(index, division.id, context.category)
    if season is None:
        return _make_empty_section(context, division, catalogue.text("Ratings of the season"))
    system = select_season_rating_system(index, season, context.rating_systems)
    on = context.season_date
    table = make_rating_list_table(index, season, system, on)
    made = select_columns(context, table, [column.id for column in table.columns], bold=("rank", "name", "rating"))
    days = tuple(catalogue.format_day(row.line.last_date, "yMMMd") for row in table.rows)
    made = [replace(one, cells=days) if one.id == "last_played" else one for one in made]
    title, empty = (
        make_rating_list_title(catalogue, index, season, on),
        catalogue.text("No member has a rating yet."),
    )
    return make_section(context, division, title, made, empty, note=catalogue.text(system.name))


RATINGS = Report(
    "season-ratings",
    N_("Ratings of the season"),
    _make_rating_section,
    ReportGroup.AFTER,
    N_("The rating list: every member’s rating, its change in the season, and the last game."),
)
