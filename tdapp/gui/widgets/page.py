"""What every page and every panel is made of: a header with one main button, a body, and who has the keys first.

Qt's own focus proxy lets Tab, on entering a whole, jump to the proxy: what stands before it is never reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar, Protocol, cast

from PySide6.QtCore import QElapsedTimer, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLayout, QPushButton, QSizePolicy, QToolButton, QWidget
from shiboken6 import createdByPython, isValid

from tdapp.domain.model import Game, PlayerId
from tdapp.gui.shell.actions import Action, Command
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.impact_bar import leave_question
from tdapp.gui.widgets.scroll_body import Scrolled
from tdapp.gui.widgets.texts import Elided
from tdapp.gui.widgets.theme import UNIT, scaled

OTHER = Qt.FocusReason.OtherFocusReason


class FocusOrder:
    """Mixed into a widget: its `setFocus` goes to one of its fields."""

    _leader: QWidget | None = None

    def setFocusProxy(self, field: QWidget, /) -> None:
        """Let `field` have the keys whenever the whole is given them."""
        self._leader = field

    def focusProxy(self) -> QWidget:
        return self._leader if self._leader is not None and isValid(self._leader) else cast("QWidget", self)

    def setFocus(self, reason: Qt.FocusReason = OTHER, /) -> None:
        """Give the keys to the field; without one to the whole."""
        leader = self._leader
        if leader is not None and isValid(leader):
            leader.setFocus(reason)
        else:
            QWidget.setFocus(cast("QWidget", self), reason)


def reached_by_tab(whole: QWidget) -> list[QWidget]:
    """Return the fields and buttons inside `whole` that take Tab, in the order of Tab."""
    found: list[QWidget] = []
    after = _followers(whole.window())
    one = after.get(whole) or whole.nextInFocusChain()
    while one is not None and one is not whole:
        if whole.isAncestorOf(one) and one.focusPolicy() & Qt.FocusPolicy.TabFocus:
            found.append(one)
        one = after.get(one) or one.nextInFocusChain()
    return found


def _followers(window: QWidget) -> Mapping[QWidget, QWidget]:
    """Return the widgets of a window that Python made, by the one before each in the order of Tab.

    A widget that Qt made, such as a menu bar's button, never lets go of the one it is asked for: the closed window
    would stay in memory.
    """
    some = (window, *window.findChildren(QWidget))
    return {one.previousInFocusChain() or window: one for one in some if createdByPython(one)}


def lead_tab(through: Iterable[QWidget]) -> None:
    """Let Tab go from each to the next."""
    for one, following in pairwise(through):
        QWidget.setTabOrder(one, following)


MARGIN = UNIT * 3
# What a header's buttons leave out: nothing, the words of the lesser ones, the key of the main one too.
LESS = (0, 1, 2)
NARROWEST, WIDEST = UNIT * 42, UNIT * 60  # pixels of a panel


class Page(FocusOrder, QWidget):
    """What a place of the program shows; `id` is the place's."""

    id: ClassVar[str]

    panel = Signal(object)  # a Panel to open at the right, None to close it
    go = Signal(str, str)  # a place's id, and the key of what to show there
    moved = Signal()  # the cursor is on another row, so other things can be done
    grown = Signal()  # a part was made later than the rest

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, self.text = session, session.catalogue.text
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.commands: tuple[Command, ...] = ()
        self.about_row: tuple[Command, ...] = ()  # the window's commands about what the cursor is on
        self._title = Elided("title")
        self._note = Elided("muted")
        self._note.hide()
        self._titles = fields.column(self._title, gap=0)
        self._head = fields.row(self._titles, wide=self._titles)
        above = fields.column(self._head, self._note, gap=0)  # below the buttons too: it is never short of room
        self._named_by: QWidget | None = None
        self._beside: QWidget | None = None
        self._buttons: tuple[CommandButton, ...] = ()
        self.body = fields.column(gap=UNIT * 2)
        around = (MARGIN, UNIT * 2, MARGIN, MARGIN)
        self.whole = fields.column(above, self.body, gap=UNIT * 2, around=around, parent=self)
        self.whole.setStretch(1, 1)
        self.grown.connect(self._lead_tab)

    # --- what a page says of itself

    def topic(self) -> str:
        """Return the topic of the help that is about what is shown."""
        return self.id

    def actions_table(self) -> tuple[Action, ...]:
        """Return what can be done here."""
        return ()

    def refresh(self) -> None:
        """Show the session as it is now."""

    def unsaved_field(self) -> LineEdit | None:
        """Return a field in which something is typed that would be lost if the page were left now."""
        return next(iter(unsaved_in(self)), None)

    def leave_question(self) -> bool:
        """Answer no to what is asked here; return whether something was."""
        return leave_question(self)

    def current_player(self) -> PlayerId | None:
        """Return the player that the cursor is on."""
        return None

    def chosen_players(self) -> tuple[PlayerId, ...]:
        """Return the selected players, first the one that the cursor is on."""
        player = self.current_player()
        return (player,) if player is not None else ()

    def current_game(self) -> Game | None:
        """Return the game that the cursor is on."""
        return None

    def reveal(self, key: str) -> None:
        """Show the row or field `key`, which a link led to."""

    def point_at(self, player: PlayerId) -> None:
        """Put the cursor on the player that it was on where the window comes from."""

    # --- what a page uses

    def set_title(self, title: str, note: str = "") -> None:
        """Set the heading, and a line under it."""
        self._title.say(title)
        self._note.say(note)
        self._note.setVisible(bool(note))

    def show_panel(self, panel: Panel) -> None:
        """Open a panel at the right, with the keys in it."""
        self.panel.emit(panel)
        panel.setFocus()

    def head_with(self, tabs: QWidget, beside: QWidget) -> None:
        """Show tabs where the title stands, which they name, and something beside them."""
        self._title.hide()
        self._titles.insertWidget(0, tabs)
        self._head.addWidget(beside)
        self._named_by, self._beside = tabs, beside

    def build_header(self) -> None:
        """Make the commands and their buttons; the window calls this once."""
        self.commands = tuple(Command(row, self.session.look, self) for row in self.actions_table())
        lesser = [command for command in self.commands if command.row.header]
        main = [command for command in self.commands if command.row.primary]
        self._buttons = tuple(CommandButton(command, self) for command in (*lesser, *main))
        for button in self._buttons:
            self._head.addWidget(button)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lead_tab()

    def _lead_tab(self) -> None:
        reached = reached_by_tab(self)
        head = [
            one
            for top in (self._named_by, self._beside)
            if top
            for one in reached
            if one is top or top.isAncestorOf(one)
        ]
        body = [one for one in reached if one not in {*self._buttons, *head}]
        lead_tab([*head, *self._buttons, *body])

    def command(self, name: str) -> Command:
        """Return the command of this page with an id."""
        return next(command for command in self.commands if command.row.id == name)

    def event(self, event: QEvent) -> bool:
        """Leave room for the title in the header: the buttons there say less where there is none."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            room = self.width() - 2 * MARGIN - self._title.sizeHint().width()
            room -= self._beside.width() if self._beside is not None else 0
            shown = [button for button in self._buttons if not button.isHidden()]
            fits = (less for less in LESS if sum(button.needs(less) + UNIT for button in shown) <= room)
            less = next(fits, LESS[-1])
            for button in self._buttons:
                button.say_less(less)
        return super().event(event)


class CommandButton(QPushButton):
    """A command as a button: its icon, its text, and for the main one its key.

    A click right after it has changed its meaning, or has come where another button was, was meant for what stood
    there before: it does nothing.
    """

    def __init__(self, command: Command, page: QWidget) -> None:
        super().__init__(page)  # without one it would be shown as a window of its own
        self._command = command
        self._page = page
        self._less = 0
        self._meant = QElapsedTimer()  # since it means what it means
        self._show_role()
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(command.trigger)
        command.changed.connect(self._update)
        self._update()

    def say_less(self, less: int) -> None:
        """Leave out what LESS says."""
        if less != self._less:
            self._less = less
            self.setText(self._said(less))

    def needs(self, less: int) -> int:
        """Return the pixels that are needed where so much is left out."""
        measure = partial(self.fontMetrics().size, Qt.TextFlag.TextShowMnemonic)  # as Qt itself does
        return self.sizeHint().width() - measure(self.text()).width() + measure(self._said(less)).width()

    def minimumSizeHint(self) -> QSize:
        """Return what is needed where all is left out that can be: the words of a page never make it wider."""
        return QSize(self.needs(LESS[-1]), self.sizeHint().height())

    def _said(self, less: int) -> str:
        row, text = self._command.row, self._command.text()
        if less and row.icon and not row.primary:
            return ""
        keys = self._command.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        with_keys = row.primary and keys and less < LESS[-1]
        return f" {text}   {keys}" if with_keys else f" {text}"  # a little air between icon and text

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._meant.isValid() and self._meant.elapsed() < QApplication.doubleClickInterval():
            self._pass_over(event)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pass_over(event)

    def _pass_over(self, event: QMouseEvent) -> None:
        event.accept()
        self._page.setFocus()  # which the press has given to the button

    def _show_role(self) -> None:
        role = "primary" if self._command.is_main else ""
        if self.property("role") != role:
            self.setProperty("role", role)
            fields.restyle(self)

    def _update(self) -> None:
        command = self._command
        self._show_role()
        before, shown = self.accessibleName(), not self.isHidden()
        if before and (before, shown) != (command.text(), command.isVisible()):
            self._meant.start()
        if self.hasFocus() and not command.isEnabled():
            self._page.setFocus()  # Qt would give the keys to the button beside it
        self.setText(self._said(self._less))
        self.setAccessibleName(command.text())
        self.setIcon(command.button_icon())
        self.setToolTip(command.toolTip())
        self.setEnabled(command.isEnabled())
        self.setVisible(command.isVisible())


class Panel(FocusOrder, QFrame):
    """Details at the right of a page; Esc or the cross closes it, and so does the window with the tournament.

    It is `width` pixels wide at the usual text size, or as a language's words need; 0: as wide as it likes.
    """

    topic: ClassVar[str] = ""  # of the help; empty for the page's
    follows_cursor: ClassVar[bool] = False  # it is about the players that the page's cursor is on

    closed = Signal()
    panel = Signal(object)  # another Panel to open in place of this one
    go = Signal(str, str)  # a place's id, and the key of what to show there

    def __init__(self, session: Session, title: str, *, width: int = 0) -> None:
        super().__init__()
        self.session, self.text = session, session.catalogue.text
        self.setObjectName("panel")
        self._wide, self._most = scaled(width), fields.WIDE  # pixels
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.heading: QLabel = fields.label(title, "head", wrap=True)
        cross = self._cross = QToolButton()
        session.look.changed.connect(self._tint)
        self._tint()
        cross.setAccessibleName(session.catalogue.text("Close"))
        cross.setToolTip(session.catalogue.text("Close (Esc)"))
        cross.clicked.connect(self.closed)
        self.body = fields.column()
        body = _PanelBody(self.body)
        bar = body.bar().width()
        head = fields.row(self.heading, cross, around=(0, 0, bar, 0), wide=self.heading)
        around = (UNIT * 2, UNIT * 2, UNIT * 2 - bar, UNIT * 2)
        fields.column(head, body, gap=UNIT * 2, around=around, parent=self).setStretch(1, 1)

    def refresh(self) -> None:
        """Show the session as it is now."""

    def follow_players(self, players: Sequence[PlayerId]) -> None:
        """Be about other players; the cursor is on the first."""

    def unsaved_field(self) -> LineEdit | None:
        """Return a field in which something is typed that would be lost if the panel were left now."""
        return next(iter(unsaved_in(self)), None)

    def bound(self, pixels: int) -> None:
        """Be no wider than that, unless words need more."""
        self._most = pixels
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the width wanted, as far as there is room; without one what the panel likes, up to a bound."""
        usual = super().sizeHint()
        wanted = self._wide or min(usual.width(), scaled(WIDEST))
        least = max(super().minimumSizeHint().width(), scaled(NARROWEST))
        return QSize(max(least, min(wanted, self._most)), usual.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), super().minimumSizeHint().height())

    def hasHeightForWidth(self) -> bool:
        return False

    def _tint(self) -> None:
        self._cross.setIcon(self.session.look.icon("close", "muted"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _PanelBody(Scrolled):
    """What a panel shows under its heading; the bar has its place beside it all the time, and nothing moves."""

    def __init__(self, body: QLayout) -> None:
        super().__init__(body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)  # as high as the panel is
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._show_need)

    def _show_need(self, _least: int, most: int) -> None:
        bar = self.verticalScrollBar()
        if isValid(bar):  # Qt says so as the bar goes, too
            bar.setEnabled(most > 0)  # it is drawn only then

    def sizeHint(self) -> QSize:
        return super().sizeHint() + self.bar()

    def minimumSizeHint(self) -> QSize:
        """Return the width that the body needs; of its height any is enough."""
        return QSize(self.inside.minimumSizeHint().width(), 0) + self.bar()


def unsaved_in(whole: QWidget | None) -> list[LineEdit]:
    """Return the fields of a page or a panel in which something is typed and not entered."""
    return [one for one in whole.findChildren(LineEdit) if one.unsaved] if whole is not None else []


class Host(Protocol):
    """What actions ask of the window: the page with its cursor, the panel beside it, and a way elsewhere."""

    session: Session

    @property
    def page(self) -> Page:
        """The page that is shown."""

    @property
    def panel(self) -> Panel | None:
        """The panel at the right, if one is open."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """Everything that can be done, in the order of the menus."""

    def command(self, name: str, /) -> Command:
        """Return the command with an id."""

    def show_page(self, place: str, key: str = "", /) -> None:
        """Go to a page, and show there what `key` names."""

    def open_panel(self, panel: object, /) -> None:
        """Open a panel at the right, None to close the one that is there."""

    def leave(self, then: Callable[[], object], /) -> None:
        """Do something that leaves the tournament; where something would be lost, ask first."""

    def window(self) -> QWidget:
        """Return the widget that dialogs belong to."""


class ActionGroup:
    """Rows of the table of actions that can be done from any page, and what they do."""

    def __init__(self, host: Host) -> None:
        self._host, self._session = host, host.session
        self.text = self._session.catalogue.text

    def _show(self, panel: Panel) -> None:
        self._host.open_panel(panel)
        panel.setFocus()

    def _is_open(self) -> bool:
        return self._session.is_open

    def _has_division(self) -> bool:
        return self._session.division is not None
