"""Dialogs to share a tournament on a database server and to join one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit, QRadioButton, QWidget

from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_
from tdapp.gui.shell.networks import NetworkInterface, list_networks
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, NoticeDialog, Size
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.services.servers import call_and_retry_with_normalised_password
from tdapp.services.worker import get_user_error_or_raise
from tdapp.storage import Address
from tdapp.storage.address import SCHEMES, AddressParts
from tdapp.storage.cluster import USUAL_PORT, ListenAddress, find_free_port

if TYPE_CHECKING:
    from tdapp.storage.databases import ServerTournament

_MAX_PORT = 65_535  # highest port
_NETWORK_INTERVAL = 2_000  # ms between two checks of the networks


class ServerLoginDialog(Dialog):
    """Base of dialogs that act on a server. They ask for a login until the server accepts it."""

    topic = "stations"

    def __init__(self, session: Session, title: str, *, yes: str, parent: QWidget | None, size: Size) -> None:
        super().__init__(session, title, yes=yes, parent=parent, size=size)
        self.login = LineEdit("")
        self.password = LineEdit(session.catalogue.text("Password"))
        self.password.setEchoMode(QLineEdit.EchoMode.Password)

    def set_busy(self, *, is_busy: bool) -> None:
        self.yes.setEnabled(not is_busy)

    def show_error_or_raise(self, error: Exception) -> None:
        self.set_busy(is_busy=False)
        self.show_user_error(get_user_error_or_raise(error))

    def show_user_error(self, error: UserError) -> None:
        self.show_error(self.session.catalogue.describe_error(error))


class ShareDialog(ServerLoginDialog):
    """Asks for the server on which to share the tournament.

    The dialog can also restart this computer's server at a new address.
    """

    def __init__(
        self,
        session: Session,
        *,
        # last address of this computer's server, to restart the server
        to_restart: Address | None = None,
        error: UserError | None = None,
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        title = text("Share this tournament") if to_restart is None else text("Share this tournament again")
        super().__init__(session, title, yes=text("Share"), parent=parent, size=(80, 56))
        self._restarted_address = to_restart
        self._networks = list_networks()
        self.local_button = QRadioButton(text("Share from this computer"))
        self.server_button = QRadioButton(text("Share on an existing server"))
        for button in (self.local_button, self.server_button):
            button.toggled.connect(self._show_fields_of_chosen_server)
        self.network: Choice[NetworkInterface] = Choice(
            text(C_("of this computer", "Network")), self._list_network_choices(), session.appearance
        )
        self.network.currentIndexChanged.connect(self._propose_port)
        self.port = NumberEdit(text("Port"))
        self.server = LineEdit(text("Server"), placeholder="192.168.1.5:5432")
        self.server.textEdited.connect(self._fill_fields_from_pasted_address)
        self.login.setAccessibleName(text("Name"))
        self.login.setPlaceholderText("postgres")
        self.database = LineEdit(text("Database"))
        self._build_layout()
        self.local_button.setChecked(True)
        self._propose_port_and_check_requirements()
        if error is not None:
            self.show_user_error(error)
        network_timer = QTimer(self, interval=_NETWORK_INTERVAL)
        network_timer.timeout.connect(self._update_network_choices)
        network_timer.start()

    def confirm_dialog(self) -> None:
        self.show_error("")
        sharing = self.session.sharing
        if self.server_button.isChecked():
            address = self._read_address()
            if address is not None:
                self.set_busy(is_busy=True)
                sharing.share_on_server(address, on_success=self.accept, on_error=self.show_error_or_raise)
            return
        listen_address = self._make_listen_address()
        if listen_address is None:
            return
        self.set_busy(is_busy=True)
        if self._restarted_address is None:
            sharing.share_tournament_on_own_server(
                listen_address, on_success=self.accept, on_error=self.show_error_or_raise
            )
        else:
            self.session.opened.connect(self.accept)
            sharing.restart_server(self._restarted_address, listen_address, on_error=self.show_error_or_raise)

    def _build_layout(self) -> None:
        self._local_form, self._server_form = QWidget(), QWidget()
        form = FormLayout(parent=self._local_form)
        form.add_field(self.network, self.text("Only computers on this network can join."))
        form.add_field(self.port)
        server_form = FormLayout(parent=self._server_form)
        server_form.add_field(
            self.server, self.text("A PostgreSQL server. You can paste its whole address at once.")
        )
        server_form.add_field(self.login, self.text("A login that can create databases and logins."))
        server_form.add_field(self.password)
        server_form.add_field(
            self.database, self.text("If there is no database with this name, one will be created.")
        )
        for form_widget in (self._local_form, self._server_form):
            form_widget.setContentsMargins(UNIT * 3, 0, 0, 0)
        server_note = self.text(
            "The tournament moves to the server; all stations see every change within a second."
        )
        file_note = self.text(
            "The file does not change until you stop sharing. Then everything is copied back into it."
        )
        encryption_note = self.text(
            "Network traffic is not encrypted. Use your own network, from a small router or a phone’s hotspot, "
            "not the hall’s."
        )
        notes = (
            ((server_note, ""), (file_note, ""), (encryption_note, "muted"))
            if self._restarted_address is None
            else ()
        )
        self.body.addLayout(
            fields.make_column(*(fields.make_label(note, kind, wrap=True) for note, kind in notes))
        )
        fields.add_parts_to_layout(
            self.body, self.local_button, self._local_form, self.server_button, self._server_form, 1
        )
        for button in (self.local_button, self.server_button):
            button.setVisible(self._restarted_address is None)

    def _show_fields_of_chosen_server(self) -> None:
        self._local_form.setVisible(self.local_button.isChecked())
        self._server_form.setVisible(self.server_button.isChecked())
        self.show_error("")
        if self.server_button.isChecked() and not self.database.text():
            self.database.setText(self.session.sharing.propose_database_name())
        elif self.local_button.isChecked():
            self._propose_port_and_check_requirements()

    def _update_network_choices(self) -> None:
        networks = list_networks()
        if networks == self._networks or not (self.local_button.isChecked() and self.yes.isEnabled()):
            return
        self._networks = networks
        self.network.set_choices(self._list_network_choices(), self.network.value())
        self.show_error("")
        self._propose_port_and_check_requirements()

    def _list_network_choices(self) -> list[tuple[NetworkInterface, str]]:
        return [(network, f"{network.address}   {network.name}") for network in self._networks]

    def _propose_port_and_check_requirements(self) -> None:
        self._propose_port()
        if not self._networks:
            self.show_user_error(StorageError("cluster-no-network"))
            return
        try:
            self.session.servers.find_programs().refuse_root_user()
        except StorageError as error:
            self.show_user_error(error)

    def _propose_port(self) -> None:
        network = self.network.value()
        if network is None:
            return
        try:
            self.port.setText(str(find_free_port(network.address)))
        except StorageError as error:
            self.show_user_error(error)

    def _make_listen_address(self) -> ListenAddress | None:
        network = self.network.value()
        if network is None:
            self.show_user_error(StorageError("cluster-no-network"))
            return None
        port = self.port.get_number_or_none()
        if port is None or not 1024 <= port <= _MAX_PORT:  # noqa: PLR2004 - those below are the system's
            self.show_error(
                self.text("A port is a number from {least} to {most}.", least=1024, most=_MAX_PORT), self.port
            )
            return None
        return ListenAddress(network.address, network.subnet, port)

    def _fill_fields_from_pasted_address(self, text: str) -> None:
        parts = _split_address_with_login(text)
        if parts is None or not parts.server:
            return
        self.server.setText(parts.server)
        self.login.setText(parts.login)
        self.password.setText(parts.password)
        if parts.database:
            self.database.setText(parts.database)

    def _read_address(self) -> Address | None:
        required_fields = (self.server, self.login, self.database)
        missing = next((field for field in required_fields if not field.text().strip()), None)
        if missing is not None:
            self.show_error(self.text("This field is empty: {name}", name=missing.accessibleName()), missing)
            return None
        try:
            server, login, database = (field.text().strip().strip("/") for field in required_fields)
            address = Address.make_from_parts(server, login, database, password=self.password.text())
            if address.host_if_port_is_missing:
                # otherwise the driver would first try a server that tdapp started
                address = Address.make_from_parts(
                    server, login, database, port=USUAL_PORT, password=self.password.text()
                )
            return address
        except UserError as error:
            self.show_user_error(error)
            return None

    def reject(self) -> None:
        if self.no.isEnabled():
            super().reject()

    def set_busy(self, *, is_busy: bool) -> None:
        super().set_busy(is_busy=is_busy)
        self.no.setEnabled(not is_busy)
        self.yes.setText(self.text("Sharing…") if is_busy else self.text("Share"))


class JoinDialog(ServerLoginDialog):
    """Opens a tournament on a server."""

    def __init__(
        self,
        session: Session,
        address: Address | None = None,
        error: UserError | None = None,
        *,
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        super().__init__(
            session,
            text("Join a shared tournament"),
            yes=text(C_("shared tournament", "Join")),
            parent=parent,
            size=(80, 44),
        )
        self.address = LineEdit(text("Address"), placeholder="192.168.1.5:5433/open_leiden")
        self.login.setAccessibleName(text("Name of the station"))
        self.login.setPlaceholderText("entry")
        self._rows = TableRowsModel(session.catalogue)
        self.view = TableView(
            self._rows, appearance=session.appearance, name=text("Tournaments on this server"),
            empty=text("There are no tournaments on this server that you may open."),
        )  # fmt: skip
        self.view.set_widths({}, stretch=("tournament",))
        self.view.row_activated.connect(lambda _key: self.confirm_dialog())
        self._build_layout()
        self._is_busy = False
        self._length = 0  # length of the address text; a paste adds more than one letter
        session.opened.connect(self._close_after_joining)
        self.address.setFocus()
        if address is not None:
            self.address.setText(str(address))
            self._fill_fields_from_address(address.secret)
            self._focus_login_or_password()
        if error is not None:
            self.show_user_error(error)

    def confirm_dialog(self) -> None:
        row: _TournamentRow | None = (
            self._rows.find_row_by_key(self.view.get_current_row_key()) if self.view.isVisible() else None
        )
        address = row.address if row is not None else self._read_address()
        if address is None or self._is_busy:
            return
        self.set_busy(is_busy=True)
        if address.parts.database:
            self._open_address(address)
        else:
            from tdapp.storage.databases import list_tournaments  # noqa: PLC0415 - a window opens without SQLAlchemy

            call, offer = (
                partial(call_and_retry_with_normalised_password, list_tournaments, address),
                make_callback_unless_deleted(self, self._open_or_offer_tournaments),
            )
            self.session.run_on_desk_thread(
                call, on_success=offer, on_error=make_callback_unless_deleted(self, self.show_error_or_raise)
            )

    def _open_address(self, address: Address) -> None:
        self.session.open_tournament_in_background(
            partial(self.session.servers.open_shared_tournament, address),
            on_error=make_callback_unless_deleted(self, self.show_error_or_raise),
        )

    def _build_layout(self) -> None:
        note = self.text(
            "The address on the director’s screen or printout. You can paste the whole address at once."
        )
        form = FormLayout()
        form.add_field(self.address, note)
        form.add_field(self.login)
        form.add_field(self.password)
        self.body.addLayout(form)
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)
        self.view.hide()
        self.address.textEdited.connect(self._fill_fields_if_address_is_pasted)
        self.address.editingFinished.connect(self._fill_fields_from_typed_address)
        for field in (self.login, self.password):
            field.textEdited.connect(self._hide_error_and_tournaments)

    def _fill_fields_if_address_is_pasted(self, text: str) -> None:
        self._hide_error_and_tournaments()
        is_pasted, self._length = len(text) - self._length > 1, len(text)
        if is_pasted and self._fill_fields_from_address(text):
            self._focus_login_or_password()

    def _focus_login_or_password(self) -> None:
        (self.password if self.login.text() else self.login).setFocus()

    def _fill_fields_from_typed_address(self) -> None:
        self._fill_fields_from_address(self.address.text())

    def _fill_fields_from_address(self, text: str) -> bool:
        parts = _split_address_with_login(text)
        if parts is None or not (parts.server or parts.folder):
            return False
        address_text = f"{parts.server}/{parts.database}" if parts.database else parts.server
        self.address.setText(str(Address(text.strip())) if parts.folder else address_text)
        self._length = len(self.address.text())
        self.login.setText(parts.login)
        if parts.password:
            self.password.setText(parts.password)
        return True

    def _read_address(self) -> Address | None:
        address_text, text = self.address.text().strip(), self.session.catalogue.text
        try:
            address = Address.parse(
                address_text if address_text.startswith(SCHEMES) else f"{SCHEMES[0]}{address_text}"
            )
            parts = address.parts
            if parts.folder:
                return address
            login, password = self.login.text().strip() or parts.login, self.password.text() or parts.password
            if not parts.server:
                self.show_error(text("Type the address shown on the director’s screen."), self.address)
            elif not login:
                self.show_error(text("Type the name of the station, such as entry or jury."), self.login)
            else:
                return Address.make_from_parts(parts.server, login, parts.database, password=password)
        except UserError as error:
            self.show_user_error(error)
            self.address.setFocus()
        return None

    def _open_or_offer_tournaments(self, tournaments: tuple[ServerTournament, ...]) -> None:
        if len(tournaments) == 1:
            self._open_address(tournaments[0].address)
            return
        self.set_busy(is_busy=False)
        rows = tuple(
            _TournamentRow(
                listed_tournament.address.parts.database, listed_tournament.name, listed_tournament.address
            )
            for listed_tournament in tournaments
        )
        self._rows.show_table(Table("databases", _COLUMNS, rows))
        self.view.show()
        self.resize(self.width(), UNIT * 60)
        if tournaments:
            self.view.select_row(tournaments[0].address.parts.database)
            self.view.setFocus()

    def show_error_or_raise(self, error: Exception) -> None:
        super().show_error_or_raise(error)
        self.password.setFocus()
        self.password.selectAll()

    def _hide_error_and_tournaments(self) -> None:
        self.show_error("")
        self.view.hide()

    def set_busy(self, *, is_busy: bool) -> None:
        super().set_busy(is_busy=is_busy)
        self._is_busy = is_busy
        self.show_error("")

    def _close_after_joining(self) -> None:
        if self._is_busy:
            self.accept()

    def done(self, result: int) -> None:
        self.session.opened.disconnect(self._close_after_joining)
        super().done(result)


class MovedTournamentDialog(Dialog):
    """Asks whether to join a moved tournament on its server, view its old file, or continue with that file."""

    topic = "stations"

    def __init__(self, session: Session, moved_message: str, *, parent: QWidget | None = None) -> None:
        """Build the dialog. `moved_message` is a message with the server and the time of the move."""
        text = session.catalogue.text
        title = text("This tournament continues on a server")
        super().__init__(
            session, title, yes=text("Join the tournament on the server…"), parent=parent, size=(72, 36)
        )
        data_loss_note = text(
            "Continue with this file only if the server is lost for good. The file does not contain later "
            "entries made on the server, and the two cannot be merged."
        )
        self.confirm_box = fields.make_check_box(text("The server is lost for good"))
        self.continue_button = fields.make_button(text("Continue with this file"), self._unlock_open_file)
        self.continue_button.setEnabled(False)
        self.confirm_box.toggled.connect(self.continue_button.setEnabled)
        fields.add_parts_to_layout(
            self.body,
            fields.make_label(moved_message, wrap=True),
            fields.make_note_label(data_loss_note),
            self.confirm_box,
            1,
        )
        self.buttons.insertWidget(0, self.continue_button)
        self.no.setText(text("Open read only"))
        self.yes.setFocus()

    def confirm_dialog(self) -> None:
        new_location = self.session.desk.store.new_location
        self.accept()
        if new_location is not None:
            self.session.open_location(Address(new_location.location))

    def _unlock_open_file(self) -> None:
        self.accept()
        self.session.sharing.unlock_open_file()


class StopSharingDialog(Dialog):
    """Asks the user to confirm the end of sharing, which disconnects the other computers."""

    topic = "stations"

    def __init__(
        self,
        session: Session,
        file: Path,
        stations: Sequence[str],
        *,
        stop: Callable[[Path], object],
        parent: QWidget | None = None,
    ) -> None:
        text = session.catalogue.text
        confirm_text = text("Copy the tournament back into {file}", file=file.name)
        super().__init__(session, text("Stop sharing"), yes=confirm_text, parent=parent, size=(64, 24))
        self._file, self._stop = file, stop
        self.add_labels(
            (text("The tournament with its whole history will be copied back into {file}.", file=file), "body")
        )
        if stations:
            station_names = ", ".join(stations)
            self.add_labels(
                (text("These stations will be disconnected: {stations}.", stations=station_names), "body")
            )
            self.add_labels((text("Anything typed at these stations but not yet entered will be lost."), "muted"))
        self.other_file_button = fields.make_button(
            text("Copy the tournament into another file…"), self._choose_file_and_end_sharing
        )
        self.buttons.insertWidget(0, self.other_file_button)

    def confirm_dialog(self) -> None:
        self.accept()
        self._stop(self._file)

    def _choose_file_and_end_sharing(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, self.text("Stop sharing: choose a file for the tournament"), str(self._file),
            self.text("Tournaments (*.tdapp)"), options=QFileDialog.Option.DontConfirmOverwrite,
        )  # fmt: skip
        if name:
            self.accept()
            self._stop(Path(name))


class RemainingServerDataDialog(NoticeDialog):
    """Lists data left on a server after the tournament moved back to a file, and how to delete them."""

    topic = "stations"


def _split_address_with_login(text: str) -> AddressParts | None:
    """Return the parts of a typed address, or None if it is incomplete or has no login."""
    address_text = text.strip()
    try:
        return (
            Address.parse(address_text).parts if address_text.startswith(SCHEMES) and "@" in address_text else None
        )
    except UserError:
        return None


class _TournamentRow(NamedTuple):
    key: str
    tournament: str
    address: Address


_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.TEXT, "tournament"),
    Column("database", ColumnKind.TEXT, attrgetter("key")),
)
