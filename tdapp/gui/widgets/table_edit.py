"""A text field for a table and its values, which proposes the next table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent

from tdapp.gui.widgets.fields import ENTER, LineEdit

_ARROWS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})
_SPACES = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Period, Qt.Key.Key_Comma})


class TableEdit(LineEdit):
    """A space as the only input accepts the proposed table."""

    enter = Signal(bool)  # with Ctrl
    step = Signal(int)  # emitted to propose another table
    take = Signal()  # emitted when a space accepts the proposed table
    _further = ""  # characters that continue a line after Enter

    def keep(self, further: str = "") -> None:
        """Select all for replacement. A character of `further` appends instead."""
        self._further = further
        self.selectAll()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in ENTER:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in ENTER:
            self.enter.emit(control)
        elif key in _ARROWS and not self.text():
            self.step.emit(-1 if key == Qt.Key.Key_Up else 1)
        elif event.text() and event.text() in self._further and self.selectedText() == self.text():
            self.end(False)
            self.insert(f" {event.text().strip()}")
        elif key in _SPACES and self.selectedText() == self.text():
            self.take.emit()
        else:
            super().keyPressEvent(event)
