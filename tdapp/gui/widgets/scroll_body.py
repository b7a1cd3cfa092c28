"""A body under a heading that is scrolled to where there is no room for all of it.

Hides what Qt makes hard: wrapped texts need another height at every width, lists may be lower than they like.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QSizePolicy, QWidget


class Scrolled(QScrollArea):
    """Scrolls a layout once its lists are as low as they can be; before that it is as high as the layout likes."""

    def __init__(self, body: QLayout) -> None:
        super().__init__(widgetResizable=True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        body.setContentsMargins(0, 0, 0, 0)
        self.body = body
        self.inside = _Inside(body)
        self.inside.setObjectName("canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self.inside)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell the layout around it when the body needs another size."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll only for who has come here: a key that a field does not want is for what is around."""
        if self.hasFocus():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def sizeHint(self) -> QSize:
        """Return what all of the body likes."""
        return self.inside.sizeHint()

    def heightForWidth(self, width: int) -> int:
        """Return the height of the body beside a bar: Qt takes one away only where it is not needed there."""
        return self.body.totalHeightForWidth(width - self.bar().width())

    def bar(self) -> QSize:
        """Return the width of the bar to scroll with."""
        return QSize(self.verticalScrollBar().sizeHint().width(), 0)


class _Inside(QWidget):
    def __init__(self, body: QLayout) -> None:
        super().__init__()
        self._body = body
        self.setLayout(body)

    def minimumSizeHint(self) -> QSize:
        """Return no height where it depends on the width: Qt would take that of the narrowest."""
        least = super().minimumSizeHint()
        return QSize(least.width(), 0 if self.hasHeightForWidth() else least.height())

    def heightForWidth(self, width: int) -> int:
        """Return the least height: lists are made lower before anything is scrolled."""
        return self._body.minimumHeightForWidth(width)
