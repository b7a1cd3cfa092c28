"""A tournament goes on at another place: brought to a server, given back to a file, or copied into one.

Only one place is written at a time, and what has arrived is looked at before the other one is left.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import faults
from tdapp.storage.address import Address
from tdapp.storage.file import File
from tdapp.storage.store import Store, server_at


def share(store: Store, address: Address) -> None:
    """Let a tournament go on in an empty database; StorageError where that is impossible or taken.

    Only a file is shared. Nobody writes it from before anything is on the server. What is there is checked
    before this returns.
    """
    if not isinstance(store.location, File):
        raise StorageError("server-shared", path=store.location.name)
    store.refuse_elsewhere()
    if Store.is_there(address):
        raise StorageError("server-taken", path=str(address))
    store.hand_over(str(address))
    try:
        with closing(server_at(address)) as target:
            target.take_over(store.location)
        Store.open(address).close()
    except BaseException:
        with suppress(StorageError):  # else it may be there: only a person can tell
            if not Store.is_there(address):
                store.hand_over("")
        raise


def give_back(store: Store, target: Path) -> None:
    """Let a tournament go on in a file, as `fetch` makes it; nobody writes here any more. Raises as `fetch` does.

    Nothing happens where it went on there before.
    """
    if store.elsewhere is not None and _is_in(store, target):
        return
    store.hand_over(str(target.absolute()))
    try:
        fetch(store, target)
    except BaseException:
        with suppress(StorageError):  # it is read-only until it is brought back once more
            store.hand_over("")
        raise


def fetch(store: Store, target: Path) -> None:
    """Bring all of a tournament into a file: a new one, or the one that it was shared from.

    StorageError "file-exists" where `target` holds anything that this one has not grown from,
    "fetched-damaged" where what was brought would not open: `target` stays as it was.
    """
    if target.exists() and not _starts(target, store):
        raise StorageError("file-exists", path=str(target))
    store.snapshot(target, partial(_confirm_fetched, store))


def _starts(path: Path, store: Store) -> bool:
    """Return whether a file holds the beginning of a tournament's journal."""
    with suppress(StorageError), closing(Store.open(path, read_only=True)) as older:
        return _begins(older, store)
    return False


def _is_in(store: Store, path: Path) -> bool:
    """Return whether a file that may be written holds all of a tournament's journal, and perhaps more."""
    with suppress(StorageError), closing(Store.open(path)) as later:
        return later.elsewhere is None and _begins(store, later)
    return False


def _begins(one: Store, other: Store) -> bool:
    """Return whether all of a journal is the beginning of another one's."""
    steps, same = one.journal(), one.load()[0].event.id == other.load()[0].event.id
    return same and steps == other.journal(limit=len(steps))


def _confirm_fetched(store: Store, part: Path) -> None:
    """Open what was brought as a director will, and compare it with what is here."""
    try:
        with closing(Store.open(part, read_only=True)) as written:
            last = min(1, seq := written.revision)  # the others may have gone on meanwhile
            theirs, ours = written.journal(since=seq - last), store.journal(since=seq - last, limit=last)
            damage = [*written.check(), *faults(written.load()[0])]
    except StorageError as error:
        raise StorageError("fetched-damaged", path=store.location.name, detail=str(error)) from error
    if damage or theirs != ours:
        detail = str(damage[0]) if damage else "another journal"
        raise StorageError("fetched-damaged", path=store.location.name, detail=detail)
