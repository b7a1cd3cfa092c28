"""SQL statements for both engines: create tables; insert, update and delete rows.

Parameters are written as the PostgreSQL driver expects them: `%(name)s`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Protocol

from tdapp.storage.tables import ALL_TABLES, StoredTable, quoted

_RESERVED = frozenset({"key", "match", "order", "table"})


class ReadingConnection(Protocol):
    """A connection to read from: a `FileConnection`, or SQLAlchemy's connection to a server."""

    def exec_driver_sql(self, statement: str, /) -> Any:
        """Run a statement. The result can be iterated and fetched."""


class WritingConnection(ReadingConnection, Protocol):
    """A connection to write to, which takes parameters."""

    def exec_driver_sql(self, statement: str, parameters: Any = None, /) -> Any:
        """Run a statement with named parameters, once for each item of a list, and return its result."""


def creation(whole: str, after: str = "") -> tuple[str, ...]:
    """Return the statements that create the tables. They have no extra indexes.

    `whole` is the engine's name of a 64-bit integer; `after` is appended to each statement.
    """
    return tuple(_creation_of(table, whole) + after for table in _parents_first())


def _parents_first() -> Iterator[StoredTable]:
    left = sorted(ALL_TABLES.values(), key=attrgetter("name"))
    while left:
        names = {one.name for one in left}
        ready = [one for one in left if not one.parents & names]
        yield from ready
        left = [one for one in left if one not in ready]


def _creation_of(table: StoredTable, whole: str) -> str:
    columns = [
        f"{_plain(one.name)} {whole if one.kept.whole else 'TEXT'}{'' if one.nullable else ' NOT NULL'}"
        for one in table.columns
    ]
    keys = [f"PRIMARY KEY ({one.name})" for one in table.columns if one.is_key]
    parents = [
        f"FOREIGN KEY({_plain(one.name)}) REFERENCES {one.parent.replace('.', ' (')}) "
        "DEFERRABLE INITIALLY DEFERRED"
        for one in table.columns
        if one.parent
    ]
    return f"CREATE TABLE {table.name} ({', '.join((*columns, *keys, *parents))})"


def _plain(name: str) -> str:
    """Return a column name as the schema of every file contains it. SQLite compares the texts."""
    return quoted(name) if name in _RESERVED else name


def add(connection: WritingConnection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows given as dicts with equal keys. Does nothing for an empty list."""
    if lines:
        names, marks = ", ".join(map(quoted, lines[0])), ", ".join(map(_mark, lines[0]))
        connection.exec_driver_sql(f"INSERT INTO {table} ({names}) VALUES ({marks})", lines)


def remove(connection: WritingConnection, table: str, keys: Sequence[str]) -> None:
    """Delete the rows with these ids. Raises RuntimeError if one is missing."""
    if keys:
        statement = f"DELETE FROM {table} WHERE id = %(key)s"
        _refuse_missing(table, connection.exec_driver_sql(statement, [{"key": key} for key in keys]), keys)


def alter(connection: WritingConnection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Update rows given as dicts with equal keys; `key` is the id. Raises RuntimeError if a row is missing."""
    changed = _equal((name for name in lines[0] if name != "key"), ", ")
    statement = f"UPDATE {table} SET {changed} WHERE id = %(key)s"
    _refuse_missing(table, connection.exec_driver_sql(statement, lines), lines)


def _refuse_missing(table: str, done: Any, wanted: Sequence[object]) -> None:
    if done.rowcount != len(wanted):
        raise RuntimeError(f"rows of {table} are missing")


def change(connection: WritingConnection, table: str, values: Mapping[str, Any], **where: object) -> int:
    """Set columns in the rows that match `where`. Return the number of rows."""
    conditions = _equal(where, " AND ", "was_")
    statement = f"UPDATE {table} SET {_equal(values, ', ')}{' WHERE ' * bool(where)}{conditions}"
    known = {f"was_{name}": value for name, value in where.items()}
    return int(connection.exec_driver_sql(statement, {**values, **known}).rowcount)


def _equal(names: Iterable[str], between: str, prefix: str = "") -> str:
    return between.join(f"{quoted(name)} = {_mark(prefix + name)}" for name in names)


def _mark(name: str) -> str:
    return f"%({name})s"
