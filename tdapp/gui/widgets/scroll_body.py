"""Scrolling, folding and stacked widgets."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLayout,
    QListWidget,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import UNLIMITED_WIDTH
from tdapp.gui.widgets.theme import BAR, UNIT, Appearance, scale_pixels


class _ContentSizedScrollArea(QScrollArea):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class _VerticalScrollArea(_ContentSizedScrollArea):
    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        body: QWidget | None = self.widget()
        return least if body is None else QSize(body.minimumSizeHint().width() + scale_pixels(BAR), least.height())


def make_scroll_area(layout: QLayout, *, sideways: bool = False) -> QScrollArea:
    """Return an area that scrolls vertically, with `sideways` also horizontally."""
    contents = QWidget()
    contents.setObjectName("canvas")
    contents.setLayout(layout)
    area = QScrollArea() if sideways else _VerticalScrollArea()
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not sideways:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(contents)
    return area


class TextListWidget(QListWidget):
    """A list of texts without a horizontal scroll bar. With `wrap`, long lines are broken instead of cut."""

    def __init__(self, name: str, *, wrap: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if wrap:
            self.setWordWrap(True)
            self.setTextElideMode(Qt.TextElideMode.ElideNone)
            self.setResizeMode(QListWidget.ResizeMode.Adjust)
            self.setItemDelegate(_WrappedItemDelegate(self))


class _WrappedItemDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        padding = UNIT * 2  # window.qss: Qt breaks the lines as if the items had no padding
        option.rect = option.rect.adjusted(0, 0, -padding, 0)
        return super().sizeHint(option, index)


class ScrolledBody(_ContentSizedScrollArea):
    """Scrolls a layout if its widgets do not fit even at their minimum height."""

    def __init__(self, body: QLayout) -> None:
        super().__init__(widgetResizable=True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        body.setContentsMargins(0, 0, 0, 0)
        self.body = body
        self.contents = _ScrolledContents(body)
        self.contents.setObjectName("canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self.contents)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.hasFocus():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def sizeHint(self) -> QSize:
        return self.contents.sizeHint()

    def heightForWidth(self, width: int) -> int:
        """Return the height that the contents need if a scroll bar takes part of `width`."""
        return self.body.totalHeightForWidth(width - self.get_scroll_bar_size().width())

    def get_scroll_bar_size(self) -> QSize:
        return QSize(scale_pixels(BAR), 0)


class _ScrolledContents(QWidget):
    def __init__(self, body: QLayout) -> None:
        super().__init__()
        self._body = body
        self.setLayout(body)

    def minimumSizeHint(self) -> QSize:
        """If the height depends on the width, return height 0, because Qt's minimum height is too large."""
        least = super().minimumSizeHint()
        return QSize(least.width(), 0 if self.hasHeightForWidth() else least.height())

    def heightForWidth(self, width: int) -> int:
        return self._body.minimumHeightForWidth(width)


HIGH_ENOUGH = UNIT * 62  # the page height in the smallest window, usable for every page


class PageStack(QScrollArea):
    """Shows one of several pages. A page that needs more than `unscrolled_height` pixels of height can scroll."""

    def __init__(self, *, unscrolled_height: int = UNLIMITED_WIDTH) -> None:
        super().__init__(widgetResizable=True)
        self._pages = _StackInScrollArea(unscrolled_height)
        self.detach_hidden_pages_before_restyling = self._pages.detach_hidden_widgets_before_restyling
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._pages)
        self._pages.setAutoFillBackground(False)  # otherwise Qt paints a page twice

    def add_page(self, page: QWidget) -> None:
        """Add a page behind the visible page, so that Qt does not repaint the visible page."""
        if self._pages.count():
            page.resize(self._pages.width(), 0)
        self._pages.addWidget(page)

    def get_visible_page(self) -> QWidget | None:
        return self._pages.currentWidget()

    def get_visible_page_least_width(self) -> int:
        return self._pages.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()

    def switch_to_page(self, page: QWidget) -> None:
        self._pages.setCurrentWidget(page)
        self._pages.updateGeometry()


class StackWithFastRestyling(QStackedWidget):
    """Shows one of several widgets."""

    def __init__(self) -> None:
        super().__init__()
        self._hidden_parent = QWidget()
        self.destroyed.connect(self._hidden_parent.deleteLater)

    def detach_hidden_widgets_before_restyling(self) -> None:
        """Remove hidden widgets temporarily, so that Qt restyles only the visible one."""
        hidden_widgets = [self.widget(index) for index in range(self.count()) if index != self.currentIndex()]
        for hidden_widget in filter(None, hidden_widgets):
            hidden_widget.setParent(self._hidden_parent)

    def setCurrentWidget(self, widget: QWidget) -> None:
        if widget.parentWidget() is self._hidden_parent:
            self.addWidget(widget)
        super().setCurrentWidget(widget)


class _StackInScrollArea(StackWithFastRestyling):
    def __init__(self, unscrolled_height: int) -> None:
        super().__init__()
        self._unscrolled_height = unscrolled_height

    def minimumSizeHint(self) -> QSize:
        visible_page: QWidget | None = self.currentWidget()
        page_size = visible_page.minimumSizeHint() if visible_page is not None else QSize()
        return QSize(page_size.width(), min(page_size.height(), self._compute_unscrolled_height()))

    def heightForWidth(self, width: int) -> int:
        """Return the visible page's minimum height, but at most the limit in the constructor.

        Without a limit Qt can show and hide the scroll bar in an endless recursion.
        """
        visible_page: QWidget | None = self.currentWidget()
        layout = visible_page.layout() if visible_page is not None else None
        return min(
            layout.minimumHeightForWidth(width) if layout is not None else 0, self._compute_unscrolled_height()
        )

    def _compute_unscrolled_height(self) -> int:
        # larger text needs more before it is scrolled
        return min(scale_pixels(self._unscrolled_height), UNLIMITED_WIDTH)


class CollapsibleSection(QWidget):
    """A section that can be folded. Signal `contents_requested` asks its owner to fill it."""

    contents_requested = Signal(object)

    def __init__(self, title: str, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._title = title
        self.header = fields.make_button(title, self.toggle_section, role="fold")
        self.header.setCheckable(True)  # screen readers tell whether it is open
        self._contents = QWidget()
        self.body = fields.make_column(margins=(UNIT * 3 + 4, 0, 0, UNIT), parent=self._contents)
        self._contents.hide()
        fields.make_column(self.header, self._contents, gap=2, parent=self)
        appearance.changed.connect(self._update_chevron)
        self._update_chevron()

    @property
    def is_open(self) -> bool:
        return not self._contents.isHidden()

    def set_expanded(self, *, expanded: bool) -> None:
        if expanded:
            self.contents_requested.emit(self)
        self._contents.setVisible(expanded)
        self._update_chevron()

    def toggle_section(self) -> None:
        self.set_expanded(expanded=not self.is_open)

    def set_title_remark(self, remark: str) -> None:
        self.header.setText(f" {self._title}" + (f"   {remark}" if remark else ""))
        self.header.setAccessibleName(f"{self._title}, {remark}" if remark else self._title)

    def _update_chevron(self) -> None:
        self.header.setChecked(self.is_open)
        self.header.setIcon(
            self._appearance.make_icon("chevron-down" if self.is_open else "chevron-right", "muted")
        )
