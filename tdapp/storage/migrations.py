"""Converts tournaments of earlier schema versions.

A migration is a pure function that converts the rows of one version to the next. It does not use the program's row
types, because they change. After all migrations, the program writes the rows to new tables, because SQLite can
alter few parts of an existing table.

All migrations run in one transaction. The old checksums are verified first, so that damaged data do not get a
valid new checksum.

A migration receives each table as a list of dicts from column name to integer, text or None. In every version,
`journal` has the columns `seq` first and `hash` last. `meta` has one row with `revision`, `head` and `state`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tdapp.domain.tournament import KINDS
from tdapp.storage import checks
from tdapp.storage.columns import COLUMNS, list_column_names
from tdapp.storage.engine import StorageLocation
from tdapp.storage.rows import DamagedValueError, UnorderedRowsChecksum, compute_journal_hash
from tdapp.storage.statements import (
    ReadingConnection,
    WritingConnection,
    insert_rows,
    quote_sql_name,
    read_columns,
)

RowsByTable = Mapping[str, Sequence[Mapping[str, Any]]]
Migration = Callable[[RowsByTable], RowsByTable]

# The first one converts version 1 to 2, and so on. Empty: version 1 is the newest.
MIGRATIONS: tuple[Migration, ...] = ()


def migrate_tables(
    location: StorageLocation, connection: WritingConnection, migrations: Sequence[Migration]
) -> None:
    """Apply the migrations from the tournament's version to the newest one, in the caller's transaction.

    If the tournament is damaged, raises DamagedValueError or one of CONVERSION_ERRORS.
    """
    rows_by_table: RowsByTable = location.read_rows_by_table(connection)
    _verify_old_checksums(rows_by_table)
    for migration in migrations[location.schema_version - 1 :]:
        rows_by_table = migration(rows_by_table)
    location.recreate_empty_tables(connection, 1 + len(migrations))
    _insert_rows_of_all_tables(connection, _recompute_checksums(rows_by_table))
    damage = [*location.check_structure(connection), *checks.find_journal_damage(connection)]
    if damage or (damage := checks.check_rows_against_journal(connection)):
        raise DamagedValueError(str(damage[0]))


def _verify_old_checksums(rows_by_table: RowsByTable) -> None:
    seq, latest_hash = 0, ""
    for line in rows_by_table["journal"]:
        *values, stored_hash = line.values()
        seq, latest_hash = values[0], compute_journal_hash(latest_hash, values)
        if latest_hash != stored_hash:
            raise DamagedValueError(f"journal {seq}")
    (meta,) = rows_by_table["meta"]
    checksum = UnorderedRowsChecksum()
    for name, table_lines in rows_by_table.items():
        if name not in {"journal", "meta", "secrets"}:
            for line in table_lines:
                checksum.add_row(name, tuple(line.values()))
    if (seq, latest_hash, str(checksum)) != (meta["revision"], meta["head"], meta["state"]):
        raise DamagedValueError("meta")


def _recompute_checksums(rows_by_table: RowsByTable) -> RowsByTable:
    if unknown := rows_by_table.keys() - COLUMNS.keys():
        raise DamagedValueError(", ".join(sorted(unknown)))
    tables = {
        name: _check_and_order_columns(name, list_column_names(name), rows_by_table.get(name, ()))
        for name in COLUMNS
    }
    latest_hash, checksum = "", UnorderedRowsChecksum()
    for line in tables["journal"]:
        *values, _ = line.values()
        line["hash"] = latest_hash = compute_journal_hash(latest_hash, values)
    for name in KINDS:
        for line in tables[name]:
            checksum.add_row(name, tuple(line.values()))
    (meta,) = tables["meta"]
    meta |= {"head": latest_hash, "state": str(checksum)}
    return MappingProxyType(tables)


def _check_and_order_columns(
    table: str, column_names: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    for line in rows:
        if set(line) != set(column_names):
            raise DamagedValueError(f"{table}: {', '.join(sorted(set(line) ^ set(column_names)))}")
    return [{name: line[name] for name in column_names} for line in rows]


def _insert_rows_of_all_tables(connection: WritingConnection, rows_by_table: RowsByTable) -> None:
    for name, table_lines in rows_by_table.items():
        insert_rows(connection, name, table_lines)


def read_rows_as_dicts(
    connection: ReadingConnection, name: str, columns: Sequence[str], order: str
) -> list[dict[str, Any]]:
    rows = read_columns(connection, name, columns, order=quote_sql_name(order))
    return [dict(zip(columns, line, strict=True)) for line in rows]
