"""Tests of player photos: actions, the player card, and a folder of photos."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.photos import decode_jpeg_or_empty
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.players.photos import PhotoFolderDialog
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tests.gui.samples import A
from tests.gui.windows import answer_file_dialogs, show_window
from tests.services.test_photos import make_picture


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot, "players")


@pytest.fixture
def page(window: Window) -> PlayersPage:
    page = window.page
    assert isinstance(page, PlayersPage)
    return page


def write_photo_file(path: Path, colour: str = "red") -> Path:
    path.write_bytes(make_picture(colour))
    return path


def test_photo_actions_add_replace_and_remove_a_photo(
    full_session: Session, page: PlayersPage, tmp_path: Path
) -> None:
    player = full_session.index.players(A)[2].id
    page.view.select_row(player)
    assert not page.get_action("remove-photo").isEnabled()
    photo_contents = []
    for colour in ("red", "blue"):
        with answer_file_dialogs(write_photo_file(tmp_path / "x.jpg", colour)):
            page.get_action("photo").trigger()
        photo_contents.append(full_session.tournament.photos[player].data)
    assert all(map(decode_jpeg_or_empty, photo_contents))
    assert photo_contents[0] != photo_contents[1]
    page.get_action("remove-photo").trigger()
    assert not full_session.tournament.photos
    full_session.undo()
    assert full_session.tournament.photos[player].data == photo_contents[1]


@pytest.mark.slow
def test_photo_action_adds_a_photo_in_a_finished_tournament(
    full_session: Session, page: PlayersPage, tmp_path: Path
) -> None:
    full_session.do(partial(commands.finish_tournament))
    player = full_session.index.players(A)[0].id
    page.view.select_row(player)
    with answer_file_dialogs(write_photo_file(tmp_path / "x.jpg")):
        page.get_action("photo").trigger()
    assert set(full_session.tournament.photos) == {player}


def test_card_panel_accepts_and_shows_a_dropped_photo(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    player = full_session.index.players(A)[1].id
    card = PlayerCardPanel(full_session, player)
    qtbot.addWidget(card)
    card.refresh_panel()
    assert card.photo.isHidden()
    mime_data = QMimeData()
    mime_data.setUrls([QUrl.fromLocalFile(str(write_photo_file(tmp_path / "x.png")))])
    buttons, keys, action = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    drag_event = QDragEnterEvent(QPointF(5, 5).toPoint(), action, mime_data, buttons, keys)
    QApplication.sendEvent(card, drag_event)
    assert drag_event.isAccepted()
    QApplication.sendEvent(card, QDropEvent(QPointF(5, 5), action, mime_data, buttons, keys))
    card.refresh_panel()
    assert not card.photo.isHidden()
    assert card.photo.pixmap().height() > 0
    assert card.photo.accessibleName() == f"Photo of {full_session.tournament.players[player].name}"


def test_photo_folder_dialog_lists_unmatched_files_before_adding(
    full_session: Session, window: Window, page: PlayersPage, tmp_path: Path
) -> None:
    for name in ("1.jpg", "2.png", "Somebody.jpg"):
        write_photo_file(tmp_path / name)
    with answer_file_dialogs(tmp_path):
        page.get_action("photo-folder").trigger()
    (dialog,) = window.findChildren(PhotoFolderDialog)
    report_lines = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Somebody.jpg: no player has this number, member number or name." in report_lines
    assert dialog.yes.text() == "Add 2 photos"
    assert not full_session.tournament.photos
    dialog.confirm_dialog()
    assert set(full_session.tournament.photos) == {player.id for player in full_session.index.players(A)[:2]}


@pytest.mark.slow
def test_photo_folder_dialog_adds_nothing_from_an_empty_folder(
    full_session: Session, window: Window, page: PlayersPage, tmp_path: Path
) -> None:
    with answer_file_dialogs(tmp_path):
        page.get_action("photo-folder").trigger()
    (dialog,) = window.findChildren(PhotoFolderDialog)
    dialog.confirm_dialog()
    assert not full_session.tournament.photos
