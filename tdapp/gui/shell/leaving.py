"""The questions before a tournament is left: over half-typed text, and over steps that are not saved yet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.page import Host
from tdapp.gui.widgets.theme import UNIT


class LeavingDialog(Dialog):
    """Names the field and what stands in it; Enter and Esc go back to it."""

    topic = "trouble"

    def __init__(
        self, session: Session, field: QLineEdit, leave: Callable[[], object], *, parent: QWidget | None = None
    ) -> None:
        """`leave` is called where the user wants to leave anyway."""
        text = session.catalogue.text
        super().__init__(session, text("Something is not entered yet"), yes=text("Keep typing"), parent=parent)
        self._field = field
        self._leave = leave
        self.resize(UNIT * 52, UNIT * 20)
        unsaved = text("{field}: “{typed}”", field=field.accessibleName(), typed=field.text().strip())
        saved = text("It is lost when you leave now. Everything entered before is saved.")
        for said, kind in ((unsaved, "body"), (saved, "muted")):
            self.body.addWidget(fields.label(said, kind, wrap=True))
        self.no.setText(text("Leave anyway"))
        self.no.clicked.disconnect()
        self.no.clicked.connect(self._go)
        self.finished.connect(self._back)

    def _go(self) -> None:
        self.finished.disconnect(self._back)
        self.accept()
        self._leave()

    def _back(self) -> None:
        if isValid(self._field):
            self._field.setFocus()


class WaitingDialog(Dialog):
    """Shows what would be lost; Cancel has the keys first."""

    topic = "stations"

    def __init__(self, session: Session, then: Callable[[], object], *, parent: QWidget | None = None) -> None:
        catalogue = session.catalogue
        title, leave = catalogue.text("Not everything is saved"), catalogue.text("Leave anyway")
        super().__init__(session, title, yes=leave, parent=parent)
        self.resize(UNIT * 64, UNIT * 24)
        self._then = then
        queue = session.queue
        steps = catalogue.plural("One step waits to be saved.", "{n} steps wait to be saved.", queue.waiting)
        lost = catalogue.text("Whoever leaves now loses them. They are saved as soon as the connection is back.")
        ended = catalogue.text(
            "Whoever leaves now loses them. Write down what was entered last, and tell the director."
        )
        here = catalogue.text("Whoever leaves now loses them. Save the tournament elsewhere to keep them.")
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


def ask_before_leaving(
    host: Host, leave: Callable[[], object], *, again: Callable[[], object], typed: bool = True
) -> bool:
    """Ask before anything is lost, and return whether that is asked.

    `leave` is called where half-typed text may be lost, `again` where steps that are not saved yet may be. Without
    `typed` nobody is asked about half-typed text.
    """
    if host.session.queue.waiting:
        WaitingDialog(host.session, again, parent=host.window()).open()
        return True
    field = _unsaved_field(host) if typed else None
    if field is not None:
        LeavingDialog(host.session, field, leave, parent=host.window()).open()
    return field is not None


def _unsaved_field(host: Host) -> LineEdit | None:
    """Return a field whose text would be lost; one that hands its text over by itself does so now."""
    focused: QWidget | None = host.window().focusWidget()
    if focused is not None:
        focused.clearFocus()
    if not host.session.is_open:
        return None
    parts = [part for part in (host.panel, host.page) if part is not None]
    found = next(filter(None, (part.begun() for part in parts)), None)
    if found is None and focused is not None and isValid(focused):
        focused.setFocus()
    return found
