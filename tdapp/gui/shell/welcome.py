"""The welcome page: a new tournament, one that is there, or a look around."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from tdapp.gui.shell.file_actions import FileActions
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT
from tdapp.services.demo import open_demo
from tdapp.storage import Address


class WelcomePage(QWidget):
    """What is seen before a tournament is open."""

    def __init__(self, session: Session, files: FileActions, join: Callable[[], object]) -> None:
        super().__init__()
        self._session = session
        self._files = files
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        text = session.catalogue.text
        self._recent = fields.column(gap=UNIT // 2)
        self._recent_title = fields.label(text("Opened before"), "lead")
        title = fields.label(text("Welcome to tdapp"), "title")
        lead = fields.label(text("Run a Scrabble tournament from the first name to the last standings."), "body")
        recent = (self._recent_title, self._recent)
        middle = fields.boxed(fields.column(2, title, lead, -3, self._choices(join), -3, *recent, 3))
        middle.setMaximumWidth(UNIT * 120)
        fields.row(1, middle, 1, parent=self).setStretch(1, 6)
        self.refresh()

    def refresh(self) -> None:
        """List what was opened before."""
        fields.clear(self._recent)
        recent = self._session.recent.places()[:5]
        self._recent_title.setVisible(bool(recent))
        for path in recent:
            made = fields.button(path.stem, partial(self._files.open_path, path), role="link")
            made.setToolTip(str(path))
            line = fields.row(made, fields.label(self._where(path), "muted"), 1)
            self._recent.addWidget(fields.boxed(line))

    def _where(self, place: Path | Address) -> str:
        """Return where a tournament is, as far as it matters to people."""
        if isinstance(place, Path):
            return str(place.parent)
        here = self._session.catalogue.text("Shared from this computer.")
        return here if "?host=" in str(place) else str(place)

    def _choices(self, join: Callable[[], object]) -> QWidget:
        session, text, demo = self._session, self._session.catalogue.text, partial(open_demo, self._session)
        new, file = text("Name, rules and divisions in three steps."), text("Go on where you stopped.")
        other = text("Take part in a tournament that another computer shares.")
        sample = text("A sample tournament with a guided tour, in memory only.")
        cards = (
            Offer(session, "new", text("New tournament"), new, text("Begin"), self._files.new),
            Offer(session, "open", text("Open"), file, text("Choose a file…"), self._files.open),
            Offer(session, "join", text("Join"), other, text("Join…"), join),
            Offer(session, "demo", text("Look around"), sample, text("Show it"), demo),
        )
        cards[0].button.setProperty("role", "primary")
        line = fields.row(gap=UNIT * 2)
        for card in cards:
            line.addWidget(card, 1)
        return fields.boxed(line)


class Offer(QFrame):
    """One way to begin: a picture, what it brings, and its button."""

    def __init__(
        self, session: Session, icon: str, title: str, brings: str, does: str, run: Callable[[], object]
    ) -> None:
        """Take `does` as the button's text and `run` as what it does."""
        super().__init__()
        self._look, self._icon = session.look, icon
        self.setObjectName("card")
        self._picture = QLabel()
        self.button: QPushButton = fields.button(does, run)
        self.button.setMinimumHeight(UNIT * 5)
        self.button.setAccessibleName(f"{title}: {does}")
        self.button.setAccessibleDescription(brings)
        note = fields.label(brings, "muted", wrap=True)
        note.setMinimumHeight(UNIT * 5)
        note.setAlignment(Qt.AlignmentFlag.AlignTop)
        parts = (self._picture, fields.label(title, "lead"), note, -1, 1, self.button)
        fields.column(*parts, around=(UNIT * 2,) * 4, parent=self)
        session.look.changed.connect(self._tint)
        self._tint()

    def _tint(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "accent", 20, self))
