"""The window for the room, on the second display where there is one, and who opens and closes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QApplication, QWidget

from tdapp.gui.screens.canvas import Canvas
from tdapp.gui.screens.show import ANNOUNCE, Show, press
from tdapp.gui.shell.session import Session, SessionService
from tdapp.gui.widgets import fields, motion
from tdapp.gui.widgets.theme import UNIT

_SMALL = (960, 540)  # of a window that does not fill its display


class RoomWindow(QWidget):
    """Shows what the room sees, and nothing else; takes the same keys as the Screens page."""

    closed = Signal()
    resized = Signal()
    announcing = Signal()  # the director wants to type an announcement: not here, where the room would see it

    def __init__(self, show: Show) -> None:
        super().__init__()
        self._show = show
        self.canvas = Canvas(show, moving=True)
        self.setWindowTitle(show.session.catalogue.text("For the room"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(UNIT * 40, UNIT * 24)
        fields.column(self.canvas, parent=self)

    def stand_on(self, screen: QScreen, *, whole: bool) -> None:
        """Fill a display, or be a window in the middle of it."""
        self.showNormal()
        self.setScreen(screen)
        self.canvas.setCursor(Qt.CursorShape.BlankCursor if whole else Qt.CursorShape.ArrowCursor)
        if whole:
            self.setGeometry(screen.geometry())
            self.showFullScreen()
        else:
            self.setGeometry(_middle_of(screen.availableGeometry()))
            self.show()

    def toggle_whole(self) -> None:
        """Fill the display, or give it free."""
        self.stand_on(self.screen(), whole=not self.isFullScreen())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what a key of the Screens page does; F11, Esc and Ctrl+F9 are about the window."""
        key = event.key()
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if key == Qt.Key.Key_F11:
            self.toggle_whole()
        elif key == Qt.Key.Key_Escape and not self._show.message:
            self._leave()
        elif key == Qt.Key.Key_F9 and held == Qt.KeyboardModifier.ControlModifier:
            self.close()
        elif event.text().upper() == ANNOUNCE and not held:
            self.announcing.emit()
        elif not press(self._show, event):
            super().keyPressEvent(event)

    def _leave(self) -> None:
        if self.isFullScreen() and len(QGuiApplication.screens()) == 1:
            self.toggle_whole()
        else:
            self.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit that the size has changed: the director's picture is of the same shape."""
        super().resizeEvent(event)
        self.resized.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Emit that it is closed."""
        super().closeEvent(event)
        self.closed.emit()


class Hall(SessionService):
    """Belongs to a session: opens the window for the room, and closes it with the tournament."""

    changed = Signal()  # opened, closed, or on another display
    announcing = Signal()  # asked for in the window for the room

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._main: QWidget | None = None
        self.window: RoomWindow | None = None
        session.opened.connect(self.close)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.screenRemoved.connect(self._make_way)
            application.screenAdded.connect(self.changed)

    def open(self, main: QWidget) -> RoomWindow:
        """Open the window for the room on another display than `main` is on, or as a window beside it."""
        if self._main is not main:
            self._main = main
            main.installEventFilter(self)
        if self.window is None:
            show = Show.of(self._session)
            show.reduced = motion.reduced()
            self.window = RoomWindow(show)
            self.window.closed.connect(self._gone)
            self.window.resized.connect(self.changed)
            self.window.announcing.connect(self.announcing)
        other = self._other(main)
        self.window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, other is not None)
        self.window.stand_on(other or main.screen(), whole=other is not None)
        if other is None:
            self.window.activateWindow()
        else:
            main.activateWindow()
        self.changed.emit()
        return self.window

    def move(self) -> None:
        """Bring the window for the room to the next display."""
        if self.window is not None:
            screens = QGuiApplication.screens()
            self.window.stand_on(screens[(screens.index(self.window.screen()) + 1) % len(screens)], whole=True)
            self.changed.emit()

    def close(self) -> None:
        """Close the window for the room."""
        if self.window is not None:
            self.window.close()

    @property
    def where(self) -> QScreen | None:
        """The display that the room looks at, None while nothing is shown."""
        return self.window.screen() if self.window is not None else None

    def _other(self, main: QWidget) -> QScreen | None:
        """Return another display, best one that no window of ours fills: the judge screen may have one."""
        others = [one for one in QGuiApplication.screens() if one != main.screen()]
        windows = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one.isFullScreen()]
        taken = {one.screen() for one in windows if one is not self.window}
        return next((one for one in others if one not in taken), next(iter(others), None))

    def _make_way(self, _screen: QScreen) -> None:
        """Uncover the director's display when the other one is pulled out."""
        left = QGuiApplication.screens()
        if self.window is not None and self._main is not None and len(left) == 1:
            self.window.stand_on(left[0], whole=False)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the window for the room with the main window."""
        if watched is self._main and event.type() is QEvent.Type.Close:
            self.close()
        return super().eventFilter(watched, event)

    def _gone(self) -> None:
        if self.window is not None:
            self.window.deleteLater()
            self.window = None
            if self._main is not None and self._main.isVisible():
                self._main.activateWindow()
            self.changed.emit()


def _middle_of(room: QRect) -> QRect:
    wide, high = min(_SMALL[0], room.width()), min(_SMALL[1], room.height())
    left, top = (room.width() - wide) // 2, (room.height() - high) // 2
    return QRect(room.left() + left, room.top() + top, wide, high)
