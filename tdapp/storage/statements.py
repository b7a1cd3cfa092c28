"""Statements for both engines: read tables; insert, update and delete rows.

Only the SELECT of columns is text, so that a verb reads a file without SQLAlchemy, whose import takes 0.1 s.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sqlalchemy.sql.base import Executable


class ReadingConnection(Protocol):
    """A `FileConnection`, or SQLAlchemy's connection to a server."""

    def exec_driver_sql(self, statement: str, /) -> Any:
        """Run a statement given as text. The result can be iterated and fetched."""


class WritingConnection(ReadingConnection, Protocol):
    """A connection to write to."""

    def execute(self, statement: Executable, lines: Sequence[Mapping[str, Any]] = (), /) -> Any:
        """Run a statement of SQLAlchemy, once for each item of `lines`."""


def quote_name(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def name_column(table: str, name: str) -> str:
    """SQLite reads an unknown name without its table as a text."""
    return f"{quote_name(table)}.{quote_name(name)}"


def make_selection(table: str, columns: Iterable[str], rest: str = "", order: str = "") -> str:
    """`columns` may be expressions."""
    return f"SELECT {', '.join(columns)} FROM {quote_name(table)} {rest}{' ORDER BY ' * bool(order)}{order}"


def make_column_selection(table: str, names: Iterable[str], rest: str = "", order: str = "") -> str:
    return make_selection(table, [name_column(table, name) for name in names], rest, order)


def read_columns(
    connection: ReadingConnection, table: str, names: Iterable[str], rest: str = "", order: str = ""
) -> Any:
    return connection.exec_driver_sql(make_column_selection(table, names, rest, order))


def insert_rows(connection: WritingConnection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Insert dicts with equal keys. An empty list is allowed."""
    if lines:
        connection.execute(load_core().make_insertion(table), lines)


def delete_rows(connection: WritingConnection, table: str, keys: Iterable[str]) -> int:
    """Return the number of deleted rows."""
    found = [{"was_id": key} for key in keys]
    return int(connection.execute(load_core().make_deletion(table), found).rowcount) if found else 0


def update_rows(connection: WritingConnection, table: str, lines: Sequence[Mapping[str, Any]], *keys: str) -> int:
    """Update by dicts with equal keys. Return the number of rows.

    A column "x" of `keys` has the value "was_x" in the row.
    """
    return int(connection.execute(load_core().make_update(table, keys), lines).rowcount)


def create_tables(connection: WritingConnection) -> None:
    """Create parents first, without extra indexes."""
    for statement in load_core().make_creation():
        connection.execute(statement)


def drop_table(connection: WritingConnection, name: str) -> None:
    connection.execute(load_core().make_removal(name))


@cache
def load_core() -> ModuleType:
    """Import the tables, and SQLAlchemy with them. Garbage collections would take a fifth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        from tdapp.storage import tables  # noqa: PLC0415 - see above
    finally:
        if collects:
            gc.enable()
    return tables
