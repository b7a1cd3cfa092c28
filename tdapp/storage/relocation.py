"""Moves a tournament to a server or back to a file, or copies it to a file.

A move first locks the old location, so that only one location accepts changes. If the move fails, the old location
is unlocked again, unless the new one may already be in use.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import find_row_faults
from tdapp.storage.address import Address
from tdapp.storage.file import File
from tdapp.storage.store import Store, connect_server


def share_tournament(store: Store, address: Address) -> None:
    """Move the tournament of a file to an empty database. The file is locked first."""
    if not isinstance(store.location, File):
        raise StorageError("server-shared", path=store.location.name)
    store.refuse_moved_tournament()
    if Store.is_location_used(address):
        raise StorageError("server-taken", path=str(address))
    store.mark_as_moved(str(address))
    try:
        with closing(connect_server(address)) as target:
            target.copy_from_file(store.location)
        Store.open(address).close()
    except BaseException:
        with suppress(StorageError):  # else it may be there: only a person can tell
            if not Store.is_location_used(address):
                store.mark_as_moved("")
        raise


def return_tournament(store: Store, target: Path) -> None:
    """Move a tournament from a server to the file `target`.

    Lock the tournament in `store` on the server.

    Do nothing if the tournament has already moved to this file.
    """
    if store.elsewhere is not None and _has_moved_to(store, target):
        return
    store.mark_as_moved(str(target.absolute()))
    try:
        fetch_tournament(store, target)
    except BaseException:
        with suppress(StorageError):  # else it stays read-only until the next attempt
            store.mark_as_moved("")
        raise


def fetch_tournament(store: Store, target: Path) -> None:
    """Copy a tournament to a new file, or to the file from which it was shared.

    Raises StorageError "file-exists" if `target` has other content, "fetched-damaged" if the copy cannot be
    opened.
    """
    if target.exists() and not _is_earlier_copy(target, store):
        raise StorageError("file-exists", path=str(target))
    store.copy_to_file(target, partial(_check_fetched_copy, store))


def _is_earlier_copy(path: Path, store: Store) -> bool:
    with suppress(StorageError), closing(Store.open(path, read_only=True)) as older:
        return _is_journal_prefix(older, store)
    return False


def _has_moved_to(store: Store, path: Path) -> bool:
    with suppress(StorageError), closing(Store.open(path)) as later:
        return later.elsewhere is None and _is_journal_prefix(store, later)
    return False


def _is_journal_prefix(earlier: Store, later: Store) -> bool:
    steps, same = earlier.read_journal(), earlier.load()[0].event.id == later.load()[0].event.id
    return same and steps == later.read_journal(limit=len(steps))


def _check_fetched_copy(store: Store, copy: Path) -> None:
    try:
        with closing(Store.open(copy, read_only=True)) as written:
            last = min(1, seq := written.revision)  # the others may have gone on meanwhile
            theirs, ours = written.read_journal(since=seq - last), store.read_journal(since=seq - last, limit=last)
            damage = [*written.find_damage(), *find_row_faults(written.load()[0])]
    except StorageError as error:
        raise StorageError("fetched-damaged", path=store.location.name, detail=str(error)) from error
    if damage or theirs != ours:
        detail = str(damage[0]) if damage else "another journal"
        raise StorageError("fetched-damaged", path=store.location.name, detail=detail)
