"""A program that is killed, or whose disk takes no more, has lost nothing that it confirmed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tdapp.domain.model import GameId
from tdapp.storage import Store
from tests.conftest import Tally
from tests.storage.samples import played

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX")


def start(path: Path, limit: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.committer", str(path), str(limit)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_at_random(path: Path, random: Random) -> list[str]:
    """Let a child play on, kill it at a random moment, and return what it confirmed."""
    with start(path) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(random.uniform(0, 0.2))
        child.kill()
        return [first, *child.stdout.readlines()]


def confirmed_is_kept(path: Path, lines: list[str]) -> None:
    """The file is sound and at the last confirmed step, or at the one whose confirmation was cut off."""
    store = Store.open(path)
    value, revision = store.load()
    last = [int(line) for line in lines if line.endswith("\n")][-1]
    assert revision in {last, last + 1}
    assert value.results[GameId("g1-1")].first == revision
    assert [item.seq for item in store.steps()] == list(range(1, revision + 1))
    assert store.check() == []
    store.close()


def killed(folder: Path, rounds: int) -> None:
    path, random = folder / "event.tdapp", Random(5)
    Store.create(path, played()).close()
    for _ in range(rounds):
        confirmed_is_kept(path, kill_at_random(path, random))


@pytest.mark.slow
def test_nothing_confirmed_is_lost_by_a_kill(tmp_path: Path, tried: Tally) -> None:
    tried("kills", 5)
    killed(tmp_path, 5)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_nothing_confirmed_is_lost_by_many_kills(tmp_path: Path, tried: Tally) -> None:
    tried("kills", 1000)
    killed(tmp_path, 1000)


@pytest.mark.slow
def test_nothing_confirmed_is_lost_when_the_file_may_not_grow(tmp_path: Path, tried: Tally) -> None:
    tried("disks that fail", 1)
    path = tmp_path / "event.tdapp"
    Store.create(path, played()).close()
    with start(path, limit=path.stat().st_size + 20_000) as child:
        assert child.stdout is not None
        *lines, code = child.stdout.readlines()
    assert code.strip() in {"disk-error", "disk-full"}
    confirmed_is_kept(path, lines)
