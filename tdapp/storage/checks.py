"""Finds damage in a stored tournament.

Each line of the journal (list of changes) has a hash, computed also from the previous hash.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from tdapp.domain.model import Scalar
from tdapp.domain.tournament import KINDS, InconsistentRow, Row, Tournament, find_inconsistent_rows
from tdapp.storage import rows
from tdapp.storage.rows import DamagedValueError, UnorderedRowsChecksum, compute_checksum
from tdapp.storage.statements import ReadingConnection, make_select_statement, quote_sql_name, read_columns

# The checksum of `make_expected_schema`. Opening an undamaged file then needs no SQLAlchemy. A test compares both.
SCHEMA_CHECKSUM = "aa0ffa51d731ab641d50bf4f22a5a1db"


class Damage(Struct, frozen=True):
    """One kind of damage: a code and details for its message."""

    code: str
    facts: Mapping[str, Scalar]

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value!r}" for key, value in self.facts.items())])


def check_schema_and_integrity(connection: ReadingConnection) -> list[Damage]:
    """Check the schema. If it is correct, also run SQLite's integrity check.

    With a wrong schema the integrity check could run code from the file.
    """
    return find_schema_differences(connection) or _check_integrity(connection)


def find_schema_differences(connection: ReadingConnection) -> list[Damage]:
    schema = _parse_schema(connection.exec_driver_sql(_SCHEMA))
    if compute_schema_checksum(schema) == SCHEMA_CHECKSUM:
        return []
    expected = make_expected_schema()
    names = sorted(name for name in schema.keys() | expected.keys() if schema.get(name) != expected.get(name))
    return [Damage("schema-differs", {"name": name}) for name in names]


def map_columns_by_table(connection: ReadingConnection) -> dict[str, list[str]]:
    """Return the columns of each table, for any schema version.

    Raises DamagedValueError if reading a table could run code stored in the file.
    """
    columns_by_table: dict[str, list[str]] = {}
    for name, (kind, _, sql) in _parse_schema(connection.exec_driver_sql(_SCHEMA)).items():
        if kind == "table" and sql.startswith("CREATETABLE"):
            column_info = connection.exec_driver_sql(f"PRAGMA table_xinfo({quote_sql_name(name)})").fetchall()
            columns_by_table[name] = [str(column) for _, column, *_, hidden in column_info if not hidden]
            if len(columns_by_table[name]) == len(column_info):
                continue
        if kind != "index" or sql:
            raise DamagedValueError(f"schema-differs {name}")
    return columns_by_table


_SCHEMA = make_select_statement("sqlite_schema", ("type", "name", "tbl_name", "coalesce(sql, '')"))


def _parse_schema(rows: Iterable[Iterable[object]]) -> dict[str, tuple[str, str, str]]:
    texts = (map(str, row) for row in rows)  # a damaged file can contain other types
    return {name: (kind, table, re.sub(r"\s+", "", sql)) for kind, name, table, sql in texts}


def compute_schema_checksum(schema: Mapping[str, tuple[str, str, str]]) -> str:
    return compute_checksum(value for name in sorted(schema) for value in (name, *schema[name]))


@cache
def make_expected_schema() -> Mapping[str, tuple[str, str, str]]:
    """Return the schema of this program: {name: (type, table, statement without spaces)}."""
    from tdapp.storage.tables import make_sqlite_schema  # noqa: PLC0415 - see `statements`

    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in make_sqlite_schema():
            connection.execute(statement)
        return MappingProxyType(_parse_schema(connection.execute(_SCHEMA)))


def _check_integrity(connection: ReadingConnection) -> list[Damage]:
    lines = read_columns(connection, "pragma_integrity_check", ("integrity_check",))
    return [Damage("structure-damaged", {"detail": line}) for (line,) in lines if line != "ok"]


def find_journal_damage(connection: ReadingConnection) -> list[Damage]:
    """Return the first journal line with a wrong hash as damage.

    If all hashes are right, compare the last one with the hash in the table `meta`.
    """
    meta = read_columns(connection, "meta", ("revision", "head")).fetchall()
    if len(meta) != 1:
        return [Damage("meta-damaged", {})]
    seq, latest_hash = 0, ""
    for *values, stored_hash in rows.read_journal_columns(connection, rows.LINE):
        seq, latest_hash = values[0], rows.compute_journal_hash(latest_hash, values)
        if latest_hash != stored_hash:
            return [Damage("journal-damaged", {"seq": seq})]
    return [] if (seq, latest_hash) == tuple(meta[0]) else [Damage("journal-cut", {"seq": seq})]


def check_rows_against_journal(connection: ReadingConnection) -> list[Damage]:
    """Return the damage: rows that differ from the journal, and rows that refer to a missing row.

    If there are no such rows, compare the checksum of all rows with the stored checksum.
    """
    meta = read_columns(connection, "meta", ("state",)).fetchone()
    checksum = UnorderedRowsChecksum()
    stored_rows: dict[tuple[str, str], Row] = {}
    for kind in KINDS:
        try:
            stored_rows.update(
                {(kind, row.id): row for row in rows.read_rows_one_by_one(connection, kind, checksum)}
            )
        except DamagedValueError as error:
            return [Damage("values-unreadable", {"where": str(error)})]
    damage = [
        Damage("row-damaged", {"table": kind, "id": key})
        for kind, key in _list_rows_that_differ_from_journal(connection, stored_rows)
    ]
    damage += [
        Damage(row.code, {"table": row.kind, "parent": row.fact})
        for row in _find_rows_without_parent(stored_rows.values())
    ]
    return damage or ([] if meta is not None and str(checksum) == meta[0] else [Damage("values-damaged", {})])


def _find_rows_without_parent(rows: Iterable[Row]) -> Iterator[InconsistentRow]:
    return (row for row in find_inconsistent_rows(Tournament().put(*rows)) if row.code == "parent-missing")


def _list_rows_that_differ_from_journal(
    connection: ReadingConnection, stored_rows: Mapping[tuple[str, str], Row]
) -> Iterator[tuple[str, str]]:
    journal_rows: dict[tuple[str, str], Row | None] = {}
    for line in rows.read_journal_columns(connection, rows.ENTRY):
        journal_rows.update({(item.kind, item.id): item.after for item in rows.decode_journal_entry(line).changes})
    for key, row in journal_rows.items():
        if stored_rows.get(key) != row:
            yield key
