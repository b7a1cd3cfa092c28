"""The interface of a storage location: the operations that differ between a file and a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tdapp.domain.roles import Role
from tdapp.storage.address import Address
from tdapp.storage.checks import Damage
from tdapp.storage.columns import SCHEMA_VERSION
from tdapp.storage.statements import ReadingConnection, WritingConnection

T = TypeVar("T")


class StaleRevisionError(Exception):
    """Raised if another process saved a change first. The caller must read the changes and try again."""


class StorageLocation(Protocol):
    """The file or database that stores one tournament.

    `is_owned` is True for a file, and on a server if the login owns the tables. Any other login is a station
    (another computer). It saves changes only with `submit_step_to_server`, and cannot read the tournament's
    secret. A station with the role of a display reads only public data.
    """

    name: str  # shown in messages
    path: Path | None  # of a file
    address: Address | None  # of a database
    station: str  # name of this computer in the journal
    role: Role
    is_owned: bool
    json_list_template: str  # SQL for a JSON list; `str.format` inserts the items

    @property
    def schema_version(self) -> int:
        """The version of the table schema."""

    @property
    def can_read_private_data(self) -> bool:
        """Whether the login can read all data, not only public data."""

    def convert_to_storage_errors(self, *, default_code: str | None = None) -> AbstractContextManager[None]:
        """Raise driver errors as StorageError. Unknown errors get `default_code`; None leaves them unchanged."""

    def run_read_transaction(self, work: Callable[[ReadingConnection], T]) -> T:
        """Call `work` with a connection on which all reads see the same state."""

    def run_write_transaction(
        self,
        work: Callable[[WritingConnection], T],
        find_committed_result: Callable[[WritingConnection], T | None],
    ) -> T:
        """Call `work` in one transaction and return its result.

        If the connection breaks, `find_committed_result` reads the result of `work` from the database.
        If `find_committed_result` returns None, nothing was committed, and `work` is called again.
        """

    def make_tables(self, connection: WritingConnection, version: int = SCHEMA_VERSION) -> None:
        """Create the empty tables and mark them as a tournament of this program."""

    def read_rows_by_table(self, connection: WritingConnection) -> dict[str, list[dict[str, Any]]]:
        """Return all rows as {table: [{column: value}]}, for any schema version."""

    def alter_schema(self, work: Callable[[WritingConnection], None]) -> None:
        """Call `work`, which changes the schema, in one transaction."""

    def recreate_empty_tables(self, connection: WritingConnection, version: int) -> None:
        """Remove the tables of an older version and create empty ones of `version`."""

    def lock_tournament(self, connection: WritingConnection) -> None:
        """Lock the tournament. Raise StorageError with the name of a computer that holds the lock too long."""

    def submit_step_to_server(self, connection: WritingConnection, line: Mapping[str, Any]) -> str:
        """Save a change by passing its journal line to an SQL function on the server. Return the line's hash.

        Raises StaleRevisionError.
        """

    def notify_stations_if_shared(self, connection: WritingConnection) -> None:
        """Notify the other computers at the end of the transaction."""

    def wait_for_change(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds. Return True once the data may have changed. Thread-safe."""

    def is_file_replaced(self) -> bool:
        """Return whether a different file now has the path of the open file."""

    def check_structure(self, connection: ReadingConnection) -> list[Damage]:
        """Return the differences from the schema of this program."""

    def remove_deleted_data_from_disk(self) -> None:
        """Remove overwritten and deleted data from the disk."""

    def copy_to(self, target: Path) -> None:
        """Copy to the empty file `target`, check the copy and sync it to disk."""

    def close(self) -> None:
        """Close the connection."""
