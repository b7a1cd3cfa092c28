"""Sheets, rulings, sanctions and ties that change a checked result show their effects first."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.commands import Command
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import Forfeit, ResultState
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.impact_bar import ImpactBar
from tdapp.scrabble.sheet import GameEnding, SanctionKind
from tests.building import load_rule_set, make_event, pair_rounds
from tests.gui import table_events
from tests.gui.jury_window import CONTROL, JuryDriver, pair_first_round
from tests.gui.samples import make_desk
from tests.gui.table_events import press_tab, show_first_round
from tests.gui.windows import get_focused_widget, press, show_window, type_text

LINES = ("20", "5", "30", "310")


@pytest.fixture
def hands(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Table 1's sheet is saved: 50 – 315, Björn went out."""
    made = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    made.choose_game("1")
    made.enter(*LINES)
    made.press(Qt.Key.Key_E, CONTROL)
    made.enter_ending(GameEnding.PASSES)
    made.save_sheet()
    result = made.result()
    assert (result.first, result.second) == (50, 315)
    return made


def do(session: Session, command: Command, **arguments: object) -> None:
    session.desk.do(partial(command, **arguments))


def said(bar: ImpactBar) -> str:
    return " ".join(label.text() for label in (bar._head, bar.changes, bar._later_effects) if label.isVisible())


def links(window: Window, text: str) -> list[QPushButton]:
    return [one for one in window.findChildren(QPushButton) if one.isVisible() and text in one.accessibleName()]


@pytest.mark.slow
def test_slip_over_a_sheet_is_a_problem_with_a_link(hands: JuryDriver, qtbot: QtBot) -> None:
    session, window = hands.session, hands.window
    do(session, commands.enter_result, game=hands.game().id, first=400, second=315)
    window.show_page("players")
    problem = "Round 1, table 1: the score sheet differs from the result"
    qtbot.waitUntil(lambda: bool(links(window, problem)))
    links(window, problem)[0].click()
    assert window.page is hands.page
    assert hands.page.sheet.key == (hands.game().id, 1)
    assert "The result entered is 400 – 315; this sheet changes it to 50 – 315." in hands.sheet_notes
    window.command("sheet-counts").trigger()
    assert "Björn wins, not Anna" in said(hands.page.impact)
    assert hands.result().first == 400
    hands.press(Qt.Key.Key_Return)
    assert hands.result().first == 50
    assert "makes it" not in hands.sheet_notes
    assert not window.command("sheet-counts").isEnabled()
    assert not links(window, problem)


@pytest.mark.slow
def test_ruling_on_a_certified_game_is_weighed_with_its_reason(hands: JuryDriver) -> None:
    session, page = hands.session, hands.page
    do(session, commands.certify_result, game=hands.game().id)
    page.move_cursor(3)
    page.command("rule-wrong").row.run()
    page.ruling.reason_field.setText("no such number")
    page.ruling.confirm_button.setFocus()
    hands.press(Qt.Key.Key_Space)
    assert page.impact.isVisible()
    assert "Anna wins, not Björn" in said(page.impact)
    assert not page.impact.reason.isVisible()
    assert hands.result().second == 315
    hands.press(Qt.Key.Key_Return)
    assert hands.result().second == -15
    assert hands.state() is ResultState.FINAL
    assert not page.impact.isVisible()


@pytest.mark.slow
def test_ruling_on_an_entered_result_needs_no_confirmation(hands: JuryDriver) -> None:
    page = hands.page
    page.move_cursor(3)
    page.command("rule-wrong").row.run()
    page.ruling.reason_field.setText("no such number")
    page.ruling.confirm_button.setFocus()
    hands.press(Qt.Key.Key_Space)
    assert not page.impact.isVisible()
    assert hands.result().second == -15


