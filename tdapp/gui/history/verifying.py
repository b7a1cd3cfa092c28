"""The dialog in which heads are typed from printouts; it says whether the tournament continues from them."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from tdapp.domain.verification import Verification
from tdapp.gui.shell.session import Session, if_there
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import LineEdit
from tdapp.i18n.phrases import verification_lines
from tdapp.services.worker import expected


class VerifyDialog(Dialog):
    """Takes one head after the other; what was found is told of all of them."""

    topic = "history"

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Verify a printout"), yes=text("Verify"), parent=parent, size=(80, 48))
        self.no.setText(text("Close"))
        self._heads: list[str] = []
        self.head = LineEdit(text("Head of a printout"), placeholder="24 · ABCD EFGH JKMN PQRS")
        what = text(
            "Type what is at the foot of a printed page before the number of the page, with spaces or without. "
            "With several printouts you learn up to which step the file agrees with them."
        )
        self.found = fields.label("", "", wrap=True)
        fields.fill(self.body, [fields.label(what, "muted", wrap=True), self.head, self.found, 1], self.found)
        self.head.setFocus()
        self._verify()

    def take(self) -> None:
        """Look for what is typed too."""
        self._verify(*filter(None, [self.head.text().strip()]))

    def _verify(self, *more: str) -> None:
        heads = [*self._heads, *more]
        then, failed = if_there(self, partial(self._show, heads)), if_there(self, self._failed)
        self.session.ask(partial(self.session.desk.verify, heads), then=then, failed=failed)

    def _show(self, heads: list[str], found: Verification) -> None:
        self._heads = heads
        self.found.setText("\n".join(verification_lines(found, self.session.catalogue)))
        self.head.clear()
        self.refuse("")

    def _failed(self, error: Exception) -> None:
        self.refuse(self.session.catalogue.error(expected(error)), self.head)
