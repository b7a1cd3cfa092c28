"""Pairings of a round by table for the wall, by name for players, and of all rounds as a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter, itemgetter

from msgspec.structs import replace

from tdapp.domain.model import Division
from tdapp.domain.tables import rounds
from tdapp.domain.tables.groups import make_group_table
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import N_
from tdapp.i18n.lists import TextList, list_pairings, list_seats, make_columns_of_texts
from tdapp.i18n.phrases import format_round_time, sort_seats_by_name
from tdapp.i18n.round_times import list_round_times
from tdapp.pairing import SYSTEMS
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    find_report_round,
    make_bold,
    make_list_section,
    make_section,
)
from tdapp.reports.sections import Section


def _make_pairings_by_table_section(context: ReportContext, division: Division) -> Section:
    item = find_report_round(context, division)
    return _make_pairing_section(context, division, list_pairings(context.catalogue, context.index, item))


def _make_section_without_results(context: ReportContext, division: Division) -> Section:
    """Return the pairings without results, so that results do not make the printout stale."""
    item = find_report_round(context, division)
    games = rounds.make_pairing_table(context.index, item).rows
    blank = [replace(row, score1=None, score2=None, spread=None, forfeit=None, decision=None) for row in games]
    listed = list_pairings(context.catalogue, context.index, item, blank, blank_groups=True)
    return _make_pairing_section(context, division, listed)


def _make_pairing_section(context: ReportContext, division: Division, listed: TextList) -> Section:
    columns = make_bold(
        listed.choose_columns(("table", "first_name", "second_name", "score", "spread")), ("table",)
    )
    made = [one for one in columns if any(one.cells) or one.id not in {"score", "spread"}]
    return make_list_section(context, division, listed, made)


_MANY = 60  # minimum number of players for two columns


def _make_pairings_by_name_section(context: ReportContext, division: Division) -> Section:
    listed = list_seats(context.catalogue, context.index, find_report_round(context, division))
    made = make_bold(listed.choose_columns(("name", "table", "opponent", "starts")), ("name", "table"))
    found = make_list_section(context, division, listed, made)
    return _set_two_columns(found, context)


def _set_two_columns(found: Section, context: ReportContext) -> Section:
    return found if found.row_count < _MANY or context.style.large else replace(found, columns=2)


BY_TABLE = Report(
    "pairings-by-table",
    N_("Pairings by table"),
    _make_pairings_by_table_section,
    ReportGroup.ROUND,
    N_("For the wall: the pairings by table, with the results when they are in."),
    scale=attrgetter("wall"),
    content=_make_section_without_results,
    results=True,
)
BY_NAME = Report(
    "pairings-by-name",
    N_("Pairings by name"),
    _make_pairings_by_name_section,
    ReportGroup.ROUND,
    N_("For the wall: players find their table by name."),
    scale=attrgetter("wall"),
    columns=2,
)


def _make_all_divisions_section(context: ReportContext, _first: Division) -> Section:
    catalogue, index = context.catalogue, context.index
    lines: list[tuple[object, tuple[str, ...]]] = []
    for division in index.divisions:
        published = [
            one for one in index.published(division.id) if one.number <= context.find_last_round(division)
        ]
        seats = sort_seats_by_name(catalogue, index, published[-1]).rows if published else ()
        tables = {row.player: catalogue.code(row.bye) if row.bye else str(row.table) for row in seats}
        rules = index.tournament.rules_of(division)
        for player in index.players(division.id):
            cells = player.name, division.code, str(player.number), tables.get(player.number, "")
            lines.append((catalogue.make_sort_key(player.name, rules), cells))
    shown = [cells for _, cells in sorted(lines, key=itemgetter(0))]
    kinds = {
        "name": ColumnKind.NAME,
        "division": ColumnKind.CODE,
        "number": ColumnKind.NUMBER,
        "table": ColumnKind.NUMBER,
    }
    made = make_columns_of_texts(shown, [(catalogue.heading(name), kind) for name, kind in kinds.items()])
    made = [replace(one, bold=one.id in {"0", "3"}) for one in made if any(one.cells) or one.id == "0"]
    title, empty = catalogue.text("Players of all divisions"), catalogue.text("No players yet.")
    return _set_two_columns(
        replace(make_section(context, index.divisions[0], title, made, empty), mark=""), context
    )


EVERYBODY = Report(
    "everybody-by-name",
    N_("Players of all divisions"),
    _make_all_divisions_section,
    ReportGroup.ROUND,
    N_("For the hall: everybody in one list by name, with division, number and table."),
    scale=attrgetter("wall"),
    columns=2,
    once=True,
)


_ScheduleRow = tuple[str, str, str, str]


def _make_schedule_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    times = {
        str(one.round): format_round_time(catalogue, one) for one in list_round_times(context.index, division)
    }
    known = [*_list_published_games(context, division), *_list_coming_games(context, division)]
    alone = ((number, "", "", "") for number in times.keys() - {line[0] for line in known})
    known = sorted((*known, *alone), key=lambda line: int(line[0]))
    before = ["", *(line[0] for line in known)]
    lines = [
        ("", "", *line[1:]) if line[0] == last else (line[0], times.get(line[0], ""), *line[1:])
        for line, last in zip(known, before, strict=False)
    ]
    kinds = {"round": ColumnKind.NUMBER, "begins": ColumnKind.TEXT, "table": ColumnKind.NUMBER,
             "first_name": ColumnKind.NAME, "second_name": ColumnKind.NAME}  # fmt: skip
    made = make_columns_of_texts(lines, [(catalogue.heading(name), kind) for name, kind in kinds.items()])
    made = [field for field in made if any(field.cells) or field.kind is ColumnKind.NAME]
    empty = catalogue.text("No round is planned yet.")
    return make_section(context, division, catalogue.text("Schedule"), made, empty, joined=True)


def _list_published_games(context: ReportContext, division: Division) -> Iterator[_ScheduleRow]:
    index, code = context.index, context.catalogue.code
    for item in index.published(division.id):
        number = str(item.number)
        for row in rounds.make_pairing_table(index, item).rows:
            yield number, str(row.table), row.first_name, row.second_name
        for group in make_group_table(index, item).rows:
            first, *others = group.seats
            yield number, str(group.table), first.name, " · ".join(seat.name for seat in others)
        for bye in rounds.make_bye_table(index, item).rows:
            yield number, "", bye.name, code(bye.kind)


def _list_coming_games(context: ReportContext, division: Division) -> Iterator[_ScheduleRow]:
    index, players = context.index, context.index.tournament.players
    published = index.get_last_published(division.id)
    for stage in index.stages(division.id):
        system, first_round = SYSTEMS.get(stage.system), index.first_round(stage.id)
        if system is None or system.list_schedule is None or (stage.cut is not None and first_round > published):
            continue
        for number, pairs in enumerate(system.list_schedule(index, stage), first_round):
            if number > published:
                names = [tuple(players[one].name if one else "" for one in pair) for pair in pairs]
                for first, second in names:
                    yield str(number), "", first, second or context.catalogue.code("bye")


SCHEDULE = Report(
    "schedule",
    N_("Schedule"),
    _make_schedule_section,
    ReportGroup.EVENT,
    N_("The time and the pairings of each round; for a round robin also of the coming rounds."),
)
