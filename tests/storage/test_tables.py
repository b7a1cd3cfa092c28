"""The tables are the value: same kinds, same fields, same parents."""

from types import NoneType
from typing import get_args, get_type_hints

import pytest

from tdapp.domain.tournament import KINDS, PARENTS
from tdapp.storage.tables import TABLES


def test_every_kind_has_its_table() -> None:
    assert list(TABLES) == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_the_fields(kind: str) -> None:
    assert TABLES[kind].names == list(KINDS[kind].__struct_fields__)


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_may_be_null_where_the_field_may_be_none(kind: str) -> None:
    hints = get_type_hints(KINDS[kind])
    optional = {name for name, hint in hints.items() if NoneType in get_args(hint)}
    assert {column.name for column in TABLES[kind].columns if column.nullable} == optional


@pytest.mark.parametrize("kind", KINDS)
def test_parents_are_foreign_keys(kind: str) -> None:
    keys = {item.name: item.parent.removesuffix(".id") for item in TABLES[kind].columns if item.parent}
    assert keys == PARENTS.get(kind, {})
