"""A sentence over the page for a moment: what was done, with Undo, or why it was not."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT

LASTS = {"plain": 6_000, "red": 15_000}  # ms
WIDEST = UNIT * 90
BELOW, ABOVE = UNIT * 7, UNIT * 9  # pixels kept free below and above: the bars
CONTROLS = (QAbstractButton, QLineEdit, QComboBox)
NOTES = (QLabel,)


class Toast(QFrame):
    """The one sentence shown now; it stays at the bottom of `over`. A red one goes when the next step succeeds."""

    undo = Signal()

    def __init__(self, session: Session, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._look = session.look
        self.setObjectName("toast")
        self._icon = QLabel()
        self._text = fields.label("", "", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._undo = fields.button(session.catalogue.text("Undo"), self._take_back)
        self._close = QToolButton()
        self._close.setAccessibleName(session.catalogue.text("Close"))
        self._close.clicked.connect(self.hide)
        for one in (self._undo, self._close):
            one.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parts = (self._icon, self._text, self._undo, self._close)
        fields.row(*parts, gap=UNIT + 4, around=(UNIT * 2, UNIT, UNIT, UNIT), parent=self)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        over.installEventFilter(self)
        session.succeeded.connect(self._mended)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)
        self.hide()

    def say(self, sentence: str, undo: bool, tone: str) -> None:
        """Show a sentence; `undo` adds the button, tone is plain or red."""
        self.setProperty("tone", tone)
        for one in (self, self._text, self._undo):
            fields.restyle(one)
        red = tone == "red"
        self._icon.setPixmap(self._look.pixmap(*(("warning", "red") if red else ("check", "surface")), 20, self))
        self._close.setIcon(self._look.icon("close", "text" if red else "surface"))
        self._text.setText(sentence)
        self._text.setMinimumWidth(min(self._text.fontMetrics().horizontalAdvance(sentence) + 8, WIDEST))
        self._undo.setVisible(undo)
        self.setAccessibleName(sentence)
        self.show()
        self._place()
        QTimer.singleShot(0, self, self._place)  # what the sentence reports may have moved the controls
        self.raise_()
        self._timer.start(LASTS.get(tone, LASTS["plain"]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the bottom when the page changes its size."""
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Stand low, or wherever else the fewest controls, then notes, are covered; never what has the keys."""
        self.adjustSize()
        keys, controls, notes = self._keys(), self._shown(CONTROLS), self._shown(NOTES)

        def covered(at: QPoint) -> tuple[bool, int, int]:
            own = QRect(at, self.size())
            over_controls, over_notes = (sum(map(own.intersects, those)) for those in (controls, notes))
            return own.intersects(keys), over_controls, over_notes

        self.move(min(self._spots(), key=covered))

    def _spots(self) -> tuple[QPoint, ...]:
        """Return where a sentence may stand, the best first: low, in the middle."""
        wide, low = self._over.width() - self.width(), self._over.height() - self.height() - BELOW
        heights = (low, *range(low - UNIT, ABOVE, -UNIT * 3))
        return tuple(QPoint(x, y) for y in heights for x in (wide // 2, UNIT * 2, wide - UNIT * 2))

    def _keys(self) -> QRect:
        """Return where the field with the keys is, or of a table the row with the cursor."""
        field = QApplication.focusWidget()
        if field is None or not self._over.isAncestorOf(field):
            return QRect()
        area, of = field.rect(), field
        if isinstance(field, QAbstractItemView):
            area, of = field.visualRect(field.currentIndex()), field.viewport()
        return QRect(of.mapTo(self._over, area.topLeft()), area.size())

    def _shown(self, kinds: Iterable[type[QWidget]]) -> list[QRect]:
        """Return where widgets of these kinds are, but for those with nothing to read."""
        found = (one for kind in kinds for one in self._over.findChildren(kind) if one.isVisible())
        others = (one for one in found if not self.isAncestorOf(one))
        read = (one for one in others if not isinstance(one, QLabel) or one.text())
        return [QRect(one.mapTo(self._over, QPoint()), one.size()) for one in read]

    def _follow(self, _before: object, _now: object) -> None:
        """Stand elsewhere a moment later: the keys may have left a dialog that Qt is just taking apart."""
        if self.isVisible():
            QTimer.singleShot(0, self, self._place)

    def _mended(self) -> None:
        if self.property("tone") == "red":
            self.hide()

    def _take_back(self) -> None:
        self.hide()
        self.undo.emit()
