"""A tournament on PostgreSQL: in schema `tdapp` of a database of its own.

Hides the driver, its names of errors, connections that are lost and made again, and the grants of each role.
A station takes part under its own login; what it may do is what that login may write.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, TableClause, column, create_engine, insert, select, table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.storage import logins, migrations, opening
from tdapp.storage.address import Address
from tdapp.storage.checks import Damage
from tdapp.storage.file import File, refuse_unsound, sync
from tdapp.storage.logins import Station, role_of
from tdapp.storage.rows import Unreadable
from tdapp.storage.tables import JOURNAL, META, METADATA, SCHEMA_VERSION, TABLES

if TYPE_CHECKING:
    from tdapp.storage.answering import AnsweringConnection

_AT_ONCE = 1000  # lines


def copy(source: Connection, target: Connection) -> None:
    """Fill the empty tables of `target` with all that `source` holds, in its order."""
    for item in TABLES.values():
        _copy(source, target, _bare(item.name, item.columns.keys()), "rowid")
    _copy(source, target, _bare(JOURNAL.name, JOURNAL.columns.keys()), "seq")
    _copy(source, target, _bare(META.name, META.columns.keys()), "id")


def _bare(name: str, columns: list[str]) -> TableClause:
    """Return a table without types: what is kept passes as it is."""
    return table(name, *(column(item) for item in columns))


def _copy(source: Connection, target: Connection, item: TableClause, order: str) -> None:
    found = source.execute(select(item).order_by(text(order)))
    for lines in found.mappings().partitions(_AT_ONCE):
        values: list[dict[str, Any]] = [dict(line) for line in lines]
        target.execute(insert(item), values)


T = TypeVar("T")
SCHEMA = "tdapp"
CHANNEL = "tdapp"
_ENDED = "ended"  # said there in the place of a step
MARK = "tournament of tdapp, version "  # the schema's comment says whose it is
_OLDER = f"{SCHEMA}_version_"  # with its number: the schema of what was there before a migration
TRIES = 3  # connections for one transaction
_ON_ITS_WAY = 0.2  # seconds that news may take to the other stations
_IDLE = 10  # seconds after which the server ends a transaction whose station is gone

# The beginning of an error's SQLSTATE, the longest that fits counts.
_CODES = MappingProxyType(
    {
        "08": "server-lost",
        "22": "value-unstorable",
        "25006": "read-only",
        "28": "server-refused",
        "28P01": "server-password",
        "3D": "server-refused",
        "40": "locked",
        "42501": "no-permission",
        "42703": "file-altered",
        "42P01": "file-altered",
        "53": "server-full",
        "53100": "disk-full",
        "54000": "value-too-big",
        "55P03": "locked",
        "57": "server-lost",
        "57014": "locked",
        "58": "disk-error",
        "XX": "file-damaged",
    }
)
_OUT = frozenset({"server-lost", "server-unreachable", "server-refused", "server-password", "no-permission"})
_MADE = """SELECT obj_description(to_regnamespace(%s), 'pg_namespace'),
has_schema_privilege(to_regnamespace(%s), 'USAGE')"""
_WHO = """SELECT current_user, n.nspowner = r.oid, has_table_privilege('players', 'INSERT'),
has_table_privilege('sheets', 'INSERT'), has_table_privilege('results', 'INSERT')
FROM pg_namespace n, pg_roles r WHERE n.nspname = current_schema() AND r.rolname = current_user"""
_COLUMNS = """SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, c.relkind = 'r'
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
AND a.attnum > 0 AND NOT a.attisdropped"""
_ORDERED = """SELECT c.relname, a.attname, c.relkind = 'r' AND a.attgenerated = ''
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"""
_RUN = """SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND (
EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
OR (c.relkind = 'r' AND EXISTS (SELECT FROM pg_rewrite w WHERE w.ev_class = c.oid)) OR c.relrowsecurity)"""


class Server:
    """Implements `StorageLocation`; one connection for the tournament, one more for `heard`."""

    path: Path | None = None

    def __init__(self, address: Address, *, patience: float = 5.0) -> None:
        """Reach the server; StorageError where it cannot be reached or refuses."""
        address.refuse_unfit()
        self.name = str(address)
        self.station = ""
        self.role = Role.DISPLAY
        self.version = SCHEMA_VERSION
        self._owns = False
        self._answering = _answering(self.name)
        self._driver = self._answering.psycopg
        self._closed = False
        self._ended = False  # it was said that the sharing ends
        self.address: Address | None = address
        self._secret = address.secret
        self._patience = patience
        self._listening: AnsweringConnection | None = None
        self._engine = create_engine(
            "postgresql+psycopg://", creator=self._connect, poolclass=QueuePool, pool_size=1, max_overflow=0
        )
        reads = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reader = self._engine.execution_options(**reads)
        self.dialect = self._engine.dialect
        self._refuse_unreadable()
        with self.storage_errors():
            self._engine.connect().close()

    def _refuse_unreadable(self) -> None:
        """Refuse what the driver cannot read as an address; its own words might hold the password."""
        try:
            self._driver.conninfo.conninfo_to_dict(self._secret)
        except self._driver.Error:
            raise StorageError("server-address", path=self.name) from None

    def refuse_foreign(self, known: int) -> None:
        """Raise StorageError unless a tournament of a version up to `known` is there; learn who we are."""
        with self.storage_errors():
            mark, may = self.read(lambda connection: connection.exec_driver_sql(_MADE, (SCHEMA, SCHEMA)).one())
            if mark is None or not mark.startswith(MARK):
                raise StorageError("server-empty", path=self.name)
            self.version = int(mark.removeprefix(MARK))
            if self.version > known:
                raise StorageError("server-newer", path=self.name, version=self.version, known=known)
            if not may:
                raise StorageError("no-permission", path=self.name, detail="")
            self._know_ourselves()

    def _know_ourselves(self) -> None:
        login, self._owns, director, jury, entry = self.read(
            lambda connection: connection.exec_driver_sql(_WHO).one()
        )
        self.role = role_of(director=director, jury=jury, entry=entry)
        self.station = Role.DIRECTOR.value if self._owns else login  # who owned the file goes on as who he was

    # --- connections

    def _connect(self) -> AnsweringConnection:
        """Make a connection that gives up in time and sees our tables only."""
        if self._closed:
            raise RuntimeError("the store is closed")
        limits = {"connect_timeout": max(2, round(self._patience)), "keepalives_idle": 5, "keepalives_interval": 2}
        connection = self._answering.AnsweringConnection.connect(
            self._secret, **limits, tcp_user_timeout=10_000, application_name="tdapp", autocommit=True
        )
        try:
            connection.execute(
                f"SET search_path TO {SCHEMA}; SET lock_timeout TO {round(self._patience * 1000) or 1};"
                f"SET idle_in_transaction_session_timeout TO '{_IDLE}s'; SET synchronous_commit TO on"
            )
        except self._driver.Error:
            connection.close()
            raise
        connection.autocommit = False
        return connection  # type: ignore[no-any-return]

    def read(self, work: Callable[[Connection], T]) -> T:
        """Read again on a new connection where the old one is lost."""
        for _ in range(TRIES - 1):
            with suppress(_Lost), self._lost(), self._reader.begin() as connection:
                return work(connection)
        with self._reader.begin() as connection:
            return work(connection)

    def write(self, work: Callable[[Connection], T], written: Callable[[Connection], T | None]) -> T:
        """Write; where the connection is lost, see on a new one what came of it, and write again if nothing did.

        The row of `meta` is locked by whoever writes, so that it tells when a lost transaction has ended.
        """
        with suppress(_Lost), self._lost(), self._engine.begin() as connection:
            return work(connection)
        left = TRIES
        while True:
            left -= 1
            try:
                with self._lost(), self._engine.begin() as connection:
                    connection.exec_driver_sql("SELECT FROM meta FOR UPDATE")
                    done = written(connection)
                    return work(connection) if done is None else done
            except _Lost as error:
                if not left:
                    raise self._unsure(error) from error
            except DBAPIError as error:
                raise self._unsure(error) from error

    def _unsure(self, error: Exception) -> StorageError:
        return StorageError("server-lost-saving", path=self.name, detail=self._detail(error))

    @contextmanager
    def _lost(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            raise _Lost(str(error.orig)) from error

    @contextmanager
    def storage_errors(self, *, otherwise: str | None = None) -> Iterator[None]:
        """Turn what the server or the way to it does wrong into StorageError."""
        try:
            yield
        except (DBAPIError, self._driver.Error) as error:
            orig = error.orig if isinstance(error, DBAPIError) else error
            code = self._code_of(orig, otherwise)
            if self._ended and code in _OUT:
                code = "server-ended"
            if code is None:
                raise
            raise StorageError(code, path=self.name, detail=self._detail(orig)) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise StorageError("value-unstorable", path=self.name, detail=str(error)) from error
        except OSError as error:
            raise StorageError("server-lost", path=self.name, detail=str(error)) from error

    def _code_of(self, error: BaseException | None, otherwise: str | None) -> str | None:
        state = getattr(error, "sqlstate", None)
        if state:
            fitting = (_CODES[item] for item in sorted(_CODES, reverse=True) if state.startswith(item))
            return next(fitting, None if state.startswith("23") else otherwise)
        if isinstance(error, self._driver.DataError):
            return "value-unstorable"
        if not isinstance(error, self._driver.OperationalError):
            return otherwise
        if "connection failed" not in str(error) and "failed to resolve" not in str(error):
            return "server-lost"
        if "password authentication failed" in str(error) or _needs_password(error):
            return "server-password"
        return "server-refused" if "FATAL" in str(error) else "server-unreachable"

    def _detail(self, error: BaseException | None) -> str:
        """Return the engine's own first line, without what was given as the address."""
        lines = str(getattr(error, "orig", None) or error).splitlines() or [""]
        return lines[0].replace(self._secret, self.name)

    # --- tables

    def make(self, connection: Connection, version: int = SCHEMA_VERSION) -> None:
        """Make schema and tables; StorageError where the database holds a tournament already."""
        if connection.exec_driver_sql("SELECT to_regnamespace(%s)", (SCHEMA,)).scalar() is not None:
            raise StorageError("server-taken", path=self.name)
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise StorageError("server-encoding", path=self.name, encoding=encoding)
        connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")
        connection.exec_driver_sql(f"COMMENT ON SCHEMA {SCHEMA} IS '{MARK}{version}'")
        METADATA.create_all(connection, checkfirst=False)
        for name in TABLES:  # SQLite has it by itself: the order in which rows came
            connection.exec_driver_sql(f"ALTER TABLE {name} ADD COLUMN rowid bigint GENERATED ALWAYS AS IDENTITY")

    def lines(self, connection: Connection) -> dict[str, list[dict[str, Any]]]:  # noqa: D102
        if running := connection.exec_driver_sql(_RUN).scalars().all():
            raise Unreadable(f"schema-differs {running[0]}")
        columns: dict[str, list[str]] = {}
        for name, field, plain in connection.exec_driver_sql(_ORDERED):
            columns.setdefault(name, []).append(field)
            if not plain:
                raise Unreadable(f"schema-differs {name}")
        return {name: self._lines(connection, name, names) for name, names in columns.items()}

    @staticmethod
    def _lines(connection: Connection, name: str, columns: list[str]) -> list[dict[str, Any]]:
        """Read a table in the order in which its lines came; journal and meta have only that of the key."""
        kept = [item for item in columns if item != "rowid"]
        return migrations.read(connection, name, kept, "rowid" if kept != columns else columns[0])

    def alter(self, work: Callable[[Connection], None]) -> None:
        """Do it while no other station writes."""
        with self._engine.begin() as connection:
            connection.exec_driver_sql("LOCK TABLE meta IN ACCESS EXCLUSIVE MODE")
            work(connection)

    def remake(self, connection: Connection, version: int) -> None:
        """Keep the older tables in a schema of their own, which is the copy made before; `sweep` drops it."""
        there, old = logins.stations(connection), f"{_OLDER}{self.version}"
        connection.exec_driver_sql(f"ALTER SCHEMA {SCHEMA} RENAME TO {old}")
        self.make(connection, version)
        for station in there:
            logins.move(connection, station.login, station.role, old=old, new=SCHEMA)
        self.version = version

    def is_in_place(self) -> bool:  # noqa: D102
        return True

    def structure(self, connection: Connection) -> list[Damage]:
        """Return the tables that are not as this program makes them, or on which something runs."""
        found, expected = set(map(tuple, connection.exec_driver_sql(_COLUMNS))), self._expected()
        names = {item[0] for item in found ^ expected} | set(connection.exec_driver_sql(_RUN).scalars())
        return [Damage("schema-differs", {"name": name}) for name in sorted(names)]

    def _expected(self) -> set[tuple[Any, ...]]:
        columns = [
            (name, column.name, column.type.compile(self.dialect).lower(), not column.nullable, True)
            for name, table in METADATA.tables.items()
            for column in table.columns
        ]
        return {*columns, *((name, "rowid", "bigint", True, True) for name in TABLES)}

    def sweep(self) -> None:
        """Write the tables again; the server lets nobody do it but the owner."""
        if not self._owns:
            raise StorageError("no-permission", path=self.name, detail="")
        for older in range(1, self.version):
            self.outside_transaction(f"DROP SCHEMA IF EXISTS {_OLDER}{older} CASCADE")
        self.outside_transaction(f"VACUUM (FULL) {', '.join(METADATA.tables)}")

    def outside_transaction(self, statement: str) -> None:
        """Run a statement that no transaction may hold."""
        with self._engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            driven: Any = connection.connection.driver_connection
            with driven.however_long():
                connection.exec_driver_sql(statement)

    def copy_to(self, part: Path) -> None:
        """Write a SQLite file."""
        target = File.new(part, patience=0)
        try:
            with opening.storage_errors(part):
                self.read(lambda source: target.write(partial(self._fetch, source, target), lambda _none: None))
                refuse_unsound(target.connection, part)
        finally:
            target.close()
        sync(part)

    def _fetch(self, source: Connection, target: File, here: Connection) -> None:
        source.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout TO 0")  # the disk may be slow
        self._copy(source, target, here)

    def take_over(self, source: File) -> None:
        """Make the tables and fill them with what `source` holds."""
        with source.storage_errors(otherwise="file-damaged"), self.storage_errors():
            source.read(lambda there: self._once(lambda here: self._copy(there, self, here)))

    def _once(self, work: Callable[[Connection], None]) -> None:
        with self._engine.begin() as connection:
            work(connection)

    @staticmethod
    def _copy(source: Connection, target: File | Server, connection: Connection) -> None:
        target.make(connection)
        copy(source, connection)

    # --- logins

    def admit(self, login: str, role: Role, password: str) -> bool:
        """Let a login write what its role may, and look at all; True: it was made, as there was none of this name.

        A login that is there already keeps its own password, and loses what it could do before.
        """
        if login.casefold() == Role.DIRECTOR.value:  # the owner's steps are signed so
            raise StorageError("login-reserved", path=self.name, login=login)
        with self.storage_errors(), self._engine.begin() as connection:
            return logins.admit(connection, login, role, password, schema=SCHEMA)

    def stations(self) -> tuple[Station, ...]:
        """Return the logins that may take part besides the owner's."""
        with self.storage_errors():
            return self.read(logins.stations)

    def renew(self, login: str, password: str) -> None:
        """Give a login another password."""
        with self.storage_errors(), self._engine.begin() as connection:
            logins.renew(connection, login, password)

    def dismiss(self, login: str) -> None:
        """Let a login take part no longer."""
        with self.storage_errors(), self._engine.begin() as connection:
            logins.dismiss(connection, login, schema=SCHEMA)

    # --- hearing of others

    def announce(self, connection: Connection, seq: int) -> None:
        """Notify all stations of step `seq` with the commit."""
        connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, str(seq)))

    def heard(self, timeout: float) -> bool:
        """Wait for a notification; on a new connection say True at once: something may have been missed.

        Without a connection wait all of `timeout`, then True: whoever asks then looks, and finds the error.
        """
        end = time.monotonic() + timeout
        try:
            if self._listening is None:
                self._listening = self._listener()
                return True
            heard = False
            for news in self._listening.notifies(timeout=timeout, stop_after=1):
                heard = True
                self._ended = news.payload == _ENDED
            return heard
        except self._driver.Error:
            self._deafen()
            time.sleep(max(0.0, end - time.monotonic()))
            return True

    def announce_end(self) -> None:
        """Tell the others that the sharing ends; who loses the connection afterwards knows why."""
        with self.storage_errors():
            self.outside_transaction(f"NOTIFY {CHANNEL}, '{_ENDED}'")
        time.sleep(_ON_ITS_WAY)

    def _listener(self) -> AnsweringConnection:
        connection = self._connect()
        connection.autocommit = True
        connection.execute(f"LISTEN {CHANNEL}")
        self._ended = False
        return connection

    def _deafen(self) -> None:
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def close(self) -> None:  # noqa: D102
        self._closed = True
        self._deafen()
        self._engine.dispose()


class _Lost(Exception):
    """The connection broke; what the server made of the last words is not known."""


def _needs_password(error: BaseException) -> bool:
    pgconn = getattr(error, "pgconn", None)
    return pgconn is not None and bool(pgconn.needs_password)


def _answering(name: str) -> ModuleType:
    try:
        from tdapp.storage import answering  # noqa: PLC0415 - psycopg is an optional extra
    except ImportError as error:
        raise StorageError("server-driver-missing", path=name, detail=str(error)) from error
    return answering
