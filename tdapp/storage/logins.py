"""Who may come in to a shared tournament: logins of the server, each with the rights and limits of its role.

Hides what the server is told so, and that a password goes there as its hash only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tdapp.domain.roles import Role
from tdapp.storage.station_functions import OWNER_SCHEMA, PUBLIC_SCHEMA, SCHEMA
from tdapp.storage.tables import ALL_TABLES, SECRETS, quoted

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
    """A login that may take part in a role; `here`: somebody is connected with it now."""

    login: str
    role: Role
    here: bool

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.login


def close(connection: Connection, rights: str) -> None:
    """Take from everybody what every login of a server has in a database by itself, and `rights` to it.

    Advisory locks and large objects fill the memory and the disk that all share; only a superuser can close them.
    """
    _try(connection, f"REVOKE {rights} ON DATABASE {_database(connection)} FROM PUBLIC")
    _try(connection, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    _try(connection, _CLOSE_FUNCTIONS)


def stations(connection: Connection) -> tuple[Station, ...]:
    """Return the logins that may take part besides the owner's, by name."""
    found = connection.exec_driver_sql(_STATIONS)
    return tuple(Station(login, Role(role), here) for login, role, here in found)


def admit(connection: Connection, login: str, role: Role, password: str) -> bool:
    """Let a login take part in a role and in no other; True: it was made, with `password`."""
    known = connection.exec_driver_sql("SELECT FROM pg_roles WHERE rolname = %s", (login,)).first()
    named = quoted(login)
    if known is None:
        connection.exec_driver_sql(f"CREATE ROLE {named} LOGIN")
        renew(connection, login, password)
        _try(connection, f"GRANT {named} TO CURRENT_USER")  # who is no superuser may send it away by that
    expel(connection, login)
    let_in(connection, login, role)
    return known is None


def renew(connection: Connection, login: str, password: str) -> None:
    """Give a login another password: as its hash, so that no log of the server has it."""
    driver = connection.connection.dbapi_connection
    pgconn = driver.pgconn  # type: ignore[union-attr]
    sealed = pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode("ascii")
    connection.exec_driver_sql(f"ALTER ROLE {quoted(login)} PASSWORD '{sealed}'")


def let_in(connection: Connection, login: str, role: Role) -> None:
    """Give a login that has no rights what its role needs: to read, and to call the owner's functions."""
    named = quoted(login)
    for statement in _grants(named, role):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_KNOW, (login, role.value))
    _try(connection, f"GRANT CONNECT ON DATABASE {_database(connection)} TO {named}")
    _try(connection, f"ALTER ROLE {named} CONNECTION LIMIT {_CONNECTIONS[role]}")
    for name, value in _LIMITS.items():
        _try(connection, f"ALTER ROLE {named} IN DATABASE {_database(connection)} SET {name} TO '{value}'")


def expel(connection: Connection, login: str) -> None:
    """Take every right from a login."""
    named, schemas = quoted(login), f"{SCHEMA}, {PUBLIC_SCHEMA}"
    for kind in ("TABLES", "FUNCTIONS"):
        connection.exec_driver_sql(f"REVOKE ALL ON ALL {kind} IN SCHEMA {schemas} FROM {named}")
    connection.exec_driver_sql(f"REVOKE ALL ON SCHEMA {schemas} FROM {named}")
    connection.exec_driver_sql(_FORGET, (login,))
    _try(connection, f"REVOKE CONNECT ON DATABASE {_database(connection)} FROM {named}")
    _try(connection, f"ALTER ROLE {named} IN DATABASE {_database(connection)} RESET ALL")


def set_aside(connection: Connection, old: str, make: Callable[[Connection], None]) -> None:
    """Give the tables that are there another schema, make others, and let the stations in to these only."""
    there = stations(connection)
    for station in there:
        expel(connection, station.login)
    connection.exec_driver_sql(f"ALTER SCHEMA {SCHEMA} RENAME TO {old}")
    connection.exec_driver_sql(f"DROP SCHEMA {OWNER_SCHEMA}, {PUBLIC_SCHEMA} CASCADE")
    make(connection)
    for station in there:
        let_in(connection, station.login, station.role)


def send_away(connection: Connection, login: str) -> bool:
    """End the sessions of a login that was expelled, and drop it if nothing else needs it; False: one goes on."""
    _try(connection, _END, (login,))
    connection.exec_driver_sql("SELECT pg_stat_clear_snapshot()")
    gone = not connection.exec_driver_sql(_HERE, (login,)).scalar_one()
    _try(connection, f"DROP ROLE {quoted(login)}")  # it may be in another tournament
    return gone


def _grants(login: str, role: Role) -> list[str]:
    common = [
        f"GRANT USAGE ON SCHEMA {PUBLIC_SCHEMA} TO {login}",
        f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {PUBLIC_SCHEMA} TO {login}",
    ]
    if role is Role.DISPLAY:
        return [*common, f"GRANT SELECT ON ALL TABLES IN SCHEMA {PUBLIC_SCHEMA} TO {login}"]
    read = ", ".join(f"{SCHEMA}.{name}" for name in ALL_TABLES if name != SECRETS.name)
    return [
        *common,
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO {login}",
        f"GRANT SELECT ON {read} TO {login}",
        f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {SCHEMA} TO {login}",
    ]


def _try(connection: Connection, statement: str, words: tuple[str, ...] = ()) -> None:
    """Do what not every owner of a database may."""
    with suppress(DBAPIError), connection.begin_nested():
        connection.exec_driver_sql(statement, words)


def _database(connection: Connection) -> str:
    return quoted(str(connection.exec_driver_sql("SELECT current_database()").scalar_one()))
