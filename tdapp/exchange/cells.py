"""Tables of cells: delimiters, column headings, and protection against formulas in spreadsheets.

Headings are in English, Dutch, Norwegian or German. The columns can have any order.

A table of results has the columns round, table, score1, score2, and optionally first: 1 or 2 for the player who
started. score1 belongs to the first listed player of the table. If a row is invalid, no row is accepted.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from tdapp.domain.entries import ResultEntry
from tdapp.domain.errors import InputError
from tdapp.domain.tables.table import ColumnKind, R, Table
from tdapp.exchange.text import MAX_CELL, MAX_COLUMNS, MAX_ROWS, clean_text_to_one_line, decode_text, split_lines

_DELIMITERS = ";,\t"
# An optional `sep=` line of spreadsheets, and blank lines.
_PREAMBLE = re.compile(r"(?:sep=([;,\t])[ ]*(?:\r\n|\r|\n))?(?:[ \t]*[\r\n])*")
_FORMULA_CHARACTERS = "=+\\-@\uff1d\uff0b\uff0d\uff20"  # the last four are full-width forms
_FORMULA = re.compile(f"'*[{_FORMULA_CHARACTERS}\t\r\n\0]")
_GUARDED_FORMULA = re.compile(f"''*[{_FORMULA_CHARACTERS}]")
_HEADING_LENGTH = 10_000
_CUT_LENGTH = 100  # characters kept of a text longer than MAX_CELL
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # not tabs and line ends
_PLAIN_NUMBER = re.compile("[+-]?[0-9]+([.,][0-9]+)?")


class RowProblem(Struct, frozen=True):
    """A problem in a row of a table."""

    line: int  # from 1
    field: str
    code: str
    facts: Mapping[str, object]

    def make_input_error(self, source: str, line: int | None = None) -> InputError:
        return InputError(self.code, source=source, line=line, field=self.field, **self.facts)


class TableRow(Struct, frozen=True):
    """A row of a table, with each cell assigned to a column."""

    line: int  # first line of the row
    cells: Mapping[str, str]  # by column


class ParsedTable(Struct, frozen=True):
    """The rows of a table, and the problems found in them."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    problems: tuple[RowProblem, ...]
    ignored: tuple[str, ...]  # unknown headings
    warnings: tuple[RowProblem, ...] = ()


def refuse_row_problems(problems: Sequence[RowProblem], source: str) -> None:
    """Raise InputError for the first problem, if any.

    In the error, `problems` has all problems, and `others` is the number of problems after the first.
    """
    if problems:
        first_problem, other_count = problems[0], len(problems) - 1
        facts = {**first_problem.facts, "others": other_count, "problems": tuple(problems)}
        raise InputError(
            first_problem.code, source=source, line=first_problem.line or None, field=first_problem.field, **facts
        )


class CellGrid(Struct, frozen=True):
    """The cells of a table of any format, without blank rows."""

    rows: tuple[tuple[int, tuple[str, ...]], ...]  # line number and cells of each row
    unread_cells: tuple[tuple[int, str], ...] = ()  # line and name (B7) of cells with unknown values

    @property
    def first_row(self) -> tuple[str, ...]:
        return self.rows[0][1] if self.rows else ()

    @property
    def width(self) -> int:
        return max((len(cells) for _, cells in self.rows), default=0)


def list_columns_named_in_first_row(text: str, headings: Mapping[str, str]) -> tuple[str | None, ...]:
    body, delimiter = _remove_preamble_and_find_delimiter(text, headings)
    return tuple(headings.get(simplify_heading(cell)) for cell in _parse_first_row(body, delimiter))


