"""Tests of the seating panel: table groups, sessions and fixed tables of a division, by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.division_panels import TableSettingsPanel
from tests.building import load_rule_set
from tests.gui.samples import A
from tests.gui.table_events import press_tab, show_first_round
from tests.gui.windows import press_key, type_text


def open_seating_panel(session: Session, qtbot: QtBot) -> tuple[Window, TableSettingsPanel]:
    """Return a window and its seating panel. The focus is in the name of a new group."""
    window = show_first_round(session, qtbot, load_rule_set("nl-match"))
    window.show_page("tournament")
    window.page.get_action("seating").trigger()
    panel = window.panel
    assert isinstance(panel, TableSettingsPanel)
    return window, panel


def add_table_group(window: Window, name: str, last: int) -> None:
    """Type the name and the last table of a group. Keep the proposed first table."""
    type_text(window, name)
    press_tab(window, 2)
    type_text(window, str(last))
    press_key(window, Qt.Key.Key_Return)


def list_table_groups(session: Session) -> list[tuple[str, int, int, bool]]:
    """Return the name, first table, last table and accessibility of each group."""
    return [(group.name, group.first, group.last, group.accessible) for group in session.index.table_groups(A)]


@pytest.mark.slow
def test_seating_panel_numbers_groups_consecutively(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_seating_panel(empty_session, qtbot)
    add_table_group(window, "Hall", 3)
    add_table_group(window, "Stage", 5)
    assert list_table_groups(empty_session) == [("Hall", 1, 3, False), ("Stage", 4, 5, False)]
    assert panel.get_field_widget("first").text() == "6"


def test_seating_panel_edits_and_removes_a_group(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_seating_panel(empty_session, qtbot)
    add_table_group(window, "Hall", 3)
    panel.editor.view.setFocus()
    panel.editor.view.select_row(panel.editor.rows.keys()[0])
    press_key(window, Qt.Key.Key_Space)
    assert list_table_groups(empty_session) == [("Hall", 1, 3, True)]
    press_key(window, Qt.Key.Key_Delete)
    assert list_table_groups(empty_session) == []
    empty_session.undo()
    assert list_table_groups(empty_session) == [("Hall", 1, 3, True)]


@pytest.mark.slow
def test_seating_panel_keeps_invalid_text(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_seating_panel(empty_session, qtbot)
    add_table_group(window, "Hall", 3)
    type_text(window, "Stage")
    press_tab(window)
    type_text(window, "2")
    press_tab(window)
    type_text(window, "5")
    press_key(window, Qt.Key.Key_Return)
    assert len(list_table_groups(empty_session)) == 1
    assert panel.get_field_widget("name").text() == "Stage"


def test_seating_panel_sets_sessions_and_keeps_tables(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = open_seating_panel(empty_session, qtbot)
    panel.keep_tables_box.setFocus()
    press_key(window, Qt.Key.Key_Space)
    panel.sessions.setFocus()
    type_text(window, "9, 5")
    press_key(window, Qt.Key.Key_Return)
    division = empty_session.tournament.divisions[A]
    assert (division.keep_tables, division.sessions) == (True, (5, 9))
    panel.sessions.setText("x")
    panel.sessions.setModified(True)
    press_key(window, Qt.Key.Key_Return)
    assert empty_session.tournament.divisions[A].sessions == (5, 9)
