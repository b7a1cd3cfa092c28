"""Tests of killed windows: no result shown as saved is lost, even on a hanging disk."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.gui.shell.start import LEAVING_PATIENCE
from tdapp.pairing import propose_pairings
from tests.conftest import AttemptRecorder
from tests.gui.samples import A, make_tournament
from tests.storage.test_hanging import preload_library
from tests.storage.test_kill import ROOT

__all__ = ["preload_library"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fsync is delayed on Linux")
TABLES = 60


def create_paired_event(path: Path) -> None:
    with closing(Desk.create(path, make_tournament(players=2 * TABLES))) as desk:
        command = partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A))
        desk.do(command, label="pair-round")


def read_saved_results(path: Path) -> list[str]:
    """Check that the file is sound, and return its results in the format of the typing process."""
    with closing(Desk.open(path)) as desk:
        assert desk.store.find_damage() == []
        value = desk.tournament
        numbered_rows = ((value.games[key].table, row) for key, row in value.results.items())
        return [
            f"{table} {row.first} {row.second}\n" for table, row in sorted(numbered_rows, key=lambda pair: pair[0])
        ]


def type_until_killed(path: Path, environment: dict[str, str], disk_mode: Path, random: Random) -> list[str]:
    """Type in a window, sometimes hang its disk, kill it, and return the shown results."""
    disk_mode.write_text("go")
    command = [sys.executable, "-m", "tests.gui.typing_process", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(random.uniform(0, 0.5))
        if random.random() < 0.5:
            disk_mode.write_text("hang")
            time.sleep(random.uniform(0, 0.3))
        child.kill()
        return [first, *child.stdout.readlines()]


def check_killed_windows(folder: Path, preload_library: Path, times: int) -> None:
    path, disk_mode, random = folder / "event.tdapp", folder / "disk-mode", Random(8)
    results_before: list[str] = []
    environment = os.environ | {
        "LD_PRELOAD": str(preload_library), "HANGING": str(disk_mode), "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(folder),
    }  # fmt: skip
    for _ in range(times):
        if not TABLES - 20 > len(results_before) > 0:
            path.unlink(missing_ok=True)
            create_paired_event(path)
            results_before = []
        shown_results = [
            line for line in type_until_killed(path, environment, disk_mode, random) if line.endswith("\n")
        ]
        results_after = read_saved_results(path)
        assert shown_results
        assert results_after[: len(results_before) + len(shown_results)] == results_before + shown_results
        assert len(results_after) <= len(results_before) + len(shown_results) + 1
        results_before = results_after


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_window_loses_no_shown_result(
    tmp_path: Path, preload_library: Path, record_attempts: AttemptRecorder
) -> None:
    record_attempts("kills of the window, some with a hanging disk", 3)
    check_killed_windows(tmp_path, preload_library, 3)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_killed_window_loses_no_shown_result_in_many_runs(
    tmp_path: Path, preload_library: Path, record_attempts: AttemptRecorder
) -> None:
    record_attempts("kills of the window, some with a hanging disk", 300)
    check_killed_windows(tmp_path, preload_library, 300)


@contextmanager
def hang_disk(_path: Path, disk_mode: Path) -> Iterator[None]:
    disk_mode.write_text("hang")
    try:
        yield
    finally:
        disk_mode.write_text("go")


@contextmanager
def lock_file(path: Path, _disk_mode: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("block_saving", "hanging_file"),
    [(hang_disk, ""), (hang_disk, "event.tdapp"), (lock_file, "")],
    ids=["disk", "stick", "lock"],
)
@pytest.mark.parametrize("delay", [0.0, 0.3, None])
def test_closed_window_saves_nothing_later(
    tmp_path: Path,
    preload_library: Path,
    block_saving: Callable[[Path, Path], AbstractContextManager[None]],
    hanging_file: str,
    delay: float | None,
) -> None:
    """The disk or lock becomes free `delay` seconds after the click. None: after the process has ended."""
    path, disk_mode = tmp_path / "event.tdapp", tmp_path / "disk-mode"
    disk_mode.write_text("go")
    create_paired_event(path)
    environment = os.environ | {
        "LD_PRELOAD": str(preload_library), "HANGING": str(disk_mode), "HANGING_IN": hanging_file,
        "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path),
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.gui.unsaved_window_process", str(path), str(tmp_path / "settings.ini")]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "saved\n"
        with block_saving(path, disk_mode):
            child.stdin.write("\n")
            child.stdin.flush()
            output_lines = list(iter(child.stdout.readline, "leaving\n"))
            if delay is None and (
                hanging_file or block_saving is lock_file
            ):  # a hung disk also delays the settings
                assert child.wait(30) == 0
            else:
                time.sleep(LEAVING_PATIENCE + 1 if delay is None else delay)
        assert child.wait(30) == 0
    assert [line for line in output_lines if line.startswith("Result of table")] == [
        "Result of table 2 entered, 402, 302\n", "Result of table 3 entered, 403, 303\n"
    ]  # fmt: skip
    assert read_saved_results(path) == ["1 401 301\n"]
