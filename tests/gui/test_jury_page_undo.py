"""Tests of the Jury page: undo, redo, rulings and corrections of certified sheets."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import ResultState
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.gui.jury.sheet_page import SheetPage
from tdapp.gui.shell.jury_member import AUTHOR_DAY
from tdapp.gui.shell.session import Session
from tdapp.scrabble.sheet import GameEnding
from tests.gui.jury_window import ALT, CONTROL, SHIFT, JuryDriver, pair_first_round, parametrize_languages

SHEET_LINES = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55", "200 249", "200 255")
TYPED_BREAKDOWNS = (ScoreBreakdown(turns=249, racks=-2), ScoreBreakdown(turns=255, racks=2))
BREAKDOWNS_AFTER_RULING = (ScoreBreakdown(turns=249, phonies=-49, racks=-2), ScoreBreakdown(turns=255, racks=2))


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Return a driver that has saved a sheet with the doubtful word POST under Dutch rules."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_word_list({"TAART", "TAFEL", "TAFELS", "LATER", "EL", "LA", "WEL"}, binding=13)
    driver.choose_game("1")
    driver.scan_lines(*SHEET_LINES)
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    return driver


def press_undo(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_Z, CONTROL)


def press_redo(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_Z, CONTROL | SHIFT)


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_restores_the_typed_sheet(driver: JuryDriver) -> None:
    press_undo(driver)
    assert driver.list_forms() == ()
    assert driver.session.index.get_result(driver.get_game().id) is None
    assert [turn.word for turn in driver.typed_sheet.turns[:4]] == ["TAART", "TAFEL", "POST", "LATER"]
    assert driver.page.end.racks[0].text() == "AE"
    assert driver.is_unsaved()
    driver.save_sheet()
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert not driver.is_unsaved()


@pytest.mark.slow
def test_jury_page_refreshes_once_for_a_change(driver: JuryDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    refreshed_pages: list[SheetPage] = []
    refresh_page = SheetPage.refresh_page

    def refresh_and_count(page: SheetPage) -> None:
        refreshed_pages.append(page)
        refresh_page(page)

    monkeypatch.setattr(SheetPage, "refresh_page", refresh_and_count)
    driver.session.desk.do(partial(commands.edit_event, name="Elsewhere"))
    assert refreshed_pages == [driver.page]


def test_redo_restores_the_saved_sheet(driver: JuryDriver) -> None:
    press_undo(driver)
    press_redo(driver)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert not driver.is_unsaved()


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_reverts_a_ruling(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_Minus, ALT)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result().accounts == BREAKDOWNS_AFTER_RULING
    assert driver.list_open_doubts() == []
    press_undo(driver)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert driver.list_forms()[0].rulings == ()
    assert driver.list_open_doubts() == [(3, "POST", 49)]
    press_redo(driver)
    assert driver.get_result().accounts == BREAKDOWNS_AFTER_RULING


@pytest.mark.slow
def test_undo_makes_an_accepted_word_doubtful_again(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_Plus, ALT)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.list_open_doubts() == []
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert driver.page.end.racks[1].hasFocus()
    press_undo(driver)
    assert driver.list_open_doubts() == [(3, "POST", 49)]


@pytest.mark.slow
def test_ruling_strip_closes_by_escape(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_Minus, ALT)
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert not driver.page.ruling.isVisible()
    assert driver.page.end.isVisible()


@pytest.mark.slow
def test_ruling_strip_replaces_an_earlier_ruling(driver: JuryDriver) -> None:
    """The jury first rules a word wrong, then valid. Only the second ruling remains."""
    driver.press_key(Qt.Key.Key_Minus, ALT)
    driver.press_key(Qt.Key.Key_Return)
    driver.press_key(Qt.Key.Key_W, CONTROL | SHIFT)
    driver.press_key(Qt.Key.Key_Plus, ALT)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    (ruling,) = driver.list_forms()[0].rulings
    assert not ruling.phony


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_reverts_checking_and_certifying(driver: JuryDriver) -> None:
    driver.save_sheet()  # the first press only shows the doubtful word
    for state in (ResultState.CHECKED, ResultState.FINAL):
        driver.save_sheet()
        assert driver.get_result_state() is state
    press_undo(driver)
    assert driver.get_result_state() is ResultState.CHECKED
    press_undo(driver)
    assert driver.get_result_state() is ResultState.ENTERED
    press_undo(driver)
    assert driver.session.index.get_result(driver.get_game().id) is None


@pytest.mark.slow
def test_certify_action_requires_a_jury_name(driver: JuryDriver) -> None:
    driver.save_sheet()  # the first press only shows the doubtful word
    driver.save_sheet()
    driver.session.settings.setValue(AUTHOR_DAY, "")
    driver.save_sheet()
    assert driver.get_result_state() is ResultState.CHECKED
    assert "Who is making the rulings?" in driver.page.line.preview_label.meaning
    driver.replace_text("")
    driver.type_lines("", "J. Ury")
    assert driver.get_result_state() is ResultState.FINAL


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_jury_page_corrects_a_certified_sheet_with_a_reason(driver: JuryDriver) -> None:
    for _ in range(3):  # show doubts, check, certify
        driver.save_sheet()
    driver.choose_game("1")
    driver.press_key(Qt.Key.Key_Return, SHIFT)
    assert driver.page.turns.field.text() == "200 255"
    driver.replace_text("190 245")
    driver.save_sheet()
    assert driver.page.impact.reason.hasFocus()
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    driver.press_key(Qt.Key.Key_Return)  # no reason yet
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    driver.type_lines("added up again")
    assert (driver.get_result().first, driver.get_result().second) == (247, 247)
    assert driver.get_result_state() is ResultState.ENTERED
    assert driver.session.desk.list_all_steps()[-1].facts["reason"] == "added up again"
    press_undo(driver)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert driver.get_result_state() is ResultState.FINAL


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_restores_a_cleared_sheet(driver: JuryDriver) -> None:
    driver.run_action("Clear the sheet")
    assert driver.list_forms() == ()
    assert driver.session.index.get_result(driver.get_game().id) is None
    press_undo(driver)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert [turn.word for turn in driver.typed_sheet.turns[:4]] == ["TAART", "TAFEL", "POST", "LATER"]


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_restore_action_restores_the_discarded_text(driver: JuryDriver) -> None:
    driver.choose_game("1")
    driver.type_lines("7 256")
    assert len(driver.list_turn_notes()) == 7
    driver.run_action("Discard the typed text")
    assert len(driver.list_turn_notes()) == 6
    driver.run_action("Restore the typed text")
    assert len(driver.list_turn_notes()) == 7


@pytest.mark.slow
def test_undo_in_a_turn_field_reverts_only_its_text(driver: JuryDriver) -> None:
    driver.choose_game("1")
    driver.type_text("7 256")
    press_undo(driver)
    assert driver.page.turns.field.text() == ""
    assert len(driver.list_turn_notes()) == 6
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    press_undo(driver)  # the cursor is still in the line
    assert driver.list_forms()
    driver.press_key(Qt.Key.Key_Up)
    press_undo(driver)
    assert driver.list_forms() == ()


@pytest.mark.slow
def test_undo_of_a_save_keeps_newer_text(driver: JuryDriver) -> None:
    driver.choose_game("1")
    driver.type_lines("7 256")
    press_undo(driver)  # the cursor is in the empty line below
    assert driver.list_forms() == ()
    assert driver.typed_sheet.turns[6].total == 256
    press_redo(driver)
    assert driver.get_result().accounts == TYPED_BREAKDOWNS
    assert driver.typed_sheet.turns[6].total == 256


@pytest.mark.slow
def test_jury_page_keeps_drafts_after_the_window_closes(driver: JuryDriver, qtbot: QtBot) -> None:
    driver.choose_game("2")
    driver.type_lines("8D TAART 20 20")
    driver.press_key(Qt.Key.Key_Escape)
    value = driver.session.tournament
    driver.window.close()
    second_driver = JuryDriver(driver.session, qtbot, value)
    second_driver.choose_game("2")
    assert [turn.word for turn in second_driver.typed_sheet.turns] == ["TAART"]
