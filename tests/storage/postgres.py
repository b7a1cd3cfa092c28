"""A real PostgreSQL for tests: a temporary cluster of their own, started once and thrown away afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tdapp.storage import Address

OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Cluster:
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
            found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def database(self) -> Address:
        """Make an empty database."""
        name = f"event{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.address(name)

    def kill(self, database: str) -> int:
        """Cut every station's connection to `database`, and return how many there were."""
        here = f"WHERE datname = '{database}'"
        return len(self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity {here}"))  # noqa: S608


def clear(address: Address) -> None:
    """Empty a database."""
    import psycopg  # noqa: PLC0415

    with psycopg.connect(address.secret, autocommit=True) as connection:
        connection.execute("SET client_min_messages TO warning; DROP SCHEMA IF EXISTS tdapp CASCADE")


def program(name: str) -> str | None:
    """Find a program of PostgreSQL: on the path, or where Debian puts it."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or next(map(str, places), None)


def _call(*command: str) -> None:
    """Run as a user that PostgreSQL allows: it refuses root."""
    change = ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups") if os.geteuid() == 0 else ()
    with Path(os.devnull).open("w") as nowhere:
        subprocess.run([*change, *command], check=True, stdout=nowhere, cwd="/")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
    initdb, pg_ctl = program("initdb"), program("pg_ctl")
    if os.name != "posix" or initdb is None or pg_ctl is None:
        pytest.skip("no PostgreSQL on this machine (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="tdapp-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data, port = folder / "data", _free_port()
    options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60"
    try:
        auth = ("--auth-local=trust", "--auth-host=scram-sha-256")
        _call(initdb, "-D", str(data), "-U", OWNER, "-E", "UTF8", "--locale=C", "--no-sync", *auth)
        _call(pg_ctl, "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        yield Cluster(folder, port, count(1))
        _call(pg_ctl, "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def database(cluster: Cluster) -> Address:
    return cluster.database()
