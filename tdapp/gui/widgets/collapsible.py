"""A heading that opens and closes what stands under it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT, Look


class CollapsibleSection(QWidget):
    """A heading with an arrow; Enter, the space bar or a click opens and closes its `body`."""

    def __init__(self, title: str, look: Look) -> None:
        super().__init__()
        self._look = look
        self._title = title
        self.header = fields.button(title, self.toggle, role="fold")
        self.header.setCheckable(True)  # screen readers tell whether it is open
        self._inside = QWidget()
        self.body = fields.column(around=(UNIT * 3 + 4, 0, 0, UNIT), parent=self._inside)
        self._inside.hide()
        fields.column(self.header, self._inside, gap=2, parent=self)
        look.changed.connect(self._tint)
        self._tint()

    @property
    def is_open(self) -> bool:
        """Whether the body is shown."""
        return not self._inside.isHidden()

    def open(self, *, show: bool) -> None:
        """Show or hide the body."""
        self._inside.setVisible(show)
        self._tint()

    def toggle(self) -> None:
        """Show the body, or hide it."""
        self.open(show=not self.is_open)

    def remark(self, words: str) -> None:
        """Add a few words to the heading, or none."""
        self.header.setText(f" {self._title}" + (f"   {words}" if words else ""))

    def _tint(self) -> None:
        self.header.setChecked(self.is_open)
        self.header.setIcon(self._look.icon("chevron-down" if self.is_open else "chevron-right", "muted"))
