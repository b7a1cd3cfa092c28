"""A tournament as one object: load it, save a step, read the journal, check it, copy it.

Hides SQL, and whether a file or a server keeps it (its `location`). Every confirmed `save` is one transaction and
is on disk when it returns; when it raises, all is as it was. A Store is used by one thread at a time, no matter
which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import StorageError
from tdapp.domain.heads import head_of
from tdapp.domain.journal import JournalEntry, Step
from tdapp.domain.model import Player, PlayerId
from tdapp.domain.roles import Role
from tdapp.domain.tournament import KINDS, Diff, JournalHead, Row, Tournament, diff
from tdapp.storage import checks, opening, statements
from tdapp.storage.address import Address
from tdapp.storage.checks import Damage
from tdapp.storage.engine import Stale, StorageLocation
from tdapp.storage.file import File, sync_folder
from tdapp.storage.migrations import MIGRATIONS, Migration, migrate
from tdapp.storage.rows import (
    CONVERSION_ERRORS,
    ENTRY,
    LINE,
    STEP,
    RowStore,
    Unreadable,
    entry_of,
    journal_of,
    line,
    only,
    step_of,
)
from tdapp.storage.seals import Sum
from tdapp.storage.statements import ReadingConnection, WritingConnection
from tdapp.storage.tables import new_secret, selected

if TYPE_CHECKING:
    from tdapp.storage.server import Server

T = TypeVar("T")
_SECRET, _REVISION = selected("secrets", ("key",)), selected("meta", ("revision",))


class Elsewhere(Struct, frozen=True):
    """Where a tournament goes on: at `location`, a server's address or a file's path, since a time in UTC."""

    location: str
    since: str


class Store:
    """One tournament, kept."""

    def __init__(self, location: StorageLocation, *, read_only: bool) -> None:
        """Take over a location; use `create`, `open` or `memory`."""
        self.location = location
        self.path = location.path
        self.address = location.address
        self.read_only = read_only
        self.hindrance = ""  # the code of what keeps the file from being written
        self.elsewhere: Elsewhere | None = None  # as long as it goes on there nobody writes here
        self._rows = RowStore()

    @classmethod
    def create(
        cls, where: Path | Address, tournament: Tournament, *, program: str = "", patience: float = 5.0
    ) -> Store:
        """Keep `tournament` in a new file or an empty database, at revision 0; StorageError where it cannot be.

        `program` is the version that makes it; `patience` are seconds to wait for another's lock.
        """
        if isinstance(where, Address):
            store = cls._made(server_at(where, patience=patience), tournament, program)
            return cls._checked(store)
        opening.new_file(where)
        try:
            return cls._made(File.new(where, patience=patience), tournament, program)
        except BaseException:
            where.unlink(missing_ok=True)
            raise

    @classmethod
    def memory(cls, tournament: Tournament, *, read_only: bool = False) -> Store:
        """Keep `tournament` in memory only."""
        store = cls._made(File.new(None, patience=0), tournament, program="")
        store.read_only = read_only
        return store

    @classmethod
    def _made(cls, location: StorageLocation, tournament: Tournament, program: str) -> Store:
        store = cls(location, read_only=False)
        try:
            store._fill(tournament, program)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(
        cls,
        where: Path | Address,
        *,
        read_only: bool = False,
        patience: float = 5.0,
        copy: Callable[[Store], object] | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Store:
        """Open a file, or what a server keeps, after checking it; StorageError names what is wrong.

        A file that may not be written is opened all the same: then `read_only` is True and `save` refuses. One of
        an older version is brought to this one after `copy` has copied it; without `copy` it stays as it is, and
        is opened for reading.
        """
        if isinstance(where, Address):
            store = cls(server_at(where, patience=patience), read_only=read_only)
            return cls._checked(store, copy, migrations)
        opening.refuse_what_is_no_file(where)
        hindrance = opening.hindrance(where)
        read_only = read_only or bool(hindrance)
        location = File.there(where, read_only=read_only, patience=patience, known=1 + len(migrations))
        store = cls(location, read_only=read_only)
        store.hindrance = hindrance
        return cls._checked(store, copy, migrations)

    @classmethod
    def _checked(
        cls,
        store: Store,
        copy: Callable[[Store], object] | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Store:
        try:
            if store.address is not None:
                store.server.refuse_foreign(1 + len(migrations))
            if store.location.version <= len(migrations):
                store._migrate(copy, migrations)
            store._refuse_damage()
            if store.location.sees_all:
                store.elsewhere = store._read(_elsewhere)
                store.read_only |= store.elsewhere is not None
        except BaseException:
            store.close()
            raise
        return store

    def _migrate(self, copy: Callable[[Store], object] | None, migrations: Sequence[Migration]) -> None:
        if copy is not None and not self.read_only:
            copy(self)
        elif isinstance(self.location, File):
            self.location, self.read_only = self.location.aside(), True
        else:
            raise StorageError("server-older", path=self.location.name, version=self.location.version)
        try:
            with self.location.storage_errors(otherwise="file-damaged"):
                self.location.alter(lambda connection: migrate(self.location, connection, migrations))
        except (Unreadable, *CONVERSION_ERRORS) as error:
            raise StorageError("file-damaged", path=self.location.name, detail=str(error)) from error

    @property
    def role(self) -> Role:
        """What we may do here."""
        return self.location.role

    @property
    def station(self) -> str:
        """Who signs the journal here unless given otherwise: the login on a server, on a file the director."""
        return self.location.station

    @classmethod
    def is_there(cls, where: Path | Address) -> bool:
        """Return whether there is something at `where`; StorageError where a server cannot tell."""
        if isinstance(where, Path):
            return where.exists()
        try:
            cls.open(where, read_only=True).close()
        except StorageError as error:
            if error.code == "server-empty":
                return False
            raise
        return True

    def close(self) -> None:
        """Let go of the file or the server."""
        self.location.close()

    def load(self) -> tuple[Tournament, int]:
        """Return the tournament and its revision; StorageError where a value is not what was written."""
        tournament, total, state = self._read(self._load)
        if self.location.sees_all and total != state:
            _refuse(self, self.check())  # none: the engine writes JSON in its own way
        return tournament, tournament.head.revision

    def _load(self, connection: ReadingConnection) -> tuple[Tournament, str, str]:
        total, as_json = Sum(), self.location.as_json
        revision, state, last = only(connection.exec_driver_sql(selected("meta", ("revision", "state", "head"))))
        maps = {
            kind: MappingProxyType({row.id: row for row in self._rows.read(connection, kind, total, as_json)})
            for kind in KINDS
        }
        secret = only(connection.exec_driver_sql(_SECRET))[0] if self.location.owned else ""
        head = head_of(revision, last)
        return Tournament(**cast("dict[str, Any]", maps), secret=secret, head=head), str(total), state

    @property
    def revision(self) -> int:
        """How many steps have been written."""
        return self._read(lambda connection: int(only(connection.exec_driver_sql(_REVISION))[0]))

    def heard(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds for another station to write; True: look at `revision`, it may have.

        May be called from a thread of its own while the store is used.
        """
        return self.location.heard(timeout)

    def refuse_moved(self) -> None:
        """Raise StorageError where the file was moved, deleted or replaced while it was open."""
        if not self.location.is_in_place():
            raise StorageError("file-moved", path=self.location.name, detail="")

    def save(self, changes: Diff, step: Step) -> JournalHead:
        """Write a diff with its journal line and return the new head, of the revision `step.seq`.

        Raises Stale unless the tournament is at the revision before it, StorageError where it cannot be written.
        A connection that is lost on the way is made again; "server-lost-saving" says that it could not be, and
        that nobody knows what came of the step.
        """

        def write(connection: WritingConnection) -> str:
            if not self.location.owned:
                return self.location.submit(connection, line(step, changes, ""))
            head = self._write(connection, changes, step)
            return self._append(connection, step, changes, head)

        return self._commit(step, write)

    def rewrite(self, journal: Sequence[JournalEntry], changes: Diff, step: Step) -> JournalHead:
        """Put `journal` in the place of the lines there are, make `changes` to the rows, and add `step`.

        The chain of hashes is computed anew; its head until then is noted in the facts of the step, whose line has
        no rows: `journal` is to tell the past as if the rows had always been so. Returns and raises as `save`
        does; `sweep` afterwards. Only the owner may: StorageError "no-permission".
        """
        if not self.location.owned:
            raise StorageError("no-permission", path=self.location.name, detail="")

        def write(connection: WritingConnection) -> str:
            old = self._write(connection, changes, step)
            if len(journal) != step.seq - 1:
                raise Stale(step.seq)
            head = ""
            for entry in journal:
                written = line(entry, entry.changes, head)
                statements.change(connection, "journal", written, seq=entry.seq)
                head = written["hash"]
            return self._append(connection, replace(step, facts={**step.facts, "head": old}), (), head)

        return self._commit(step, write)

    def sweep(self) -> None:
        """Build the tables again, so that nothing is left in them of what was overwritten.

        Raises StorageError where that cannot be; the tournament is as it was all the same. What a server keeps to
        recover from a crash goes later, by the server's own rules.
        """
        try:
            with self.location.storage_errors():
                self.location.sweep()
        except StorageError as error:
            raise StorageError("not-swept", path=self.location.name, detail=error.code) from error

    def _commit(self, step: Step, write: Callable[[WritingConnection], str]) -> JournalHead:
        """Keep all that `write` does or nothing; it returns the hash by which the step is known again."""
        self.refuse_elsewhere()
        if self.read_only:
            raise StorageError(self.hindrance or "read-only", path=self.location.name)
        sealed: list[str] = []

        def sealing(connection: WritingConnection) -> str:
            sealed[:] = [write(connection)]
            return sealed[0]

        def written(connection: WritingConnection) -> str | None:
            known = connection.exec_driver_sql(journal_of(("hash",), step.seq - 1, limit=1))
            found = [hashed for (hashed,) in known]
            return sealed[0] if found and found == sealed else None

        with self.location.storage_errors():
            return head_of(step.seq, self.location.write(sealing, written))

    def _write(self, connection: WritingConnection, changes: Diff, step: Step) -> str:
        """Make `changes` to the rows, and return the head of the journal."""
        self.location.hold(connection)
        self.refuse_elsewhere(_elsewhere(connection))
        if statements.change(connection, "meta", {"revision": step.seq}, revision=step.seq - 1) == 0:
            raise Stale(step.seq)
        head, state = only(connection.exec_driver_sql(selected("meta", ("head", "state"))))
        total = Sum(state)
        self._rows.count(total, changes)
        self._rows.write(connection, changes)
        statements.change(connection, "meta", {"state": str(total)})
        return str(head)

    def _append(self, connection: WritingConnection, step: Step, changes: Diff, head: str) -> str:
        """Add a line to the journal, and return its hash."""
        written = line(step, changes, head)
        statements.add(connection, "journal", [written])
        statements.change(connection, "meta", {"head": written["hash"]})
        self.location.announce(connection)
        return str(written["hash"])

    def steps(self, since: int = 0) -> list[Step]:
        """Return the steps after `since`, oldest first, without their rows."""
        wanted = journal_of(STEP, since)
        return self._read(lambda connection: [step_of(values) for values in connection.exec_driver_sql(wanted)])

    def journal(self, since: int = 0, limit: int | None = None) -> list[JournalEntry]:
        """Return at most `limit` entries after `since`, oldest first."""
        wanted = journal_of(LINE, since, limit)
        return self._read(lambda connection: [entry_of(values) for values in connection.exec_driver_sql(wanted)])

    def lines(self) -> list[tuple[Any, ...]]:
        """Return the journal as it is kept, oldest first: the values of LINE."""
        wanted = journal_of(LINE)
        return self._read(lambda connection: [tuple(line) for line in connection.exec_driver_sql(wanted)])

    def entry(self, seq: int) -> JournalEntry:
        """Return one entry; raise LookupError where there is none."""
        found = self.journal(seq - 1, limit=1)
        if not found or found[0].seq != seq:
            raise LookupError(f"no step {seq}")
        return found[0]

    def names(self) -> dict[PlayerId, set[str]]:
        """Return every name that each player bears or has ever borne."""
        found: dict[PlayerId, set[str]] = {}
        for row in self._read(partial(_players, self._rows)):
            if isinstance(row, Player):
                found.setdefault(row.id, set()).add(row.name)
        return found

    def check(self) -> list[Damage]:
        """Return everything that is wrong with what is kept, nothing if it is sound."""
        return self._read(self._check)

    def _check(self, connection: ReadingConnection) -> list[Damage]:
        if not self.location.sees_all:
            return []
        found = self.location.structure(connection)
        if any(item.code == "schema-differs" for item in found):
            return found
        return [*found, *checks.chain(connection), *checks.values(connection, self._rows)]

    def snapshot(self, target: Path, confirm: Callable[[Path], object] = bool) -> None:
        """Copy all of it to the file `target`, replacing what is there only once the copy is whole.

        `confirm` is called with the copy before it takes its place, and may raise.

        StorageError "no-permission" where we do not see all. Only the owner's copy has the secret: another's has
        one of its own, with which the codes that were printed do not hold.
        """
        if not self.location.sees_all:
            raise StorageError("no-permission", path=self.location.name, detail="")
        part = target.with_name(f"{target.name}.part")
        if self.path is not None and target.exists() and target.samefile(self.path):
            raise StorageError("snapshot-onto-itself", path=str(target))
        part.unlink(missing_ok=True)
        opening.new_file(part)
        try:
            with self.location.storage_errors(), opening.storage_errors(target):
                self.location.copy_to(part)
                confirm(part)
                part.replace(target)
                sync_folder(target.absolute().parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def hand_over(self, location: str) -> None:
        """Note that the tournament goes on at `location`, so that nobody writes here; "": it does so here.

        Only the owner may: StorageError "no-permission".
        """
        if not self.location.owned:
            raise StorageError("no-permission", path=self.location.name, detail="")
        since = datetime.now(UTC).isoformat(timespec="seconds") if location else ""

        def write(connection: WritingConnection) -> None:
            self.location.hold(connection)
            statements.change(connection, "meta", {"goes_on_at": location, "goes_on_since": since})
            self.location.announce(connection)

        with self.location.storage_errors():
            self.location.write(write, lambda _connection: None)
        self.elsewhere, self.read_only = (Elsewhere(location, since), True) if location else (None, False)

    def refuse_elsewhere(self, found: Elsewhere | None = None) -> None:
        """Raise StorageError where the tournament goes on elsewhere; `found` is what was looked up just now."""
        known = found or self.elsewhere
        if known is not None:
            code = "file-shared" if self.address is None else "server-returned"
            code = code if self.location.owned else "server-ended"
            raise StorageError(code, path=self.location.name, address=known.location, since=known.since)

    @property
    def server(self) -> Server:
        """The server that keeps it, with its logins; StorageError where a file does."""
        if self.address is None:
            raise StorageError("server-needed", path=self.location.name)
        return cast("Server", self.location)

    def _fill(self, tournament: Tournament, program: str) -> None:
        total = Sum()
        changes = diff(Tournament(), tournament)
        self._rows.count(total, changes)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        meta = {"id": 1, "revision": 0, "created": created, "program": program, "head": "", "state": str(total)}
        meta |= {"goes_on_at": "", "goes_on_since": ""}

        def write(connection: WritingConnection) -> None:
            self.location.make(connection)
            self._rows.write(connection, changes)
            statements.add(connection, "meta", [meta])
            statements.add(connection, "secrets", [{"id": 1, "key": tournament.secret or new_secret()}])

        with self.location.storage_errors():
            self.location.write(write, lambda _connection: None)

    def _refuse_damage(self) -> None:
        if not self.location.sees_all:
            return
        found = self._read(lambda connection: self.location.structure(connection) or checks.chain(connection))
        _refuse(self, found)

    def _read(self, work: Callable[[ReadingConnection], T]) -> T:
        """Return `work` of one state of the tournament; what cannot be read there is damage."""
        try:
            with self.location.storage_errors(otherwise="file-damaged"):
                return self.location.read(work)
        except Unreadable as error:
            raise StorageError("file-damaged", path=self.location.name, detail=str(error)) from error


def _refuse(store: Store, damage: Sequence[Damage]) -> None:
    """Raise StorageError where there is any damage."""
    if damage:
        code = "file-altered" if damage[0].code == "schema-differs" else "file-damaged"
        raise StorageError(code, path=store.location.name, detail="; ".join(map(str, damage[:5])))


def _elsewhere(connection: ReadingConnection) -> Elsewhere | None:
    found = only(connection.exec_driver_sql(selected("meta", ("goes_on_at", "goes_on_since"))))
    return Elsewhere(*found) if found[0] else None


def _players(kept: RowStore, connection: ReadingConnection) -> list[Row | None]:
    rows: list[Row | None] = list(kept.each(connection, "players", Sum()))
    for values in connection.exec_driver_sql(journal_of(ENTRY)):
        if '["players",' in values[-1]:
            rows += [row for item in entry_of(values).changes for row in (item.before, item.after)]
    return rows


def server_at(address: Address, *, patience: float = 5.0) -> Server:
    """Return the server at an address; what talks to it is loaded only now."""
    from tdapp.storage.server import Server

    return Server(address, patience=patience)
