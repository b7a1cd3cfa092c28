"""The History page: what was done, newest first, in words."""

from __future__ import annotations

from tdapp.domain.tables.history import HistoryRow, history
from tdapp.gui import fields
from tdapp.gui.actions import Action
from tdapp.gui.fields import SearchField
from tdapp.gui.page import Page
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.view import TableView


class HistoryPage(Page):
    """Every step since the beginning; what was undone is marked."""

    id = "history"
    icon = "history"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.set_title(text("History"), text("Every step, kept in the file itself; undo takes back the newest."))
        self._rows = Rows(session.catalogue, tone=_tone, hidden={"id"}, shown={"step": self._step})
        self._view = TableView(
            self._rows, look=session.look, name=text("History"), empty=text("Nothing has been done yet.")
        )
        self._view.set_widths({"seq": 72, "at": 168, "station": 120, "undone": 96})
        search = SearchField(text("Search the history"), session.look)
        search.textChanged.connect(self._view.filter)
        self.body.addLayout(fields.row(search, 1))
        self.body.addWidget(self._view)
        self.setFocusProxy(self._view)

    def name(self) -> str:
        """Return History."""
        return self.session.catalogue.text("History")

    def actions_table(self) -> tuple[Action, ...]:
        """Return what can be done with the list."""
        text = self.session.catalogue.text
        return (Action("copy-history", text("Copy"), self._view.copy, "copy", header=True),)

    def refresh(self) -> None:
        """Show the journal as it is now."""
        self._rows.show(history(self.session.desk.history()))

    def _step(self, row: HistoryRow) -> str:
        words = self.session.words(row.step)
        if row.step.undoes is None:
            return words
        return self.session.catalogue.text("Undone: {step}", step=words)


def _tone(row: HistoryRow) -> str:
    return "muted" if row.undone else ""