def parse_cell_grid(text: str, headings: Mapping[str, str], source: str) -> CellGrid:
    """Split delimited text into cells. `headings` helps to detect the delimiter.

    Raises InputError for too many rows, and for unbalanced quotes unless the delimiter is a tab.
    """
    body, delimiter = _remove_preamble_and_find_delimiter(text, headings)
    skipped = len(split_lines(text)) - len(split_lines(body))
    try:
        return CellGrid(_parse_rows_with_line_numbers(body, delimiter, source, skipped=skipped))
    except InputError as error:
        if error.code not in {"csv-broken", "csv-no-delimiter"} or delimiter != "\t":
            raise
        return CellGrid(
            _parse_rows_with_line_numbers(body, delimiter, source, skipped=skipped, quoting=csv.QUOTE_NONE)
        )


def find_columns_by_headings(grid: CellGrid, headings: Mapping[str, str]) -> tuple[str, ...]:
    """Return the column for each cell of the first row, "" if the cell is not a known heading."""
    columns = [headings.get(simplify_heading(cell), "") for cell in grid.first_row]
    return tuple(columns) + ("",) * (grid.width - len(columns))


def parse_table_by_headings(
    grid: CellGrid, headings: Mapping[str, str], source: str, *, suggested: tuple[str, ...]
) -> ParsedTable:
    """Return the rows, with each cell assigned to a column.

    `headings` maps headings, in lower case without blanks and punctuation, to columns. If no heading is known,
    raises InputError with the columns `suggested` in the message. Also raises InputError if two headings have the
    same column.
    """
    columns = find_columns_by_headings(grid, headings)
    line = grid.rows[0][0] if grid.rows else 1
    if not any(columns):
        other_columns = tuple(column for column in dict.fromkeys(headings.values()) if column not in suggested)
        raise InputError("csv-no-header", source=source, line=line, needed=suggested, columns=other_columns)
    return parse_table_with_given_columns(grid, columns, source)


def parse_table_with_required_columns(
    grid: CellGrid, headings: Mapping[str, str], source: str, *, required: tuple[str, ...]
) -> ParsedTable:
    """Parse a table. Raise InputError if a required column is missing or the table has no rows."""
    cells = parse_table_by_headings(grid, headings, source, suggested=required)
    missing = tuple(column for column in required if column not in cells.columns)
    if missing:
        raise InputError("csv-column-missing", source=source, line=1, field=missing[0], columns=missing)
    if not cells.rows:
        raise InputError("csv-no-rows", source=source)
    return cells


def parse_whole_number(row: TableRow, column: str, problems: list[RowProblem], *, least: int) -> int | None:
    """Return a whole number of at least `least`. For any other text add a problem and return None."""
    text = row.cells.get(column, "")
    if re.fullmatch("[+-]?[0-9]{1,4}", text) and int(text) >= least:
        return int(text)
    facts = {"value": text, "least": least, "most": 9999}
    problems.append(RowProblem(row.line, column, "bad-number" if text else "number-missing", facts))
    return None


def parse_table_with_given_columns(
    grid: CellGrid, columns: Sequence[str], source: str, *, has_headings: bool = True
) -> ParsedTable:
    """Return the rows. `columns` has a column name for each cell of a row, "" to skip the cell."""
    known_columns = [column for column in columns if column]
    line = grid.rows[0][0] if grid.rows else 1
    for column in known_columns:
        if known_columns.count(column) > 1:
            raise InputError("csv-column-twice", source=source, line=line, field=column)
    column_count = len(grid.first_row) if has_headings else grid.width
    problems: list[RowProblem] = []
    warnings: list[RowProblem] = []
    rows = tuple(
        _make_row(number, cells, columns[:column_count], problems, warnings)
        for number, cells in grid.rows[has_headings:]
    )
    ignored = tuple(
        clean_text_to_one_line(cell)[:MAX_CELL]
        for cell, column in zip(grid.first_row, columns, strict=False)
        if has_headings and not column and cell.strip()
    )
    return ParsedTable(tuple(known_columns), rows, tuple(problems), ignored, tuple(warnings))


