"""Tests of the guided tour: completing, skipping, leaving and restarting it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.palette import CommandPalette
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.demo import open_sample_tournament
from tests.gui.samples import make_desk, make_tournament
from tests.gui.windows import press_key, show_window, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    new_window = show_window(empty_session, qtbot)
    open_sample_tournament(empty_session)
    return new_window


def get_step_id(window: Window) -> str:
    return window.guide.steps[window.guide.step_index].id


def enter_line(window: Window, line: str) -> None:
    assert isinstance(window.page, RoundsPage)
    window.page.field.focus_line()
    type_text(window, line)
    press_key(window, Qt.Key.Key_Return)


def find_open_table(window: Window) -> int:
    item = window.session.round
    assert item is not None
    return window.session.index.list_open_games(item.id)[0].table


def test_sample_tournament_says_that_it_is_not_saved(window: Window) -> None:
    assert window.findChildren(SaveStateLabel)[0].get_text() == "Sample: nothing is saved"


@pytest.mark.slow
def test_guide_bar_completes_the_tour(window: Window, qtbot: QtBot) -> None:
    assert window.guide.isVisible()
    assert get_step_id(window) == "result"
    table = find_open_table(window)
    enter_line(window, f"{table} 412 388")
    assert get_step_id(window) == "mend"
    enter_line(window, f"{table} 388 412")
    press_key(window, Qt.Key.Key_Return)
    assert get_step_id(window) == "undo"
    press_key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert get_step_id(window) == "all-in"
    window.guide._fill_button.click()
    assert get_step_id(window) == "pair"
    press_key(window, Qt.Key.Key_F6)
    assert get_step_id(window) == "publish"
    press_key(window, Qt.Key.Key_F9)
    assert get_step_id(window) == "print"
    press_key(window, Qt.Key.Key_F8)
    preview = window.findChild(PrintPreview)
    assert preview is not None
    qtbot.waitUntil(preview.isVisible)
    preview.close()
    assert get_step_id(window) == "standings"
    press_key(window, Qt.Key.Key_F7)
    assert get_step_id(window) == "card"
    assert isinstance(window.page, StandingsPage)
    view = next(view for view in window.page.findChildren(TableView) if view.isVisible())
    view.setFocus()
    press_key(window, Qt.Key.Key_Down)
    press_key(window, Qt.Key.Key_F4)
    assert get_step_id(window) == "palette"
    press_key(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    palette.close()
    assert get_step_id(window) == "help"
    press_key(window, Qt.Key.Key_F1)
    assert window.guide.step_index == len(window.guide.steps)
    assert any("The tour is finished" in label.text() for label in window.guide.findChildren(QLabel))


@pytest.mark.slow
def test_guide_bar_ignores_other_actions(window: Window) -> None:
    window.show_page("players")
    window.show_page("rounds")
    window.session.undo()
    assert get_step_id(window) == "result"


def test_guide_bar_can_be_skipped_left_and_restarted(window: Window) -> None:
    QTest.mouseClick(window.guide._skip_button, Qt.MouseButton.LeftButton)
    assert get_step_id(window) == "mend"
    QTest.mouseClick(window.guide._leave_button, Qt.MouseButton.LeftButton)
    assert not window.guide.isVisible()
    enter_line(window, f"{find_open_table(window)} 412 388")
    assert get_step_id(window) == "mend"
    window.get_action("tour").trigger()
    assert window.guide.isVisible()
    assert get_step_id(window) == "result"


@pytest.mark.slow
def test_guide_bar_skips_publishing_after_skipped_pairing(window: Window) -> None:
    while get_step_id(window) != "pair":
        window.guide._skip_button.click()
    window.guide._skip_button.click()
    assert get_step_id(window) == "print"


def test_guide_bar_keeps_its_step_in_another_language(window: Window, qtbot: QtBot) -> None:
    window.guide._skip_button.click()
    window.show_page("history")
    window.guide._show_button.click()
    assert window.page.id == "rounds"
    window.get_action("language-nl").trigger()
    qtbot.waitUntil(window.guide.isVisible)
    assert get_step_id(window) == "mend"


@pytest.mark.slow
def test_guide_bar_is_hidden_in_another_tournament(empty_session: Session, qtbot: QtBot) -> None:
    window = show_window(empty_session, qtbot)
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    assert not window.guide.isVisible()
    window.get_action("tour").trigger()
    assert window.guide.isVisible()
