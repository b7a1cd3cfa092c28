"""The window's memory during use: `python -m tests.bench.memory_growth 300x12`.

Starts the program on a file, and prints its memory in MB with the first page, with every page created, and after
2,000 results typed and undone on the Standings page.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tdapp.domain import commands
from tdapp.gui.shell import start
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import SessionWorker
from tdapp.gui.shell.window import Window
from tests.bench.process import read_memory

ROOT = Path(__file__).parents[2]
RESULTS = 2000
_MAKE = """
import sys
from pathlib import Path
from tests.gallery.data import create_desk
create_desk(sys.argv[1], Path(sys.argv[2])).close()
"""
_RUN = """
import sys
from pathlib import Path
from tdapp import app
app.disable_garbage_collector()  # as the program does
from tests.bench.memory_growth import print_memory_growth
print_memory_growth(Path(sys.argv[1]))
"""
_IDLE_TIME = 1.0  # seconds until idle work is done
_STEP = 0.05  # seconds from a step to the next


def _wait_idle(seconds: float = _IDLE_TIME) -> None:
    """Let the window finish its idle work."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


def _type_and_undo(window: Window) -> None:
    session = window.session
    assert session.round is not None
    games = [game.id for game in session.index.list_open_games(session.round.id)]
    for number in range(RESULTS):
        command = partial(
            commands.enter_result, game=games[number % len(games)], first=400 + number % 90, second=388
        )
        session.do(command)
        _wait_idle(_STEP)
        session.undo()
        _wait_idle(_STEP)


def print_memory_growth(file: Path) -> None:
    """Print the figures of a new window."""
    application = start.make_application()
    settings = start.open_settings(file.parent / "settings.ini")
    session = start.make_session(application, ROOT / "resources", settings, work=SessionWorker())
    window = start.make_window(session)
    window.show()
    session.open_file(file)
    _wait_idle(5 * _IDLE_TIME)
    start.resume_garbage_collector()
    _wait_idle(5 * _IDLE_TIME)
    lines = [f"started {read_memory(os.getpid())}"]
    for name in PAGES:
        window.show_page(name)
        _wait_idle()
    lines.append(f"all pages {read_memory(os.getpid())}")
    window.show_page("standings")
    _type_and_undo(window)
    _wait_idle()
    lines.append(f"after {RESULTS} results {read_memory(os.getpid())}")
    print("MB:", ", ".join(lines))  # noqa: T201 - the output of the script
    session.close()


def main(data: str) -> None:
    """Measure one event in a new process that contains only the window."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", _MAKE, data, folder], cwd=ROOT, check=True)
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
        command = [sys.executable, "-c", _RUN, *map(str, Path(folder).glob("*.tdapp"))]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "300x12")
