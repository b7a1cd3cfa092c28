"""Reports about a season: its table, and the evenings of each member."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, Season
from tdapp.domain.season_ratings import select_season_rating_system
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import find_division_season
from tdapp.domain.tables.seasons import (
    choose_season_value_column_kind,
    list_newest_season_evenings,
    list_season_points_at_evenings,
    make_evenings_by_member_table,
    make_rating_list_table,
)
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import TextColumn, make_list_columns, make_season_text_table, make_text_columns
from tdapp.i18n.season_sentences import compute_sorted_season_lines, make_rating_list_title
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    make_list_section,
    make_notice_board_report,
    make_section,
    mark_bold_columns,
    select_columns,
)
from tdapp.reports.sections import Section

_FIRST_COLUMNS = ("category", "rank", "moved", "name", "season_total")
_LAST_COLUMNS = ("season_evenings", "games", "average", "season_shift", "qualified")

_MAX_EVENINGS_IN_LARGE_TYPE = 4
_EMPTY_TABLE = make_evenings_by_member_table(SeasonRule("", ""), ())


def _make_empty_section(context: ReportContext, division: Division, title: str) -> Section:
    columns = make_list_columns(context.catalogue, _EMPTY_TABLE)
    return make_section(context, division, title, columns, context.catalogue.text("The file has no season yet."))


def _has_season_or_evenings(index: TournamentIndex, division: Division) -> bool:
    return find_division_season(index, division.id) is not None or any(
        stage.evening for stage in index.stages(division.id)
    )


def _make_season_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id, context.category)
    if season is None:
        return _make_empty_section(context, division, catalogue.text("Season"))
    text_table = make_season_text_table(catalogue, context.index, division, season, context.season_date)
    columns = mark_bold_columns(text_table.get_columns_by_ids(_FIRST_COLUMNS), ("rank", "name", "season_total"))
    columns += _list_evening_columns(context, season)
    columns += text_table.get_columns_by_ids(_LAST_COLUMNS[-2:] if context.style.large else _LAST_COLUMNS)
    return make_list_section(context, division, text_table, columns)


def _list_evening_columns(context: ReportContext, season: Season) -> list[TextColumn]:
    catalogue, evenings = (
        context.catalogue,
        list_newest_season_evenings(context.index, season, context.season_date),
    )
    evenings = evenings[-_MAX_EVENINGS_IN_LARGE_TYPE:] if context.style.large else evenings
    lines = compute_sorted_season_lines(catalogue, context.index, season, context.season_date)
    results = [list_season_points_at_evenings(evenings, line) for line in lines]
    return [
        TextColumn(
            catalogue.format_short_date(evening.date, "Md") or evening.name,
            ColumnKind.NUMBER,
            tuple(catalogue.format_cell(ColumnKind.RESULTS, (row[position],)) for row in results),
        )
        for position, evening in enumerate(evenings)
    ]


SEASON = make_notice_board_report(
    "season",
    _make_season_section,
    N_("The season’s standings, with the results of the last twelve evenings."),
    is_landscape=True,
    is_applicable=_has_season_or_evenings,
)


def _make_member_evenings_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    season = find_division_season(context.index, division.id, context.category)
    title = catalogue.text("Evenings of each member")
    if season is None:
        return _make_empty_section(context, division, title)
    lines = compute_sorted_season_lines(catalogue, context.index, season, context.season_date)
    table = make_evenings_by_member_table(season.rule, lines)
    other_ids = [column.id for column in table.columns if column.id not in {"name", "date"}]
    format_value = partial(catalogue.format_cell, choose_season_value_column_kind(season.rule))
    members: list[tuple[str, str]] = []
    for line in lines:
        rank = "–" if line.rank is None else catalogue.format_number(line.rank)
        total = f"{catalogue.heading('season_total')}: {format_value(line.total)}"
        members += [(rank, line.member.name), ("", total), *[("", "")] * len(line.cells)][: len(line.cells)]
    dates = [(catalogue.format_short_date(row.cell.evening.date, "yMMMd"),) for row in table.rows]
    headings = (("rank", ColumnKind.NUMBER), ("name", ColumnKind.NAME))
    columns = [
        *mark_bold_columns(
            make_text_columns(members, ((catalogue.heading(name), kind) for name, kind in headings)),
            ("0", "1"),
        ),
        *make_text_columns(dates, ((catalogue.heading("date"), ColumnKind.TEXT),)),
        *select_columns(context, table, other_ids, bold=("season_value",)),
    ]
    return make_section(context, division, title, columns, "", note=season.name, has_continuation_rows=True)


YEARS = Report(
    "season-years",
    _make_member_evenings_section,
    ReportGroup.AFTER,
    N_("For each member of the season: every evening, its value, and whether it counts."),
    is_applicable=_has_season_or_evenings,
)


def _make_rating_section(context: ReportContext, division: Division) -> Section:
    catalogue, index = context.catalogue, context.index
    season = find_division_season(index, division.id, context.category)
    if season is None:
        return _make_empty_section(context, division, catalogue.text("Season ratings"))
    system = select_season_rating_system(index, season, context.rating_systems)
    list_date = context.season_date
    table = make_rating_list_table(index, season, system, list_date)
    columns = select_columns(
        context, table, [column.id for column in table.columns], bold=("rank", "name", "rating")
    )
    days = tuple(catalogue.format_short_date(row.line.last_played_date, "yMMMd") for row in table.rows)
    columns = [replace(column, cells=days) if column.id == "last_played" else column for column in columns]
    title = make_rating_list_title(catalogue, index, season, list_date)
    empty = catalogue.text("No member has a rating yet.")
    return make_section(context, division, title, columns, empty, note=catalogue.text(system.name))


RATINGS = Report(
    "season-ratings",
    _make_rating_section,
    ReportGroup.AFTER,
    N_("The rating list: every member’s rating, its change in the season, and the last game."),
    is_applicable=_has_season_or_evenings,
)
