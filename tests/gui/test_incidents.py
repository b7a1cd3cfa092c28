"""Tests of the Incidents panel by keyboard: adding, searching, editing, removing and printing."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.jury_rows import IncidentKind
from tdapp.gui.jury.logs import IncidentsPanel
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.building import load_rule_set
from tests.gui.samples import A
from tests.gui.table_events import get_game, get_player_name, open_panel, press_tab, show_first_round
from tests.gui.windows import get_focused_widget, press_key, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    return show_first_round(empty_session, qtbot, load_rule_set("no-nsf"))


def open_incidents_panel(window: Window, table: int | None = None) -> IncidentsPanel:
    return open_panel(window, IncidentsPanel, Qt.Key.Key_I, table=table)


def list_notes(panel: IncidentsPanel) -> list[str]:
    position = panel.editor.rows.list_column_ids().index("note")
    return [str(panel.editor.rows.index(row, position).data()) for row in range(panel.editor.rows.rowCount())]


def note_incident(window: Window, table: int, note: str, kind: str = "tiles") -> IncidentsPanel:
    panel = open_incidents_panel(window, table)
    panel.get_field_widget("kind").choose_value(IncidentKind(kind))
    panel.get_field_widget("note").setFocus()
    type_text(window, note)
    press_key(window, Qt.Key.Key_Return)
    return panel


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
def test_incidents_panel_adds_extra_time_at_the_current_table(window: Window) -> None:
    panel = open_incidents_panel(window, 3)
    assert get_focused_widget(window) is panel.get_field_widget("kind")
    press_tab(window)
    press_key(window, Qt.Key.Key_Down)  # from both to the first player
    press_tab(window)
    type_text(window, "2:30")
    press_tab(window)
    type_text(window, "a tile fell down")
    press_tab(window)
    type_text(window, "Kim")
    press_key(window, Qt.Key.Key_Return)
    (row,) = window.session.tournament.incidents.values()
    assert (row.kind, row.round, row.table, row.seconds) == (IncidentKind.EXTRA_TIME, 1, 3, 150)
    assert (row.player, row.note, row.author) == (get_game(window.session, 3).first, "a tile fell down", "Kim")
    assert list_notes(panel) == [
        f"extra time 2:30 · {get_player_name(window.session, 3, 0)} · a tile fell down (Kim)"
    ]
    press_key(window, Qt.Key.Key_Escape)
    assert window.panel is None
    assert open_incidents_panel(window).get_field_widget("author").text() == "Kim"


def test_rounds_page_shows_extra_time_in_the_row(window: Window) -> None:
    page = window.page
    assert isinstance(page, RoundsPage)
    panel = open_incidents_panel(window, 2)
    panel.get_field_widget("seconds").setFocus()
    type_text(window, "1:15")
    press_key(window, Qt.Key.Key_Return)
    position = page.rows.list_column_ids().index("notes")
    assert not page.view.isColumnHidden(position)
    assert page.rows.index(1, position).data() == "+1:15"
    window.session.undo()
    assert page.view.isColumnHidden(position)


@pytest.mark.slow
def test_incidents_panel_asks_for_a_missing_time(window: Window) -> None:
    panel = open_incidents_panel(window, 1)
    panel.get_field_widget("note").setFocus()
    press_key(window, Qt.Key.Key_Return)
    assert not window.session.tournament.incidents
    assert get_focused_widget(window) is panel.get_field_widget("seconds")
    type_text(window, "soon")
    press_key(window, Qt.Key.Key_Return)
    assert not window.session.tournament.incidents
    assert panel.get_field_widget("seconds").selectedText() == "soon"


@pytest.mark.slow
def test_incidents_panel_searches_by_table_and_word(window: Window) -> None:
    note_incident(window, 1, "eight tiles")
    note_incident(window, 2, "noise", "complaint")
    panel = note_incident(window, 4, "bag on the floor")
    panel.editor.search.setFocus()
    type_text(window, "2")
    assert [note.partition(" ·")[0] for note in list_notes(panel)] == ["complaint"]
    panel.editor.search.clear()
    type_text(window, get_player_name(window.session, 4, 1))
    assert len(list_notes(panel)) == 1
    assert "floor" in list_notes(panel)[0]
    type_text(window, " nothing like it")
    assert not list_notes(panel)
    press_key(window, Qt.Key.Key_Escape)
    assert len(list_notes(panel)) == 3


@pytest.mark.slow
def test_incidents_panel_edits_and_removes_an_entry(window: Window) -> None:
    panel = note_incident(window, 1, "eigth tiles")
    session = window.session
    panel.editor.view.select_row(panel.editor.rows.keys()[0])
    panel.editor.view.setFocus()
    press_key(window, Qt.Key.Key_Return)
    assert get_focused_widget(window) is panel.get_field_widget("note")
    panel.get_field_widget("note").selectAll()
    type_text(window, "eight tiles")
    panel.get_field_widget("table").setFocus()
    panel.get_field_widget("table").clear()
    panel.get_field_widget("note").setFocus()
    press_key(window, Qt.Key.Key_Return)
    (row,) = session.tournament.incidents.values()
    assert (row.note, row.table) == ("eight tiles", None)
    panel.editor.view.select_row(panel.editor.rows.keys()[0])
    panel.editor.view.setFocus()
    press_key(window, Qt.Key.Key_Delete)
    assert not session.tournament.incidents
    session.undo()
    session.undo()
    (row,) = session.tournament.incidents.values()
    assert (row.note, row.table) == ("eigth tiles", 1)


@pytest.mark.slow
def test_incidents_panel_asks_before_discarding_text(window: Window) -> None:
    panel = open_incidents_panel(window, 1)
    panel.get_field_widget("note").setFocus()
    type_text(window, "half a sentence")
    press_key(window, Qt.Key.Key_Escape)
    assert window.panel is panel
    press_key(window, Qt.Key.Key_Escape)
    assert window.panel is None


def test_incidents_panel_prints_the_log(window: Window) -> None:
    note_incident(window, 1, "eight tiles")
    panel = open_incidents_panel(window)
    next(button for button in panel.findChildren(QPushButton) if button.text() == "Print…").click()
    preview = window.findChild(PrintPreview)
    assert isinstance(preview, PrintPreview)
    assert preview.report.value() == "incidents"
    assert preview.pdf
    preview.reject()


def test_card_panel_lists_incidents_of_a_player(window: Window) -> None:
    note_incident(window, 1, "eight tiles")
    page = window.page
    assert isinstance(page, RoundsPage)
    page.view.select_row(get_game(window.session, 1).id)
    window.get_action("card").trigger()
    card = window.panel
    assert isinstance(card, PlayerCardPanel)
    (key,) = card.note_rows.keys()
    assert card.note_rows.find_row_by_key(key).round == 1
    note_text = str(card.note_rows.index(0, card.note_rows.list_column_ids().index("note")).data())
    assert "tiles" in note_text
    assert "eight tiles" in note_text


def test_tournament_page_opens_the_log_of_the_division(window: Window) -> None:
    note_incident(window, 1, "eight tiles")
    window.show_page("tournament")
    page = window.pages.get_page("tournament")
    assert "1 incident · 0 sanctions" in page._incident_counts.text()  # type: ignore[attr-defined]
    next(button for button in page.findChildren(QPushButton) if button.text() == "Incidents…").click()
    assert isinstance(window.panel, IncidentsPanel)
    assert window.panel.get_field_widget("table").text() == ""


@pytest.mark.slow
def test_incidents_panel_is_read_only_in_a_finished_tournament(window: Window) -> None:
    window.session.do(partial(commands.finish_tournament))
    panel = open_incidents_panel(window)
    panel.get_field_widget("note").setFocus()
    type_text(window, "late")
    press_key(window, Qt.Key.Key_Return)
    assert not window.session.tournament.incidents


@pytest.mark.slow
def test_incidents_panel_proposes_the_current_player(window: Window) -> None:
    window.show_page("players")
    page = window.page
    assert isinstance(page, PlayersPage)
    player = window.session.index.players(A)[2]
    page.view.select_row(player.id)
    panel = open_incidents_panel(window)
    assert panel.editor.form.get_values_with_none_if_invalid()["player"] == player.id
