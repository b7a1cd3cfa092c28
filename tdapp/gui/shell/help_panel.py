"""The help at the right of a page, and in a window of its own where no tournament is open."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from tdapp.gui.shell.help_view import HelpView
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT


class HelpPanel(Panel):
    """The help for a page, beside it."""

    def __init__(self, session: Session, topic: str) -> None:
        super().__init__(session, session.catalogue.text("Help"))
        self.setMinimumWidth(UNIT * 52)
        self.view = HelpView(session, topic)
        self.body.addWidget(self.view)
        self.setFocusProxy(self.view)


class HelpWindow(QDialog):
    """The help in a window that leaves the other one usable."""

    def __init__(self, session: Session, topic: str, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(session.catalogue.text("Help"))
        self.resize(QSize(UNIT * 70, UNIT * 80).boundedTo(self.screen().availableSize()))
        self.view = HelpView(session, topic)
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT * 2)
        column.addWidget(self.view)
        self.view.setFocus()
