"""About the program: its versions, and the licence of everything that comes along."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QPlainTextEdit, QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.theme import UNIT
from tdapp.versions import BundledSoftware, parts, versions


class AboutDialog(Dialog):
    """Versions to copy, and a list of parts with the text of each licence."""

    def __init__(self, session: Session, *, parent: QWidget | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("About tdapp"), yes=text("Close"), parent=parent)
        self.no.hide()
        self.resize(UNIT * 110, UNIT * 76)
        found = versions()
        self.versions = "\n".join(f"{name} {version}" for name, version in found.items())
        self.body.addWidget(fields.label(f"tdapp {found['tdapp']}"))
        rest = " · ".join(f"{name} {version}" for name, version in found.items() if name != "tdapp")
        self.body.addWidget(fields.label(rest, "muted", wrap=True))
        self.buttons.insertWidget(0, fields.button(text("Copy the versions"), self.copy))
        licence = text("MIT: see the file LICENSE beside the program.")
        self._parts = (BundledSoftware("tdapp", found["tdapp"], "MIT", licence), *parts(session.resources))
        self.body.addWidget(fields.label(text("What comes along, and its licences"), "lead"))
        self.list = QListWidget()
        self.list.setAccessibleName(text("What comes along"))
        self.list.setFixedWidth(UNIT * 42)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for part in self._parts:
            self.list.addItem(" ".join(filter(None, (part.name, part.version, f"({part.licence})"))))
        self.licence = QPlainTextEdit()
        self.licence.setReadOnly(True)
        self.licence.setTabChangesFocus(True)
        self.licence.setAccessibleName(text("Licence"))
        self.list.currentRowChanged.connect(self._show)
        self.body.addLayout(fields.row(self.list, self.licence, wide=self.licence), 1)
        self.list.setCurrentRow(0)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def copy(self) -> None:
        """Put the versions on the clipboard."""
        QGuiApplication.clipboard().setText(self.versions)

    def _show(self, row: int) -> None:
        self.licence.setPlainText(self._parts[row].text)
