"""A director's window with desks in a browser, in a separate process, until it is killed.

    python -m tests.web.window_process FILE SETTINGS PORT

Print the PIN of the entry desk. Then type each input line in the result field. Print "saved LINE" if the window
shows the line as saved, or "refused LINE" with the reason.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from queue import Empty, SimpleQueue

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.access import strip_markup
from tdapp.gui.widgets.theme import Appearance
from tests.gui.samples import RESOURCES, make_session
from tests.gui.typing_process import wait_until


def print_line(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def read_input(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line.strip())


def type_line(field: ResultField, line: str) -> None:
    field.focus_line()
    field.line.clear()
    QTest.keyClicks(field.line, line)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    wait_until(lambda: not field.line.text() or "ress Enter again" in field.more_label.text() or _is_red(field))
    answer = strip_markup(field.echo_label.text())
    print_line("saved" if answer.startswith("✓") else "refused", line, "|", answer)


def _is_red(field: ResultField) -> bool:
    return field.line.property("wrong") is True


def main(path: Path, settings_file: Path, port: int) -> None:
    _app = QApplication([])
    appearance = Appearance(RESOURCES)
    appearance.apply_style()
    settings = QSettings(str(settings_file), QSettings.Format.IniFormat)
    session = make_session("en", appearance, settings, inline=False)
    window = Window(session)
    window.resize(1280, 720)
    window.show()
    session.open_location(path)
    wait_until(lambda: session.is_open)
    if not session.serving.access.state.is_on:
        session.serving.access.switch_on_with_new_pins()
    session.serving.start_server("127.0.0.1", port)
    window.show_page("rounds")
    page = window.page
    assert isinstance(page, RoundsPage)
    print_line("pin", session.serving.access.state.entry_pin)
    lines: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=read_input, args=(lines,), daemon=True).start()
    while True:
        QTest.qWait(5)
        try:
            line = lines.get_nowait()
        except Empty:
            continue
        type_line(page.field, line)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