def _remove_preamble_and_find_delimiter(text: str, headings: Mapping[str, str]) -> tuple[str, str]:
    preamble = _PREAMBLE.match(text)
    body = text[preamble.end() :] if preamble else text
    if preamble and preamble[1]:
        return body, preamble[1]

    def rate_delimiter(delimiter: str) -> tuple[int, int]:
        cells = _parse_first_row(body, delimiter)
        return sum(simplify_heading(cell) in headings for cell in cells), len(cells)

    return body, max(_DELIMITERS, key=rate_delimiter)


def _parse_first_row(body: str, delimiter: str) -> list[str]:
    line = re.split("[\r\n]", body[:_HEADING_LENGTH], maxsplit=1)[0]
    return next(csv.reader([line], delimiter=delimiter), [])


def simplify_heading(heading: str) -> str:
    """Return a heading in lower case without blanks and punctuation. "#" stays."""
    return "#" if heading.strip() == "#" else re.sub(r"[\W_]", "", heading.casefold())


def _parse_rows_with_line_numbers(
    body: str, delimiter: str, source: str, *, skipped: int, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True, quoting=quoting)
    rows: list[tuple[int, tuple[str, ...]]] = []
    first_line = 1 + skipped
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells[MAX_COLUMNS:]):
                refuse_too_many_columns(len(cells), source, line=first_line)
            if any(cell.strip() for cell in cells):
                rows.append((first_line, tuple(cells[:MAX_COLUMNS])))
            refuse_too_many_rows(len(rows) - 1, source, line=first_line)
            first_line = reader.line_num + 1 + skipped
    except csv.Error as error:
        is_delimiter_missing = "expected after" in str(error) and reader.line_num + skipped == first_line
        code = "csv-no-delimiter" if is_delimiter_missing else "csv-broken"
        raise InputError(code, source=source, line=first_line, delimiter=delimiter) from error
    return tuple(rows)


def refuse_too_many_rows(count: int, source: str, *, line: int) -> None:
    if count > MAX_ROWS:
        raise InputError("too-many-rows", source=source, line=line, most=MAX_ROWS)


def refuse_too_many_columns(count: int, source: str, *, line: int) -> None:
    if count > MAX_COLUMNS:
        raise InputError("spreadsheet-columns", source=source, line=line, most=MAX_COLUMNS)


def _make_row(
    line: int,
    cells: Sequence[str],
    columns: Sequence[str],
    problems: list[RowProblem],
    warnings: list[RowProblem],
) -> TableRow:
    if any(cell.strip() for cell in cells[len(columns) :]):
        facts = {"cells": len(cells), "columns": len(columns)}
        problems.append(RowProblem(line, "", "too-many-cells", facts))
    row: dict[str, str] = {}
    for column, cell in zip(columns, cells, strict=False):
        if not column:
            continue
        text = clean_text_to_one_line(cell)
        if control := _CONTROL.search(cell.strip()):
            character = f"U+{ord(control[0]):04X}"
            warnings.append(RowProblem(line, column, "control-left-out", {"value": text, "sign": character}))
        row[column] = remove_formula_apostrophe(text)
        if len(row[column]) > MAX_CELL:
            problems.append(RowProblem(line, column, "too-long", {"most": MAX_CELL}))
            row[column] = row[column][:_CUT_LENGTH]
    return TableRow(line, row)


