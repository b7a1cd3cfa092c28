"""Tests of impact previews for sheets, rulings, sanctions and ties."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.commands import Command
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import GameSide, ResultState
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.impact_bar import ImpactConfirmationBar
from tdapp.scrabble.sheet import GameEnding, SanctionKind
from tests.building import load_rule_set, make_event, pair_rounds
from tests.gui import table_events
from tests.gui.jury_window import CONTROL, JuryDriver, pair_first_round
from tests.gui.samples import make_desk
from tests.gui.table_events import press_tab, show_first_round
from tests.gui.windows import get_focused_widget, press_key, show_window, type_text

SHEET_LINES = ("20", "5", "30", "310")


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Return a driver that has saved the sheet of table 1, with the result 50 – 315."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    driver.type_lines(*SHEET_LINES)
    driver.press_key(Qt.Key.Key_E, CONTROL)
    driver.enter_ending(GameEnding.PASSES)
    driver.save_sheet()
    result = driver.get_result()
    assert (result.first, result.second) == (50, 315)
    return driver


def run_domain_command(session: Session, command: Command, **arguments: object) -> None:
    session.desk.do(partial(command, **arguments))


def read_impact_text(bar: ImpactConfirmationBar) -> str:
    return " ".join(label.text() for label in (bar._head, bar.changes, bar._later_effects) if label.isVisible())


def find_problem_buttons(window: Window, text: str) -> list[QPushButton]:
    return [
        button
        for button in window.findChildren(QPushButton)
        if button.isVisible() and text in button.accessibleName()
    ]


@pytest.mark.slow
def test_problem_link_opens_the_sheet_that_differs_from_the_result(driver: JuryDriver, qtbot: QtBot) -> None:
    session, window = driver.session, driver.window
    run_domain_command(session, commands.enter_result, game=driver.get_game().id, first=400, second=315)
    window.show_page("players")
    problem = "Round 1, table 1: the score sheet differs from the result"
    qtbot.waitUntil(lambda: bool(find_problem_buttons(window, problem)))
    find_problem_buttons(window, problem)[0].click()
    assert window.page is driver.page
    assert driver.page.sheet.key == (driver.get_game().id, 1)
    assert "The result entered is 400 – 315; this sheet changes it to 50 – 315." in driver.sheet_notes
    window.get_action("sheet-counts").trigger()
    assert "Björn wins, not Anna" in read_impact_text(driver.page.impact)
    assert driver.get_result().first == 400
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result().first == 50
    assert "makes it" not in driver.sheet_notes
    assert not window.get_action("sheet-counts").isEnabled()
    assert not find_problem_buttons(window, problem)


@pytest.mark.slow
def test_impact_bar_previews_a_ruling_on_a_certified_game(driver: JuryDriver) -> None:
    session, page = driver.session, driver.page
    run_domain_command(session, commands.certify_result, game=driver.get_game().id)
    page.move_cursor(3)
    page.get_action("rule-wrong").declaration.run()
    page.ruling.reason_field.setText("no such number")
    page.ruling.confirm_button.setFocus()
    driver.press_key(Qt.Key.Key_Space)
    assert page.impact.isVisible()
    assert "Anna wins, not Björn" in read_impact_text(page.impact)
    assert not page.impact.reason.isVisible()
    assert driver.get_result().second == 315
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result().second == -15
    assert driver.get_result_state() is ResultState.FINAL
    assert not page.impact.isVisible()


@pytest.mark.slow
def test_impact_bar_stays_hidden_for_a_ruling_on_an_entered_result(driver: JuryDriver) -> None:
    page = driver.page
    page.move_cursor(3)
    page.get_action("rule-wrong").declaration.run()
    page.ruling.reason_field.setText("no such number")
    page.ruling.confirm_button.setFocus()
    driver.press_key(Qt.Key.Key_Space)
    assert not page.impact.isVisible()
    assert driver.get_result().second == -15


@pytest.mark.slow
def test_impact_bar_asks_for_a_reason_to_clear_a_certified_sheet(driver: JuryDriver) -> None:
    session, page = driver.session, driver.page
    run_domain_command(session, commands.certify_result, game=driver.get_game().id)
    driver.window.get_action("clear-sheet").trigger()
    assert page.impact.reason.hasFocus()
    driver.press_key(Qt.Key.Key_Return)
    assert driver.list_forms()
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.list_forms()
    driver.window.get_action("clear-sheet").trigger()
    driver.type_lines("sheet of another game")
    assert not driver.list_forms()
    assert session.desk.list_all_steps()[-1].facts["reason"] == "sheet of another game"


# --- sanctions


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window with a round of eight players. Table 1 is certified at 400 – 380."""
    window = show_first_round(empty_session, qtbot, load_rule_set("no-nsf"))
    game = table_events.get_game(empty_session, 1)
    run_domain_command(empty_session, commands.enter_result, game=game.id, first=400, second=380)
    run_domain_command(empty_session, commands.certify_result, game=game.id)
    return window


