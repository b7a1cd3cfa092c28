"""Photos of players: the picture on the card, and the dialogs to add photos."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.domain.photos import decode_photo
from tdapp.exchange.text import read_file
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.dialog import Dialog, ask_file, ask_folder
from tdapp.gui.widgets.theme import UNIT, scaled
from tdapp.reports.logo import read_photo
from tdapp.services.photos import PhotoFolder, read_folder

_SUFFIXES = (".jpg", ".jpeg", ".png")
_SIDE = UNIT * 10


class PhotoLabel(QLabel):
    """The photo of a player. Hidden for a player without a photo."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.hide()

    def show_player(self, player: PlayerId) -> None:
        value, picture = self._session.tournament, QPixmap()
        row = value.photos.get(player)
        found = row is not None and picture.loadFromData(decode_photo(row.data))
        self.setVisible(found)
        if found:
            ratio, side = self.devicePixelRatioF(), scaled(_SIDE)
            size = picture.size().scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio) * ratio
            picture = picture.scaled(size, mode=Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(ratio)
            self.setPixmap(picture)
            self.setAccessibleName(
                self._session.catalogue.text("Photo of {player}", player=value.players[player].name)
            )


class PhotoFolderDialog(Dialog):
    """Names the unused files of a folder, and adds the photos."""

    topic = "players"

    def __init__(self, session: Session, found: PhotoFolder, *, parent: QWidget | None = None) -> None:
        catalogue, count = session.catalogue, len(found.photos)
        add = catalogue.plural("Add one photo", "Add {n} photos", count) if count else ""
        super().__init__(session, catalogue.text("Photos from a folder"), yes=add, parent=parent, size=(70, 0))
        self._found = found
        message = catalogue.text(
            "No player’s photo is in this folder. Name the files by number, member number or name."
        )
        self.add_texts(*([] if count else [(message, "error")]), *((line, "") for line in found.left_out))

    def confirm_dialog(self) -> None:
        if self._found.photos:
            self.session.do(partial(commands.set_photos, photos=self._found.photos))
        self.accept()


def ask_photo(parent: QWidget, session: Session, player: PlayerId) -> None:
    pattern = session.catalogue.text("Pictures ({endings})", endings=" ".join(f"*{one}" for one in _SUFFIXES))
    title = session.catalogue.text("Photo of {player}", player=session.tournament.players[player].name)
    if path := ask_file(parent, session, title, pattern):
        load_photo(session, player, path)


def load_photo(session: Session, player: PlayerId, path: Path) -> None:
    session.run_in_background(
        lambda: read_photo(read_file(path), path.name),
        then=lambda data: session.do(partial(commands.set_photos, photos=((player, data),))),
        label=session.catalogue.text("Reading {name}", name=path.name),
    )


def ask_photo_folder(parent: QWidget, session: Session) -> None:
    if path := ask_folder(parent, session, session.catalogue.text("Photos from a folder")):
        load_photo_folder(parent, session, path)


def load_photo_folder(parent: QWidget, session: Session, folder: Path) -> None:
    division = session.division
    if division is not None:
        session.run_in_background(
            partial(read_folder, session.index, division.id, folder, session.catalogue),
            then=lambda found: PhotoFolderDialog(session, found, parent=parent).open(),
            label=session.catalogue.text("Reading {name}", name=folder.name),
        )


def find_dropped_photo(event: QDropEvent) -> Path | None:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls()]
    return next((path for path in paths if path.suffix.lower() in _SUFFIXES), None)
