"""Tests of killed programs and of file size limits: no confirmed step is lost."""

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
from tdapp.services.servers import OwnDatabaseServers
from tdapp.services.sharing import move_shared_tournament_to_file
from tdapp.storage import Address, Store
from tests.conftest import AttemptRecorder
from tests.storage.samples import make_played_tournament
from tests.storage.test_faults import drop_root_rights, owner_folder

__all__ = ["owner_folder"]

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits exist only on POSIX systems")


def start_child(path: Path, argument: object = 0, module: str = "committing_process") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"tests.storage.{module}", str(path), str(argument)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_at_random(process: subprocess.Popen[str], random: Random, longest: float = 0.2) -> list[str]:
    """Kill a child process at a random moment, and return the confirmed steps."""
    with process as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(random.uniform(0, longest))
        child.kill()
        return [first, *child.stdout.readlines()]


def check_confirmed_steps(path: Path, lines: list[str]) -> None:
    """Check that the file is undamaged and ends with the last confirmed step or the next step."""
    store = Store.open(path)
    value, revision = store.load_tournament_and_revision()
    last = [int(line) for line in lines if line.endswith("\n")][-1]
    assert revision in {last, last + 1}
    assert value.results[GameId("g1-1")].first == revision
    assert [item.seq for item in store.read_steps()] == list(range(1, revision + 1))
    assert store.find_damage() == []
    store.close()


def kill_repeatedly(folder: Path, rounds: int) -> None:
    path, random = folder / "event.tdapp", Random(5)
    Store.create(path, make_played_tournament()).close()
    for _ in range(rounds):
        check_confirmed_steps(path, kill_at_random(start_child(path), random))


def test_store_open_rolls_back_an_unfinished_write(tmp_path: Path) -> None:
    path, copy = tmp_path / "event.tdapp", tmp_path / "left.tdapp"
    Store.create(path, make_played_tournament()).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size=1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE games SET id = id || 'x'")
        db.execute("UPDATE players SET name = name || 'x'")
        for file in (path, Path(f"{path}-journal")):  # the files of a program killed at this moment
            shutil.copy(file, copy.with_name(file.name.replace("event", "left")))
    reader = sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)
    with closing(reader), pytest.raises(sqlite3.OperationalError):
        reader.execute("SELECT name FROM players").fetchall()
    with closing(Store.open(copy, read_only=True)) as store:
        assert {player.name for player in store.load_tournament_and_revision()[0].players.values()} == {
            player.name for player in make_played_tournament().players.values()
        }
        assert store.find_damage() == []


@pytest.mark.parametrize("kind", ["changed", "marked", "foreign"])
def test_store_open_removes_the_wal_of_another_tool(tmp_path: Path, kind: str) -> None:
    path, copy = tmp_path / "event.tdapp", tmp_path / "left.tdapp"
    Store.create(path, make_played_tournament()).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode={'DELETE' if kind == 'foreign' else 'WAL'}")
        if kind == "changed":
            db.execute("UPDATE meta SET program = program || ''")
        for file in tmp_path.glob("event.tdapp*"):  # the files of a program killed at this moment
            shutil.copy(file, copy.with_name(file.name.replace("event", "left")))
    if kind == "foreign":
        Path(f"{copy}-wal").write_bytes(b"x" * 5000)
        Path(f"{copy}-shm").write_bytes(bytes(32768))
    with closing(Store.open(copy, read_only=True)) as store:
        assert store.find_damage() == []
    assert [file.name for file in tmp_path.glob("left*")] == ["left.tdapp"]


def test_store_open_keeps_the_wal_of_a_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE t (a)")
        with pytest.raises(StorageError, match="file-foreign"):
            Store.open(path, read_only=True)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert Path(f"{path}-wal").exists()


@pytest.mark.skipif(os.name != "posix", reason="file modes exist only on POSIX systems")
def test_store_open_reports_a_wal_in_a_read_only_folder(owner_folder: Path) -> None:
    path = owner_folder / "event.tdapp"
    Store.create(path, make_played_tournament()).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
    path.chmod(0o644)
    with drop_root_rights(), pytest.raises(StorageError, match="file-in-wal"):
        Store.open(path, read_only=True)


def test_move_to_a_write_protected_file_is_refused_before_the_server_is_asked(owner_folder: Path) -> None:
    path, servers = owner_folder / "Open.tdapp", OwnDatabaseServers(owner_folder)
    path.touch()
    path.chmod(0o444)
    unused_address = Address("postgresql://localhost/unused")
    for folder_mode, target, code in (
        (0o777, path, "read-only"),
        (0o555, owner_folder / "new.tdapp", "folder-read-only"),
        (0o777, owner_folder / "none" / "new.tdapp", "folder-missing"),
    ):
        owner_folder.chmod(folder_mode)
        with drop_root_rights(), pytest.raises(StorageError, match=code):
            move_shared_tournament_to_file(servers, unused_address, target)


def is_writable(location: Path | Address) -> bool:
    if not Store.is_location_taken(location):
        return False
    with closing(Store.open(location)) as store:
        return store.new_location is None


@pytest.mark.slow
def test_killed_sharing_leaves_at_most_one_side_writable(tmp_path: Path, database: Address) -> None:
    path, random, servers = tmp_path / "event.tdapp", Random(5), OwnDatabaseServers(tmp_path)
    Store.create(path, make_played_tournament()).close()
    outcomes = set()
    for _ in range(8):
        lines = kill_at_random(start_child(path, database.secret, "sharing_process"), random, 2.0)
        writable_sides = (is_writable(path), is_writable(database))
        assert writable_sides != (True, True)
        outcomes.add(writable_sides)
        if Store.is_location_taken(database):
            move_shared_tournament_to_file(servers, database, path)
        else:
            with closing(Store.open(path)) as store:
                store.mark_as_moved("")
        check_confirmed_steps(path, lines)
        assert not Store.is_location_taken(database)
    assert len(outcomes) > 1


@pytest.mark.slow
def test_killed_program_loses_no_confirmed_step(tmp_path: Path, record_attempts: AttemptRecorder) -> None:
    record_attempts("kills", 5)
    kill_repeatedly(tmp_path, 5)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_program_loses_no_confirmed_step_in_many_runs(
    tmp_path: Path, record_attempts: AttemptRecorder
) -> None:
    record_attempts("kills", 1000)
    kill_repeatedly(tmp_path, 1000)


@pytest.mark.slow
def test_program_at_its_file_limit_loses_no_confirmed_step(
    tmp_path: Path, record_attempts: AttemptRecorder
) -> None:
    record_attempts("disks that fail", 1)
    path = tmp_path / "event.tdapp"
    Store.create(path, make_played_tournament()).close()
    with start_child(path, path.stat().st_size + 20_000) as child:
        assert child.stdout is not None
        *lines, code = child.stdout.readlines()
    assert code.strip() in {"disk-error", "disk-full"}
    check_confirmed_steps(path, lines)
