"""Tests of failing disks and files: the desk reports the error, keeps confirmed steps and continues."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.model import RoundState
from tdapp.storage import SnapshotFolder, SnapshotReason, Store
from tests.building import get_game_at, make_event, pair_next, pair_rounds
from tests.desk.test_desk import are_equal
from tests.storage.samples import list_stored_rows, open_raw_connection
from tests.storage.test_faults import drop_root_rights, owner_folder

__all__ = ["owner_folder"]

ROOT = Path(__file__).resolve().parents[2]
POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="limits and mounts exist only on POSIX systems")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with snapshots, on a file with some steps."""
    path = tmp_path / "Open.tdapp"
    Store.create(path, make_event(8)).close()
    desk = Desk(Store.open(path, timeout=0.01), snapshots=SnapshotFolder.from_tournament(path))
    pair_next(desk)
    enter_score(desk, 1)
    yield desk
    desk.close()


def enter_score(desk: Desk, points: int) -> None:
    game = get_game_at(desk.tournament, 1).id
    desk.do(partial(commands.enter_result, game=game, first=400 + points, second=300))


def get_refusal_code(desk: Desk, act: Callable[[], object]) -> str:
    """Run an action that the disk refuses. The desk must not change. Return the code."""
    before, steps, undo = desk.tournament, desk.list_all_steps(), desk.undoable_step
    with pytest.raises(StorageError) as error_info:
        act()
    assert desk.tournament is before
    assert (desk.list_all_steps(), desk.undoable_step) == (steps, undo)
    return error_info.value.code


def check_copy_elsewhere(desk: Desk, target: Path) -> None:
    """Check that a copy in another folder has all confirmed steps, with journal and undo."""
    desk.store.copy_to_file(target)
    with closing(Desk.open(target)) as copy:
        assert are_equal(copy.tournament, desk.tournament)
        assert copy.list_all_steps() == desk.list_all_steps()
        assert copy.store.find_damage() == []
        copy.undo()


def check_further_work(desk: Desk) -> None:
    enter_score(desk, 77)
    desk.undo()
    desk.redo()
    assert desk.store.find_damage() == []
    with closing(Store.open(desk.store.path or Path())) as store:
        assert list_stored_rows(store) == list_stored_rows(desk.store)


# --- a small disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 800 KB."""
    folder = tmp_path / "stick"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=800k", "tmpfs", str(folder)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(command, check=False).returncode != 0:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_disk(folder: Path) -> Path:
    """Fill the disk. Return the file that fills it."""
    ballast = folder / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    return ballast


def open_desk(folder: Path) -> Desk:
    path = folder / "Open.tdapp"
    Store.create(path, make_event(8)).close()
    desk = Desk(Store.open(path), snapshots=SnapshotFolder.from_tournament(path))
    pair_next(desk)
    enter_score(desk, 1)
    return desk


def test_full_disk_is_reported_and_work_continues_with_free_space(small_disk: Path, tmp_path: Path) -> None:
    with closing(open_desk(small_disk)) as desk:
        ballast = fill_disk(small_disk)
        assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "disk-full"
        assert get_refusal_code(desk, desk.undo) == "disk-full"
        check_copy_elsewhere(desk, tmp_path / "rescued.tdapp")
        ballast.unlink()
        check_further_work(desk)


def edit_event_repeatedly(desk: Desk) -> None:
    for number in range(400):
        desk.do(partial(commands.edit_event, place=f"{number} " + "x" * 150))


def test_full_disk_loses_no_confirmed_step(small_disk: Path) -> None:
    with closing(open_desk(small_disk)) as desk:
        (small_disk / "ballast").write_bytes(bytes(150_000))
        with pytest.raises(StorageError, match="disk-full"):
            edit_event_repeatedly(desk)
        steps, value = desk.list_all_steps(), desk.tournament
    assert len(steps) > 5
    (small_disk / "ballast").unlink(missing_ok=True)
    with closing(Desk.open(small_disk / "Open.tdapp")) as desk:
        assert desk.list_all_steps() == steps
        assert are_equal(desk.tournament, value)
        assert desk.store.find_damage() == []


