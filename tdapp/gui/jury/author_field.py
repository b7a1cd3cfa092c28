"""The field for today's jury member."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tdapp.gui.shell.jury_member import author_today, last_author, set_author
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, LineEdit
from tdapp.gui.widgets.theme import UNIT, scaled
from tdapp.i18n.jury_preview import is_name

_WIDTH = UNIT * 24


class AuthorField(QWidget):
    """`named` carries the previous name. `refused`: invalid. `left`: Esc was pressed."""

    named = Signal(str)
    refused = Signal()
    left = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self.name = LineEdit(text("Jury today"), placeholder=text("Your name"))
        self.name.setMaximumWidth(scaled(_WIDTH))
        self.name.setToolTip(text("Signs the rulings and checks made here. Change it at any time."))
        label = fields.label(text("Jury today"))
        label.setBuddy(self.name)
        fields.row(label, self.name, parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.name.installEventFilter(self)
        self.name.editingFinished.connect(self._leave_field)
        self.name.textEdited.connect(lambda: self.name.mark(wrong=False))

    @property
    def wrong(self) -> bool:
        """Whether the name is invalid."""
        return self.name.property("wrong") is True

    def show_name(self) -> None:
        """Do not replace a name that is being typed."""
        if not self.name.isModified():
            self.name.setText(author_today(self._session))
            self.name.setModified(False)

    def ask(self) -> None:
        """Propose the last name."""
        self.name.setText(last_author(self._session))
        self.name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.name.selectAll()

    def drop(self) -> None:
        self.name.mark(wrong=False)
        self.name.setModified(False)
        self.show_name()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.drop()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Ctrl+Enter enter the name, not run the page's next step."""
        if not isinstance(event, QKeyEvent) or event.key() not in ENTER:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            self._accept_name()
            return True
        return super().eventFilter(watched, event)

    def _leave_field(self) -> None:
        if self.name.isModified() and not self.name.hasFocus():
            self._save_name()

    def _accept_name(self) -> None:
        if not self._save_name():
            self.name.selectAll()

    def _save_name(self) -> bool:
        name, before = self.name.text().strip(), author_today(self._session)
        if not is_name(self._session.catalogue, name):
            self.name.mark(wrong=True)
            self.refused.emit()
            return False
        set_author(self._session, name)
        self.drop()
        self.named.emit(before)
        return True
