"""What can be wrong inside a file that is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from sqlalchemy import Connection, create_engine, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable

from tdapp.domain.model import Scalar
from tdapp.domain.tournament import KINDS, Row
from tdapp.storage.rows import ENTRY, LINE, RowStore, Sum, Unreadable, chained, entry_of
from tdapp.storage.tables import JOURNAL, META, METADATA


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong: a code for the sentence, and its facts."""

    code: str
    facts: Mapping[str, Scalar]

    def __str__(self) -> str:
        """Return code and facts, for logs."""
        return " ".join([self.code, *(f"{key}={value!r}" for key, value in self.facts.items())])


def structure(connection: Connection) -> list[Damage]:
    """Look at the schema first, so that nothing foreign runs, then at SQLite's own structures."""
    return foreign_parts(connection) or [*_integrity(connection), *_foreign_keys(connection)]


def foreign_parts(connection: Connection) -> list[Damage]:
    """Return tables, triggers, views and indexes that are not as this program makes them."""
    found, expected = _schema(connection), _expected_schema()
    names = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    return [Damage("schema-differs", {"name": name}) for name in names]


def plain_tables(connection: Connection) -> dict[str, list[str]]:
    """Return the tables of any version's file with their columns; Unreadable where reading them runs anything."""
    found: dict[str, list[str]] = {}
    for name, (kind, _, sql) in _schema(connection).items():
        if kind == "table" and sql.startswith("CREATETABLE"):
            about = connection.exec_driver_sql("SELECT name, hidden FROM pragma_table_xinfo(?)", (name,)).all()
            found[name] = [str(column) for column, hidden in about if not hidden]
            if len(found[name]) == len(about):
                continue
        if kind != "index" or sql:
            raise Unreadable(f"schema-differs {name}")
    return found


def _schema(connection: Connection) -> dict[str, tuple[str, str, str]]:
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
    texts = (map(str, row) for row in rows)  # in a damaged file they need not be texts
    return {name: (kind, table, re.sub(r"\s+", "", sql)) for kind, name, table, sql in texts}


@cache
def creation() -> tuple[str, ...]:
    """Return the statements that make the tables of a file, which has no indexes of its own."""
    engine = sqlite.dialect()
    return tuple(str(CreateTable(table).compile(dialect=engine)) for table in METADATA.sorted_tables)


@cache
def _expected_schema() -> Mapping[str, tuple[str, str, str]]:
    engine = create_engine("sqlite://", poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            for statement in creation():
                connection.exec_driver_sql(statement)
            return MappingProxyType(_schema(connection))
    finally:
        engine.dispose()


def _integrity(connection: Connection) -> list[Damage]:
    lines = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    return [Damage("structure-damaged", {"detail": line}) for line in lines if line != "ok"]


def _foreign_keys(connection: Connection) -> list[Damage]:
    rows = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return [Damage("parent-missing", {"table": row[0], "parent": row[2]}) for row in rows]


def chain(connection: Connection) -> list[Damage]:
    """Return the first line of the journal whose hash does not follow, and an end that is not the known one."""
    meta = connection.execute(select(META.c.revision, META.c.head)).all()
    if len(meta) != 1:
        return [Damage("meta-damaged", {})]
    seq, head = 0, ""
    for *values, found in connection.execute(select(*LINE).order_by(JOURNAL.c.seq)):
        seq, head = values[0], chained(head, values)
        if head != found:
            return [Damage("journal-damaged", {"seq": seq})]
    return [] if (seq, head) == tuple(meta[0]) else [Damage("journal-cut", {"seq": seq})]


def values(connection: Connection, rows: RowStore) -> list[Damage]:
    """Return the rows that are not as the journal left them; without any, whether the sum is of another value."""
    known = connection.execute(select(META.c.state)).scalar()
    total = Sum()
    found: dict[tuple[str, str], Row] = {}
    for kind in KINDS:
        try:
            found.update({(kind, row.id): row for row in rows.read(connection, kind, total)})
        except Unreadable as error:
            return [Damage("values-unreadable", {"where": str(error)})]
    named = [Damage("row-damaged", {"table": kind, "id": key}) for kind, key in _unlike(connection, found)]
    return named or ([] if str(total) == known else [Damage("values-damaged", {})])


def _unlike(connection: Connection, found: Mapping[tuple[str, str], Row]) -> Iterator[tuple[str, str]]:
    """Yield the rows that are not as the journal left them."""
    last: dict[tuple[str, str], Row | None] = {}
    for line in connection.execute(select(*ENTRY).order_by(JOURNAL.c.seq)):
        last.update({(item.kind, item.id): item.after for item in entry_of(line).changes})
    for key, row in last.items():
        if found.get(key) != row:
            yield key
