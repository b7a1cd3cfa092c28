"""Opens the judge screen, on the second display if there is one, and closes it with the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tdapp.gui.jury.judge.screen import LASTS, WAITS, JudgeScreen
from tdapp.gui.shell.session import Session


class JudgeController(QObject):
    """Belongs to a window and outlives its being made anew in another language."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self.screen: JudgeScreen | None = None
        window.installEventFilter(self)

    @classmethod
    def of(cls, session: Session, window: QWidget) -> JudgeController:
        """Return the window's bench; there is only one."""
        return window.findChild(cls) or cls(session, window)

    def open(self, *, lasts: int = LASTS, waits: int = WAITS) -> JudgeScreen:
        """Open the screen, or bring it to the front."""
        if self.screen is not None:
            self.screen.activateWindow()
            return self.screen
        self.screen = JudgeScreen(self._session, lasts=lasts, waits=waits)
        self.screen.closed.connect(self._gone)
        own = self._window.screen()
        others = [screen for screen in QGuiApplication.screens() if screen != own]
        self.screen.stand_on(others[0] if others else own)
        return self.screen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the screen with the window."""
        if watched is self._window and event.type() is QEvent.Type.Close and self.screen is not None:
            self.screen.close()
        return super().eventFilter(watched, event)

    def _gone(self) -> None:
        if self.screen is not None:
            self.screen.deleteLater()
            self.screen = None
