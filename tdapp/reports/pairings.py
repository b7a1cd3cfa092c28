"""Printed pairings: a round by table for the wall, a round by name for players, and a schedule of all rounds."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter, itemgetter

from msgspec.structs import replace

from tdapp.domain.model import Division
from tdapp.domain.tables import rounds
from tdapp.domain.tables.groups import make_table_of_group_tables
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import TextTable, make_pairings_text_table, make_seats_text_table, make_text_columns
from tdapp.i18n.phrases import format_round_time, make_seating_table_by_name
from tdapp.i18n.round_times import list_round_times
from tdapp.pairing import SYSTEMS
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    find_report_round,
    make_list_section,
    make_section,
    mark_bold_columns,
    wrap_column_texts,
)
from tdapp.reports.sections import Section


def _make_pairings_by_table_section(context: ReportContext, division: Division) -> Section:
    item = find_report_round(context, division)
    return _make_pairing_section(
        context, division, make_pairings_text_table(context.catalogue, context.index, item)
    )


def _make_pairing_section_hiding_results(context: ReportContext, division: Division) -> Section:
    """Return the pairings without results, so that new results do not make the printout outdated."""
    item = find_report_round(context, division)
    games = rounds.make_pairing_table(context.index, item).rows
    open_games = [
        replace(row, score1=None, score2=None, spread=None, forfeit=None, decision=None) for row in games
    ]
    text_table = make_pairings_text_table(
        context.catalogue, context.index, item, open_games, hide_group_points=True
    )
    return _make_pairing_section(context, division, text_table)


def _make_pairing_section(context: ReportContext, division: Division, text_table: TextTable) -> Section:
    columns = mark_bold_columns(
        text_table.get_columns_by_ids(("table", "first_name", "second_name", "score", "spread")), ("table",)
    )
    shown_columns = [column for column in columns if any(column.cells) or column.id not in {"score", "spread"}]
    return make_list_section(context, division, text_table, shown_columns)


_MIN_PLAYERS_FOR_TWO_COLUMNS = 60
_MAX_NAME_LENGTH = 28  # longer names take two rows: readable on a wall


def _make_pairings_by_name_section(context: ReportContext, division: Division) -> Section:
    text_table = make_seats_text_table(context.catalogue, context.index, find_report_round(context, division))
    columns = mark_bold_columns(
        text_table.get_columns_by_ids(("name", "table", "opponent", "starts")), ("name", "table")
    )
    columns = wrap_column_texts(columns, (columns[0].heading, columns[2].heading), max_length=_MAX_NAME_LENGTH)
    section = make_list_section(context, division, text_table, columns, has_continuation_rows=True)
    return _use_two_columns_for_long_list(section, context)


def _use_two_columns_for_long_list(section: Section, context: ReportContext) -> Section:
    return (
        section
        if section.row_count < _MIN_PLAYERS_FOR_TWO_COLUMNS or context.style.large
        else replace(section, columns=2)
    )


BY_TABLE = Report(
    "pairings-by-table",
    _make_pairings_by_table_section,
    ReportGroup.ROUND,
    N_("For the wall: the pairings by table, with the results when they are in."),
    scale=attrgetter("wall_list_sizes"),
    content=_make_pairing_section_hiding_results,
    results=True,
)
BY_NAME = Report(
    "pairings-by-name",
    _make_pairings_by_name_section,
    ReportGroup.ROUND,
    N_("For the wall: players find their table by name."),
    scale=attrgetter("wall_list_sizes"),
    columns=2,
)


def _make_players_of_all_divisions_section(context: ReportContext, _first_division: Division) -> Section:
    catalogue, index = context.catalogue, context.index
    lines: list[tuple[object, tuple[str, ...]]] = []
    for division in index.divisions:
        published_rounds = [
            item
            for item in index.list_published_rounds(division.id)
            if item.number <= context.find_last_round_in_report(division)
        ]
        seats = make_seating_table_by_name(catalogue, index, published_rounds[-1]).rows if published_rounds else ()
        tables = {row.player: catalogue.translate_code(row.bye) if row.bye else str(row.table) for row in seats}
        rules = index.tournament.get_ruleset_of_row(division)
        for player in index.players(division.id):
            cells = player.name, division.code, str(player.number), tables.get(player.number, "")
            lines.append((catalogue.make_sort_key(player.name, rules), cells))
    rows = [cells for _, cells in sorted(lines, key=itemgetter(0))]
    kinds = {
        "name": ColumnKind.NAME,
        "division": ColumnKind.CODE,
        "number": ColumnKind.NUMBER,
        "table": ColumnKind.NUMBER,
    }
    columns = make_text_columns(rows, [(catalogue.heading(name), kind) for name, kind in kinds.items()])
    columns = [
        replace(column, bold=column.id in {"0", "3"})
        for column in columns
        if any(column.cells) or column.id == "0"
    ]
    columns = wrap_column_texts(columns, (columns[0].heading,), max_length=_MAX_NAME_LENGTH)
    title, empty = catalogue.text("Players in all divisions"), catalogue.text("No players yet.")
    return _use_two_columns_for_long_list(
        replace(
            make_section(context, index.divisions[0], title, columns, empty, has_continuation_rows=True),
            division_title="",
        ),
        context,
    )


ALL_DIVISIONS = Report(
    "everybody-by-name",
    _make_players_of_all_divisions_section,
    ReportGroup.ROUND,
    N_("For the hall: everyone in one list by name, with division, number and table."),
    scale=attrgetter("wall_list_sizes"),
    columns=2,
    is_for_event=True,
)


_ScheduleRow = tuple[str, str, str, str]


def _make_round_schedule_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    times = {
        str(round_time.round): format_round_time(catalogue, round_time)
        for round_time in list_round_times(context.index, division)
    }
    lines_of_games = [
        *_list_schedule_rows_of_published_rounds(context, division),
        *_list_scheduled_games_of_unpublished_rounds(context, division),
    ]
    rounds_without_games = ((number, "", "", "") for number in times.keys() - {line[0] for line in lines_of_games})
    lines_of_games = sorted((*lines_of_games, *rounds_without_games), key=lambda line: int(line[0]))
    previous_rounds = ["", *(line[0] for line in lines_of_games)]
    shown_lines = [
        ("", "", *line[1:]) if line[0] == previous_round else (line[0], times.get(line[0], ""), *line[1:])
        for line, previous_round in zip(lines_of_games, previous_rounds, strict=False)
    ]
    kinds = {"round": ColumnKind.NUMBER, "begins": ColumnKind.TEXT, "table": ColumnKind.NUMBER,
             "first_name": ColumnKind.NAME, "second_name": ColumnKind.NAME}  # fmt: skip
    columns = make_text_columns(shown_lines, [(catalogue.heading(name), kind) for name, kind in kinds.items()])
    columns = [field for field in columns if any(field.cells) or field.kind is ColumnKind.NAME]
    empty = catalogue.text("No round is planned yet.")
    return make_section(context, division, catalogue.text("Schedule"), columns, empty, has_continuation_rows=True)


def _list_schedule_rows_of_published_rounds(context: ReportContext, division: Division) -> Iterator[_ScheduleRow]:
    index, code = context.index, context.catalogue.translate_code
    for item in index.list_published_rounds(division.id):
        number = str(item.number)
        for row in rounds.make_pairing_table(index, item).rows:
            yield number, str(row.table), row.first_name, row.second_name
        for group in make_table_of_group_tables(index, item).rows:
            first, *other_seats = group.seats
            yield number, str(group.table), first.name, " · ".join(seat.name for seat in other_seats)
        for bye in rounds.make_bye_table(index, item).rows:
            yield number, "", bye.name, code(bye.kind)


def _list_scheduled_games_of_unpublished_rounds(
    context: ReportContext, division: Division
) -> Iterator[_ScheduleRow]:
    index, players = context.index, context.index.tournament.players
    last_published = index.get_last_published_round_number(division.id)
    for stage in index.stages(division.id):
        system, first_round = SYSTEMS.get(stage.system), index.get_first_round_number(stage.id)
        if (
            system is None
            or system.list_pairs_by_round is None
            or (stage.cut is not None and first_round > last_published)
        ):
            continue
        for number, pairs in enumerate(system.list_pairs_by_round(index, stage), first_round):
            if number > last_published:
                names = [tuple(players[player].name if player else "" for player in pair) for pair in pairs]
                for first, second in names:
                    yield str(number), "", first, second or context.catalogue.translate_code("bye")


SCHEDULE = Report(
    "schedule",
    _make_round_schedule_section,
    ReportGroup.EVENT,
    N_("The time and the pairings of each round; in a round robin, those of the coming rounds too."),
)
