"""Tests of result lines: all forms, incomplete lines and errors."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.entry_line import (
    FORFEITS,
    HelpRequest,
    ParsedLine,
    PartialResultLine,
    ResultLine,
    ResultLineProblem,
    make_slip_qr_code_text,
    parse_result_line,
)
from tdapp.domain.model import GameSide, StartDecision
from tdapp.domain.tables.rounds import PairingRow
from tdapp.i18n.locales import fold_text


def make_row(
    table: int, first: int, second: int, *, start: StartDecision = StartDecision.ASSIGNED, status: str = "open"
) -> PairingRow:
    return PairingRow(
        key=f"g{table}", table=table, first=first, second=second, first_name=f"P{first}", second_name=f"P{second}",
        score1=None, score2=None, spread=None, forfeit=None, status=status,
        start=start, repeat=0, locked=False, reason=None,
    )  # fmt: skip


ROWS = (
    make_row(7, 3, 12),
    make_row(8, 15, 4, status="entered"),
    make_row(9, 21, 22, start=StartDecision.DRAW),
    make_row(21, 10, 388),
)


def parse_entry(line: str) -> ResultLine:
    meaning = parse_result_line(line, ROWS)
    assert isinstance(meaning, ResultLine), meaning
    return meaning


def parse_problem(line: str) -> ResultLineProblem:
    meaning = parse_result_line(line, ROWS)
    assert isinstance(meaning, ResultLineProblem), meaning
    return meaning


@pytest.mark.parametrize(
    "line",
    [
        "7 412 388",
        "7.412.388",
        "7,412,388",
        " 7  412 388 ",
        "7 412-388",
        "7 412:388",
        "/3 412 388",
        "7-412-388",
        "7 412 - 388",
    ],
)
def test_parse_result_line_table_and_two_scores(line: str) -> None:
    assert parse_entry(line) == ResultLine(ROWS[0], 412, 388)


def test_parse_result_line_slash_names_a_player() -> None:
    assert parse_entry("/12 412 388") == ResultLine(ROWS[0], 412, 388)


def test_parse_result_line_accepts_a_slip_code() -> None:
    assert parse_entry(make_slip_qr_code_text(ROWS[0]) + "412 388") == ResultLine(ROWS[0], 412, 388)
    assert parse_entry("21v22 412 388 2") == ResultLine(ROWS[2], 412, 388, started=GameSide.SECOND)
    assert parse_result_line(make_slip_qr_code_text(ROWS[1]), ROWS) == PartialResultLine(ROWS[1])


def test_parse_result_line_tsh_names_each_player() -> None:
    assert parse_entry("3 412 12 388") == ResultLine(ROWS[0], 412, 388)
    assert parse_entry("12 388 3 412") == ResultLine(ROWS[0], 412, 388)


def test_parse_result_line_tsh_order_names_the_starter() -> None:
    assert parse_entry("21 412 22 388") == ResultLine(ROWS[2], 412, 388, started=GameSide.FIRST)
    assert parse_entry("22 388 21 412") == ResultLine(ROWS[2], 412, 388, started=GameSide.SECOND)


def test_parse_result_line_accepts_negative_points() -> None:
    assert parse_entry("7 412 -20") == ResultLine(ROWS[0], 412, -20)


@pytest.mark.parametrize(
    ("line", "starter"),
    [
        ("9 412 388", None),
        ("9 412 388 1", GameSide.FIRST),
        ("9.412.388.2", GameSide.SECOND),
        ("9 412* 388", GameSide.FIRST),
        ("9 412 388*", GameSide.SECOND),
    ],
)
def test_parse_result_line_reads_the_starter(line: str, starter: GameSide | None) -> None:
    assert parse_entry(line) == ResultLine(ROWS[2], 412, 388, started=starter)


def test_parse_result_line_refuses_to_change_an_assigned_starter() -> None:
    assert parse_entry("7 412* 388") == ResultLine(ROWS[0], 412, 388)
    assert parse_problem("7 412 388*").code == "start-assigned"


def test_parse_result_line_refuses_four_ambiguous_numbers() -> None:
    rows = (make_row(7, 1, 2, start=StartDecision.DRAW), make_row(8, 7, 288))
    meaning = parse_result_line("7 412 288 1", rows)
    assert isinstance(meaning, ResultLineProblem)
    assert meaning.code == "ambiguous"
    assert parse_result_line("7 412 289 1", rows) == ResultLine(rows[0], 412, 289, started=GameSide.FIRST)


@pytest.mark.parametrize(
    ("line", "forfeit"), [("7 f1", GameSide.FIRST), ("/12 F2", GameSide.SECOND), ("7.fb", GameSide.BOTH)]
)
def test_parse_result_line_reads_forfeits(line: str, forfeit: GameSide) -> None:
    assert parse_entry(line) == ResultLine(ROWS[0], forfeit=forfeit)


def test_parse_result_line_uses_letters_of_the_language() -> None:
    words = {**FORFEITS, "w1": GameSide.FIRST}
    assert parse_result_line("7 w1", ROWS, forfeits=words) == ResultLine(ROWS[0], forfeit=GameSide.FIRST)
    assert parse_result_line("7 w", ROWS, forfeits=words) == PartialResultLine(ROWS[0], is_forfeit=True)


@pytest.mark.parametrize(
    ("line", "flag", "overtime"),
    [
        ("7 412 388 t1", GameSide.FIRST, (0, 0)),
        ("7 412 388 T2", GameSide.SECOND, (0, 0)),
        ("7 412 388 t2 1:15", None, (0, 75)),
        ("7.412.388.t2.1.15", None, (0, 75)),
        ("7 412 388 t1 2", None, (120, 0)),
        ("/12 412 388 t1 1:15 t2 0:40", None, (75, 40)),
        ("3 412 12 388 t1 1:15", None, (75, 0)),
    ],
)
def test_parse_result_line_reads_clocks_after_the_scores(
    line: str, flag: GameSide | None, overtime: tuple[int, int]
) -> None:
    assert parse_entry(line) == ResultLine(ROWS[0], 412, 388, flag=flag, overtime=overtime)


def test_parse_result_line_tsh_order_applies_to_clocks() -> None:
    assert parse_entry("12 388 3 412 t1") == ResultLine(ROWS[0], 412, 388, flag=GameSide.SECOND)
    assert parse_entry("12 388 3 412 t1 1:15") == ResultLine(ROWS[0], 412, 388, overtime=(0, 75))


def test_parse_result_line_reads_the_starter_before_the_clocks() -> None:
    assert parse_entry("9 412 388 2 t2 0:30") == ResultLine(
        ROWS[2], 412, 388, started=GameSide.SECOND, overtime=(0, 30)
    )


@pytest.mark.parametrize("line", ["8 -", "8-", "/4 -"])
def test_parse_result_line_dash_clears_the_result(line: str) -> None:
    assert parse_entry(line) == ResultLine(ROWS[1], clear=True)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", PartialResultLine()),
        (" .", PartialResultLine()),
        ("7", PartialResultLine(ROWS[0])),
        ("7 ", PartialResultLine(ROWS[0])),
        ("7 f", PartialResultLine(ROWS[0], is_forfeit=True)),
        ("7 412", PartialResultLine(ROWS[0], 412)),
        ("7 t", PartialResultLine(ROWS[0])),
        ("7 412 t", PartialResultLine(ROWS[0], 412)),
        ("7 412 388 t", PartialResultLine(ROWS[0], 412, 388)),
        ("?", HelpRequest()),
        (" ? ", HelpRequest()),
    ],
)
def test_parse_result_line_accepts_a_partial_line(line: str, meaning: ParsedLine) -> None:
    assert parse_result_line(line, ROWS) == meaning


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("99 412 388", "no-such-table"),
        ("/99 412 388", "player-not-at-table"),
        ("Hansen 412", "nobody-named"),
        ("7 4x2 388", "unreadable"),
        ("7 412 388 5 6", "too-much"),
        ("7 412 388 f1", "too-much"),
        ("3 412 15 388", "not-together"),
        ("3 412 3 388", "same-player"),
        ("3v15 412 388", "not-together"),
        ("3v3 412 388", "same-player"),
        ("3v99 412 388", "player-not-at-table"),
        ("12v3 412 388", "slip-turned"),
        ("3 412 99 388", "player-not-at-table"),
        ("7 -", "nothing-to-clear"),
        ("9 412* 388*", "one-starter"),
        ("7 1234567 1", "unreadable"),
        ("7 t1", "scores-before-clock"),
        ("t1 1:15", "scores-before-clock"),
        ("7 f1 t1", "scores-before-clock"),
        ("8 - t1", "scores-before-clock"),
        ("7 412 388 t1 t2", "one-out-of-time"),
        ("7 412 388 t1 1:75", "unreadable"),
        ("7 412 388 t1 x", "unreadable"),
        ("7 412 388 t1 1:15:10", "too-much"),
        ("7 412 388 t1 1:15 t1 2", "too-much"),
    ],
)
def test_parse_result_line_refuses_invalid_lines(line: str, code: str) -> None:
    assert parse_problem(line).code == code


def test_parse_result_line_names_wrong_opponents() -> None:
    assert parse_problem("12 388 15 412").facts == {"table": 7, "name": "P12", "opponent": "P3", "other": 15}


@given(st.text())
@example("9" * 5000)
@example("\u0663 \u0664 \u0665")
@example("7 ² 3")
def test_parse_result_line_accepts_any_text(line: str) -> None:
    assert isinstance(parse_result_line(line, ROWS), ParsedLine)


@given(
    st.lists(
        st.sampled_from(
            ["7", "8", "9", "21", "3", "12", "412", "-1", "*", "f", "t", "t1", ":", "1", "/", "-", ".", " "]
        )
    )
)
def test_parse_result_line_accepts_any_words(words: list[str]) -> None:
    assert isinstance(parse_result_line(" ".join(words), ROWS), ParsedLine)
    assert isinstance(parse_result_line("".join(words), ROWS), ParsedLine)


@given(
    st.integers(0, 3), st.integers(-150, 2000), st.integers(-150, 2000), st.sampled_from([" ", ".", ",", ";  "])
)
def test_parse_result_line_round_trip(offset: int, first: int, second: int, space: str) -> None:
    row = ROWS[offset]
    assert parse_entry(f"{row.table}{space}{first}{space}{second}") == ResultLine(row, first, second)
    assert parse_entry(f"/{row.second}{space}{first}{space}{second}") == ResultLine(row, first, second)


NAMED_ROWS = (
    replace(ROWS[0], first_name="de Vries, Dirk", second_name="Haugen, Åse"),
    *(replace(row, first_name=f"Berg, P{row.table}", second_name=f"Bergen, Q{row.table}") for row in ROWS[1:]),
)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("vries 412 388", ResultLine(NAMED_ROWS[0], 412, 388)),
        ("de vries 412-388", ResultLine(NAMED_ROWS[0], 412, 388)),
        ("haugen 412 388", ResultLine(NAMED_ROWS[0], 388, 412)),
        ("HAU f", ResultLine(NAMED_ROWS[0], forfeit=GameSide.SECOND)),
        ("haugen f1", ResultLine(NAMED_ROWS[0], forfeit=GameSide.SECOND)),
        ("vries fb", ResultLine(NAMED_ROWS[0], forfeit=GameSide.BOTH)),
        ("haugen 412 388 t1", ResultLine(NAMED_ROWS[0], 388, 412, flag=GameSide.SECOND)),
        ("haugen", PartialResultLine(NAMED_ROWS[0], is_swapped=True)),
        ("haugen 412", PartialResultLine(NAMED_ROWS[0], 412, is_swapped=True)),
        ("vries", PartialResultLine(NAMED_ROWS[0])),
    ],
)
def test_parse_result_line_name_puts_that_player_first(line: str, meaning: ParsedLine) -> None:
    assert parse_result_line(line, NAMED_ROWS) == meaning


@pytest.mark.parametrize(
    ("line", "code"), [("berg 412 388", "ambiguous-name"), ("nobody 412 388", "nobody-named")]
)
def test_parse_result_line_refuses_an_ambiguous_name(line: str, code: str) -> None:
    problem = parse_result_line(line, NAMED_ROWS)
    assert isinstance(problem, ResultLineProblem)
    assert problem.code == code


PROPOSED_ROW = ROWS[0]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("412 388", ResultLine(PROPOSED_ROW, 412, 388)),
        ("412-388", ResultLine(PROPOSED_ROW, 412, 388)),
        ("-5 388", ResultLine(PROPOSED_ROW, -5, 388)),
        ("412", PartialResultLine(PROPOSED_ROW, 412)),
        ("412 388 t2", ResultLine(PROPOSED_ROW, 412, 388, flag=GameSide.SECOND)),
        ("9 388", PartialResultLine(ROWS[2], 388)),
    ],
)
def test_parse_result_line_two_scores_belong_to_the_proposed_game(line: str, meaning: ParsedLine) -> None:
    assert parse_result_line(line, ROWS, proposed_row=PROPOSED_ROW) == meaning


@pytest.mark.parametrize("line", ["99 412 388", "412 f1", "412 -", "412 388 9"])
def test_parse_result_line_reports_an_unknown_table(line: str) -> None:
    meaning = parse_result_line(line, ROWS, proposed_row=PROPOSED_ROW)
    assert isinstance(meaning, ResultLineProblem)
    assert meaning.code == "no-such-table"


def test_parse_result_line_names_tables_of_namesakes() -> None:
    namesakes = [
        replace(row, first_name=f"Janssen, Wim ({club})") for row, club in zip(ROWS, ("Köln", "Ede"), strict=False)
    ]
    problem = parse_result_line("wim jans 412 388", namesakes)
    assert isinstance(problem, ResultLineProblem)
    tables = [row.table for row in namesakes]
    assert problem.facts["players"] == f"{tables[0]} Janssen, Wim (Köln); {tables[1]} Janssen, Wim (Ede)"
    assert parse_result_line("wim jans ede 412 388", namesakes, fold=fold_text) == ResultLine(
        namesakes[1], 412, 388
    )
