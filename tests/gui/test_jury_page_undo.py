"""Everything done on the jury page is taken back by Ctrl+Z, and a certified sheet is corrected with a reason."""

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

LINES = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55", "200 249", "200 255")
AS_TYPED = (ScoreBreakdown(turns=249, racks=-2), ScoreBreakdown(turns=255, racks=2))
POST_WRONG = (ScoreBreakdown(turns=249, phonies=-49, racks=-2), ScoreBreakdown(turns=255, racks=2))


@pytest.fixture
def hands(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """The sheet of table 1 in the Netherlands is saved. The cursor is on the doubtful word POST."""
    made = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    made.choose_word_list({"TAART", "TAFEL", "TAFELS", "LATER", "EL", "LA", "WEL"}, binding=13)
    made.choose_game("1")
    made.enter_lines(*LINES)
    made.press(Qt.Key.Key_Return)
    made.enter_ending(GameEnding.OUT, "AE", "")
    assert made.result().accounts == AS_TYPED
    return made


def undo(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_Z, CONTROL)


def redo(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_Z, CONTROL | SHIFT)


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_restores_the_typed_sheet(hands: JuryDriver) -> None:
    undo(hands)
    assert hands.forms() == ()
    assert hands.session.index.result(hands.game().id) is None
    assert [turn.word for turn in hands.typed_sheet.turns[:4]] == ["TAART", "TAFEL", "POST", "LATER"]
    assert hands.page.end.racks[0].text() == "AE"
    assert hands.is_unsaved()
    hands.save_sheet()
    assert hands.result().accounts == AS_TYPED
    assert not hands.is_unsaved()


@pytest.mark.slow
def test_jury_page_refreshes_once_for_a_change(hands: JuryDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    refresh = SheetPage.refresh_page

    def counted(page: SheetPage) -> None:
        shown.append("again")
        refresh(page)

    monkeypatch.setattr(SheetPage, "refresh_page", counted)
    hands.session.desk.do(partial(commands.edit_event, name="Elsewhere"))
    assert shown == ["again"]


def test_redo_saves_the_sheet_again(hands: JuryDriver) -> None:
    undo(hands)
    redo(hands)
    assert hands.result().accounts == AS_TYPED
    assert not hands.is_unsaved()


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_reverts_a_ruling(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_Minus, ALT)
    hands.press(Qt.Key.Key_Return)
    assert hands.result().accounts == POST_WRONG
    assert hands.doubts() == []
    undo(hands)
    assert hands.result().accounts == AS_TYPED
    assert hands.forms()[0].rulings == ()
    assert hands.doubts() == [(3, "POST", 49)]
    redo(hands)
    assert hands.result().accounts == POST_WRONG


@pytest.mark.slow
def test_undo_makes_an_accepted_word_doubtful_again(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_Plus, ALT)
    hands.press(Qt.Key.Key_Return)
    assert hands.doubts() == []
    assert hands.result().accounts == AS_TYPED
    assert hands.page.end.racks[1].hasFocus()
    undo(hands)
    assert hands.doubts() == [(3, "POST", 49)]


@pytest.mark.slow
def test_ruling_strip_closes_by_escape(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_Minus, ALT)
    hands.press(Qt.Key.Key_Escape)
    assert hands.result().accounts == AS_TYPED
    assert not hands.page.ruling.isVisible()
    assert hands.page.end.isVisible()


@pytest.mark.slow
def test_ruling_can_be_reversed(hands: JuryDriver) -> None:
    """Wrong at first sight, found right in a thicker book: the second ruling replaces the first."""
    hands.press(Qt.Key.Key_Minus, ALT)
    hands.press(Qt.Key.Key_Return)
    hands.press(Qt.Key.Key_W, CONTROL | SHIFT)
    hands.press(Qt.Key.Key_Plus, ALT)
    hands.press(Qt.Key.Key_Return)
    assert hands.result().accounts == AS_TYPED
    (ruling,) = hands.forms()[0].rulings
    assert not ruling.phony


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_reverts_checking_and_certifying(hands: JuryDriver) -> None:
    hands.save_sheet()  # shows the word in doubt
    for state in (ResultState.CHECKED, ResultState.FINAL):
        hands.save_sheet()
        assert hands.state() is state
    undo(hands)
    assert hands.state() is ResultState.CHECKED
    undo(hands)
    assert hands.state() is ResultState.ENTERED
    undo(hands)
    assert hands.session.index.result(hands.game().id) is None


@pytest.mark.slow
def test_certify_result_requires_a_name(hands: JuryDriver) -> None:
    hands.save_sheet()  # shows the word in doubt
    hands.save_sheet()
    hands.session.settings.setValue(AUTHOR_DAY, "")
    hands.save_sheet()
    assert hands.state() is ResultState.CHECKED
    assert "Who rules?" in hands.page.line.preview_label.meaning
    hands.replace("")
    hands.enter("", "J. Ury")
    assert hands.state() is ResultState.FINAL


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_certified_sheet_is_corrected_with_a_reason_and_undone(hands: JuryDriver) -> None:
    for _shown_checked_certified in range(3):
        hands.save_sheet()
    hands.choose_game("1")
    hands.press(Qt.Key.Key_Return, SHIFT)
    assert hands.page.turns.field.text() == "200 255"
    hands.replace("190 245")
    hands.save_sheet()
    assert hands.page.impact.reason.hasFocus()
    assert hands.result().accounts == AS_TYPED
    hands.press(Qt.Key.Key_Return)  # no reason yet
    assert hands.result().accounts == AS_TYPED
    hands.enter("added up again")
    assert (hands.result().first, hands.result().second) == (247, 247)
    assert hands.state() is ResultState.ENTERED
    assert hands.session.desk.history()[-1].facts["reason"] == "added up again"
    undo(hands)
    assert hands.result().accounts == AS_TYPED
    assert hands.state() is ResultState.FINAL


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_undo_restores_a_cleared_sheet(hands: JuryDriver) -> None:
    hands.run_command("Clear the sheet")
    assert hands.forms() == ()
    assert hands.session.index.result(hands.game().id) is None
    undo(hands)
    assert hands.result().accounts == AS_TYPED
    assert [turn.word for turn in hands.typed_sheet.turns[:4]] == ["TAART", "TAFEL", "POST", "LATER"]


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_dropped_draft_can_be_restored(hands: JuryDriver) -> None:
    hands.choose_game("1")
    hands.enter("7 256")
    assert len(hands.notes()) == 7
    hands.run_command("Discard the typed text")
    assert len(hands.notes()) == 6
    hands.run_command("Restore the typed text")
    assert len(hands.notes()) == 7


@pytest.mark.slow
def test_undo_in_a_line_reverts_only_its_typing(hands: JuryDriver) -> None:
    hands.choose_game("1")
    hands.type("7 256")
    undo(hands)
    assert hands.page.turns.field.text() == ""
    assert len(hands.notes()) == 6
    assert hands.result().accounts == AS_TYPED
    undo(hands)  # nothing is typed in it any more: the last step
    assert hands.forms() == ()


@pytest.mark.slow
def test_undo_of_a_save_keeps_newer_text(hands: JuryDriver) -> None:
    hands.choose_game("1")
    hands.enter("7 256")
    undo(hands)  # from the line behind it, in which nothing is typed
    assert hands.forms() == ()
    assert hands.typed_sheet.turns[6].total == 256
    redo(hands)
    assert hands.result().accounts == AS_TYPED
    assert hands.typed_sheet.turns[6].total == 256


@pytest.mark.slow
def test_drafts_survive_the_window(hands: JuryDriver, qtbot: QtBot) -> None:
    hands.choose_game("2")
    hands.enter("8D TAART 20 20")
    hands.press(Qt.Key.Key_Escape)
    value = hands.session.tournament
    hands.window.close()
    again = JuryDriver(hands.session, qtbot, value)
    again.choose_game("2")
    assert [turn.word for turn in again.typed_sheet.turns] == ["TAART"]
