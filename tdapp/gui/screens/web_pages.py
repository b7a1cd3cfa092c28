"""Panels for the web server, for helpers at browsers, and for web pages in folders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.model import Game, GameId, ResultFromPlayer, Seat
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.roles import Role
from tdapp.domain.slip import find_agreed_group_points, find_slips_of_both_players, make_tablet_code
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import ask_folder
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.catalogue import LANGUAGE_NAMES
from tdapp.reports.pen import QUIET_ZONE, make_qr_squares
from tdapp.services.publishing import FOLDERS, choose_folder_or_subfolder
from tdapp.services.uploading import FOLDER
from tdapp.web.desk_access import DESK_ROLES, DeskSession

_THIS_COMPUTER = "127.0.0.1"
_MAX_WAITING = 8  # maximum of listed games


class QrCodeWidget(QWidget):
    """A QR code, always dark on white, because many phones cannot read inverted codes."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._text = ""
        self.setAccessibleName(name)
        self.setFixedSize(UNIT * 26, UNIT * 26)

    def show_qr_code(self, text: str) -> None:
        self._text = text
        self.setAccessibleDescription(text)
        self.setVisible(bool(text))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("white"))
        rows = make_qr_squares(self._text)
        side = min(self.width(), self.height()) / (len(rows) + 2 * QUIET_ZONE)
        for row_number, row in enumerate(rows):
            for column, dark in enumerate(row):
                if dark:
                    left, top = (column + QUIET_ZONE) * side, (row_number + QUIET_ZONE) * side
                    painter.fillRect(QRectF(left, top, side, side).toAlignedRect(), QColor("black"))
        painter.end()


