"""Manages the logins of a shared tournament, their rights and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType

from msgspec import Struct
from sqlalchemy import BindParameter, Connection, bindparam, cast, delete, exists, func, select
from sqlalchemy.dialects.postgresql import REGCLASS, insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import DropSchema
from sqlalchemy.sql.base import Executable

from tdapp.domain.roles import Role
from tdapp.storage.catalog import (
    ACTIVITY,
    CREATOR_COMMENT,
    DATABASES,
    DEPENDENCIES,
    LARGE_OBJECTS,
    ROLES,
    make_comment_statement,
    make_database_sessions_condition,
)
from tdapp.storage.columns import COLUMNS
from tdapp.storage.statements import quote_sql_name
from tdapp.storage.station_functions import OWNER_SCHEMA, PUBLIC_SCHEMA, SCHEMA, STATIONS, read_sql_script

_LOGIN: BindParameter[str] = bindparam("login")
_IN_THIS_DATABASE = make_database_sessions_condition(ACTIVITY.c.usename == _LOGIN)
_IN_ANY_DATABASE = ACTIVITY.c.usename == _LOGIN
_END_SESSIONS = select(func.pg_terminate_backend(ACTIVITY.c.pid, 2000))  # waits at most 2000 ms
_COUNT_SESSIONS = select(func.count()).select_from(ACTIVITY).where(_IN_THIS_DATABASE)
_ROLE_COMMENT = func.shobj_description(ROLES.c.oid, "pg_authid")
_OWN_DEPENDENCY = (DEPENDENCIES.c.refobjid == ROLES.c.oid) & (ROLES.c.rolname == _LOGIN)
_MAY_CONNECT_ELSEWHERE = exists().where(
    DEPENDENCIES.c.refobjid == ROLES.c.oid,
    DEPENDENCIES.c.deptype == "a",
    DEPENDENCIES.c.classid == cast("pg_database", REGCLASS),
)
# A login that this program created and that no other tournament uses.
_IS_DISPOSABLE = select(ROLES.c.oid).where(
    ROLES.c.rolname == _LOGIN, _ROLE_COMMENT == CREATOR_COMMENT, ~_MAY_CONNECT_ELSEWHERE
)
_USED_DATABASES = (
    select(DATABASES.c.datname)
    .distinct()
    .join_from(DEPENDENCIES, DATABASES, DATABASES.c.oid == DEPENDENCIES.c.dbid)
    .where(exists().where(_OWN_DEPENDENCY))
)
_SOME_OBJECTS = (
    select(LARGE_OBJECTS.c.oid)
    .join(ROLES, ROLES.c.oid == LARGE_OBJECTS.c.lomowner)
    .where(ROLES.c.rolname == _LOGIN)
    .limit(1000)  # each deleted object is locked until the end of the transaction
    .subquery()
)
_DELETE_OBJECTS = select(func.count(func.lo_unlink(_SOME_OBJECTS.c.oid)))

# A station has two connections, and briefly four when it reconnects. Several displays can share one login.
# Together the default stations stay below `max_connections` (`cluster`).
_CONNECTIONS: Mapping[Role, int] = MappingProxyType(
    {Role.DIRECTOR: 8, Role.ENTRY: 8, Role.JURY: 8, Role.DISPLAY: 24}
)
_LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "statement_timeout": "60s",
        "lock_timeout": "5s",
        "idle_in_transaction_session_timeout": "10s",
        "temp_file_limit": "64MB",  # only a superuser can set it
    }
)


class StationLogin(Struct, frozen=True):
    """The login of a computer (station) on the server."""

    login: str
    role: Role
    here: bool  # whether the login is connected now

    @property
    def key(self) -> str:
        return self.login


def revoke_rights_of_all_logins(connection: Connection, rights: str) -> None:
    """Revoke `rights` on the database from all logins (PUBLIC).

    Also revoke default rights such as creating tables. Skip rights that only a superuser can revoke.
    """
    _run_ignoring_errors(
        connection,
        _make_revoke_statement(f"{rights} ON {_make_current_database_clause(connection)}", "PUBLIC"),
    )
    _run_ignoring_errors(connection, _make_revoke_statement("CREATE ON SCHEMA public", "PUBLIC"))
    _run_ignoring_errors(connection, read_sql_script("close_functions.sql"))


def revoke_rights_in_default_databases(connection: Connection) -> None:
    """Revoke the right of all logins to connect to `template1`, and most of their rights in `postgres`.

    `connection` must be a connection to the database `postgres`.
    """
    revoke_rights_of_all_logins(connection, "TEMPORARY")
    _run_ignoring_errors(connection, _make_revoke_statement("CONNECT ON DATABASE template1", "PUBLIC"))


def list_stations(connection: Connection) -> tuple[StationLogin, ...]:
    login = STATIONS.c.login
    is_ours = func.starts_with(ACTIVITY.c.application_name, "tdapp")
    is_connected = exists().where(make_database_sessions_condition(ACTIVITY.c.usename == login, is_ours))
    rows = connection.execute(select(login, STATIONS.c.role, is_connected).order_by(login))
    return tuple(StationLogin(name, Role(role), is_station_connected) for name, role, is_station_connected in rows)


def create_login_or_change_role(connection: Connection, login: str, role: Role, password: str) -> bool:
    """Give a login only the rights of a role. Create it with `password` if it does not exist.

    Return True if it was created.
    """
    existing_role = connection.execute(select(ROLES.c.rolname).where(ROLES.c.rolname == login)).first()
    if existing_role is None:
        connection.exec_driver_sql(_make_sql_statement_about_login("CREATE", login, "LOGIN"))
        change_password(connection, login, password)
        connection.exec_driver_sql(make_comment_statement(f"ROLE {quote_sql_name(login)}", CREATOR_COMMENT))
        _set_session_limits(connection, login, "DATABASE postgres")
        # an owner without superuser rights can then disconnect it
        _run_ignoring_errors(connection, _make_grant_statement(quote_sql_name(login), "CURRENT_USER"))
    revoke_rights(connection, login)
    grant_rights_of_role(connection, login, role)
    return existing_role is None


def change_password(connection: Connection, login: str, password: str) -> None:
    """Set a password. Send only its hash, so that it never appears in a server log."""
    driver = connection.connection.dbapi_connection
    pgconn = driver.pgconn  # type: ignore[union-attr]
    encrypted = pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode("ascii")
    connection.exec_driver_sql(_make_sql_statement_about_login("ALTER", login, f"PASSWORD '{encrypted}'"))


def grant_rights_of_role(connection: Connection, login: str, role: Role) -> None:
    """Give a login a role's rights. A display reads public views; other roles read tables and save steps."""
    quoted_login, database = quote_sql_name(login), _make_current_database_clause(connection)
    for rights in _list_rights_of_role(role):
        connection.exec_driver_sql(_make_grant_statement(rights, quoted_login))
    statement = insert(STATIONS).values(login=login, role=role.value)
    connection.execute(statement.on_conflict_do_update(index_elements=["login"], set_={"role": role.value}))
    _run_ignoring_errors(connection, _make_grant_statement(f"CONNECT ON {database}", quoted_login))
    _run_ignoring_errors(
        connection, _make_sql_statement_about_login("ALTER", login, f"CONNECTION LIMIT {_CONNECTIONS[role]}")
    )
    _set_session_limits(connection, login, database)


