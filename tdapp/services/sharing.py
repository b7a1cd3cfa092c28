"""Move a tournament to a server and back: a server on this computer or an existing one.

Creates the default logins of a shared tournament. Passwords are known only to the window that made them. They are
not stored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from msgspec import Struct

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.open_tournament import Failed, OpenTournament
from tdapp.services.servers import OwnServers
from tdapp.services.worker import ignore
from tdapp.storage import Address, Snapshots, Store, relocation
from tdapp.storage.address import make_password
from tdapp.storage.cluster import Cluster, ClusterNotes, ListenAddress

if TYPE_CHECKING:
    from tdapp.storage.logins import Station

FIRST_STATIONS: Mapping[str, Role] = {
    "entry": Role.ENTRY,
    "jury": Role.JURY,
    "display": Role.DISPLAY,
    "deputy": Role.DIRECTOR,
}
_LONGEST = 40  # maximum length of a database name


class Shared(Struct, frozen=True):
    """A tournament on its server, with the passwords of new logins."""

    desk: Desk
    passwords: Mapping[str, str]


class BroughtBack(Struct, frozen=True):
    """A tournament moved back to `file`, and the remaining copies (empty or None if there are none).

    `server` is an address, or the folder of our own server. `error` says why it could not be deleted.
    """

    file: Path
    server: str
    error: StorageError | None
    snapshots: Path | None


class SharingService:
    """Move an open tournament to a server and back."""

    def __init__(self, tournament: OpenTournament) -> None:
        self._open = tournament
        self._passwords: dict[str, str] = {}  # passwords by address

    # --- state

    def cluster(self) -> Cluster | None:
        """Return our own server that holds the open tournament, or None."""
        address = self._open.address
        return self._open.servers.own(address) if address is not None else None

    def owns(self) -> bool:
        """Return whether this station started the sharing, and so may end it."""
        opened = self._open
        return opened.address is not None and opened.desk.station == Role.DIRECTOR.value

    def way_in(self, login: str) -> str:
        """Return the address for the station of a login, without its password."""
        address, cluster = self._open.address, self.cluster()
        if cluster is not None:
            return str(cluster.make_network_address(login))
        return address.make_login_address(login) if address is not None else ""

    def password(self, login: str) -> str:
        """Return the password of a login if known, else ""."""
        return self._passwords.get(self.way_in(login), "")

    # --- share and move back

    def share_here(self, listening: ListenAddress, *, then: Callable[[], None], failed: Failed) -> None:
        """Share from this computer, at the address and port of `listening`."""
        self._open.ask(
            partial(self._shared_here, listening), then=partial(self._attach_shared, then), failed=failed
        )

    def share_there(self, address: Address, *, then: Callable[[], None], failed: Failed) -> None:
        """Share on a server. The database of `address` is created if it does not exist."""
        self._open.ask(
            partial(self._shared_there, address), then=partial(self._attach_shared, then), failed=failed
        )

    def stop(self, target: Path, then: Callable[[BroughtBack], None] = ignore) -> None:
        """Move the tournament back to a file, end the sharing and open the file. `then` gets the result."""
        opened, address = self._open, self._open.address
        if address is None:
            return
        opened.attach(None)
        call = partial(bring_back, opened.servers, address, target)
        opened.ask(call, then=partial(self._stopped, target, then), failed=partial(self._not_stopped, address))

    def go_on_here(self) -> None:
        """Make the open file writable again, and leave the copy on the server."""
        opened, path = self._open, self._open.path
        if path is not None:
            call = partial(opened.desk.store.mark_as_moved, "")
            opened.ask(call, then=lambda _none: opened.open_file(path))

    def start_again(self, address: Address, listening: ListenAddress, *, failed: Failed) -> None:
        """Restart our own server at another address or port, and open its tournament."""
        cluster = self._open.servers.cluster_at(address)
        if cluster is not None:
            self._open.open(partial(_restart_server, cluster, address, listening), failed=failed)

    def proposed_database(self) -> str:
        plain = unicodedata.normalize("NFKD", self._open.tournament.event.name).encode("ascii", "ignore").decode()
        return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")[:_LONGEST] or "tournament"

    def propose_file(self, then: Callable[[Path], None]) -> None:
        """Propose a file for the move back: the original file, if known."""
        other = Path(self._open.recent.folder()) / f"{self.proposed_database()}.tdapp"
        self._open.ask(
            self._open.desk.store.server.read_origin, then=lambda found: then(Path(found) if found else other)
        )

    # --- stations

    def stations(self, then: Callable[[tuple[Station, ...]], None]) -> None:
        """Get the stations and whether they are connected."""
        store = self._open.desk.store
        self._open.ask(store.server.list_stations, then=then)

    def admit(self, login: str, role: Role, *, then: Callable[[], None], failed: Failed) -> None:
        """Add a station."""
        password = make_password()
        call = partial(self._open.desk.store.server.admit_login, login, role, password)
        self._open.ask(call, then=partial(self._admitted, login, password, then), failed=failed)

    def renew(self, login: str, *, then: Callable[[], None], failed: Failed) -> None:
        """Give a station a new password. Existing connections stay open."""
        password = make_password()
        call = partial(self._open.desk.store.server.change_password, login, password)
        self._open.ask(call, then=lambda _none: self._admitted(login, password, then, made=True), failed=failed)

    def dismiss(self, login: str, *, then: Callable[[], None], failed: Failed) -> None:
        """Remove a station."""
        self._open.ask(
            partial(self._open.desk.store.server.dismiss_login, login), then=lambda _none: then(), failed=failed
        )

    def _admitted(self, login: str, password: str, then: Callable[[], None], made: bool) -> None:
        if made:
            self._passwords[self.way_in(login)] = password
        then()

    # --- on the desk's thread

    def _shared_here(self, listening: ListenAddress) -> Shared:
        from tdapp.storage import databases  # noqa: PLC0415 - a window opens without what servers need

        servers, store = self._open.servers, self._open.desk.store
        programs = servers.find_programs()
        cluster = Cluster(servers.folder / uuid4().hex[:8], programs)
        programs.refuse_root()
        listening.refuse_unusable()
        database = self.proposed_database()
        cluster.create(ClusterNotes(listening, database))
        try:
            cluster.start()
            databases.restrict_postgres_database(cluster.make_socket_address())
            databases.create_database(cluster.make_socket_address(database))
            return _copy_to_server(cluster.make_socket_address(database), store, FIRST_STATIONS)
        except BaseException:
            with suppress(StorageError):
                cluster.stop()
            cluster.remove()
            _take_back(store)
            raise

    def _shared_there(self, address: Address) -> Shared:
        from tdapp.storage import databases  # noqa: PLC0415 - as above

        databases.create_database(address)
        database = address.parts.database
        named = {f"{database}_{name}": role for name, role in FIRST_STATIONS.items()}  # logins are a server's
        store = self._open.desk.store
        try:
            return _copy_to_server(address, store, named)
        except BaseException:
            if store.elsewhere is not None:
                with suppress(StorageError):  # else it may be there
                    databases.delete_tournament(address)
                    _take_back(store)
            raise

    # --- on the window's thread

    def _attach_shared(self, then: Callable[[], None], shared: Shared) -> None:
        self._open.attach(shared.desk)
        self._passwords.update({self.way_in(login): password for login, password in shared.passwords.items()})
        then()

    def _stopped(self, target: Path, then: Callable[[BroughtBack], None], left: BroughtBack) -> None:
        self._open.open_file(target)
        self._open.afterwards(partial(then, left))

    def _not_stopped(self, address: Address, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._open.open_location(address)
        self._open.afterwards(partial(self._open.refuse, error))  # opening clears the message


def _copy_to_server(address: Address, store: Store, stations: Mapping[str, Role]) -> Shared:
    relocation.share_tournament(store, address)
    desk, made = Desk.open(address), {}
    for login, role in stations.items():
        password = make_password()
        try:
            if desk.store.server.admit_login(login, role, password):
                made[login] = password
        except StorageError as error:
            if error.code != "no-permission":
                desk.close()
                raise
    return Shared(desk, made)


def _take_back(store: Store) -> None:
    if store.elsewhere is not None:
        store.mark_as_moved("")


def bring_back(servers: OwnServers, address: Address, target: Path) -> BroughtBack:
    """Move a shared tournament back to a file and end the sharing. Raises as `return_tournament`.

    An interrupted move can be repeated. Copies that are no longer needed are deleted if permitted.
    """
    from tdapp.storage import databases  # noqa: PLC0415 - as above

    cluster = servers.cluster_at(address)
    folder = Snapshots.from_tournament(servers.beside(address)).folder
    snapshots = folder if folder.is_dir() else None
    if cluster is not None:
        _bring_home(cluster, target)
        return BroughtBack(target, str(cluster.folder) if cluster.folder.exists() else "", None, snapshots)
    with closing(Store.open(address)) as store:
        store.server.announce_end()
        relocation.return_tournament(store, target)
    try:
        databases.delete_tournament(address)
    except StorageError as error:
        return BroughtBack(target, str(address), error, snapshots)
    return BroughtBack(target, "", None, snapshots)


def left_sentences(left: BroughtBack, catalogue: Catalogue) -> Iterator[str]:
    """Yield sentences about the file, the remaining copies and how to delete them."""
    yield catalogue.text("Sharing has ended: everything is in {file}.", file=left.file)
    if left.error is not None:
        why, name = catalogue.error(left.error), Address(left.server).stem
        yield catalogue.text(
            "The shared tournament is still at {address}, but nobody can change it. The owner of that server "
            'can delete it: DROP DATABASE "{name}" WITH (FORCE). {why}', address=left.server, name=name, why=why,
        )  # fmt: skip
    elif left.server:
        yield catalogue.text("The server could not be deleted. Delete this folder: {folder}", folder=left.server)
    if left.snapshots is not None:
        yield catalogue.text(
            "Snapshots taken during sharing are in {folder}. Delete that folder when you no longer need them.",
            folder=left.snapshots,
        )


def _bring_home(cluster: Cluster, target: Path) -> None:
    address = cluster.make_socket_address(cluster.notes.database)
    with suppress(StorageError):  # no station is connected to a stopped server
        _announce_end(address)
    cluster.stop()
    cluster.start(alone=True)
    try:
        with closing(Store.open(address)) as store:
            relocation.return_tournament(store, target)
    finally:
        cluster.stop()
    cluster.remove()


def _announce_end(address: Address) -> None:
    with closing(Store.open(address, read_only=True)) as store:
        store.server.announce_end()


def fetch_file(address: Address, target: Path) -> None:
    """Copy a shared tournament to a file. Raises the errors of `moving.fetch`."""
    with closing(Store.open(address, read_only=True)) as store:
        relocation.fetch_tournament(store, target)


def _restart_server(cluster: Cluster, address: Address, listening: ListenAddress) -> Desk:
    notes = cluster.notes
    cluster.stop()
    listening.refuse_unusable()
    cluster.write_notes(ClusterNotes(listening, notes.database))
    cluster.start()
    return Desk.open(cluster.make_socket_address(address.parts.database))
