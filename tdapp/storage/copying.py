"""From one engine to the other: all that is kept passes as it is, without types; the tournament goes on there."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, TableClause, column, insert, select, table, text, update

from tdapp.storage.tables import JOURNAL, META, SECRETS, TABLES

_AT_ONCE = 1000  # lines


def copy(source: Connection, target: Connection) -> None:
    """Fill the empty tables of `target` with all that `source` holds, in its order."""
    for item in TABLES.values():
        _copy(source, target, _bare(item.name, item.columns.keys()), "rowid")
    _copy(source, target, _bare(JOURNAL.name, JOURNAL.columns.keys()), "seq")
    _copy(source, target, _bare(META.name, META.columns.keys()), "id")
    target.execute(update(META).values(goes_on_at="", goes_on_since=""))


def copy_secret(source: Connection, target: Connection) -> None:
    """Copy the owner's secret."""
    _copy(source, target, _bare(SECRETS.name, SECRETS.columns.keys()), "id")


def _bare(name: str, columns: list[str]) -> TableClause:
    """Return a table without types: what is kept passes as it is."""
    return table(name, *(column(item) for item in columns))


def _copy(source: Connection, target: Connection, item: TableClause, order: str) -> None:
    found = source.execute(select(item).order_by(text(order)))
    for lines in found.mappings().partitions(_AT_ONCE):
        values: list[dict[str, Any]] = [dict(line) for line in lines]
        target.execute(insert(item), values)
