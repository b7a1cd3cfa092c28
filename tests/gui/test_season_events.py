"""Tests of the panel for events from other files: copying, refreshing, and questions about similar names."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.season import SeasonsPanel
from tdapp.gui.standings.season_events import CopyEventsDialog, SeasonEventsPanel
from tests.building import make_event, pair_rounds
from tests.domain.test_event_copies import SPELLINGS, SPRING, SUMMER, make_federation
from tests.gui.test_season import open_window, show_season
from tests.gui.windows import answer_file_dialogs, find_dialog, get_panel, press_key, run_action


def open_panel(window: Window) -> SeasonEventsPanel:
    show_season(window)
    press_key(window, Qt.Key.Key_F7, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    return get_panel(window, SeasonEventsPanel)


def write_event(path: Path, name: str, date: str, *, times: int = 1) -> Tournament:
    value = commands.edit_event(pair_rounds(make_event(6), times=times), name=name, date=date)
    Desk.create(path, value).close()
    return value


def read_texts(widget: QWidget) -> str:
    return "\n".join(child.text() for child in widget.findChildren(QWidget) if hasattr(child, "text"))


def test_season_events_panel_adds_events_after_a_preview(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(empty_session, qtbot, make_federation())
    panel = open_panel(window)
    assert panel.editor.rows.rowCount() == 0
    for name, date in (("Oslo", "2026-03-01"), ("Bergen", "")):
        write_event(tmp_path / f"{name}.tdapp", name, date)
    with answer_file_dialogs(tmp_path / "Oslo.tdapp", tmp_path / "Bergen.tdapp"):
        panel.add_button.click()
    qtbot.waitUntil(lambda: window.findChild(CopyEventsDialog) is not None)
    dialog = find_dialog(window, CopyEventsDialog)
    texts = read_texts(dialog)
    assert "Oslo · 1" in texts
    assert "Bergen: the file has no date" in texts
    assert not window.session.tournament.copied_events
    dialog.yes.click()
    assert len(window.session.tournament.copied_events) == 2
    assert panel.editor.rows.rowCount() == 2
    window.session.undo()
    assert not window.session.tournament.players


@pytest.mark.slow
def test_seasons_panel_opens_the_events_panel(empty_session: Session, qtbot: QtBot) -> None:
    window = open_window(empty_session, qtbot, make_federation(SPRING))
    run_action(window, "seasons")
    get_panel(window, SeasonsPanel).open_events_panel()
    assert get_panel(window, SeasonEventsPanel).editor.rows.rowCount() == 1


@pytest.mark.slow
def test_season_view_explains_a_season_without_evenings(empty_session: Session, qtbot: QtBot) -> None:
    view = show_season(open_window(empty_session, qtbot, make_federation()))
    assert "This season has no evenings yet" in read_texts(view.view)


def test_season_events_panel_refreshes_an_event_after_a_preview(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "Oslo.tdapp"
    write_event(path, "Oslo", "2026-03-01")
    window = open_window(empty_session, qtbot, make_federation())
    panel = open_panel(window)
    panel.preview_events_to_add([path])
    qtbot.waitUntil(lambda: window.findChild(CopyEventsDialog) is not None)
    find_dialog(window, CopyEventsDialog).yes.click()
    path.unlink()
    write_event(path, "Oslo", "", times=3)
    qtbot.waitUntil(lambda: window.findChild(CopyEventsDialog) is None)
    (added,) = window.session.tournament.copied_events
    window.session.do(partial(commands.edit_copied_event, copied_event=added, name="Oslo Open"))
    with answer_file_dialogs(path):
        panel.refresh_button.click()
    qtbot.waitUntil(lambda: window.findChild(CopyEventsDialog) is not None)
    dialog = find_dialog(window, CopyEventsDialog)
    assert "Cup" in read_texts(dialog)
    assert "Oslo Open · 1 March 2026 · " in read_texts(dialog)
    assert "the file has no date" not in read_texts(dialog)
    dialog.yes.click()
    (row,) = window.session.tournament.copied_events.values()
    assert len(row.games) == 9


@pytest.mark.slow
def test_season_events_panel_refreshes_the_selected_event_from_an_unknown_file(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "Later.tdapp"
    write_event(path, "Later", "2026-09-01")
    window = open_window(empty_session, qtbot, make_federation(SPRING, SUMMER))
    panel = open_panel(window)
    summer = window.session.index.listed_copied_events[1]
    panel.editor.view.select_row(summer.id)
    panel.preview_events_to_refresh([path])
    qtbot.waitUntil(lambda: window.findChild(CopyEventsDialog) is not None)
    dialog = find_dialog(window, CopyEventsDialog)
    assert "This event replaces the results of Summer." in read_texts(dialog)
    dialog.yes.click()
    assert window.session.tournament.copied_events[summer.id].source == "Later.tdapp"


@pytest.mark.slow
def test_season_events_panel_names_an_unreadable_file(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(empty_session, qtbot, make_federation())
    panel = open_panel(window)
    path = tmp_path / "names.csv"
    path.write_text("Name;Rating\nAnn;1500\n", encoding="utf-8")
    messages: list[str] = []
    window.session.message_sent.connect(lambda text, *_: messages.append(text))
    panel.preview_events_to_add([path])
    qtbot.waitUntil(lambda: any("names.csv" in text for text in messages))
    assert window.findChild(CopyEventsDialog) is None


def test_season_events_panel_asks_about_similar_names(empty_session: Session, qtbot: QtBot) -> None:
    window = open_window(empty_session, qtbot, make_federation(*SPELLINGS))
    view = show_season(window)
    assert "Are Piet Jansen and Piet Janssen the same person?" in view.questions.text()
    panel = open_panel(window)
    panel.same_button.setFocus()
    QTest.keyClick(panel.same_button, Qt.Key.Key_Return)
    assert [player.name for player in window.session.tournament.players.values()] == ["Piet Jansen", "Bo Li"]
    assert not panel.same_button.isVisible()
    window.session.undo()
    qtbot.waitUntil(panel.same_button.isVisible)
    panel.different_button.click()
    assert len(window.session.tournament.players) == 3
    assert view.questions.isHidden()


def test_season_events_panel_edits_a_date_and_removes_an_event(empty_session: Session, qtbot: QtBot) -> None:
    window = open_window(empty_session, qtbot, make_federation(SPRING))
    panel = open_panel(window)
    panel.editor.view.select_row(next(iter(window.session.tournament.copied_events)))
    column = panel.editor.rows.list_column_ids().index("date")
    panel.editor.rows.setData(panel.editor.rows.index(0, column), "2026-04-05")
    (row,) = window.session.tournament.copied_events.values()
    assert row.date == "2026-04-05"
    QTest.keyClick(panel.editor.view, Qt.Key.Key_Delete)
    assert not window.session.tournament.copied_events
    assert PlayerId("p1") not in window.session.tournament.players
