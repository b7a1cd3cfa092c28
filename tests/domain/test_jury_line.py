"""Tests of the jury line: all forms, incomplete lines and errors."""

from __future__ import annotations

import pytest

from tdapp.domain.entry_line import HelpRequest, ResultLineProblem
from tdapp.domain.jury_line import (
    JuryIntent,
    PartialJuryLine,
    ResultCorrectionLine,
    SheetOpeningLine,
    TablesCheckedLine,
    VerdictDecisionLine,
    WordLookupLine,
    WordRulingLine,
    parse_answer_about_word,
    parse_jury_line,
)
from tdapp.domain.rulings import ONLY_TURN_SCORE
from tdapp.domain.tables.jury import JuryGame


def make_row(table: int, first: str, second: str, state: str = "entered", doubtful: int = 0) -> JuryGame:
    return JuryGame(f"g{table}", 1, table, first, second, state, 0, None, frozenset(range(doubtful)))


ROWS = (
    make_row(11, "Vries, Anna de", "Bakker, Bob"),
    make_row(12, "Jansen, Cor", "Vis, Dirk"),
    make_row(13, "Jansen, Els", "Øst, Fia", doubtful=2),
    make_row(14, "Smit, Gé", "Mol, Hans", "open"),
    make_row(15, "Kok, Ina", "Bos, Jo", "checked"),
)
TABLES = {row.table: row for row in ROWS}


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", PartialJuryLine()),
        ("12#6", SheetOpeningLine(TABLES[12], 6)),
        ("12#", SheetOpeningLine(TABLES[12])),
        ("   ", PartialJuryLine()),
        ("?", HelpRequest()),
        ("12 ?", HelpRequest()),
        ("12", TablesCheckedLine((TABLES[12],))),
        ("15", TablesCheckedLine((TABLES[15],))),
        ("12 ok", TablesCheckedLine((TABLES[12],))),
        ("14", PartialJuryLine(TABLES[14])),
        ("11-13", TablesCheckedLine(ROWS[:3])),
        ("11 - 12", TablesCheckedLine(ROWS[:2])),
        ("13-11", TablesCheckedLine(ROWS[:3])),
        ("all", TablesCheckedLine(ROWS[:2], all_tables=True)),
        ("*", TablesCheckedLine(ROWS[:2], all_tables=True)),
        ("12 2 XQBAR 48", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48)),
        ("12.2.xqbar.48", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48)),
        ("12 1 XQ BAR 48", WordRulingLine(TABLES[12], 1, ("XQ", "BAR"), 48)),
        ("12 y", VerdictDecisionLine(TABLES[12], apply=True)),
        ("12 N", VerdictDecisionLine(TABLES[12], apply=False)),
        ("12 2 XQBAR ok", WordRulingLine(TABLES[12], 2, ("XQBAR",), valid=True)),
        ("12 2 XQBAR 30 =", WordRulingLine(TABLES[12], 2, ("XQBAR",), 30, replaces=ONLY_TURN_SCORE)),
        ("12 2 XQBAR 30=45", WordRulingLine(TABLES[12], 2, ("XQBAR",), 30, replaces=45)),
        ("vis XQBAR 30 = 45", WordRulingLine(TABLES[12], 2, ("XQBAR",), 30, replaces=45)),
        ("12 2 XQBAR", WordLookupLine(TABLES[12], ("XQBAR",), 2)),
        ("12 2", PartialJuryLine(TABLES[12], "word")),
        ("12 AKKER VOGEL xqbar", WordLookupLine(TABLES[12], ("AKKER", "VOGEL", "XQBAR"))),
        ("12 = 412 388", ResultCorrectionLine(TABLES[12], 412, 388)),
        ("12 = 412 388 =", ResultCorrectionLine(TABLES[12], 412, 388, after_rulings=True)),
        ("12 = 412 388=", ResultCorrectionLine(TABLES[12], 412, 388, after_rulings=True)),
        ("12=412,-8", ResultCorrectionLine(TABLES[12], 412, -8)),
        ("12 = 412", PartialJuryLine(TABLES[12], "totals")),
        ("12 =", PartialJuryLine(TABLES[12], "totals")),
        ("12 #", SheetOpeningLine(TABLES[12])),
        ("12 #6", SheetOpeningLine(TABLES[12], 6)),
        ("vis#6", SheetOpeningLine(TABLES[12], 6)),
        ("bakk", TablesCheckedLine((TABLES[11],))),
        ("vis XQBAR 48", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48)),
        ("cor xqbar", WordLookupLine(TABLES[12], ("XQBAR",), 1)),
        ("vis 1 XQBAR 48", WordRulingLine(TABLES[12], 1, ("XQBAR",), 48)),
    ],
)
def test_parse_jury_line_of_each_kind(line: str, meaning: JuryIntent) -> None:
    assert parse_jury_line(line, ROWS) == meaning


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("99", "no-such-table"),
        ("90-99", "no-such-table"),
        ("12-70", "no-such-table"),
        ("12 3 XQBAR 48", "which-player"),
        ("nobody", "nobody-named"),
        ("jansen", "several-named"),
        ("12 XQBAR 48", "which-player"),
        ("12 48", "numbers-alone"),
        ("12 412 388", "numbers-alone"),
        ("11,12,13", "numbers-alone"),
        ("vis 48", "word-missing"),
        ("12 XQBAR 2 48", "which-player"),
        ("12 2 48 XQBAR", "word-missing"),
        ("12 2 X 48", "unreadable"),
        ("12 2 48", "word-missing"),
        ("12 XQ8AR", "unreadable"),
        ("12 2 XQBAR 48000", "unreadable"),
        ("12 3 = 400 300", "unreadable"),
        ("12 = 400 300 200", "unreadable"),
        ("12 2 XQBAR ok =", "unreadable"),
        ("12 2 XQBAR =", "unreadable"),
        ("12 2 XQBAR 30 = x", "unreadable"),
        ("12 2 XQBAR 30 = 45 20", "unreadable"),
        ("12 XQBAR 30 =", "which-player"),
        ("12 = 400 x", "unreadable"),
        ("= 400 300", "unreadable"),
        ("12 #x", "unreadable"),
    ],
)
def test_parse_jury_line_explains_an_invalid_line(line: str, code: str) -> None:
    problem = parse_jury_line(line, ROWS)
    assert isinstance(problem, ResultLineProblem)
    assert problem.code == code


