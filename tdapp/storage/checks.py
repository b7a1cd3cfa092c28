"""Checks of the content of a tournament file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from tdapp.domain.model import Scalar
from tdapp.domain.tournament import KINDS, Fault, Row, Tournament, find_faults
from tdapp.storage.checksums import Sum
from tdapp.storage.rows import (
    ENTRY,
    LINE,
    RowStore,
    Unreadable,
    chained,
    entry_of,
    journal_of,
)
from tdapp.storage.statements import ReadingConnection, creation
from tdapp.storage.tables import quoted, selected


class Damage(Struct, frozen=True):
    """One problem found in a file: a code and its facts."""

    code: str
    facts: Mapping[str, Scalar]

    def __str__(self) -> str:
        """Return the code and the facts, for logs."""
        return " ".join([self.code, *(f"{key}={value!r}" for key, value in self.facts.items())])


def structure(connection: ReadingConnection) -> list[Damage]:
    """Check the schema first, so that no foreign code runs. Then run SQLite's integrity check."""
    return foreign_parts(connection) or _integrity(connection)


def foreign_parts(connection: ReadingConnection) -> list[Damage]:
    """Return the tables, triggers, views and indexes that differ from the schema of this program."""
    found, expected = _schema(connection.exec_driver_sql(_SCHEMA)), _expected_schema()
    names = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    return [Damage("schema-differs", {"name": name}) for name in names]


def plain_tables(connection: ReadingConnection) -> dict[str, list[str]]:
    """Return the tables of a file of any version with their columns.

    Raises Unreadable if reading them would run code.
    """
    found: dict[str, list[str]] = {}
    for name, (kind, _, sql) in _schema(connection.exec_driver_sql(_SCHEMA)).items():
        if kind == "table" and sql.startswith("CREATETABLE"):
            about = connection.exec_driver_sql(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
            found[name] = [str(column) for _, column, *_, hidden in about if not hidden]
            if len(found[name]) == len(about):
                continue
        if kind != "index" or sql:
            raise Unreadable(f"schema-differs {name}")
    return found


_SCHEMA = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"


def _schema(rows: Iterable[Iterable[object]]) -> dict[str, tuple[str, str, str]]:
    texts = (map(str, row) for row in rows)  # in a damaged file they need not be texts
    return {name: (kind, table, re.sub(r"\s+", "", sql)) for kind, name, table, sql in texts}


def file_creation() -> tuple[str, ...]:
    """Return the statements that create the tables of a file."""
    return creation("INTEGER", " STRICT")


@cache
def _expected_schema() -> Mapping[str, tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in file_creation():
            connection.execute(statement)
        return MappingProxyType(_schema(connection.execute(_SCHEMA)))


def _integrity(connection: ReadingConnection) -> list[Damage]:
    lines = connection.exec_driver_sql("PRAGMA integrity_check")
    return [Damage("structure-damaged", {"detail": line}) for (line,) in lines if line != "ok"]


def chain(connection: ReadingConnection) -> list[Damage]:
    """Return the first journal line with a wrong hash, and a wrong hash of the last line."""
    meta = connection.exec_driver_sql(selected("meta", ("revision", "head"))).fetchall()
    if len(meta) != 1:
        return [Damage("meta-damaged", {})]
    seq, head = 0, ""
    for *values, found in connection.exec_driver_sql(journal_of(LINE)):
        seq, head = values[0], chained(head, values)
        if head != found:
            return [Damage("journal-damaged", {"seq": seq})]
    return [] if (seq, head) == tuple(meta[0]) else [Damage("journal-cut", {"seq": seq})]


def values(connection: ReadingConnection, rows: RowStore) -> list[Damage]:
    """Return rows that differ from the journal and rows with missing parents.

    If there are none, compare the checksum.
    """
    known = connection.exec_driver_sql(selected("meta", ("state",))).fetchone()
    total = Sum()
    found: dict[tuple[str, str], Row] = {}
    for kind in KINDS:
        try:
            found.update({(kind, row.id): row for row in rows.each(connection, kind, total)})
        except Unreadable as error:
            return [Damage("values-unreadable", {"where": str(error)})]
    named = [Damage("row-damaged", {"table": kind, "id": key}) for kind, key in _unlike(connection, found)]
    named += [Damage(one.code, {"table": one.kind, "parent": one.fact}) for one in _orphans(found.values())]
    return named or ([] if known is not None and str(total) == known[0] else [Damage("values-damaged", {})])


def _orphans(rows: Iterable[Row]) -> Iterator[Fault]:
    return (one for one in find_faults(Tournament().put(*rows)) if one.code == "parent-missing")


def _unlike(connection: ReadingConnection, found: Mapping[tuple[str, str], Row]) -> Iterator[tuple[str, str]]:
    last: dict[tuple[str, str], Row | None] = {}
    for line in connection.exec_driver_sql(journal_of(ENTRY)):
        last.update({(item.kind, item.id): item.after for item in entry_of(line).changes})
    for key, row in last.items():
        if found.get(key) != row:
            yield key
