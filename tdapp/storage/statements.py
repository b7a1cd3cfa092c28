"""The statements that make the tables and change their lines, alike on both engines.

A parameter is marked as the server's driver marks it: `%(name)s`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Protocol

from tdapp.storage.tables import ALL_TABLES, StoredTable, quoted

_RESERVED = frozenset({"key", "match", "order", "table"})


class ReadingConnection(Protocol):
    """What a tournament is read from: a `FileConnection`, or SQLAlchemy's to a server."""

    def exec_driver_sql(self, statement: str, /) -> Any:
        """Return the rows of a statement: they can be iterated, and fetched."""


class WritingConnection(ReadingConnection, Protocol):
    """What a tournament is written to: the same, with parameters."""

    def exec_driver_sql(self, statement: str, parameters: Any = None, /) -> Any:
        """Run a statement with parameters by name, once for each of a list of them; return what came of it."""


def creation(whole: str, after: str = "") -> tuple[str, ...]:
    """Return the statements that make the tables, which have no indexes of their own.

    `whole` is what the engine calls 64 bits, `after` what is to stand behind a table.
    """
    return tuple(_creation_of(table, whole) + after for table in _parents_first())


def _parents_first() -> Iterator[StoredTable]:
    """Yield the tables as every file has them: by name, after those that they refer to."""
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
    """Return a name as it stands in the schema of every file; SQLite compares the texts."""
    return quoted(name) if name in _RESERVED else name


def add(connection: WritingConnection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Insert lines by column, all with the same columns, in their order; none is none."""
    if lines:
        names, marks = ", ".join(map(quoted, lines[0])), ", ".join(map(_mark, lines[0]))
        connection.exec_driver_sql(f"INSERT INTO {table} ({names}) VALUES ({marks})", lines)


def remove(connection: WritingConnection, table: str, keys: Sequence[str]) -> None:
    """Delete the rows with these ids; RuntimeError where one is not there."""
    if keys:
        statement = f"DELETE FROM {table} WHERE id = %(key)s"
        _refuse_missing(table, connection.exec_driver_sql(statement, [{"key": key} for key in keys]), keys)


def alter(connection: WritingConnection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Update the rows whose ids are the `key` of the lines, which name the same columns; raises as `remove`."""
    changed = _equal((name for name in lines[0] if name != "key"), ", ")
    statement = f"UPDATE {table} SET {changed} WHERE id = %(key)s"
    _refuse_missing(table, connection.exec_driver_sql(statement, lines), lines)


def _refuse_missing(table: str, done: Any, wanted: Sequence[object]) -> None:
    if done.rowcount != len(wanted):
        raise RuntimeError(f"rows of {table} are missing")


def change(connection: WritingConnection, table: str, values: Mapping[str, Any], **where: object) -> int:
    """Set columns in the lines in which the columns of `where` are so; return how many there were."""
    conditions = _equal(where, " AND ", "was_")
    statement = f"UPDATE {table} SET {_equal(values, ', ')}{' WHERE ' * bool(where)}{conditions}"
    known = {f"was_{name}": value for name, value in where.items()}
    return int(connection.exec_driver_sql(statement, {**values, **known}).rowcount)


def _equal(names: Iterable[str], between: str, prefix: str = "") -> str:
    return between.join(f"{quoted(name)} = {_mark(prefix + name)}" for name in names)


def _mark(name: str) -> str:
    return f"%({name})s"
