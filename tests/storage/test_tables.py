"""Tests of the database tables: they have the kinds, fields and parents of the model."""

import sqlite3
from contextlib import closing
from types import NoneType
from typing import get_args, get_type_hints

import pytest
from sqlalchemy.dialects import postgresql

from tdapp.domain.tournament import KINDS, PARENTS
from tdapp.storage import checks
from tdapp.storage.columns import COLUMNS
from tdapp.storage.file import FileConnection
from tdapp.storage.statements import read_columns
from tdapp.storage.tables import TABLES, make_create_statements, make_sqlite_schema


def test_tables_exist_for_every_kind() -> None:
    assert list(TABLES) == [*KINDS, "journal", "meta", "secrets"] == list(COLUMNS)


@pytest.mark.parametrize("kind", KINDS)
def test_tables_have_the_fields_as_columns(kind: str) -> None:
    assert TABLES[kind].columns.keys() == [*KINDS[kind].__struct_fields__, "rowid"]
    assert [column.name for column in TABLES[kind].primary_key] == ["id"]


@pytest.mark.parametrize("kind", KINDS)
def test_tables_allow_null_in_optional_fields(kind: str) -> None:
    hints = get_type_hints(KINDS[kind])
    optional_fields = {name for name, hint in hints.items() if NoneType in get_args(hint)}
    assert {column.name for column in TABLES[kind].columns if column.nullable} == optional_fields


@pytest.mark.parametrize("kind", KINDS)
def test_tables_refer_to_parents_by_foreign_keys(kind: str) -> None:
    keys = {key.parent.name: key.column.table.name for key in TABLES[kind].foreign_keys}
    assert keys == PARENTS.get(kind, {})
    assert all(key.initially == "DEFERRED" for key in TABLES[kind].foreign_keys)


def test_make_expected_schema_has_the_known_checksum() -> None:
    """If this fails after a change of a field, put the new checksum into `checks`."""
    assert checks.compute_schema_checksum(checks.make_expected_schema()) == checks.SCHEMA_CHECKSUM


def test_make_create_statements_adds_an_order_column_only_for_a_server() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    server = [str(statement.compile(dialect=dialect)) for statement in make_create_statements()]
    assert sum("rowid BIGINT GENERATED ALWAYS AS IDENTITY" in statement for statement in server) == len(KINDS)
    assert not any("rowid" in statement for statement in make_sqlite_schema())
    assert all(statement.rstrip().endswith("STRICT") for statement in make_sqlite_schema())


def test_read_columns_refuses_a_missing_column() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE meta (id)")
        connection.execute("INSERT INTO meta VALUES (1)")
        assert read_columns(FileConnection(connection), "meta", ["id"]).fetchall() == [(1,)]
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            read_columns(FileConnection(connection), "meta", ["head"])
