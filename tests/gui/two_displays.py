"""Open the display window and the director's window on two virtual displays. Print the geometry.

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
from tests.gui.samples import RESOURCES, make_desk, make_tournament
from tests.i18n.test_slides import play_rounds


def main(folder: Path) -> None:
    application = start.make_application()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    session = start.make_session(application, RESOURCES, settings, work=SessionWorker(inline=True))
    window = start.make_window(session)
    session.open_tournament_of_desk(make_desk(play_rounds(make_tournament(players=24), 1)))
    displays = {screen.name(): screen for screen in QGuiApplication.screens()}
    laptop, beamer = displays["laptop"], displays["beamer"]
    window.setScreen(laptop)
    window.setGeometry(laptop.geometry())
    window.show()
    window.show_page("screens")
    application.processEvents()
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    application.processEvents()
    display_window = RoomDisplay.get_or_make_service(session).window
    assert display_window is not None
    report: dict[str, object] = {
        "display": display_window.screen().name(),
        "fills_display": display_window.isFullScreen() and display_window.geometry() == beamer.geometry(),
        "has_keyboard": window.isActiveWindow() or not display_window.isActiveWindow(),
        "ratio": display_window.devicePixelRatioF(),
        "pixels": display_window.canvas.grab().width(),
    }
    page = window.page
    assert isinstance(page, ScreensPage)
    QTest.keyClicks(page.canvas, "3")
    application.processEvents()
    report["first_line"] = display_window.canvas.accessibleDescription().splitlines()[0]
    window.get_action("room-display").trigger()
    application.processEvents()
    report["display_after_action"] = display_window.screen().name()
    window.close()
    application.processEvents()
    report["open_windows"] = [
        widget.objectName() for widget in application.topLevelWidgets() if widget.isVisible()
    ]
    session.close()
    session.work.close()
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
