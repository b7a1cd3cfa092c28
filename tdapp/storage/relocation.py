"""Moves a tournament to a server or back, or copies it to a file.

Only one location accepts writes. The new one is verified before the old one is left.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import find_faults
from tdapp.storage.address import Address
from tdapp.storage.file import File
from tdapp.storage.store import Store, connect_server


def share_tournament(store: Store, address: Address) -> None:
    """Move a file's tournament to an empty database. Raises StorageError if unsuitable or in use.

    The file is locked before anything is written to the server.
    """
    if not isinstance(store.location, File):
        raise StorageError("server-shared", path=store.location.name)
    store.refuse_elsewhere()
    if Store.is_there(address):
        raise StorageError("server-taken", path=str(address))
    store.hand_over(str(address))
    try:
        with closing(connect_server(address)) as target:
            target.take_over(store.location)
        Store.open(address).close()
    except BaseException:
        with suppress(StorageError):  # else it may be there: only a person can tell
            if not Store.is_there(address):
                store.hand_over("")
        raise


def give_back(store: Store, target: Path) -> None:
    """Call `fetch_tournament` and lock the tournament here, unless it was moved there before."""
    if store.elsewhere is not None and _has_moved_to(store, target):
        return
    store.hand_over(str(target.absolute()))
    try:
        fetch_tournament(store, target)
    except BaseException:
        with suppress(StorageError):  # else it stays read-only until the next attempt
            store.hand_over("")
        raise


def fetch_tournament(store: Store, target: Path) -> None:
    """Copy a tournament to a new file, or to the file that it was shared from.

    Raises StorageError "file-exists" if `target` contains anything else, "fetched-damaged" if the copy cannot
    be opened. `target` is unchanged then.
    """
    if target.exists() and not _is_beginning(target, store):
        raise StorageError("file-exists", path=str(target))
    store.snapshot(target, partial(_confirm_fetched, store))


def _is_beginning(path: Path, store: Store) -> bool:
    with suppress(StorageError), closing(Store.open(path, read_only=True)) as older:
        return _has_beginning(older, store)
    return False


def _has_moved_to(store: Store, path: Path) -> bool:
    with suppress(StorageError), closing(Store.open(path)) as later:
        return later.elsewhere is None and _has_beginning(store, later)
    return False


def _has_beginning(one: Store, other: Store) -> bool:
    steps, same = one.journal(), one.load()[0].event.id == other.load()[0].event.id
    return same and steps == other.journal(limit=len(steps))


def _confirm_fetched(store: Store, part: Path) -> None:
    try:
        with closing(Store.open(part, read_only=True)) as written:
            last = min(1, seq := written.revision)  # the others may have gone on meanwhile
            theirs, ours = written.journal(since=seq - last), store.journal(since=seq - last, limit=last)
            damage = [*written.check(), *find_faults(written.load()[0])]
    except StorageError as error:
        raise StorageError("fetched-damaged", path=store.location.name, detail=str(error)) from error
    if damage or theirs != ours:
        detail = str(damage[0]) if damage else "another journal"
        raise StorageError("fetched-damaged", path=store.location.name, detail=detail)