class WebServerPanel(Panel):
    """Settings of the web server for the venue."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Phones in the room"))
        settings = session.settings
        self.host: Choice[str] = Choice(
            self.text("Address"), [(address, address) for address in list_own_ipv4_addresses()], session.appearance
        )
        if (chosen_host := str(settings.value("room/host", ""))) in list_own_ipv4_addresses():
            self.host.choose_value(chosen_host)
        self.port = NumberEdit(self.text("Port"), width=ROW * 2)
        self.port.setText(str(session.serving.stored_port))
        self.port.returnPressed.connect(self.start_or_stop_server)
        self.encrypted = fields.make_check_box(
            self.text("Encrypted (https)"),
            is_checked=bool(settings.value("room/encrypted", defaultValue=False, type=bool)),
        )
        self.encrypted.setToolTip(
            self.text(
                "This computer makes its own certificate, so phones first show a warning. Continue "
                "only if they show the fingerprint below the QR code."
            )
        )
        self.switch_button = fields.make_button("", self.start_or_stop_server, role="primary")
        self.url = fields.make_label("", "head")
        self.url.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.code = QrCodeWidget(self.text("The address as a QR code"))
        self.fingerprint = fields.make_label(wrap=True)
        self.fingerprint.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.entry_box = fields.make_check_box(self.text("Players may enter results"))
        self.entry_box.clicked.connect(self._open_or_close_result_entry)
        self.renew_button = fields.make_button(self.text("Make new codes"), self._renew_entry_codes)
        self._state = fields.make_note_label()
        self._codes = fields.make_note_label()
        self._waiting_phone_results = fields.make_column()
        self.check_in_box = fields.make_check_box(self.text("Players may check themselves in"))
        self.check_in_box.clicked.connect(self._open_or_close_check_in)
        self._check_in_note = fields.make_note_label()
        self.tablet = LineEdit(self.text("Address for a tablet"))
        self.tablet.setReadOnly(True)
        self._tablet_label = fields.make_label(self.text("Open this address on a tablet at the door:"), wrap=True)
        self.desks = BrowserDeskControls(session)
        self._fill_panel_body()
        self.setFocusProxy(self.switch_button)

    def _fill_panel_body(self) -> None:
        text = self.session.catalogue.text
        form = FormLayout(self.host, self.port)
        form.add_wide_field(self.encrypted)
        self._form = fields.wrap_in_widget(form)
        public = text("Anyone on the same network can read the public information. Use your own network.")
        fields.add_parts_to_layout(
            self.body, self._state, self.url, self.code, self.fingerprint, self._form,
            fields.make_row(self.switch_button, 1), fields.make_note_label(public), fields.make_separator(),
            self.entry_box, self._codes, fields.make_row(self.renew_button, 1), self._waiting_phone_results,
            fields.make_separator(), self.check_in_box, self._check_in_note, self._tablet_label, self.tablet,
            fields.make_separator(), self.desks, 1,
        )  # fmt: skip

    def refresh_panel(self) -> None:
        session, text = self.session, self.session.catalogue.text
        url = session.serving.url
        fields.show_text(self.url, url)
        self.code.show_qr_code(url)
        digits = session.serving.certificate_fingerprint
        warning = text(
            "Phones warn about the certificate. It comes from this computer if they "
            "show this fingerprint (SHA-256):"
        )
        fields.show_text(self.fingerprint, f"{warning}\n{digits}" if digits else "")
        self._form.setVisible(not url)
        self.switch_button.setText(
            text(C_("web pages for phones", "Switch off"))
            if url
            else text(C_("web pages for phones", "Switch on"))
        )
        self._state.setText(
            text(
                "Phones open the live pages at this address. For a projector, choose “Show on a "
                "projector” on one of these pages."
            )
            if url
            else text("No one can read the pages while this is off.")
        )
        event = session.tournament.event
        self.entry_box.setChecked(event.players_enter)
        self.entry_box.setEnabled(not session.is_read_only_or_not_director)
        self.renew_button.setEnabled(event.players_enter and not session.is_read_only_or_not_director)
        self._codes.setText(
            text(
                "Result slips that you print from now on have a code for each player. Players use this code "
                "to enter their results."
            )
            if event.players_enter
            else text(
                "Players use the codes on their slips. If both enter the same result, it counts. If the "
                "entries differ, come from one phone or show a very large margin, they wait for your decision "
                "on the Rounds page."
            )
        )
        self._show_waiting_phone_results()
        self._show_check_in_settings()
        self.desks.show_browser_desk_settings()

    def _show_check_in_settings(self) -> None:
        session, text = self.session, self.session.catalogue.text
        is_check_in_open = session.tournament.event.players_check_in
        self.check_in_box.setChecked(is_check_in_open)
        self.check_in_box.setEnabled(not session.is_read_only_or_not_director)
        self._check_in_note.setText(
            text(
                "Players type their name on a phone or a tablet at the door and confirm it. A withdrawn, "
                "absent or unknown player is sent to the desk. You can undo a wrong check-in on the Check-in "
                "page."
            )
        )
        url, code = session.serving.url, make_tablet_code(session.tournament)
        for widget in (self._tablet_label, self.tablet):
            widget.setVisible(bool(is_check_in_open and url and code))
        self.tablet.setText(f"{url}check-in?tablet={code}")
        self.tablet.setCursorPosition(0)

    def start_or_stop_server(self) -> None:
        serving = self.session.serving
        if serving.url:
            serving.stop_and_sign_out_desks()
            return
        try:
            port = int(self.port.text() or "0")
            serving.start_server(self.host.value() or _THIS_COMPUTER, port, encrypted=self.encrypted.isChecked())
        except ValueError:
            self.session.show_error(UserError("port-not-allowed", port=self.port.text()), self.port)
        except UserError as error:
            self.session.show_error(error, self.port)

    def _open_or_close_result_entry(self) -> None:
        session = self.session
        if self.entry_box.isChecked():
            session.do(partial(commands.open_entry, key=session.make_row_id()))
        else:
            session.do(partial(commands.close_entry))

    def _open_or_close_check_in(self) -> None:
        command = commands.open_check_in if self.check_in_box.isChecked() else commands.close_check_in
        self.session.do(partial(command))

    def _renew_entry_codes(self) -> None:
        self.session.do(partial(commands.renew_codes, key=self.session.make_row_id()))

    def _show_waiting_phone_results(self) -> None:
        fields.clear_layout(self._waiting_phone_results)
        index = self.session.index
        entered: dict[GameId, list[ResultFromPlayer]] = {}
        for slip in index.tournament.slips.values():
            if index.get_result(slip.game) is None:
                entered.setdefault(slip.game, []).append(slip)
        waiting = [
            self._make_phone_results_of_game(index.tournament.games[game], slips)
            for game, slips in entered.items()
        ]
        rounds = [index.list_published_rounds(division.id)[-1:] for division in index.divisions]
        tables = [seats for items in rounds for item in items for seats in index.list_seats_by_table(item.id)]
        waiting += [
            self._make_phone_results_of_group_table(seats) for seats in tables if any(seat.sent for seat in seats)
        ]
        waiting.sort(key=lambda entries: entries.table)
        for entries in waiting[:_MAX_WAITING]:
            self._waiting_phone_results.addWidget(self._make_phone_results_row(entries))
        hidden_count = len(waiting) - _MAX_WAITING
        if hidden_count > 0:
            self._waiting_phone_results.addWidget(
                fields.make_label(self.text(C_("shortened list", "{n} more"), n=hidden_count), "muted")
            )

    def _make_phone_results_of_game(self, game: Game, slips: list[ResultFromPlayer]) -> _TableResultsFromPhones:
        names, pair = (
            map_players_with_distinct_names(self.session.index),
            find_slips_of_both_players(self.session.index, game),
        )
        words = "; ".join(f"{names[slip.player].name} {slip.own} – {slip.other}" for slip in slips)
        accept_command = (
            partial(commands.take_slips, game=game.id) if pair is not None and pair.has_equal_entries else None
        )
        return _TableResultsFromPhones(
            game.table, words, accept_command, partial(commands.drop_slips, game=game.id)
        )

    def _make_phone_results_of_group_table(self, seats: Sequence[Seat]) -> _TableResultsFromPhones:
        names, first_seat = map_players_with_distinct_names(self.session.index), seats[0]
        entered_points = [
            (names[seat.player].name, " – ".join(map(str, seat.sent))) for seat in seats if seat.sent
        ]
        accept_command = (
            partial(commands.take_points, round=first_seat.round, table=first_seat.table)
            if find_agreed_group_points(seats)
            else None
        )
        words = "; ".join(f"{name} {points}" for name, points in entered_points)
        reject_command = partial(commands.drop_points, round=first_seat.round, table=first_seat.table)
        return _TableResultsFromPhones(first_seat.table, words, accept_command, reject_command)

    def _make_phone_results_row(self, entries: _TableResultsFromPhones) -> QWidget:
        session, line = self.session, QWidget()
        text = session.catalogue.text(
            "Table {table}: {entered}", table=entries.table, entered=entries.entered_text
        )
        commands_by_title = {
            session.catalogue.text("Accept the entries"): entries.accept_command,
            session.catalogue.text("Reject the entries"): entries.reject_command,
        }
        buttons = [
            fields.make_button(title, partial(session.do, command), role="link")
            for title, command in commands_by_title.items()
            if command is not None
        ]
        for button in buttons:
            button.setEnabled(not session.is_read_only_or_not_director)
        fields.make_row(fields.make_label(text, wrap=True), *buttons, parent=line).setStretch(0, 1)
        return line


class _TableResultsFromPhones(NamedTuple):
    table: int
    entered_text: str
    accept_command: partial[Tournament] | None  # accepts the entries, None if they disagree
    reject_command: partial[Tournament]  # rejects the entries


def list_own_ipv4_addresses() -> list[str]:
    """Return the IPv4 addresses of this computer, 127.0.0.1 last."""
    from PySide6.QtNetwork import QAbstractSocket, QNetworkInterface  # loads 3 MB, rarely needed

    addresses = [
        address.toString()
        for address in QNetworkInterface.allAddresses()
        if address.protocol() is QAbstractSocket.NetworkLayerProtocol.IPv4Protocol and not address.isLoopback()
    ]
    return [*dict.fromkeys(addresses), _THIS_COMPUTER]


_PAGES = "site"  # name of the subfolder for pages if the chosen folder has other files


class WebPagesPanel(Panel):
    """Settings of the web pages that the program writes to folders."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Web pages"))
        self._folder_labels = {folder_key: ElidedLabel() for folder_key in FOLDERS}
        self._choose_buttons = {
            folder_key: fields.make_button(
                text("Choose a folder…"), partial(self._choose_site_folder_and_write, folder_key)
            )
            for folder_key in FOLDERS
        }
        self.language: Choice[str] = Choice(
            text("Language"), list(LANGUAGE_NAMES.items()), session.appearance, value=session.publishing.language
        )
        self.language.currentIndexChanged.connect(self._save_site_language)
        self.address = LineEdit(text("Public address"), placeholder="https://example.org/open/")
        self.address.editingFinished.connect(self._save_public_address)
        self.write_button = fields.make_button(
            text("Write the pages now"), self._save_upload_commands_and_publish, role="primary"
        )
        self.show_folder = fields.make_button(text("Open the pages"), self._open_start_page_in_browser)
        self.commands = QPlainTextEdit(session.publishing.upload_commands_text, tabChangesFocus=True)
        self.commands.setAccessibleName(text("Commands to run after writing the pages"))
        self.commands.setPlaceholderText("rsync -a --delete {folder}/ me@example.org:www/")
        self.commands.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.commands.textChanged.connect(self._enable_write_button)
        self._age_label = fields.make_note_label()
        self.error = fields.make_label("", "error", wrap=True)
        self._fill_panel_body()

    def _fill_panel_body(self) -> None:
        text, button = self.session.catalogue.text, fields.make_button
        explanation = text(
            "A folder of web pages for any web server: pairings, standings, crosstable, bracket and players, "
            "with public data only."
        )
        self.body.addWidget(fields.make_note_label(explanation))
        titles = {
            "first": text("Folder for the pages, updated after each round"),
            "second": text("Second folder for the pages, such as a synchronised folder"),
        }
        for folder_key in FOLDERS:
            clear_button = button(
                text("Use no folder"), partial(self.set_site_folder_and_write_pages, folder_key, None)
            )
            fields.add_parts_to_layout(
                self.body,
                fields.make_label(titles[folder_key], wrap=True),
                self._folder_labels[folder_key],
                fields.make_row(self._choose_buttons[folder_key], clear_button, 1),
            )
        commands = text(
            "One command per line: rsync, scp, git or your own script. {folder} stands for the folder with "
                "the pages. A command cannot ask for a password: use a key.", folder=FOLDER,
        )  # fmt: skip
        lines = fields.wrap_in_widget(fields.make_row(self.commands))
        lines.setFixedHeight(ROW * 2)
        fields.add_parts_to_layout(
            self.body, fields.make_label(text("Commands to run after writing the pages")), lines,
            fields.make_note_label(commands), FormLayout(self.language, self.address), self._age_label, self.error,
            fields.make_row(self.write_button, self.show_folder, 1), 1,
        )  # fmt: skip

    def refresh_panel(self) -> None:
        session, publishing = self.session, self.session.publishing
        no_folder = session.catalogue.text("No folder chosen")
        for folder_key, label in self._folder_labels.items():
            label.set_full_text(str(publishing.get_target_folder(folder_key) or no_folder))
        if not self.address.hasFocus():
            self.address.setText(publishing.site_address)
        self.setFocusProxy(self.write_button if publishing.is_publishing_on else self._choose_buttons["first"])
        self._age_label.setText(publishing.describe_page_age())
        self._age_label.setVisible(publishing.is_publishing_on)
        self._enable_write_button()
        self.show_folder.setEnabled(any(self._list_written_start_pages()))
        parts = [
            session.catalogue.describe_problem(problem.code, problem.facts) for problem in publishing.problems()
        ]
        fields.show_text(self.error, "\n".join(parts))

    def _save_public_address(self) -> None:
        try:
            self.session.publishing.site_address = self.address.text()
        except UserError as error:
            self.session.show_error(error, self.address)
        else:
            self.address.setText(self.session.publishing.site_address)

    def _enable_write_button(self) -> None:
        can_write = self.session.publishing.is_publishing_on or bool(self.commands.toPlainText().strip())
        self.write_button.setEnabled(can_write)

    def set_site_folder_and_write_pages(self, folder_key: str, folder: Path | None) -> None:
        self.session.publishing.set_target_folder(folder_key, folder)
        if folder is not None:
            self._save_upload_commands_and_publish()

    def _choose_site_folder_and_write(self, folder_key: str) -> None:
        folder = ask_folder(self, self.session, self.text("Choose a folder for the web pages"))
        if folder is None:
            return
        try:
            site_folder = choose_folder_or_subfolder(folder, _PAGES)
        except UserError as error:
            self.session.show_error(error)
        else:
            self.set_site_folder_and_write_pages(folder_key, site_folder)

    def _save_upload_commands_and_publish(self) -> None:
        publishing = self.session.publishing
        try:
            if self.commands.toPlainText().strip() != publishing.upload_commands_text:
                publishing.upload_commands_text = self.commands.toPlainText()
        except UserError as error:
            self.session.show_error(error, self.commands)
            return
        publishing.publish_pages(self._report_written_file_count)

    def _report_written_file_count(self, count: int) -> None:
        self.session.show_message(self.session.catalogue.plural("One file written", "{n} files written", count))

    def _open_start_page_in_browser(self) -> None:
        for page in self._list_written_start_pages()[:1]:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(page)))

    def _list_written_start_pages(self) -> list[Path]:
        pages = (folder / "index.html" for folder in self.session.publishing.targets)
        return [page for page in pages if page.exists()]

    def _save_site_language(self) -> None:
        language = self.language.value()
        if language is not None:
            self.session.publishing.language = language


