"""The tournament as a workbook (xlsx): players, standings, crosstable and rounds of each division.

Texts such as "=1" never become formulas, even if their cell is edited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.entries import list_player_entries
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, ProvisionalRating
from tdapp.domain.tables import rounds, standings
from tdapp.domain.tables.groups import make_table_of_group_tables
from tdapp.domain.tables.players import PlayerCardRow
from tdapp.domain.tables.table import ColumnKind, R, Table
from tdapp.domain.translatable import C_
from tdapp.exchange.cells import neutralize_formula
from tdapp.exchange.player_lists import FIELDS_BY_HEADING
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_round
from tdapp.i18n.scores import format_player_card_score

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_CREATION_TIME = datetime(2000, 1, 1)
_NAME_LENGTH = 31  # characters of a sheet's name
_MAX_WIDTH, _PADDING = 44, 2  # characters of a column
_SAMPLE = 400  # rows measured for the column width
_NUMBER_FORMATS = {
    ColumnKind.SIGNED: "+0;-0;0",
    ColumnKind.MONEY: "0.00",
    ColumnKind.DECIMAL: "0.00",
    ColumnKind.AVERAGE: "0.0",
    ColumnKind.SHARE: "0.0%",
}
Cell = str | int | float | None


class _WorkbookSheet(Struct, frozen=True):
    name: str
    headings: Sequence[tuple[str, str]]  # each with the number format of its column
    rows: Sequence[Sequence[Cell]]


def encode_workbook(
    index: TournamentIndex, divisions: Sequence[Division], after_round: int | None, catalogue: Catalogue
) -> bytes:
    """Return the workbook after a round (None: after all rounds)."""
    target = BytesIO()
    from xlsxwriter import Workbook  # noqa: PLC0415 - a window opens without it

    book = Workbook(target, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": index.tournament.event.name, "created": _CREATION_TIME})
    writer = _WorksheetWriter(book)
    used_names: set[str] = set()
    players = _make_player_list_sheet(index, divisions, catalogue)
    writer.write_sheet(book.add_worksheet(_make_unique_worksheet_name(players.name, used_names)), players)
    for division in divisions:
        name_prefix = f"{division.code} " if len(divisions) > 1 else ""
        for page in _make_division_sheets(index, division, after_round, catalogue):
            sheet = book.add_worksheet(_make_unique_worksheet_name(f"{name_prefix}{page.name}", used_names))
            writer.write_sheet(sheet, page)
    book.close()
    return target.getvalue()


def _make_unique_worksheet_name(name: str, used_names: set[str]) -> str:
    base_name = re.sub(r"[\[\]:*?/\\]", "-", name).strip().strip("'")[:_NAME_LENGTH] or "-"
    number, unique_name = 2, base_name
    while unique_name.casefold() in used_names:
        unique_name, number = f"{base_name[: _NAME_LENGTH - 4]} {number}", number + 1
    used_names.add(unique_name.casefold())
    return unique_name


class _WorksheetWriter:
    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._heading_format: Format = book.add_format(
            {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}
        )
        self._text_format: Format = book.add_format({"quote_prefix": True})
        self._number_formats: dict[str, Format] = {}

    def write_sheet(self, sheet: Worksheet, content: _WorkbookSheet) -> None:
        for column, (heading, _) in enumerate(content.headings):
            sheet.write_string(0, column, heading, self._heading_format)
        for line, row in enumerate(content.rows, 1):
            for column, value in enumerate(row):
                self._write_cell(sheet, line, column, value, content.headings[column][1])
        sheet.freeze_panes(1, 0)
        sheet.set_landscape()
        sheet.repeat_rows(0)
        for column, (heading, _) in enumerate(content.headings):
            lengths = [len(str(row[column])) for row in content.rows[:_SAMPLE] if row[column] is not None]
            sheet.set_column(column, column, min(max([len(heading), *lengths]) + _PADDING, _MAX_WIDTH))
        if content.rows:
            sheet.autofilter(0, 0, len(content.rows), len(content.headings) - 1)

    def _write_cell(self, sheet: Worksheet, line: int, column: int, value: Cell, number_format: str) -> None:
        if isinstance(value, str):
            safe_text = neutralize_formula(value)  # a text that looks escaped is escaped again
            text = safe_text if value.startswith("'") else value
            sheet.write_string(line, column, text, self._text_format if safe_text != value else None)
        elif value is not None:
            sheet.write_number(line, column, value, self._get_cell_format(number_format))

    def _get_cell_format(self, number_format: str) -> Format | None:
        if number_format and number_format not in self._number_formats:
            self._number_formats[number_format] = self._book.add_format({"num_format": number_format})
        return self._number_formats.get(number_format)


# --- the pages -----------------------------------------------------------------------------------------


def _make_division_sheets(
    index: TournamentIndex, division: Division, after_round: int | None, catalogue: Catalogue
) -> Iterator[_WorkbookSheet]:
    published_rounds = index.list_published_rounds(division.id, after_round)
    last = len(published_rounds)
    yield _make_worksheet_from_table(
        catalogue.text("Standings"), standings.make_standings_table(index, division, last), catalogue
    )
    yield _make_crosstable_sheet(index, division, last, catalogue)
    for item in published_rounds:
        title = format_round(catalogue, index, item)
        yield _make_worksheet_from_table(title, rounds.make_pairing_table(index, item), catalogue)
        groups, byes = make_table_of_group_tables(index, item), rounds.make_bye_table(index, item)
        if groups.rows:
            yield _make_worksheet_from_table(
                catalogue.text(C_("name of a sheet", "{round}, tables of three and four"), round=title),
                groups,
                catalogue,
            )
        if byes.rows:
            yield _make_worksheet_from_table(
                catalogue.text(C_("name of a sheet", "{round}, byes"), round=title), byes, catalogue
            )


def _make_player_list_sheet(
    index: TournamentIndex, divisions: Sequence[Division], catalogue: Catalogue
) -> _WorkbookSheet:
    columns = {"division": "division", **FIELDS_BY_HEADING} if len(divisions) > 1 else FIELDS_BY_HEADING
    rows = [
        [_convert_to_cell(ColumnKind.TEXT, getattr(entry, name), str) for name in columns.values()]
        for division in divisions
        for entry in (
            replace(player, division=division.code) for player in list_player_entries(index, division.id)
        )
    ]
    # English headings, which every language accepts
    return _WorkbookSheet(catalogue.text("Players"), [(heading, "") for heading in columns], rows)


def _make_worksheet_from_table(name: str, table: Table[R], catalogue: Catalogue) -> _WorkbookSheet:
    headings = [
        (catalogue.heading(column.heading_id), _NUMBER_FORMATS.get(column.kind, "")) for column in table.columns
    ]
    kinds = [(column.kind, column.value) for column in table.columns]
    rows = [
        [_convert_to_cell(kind, value(row), catalogue.translate_code) for kind, value in kinds]
        for row in table.rows
    ]
    return _WorkbookSheet(name, headings, rows)


def _convert_to_cell(kind: ColumnKind, value: object, name_code: Callable[[object], str]) -> Cell:
    if value is None or value is False or value == "":
        return None
    if value is True:
        return 1
    if isinstance(value, ProvisionalRating):
        return str(value)
    if kind is ColumnKind.CODE:
        return name_code(value)
    if isinstance(value, (int, float, Fraction)):
        number = Fraction(value) / 100 if kind is ColumnKind.MONEY else Fraction(value)
        return int(number) if number.denominator == 1 else float(number)
    return str(value)


def _make_crosstable_sheet(
    index: TournamentIndex, division: Division, last: int, catalogue: Catalogue
) -> _WorkbookSheet:
    table = standings.make_crosstable(index, division, last)
    fixed_columns = [column for column in table.columns if not column.id.startswith("round_")]
    headings = [
        (catalogue.heading(column.heading_id), _NUMBER_FORMATS.get(column.kind, "")) for column in fixed_columns
    ]
    count = len(standings.list_crosstable_rounds(index, division, last))
    headings += [(str(number), "") for number in range(1, count + 1)]
    rows = [
        [_convert_to_cell(column.kind, column.value(row), catalogue.translate_code) for column in fixed_columns]
        + [
            _make_crosstable_cell(card, opponent, catalogue)
            for card, opponent in zip(row.rounds, row.opponents, strict=True)
        ]
        for row in table.rows
    ]
    return _WorkbookSheet(catalogue.text("Crosstable"), headings, rows)


def _make_crosstable_cell(card: PlayerCardRow | None, opponent: int | None, catalogue: Catalogue) -> Cell:
    if card is None:
        return None
    if card.bye or opponent is None:
        bye = catalogue.translate_code(card.bye) if card.bye else ""
        return f"{bye} {catalogue.format_signed_value(card.spread)} {card.score}".strip()
    return f"({opponent}) {format_player_card_score(catalogue, card)}".rstrip()
