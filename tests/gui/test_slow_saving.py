"""Tests of slow saving: the user opens another page before the step is saved."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import RoundState
from tdapp.gui.jury.game_start_panels import StartingDrawPanel
from tdapp.gui.players.availability import LateEntrantPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.dialogs import MoveGameToTableDialog, PairingRecheckPanel
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.division_panels import TableSettingsPanel
from tests.building import load_rule_set
from tests.gui.samples import A
from tests.gui.slow_disk import SlowDisk
from tests.gui.table_events import get_game, open_panel, press_tab, show_first_round
from tests.gui.windows import get_focused_widget, press_key, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window with a round in which the players draw tiles for the first turn."""
    return show_first_round(empty_session, qtbot, load_rule_set("nl-match"), draw_starts=True)


@pytest.fixture
def disk(window: Window, monkeypatch: pytest.MonkeyPatch) -> SlowDisk:
    return SlowDisk(window.session.work, monkeypatch)


def save_on_jury_page(window: Window, disk: SlowDisk) -> None:
    """Open the Jury page, then end saving. Check that the focus stays."""
    press_key(window, Qt.Key.Key_F10)
    cursor = get_focused_widget(window)
    assert window.page.id == "jury"
    disk.report_results()
    assert get_focused_widget(window) is cursor
    assert window.page.isAncestorOf(cursor)


def get_round_state(window: Window) -> RoundState:
    shown_round = window.session.round
    assert shown_round is not None
    return shown_round.state


def discard_and_pair_round(window: Window, disk: SlowDisk) -> None:
    """Discard the published round and pair it again as a draft."""
    shown_round = window.session.round
    assert shown_round is not None
    window.session.do(partial(commands.discard_round, round=shown_round.id, reason="too early"))
    disk.report_results()
    press_key(window, Qt.Key.Key_F6)
    disk.report_results()
    assert get_round_state(window) is RoundState.DRAFT


@pytest.mark.slow
def test_slow_saving_publishes_a_round(window: Window, disk: SlowDisk) -> None:
    discard_and_pair_round(window, disk)
    press_key(window, Qt.Key.Key_F9)
    save_on_jury_page(window, disk)
    assert get_round_state(window) is RoundState.PUBLISHED


def test_slow_saving_focuses_the_result_field(window: Window, disk: SlowDisk) -> None:
    discard_and_pair_round(window, disk)
    press_key(window, Qt.Key.Key_F9)
    disk.report_results()
    type_text(window, "1 400 300")
    press_key(window, Qt.Key.Key_Return)
    disk.report_results()
    assert window.session.index.get_result(get_game(window.session, 1).id) is not None


def test_slow_saving_shows_a_refusal_on_the_current_page(window: Window, disk: SlowDisk) -> None:
    session, field = window.session, get_focused_widget(window)
    command = partial(commands.set_table, game=get_game(session, 1).id, table=0)
    session.do(command, field=field)
    messages: list[str] = []
    session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    save_on_jury_page(window, disk)
    assert len(messages) == 1


@pytest.mark.slow
def test_slow_saving_records_the_starter(window: Window, disk: SlowDisk) -> None:
    panel = open_panel(window, StartingDrawPanel, Qt.Key.Key_D, table=2)
    second = get_game(window.session, 2).second
    panel.tiles[0].setText("K")
    panel.tiles[1].setText("C")
    panel.record_button.click()
    save_on_jury_page(window, disk)
    assert get_game(window.session, 2).first == second


@pytest.mark.slow
def test_slow_saving_adds_a_group_of_tables(window: Window, disk: SlowDisk) -> None:
    window.show_page("tournament")
    window.page.get_action("seating").trigger()
    assert isinstance(window.panel, TableSettingsPanel)
    type_text(window, "Hall")
    press_tab(window, 2)
    type_text(window, "3")
    press_key(window, Qt.Key.Key_Return)
    save_on_jury_page(window, disk)
    assert [row.name for row in window.session.index.table_groups(A)] == ["Hall"]


@pytest.mark.slow
def test_slow_saving_adds_a_late_entry(window: Window, disk: SlowDisk) -> None:
    window.show_page("players")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.get_action("add-player").trigger()
    type_text(window, "Late, Lotte")
    press_key(window, Qt.Key.Key_Return)
    panel = window.panel
    assert isinstance(panel, LateEntrantPanel)
    panel.consequences.run_confirmed_command()
    panel.consequences.run_confirmed_command()
    save_on_jury_page(window, disk)
    assert [player.number for player in window.session.index.players(A)] == list(range(1, 10))
    assert not any(field.text() for field in page._new_player_fields.fields)


@pytest.mark.slow
def test_slow_saving_accepts_a_dialog_left_by_esc(window: Window, disk: SlowDisk) -> None:
    page = window.page
    assert isinstance(page, RoundsPage)
    page.view.select_row(get_game(window.session, 1).id)
    page.get_action("set-table").trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, MoveGameToTableDialog)
    dialog.confirm_dialog()
    dialog.reject()
    save_on_jury_page(window, disk)


@pytest.mark.slow
def test_slow_saving_ends_a_check_of_rounds(window: Window, disk: SlowDisk) -> None:
    window.page.get_action("check-pairings").trigger()
    assert isinstance(window.panel, PairingRecheckPanel)
    save_on_jury_page(window, disk)
