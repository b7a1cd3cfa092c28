"""Restores a damaged shared tournament to its last undamaged revision.

The journal is undamaged up to the first wrong hash. The program restores rows from this part of the journal. It
takes all other rows from the tables, or from an undamaged copy made at another computer.
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
    DiffConflictError,
    Row,
    RowChange,
    Tournament,
    apply_diff,
    compute_diff,
    find_inconsistent_rows,
    get_row_kind,
)
from tdapp.storage import rows
from tdapp.storage.address import Address
from tdapp.storage.columns import SCHEMA_VERSION, list_column_names, make_tournament_secret
from tdapp.storage.rows import DamagedValueError, UnorderedRowsChecksum
from tdapp.storage.server import ServerStorage
from tdapp.storage.statements import insert_rows, read_columns
from tdapp.storage.store import Store

Line = tuple[Any, ...]


class RepairReport(Struct, frozen=True):
    """Result of a repair."""

    revision: int  # restored revision
    lost_step_count: int
    certain: bool  # whether every row was verified


class ReadableTables(Struct, frozen=True):
    """The readable content of a damaged database or file."""

    lines: Sequence[Line]  # all readable journal lines, not decoded
    entries: Sequence[JournalEntry]  # decoded lines before the first wrong hash
    rows: Sequence[Row]
    meta: Mapping[str, Any]
    secret: str

    @property
    def journal_entries_from_first_wrong_hash(self) -> list[JournalEntry]:
        """The journal lines from the first wrong hash on, without the lines that cannot be decoded."""
        entries = []
        for line in self.lines[len(self.entries) :]:
            with suppress(DamagedValueError):
                entries.append(rows.decode_journal_entry(line[:-1]))
        return entries


class RestorableRevision(Struct, frozen=True):
    """A tournament to restore, with its journal."""

    value: Tournament
    lines: Sequence[Line]
    certain: bool  # whether every row was verified


def repair_tournament(address: Address, intact_copy: Path | None = None) -> RepairReport:
    """Restore a server's tournament. The damaged tables are moved to another schema.

    `intact_copy` is an undamaged file of the tournament, older or newer than the tables. Raises StorageError
    "no-permission", "repair-needs-copy" or "repair-copy" (unsuitable copy).
    """
    with closing(ServerStorage(address)) as server:
        server.check_database_and_load_own_role(SCHEMA_VERSION)
        if not server.is_owned:
            raise StorageError("no-permission", path=server.name, detail="")
        with server.convert_to_storage_errors(default_code="file-damaged"):
            contents = server.run_read_transaction(_read_readable_tables)
            revision = (
                _find_restorable_revision(contents, server.name)
                if intact_copy is None
                else _combine_copy_with_journal(contents, intact_copy)
            )
            server.archive_and_rebuild_tables(partial(insert_restored_revision, revision, contents))
    Store.open(address).close()
    return RepairReport(len(revision.lines), max(0, len(contents.lines) - len(revision.lines)), revision.certain)


def _read_readable_tables(connection: Connection) -> ReadableTables:
    read_safely = partial(_run_query_or_return_default, connection)
    lines = [
        tuple(line) for line in read_safely(lambda: rows.read_journal_columns(connection, rows.LINE).all(), ())
    ]
    meta = read_safely(
        lambda: read_columns(connection, "meta", list_column_names("meta")).mappings().first(), None
    )
    readable_rows = [
        row for kind in KINDS for row in read_safely(partial(rows.read_undamaged_rows, connection, kind), ())
    ]
    secret = read_safely(lambda: read_columns(connection, "secrets", ("key",)).scalar(), "")
    return ReadableTables(
        lines,
        list_entries_before_damage(lines),
        readable_rows,
        dict(meta or {}),
        str(secret or make_tournament_secret()),
    )


def _run_query_or_return_default(connection: Connection, work: Callable[[], Any], default: Any) -> Any:
    with suppress(DBAPIError), connection.begin_nested():
        return work()
    return default


def list_entries_before_damage(lines: Iterable[Line]) -> list[JournalEntry]:
    latest_hash, entries = "", list[JournalEntry]()
    for *values, stored_hash in lines:
        latest_hash = rows.compute_journal_hash(latest_hash, values)
        if (len(entries) + 1, latest_hash) != (values[0], stored_hash):
            break
        try:
            entries.append(rows.decode_journal_entry(values))
        except DamagedValueError:
            break
    return entries


def _find_restorable_revision(contents: ReadableTables, server_name: str) -> RestorableRevision:
    checksum = contents.meta.get("state")
    are_tables_valid = compute_checksum_of_rows(contents.rows) == checksum and (
        contents.meta["revision"] <= len(contents.lines)
    )
    value = rebuild_last_undamaged_tournament(contents)
    if find_inconsistent_rows(value):
        raise StorageError("repair-needs-copy", path=server_name)
    lines = contents.lines[: len(contents.entries)]
    is_journal_valid = len(lines) == len(contents.lines) and (
        compute_checksum_of_rows(value.iterate_rows()) == checksum
    )
    return RestorableRevision(value, lines, are_tables_valid or is_journal_valid)


def rebuild_last_undamaged_tournament(contents: ReadableTables) -> Tournament:
    """Return the tournament after the last undamaged step."""
    latest_rows: dict[tuple[str, str], Row | None] = {(get_row_kind(row), row.id): row for row in contents.rows}
    for entry in reversed(contents.journal_entries_from_first_wrong_hash):
        latest_rows |= {(item.kind, item.id): item.before for item in entry.changes}
    for entry in contents.entries:
        latest_rows |= {(item.kind, item.id): item.after for item in entry.changes}
    return Tournament().put(*(row for row in latest_rows.values() if row is not None))


def _combine_copy_with_journal(contents: ReadableTables, copy: Path) -> RestorableRevision:
    with closing(Store.open(copy, read_only=True)) as store:
        damage, (value, _), lines = (
            store.find_damage(),
            store.load_tournament_and_revision(),
            store.read_raw_journal_lines(),
        )
    common_count = min(len(lines), len(contents.entries))
    events = {row.id for row in contents.rows if isinstance(row, Event)}
    is_foreign = bool(events) and value.event.id not in events
    if damage or is_foreign or (common_count and lines[common_count - 1] != contents.lines[common_count - 1]):
        raise StorageError("repair-copy", path=str(copy))
    try:
        for entry in contents.entries[len(lines) :]:
            value = apply_diff(value, entry.changes)
    except DiffConflictError as error:
        raise StorageError("repair-copy", path=str(copy)) from error
    return RestorableRevision(value, max(lines, contents.lines[: len(contents.entries)], key=len), certain=True)


def compute_checksum_of_rows(table_rows: Iterable[Row]) -> str:
    checksum = UnorderedRowsChecksum()
    rows.add_changes_to_checksum(checksum, (RowChange(get_row_kind(row), row.id, None, row) for row in table_rows))
    return str(checksum)


def insert_restored_revision(
    revision: RestorableRevision, contents: ReadableTables, connection: Connection
) -> None:
    changes = compute_diff(Tournament(), revision.value)
    rows.write_changed_rows(connection, changes)
    insert_rows(connection, "journal", [dict(zip(rows.LINE, line, strict=True)) for line in revision.lines])
    meta = {
        "id": 1,
        "revision": len(revision.lines),
        "created": contents.meta.get("created", ""),
        "program": contents.meta.get("program", ""),
        "head": revision.lines[-1][-1] if revision.lines else "",
        "state": compute_checksum_of_rows(item.after for item in changes if item.after is not None),
        "goes_on_at": "",
        "goes_on_since": "",
    }
    insert_rows(connection, "meta", [meta])
    insert_rows(connection, "secrets", [{"id": 1, "key": contents.secret}])
