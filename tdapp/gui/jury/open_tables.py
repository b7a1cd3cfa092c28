"""Who has which table open, among several stations at one tournament."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tdapp.gui.shell.session import Session, if_there
from tdapp.storage.presence import OpenElsewhere, open_tables

_EVERY = 2_000  # ms


class OpenTables(QObject):
    """Tells the other stations which game is open here, and hears theirs, while it is `watching`.

    `changed`: others have others open.
    """

    changed = Signal()

    def __init__(self, session: Session, page: QWidget) -> None:
        super().__init__(page)
        self._session, self._page = session, page
        self._mine = ""
        self.others: OpenElsewhere = {}
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._exchange)

    def watch(self, *, watching: bool) -> None:
        """Begin or end to tell and to hear; at the end nothing is open here."""
        shared = self._session.is_open and self._session.address is not None
        if watching and shared:
            self._timer.start()
        elif self._timer.isActive():
            self._timer.stop()
            self._mine = ""
            if shared:
                self._exchange()

    def tell(self, game: str) -> None:
        """Say which game is open here, or proposed; empty: none."""
        if game != self._mine and self._timer.isActive():
            self._mine = game
            self._exchange()

    def taken(self) -> tuple[str, ...]:
        """Return the games that are others'; of two stations at one game the one that goes before keeps it."""
        return tuple(game for game, (_, before) in self.others.items() if game != self._mine or before)

    def holder(self, game: str) -> str:
        """Return which station has a game open, empty for none."""
        return self.others[game][0] if game in self.others else ""

    def _exchange(self) -> None:
        if self._session.is_open and self._session.address is not None:
            call = partial(open_tables, self._session.desk.store, self._mine)
            self._session.ask(call, then=if_there(self._page, self._heard), failed=lambda _error: None)

    def _heard(self, others: OpenElsewhere) -> None:
        if others != self.others:
            self.others = others
            self.changed.emit()
