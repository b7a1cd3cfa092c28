"""Copies the readable part of a damaged file to a new file, and lists the losses.

A journal line is verified if its hash is right. Rows recorded in verified lines are trusted; all other rows come
from the tables.
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
from tdapp.domain.tournament import KINDS, Row, Tournament, compute_diff, find_row_faults
from tdapp.storage import checks, file_opening
from tdapp.storage.checks import Damage
from tdapp.storage.columns import SCHEMA_VERSION, list_column_names, make_tournament_secret
from tdapp.storage.file import File, FileConnection
from tdapp.storage.repair import (
    DamagedContents,
    Line,
    RestorableRevision,
    compute_checksum_of_rows,
    list_entries_before_damage,
    rebuild_last_undamaged_tournament,
    write_restored_revision,
)
from tdapp.storage.rows import DamagedValueError, compute_journal_hash, decode_entry, decode_row, make_journal_line
from tdapp.storage.statements import make_quoted_select_statement, make_select_statement
from tdapp.storage.store import Store
from tdapp.storage.tables import make_file_schema

_LONGEST = 10.0  # seconds for one table
_MOST_PROBED = 100_000  # most rows to search one by one behind a damaged page
_DECLARED = make_select_statement("sqlite_schema", ("type", "sql"), "WHERE name = ?")
Key = tuple[str, str]


class SalvageReport(Struct, frozen=True):
    """Result of copying a damaged file: the copied and the lost data."""

    revision: int
    rows: Mapping[str, int]  # number of copied rows of each kind
    missing: tuple[Damage, ...]
    certain: bool  # whether the rows are exactly the last saved ones


class _ReadableContents(Struct, frozen=True):
    tables: DamagedContents
    damage: tuple[Damage, ...]

    @property
    def readable_count(self) -> int:
        return len(self.tables.rows) + len(self.tables.lines) + bool(self.tables.meta)


def salvage_file(path: Path, target: Path, *, at: str) -> SalvageReport:
    file_opening.refuse_missing_file(path)
    _refuse_newer_file(path)
    with file_opening.convert_errors(path):
        data = path.read_bytes()
    remains = max(
        (_read_undamaged_contents(one) for one in (data, _restore_schema_pages(data))),
        key=lambda one: one.readable_count,
    )
    found = remains.tables
    value, orphans = _drop_inconsistent_rows(_find_newest_rows(found))
    certain = compute_checksum_of_rows(value.iterate_rows()) == found.meta.get("state")
    if find_row_faults(value):
        raise StorageError("salvage-nothing", path=str(path))
    sound = _append_salvage_step(found, value, at)
    file_opening.create_file(target)
    try:
        with closing(File.create(target, patience=0)) as file, file.convert_errors():
            file.write(partial(_write_salvaged_file, file, sound, found), lambda _connection: None)
        Store.open(target).close()
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    lost = () if certain else (*remains.damage, *orphans)
    missing = [one for one in lost if one.facts.get("id") not in value.rows(str(one.facts["table"]))]
    missing += () if certain else _count_unverified_rows(found, value)
    counts = {kind: len(value.rows(kind)) for kind in KINDS if value.rows(kind)}
    return SalvageReport(len(sound.lines), counts, (*missing, *_find_lost_steps(found)), certain)


def _refuse_newer_file(path: Path) -> None:
    """Refuse a file of a newer program: its data would be lost.

    A file with a newer version number but the tables of this version is not refused: its number is damaged.
    """
    opened = file_opening.connect_file(path, read_only=True, patience=0)
    with suppress(sqlite3.Error), closing(opened) as connection:
        version = file_opening.read_pragma(connection, "user_version")
        is_ours = file_opening.read_pragma(connection, "application_id") == file_opening.APPLICATION_ID
        if is_ours and version > SCHEMA_VERSION and checks.find_foreign_schema_parts(FileConnection(connection)):
            raise StorageError("file-newer", path=str(path), version=version, known=SCHEMA_VERSION)


def _write_salvaged_file(
    file: File, revision: RestorableRevision, found: DamagedContents, connection: Any
) -> None:
    file.make_tables(connection)
    write_restored_revision(revision, found, connection)


# --- trusted rows


def _find_newest_rows(found: DamagedContents) -> dict[Key, Row]:
    kept = {(kind, row.id): row for kind in KINDS for row in found.rows if isinstance(row, KINDS[kind])}
    if compute_checksum_of_rows(found.rows) == found.meta.get("state"):
        return kept
    proved = _find_verified_entries(found.lines)
    last_gap = max(set(range(1, _find_last_sequence_number(found) + 1)) - {one.seq for one in proved}, default=0)
    said: dict[Key, Row | None] = {}
    for entry in proved:
        for item in entry.changes:
            key = (item.kind, item.id)
            if entry.seq > last_gap or key not in kept:
                said[key] = item.after
    return {key: row for key, row in {**kept, **said}.items() if row is not None}


def _find_verified_entries(lines: Sequence[Line]) -> list[JournalEntry]:
    hashes = {one[0]: one[-1] for one in lines} | {0: ""}
    found = []
    for *values, known in lines:
        with suppress(DamagedValueError, TypeError):
            if values[0] - 1 in hashes and compute_journal_hash(hashes[values[0] - 1], values) == known:
                found.append(decode_entry(values))
    return found


def _find_last_sequence_number(found: DamagedContents) -> int:
    known = [found.meta.get("revision"), *(one[0] for one in found.lines)]
    return max((one for one in known if isinstance(one, int) and 0 <= one < _MOST_PROBED), default=0)


def _drop_inconsistent_rows(rows: Mapping[Key, Row]) -> tuple[Tournament, list[Damage]]:
    """Remove rows until the tournament is consistent. Return the removed rows as damage."""
    left = dict(rows)
    dropped: list[Damage] = []
    while True:
        value = Tournament().put(*left.values())
        wrong = {(one.kind, one.id) for one in find_row_faults(value)} & left.keys()
        if not wrong:
            return value, dropped
        dropped += [Damage("row-lost", {"table": kind, "id": key}) for kind, key in sorted(wrong)]
        left = {key: row for key, row in left.items() if key not in wrong}


def _append_salvage_step(found: DamagedContents, value: Tournament, at: str) -> RestorableRevision:
    entries = list_entries_before_damage(found.lines)
    sound = rebuild_last_undamaged_tournament(
        DamagedContents(found.lines, entries, [*value.iterate_rows()], found.meta, found.secret)
    )
    lines = list(found.lines[: len(entries)])
    if changes := compute_diff(sound, value):
        step = Step(seq=len(lines) + 1, at=at, station=Role.DIRECTOR.value, label=SALVAGE_LABEL, facts={})
        lines.append(tuple(make_journal_line(step, changes, lines[-1][-1] if lines else "").values()))
    return RestorableRevision(value, lines, certain=True)


def _count_unverified_rows(found: DamagedContents, value: Tournament) -> Iterator[Damage]:
    said = {
        (item.kind, item.id): item.after for one in _find_verified_entries(found.lines) for item in one.changes
    }
    for kind in KINDS:
        count = sum(said.get((kind, row.id)) != row for row in value.rows(kind).values())
        if count:
            yield Damage("rows-unproved", {"table": kind, "count": count})


def _find_lost_steps(found: DamagedContents) -> Iterator[Damage]:
    kept, last = len(list_entries_before_damage(found.lines)), _find_last_sequence_number(found)
    if last > kept:
        yield Damage("steps-lost", {"first": kept + 1, "last": last})


# --- readable pieces


def _read_undamaged_contents(data: bytes) -> _ReadableContents:
    """Read the undamaged parts of a file without running its code."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        deadline = [0.0]
        connection.set_progress_handler(lambda: time.monotonic() > deadline[0], 10_000)
        with suppress(sqlite3.Error, ValueError, OverflowError):
            connection.deserialize(data)
            for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "writable_schema=ON", "query_only=ON"):
                deadline[0] = time.monotonic() + _LONGEST
                file_opening.run_pragma(connection, pragma)
        return _decode_readable_rows(partial(_read_readable_rows, connection, deadline))


