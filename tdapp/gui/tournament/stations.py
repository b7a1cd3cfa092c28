"""The stations (computers) of a shared tournament."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, LineEdit
from tdapp.gui.widgets.page import ActionGroup, Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import LEAD, UNIT, make_scaled_font
from tdapp.services.printing import ReportsPdf
from tdapp.services.sharing import EndedSharingReport, describe_ended_sharing
from tdapp.services.worker import get_user_error_or_raise
from tdapp.storage import Address

if TYPE_CHECKING:
    from tdapp.storage.logins import StationLogin

STATIONS_INTERVAL = 5_000  # milliseconds between two checks of the present stations
# Errors that prevent a restart at the previous address.
_ADDRESS_ERRORS = frozenset({"cluster-address-gone", "cluster-port-taken"})


class StationsPanel(Panel):
    """Shows the director all computers (stations) of a shared tournament. Other users see only their own role."""

    topic = "stations"
    stop_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Stations"), width=UNIT * 58)
        self._stations: tuple[StationLogin, ...] = ()
        self.own_role_label = fields.make_label(wrap=True)
        self.rows = TableRowsModel(session.catalogue)
        self.view = TableView(
            self.rows, appearance=session.appearance, name=self.text("Stations"),
            empty=self.text("No other station can take part yet.\nAdd a station below."),
        )  # fmt: skip
        self.view.set_widths({"role": 120, "here": 72}, stretch=("station_name",))
        self.view.selectionModel().currentChanged.connect(self._show_selected_station)
        self.address_label = _make_large_label(LEAD)
        self.password = _make_large_label(LEAD)
        self._note = fields.make_note_label()
        self.new_name = LineEdit(self.text("Name of the station"), placeholder=self.text("For example: entry2"))
        offered_roles: tuple[Role, ...] = (Role.ENTRY, Role.JURY, Role.DISPLAY, Role.DIRECTOR)
        roles = [(role, session.catalogue.translate_code(role)) for role in offered_roles]
        self.new_role: Choice[Role] = Choice(self.text(C_("station", "Role")), roles, session.appearance)
        self.error = fields.make_label("", "error", wrap=True)
        self._timer = QTimer(self, interval=STATIONS_INTERVAL)
        self._timer.timeout.connect(self.request_station_list)
        self._build_layout()
        self.request_station_list()
        if self.session.sharing.can_end_sharing():
            self._timer.start()
            self.setFocusProxy(self.view)

    def refresh_panel(self) -> None:
        session = self.session
        if session.address is None:
            self.closed.emit()
            return
        self.own_role_label.setText(f"{describe_own_station(session)} {describe_own_rights(session)}")

    def request_station_list(self) -> None:
        if self.session.is_open and self.session.sharing.can_end_sharing() and self.session.queue.error is None:
            self.session.sharing.fetch_stations(make_callback_unless_deleted(self, self._show_stations))

    # --- build

    def _build_layout(self) -> None:
        text, button = self.session.catalogue.text, fields.make_button
        self.renew_button = button(
            text("New password"), partial(self._change_selected_login, self.session.sharing.renew_password)
        )
        self.copy_button = button(text("Copy"), self.copy_login)
        self.print_button = button(text("Print…"), self.print_login_cards)
        self.remove_button = button(
            text("Remove"), partial(self._change_selected_login, self.session.sharing.remove_station)
        )
        self.stop_button = button(text("Stop sharing…"), self.stop_requested.emit)
        self.add_button = button(text("Add"), self.add_station)
        self.new_name.returnPressed.connect(self.add_station)
        box = self.login_box = QFrame()
        box.setObjectName("card")
        actions = fields.make_row(self.copy_button, self.renew_button, 1, self.remove_button)
        address_heading, password_heading = (
            fields.make_label(text("Address to type"), "muted"),
            fields.make_label(text("Password"), "muted"),
        )
        column = QVBoxLayout(box)
        column.setSpacing(UNIT)
        fields.add_parts_to_layout(
            column, address_heading, self.address_label, password_heading, self.password, self._note, actions
        )
        line = fields.make_row(self.new_name, self.new_role, self.add_button, wide=self.new_name)
        last = fields.make_row(self.print_button, 1, self.stop_button)
        management_column = fields.make_column(self.view, box, line, self.error, last, wide=self.view)
        management_widget = fields.wrap_in_widget(management_column)
        owner = self.session.sharing.can_end_sharing()
        fields.add_parts_to_layout(
            self.body,
            *([self.own_role_label, management_widget] if owner else [self.own_role_label, management_widget, 1]),
            wide=management_widget,
        )
        management_widget.setVisible(owner)

    def _show_stations(self, stations: tuple[StationLogin, ...]) -> None:
        self._stations = stations
        self.rows.show_table(Table("stations", _COLUMNS, stations))
        if stations and not self.view.get_current_row_key():
            self.view.select_row(stations[0].login)
        self._show_selected_station()

    def _show_selected_station(self, *_moved: object) -> None:
        login, sharing, text = self.view.get_current_row_key(), self.session.sharing, self.session.catalogue.text
        self.login_box.setVisible(bool(login))
        self.print_button.setEnabled(bool(self._stations))
        if not login:
            return
        password = sharing.get_password_if_known(login)
        address = sharing.get_station_address(login)
        breakable_address = address.replace("@", "\u200b@").replace("/", "/\u200b").replace("//\u200b", "//")
        self.address_label.setText(breakable_address)  # allow line breaks between the parts
        self.address_label.setAccessibleName(address)
        self.password.setText(password or "· · ·")
        password_note = text(
            "The password is shown only until you close the window. If it is lost, create a new one."
        )
        lost_password_note = text("The password is not stored. If it is lost, create a new one.")
        self._note.setText(password_note if password else lost_password_note)

    # --- commands

    def add_station(self) -> None:
        login, role = self.new_name.text().strip(), self.new_role.value()
        if not login or role is None:
            self.error.setText(self.text("Type a name for the station, such as entry2."))
            self.new_name.setFocus()
            return
        show_added_station, show_error = (
            make_callback_unless_deleted(self, partial(self._select_added_station, login)),
            make_callback_unless_deleted(self, self._show_station_change_error),
        )
        self.session.sharing.add_station_or_change_role(
            login, role, on_success=show_added_station, on_error=show_error
        )

    def _change_selected_login(self, change: Callable[..., None]) -> None:
        login = self.view.get_current_row_key()
        if login:
            change(
                login,
                on_success=make_callback_unless_deleted(self, self._clear_error_and_request_stations),
                on_error=make_callback_unless_deleted(self, self._show_station_change_error),
            )

    def copy_login(self) -> None:
        login, sharing = self.view.get_current_row_key(), self.session.sharing
        text = "\n".join(filter(None, (sharing.get_station_address(login), sharing.get_password_if_known(login))))
        QGuiApplication.clipboard().setText(text)
        self.session.show_message(self.text("Copied"))

    def make_login_cards_pdf(self) -> bytes:
        """Return a PDF of login cards with passwords. The program does not store it."""
        from tdapp.reports.handouts import StationLoginCard, draw_login_cards
        from tdapp.reports.style import load_style

        session, sharing, catalogue = self.session, self.session.sharing, self.session.catalogue
        login_data = ((station.login, catalogue.translate_code(station.role)) for station in self._stations)
        cards = [
            StationLoginCard(login, role, sharing.get_station_address(login), sharing.get_password_if_known(login))
            for login, role in login_data
        ]
        texts = (catalogue.text("tdapp, Tournament menu: Join a shared tournament…"), catalogue.text("Password"))
        return draw_login_cards(
            session.tournament.event.name, cards, texts, load_style(session.resources.folder / "fonts")
        )

    def print_login_cards(self) -> None:
        from tdapp.gui.printouts.print_run import PrintJobRun, ask_user_for_printer, explain_missing_printer
        from tdapp.reports.handouts import count_login_card_pages

        error = explain_missing_printer(self.session.catalogue)
        if error:
            self.error.setText(f"{error} {self.text('Write down the address and the password.')}")
            return
        login_cards = ReportsPdf(
            self.make_login_cards_pdf(), ((None, count_login_card_pages(len(self._stations))),)
        )
        printer = ask_user_for_printer(self, self.session, login_cards)
        if printer is not None:
            PrintJobRun(
                self.session,
                printer,
                login_cards,
                on_refusal=make_callback_unless_deleted(self, self.error.setText),
            ).start_printing()

    def ask_to_end_sharing(self) -> None:
        self.session.sharing.propose_original_path(
            make_callback_unless_deleted(self, self._open_stop_sharing_dialog)
        )

    def _open_stop_sharing_dialog(self, proposed_path: Path) -> None:
        from tdapp.gui.tournament.server_dialogs import StopSharingDialog

        report_end = partial(show_sharing_end_report, self.session, self.window())
        stop = partial(self.session.sharing.end_sharing, on_success=report_end)
        stations = [station.login for station in self._stations if station.here]
        StopSharingDialog(self.session, proposed_path, stations, stop=stop, parent=self.window()).open()

    def _select_added_station(self, login: str) -> None:
        self.new_name.clear()
        self._clear_error_and_request_stations()
        self.view.select_row(login)

    def _clear_error_and_request_stations(self) -> None:
        self.error.clear()
        self.request_station_list()

    def _show_station_change_error(self, error: Exception) -> None:
        self.error.setText(self.session.catalogue.describe_error(get_user_error_or_raise(error)))
        self.request_station_list()  # a station that cannot be disconnected has lost its rights anyway


def show_sharing_end_report(session: Session, window: QWidget, report: EndedSharingReport) -> None:
    if report.server or report.snapshots or report.logins:
        from tdapp.gui.tournament.server_dialogs import RemainingServerDataDialog

        title = session.catalogue.text("Sharing has ended")
        RemainingServerDataDialog(
            session, title, describe_ended_sharing(report, session.catalogue), parent=window
        ).open()
    else:
        session.show_message(
            session.catalogue.text("Sharing has ended: everything is in {file}.", file=report.file.name)
        )


def explain_moved_tournament(session: Session) -> str:
    try:
        session.desk.store.refuse_moved_tournament()
    except StorageError as error:
        return session.catalogue.describe_error(error)
    return ""


def describe_own_station(session: Session) -> str:
    role, name = session.desk.role, session.desk.station
    catalogue = session.catalogue
    if name == role.value:
        return catalogue.text("Your role: {role}.", role=catalogue.translate_code(role))
    return catalogue.text("Your station: {name}, {role}.", name=name, role=catalogue.translate_code(role))


def describe_own_rights(session: Session) -> str:
    text = session.catalogue.text
    texts = {
        Role.DIRECTOR: text("You can change anything at this station."),
        Role.ENTRY: text(
            "You can enter and check results at this station. Only the director can change anything else."
        ),
        Role.JURY: text(
            "You can enter results, score sheets, rulings and incidents at this station. "
            "Only the director can change anything else."
        ),
        Role.DISPLAY: text("This station is view only: nothing can be changed here."),
    }
    if session.desk.role is Role.DIRECTOR:
        return texts[Role.DIRECTOR]
    hint = text("To get another role, join again with a station name from the director.")
    return f"{texts[session.desk.role]} {hint}"


def _make_large_label(size: int) -> QLabel:
    large_label = fields.make_label(wrap=True)
    large_label.setFont(make_scaled_font(size, bold=True))
    large_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return large_label


_NAMES = Column("station_name", ColumnKind.TEXT, attrgetter("login"))
_COLUMNS = (
    _NAMES,
    *make_columns_from_row_attributes(ColumnKind.CODE, "role"),
    *make_columns_from_row_attributes(ColumnKind.MARK, "here"),
)


class SharingNote(QWidget):
    """Says how the tournament is shared, and the role of this computer (station)."""

    action_requested = Signal(str)  # id of the requested action

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._state_label = fields.make_label(wrap=True)
        self._location_label = fields.make_note_label()
        self._button = fields.make_button("", lambda: self.action_requested.emit(self._requested_action))
        self._requested_action = "share"
        fields.make_column(self._state_label, self._location_label, fields.make_row(self._button, 1), parent=self)

    def show_sharing_state(self) -> None:
        session, text = self._session, self._session.catalogue.text
        address = session.address
        self._requested_action = "share" if address is None else "stations"
        if new_location := explain_moved_tournament(session) if address is None else "":
            self._requested_action = "elsewhere"
            self._state_label.setText(new_location)
            self._location_label.clear()
            self._button.setText(text("Join the tournament on the server, or continue here…"))
            self._button.setEnabled(True)
            return
        if address is None:
            self._state_label.setText(text("One computer runs this tournament."))
            hint = text(
                "When the tournament is shared, the entry desk, jury desk and displays can work at the same time."
            )
            self._location_label.setText(hint)
            self._button.setText(text("Share this tournament…"))
            self._button.setEnabled(not session.desk.store.read_only)
            return
        self._state_label.setText(f"{describe_own_station(session)} {describe_own_rights(session)}")
        is_own_server = session.sharing.find_own_server() is not None
        self._location_label.setText(text("Shared from this computer.") if is_own_server else str(address))
        self._button.setText(text("Stations…"))
        self._button.setEnabled(True)


class SharingActions(ActionGroup):
    """Joins and shares a tournament, and shows the stations."""

    def list_actions(self) -> tuple[Action, ...]:
        session, text, row = self._session, self._session.catalogue.text, partial(Action, menu="sharing")
        return (
            row("join", text("Join a shared tournament…"), self.open_join_dialog, "join", "Ctrl+Shift+O"),
            row("share", text("Share this tournament…"),
                partial(self._host.leave_after_unsaved_input_check, self.open_share_dialog), "share",
                enabled=self._can_share),
            row("elsewhere", text("Join the tournament on the server, or continue here…"),
                self.ask_about_moved_tournament,
                vanishes=True,
                enabled=lambda: session.is_open and session.path is not None
                   and bool(explain_moved_tournament(session))),
            row("stations", text("Stations…"), self.open_stations_panel, "stations",
                enabled=lambda: session.is_open and session.address is not None),
        )  # fmt: skip

    def open_join_dialog(self) -> None:
        self._host.leave_after_unsaved_input_check(partial(self.ask_login_or_new_address, None, None))

    def ask_login_or_new_address(self, address: Address | None, error: StorageError | None) -> None:
        """Ask for the login data needed to join a tournament, such as the password.

        If the program's own server cannot start at its address, ask for another address.
        """
        from tdapp.gui.tournament.server_dialogs import JoinDialog, ShareDialog

        code, window = error.code if error is not None else "", self._host.window()
        if address is not None and code in _ADDRESS_ERRORS:
            ShareDialog(self._session, to_restart=address, error=error, parent=window).open()
        else:
            is_only_password_missing = (
                address is not None and code == "server-password" and not address.parts.password
            )
            JoinDialog(self._session, address, None if is_only_password_missing else error, parent=window).open()

    def ask_about_moved_tournament(self) -> None:
        from tdapp.gui.tournament.server_dialogs import MovedTournamentDialog

        MovedTournamentDialog(
            self._session, explain_moved_tournament(self._session), parent=self._host.window()
        ).open()

    def open_share_dialog(self) -> None:
        from tdapp.gui.tournament.server_dialogs import ShareDialog

        dialog = ShareDialog(self._session, parent=self._host.window())
        dialog.accepted.connect(self.open_stations_panel)
        dialog.open()

    def open_stations_panel(self) -> None:
        panel = StationsPanel(self._session)
        panel.stop_requested.connect(partial(self._host.leave_after_unsaved_input_check, panel.ask_to_end_sharing))
        self._open_panel(panel)

    def _can_share(self) -> bool:
        session = self._session
        return session.is_open and session.address is None and not session.desk.store.read_only
