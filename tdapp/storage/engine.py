"""What a Store needs of the engine that keeps its tables: all that differs between a file and a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tdapp.domain.roles import Role
from tdapp.storage.address import Address
from tdapp.storage.checks import Damage
from tdapp.storage.statements import ReadingConnection, WritingConnection
from tdapp.storage.tables import SCHEMA_VERSION

T = TypeVar("T")


class Stale(Exception):
    """The tournament is no longer at the revision that the step was made for: load it and try again."""


class StorageLocation(Protocol):
    """Where one tournament is kept; used by one thread at a time, except for `heard`.

    We own a file, and a database that we have made. In another's we are a station: it writes by `submit` only,
    does not know the secret, and as a display reads only what the public may see (`sees_all` is False).
    """

    name: str  # as messages tell it
    path: Path | None  # of a file
    address: Address | None  # of a database
    station: str  # who signs the journal here unless given otherwise
    role: Role
    owned: bool
    as_json: str  # what makes a JSON list of texts, which stand at {}, as Python writes it

    @property
    def version(self) -> int:
        """The version of what is kept there."""

    @property
    def sees_all(self) -> bool:
        """Whether everything can be read there."""

    def storage_errors(self, *, otherwise: str | None = None) -> AbstractContextManager[None]:
        """Turn what the engine does wrong into StorageError; `otherwise` is the code where only damage is left."""

    def read(self, work: Callable[[ReadingConnection], T]) -> T:
        """Return `work` of a connection that sees one state of the tournament."""

    def write(self, work: Callable[[WritingConnection], T], written: Callable[[WritingConnection], T | None]) -> T:
        """Do `work` in one transaction that is on disk on return.

        Where the connection is lost on the way, `written` tells on another one whether it was done all the same:
        then what it returned, else None.
        """

    def make(self, connection: WritingConnection, version: int = SCHEMA_VERSION) -> None:
        """Make the empty tables, marked as ours."""

    def lines(self, connection: WritingConnection) -> dict[str, list[dict[str, Any]]]:
        """Return all that is kept, of whatever version, by table and column; Unreadable where something runs."""

    def alter(self, work: Callable[[WritingConnection], None]) -> None:
        """Do `work`, which makes other tables, in one transaction."""

    def remake(self, connection: WritingConnection, version: int) -> None:
        """Make the empty tables in the place of older ones."""

    def hold(self, connection: WritingConnection) -> None:
        """Let nobody else write until the transaction ends; StorageError names who holds it for too long."""

    def submit(self, connection: WritingConnection, line: Mapping[str, Any]) -> str:
        """Let the owner check and write a step with its rows; return the hash of its line, raise Stale."""

    def announce(self, connection: WritingConnection) -> None:
        """Let the others hear that there is something new when the transaction ends."""

    def heard(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds for a change; True: look. May be called from a thread of its own."""

    def is_in_place(self) -> bool:
        """Return whether it is still where it was opened; a server says so by itself when it is used."""

    def structure(self, connection: ReadingConnection) -> list[Damage]:
        """Return what is wrong with the tables themselves."""

    def sweep(self) -> None:
        """Leave nothing in the tables of what was overwritten."""

    def copy_to(self, part: Path) -> None:
        """Copy everything to the empty file `part`, checked and on disk."""

    def close(self) -> None:
        """Let go of it."""
