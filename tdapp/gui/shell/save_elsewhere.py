"""What is said where the file can be written no longer, and the way on: to another place, or once more."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from tdapp.domain.errors import StorageError
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.theme import UNIT


class ElsewhereDialog(Dialog):
    """Saves the tournament to another file, with all its steps and those that wait."""

    topic = "trouble"

    def __init__(self, session: Session, error: StorageError, *, parent: QWidget | None = None) -> None:
        words = session.catalogue
        title = words.text("The tournament cannot be saved where it was")
        super().__init__(session, title, yes=words.text("Save elsewhere…"), parent=parent)
        self.resize(UNIT * 72, UNIT * 30)
        waiting = session.queue.waiting
        steps = words.plural("One step waits to be saved.", "{n} steps wait to be saved.", waiting)
        way = words.text("Save the tournament elsewhere, with everything until now, and go on there.")
        mend = words.text("Or put it right, a stick that was pulled out or a full disk, and try again.")
        for said, kind in (
            (words.error(error), "error"),
            (steps if waiting else "", "lead"),
            (way, ""),
            (mend, "muted"),
        ):
            if said:
                self.body.addWidget(fields.label(said, kind, wrap=True))
        self.again = fields.button(words.text("Try again"), self._again)
        self.buttons.insertWidget(1, self.again)
        self.no.setText(words.text("Later"))

    def take(self) -> None:
        """Ask for the new file."""
        text = self.session.catalogue.text
        name, _ = QFileDialog.getSaveFileName(
            self, text("Save elsewhere"), self._proposed(), text("Tournaments (*.tdapp)")
        )
        if name:
            self.take_to(Path(name))

    def take_to(self, target: Path) -> None:
        """Save there and go on there."""
        self.accept()
        self.session.save_elsewhere(target)

    def _proposed(self) -> str:
        name = self.session.path.name if self.session.path is not None else "tournament.tdapp"
        return str(Path.home() / name)

    def _again(self) -> None:
        self.accept()
        self.session.queue.retry()
