"""Our own servers on this computer, and the way in to a tournament on any server.

Hides where our own servers are kept, how their programs are found, and that one which has stopped is started.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.storage import Address
from tdapp.storage.cluster import Cluster, Programs
from tdapp.storage.passwords import likely_password

T = TypeVar("T")


class OwnServers:
    """The servers that this computer has made for tournaments shared from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.find_programs: Callable[[], Programs] = Programs.find
        self._programs: Programs | None = None  # once they were found

    def own(self, address: Address) -> Cluster | None:
        """Return the server of our own that an address is on; None for another's, and without its programs."""
        with suppress(StorageError):
            return self.cluster_at(address)
        return None

    def beside(self, address: Address) -> Path:
        """Return beside which file, that there is not, this computer keeps snapshots of a shared tournament."""
        return self.folder / f"{address.stem}.tdapp"

    def cluster_at(self, address: Address) -> Cluster | None:
        """Return the server of our own that an address is on; None for another's. Raise StorageError."""
        folder = address.parts.folder
        if not folder or Path(folder).parent != self.folder or not Cluster.is_at(Path(folder)):
            return None
        return Cluster(Path(folder), self._found_programs())

    def revive(self, address: Address) -> Address:
        """Start a server of our own that has stopped, and return its address as it is now. Raise StorageError.

        Nothing happens with another's.
        """
        cluster = self.cluster_at(address)
        if cluster is None:
            return address
        if not cluster.is_running:
            cluster.start()
        return cluster.address(address.parts.database)

    def desk_at(self, address: Address) -> Desk:
        """Open a tournament on a server; one of our own is started where it does not run. Raise StorageError."""
        return with_password(Desk.open, self.revive(address))

    def _found_programs(self) -> Programs:
        self._programs = self._programs or self.find_programs()
        return self._programs


def with_password(call: Callable[[Address], T], address: Address) -> T:
    """Return `call` of an address; a password that is refused is tried once more as our cards write it."""
    try:
        return call(address)
    except StorageError as error:
        typed = address.parts.password
        likely = likely_password(typed)
        if error.code != "server-password" or likely == typed:
            raise
    return call(address.changed(password=likely))