def _decode_readable_rows(
    read_lines: Callable[[str, Sequence[str]], tuple[list[Line], bool]],
) -> _ReadableContents:
    damage: list[Damage] = []
    kept: list[Row] = []
    for kind in KINDS:
        found, whole = read_lines(kind, list_column_names(kind))
        if not whole:
            damage.append(Damage("table-unreadable", {"table": kind}))
        for raw in found:
            try:
                kept.append(decode_row(kind, raw))
            except DamagedValueError:
                damage.append(Damage("row-lost", {"table": kind, "id": str(raw[0])}))
    journal, meta, secrets = (
        read_lines(name, list_column_names(name))[0] for name in ("journal", "meta", "secrets")
    )
    secret = str(secrets[0][1]) if secrets else make_tournament_secret()
    known = dict(zip(list_column_names("meta"), meta[0], strict=True)) if meta else {}
    ordered = sorted((one for one in journal if isinstance(one[0], int)), key=lambda one: one[0])
    tables = DamagedContents(
        ordered, list_entries_before_damage(ordered), _drop_duplicate_rows(kept), known, secret
    )
    return _ReadableContents(tables, tuple(damage))


def _drop_duplicate_rows(rows: Iterable[Row]) -> list[Row]:
    return list({(type(row), row.id): row for row in rows}.values())