def _set_session_limits(connection: Connection, login: str, database: str) -> None:
    for name, value in _LIMITS.items():
        limit = f"IN {database} SET {name} TO '{value}'"
        _run_ignoring_errors(connection, _make_sql_statement_about_login("ALTER", login, limit))


def revoke_rights(connection: Connection, login: str) -> None:
    quoted_login, schemas, database = (
        quote_sql_name(login),
        f"SCHEMA {SCHEMA}, {PUBLIC_SCHEMA}",
        _make_current_database_clause(connection),
    )
    for target in (f"ALL TABLES IN {schemas}", f"ALL FUNCTIONS IN {schemas}", schemas):
        connection.exec_driver_sql(_make_revoke_statement(f"ALL ON {target}", quoted_login))
    connection.execute(delete(STATIONS).where(STATIONS.c.login == login))
    _run_ignoring_errors(connection, _make_revoke_statement(f"CONNECT ON {database}", quoted_login))
    _run_ignoring_errors(connection, _make_sql_statement_about_login("ALTER", login, f"IN {database} RESET ALL"))


def move_tables_to_archive_and_make_new_ones(
    connection: Connection, archive_schema: str, make_tables: Callable[[Connection], None]
) -> None:
    """Rename the tables' schema to `archive_schema`. Let `make_tables` create new tables.

    Revoke the logins' rights on the old tables. Grant the same rights on the new tables.
    """
    stations = list_stations(connection)
    for station in stations:
        revoke_rights(connection, station.login)
    connection.exec_driver_sql(f"ALTER SCHEMA {SCHEMA} RENAME TO {archive_schema}")
    drop_schemas((OWNER_SCHEMA, PUBLIC_SCHEMA), connection)
    make_tables(connection)
    for station in stations:
        grant_rights_of_role(connection, station.login, station.role)


