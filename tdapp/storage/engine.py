"""The interface of a database engine: everything that differs between a file and a server."""

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


class Stale(Exception):
    """The stored tournament has another revision than the step expects. Load it and try again."""


class StorageLocation(Protocol):
    """A place that stores one tournament, for one thread at a time, except `wait_for_change`.

    We own a file, and a database that we created. Otherwise we are a station: we write through `submit_step`
    only and do not know the secret. A display reads only public data (`sees_all` is False).
    """

    name: str  # as messages tell it
    path: Path | None  # of a file
    address: Address | None  # of a database
    station: str  # who signs the journal here unless given otherwise
    role: Role
    owned: bool
    as_json: str  # the expression for a JSON list of the texts at {}, in Python's format

    @property
    def version(self) -> int:
        """The schema version."""

    @property
    def sees_all(self) -> bool:
        """Whether we can read everything."""

    def convert_errors(self, *, otherwise: str | None = None) -> AbstractContextManager[None]:
        """Raise StorageError; `otherwise` is the code if only damage explains the error."""

    def read(self, work: Callable[[ReadingConnection], T]) -> T:
        """Call `work` with one consistent state."""

    def write(self, work: Callable[[WritingConnection], T], written: Callable[[WritingConnection], T | None]) -> T:
        """Call `work` in one transaction, on disk on return.

        After a lost connection `written` returns the result if the transaction was committed, else None.
        """

    def make_tables(self, connection: WritingConnection, version: int = SCHEMA_VERSION) -> None:
        """Create the empty tables and mark them as ours."""

    def read_lines(self, connection: WritingConnection) -> dict[str, list[dict[str, Any]]]:
        """Return all rows of any schema version by table and column.

        Raises Unreadable if reading would run code.
        """

    def alter_schema(self, work: Callable[[WritingConnection], None]) -> None:
        """Change the schema in one transaction."""

    def replace_tables(self, connection: WritingConnection, version: int) -> None:
        """Replace the older tables with empty new ones."""

    def lock(self, connection: WritingConnection) -> None:
        """Lock until the transaction ends. StorageError names the holder of a long lock."""

    def submit_step(self, connection: WritingConnection, line: Mapping[str, Any]) -> str:
        """Let the owner's function check and write a step. Return the hash of its line. Raises Stale."""

    def notify_stations(self, connection: WritingConnection) -> None:
        """Notify the other stations when the transaction ends."""

    def wait_for_change(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds. True: look for a change. Any thread can call this."""

    def is_in_place(self) -> bool:
        """Return whether the file is still at its path."""

    def check_schema(self, connection: ReadingConnection) -> list[Damage]:
        """Return the problems of the schema."""

    def remove_traces(self) -> None:
        """Remove all traces of overwritten data from the tables."""

    def copy_to(self, part: Path) -> None:
        """Copy everything to the empty file `part`, check and sync it."""

    def close(self) -> None:
        """Close the connection."""
