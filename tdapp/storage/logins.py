"""Logins of a shared tournament, with the rights and limits of their roles.

The server receives only the hash of a password.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tdapp.domain.roles import Role
from tdapp.storage.columns import COLUMNS
from tdapp.storage.statements import quote_name
from tdapp.storage.station_functions import OWNER_SCHEMA, PUBLIC_SCHEMA, SCHEMA

_STATIONS = f"""SELECT s.login, s.role, EXISTS (SELECT FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.usename = s.login AND starts_with(a.application_name, 'tdapp'))
FROM {OWNER_SCHEMA}.stations s ORDER BY s.login"""
_KNOW = f"""INSERT INTO {OWNER_SCHEMA}.stations VALUES (%s, %s)
ON CONFLICT (login) DO UPDATE SET role = excluded.role"""
_FORGET = f"DELETE FROM {OWNER_SCHEMA}.stations WHERE login = %s"
_END = """SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
WHERE datname = current_database() AND usename = %s"""
_HERE = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = %s"

_CLOSE_FUNCTIONS = """DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    AND proname ~ '^(pg_(try_)?advisory|lo_|loread|lowrite)' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
  END LOOP;
END
$$""".replace("%", "%%")

# A station has two connections, and twice as many for a moment when it joins again; one login may do for several
# displays. All first stations together leave room for others (`cluster`).
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


class Station(Struct, frozen=True):
    """A login with a role. `here`: it is connected now."""

    login: str
    role: Role
    here: bool

    @property
    def key(self) -> str:
        """The identity of the row in a table."""
        return self.login


def close(connection: Connection, rights: str) -> None:
    """Revoke the default rights of every login in a database, and `rights` to the database itself.

    Advisory locks and large objects use memory and disk shared by all. Only a superuser can revoke them.
    """
    _try(connection, f"REVOKE {rights} ON DATABASE {_database(connection)} FROM PUBLIC")
    _try(connection, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    _try(connection, _CLOSE_FUNCTIONS)


def stations(connection: Connection) -> tuple[Station, ...]:
    """Return the logins with a role, except the owner's, sorted by name."""
    found = connection.exec_driver_sql(_STATIONS)
    return tuple(Station(login, Role(role), here) for login, role, here in found)


def admit(connection: Connection, login: str, role: Role, password: str) -> bool:
    """Give a login one role. Return True if the login was created, with `password`."""
    known = connection.exec_driver_sql("SELECT FROM pg_roles WHERE rolname = %s", (login,)).first()
    named = quote_name(login)
    if known is None:
        connection.exec_driver_sql(f"CREATE ROLE {named} LOGIN")
        renew(connection, login, password)
        _try(connection, f"GRANT {named} TO CURRENT_USER")  # who is no superuser may send it away by that
    expel(connection, login)
    let_in(connection, login, role)
    return known is None


def renew(connection: Connection, login: str, password: str) -> None:
    """Change the password of a login. Only its hash is sent, so that no server log contains it."""
    driver = connection.connection.dbapi_connection
    pgconn = driver.pgconn  # type: ignore[union-attr]
    sealed = pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode("ascii")
    connection.exec_driver_sql(f"ALTER ROLE {quote_name(login)} PASSWORD '{sealed}'")


def let_in(connection: Connection, login: str, role: Role) -> None:
    """Grant a login without rights what its role needs: reading, and calling the owner's functions."""
    named = quote_name(login)
    for statement in _grants(named, role):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_KNOW, (login, role.value))
    _try(connection, f"GRANT CONNECT ON DATABASE {_database(connection)} TO {named}")
    _try(connection, f"ALTER ROLE {named} CONNECTION LIMIT {_CONNECTIONS[role]}")
    for name, value in _LIMITS.items():
        _try(connection, f"ALTER ROLE {named} IN DATABASE {_database(connection)} SET {name} TO '{value}'")


def expel(connection: Connection, login: str) -> None:
    """Revoke every right of a login."""
    named, schemas = quote_name(login), f"{SCHEMA}, {PUBLIC_SCHEMA}"
    for kind in ("TABLES", "FUNCTIONS"):
        connection.exec_driver_sql(f"REVOKE ALL ON ALL {kind} IN SCHEMA {schemas} FROM {named}")
    connection.exec_driver_sql(f"REVOKE ALL ON SCHEMA {schemas} FROM {named}")
    connection.exec_driver_sql(_FORGET, (login,))
    _try(connection, f"REVOKE CONNECT ON DATABASE {_database(connection)} FROM {named}")
    _try(connection, f"ALTER ROLE {named} IN DATABASE {_database(connection)} RESET ALL")


def set_aside(connection: Connection, old: str, make: Callable[[Connection], None]) -> None:
    """Move the existing tables to the schema `old` and make new ones, the only tables that stations can use."""
    there = stations(connection)
    for station in there:
        expel(connection, station.login)
    connection.exec_driver_sql(f"ALTER SCHEMA {SCHEMA} RENAME TO {old}")
    connection.exec_driver_sql(f"DROP SCHEMA {OWNER_SCHEMA}, {PUBLIC_SCHEMA} CASCADE")
    make(connection)
    for station in there:
        let_in(connection, station.login, station.role)


def send_away(connection: Connection, login: str) -> bool:
    """End the sessions of an expelled login and drop it if it owns nothing.

    False: a session could not be ended.
    """
    _try(connection, _END, (login,))
    connection.exec_driver_sql("SELECT pg_stat_clear_snapshot()")
    gone = not connection.exec_driver_sql(_HERE, (login,)).scalar_one()
    _try(connection, f"DROP ROLE {quote_name(login)}")  # it may be in another tournament
    return gone


def _grants(login: str, role: Role) -> list[str]:
    common = [
        f"GRANT USAGE ON SCHEMA {PUBLIC_SCHEMA} TO {login}",
        f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {PUBLIC_SCHEMA} TO {login}",
    ]
    if role is Role.DISPLAY:
        return [*common, f"GRANT SELECT ON ALL TABLES IN SCHEMA {PUBLIC_SCHEMA} TO {login}"]
    read = ", ".join(f"{SCHEMA}.{name}" for name in COLUMNS if name != "secrets")
    return [
        *common,
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO {login}",
        f"GRANT SELECT ON {read} TO {login}",
        f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {SCHEMA} TO {login}",
    ]


def _try(connection: Connection, statement: str, words: tuple[str, ...] = ()) -> None:
    with suppress(DBAPIError), connection.begin_nested():
        connection.exec_driver_sql(statement, words)


def _database(connection: Connection) -> str:
    return quote_name(str(connection.exec_driver_sql("SELECT current_database()").scalar_one()))
