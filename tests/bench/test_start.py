"""Benchmark of a cold start until the window with 60 players is usable. Target: 1.0 s.

The program creates hidden pages later. Modules are compiled, as in an installed program.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.desk import Desk
from tests.building import RESOURCES, make_event, pair_rounds

START = """
import os, sys
from pathlib import Path
from tdapp import app
app.disable_garbage_collector()
from tdapp.desk import Desk
from tdapp.gui.shell import start
from tdapp.gui.shell.session import SessionWorker
file, resources, settings = map(Path, sys.argv[1:])
application = start.make_application()
worker = SessionWorker(inline=True)
session = start.make_session(application, resources, start.open_settings(settings), work=worker)
window = start.make_window(session)
session.open_tournament_of_desk(Desk.open(file))
window.show()
application.processEvents()
assert window.isVisible() and session.division is not None
session.close()  # else the next start reports a crash
os._exit(0)  # do not measure the exit
"""


@pytest.mark.bench
def test_window_cold_start(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    file = tmp_path / "a.tdapp"
    Desk.create(file, pair_rounds(make_event(60), times=3)).close()
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_LOGGING_RULES": "*=false",
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"),
    }
    command = [sys.executable, "-c", START, str(file), str(RESOURCES), str(tmp_path / "settings.ini")]

    def start_program() -> int:
        return subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60).returncode

    code = benchmark.pedantic(start_program, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert code == 0
