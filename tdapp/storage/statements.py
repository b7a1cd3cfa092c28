"""Reads, inserts, updates and deletes rows, for SQLite and PostgreSQL.

SELECT statements are plain text: reading a file then needs no SQLAlchemy, whose import takes 0.1 s.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sqlalchemy.sql.base import Executable


class ReadingConnection(Protocol):
    """A connection to read from: a `FileConnection`, or SQLAlchemy's connection to a server."""

    def exec_driver_sql(self, statement: str, /) -> Any:
        """Run an SQL text. The result can be iterated and fetched."""


class WritingConnection(ReadingConnection, Protocol):
    """A connection to write to."""

    def execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]] = (), /) -> Any:
        """Run a statement once for each row of parameters in `rows`, or once if `rows` is empty."""


def quote_sql_name(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def quote_table_and_column(table: str, name: str) -> str:
    """Return `"table"."name"`. Without the table name, SQLite would treat an unknown column as a text value."""
    return f"{quote_sql_name(table)}.{quote_sql_name(name)}"


def make_select_statement(table: str, columns: Iterable[str], clauses: str = "", order: str = "") -> str:
    return f"SELECT {', '.join(columns)} FROM {quote_sql_name(table)} {clauses}{' ORDER BY ' * bool(order)}{order}"


def make_quoted_select_statement(table: str, names: Iterable[str], clauses: str = "", order: str = "") -> str:
    return make_select_statement(table, [quote_table_and_column(table, name) for name in names], clauses, order)


_make_cached_select_statement = lru_cache(maxsize=512)(make_quoted_select_statement)


def read_columns(
    connection: ReadingConnection, table: str, names: Iterable[str], clauses: str = "", order: str = ""
) -> Any:
    return connection.exec_driver_sql(_make_cached_select_statement(table, tuple(names), clauses, order))


def insert_rows(connection: WritingConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        connection.execute(import_sqlalchemy_tables_module().make_insert_statement(table), rows)


def delete_rows(connection: WritingConnection, table: str, keys: Iterable[str]) -> int:
    parameters = [{"was_id": key} for key in keys]
    return int(
        connection.execute(import_sqlalchemy_tables_module().make_delete_statement(table), parameters).rowcount
    )


def update_rows(connection: WritingConnection, table: str, rows: Sequence[Mapping[str, Any]], *keys: str) -> int:
    """Update rows and return their number. The columns `keys` select the row to update.

    Each item of `rows` maps column names to new values. For each column "x" of `keys`, the item also maps "was_x"
    to the old value.
    """
    return int(
        connection.execute(import_sqlalchemy_tables_module().make_update_statement(table, keys), rows).rowcount
    )


def create_tables(connection: WritingConnection) -> None:
    for statement in import_sqlalchemy_tables_module().make_create_statements():
        connection.execute(statement)


def drop_table(connection: WritingConnection, name: str) -> None:
    connection.execute(import_sqlalchemy_tables_module().make_drop_statement(name))


@cache
def import_sqlalchemy_tables_module() -> ModuleType:
    """Import the module `tables` with garbage collection off: this is faster."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        from tdapp.storage import tables  # noqa: PLC0415 - see above
    finally:
        if is_enabled:
            gc.enable()
    return tables
