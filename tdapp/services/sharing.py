"""Move a tournament to a database server and back: our own server on this computer, or an existing one.

Passwords are never stored. Only the window that created a password can show it.
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
from tdapp.services.open_tournament import ErrorHandler, OpenTournament
from tdapp.services.servers import OwnDatabaseServers
from tdapp.services.worker import ignore_values
from tdapp.storage import Address, SnapshotFolder, Store, relocation
from tdapp.storage.address import make_password
from tdapp.storage.cluster import Cluster, ClusterSettings, ListenAddress

if TYPE_CHECKING:
    from tdapp.storage.logins import StationLogin

FIRST_STATIONS: Mapping[str, Role] = {
    "entry": Role.ENTRY,
    "jury": Role.JURY,
    "display": Role.DISPLAY,
    "deputy": Role.DIRECTOR,
}
_MAX_NAME_LENGTH = 40  # maximum length of a database name


class NewlySharedTournament(Struct, frozen=True):
    """A tournament just moved to a server."""

    desk: Desk
    passwords: Mapping[str, str]  # of the new logins, by login


class EndedSharingReport(Struct, frozen=True):
    """Result of moving a tournament from a server to a file."""

    file: Path
    server: str  # address or folder of the copy that remains on the server, "" if it was deleted
    error: StorageError | None  # the reason why the copy on the server was not deleted
    snapshots: Path | None
    logins: tuple[StorageError, ...] = ()  # an error for each login not deleted


class SharingService:
    """Moves an open tournament to a server and back."""

    def __init__(self, tournament: OpenTournament) -> None:
        self._open = tournament
        self._passwords: dict[str, str] = {}  # passwords by address

    # --- state

    def find_own_server(self) -> Cluster | None:
        address = self._open.address
        return self._open.servers.find_own_server(address) if address is not None else None

    def can_end_sharing(self) -> bool:
        """Return whether this computer started the sharing and so can end it."""
        tournament = self._open
        return tournament.address is not None and tournament.desk.station == Role.DIRECTOR.value

    def get_station_address(self, login: str) -> str:
        address, cluster = self._open.address, self.find_own_server()
        if cluster is not None:
            return str(cluster.make_network_address(login))
        return address.format_with_login(login) if address is not None else ""

    def get_password_if_known(self, login: str) -> str:
        return self._passwords.get(self.get_station_address(login), "")

    # --- share and move back

    def share_tournament_on_own_server(
        self, listening: ListenAddress, *, on_success: Callable[[], None], on_error: ErrorHandler
    ) -> None:
        self._open.run_on_desk_thread(
            partial(self._share_on_own_server, listening),
            on_success=partial(self._open_newly_shared_tournament, on_success),
            on_error=on_error,
        )

    def share_on_server(self, address: Address, *, on_success: Callable[[], None], on_error: ErrorHandler) -> None:
        """Share the tournament. Create the database of `address` if it does not exist."""
        self._open.run_on_desk_thread(
            partial(self._share_on_server, address),
            on_success=partial(self._open_newly_shared_tournament, on_success),
            on_error=on_error,
        )

    def end_sharing(self, target: Path, on_success: Callable[[EndedSharingReport], None] = ignore_values) -> None:
        tournament, address = self._open, self._open.address
        if address is None:
            return
        tournament.open_tournament_of_desk(None)
        call = partial(move_shared_tournament_to_file, tournament.servers, address, target)
        tournament.run_on_desk_thread(
            call,
            on_success=partial(self._open_file_after_sharing, target, on_success),
            on_error=partial(self._reopen_after_failed_end_of_sharing, address),
        )

    def unlock_open_file(self) -> None:
        """Make the open file writable again after its tournament was moved to a server.

        Keep the copy on the server.
        """
        tournament, path = self._open, self._open.path
        if path is not None:
            call = partial(tournament.desk.store.mark_as_moved, "")
            tournament.run_on_desk_thread(call, on_success=lambda _result: tournament.open_file(path))

    def restart_server(self, address: Address, listening: ListenAddress, *, on_error: ErrorHandler) -> None:
        cluster = self._open.servers.find_own_server_and_its_programs(address)
        if cluster is not None:
            self._open.open_tournament_in_background(
                partial(_restart_server, cluster, address, listening), on_error=on_error
            )

    def propose_database_name(self) -> str:
        ascii_name = (
            unicodedata.normalize("NFKD", self._open.tournament.event.name).encode("ascii", "ignore").decode()
        )
        return re.sub(r"[^a-z0-9]+", "_", ascii_name.lower()).strip("_")[:_MAX_NAME_LENGTH] or "tournament"

    def propose_original_path(self, on_success: Callable[[Path], None]) -> None:
        default_path = Path(self._open.recent.propose_save_folder()) / f"{self.propose_database_name()}.tdapp"
        self._open.run_on_desk_thread(
            self._open.desk.store.server.read_original_file_path,
            on_success=lambda path: on_success(Path(path) if path else default_path),
        )

    # --- stations

    def fetch_stations(self, on_success: Callable[[tuple[StationLogin, ...]], None]) -> None:
        store = self._open.desk.store
        self._open.run_on_desk_thread(store.server.list_stations, on_success=on_success)

    def add_station_or_change_role(
        self, login: str, role: Role, *, on_success: Callable[[], None], on_error: ErrorHandler
    ) -> None:
        password = make_password()
        call = partial(self._open.desk.store.server.create_login_or_change_role, login, role, password)
        self._open.run_on_desk_thread(
            call, on_success=partial(self._remember_new_password, login, password, on_success), on_error=on_error
        )

    def renew_password(self, login: str, *, on_success: Callable[[], None], on_error: ErrorHandler) -> None:
        """Give another computer's login a new password. Existing connections stay open."""
        password = make_password()
        call = partial(self._open.desk.store.server.change_password, login, password)
        self._open.run_on_desk_thread(
            call,
            on_success=lambda _result: self._remember_new_password(login, password, on_success, was_created=True),
            on_error=on_error,
        )

    def remove_station(self, login: str, *, on_success: Callable[[], None], on_error: ErrorHandler) -> None:
        self._open.run_on_desk_thread(
            partial(self._open.desk.store.server.remove_login, login),
            on_success=lambda _result: on_success(),
            on_error=on_error,
        )

    def _remember_new_password(
        self, login: str, password: str, on_success: Callable[[], None], was_created: bool
    ) -> None:
        if was_created:
            self._passwords[self.get_station_address(login)] = password
        on_success()

    # --- on the desk's thread

    def _share_on_own_server(self, listening: ListenAddress) -> NewlySharedTournament:
        from tdapp.storage import databases  # noqa: PLC0415 - not needed to open the window

        servers, store = self._open.servers, self._open.desk.store
        programs = servers.find_programs()
        cluster = Cluster(servers.folder / uuid4().hex[:8], programs)
        programs.refuse_root_user()
        listening.refuse_unusable_address()
        database = self.propose_database_name()
        cluster.create(ClusterSettings(listening, database))
        try:
            cluster.start()
            databases.revoke_rights_in_default_databases(cluster.make_socket_address())
            databases.create_database(cluster.make_socket_address(database))
            return _copy_to_server(cluster.make_socket_address(database), store, FIRST_STATIONS)
        except BaseException:
            with suppress(StorageError):
                cluster.stop()
            cluster.delete_folder()
            _unlock_file(store)
            raise

    def _share_on_server(self, address: Address) -> NewlySharedTournament:
        from tdapp.storage import databases  # noqa: PLC0415 - as above

        databases.create_database(address)
        databases.revoke_rights_in_default_databases(address)
        database = address.parts.database
        # all databases of a server share the logins
        stations = {f"{database}_{name}": role for name, role in FIRST_STATIONS.items()}
        store = self._open.desk.store
        try:
            return _copy_to_server(address, store, stations)
        except BaseException:
            if store.new_location is not None:
                with suppress(StorageError):  # if this fails, the server may have the data: keep the lock
                    databases.delete_tournament_and_logins(address)
                    _unlock_file(store)
            raise

    # --- on the window's thread

    def _open_newly_shared_tournament(
        self, on_success: Callable[[], None], shared_tournament: NewlySharedTournament
    ) -> None:
        self._open.open_tournament_of_desk(shared_tournament.desk)
        self._passwords.update(
            {self.get_station_address(login): password for login, password in shared_tournament.passwords.items()}
        )
        on_success()

    def _open_file_after_sharing(
        self, target: Path, on_success: Callable[[EndedSharingReport], None], report: EndedSharingReport
    ) -> None:
        self._open.open_file(target)
        self._open.run_after_desk_work(partial(on_success, report))

    def _reopen_after_failed_end_of_sharing(self, address: Address, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._open.open_location(address)
        self._open.run_after_desk_work(partial(self._open.show_error, error))  # opening clears the message


def _copy_to_server(address: Address, store: Store, stations: Mapping[str, Role]) -> NewlySharedTournament:
    relocation.move_tournament_to_server(store, address)
    desk, passwords = Desk.open(address), {}
    for login, role in stations.items():
        password = make_password()
        try:
            if desk.store.server.create_login_or_change_role(login, role, password):
                passwords[login] = password
        except StorageError as error:
            if error.code != "no-permission":
                desk.close()
                raise
    return NewlySharedTournament(desk, passwords)


def _unlock_file(store: Store) -> None:
    if store.new_location is not None:
        store.mark_as_moved("")


def move_shared_tournament_to_file(
    servers: OwnDatabaseServers, address: Address, target: Path
) -> EndedSharingReport:
    """Move a shared tournament to a file and delete it on the server if permitted.

    Raises StorageError. An interrupted move can be repeated.
    """
    from tdapp.storage import databases  # noqa: PLC0415 - as above

    relocation.refuse_unwritable_target(target)  # before the stations lose the tournament
    cluster = servers.find_own_server_and_its_programs(address)
    folder = SnapshotFolder.from_tournament(servers.make_path_for_naming_snapshot_folder(address)).folder
    snapshots = folder if folder.is_dir() else None
    if cluster is not None:
        _move_tournament_of_cluster_to_file(cluster, target)
        return EndedSharingReport(target, str(cluster.folder) if cluster.folder.exists() else "", None, snapshots)
    with closing(Store.open(address)) as store:
        store.server.notify_stations_of_ended_sharing()
        relocation.move_tournament_to_file(store, target)
    try:
        remaining = databases.delete_tournament_and_logins(address)
    except StorageError as error:
        return EndedSharingReport(target, str(address), error, snapshots)
    return EndedSharingReport(target, "", None, snapshots, remaining)


def describe_ended_sharing(report: EndedSharingReport, catalogue: Catalogue) -> Iterator[str]:
    yield catalogue.text("Sharing has ended: everything is in {file}.", file=report.file)
    if report.error is not None:
        reason, name = catalogue.describe_error(report.error), Address(report.server).parts.database
        yield catalogue.text(
            "The shared tournament is still at {address}, but no one can change it. The owner of that server "
            'can delete it: DROP DATABASE "{name}" WITH (FORCE). {why}',
            address=report.server,
            name=name,
            why=reason,
        )
    elif report.server:
        yield catalogue.text(
            "The server’s files could not be deleted. Delete this folder: {folder}", folder=report.server
        )
    yield from map(catalogue.describe_error, report.logins)
    if report.snapshots is not None:
        yield catalogue.text(
            "Snapshots taken during sharing are in {folder}. Delete that folder when you no longer need them.",
            folder=report.snapshots,
        )


def _move_tournament_of_cluster_to_file(cluster: Cluster, target: Path) -> None:
    address = cluster.make_socket_address(cluster.cluster_settings.database)
    with suppress(StorageError):  # no station is connected to a stopped server
        _notify_stations_of_sharing_end(address)
    cluster.stop()
    cluster.start(local_only=True)
    try:
        with closing(Store.open(address)) as store:
            relocation.move_tournament_to_file(store, target)
    finally:
        cluster.stop()
    cluster.delete_folder()


def _notify_stations_of_sharing_end(address: Address) -> None:
    with closing(Store.open(address, read_only=True)) as store:
        store.server.notify_stations_of_ended_sharing()


def fetch_shared_tournament_to_file(address: Address, target: Path) -> None:
    """Copy a shared tournament to a file. Raises StorageError if `target` exists and is not an earlier copy."""
    with closing(Store.open(address, read_only=True)) as store:
        relocation.copy_tournament_to_file(store, target)


def _restart_server(cluster: Cluster, address: Address, listening: ListenAddress) -> Desk:
    settings = cluster.cluster_settings
    cluster.stop()
    listening.refuse_unusable_address()
    cluster.store_cluster_settings(ClusterSettings(listening, settings.database))
    cluster.start()
    return Desk.open(cluster.make_socket_address(address.parts.database))
