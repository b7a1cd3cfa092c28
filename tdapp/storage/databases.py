"""Lists, creates and deletes the tournament databases of a server."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Select, func, select

from tdapp.domain.errors import StorageError
from tdapp.storage.address import Address
from tdapp.storage.catalog import DATABASES, OURS, make_comment_statement
from tdapp.storage.server import MARK, MARK_HERE, Server
from tdapp.storage.statements import quote_name, read_columns

_FIRST = "postgres"
_ALL = (
    select(DATABASES.c.datname)
    .where(
        DATABASES.c.datallowconn,
        ~DATABASES.c.datistemplate,
        func.has_database_privilege(DATABASES.c.oid, "CONNECT"),
    )
    .order_by(DATABASES.c.datname)
)
_COMMENT = func.shobj_description(DATABASES.c.oid, "pg_database")


class ListedTournament(Struct, frozen=True):
    """The address and name of a tournament on a server."""

    address: Address
    name: str


def list_tournaments(address: Address, *, patience: float = 5.0) -> tuple[ListedTournament, ...]:
    """Return the tournaments of a server. `patience` is the time limit in seconds. Raises StorageError."""
    first = Server(address.replace_parts(database=_FIRST), patience=patience)
    with closing(first), first.convert_errors():
        names = first.read(lambda connection: connection.execute(_ALL).scalars().all())
    found = ((name, _read_tournament_name(address.replace_parts(database=name), patience)) for name in names)
    return tuple(
        ListedTournament(address.replace_parts(database=name), called)
        for name, called in found
        if called is not None
    )


def create_database(address: Address) -> bool:
    first = Server(address.replace_parts(database=_FIRST))
    name = address.parts.database
    named = quote_name(name)
    with closing(first), first.convert_errors():
        known = first.read(
            lambda connection: connection.execute(_make_database_query(DATABASES.c.oid, name)).first()
        )
        if known is None:
            first.run_outside_transaction(f"CREATE DATABASE {named} ENCODING 'UTF8' TEMPLATE template0")
            first.run_outside_transaction(make_comment_statement(f"DATABASE {named}", OURS))
    return known is None


def delete_tournament(address: Address) -> tuple[StorageError, ...]:
    """Delete the tournament and its logins. A database that this program created is deleted too.

    Return an error for each login that could not be deleted. Such a login has no rights.
    """
    remaining = []
    with closing(Server(address)) as server:
        for station in server.list_stations():
            try:
                server.remove_login(station.login)
            except StorageError as error:
                remaining.append(error)
        server.delete_tournament()
    first, name = Server(address.replace_parts(database=_FIRST)), address.parts.database
    named = quote_name(name)
    with closing(first), first.convert_errors():
        if first.read(lambda here: here.execute(_make_database_query(_COMMENT, name)).scalar()) == OURS:
            first.run_outside_transaction(f"DROP DATABASE {named} WITH (FORCE)")
    return tuple(remaining)


def restrict_default_databases(address: Address) -> None:
    """Revoke rights that every login has by default: to connect to `template1`, and most rights in `postgres`.

    Rights that only a superuser can revoke are skipped. Listing tournaments stays possible. Raises StorageError.
    """
    with closing(Server(address.replace_parts(database=_FIRST))) as first:
        first.restrict_default_databases()


def _make_database_query(column: ColumnElement[Any], database: str) -> Select[Any]:
    return select(column).where(DATABASES.c.datname == database)


def _read_tournament_name(address: Address, patience: float) -> str | None:
    try:
        server = Server(address, patience=patience)
        with closing(server), server.convert_errors(otherwise="file-damaged"):
            mark = server.read(lambda connection: connection.execute(select(MARK_HERE)).scalar())
            if mark is None or not mark.startswith(MARK):
                return None
            return str(server.read(lambda connection: read_columns(connection, "events", ("name",)).scalar()))
    except StorageError:
        return None
