"""A real PostgreSQL for tests: a temporary cluster of their own, started once and thrown away afterwards."""

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


def at_end(config: pytest.Config) -> ExitStack:
    """Return what is left when all tests have run: outside the time of any of them."""
    return config.stash.setdefault(_AT_END, ExitStack())


class Cluster(Struct, frozen=True):
    """A running server: `owner` comes in by the socket as he is, all others by TCP with their passwords."""

    folder: Path
    port: int
    numbers: Iterator[int]

    def address(self, database: str, user: str = OWNER, password: str = "") -> Address:
        if user == OWNER:
            return Address.parse(f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}")
        return Address.parse(f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}")

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        import psycopg  # noqa: PLC0415 - only where there is a server

        with psycopg.connect(self.address(database).secret, autocommit=True) as connection:
            result = connection.execute(statement)
            return result.fetchall() if result.description else []

    def database(self) -> Address:
        """Make an empty database."""
        name = f"event{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.address(name)

    def kill(self, database: str) -> int:
        """Cut every station's connection to `database`, and return how many there were."""
        condition = f"WHERE datname = '{database}'"
        return len(self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity {condition}"))  # noqa: S608


def clear(address: Address) -> None:
    """Empty a database."""
    import psycopg  # noqa: PLC0415

    with psycopg.connect(address.secret, autocommit=True) as connection:
        schemas = "tdapp, tdapp_owner, tdapp_public"
        connection.execute(f"SET client_min_messages TO warning; DROP SCHEMA IF EXISTS {schemas} CASCADE")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def programs() -> PostgresPrograms:
    """Return the programs, run as a user that PostgreSQL allows: it refuses root."""
    try:
        installed_programs = PostgresPrograms.find_installed()
    except StorageError:
        pytest.skip("no PostgreSQL on this machine (Debian: apt-get install postgresql)")
    if os.name == "posix" and os.geteuid() == 0:
        return replace(installed_programs, user="postgres")
    return installed_programs


def short_folder() -> Path:
    """Make a folder whose name is short enough for a socket, and which that user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="tdapp-pg-", dir="/tmp"))
    folder.chmod(0o755)
    return folder


@contextmanager
def running() -> Iterator[hosted.Cluster]:
    """Run a cluster that listens to this computer alone, and does not wait for the disk."""
    folder = short_folder()
    cluster = hosted.Cluster(folder / "c", programs())
    try:
        cluster.create(ClusterSettings(ListenAddress("127.0.0.1", "127.0.0.1/32", free_port()), "event"))
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
    cluster = at_end(pytestconfig).enter_context(running())
    return Cluster(cluster.folder, cluster.settings.listening.port, count(1))


@pytest.fixture
def database(cluster: Cluster) -> Iterator[Address]:
    database = cluster.database()
    yield database
    cluster.run(f"DROP DATABASE IF EXISTS {database.stem} WITH (FORCE)")  # else the folder grows by 8 MB for each