def drop_schemas(names: Iterable[str], connection: Connection) -> None:
    for name in names:
        connection.execute(DropSchema(name, cascade=True))


def disable_login_if_unused(connection: Connection, login: str) -> bool:
    """Lock a login if this program created it and no other tournament uses it. Return True if it was locked."""
    is_disposable = connection.execute(_IS_DISPOSABLE, {"login": login}).first() is not None
    if is_disposable:
        _run_ignoring_errors(connection, _make_sql_statement_about_login("ALTER", login, "NOLOGIN"))
    return is_disposable


def end_database_sessions(connection: Connection, login: str, *, in_all_databases: bool) -> bool:
    """End a login's sessions in this database, or in all. Return False if one remains in this database."""
    condition = _IN_ANY_DATABASE if in_all_databases else _IN_THIS_DATABASE
    _run_ignoring_errors(connection, _END_SESSIONS.where(condition).params(login=login))
    connection.execute(select(func.pg_stat_clear_snapshot()))
    return not connection.scalar(_COUNT_SESSIONS, {"login": login})


def list_databases_with_login_rights(connection: Connection, login: str) -> list[str]:
    """Return the databases in which a login has objects or rights."""
    return list(connection.execute(_USED_DATABASES, {"login": login}).scalars())


def delete_batch_of_large_objects(connection: Connection, login: str) -> int:
    """Delete a limited number of a login's large objects in this database. Return the number."""
    return int(connection.scalar(_DELETE_OBJECTS, {"login": login}) or 0)


def drop_owned_objects(connection: Connection, login: str) -> None:
    connection.exec_driver_sql(f"DROP OWNED BY {quote_sql_name(login)} CASCADE")


def drop_login(connection: Connection, login: str) -> None:
    connection.exec_driver_sql(_make_sql_statement_about_login("DROP", login))


def _list_rights_of_role(role: Role) -> list[str]:
    common = [f"USAGE ON SCHEMA {PUBLIC_SCHEMA}", f"EXECUTE ON ALL FUNCTIONS IN SCHEMA {PUBLIC_SCHEMA}"]
    if role is Role.DISPLAY:
        return [*common, f"SELECT ON ALL TABLES IN SCHEMA {PUBLIC_SCHEMA}"]
    readable_tables = ", ".join(f"{SCHEMA}.{name}" for name in COLUMNS if name != "secrets")
    return [
        *common,
        f"USAGE ON SCHEMA {SCHEMA}",
        f"SELECT ON {readable_tables}",
        f"EXECUTE ON ALL FUNCTIONS IN SCHEMA {SCHEMA}",
    ]


def _make_grant_statement(rights: str, login: str) -> str:
    return f"GRANT {rights} TO {login}"


def _make_revoke_statement(rights: str, login: str) -> str:
    return f"REVOKE {rights} FROM {login}"


def _make_sql_statement_about_login(verb: str, login: str, change: str = "") -> str:
    return f"{verb} ROLE {quote_sql_name(login)} {change}"


def _run_ignoring_errors(connection: Connection, statement: str | Executable) -> None:
    with suppress(DBAPIError), connection.begin_nested():
        if isinstance(statement, str):
            connection.exec_driver_sql(statement)
        else:
            connection.execute(statement)


def _make_current_database_clause(connection: Connection) -> str:
    return f"DATABASE {quote_sql_name(str(connection.scalar(select(func.current_database()))))}"
