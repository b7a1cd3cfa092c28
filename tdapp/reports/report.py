"""The definition of a report, and the data for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from textwrap import wrap
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.model import Division, DivisionId, Round
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.tables.table import Table
from tdapp.i18n import Catalogue
from tdapp.i18n.lists import TextColumn, TextTable, make_list_columns
from tdapp.i18n.messages.codes import CODES
from tdapp.i18n.phrases import make_division_title
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.measuring import CONTINUATION_INDENT
from tdapp.reports.sections import Section
from tdapp.reports.style import FontSizes, PrintStyle
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList


class ReportContext(Struct, frozen=True):
    """All data for a printout."""

    index: TournamentIndex
    divisions: tuple[Division, ...]
    catalogue: Catalogue
    style: PrintStyle
    printed_at: datetime
    round: int | None = None  # None: the last published round
    category: str = ""  # the category of the listed players, or the name of a season
    counting_members: int | None = None  # best players of a team that count; None: all
    rating_systems: Mapping[str, RatingSystem] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    wordlists: Mapping[DivisionId, WordList] = field(default_factory=dict)
    tilesets: Mapping[str, TileSet] = field(default_factory=dict)
    columns: int | None = None  # maximum columns of rows side by side; None: the report's default
    # word lists by word length
    short_words: Mapping[DivisionId, Mapping[int, tuple[str, ...]]] = field(default_factory=dict)
    server_url: str = ""  # "" without a web server
    season_date: str = ""  # date of a season's list in ISO 8601; "" for the latest

    def refuse_missing_round(self) -> None:
        """Raise CommandError if no division has the round. Round 0 is the start."""
        rounds = {item.number for division in self.divisions for item in self.index.rounds(division.id)}
        if self.round and self.round not in rounds:
            raise CommandError("no-such-round", round=self.round)

    def find_standings_round(self, division: Division) -> int:
        last_round = self.index.get_last_round_with_results(division.id)
        return last_round if self.round is None else min(self.round, last_round)

    def find_last_round_in_report(self, division: Division) -> int:
        last_round = self.index.get_last_published_round_number(division.id)
        return last_round if self.round is None else min(self.round, last_round)


class ReportGroup(StrEnum):
    """Group in the list of reports. Printouts of the groups ROUND, AFTER and EVENT can become outdated."""

    ROUND = "round"  # before a round
    AFTER = "after"  # after a round
    EVENT = "event"  # the whole tournament
    JURY = "jury"  # the jury's lists, and the history
    FORM = "form"  # for writing or cutting


_DESK_SCALE: Callable[[PrintStyle], FontSizes] = attrgetter("desk")


class Report(Struct, frozen=True):
    """The definition of a report. Its texts are translated when it is shown."""

    id: str
    section: Callable[[ReportContext, Division], Section | CustomPaintedSection]
    group: ReportGroup
    purpose: str  # a sentence
    scale: Callable[[PrintStyle], FontSizes] = _DESK_SCALE
    columns: int = 1
    is_landscape: bool = False
    is_for_event: bool = False  # one report for all divisions
    # makes the part whose changes make a printout outdated; None: everything
    content: Callable[[ReportContext, Division], Section | CustomPaintedSection] | None = None
    results: bool = False  # becomes a list of results when its round is complete
    is_applicable: Callable[[TournamentIndex, Division], bool] = lambda _index, _division: True

    @property
    def untranslated_title(self) -> str:
        return CODES[f"report.{self.id}"]

    def get_page_size(self, paper: tuple[float, float], *, large_type: bool = False) -> tuple[float, float]:
        """Return width and height in points. With `large_type`, lists on walls and notice boards are landscape."""
        return (
            (paper[1], paper[0]) if self.is_landscape or (large_type and self.scale is not _DESK_SCALE) else paper
        )


def make_notice_board_report(
    report_id: str,
    section: Callable[[ReportContext, Division], Section],
    purpose: str,
    *,
    is_landscape: bool = False,
    is_applicable: Callable[[TournamentIndex, Division], bool] = lambda _index, _division: True,
) -> Report:
    """Return a report about results, with font sizes for a notice board."""
    return Report(
        report_id,
        section,
        ReportGroup.AFTER,
        purpose,
        scale=attrgetter("sizes_for_close_reading"),
        is_landscape=is_landscape,
        is_applicable=is_applicable,
    )


def select_columns(
    context: ReportContext,
    table: Table[Any],
    column_ids: Iterable[str],
    *,
    bold: Iterable[str] = (),
    wrapped_id: str = "",
) -> list[TextColumn]:
    """Return the columns with the given ids, without empty ones.

    Long texts of the column with the id `wrapped_id` continue on further rows.
    """
    columns = mark_bold_columns(make_list_columns(context.catalogue, table, column_ids), bold)
    return (
        wrap_column_texts(columns, [column.heading for column in columns if column.id == wrapped_id])
        if wrapped_id
        else columns
    )


def mark_bold_columns(columns: Iterable[TextColumn], bold_ids: Iterable[str]) -> list[TextColumn]:
    wanted_ids = frozenset(bold_ids)
    return [replace(column, bold=column.id in wanted_ids) for column in columns]


def make_section(
    context: ReportContext,
    division: Division,
    title: str,
    columns: Iterable[TextColumn],
    empty_text: str,
    *,
    note: str = "",
    has_continuation_rows: bool = False,
    legend: str = "",
) -> Section:
    catalogue, printable = context.catalogue, context.style.replace_unprintable_characters
    event = context.index.tournament.event
    division_title = printable(make_division_title(catalogue, context.index, division))
    subtitle = " · ".join(filter(None, (event.name, event.place, catalogue.format_date(event.date))))
    printed_columns = tuple(
        replace(column, heading=printable(column.heading), cells=tuple(map(printable, column.cells)))
        for column in columns
    )
    return Section(
        printable(title), division_title, printable(subtitle), printed_columns, empty_text, has_continuation_rows,
        legend=printable(legend), note=printable(note),
    )  # fmt: skip


def add_status_to_player_names(context: ReportContext, text_table: TextTable) -> TextTable:
    """Add the status of inactive players after their names."""
    active = {"", context.catalogue.translate_code("active")}
    statuses = [cell for column in text_table.get_columns_by_ids(["status"]) for cell in column.cells]

    def add_status(column: TextColumn) -> TextColumn:
        pairs = zip(column.cells, statuses, strict=True)
        return replace(
            column, cells=tuple(name if status in active else f"{name} · {status}" for name, status in pairs)
        )

    columns = (add_status(column) if column.id == "name" and statuses else column for column in text_table.columns)
    return replace(text_table, columns=tuple(columns))


def make_list_section(
    context: ReportContext,
    division: Division,
    text_table: TextTable,
    columns: Iterable[TextColumn],
    *notes: str,
    has_continuation_rows: bool = False,
) -> Section:
    note = " · ".join(filter(None, (*text_table.notes, *notes)))
    return make_section(
        context,
        division,
        text_table.title,
        columns,
        text_table.empty,
        note=note,
        has_continuation_rows=has_continuation_rows,
        legend=text_table.legend,
    )


def find_report_round(context: ReportContext, division: Division) -> Round:
    if context.round is not None:
        return context.index.get_round(division.id, context.round)
    published_rounds = context.index.list_published_rounds(division.id)
    if not published_rounds:
        raise CommandError("no-round-published", division=division.code)
    return published_rounds[-1]


MAX_LINE_LENGTH = 46  # characters, next to the other columns of a log


def wrap_column_texts(
    columns: Sequence[TextColumn], headings_of_columns_to_wrap: Sequence[str], *, max_length: int = MAX_LINE_LENGTH
) -> list[TextColumn]:
    indents = [CONTINUATION_INDENT, *[""] * (len(columns) - 1)]
    cell_lines = [
        [
            wrap(cell, max_length, subsequent_indent=indent) or [""]
            if column.heading in headings_of_columns_to_wrap
            else [cell]
            for cell in column.cells
        ]
        for column, indent in zip(columns, indents, strict=True)
    ]
    heights = [max(map(len, row)) for row in zip(*cell_lines, strict=True)]
    return [
        replace(column, cells=tuple(_pad_and_join_cell_lines(column_lines, heights)))
        for column, column_lines in zip(columns, cell_lines, strict=True)
    ]


def _pad_and_join_cell_lines(cells: Sequence[Sequence[str]], heights: Sequence[int]) -> list[str]:
    return [
        line for cell, height in zip(cells, heights, strict=True) for line in (*cell, *[""] * (height - len(cell)))
    ]
