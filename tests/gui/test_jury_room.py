"""The jury page in a small window and beside a panel: the sheet keeps its room, the rest comes back when asked."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from tdapp.domain.model import ResultState
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import CommandButton
from tdapp.gui.widgets.theme import UNIT, scale_line_height
from tdapp.scrabble.sheet import GameEnding
from tests.gui.jury_window import ALT, CONTROL, SHIFT, JuryDriver, pair_first_round, parametrize_languages
from tests.gui.test_access import press_tab_through


@pytest.fixture
def hands(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    made = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    made.choose_word_list(["TAART"])
    made.window.resize(1280, 720)
    made.choose_game("1")
    made.enter_lines("8D TAART 20", "F7 KAAS 11")
    return made


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_jury_page_beside_a_panel_shows_turns_of_both_players(hands: JuryDriver) -> None:
    page = hands.page
    assert page.board.isVisible()
    assert page.list.isVisible()
    hands.press(Qt.Key.Key_F1)
    QApplication.processEvents()
    assert not page.board.isVisible()
    centre = page.turns.mapTo(page, page.turns.rect().topRight())
    assert centre.x() < page.width()
    assert page.turns.width() >= page.turns.minimumSizeHint().width()
    assert page.turns.field.geometry().right() <= page.turns.viewport().width()


@pytest.mark.slow
@pytest.mark.parametrize("height", [640, 800])
def test_jury_page_types_a_sheet_in_any_window_height(hands: JuryDriver, height: int) -> None:
    hands.window.resize(1280, height)
    hands.enter("G6 JA 20")
    assert hands.page.turns.visibleRegion().boundingRect().height() > 3 * UNIT


@pytest.mark.slow
def test_jury_page_gives_rows_most_room_until_the_end(hands: JuryDriver) -> None:
    hands.enter(*["KAAS 11"] * 24)
    page, row = hands.page, scale_line_height(28)

    def whole() -> int:
        """Return how many rows are seen whole, the higher one of the cursor among them."""
        return 1 + (page.turns.viewport().height() - scale_line_height(36) - scale_line_height(19)) // row

    assert whole() >= 9
    hands.press(Qt.Key.Key_F1)
    assert whole() >= 9
    hands.press(Qt.Key.Key_Escape)
    hands.press(Qt.Key.Key_E, CONTROL)
    assert page.end.racks[0].isVisible()
    assert whole() >= 6
    hands.press(Qt.Key.Key_Escape)
    assert not page.end.racks[0].isVisible()
    hands.press(Qt.Key.Key_F10)
    assert page.line.line.hasFocus()


@pytest.mark.slow
def test_toast_covers_no_control_of_the_jury_page(hands: JuryDriver) -> None:
    hands.window.resize(1280, 800)
    QApplication.processEvents()
    hands.session.show_message("Something was done that takes a sentence to be told about.", undo=1)
    toast = hands.window._toast
    controls = [*hands.page.findChildren(QLineEdit), *hands.page.findChildren(QAbstractButton)]
    seen = [control for control in controls if control.isVisible()]
    assert len(seen) > 3
    for one in seen:
        assert not QRect(one.mapTo(hands.window.root_stack, QPoint()), one.size()).intersects(toast.geometry())


@pytest.mark.slow
def test_jury_page_tab_reaches_buttons_above_a_sheet(hands: JuryDriver) -> None:
    reached = [one for one in press_tab_through(hands.window) if isinstance(one, CommandButton)]
    assert reached == [button for button in hands.page._buttons if button.isEnabled()] != []


@pytest.mark.slow
def test_jury_page_returns_the_cursor_after_the_help(hands: JuryDriver) -> None:
    field = hands.focused
    assert field is hands.page.turns.field
    hands.press(Qt.Key.Key_F1)
    hands.press(Qt.Key.Key_Escape)
    assert hands.focused is field


def test_jury_page_shows_the_board_for_doubtful_words(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_F1)
    hands.window.command("next-doubt").trigger()
    QApplication.processEvents()
    assert hands.window.panel is None
    assert hands.focused is hands.page.words.view
    assert hands.page.board.isVisible()


@pytest.mark.slow
def test_jury_page_shows_the_list_on_demand(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_F1)
    QApplication.processEvents()
    assert not hands.page.list.isVisible()
    hands.press(Qt.Key.Key_F10)
    QApplication.processEvents()
    assert hands.focused is hands.page.line.line
    hands.type("2")
    hands.press(Qt.Key.Key_Return)
    assert hands.session.tournament.players[hands.game(2).first].name in hands.page.sheet.draft.players


def test_ruling_on_an_unsaved_sheet_names_the_first_step(hands: JuryDriver) -> None:
    said: list[str] = []
    hands.session.message_sent.connect(lambda *told: said.append(str(told[0])))
    hands.press(Qt.Key.Key_W, CONTROL | SHIFT)
    hands.press(Qt.Key.Key_Minus, ALT)
    assert any("Save the sheet first" in one for one in said)


@pytest.mark.slow
def test_jury_page_shows_an_example_on_an_empty_sheet(hands: JuryDriver) -> None:
    hands.choose_game("2")
    assert hands.page.turns.field.placeholderText() == "8D TAART 20, or ? for help"
    hands.enter("8D TAART 20")
    assert not hands.page.turns.field.placeholderText()


def test_jury_page_says_from_where_the_board_is_unknown(hands: JuryDriver) -> None:
    assert "not known" not in hands.page.words.turn.text()
    hands.enter("SLO 9")
    assert "The board cannot be shown from this turn on" in hands.page.words.turn.text()


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_words_panel_never_cuts_off_the_cost_of_a_word(hands: JuryDriver) -> None:
    table = hands.page.words.view
    (said,) = {table.model().index(row, 2).data() for row in range(table.model().rowCount())}
    assert table.columnWidth(2) > table.fontMetrics().horizontalAdvance(said) + 16


@pytest.mark.slow
def test_certify_result_shows_problems_once_first(hands: JuryDriver) -> None:
    said: list[str] = []
    hands.session.message_sent.connect(lambda *told: said.append(str(told[0])))
    hands.enter("10F SLO 99")
    hands.press(Qt.Key.Key_E, CONTROL)
    hands.enter_ending(GameEnding.OUT)
    hands.press(Qt.Key.Key_Return, CONTROL)
    hands.window.command("check-sheet").trigger()
    assert "SLO" in said[-1]  # in doubt
    assert "Problems on the sheet: row 2, Anna. " in said[-1]  # an open sum is no more passed unseen
    assert hands.state() is ResultState.ENTERED
    hands.window.command("check-sheet").trigger()
    assert hands.state() is ResultState.CHECKED
    hands.window.command("certify-sheet").trigger()
    assert hands.state() is ResultState.CHECKED
    assert said[-1].startswith("Problems on the sheet: row 2, Anna. ")
    assert said[-1].endswith("  ·  Choose “Certify” again to certify the result anyway.")
    hands.window.command("certify-sheet").trigger()
    assert hands.state() is ResultState.FINAL
