"""Tests of the Jury page layout in a small window and beside a panel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from tdapp.domain.model import ResultState
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import PageHeaderButton
from tdapp.gui.widgets.theme import UNIT, scale_line_height
from tdapp.scrabble.sheet import GameEnding
from tests.gui.jury_window import ALT, CONTROL, SHIFT, JuryDriver, pair_first_round, parametrize_languages
from tests.gui.test_access import press_tab_through
from tests.gui.windows import collect_messages


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_word_list(["TAART"])
    driver.window.resize(1280, 720)
    driver.choose_game("1")
    driver.scan_lines("8D TAART 20", "F7 KAAS 11")
    return driver


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_jury_page_beside_a_panel_shows_turns_of_both_players(driver: JuryDriver) -> None:
    page = driver.page
    assert page.board.isVisible()
    assert page.list.isVisible()
    driver.press_key(Qt.Key.Key_F1)
    QApplication.processEvents()
    assert not page.board.isVisible()
    centre = page.turns.mapTo(page, page.turns.rect().topRight())
    assert centre.x() < page.width()
    assert page.turns.width() >= page.turns.minimumSizeHint().width()
    assert page.turns.field.geometry().right() <= page.turns.viewport().width()


@pytest.mark.slow
@pytest.mark.parametrize("height", [640, 800])
def test_jury_page_shows_turns_at_any_window_height(driver: JuryDriver, height: int) -> None:
    driver.window.resize(1280, height)
    driver.type_lines("G6 JA 20")
    assert driver.page.turns.visibleRegion().boundingRect().height() > 3 * UNIT


@pytest.mark.slow
def test_jury_page_shows_fewer_rows_while_the_end_panel_is_open(driver: JuryDriver) -> None:
    driver.type_lines(*["KAAS 11"] * 24)
    page, row_height = driver.page, scale_line_height(28)

    def count_whole_rows() -> int:
        """Count the completely visible rows, including the higher row with the cursor."""
        return 1 + (page.turns.viewport().height() - scale_line_height(36) - scale_line_height(19)) // row_height

    assert count_whole_rows() >= 9
    driver.press_key(Qt.Key.Key_F1)
    assert count_whole_rows() >= 9
    driver.press_key(Qt.Key.Key_Escape)
    driver.press_key(Qt.Key.Key_E, CONTROL)
    assert page.end.racks[0].isVisible()
    assert count_whole_rows() >= 6
    driver.press_key(Qt.Key.Key_Escape)
    assert not page.end.racks[0].isVisible()
    driver.press_key(Qt.Key.Key_F10)
    assert page.line.line.hasFocus()


@pytest.mark.slow
def test_toast_covers_no_control_of_the_jury_page(driver: JuryDriver) -> None:
    driver.window.resize(1280, 800)
    QApplication.processEvents()
    driver.session.show_message("A message with the length of a usual sentence about an action.", undo=1)
    toast = driver.window._toast
    controls = [*driver.page.findChildren(QLineEdit), *driver.page.findChildren(QAbstractButton)]
    visible_controls = [control for control in controls if control.isVisible()]
    assert len(visible_controls) > 3
    for control in visible_controls:
        assert not QRect(control.mapTo(driver.window.root_stack, QPoint()), control.size()).intersects(
            toast.geometry()
        )


@pytest.mark.slow
def test_jury_page_tab_reaches_buttons_above_a_sheet(driver: JuryDriver) -> None:
    reached_buttons = [
        widget for widget in press_tab_through(driver.window) if isinstance(widget, PageHeaderButton)
    ]
    assert reached_buttons == [button for button in driver.page._buttons if button.isEnabled()] != []


@pytest.mark.slow
def test_jury_page_returns_the_cursor_after_the_help(driver: JuryDriver) -> None:
    field = driver.focused_widget
    assert field is driver.page.turns.field
    driver.press_key(Qt.Key.Key_F1)
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.focused_widget is field


def test_jury_page_shows_the_board_for_doubtful_words(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_F1)
    driver.window.get_action("next-doubt").trigger()
    QApplication.processEvents()
    assert driver.window.panel is None
    assert driver.focused_widget is driver.page.words.view
    assert driver.page.board.isVisible()


@pytest.mark.slow
def test_jury_page_shows_the_list_on_demand(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_F1)
    QApplication.processEvents()
    assert not driver.page.list.isVisible()
    driver.press_key(Qt.Key.Key_F10)
    QApplication.processEvents()
    assert driver.focused_widget is driver.page.line.line
    driver.type_text("2")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.session.tournament.players[driver.get_game(2).first].name in driver.page.sheet.draft.players


def test_rule_wrong_action_asks_to_save_the_sheet_first(driver: JuryDriver) -> None:
    messages = collect_messages(driver.session)
    driver.press_key(Qt.Key.Key_W, CONTROL | SHIFT)
    driver.press_key(Qt.Key.Key_Minus, ALT)
    assert any("Save the sheet first" in message for message in messages)


@pytest.mark.slow
def test_jury_page_shows_an_example_on_an_empty_sheet(driver: JuryDriver) -> None:
    driver.choose_game("2")
    assert driver.page.turns.field.placeholderText() == "8D CAKE 20 · ? = help"
    driver.type_lines("8D TAART 20")
    assert not driver.page.turns.field.placeholderText()


def test_jury_page_names_the_turn_that_makes_the_board_unknown(driver: JuryDriver) -> None:
    assert "not known" not in driver.page.words.turn.text()
    driver.type_lines("SLO 9")
    assert "The board cannot be shown from this turn on" in driver.page.words.turn.text()


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_words_panel_never_cuts_off_the_cost_of_a_word(driver: JuryDriver) -> None:
    table = driver.page.words.view
    (cost_text,) = {table.model().index(row, 2).data() for row in range(table.model().rowCount())}
    assert table.columnWidth(2) > table.fontMetrics().horizontalAdvance(cost_text) + 16


@pytest.mark.slow
def test_check_and_certify_actions_show_problems_once_first(driver: JuryDriver) -> None:
    messages = collect_messages(driver.session)
    driver.type_lines("10F SLO 99")
    driver.press_key(Qt.Key.Key_E, CONTROL)
    driver.enter_ending(GameEnding.OUT)
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    driver.window.get_action("check-sheet").trigger()
    assert "SLO" in messages[-1]  # the doubtful word
    assert "Problems on the sheet: row 2, Anna. " in messages[-1]  # a row without a total
    assert driver.get_result_state() is ResultState.ENTERED
    driver.window.get_action("check-sheet").trigger()
    assert driver.get_result_state() is ResultState.CHECKED
    driver.window.get_action("certify-sheet").trigger()
    assert driver.get_result_state() is ResultState.CHECKED
    assert messages[-1].startswith("Problems on the sheet: row 2, Anna. ")
    assert messages[-1].endswith("  ·  Choose “Certify” again to certify the result anyway.")
    driver.window.get_action("certify-sheet").trigger()
    assert driver.get_result_state() is ResultState.FINAL
