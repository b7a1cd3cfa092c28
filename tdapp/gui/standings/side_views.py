"""What the Standings page shows beside the standings: tables of its own over the same rounds."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.domain.model import Division, PlayerId
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Part
from tdapp.gui.widgets.focus_order import FocusOrder
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT


class StandingsView(FocusOrder, QWidget):
    """One table; `current` tells that the cursor is on another row, `chosen` the player whose card is wanted.

    `report` names the view and, unless `paper` says otherwise, the report that shows the same, `topic` what the
    help has about it.
    """

    current = Signal()
    chosen = Signal(str)
    report: ClassVar[str]
    topic: ClassVar[str] = "standings"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.rows: Rows
        self.view: TableView

    def arrange(self, *parts: Part) -> None:
        """Put the parts below each other, the table taking what is left."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT * 2)
        fields.fill(column, parts)
        column.setStretchFactor(self.view, 1)
        self.view.selected.connect(self.current)
        self.view.activated_row.connect(self._activate)
        self.setFocusProxy(self.view)

    @property
    def paper(self) -> str:
        """The id of the report that shows the same on paper."""
        return self.report

    def title(self, after: int) -> str:
        """Return the heading after a round."""
        raise NotImplementedError

    def refresh(self, division: Division, after: int) -> None:
        """Show a division after a round."""
        raise NotImplementedError

    def current_player(self) -> PlayerId | None:
        """Return the player the cursor is on."""
        key = self.view.current_key()
        return PlayerId(key) if key in self.session.tournament.players else None

    def copy(self) -> None:
        """Copy the rows."""
        self.view.copy()

    def _activate(self, key: str) -> None:
        if key in self.session.tournament.players:
            self.chosen.emit(key)
