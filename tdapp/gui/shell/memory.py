"""What the window remembers from one time to the next: its geometry, the columns' widths, the page.

Hides how it is written in the user's settings.
"""

from __future__ import annotations

import json

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from tdapp.gui.shell.page_list import PLACES
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.recent import LastPositions, read_mapping

_WIDEST = 2000  # pixels of a column


class Memory:
    """Keeps and recalls, in the user's settings."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def geometry(self) -> QByteArray:
        """Return where the window was, empty where that is not known."""
        found = self._settings.value("geometry")
        return found if isinstance(found, QByteArray) else QByteArray()

    def keep_geometry(self, geometry: QByteArray) -> None:
        """Remember where the window is."""
        self._settings.setValue("geometry", geometry)

    def widen(self, page: str, whole: QWidget) -> None:
        """Give the tables on a page the widths that the user gave their columns."""
        for key, view in self._tables(page, whole):
            found = read_mapping(str(self._settings.value(key, "")))
            view.set_dragged({name: px for name, px in found.items() if type(px) is int and 0 < px < _WIDEST})

    def keep_widths(self, page: str, whole: QWidget) -> None:
        """Remember the widths that the user gave the columns on a page."""
        for key, view in self._tables(page, whole):
            if view.dragged:
                self._settings.setValue(key, json.dumps(dict(view.dragged)))
            else:
                self._settings.remove(key)

    def _tables(self, page: str, whole: QWidget) -> list[tuple[str, TableView]]:
        return [(f"widths/{page}-{index}", view) for index, view in enumerate(whole.findChildren(TableView))]


def restored(session: Session, positions: LastPositions) -> str:
    """Choose the division and the round where the tournament was left, and return the page."""
    page = positions.recall(session)
    return page if page in PLACES and PLACES[page].offered(session) else first_place(session)


def first_place(session: Session) -> str:
    """Return the page on which a tournament is opened the first time."""
    division = session.division
    if division is None:
        return "tournament"
    return "rounds" if session.index.rounds(division.id) else "players"