def _read_readable_rows(
    connection: sqlite3.Connection, deadline: list[float], name: str, columns: Sequence[str]
) -> tuple[list[Line], bool]:
    words = make_quoted_select_statement(name, ("rowid", *columns), "NOT INDEXED")
    found: dict[int, Line] = {}

    def read_more_rows(condition: str, *values: int) -> bool:
        deadline[0] = time.monotonic() + _LONGEST
        try:
            for number, *line in connection.execute(words + condition, values):
                found.setdefault(number, tuple(line))
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            return False
        return True

    if not _is_plain_table(connection, name):
        return [], False
    if read_more_rows(" ORDER BY rowid"):
        return list(found.values()), True
    first = max(found, default=0)
    read_more_rows(" ORDER BY rowid DESC")
    later = min((number for number in found if number > first), default=first + 200)
    for number in range(first + 1, min(later, first + _MOST_PROBED)):
        read_more_rows(" WHERE rowid = ?", number)
    return [found[number] for number in sorted(found)], False


def _is_plain_table(connection: sqlite3.Connection, name: str) -> bool:
    with suppress(sqlite3.Error, UnicodeDecodeError):
        found = connection.execute(_DECLARED, (name,)).fetchall()
        return [(kind, str(sql)[:12].upper()) for kind, sql in found] == [("table", "CREATE TABLE")]
    return False


def _restore_schema_pages(data: bytes) -> bytes:
    fresh, roots = _make_empty_file_image()
    size = int.from_bytes(fresh[16:18], "big")
    found = bytearray(data)
    for number in range(len(fresh) // size):
        if number + 1 not in roots:
            found[number * size : (number + 1) * size] = fresh[number * size : (number + 1) * size]
    found[28:32] = (len(found) // size).to_bytes(4, "big")
    return bytes(found[: len(found) // size * size])


@cache
def _make_empty_file_image() -> tuple[bytes, frozenset[int]]:
    """Return the content of an empty file, and the numbers of the first pages of its tables and indexes."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        file_opening.run_pragma(connection, f"application_id={file_opening.APPLICATION_ID}")
        for statement in make_file_schema():
            connection.execute(statement)
        roots = frozenset(
            number for (number,) in connection.execute(make_select_statement("sqlite_schema", ("rootpage",)))
        )
        return connection.serialize(), roots