def test_full_disk_stops_only_the_snapshot(desk: Desk, small_disk: Path) -> None:
    desk.snapshots = SnapshotFolder(small_disk / "copies")
    desk.take_snapshot(SnapshotReason.START)
    (first,) = desk.snapshots.list_snapshots_newest_first()
    enter_score(desk, 2)
    fill_disk(small_disk)
    desk.take_snapshot(SnapshotReason.TIME)
    assert desk.snapshot_error is not None
    assert desk.snapshot_error.code == "disk-full"
    assert [path.name for path in (small_disk / "copies").iterdir()] == [first.path.name]
    assert desk.snapshots.find_newest_undamaged_snapshot() == first
    check_further_work(desk)


def test_store_create_refuses_a_full_disk(small_disk: Path) -> None:
    fill_disk(small_disk)
    with pytest.raises(StorageError) as error_info:
        Store.create(small_disk / "new.tdapp", make_event(4))
    assert error_info.value.code == "disk-full"
    assert not (small_disk / "new.tdapp").exists()


def test_read_only_disk_is_reported(desk: Desk, small_disk: Path, tmp_path: Path) -> None:
    open_desk(small_disk).close()
    (small_disk / "known").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with closing(Desk.open(small_disk / "Open.tdapp")) as reopened_desk:
        assert reopened_desk.store.read_only
        assert get_refusal_code(reopened_desk, lambda: enter_score(reopened_desk, 2)) == "read-only"
        check_copy_elsewhere(reopened_desk, tmp_path / "rescued.tdapp")
    for folder in ("copies", "known"):
        desk.snapshots = SnapshotFolder(small_disk / folder)
        desk.take_snapshot(SnapshotReason.TIME)
        assert desk.snapshot_error is not None
        check_further_work(desk)
    with pytest.raises(StorageError, match="folder-read-only"):
        Store.create(small_disk / "new.tdapp", make_event(4))
    with pytest.raises(StorageError, match="folder-read-only"):
        desk.store.copy_to_file(small_disk / "copy.tdapp")


@POSIX_ONLY
def test_read_only_folder_is_reported_while_the_file_is_open(owner_folder: Path, tmp_path: Path) -> None:
    path = owner_folder / "Open.tdapp"
    owner_folder.chmod(0o777)
    Store.create(path, pair_rounds(make_event(8), results=False)).close()
    path.chmod(0o666)
    with drop_root_rights():
        desk = Desk(Store.open(path))
        enter_score(desk, 1)
    owner_folder.chmod(0o555)
    with drop_root_rights():
        assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "folder-read-only"
    check_copy_elsewhere(desk, tmp_path / "rescued.tdapp")
    owner_folder.chmod(0o777)
    with drop_root_rights(), closing(desk):
        check_further_work(desk)


@POSIX_ONLY
def test_read_only_folder_is_reported_for_a_new_file(owner_folder: Path) -> None:
    path = owner_folder / "Open.tdapp"
    Store.create(path, pair_rounds(make_event(8), results=False)).close()
    path.chmod(0o666)
    owner_folder.chmod(0o555)
    with drop_root_rights(), closing(Desk.open(path)) as desk:
        assert (desk.store.read_only, desk.store.write_obstacle) == (True, "folder-read-only")
        assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "folder-read-only"


def test_removed_stick_stops_only_copies(desk: Desk, small_disk: Path) -> None:
    desk.snapshots = SnapshotFolder.from_tournament(desk.store.path or Path(), small_disk / "copies")
    desk.take_snapshot(SnapshotReason.COPY)
    assert desk.snapshot_error is not None
    assert desk.snapshot_error.code == "folder-missing"
    check_further_work(desk)


# --- limits of a process

LIMITED = """
import json, resource, signal, sys
from contextlib import closing
from pathlib import Path
from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.storage import SnapshotFolder, Store
from tests.storage.test_disk import enter_score
path, limit = Path(sys.argv[1]), int(sys.argv[2])
desk = Desk(Store.open(path), snapshots=SnapshotFolder.from_tournament(path))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
outcomes = []
copy = path.with_name("copy.tdapp")
for action in (lambda: enter_score(desk, 9), desk.undo, lambda: desk.store.copy_to_file(copy)):
    before = desk.tournament
    try:
        action()
        outcomes.append("done")
    except StorageError as error:
        assert desk.tournament is before
        outcomes.append(error.code)
print(json.dumps([outcomes, len(desk.list_all_steps()), [item.name for item in path.parent.iterdir()]]))
"""


