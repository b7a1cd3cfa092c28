"""Tests of erasing personal data of one player or all players, with the snapshots."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.gui.history.page import HistoryPage
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.players.erasing import ErasePersonalDataDialog
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.storage import SnapshotFolder, SnapshotReason, Store
from tests.gui.postgres_windows import make_published_store
from tests.gui.samples import A, make_tournament
from tests.gui.windows import press_keys as press_key
from tests.gui.windows import show_window


@pytest.fixture
def tournament_file(tmp_path: Path) -> Path:
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    return tmp_path / "Open.tdapp"


def open_players_page(session: Session, tournament_file: Path, qtbot: QtBot) -> tuple[Window, PlayersPage]:
    session.open_tournament_of_desk(Desk.open(tournament_file))
    window = show_window(session, qtbot, "players")
    page = window.pages.get_page("players")
    assert isinstance(page, PlayersPage)
    return window, page


def open_erase_dialog(window: Window, qtbot: QtBot) -> ErasePersonalDataDialog:
    """Open the dialog with the action, and return it."""
    window.get_action("erase-players").trigger()
    dialog = window.findChild(ErasePersonalDataDialog)
    assert dialog is not None
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def get_dialog_text(dialog: ErasePersonalDataDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_erase_dialog_erases_a_player_and_snapshots(
    empty_session: Session, tournament_file: Path, qtbot: QtBot
) -> None:
    window, page = open_players_page(empty_session, tournament_file, qtbot)
    player = PlayerId(page.rows.keys()[1])
    name = empty_session.tournament.players[player].name
    page.view.select_row(player)
    messages: list[str] = []
    empty_session.message_sent.connect(lambda sentence, undo, _tone: messages.append(f"{sentence} {bool(undo)}"))
    dialog = open_erase_dialog(window, qtbot)
    assert dialog.scope.currentText() == name
    assert "not finished" in get_dialog_text(dialog)
    assert len(dialog.rows.keys()) == 1
    press_key(Qt.Key.Key_Tab, Qt.Key.Key_Return)  # from Cancel to the main button
    assert empty_session.tournament.players[player].name == "Player 2"
    assert page.rows.find_row_by_key(player).player.name == "Player 2"
    assert messages == ["Personal data erased: Player 2 · One snapshot deleted False"]
    assert name.encode() not in tournament_file.read_bytes()
    assert empty_session.desk.snapshots is not None
    (snapshot,) = empty_session.desk.snapshots.list_snapshots_newest_first()
    assert (snapshot.reason, snapshot.revision) == (SnapshotReason.TIME, 1)
    assert not window.get_action("undo").isEnabled()
    history = window.pages.get_page("history")
    assert isinstance(history, HistoryPage)
    window.show_page("history")
    assert history.rows.keys() == ("1",)


def test_erase_dialog_enter_cancels(empty_session: Session, tournament_file: Path, qtbot: QtBot) -> None:
    window, page = open_players_page(empty_session, tournament_file, qtbot)
    page.view.select_row(page.rows.keys()[0])
    open_erase_dialog(window, qtbot)
    press_key(Qt.Key.Key_Return)
    assert empty_session.desk.list_all_steps() == ()


def test_erase_dialog_erases_all_after_the_end_and_keeps_snapshots(
    empty_session: Session, tournament_file: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    window, page = open_players_page(empty_session, tournament_file, qtbot)
    usb_folder = tmp_path / "usb"
    usb_folder.mkdir()
    empty_session.backups.second_folder = usb_folder
    empty_session.publishing.set_target_folder("first", tmp_path / "site")
    empty_session.servers.folder.mkdir(exist_ok=True)
    SnapshotFolder(empty_session.servers.folder / "open snapshots").make_snapshot_if_changed(
        empty_session.desk.store, SnapshotReason.NAMED
    )
    empty_session.do(partial(commands.finish_tournament), quiet=True)
    page.view.select_row(page.rows.keys()[0])
    dialog = open_erase_dialog(window, qtbot)
    assert "not finished" not in get_dialog_text(dialog)
    for folder in (usb_folder, tmp_path / "site", empty_session.servers.folder / "open snapshots"):
        assert str(folder) in get_dialog_text(dialog)
    dialog.scope.setFocus()
    press_key(Qt.Key.Key_Down)
    assert dialog.players_to_erase is None
    dialog.delete.setFocus()
    press_key(Qt.Key.Key_Space)
    dialog.yes.setFocus()
    press_key(Qt.Key.Key_Return)
    names = [player.name for player in empty_session.tournament.players.values()]
    assert names == ["Player 1", "Player 2", "Player 3", "Player 4"]
    assert empty_session.desk.snapshots is not None
    assert [item.reason for item in empty_session.desk.snapshots.list_snapshots_newest_first()] == [
        SnapshotReason.TIME,
        SnapshotReason.START,
    ]


def test_erase_dialog_offers_several_selected_players(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    page = window.pages.get_page("players")
    assert isinstance(page, PlayersPage)
    page.view.selectAll()
    dialog = open_erase_dialog(window, qtbot)
    assert dialog.scope.currentText() == "the 24 players selected in the list"
    assert dialog.players_to_erase is not None
    assert len(dialog.players_to_erase) == 24
    assert not dialog.delete.isEnabled()  # a tournament in memory has no snapshots
    dialog.reject()


@pytest.mark.slow
def test_erase_action_is_disabled_for_a_read_only_tournament(
    empty_session: Session, tournament_file: Path, qtbot: QtBot
) -> None:
    empty_session.open_tournament_of_desk(Desk.open(tournament_file, read_only=True))
    window = show_window(empty_session, qtbot, "players")
    assert not window.get_action("erase-players").isEnabled()


def get_saved_drafts(session: Session) -> str:
    """Return the unfinished sheets in the settings as JSON."""
    session.settings.sync()
    stored_settings = QSettings(session.settings.fileName(), QSettings.Format.IniFormat)
    (key,) = [key for key in stored_settings.allKeys() if key.startswith("jury/drafts/")]
    return json.dumps(json.loads(str(stored_settings.value(key))), ensure_ascii=False)


@pytest.mark.slow
def test_erase_personal_data_removes_a_name_from_an_unsaved_sheet(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    store = make_published_store()
    store.copy_to_file(tmp_path / "Open.tdapp")
    store.close()
    window, _page = open_players_page(empty_session, tmp_path / "Open.tdapp", qtbot)
    window.show_page("jury")
    jury = window.pages.get_page("jury")
    assert isinstance(jury, JuryPage)
    game = empty_session.index.games(empty_session.index.rounds(A)[0].id)[0]
    jury.reveal_row(game.id)
    jury.turns.field.setFocus()
    QTest.keyClicks(jury.turns.field, "8D CAT")
    QTest.keyClick(jury.turns.field, Qt.Key.Key_Return)
    name = empty_session.tournament.players[game.first].name
    assert name in get_saved_drafts(empty_session)
    empty_session.erase_personal_data(None, delete_snapshots=True)
    assert name not in get_saved_drafts(empty_session)
    assert "8D CAT" in get_saved_drafts(empty_session)
    assert jury.sheet.draft.entries[0].text == "8D CAT"
    assert name not in jury.sheet.draft.players
