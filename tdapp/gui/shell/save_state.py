"""The right end of the bottom bar: who this station is, and whether everything is saved."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stations import may_words
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import label


class Saved(QWidget):
    """Says when was saved last; what waits, and for what; and what this station may do."""

    elsewhere = Signal()  # somewhere else is to be saved

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._station = label()
        self._picture = QLabel()
        self._icon = QLabel()
        self._said = label("", "muted")
        self._save = fields.button(session.catalogue.text("Save elsewhere…"), self.elsewhere.emit, role="link")
        fields.row(self._picture, self._station, -1, self._icon, self._said, self._save, parent=self)

    def text(self) -> str:
        """Return what is said."""
        return self._said.text()

    def refresh(self) -> None:
        """Show how it stands."""
        session = self._session
        icon, tone, said, more = self._state()
        self._icon.setPixmap(self._drawn(icon, tone))
        self._said.setText(said)
        self._said.setToolTip(more or said)
        self._say_loudly(tone)
        self._save.setVisible(session.queue.error is not None and not session.queue.is_lost)
        for one in (self._station, self._picture):
            one.setVisible(session.address is not None)
        if session.address is not None:
            role = session.catalogue.code(session.desk.role)
            own = session.desk.station == session.desk.role.value
            self._station.setText(role if own else f"{session.desk.station} · {role}")
            self._station.setToolTip(may_words(session))
            self._picture.setPixmap(self._drawn("stations", "muted"))

    def _drawn(self, icon: str, tone: str) -> QPixmap:
        return self._session.look.icon(icon, tone).pixmap(QSize(16, 16), self.devicePixelRatioF())

    def _state(self) -> tuple[str, str, str, str]:
        """Return the icon, its tone, what is said, and what is said to who wants to know more."""
        session, words = self._session, self._session.catalogue
        if session.queue.error is not None:
            return self._error(session.queue.error)
        if session.desk.role is Role.DISPLAY:
            return "lock", "amber", words.text("Read only: this is a display"), may_words(session)
        store = session.desk.store
        if store.hindrance == "folder-read-only":
            said = words.text("Read only: the folder cannot be written to")
        else:
            said = words.text("Read only: nothing can be changed")
        if store.hindrance:
            return "lock", "amber", said, words.error(StorageError(store.hindrance, path=str(store.path)))
        if store.read_only:
            return "lock", "amber", said, ""
        return "saved", "green", words.text("All saved {time}", time=_clock(session.saved_at)).strip(), ""

    def _error(self, error: StorageError) -> tuple[str, str, str, str]:
        """Return the same of what keeps steps from being saved."""
        queue, words = self._session.queue, self._session.catalogue
        if error.code == "server-ended":
            said = words.text("The director has stopped sharing")
        elif queue.is_lost:
            said = words.text("No connection since {time}, trying again", time=_clock(queue.since))
        else:
            said = words.text("Not saved")
        waits = words.plural("one step waits", "{n} steps wait", queue.waiting) if queue.waiting else ""
        tone = "amber" if queue.is_lost else "red"
        return "warning", tone, " · ".join(filter(None, (said, waits))), words.error(error)

    def _say_loudly(self, tone: str) -> None:
        """Let trouble be read as such."""
        kind = "error" if tone == "red" else "muted"
        name = "badge" if self._session.queue.is_lost else ""
        if (self._said.property("kind"), self._said.objectName()) != (kind, name):
            self._said.setProperty("kind", kind)
            self._said.setObjectName(name)
            self._said.style().unpolish(self._said)
            self._said.style().polish(self._said)


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S") if at else ""
