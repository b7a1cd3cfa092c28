"""Any table that people look at, as delimited text for spreadsheets: plain values, nothing that is executed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tdapp.domain.tables.table import Kind, R, Table
from tdapp.exchange.cells import written


def write(
    table: Table[R], *, heading: Callable[[str], str] | None = None, word: Callable[[object], str] = str
) -> bytes:
    """Return the table under its columns' headings.

    `heading` gives a column's words (None: its id heads it), `word` those of a code. Numbers have a decimal point,
    spreads above 0 a plus sign, marks are 1 or nothing.
    """
    rows = ([_cell(column.kind, column.value(row), word) for column in table.columns] for row in table.rows)
    return written((heading(column.heading) if heading else column.id for column in table.columns), rows)


def _cell(kind: Kind, value: object, word: Callable[[object], str]) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "1"
    if kind is Kind.MONEY and isinstance(value, int):
        return f"{value / 100:.2f}"
    if kind is Kind.CODE:
        return word(value)
    if isinstance(value, Fraction):
        value = int(value) if value.denominator == 1 else float(value)
    if kind is Kind.SIGNED and isinstance(value, (int, float)):
        return f"{value:+}" if value else "0"
    return str(value)
