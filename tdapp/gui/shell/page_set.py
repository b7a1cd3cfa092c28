"""A window's pages: each made when it is asked for, or one by one as soon as there is nothing else to do.

Hides when that is: the window opens with the page that it shows, and no menu that is open loses its commands; and
how the columns' widths are written in the user's settings.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QApplication

from tdapp.gui.shell.actions import Command
from tdapp.gui.shell.page_list import PLACES
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.table_view import TableView
from tdapp.services.recent import LastPositions, read_mapping

PATIENCE = 100  # ms until it is looked again whether a menu is still open
_WIDEST = 2000  # pixels of a column


class PageSet(QObject):
    """The pages by place, in the order of PLACES."""

    made = Signal(object)  # a Page, new

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.there: Mapping[str, Page] = {}  # those made by now
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._make_next)

    @property
    def is_whole(self) -> bool:
        """Whether all are made."""
        return len(self.there) == len(PLACES)

    def at(self, place: str) -> Page:
        """Return the page of a place, which is made now if it is not there yet."""
        if place not in self.there:
            page = PLACES[place].page()(self._session)
            page.build_header()
            known = {**self.there, page.id: page}
            self.there = {one: known[one] for one in PLACES if one in known}
            self.made.emit(page)
        return self.there[place]

    def make_all(self) -> None:
        """Make all that are not there yet."""
        for place in PLACES:
            self.at(place)

    def make_piecemeal(self) -> None:
        """Make all that are not there yet, in between."""
        self._next.start(0)

    def stop(self) -> None:
        """Make no more in between."""
        self._next.stop()

    def share_keys(self, shown: object) -> None:
        """Let a key that several pages use go to the page that is shown."""
        commands = self.commands()
        users = Counter(keys for command in commands for keys in command.row.shortcuts)
        for command in commands:
            if any(users[keys] > 1 for keys in command.row.shortcuts):
                command.answer_keys(answer=command.parent() is shown)

    def commands(self) -> list[Command]:
        """Return those of all pages made by now."""
        return [command for page in self.there.values() for command in page.commands]

    def _make_next(self) -> None:
        missing = next((place for place in PLACES if place not in self.there), None)
        if missing is not None:
            in_menu = QApplication.activePopupWidget() is not None
            if not in_menu:
                self.at(missing)
            self._next.start(PATIENCE if in_menu else 0)


def widen_columns(settings: QSettings, page: Page) -> None:
    """Give the tables on a page the widths that the user gave their columns."""
    for key, view in _tables(page):
        found = read_mapping(str(settings.value(key, "")))
        view.set_dragged({name: px for name, px in found.items() if type(px) is int and 0 < px < _WIDEST})


def keep_columns(settings: QSettings, page: Page) -> None:
    """Remember the widths that the user gave the columns on a page."""
    for key, view in _tables(page):
        if view.dragged:
            settings.setValue(key, json.dumps(view.dragged))
        else:
            settings.remove(key)


def _tables(page: Page) -> list[tuple[str, TableView]]:
    return [(f"widths/{page.id}-{index}", view) for index, view in enumerate(page.findChildren(TableView))]


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
