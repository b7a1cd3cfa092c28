"""A process that closes a window with unsaved results.

    python -m tests.gui.unsaved_window_process FILE SETTINGS

Types a result and prints "saved" after saving. Reads a line from the standard input. Types two more results and
closes the window. Prints the text of the dialog about unsaved steps, clicks "Leave anyway" and prints "leaving".
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell import start
from tdapp.gui.shell.data_loss_dialogs import UnsavedStepsDialog
from tdapp.gui.shell.window import Window
from tdapp.services import command_queue
from tests.gui.samples import RESOURCES

command_queue.LATE_SECONDS = 0.2  # shorter, for the test


def type_result(window: Window, text: str) -> None:
    window.show_page("rounds")
    page = window.page
    assert isinstance(page, RoundsPage)
    page.field.focus_line()
    QTest.keyClicks(page.field.line, text)
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)


def is_ready_window(widget: object) -> bool:
    return isinstance(widget, Window) and widget.session.is_open


def print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def type_results_and_close() -> Iterator[None]:
    """Type results and close the window. Yield to wait for the window."""
    while not (open_windows := [widget for widget in QApplication.topLevelWidgets() if is_ready_window(widget)]):
        yield
    window = open_windows[0]
    assert isinstance(window, Window)
    queue = window.session.queue
    type_result(window, "1 401 301")
    while not window.session.tournament.results or queue.unsaved_work:
        yield
    print_line("saved")
    sys.stdin.readline()
    type_result(window, "2 402 302")
    type_result(window, "3 403 303")
    while len(queue.unsaved_work) < 2 or not (queue.is_saving_late or queue.error is not None):
        yield
    window.close()
    while not (dialogs := [dialog for dialog in window.findChildren(UnsavedStepsDialog) if dialog.isVisible()]):
        yield
    for label in dialogs[0].findChildren(QLabel):
        for line in label.text().splitlines():
            print_line(line)
    dialogs[0].yes.click()
    print_line("leaving")


def run_window(path: Path, settings: Path) -> int:
    application = start.make_application()
    steps = type_results_and_close()
    timer = QTimer(application, interval=10)

    def run_next_step() -> None:
        if next(steps, timer) is timer:
            timer.stop()

    timer.timeout.connect(run_next_step)
    timer.start()
    return start.run_window(path, resources=RESOURCES, settings_path=settings, language="en")


if __name__ == "__main__":
    sys.exit(run_window(Path(sys.argv[1]), Path(sys.argv[2])))
