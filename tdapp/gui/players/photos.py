"""Photos of players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.domain.photos import decode_jpeg_or_empty
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.exchange.text import read_file
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.dialog import Dialog, ask_existing_file, ask_folder
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.services.photos import PhotosFromFolder, read_photo_folder

_SUFFIXES = (".jpg", ".jpeg", ".png")
_PHOTO_SIZE = UNIT * 10


class PhotoLabel(QLabel):
    """The photo of a player, hidden for a player without a photo."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.hide()

    def show_photo_or_hide(self, player: PlayerId) -> None:
        value, picture = self._session.tournament, QPixmap()
        row = value.photos.get(player)
        is_loaded = row is not None and picture.loadFromData(decode_jpeg_or_empty(row.data))
        self.setVisible(is_loaded)
        if is_loaded:
            ratio, side = self.devicePixelRatioF(), scale_pixels(_PHOTO_SIZE)
            size = picture.size().scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio) * ratio
            picture = picture.scaled(size, mode=Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(ratio)
            self.setPixmap(picture)
            self.setAccessibleName(
                self._session.catalogue.text("Photo of {player}", player=value.players[player].name)
            )


class PhotoFolderDialog(Dialog):
    """Tells which files of a folder cannot be used, and adds the other photos."""

    topic = "players"

    def __init__(
        self, session: Session, folder_photos: PhotosFromFolder, *, parent: QWidget | None = None
    ) -> None:
        catalogue, count = session.catalogue, len(folder_photos.photos)
        add = catalogue.plural("Add one photo", "Add {n} photos", count) if count else ""
        super().__init__(session, catalogue.text("Photos from a folder"), yes=add, parent=parent, size=(70, 0))
        self._folder_photos = folder_photos
        message = catalogue.text(
            "No photo in this folder matches a player. Name each file after the player’s number, member "
            "number or name."
        )
        self.add_labels(*([] if count else [(message, "error")]), *((line, "") for line in folder_photos.left_out))

    def confirm_dialog(self) -> None:
        if self._folder_photos.photos:
            self.session.do(partial(commands.set_photos, photos=self._folder_photos.photos))
        self.accept()


class PhotoActions:
    """Actions on the photos of the selected players. They also work in a finished tournament."""

    def __init__(self, window: QWidget, session: Session, list_chosen: Callable[[], Sequence[PlayerId]]) -> None:
        self._window, self._session, self._list_chosen = window, session, list_chosen

    def can_edit_photos(self) -> bool:
        return self._session.division is not None and not self._session.is_read_only_or_not_director

    def can_choose_photo(self) -> bool:
        return self.can_edit_photos() and len(self._list_chosen()) == 1

    def can_remove_photos(self) -> bool:
        return self.can_edit_photos() and bool(self._list_players_with_photos())

    def choose_photo_file(self) -> None:
        (player,) = self._list_chosen()
        session = self._session
        endings = " ".join(f"*{suffix}" for suffix in _SUFFIXES)
        pattern = session.catalogue.text("Pictures ({endings})", endings=endings)
        title = session.catalogue.text(
            "Photo of {player}", player=map_players_with_distinct_names(session.index)[player].name
        )
        if path := ask_existing_file(self._window, session, title, pattern):
            add_photo_file(session, player, path)

    def choose_photo_folder(self) -> None:
        title = self._session.catalogue.text("Photos from a folder")
        if path := ask_folder(self._window, self._session, title):
            preview_photo_folder(self._window, self._session, path)

    def remove_photos(self) -> None:
        self._session.do(partial(commands.remove_photos, players=tuple(self._list_players_with_photos())))

    def _list_players_with_photos(self) -> list[PlayerId]:
        return [player for player in self._list_chosen() if player in self._session.tournament.photos]


def add_photo_file(session: Session, player: PlayerId, path: Path) -> None:
    from tdapp.reports.logo import convert_photo_to_base64  # noqa: PLC0415 - the window opens without it

    session.run_in_background(
        lambda: convert_photo_to_base64(read_file(path), path.name),
        on_success=lambda data: session.do(partial(commands.set_photos, photos=((player, data),))),
        label=session.catalogue.text("Reading {name}", name=path.name),
    )


def preview_photo_folder(parent: QWidget, session: Session, folder: Path) -> None:
    division = session.division
    if division is not None:
        session.run_in_background(
            partial(read_photo_folder, session.index, division.id, folder, session.catalogue),
            on_success=lambda photos: PhotoFolderDialog(session, photos, parent=parent).open(),
            label=session.catalogue.text("Reading {name}", name=folder.name),
        )


def find_dropped_photo(event: QDropEvent) -> Path | None:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls()]
    return next((path for path in paths if path.suffix.lower() in _SUFFIXES), None)
