"""What the Tournament page says about several stations, with the way to them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stations import may_words, who_words
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT


class StationsNote(QWidget):
    """Whether the tournament is shared, and who this station is."""

    wanted = Signal(str)  # the id of the command that is asked for

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._said = fields.label("", "", wrap=True)
        self._where = fields.label("", "muted", wrap=True)
        self._button = fields.button("", self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        fields.fill(column, [self._said, self._where, fields.row(self._button, 1)])

    def refresh(self) -> None:
        """Show what holds now."""
        session, text = self._session, self._session.catalogue.text
        address = session.address
        if address is None:
            self._said.setText(text("One computer runs this tournament."))
            more = text("Entry desk, jury desk and displays can take part at the same time once it is shared.")
            self._where.setText(more)
            self._button.setText(text("Share this tournament…"))
            self._button.setEnabled(not session.desk.store.read_only)
            return
        self._said.setText(f"{who_words(session)} {may_words(session)}")
        here = session.sharing.cluster() is not None
        self._where.setText(text("Shared from this computer.") if here else str(address))
        self._button.setText(text("Stations…"))
        self._button.setEnabled(True)

    def _ask(self) -> None:
        self.wanted.emit("share" if self._session.address is None else "stations")
