"""Times as people write them, and the clocks of a slip typed into the result field."""

from __future__ import annotations

import re
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import Forfeit, Result, Round
from tdapp.domain.round_clock import format_clock, parse_clock_time, parse_delay, parse_time_of_day
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_tournament

MINUTES = OvertimeRule(OvertimeKind.MINUTES, points=10, limit=300, penalty=50, margin=50)


def field_under(session: Session, rule: OvertimeRule, qtbot: QtBot) -> ResultField:
    value = make_tournament(players=8)
    value = commands.change_rules(value, ruleset=replace(value.ruleset, overtime=rule))
    session.attach_desk(make_desk(value))
    command = partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    session.desk.do(command, label="pair-round")
    field = ResultField(session)
    session.changed.connect(lambda _diff: field.show_round(session.round))
    field.show_round(session.round)
    qtbot.addWidget(field)
    field.show()
    field.focus_line()
    return field


def result(session: Session, table: int) -> Result | None:
    item: Round | None = session.round
    assert item is not None
    return session.index.result(session.index.game(item.id, table).id)


def said(field: ResultField) -> str:
    return field.echo_label.text() + field.more_label.text()


def test_result_field_loses_the_game_for_a_fallen_flag(empty_session: Session, qtbot: QtBot) -> None:
    field = field_under(empty_session, OvertimeRule(OvertimeKind.FLAG), qtbot)
    QTest.keyClicks(field.line, "2 412 388 t")
    assert "Whose time" in said(field)
    QTest.keyClicks(field.line, "1")
    assert "time ran out: the game is lost" in said(field)
    item = empty_session.round
    assert item is not None
    winner = empty_session.tournament.players[empty_session.index.game(item.id, 2).second].name
    assert f"<b>{winner}</b>" in said(field)
    assert said(field).index("0–1  +24") < said(field).index("1–0  −24")
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    entered = result(empty_session, 2)
    assert entered is not None
    assert (entered.first, entered.second, entered.flag, entered.lost) == (412, 388, Forfeit.FIRST, Forfeit.FIRST)
    QTest.keyClicks(field.line, "2 412 388 t1")
    assert "The result is already the same" in said(field)
    field.line.clear()
    QTest.keyClicks(field.line, "2 412 388")
    assert "Press Enter twice to replace" in said(field)


def test_result_field_takes_overtime_as_minutes_and_seconds(empty_session: Session, qtbot: QtBot) -> None:
    field = field_under(empty_session, MINUTES, qtbot)
    QTest.keyClicks(field.line, "2 412 388 t1")
    assert "How much overtime" in said(field)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert result(empty_session, 2) is None
    QTest.keyClicks(field.line, " 1:15")
    assert "1:15 over time: −20" in said(field)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    entered = result(empty_session, 2)
    assert entered is not None
    assert (entered.first, entered.second, entered.overtime) == (392, 388, (75, 0))


def test_result_field_loses_the_game_beyond_the_overtime_limit(empty_session: Session, qtbot: QtBot) -> None:
    field = field_under(empty_session, MINUTES, qtbot)
    QTest.keyClicks(field.line, "2.412.388.t1.5.1")
    assert "5:01 over time: −74, the game is lost" in said(field)


def test_result_field_refuses_a_clock_unknown_to_the_rules(empty_session: Session, qtbot: QtBot) -> None:
    field = field_under(empty_session, OvertimeRule(), qtbot)
    QTest.keyClicks(field.line, "2 412 388 t1 1:15")
    assert "by these rules overtime costs no points" in said(field)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert result(empty_session, 2) is None


@pytest.mark.parametrize(("text", "seconds"), [("1:15", 75), ("1.05", 65), ("2", 120), ("", 0), (" 0:40 ", 40)])
def test_read_clock_reads_lengths_of_time(text: str, seconds: int) -> None:
    assert parse_clock_time(text) == seconds
    assert parse_clock_time(format_clock(seconds)) == seconds


@pytest.mark.parametrize("text", ["1:75", "x", "-1", "1:5", "1:15:10", "²"])
def test_read_clock_refuses_other_texts(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        parse_clock_time(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", 0), ("7", 420), ("9:37", 420), ("9.30", 0), ("9:10", 0), ("10:00", 1800), ("12", 720)],
)
def test_read_delay_computes_a_late_arrival(text: str, seconds: int) -> None:
    assert parse_delay(text, parse_time_of_day("9:30")) == seconds


def test_read_delay_crosses_midnight() -> None:
    assert parse_delay("0:05", parse_time_of_day("23:55")) == 600


def test_result_field_mentions_the_right_to_a_recount(empty_session: Session, qtbot: QtBot) -> None:
    field = field_under(empty_session, OvertimeRule(), qtbot)
    rules = empty_session.tournament.ruleset
    limited = replace(rules, recount=replace(rules.recount, difference=12))
    empty_session.desk.do(partial(commands.change_rules, ruleset=limited))
    field.show_round(empty_session.round)
    QTest.keyClicks(field.line, "2 400 388")
    assert "each player may ask for a recount" in said(field)
    field.line.clear()
    QTest.keyClicks(field.line, "2 401 388")
    assert "recount" not in said(field)
