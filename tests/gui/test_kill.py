"""A killed window has lost no result shown as saved, even if its disk had hung before."""

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
from tests.conftest import Tally
from tests.gui.samples import A, make_tournament
from tests.storage.test_hanging import preload
from tests.storage.test_kill import ROOT

__all__ = ["preload"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fsync is delayed on Linux")
TABLES = 60


def event(path: Path) -> None:
    with closing(Desk.create(path, make_tournament(players=2 * TABLES))) as desk:
        command = partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A))
        desk.do(command, label="pair-round")


def kept(path: Path) -> list[str]:
    """Return the results of a sound file as they are printed when they are typed."""
    with closing(Desk.open(path)) as desk:
        assert desk.store.find_damage() == []
        value = desk.tournament
        found = ((value.games[key].table, row) for key, row in value.results.items())
        return [f"{table} {row.first} {row.second}\n" for table, row in sorted(found, key=lambda one: one[0])]


def typed_until_killed(path: Path, environment: dict[str, str], mood: Path, random: Random) -> list[str]:
    """Type in a window, sometimes hang its disk, kill it, and return the results it has shown."""
    mood.write_text("go")
    command = [sys.executable, "-m", "tests.gui.typing_process", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(random.uniform(0, 0.5))
        if random.random() < 0.5:
            mood.write_text("hang")
            time.sleep(random.uniform(0, 0.3))
        child.kill()
        return [first, *child.stdout.readlines()]


def killed(folder: Path, preload: Path, times: int) -> None:
    path, mood, random = folder / "event.tdapp", folder / "mood", Random(8)
    before: list[str] = []
    environment = os.environ | {
        "LD_PRELOAD": str(preload), "HANGING": str(mood), "QT_QPA_PLATFORM": "offscreen", "HOME": str(folder)
    }  # fmt: skip
    for _ in range(times):
        if not TABLES - 20 > len(before) > 0:
            path.unlink(missing_ok=True)
            event(path)
            before = []
        shown = [line for line in typed_until_killed(path, environment, mood, random) if line.endswith("\n")]
        after = kept(path)
        assert shown
        assert after[: len(before) + len(shown)] == before + shown
        assert len(after) <= len(before) + len(shown) + 1
        before = after


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_window_loses_no_shown_result(tmp_path: Path, preload: Path, tried: Tally) -> None:
    tried("kills of the window, its disk hanging or not", 3)
    killed(tmp_path, preload, 3)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_killed_window_loses_no_shown_result_in_many_runs(tmp_path: Path, preload: Path, tried: Tally) -> None:
    tried("kills of the window, its disk hanging or not", 300)
    killed(tmp_path, preload, 300)


@contextmanager
def held_disk(_path: Path, mood: Path) -> Iterator[None]:
    mood.write_text("hang")
    try:
        yield
    finally:
        mood.write_text("go")


@contextmanager
def held_lock(path: Path, _mood: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("hold", "hung"), [(held_disk, ""), (held_disk, "event.tdapp"), (held_lock, "")], ids=["disk", "stick", "lock"]
)
@pytest.mark.parametrize("delay", [0.0, 0.3, None])
def test_window_left_anyway_saves_nothing_later(
    tmp_path: Path,
    preload: Path,
    hold: Callable[[Path, Path], AbstractContextManager[None]],
    hung: str,
    delay: float | None,
) -> None:
    """The disk or the lock comes free `delay` seconds after the click, or after the end of the process."""
    path, mood = tmp_path / "event.tdapp", tmp_path / "mood"
    mood.write_text("go")
    event(path)
    environment = os.environ | {
        "LD_PRELOAD": str(preload), "HANGING": str(mood), "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path),
        "HANGING_IN": hung,
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.gui.unsaved_window_process", str(path), str(tmp_path / "settings.ini")]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "saved\n"
        with hold(path, mood):
            child.stdin.write("\n")
            child.stdin.flush()
            named = list(iter(child.stdout.readline, "leaving\n"))
            if delay is None and (hung or hold is held_lock):  # a hung disk also delays the settings
                assert child.wait(30) == 0
            else:
                time.sleep(LEAVING_PATIENCE + 1 if delay is None else delay)
        assert child.wait(30) == 0
    assert [line for line in named if line.startswith("Result of table")] == [
        "Result of table 2 entered, 402, 302\n", "Result of table 3 entered, 403, 303\n"
    ]  # fmt: skip
    assert kept(path) == ["1 401 301\n"]
