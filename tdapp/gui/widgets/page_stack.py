"""Widgets one above the other, of which one is shown: what has no room in a small window can be scrolled to."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from tdapp.gui.widgets.fields import WIDE
from tdapp.gui.widgets.theme import UNIT

HIGH_ENOUGH = UNIT * 62  # what the smallest window has for a page: every page can be worked with in it


class PageStack(QScrollArea):
    """Scrolls only where what is shown cannot be made small enough; `enough` pixels of height are."""

    def __init__(self, *, enough: int = WIDE) -> None:
        super().__init__(widgetResizable=True)
        self._pages = _Pages(enough)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._pages)

    def add(self, page: QWidget) -> None:
        """Add a widget under the others."""
        self._pages.addWidget(page)

    def shown(self) -> QWidget | None:
        """Return the widget that is shown, None where there is none."""
        return self._pages.currentWidget()

    def least_width(self) -> int:
        """Return the pixels of width that what is shown can be scrolled in only from top to bottom."""
        return self._pages.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()

    def show_only(self, page: QWidget) -> None:
        """Show one of the widgets."""
        self._pages.setCurrentWidget(page)
        self._pages.updateGeometry()


class _Pages(QStackedWidget):
    def __init__(self, enough: int) -> None:
        super().__init__()
        self._enough = enough

    def minimumSizeHint(self) -> QSize:
        """Return what the shown one needs, whatever others do; in height no more than is enough."""
        shown: QWidget | None = self.currentWidget()
        needed = shown.minimumSizeHint() if shown is not None else QSize()
        return QSize(needed.width(), min(needed.height(), self._enough))

    def heightForWidth(self, width: int) -> int:
        """Return what the shown one needs at least, here too no more than is enough.

        A page that leaves parts out in a narrow window would have Qt show and hide the scroll bar until its stack
        overflows: with the bar it needs less height, without it more.
        """
        shown: QWidget | None = self.currentWidget()
        layout = shown.layout() if shown is not None else None
        return min(layout.minimumHeightForWidth(width) if layout is not None else 0, self._enough)
