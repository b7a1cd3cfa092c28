"""Restores a damaged shared tournament to its last undamaged revision.

A journal line is undamaged if it comes before the first wrong hash. Rows recorded in undamaged lines are trusted.
All other rows come from the tables, or from an undamaged copy of a station.
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
    def entries_after_damage(self) -> list[JournalEntry]:
        """The journal lines from the first wrong hash on, as far as they can be decoded."""
        found = []
        for line in self.lines[len(self.entries) :]:
            with suppress(DamagedValueError):
                found.append(rows.decode_entry(line[:-1]))
        return found


class RestorableRevision(Struct, frozen=True):
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
            restored = (
                _find_restorable_revision(found, server.name)
                if copy is None
                else _add_entries_to_copy(found, copy)
            )
            server.rebuild_tables(partial(write_restored_revision, restored, found))
    Store.open(address).close()
    return RepairReport(len(restored.lines), max(0, len(found.lines) - len(restored.lines)), restored.certain)


def _read_table_contents(connection: Connection) -> DamagedContents:
    tried = partial(_read_or_default, connection)
    lines = [tuple(line) for line in tried(lambda: rows.read_journal_columns(connection, rows.LINE).all(), ())]
    meta = tried(lambda: read_columns(connection, "meta", list_column_names("meta")).mappings().first(), None)
    kept = [row for kind in KINDS for row in tried(partial(rows.read_undamaged_rows, connection, kind), ())]
    secret = tried(lambda: read_columns(connection, "secrets", ("key",)).scalar(), "")
    return DamagedContents(
        lines, list_entries_before_damage(lines), kept, dict(meta or {}), str(secret or make_tournament_secret())
    )


def _read_or_default(connection: Connection, work: Callable[[], Any], default: Any) -> Any:
    with suppress(DBAPIError), connection.begin_nested():
        return work()
    return default


def list_entries_before_damage(lines: Iterable[Line]) -> list[JournalEntry]:
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


def _find_restorable_revision(found: DamagedContents, name: str) -> RestorableRevision:
    as_kept = compute_checksum_of_rows(found.rows) == found.meta.get("state") and found.meta["revision"] <= len(
        found.lines
    )
    value = rebuild_last_undamaged_tournament(found)
    if find_row_faults(value):
        raise StorageError("repair-needs-copy", path=name)
    lines = found.lines[: len(found.entries)]
    as_left = len(lines) == len(found.lines) and compute_checksum_of_rows(value.iterate_rows()) == found.meta.get(
        "state"
    )
    return RestorableRevision(value, lines, as_kept or as_left)


def rebuild_last_undamaged_tournament(found: DamagedContents) -> Tournament:
    """Return the tournament after the last undamaged step.

    Start from the readable rows and undo the changes in damaged journal lines. Then make the changes in all
    undamaged lines again.
    """
    known: dict[tuple[str, str], Row | None] = {(get_kind(row), row.id): row for row in found.rows}
    for entry in reversed(found.entries_after_damage):
        known |= {(item.kind, item.id): item.before for item in entry.changes}
    for entry in found.entries:
        known |= {(item.kind, item.id): item.after for item in entry.changes}
    return Tournament().put(*(row for row in known.values() if row is not None))


def _add_entries_to_copy(found: DamagedContents, copy: Path) -> RestorableRevision:
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
    return RestorableRevision(value, max(lines, found.lines[: len(found.entries)], key=len), certain=True)


def compute_checksum_of_rows(found: Iterable[Row]) -> str:
    total = RowChecksum()
    rows.add_changes_to_checksum(total, (RowChange(get_kind(row), row.id, None, row) for row in found))
    return str(total)


def write_restored_revision(revision: RestorableRevision, found: DamagedContents, connection: Connection) -> None:
    changes = compute_diff(Tournament(), revision.value)
    rows.write_changed_rows(connection, changes)
    insert_rows(connection, "journal", [dict(zip(rows.LINE, line, strict=True)) for line in revision.lines])
    meta = {
        "id": 1,
        "revision": len(revision.lines),
        "created": found.meta.get("created", ""),
        "program": found.meta.get("program", ""),
        "head": revision.lines[-1][-1] if revision.lines else "",
        "state": compute_checksum_of_rows(item.after for item in changes if item.after is not None),
        "goes_on_at": "",
        "goes_on_since": "",
    }
    insert_rows(connection, "meta", [meta])
    insert_rows(connection, "secrets", [{"id": 1, "key": found.secret}])