@pytest.mark.slow
@POSIX_ONLY
@pytest.mark.parametrize("limit", [0, 10_000, 100_000])
def test_file_size_limit_of_the_process_is_reported(desk: Desk, limit: int) -> None:
    path = desk.store.path or Path()
    names, before = sorted(item.name for item in path.parent.iterdir()), list_stored_rows(desk.store)
    command = [sys.executable, "-c", LIMITED, str(path), str(limit)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    outcome, steps, remaining = json.loads(process.stdout)
    assert set(outcome) <= {"disk-error", "disk-full"}
    assert steps == len(desk.list_all_steps())
    assert [name for name in sorted(remaining) if not name.endswith("-journal")] == names
    assert (list_stored_rows(desk.store), desk.store.find_damage()) == (before, [])
    check_further_work(desk)


# --- the file itself


def test_removed_file_is_reported_and_can_be_saved_in_another_folder(desk: Desk, tmp_path: Path) -> None:
    assert desk.store.path is not None
    desk.store.path.unlink()
    assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "file-moved"
    assert get_refusal_code(desk, desk.undo) == "file-moved"
    check_copy_elsewhere(desk, tmp_path / "rescued.tdapp")


def test_replaced_file_is_reported_and_stays_unchanged(desk: Desk, tmp_path: Path) -> None:
    path = desk.store.path or Path()
    other_path = tmp_path / "other.tdapp"
    Store.create(other_path, pair_rounds(make_event(6))).close()
    content = other_path.read_bytes()
    other_path.replace(path)
    assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "file-moved"
    check_copy_elsewhere(desk, tmp_path / "rescued.tdapp")
    assert path.read_bytes() == content


@pytest.mark.parametrize("length", [0, 1, 100, 4096, 50_000])
def test_truncated_file_is_reported(desk: Desk, tmp_path: Path, length: int) -> None:
    desk.take_snapshot(SnapshotReason.TIME)
    path = desk.store.path or Path()
    with path.open("r+b") as file:
        file.truncate(length)
    assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "file-overwritten"
    with closing(
        Desk.create(tmp_path / "rescued.tdapp", desk.tournament)
    ) as rescued_desk:  # memory still has all steps
        assert are_equal(rescued_desk.tournament, desk.tournament)
    assert desk.snapshots is not None
    newest = desk.snapshots.find_newest_undamaged_snapshot()
    assert newest is not None
    with closing(Desk.open(newest.path)) as copy:
        assert copy.list_all_steps() == desk.list_all_steps()


@pytest.mark.parametrize("seed", range(6))
def test_overwritten_file_is_reported_or_unharmed(desk: Desk, seed: int) -> None:
    path, random = desk.store.path or Path(), Random(seed)
    with path.open("r+b") as file:
        file.seek(random.randrange(path.stat().st_size))
        file.write(random.randbytes(20_000))
    with suppress(StorageError):
        enter_score(desk, 2)
    with suppress(StorageError):
        desk.undo()
    with suppress(StorageError), closing(Store.open(path)) as store:
        assert store.find_damage() != [] or are_equal(store.load_tournament_and_revision()[0], desk.tournament)


def test_locked_file_is_reported_until_it_is_free(desk: Desk, tmp_path: Path) -> None:
    path = desk.store.path or Path()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "locked"
        check_copy_elsewhere(desk, tmp_path / "rescued.tdapp")
        connection.execute("ROLLBACK")
        connection.execute("BEGIN EXCLUSIVE")
        assert get_refusal_code(desk, lambda: enter_score(desk, 2)) == "locked"
        open_raw_connection(desk.store).execute("PRAGMA busy_timeout=0")
        desk.take_snapshot(SnapshotReason.TIME)
        assert desk.snapshot_error is not None
        assert desk.snapshot_error.code == "locked"
    check_further_work(desk)


def test_pairing_continues_without_its_snapshot(desk: Desk) -> None:
    assert desk.snapshots is not None
    shutil.rmtree(desk.snapshots.folder)
    desk.snapshots.folder.write_text("in the way")
    item = next(iter(desk.tournament.rounds.values()))
    assert item.state is RoundState.PUBLISHED
    for table in (2, 3, 4):
        game = get_game_at(desk.tournament, table).id
        desk.do(partial(commands.enter_result, game=game, first=400, second=300))
    pair_next(desk)
    assert desk.snapshot_error is not None
    assert len(desk.tournament.rounds) == 2
