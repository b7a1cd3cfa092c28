"""Base classes of pages and panels, and the protocol of the window that shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar, Protocol, cast

from PySide6.QtCore import QElapsedTimer, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLayout, QSizePolicy, QToolButton, QWidget
from shiboken6 import createdByPython, isValid

from tdapp.domain.model import Game, PlayerId
from tdapp.gui.shell.actions import Action, WindowAction
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.impact_bar import cancel_open_confirmation
from tdapp.gui.widgets.scroll_body import ScrolledBody
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT, scale_pixels

OTHER_FOCUS_REASON = Qt.FocusReason.OtherFocusReason


class FocusDelegation:
    """Base of widgets that pass the focus to a field. Replaces Qt's focus proxies, which make Tab skip widgets."""

    _focus_target: QWidget | None = None

    def setFocusProxy(self, field: QWidget, /) -> None:
        self._focus_target = field

    def focusProxy(self) -> QWidget:
        return (
            self._focus_target
            if self._focus_target is not None and isValid(self._focus_target)
            else cast("QWidget", self)
        )

    def setFocus(self, reason: Qt.FocusReason = OTHER_FOCUS_REASON, /) -> None:
        focus_target = self._focus_target
        if focus_target is not None and isValid(focus_target):
            focus_target.setFocus(reason)
        else:
            QWidget.setFocus(cast("QWidget", self), reason)


def list_tab_stops(container: QWidget) -> list[QWidget]:
    tab_stops: list[QWidget] = []
    after = _map_next_widgets_in_tab_order(container.window())
    widget = after.get(container) or container.nextInFocusChain()
    while widget is not None and widget is not container:
        if container.isAncestorOf(widget) and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            tab_stops.append(widget)
        widget = after.get(widget) or widget.nextInFocusChain()
    return tab_stops


def _map_next_widgets_in_tab_order(window: QWidget) -> Mapping[QWidget, QWidget]:
    """Map each widget to the next widget in tab order. Omit an entry if Qt created the next widget."""
    widgets = (window, *window.findChildren(QWidget))
    # a Python reference to a widget that Qt created would keep a closed window in memory
    return {widget.previousInFocusChain() or window: widget for widget in widgets if createdByPython(widget)}


def set_tab_order(widgets: Iterable[QWidget]) -> None:
    for widget, next_widget in pairwise(widgets):
        QWidget.setTabOrder(widget, next_widget)


MARGIN = UNIT * 3
# Omitted parts of the header's buttons: none, the texts of secondary buttons, also the key of the main button.
SHORTENING_LEVELS = (0, 1, 2)
MIN_PANEL_WIDTH, MAX_PANEL_WIDTH = UNIT * 42, UNIT * 60  # pixels of a panel


