"""The line into which something about tables is typed, the next of which is proposed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent

from tdapp.gui.widgets.fields import ENTER, LineEdit

_ARROWS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})
_SPACES = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Period, Qt.Key.Key_Comma})


class TableEdit(LineEdit):
    """Passes on the keys that mean something else here; a space in place of all of it means the proposed table."""

    enter = Signal(bool)  # with Ctrl
    step = Signal(int)  # another table is to be proposed
    take = Signal()  # the proposed table is meant
    _further = ""  # signs with which a line goes on that Enter was not enough for

    def keep(self, further: str = "") -> None:
        """Select all: what is typed next takes its place, but a sign of `further` goes on with it."""
        self._further = further
        self.selectAll()

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+Enter, which means something else elsewhere."""
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
