"""The stored tournament: load it, save a step, read the journal, copy it.

`save_step` runs one transaction and returns when the data are on disk. If it fails, it changes nothing,
except possibly after a lost connection. Only one thread at a time may use a Store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import StorageError
from tdapp.domain.journal import JournalEntry, Step
from tdapp.domain.model import Player, PlayerId
from tdapp.domain.roles import Role
from tdapp.domain.tournament import KINDS, Diff, JournalChecksum, Row, Tournament, compute_diff
from tdapp.domain.verification import make_journal_checksum
from tdapp.storage import checks, file_opening, rows
from tdapp.storage.address import Address
from tdapp.storage.checks import Damage
from tdapp.storage.columns import make_tournament_secret
from tdapp.storage.engine import StaleRevisionError, StorageLocation
from tdapp.storage.file import FileStorage, sync_folder_to_disk
from tdapp.storage.migrations import MIGRATIONS, Migration, migrate_tables
from tdapp.storage.rows import DamagedValueError, UnorderedRowsChecksum
from tdapp.storage.statements import ReadingConnection, WritingConnection, insert_rows, update_rows

if TYPE_CHECKING:
    from tdapp.storage.server import ServerStorage

T = TypeVar("T")


class NewTournamentLocation(Struct, frozen=True):
    """The location to which the tournament has moved."""

    location: str  # address or path
    moved_at: str  # in UTC


class Store:
    """One stored tournament, in a file or on a server."""

    def __init__(self, location: StorageLocation, *, read_only: bool) -> None:
        """Use `create`, `open` or `create_in_memory` instead."""
        self.location = location
        self.path = location.path
        self.address = location.address
        self.read_only = read_only
        self.write_obstacle = ""  # error code, or "" for a writable file
        self.new_location: NewTournamentLocation | None = None  # if set, this copy is read-only

    @classmethod
    def create(
        cls, path_or_address: Path | Address, tournament: Tournament, *, program: str = "", timeout: float = 5.0
    ) -> Store:
        """Store `tournament` in a new file or an empty database, as revision 0.

        Wait at most `timeout` seconds for a lock or the server. `program` is the program version to store.
        """
        if isinstance(path_or_address, Address):
            store = cls._create_at_location(connect_server(path_or_address, timeout=timeout), tournament, program)
            return cls._check_and_migrate_opened_store(store)
        file_opening.create_file(path_or_address)
        try:
            return cls._create_at_location(
                FileStorage.open_empty_database(path_or_address, timeout=timeout), tournament, program
            )
        except BaseException:
            path_or_address.unlink(missing_ok=True)
            raise

    @classmethod
    def create_in_memory(cls, tournament: Tournament, *, read_only: bool = False) -> Store:
        store = cls._create_at_location(FileStorage.open_empty_database(None, timeout=0), tournament, program="")
        store.read_only = read_only
        return store

    @classmethod
    def _create_at_location(cls, location: StorageLocation, tournament: Tournament, program: str) -> Store:
        store = cls(location, read_only=False)
        try:
            store._create_and_fill_tables(tournament, program)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(
        cls,
        path_or_address: Path | Address,
        *,
        read_only: bool = False,
        timeout: float = 5.0,
        copy_before_migration: Callable[[Store], object] | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Store:
        """Open and check a file or a database. Raises StorageError.

        A file of an earlier version is migrated after `copy_before_migration` has copied it. Without this argument
        it is opened read-only.
        """
        if isinstance(path_or_address, Address):
            store = cls(connect_server(path_or_address, timeout=timeout), read_only=read_only)
            return cls._check_and_migrate_opened_store(store, copy_before_migration, migrations)
        file_opening.refuse_unreadable_file(path_or_address)
        write_obstacle = file_opening.find_write_error_code(path_or_address)
        read_only = read_only or bool(write_obstacle)
        location = FileStorage.open(
            path_or_address, read_only=read_only, timeout=timeout, newest_version=1 + len(migrations)
        )
        store = cls(location, read_only=read_only)
        store.write_obstacle = write_obstacle
        return cls._check_and_migrate_opened_store(store, copy_before_migration, migrations)

    @classmethod
    def _check_and_migrate_opened_store(
        cls,
        store: Store,
        copy_before_migration: Callable[[Store], object] | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Store:
        try:
            if store.address is not None:
                store.server.check_database_and_load_own_role(1 + len(migrations))
            if store.location.schema_version <= len(migrations):
                store._migrate_tables(copy_before_migration, migrations)
            store._refuse_damaged_data()
            if store.location.can_read_private_data:
                store.new_location = store._read_with_error_conversion(_read_new_tournament_location)
                store.read_only |= store.new_location is not None
        except BaseException:
            store.close()
            raise
        return store

    def _migrate_tables(
        self, copy_before_migration: Callable[[Store], object] | None, migrations: Sequence[Migration]
    ) -> None:
        if copy_before_migration is not None and not self.read_only:
            copy_before_migration(self)
        elif isinstance(self.location, FileStorage):
            self.location, self.read_only = self.location.move_to_memory(), True
        else:
            raise StorageError("server-older", path=self.location.name, version=self.location.schema_version)
        try:
            with self.location.convert_to_storage_errors(default_code="file-damaged"):
                self.location.alter_schema(
                    lambda connection: migrate_tables(self.location, connection, migrations)
                )
        except (DamagedValueError, *rows.CONVERSION_ERRORS) as error:
            raise StorageError("file-damaged", path=self.location.name, detail=str(error)) from error

    @property
    def role(self) -> Role:
        return self.location.role

    @property
    def station(self) -> str:
        return self.location.station

    @classmethod
    def is_location_taken(cls, path_or_address: Path | Address) -> bool:
        if isinstance(path_or_address, Path):
            return path_or_address.exists()
        try:
            cls.open(path_or_address, read_only=True).close()
        except StorageError as error:
            if error.code == "server-empty":
                return False
            raise
        return True

    def close(self) -> None:
        self.location.close()

    def load_tournament_and_revision(self) -> tuple[Tournament, int]:
        tournament, checksum, state = self._read_with_error_conversion(self._load_tournament_with_checksums)
        if self.location.can_read_private_data and checksum != state:
            _refuse_damaged_store(self, self.find_damage())  # no damage: databases write JSON differently
        return tournament, tournament.head.revision

    def _load_tournament_with_checksums(self, connection: ReadingConnection) -> tuple[Tournament, str, str]:
        checksum, json_list_template = UnorderedRowsChecksum(), self.location.json_list_template
        revision, state, latest_hash = rows.read_single_row(connection, "meta", "revision", "state", "head")
        maps = {
            kind: MappingProxyType(
                {row.id: row for row in rows.read_and_hash_rows(connection, kind, checksum, json_list_template)}
            )
            for kind in KINDS
        }
        secret = rows.read_single_row(connection, "secrets", "key")[0] if self.location.is_owned else ""
        head = make_journal_checksum(revision, latest_hash)
        return Tournament(**cast("dict[str, Any]", maps), secret=secret, head=head), str(checksum), state

    @property
    def stored_revision(self) -> int:
        return self._read_with_error_conversion(
            lambda connection: int(rows.read_single_row(connection, "meta", "revision")[0])
        )

    @property
    def stored_journal_head(self) -> JournalChecksum:
        """Revision and hash of the newest journal line."""
        names = "revision", "head"
        return make_journal_checksum(
            *self._read_with_error_conversion(lambda connection: rows.read_single_row(connection, "meta", *names))
        )

    def wait_for_change(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds. Return True once `stored_revision` may have changed."""
        return self.location.wait_for_change(timeout)

    def refuse_replaced_file(self) -> None:
        if self.location.is_file_replaced():
            raise StorageError("file-moved", path=self.location.name, detail="")

    def sync_folder_to_disk(self) -> None:
        """Sync the file's folder to disk (fsync), because SQLite commits by deleting a file in this folder."""
        if self.path is not None:
            with self.location.convert_to_storage_errors():
                sync_folder_to_disk(self.path.absolute().parent)

    def refuse_locked_tournament(self) -> None:
        with self.location.convert_to_storage_errors():
            self.location.run_write_transaction(lambda _connection: None, lambda _connection: None)

    def save_step(
        self, changes: Diff, step: Step, *, expected_head: JournalChecksum | None = None
    ) -> JournalChecksum:
        """Write the changed rows and the journal entry of a step.

        Raises StaleRevisionError if another step was saved first, or if the journal's head is not `expected_head`.
        `expected_head` has no effect unless this login owns the tournament. Raises StorageError, with
        "server-lost-saving" if it is unknown whether the step was saved.
        """

        def write_step(connection: WritingConnection) -> str:
            if not self.location.is_owned:
                return self.location.submit_step_to_server(
                    connection, rows.make_journal_line_values(step, changes, "")
                )
            latest_hash = self._store_rows_and_get_previous_hash(connection, changes, step)
            if expected_head not in {None, make_journal_checksum(step.seq - 1, latest_hash)}:
                raise StaleRevisionError(step.seq)
            return self._append_journal_line_and_get_hash(connection, step, changes, latest_hash)

        return self._commit_step(step, write_step)

    def rewrite_journal(self, journal: Sequence[JournalEntry], changes: Diff, step: Step) -> JournalChecksum:
        """Replace the whole journal, apply `changes` to the rows and append `step`.

        Used to erase a person. `journal` has the same steps without the personal data, and gets new hashes. Call
        `remove_deleted_data_from_disk` afterwards.
        """
        if not self.location.is_owned:
            raise StorageError("no-permission", path=self.location.name, detail="")

        def write_journal(connection: WritingConnection) -> str:
            old_hash = self._store_rows_and_get_previous_hash(connection, changes, step)
            if len(journal) != step.seq - 1:
                raise StaleRevisionError(step.seq)
            latest_hash = ""
            for entry in journal:
                line = rows.make_journal_line_values(entry, entry.changes, latest_hash)
                update_rows(connection, "journal", [{**line, "was_seq": entry.seq}], "seq")
                latest_hash = line["hash"]
            return self._append_journal_line_and_get_hash(
                connection, replace(step, facts={**step.facts, "head": old_hash}), (), latest_hash
            )

        return self._commit_step(step, write_journal)

    def remove_deleted_data_from_disk(self) -> None:
        """Rebuild the tables, so that they contain no overwritten data.

        The recovery log of a server keeps old data for some time.
        """
        try:
            with self.location.convert_to_storage_errors():
                self.location.remove_deleted_data_from_disk()
        except StorageError as error:
            raise StorageError("not-swept", path=self.location.name, detail=error.code) from error

    def _commit_step(self, step: Step, write: Callable[[WritingConnection], str]) -> JournalChecksum:
        self.refuse_moved_tournament()
        if self.read_only:
            raise StorageError(self.write_obstacle or "read-only", path=self.location.name)
        committed_hashes: list[str] = []

        def write_and_keep_hash(connection: WritingConnection) -> str:
            committed_hashes[:] = [write(connection)]
            return committed_hashes[0]

        def find_committed_hash(connection: WritingConnection) -> str | None:
            lines = rows.read_journal_columns(connection, ("hash",), step.seq - 1, limit=1)
            hashes = [line_hash for (line_hash,) in lines]
            return committed_hashes[0] if hashes and hashes == committed_hashes else None

        with self.location.convert_to_storage_errors():
            return make_journal_checksum(
                step.seq, self.location.run_write_transaction(write_and_keep_hash, find_committed_hash)
            )

    def _store_rows_and_get_previous_hash(self, connection: WritingConnection, changes: Diff, step: Step) -> str:
        self.location.lock_tournament(connection)
        self.refuse_moved_tournament(_read_new_tournament_location(connection))
        revisions = {"revision": step.seq, "was_revision": step.seq - 1}
        if update_rows(connection, "meta", [revisions], "revision") == 0:
            raise StaleRevisionError(step.seq)
        latest_hash, state = rows.read_single_row(connection, "meta", "head", "state")
        checksum = UnorderedRowsChecksum(state)
        rows.add_changes_to_checksum(checksum, changes)
        rows.write_changed_rows(connection, changes)
        update_rows(connection, "meta", [{"state": str(checksum)}])
        return str(latest_hash)

    def _append_journal_line_and_get_hash(
        self, connection: WritingConnection, step: Step, changes: Diff, latest_hash: str
    ) -> str:
        line = rows.make_journal_line_values(step, changes, latest_hash)
        insert_rows(connection, "journal", [line])
        update_rows(connection, "meta", [{"head": line["hash"]}])
        self.location.notify_stations_if_shared(connection)
        return str(line["hash"])

    def read_steps(self, base_revision: int = 0) -> list[Step]:
        """Return the steps after `base_revision`, oldest first, without their changed rows."""
        return self._read_and_convert_journal_columns(rows.STEP, rows.decode_step, base_revision)

    def read_journal(self, base_revision: int = 0, limit: int | None = None) -> list[JournalEntry]:
        return self._read_and_convert_journal_columns(rows.LINE, rows.decode_journal_entry, base_revision, limit)

    def read_raw_journal_lines(self) -> list[tuple[Any, ...]]:
        return self._read_and_convert_journal_columns(rows.LINE, tuple)

    def _read_and_convert_journal_columns(
        self, names: Iterable[str], convert: Callable[[Any], T], base_revision: int = 0, limit: int | None = None
    ) -> list[T]:
        return self._read_with_error_conversion(
            lambda connection: list(
                map(convert, rows.read_journal_columns(connection, names, base_revision, limit))
            )
        )

    def read_journal_entry(self, seq: int) -> JournalEntry:
        """Return a journal entry. Raises LookupError if it does not exist."""
        entries = self.read_journal(seq - 1, limit=1)
        if not entries or entries[0].seq != seq:
            raise LookupError(f"no step {seq}")
        return entries[0]

    def map_current_and_past_names_by_player(self) -> dict[PlayerId, set[str]]:
        names_by_player: dict[PlayerId, set[str]] = {}
        for row in self._read_with_error_conversion(_read_present_and_past_players):
            if isinstance(row, Player):
                names_by_player.setdefault(row.id, set()).add(row.name)
        return names_by_player

    def find_damage(self) -> list[Damage]:
        return self._read_with_error_conversion(self._find_damage_of_stored_content)

    def _find_damage_of_stored_content(self, connection: ReadingConnection) -> list[Damage]:
        if not self.location.can_read_private_data:
            return []
        damage = self.location.check_structure(connection)
        if any(item.code == "schema-differs" for item in damage):
            return damage
        return [*damage, *checks.find_journal_damage(connection), *checks.check_rows_against_journal(connection)]

    def copy_to_file(self, target: Path, check_copy: Callable[[Path], object] = bool) -> None:
        """Copy everything to `target`. An existing file is replaced only by a complete copy.

        Call `check_copy` with the path of the copy. If `check_copy` fails, do not change `target`. If another
        computer owns the tournament, codes on printed result slips do not work with the copy.
        """
        if not self.location.can_read_private_data:
            raise StorageError("no-permission", path=self.location.name, detail="")
        part = target.with_name(f"{target.name}.part")
        with file_opening.convert_to_storage_errors(target):
            if self.path is not None and target.exists() and target.samefile(self.path):
                raise StorageError("snapshot-onto-itself", path=str(target))
            part.unlink(missing_ok=True)  # fails on a read-only disk, even without the file
        file_opening.create_file(part)
        try:
            with self.location.convert_to_storage_errors(), file_opening.convert_to_storage_errors(target):
                self.location.copy_to(part)
                check_copy(part)
                part.replace(target)
                sync_folder_to_disk(target.absolute().parent)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise

    def mark_as_moved(self, location: str) -> None:
        """Lock this copy because the tournament has moved to `location`; "" unlocks it."""
        if not self.location.is_owned:
            raise StorageError("no-permission", path=self.location.name, detail="")
        moved_at = datetime.now(UTC).isoformat(timespec="seconds") if location else ""

        def write_new_location(connection: WritingConnection) -> None:
            self.location.lock_tournament(connection)
            update_rows(connection, "meta", [{"goes_on_at": location, "goes_on_since": moved_at}])
            self.location.notify_stations_if_shared(connection)

        with self.location.convert_to_storage_errors():
            self.location.run_write_transaction(write_new_location, lambda _connection: None)
        self.new_location, self.read_only = (
            (NewTournamentLocation(location, moved_at), True) if location else (None, False)
        )

    def refuse_moved_tournament(self, new_location: NewTournamentLocation | None = None) -> None:
        """Raise StorageError if the tournament has moved.

        The tournament has moved if `new_location` or `self.new_location` is not None.
        """
        location = new_location or self.new_location
        if location is not None:
            code = "file-shared" if self.address is None else "server-returned"
            code = code if self.location.is_owned else "server-ended"
            raise StorageError(code, path=self.location.name, address=location.location, since=location.moved_at)

    @property
    def server(self) -> ServerStorage:
        if self.address is None:
            raise StorageError("server-needed", path=self.location.name)
        return cast("ServerStorage", self.location)

    def _create_and_fill_tables(self, tournament: Tournament, program: str) -> None:
        checksum = UnorderedRowsChecksum()
        changes = compute_diff(Tournament(), tournament)
        rows.add_changes_to_checksum(checksum, changes)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        meta = {"id": 1, "revision": 0, "created": created, "program": program, "head": "", "state": str(checksum)}
        meta |= {"goes_on_at": "", "goes_on_since": ""}

        def fill_new_tables(connection: WritingConnection) -> None:
            self.location.make_tables(connection)
            rows.write_changed_rows(connection, changes)
            insert_rows(connection, "meta", [meta])
            insert_rows(connection, "secrets", [{"id": 1, "key": tournament.secret or make_tournament_secret()}])

        with self.location.convert_to_storage_errors():
            self.location.run_write_transaction(fill_new_tables, lambda _connection: None)

    def _refuse_damaged_data(self) -> None:
        if not self.location.can_read_private_data:
            return
        damage = self._read_with_error_conversion(
            lambda connection: self.location.check_structure(connection) or checks.find_journal_damage(connection)
        )
        _refuse_damaged_store(self, damage)

    def _read_with_error_conversion(self, work: Callable[[ReadingConnection], T]) -> T:
        try:
            with self.location.convert_to_storage_errors(default_code="file-damaged"):
                return self.location.run_read_transaction(work)
        except DamagedValueError as error:
            raise StorageError("file-damaged", path=self.location.name, detail=str(error)) from error


