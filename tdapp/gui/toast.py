"""A sentence over the page for a moment: what was done, with Undo, or why it was not."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from tdapp.gui import fields
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT

LASTS = {"plain": 6_000, "red": 15_000}  # ms
WIDEST = UNIT * 90


class Toast(QFrame):
    """The one sentence shown now; it stays at the bottom of `over`."""

    undo = Signal()

    def __init__(self, session: Session, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._look = session.look
        self.setObjectName("toast")
        self._icon = QLabel()
        self._words = fields.label("", "", wrap=True)
        self._words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._undo = fields.button(session.catalogue.text("Undo"), self._take_back)
        self._close = QToolButton()
        self._close.setAccessibleName(session.catalogue.text("Close"))
        self._close.clicked.connect(self.hide)
        for one in (self._undo, self._close):
            one.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        line = QHBoxLayout(self)
        line.setContentsMargins(UNIT * 2, UNIT, UNIT, UNIT)
        line.setSpacing(UNIT + 4)
        for part in (self._icon, self._words, self._undo, self._close):
            line.addWidget(part)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        over.installEventFilter(self)
        self.hide()

    def say(self, sentence: str, undo: bool, tone: str) -> None:  # noqa: FBT001, RUF100 - a signal's slot
        """Show a sentence; `undo` adds the button, tone is plain or red."""
        self.setProperty("tone", tone)
        for one in (self, self._words, self._undo):
            one.style().unpolish(one)
            one.style().polish(one)
        colour = "red" if tone == "red" else "surface"
        name = "warning" if tone == "red" else "check"
        self._icon.setPixmap(self._look.icon(name, colour).pixmap(QSize(20, 20), self.devicePixelRatioF()))
        self._close.setIcon(self._look.icon("close", "text" if tone == "red" else "surface"))
        self._words.setText(sentence)
        self._words.setMinimumWidth(min(self._words.fontMetrics().horizontalAdvance(sentence) + 8, WIDEST))
        self._undo.setVisible(undo)
        self.setAccessibleName(sentence)
        self.show()
        self._place()
        self.raise_()
        self._timer.start(LASTS.get(tone, LASTS["plain"]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the bottom when the page changes its size."""
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        self.adjustSize()
        self.move((self._over.width() - self.width()) // 2, self._over.height() - self.height() - UNIT * 7)

    def _take_back(self) -> None:
        self.hide()
        self.undo.emit()
