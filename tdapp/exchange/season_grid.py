"""Read a table of earlier results of a season. The tournament file does not contain these games.

The first column has the names, the first row the dates. An empty cell or a dash means that the member did not
come. Brackets around a number are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from tdapp.domain.dates import EXAMPLE_DATE, parse_date_to_iso
from tdapp.domain.entries import EarlierResultEntry, normalise_name
from tdapp.domain.errors import InputError
from tdapp.exchange.cells import RowProblem, parse_cell_grid, refuse_row_problems
from tdapp.exchange.player_lists import COLUMNS_BY_HEADING
from tdapp.exchange.text import clean_text_to_one_line, decode_text

_ABSENT = frozenset({"", "-", "–", "—", "x"})
_NUMBER = re.compile(r"([+-]?[0-9]{0,9})(?:[.,]([0-9]{1,6}))?(½?)")


def read_season_grid(data: bytes, source: str = "") -> tuple[EarlierResultEntry, ...]:
    grid = parse_cell_grid(decode_text(data, source), COLUMNS_BY_HEADING, source)
    if len(grid.rows) < 2 or grid.width < 2:  # noqa: PLR2004 - a heading and one result
        raise InputError("season-grid-empty", source=source, line=1)
    problems: list[RowProblem] = []
    line, headings = grid.rows[0]
    dates = _read_dates(line, headings, problems)
    entries: list[EarlierResultEntry] = []
    first_lines: dict[str, int] = {}
    for line, cells in grid.rows[1:]:
        name = clean_text_to_one_line(cells[0])
        if not name:
            problems.append(RowProblem(line, "name", "season-grid-no-name", {}))
        first_line = first_lines.setdefault(normalise_name(name), line)
        if first_line != line:
            problems.append(RowProblem(line, "name", "season-grid-twice", {"value": name, "first": first_line}))
        for column, cell in enumerate(cells[1:], 1):
            text = clean_text_to_one_line(cell).strip("() ")
            if text.casefold() in _ABSENT:
                continue
            value, day = parse_evening_result(text), dates.get(column)
            if value is None or column >= len(headings):
                field = clean_text_to_one_line(headings[column]) if column < len(headings) else str(column + 1)
                problems.append(RowProblem(line, field, "season-grid-number", {"value": text[:40]}))
            elif day is not None:
                entries.append(EarlierResultEntry(name, day, value, line))
    refuse_row_problems(problems, source)
    return tuple(entries)


def _read_dates(line: int, headings: tuple[str, ...], problems: list[RowProblem]) -> Mapping[int, str]:
    dates: dict[int, str] = {}
    for column, heading in enumerate(headings[1:], 1):
        text = clean_text_to_one_line(heading)
        day = parse_date_to_iso(text)
        if day is None:
            facts = {"date": text[:40], "example": EXAMPLE_DATE}
            problems.append(RowProblem(line, text or str(column + 1), "season-grid-date", facts))
        elif day in dates.values():
            problems.append(RowProblem(line, text, "season-grid-date-twice", {"value": text[:40]}))
        else:
            dates[column] = day
    return dates


def parse_evening_result(text: str) -> Fraction | None:
    """Return a number such as -3, 2.5 or 2½, None for any other text."""
    match = _NUMBER.fullmatch(text.replace("−", "-").replace(" ", ""))
    if match is None:
        return None
    integer_part, decimals, half = match.groups()
    if not (integer_part.strip("+-") or half) or (decimals and half):
        return None
    sign = -1 if integer_part.startswith("-") else 1
    value = Fraction(f"{integer_part.lstrip('+-') or 0}.{decimals or 0}")
    return sign * (value + (Fraction(1, 2) if half else 0))
