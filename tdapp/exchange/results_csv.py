"""Results in a table: columns round, table, score1, score2, optional first (1 or 2: who started).

score1 belongs to the first listed player of the table. All rows are accepted or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tdapp.domain.entries import ResultEntry
from tdapp.exchange.cells import (
    CellGrid,
    RowProblem,
    TableRow,
    parse_grid,
    parse_whole,
    raise_problems,
    read_required_rows,
)
from tdapp.exchange.text import decode_text

_HEADINGS: Mapping[str, str] = {
    "round": "round rd ronde runde",
    "table": "table board tafel bord tisch brett",
    "score1": "score1 points1 punten1 poeng1 punkte1",
    "score2": "score2 points2 punten2 poeng2 punkte2",
    "first": "first starts start eerst begint beginner beginnt først",
}
WORDS: Mapping[str, str] = {word: column for column, words in _HEADINGS.items() for word in words.split()}
NEEDED = ("round", "table", "score1", "score2")
_STARTED: Mapping[str, Literal["1", "2"] | None] = {"": None, "1": "1", "2": "2"}


def read_results(data: bytes, source: str = "") -> tuple[ResultEntry, ...]:
    """Read a list. Raises InputError with all errors in `problems`."""
    return of_grid(parse_grid(decode_text(data, source), WORDS, source), source)


def of_grid(found: CellGrid, source: str = "") -> tuple[ResultEntry, ...]:
    cells = read_required_rows(found, WORDS, source, needed=NEEDED)
    problems = list(cells.problems)
    entries = [entry for row in cells.rows if (entry := _read_entry(row, problems))]
    problems += _find_doubles(entries)
    raise_problems(sorted(problems, key=lambda item: item.line), source)
    return tuple(entries)


def _read_entry(row: TableRow, problems: list[RowProblem]) -> ResultEntry | None:
    number = parse_whole(row, "round", problems, least=1)
    place = parse_whole(row, "table", problems, least=1)
    first = parse_whole(row, "score1", problems, least=-9999)
    second = parse_whole(row, "score2", problems, least=-9999)
    word = row.cells.get("first", "")
    if word not in _STARTED:
        problems.append(RowProblem(row.line, "first", "bad-start", {"value": word}))
    if number is None or place is None or first is None or second is None:
        return None
    return ResultEntry(number, place, first, second, _STARTED.get(word), line=row.line)


def _find_doubles(entries: list[ResultEntry]) -> list[RowProblem]:
    lines: dict[tuple[int, int], int] = {}
    problems: list[RowProblem] = []
    for entry in entries:
        first = lines.setdefault((entry.round, entry.table), entry.line)
        if first != entry.line:
            facts = {"round": entry.round, "table": entry.table, "first": first}
            problems.append(RowProblem(entry.line, "table", "duplicate-result", facts))
    return problems