class Page(FocusDelegation, QWidget):
    """A page of the window. `id` is its key in the side bar."""

    id: ClassVar[str]

    panel = Signal(object)  # a Panel to open at the right, None to close it
    page_requested = Signal(str, str)  # id of the page, and key of the row to show
    cursor_moved = Signal()  # the cursor is on another row: the actions may change
    layout_grown = Signal()  # a part of the page was added

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, self.text = session, session.catalogue.text
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.page_actions: tuple[WindowAction, ...] = ()
        self.row_actions: tuple[WindowAction, ...] = ()  # the window's actions for the row at the cursor
        self.title = ElidedLabel("title")
        self.subtitle = ElidedLabel("muted")
        self.subtitle.hide()
        self._titles = fields.make_column(self.title, gap=0)
        self._header = fields.make_row(self._titles, wide=self._titles)
        # the subtitle has the full width, also below the buttons
        header = fields.make_column(self._header, self.subtitle, gap=0)
        self._header_tabs: QWidget | None = None
        self._header_field: QWidget | None = None
        self._buttons: tuple[PageHeaderButton, ...] = ()
        self.body = fields.make_column(gap=UNIT * 2)
        margins = (MARGIN, UNIT * 2, MARGIN, MARGIN)
        self.page_layout = fields.make_column(header, self.body, gap=UNIT * 2, margins=margins, parent=self)
        self.page_layout.setStretch(1, 1)
        self.layout_grown.connect(self._set_tab_order)

    # --- for the page itself

    def get_help_topic(self) -> str:
        return self.id

    def list_page_actions(self) -> tuple[Action, ...]:
        return ()

    def refresh_page(self) -> None:
        """Show the current state of the session."""

    def find_unsaved_field(self) -> LineEdit | None:
        return next(iter(list_unsaved_fields(self)), None)

    def count_unsaved_rules(self) -> int:
        return 0

    def cancel_open_question(self) -> bool:
        return cancel_open_confirmation(self)

    def get_current_player_id(self) -> PlayerId | None:
        return None

    def list_selected_players(self) -> tuple[PlayerId, ...]:
        player = self.get_current_player_id()
        return (player,) if player is not None else ()

    def get_selected_game(self) -> Game | None:
        return None

    def reveal_row(self, key: str) -> None:
        """Show the row or field `key` after a click on a link to it."""

    def get_view_to_restore(self) -> object:
        """Return the visible view, so that a rebuilt window can show it again."""
        return None

    def restore_view_choice(self, view: object) -> None:
        """Show `view`, the value of `get_view_to_restore` before the window was rebuilt."""

    def choose_first_view(self) -> None:
        """Choose the first view. The window calls it for each newly opened tournament."""

    def select_player(self, player: PlayerId) -> None:
        """Move the cursor to the player selected on the previous page."""

    # --- for use by pages

    def set_title(self, title: str, note: str = "") -> None:
        self.title.set_full_text(title)
        self.subtitle.set_full_text(note)
        self.subtitle.setVisible(bool(note))

    def show_panel(self, panel: Panel) -> None:
        self.panel.emit(panel)
        panel.setFocus()

    def set_header_widgets(self, tabs: QWidget, field: QWidget) -> None:
        self.title.hide()
        self._titles.insertWidget(0, tabs)
        self._header.addWidget(field)
        self._header_tabs, self._header_field = tabs, field

    def make_actions_and_buttons(self) -> None:
        """Fill the header. The window calls it once."""
        self.page_actions = tuple(
            WindowAction(declaration, self.session.appearance, self) for declaration in self.list_page_actions()
        )
        secondary_actions = [action for action in self.page_actions if action.declaration.header]
        primary_actions = [action for action in self.page_actions if action.declaration.primary]
        self._buttons = tuple(PageHeaderButton(action, self) for action in (*secondary_actions, *primary_actions))
        for button in self._buttons:
            self._header.addWidget(button)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._set_tab_order()

    def _set_tab_order(self) -> None:
        tab_stops = list_tab_stops(self)
        header_stops = [
            header_stop
            for top in (self._header_tabs, self._header_field)
            if top
            for header_stop in tab_stops
            if header_stop is top or top.isAncestorOf(header_stop)
        ]
        body_stops = [tab_stop for tab_stop in tab_stops if tab_stop not in {*self._buttons, *header_stops}]
        set_tab_order([*header_stops, *self._buttons, *body_stops])

    def get_action(self, name: str) -> WindowAction:
        return next(action for action in self.page_actions if action.declaration.id == name)

    def event(self, event: QEvent) -> bool:
        """Shorten the header's buttons if the title needs the width."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            available_width = self.width() - 2 * MARGIN - self.title.sizeHint().width()
            available_width -= self._header_field.width() if self._header_field is not None else 0
            visible_buttons = [button for button in self._buttons if not button.isHidden()]
            fitting_levels = (
                level
                for level in SHORTENING_LEVELS
                if sum(button.measure_shortened_width(level) + UNIT for button in visible_buttons)
                <= available_width
            )
            level = next(fitting_levels, SHORTENING_LEVELS[-1])
            for button in self._buttons:
                button.set_shortening_level(level)
        return super().event(event)


class PageHeaderButton(fields.Button):
    """A button of the page header.

    It ignores clicks right after it has changed or moved, because they were aimed at another button.
    """

    def __init__(self, action: WindowAction, page: QWidget) -> None:
        super().__init__(parent=page)  # without a parent it would be a window of its own
        self._action = action
        self._page = page
        self._shortening_level = 0
        self._change_timer = QElapsedTimer()  # time since the last change of text or position
        self._update_highlight()
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._update_button)
        self._update_button()

    def set_shortening_level(self, level: int) -> None:
        """Shorten the text.

        Level 1 omits the texts beside icons, except on the main button. Level 2 also omits the shortcut that the
        main button shows.
        """
        if level != self._shortening_level:
            self._shortening_level = level
            self.setText(self._make_text_at_shortening_level(level))

    def measure_shortened_width(self, level: int) -> int:
        measure = partial(self.fontMetrics().size, Qt.TextFlag.TextShowMnemonic)  # as Qt itself does
        return (
            self.sizeHint().width()
            - measure(self.text()).width()
            + measure(self._make_text_at_shortening_level(level)).width()
        )

    def minimumSizeHint(self) -> QSize:
        """Return the size for the shortest text, so that buttons never widen the page."""
        return QSize(self.measure_shortened_width(SHORTENING_LEVELS[-1]), self.sizeHint().height())

    def _make_text_at_shortening_level(self, level: int) -> str:
        declaration, text = self._action.declaration, self._action.text()
        if level and declaration.icon and not declaration.primary:
            return ""
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        with_keys = declaration.primary and keys and level < SHORTENING_LEVELS[-1]
        return f" {text}   {keys}" if with_keys else f" {text}"  # a little air between icon and text

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._change_timer.isValid() and self._change_timer.elapsed() < QApplication.doubleClickInterval():
            self._ignore_early_click(event)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._ignore_early_click(event)

    def _ignore_early_click(self, event: QMouseEvent) -> None:
        event.accept()
        self._page.setFocus()  # the press has moved the focus to the button

    def _update_highlight(self) -> None:
        role = "primary" if self._action.is_highlighted else ""
        if self.property("role") != role:
            self.setProperty("role", role)
            fields.reapply_style_sheet(self)

    def _update_button(self) -> None:
        action = self._action
        self._update_highlight()
        before, is_shown = self.accessibleName(), not self.isHidden()
        if before and (before, is_shown) != (action.text(), action.isVisible()):
            self._change_timer.start()
        if self.hasFocus() and not action.isEnabled():
            self._page.setFocus()  # Qt would give the keys to the button beside it
        self.setText(self._make_text_at_shortening_level(self._shortening_level))
        self.setAccessibleName(action.text())
        self.setIcon(action.make_button_icon())
        self.setToolTip(action.toolTip())
        self.setEnabled(action.isEnabled())
        self.setVisible(action.isVisible())


class Panel(FocusDelegation, QFrame):
    """Details on the right of a page. `width` is in pixels at the normal text size, 0 for the natural width."""

    topic: ClassVar[str] = ""  # help topic, "" for that of the page
    follows_selected_player: ClassVar[bool] = False  # follows the player at the page's cursor

    closed = Signal()
    panel = Signal(object)  # another Panel to open in place of this one
    page_requested = Signal(str, str)  # id of the page, and key of the row to show

    def __init__(self, session: Session, title: str, *, width: int = 0) -> None:
        super().__init__()
        self.session, self.text = session, session.catalogue.text
        self.setObjectName("panel")
        self._natural_width, self._max_width = scale_pixels(width), fields.UNLIMITED_WIDTH  # pixels
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.heading: QLabel = fields.make_label(title, "head", wrap=True)
        close_button = self._close_button = QToolButton()
        session.appearance.changed.connect(self._tint_icon)
        self._tint_icon()
        close_button.setAccessibleName(session.catalogue.text("Close"))
        close_button.setToolTip(session.catalogue.text("Close (Esc)"))
        close_button.clicked.connect(self.closed)
        self.body = fields.make_column()
        body = _PanelBody(self.body)
        bar = body.get_scroll_bar_size().width()
        header = fields.make_row(self.heading, close_button, margins=(0, 0, bar, 0), wide=self.heading)
        margins = (UNIT * 2, UNIT * 2, UNIT * 2 - bar, UNIT * 2)
        fields.make_column(header, body, gap=UNIT * 2, margins=margins, parent=self).setStretch(1, 1)

    def refresh_panel(self) -> None:
        """Show the current state of the session."""

    def switch_to_selected_players(self, players: Sequence[PlayerId]) -> None:
        """Show the players selected on the page. The first is the player at the cursor."""

    def find_unsaved_field(self) -> LineEdit | None:
        return next(iter(list_unsaved_fields(self)), None)

    def limit_width(self, pixels: int) -> None:
        self._max_width = pixels
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        usual = super().sizeHint()
        wanted_width = self._natural_width or min(usual.width(), scale_pixels(MAX_PANEL_WIDTH))
        least = max(super().minimumSizeHint().width(), scale_pixels(MIN_PANEL_WIDTH))
        return QSize(max(least, min(wanted_width, self._max_width)), usual.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), super().minimumSizeHint().height())

    def hasHeightForWidth(self) -> bool:
        return False

    def _tint_icon(self) -> None:
        self._close_button.setIcon(self.session.appearance.make_icon("close", "muted"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _PanelBody(ScrolledBody):
    def __init__(self, body: QLayout) -> None:
        super().__init__(body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)  # as high as the panel
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._enable_scroll_bar_if_needed)

    def _enable_scroll_bar_if_needed(self, _minimum: int, maximum: int) -> None:
        bar = self.verticalScrollBar()
        if isValid(bar):  # Qt also emits the signal while it deletes the bar
            bar.setEnabled(maximum > 0)  # a disabled bar is not drawn

    def sizeHint(self) -> QSize:
        return super().sizeHint() + self.get_scroll_bar_size()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.contents.minimumSizeHint().width(), 0) + self.get_scroll_bar_size()


def list_unsaved_fields(container: QWidget | None) -> list[LineEdit]:
    return (
        [
            field
            for field in container.findChildren(LineEdit)
            if field.has_unsaved_text and field.isVisibleTo(container)
        ]
        if container is not None
        else []
    )


def clear_typed_texts(container: QWidget) -> None:
    for field in container.findChildren(LineEdit):
        if field.isModified():
            field.setText("")  # unlike clear(), it cannot be undone
            field.mark_invalid(is_invalid=False)


class HostWindow(Protocol):
    """The parts of the main window that pages and actions use."""

    session: Session

    @property
    def page(self) -> Page:
        """The visible page."""

    @property
    def panel(self) -> Panel | None:
        """The open panel, or None."""

    @property
    def all_actions(self) -> tuple[WindowAction, ...]:
        """All actions in menu order."""

    def get_action(self, name: str, /) -> WindowAction:
        """Return the action with id `name`."""

    def show_page(self, page_id: str, key: str = "", /) -> None:
        """Go to a page and show the row or field `key`."""

    def open_panel(self, panel: object, /) -> None:
        """Show a panel. None closes the open one."""

    def leave_after_unsaved_input_check(self, leave: Callable[[], object], /) -> None:
        """Call `leave`. If data would be lost, ask first."""

    def window(self) -> QWidget:
        """Return the parent widget for dialogs."""


class ActionGroup:
    """Actions available on all pages."""

    def __init__(self, host: HostWindow) -> None:
        self._host, self._session = host, host.session
        self.text = self._session.catalogue.text

    def _open_panel(self, panel: Panel) -> None:
        self._host.open_panel(panel)
        panel.setFocus()

    def _has_tournament(self) -> bool:
        return self._session.is_open

    def _has_current_division(self) -> bool:
        return self._session.division is not None
