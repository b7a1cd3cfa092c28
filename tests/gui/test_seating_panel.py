"""The panel with a division's tables, by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.division_panels import SeatingPanel
from tests.building import load_rule_set
from tests.gui.samples import A
from tests.gui.table_events import press_tab, show_first_round
from tests.gui.windows import press, type_text


def opened(session: Session, qtbot: QtBot) -> tuple[Window, SeatingPanel]:
    """Return a window with the panel, the cursor in the name of a new group."""
    window = show_first_round(session, qtbot, load_rule_set("nl-match"))
    window.show_page("tournament")
    window.page.command("seating").trigger()
    panel = window.panel
    assert isinstance(panel, SeatingPanel)
    return window, panel


def add(window: Window, name: str, last: int) -> None:
    """Type a group whose first table is the one offered."""
    type_text(window, name)
    press_tab(window, 2)
    type_text(window, str(last))
    press(window, Qt.Key.Key_Return)


def groups(session: Session) -> list[tuple[str, int, int, bool]]:
    """Return the groups as name, first, last, accessible."""
    return [(row.name, row.first, row.last, row.accessible) for row in session.index.table_groups(A)]


@pytest.mark.slow
def test_seating_panel_numbers_groups_consecutively(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = opened(empty_session, qtbot)
    add(window, "Hall", 3)
    add(window, "Stage", 5)
    assert groups(empty_session) == [("Hall", 1, 3, False), ("Stage", 4, 5, False)]
    assert panel.field("first").text() == "6"


def test_seating_panel_edits_and_removes_a_group(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = opened(empty_session, qtbot)
    add(window, "Hall", 3)
    panel.editor.view.setFocus()
    panel.editor.view.choose(panel.editor.rows.keys()[0])
    press(window, Qt.Key.Key_Space)
    assert groups(empty_session) == [("Hall", 1, 3, True)]
    press(window, Qt.Key.Key_Delete)
    assert groups(empty_session) == []
    empty_session.undo()
    assert groups(empty_session) == [("Hall", 1, 3, True)]


@pytest.mark.slow
def test_seating_panel_keeps_invalid_text(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = opened(empty_session, qtbot)
    add(window, "Hall", 3)
    type_text(window, "Stage")
    press_tab(window)
    type_text(window, "2")
    press_tab(window)
    type_text(window, "5")
    press(window, Qt.Key.Key_Return)
    assert len(groups(empty_session)) == 1
    assert panel.field("name").text() == "Stage"


def test_seating_panel_sets_sessions_and_kept_tables(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = opened(empty_session, qtbot)
    panel.keep_tables_box.setFocus()
    press(window, Qt.Key.Key_Space)
    panel.sessions.setFocus()
    type_text(window, "9, 5")
    press(window, Qt.Key.Key_Return)
    row = empty_session.tournament.divisions[A]
    assert (row.keep_tables, row.sessions) == (True, (5, 9))
    panel.sessions.setText("x")
    panel.sessions.setModified(True)
    press(window, Qt.Key.Key_Return)
    assert empty_session.tournament.divisions[A].sessions == (5, 9)
