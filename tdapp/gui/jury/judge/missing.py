"""What stands in place of the judge screen while there is no word list to ask."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.services import word_lists


class MissingListPanel(Panel):
    """Says why the judge screen does not open; `lists` when the director wants to choose a list."""

    lists = Signal()

    def __init__(self, session: Session) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Judge screen"))
        self._why = fields.label(wrap=True)
        use = text(
            "At the judge screen players type the words they challenge, and it gives one verdict for the play."
        )
        self._choose = fields.button(text("Choose a word list"), self.lists.emit, role="primary")
        fields.fill(self.body, [self._why, fields.label(use, "muted", wrap=True), -1, self._choose, 1])

    def refresh(self) -> None:
        """Say what is missing; close once it is there."""
        if not self.session.is_open or self.session.word_list() is not None:
            self.closed.emit()
            return
        self._why.setText(word_lists.error(self.session.catalogue, self.session.tournament.event.wordlist))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard."""
        super().showEvent(event)
        self._choose.setFocus()
