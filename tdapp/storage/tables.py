"""The SQLAlchemy tables, and the statements that write them, for SQLite and PostgreSQL.

Foreign keys are checked at the end of a transaction, so the rows of a step can be written in any order.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateColumn, CreateTable, DropTable
from sqlalchemy.sql.compiler import DDLCompiler

from tdapp.domain.tournament import KINDS, PARENTS
from tdapp.storage.columns import COLUMNS, StoredColumn

METADATA = sa.MetaData()
_SQLITE = dialect(paramstyle="named")
_INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PARENTS = {**PARENTS, "journal": {"undoes": "journal"}}
_ROWID = "rowid"  # insertion order; SQLite has this column in every table


def _make_column(table: str, column: StoredColumn) -> sa.Column[Any]:
    parent = _PARENTS.get(table, {}).get(column.name)
    keys = []
    if parent:
        keys.append(sa.ForeignKey(f"{parent}.{COLUMNS[parent][0].name}", deferrable=True, initially="DEFERRED"))
    return sa.Column(
        column.name,
        _INTEGER if column.type.is_integer else sa.Text(),
        *keys,
        primary_key=column is COLUMNS[table][0],
        autoincrement=False,
        nullable=column.nullable,
    )


def _make_table(name: str) -> sa.Table:
    columns = [_make_column(name, column) for column in COLUMNS[name]]
    if name in KINDS:
        columns.append(sa.Column(_ROWID, sa.BigInteger, sa.Identity(always=True)))
    return sa.Table(name, METADATA, *columns, sqlite_strict=True)


TABLES = {name: _make_table(name) for name in COLUMNS}


@compiles(CreateColumn, "sqlite")
def _compile_sqlite_column(create: CreateColumn, compiler: DDLCompiler, **options: Any) -> str | None:
    if create.element.name == _ROWID:
        return None
    return compiler.visit_create_column(create, **options)  # type: ignore[no-untyped-call,no-any-return]


@cache
def make_create_statements() -> list[CreateTable]:
    return [CreateTable(table) for table in METADATA.sorted_tables]


def make_drop_statement(table: str) -> DropTable:
    return DropTable(sa.Table(table, sa.MetaData()))


@cache
def make_insert_statement(table: str) -> sa.Insert:
    return TABLES[table].insert()


@cache
def make_delete_statement(table: str) -> sa.Delete:
    item = TABLES[table]
    return item.delete().where(item.c.id == sa.bindparam("was_id"))


@cache
def make_update_statement(table: str, keys: tuple[str, ...]) -> sa.Update:
    """Return an UPDATE that selects a row by the columns `keys`.

    For each of these columns "x" the parameter "was_x" has the old value.
    """
    item = TABLES[table]
    return item.update().where(*(item.c[name] == sa.bindparam(f"was_{name}") for name in keys))


@cache
def make_sqlite_schema() -> tuple[str, ...]:
    return tuple(map(compile_for_sqlite, make_create_statements()))


@lru_cache(maxsize=512)
def compile_for_sqlite(statement: Any, column_names: tuple[str, ...] = ()) -> str:
    """Return the SQL text of a statement. If `column_names` is given, INSERT or UPDATE sets only these columns."""
    return str(statement.compile(dialect=_SQLITE, **({"column_keys": column_names} if column_names else {})))