@pytest.mark.slow
def test_clearing_a_certified_sheet_asks_for_a_reason(hands: JuryDriver) -> None:
    session, page = hands.session, hands.page
    do(session, commands.certify_result, game=hands.game().id)
    hands.window.command("clear-sheet").trigger()
    assert page.impact.reason.hasFocus()
    hands.press(Qt.Key.Key_Return)
    assert hands.forms()
    hands.press(Qt.Key.Key_Escape)
    assert hands.forms()
    hands.window.command("clear-sheet").trigger()
    hands.enter("sheet of another game")
    assert not hands.forms()
    assert session.desk.history()[-1].facts["reason"] == "sheet of another game"


# --- sanctions


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """A round of eight, table 1 certified at 400 – 380."""
    made = show_first_round(empty_session, qtbot, load_rule_set("no-nsf"))
    game = table_events.get_game(empty_session, 1)
    do(empty_session, commands.enter_result, game=game.id, first=400, second=380)
    do(empty_session, commands.certify_result, game=game.id)
    return made


@pytest.mark.slow
def test_sanction_in_a_certified_game_is_weighed(window: Window) -> None:
    session, game = window.session, table_events.get_game(window.session, 1)
    panel = table_events.open_panel(window, SanctionsPanel, Qt.Key.Key_S, table=1)
    while panel.field("kind").value() is not SanctionKind.POINTS:
        press(window, Qt.Key.Key_Down)
    press_tab(window)
    type_text(window, "30")
    press_tab(window)
    type_text(window, "talked")
    press(window, Qt.Key.Key_Return)
    assert "wins, not" in said(panel.bar)
    assert not panel.bar.reason.isVisible()
    assert not session.tournament.sanctions
    press(window, Qt.Key.Key_Escape)
    assert get_focused_widget(window) is panel.field("why")
    assert panel.field("why").text() == "talked"
    press(window, Qt.Key.Key_Return)
    press(window, Qt.Key.Key_Return)
    assert session.tournament.results[game.id].first == 370
    assert session.tournament.results[game.id].state is ResultState.FINAL


def test_removing_a_sanction_from_a_certified_game_asks_for_a_reason(window: Window) -> None:
    session, game = window.session, table_events.get_game(window.session, 1)
    points = {"kind": SanctionKind.POINTS, "points": 30, "why": "talked"}
    do(session, commands.add_sanction, key="x", player=game.first, **points)
    panel = table_events.open_panel(window, SanctionsPanel, Qt.Key.Key_S, table=1)
    panel.editor.view.choose("x")
    panel.editor.view.setFocus()
    press(window, Qt.Key.Key_Delete)
    assert get_focused_widget(window) is panel.bar.reason
    assert SanctionId("x") in session.tournament.sanctions
    type_text(window, "it was another player")
    press(window, Qt.Key.Key_Return)
    assert not session.tournament.sanctions
    assert session.tournament.results[game.id].first == 400
    assert session.desk.history()[-1].facts["reason"] == "it was another player"


# --- ties


def test_winner_of_a_certified_tie_is_weighed_with_a_reason(empty_session: Session, qtbot: QtBot) -> None:
    session = empty_session
    session.attach_desk(make_desk(pair_rounds(make_event(8, rounds=3, system="knockout"), results=False)))
    window = show_window(session, qtbot, "rounds")
    game = table_events.get_game(session, 1)
    page = window.page
    assert isinstance(page, RoundsPage)
    do(session, commands.enter_result, game=game.id, first=400, second=400)
    do(session, commands.decide_tie, game=game.id, winner=Forfeit.FIRST)
    page.view.choose(game.id)
    page.command("goes-on-second").row.run()
    assert page.field.bar.correction is None
    assert session.tournament.results[game.id].advances is Forfeit.SECOND
    do(session, commands.certify_result, game=game.id)
    page.view.choose(game.id)
    page.command("goes-on-first").row.run()
    assert "wins" in said(page.field.bar)
    assert get_focused_widget(window) is page.field.bar.reason
    press(window, Qt.Key.Key_Escape)
    assert not page.field.bar.isVisible()
    assert session.tournament.results[game.id].advances is Forfeit.SECOND
    page.command("goes-on-first").row.run()
    type_text(window, "the extra game was counted wrongly")
    press(window, Qt.Key.Key_Return)
    assert session.tournament.results[game.id].advances is Forfeit.FIRST
    assert page.view.hasFocus()
