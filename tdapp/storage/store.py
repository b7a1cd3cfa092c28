"""A tournament's file as one object: load it, save a step, read the journal, check it, copy it.

Hides SQL. Every confirmed `save` is one transaction and is on disk when it returns; when it raises, the file is as
it was. A Store is used by one thread at a time; which one does not matter.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from sqlalchemy import Connection, insert, select, update

from tdapp.domain.changes import Diff, diff
from tdapp.domain.errors import StorageError
from tdapp.domain.journal import Entry, Step
from tdapp.domain.model import KINDS, Player, PlayerId, Row, Tournament
from tdapp.storage import checks, opening
from tdapp.storage.checks import Damage
from tdapp.storage.lines import ENTRY, STEP, entry_of, line, step_of
from tdapp.storage.rows import Rows, Sum, Unreadable
from tdapp.storage.tables import JOURNAL, META, METADATA, SCHEMA_VERSION


class Stale(Exception):
    """The tournament is no longer at the revision that the step was made for: load it and try again."""


class Store:
    """One tournament, kept."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None, *, read_only: bool) -> None:
        """Take over a connection; use `create`, `open` or `memory`."""
        self.path = path
        self.read_only = read_only
        self._connection = connection
        self._writer = opening.engine_over(connection)
        self._reader = self._writer.execution_options(reads=True)
        self._rows = Rows()

    @classmethod
    def create(cls, path: Path, tournament: Tournament, *, program: str = "", patience: float = 5.0) -> Store:
        """Keep `tournament` in a new file, at revision 0; StorageError where it cannot be made.

        `program` is the version that makes the file; `patience` are seconds to wait for another's lock.
        """
        opening.new_file(path)
        try:
            with opening.trouble(path):
                connection = opening.connect(path, read_only=False, patience=patience)
            return cls._made(connection, path, tournament, program)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def memory(cls, tournament: Tournament, *, program: str = "", read_only: bool = False) -> Store:
        """Keep `tournament` in memory only."""
        store = cls._made(opening.connect(None, read_only=False, patience=0), None, tournament, program)
        store.read_only = read_only
        return store

    @classmethod
    def _made(
        cls, connection: sqlite3.Connection, path: Path | None, tournament: Tournament, program: str
    ) -> Store:
        store = cls(connection, path, read_only=False)
        try:
            with opening.trouble(path):
                opening.set_pragmas(connection)
            store._fill(tournament, program)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, patience: float = 5.0) -> Store:
        """Open a file after checking it; StorageError names what is wrong.

        A file that may not be written is opened all the same: then `read_only` is True and `save` refuses.
        """
        opening.refuse_what_is_no_file(path)
        read_only = read_only or not opening.is_writable(path)
        with opening.trouble(path):
            connection = opening.connect(path, read_only=read_only, patience=patience)
        store = cls(connection, path, read_only=read_only)
        try:
            with opening.trouble(path, otherwise="file-damaged"):
                opening.refuse_foreign(connection, path)
                opening.set_pragmas(connection)
            store._refuse_damage()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Let go of the file."""
        self._writer.dispose()
        self._connection.close()

    def load(self) -> tuple[Tournament, int]:
        """Return the tournament and its revision; StorageError where a value is not what was written."""
        total = Sum()
        with self._reading() as connection:
            meta = connection.execute(select(META.c.revision, META.c.state)).one()
            maps = {
                kind: MappingProxyType({row.id: row for row in self._rows.read(connection, kind, total)})
                for kind in KINDS
            }
        if str(total) != meta.state:
            raise StorageError("file-damaged", path=str(self.path), detail="values-damaged")
        return Tournament(**cast("dict[str, Any]", maps)), meta.revision

    @property
    def revision(self) -> int:
        """How many steps have been written."""
        with self._reading() as connection:
            return int(connection.execute(select(META.c.revision)).scalar_one())

    def save(self, changes: Diff, step: Step) -> int:
        """Write a diff with its journal line and return the new revision, `step.seq`.

        Raises Stale unless the file is at the revision before it, StorageError where it cannot be written.
        """
        with self._writing() as connection:
            head = self._write(connection, changes, step)
            self._append(connection, step, changes, head)
        return step.seq

    def rewrite(self, journal: Sequence[Entry], changes: Diff, step: Step) -> int:
        """Put `journal` in the place of the lines there are, make `changes` to the rows, and add `step`.

        The chain of hashes is computed anew; its head until then is noted in the facts of the step, whose line has
        no rows: `journal` is to tell the past as if the rows had always been so. Returns and raises as `save`
        does; `sweep` afterwards.
        """
        with self._writing() as connection:
            old = self._write(connection, changes, step)
            if len(journal) != step.seq - 1:
                raise Stale(step.seq)
            head = ""
            for entry in journal:
                written = line(entry, entry.changes, head)
                connection.execute(update(JOURNAL).where(JOURNAL.c.seq == entry.seq).values(written))
                head = written["hash"]
            self._append(connection, replace(step, facts={**step.facts, "head": old}), (), head)
        return step.seq

    def sweep(self) -> None:
        """Build the file anew, so that nothing is left in it of what was overwritten.

        Raises StorageError where that cannot be; the tournament is as it was all the same.
        """
        try:
            with opening.trouble(self.path):
                self._connection.execute("VACUUM")
        except StorageError as error:
            raise StorageError("not-swept", path=str(self.path), detail=error.code) from error

    def _write(self, connection: Connection, changes: Diff, step: Step) -> str:
        """Make `changes` to the rows, and return the head of the journal."""
        moved = update(META).where(META.c.revision == step.seq - 1).values(revision=step.seq)
        if connection.execute(moved).rowcount == 0:
            raise Stale(step.seq)
        known = connection.execute(select(META.c.head, META.c.state)).one()
        total = Sum(known.state)
        self._rows.count(total, changes)
        self._rows.write(connection, changes)
        connection.execute(update(META).values(state=str(total)))
        return str(known.head)

    def _append(self, connection: Connection, step: Step, changes: Diff, head: str) -> None:
        written = line(step, changes, head)
        connection.execute(insert(JOURNAL), written)
        connection.execute(update(META).values(head=written["hash"]))

    def steps(self, since: int = 0) -> list[Step]:
        """Return the steps after `since`, oldest first, without their rows."""
        with self._reading() as connection:
            found = connection.execute(select(*STEP).where(JOURNAL.c.seq > since).order_by(JOURNAL.c.seq))
            return [step_of(values) for values in found]

    def journal(self, since: int = 0, limit: int | None = None) -> list[Entry]:
        """Return at most `limit` entries after `since`, oldest first."""
        wanted = select(*ENTRY).where(JOURNAL.c.seq > since).order_by(JOURNAL.c.seq).limit(limit)
        with self._reading() as connection:
            return [entry_of(values) for values in connection.execute(wanted)]

    def entry(self, seq: int) -> Entry:
        """Return one entry; raise LookupError where there is none."""
        with self._reading() as connection:
            values = connection.execute(select(*ENTRY).where(JOURNAL.c.seq == seq)).one_or_none()
            if values is None:
                raise LookupError(f"no step {seq}")
            return entry_of(values)

    def names(self) -> dict[PlayerId, set[str]]:
        """Return every name that each player bears or has ever borne."""
        found: dict[PlayerId, set[str]] = {}
        wanted = select(*ENTRY).where(JOURNAL.c.changes.contains('["players",', autoescape=True))
        with self._reading() as connection:
            rows: list[Row | None] = list(self._rows.read(connection, "players", Sum()))
            for values in connection.execute(wanted):
                rows += [row for item in entry_of(values).changes for row in (item.before, item.after)]
        for row in rows:
            if isinstance(row, Player):
                found.setdefault(row.id, set()).add(row.name)
        return found

    def check(self) -> list[Damage]:
        """Return everything that is wrong with the file, nothing if it is sound."""
        with self._reading() as connection:
            found = checks.structure(connection)
            if any(item.code == "schema-differs" for item in found):
                return found
            return [*found, *checks.chain(connection), *checks.values(connection, self._rows)]

    def snapshot(self, target: Path) -> None:
        """Copy the file as it is now to `target`, replacing what is there only once the copy is whole."""
        part = target.with_name(f"{target.name}.part")
        if self.path is not None and target.exists() and target.samefile(self.path):
            raise StorageError("snapshot-onto-itself", path=str(target))
        part.unlink(missing_ok=True)
        opening.new_file(part)
        try:
            with opening.trouble(target):
                self._copy_to(part)
                part.replace(target)
                _sync_folder(target.absolute().parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def _copy_to(self, part: Path) -> None:
        copy = opening.connect(part, read_only=False, patience=0)
        try:
            copy.execute("PRAGMA synchronous=EXTRA")
            self._connection.backup(copy, progress=self._give_up)
            if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise StorageError("snapshot-damaged", path=str(part))
        finally:
            copy.close()
        _sync(part)

    def _give_up(self, status: int, _remaining: int, _total: int) -> None:
        """Stop a copy that another's lock holds up: SQLite has waited, the driver would try for ever."""
        if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise StorageError("locked", path=str(self.path), detail="")

    def _fill(self, tournament: Tournament, program: str) -> None:
        total = Sum()
        changes = diff(Tournament(), tournament)
        self._rows.count(total, changes)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with opening.trouble(self.path), self._writer.begin() as connection:
            connection.exec_driver_sql(f"PRAGMA application_id={opening.APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
            METADATA.create_all(connection, checkfirst=False)
            self._rows.write(connection, changes)
            meta = {
                "id": 1,
                "revision": 0,
                "created": created,
                "program": program,
                "head": "",
                "state": str(total),
            }
            connection.execute(insert(META), meta)

    def _refuse_damage(self) -> None:
        with self._reading() as connection:
            found = checks.structure(connection) or checks.chain(connection)
        if found:
            foreign = found[0].code == "schema-differs"
            code = "file-altered" if foreign else "file-damaged"
            raise StorageError(code, path=str(self.path), detail="; ".join(map(str, found[:5])))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Give a connection whose work is kept as a whole or not at all."""
        if self.read_only:
            raise StorageError("read-only", path=str(self.path), detail="")
        with opening.trouble(self.path), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the file; what cannot be read there is damage."""
        try:
            with opening.trouble(self.path, otherwise="file-damaged"), self._reader.begin() as connection:
                yield connection
        except Unreadable as error:
            raise StorageError("file-damaged", path=str(self.path), detail=str(error)) from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere a folder cannot be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
