"""Stores a tournament in a SQLite file, or in memory."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.storage import checks, file_opening, migrations
from tdapp.storage.address import Address
from tdapp.storage.checks import Damage
from tdapp.storage.columns import SCHEMA_VERSION
from tdapp.storage.statements import ReadingConnection, WritingConnection, create_tables, drop_table

if TYPE_CHECKING:
    from sqlalchemy.sql.base import Executable

T = TypeVar("T")
_CHECK_INTERVAL = 0.1  # seconds between two checks of the file


class FileConnection:
    """A SQLite connection that also runs SQLAlchemy statements."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def exec_driver_sql(self, statement: str, /) -> sqlite3.Cursor:
        return self._connection.execute(statement)

    def execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]] = (), /) -> sqlite3.Cursor:
        """Run a statement once for each row of parameters in `rows`, or once if `rows` is empty."""
        from tdapp.storage.tables import compile_for_sqlite  # noqa: PLC0415 - see `statements`

        if not rows:
            return self._connection.execute(compile_for_sqlite(statement))
        return self._connection.executemany(compile_for_sqlite(statement, tuple(rows[0])), rows)


class FileStorage:
    """The `StorageLocation` of a file, or of a database in memory."""

    # the name in the journal
    station: str = Role.DIRECTOR.value
    role: Role = Role.DIRECTOR
    address: Address | None = None
    is_owned = True
    json_list_template: str = "json_array({})"
    can_read_private_data: bool = True

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.path: Path | None = path
        self.name = str(path)
        self.connection = connection
        self._statements = FileConnection(connection)
        self._watched_stamp = self._cached_stamp = self._get_modification_time_and_size()
        self._identity = self._get_file_identity()

    @classmethod
    def open_empty_database(cls, path: Path | None, *, timeout: float) -> FileStorage:
        """Open an empty file, or a database in memory if `path` is None."""
        with file_opening.convert_to_storage_errors(path):
            connection = file_opening.open_file_connection(path, read_only=False, timeout=timeout)
            file_opening.set_pragmas(connection)
        return cls(connection, path)

    @classmethod
    def open(
        cls, path: Path, *, read_only: bool, timeout: float, newest_version: int = SCHEMA_VERSION
    ) -> FileStorage:
        """Open a file. Raise StorageError if it is no tournament or its version is above `newest_version`."""
        with file_opening.convert_to_storage_errors(path, default_code="file-damaged"):
            if read_only:
                file_opening.roll_back_interrupted_change(path, timeout=timeout)
            connection = file_opening.open_file_connection(path, read_only=read_only, timeout=timeout)
        try:
            with file_opening.convert_to_storage_errors(path, default_code="file-damaged"):
                file_opening.refuse_foreign_file(connection, path, newest_version)
                file_opening.set_pragmas(connection)
        except BaseException:
            connection.close()
            raise
        return cls(connection, path)

    @property
    def schema_version(self) -> int:
        return file_opening.read_pragma(self.connection, "user_version")

    def move_to_memory(self) -> FileStorage:
        """Close the file and return a copy of it in memory."""
        with self.convert_to_storage_errors(default_code="file-damaged"):
            copy = file_opening.open_file_connection(None, read_only=False, timeout=0)
            self.connection.backup(copy, progress=self._refuse_locked_file)
            file_opening.set_pragmas(copy)
        self.close()
        return FileStorage(copy, self.path)

    def convert_to_storage_errors(self, *, default_code: str | None = None) -> AbstractContextManager[None]:
        return file_opening.convert_to_storage_errors(self.path, default_code=default_code)

    def run_read_transaction(self, work: Callable[[ReadingConnection], T]) -> T:
        self._empty_cache_if_file_changed()
        try:
            self._roll_back_and_begin_transaction("BEGIN")
            return work(self._statements)
        finally:
            self.connection.rollback()

    def run_write_transaction(
        self,
        work: Callable[[WritingConnection], T],
        find_committed_result: Callable[[WritingConnection], T | None],
    ) -> T:
        self._empty_cache_if_file_changed()
        with self._open_write_transaction() as connection:
            return work(connection)

    def _empty_cache_if_file_changed(self) -> None:
        """Empty SQLite's cache if the file's time or size has changed.

        SQLite compares only a counter, which can be equal in a replaced file.
        """
        stamp = self._get_modification_time_and_size()
        if stamp != self._cached_stamp:
            file_opening.run_pragma(self.connection, "shrink_memory")
            self._cached_stamp = stamp

    def _roll_back_and_begin_transaction(self, statement: str) -> None:
        # an exception such as MemoryError can leave a transaction open
        if self.connection.in_transaction:
            self.connection.rollback()
        self.connection.execute(statement)

    @contextmanager
    def _open_write_transaction(self) -> Iterator[FileConnection]:
        try:
            self._roll_back_and_begin_transaction("BEGIN IMMEDIATE")
            yield self._statements
            self.connection.commit()
            self._cached_stamp = self._get_modification_time_and_size()
        finally:
            self.connection.rollback()  # after an error

    def make_tables(self, connection: WritingConnection, version: int = SCHEMA_VERSION) -> None:
        for pragma in (f"application_id={file_opening.APPLICATION_ID}", f"user_version={version}"):
            file_opening.run_pragma(self.connection, pragma)
        create_tables(connection)

    def read_rows_by_table(self, connection: WritingConnection) -> dict[str, list[dict[str, Any]]]:
        columns_by_table = checks.map_columns_by_table(connection)
        return {
            name: migrations.read_rows_as_dicts(connection, name, columns, "rowid")
            for name, columns in columns_by_table.items()
        }

    def alter_schema(self, work: Callable[[WritingConnection], None]) -> None:
        """Change the schema with foreign keys off: otherwise dropping a table would delete its child rows."""
        file_opening.run_pragma(self.connection, "foreign_keys=OFF")
        try:
            with self._open_write_transaction() as connection:
                work(connection)
        finally:
            file_opening.run_pragma(self.connection, "foreign_keys=ON")

    def recreate_empty_tables(self, connection: WritingConnection, version: int) -> None:
        for name in checks.map_columns_by_table(connection):
            drop_table(connection, name)
        self.make_tables(connection, version)

    def lock_tournament(self, connection: WritingConnection) -> None:
        """Do nothing: a write transaction locks the file from its start."""

    def submit_step_to_server(self, connection: WritingConnection, line: Mapping[str, Any]) -> str:
        """Raise NotImplementedError, because a file has no server."""
        raise NotImplementedError

    def notify_stations_if_shared(self, connection: WritingConnection) -> None:
        """Do nothing: other processes watch the file."""

    def wait_for_change(self, timeout: float) -> bool:
        end = time.monotonic() + timeout
        while (stamp := self._get_modification_time_and_size()) == self._watched_stamp:
            if time.monotonic() >= end:
                return False
            time.sleep(min(_CHECK_INTERVAL, timeout))
        self._watched_stamp = stamp
        return True

    def _get_file_status(self) -> os.stat_result | None:
        with suppress(OSError):
            return self.path.stat() if self.path is not None else None
        return None

    def _get_modification_time_and_size(self) -> tuple[int, int] | None:
        status = self._get_file_status()
        return (status.st_mtime_ns, status.st_size) if status is not None else None

    def is_file_replaced(self) -> bool:
        return self._get_file_identity() != self._identity

    def _get_file_identity(self) -> tuple[int, int] | None:
        status = self._get_file_status()
        return (status.st_dev, status.st_ino) if status is not None else None

    def check_structure(self, connection: ReadingConnection) -> list[Damage]:
        return checks.check_schema_and_integrity(connection)

    def remove_deleted_data_from_disk(self) -> None:
        self.connection.execute("VACUUM")

    def copy_to(self, target: Path) -> None:
        copy = file_opening.open_file_connection(target, read_only=False, timeout=0)
        try:
            file_opening.run_pragma(copy, "synchronous=EXTRA")
            self.connection.backup(copy, progress=self._refuse_locked_file)
            refuse_damaged_file(copy, target)
        finally:
            copy.close()
        flush_file_to_disk(target)

    def _refuse_locked_file(self, status: int, _remaining: int, _total: int) -> None:
        # the driver alone would try again without end
        if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise StorageError("locked", path=self.name, detail="")

    def close(self) -> None:
        self.connection.close()


def refuse_damaged_file(connection: sqlite3.Connection, path: Path) -> None:
    if file_opening.run_pragma(connection, "integrity_check").fetchone() != ("ok",):
        raise StorageError("snapshot-damaged", path=str(path))


def flush_file_to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder_to_disk(folder: Path) -> None:
    with suppress(PermissionError):  # on Windows, or without permission to read the folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
