"""The welcome page: a new tournament, one that is there, or a look around."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

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
        self._recent = QVBoxLayout()
        self._recent.setSpacing(UNIT // 2)
        self._recent_title = fields.label(text("Opened before"), "lead")
        column = QVBoxLayout()
        column.setSpacing(UNIT)
        fields.fill(
            column,
            [
                2,
                fields.label(text("Welcome to tdapp"), "title"),
                fields.label(text("Run a Scrabble tournament from the first name to the last standings."), "body"),
                -3,
                self._choices(join),
                -3,
                self._recent_title,
                self._recent,
                3,
            ],
        )
        middle = QWidget()
        middle.setLayout(column)
        middle.setMaximumWidth(UNIT * 120)
        line = fields.row(1, middle, 1, parent=self)
        line.setStretch(1, 6)
        self.refresh()

    def refresh(self) -> None:
        """List what was opened before."""
        fields.clear(self._recent)
        recent = self._session.recent.places()[:5]
        self._recent_title.setVisible(bool(recent))
        for path in recent:
            made = fields.button(path.stem, partial(self._files.open_path, path), role="link")
            made.setToolTip(str(path))
            line = QWidget()
            fields.row(made, fields.label(self._where(path), "muted"), 1, parent=line)
            self._recent.addWidget(line)

    def _where(self, place: Path | Address) -> str:
        """Return where a tournament is, as far as it matters to people."""
        if isinstance(place, Path):
            return str(place.parent)
        here = self._session.catalogue.text("Shared from this computer.")
        return here if "?host=" in str(place) else str(place)

    def _choices(self, join: Callable[[], object]) -> QWidget:
        text = self._session.catalogue.text
        made = QWidget()
        choices = (
            ("new", text("New tournament"), text("Name, rules and divisions in three steps."), text("Begin")),
            ("open", text("Open"), text("Go on where you stopped."), text("Choose a file…")),
            ("join", text("Join"), text("Take part in a tournament that another computer shares."), text("Join…")),
            (
                "demo",
                text("Look around"),
                text("A sample tournament with a guided tour, in memory only."),
                text("Show it"),
            ),
        )
        runs: tuple[Callable[[], object], ...] = (
            self._files.new,
            self._files.open,
            join,
            partial(open_demo, self._session),
        )
        cards = [Offer(self._session, words, run) for words, run in zip(choices, runs, strict=True)]
        line = fields.row(*cards, gap=UNIT * 2, parent=made)
        for place in range(len(cards)):
            line.setStretch(place, 1)
        cards[0].button.setProperty("role", "primary")
        return made


class Offer(QFrame):
    """One way to begin: a picture, what it brings, and its button."""

    def __init__(self, session: Session, words: tuple[str, str, str, str], run: Callable[[], object]) -> None:
        """`words` are the icon's name, the title, what it brings, and the button's text."""
        super().__init__()
        self._look = session.look
        self._icon, title, brings, does = words
        self.setObjectName("card")
        self._picture = QLabel()
        self.button: QPushButton = fields.button(does, run)
        self.button.setMinimumHeight(UNIT * 5)
        self.button.setAccessibleName(f"{title}: {does}")
        self.button.setAccessibleDescription(brings)
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT * 2)
        column.setSpacing(UNIT)
        said = fields.label(brings, "muted", wrap=True)
        said.setMinimumHeight(UNIT * 5)
        said.setAlignment(Qt.AlignmentFlag.AlignTop)
        fields.fill(column, [self._picture, fields.label(title, "lead"), said, -1, 1, self.button])
        session.look.changed.connect(self._tint)
        self._tint()

    def _tint(self) -> None:
        self._picture.setPixmap(
            self._look.icon(self._icon, "accent").pixmap(QSize(20, 20), self.devicePixelRatioF())
        )
