"""Tests of CSV tables: formatted values without formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.exchange.cells import encode_table_as_csv


class AnyRow(Struct, frozen=True):
    """A table row with any values."""

    key: str
    values: tuple[object, ...]


def get_cell(index: int) -> Callable[[AnyRow], object]:
    return lambda row: row.values[index]


def export_column(kind: ColumnKind, *values: object) -> list[str]:
    """Return the cells of one exported column."""
    rows = tuple(AnyRow(str(key), (value,)) for key, value in enumerate(values))
    data = encode_table_as_csv(
        Table("test", (Column("value", kind, get_cell(0)),), rows), name_code=lambda code: f"word {code}"
    )
    csv_reader = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";")
    heading, *cells = ("".join(row) for row in csv_reader)
    assert heading == "value"
    return cells


def test_write_table_formats_values_by_kind() -> None:
    assert export_column(ColumnKind.SIGNED, 120, -35, 0, None) == ["+120", "-35", "0", ""]
    assert export_column(ColumnKind.POINTS, Fraction(9, 2), Fraction(4), 3) == ["4.5", "4", "3"]
    assert export_column(ColumnKind.MARK, True, False) == ["1", ""]
    assert export_column(ColumnKind.CODE, "bye") == ["word bye"]
    assert export_column(ColumnKind.NUMBER, 7, None) == ["7", ""]


def test_write_table_writes_fractions_in_the_language() -> None:
    kinds = {"points": ColumnKind.POINTS, "spread": ColumnKind.SIGNED, "name": ColumnKind.NAME}
    columns = tuple(Column(name, kind, get_cell(index)) for index, (name, kind) in enumerate(kinds.items()))
    row = AnyRow("a", (Fraction(9, 2), 3.5, "St. Ives, J."))
    table = Table("test", columns, (row,))
    assert encode_table_as_csv(table, decimal=",").decode("utf-8-sig").splitlines()[1] == "4,5;+3,5;St. Ives, J."


def test_write_table_turns_formulas_into_text_but_not_signed_numbers() -> None:
    formulas = ["=SUM(A1)", "+cmd|x", "-1+1", "@x", "\tx", "\rx", "\uff1dx", "\uff0bx", "\uff0dx", "\uff20x"]
    assert export_column(ColumnKind.NAME, *formulas) == [f"'{text}" for text in formulas]
    harmless_texts = ["+120", "-35", "-3.5", "Ås; Zoë", '"quoted"', "'t Hart"]
    assert export_column(ColumnKind.NAME, *harmless_texts) == harmless_texts


def test_write_table_translates_headings() -> None:
    table = Table(
        "test", (Column("name", ColumnKind.NAME, get_cell(0)), Column("rank", ColumnKind.NUMBER, get_cell(1))), ()
    )
    assert encode_table_as_csv(table, heading=str.upper).decode("utf-8-sig") == "NAME;RANK\r\n"


@given(st.text(min_size=1, alphabet=st.characters(codec="utf-8")))
def test_write_table_never_starts_a_formula(text: str) -> None:
    (cell,) = export_column(ColumnKind.TEXT, text)
    assert cell[:1] not in {*"=@\t\r\uff1d\uff0b\uff0d\uff20"}
    assert text in {cell, cell[1:]}
