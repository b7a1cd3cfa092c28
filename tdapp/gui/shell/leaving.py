"""The questions before a tournament is left: over half-typed text, and over steps that are not saved yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.page import Host
from tdapp.gui.widgets.theme import UNIT

MOST_NAMED = 8
AGAIN = 50  # ms after which it is asked again whether what is being saved has come back


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
        unsaved = _typed_words(session, field)
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
    """Names what would be lost, to be copied; Cancel has the keys first. It goes when all is saved after all."""

    topic = "stations"

    def __init__(
        self,
        session: Session,
        leave: Callable[[], object],
        *,
        again: Callable[[], object],
        typed: QLineEdit | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`again` is called where nothing is lost any more, `leave` where it may be, with what is `typed`."""
        catalogue = session.catalogue
        title, yes = catalogue.text("Not everything is saved"), catalogue.text("Leave anyway")
        super().__init__(session, title, yes=yes, parent=parent)
        self.resize(UNIT * 64, UNIT * 24)
        self._leave, self._again = leave, again
        unsaved = [one.words for one in session.queue.unsaved]
        count = catalogue.plural("One step waits to be saved.", "{n} steps wait to be saved.", len(unsaved))
        if typed is not None:
            unsaved.append(_typed_words(session, typed))
        named = unsaved[:MOST_NAMED]
        if more := unsaved[MOST_NAMED:]:
            named.append(catalogue.text("{n} more", n=len(more)))
        for said, kind in ((count, "error"), ("\n".join(named), "body"), (self._why(), "muted")):
            self.body.addWidget(fields.label(said, kind, wrap=True))
        copying = partial(QGuiApplication.clipboard().setText, "\n".join(unsaved))
        self.buttons.insertWidget(0, fields.button(catalogue.text("Copy"), copying))
        self.yes.setDefault(False)
        self.no.setDefault(True)
        self.no.setFocus()
        session.saving.connect(self._go_when_saved)
        session.queue_changed.connect(self._go_when_saved)

    def _why(self) -> str:
        queue, text = self.session.queue, self.session.catalogue.text
        if queue.error is None:
            return text("They have not come back from the disk or the server. Whoever leaves now may lose them.")
        if queue.error.code == "server-ended":
            return text("Whoever leaves now loses them. Write down what was entered last, and tell the director.")
        if queue.is_lost:
            return text("Whoever leaves now loses them. They are saved as soon as the connection is back.")
        return text("Whoever leaves now loses them. Save the tournament elsewhere to keep them.")

    def take(self) -> None:
        """Leave the steps, and go."""
        self.accept()
        self.session.queue.forget()
        self._leave()

    def _go_when_saved(self) -> None:
        if self.isVisible() and not self.session.queue.unsaved:
            self.accept()
            self._again()


def _typed_words(session: Session, field: QLineEdit) -> str:
    return session.catalogue.text("{field}: “{typed}”", field=field.accessibleName(), typed=field.text().strip())


def ask_before_leaving(
    host: Host, leave: Callable[[], object], *, again: Callable[[], object], typed: bool = True
) -> bool:
    """Ask before anything is lost, and return whether that is asked.

    `leave` is called where half-typed text may be lost, `again` where steps that are not saved yet may be. Without
    `typed` nobody is asked about half-typed text.
    """
    field = _unsaved_field(host) if typed else None
    queue = host.session.queue
    if queue.unsaved and queue.error is None and not queue.is_late:
        QTimer.singleShot(AGAIN, host.window(), again)
        return True
    if queue.unsaved:
        WaitingDialog(host.session, leave, again=again, typed=field, parent=host.window()).open()
        return True
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
