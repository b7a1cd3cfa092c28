"""Restores a damaged shared tournament to its last sound revision.

A journal line is sound if it comes before the first wrong hash. The rows in sound lines are trusted. All other
rows come from the tables, or from an undamaged copy of a station.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tdapp.domain.errors import StorageError
from tdapp.domain.journal import JournalEntry
from tdapp.domain.model import Event
from tdapp.domain.tournament import (
    KINDS,
    DiffConflict,
    Row,
    RowChange,
    Tournament,
    apply_diff,
    compute_diff,
    find_row_faults,
    get_kind,
)
from tdapp.storage import rows
from tdapp.storage.address import Address
from tdapp.storage.columns import SCHEMA_VERSION, list_column_names, make_tournament_secret
from tdapp.storage.rows import DamagedValueError, RowChecksum
from tdapp.storage.server import Server
from tdapp.storage.statements import insert_rows, read_columns
from tdapp.storage.store import Store

Line = tuple[Any, ...]


class RepairReport(Struct, frozen=True):
    """Result of a repair."""

    revision: int  # the restored one
    lost: int  # number of lost steps
    certain: bool  # whether every row was verified


class DamagedContents(Struct, frozen=True):
    """The readable content of a damaged database or file."""

    lines: Sequence[Line]  # all readable journal lines, not decoded
    entries: Sequence[JournalEntry]  # decoded lines before the first wrong hash
    rows: Sequence[Row]
    meta: Mapping[str, Any]
    secret: str

    @property
    def broken_entries(self) -> list[JournalEntry]:
        """The journal lines from the first wrong hash on, as far as they can be decoded."""
        found = []
        for line in self.lines[len(self.entries) :]:
            with suppress(DamagedValueError):
                found.append(rows.decode_entry(line[:-1]))
        return found


class SoundRevision(Struct, frozen=True):
    """A tournament to restore, with its journal."""

    value: Tournament
    lines: Sequence[Line]
    certain: bool  # whether every row was verified


def repair_tournament(address: Address, copy: Path | None = None) -> RepairReport:
    """Restore a server's tournament. The damaged tables are moved to another schema.

    `copy` is a file of the same tournament, older or newer. Raises StorageError "no-permission",
    "repair-needs-copy" or "repair-copy".
    """
    with closing(Server(address)) as server:
        server.refuse_foreign_database(SCHEMA_VERSION)
        if not server.owned:
            raise StorageError("no-permission", path=server.name, detail="")
        with server.convert_errors(otherwise="file-damaged"):
            found = server.read(_read_table_contents)
            sound = _find_sound_revision(found, server.name) if copy is None else _merge_copy(found, copy)
            server.rebuild_tables(partial(write_sound_revision, sound, found))
    Store.open(address).close()
    return RepairReport(len(sound.lines), max(0, len(found.lines) - len(sound.lines)), sound.certain)


def _read_table_contents(connection: Connection) -> DamagedContents:
    tried = partial(_try_reading, connection)
    lines = [tuple(line) for line in tried(lambda: rows.read_journal_columns(connection, rows.LINE).all(), ())]
    meta = tried(lambda: read_columns(connection, "meta", list_column_names("meta")).mappings().first(), None)
    kept = [row for kind in KINDS for row in tried(partial(rows.read_undamaged_rows, connection, kind), ())]
    secret = tried(lambda: read_columns(connection, "secrets", ("key",)).scalar(), "")
    return DamagedContents(
        lines, find_sound_entries(lines), kept, dict(meta or {}), str(secret or make_tournament_secret())
    )


def _try_reading(connection: Connection, work: Callable[[], Any], otherwise: Any) -> Any:
    with suppress(DBAPIError), connection.begin_nested():
        return work()
    return otherwise


def find_sound_entries(lines: Iterable[Line]) -> list[JournalEntry]:
    head, found = "", list[JournalEntry]()
    for *values, hashed in lines:
        head = rows.compute_journal_hash(head, values)
        if (len(found) + 1, head) != (values[0], hashed):
            break
        try:
            found.append(rows.decode_entry(values))
        except DamagedValueError:
            break
    return found


def _find_sound_revision(found: DamagedContents, name: str) -> SoundRevision:
    as_kept = compute_state_checksum(found.rows) == found.meta.get("state") and found.meta["revision"] <= len(
        found.lines
    )
    value = find_last_sound_tournament(found)
    if find_row_faults(value):
        raise StorageError("repair-needs-copy", path=name)
    lines = found.lines[: len(found.entries)]
    as_left = len(lines) == len(found.lines) and compute_state_checksum(value.iterate_rows()) == found.meta.get(
        "state"
    )
    return SoundRevision(value, lines, as_kept or as_left)


def find_last_sound_tournament(found: DamagedContents) -> Tournament:
    """Return the tournament after the last sound step.

    Start from the readable rows, undo the changes of broken lines, then repeat those of all sound lines.
    """
    known: dict[tuple[str, str], Row | None] = {(get_kind(row), row.id): row for row in found.rows}
    for entry in reversed(found.broken_entries):
        known |= {(item.kind, item.id): item.before for item in entry.changes}
    for entry in found.entries:
        known |= {(item.kind, item.id): item.after for item in entry.changes}
    return Tournament().put(*(row for row in known.values() if row is not None))


def _merge_copy(found: DamagedContents, copy: Path) -> SoundRevision:
    with closing(Store.open(copy, read_only=True)) as store:
        damage, (value, _), lines = store.find_damage(), store.load(), store.read_raw_journal_lines()
    common = min(len(lines), len(found.entries))
    events = {row.id for row in found.rows if isinstance(row, Event)}
    foreign = bool(events) and value.event.id not in events
    if damage or foreign or (common and lines[common - 1] != found.lines[common - 1]):
        raise StorageError("repair-copy", path=str(copy))
    try:
        for entry in found.entries[len(lines) :]:
            value = apply_diff(value, entry.changes)
    except DiffConflict as error:
        raise StorageError("repair-copy", path=str(copy)) from error
    return SoundRevision(value, max(lines, found.lines[: len(found.entries)], key=len), certain=True)


def compute_state_checksum(found: Iterable[Row]) -> str:
    total = RowChecksum()
    rows.add_changes_to_checksum(total, (RowChange(get_kind(row), row.id, None, row) for row in found))
    return str(total)


def write_sound_revision(sound: SoundRevision, found: DamagedContents, connection: Connection) -> None:
    changes = compute_diff(Tournament(), sound.value)
    rows.write_changed_rows(connection, changes)
    insert_rows(connection, "journal", [dict(zip(rows.LINE, line, strict=True)) for line in sound.lines])
    meta = {
        "id": 1,
        "revision": len(sound.lines),
        "created": found.meta.get("created", ""),
        "program": found.meta.get("program", ""),
        "head": sound.lines[-1][-1] if sound.lines else "",
        "state": compute_state_checksum(item.after for item in changes if item.after is not None),
        "goes_on_at": "",
        "goes_on_since": "",
    }
    insert_rows(connection, "meta", [meta])
    insert_rows(connection, "secrets", [{"id": 1, "key": found.secret}])
