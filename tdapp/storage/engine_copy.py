"""Copies all tables unchanged from one database engine to the other."""

from __future__ import annotations

from tdapp.domain.tournament import KINDS
from tdapp.storage.columns import list_names, make_secret
from tdapp.storage.statements import (
    ReadingConnection,
    WritingConnection,
    insert_rows,
    read_columns,
    update_rows,
)

_AT_ONCE = 1000  # lines


def copy_tables(source: ReadingConnection, target: WritingConnection, *, owned: bool = True) -> None:
    """Fill empty tables. Only the owner can read the secret; otherwise `target` gets a new one."""
    for kind in KINDS:
        _copy_table(source, target, kind, "rowid")
    _copy_table(source, target, "journal", "seq")
    _copy_table(source, target, "meta", "id")
    update_rows(target, "meta", [{"goes_on_at": "", "goes_on_since": ""}])
    if owned:
        _copy_table(source, target, "secrets", "id")
    else:
        insert_rows(target, "secrets", [{"id": 1, "key": make_secret()}])


def _copy_table(source: ReadingConnection, target: WritingConnection, table: str, order: str) -> None:
    names = list_names(table)
    found = read_columns(source, table, names, order=order)
    while lines := found.fetchmany(_AT_ONCE):
        insert_rows(target, table, [dict(zip(names, line, strict=True)) for line in lines])
