"""Widgets that scroll or fold what has no room: a body under a heading, and the one page shown of several.

Hides what Qt makes hard: wrapped texts need another height at every width, lists may be lower than they like.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLayout, QListWidget, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import WIDE
from tdapp.gui.widgets.theme import BAR, UNIT, Look, scaled


class _Heeding(QScrollArea):
    """Tells the layout around it when its body needs another size."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class _UpAndDown(_Heeding):
    """Scrolls to no side: it is never narrower than what is in it needs."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        body: QWidget | None = self.widget()
        return least if body is None else QSize(body.minimumSizeHint().width() + scaled(BAR), least.height())


def scrolled(layout: QLayout, *, sideways: bool = False) -> QScrollArea:
    """Return an area that scrolls a layout where it has no room, to the side only if that is asked for."""
    inside = QWidget()
    inside.setObjectName("canvas")
    inside.setLayout(layout)
    made = QScrollArea() if sideways else _UpAndDown()
    made.setWidgetResizable(True)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not sideways:
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setWidget(inside)
    return made


class LineList(QListWidget):
    """Lines to choose one from; those that `wrap` go on below where they have no room."""

    def __init__(self, name: str, *, wrap: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if wrap:
            self.setWordWrap(True)
            self.setTextElideMode(Qt.TextElideMode.ElideNone)
            self.setResizeMode(QListWidget.ResizeMode.Adjust)


class Scrolled(_Heeding):
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.hasFocus():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def sizeHint(self) -> QSize:
        return self.inside.sizeHint()

    def heightForWidth(self, width: int) -> int:
        """Return the height of the body beside a bar: Qt takes one away only where it is not needed there."""
        return self.body.totalHeightForWidth(width - self.bar().width())

    def bar(self) -> QSize:
        """Return the width of the bar to scroll with."""
        return QSize(scaled(BAR), 0)


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
        return self._body.minimumHeightForWidth(width)


HIGH_ENOUGH = UNIT * 62  # what the smallest window has for a page: every page can be worked with in it


class PageStack(QScrollArea):
    """Scrolls only where what is shown cannot be made small enough; `enough` pixels of height are."""

    def __init__(self, *, enough: int = WIDE) -> None:
        super().__init__(widgetResizable=True)
        self._pages = _Pages(enough)
        self.set_aside = self._pages.set_aside
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._pages)
        self._pages.setAutoFillBackground(False)  # else Qt paints a page twice: for this, and for itself

    def add(self, page: QWidget) -> None:
        """Add a widget under the others; what is shown Qt would paint again, as far as the new one covers it."""
        if self._pages.count():
            page.resize(self._pages.width(), 0)
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


class Stack(QStackedWidget):
    """Shows one of several widgets."""

    def __init__(self) -> None:
        super().__init__()
        self._aside = QWidget()
        self.destroyed.connect(self._aside.deleteLater)

    def set_aside(self) -> None:
        """Take what is not shown out of the window until it is, so that another style costs nothing there yet."""
        others = [self.widget(at) for at in range(self.count()) if at != self.currentIndex()]
        for one in filter(None, others):
            one.setParent(self._aside)

    def setCurrentWidget(self, one: QWidget) -> None:
        if one.parentWidget() is self._aside:
            self.addWidget(one)
        super().setCurrentWidget(one)


class _Pages(Stack):
    def __init__(self, enough: int) -> None:
        super().__init__()
        self._enough = enough

    def minimumSizeHint(self) -> QSize:
        """Return what the shown one needs, whatever others do; in height no more than is enough."""
        shown: QWidget | None = self.currentWidget()
        needed = shown.minimumSizeHint() if shown is not None else QSize()
        return QSize(needed.width(), min(needed.height(), self._high_enough()))

    def heightForWidth(self, width: int) -> int:
        """Return what the shown one needs at least, here too no more than is enough.

        A page that leaves parts out in a narrow window would have Qt show and hide the scroll bar until its stack
        overflows: with the bar it needs less height, without it more.
        """
        shown: QWidget | None = self.currentWidget()
        layout = shown.layout() if shown is not None else None
        return min(layout.minimumHeightForWidth(width) if layout is not None else 0, self._high_enough())

    def _high_enough(self) -> int:
        return min(scaled(self._enough), WIDE)  # larger text needs more before it is scrolled


class CollapsibleSection(QWidget):
    """A heading with an arrow; Enter, the space bar or a click opens and closes its `body`.

    `opening` tells of itself before the body is shown: what is in it may be made then.
    """

    opening = Signal(object)

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
        if show:
            self.opening.emit(self)
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
