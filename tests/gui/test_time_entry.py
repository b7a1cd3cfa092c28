"""Tests of typed times: clock times, delays, and overtime in the result field."""

from __future__ import annotations

import re
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import GameSide, Result, Round
from tdapp.domain.round_clock import (
    format_clock,
    parse_clock_time_as_seconds,
    parse_delay_as_seconds,
    parse_time_of_day_as_minutes,
)
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_tournament

MINUTES = OvertimeRule(OvertimeKind.MINUTES, points=10, limit=300, penalty=50, margin=50)


def make_result_field(session: Session, rule: OvertimeRule, qtbot: QtBot) -> ResultField:
    tournament = make_tournament(players=8)
    tournament = commands.change_rules(tournament, ruleset=replace(tournament.ruleset, overtime=rule))
    session.open_tournament_of_desk(make_desk(tournament))
    command = partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    session.desk.do(command, label="pair-round")
    field = ResultField(session)
    session.changed.connect(lambda _diff: field.refresh_for_round(session.round))
    field.refresh_for_round(session.round)
    qtbot.addWidget(field)
    field.show()
    field.focus_line()
    return field


def get_table_result(session: Session, table: int) -> Result | None:
    shown_round: Round | None = session.round
    assert shown_round is not None
    return session.index.get_result(session.index.get_game(shown_round.id, table).id)


def read_result_message(field: ResultField) -> str:
    return field.echo_label.text() + field.more_label.text()


def test_result_field_marks_a_game_lost_on_time(empty_session: Session, qtbot: QtBot) -> None:
    field = make_result_field(empty_session, OvertimeRule(OvertimeKind.FLAG), qtbot)
    QTest.keyClicks(field.line, "2 412 388 t")
    assert "Whose time" in read_result_message(field)
    QTest.keyClicks(field.line, "1")
    assert "time ran out: the game is lost" in read_result_message(field)
    shown_round = empty_session.round
    assert shown_round is not None
    winner = empty_session.tournament.players[empty_session.index.get_game(shown_round.id, 2).second].name
    assert f"<b>{winner}</b>" in read_result_message(field)
    assert read_result_message(field).index("0–1  +24") < read_result_message(field).index("1–0  −24")
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    table_result = get_table_result(empty_session, 2)
    assert table_result is not None
    assert (table_result.first, table_result.second, table_result.flag, table_result.lost) == (
        412,
        388,
        GameSide.FIRST,
        GameSide.FIRST,
    )
    QTest.keyClicks(field.line, "2 412 388 t1")
    assert "This result has already been entered" in read_result_message(field)
    field.line.clear()
    QTest.keyClicks(field.line, "2 412 388")
    assert "Press Enter twice to replace" in read_result_message(field)


def test_result_field_accepts_overtime_in_minutes_and_seconds(empty_session: Session, qtbot: QtBot) -> None:
    field = make_result_field(empty_session, MINUTES, qtbot)
    QTest.keyClicks(field.line, "2 412 388 t1")
    assert "How much overtime" in read_result_message(field)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert get_table_result(empty_session, 2) is None
    QTest.keyClicks(field.line, " 1:15")
    assert "1:15 over time: −20" in read_result_message(field)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    table_result = get_table_result(empty_session, 2)
    assert table_result is not None
    assert (table_result.first, table_result.second, table_result.overtime) == (392, 388, (75, 0))


def test_result_field_marks_a_game_lost_beyond_the_overtime_limit(empty_session: Session, qtbot: QtBot) -> None:
    field = make_result_field(empty_session, MINUTES, qtbot)
    QTest.keyClicks(field.line, "2.412.388.t1.5.1")
    assert "5:01 over time: −74, the game is lost" in read_result_message(field)


def test_result_field_refuses_overtime_without_an_overtime_rule(empty_session: Session, qtbot: QtBot) -> None:
    field = make_result_field(empty_session, OvertimeRule(), qtbot)
    QTest.keyClicks(field.line, "2 412 388 t1 1:15")
    assert "under these rules, overtime costs no points" in read_result_message(field)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert get_table_result(empty_session, 2) is None


@pytest.mark.parametrize(("text", "seconds"), [("1:15", 75), ("1.05", 65), ("2", 120), ("", 0), (" 0:40 ", 40)])
def test_parse_clock_time_reads_minutes_and_seconds(text: str, seconds: int) -> None:
    assert parse_clock_time_as_seconds(text) == seconds
    assert parse_clock_time_as_seconds(format_clock(seconds)) == seconds


@pytest.mark.parametrize("text", ["1:75", "x", "-1", "1:5", "1:15:10", "²"])
def test_parse_clock_time_refuses_other_texts(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        parse_clock_time_as_seconds(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", 0), ("7", 420), ("9:37", 420), ("9.30", 0), ("9:10", 0), ("10:00", 1800), ("12", 720)],
)
def test_parse_delay_computes_a_late_arrival(text: str, seconds: int) -> None:
    assert parse_delay_as_seconds(text, parse_time_of_day_as_minutes("9:30")) == seconds


def test_parse_delay_crosses_midnight() -> None:
    assert parse_delay_as_seconds("0:05", parse_time_of_day_as_minutes("23:55")) == 600


def test_result_field_mentions_the_right_to_a_recount(empty_session: Session, qtbot: QtBot) -> None:
    field = make_result_field(empty_session, OvertimeRule(), qtbot)
    rules = empty_session.tournament.ruleset
    limited_rules = replace(rules, recount=replace(rules.recount, difference=12))
    empty_session.desk.do(partial(commands.change_rules, ruleset=limited_rules))
    field.refresh_for_round(empty_session.round)
    QTest.keyClicks(field.line, "2 400 388")
    assert "each player may ask for a recount" in read_result_message(field)
    field.line.clear()
    QTest.keyClicks(field.line, "2 401 388")
    assert "recount" not in read_result_message(field)