def _refuse_damaged_store(store: Store, damage: Sequence[Damage]) -> None:
    if damage:
        code = "file-altered" if damage[0].code == "schema-differs" else "file-damaged"
        raise StorageError(code, path=store.location.name, detail="; ".join(map(str, damage[:5])))


def _read_new_tournament_location(connection: ReadingConnection) -> NewTournamentLocation | None:
    row = rows.read_single_row(connection, "meta", "goes_on_at", "goes_on_since")
    return NewTournamentLocation(*row) if row[0] else None


def _read_present_and_past_players(connection: ReadingConnection) -> list[Row | None]:
    players: list[Row | None] = list(rows.read_rows_one_by_one(connection, "players", UnorderedRowsChecksum()))
    for values in rows.read_journal_columns(connection, rows.ENTRY):
        if '["players",' in values[-1]:
            players += [
                row for item in rows.decode_journal_entry(values).changes for row in (item.before, item.after)
            ]
    return players


def connect_server(address: Address, *, timeout: float = 5.0) -> ServerStorage:
    from tdapp.storage.server import ServerStorage

    return ServerStorage(address, timeout=timeout)


# The games open on other computers, see `catalog`: {game id: (login, whether that computer keeps the game)}.
OtherOpenGames = Mapping[str, tuple[str, bool]]


def announce_own_game_and_get_games_of_others(store: Store, own_game: str) -> OtherOpenGames:
    """Publish the game open on this computer. Return the games open on other computers.

    `own_game` is a game id or "". If the tournament is a file, return {}.
    """
    if store.address is None:
        return {}
    from tdapp.storage.catalog import (
        announce_own_game_and_map_games_of_others,
    )  # a window opens without SQLAlchemy

    with store.location.convert_to_storage_errors():
        return store.server.run_read_transaction(partial(announce_own_game_and_map_games_of_others, own_game))
