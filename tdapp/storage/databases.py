"""Lists, creates and deletes the tournament databases of a server."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Select, func, select

from tdapp.domain.errors import StorageError
from tdapp.storage.address import Address
from tdapp.storage.catalog import CREATOR_COMMENT, DATABASES, make_comment_statement
from tdapp.storage.server import COMMENT_PREFIX, SCHEMA_COMMENT, ServerStorage
from tdapp.storage.statements import quote_sql_name, read_columns

_DEFAULT_DATABASE = "postgres"
_DATABASE_NAMES = (
    select(DATABASES.c.datname)
    .where(
        DATABASES.c.datallowconn,
        ~DATABASES.c.datistemplate,
        func.has_database_privilege(DATABASES.c.oid, "CONNECT"),
    )
    .order_by(DATABASES.c.datname)
)
_DATABASE_COMMENT = func.shobj_description(DATABASES.c.oid, "pg_database")


class ServerTournament(Struct, frozen=True):
    """The address and name of a tournament."""

    address: Address
    name: str


def list_tournaments(address: Address, *, timeout: float = 5.0) -> tuple[ServerTournament, ...]:
    """Return the tournaments of a server. `timeout` is the time limit in seconds. Raises StorageError."""
    default_server = ServerStorage(address.replace_parts(database=_DEFAULT_DATABASE), timeout=timeout)
    with closing(default_server), default_server.convert_to_storage_errors():
        names = default_server.run_read_transaction(
            lambda connection: connection.execute(_DATABASE_NAMES).scalars().all()
        )
    tournaments = ((name, _read_tournament_name(address.replace_parts(database=name), timeout)) for name in names)
    return tuple(
        ServerTournament(address.replace_parts(database=name), tournament_name)
        for name, tournament_name in tournaments
        if tournament_name is not None
    )


def create_database(address: Address) -> bool:
    default_server = ServerStorage(address.replace_parts(database=_DEFAULT_DATABASE))
    name = address.parts.database
    quoted_name = quote_sql_name(name)
    with closing(default_server), default_server.convert_to_storage_errors():
        database_id = default_server.run_read_transaction(
            lambda connection: connection.execute(_make_database_query(DATABASES.c.oid, name)).first()
        )
        if database_id is None:
            default_server.run_outside_transaction(
                f"CREATE DATABASE {quoted_name} ENCODING 'UTF8' TEMPLATE template0"
            )
            default_server.run_outside_transaction(
                make_comment_statement(f"DATABASE {quoted_name}", CREATOR_COMMENT)
            )
    return database_id is None


def delete_tournament_and_logins(address: Address) -> tuple[StorageError, ...]:
    """Delete the tournament and its logins. A database that this program created is deleted too.

    Return an error for each login that could not be deleted. Such a login has lost its rights.
    """
    errors = []
    with closing(ServerStorage(address)) as server:
        for station in server.list_stations():
            try:
                server.remove_login(station.login)
            except StorageError as error:
                errors.append(error)
        server.drop_tournament_schemas()
    default_server, name = ServerStorage(address.replace_parts(database=_DEFAULT_DATABASE)), address.parts.database
    quoted_name = quote_sql_name(name)
    with closing(default_server), default_server.convert_to_storage_errors():
        query = _make_database_query(_DATABASE_COMMENT, name)
        comment = default_server.run_read_transaction(lambda connection: connection.execute(query).scalar())
        if comment == CREATOR_COMMENT:
            default_server.run_outside_transaction(f"DROP DATABASE {quoted_name} WITH (FORCE)")
    return tuple(errors)


def revoke_rights_in_default_databases(address: Address) -> None:
    """Revoke the right of all logins to connect to `template1`, and most of their rights in `postgres`.

    Skip rights that only a superuser can revoke. Listing tournaments stays possible. Raises StorageError.
    """
    with closing(ServerStorage(address.replace_parts(database=_DEFAULT_DATABASE))) as server:
        server.revoke_rights_in_default_databases()


def _make_database_query(column: ColumnElement[Any], database: str) -> Select[Any]:
    return select(column).where(DATABASES.c.datname == database)


def _read_tournament_name(address: Address, timeout: float) -> str | None:
    try:
        server = ServerStorage(address, timeout=timeout)
        with closing(server), server.convert_to_storage_errors(default_code="file-damaged"):
            comment = server.run_read_transaction(
                lambda connection: connection.execute(select(SCHEMA_COMMENT)).scalar()
            )
            if comment is None or not comment.startswith(COMMENT_PREFIX):
                return None
            return str(
                server.run_read_transaction(
                    lambda connection: read_columns(connection, "events", ("name",)).scalar()
                )
            )
    except StorageError:
        return None
