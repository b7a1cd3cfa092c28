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
ALL_OF = timedelta(hours=3)  # of the newest ones none is thinned out
HOURLY = timedelta(days=2)  # then one an hour and those before a pairing
BEYOND_OPENING = frozenset({"file-damaged", "file-altered", "file-empty", "file-foreign", "file-missing"})
_NAME = re.compile(r"(\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)Z (\w+) r(\d+)(?: (.+))?\.tdapp")
_TIME = "%Y-%m-%d %H.%M.%S"
_UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_LONGEST = 80  # letters of a name


class SnapshotReason(StrEnum):
    """The reason for a snapshot."""

    START = "start"  # the tournament was opened
    PAIRING = "pairing"  # a round is about to be paired
    TIME = "time"  # some minutes have gone by with changes
    NAMED = "named"  # somebody wanted it
    COPY = "copy"  # a round was published: the second copy
    MIGRATION = "migration"  # the file is about to become one of a newer version


class Snapshot(Struct, frozen=True):
    """A copy of a tournament file."""

    path: Path
    at: datetime  # in UTC
    why: SnapshotReason
    revision: int
    name: str = ""  # chosen by the user, or ""

    @property
    def key(self) -> str:
        return self.path.name


def _get_current_time() -> datetime:
    return datetime.now(UTC)


class SnapshotFolder:
    """The snapshots in one folder."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime] = _get_current_time) -> None:
        self.folder = folder
        self._now = now

    @classmethod
    def from_tournament(
        cls, tournament: Path, folder: Path | None = None, *, now: Callable[[], datetime] = _get_current_time
    ) -> SnapshotFolder:
        """Return the snapshots of a file. Their folder is beside it, or in `folder`."""
        return cls((folder or tournament.parent) / f"{tournament.stem} snapshots", now=now)

    def make_snapshot(self, store: Store, why: SnapshotReason, name: str = "") -> Snapshot | None:
        """Copy the tournament to a new snapshot and return it.

        Return None if the newest snapshot has the same revision, unless the reason is NAMED. A failure
        raises StorageError and leaves no partial file.
        """
        revision, known = store.revision, self.list_snapshots()
        if why is not SnapshotReason.NAMED and any(item.revision == revision for item in known[:1]):
            return None
        at = self._now().astimezone(UTC).replace(microsecond=0)
        path = self.folder / _make_file_name(at, why, revision, name)
        with file_opening.convert_errors(self.folder):
            if not self.folder.parent.is_dir():  # an unplugged USB stick
                raise StorageError("folder-missing", path=str(self.folder.parent))
            self.folder.mkdir(exist_ok=True)
        store.copy_to_file(path)
        taken = Snapshot(path, at, why, revision, name)
        self._delete_superfluous_snapshots([taken, *known], at)
        return taken

    def list_snapshots(self) -> tuple[Snapshot, ...]:
        try:
            found = [item for path in self.folder.iterdir() if (item := _read_snapshot(path)) is not None]
        except OSError:
            return ()
        return tuple(sorted(found, key=lambda item: (item.revision, item.at, item.path.name), reverse=True))

    def find_snapshots_with_player_names(self, pseudonyms: Mapping[PlayerId, str]) -> tuple[Snapshot, ...]:
        """Return the unreadable snapshots and those with a player's name instead of the pseudonym."""
        return tuple(item for item in self.list_snapshots() if _contains_player_names(item, pseudonyms))

    def has_snapshot_of_event(self, event: EventId) -> bool:
        for item in self.list_snapshots():
            with suppress(StorageError), closing(Store.open(item.path, read_only=True)) as store:
                return store.load()[0].event.id == event
        return False

    def delete_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        for item in snapshots:
            with file_opening.convert_errors(item.path):
                item.path.unlink(missing_ok=True)

    def find_newest_undamaged_snapshot(self) -> Snapshot | None:
        return next((item for item in self.list_snapshots() if is_undamaged_snapshot(item)), None)

    def _delete_superfluous_snapshots(self, snapshots: Sequence[Snapshot], now: datetime) -> None:
        for item in find_superfluous_snapshots(snapshots, now):
            with suppress(OSError):  # what another program has open stays until the next time
                item.path.unlink(missing_ok=True)


def find_replacement_snapshot(error: Exception, path: Path) -> Snapshot | None:
    """Return the newest undamaged snapshot if the file at `path` is damaged or missing."""
    if not isinstance(error, StorageError) or error.code not in BEYOND_OPENING:
        return None
    return SnapshotFolder.from_tournament(path).find_newest_undamaged_snapshot()


def take_snapshot_before_migration(store: Store) -> None:
    """Make a snapshot of a file. A server needs none: it keeps its old tables."""
    if store.path is not None:
        SnapshotFolder.from_tournament(store.path).make_snapshot(store, SnapshotReason.MIGRATION)


def is_undamaged_snapshot(snapshot: Snapshot) -> bool:
    try:
        with closing(Store.open(snapshot.path, read_only=True)) as store:
            return not store.find_damage()
    except StorageError:
        return False


def _contains_player_names(snapshot: Snapshot, pseudonyms: Mapping[PlayerId, str]) -> bool:
    try:
        with closing(Store.open(snapshot.path, read_only=True)) as store:
            borne = store.list_player_names()
    except StorageError:
        return True
    return any(borne.get(player, set()) - {name} for player, name in pseudonyms.items())


def restore_snapshot(snapshot: Snapshot, target: Path) -> None:
    if target.exists():
        raise StorageError("file-exists", path=str(target))
    with closing(Store.open(snapshot.path, read_only=True)) as store:
        store.copy_to_file(target)


def find_superfluous_snapshots(snapshots: Sequence[Snapshot], now: datetime) -> Iterator[Snapshot]:
    """Yield the snapshots to delete.

    Of the last three hours, keep all snapshots. Of the last two days, keep the newest of each hour and all
    made before a pairing. Of earlier days, keep the newest of each day. Always keep named ones and those made
    before a migration.
    """
    filled: set[object] = set()
    for item in sorted(snapshots, key=lambda item: item.at, reverse=True):
        age = now - item.at
        if (
            item.why in {SnapshotReason.NAMED, SnapshotReason.MIGRATION}
            or age <= ALL_OF
            or (item.why is SnapshotReason.PAIRING and age <= HOURLY)
        ):
            continue
        slot = item.at.replace(minute=0, second=0) if age <= HOURLY else item.at.date()
        if slot in filled:
            yield item
        filled.add(slot)


def _make_file_name(at: datetime, why: SnapshotReason, revision: int, name: str) -> str:
    called = _UNFIT.sub("-", name).strip(" .")[:_LONGEST]
    return f"{at.strftime(_TIME)}Z {why} r{revision}{f' {called}' if called else ''}{SUFFIX}"


def _read_snapshot(path: Path) -> Snapshot | None:
    found = _NAME.fullmatch(path.name)
    if found is None or found[2] not in set(SnapshotReason):
        return None
    try:
        at = datetime.fromisoformat(found[1].replace(".", ":")).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Snapshot(path, at, SnapshotReason(found[2]), int(found[3]), found[4] or "")
