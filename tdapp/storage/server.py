"""Stores a tournament in the schema `tdapp` of a PostgreSQL database.

Each computer that shares the tournament (station) has its own login. It writes through SQL functions
(`station_functions`).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool
from sqlalchemy.schema import CreateSchema

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.domain.tournament import KINDS
from tdapp.storage import cluster, file_opening, logins, migrations, station_functions
from tdapp.storage.address import Address
from tdapp.storage.catalog import COLUMNS as DATABASE_COLUMNS
from tdapp.storage.catalog import NAMESPACES, TABLES_WITH_CODE, make_comment_statement
from tdapp.storage.checks import Damage
from tdapp.storage.columns import COLUMNS, SCHEMA_VERSION, list_column_names, make_tournament_secret
from tdapp.storage.engine import StaleRevisionError
from tdapp.storage.file import FileStorage, flush_file_to_disk, refuse_damaged_file
from tdapp.storage.listener import NotificationListener
from tdapp.storage.logins import StationLogin
from tdapp.storage.rows import DamagedValueError
from tdapp.storage.statements import (
    ReadingConnection,
    WritingConnection,
    create_tables,
    insert_rows,
    read_columns,
    update_rows,
)
from tdapp.storage.station_functions import (
    CHANNEL,
    ENDING,
    ORIGIN,
    OWNER_SCHEMA,
    PUBLIC_SCHEMA,
    REFUSED_STEP_CODE,
    RETURNED_TOURNAMENT_CODE,
    SCHEMA,
    STALE_STEP_CODE,
)

_BATCH_SIZE = 1000  # rows


def copy_tables(source: ReadingConnection, target: WritingConnection, *, is_owned: bool = True) -> None:
    """Copy all tables from `source` to `target`.

    A program that does not own `source` cannot read the tournament's secret. Then `target` gets a new secret.
    """
    for kind in KINDS:
        _copy_rows_of_table(source, target, kind, "rowid")
    _copy_rows_of_table(source, target, "journal", "seq")
    _copy_rows_of_table(source, target, "meta", "id")
    update_rows(target, "meta", [{"goes_on_at": "", "goes_on_since": ""}])
    if is_owned:
        _copy_rows_of_table(source, target, "secrets", "id")
    else:
        insert_rows(target, "secrets", [{"id": 1, "key": make_tournament_secret()}])


def _copy_rows_of_table(source: ReadingConnection, target: WritingConnection, table: str, order: str) -> None:
    names = list_column_names(table)
    cursor = read_columns(source, table, names, order=order)
    while lines := cursor.fetchmany(_BATCH_SIZE):
        insert_rows(target, table, [dict(zip(names, line, strict=True)) for line in lines])


if TYPE_CHECKING:
    from tdapp.storage.connection_timeouts import DeadlineConnection

T = TypeVar("T")
COMMENT_PREFIX = "tournament of tdapp, version "  # beginning of the comment of the schema
_OLD_SCHEMA_PREFIX = f"{SCHEMA}_version_"  # plus a version: the tables before a migration
_DAMAGED_SCHEMA_PREFIX = f"{SCHEMA}_damaged_"  # plus a time: the tables before a repair
TRIES = 3  # connection attempts for one transaction
_NOTIFICATION_DELAY = 0.2  # seconds until the other stations get a notification
_REQUIRE_AUTH_VERSION = 160_000  # first libpq with `require_auth`
_SAFE_AUTHENTICATION = "scram-sha-256,none"  # a fake server gets no usable password
_IDLE_TIMEOUT = 10  # seconds until the server ends the transaction of a lost station

# The beginnings of SQLSTATEs. The longest match counts.
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
        REFUSED_STEP_CODE: "no-permission",
        "TD003": "station-clock",
        RETURNED_TOURNAMENT_CODE: "server-ended",
        "XX": "file-damaged",
    }
)
# Parts of error messages of failed connections, which have no SQLSTATE. The first match counts.
_NO_CONNECTION = MappingProxyType(
    {
        "requirement": "server-unsafe",
        "password authentication failed": "server-password",
        "permission denied for database": "no-permission",
        "too many connections": "server-full",
        "FATAL": "server-refused",
    }
)
_LOCK_HOLDER = re.compile(r"^held by (.*)$", re.MULTILINE)  # raised by the SQL function `hold`
_ACCESS_ERRORS = frozenset(
    {"server-lost", "server-unreachable", "server-refused", "server-password", "no-permission"}
)
SCHEMA_COMMENT = func.obj_description(func.to_regnamespace(SCHEMA), "pg_namespace")
_SELECT_COMMENT_AND_ACCESS = select(
    SCHEMA_COMMENT, func.has_schema_privilege(func.to_regnamespace(PUBLIC_SCHEMA), "USAGE")
)
_IS_OWNER = func.pg_get_userbyid(NAMESPACES.c.nspowner) == func.current_user()
_SELECT_OWN_ROLE = select(func.session_user(), _IS_OWNER, func.tdapp_public.role_here()).where(
    NAMESPACES.c.nspname == SCHEMA
)
_IS_ARCHIVED_SCHEMA = NAMESPACES.c.nspname.regexp_match(f"^({_OLD_SCHEMA_PREFIX}|{_DAMAGED_SCHEMA_PREFIX})[0-9]+$")
_SELECT_ARCHIVED_SCHEMAS = select(NAMESPACES.c.nspname).where(_IS_ARCHIVED_SCHEMA)
_LOCK_TOURNAMENT = select(func.tdapp.hold())
_END_LONG_TRANSACTIONS = select(func.tdapp_owner.send_away(True))
_NOTIFY = select(func.pg_notify(CHANNEL, ""))


class ServerStorage:
    """The `StorageLocation` of a database. It has one connection for the tournament and one for notifications."""

    path: Path | None = None
    json_list_template: str = "to_json(ARRAY[{}])::text"

    def __init__(self, address: Address, *, timeout: float = 5.0) -> None:
        address.refuse_invalid_address()
        self.name = str(address)
        self.station = ""
        self.role = Role.DISPLAY
        self.schema_version = SCHEMA_VERSION
        self.is_owned = False
        self._timeouts_module = _import_timeouts_module(self.name)
        self._driver = self._timeouts_module.psycopg
        self._closed = False
        self.address: Address | None = address
        self._secret = address.secret
        self._timeout = timeout
        self._listener = NotificationListener(self._open_connection, self._driver.Error, lambda: self.is_owned)
        self._engine = create_engine(
            "postgresql+psycopg://",
            creator=self._open_connection,
            poolclass=QueuePool,
            pool_size=1,
            max_overflow=0,
        )
        reads = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reader = self._engine.execution_options(**reads)
        self._refuse_invalid_address()
        with self.convert_to_storage_errors():
            self._engine.connect().close()

    def _refuse_invalid_address(self) -> None:
        """Raise StorageError for an invalid address. The driver's own error could show the password."""
        try:
            self._driver.conninfo.conninfo_to_dict(self._secret)
        except self._driver.Error:
            raise StorageError("server-address", path=self.name) from None

    def check_database_and_load_own_role(self, newest_version: int) -> None:
        """Raise StorageError if the database has no tournament, or a schema version above `newest_version`."""
        with self.convert_to_storage_errors():
            comment, has_access = self.run_read_transaction(
                lambda connection: connection.execute(_SELECT_COMMENT_AND_ACCESS).one()
            )
            if comment is None or not comment.startswith(COMMENT_PREFIX):
                raise StorageError("server-empty", path=self.name)
            self.schema_version = int(comment.removeprefix(COMMENT_PREFIX))
            if self.schema_version > newest_version:
                raise StorageError(
                    "server-newer", path=self.name, version=self.schema_version, known=newest_version
                )
            if not has_access:
                raise StorageError("no-permission", path=self.name, detail="")
            self._load_own_role()

    def _load_own_role(self) -> None:
        login, self.is_owned, role = self.run_read_transaction(
            lambda connection: connection.execute(_SELECT_OWN_ROLE).one()
        )
        self.role = Role.DIRECTOR if self.is_owned else Role(role)
        self.station = Role.DIRECTOR.value if self.is_owned else login  # as in a file

    @property
    def can_read_private_data(self) -> bool:
        return self.role is not Role.DISPLAY

    # --- connections

    def _open_connection(self) -> DeadlineConnection:
        if self._closed:
            raise RuntimeError("the store is closed")
        limits: dict[str, Any] = {
            "connect_timeout": max(2, round(self._timeout)),
            "keepalives_idle": 5,
            "keepalives_interval": 2,
        }
        settings = {
            "search_path": f"{SCHEMA}, {PUBLIC_SCHEMA}",
            "lock_timeout": round(self._timeout * 1000) or 1,
            "idle_in_transaction_session_timeout": f"'{_IDLE_TIMEOUT}s'",
            "synchronous_commit": "on",
        }
        host = Address(self._secret).host_if_port_is_missing
        if host and "PGPORT" not in os.environ:
            limits |= {"host": f"{host},{host}", "port": f"{cluster.FIRST_PORT},{cluster.USUAL_PORT}"}
        if self._driver.pq.version() >= _REQUIRE_AUTH_VERSION:
            limits["require_auth"] = _SAFE_AUTHENTICATION
        connection = self._timeouts_module.DeadlineConnection.connect(
            self._secret, **limits, tcp_user_timeout=10_000, application_name="tdapp", autocommit=True
        )
        try:
            connection.execute("".join(f"SET {name} TO {value};" for name, value in settings.items()))
        except self._driver.Error:
            connection.close()
            raise
        connection.autocommit = False
        return connection  # type: ignore[no-any-return]

    def run_read_transaction(self, work: Callable[[Connection], T]) -> T:
        """Call `work`. After a lost connection, connect and try again."""
        for _ in range(TRIES - 1):
            with suppress(_ConnectionLost), self._detect_lost_connection(), self._reader.begin() as connection:
                return work(connection)
        with self._reader.begin() as connection:
            return work(connection)

    def run_write_transaction(
        self, work: Callable[[Connection], T], find_committed_result: Callable[[Connection], T | None]
    ) -> T:
        """Call `work` in one transaction. After a lost connection, try again if nothing was committed."""
        with suppress(_ConnectionLost), self._detect_lost_connection(), self._engine.begin() as connection:
            return work(connection)
        remaining_tries = TRIES
        while True:
            remaining_tries -= 1
            try:
                with self._detect_lost_connection(), self._engine.begin() as connection:
                    self.lock_tournament(connection)
                    result = find_committed_result(connection)
                    return work(connection) if result is None else result
            except (_ConnectionLost, DBAPIError) as error:
                if not remaining_tries or isinstance(error, DBAPIError):
                    detail = self._find_error_detail(error)
                    raise StorageError("server-lost-saving", path=self.name, detail=detail) from error

    @contextmanager
    def _detect_lost_connection(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            raise _ConnectionLost(str(error.orig)) from error

    @contextmanager
    def convert_to_storage_errors(self, *, default_code: str | None = None) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, self._driver.Error) as error:
            orig = error.orig if isinstance(error, DBAPIError) else error
            code = self._find_error_code(orig, default_code)
            if self._listener.is_ending and code in _ACCESS_ERRORS:
                code = "server-ended"
            if code is None:
                raise
            facts = {"who": match[1]} if (match := _LOCK_HOLDER.search(str(orig))) else {}
            code = "server-locked" if facts else code
            raise StorageError(code, path=self.name, detail=self._find_error_detail(orig), **facts) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise StorageError("value-unstorable", path=self.name, detail=str(error)) from error
        except OSError as error:
            raise StorageError("server-lost", path=self.name, detail=str(error)) from error

    def _find_error_code(self, error: BaseException | None, default_code: str | None) -> str | None:
        state = getattr(error, "sqlstate", None)
        if state:
            codes = (_CODES[item] for item in sorted(_CODES, reverse=True) if state.startswith(item))
            return next(codes, None if state.startswith("23") else default_code)
        if isinstance(error, self._driver.DataError):
            return "value-unstorable"
        if not isinstance(error, self._driver.OperationalError):
            return default_code
        if "connection failed" not in str(error) and "failed to resolve" not in str(error):
            return "server-lost"
        if getattr(getattr(error, "pgconn", None), "needs_password", False):
            return "server-password"
        return next((code for words, code in _NO_CONNECTION.items() if words in str(error)), "server-unreachable")

    def _find_error_detail(self, error: BaseException | None) -> str:
        lines = str(getattr(error, "orig", None) or error).splitlines() or [""]
        return lines[0].replace(self._secret, self.name)

    # --- tables

    def make_tables(self, connection: Any, version: int = SCHEMA_VERSION) -> None:
        """Create the tables. Raise StorageError if the database already has a tournament."""
        if connection.scalar(select(func.to_regnamespace(SCHEMA))) is not None:
            raise StorageError("server-taken", path=self.name)
        encoding = connection.scalar(select(func.current_setting("server_encoding")))
        if encoding != "UTF8":
            raise StorageError("server-encoding", path=self.name, encoding=encoding)
        connection.execute(CreateSchema(SCHEMA))
        connection.exec_driver_sql(make_comment_statement(f"SCHEMA {SCHEMA}", f"{COMMENT_PREFIX}{version}"))
        create_tables(connection)
        station_functions.create_owner_tables_and_functions(connection)
        station_functions.create_public_views(connection)
        logins.revoke_rights_of_all_logins(connection, "CONNECT, TEMPORARY")

    def read_rows_by_table(self, connection: Any) -> dict[str, list[dict[str, Any]]]:
        if tables_with_code := connection.execute(TABLES_WITH_CODE).scalars().all():
            raise DamagedValueError(f"schema-differs {tables_with_code[0]}")
        columns: dict[str, list[str]] = {}
        for name, field, *_, is_plain in connection.execute(DATABASE_COLUMNS):
            columns.setdefault(name, []).append(field)
            if not is_plain:
                raise DamagedValueError(f"schema-differs {name}")
        return {name: _read_table(connection, name, names) for name, names in columns.items()}

    def alter_schema(self, work: Callable[[Connection], None]) -> None:
        """Change the schema. No other computer can read or write meanwhile."""
        self._end_long_transactions()
        with self._engine.begin() as connection:
            connection.exec_driver_sql("LOCK TABLE meta IN ACCESS EXCLUSIVE MODE")
            work(connection)

    def recreate_empty_tables(self, connection: Any, version: int) -> None:
        """Create tables of `version`. Old tables stay in another schema until `remove_deleted_data_from_disk`."""
        logins.move_tables_to_archive_and_make_new_ones(
            connection, f"{_OLD_SCHEMA_PREFIX}{self.schema_version}", partial(self.make_tables, version=version)
        )
        self.schema_version = version

    def archive_and_rebuild_tables(self, fill: Callable[[Connection], None]) -> None:
        """Move the damaged tables to another schema, create empty ones and call `fill` to fill them."""
        self._end_long_transactions()
        with self._engine.begin() as connection:
            logins.move_tables_to_archive_and_make_new_ones(
                connection, f"{_DAMAGED_SCHEMA_PREFIX}{time.time_ns()}", self.make_tables
            )
            fill(connection)

    def is_file_replaced(self) -> bool:
        return False

    def check_structure(self, connection: Any) -> list[Damage]:
        """Return tables that differ from this program's schema or have triggers, rules or row security."""
        columns = set(map(tuple, connection.execute(DATABASE_COLUMNS)))
        names = {item[0] for item in columns ^ _list_expected_columns()} | set(
            connection.execute(TABLES_WITH_CODE).scalars()
        )
        return [Damage("schema-differs", {"name": name}) for name in sorted(names)]

    def remove_deleted_data_from_disk(self) -> None:
        if not self.is_owned:
            raise StorageError("no-permission", path=self.name, detail="")
        self._end_long_transactions()
        for schema in self.run_read_transaction(
            lambda connection: connection.execute(_SELECT_ARCHIVED_SCHEMAS).scalars().all()
        ):
            self._run_in_one_transaction(partial(logins.drop_schemas, (schema,)))
        self.run_outside_transaction(f"VACUUM (FULL) {', '.join(COLUMNS)}")

    def drop_tournament_schemas(self) -> None:
        with self.convert_to_storage_errors():
            archived_schemas = self.run_read_transaction(
                lambda connection: connection.execute(_SELECT_ARCHIVED_SCHEMAS).scalars().all()
            )
            self._run_in_one_transaction(
                partial(logins.drop_schemas, (*archived_schemas, SCHEMA, OWNER_SCHEMA, PUBLIC_SCHEMA))
            )

    def _end_long_transactions(self) -> None:
        # locks of other computers would delay a change of the schema
        self._run_in_one_transaction(lambda connection: connection.execute(_END_LONG_TRANSACTIONS))

    def run_outside_transaction(self, statement: str) -> None:
        with self._engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            driver_connection: Any = connection.connection.driver_connection
            with driver_connection.suspend_deadline():
                connection.exec_driver_sql(statement)

    def copy_to(self, target: Path) -> None:
        copy = FileStorage.open_empty_database(target, timeout=0)

        def copy_all_tables(source: Connection, target: WritingConnection) -> None:
            source.execute(
                select(func.set_config("idle_in_transaction_session_timeout", "0", True))
            )  # for slow disks
            copy.make_tables(target)
            copy_tables(source, target, is_owned=self.is_owned)

        try:
            with file_opening.convert_to_storage_errors(target):
                self.run_read_transaction(
                    lambda source: copy.run_write_transaction(
                        partial(copy_all_tables, source), lambda _connection: None
                    )
                )
                refuse_damaged_file(copy.connection, target)
        finally:
            copy.close()
        flush_file_to_disk(target)

    def copy_from_file(self, source: FileStorage) -> None:
        def copy_file_tables(source_connection: ReadingConnection, connection: Connection) -> None:
            self.make_tables(connection)
            copy_tables(source_connection, connection)
            connection.execute(ORIGIN.insert(), {"file": str(source.path or "")})

        with source.convert_to_storage_errors(default_code="file-damaged"), self.convert_to_storage_errors():
            source.run_read_transaction(
                lambda source_connection: self._run_in_one_transaction(
                    partial(copy_file_tables, source_connection)
                )
            )

    def _run_in_one_transaction(self, work: Callable[[Connection], object]) -> None:
        with self._engine.begin() as connection:
            work(connection)

    def read_original_file_path(self) -> str:
        """Return the path of the file from which the tournament was shared, "" if unknown. For the owner only."""
        with self.convert_to_storage_errors():
            return str(
                self.run_read_transaction(lambda connection: connection.scalar(select(ORIGIN.c.file))) or ""
            )

    # --- logins

    def revoke_rights_in_default_databases(self) -> None:
        with self.convert_to_storage_errors():
            self._run_in_one_transaction(logins.revoke_rights_in_default_databases)

    def create_login_or_change_role(self, login: str, role: Role, password: str) -> bool:
        """Give a login the rights of `role`, and create it if needed. Return True if it was created.

        An existing login keeps its password and loses its earlier rights.
        """
        if login.casefold() == Role.DIRECTOR.value:  # the owner's name in the journal
            raise StorageError("login-reserved", path=self.name, login=login)
        with self.convert_to_storage_errors(), self._engine.begin() as connection:
            return logins.create_login_or_change_role(connection, login, role, password)

    def list_stations(self) -> tuple[StationLogin, ...]:
        with self.convert_to_storage_errors():
            return self.run_read_transaction(logins.list_stations)

    def change_password(self, login: str, password: str) -> None:
        with self.convert_to_storage_errors(), self._engine.begin() as connection:
            logins.change_password(connection, login, password)

    def remove_login(self, login: str) -> None:
        """Revoke a login's rights.

        If this program created the login and no other tournament uses it, also delete it and its database
        objects. Raises StorageError "login-stays" if this fails, "station-stays" if a session remains.
        """
        with self.convert_to_storage_errors():
            self._run_in_one_transaction(partial(logins.revoke_rights, login=login))
            with self._engine.begin() as connection:
                is_disposable = logins.disable_login_if_unused(connection, login)
            with self._engine.begin() as connection:
                is_disconnected = logins.end_database_sessions(connection, login, in_all_databases=is_disposable)
        if is_disposable:
            self._drop_login(login)
        if not is_disconnected:
            raise StorageError("station-stays", path=self.name, login=login)

    def _drop_login(self, login: str) -> None:
        with self.convert_to_storage_errors():
            databases = self.run_read_transaction(partial(logins.list_databases_with_login_rights, login=login))
        for database in databases:
            address = Address(self._secret).replace_parts(database=database)
            with suppress(StorageError), closing(ServerStorage(address)) as server:
                server.delete_owned_objects(login)
        try:
            with self.convert_to_storage_errors(default_code="no-permission"):
                self._run_in_one_transaction(partial(logins.drop_login, login=login))
        except StorageError as error:
            detail = ", ".join(databases) or error.facts["detail"]
            raise StorageError("login-stays", path=self.name, login=login, detail=detail) from error

    def delete_owned_objects(self, login: str) -> None:
        with self.convert_to_storage_errors():
            deleted = 1
            while deleted:
                with self._engine.begin() as connection:
                    deleted = logins.delete_batch_of_large_objects(connection, login)
            self._run_in_one_transaction(partial(logins.drop_owned_objects, login=login))

    # --- other stations

    def lock_tournament(self, connection: Any) -> None:
        connection.execute(_LOCK_TOURNAMENT)

    def submit_step_to_server(self, connection: Any, line: Mapping[str, Any]) -> str:
        arguments = tuple(line[name] for name in ("seq", "at", "label", "facts", "undoes", "changes"))
        try:
            return str(connection.execute(select(func.tdapp.write_step(*arguments))).scalar_one())
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) == STALE_STEP_CODE:
                raise StaleRevisionError(line["seq"]) from error
            raise

    def notify_stations_if_shared(self, connection: Any) -> None:
        connection.execute(_NOTIFY)

    def wait_for_change(self, timeout: float) -> bool:
        return self._listener.wait_for_change(timeout)

    def notify_stations_of_ended_sharing(self) -> None:
        with self.convert_to_storage_errors(), self._engine.begin() as connection:
            connection.execute(ENDING.insert().values(since=func.now()))
            self.notify_stations_if_shared(connection)
        time.sleep(_NOTIFICATION_DELAY)

    def close(self) -> None:
        self._closed = True
        self._listener.close()
        self._engine.dispose()


def _read_table(connection: WritingConnection, name: str, columns: list[str]) -> list[dict[str, Any]]:
    names = [item for item in columns if item != "rowid"]
    return migrations.read_rows_as_dicts(connection, name, names, "rowid" if names != columns else columns[0])


class _ConnectionLost(Exception):
    """The connection broke. The last statement may or may not have been executed."""


def _import_timeouts_module(server_name: str) -> ModuleType:
    try:
        from tdapp.storage import connection_timeouts  # noqa: PLC0415 - psycopg is an optional extra
    except ImportError as error:
        raise StorageError("server-driver-missing", path=server_name, detail=str(error)) from error
    return connection_timeouts


def _list_expected_columns() -> set[tuple[Any, ...]]:
    columns = [
        (name, column.name, "bigint" if column.type.is_integer else "text", not column.nullable, True)
        for name, table_columns in COLUMNS.items()
        for column in table_columns
    ]
    return {*columns, *((name, "rowid", "bigint", True, True) for name in KINDS)}
