"""Tests of snapshots: making, listing, deleting and restoring them, and damaged snapshots."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.tournament import compute_diff
from tdapp.storage import SnapshotFolder, SnapshotReason, Store
from tdapp.storage.snapshots import (
    Snapshot,
    find_replacement_snapshot,
    find_unneeded_snapshots,
    is_snapshot_file_undamaged,
    restore_snapshot,
)
from tests.storage.samples import list_stored_rows, make_played_tournament, make_result, make_step

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that a test can set forward."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.create(tmp_path / "Open.tdapp", make_played_tournament())
    yield store
    store.close()


@pytest.fixture
def snapshots(store: Store, clock: Clock) -> SnapshotFolder:
    assert store.path is not None
    return SnapshotFolder.from_tournament(store.path, clock=clock)


def save_next_step(store: Store) -> None:
    """Save the next step of the tournament."""
    value, revision = store.load_tournament_and_revision()
    after = value.put(make_result("g1-1", 400 + revision, 300))
    store.save_step(compute_diff(value, after), make_step(revision + 1))


def test_make_snapshot_copies_the_whole_tournament(
    store: Store, snapshots: SnapshotFolder, tmp_path: Path
) -> None:
    snapshot = snapshots.make_snapshot_if_changed(store, SnapshotReason.PAIRING)
    assert snapshot is not None
    assert snapshot.path == tmp_path / "Open snapshots" / "2026-05-01 12.00.00Z pairing r0.tdapp"
    assert snapshots.list_snapshots_newest_first() == (snapshot,)
    copy = Store.open(snapshot.path)
    assert list_stored_rows(copy) == list_stored_rows(store)
    assert not copy.find_damage()
    copy.close()


def test_make_snapshot_skips_an_unchanged_state_unless_named(store: Store, snapshots: SnapshotFolder) -> None:
    assert snapshots.make_snapshot_if_changed(store, SnapshotReason.START) is not None
    assert snapshots.make_snapshot_if_changed(store, SnapshotReason.TIME) is None
    snapshot = snapshots.make_snapshot_if_changed(store, SnapshotReason.NAMED, "before: the final?")
    assert snapshot is not None
    assert snapshot.path.name.endswith("named r0 before- the final-.tdapp")
    save_next_step(store)
    assert snapshots.make_snapshot_if_changed(store, SnapshotReason.TIME) is not None
    assert [item.revision for item in snapshots.list_snapshots_newest_first()] == [1, 0, 0]


def test_restore_snapshot_requires_a_new_file(store: Store, snapshots: SnapshotFolder, tmp_path: Path) -> None:
    snapshot = snapshots.make_snapshot_if_changed(store, SnapshotReason.PAIRING)
    assert snapshot is not None
    before = list_stored_rows(store)
    save_next_step(store)
    restore_snapshot(snapshot, tmp_path / "Again.tdapp")
    copied_store = Store.open(tmp_path / "Again.tdapp")
    assert list_stored_rows(copied_store) == before
    copied_store.close()
    with pytest.raises(StorageError, match="file-exists"):
        restore_snapshot(snapshot, tmp_path / "Again.tdapp")


def test_find_newest_undamaged_snapshot_skips_a_damaged_snapshot(
    store: Store, snapshots: SnapshotFolder, clock: Clock
) -> None:
    first = snapshots.make_snapshot_if_changed(store, SnapshotReason.START)
    save_next_step(store)
    clock.advance(minutes=5)
    second = snapshots.make_snapshot_if_changed(store, SnapshotReason.TIME)
    assert first is not None
    assert second is not None
    assert snapshots.find_newest_undamaged_snapshot() == second
    data = bytearray(second.path.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    second.path.write_bytes(data)
    assert not is_snapshot_file_undamaged(second)
    assert snapshots.find_newest_undamaged_snapshot() == first


def test_list_snapshots_ignores_other_files(store: Store, snapshots: SnapshotFolder) -> None:
    snapshot = snapshots.make_snapshot_if_changed(store, SnapshotReason.START)
    for name in ("notes.txt", "2026-05-01 12.00.00Z party r1.tdapp", "2026-13-01 12.00.00Z start r1.tdapp"):
        (snapshots.folder / name).write_text("x")
    assert snapshots.list_snapshots_newest_first() == (snapshot,)
    assert SnapshotFolder(snapshots.folder / "none").list_snapshots_newest_first() == ()


def test_make_snapshot_reports_a_folder_that_cannot_be_created(store: Store, tmp_path: Path) -> None:
    (tmp_path / "stick").write_text("a file")
    with pytest.raises(StorageError):
        SnapshotFolder(tmp_path / "stick" / "copies").make_snapshot_if_changed(store, SnapshotReason.COPY)
    assert (tmp_path / "stick").read_text() == "a file"


def make_snapshot_at(minutes: float, reason: SnapshotReason = SnapshotReason.TIME) -> Snapshot:
    """Return a snapshot made `minutes` before noon."""
    time = NOON - timedelta(minutes=minutes)
    return Snapshot(Path(f"{minutes}"), time, reason, 1)


def test_find_superfluous_snapshots_keeps_the_newest_named_and_pairing_snapshots() -> None:
    hour, day = 60, 24 * 60
    recent_snapshots = [make_snapshot_at(5 * number) for number in range(36)]
    yesterday_snapshots = [make_snapshot_at(day + number) for number in (1, 11, 21)]
    pairing_snapshots = [make_snapshot_at(day + number, SnapshotReason.PAIRING) for number in (2, 12)]
    old_snapshots = [make_snapshot_at(5 * day + number * hour) for number in range(1, 5)]
    named_snapshots = [make_snapshot_at(5 * day + number, SnapshotReason.NAMED) for number in (1, 2)]
    future_snapshots = [make_snapshot_at(-10)]
    superfluous = list(
        find_unneeded_snapshots(
            [
                *recent_snapshots,
                *yesterday_snapshots,
                *pairing_snapshots,
                *old_snapshots,
                *named_snapshots,
                *future_snapshots,
            ],
            NOON,
        )
    )
    assert superfluous == [yesterday_snapshots[1], yesterday_snapshots[2], *old_snapshots[1:]]


def test_make_snapshot_deletes_superfluous_snapshots(
    store: Store, snapshots: SnapshotFolder, clock: Clock
) -> None:
    for _ in range(4):
        save_next_step(store)
        snapshots.make_snapshot_if_changed(store, SnapshotReason.TIME)
        clock.advance(minutes=5)
    clock.advance(days=3)
    save_next_step(store)
    snapshots.make_snapshot_if_changed(store, SnapshotReason.TIME)
    assert [item.revision for item in snapshots.list_snapshots_newest_first()] == [5, 4]


def test_make_snapshot_ignores_a_snapshot_that_cannot_be_deleted(
    store: Store, snapshots: SnapshotFolder, clock: Clock
) -> None:
    for name in ("2026-04-01 12.00.00Z time r1.tdapp", "2026-04-01 13.00.00Z time r2.tdapp"):
        (snapshots.folder / name).mkdir(parents=True)  # a folder cannot be deleted like a file
    snapshot = snapshots.make_snapshot_if_changed(store, SnapshotReason.TIME)
    assert snapshot is not None
    assert snapshot.path.is_file()
    assert len(snapshots.list_snapshots_newest_first()) == 3


def test_desk_makes_a_snapshot_before_each_pairing(tmp_path: Path) -> None:
    path = tmp_path / "Open.tdapp"
    Store.create(path, make_played_tournament()).close()
    desk = Desk(Store.open(path), snapshots=SnapshotFolder.from_tournament(path))
    with pytest.raises(CommandError):
        desk.do(partial(commands.publish_round, round=next(iter(desk.tournament.rounds))), label="propose-round")
    assert desk.snapshots is not None
    assert [item.reason for item in desk.snapshots.list_snapshots_newest_first()] == [SnapshotReason.PAIRING]
    desk.close()


def test_desk_continues_after_a_failed_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "Open.tdapp"
    Store.create(path, make_played_tournament()).close()
    (tmp_path / "Open snapshots").write_text("in the way")
    desk = Desk(Store.open(path), snapshots=SnapshotFolder.from_tournament(path))
    desk.do(partial(commands.edit_event, place="Oslo"), label="pair-round")
    assert desk.tournament.event.place == "Oslo"
    assert desk.snapshot_error is not None
    desk.close()


def test_find_replacement_snapshot_returns_the_newest_undamaged_snapshot(
    store: Store, snapshots: SnapshotFolder
) -> None:
    snapshot, path = snapshots.make_snapshot_if_changed(store, SnapshotReason.START), store.path
    assert snapshot is not None
    assert path is not None
    assert snapshot.key == "2026-05-01 12.00.00Z start r0.tdapp"
    assert find_replacement_snapshot(StorageError("file-damaged", path=str(path)), path) == snapshot
    for error in (StorageError("locked", path=str(path)), ValueError()):
        assert find_replacement_snapshot(error, path) is None