def encode_csv(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> bytes:
    """Return CSV in UTF-8 with a byte order mark, separated by `;`. Formulas become text."""
    output = io.StringIO(newline="")
    writer = csv.writer(output, delimiter=";", lineterminator="\r\n")
    writer.writerow([neutralize_formula(cell) for cell in columns])
    writer.writerows([neutralize_formula(cell) for cell in row] for row in rows)
    return output.getvalue().encode("utf-8-sig", "replace")


def neutralize_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would read as a formula.

    A number with a sign stays unchanged.
    """
    if _FORMULA.match(text) and not _PLAIN_NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def remove_formula_apostrophe(text: str) -> str:
    return text[1:] if _GUARDED_FORMULA.match(text) else text


def encode_table_as_csv(
    table: Table[R],
    *,
    heading: Callable[[str], str] | None = None,
    name_code: Callable[[object], str] = str,
    decimal: str = ".",
) -> bytes:
    """Return a table as CSV.

    `heading` returns the text of a heading; without it the headings are column ids. `name_code` returns the text
    for an id in a column of kind CODE. `decimal` is the decimal mark. Positive spreads have a plus sign. True is
    written as 1, False as an empty cell.
    """
    rows = (
        [_format_cell(column.kind, column.value(row), name_code, decimal) for column in table.columns]
        for row in table.rows
    )
    return encode_csv((heading(column.heading_id) if heading else column.id for column in table.columns), rows)


def _format_cell(kind: ColumnKind, value: object, name_code: Callable[[object], str], decimal: str) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "1"
    if kind is ColumnKind.MONEY and isinstance(value, int):
        return f"{value / 100:.2f}".replace(".", decimal)
    if kind is ColumnKind.CODE:
        return name_code(value)
    if isinstance(value, Fraction):
        value = int(value) if value.denominator == 1 else float(value)
    if kind is ColumnKind.SIGNED and isinstance(value, (int, float)):
        return f"{value:+}".replace(".", decimal) if value else "0"
    return str(value).replace(".", decimal) if isinstance(value, float) else str(value)


_HEADINGS: Mapping[str, str] = {
    "round": "round rd ronde runde",
    "table": "table board tafel bord tisch brett",
    "score1": "score1 points1 punten1 poeng1 punkte1",
    "score2": "score2 points2 punten2 poeng2 punkte2",
    "first": "first starts start eerst begint beginner beginnt begynner først",
}
COLUMNS_BY_HEADING: Mapping[str, str] = {
    word: column for column, words in _HEADINGS.items() for word in words.split()
}
REQUIRED_COLUMNS = ("round", "table", "score1", "score2")
_STARTED: Mapping[str, Literal["1", "2"] | None] = {"": None, "1": "1", "2": "2"}


class ImportedResults(Struct, frozen=True):
    """The results of games, read from a table."""

    source: str
    entries: tuple[ResultEntry, ...]
    ignored: tuple[str, ...] = ()  # unknown headings


def read_results(data: bytes, source: str = "") -> ImportedResults:
    return read_result_grid(parse_cell_grid(decode_text(data, source), COLUMNS_BY_HEADING, source), source)


def read_result_grid(grid: CellGrid, source: str = "") -> ImportedResults:
    cells = parse_table_with_required_columns(grid, COLUMNS_BY_HEADING, source, required=REQUIRED_COLUMNS)
    problems = list(cells.problems)
    entries = [entry for row in cells.rows if (entry := _read_result_entry(row, problems))]
    problems += _find_repeated_games(entries)
    refuse_row_problems(sorted(problems, key=lambda item: item.line), source)
    return ImportedResults(source, tuple(entries), cells.ignored)


def _read_result_entry(row: TableRow, problems: list[RowProblem]) -> ResultEntry | None:
    number = parse_whole_number(row, "round", problems, least=1)
    table = parse_whole_number(row, "table", problems, least=1)
    first_score = parse_whole_number(row, "score1", problems, least=-9999)
    second_score = parse_whole_number(row, "score2", problems, least=-9999)
    word = row.cells.get("first", "")
    if word not in _STARTED:
        problems.append(RowProblem(row.line, "starts", "bad-start", {"value": word}))
    if number is None or table is None or first_score is None or second_score is None:
        return None
    return ResultEntry(number, table, first_score, second_score, _STARTED.get(word), line=row.line)


def _find_repeated_games(entries: list[ResultEntry]) -> list[RowProblem]:
    lines: dict[tuple[int, int], int] = {}
    problems: list[RowProblem] = []
    for entry in entries:
        first = lines.setdefault((entry.round, entry.table), entry.line)
        if first != entry.line:
            facts = {"round": entry.round, "table": entry.table, "first": first}
            problems.append(RowProblem(entry.line, "table", "duplicate-result", facts))
    return problems