@pytest.mark.slow
def test_impact_bar_previews_a_sanction_in_a_certified_game(window: Window) -> None:
    session, game = window.session, table_events.get_game(window.session, 1)
    panel = table_events.open_panel(window, SanctionsPanel, Qt.Key.Key_S, table=1)
    while panel.get_field_widget("kind").value() is not SanctionKind.POINTS:
        press_key(window, Qt.Key.Key_Down)
    press_tab(window)
    type_text(window, "30")
    press_tab(window)
    type_text(window, "talked")
    press_key(window, Qt.Key.Key_Return)
    assert "wins, not" in read_impact_text(panel.bar)
    assert not panel.bar.reason.isVisible()
    assert not session.tournament.sanctions
    press_key(window, Qt.Key.Key_Escape)
    assert get_focused_widget(window) is panel.get_field_widget("why")
    assert panel.get_field_widget("why").text() == "talked"
    press_key(window, Qt.Key.Key_Return)
    press_key(window, Qt.Key.Key_Return)
    assert session.tournament.results[game.id].first == 370
    assert session.tournament.results[game.id].state is ResultState.FINAL


def test_impact_bar_asks_for_a_reason_to_remove_a_sanction(window: Window) -> None:
    session, game = window.session, table_events.get_game(window.session, 1)
    points = {"kind": SanctionKind.POINTS, "points": 30, "why": "talked"}
    run_domain_command(session, commands.add_sanction, key="x", player=game.first, **points)
    panel = table_events.open_panel(window, SanctionsPanel, Qt.Key.Key_S, table=1)
    panel.editor.view.select_row("x")
    panel.editor.view.setFocus()
    press_key(window, Qt.Key.Key_Delete)
    assert get_focused_widget(window) is panel.bar.reason
    assert SanctionId("x") in session.tournament.sanctions
    type_text(window, "it was another player")
    press_key(window, Qt.Key.Key_Return)
    assert not session.tournament.sanctions
    assert session.tournament.results[game.id].first == 400
    assert session.desk.list_all_steps()[-1].facts["reason"] == "it was another player"


# --- ties


def test_impact_bar_asks_for_a_reason_to_change_the_winner_of_a_tie(empty_session: Session, qtbot: QtBot) -> None:
    session = empty_session
    session.open_tournament_of_desk(
        make_desk(pair_rounds(make_event(8, rounds=3, system="knockout"), results=False))
    )
    window = show_window(session, qtbot, "rounds")
    game = table_events.get_game(session, 1)
    page = window.page
    assert isinstance(page, RoundsPage)
    run_domain_command(session, commands.enter_result, game=game.id, first=400, second=400)
    run_domain_command(session, commands.decide_tie, game=game.id, winner=GameSide.FIRST)
    page.view.select_row(game.id)
    page.get_action("goes-on-second").declaration.run()
    assert page.field.bar.correction is None
    assert session.tournament.results[game.id].advances is GameSide.SECOND
    run_domain_command(session, commands.certify_result, game=game.id)
    page.view.select_row(game.id)
    page.get_action("goes-on-first").declaration.run()
    assert "wins" in read_impact_text(page.field.bar)
    assert get_focused_widget(window) is page.field.bar.reason
    press_key(window, Qt.Key.Key_Escape)
    assert not page.field.bar.isVisible()
    assert session.tournament.results[game.id].advances is GameSide.SECOND
    page.get_action("goes-on-first").declaration.run()
    type_text(window, "the extra game was counted wrongly")
    press_key(window, Qt.Key.Key_Return)
    assert session.tournament.results[game.id].advances is GameSide.FIRST
    assert page.view.hasFocus()
