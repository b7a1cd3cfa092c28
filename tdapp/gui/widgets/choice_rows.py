"""Rows of which each is decided on: Space or Enter turns those chosen to the next choice."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from tdapp.gui.widgets.fields import ENTER
from tdapp.gui.widgets.table_view import TableView


class TurnedView(TableView):
    """A table that says when the chosen rows are to be decided otherwise."""

    turned = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn on Space and Enter."""
        if event.key() in {Qt.Key.Key_Space, *ENTER} and not event.modifiers():
            self.turned.emit()
        else:
            super().keyPressEvent(event)
