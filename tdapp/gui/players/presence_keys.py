"""Keyboard control of a search field and the player list below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from tdapp.gui.widgets.fields import ENTER, SearchField
from tdapp.gui.widgets.table_view import TableView


class CheckInKeyHandler(QObject):
    """Handles the keys of a search field and of the list of players below it.

    Down goes from the field to the list. In the list, Space and Enter call the function `toggle`, and letters
    are typed into the field.
    """

    def __init__(self, search: SearchField, view: TableView, toggle: Callable[[], None]) -> None:
        super().__init__(view)
        self._search, self._view, self._toggle = search, view, toggle
        self._replaceable_text = ""  # the next letter replaces this text of the field
        for widget in (search, view):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if watched is self._search and event.key() == Qt.Key.Key_Down:
                self.focus_list()
                return True
            if watched is self._view and self._toggle_row_or_type_letter(event):
                return True
        return super().eventFilter(watched, event)

    def focus_list(self, *, replaceable_text: str = "") -> None:
        self._replaceable_text = replaceable_text
        if self._view.model().rowCount():
            if not self._view.currentIndex().isValid():
                self._view.setCurrentIndex(self._view.model().index(0, 0))
            self._view.setFocus()

    def _toggle_row_or_type_letter(self, event: QKeyEvent) -> bool:
        if event.key() in {Qt.Key.Key_Space, *ENTER}:
            if not event.isAutoRepeat():
                self._toggle()
            return True
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if is_plain and event.text().strip() and event.text().isprintable():
            self._search.setFocus()
            if self._search.text() == self._replaceable_text:
                self._search.selectAll()
            self._search.insert(event.text())
            self._search.setModified(True)
            return True
        return False
