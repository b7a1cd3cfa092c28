"""Tests of TRF chess reports: columns, results, byes, round trips and refused files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from msgspec.structs import replace

from tdapp.domain.entries import (
    AbsenceEntry,
    ByeEntry,
    DivisionEntry,
    EventEntry,
    GameEntry,
    PlayerEntry,
    RoundEntry,
)
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, GameSide, StartDecision
from tdapp.exchange import imports, trf, tsh
from tests.data_events import find_data_folder
from tests.exchange.random_divisions import draw_division

ANN = PlayerEntry(1, "One, Ann", 2586, country="IND", fide="70123454321")
BOB = PlayerEntry(2, "Two, Bob", 2540, country="UKR", fide="70223454321")


HEAD = "012 X\n"


def make_chess_report(*rows: tuple[int, str]) -> str:
    """Return a report. Each row has a player number and the round columns."""
    lines = (
        f"001 {number:>4}      {f'P {number}':<33} 1500 NED {'':>11} {'':10}  0.0    1{columns}"
        for number, columns in rows
    )
    return HEAD + "".join(f"{line}\n" for line in lines)


def get_refusal(text: str) -> InputError:
    with pytest.raises(InputError) as error_info:
        trf.read_trf(text.encode(), "e.trf")
    return error_info.value


def test_read_trf_reads_every_kind_of_line() -> None:
    event = trf.read_trf((Path(__file__).parents[1] / "files" / "chess.trf").read_bytes())
    assert (event.name, event.place, event.date, event.rounds) == ("Grandmommy's Cup", "Test", "2024-12-01", 5)
    assert [text.split()[0] for _, text in event.dropped] == ["032", "102", "013"]
    [division] = event.divisions
    assert division.players[:2] == (ANN, BOB)
    assert division.players[2] == PlayerEntry(3, "Three, Cy", 1777, country="GEO", member="12345")
    assert division.dropped == ("date of birth", "sex", "title")
    assert division.made_up
    assert division.rounds == (
        RoundEntry(
            1,
            (
                GameEntry(None, 1, 2, StartDecision.ASSIGNED, (1, 0)),
                GameEntry(None, 3, 4, StartDecision.ASSIGNED, (1, 1)),
            ),
            (ByeEntry(15, ByeKind.FORFEIT),),
        ),
        RoundEntry(
            2,
            (GameEntry(None, 3, 1, StartDecision.ASSIGNED, (0, 1)),),
            (ByeEntry(2, ByeKind.BYE), ByeEntry(4, ByeKind.ABSENT)),
        ),
        RoundEntry(
            3,
            (GameEntry(None, 1, 4, StartDecision.ASSIGNED, None, GameSide.SECOND),),
            (ByeEntry(2, ByeKind.REQUESTED),),
        ),
    )
    assert division.absences == (
        AbsenceEntry(2, 4, None, ByeKind.ABSENT),
        AbsenceEntry(15, 4, 4, ByeKind.ABSENT),
    )


def test_read_trf_lists_omissions_of_a_file() -> None:
    event = trf.read_trf(make_chess_report((1, "     2 w 1"), (2, "     1 b 0")).encode())
    assert [item.code for item in imports.list_import_warnings(event, "e.trf")] == ["points-made-up"]


@pytest.mark.parametrize(
    ("first", "second", "code", "location"),
    [
        ("     2 w 1", "     1 b 1", "trf-results-differ", 2),
        ("     2 w =", "     1 b 0", "trf-results-differ", 2),
        ("     2 w +", "     1 b 0", "trf-results-differ", 2),
        ("     2 w 1", "     1 w 0", "tsh-starts-differ", 2),
        ("     2 w 1", "  0000 - Z", "tsh-asymmetric", 2),
        ("     3 w 1", "     1 b 0", "tsh-no-such-player", 2),
        ("     1 w 1", "", "tsh-against-self", 2),
        ("  0000 - 1", "", "trf-no-opponent", 2),
        ("     2 x 1", "", "trf-column", 2),
        ("     2 w ?", "", "trf-column", 2),
        ("    2 w 1 ", "", "trf-column", 2),
        ("    -2 w 1", "", "trf-column", 2),
    ],
)
def test_read_trf_refuses_contradictory_lines(first: str, second: str, code: str, location: int) -> None:
    error = get_refusal(make_chess_report((1, first), (2, second)))
    assert (error.code, error.source, error.line) == (code, "e.trf", location)


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "column"),
    [
        (" 1500 ", " 15x0 ", "trf-column", 2, 49),
        ("001    2", "001    1", "trf-column", 3, 5),
        ("001    2", "001    x", "trf-column", 3, 5),
        ("P 1", "   ", "name-missing", 2, None),
        ("001 ", "007 ", "tsh-no-players", None, None),
        ("012 X", "240 Q 003    1", "trf-column", 1, 5),
        ("012 X", "### tdapp 7 {}", "tsh-comment-invalid", 1, None),
        ("012 X", "### tdapp division {", "tsh-comment-invalid", 1, None),
        ("012 X", '### tdapp division {"players": []}', "tsh-comment-invalid", 1, None),
    ],
)
def test_read_trf_reports_errors_with_line_and_column(
    old: str, new: str, code: str, line: int | None, column: int | None
) -> None:
    error = get_refusal(make_chess_report((1, ""), (2, "")).replace(old, new))
    assert (error.code, error.line, error.facts.get("column")) == (code, line, column)


def test_read_trf_compares_a_total_with_a_comma() -> None:
    text = make_chess_report((1, "     2 w 1"), (2, "     1 b 0")).replace(" 0.0 ", " 1,5 ", 1)
    [total] = trf.read_trf(text.encode()).divisions[0].totals
    assert (total.line, total.stated, total.counted) == (2, 3, 2)


def test_read_trf_refuses_a_comment_that_contradicts_the_result() -> None:
    text = make_chess_report((1, "     2 w 1"), (2, "     1 b 0"))
    text += '### tdapp 1 {"points": [300]}\n### tdapp 2 {"points": [400]}\n'
    assert get_refusal(text).code == "trf-points-differ"
    assert get_refusal(text.replace("[300]", '["x"]')).code == "tsh-comment-invalid"


@pytest.mark.slow
@given(draw_division())
@pytest.mark.parametrize("version", [16, 26])
def test_trf_round_trip_of_a_report(version: Literal[16, 26], entry: DivisionEntry) -> None:
    entry = replace(entry, rounds=tuple(map(_sort_round, entry.rounds)))
    event = EventEntry((entry,), "Open", "2026-11-21", 9, place="Leiden")
    assert trf.read_trf(trf.encode_trf(event, {1: 1}, version)) == event


def _sort_round(item: RoundEntry) -> RoundEntry:
    """Return a round with games and byes sorted by player number."""
    games = sorted(item.games, key=lambda game: min(game.first, game.second))
    return replace(item, games=tuple(games), byes=tuple(sorted(item.byes, key=lambda bye: bye.player)))


def test_write_trf_is_valid_for_chess_programs() -> None:
    rounds = (
        RoundEntry(1, (GameEntry(1, 1, 2, StartDecision.ASSIGNED, (412, 388)),), (ByeEntry(3, ByeKind.BYE, 50),)),
        RoundEntry(
            2, (GameEntry(1, 3, 1, StartDecision.ASSIGNED, (400, 400)),), (ByeEntry(2, ByeKind.ABSENT, 0),)
        ),
    )
    players = (ANN, BOB, PlayerEntry(3, "Šín, Čé", club="Praha"))
    event = EventEntry((DivisionEntry("A", players, rounds),), "Open", "2026-11-21", 5)
    text = trf.encode_trf(event, {1: 1, 2: 3, 3: 1}).decode()
    lines = text.split("\r\n")
    assert lines[:5] == ["012 Open", "042 2026/11/21", "062 3", "072 2", "142 5"]
    assert lines[5] == (
        "001    1      One, Ann                          2586 IND 70123454321             1.5    1"
        "     2 w 1     3 b ="
    )
    assert lines[7].endswith("  1.5    1  0000 - U     1 w =")
    assert '### tdapp 3 {"club": "Praha", "points": [50, 400], "tables": [0, 1]}' in lines


@pytest.mark.data
def test_trf_round_trip_of_a_real_event() -> None:
    paths = sorted((find_data_folder() / "events").glob("*.t"))
    assert paths
    for path in paths:
        entry = tsh.read_division(path.read_bytes(), path.name)
        entry = replace(entry, rounds=tuple(map(_sort_round, entry.rounds)))
        divisions = trf.read_trf(trf.encode_trf(EventEntry((entry,)), {}), path.name).divisions
        assert divisions == (entry,)
