"""A killed program, or one with a full disk, loses no confirmed step."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tdapp.domain.errors import StorageError
from tdapp.domain.model import GameId
from tdapp.services.servers import OwnServers
from tdapp.services.sharing import move_to_file
from tdapp.storage import Address, Store
from tests.conftest import Tally
from tests.storage.samples import make_played_tournament
from tests.storage.test_faults import library, somebody_else

__all__ = ["library"]

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX")


def start(path: Path, argument: object = 0, module: str = "committing_process") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"tests.storage.{module}", str(path), str(argument)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_at_random(started: subprocess.Popen[str], random: Random, longest: float = 0.2) -> list[str]:
    """Let a child play, kill it at a random moment, and return the confirmed steps."""
    with started as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(random.uniform(0, longest))
        child.kill()
        return [first, *child.stdout.readlines()]


def confirmed_is_kept(path: Path, lines: list[str]) -> None:
    """Check that the file is sound and has the last confirmed step, or the next one."""
    store = Store.open(path)
    value, revision = store.load()
    last = [int(line) for line in lines if line.endswith("\n")][-1]
    assert revision in {last, last + 1}
    assert value.results[GameId("g1-1")].first == revision
    assert [item.seq for item in store.read_steps()] == list(range(1, revision + 1))
    assert store.find_damage() == []
    store.close()


def killed(folder: Path, rounds: int) -> None:
    path, random = folder / "event.tdapp", Random(5)
    Store.create(path, make_played_tournament()).close()
    for _ in range(rounds):
        confirmed_is_kept(path, kill_at_random(start(path), random))


def test_killed_write_is_rolled_back_by_a_reader(tmp_path: Path) -> None:
    path, copy = tmp_path / "event.tdapp", tmp_path / "left.tdapp"
    Store.create(path, make_played_tournament()).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size=1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE games SET id = id || 'x'")
        db.execute("UPDATE players SET name = name || 'x'")
        for path_ in (path, Path(f"{path}-journal")):  # as a program leaves them that is killed now
            shutil.copy(path_, copy.with_name(path_.name.replace("event", "left")))
    reading = sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)
    with closing(reading), pytest.raises(sqlite3.OperationalError):
        reading.execute("SELECT name FROM players").fetchall()
    with closing(Store.open(copy, read_only=True)) as store:
        assert {player.name for player in store.load()[0].players.values()} == {
            player.name for player in make_played_tournament().players.values()
        }
        assert store.find_damage() == []


@pytest.mark.parametrize("kind", ["changed", "marked", "foreign"])
def test_wal_of_another_tool_is_ended_by_a_reader(tmp_path: Path, kind: str) -> None:
    path, copy = tmp_path / "event.tdapp", tmp_path / "left.tdapp"
    Store.create(path, make_played_tournament()).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode={'DELETE' if kind == 'foreign' else 'WAL'}")
        if kind == "changed":
            db.execute("UPDATE meta SET program = program || ''")
        for file in tmp_path.glob("event.tdapp*"):  # as a program leaves them that is killed now
            shutil.copy(file, copy.with_name(file.name.replace("event", "left")))
    if kind == "foreign":
        Path(f"{copy}-wal").write_bytes(b"x" * 5000)
        Path(f"{copy}-shm").write_bytes(bytes(32768))
    with closing(Store.open(copy, read_only=True)) as store:
        assert store.find_damage() == []
    assert [file.name for file in tmp_path.glob("left*")] == ["left.tdapp"]


def test_wal_of_a_foreign_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE t (a)")
        with pytest.raises(StorageError, match="file-foreign"):
            Store.open(path, read_only=True)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert Path(f"{path}-wal").exists()


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")
def test_wal_in_a_read_only_folder_is_explained(library: Path) -> None:
    path = library / "event.tdapp"
    Store.create(path, make_played_tournament()).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
    path.chmod(0o644)
    with somebody_else(), pytest.raises(StorageError, match="file-in-wal"):
        Store.open(path, read_only=True)


def writable(location: Path | Address) -> bool:
    if not Store.is_location_used(location):
        return False
    with closing(Store.open(location)) as store:
        return store.new_location is None


@pytest.mark.slow
def test_killed_sharing_leaves_at_most_one_side_writable(tmp_path: Path, database: Address) -> None:
    path, random, servers = tmp_path / "event.tdapp", Random(5), OwnServers(tmp_path)
    Store.create(path, make_played_tournament()).close()
    endings = set()
    for _ in range(8):
        lines = kill_at_random(start(path, database.secret, "sharing_process"), random, 2.0)
        sides = (writable(path), writable(database))
        assert sides != (True, True)
        endings.add(sides)
        if Store.is_location_used(database):
            move_to_file(servers, database, path)
        else:
            with closing(Store.open(path)) as store:
                store.mark_as_moved("")
        confirmed_is_kept(path, lines)
        assert not Store.is_location_used(database)
    assert len(endings) > 1


@pytest.mark.slow
def test_killed_program_loses_no_confirmed_step(tmp_path: Path, tried: Tally) -> None:
    tried("kills", 5)
    killed(tmp_path, 5)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_program_loses_no_confirmed_step_in_many_runs(tmp_path: Path, tried: Tally) -> None:
    tried("kills", 1000)
    killed(tmp_path, 1000)


@pytest.mark.slow
def test_program_at_its_file_limit_loses_no_confirmed_step(tmp_path: Path, tried: Tally) -> None:
    tried("disks that fail", 1)
    path = tmp_path / "event.tdapp"
    Store.create(path, make_played_tournament()).close()
    with start(path, path.stat().st_size + 20_000) as child:
        assert child.stdout is not None
        *lines, code = child.stdout.readlines()
    assert code.strip() in {"disk-error", "disk-full"}
    confirmed_is_kept(path, lines)