def test_parse_jury_line_accepts_words_of_a_language() -> None:
    assert parse_jury_line("alles", ROWS, all_words={"alles"}) == TablesCheckedLine(ROWS[:2], all_tables=True)
    assert parse_jury_line("ost", ROWS, fold=lambda text: text.casefold().replace("ø", "o")) == TablesCheckedLine(
        (TABLES[13],)
    )
    assert parse_jury_line("12 goed", ROWS, valid={"goed"}) == TablesCheckedLine((TABLES[12],))
    assert parse_jury_line("12 2 XQBAR goed", ROWS, valid={"goed"}) == WordRulingLine(
        TABLES[12], 2, ("XQBAR",), valid=True
    )


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", PartialJuryLine(TABLES[12])),
        ("2 48", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48)),
        ("2 48=", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48, replaces=ONLY_TURN_SCORE)),
        ("2 48 =", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48, replaces=ONLY_TURN_SCORE)),
        ("1.30", WordRulingLine(TABLES[12], 1, ("XQBAR",), 30)),
        ("2", WordLookupLine(TABLES[12], ("XQBAR",), 2)),
        ("ok", WordLookupLine(TABLES[12], ())),
        ("12 2 xqbar 48", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48)),
        ("XQBAR 2 48", WordRulingLine(TABLES[12], 2, ("XQBAR",), 48)),
        ("48", ResultLineProblem("answer-first", {"table": 12, "word": "XQBAR"})),
        ("2 x", ResultLineProblem("unreadable", {"word": "x"})),
    ],
)
def test_parse_answer_reads_player_and_score(line: str, meaning: JuryIntent) -> None:
    assert parse_answer_about_word(line, TABLES[12], "XQBAR") == meaning
