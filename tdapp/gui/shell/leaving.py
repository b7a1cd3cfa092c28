"""The one question before something half-typed is left: keep typing, or leave anyway."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
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
        begun = text("{field}: “{typed}”", field=field.accessibleName(), typed=field.text().strip())
        saved = text("It is lost when you leave now. Everything entered before is saved.")
        for said, kind in ((begun, "body"), (saved, "muted")):
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
