"""Copies all tables unchanged from one database engine to the other."""

from __future__ import annotations

from tdapp.storage import statements
from tdapp.storage.statements import ReadingConnection, WritingConnection
from tdapp.storage.tables import JOURNAL, META, SECRETS, TABLES, StoredTable, new_secret, selected

_AT_ONCE = 1000  # lines


def copy(source: ReadingConnection, target: WritingConnection, *, owned: bool = True) -> None:
    """Fill the empty tables of `target` with the content of `source`, in its order.

    Only the owner can read the secret. Without it, `target` gets a new one.
    """
    for item in TABLES.values():
        _copy(source, target, item, "rowid")
    _copy(source, target, JOURNAL, "seq")
    _copy(source, target, META, "id")
    statements.change(target, META.name, {"goes_on_at": "", "goes_on_since": ""})
    if owned:
        _copy(source, target, SECRETS, "id")
    else:
        statements.add(target, SECRETS.name, [{"id": 1, "key": new_secret()}])


def _copy(source: ReadingConnection, target: WritingConnection, item: StoredTable, order: str) -> None:
    found = source.exec_driver_sql(f"{selected(item.name, item.names)} ORDER BY {order}")
    while lines := found.fetchmany(_AT_ONCE):
        statements.add(target, item.name, [dict(zip(item.names, line, strict=True)) for line in lines])
