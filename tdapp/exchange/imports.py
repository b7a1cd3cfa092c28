"""Read files to import, and detect their format from the content.

For a folder of the program tsh, the path is the folder or its `config.tsh`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands import enter_results
from tdapp.domain.entries import EventEntry, PlayerEntry
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.tournament import Tournament
from tdapp.exchange import (
    cells,
    player_lists,
    spreadsheets,
    tou,
    tournament_json,
    tourney_js,
    trf,
    tsh,
    tsh_folder,
    tsh_json,
)
from tdapp.exchange.cells import CellGrid, ImportedResults, find_columns_by_headings, parse_cell_grid
from tdapp.exchange.exports import UnsupportedData
from tdapp.exchange.spreadsheets import Worksheet, is_spreadsheet
from tdapp.exchange.text import (
    DetectedEncoding,
    clean_text_to_one_line,
    decode_text,
    detect_encoding,
    is_json,
    read_file,
    split_lines,
)
from tdapp.exchange.tsh_lines import is_player_line, is_roster


class ImportFormat(StrEnum):
    """Import formats."""

    DOCUMENT = "document"  # a whole tournament as JSON
    TSH = "tsh"  # a division file of tsh
    TSH_FOLDER = "tsh-folder"  # the configuration of a tsh folder
    TSH_JSON = "tsh-json"  # a division as tsh publishes it
    TOURNEY_JS = "tourney-js"  # all divisions as tsh publishes them for broadcasters
    TOU = "tou"  # divisions of AUPAIR
    TRF = "trf"  # a tournament report file of chess
    SPREADSHEET = "spreadsheet"  # sheets with players or results
    PLAYERS = "players"  # players in delimited text
    RESULTS = "results"  # results in delimited text


_OTHER_FILE_TYPES = ((b"SQLite format 3\0", "file-is-tournament"), (b"\xd0\xcf\x11\xe0", "file-is-spreadsheet"))
_CHECKED_LINES = 20
_TDAPP_FORMAT = re.compile(rb'"format"\s*:\s*"tdapp"')
_TSH_KEYS = re.compile(rb'"(?:pairings|players)"\s*:\s*\[')


def detect_format(data: bytes, source: str = "") -> ImportFormat:
    for start, code in _OTHER_FILE_TYPES:
        if data.startswith(start):
            raise InputError(code, source=source)
    if is_spreadsheet(data):
        return ImportFormat.SPREADSHEET
    if tourney_js.is_tourney_js(data):
        return ImportFormat.TOURNEY_JS
    if is_json(data):
        is_tsh = _TSH_KEYS.search(data) and not _TDAPP_FORMAT.search(data)
        return ImportFormat.TSH_JSON if is_tsh else ImportFormat.DOCUMENT
    return _detect_text_format(decode_text(data, source), source)


def _detect_text_format(text: str, source: str) -> ImportFormat:
    for kind, matches_format in ((ImportFormat.TOU, tou.is_tou_text), (ImportFormat.TRF, trf.is_trf)):
        if matches_format(text):
            return kind
    if {"score1", "score2"} & {*cells.list_columns_named_in_first_row(text, cells.COLUMNS_BY_HEADING)}:
        return ImportFormat.RESULTS
    known_columns = {*cells.list_columns_named_in_first_row(text, player_lists.COLUMNS_BY_HEADING)} - {None}
    if player_lists.NAME_COLUMNS & known_columns:
        return ImportFormat.PLAYERS
    lines = split_lines(text)[:_CHECKED_LINES]
    if any(map(is_player_line, lines)) or is_roster(lines):
        return ImportFormat.TSH
    if tsh_folder.is_tsh_config(text):
        return ImportFormat.TSH_FOLDER
    if known_columns or re.search("[;,\t]", text):
        return ImportFormat.PLAYERS
    raise InputError("file-unknown", source=source)


class PlayerListFile(Struct, frozen=True):
    """Tables of players, one for each sheet of a file."""

    source: str
    sheets: tuple[Worksheet, ...]
    data: bytes = b""
    encoding: DetectedEncoding = DetectedEncoding("utf-8")

    @property
    def accented_cell_samples(self) -> tuple[str, ...]:
        """Up to three cells with letters that depend on the encoding."""
        cells = (
            clean_text_to_one_line(cell)
            for line, row in self.sheets[0].grid.rows
            if not self.encoding.lines or line in self.encoding.lines
            for cell in row
        )
        return tuple(islice((cell for cell in cells if not cell.isascii()), 3))

    @property
    def likely_worksheet_index(self) -> int:
        heading_counts = [
            sum(map(bool, find_columns_by_headings(sheet.grid, player_lists.COLUMNS_BY_HEADING)))
            for sheet in self.sheets
        ]
        return max(
            range(len(heading_counts)),
            key=lambda index: (heading_counts[index], len(self.sheets[index].grid.rows), -index),
        )

    @property
    def candidate_worksheet_names(self) -> tuple[str, ...]:
        """The names of the possible player sheets: all sheets with the same columns as the most likely one.

        Empty if only one sheet is possible.
        """
        columns = {
            sheet.name: {*find_columns_by_headings(sheet.grid, player_lists.COLUMNS_BY_HEADING)}
            for sheet in self.sheets
        }
        likely_columns = columns[self.sheets[self.likely_worksheet_index].name]
        names = tuple(name for name, sheet_columns in columns.items() if sheet_columns == likely_columns)
        return names if len(names) > 1 and player_lists.NAME_COLUMNS & likely_columns else ()

    def find_sheet_index(self, name: str) -> int:
        for index, sheet in enumerate(self.sheets):
            if sheet.name.casefold() == name.casefold():
                return index
        names = ", ".join(sheet.name for sheet in self.sheets)
        raise InputError("no-such-sheet", source=self.source, sheet=name, known=names)


ImportedFile = PlayerListFile | EventEntry | ImportedResults | Tournament


def read_file_to_import(path: Path, encoding: str = "") -> ImportedFile:
    if path.is_dir():
        path = path / tsh_folder.CONFIG

    def read_file_as_utf8(file: Path) -> bytes:
        data = read_file(file)
        return decode_text(data, file.name, encoding=encoding).encode() if encoding else data

    data = read_file_as_utf8(path)
    if detect_format(data, path.name) is ImportFormat.TSH_FOLDER:
        return tsh_folder.read_tsh_folder(data, path.name, lambda name: read_file_as_utf8(path.parent / name))
    return read_bytes_to_import(data, path.name)


def read_bytes_to_import(data: bytes, source: str) -> ImportedFile:
    return IMPORTS[detect_format(data, source)](data, source)


def list_import_warnings(event: EventEntry, source: str) -> tuple[UnsupportedData, ...]:
    lines = [
        UnsupportedData("line-left-out", {"source": source, "line": line, "text": text})
        for line, text in event.dropped
    ]
    keys = [
        UnsupportedData("keys-left-out", {"division": item.code or source, "keys": item.dropped})
        for item in event.divisions
        if item.dropped
    ]
    made_up = [
        UnsupportedData("points-made-up", {"division": item.code or source})
        for item in event.divisions
        if item.made_up
    ]
    totals = [
        UnsupportedData(
            "stated-total",
            {
                "source": source,
                "line": total.line,
                "player": total.player,
                "stated": Fraction(total.stated, 2),
                "counted": Fraction(total.counted, 2),
            },
        )
        for item in event.divisions
        for total in item.totals
    ]
    return (*made_up, *totals, *lines, *keys)


def find_tiebreak_order_differences(
    index: TournamentIndex, changed_divisions: Collection[DivisionId], event: EventEntry
) -> Iterator[UnsupportedData]:
    """Yield the imported divisions whose tie-breaks differ from those of the program that wrote `event`."""
    entries = {entry.code.casefold(): entry for entry in event.divisions}
    for item in index.divisions:
        entry = entries.get(item.code.casefold(), event.divisions[0])
        order = find_tiebreak_order(index, replace(item, order=()))
        if item.id in changed_divisions and entry.usual and not entry.order and order != entry.usual:
            facts = {"division": item.code, "order": " ".join(order), "usual": " ".join(entry.usual)}
            yield UnsupportedData(
                "order-taken" if find_tiebreak_order(index, item) == entry.usual else "order-kept", facts
            )


def make_player_list_from_entries(players: tuple[PlayerEntry, ...], source: str) -> PlayerListFile:
    """Return a table of players without empty columns. Each player keeps its line number."""
    player_rows = [
        (player.line or line, player_lists.format_player_fields_as_cells(player))
        for line, player in enumerate(players, 2)
    ]
    used_columns = [
        column
        for column in range(len(player_lists.FIELDS_BY_HEADING))
        if any(cells[column] for _, cells in player_rows)
    ]
    headings = [*player_lists.FIELDS_BY_HEADING]
    rows = [(0, headings), *player_rows]
    grid = CellGrid(tuple((line, tuple(row[column] for column in used_columns)) for line, row in rows))
    return PlayerListFile(source, (Worksheet("", grid),))


def read_pasted_players(text: str, source: str) -> PlayerListFile:
    return read_player_list_text(text.encode(), source)


def read_player_list_text(data: bytes, source: str, encoding: str = "") -> PlayerListFile:
    text_encoding = DetectedEncoding(encoding) if encoding else detect_encoding(data)
    text = decode_text(data, source, encoding=encoding)
    return PlayerListFile(
        source,
        (
            Worksheet(
                "", _remove_rows_above_headings(parse_cell_grid(text, player_lists.COLUMNS_BY_HEADING, source))
            ),
        ),
        data,
        text_encoding,
    )


def refuse_rows_that_cannot_be_added(
    tournament: Tournament, source: str, additions: Iterable[tuple[int, Callable[[Tournament], object]]]
) -> None:
    """Raise InputError with the problems of all rows that cannot be added.

    An addition is a line number and a function that adds that row.
    """
    problems = []
    for line, add_row in additions:
        try:
            add_row(tournament)
        except CommandError as error:
            facts = {key: value for key, value in error.facts.items() if key != "line"}
            problems.append(cells.RowProblem(line, "", error.code, facts))
    cells.refuse_row_problems(problems, source)


def refuse_invalid_imported_results(
    tournament: Tournament, division: DivisionId, results: ImportedResults
) -> None:
    enter = partial(enter_results, division=division)
    attempts = ((entry.line, partial(enter, entries=(entry,))) for entry in results.entries)
    refuse_rows_that_cannot_be_added(tournament, results.source, attempts)


def _read_spreadsheet(data: bytes, source: str) -> PlayerListFile | ImportedResults:
    sheets = spreadsheets.read_spreadsheet(data, source)
    for sheet in sheets:
        if {*cells.REQUIRED_COLUMNS} <= {*find_columns_by_headings(sheet.grid, cells.COLUMNS_BY_HEADING)}:
            return cells.read_result_grid(sheet.grid, source)
    return PlayerListFile(
        source, tuple(replace(sheet, grid=_remove_rows_above_headings(sheet.grid)) for sheet in sheets)
    )


def _remove_rows_above_headings(grid: CellGrid) -> CellGrid:
    for index in range(min(_CHECKED_LINES, len(grid.rows))):
        lower_grid = replace(grid, rows=grid.rows[index:])
        columns = {*find_columns_by_headings(lower_grid, player_lists.COLUMNS_BY_HEADING)} - {""}
        if player_lists.NAME_COLUMNS & columns and len(columns) > 1:
            return lower_grid
    return grid


def _refuse_lone_tsh_config(_data: bytes, source: str) -> EventEntry:
    raise InputError("tsh-folder-needed", source=source)


IMPORTS: Mapping[ImportFormat, Callable[[bytes, str], ImportedFile]] = {
    ImportFormat.PLAYERS: read_player_list_text,
    ImportFormat.SPREADSHEET: _read_spreadsheet,
    ImportFormat.RESULTS: cells.read_results,
    ImportFormat.TSH: tsh.read_tsh_file,
    ImportFormat.TSH_FOLDER: _refuse_lone_tsh_config,
    ImportFormat.TSH_JSON: tsh_json.read_tsh_json_event,
    ImportFormat.TOURNEY_JS: tourney_js.read_tourney_js,
    ImportFormat.TOU: tou.read_tou,
    ImportFormat.TRF: trf.read_trf,
    ImportFormat.DOCUMENT: tournament_json.read_tournament,
}
