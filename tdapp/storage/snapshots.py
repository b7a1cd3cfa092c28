"""Makes snapshots: complete copies of a tournament file, in a folder that the user can see.

The file name contains the time (UTC), the reason, the revision and an optional name: `2026-11-21 16.45.03Z pairing
r132.tdapp`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from tdapp.domain.errors import StorageError
from tdapp.domain.model import EventId, PlayerId
from tdapp.storage import file_opening
from tdapp.storage.store import Store

SUFFIX = ".tdapp"
KEEP_ALL_AGE = timedelta(hours=3)  # younger snapshots are all kept
KEEP_HOURLY_AGE = timedelta(days=2)  # younger snapshots: one for each hour, and all before a pairing
UNOPENABLE_CODES = frozenset({"file-damaged", "file-altered", "file-empty", "file-foreign", "file-missing"})
_NAME = re.compile(r"(\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)Z (\w+) r(\d+)(?: (.+))?\.tdapp")
_TIME = "%Y-%m-%d %H.%M.%S"
_FORBIDDEN_CHARACTERS = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_LONGEST_NAME = 80  # letters of a name


class SnapshotReason(StrEnum):
    """The reason for a snapshot."""

    START = "start"  # the tournament was opened
    PAIRING = "pairing"  # a round is about to be paired
    TIME = "time"  # regular snapshot after changes
    NAMED = "named"  # requested by the user
    COPY = "copy"  # copy in the second backup folder
    MIGRATION = "migration"  # the file is about to be converted to a newer version


class Snapshot(Struct, frozen=True):
    """A copy of a tournament file."""

    path: Path
    created_at: datetime  # in UTC
    reason: SnapshotReason
    revision: int
    name: str = ""  # chosen by the user, or ""

    @property
    def key(self) -> str:
        return self.path.name


def _get_current_time() -> datetime:
    return datetime.now(UTC)


class SnapshotFolder:
    """The snapshots in one folder."""

    def __init__(self, folder: Path, *, clock: Callable[[], datetime] = _get_current_time) -> None:
        self.folder = folder
        self._clock = clock

    @classmethod
    def from_tournament(
        cls, tournament: Path, folder: Path | None = None, *, clock: Callable[[], datetime] = _get_current_time
    ) -> SnapshotFolder:
        """Return the snapshots of a tournament file. Their folder is beside the file, or in `folder`."""
        return cls((folder or tournament.parent) / f"{tournament.stem} snapshots", clock=clock)

    def make_snapshot_if_changed(self, store: Store, reason: SnapshotReason, name: str = "") -> Snapshot | None:
        """Copy the tournament to a new snapshot and return it.

        Return None if the newest snapshot has the same revision, unless the reason is NAMED. A failure
        raises StorageError and leaves no partial file.
        """
        revision, snapshots = store.stored_revision, self.list_snapshots_newest_first()
        if reason is not SnapshotReason.NAMED and any(item.revision == revision for item in snapshots[:1]):
            return None
        created_at = self._clock().astimezone(UTC).replace(microsecond=0)
        path = self.folder / _make_snapshot_file_name(created_at, reason, revision, name)
        with file_opening.convert_to_storage_errors(self.folder):
            if not self.folder.parent.is_dir():  # an unplugged USB stick
                raise StorageError("folder-missing", path=str(self.folder.parent))
            self.folder.mkdir(exist_ok=True)
        store.copy_to_file(path)
        snapshot = Snapshot(path, created_at, reason, revision, name)
        self._delete_unneeded_snapshots([snapshot, *snapshots], created_at)
        return snapshot

    def list_snapshots_newest_first(self) -> tuple[Snapshot, ...]:
        try:
            snapshots = [
                item for path in self.folder.iterdir() if (item := _parse_snapshot_file_name(path)) is not None
            ]
        except OSError:
            return ()
        return tuple(
            sorted(snapshots, key=lambda item: (item.revision, item.created_at, item.path.name), reverse=True)
        )

    def find_snapshots_with_player_names(self, pseudonyms: Mapping[PlayerId, str]) -> tuple[Snapshot, ...]:
        """Return unreadable snapshots, and snapshots with a player's name instead of the pseudonym."""
        return tuple(item for item in self.list_snapshots_newest_first() if _has_player_names(item, pseudonyms))

    def has_event_in_newest_snapshot(self, event: EventId) -> bool:
        for item in self.list_snapshots_newest_first():
            with suppress(StorageError), closing(Store.open(item.path, read_only=True)) as store:
                return store.load_tournament_and_revision()[0].event.id == event
        return False

    def delete_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        for item in snapshots:
            with file_opening.convert_to_storage_errors(item.path):
                item.path.unlink(missing_ok=True)

    def find_newest_undamaged_snapshot(self) -> Snapshot | None:
        return next(
            (item for item in self.list_snapshots_newest_first() if is_snapshot_file_undamaged(item)), None
        )

    def _delete_unneeded_snapshots(self, snapshots: Sequence[Snapshot], current_time: datetime) -> None:
        for item in find_unneeded_snapshots(snapshots, current_time):
            with suppress(OSError):  # an open file is deleted the next time
                item.path.unlink(missing_ok=True)


