"""What every dialog is made of: a heading, a body, and its buttons at the bottom right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from tdapp.gui import fields
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT


class Dialog(QDialog):
    """A dialog that is deleted when it closes; open it with `open`, which does not stop the program."""

    def __init__(self, session: Session, title: str, *, yes: str, parent: QWidget | None = None) -> None:
        """`yes` is the text of the main button, which calls `take`."""
        super().__init__(parent)
        self.session = session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(title)
        self.heading = fields.label(title, "head", wrap=True)
        self.body = QVBoxLayout()
        self.body.setSpacing(UNIT)
        self.yes: QPushButton = fields.button(yes, self.take, role="primary")
        self.yes.setDefault(True)
        self.no: QPushButton = fields.button(session.catalogue.text("Cancel"), self.reject)
        self.buttons = fields.row(1, self.no, self.yes)
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT * 3, UNIT * 3, UNIT * 3, UNIT * 3)
        column.setSpacing(UNIT * 2)
        column.addWidget(self.heading)
        column.addLayout(self.body, 1)
        column.addLayout(self.buttons)

    def take(self) -> None:
        """Do what the main button says."""
        self.accept()
