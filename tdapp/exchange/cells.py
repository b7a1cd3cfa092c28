"""Tables in delimited text: what separates the cells, which column is which, what a spreadsheet must not execute.

Delimiters are `;`, `,` and tab. Headings are known in English, Dutch, Norwegian and German, in any order.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tdapp.domain.errors import InputError
from tdapp.exchange.text import MAX_CELL, MAX_ROWS, clean, lines

_DELIMITERS = ";,\t"
# Blank lines, after a first line by which spreadsheets say what separates the cells.
_BEFORE = re.compile(r"(?:sep=([;,\t])[ ]*(?:\r\n|\r|\n))?(?:[ \t]*[\r\n])*")
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"  # the last four are full-width forms of the first
_FORMULA = re.compile(f"'*[{_SIGNS}\t\r\n\0]")
_GUARDED = re.compile(f"''*[{_SIGNS}]")
_HEADING_LENGTH = 10_000
_SHOWN = 100  # characters that are left of a text that is too long
_PLAIN_NUMBER = re.compile("[+-]?[0-9]+([.,][0-9]+)?")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a row: `code` and `facts` as in InputError, where `line` (1-based) and `field` say."""

    line: int
    field: str
    code: str
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row's cells by column, texts on one line, and the line it begins on."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cells:
    """A table with known columns; `ignored` are the headings nobody knows."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    problems: tuple[Problem, ...]
    ignored: tuple[str, ...]


def refuse(problems: Sequence[Problem], source: str) -> None:
    """Raise InputError for the first of `problems`, if any; facts `others` and `problems` tell of the rest."""
    if problems:
        first, others = problems[0], len(problems) - 1
        facts = {**first.facts, "others": others, "problems": tuple(problems)}
        raise InputError(first.code, source=source, line=first.line or None, field=first.field, **facts)


def headings(text: str, words: Mapping[str, str]) -> tuple[str | None, ...]:
    """Return the columns that the first row of `text` names, None where `words` has no such heading."""
    body, delimiter = _body(text, words)
    return tuple(words.get(_plain(cell)) for cell in _first_row(body, delimiter))


def table(text: str, words: Mapping[str, str], source: str, *, needed: tuple[str, ...]) -> Cells:
    """Return the table in `text`, its columns found by their headings.

    `words` maps headings without blanks and marks, in lower case, to columns. Raise InputError where there is no
    table: no heading known (csv-no-header), a column twice, broken quotes, too many rows.
    """
    body, delimiter = _body(text, words)
    numbered = _rows(body, delimiter, source, skipped=len(lines(text)) - len(lines(body)))
    line, first = numbered[0] if numbered else (1, [])
    columns = [words.get(_plain(cell), "") for cell in first]
    known = [column for column in columns if column]
    if not known:
        raise no_header(words, source, line=line, needed=needed)
    for column in known:
        if known.count(column) > 1:
            raise InputError("csv-column-twice", source=source, line=line, field=column)
    problems: list[Problem] = []
    rows = tuple(_row(at, cells, columns, problems) for at, cells in numbered[1:])
    ignored = tuple(
        clean(cell)[:MAX_CELL] for cell, column in zip(first, columns, strict=True) if not column and cell
    )
    return Cells(tuple(known), rows, tuple(problems), ignored)


def no_header(words: Mapping[str, str], source: str, *, line: int, needed: tuple[str, ...]) -> InputError:
    """Return the error for a table whose first row names no column: which are needed, and which else are known."""
    others = tuple(column for column in dict.fromkeys(words.values()) if column not in needed)
    return InputError("csv-no-header", source=source, line=line, needed=needed, columns=others)


def _body(text: str, words: Mapping[str, str]) -> tuple[str, str]:
    """Return the text from its headings on, and the delimiter."""
    before = _BEFORE.match(text)
    body = text[before.end() :] if before else text
    if before and before[1]:
        return body, before[1]

    def fit(delimiter: str) -> tuple[int, int]:
        cells = _first_row(body, delimiter)
        return sum(_plain(cell) in words for cell in cells), len(cells)

    return body, max(_DELIMITERS, key=fit)


def _first_row(body: str, delimiter: str) -> list[str]:
    line = re.split("[\r\n]", body[:_HEADING_LENGTH], maxsplit=1)[0]
    return next(csv.reader([line], delimiter=delimiter), [])


def _plain(heading: str) -> str:
    return "#" if heading.strip() == "#" else re.sub(r"[\W_]", "", heading.casefold())


def _rows(body: str, delimiter: str, source: str, *, skipped: int) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    found: list[tuple[int, list[str]]] = []
    begin = 1 + skipped
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((begin, cells))
            if len(found) > MAX_ROWS + 1:
                raise InputError("too-many-rows", source=source, line=begin, most=MAX_ROWS)
            begin = reader.line_num + 1 + skipped
    except csv.Error as error:
        raise InputError("csv-broken", source=source, line=begin) from error
    return found


def _row(line: int, cells: list[str], columns: list[str], problems: list[Problem]) -> TableRow:
    if any(cell.strip() for cell in cells[len(columns) :]):
        facts = {"cells": len(cells), "columns": len(columns)}
        problems.append(Problem(line, "", "too-many-cells", facts))
    row: dict[str, str] = {}
    for column, cell in zip(columns, cells, strict=False):
        if not column:
            continue
        row[column] = _restored(clean(cell))
        if len(row[column]) > MAX_CELL:
            problems.append(Problem(line, column, "too-long", {"most": MAX_CELL}))
            row[column] = row[column][:_SHOWN]
    return TableRow(line, row)


def written(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> bytes:
    """Return a table as spreadsheets open it: UTF-8 with a byte order mark, `;`, no cell that is executed."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([_neutral(cell) for cell in columns])
    writer.writerows([_neutral(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig", "replace")


def _neutral(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula; plain signed numbers stay."""
    if _FORMULA.match(text) and not _PLAIN_NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _restored(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text
