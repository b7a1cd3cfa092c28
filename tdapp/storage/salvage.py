"""Copies the readable part of a damaged file to a new file, and lists the losses.

A journal entry is verified if its hash is right. The program copies rows from verified entries. It takes all other
rows from the tables.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from tdapp.domain.errors import StorageError
from tdapp.domain.journal import SALVAGE_LABEL, JournalEntry, Step
from tdapp.domain.roles import Role
from tdapp.domain.tournament import KINDS, Row, Tournament, compute_diff, find_inconsistent_rows
from tdapp.storage import checks, file_opening
from tdapp.storage.checks import Damage
from tdapp.storage.columns import SCHEMA_VERSION, list_column_names, make_tournament_secret
from tdapp.storage.file import FileConnection, FileStorage
from tdapp.storage.repair import (
    Line,
    ReadableTables,
    RestorableRevision,
    compute_checksum_of_rows,
    insert_restored_revision,
    list_entries_before_damage,
    rebuild_last_undamaged_tournament,
)
from tdapp.storage.rows import (
    DamagedValueError,
    compute_journal_hash,
    decode_and_check_row,
    decode_journal_entry,
    make_journal_line_values,
)
from tdapp.storage.statements import make_quoted_select_statement, make_select_statement
from tdapp.storage.store import Store
from tdapp.storage.tables import make_sqlite_schema

_TIME_LIMIT = 10.0  # seconds for one table
_SEARCH_LIMIT = 100_000  # rows to search one by one after a damaged page
_SELECT_DEFINITION = make_select_statement("sqlite_schema", ("type", "sql"), "WHERE name = ?")
Key = tuple[str, str]


class SalvageReport(Struct, frozen=True):
    """Result of copying a damaged file."""

    revision: int
    rows: Mapping[str, int]  # number of copied rows of each kind
    missing: tuple[Damage, ...]
    certain: bool  # whether the rows are exactly the last saved ones


class _TablesAndDamage(Struct, frozen=True):
    tables: ReadableTables
    damage: tuple[Damage, ...]

    @property
    def readable_row_count(self) -> int:
        return len(self.tables.rows) + len(self.tables.lines) + bool(self.tables.meta)


def salvage_file(path: Path, target: Path, *, timestamp: str) -> SalvageReport:
    file_opening.refuse_unreadable_file(path)
    _refuse_newer_file(path)
    with file_opening.convert_to_storage_errors(path):
        data = path.read_bytes()
    readable_contents = max(
        (_read_tables_from_bytes(image) for image in (data, _restore_schema_pages(data))),
        key=lambda item: item.readable_row_count,
    )
    contents = readable_contents.tables
    value, orphans = _drop_inconsistent_rows(_find_newest_rows(contents))
    is_certain = compute_checksum_of_rows(value.iterate_rows()) == contents.meta.get("state")
    if find_inconsistent_rows(value):
        raise StorageError("salvage-nothing", path=str(path))
    revision = _make_revision_with_salvage_step(contents, value, timestamp)
    file_opening.create_file(target)
    try:
        with closing(FileStorage.open_empty_database(target, timeout=0)) as file, file.convert_to_storage_errors():
            file.run_write_transaction(
                partial(_write_salvaged_file, file, revision, contents), lambda _connection: None
            )
        Store.open(target).close()
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    losses = () if is_certain else (*readable_contents.damage, *orphans)
    missing = [item for item in losses if item.facts.get("id") not in value.rows(str(item.facts["table"]))]
    missing += () if is_certain else _find_unverified_rows(contents, value)
    counts = {kind: len(value.rows(kind)) for kind in KINDS if value.rows(kind)}
    return SalvageReport(len(revision.lines), counts, (*missing, *_find_lost_steps(contents)), is_certain)


def _refuse_newer_file(path: Path) -> None:
    """Raise StorageError for a file of a newer program, because data would be lost.

    If the tables are those of this version, accept the file, because only its version number is damaged.
    """
    raw_connection = file_opening.open_file_connection(path, read_only=True, timeout=0)
    with suppress(sqlite3.Error), closing(raw_connection) as connection:
        version = file_opening.read_pragma(connection, "user_version")
        is_ours = file_opening.read_pragma(connection, "application_id") == file_opening.APPLICATION_ID
        if is_ours and version > SCHEMA_VERSION and checks.find_schema_differences(FileConnection(connection)):
            raise StorageError("file-newer", path=str(path), version=version, known=SCHEMA_VERSION)


def _write_salvaged_file(
    file: FileStorage, revision: RestorableRevision, contents: ReadableTables, connection: Any
) -> None:
    file.make_tables(connection)
    insert_restored_revision(revision, contents, connection)


# --- trusted rows


def _find_newest_rows(contents: ReadableTables) -> dict[Key, Row]:
    table_rows = {(kind, row.id): row for kind in KINDS for row in contents.rows if isinstance(row, KINDS[kind])}
    if compute_checksum_of_rows(contents.rows) == contents.meta.get("state"):
        return table_rows
    verified_entries = _list_verified_journal_entries(contents.lines)
    numbers = set(range(1, _find_last_step_number(contents) + 1))
    last_gap = max(numbers - {item.seq for item in verified_entries}, default=0)
    journal_rows: dict[Key, Row | None] = {}
    for entry in verified_entries:
        for item in entry.changes:
            key = (item.kind, item.id)
            if entry.seq > last_gap or key not in table_rows:
                journal_rows[key] = item.after
    return {key: row for key, row in {**table_rows, **journal_rows}.items() if row is not None}


def _list_verified_journal_entries(lines: Sequence[Line]) -> list[JournalEntry]:
    hashes = {line[0]: line[-1] for line in lines} | {0: ""}
    entries = []
    for *values, stored_hash in lines:
        with suppress(DamagedValueError, TypeError):
            if values[0] - 1 in hashes and compute_journal_hash(hashes[values[0] - 1], values) == stored_hash:
                entries.append(decode_journal_entry(values))
    return entries


def _find_last_step_number(contents: ReadableTables) -> int:
    numbers = [contents.meta.get("revision"), *(line[0] for line in contents.lines)]
    return max(
        (number for number in numbers if isinstance(number, int) and 0 <= number < _SEARCH_LIMIT), default=0
    )


def _drop_inconsistent_rows(rows: Mapping[Key, Row]) -> tuple[Tournament, list[Damage]]:
    remaining_rows = dict(rows)
    damage: list[Damage] = []
    while True:
        value = Tournament().put(*remaining_rows.values())
        faulty_keys = {(row.kind, row.id) for row in find_inconsistent_rows(value)} & remaining_rows.keys()
        if not faulty_keys:
            return value, damage
        damage += [Damage("row-lost", {"table": kind, "id": key}) for kind, key in sorted(faulty_keys)]
        remaining_rows = {key: row for key, row in remaining_rows.items() if key not in faulty_keys}


def _make_revision_with_salvage_step(
    contents: ReadableTables, tournament: Tournament, timestamp: str
) -> RestorableRevision:
    entries = list_entries_before_damage(contents.lines)
    undamaged_tournament = rebuild_last_undamaged_tournament(
        ReadableTables(contents.lines, entries, [*tournament.iterate_rows()], contents.meta, contents.secret)
    )
    lines = list(contents.lines[: len(entries)])
    if changes := compute_diff(undamaged_tournament, tournament):
        step = Step(seq=len(lines) + 1, at=timestamp, station=Role.DIRECTOR.value, label=SALVAGE_LABEL, facts={})
        lines.append(tuple(make_journal_line_values(step, changes, lines[-1][-1] if lines else "").values()))
    return RestorableRevision(tournament, lines, certain=True)


def _find_unverified_rows(contents: ReadableTables, tournament: Tournament) -> Iterator[Damage]:
    journal_rows = {
        (item.kind, item.id): item.after
        for entry in _list_verified_journal_entries(contents.lines)
        for item in entry.changes
    }
    for kind in KINDS:
        count = sum(journal_rows.get((kind, row.id)) != row for row in tournament.rows(kind).values())
        if count:
            yield Damage("rows-unproved", {"table": kind, "count": count})


def _find_lost_steps(contents: ReadableTables) -> Iterator[Damage]:
    undamaged_count = len(list_entries_before_damage(contents.lines))
    last = _find_last_step_number(contents)
    if last > undamaged_count:
        yield Damage("steps-lost", {"first": undamaged_count + 1, "last": last})


# --- readable pieces


def _read_tables_from_bytes(data: bytes) -> _TablesAndDamage:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        deadline = [0.0]
        connection.set_progress_handler(lambda: time.monotonic() > deadline[0], 10_000)
        with suppress(sqlite3.Error, ValueError, OverflowError):
            connection.deserialize(data)
            for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "writable_schema=ON", "query_only=ON"):
                deadline[0] = time.monotonic() + _TIME_LIMIT
                file_opening.run_pragma(connection, pragma)
        return _read_all_tables_and_collect_damage(partial(_read_readable_rows, connection, deadline))


def _read_all_tables_and_collect_damage(
    read_lines: Callable[[str, Sequence[str]], tuple[list[Line], bool]],
) -> _TablesAndDamage:
    damage: list[Damage] = []
    rows: list[Row] = []
    for kind in KINDS:
        lines, is_complete = read_lines(kind, list_column_names(kind))
        if not is_complete:
            damage.append(Damage("table-unreadable", {"table": kind}))
        for raw in lines:
            try:
                rows.append(decode_and_check_row(kind, raw))
            except DamagedValueError:
                damage.append(Damage("row-lost", {"table": kind, "id": str(raw[0])}))
    journal, meta, secrets = (
        read_lines(name, list_column_names(name))[0] for name in ("journal", "meta", "secrets")
    )
    secret = str(secrets[0][1]) if secrets else make_tournament_secret()
    meta_row = dict(zip(list_column_names("meta"), meta[0], strict=True)) if meta else {}
    sorted_lines = sorted((line for line in journal if isinstance(line[0], int)), key=lambda line: line[0])
    tables = ReadableTables(
        sorted_lines, list_entries_before_damage(sorted_lines), _drop_duplicate_rows(rows), meta_row, secret
    )
    return _TablesAndDamage(tables, tuple(damage))


def _drop_duplicate_rows(rows: Iterable[Row]) -> list[Row]:
    return list({(type(row), row.id): row for row in rows}.values())


def _read_readable_rows(
    connection: sqlite3.Connection, deadline: list[float], name: str, columns: Sequence[str]
) -> tuple[list[Line], bool]:
    statement = make_quoted_select_statement(name, ("rowid", *columns), "NOT INDEXED")
    lines_by_rowid: dict[int, Line] = {}

    def read_more_rows(condition: str, *values: int) -> bool:
        deadline[0] = time.monotonic() + _TIME_LIMIT
        try:
            for number, *line in connection.execute(statement + condition, values):
                lines_by_rowid.setdefault(number, tuple(line))
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            return False
        return True

    if not _is_ordinary_sqlite_table(connection, name):
        return [], False
    if read_more_rows(" ORDER BY rowid"):
        return list(lines_by_rowid.values()), True
    first = max(lines_by_rowid, default=0)
    read_more_rows(" ORDER BY rowid DESC")
    next_number = min((number for number in lines_by_rowid if number > first), default=first + 200)
    for number in range(first + 1, min(next_number, first + _SEARCH_LIMIT)):
        read_more_rows(" WHERE rowid = ?", number)
    return [lines_by_rowid[number] for number in sorted(lines_by_rowid)], False


def _is_ordinary_sqlite_table(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether `name` is an ordinary table. Reading a view or virtual table could run code."""
    with suppress(sqlite3.Error, UnicodeDecodeError):
        definitions = connection.execute(_SELECT_DEFINITION, (name,)).fetchall()
        return [(kind, str(sql)[:12].upper()) for kind, sql in definitions] == [("table", "CREATE TABLE")]
    return False


def _restore_schema_pages(data: bytes) -> bytes:
    """Replace the possibly damaged pages of the schema by those of an empty file."""
    empty_image, roots = _make_empty_file_and_list_root_pages()
    size = int.from_bytes(empty_image[16:18], "big")
    image = bytearray(data)
    for number in range(len(empty_image) // size):
        if number + 1 not in roots:
            image[number * size : (number + 1) * size] = empty_image[number * size : (number + 1) * size]
    image[28:32] = (len(image) // size).to_bytes(4, "big")
    return bytes(image[: len(image) // size * size])


@cache
def _make_empty_file_and_list_root_pages() -> tuple[bytes, frozenset[int]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        file_opening.run_pragma(connection, f"application_id={file_opening.APPLICATION_ID}")
        for statement in make_sqlite_schema():
            connection.execute(statement)
        roots = frozenset(
            number for (number,) in connection.execute(make_select_statement("sqlite_schema", ("rootpage",)))
        )
        return connection.serialize(), roots