def find_replacement_snapshot(error: Exception, path: Path) -> Snapshot | None:
    """Return the newest undamaged snapshot if `error` means that the file is damaged or missing."""
    if not isinstance(error, StorageError) or error.code not in UNOPENABLE_CODES:
        return None
    return SnapshotFolder.from_tournament(path).find_newest_undamaged_snapshot()


def take_snapshot_before_migration(store: Store) -> None:
    """If the tournament is a file, make a snapshot. A server keeps its old tables and needs no snapshot."""
    if store.path is not None:
        SnapshotFolder.from_tournament(store.path).make_snapshot_if_changed(store, SnapshotReason.MIGRATION)


def is_snapshot_file_undamaged(snapshot: Snapshot) -> bool:
    try:
        with closing(Store.open(snapshot.path, read_only=True)) as store:
            return not store.find_damage()
    except StorageError:
        return False


def _has_player_names(snapshot: Snapshot, pseudonyms: Mapping[PlayerId, str]) -> bool:
    try:
        with closing(Store.open(snapshot.path, read_only=True)) as store:
            names_by_player = store.map_current_and_past_names_by_player()
    except StorageError:
        return True
    return any(names_by_player.get(player, set()) - {name} for player, name in pseudonyms.items())


def restore_snapshot(snapshot: Snapshot, target: Path) -> None:
    if target.exists():
        raise StorageError("file-exists", path=str(target))
    with closing(Store.open(snapshot.path, read_only=True)) as store:
        store.copy_to_file(target)


def find_unneeded_snapshots(snapshots: Sequence[Snapshot], current_time: datetime) -> Iterator[Snapshot]:
    """Yield the snapshots to delete.

    Of the last three hours, keep all snapshots. Of the last two days, keep the newest of each hour and all
    made before a pairing. Of earlier days, keep the newest of each day. Always keep named ones and those made
    before a migration.
    """
    used_slots: set[object] = set()
    for item in sorted(snapshots, key=lambda item: item.created_at, reverse=True):
        age = current_time - item.created_at
        if (
            item.reason in {SnapshotReason.NAMED, SnapshotReason.MIGRATION}
            or age <= KEEP_ALL_AGE
            or (item.reason is SnapshotReason.PAIRING and age <= KEEP_HOURLY_AGE)
        ):
            continue
        slot = item.created_at.replace(minute=0, second=0) if age <= KEEP_HOURLY_AGE else item.created_at.date()
        if slot in used_slots:
            yield item
        used_slots.add(slot)


def _make_snapshot_file_name(created_at: datetime, reason: SnapshotReason, revision: int, name: str) -> str:
    clean_name = _FORBIDDEN_CHARACTERS.sub("-", name).strip(" .")[:_LONGEST_NAME]
    return f"{created_at.strftime(_TIME)}Z {reason} r{revision}{f' {clean_name}' if clean_name else ''}{SUFFIX}"


def _parse_snapshot_file_name(path: Path) -> Snapshot | None:
    match = _NAME.fullmatch(path.name)
    if match is None or match[2] not in set(SnapshotReason):
        return None
    try:
        created_at = datetime.fromisoformat(match[1].replace(".", ":")).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Snapshot(path, created_at, SnapshotReason(match[2]), int(match[3]), match[4] or "")
