"""Copies of a tournament file in a folder that users can see.

The file name contains the time (UTC), reason, revision and the user's name: `2026-11-21 16.45.03Z pairing
r132.tdapp`. A snapshot is a complete tournament file.
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


class Why(StrEnum):
    """The reason for a snapshot."""

    START = "start"  # the tournament was opened
    PAIRING = "pairing"  # a round is about to be paired
    TIME = "time"  # some minutes have gone by with changes
    NAMED = "named"  # somebody wanted it
    COPY = "copy"  # a round was published: the second copy
    MIGRATION = "migration"  # the file is about to become one of a newer version


class Snapshot(Struct, frozen=True):
    """A copy made at `at` (UTC). `name` is the user's, else ""."""

    path: Path
    at: datetime
    why: Why
    revision: int
    name: str = ""

    @property
    def key(self) -> str:
        return self.path.name


def _get_time() -> datetime:
    return datetime.now(UTC)


class Snapshots:
    """The snapshots in one folder, created with the first."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime] = _get_time) -> None:
        """`now` returns the time in UTC."""
        self.folder = folder
        self._now = now

    @classmethod
    def of(
        cls, tournament: Path, folder: Path | None = None, *, now: Callable[[], datetime] = _get_time
    ) -> Snapshots:
        """Use a folder beside the file, or a subfolder of `folder`."""
        return cls((folder or tournament.parent) / f"{tournament.stem} snapshots", now=now)

    def take(self, store: Store, why: Why, name: str = "") -> Snapshot | None:
        """Copy the file and delete superfluous copies. None if the newest copy has the same revision.

        A snapshot with a name is always made. Raises StorageError; no partial file remains.
        """
        revision, known = store.revision, self.listed()
        if why is not Why.NAMED and any(item.revision == revision for item in known[:1]):
            return None
        at = self._now().astimezone(UTC).replace(microsecond=0)
        path = self.folder / _make_name(at, why, revision, name)
        if not self.folder.parent.is_dir():  # an unplugged USB stick
            raise StorageError("folder-missing", path=str(self.folder.parent))
        with file_opening.convert_errors(self.folder):
            self.folder.mkdir(exist_ok=True)
        store.snapshot(path)
        taken = Snapshot(path, at, why, revision, name)
        self._delete_superfluous([taken, *known], at)
        return taken

    def listed(self) -> tuple[Snapshot, ...]:
        """Return the newest revision first. Other files are ignored."""
        try:
            found = [item for path in self.folder.iterdir() if (item := _read_snapshot(path)) is not None]
        except OSError:
            return ()
        return tuple(sorted(found, key=lambda item: (item.revision, item.at, item.path.name), reverse=True))

    def find_with_names(self, pseudonyms: Mapping[PlayerId, str]) -> tuple[Snapshot, ...]:
        """Return snapshots, also unreadable ones, with a player's name instead of the pseudonym."""
        return tuple(item for item in self.listed() if _has_names(item, pseudonyms))

    def is_of_event(self, event: EventId) -> bool:
        for item in self.listed():
            with suppress(StorageError), closing(Store.open(item.path, read_only=True)) as store:
                return store.load()[0].event.id == event
        return False

    def delete(self, snapshots: Iterable[Snapshot]) -> None:
        """Delete copies. Raises StorageError at the first failure."""
        for item in snapshots:
            with file_opening.convert_errors(item.path):
                item.path.unlink(missing_ok=True)

    def find_newest_sound(self) -> Snapshot | None:
        return next((item for item in self.listed() if is_sound(item)), None)

    def _delete_superfluous(self, known: Sequence[Snapshot], now: datetime) -> None:
        for item in find_superfluous(known, now):
            with suppress(OSError):  # what another program has open stays until the next time
                item.path.unlink(missing_ok=True)


def find_newest_for(error: Exception, path: Path) -> Snapshot | None:
    """Return the newest undamaged snapshot if `error` keeps the file from opening."""
    if not isinstance(error, StorageError) or error.code not in BEYOND_OPENING:
        return None
    return Snapshots.of(path).find_newest_sound()


def copy_before_migration(store: Store) -> None:
    """Copy a file beside itself. A server keeps its old tables."""
    if store.path is not None:
        Snapshots.of(store.path).take(store, Why.MIGRATION)


def is_sound(snapshot: Snapshot) -> bool:
    try:
        with closing(Store.open(snapshot.path, read_only=True)) as store:
            return not store.check()
    except StorageError:
        return False


def _has_names(snapshot: Snapshot, pseudonyms: Mapping[PlayerId, str]) -> bool:
    try:
        with closing(Store.open(snapshot.path, read_only=True)) as store:
            borne = store.names()
    except StorageError:
        return True
    return any(borne.get(player, set()) - {name} for player, name in pseudonyms.items())


def restore_snapshot(snapshot: Snapshot, target: Path) -> None:
    """Make a new file. Raises StorageError if `target` exists."""
    if target.exists():
        raise StorageError("file-exists", path=str(target))
    with closing(Store.open(snapshot.path, read_only=True)) as store:
        store.snapshot(target)


def find_superfluous(known: Sequence[Snapshot], now: datetime) -> Iterator[Snapshot]:
    """Yield the snapshots to delete. The newest of every hour stays, after two days the newest of every day.

    Always kept: snapshots with a name, before a migration, of the last three hours, with a future time, and
    for two days those before a pairing.
    """
    filled: set[object] = set()
    for item in sorted(known, key=lambda item: item.at, reverse=True):
        age = now - item.at
        if item.why in {Why.NAMED, Why.MIGRATION} or age <= ALL_OF or (item.why is Why.PAIRING and age <= HOURLY):
            continue
        slot = item.at.replace(minute=0, second=0) if age <= HOURLY else item.at.date()
        if slot in filled:
            yield item
        filled.add(slot)


def _make_name(at: datetime, why: Why, revision: int, name: str) -> str:
    called = _UNFIT.sub("-", name).strip(" .")[:_LONGEST]
    return f"{at.strftime(_TIME)}Z {why} r{revision}{f' {called}' if called else ''}{SUFFIX}"


def _read_snapshot(path: Path) -> Snapshot | None:
    found = _NAME.fullmatch(path.name)
    if found is None or found[2] not in set(Why):
        return None
    try:
        at = datetime.strptime(found[1], _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Snapshot(path, at, Why(found[2]), int(found[3]), found[4] or "")
