"""A window that is shown, as a test begins with."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window


def shown(session: Session, qtbot: QtBot, place: str = "") -> Window:
    """Return an active window on a session, at a place if one is named."""
    made = Window(session)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    if session.is_open:
        session.opened.emit()
    if place:
        made.show_page(place)
    return made
