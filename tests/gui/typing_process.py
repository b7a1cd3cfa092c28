"""A process that types results in a window until it is killed.

    python -m tests.gui.typing_process FILE

Types a result for each table in order. Prints "table first second" when the result is saved.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tests.gui.samples import RESOURCES, make_session


def make_points(table: int) -> tuple[int, int]:
    """Return the score typed at a table."""
    return 400 + table, 300 + table


def type_results(path: Path, folder: Path) -> None:
    _app = QApplication([])
    appearance = Appearance(RESOURCES)
    appearance.apply_style()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    session = make_session("en", appearance, settings, inline=False)
    window = Window(session)
    window.resize(1280, 720)
    window.show()
    window.activateWindow()
    session.open_location(path)
    wait_until(lambda: session.is_open)
    window.show_page("rounds")
    page = window.page
    assert isinstance(page, RoundsPage)
    games = sorted(session.tournament.games.values(), key=lambda game: game.table)
    for game in games:
        if game.id in session.tournament.results:
            continue
        first, second = make_points(game.table)
        page.field.focus_line()
        page.field.line.clear()
        QTest.keyClicks(page.field.line, f"{game.table} {first} {second}")
        QTest.keyClick(page.field.line, Qt.Key.Key_Return)
        wait_until(lambda key=game.id: key in session.tournament.results)
        sys.stdout.write(f"{game.table} {first} {second}\n")
        sys.stdout.flush()


def wait_until(condition: object) -> None:
    """Process events until a condition holds."""
    while not condition():  # type: ignore[operator]
        QApplication.processEvents()
        QTest.qWait(1)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as settings_folder:
        type_results(Path(sys.argv[1]), Path(settings_folder))
