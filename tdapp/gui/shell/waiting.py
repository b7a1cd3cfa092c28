"""The question before a tournament is left over steps that could not be saved yet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.theme import UNIT


class WaitingDialog(Dialog):
    """Says what would be lost; Cancel is where the cursor stands."""

    topic = "stations"

    def __init__(self, session: Session, then: Callable[[], object], *, parent: QWidget | None = None) -> None:
        words = session.catalogue
        title, leave = words.text("Not everything is saved"), words.text("Leave anyway")
        super().__init__(session, title, yes=leave, parent=parent)
        self.resize(UNIT * 64, UNIT * 24)
        self._then = then
        queue = session.queue
        steps = words.plural("One step waits to be saved.", "{n} steps wait to be saved.", queue.waiting)
        lost = words.text("Whoever leaves now loses them. They are saved as soon as the connection is back.")
        ended = words.text(
            "Whoever leaves now loses them. Write down what was entered last, and tell the director."
        )
        here = words.text("Whoever leaves now loses them. Save the tournament elsewhere to keep them.")
        self.body.addWidget(fields.label(steps, "error", wrap=True))
        if queue.error is not None and queue.error.code == "server-ended":
            lost = ended
        self.body.addWidget(fields.label(lost if queue.is_lost else here, wrap=True))
        self.yes.setDefault(False)
        self.no.setDefault(True)
        self.no.setFocus()

    def take(self) -> None:
        """Leave the steps, and go."""
        self.session.queue.forget()
        self.accept()
        self._then()
