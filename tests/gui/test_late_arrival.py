"""Tests of the Late arrival panel: delays, forfeits and the start of the round."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import GameSide
from tdapp.domain.ruleset import ForfeitCause
from tdapp.gui.jury.game_start_panels import LateArrivalPanel
from tdapp.gui.players.availability import LateEntrantPanel
from tdapp.gui.shell.round_clock import START_TIME_KEY, RoundClockService
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.building import load_rule_set
from tests.gui.samples import A
from tests.gui.table_events import get_game, get_player_name, open_panel, press_tab, show_first_round
from tests.gui.windows import collect_messages, get_focused_widget, press_key, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    return show_first_round(
        empty_session, qtbot, load_rule_set("no-nsf")
    )  # 30 minutes per player; a late player may resign with less than 15 minutes left


def open_late_panel(window: Window, table: int = 2) -> LateArrivalPanel:
    return open_panel(window, LateArrivalPanel, Qt.Key.Key_L, table=table)


def test_late_panel_records_an_arrival_and_shows_the_time_left(window: Window) -> None:
    session, panel = window.session, open_late_panel(window)
    assert get_focused_widget(window) is panel.start
    type_text(window, "9:30")
    press_tab(window)
    assert get_focused_widget(window) is panel.players[0].arrival_field
    type_text(window, "9:37")
    assert panel.players[0].name.text() == get_player_name(session, 2, 0)
    assert panel.players[0].delay_label.text() == "7:00 late. 23:00 left on the clock."
    press_tab(window)
    assert get_focused_widget(window) is panel.players[0].record_button
    press_key(window, Qt.Key.Key_Return)
    (row,) = session.tournament.incidents.values()
    assert (row.kind, row.seconds, row.player, row.table) == (
        IncidentKind.LATE,
        420,
        get_game(session, 2).first,
        2,
    )
    session.undo()
    assert not session.tournament.incidents


def test_late_panel_remembers_the_start_of_the_round(window: Window) -> None:
    open_late_panel(window)
    type_text(window, "9:30")
    press_key(window, Qt.Key.Key_Return)
    press_key(window, Qt.Key.Key_Escape)
    panel = open_late_panel(window, table=3)
    assert panel.start.text() == "9:30"
    assert get_focused_widget(window) is panel.players[0].arrival_field


@pytest.mark.slow
def test_late_panel_proposes_the_start_of_the_round_clock(window: Window) -> None:
    clock = RoundClockService.get_or_make_service(window.session)
    before = datetime.now().astimezone()
    clock.toggle_clock()
    clock.toggle_clock()
    start_time = open_late_panel(window).start.text()
    assert start_time in {f"{moment.hour}:{moment.minute:02}" for moment in (before, datetime.now().astimezone())}
    window.session.settings.setValue(START_TIME_KEY, "9:30")
    clock.toggle_clock()  # the clock continues, so the start stays
    assert window.session.settings.value(START_TIME_KEY) == "9:30"
    clock.toggle_clock()


@pytest.mark.parametrize(
    ("minutes", "expected_text", "button"),
    [
        ("15", "15:00 late. 15:00 left on the clock.", "Loses by forfeit"),
        ("16", "16:00 late. 14:00 left on the clock. The player may resign the game.", "Resigns the game"),
        ("30", "30:00 late. Out of time: the game is lost.", "Loses by forfeit"),
    ],
)
def test_late_panel_shows_the_consequence_of_the_delay(
    window: Window, minutes: str, expected_text: str, button: str
) -> None:
    panel = open_late_panel(window)
    panel.players[1].arrival_field.setFocus()
    type_text(window, minutes)
    assert panel.players[1].delay_label.text() == expected_text
    assert panel.players[1].forfeit_button.text() == button


@pytest.mark.slow
def test_late_panel_enters_a_forfeit_in_one_step(window: Window) -> None:
    session, panel = window.session, open_late_panel(window)
    panel.players[1].arrival_field.setFocus()
    type_text(window, "30")
    panel.players[1].forfeit_button.setFocus()
    press_key(window, Qt.Key.Key_Return)
    result = session.tournament.results[get_game(session, 2).id]
    assert (result.forfeit, result.cause) == (GameSide.SECOND, ForfeitCause.LATE)
    assert not panel.players[1].forfeit_button.isEnabled()
    session.undo()
    assert not session.tournament.results
    assert panel.players[1].forfeit_button.isEnabled()


def test_late_panel_forfeits_a_missing_player(window: Window) -> None:
    session, panel = window.session, open_late_panel(window)
    assert panel.players[0].forfeit_button.text() == "Did not turn up"
    panel.players[0].forfeit_button.setFocus()
    press_key(window, Qt.Key.Key_Return)
    result = session.tournament.results[get_game(session, 2).id]
    assert (result.forfeit, result.cause) == (GameSide.FIRST, ForfeitCause.WALK_OVER)


@pytest.mark.slow
def test_late_panel_handles_both_late_players(window: Window) -> None:
    session, panel = window.session, open_late_panel(window)
    for player_fields, minutes in zip(panel.players, ("5", "9"), strict=True):
        player_fields.arrival_field.setFocus()
        type_text(window, minutes)
    assert [player_fields.delay_label.text() for player_fields in panel.players] == [
        "5:00 late. 25:00 left on the clock.",
        "9:00 late. 21:00 left on the clock.",
    ]
    assert "5:00 is taken off both clocks" in panel._both_late_label.text()
    assert not panel._forfeit_both_button.isVisible()
    for player_fields in panel.players:
        player_fields.arrival_field.setText("31")
    assert panel._forfeit_both_button.isVisible()
    panel._forfeit_both_button.setFocus()
    press_key(window, Qt.Key.Key_Return)
    assert session.tournament.results[get_game(session, 2).id].forfeit is GameSide.BOTH


@pytest.mark.slow
def test_late_panel_leaves_the_decision_to_the_director_without_rules(
    empty_session: Session, qtbot: QtBot
) -> None:
    window = show_first_round(empty_session, qtbot, load_rule_set("nl-match"))
    panel = open_late_panel(window)
    assert "has no rule for late players. The director decides." in panel._rules.text()
    panel.players[0].arrival_field.setFocus()
    type_text(window, "20")
    assert panel.players[0].delay_label.text() == "20:00 late."
    assert panel.players[0].forfeit_button.isEnabled()


@pytest.mark.slow
def test_late_panel_refuses_unreadable_times(window: Window) -> None:
    panel = open_late_panel(window)
    panel.players[0].arrival_field.setFocus()
    type_text(window, "9:37")
    assert panel.players[0].delay_label.text() == (
        "Type when the round began, or how many minutes late the player was."
    )
    assert not panel.players[0].record_button.isEnabled()
    panel.start.setFocus()
    type_text(window, "half past")
    assert panel.players[0].delay_label.text() == (
        "This is not a time of arrival. Type, for example, 9:37, or 7 for seven minutes late."
    )


@pytest.mark.slow
def test_late_panel_offers_no_forfeit_for_a_finished_game(window: Window) -> None:
    session = window.session
    session.do(partial(commands.enter_result, game=get_game(session, 2).id, first=400, second=300))
    panel = open_late_panel(window)
    panel.players[0].arrival_field.setFocus()
    type_text(window, "20")
    assert not panel.players[0].forfeit_button.isEnabled()
    assert panel.players[0].record_button.isEnabled()


def test_pair_action_refuses_a_player_typed_but_not_entered(empty_session: Session, qtbot: QtBot) -> None:
    window = show_first_round(empty_session, qtbot, load_rule_set("nl-match"))
    for table in (1, 2, 3, 4):
        press_key(window, Qt.Key.Key_F5)
        type_text(window, f"{table} 400 300")
        press_key(window, Qt.Key.Key_Return)
    window.show_page("players")
    window.page.get_action("add-player").trigger()
    type_text(window, "Late, Lotte")
    press_key(window, Qt.Key.Key_Return)  # the first Enter only shows the consequences
    messages = collect_messages(empty_session)
    press_key(window, Qt.Key.Key_F6)
    assert window.page.id == "players"
    assert "“Late, Lotte” has been typed but not entered" in messages[-1]
    assert len(empty_session.index.rounds(A)) == 1
    assert isinstance(window.panel, LateEntrantPanel)
    window.panel.consequences.run_confirmed_command()
    press_key(window, Qt.Key.Key_F6)
    assert len(empty_session.index.rounds(A)) == 2


def test_pair_action_refuses_a_result_typed_but_not_entered(empty_session: Session, qtbot: QtBot) -> None:
    window = show_first_round(empty_session, qtbot, load_rule_set("nl-match"))
    press_key(window, Qt.Key.Key_F5)
    for table in (1, 2, 3, 4):
        type_text(window, f"{table} 400 300")
        press_key(window, Qt.Key.Key_Return)
    type_text(window, "4 380")
    messages = collect_messages(empty_session)
    window.show_page("standings")
    window.get_action("pair").trigger()
    assert window.page.id == "rounds"
    assert "“4 380” has been typed but not entered" in messages[-1]
    assert len(empty_session.index.rounds(A)) == 1
