"""A window's pages: each made when it is asked for, or one by one as soon as there is nothing else to do.

Hides when that is: the window opens with the page that it shows, and no menu that is open loses its commands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from tdapp.gui.shell.actions import Command
from tdapp.gui.shell.page_list import PLACES
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Page

PATIENCE = 100  # ms until it is looked again whether a menu is still open


class PageSet(QObject):
    """The pages by place, in the order of PLACES."""

    made = Signal(object)  # a Page, new

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._there: dict[str, Page] = {}
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._make_next)

    @property
    def there(self) -> Mapping[str, Page]:
        """Those made by now."""
        return self._there

    @property
    def is_whole(self) -> bool:
        """Whether all are made."""
        return len(self._there) == len(PLACES)

    def at(self, place: str) -> Page:
        """Return the page of a place, which is made now if it is not there yet."""
        if place not in self._there:
            page = PLACES[place].page()(self._session)
            page.build_header()
            known = {**self._there, page.id: page}
            self._there = {one: known[one] for one in PLACES if one in known}
            self.made.emit(page)
        return self._there[place]

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
        users = Counter(keys for command in self._commands() for keys in command.row.shortcuts)
        for page in self._there.values():
            for command in page.commands:
                if any(users[keys] > 1 for keys in command.row.shortcuts):
                    command.answer_keys(answer=page is shown)

    def _commands(self) -> Iterator[Command]:
        for page in self._there.values():
            yield from page.commands

    def _make_next(self) -> None:
        missing = next((place for place in PLACES if place not in self._there), None)
        if missing is not None:
            in_menu = QApplication.activePopupWidget() is not None
            if not in_menu:
                self.at(missing)
            self._next.start(PATIENCE if in_menu else 0)
