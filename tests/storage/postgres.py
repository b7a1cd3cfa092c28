"""A real PostgreSQL server for tests: a temporary cluster that starts once and is deleted at the end."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import StorageError
from tdapp.storage import Address
from tdapp.storage import cluster as hosted
from tdapp.storage.cluster import OWNER, ClusterSettings, ListenAddress, PostgresPrograms

_AT_END = pytest.StashKey[ExitStack]()


def get_final_cleanup(config: pytest.Config) -> ExitStack:
    """Return the stack that closes shared servers after the last test."""
    return config.stash.setdefault(_AT_END, ExitStack())


class Cluster(Struct, frozen=True):
    """A running server. `owner` connects by the socket without a password, other logins by TCP with a password."""

    folder: Path
    port: int
    numbers: Iterator[int]

    def make_address(self, database: str, user: str = OWNER, password: str = "") -> Address:
        if user == OWNER:
            return Address.parse(f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}")
        return Address.parse(f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}")

    def run_statement(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        import psycopg  # noqa: PLC0415 - not installed everywhere

        with psycopg.connect(self.make_address(database).secret, autocommit=True) as connection:
            result = connection.execute(statement)
            return result.fetchall() if result.description else []

    def make_database(self) -> Address:
        """Make an empty database."""
        name = f"event{next(self.numbers)}"
        self.run_statement(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.make_address(name)

    def cut_connections(self, database: str) -> int:
        """Cut all connections to `database`, and return their number."""
        condition = f"WHERE datname = '{database}'"
        return len(self.run_statement(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity {condition}"))  # noqa: S608


def clear_database(address: Address) -> None:
    """Empty a database."""
    import psycopg  # noqa: PLC0415

    with psycopg.connect(address.secret, autocommit=True) as connection:
        schemas = "tdapp, tdapp_owner, tdapp_public"
        connection.execute(f"SET client_min_messages TO warning; DROP SCHEMA IF EXISTS {schemas} CASCADE")


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def find_programs() -> PostgresPrograms:
    """Return the installed PostgreSQL programs. As root, run them as another user: PostgreSQL refuses root."""
    try:
        installed_programs = PostgresPrograms.find_installed_programs()
    except StorageError:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    if os.name == "posix" and os.geteuid() == 0:
        return replace(installed_programs, user="postgres")
    return installed_programs


def make_short_folder() -> Path:
    """Make a folder with a short path for a socket. The user of PostgreSQL may enter it."""
    folder = Path(tempfile.mkdtemp(prefix="tdapp-pg-", dir="/tmp"))
    folder.chmod(0o755)
    return folder


@contextmanager
def run_cluster() -> Iterator[hosted.Cluster]:
    """Run a cluster that listens on this computer only and does not wait for the disk."""
    folder = make_short_folder()
    cluster = hosted.Cluster(folder / "c", find_programs())
    try:
        cluster.create(ClusterSettings(ListenAddress("127.0.0.1", "127.0.0.1/32", find_free_port()), "event"))
        with (folder / "c" / "data" / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = off\n" for name in ("fsync", "synchronous_commit", "full_page_writes"))
        cluster.start()
        yield cluster
        cluster.stop()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def cluster(pytestconfig: pytest.Config) -> Cluster:
    pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
    cluster = get_final_cleanup(pytestconfig).enter_context(run_cluster())
    return Cluster(cluster.folder, cluster.cluster_settings.listening.port, count(1))


@pytest.fixture
def database(cluster: Cluster) -> Iterator[Address]:
    database = cluster.make_database()
    yield database
    cluster.run_statement(f"DROP DATABASE IF EXISTS {database.stem} WITH (FORCE)")  # each database needs 8 MB
