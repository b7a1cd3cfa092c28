"""Database servers that this program runs on this computer ("our own"), and connections to any server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.storage import Address
from tdapp.storage.address import normalise_typed_password
from tdapp.storage.cluster import Cluster, PostgresPrograms

T = TypeVar("T")


class OwnDatabaseServers:
    """The database servers that this computer runs for shared tournaments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.find_programs: Callable[[], PostgresPrograms] = PostgresPrograms.find_installed_programs
        self._programs: PostgresPrograms | None = None  # cached

    def find_own_server(self, address: Address) -> Cluster | None:
        """Return our own server at an address.

        Return None for another server or if the server programs are missing.
        """
        with suppress(StorageError):
            return self.find_own_server_and_its_programs(address)
        return None

    def make_path_for_naming_snapshot_folder(self, address: Address) -> Path:
        """Return a path for `SnapshotFolder.from_tournament`. No file needs to exist at this path.

        For the database "spring", the path ends in "spring.tdapp". The snapshot folder is "spring snapshots".
        """
        return self.folder / f"{address.stem}.tdapp"

    def find_own_server_and_its_programs(self, address: Address) -> Cluster | None:
        """Return our own server at an address, None for another server.

        Raises StorageError if the server programs are missing.
        """
        folder = address.parts.folder
        if not folder or Path(folder).parent != self.folder or not Cluster.is_cluster_folder(Path(folder)):
            return None
        return Cluster(Path(folder), self._find_programs())

    def restart_own_server_if_stopped(self, address: Address) -> Address:
        """Restart our own server if it has stopped. Return its current address. Raises StorageError.

        For another server return the address unchanged.
        """
        cluster = self.find_own_server_and_its_programs(address)
        if cluster is None:
            return address
        if not cluster.is_running:
            cluster.start()
        return cluster.make_socket_address(address.parts.database)

    def open_shared_tournament(self, address: Address) -> Desk:
        """Open a tournament. If it is on our own server, start that server if necessary. Raises StorageError."""
        return call_and_retry_with_normalised_password(Desk.open, self.restart_own_server_if_stopped(address))

    def _find_programs(self) -> PostgresPrograms:
        self._programs = self._programs or self.find_programs()
        return self._programs


def call_and_retry_with_normalised_password(call: Callable[[Address], T], address: Address) -> T:
    """Return the value of `call(address)`.

    If the server refuses the password, call again with the password as printed on login cards, such as
    "abcd-efgh-jkmn".
    """
    try:
        return call(address)
    except StorageError as error:
        password = address.parts.password
        normalised_password = normalise_typed_password(password)
        if error.code != "server-password" or normalised_password == password:
            raise
    return call(address.replace_parts(password=normalised_password))
