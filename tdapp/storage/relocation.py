"""Moves a tournament to a server or back to a file, or copies it to a file.

A move first locks the old location, so that only one location accepts changes. If the move fails, the old location
is unlocked again, unless the new one may already be in use.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import find_inconsistent_rows
from tdapp.storage.address import Address
from tdapp.storage.file import FileStorage
from tdapp.storage.file_opening import find_write_error_code
from tdapp.storage.store import Store, connect_server


def move_tournament_to_server(old_store: Store, address: Address) -> None:
    """Move the tournament of a file to an empty database."""
    if not isinstance(old_store.location, FileStorage):
        raise StorageError("server-shared", path=old_store.location.name)
    old_store.refuse_moved_tournament()
    if Store.is_location_taken(address):
        raise StorageError("server-taken", path=str(address))
    old_store.mark_as_moved(str(address))
    try:
        with closing(connect_server(address)) as target:
            target.copy_from_file(old_store.location)
        Store.open(address).close()
    except BaseException:
        with suppress(StorageError):  # no connection: the tournament may already be on the server
            if not Store.is_location_taken(address):
                old_store.mark_as_moved("")
        raise


def move_tournament_to_file(old_store: Store, target: Path) -> None:
    """Lock the tournament on the server and move it to the file `target`.

    Do nothing if the tournament has already moved to this file.
    """
    if old_store.new_location is not None and _is_later_copy_not_moved_elsewhere(target, old_store):
        return
    refuse_unwritable_target(target)
    old_store.mark_as_moved(str(target.absolute()))
    try:
        copy_tournament_to_file(old_store, target)
    except BaseException:
        with suppress(StorageError):  # if this fails too, it stays read-only until the next attempt
            old_store.mark_as_moved("")
        raise


def refuse_unwritable_target(target: Path) -> None:
    folder = target.absolute().parent
    if code := find_write_error_code(target) if os.access(folder, os.F_OK) else "folder-missing":
        raise StorageError(code, path=str(target))


def copy_tournament_to_file(store: Store, target: Path) -> None:
    """Copy a tournament to the file `target`.

    Raises StorageError "file-exists" if `target` exists and is not an earlier copy of this tournament,
    "fetched-damaged" if the new copy is damaged.
    """
    if target.exists() and not _is_earlier_copy(target, store):
        raise StorageError("file-exists", path=str(target))
    store.copy_to_file(target, partial(_refuse_damaged_or_different_copy, store))


def _is_earlier_copy(path: Path, store: Store) -> bool:
    with suppress(StorageError), closing(Store.open(path, read_only=True)) as earlier_copy:
        return _is_journal_prefix(earlier_copy, store)
    return False


def _is_later_copy_not_moved_elsewhere(path: Path, store: Store) -> bool:
    with suppress(StorageError), closing(Store.open(path)) as target_store:
        return target_store.new_location is None and _is_journal_prefix(store, target_store)
    return False


def _is_journal_prefix(earlier_store: Store, later_store: Store) -> bool:
    entries = earlier_store.read_journal()
    is_same_event = (
        earlier_store.load_tournament_and_revision()[0].event.id
        == later_store.load_tournament_and_revision()[0].event.id
    )
    return is_same_event and entries == later_store.read_journal(limit=len(entries))


def _refuse_damaged_or_different_copy(store: Store, copy: Path) -> None:
    try:
        with closing(Store.open(copy, read_only=True)) as copy_store:
            revision = copy_store.stored_revision  # other stations may save steps meanwhile
            count = min(1, revision)
            copied_entries = copy_store.read_journal(base_revision=revision - count)
            own_entries = store.read_journal(base_revision=revision - count, limit=count)
            damage = [
                *copy_store.find_damage(),
                *find_inconsistent_rows(copy_store.load_tournament_and_revision()[0]),
            ]
    except StorageError as error:
        raise StorageError("fetched-damaged", path=store.location.name, detail=str(error)) from error
    if damage or copied_entries != own_entries:
        detail = str(damage[0]) if damage else "another journal"
        raise StorageError("fetched-damaged", path=store.location.name, detail=detail)
