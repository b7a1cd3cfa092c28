"""Tests of result lists: one problem refuses the list, and each problem names its line."""

from __future__ import annotations

import pytest

from tdapp.domain.entries import ResultEntry
from tdapp.domain.errors import InputError
from tdapp.exchange import cells


def get_refusal(text: str) -> InputError:
    """Return the error of a refused list."""
    with pytest.raises(InputError) as error_info:
        cells.read_results(text.encode(), "r.csv")
    return error_info.value


def test_read_results_accepts_columns_in_any_order_and_language() -> None:
    expected = (ResultEntry(3, 12, 401, -7, None), ResultEntry(3, 1, 350, 350, "2"))
    assert (
        cells.read_results(b"round,table,score1,score2,first\n3,12,401,-7,\n3,1,350,350,2\n").entries == expected
    )
    assert (
        cells.read_results(b"score 2;punten1;tafel;ronde;begint\n-7;401;12;3;\n350;350;1;3;2\n").entries
        == expected
    )
    assert cells.read_results(b"round\ttable\tscore1\tscore2\n3\t12\t401\t-7\n").entries == expected[:1]


def test_read_results_keeps_line_numbers() -> None:
    entries = cells.read_results(b"round,table,score1,score2\n1,1,2,3\n\n1,2,2,3\n").entries
    assert [entry.line for entry in entries] == [2, 4]


@pytest.mark.parametrize(
    ("rows", "line", "field", "code"),
    [
        ("0,1,2,3", 2, "round", "bad-number"),
        ("1,x,2,3", 2, "table", "bad-number"),
        ("1,1,2,3\n1,2,,3", 3, "score1", "number-missing"),
        ("1,1,2", 2, "score2", "number-missing"),
        ("1,1,2,40.5", 2, "score2", "bad-number"),
        ("1,1,2,99999", 2, "score2", "bad-number"),
        ("1,1,2,3,yes", 2, "starts", "bad-start"),
        ("1,1,2,3\n2,1,2,3\n1,1,2,3", 4, "table", "duplicate-result"),
        ("1,1,2,3,1,9", 2, "", "too-many-cells"),
    ],
)
def test_read_results_refuses_all_rows_for_one_problem(rows: str, line: int, field: str, code: str) -> None:
    error = get_refusal(f"round,table,score1,score2,first\n{rows}\n")
    assert (error.line, error.field, error.code) == (line, field, code)
    assert error.facts["others"] == 0


def test_read_results_reports_every_problem() -> None:
    error = get_refusal("round,table,score1,score2\n1,1,a,b\n1,2,3,c\n")
    assert error.facts["others"] == 2


def test_read_results_names_missing_columns() -> None:
    error = get_refusal("round,score1\n1,2\n")
    assert (error.code, error.facts["columns"]) == ("csv-column-missing", ("table", "score2"))
    assert get_refusal("round,table,score1,score2\n").code == "csv-no-rows"
    assert get_refusal("1,1,400,300\n").code == "csv-no-header"
