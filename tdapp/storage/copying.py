"""From one engine to the other: all that is kept passes as it is; the tournament goes on there."""

from __future__ import annotations

from tdapp.storage import statements
from tdapp.storage.statements import ReadingConnection, WritingConnection
from tdapp.storage.tables import JOURNAL, META, SECRETS, TABLES, StoredTable, selected

_AT_ONCE = 1000  # lines


def copy(source: ReadingConnection, target: WritingConnection) -> None:
    """Fill the empty tables of `target` with all that `source` holds, in its order."""
    for item in TABLES.values():
        _copy(source, target, item, "rowid")
    _copy(source, target, JOURNAL, "seq")
    _copy(source, target, META, "id")
    statements.change(target, META.name, {"goes_on_at": "", "goes_on_since": ""})


def copy_secret(source: ReadingConnection, target: WritingConnection) -> None:
    """Copy the owner's secret."""
    _copy(source, target, SECRETS, "id")


def _copy(source: ReadingConnection, target: WritingConnection, item: StoredTable, order: str) -> None:
    found = source.exec_driver_sql(f"{selected(item.name, item.names)} ORDER BY {order}")
    while lines := found.fetchmany(_AT_ONCE):
        statements.add(target, item.name, [dict(zip(item.names, line, strict=True)) for line in lines])
