"""Opens the hall window beside the director's on two virtual displays, and prints its geometry.

`test_screens_displays` runs this in a separate process, because displays are fixed at start.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tdapp.gui.screens.page import ScreensPage
from tdapp.gui.screens.room_window import RoomDisplay
from tdapp.gui.shell import start
from tdapp.gui.shell.session import SessionWorker
from tests.gui.samples import RESOURCES, desk_on, tournament
from tests.i18n.test_slides import played


def main(folder: Path) -> None:
    application = start.make_application()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    session = start.make_session(application, RESOURCES, settings, work=SessionWorker(inline=True))
    window = start.make_window(session)
    session.attach_desk(desk_on(played(tournament(players=24), 1)))
    displays = {screen.name(): screen for screen in QGuiApplication.screens()}
    own, other = displays["laptop"], displays["beamer"]
    window.setScreen(own)
    window.setGeometry(own.geometry())
    window.show()
    window.show_page("screens")
    application.processEvents()
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    application.processEvents()
    room = RoomDisplay.get_for(session).window
    assert room is not None
    found: dict[str, object] = {
        "on": room.screen().name(),
        "whole": room.isFullScreen() and room.geometry() == other.geometry(),
        "keys": window.isActiveWindow() or not room.isActiveWindow(),
        "ratio": room.devicePixelRatioF(),
        "pixels": room.canvas.grab().width(),
    }
    page = window.page
    assert isinstance(page, ScreensPage)
    QTest.keyClicks(page.canvas, "3")
    application.processEvents()
    found["sees"] = room.canvas.accessibleDescription().splitlines()[0]
    window.command("room-display").trigger()
    application.processEvents()
    found["moved"] = room.screen().name()
    window.close()
    application.processEvents()
    found["left"] = [widget.objectName() for widget in application.topLevelWidgets() if widget.isVisible()]
    session.close()
    session.work.close()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
