"""Tables for spreadsheets: plain values without formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.exchange.cells import format_table_as_csv


class Line(Struct, frozen=True):
    """A row of any values."""

    key: str
    values: tuple[object, ...]


def get_cell(index: int) -> Callable[[Line], object]:
    return lambda line: line.values[index]


def exported(kind: ColumnKind, *values: object) -> list[str]:
    """Return the cells of one exported column, as a spreadsheet would see them."""
    rows = tuple(Line(str(key), (value,)) for key, value in enumerate(values))
    data = format_table_as_csv(
        Table("test", (Column("value", kind, get_cell(0)),), rows), name_code=lambda code: f"word {code}"
    )
    read = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";")
    heading, *cells = ("".join(row) for row in read)
    assert heading == "value"
    return cells


def test_write_table_formats_values_by_kind() -> None:
    assert exported(ColumnKind.SIGNED, 120, -35, 0, None) == ["+120", "-35", "0", ""]
    assert exported(ColumnKind.POINTS, Fraction(9, 2), Fraction(4), 3) == ["4.5", "4", "3"]
    assert exported(ColumnKind.MARK, True, False) == ["1", ""]
    assert exported(ColumnKind.CODE, "bye") == ["word bye"]
    assert exported(ColumnKind.NUMBER, 7, None) == ["7", ""]


def test_write_table_writes_fractions_in_the_language() -> None:
    kinds = {"points": ColumnKind.POINTS, "spread": ColumnKind.SIGNED, "name": ColumnKind.NAME}
    columns = tuple(Column(name, kind, get_cell(index)) for index, (name, kind) in enumerate(kinds.items()))
    line = Line("a", (Fraction(9, 2), 3.5, "St. Ives, J."))
    table = Table("test", columns, (line,))
    assert format_table_as_csv(table, decimal=",").decode("utf-8-sig").splitlines()[1] == "4,5;+3,5;St. Ives, J."


def test_write_table_turns_formulas_into_text_but_not_signed_numbers() -> None:
    bad = ["=SUM(A1)", "+cmd|x", "-1+1", "@x", "\tx", "\rx", "\uff1dx", "\uff0bx", "\uff0dx", "\uff20x"]
    assert exported(ColumnKind.NAME, *bad) == [f"'{text}" for text in bad]
    harmless = ["+120", "-35", "-3.5", "Ås; Zoë", '"quoted"', "'t Hart"]
    assert exported(ColumnKind.NAME, *harmless) == harmless


def test_write_table_translates_headings() -> None:
    table = Table(
        "test", (Column("name", ColumnKind.NAME, get_cell(0)), Column("rank", ColumnKind.NUMBER, get_cell(1))), ()
    )
    assert format_table_as_csv(table, heading=str.upper).decode("utf-8-sig") == "NAME;RANK\r\n"


@given(st.text(min_size=1, alphabet=st.characters(codec="utf-8")))
def test_write_table_never_starts_a_formula(text: str) -> None:
    (cell,) = exported(ColumnKind.TEXT, text)
    assert cell[:1] not in {*"=@\t\r\uff1d\uff0b\uff0d\uff20"}
    assert text in {cell, cell[1:]}