_CHECK_INTERVAL = 4_000  # ms between two checks of the connections


class BrowserDeskControls(QWidget):
    """Settings of two web pages: the entry desk for results, and the jury desk."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._shown_sessions: list[tuple[DeskSession, bool]] = []
        text = session.catalogue.text
        self.enabled_box = fields.make_check_box(text("Entry desk and jury desk in a browser"))
        self.enabled_box.clicked.connect(self._switch_desks_on_or_off)
        self._note = fields.make_note_label()
        self.address = fields.make_label("", "lead")
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pins: dict[Role, QLabel] = {role: fields.make_label() for role in DESK_ROLES}
        self._renew_buttons = {
            role: fields.make_button(text("New PIN"), partial(self._renew_pin, role), role="link")
            for role in DESK_ROLES
        }
        self._pin_warning = fields.make_label("", "error", wrap=True, is_announced=True)
        self.sessions = fields.make_column(gap=UNIT // 2)
        rows = [fields.make_row(self.pins[role], self._renew_buttons[role], 1) for role in DESK_ROLES]
        fields.make_column(
            self.enabled_box, self._note, self.address, *rows, self._pin_warning, self.sessions, parent=self
        )  # fmt: skip
        self._check_timer = QTimer(self, interval=_CHECK_INTERVAL)
        self._check_timer.timeout.connect(self._show_signed_in_desks)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._check_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._check_timer.stop()
        super().hideEvent(event)

    def show_browser_desk_settings(self) -> None:
        serving, catalogue = self._session.serving, self._session.catalogue
        text, access, state = catalogue.text, serving.access, serving.access.state
        self.enabled_box.setChecked(state.is_on)
        self.enabled_box.setEnabled(not self._session.is_read_only_or_not_director)
        self._note.setText(
            text("Open this address on another computer or tablet on the same network and type the PIN.")
            if state.is_on and serving.url
            else text(
                "Switch on the web pages above first. Then a browser can serve as an entry desk or jury desk."
            )
            if state.is_on
            else text(
                "A helper enters results, or the jury checks games, in a browser. Nothing needs to be installed."
            )
        )
        fields.show_text(self.address, f"{serving.url}desk" if state.is_on and serving.url else "")
        for role, label in self.pins.items():
            pin = state.get_pin(role)
            facts = {"desk": catalogue.translate_code(role), "pin": f"{pin[:3]} {pin[3:]}"}
            fields.show_text(label, text("PIN for the {desk}: {pin}", **facts) if pin else "")
            self._renew_buttons[role].setVisible(bool(pin))
            self._renew_buttons[role].setAccessibleName(
                text("New PIN for the {desk}", desk=catalogue.translate_code(role))
            )
        warning = catalogue.plural("One wrong PIN was typed.", "{n} wrong PINs were typed.", access.wrong_pins)
        fields.show_text(self._pin_warning, warning if access.wrong_pins else "")
        self._show_signed_in_desks()

    def _show_signed_in_desks(self) -> None:
        access = self._session.serving.access
        sessions = [(session, access.is_browser_connected(session)) for session in access.state.sessions]
        if sessions != self._shown_sessions:  # otherwise a focused button would lose the focus
            self._shown_sessions = sessions
            fields.clear_layout(self.sessions)
            for session, is_connected in sessions:
                self.sessions.addWidget(self._make_signed_in_desk_row(session, is_connected=is_connected))

    def _make_signed_in_desk_row(self, session: DeskSession, *, is_connected: bool) -> QWidget:
        catalogue, line = self._session.catalogue, QWidget()
        access = self._session.serving.access
        state = (
            catalogue.text(C_("entry desk or jury desk in a browser", "connected"))
            if is_connected
            else catalogue.text(C_("entry desk or jury desk in a browser", "not connected"))
        )
        description = fields.make_label(
            f"{session.name} · {catalogue.translate_code(session.role)} · {state}", wrap=True
        )
        end = fields.make_button(catalogue.text("Sign out"), partial(access.end_session, session.key), role="link")
        end.setAccessibleName(catalogue.text("Sign out {name}", name=session.name))
        fields.make_row(description, end, parent=line).setStretch(0, 1)
        return line

    def _switch_desks_on_or_off(self) -> None:
        access = self._session.serving.access
        if self.enabled_box.isChecked():
            access.switch_on_with_new_pins()
        else:
            access.switch_off_and_sign_out_desks()

    def _renew_pin(self, role: Role) -> None:
        self._session.serving.access.renew_pin(role)
