"""The tables as SQLAlchemy knows them, and the statements that change them, alike on both engines.

Who only reads a file needs nothing of this.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    update,
)
from sqlalchemy import bindparam as param
from sqlalchemy.pool import StaticPool

from tdapp.storage.tables import ALL_TABLES, StoredColumn

METADATA = MetaData()
_WHOLE = Integer().with_variant(BigInteger(), "postgresql")  # 64 bits on both engines


def _column(item: StoredColumn) -> Column[Any]:
    parent = [ForeignKey(item.parent, deferrable=True, initially="DEFERRED")] if item.parent else []
    kept = _WHOLE if item.kept.whole else Text
    return Column(item.name, kept, *parent, primary_key=item.is_key, nullable=item.nullable)


for _table in ALL_TABLES.values():
    Table(_table.name, METADATA, *map(_column, _table.columns))


def add(connection: Connection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Insert lines by column, in their order; none is none."""
    if lines:
        connection.execute(insert(METADATA.tables[table]), list(lines))


def remove(connection: Connection, table: str, keys: Sequence[str]) -> None:
    """Delete the rows with these ids; RuntimeError where one is not there."""
    item = METADATA.tables[table]
    if keys:
        found = connection.execute(delete(item).where(item.c.id == param("key")), [{"key": one} for one in keys])
        _refuse_missing(table, found.rowcount, len(keys))


def alter(connection: Connection, table: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Update the rows whose ids are the `key` of the lines, which name the same columns; raises as `remove`."""
    item = METADATA.tables[table]
    found = connection.execute(update(item).where(item.c.id == param("key")), list(lines))
    _refuse_missing(table, found.rowcount, len(lines))


def _refuse_missing(table: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise RuntimeError(f"rows of {table} are missing")


def change(connection: Connection, table: str, values: Mapping[str, Any], **where: object) -> int:
    """Set columns in the lines in which the columns of `where` are so; return how many there were."""
    item = METADATA.tables[table]
    conditions = (item.c[name] == value for name, value in where.items())
    return connection.execute(update(item).where(*conditions).values(dict(values))).rowcount


def engine_over(connection: sqlite3.Connection) -> Engine:
    """Return an engine whose only connection is `connection`, for writing."""
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    # the driver would begin late, and not at all before CREATE
    connection.exec_driver_sql("BEGIN IMMEDIATE")
