"""The table of a season, and the evenings of one member."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import Season
from tdapp.domain.season_rule import SeasonRule, SeasonValue
from tdapp.domain.season_table import SeasonCell, SeasonEvening, SeasonLine
from tdapp.domain.seasons import compute_season_lines, list_season_evenings
from tdapp.domain.tables.table import Column, Kind, Table

MOST_SHOWN = 12  # evenings in the column of results
_DECIMAL = frozenset({SeasonValue.FIELD, SeasonValue.AVERAGE, SeasonValue.TOP})


def make_season_table(index: Index, season: Season, on: str = "") -> Table[SeasonLine]:
    """Return the table after the evenings up to the date `on`, "" for all."""
    lines = compute_season_lines(index, season, on)
    rule = season.rule
    held = [one for one in list_season_evenings(index, season) if not on or one.date <= on]
    kind = find_value_kind(rule)
    columns: list[Column[SeasonLine]] = [
        Column("rank", Kind.NUMBER, attrgetter("rank")),
        Column("moved", Kind.SIGNED, lambda line: line.moved or None),
        Column("name", Kind.NAME, attrgetter("member.name")),
        Column("season_total", kind, attrgetter("total")),
        Column("season_results", Kind.RESULTS, partial(list_shown_results, held[-MOST_SHOWN:])),
        Column("season_evenings", Kind.NUMBER, attrgetter("event_count")),
        Column("games", Kind.NUMBER, lambda line: line.game_count or None),
        Column("average", Kind.AVERAGE, attrgetter("average")),
        Column("spread", Kind.SIGNED, lambda line: line.total_spread if line.game_count else None),
    ]
    if rule.categories:
        columns.insert(0, Column("category", Kind.TEXT, attrgetter("category")))
    if rule.promoted or rule.relegated:
        columns.append(Column("season_shift", Kind.CODE, lambda line: line.shift if line.shift.value else None))
    if rule.qualification.places or rule.qualification.fill:
        columns.append(Column("qualified", Kind.MARK, lambda line: bool(line.qualified)))
    return Table("season", tuple(columns), lines)


def find_value_kind(rule: SeasonRule) -> Kind:
    return Kind.AVERAGE if rule.value in _DECIMAL else Kind.POINTS


Shown = tuple[Fraction, bool] | None


def list_shown_results(held: list[SeasonEvening], line: SeasonLine) -> tuple[Shown, ...]:
    """Return each evening's value for a member and whether it counts. None: the member did not come."""
    cells = {cell.evening.key: (cell.value, cell.is_counting) for cell in line.cells}
    return tuple(cells.get(evening.key) for evening in held)


class MemberEveningRow(Struct, frozen=True):
    """An evening of one member."""

    key: str
    line: SeasonLine
    cell: SeasonCell


def make_member_year_table(rule: SeasonRule, lines: Sequence[SeasonLine]) -> Table[MemberEveningRow]:
    """Return the evenings of each member. Members are in order of rank, evenings in order of date."""
    kind = find_value_kind(rule)
    columns: tuple[Column[MemberEveningRow], ...] = (
        Column("name", Kind.NAME, attrgetter("line.member.name")),
        Column("date", Kind.TEXT, attrgetter("cell.evening.date")),
        Column("place", Kind.NUMBER, lambda row: row.cell.result.rank or None),
        Column("season_field", Kind.NUMBER, lambda row: row.cell.result.field or None),
        Column("games", Kind.NUMBER, lambda row: row.cell.result.games or None),
        Column("points", Kind.NUMBER, lambda row: None if row.cell.evening.imported else row.cell.result.points),
        Column("spread", Kind.SIGNED, lambda row: None if row.cell.evening.imported else row.cell.result.spread),
        Column("season_value", kind, attrgetter("cell.value")),
        Column("season_state", Kind.CODE, attrgetter("cell.state")),
    )
    rows = tuple(
        MemberEveningRow(f"{line.key} {cell.evening.key}", line, cell) for line in lines for cell in line.cells
    )
    return Table("member_year", columns, rows)


class SeasonRow(Struct, frozen=True):
    """A season in the list of seasons."""

    key: str
    season: Season


def make_season_list_table(index: Index) -> Table[SeasonRow]:
    columns: tuple[Column[SeasonRow], ...] = (
        Column("name", Kind.TEXT, attrgetter("season.name"), editable=True),
        Column("season_rule", Kind.TEXT, attrgetter("season.rule.name")),
        Column("season_since", Kind.TEXT, attrgetter("season.since"), editable=True),
        Column("season_until", Kind.TEXT, attrgetter("season.until"), editable=True),
    )
    return Table("seasons", columns, tuple(SeasonRow(one.id, one) for one in index.listed_seasons))
