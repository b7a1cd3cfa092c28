"""Who may come in to a shared tournament: logins of the server, each with its role's grants.

Hides how a role is read from its grants, and that a password goes to the server as its hash only.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tdapp.domain.roles import RIGHTS, Role

_STATIONS = """SELECT r.rolname, has_table_privilege(r.oid, 'players', 'INSERT'),
has_table_privilege(r.oid, 'sheets', 'INSERT'), has_table_privilege(r.oid, 'results', 'INSERT'),
EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = current_database() AND a.usename = r.rolname
AND a.application_name = 'tdapp')
FROM pg_roles r JOIN pg_namespace n ON n.nspname = current_schema()
WHERE r.rolcanlogin AND NOT r.rolsuper AND r.oid <> n.nspowner AND has_schema_privilege(r.oid, n.oid, 'USAGE')
ORDER BY r.rolname"""
_LEAVE = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND usename = %s"""

_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1
_GROUP, _GROUPS = 4, 3  # of signs in a password


@dataclass(frozen=True, slots=True)
class Station:
    """A login that may take part in a role; `here`: somebody is connected with it now."""

    login: str
    role: Role
    here: bool

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.login


def new_password() -> str:
    """Return a password that can be read from paper: 59 bits in letters and digits that look like no others."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def likely_password(typed: str) -> str:
    """Return a password as `new_password` writes it where it was typed in capitals, or otherwise apart.

    What cannot be one of ours is returned as it is.
    """
    bare = "".join(sign for sign in typed.casefold() if sign.isalnum())
    if len(bare) != _GROUP * _GROUPS or not set(bare) <= set(_SIGNS):
        return typed
    return "-".join(bare[start : start + _GROUP] for start in range(0, len(bare), _GROUP))


def role_of(*, director: bool, jury: bool, entry: bool) -> Role:
    """Return the role of a login that may write players, score sheets, results."""
    given = ((director, Role.DIRECTOR), (jury, Role.JURY), (entry, Role.ENTRY), (True, Role.DISPLAY))
    return next(role for may, role in given if may)


def stations(connection: Connection) -> tuple[Station, ...]:
    """Return the logins that may take part besides the owner's, by name."""
    return tuple(
        Station(login, role_of(director=director, jury=jury, entry=entry), here)
        for login, director, jury, entry, here in connection.exec_driver_sql(_STATIONS)
    )


def admit(connection: Connection, login: str, role: Role, password: str, *, schema: str) -> bool:
    """Give a login its role's grants and no others; True: it was made, with `password`."""
    known = connection.exec_driver_sql("SELECT FROM pg_roles WHERE rolname = %s", (login,)).first()
    if known is None:
        connection.exec_driver_sql(f"CREATE ROLE {_quoted(connection, login)} LOGIN")
        renew(connection, login, password)
    for statement in grants(_quoted(connection, login), role, schema=schema):
        connection.exec_driver_sql(statement)
    return known is None


def renew(connection: Connection, login: str, password: str) -> None:
    """Give a login another password: as its hash, so that no log of the server has it."""
    driver = connection.connection.dbapi_connection
    pgconn = driver.pgconn  # type: ignore[union-attr]
    sealed = pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode("ascii")
    connection.exec_driver_sql(f"ALTER ROLE {_quoted(connection, login)} PASSWORD '{sealed}'")


def dismiss(connection: Connection, login: str, *, schema: str) -> None:
    """Take all grants from a login, send away who is connected with it, and drop it if nothing else needs it."""
    quoted = _quoted(connection, login)
    connection.exec_driver_sql(f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {quoted}")
    connection.exec_driver_sql(f"REVOKE ALL ON SCHEMA {schema} FROM {quoted}")
    for statement, words in ((_LEAVE, (login,)), (f"DROP ROLE {quoted}", ())):
        with suppress(DBAPIError), connection.begin_nested():  # another tournament's, or not ours to end
            connection.exec_driver_sql(statement, words)


def move(connection: Connection, login: str, role: Role, *, old: str, new: str) -> None:
    """Give a login in one schema what it had in another, and nothing there any more."""
    quoted = _quoted(connection, login)
    connection.exec_driver_sql(f"REVOKE ALL ON ALL TABLES IN SCHEMA {old} FROM {quoted}")
    for statement in grants(quoted, role, schema=new):
        connection.exec_driver_sql(statement)


def grants(login: str, role: Role, *, schema: str) -> list[str]:
    """Return the statements that give a login, quoted already, what its role may write, and nothing else."""
    tables = f"ON ALL TABLES IN SCHEMA {schema}"
    taken = [f"REVOKE ALL {tables} FROM {login}", f"GRANT USAGE ON SCHEMA {schema} TO {login}"]
    if role not in RIGHTS:
        return [*taken, f"GRANT SELECT, INSERT, UPDATE, DELETE {tables} TO {login}"]
    rights, given = RIGHTS[role], [f"GRANT SELECT {tables} TO {login}"]
    given += [f"GRANT INSERT, UPDATE, DELETE ON {kind} TO {login}" for kind in sorted(rights.rows)]
    for kind, columns in sorted(rights.changes.items()):
        given.append(f"GRANT UPDATE ({', '.join(sorted(columns))}) ON {kind} TO {login}")
    if rights.rows:
        given += [
            f"GRANT INSERT ON journal TO {login}",
            f"GRANT UPDATE (revision, head, state) ON meta TO {login}",
        ]
    return [*taken, *given]


def _quoted(connection: Connection, login: str) -> str:
    return connection.dialect.identifier_preparer.quote_identifier(login)
