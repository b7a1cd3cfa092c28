"""A division's groups of tables as a table."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.tables.table import Column, Kind, Table


@dataclass(frozen=True, slots=True)
class TableGroupRow:
    """A named run of tables."""

    key: str
    group: str
    from_table: int
    to_table: int
    accessible: bool


def table_groups(index: Index, division: Division) -> Table[TableGroupRow]:
    """Return a division's groups of tables by their first table."""
    rows = tuple(
        TableGroupRow(row.id, row.name, row.first, row.last, row.accessible)
        for row in index.table_groups(division.id)
    )
    return Table("seating", _COLUMNS, rows)


_COLUMNS: tuple[Column[TableGroupRow], ...] = (
    Column("group", Kind.TEXT, attrgetter("group"), editable=True),
    Column("from_table", Kind.NUMBER, attrgetter("from_table"), editable=True),
    Column("to_table", Kind.NUMBER, attrgetter("to_table"), editable=True),
    Column("accessible", Kind.MARK, attrgetter("accessible")),
)
