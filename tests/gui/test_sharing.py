"""Tests of sharing a tournament: the dialogs that share, join and stop sharing, on a local server."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tdapp.app import main
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.gui.shell.data_loss_dialogs import UnsavedStepsDialog
from tdapp.gui.shell.networks import NetworkInterface, list_networks
from tdapp.gui.tournament import server_dialogs
from tdapp.gui.tournament.server_dialogs import (
    JoinDialog,
    MovedTournamentDialog,
    RemainingServerDataDialog,
    ShareDialog,
    StopSharingDialog,
)
from tdapp.gui.tournament.stations import StationsPanel, show_sharing_end_report
from tdapp.gui.widgets.theme import Appearance
from tdapp.services.sharing import EndedSharingReport, describe_ended_sharing
from tdapp.storage import Address, SnapshotFolder, Store, databases, relocation
from tdapp.storage import cluster as cluster_module
from tdapp.storage.cluster import Cluster, PostgresPrograms
from tests.gui.postgres_windows import Station, make_published_store, show_station
from tests.gui.samples import load_catalogue
from tests.storage import postgres
from tests.storage.postgres import find_free_port, make_short_folder

pytestmark = pytest.mark.slow

pytest.importorskip("psycopg", reason="psycopg is not installed (extra: stations)")

LOCAL_NETWORK = NetworkInterface("lo", "127.0.0.1", "127.0.0.1/32")


@pytest.fixture
def director_station(
    appearance: Appearance, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Station]:
    """Return a station with an open file. Its servers use a short folder path, as PostgreSQL requires."""
    monkeypatch.setattr(server_dialogs, "list_networks", lambda: (LOCAL_NETWORK,))
    folder = make_short_folder()
    store = make_published_store()
    store.copy_to_file(folder / "Open.tdapp")
    store.close()
    with show_station(appearance, qtbot, tmp_path / "one") as station:
        station.session.servers.folder = folder
        station.session.open_location(folder / "Open.tdapp")
        station.wait_until(lambda: station.session.is_open)
        yield station
    for cluster_folder in folder.iterdir():
        if Cluster.is_cluster_folder(cluster_folder):
            Cluster(cluster_folder, postgres.find_programs()).stop()
            Cluster(cluster_folder, postgres.find_programs()).delete_folder()
    shutil.rmtree(folder)


@pytest.fixture
def second_station(appearance: Appearance, qtbot: QtBot, tmp_path: Path) -> Iterator[Station]:
    with show_station(appearance, qtbot, tmp_path / "other") as station:
        yield station


def share_from_this_computer(station: Station) -> StationsPanel:
    """Share the open tournament and return the stations panel."""
    station.window.get_action("share").trigger()
    dialog = station.window.findChild(ShareDialog)
    assert dialog is not None
    dialog.port.setText(str(find_free_port()))
    dialog.yes.click()
    station.wait_until(lambda: isinstance(station.window.panel, StationsPanel))
    panel = station.window.panel
    assert isinstance(panel, StationsPanel)
    station.wait_until(lambda: panel.rows.rowCount() == 4)
    return panel


def open_join_dialog(station: Station) -> JoinDialog:
    station.window.get_action("join").trigger()
    dialog = station.window.findChild(JoinDialog)
    assert dialog is not None
    return dialog


def type_into_focused_fields(dialog: JoinDialog, characters: str) -> None:
    """Type each character into the field that has the focus at that moment."""
    keys = {"\t": Qt.Key.Key_Tab, "\r": Qt.Key.Key_Return}
    for character in characters:
        focus = dialog.focusWidget()
        assert focus is not None
        if character in keys:
            QTest.keyClick(focus, keys[character])
        else:
            QTest.keyClicks(focus, character)


def copy_address_and_password(panel: StationsPanel, login: str) -> tuple[str, str]:
    """Copy the login with the panel's button. Return the address and the password."""
    panel.view.select_row(login)
    panel.copy_button.click()
    address, password = QGuiApplication.clipboard().text().split("\n")
    return address, password


def read_journal(file: Path) -> object:
    with closing(Store.open(file, read_only=True)) as store:
        return store.read_raw_journal_lines()


def open_stop_dialog(station: Station, panel: StationsPanel) -> StopSharingDialog:
    """Press "Stop sharing" and return the dialog."""
    panel.stop_button.click()
    station.wait_until(lambda: station.window.findChild(StopSharingDialog) is not None)
    dialog = station.window.findChild(StopSharingDialog)
    assert dialog is not None
    return dialog


def test_stop_sharing_dialog_names_disconnected_stations(
    director_station: Station, second_station: Station
) -> None:
    file = director_station.session.path
    assert file is not None
    panel = share_from_this_computer(director_station)
    address, password = copy_address_and_password(panel, "entry")
    second_station.session.open_location(Address.parse(address).replace_parts(password=password))
    second_station.wait_until(lambda: second_station.session.is_open)
    panel.request_station_list()
    director_station.wait_until(lambda: panel.rows.find_row_by_key("entry").here)
    dialog = open_stop_dialog(director_station, panel)
    label_texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "These stations will be disconnected: entry." in label_texts
    assert dialog.yes.text() == f"Copy the tournament back into {file.name}"
    assert director_station.session.address is not None
    dialog.yes.click()
    director_station.wait_until(lambda: director_station.session.is_open and director_station.session.path == file)
    director_station.wait_until(lambda: director_station.window.findChild(RemainingServerDataDialog) is not None)
    second_station.wait_until(
        lambda: second_station.get_save_state().startswith("The director has stopped sharing")
    )


def test_join_dialog_finds_the_port_of_the_director(
    director_station: Station, second_station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, password = copy_address_and_password(share_from_this_computer(director_station), "entry")
    monkeypatch.setattr(cluster_module, "FIRST_PORT", int(address.rpartition(":")[2].partition("/")[0]))
    monkeypatch.setattr(cluster_module, "USUAL_PORT", find_free_port())  # no server uses this port
    dialog = open_join_dialog(second_station)
    dialog.address.setText("127.0.0.1")
    dialog.login.setText("entry")
    dialog.password.setText(password + "x")
    dialog.yes.click()
    second_station.wait_until(lambda: "name or password is wrong" in dialog.error.text())
    dialog.password.setText(password)
    dialog.yes.click()
    second_station.wait_until(lambda: second_station.session.is_open)
    assert second_station.session.desk.role is Role.ENTRY


def test_share_dialog_detects_a_new_network(director_station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_dialogs, "list_networks", tuple)
    director_station.window.get_action("share").trigger()
    dialog = director_station.window.findChild(ShareDialog)
    assert dialog is not None
    assert "network" in dialog.error.text()
    assert (dialog.network.value(), dialog.port.text()) == (None, "")
    monkeypatch.setattr(server_dialogs, "list_networks", lambda: (LOCAL_NETWORK,))
    director_station.wait_until(lambda: dialog.network.value() == LOCAL_NETWORK)
    assert dialog.port.text()
    assert not dialog.error.text()


def test_sharing_transfers_results_until_it_ends(director_station: Station, second_station: Station) -> None:
    file = director_station.session.path
    assert file is not None
    before = read_journal(file)
    panel = share_from_this_computer(director_station)
    address, password = copy_address_and_password(panel, "entry")
    dialog = open_join_dialog(second_station)
    dialog.activateWindow()
    second_station.wait_until(dialog.isActiveWindow)
    type_into_focused_fields(dialog, address)
    type_into_focused_fields(dialog, "\t")
    assert dialog.address.text() == address.partition("@")[2]
    assert dialog.login.text() == "entry"
    dictated_password = password.upper().replace("-", " ")
    type_into_focused_fields(dialog, f"\t{dictated_password}\r")
    second_station.wait_until(lambda: second_station.session.is_open)
    assert second_station.session.desk.role is Role.ENTRY
    second_station.enter_result("1 412 388")
    director_station.wait_for_points(1, (412, 388))
    panel.request_station_list()
    director_station.wait_until(lambda: panel.rows.find_row_by_key("entry").here)
    assert read_journal(file) == before
    second_station.type_result("2 400 3")
    cluster = director_station.session.sharing.find_own_server()
    assert cluster is not None
    director_station.session.sharing.propose_original_path(director_station.session.sharing.end_sharing)
    director_station.wait_until(lambda: director_station.session.is_open and director_station.session.path == file)
    assert director_station.get_points(1) == (412, 388)
    assert [step.station for step in director_station.session.desk.list_all_steps()] == ["director", "entry"]
    assert not cluster.folder.exists()
    second_station.wait_until(lambda: second_station.get_save_state() == "The director has stopped sharing")
    second_station.wait_until(second_station.rounds_page.field.line.isReadOnly)
    assert second_station.rounds_page.field.line.text() == "2 400 3"  # the user can still copy it
    second_station.session.do(
        partial(commands.enter_result, game=second_station.get_game(2).id, first=400, second=300)
    )
    second_station.window.get_action("close").trigger()
    unsaved_steps_dialog = second_station.window.findChild(UnsavedStepsDialog)
    assert unsaved_steps_dialog is not None
    assert any("tell the director" in label.text() for label in unsaved_steps_dialog.findChildren(QLabel))


def test_sharing_never_saves_or_shows_a_password(
    director_station: Station, second_station: Station, tmp_path: Path
) -> None:
    panel = share_from_this_computer(director_station)
    address, password = copy_address_and_password(panel, "jury")
    dialog = open_join_dialog(second_station)
    QGuiApplication.clipboard().setText(address.replace("jury@", f"jury:{password}@"))
    QTest.keySequence(dialog.address, QKeySequence(QKeySequence.StandardKey.Paste))
    assert password not in dialog.address.text()
    assert dialog.focusWidget() is dialog.password
    assert dialog.password.text() == password
    assert dialog.password.echoMode() is dialog.password.EchoMode.Password
    dialog.password.setText("wr0ngw0rd")
    dialog.yes.click()
    second_station.wait_until(lambda: bool(dialog.error.text()))
    assert "name or password is wrong" in dialog.error.text()
    assert "wr0ngw0rd" not in dialog.error.text()
    dialog.password.setText(password)
    dialog.yes.click()
    second_station.wait_until(lambda: second_station.session.is_open)
    second_station.enter_result("1 400 300")
    director_station.wait_for_points(1, (400, 300))
    director_station.session.settings.sync()
    second_station.session.settings.sync()
    cluster = director_station.session.sharing.find_own_server()
    assert cluster is not None
    saved_files = [*tmp_path.rglob("*.ini"), cluster.log_path, cluster.folder / "shared.json"]
    saved_files += list((cluster.folder / "data").glob("*.conf"))
    assert len(saved_files) >= 5
    for path in saved_files:
        assert password not in path.read_text(errors="replace")
    assert password not in second_station.window.windowTitle()
    label_texts = [label.text() for label in second_station.window.findChildren(QLabel)]
    assert not any(password in text for text in label_texts)
    assert [str(location) for location in second_station.session.recent.list_existing_locations()] == [address]


def test_join_dialog_lists_all_tournaments_of_a_server(director_station: Station, second_station: Station) -> None:
    panel = share_from_this_computer(director_station)
    address, password = copy_address_and_password(panel, "entry")
    cluster = director_station.session.sharing.find_own_server()
    assert cluster is not None
    databases.create_database(cluster.make_socket_address("second"))
    second_store = make_published_store()
    relocation.move_tournament_to_server(second_store, cluster.make_socket_address("second"))
    second_store.close()
    shared_store = Store.open(cluster.make_socket_address("second"))
    shared_store.server.create_login_or_change_role("entry", Role.ENTRY, "")
    shared_store.close()
    dialog = open_join_dialog(second_station)
    server_address = address.partition("@")[2].partition("/")[0]
    dialog.address.setText(server_address)
    dialog.login.setText("entry")
    dialog.password.setText(password)
    dialog.yes.click()
    second_station.wait_until(dialog.view.isVisible)
    assert not second_station.session.is_open
    dialog.view.select_row("second")
    dialog.yes.click()
    second_station.wait_until(lambda: second_station.session.is_open)
    assert second_station.session.address is not None
    assert second_station.session.address.parts.database == "second"


def test_sharing_restarts_the_server_after_a_computer_restart(
    director_station: Station, appearance: Appearance, qtbot: QtBot
) -> None:
    share_from_this_computer(director_station)
    cluster, address = director_station.session.sharing.find_own_server(), director_station.session.address
    assert cluster is not None
    assert address is not None
    director_station.session.open_tournament_of_desk(None)
    director_station.session.work.run_on_desk_thread(
        cluster.stop, on_success=lambda _result: None, on_error=raise_error
    )  # a computer restart stops the server too
    assert director_station.session.recent.list_existing_locations()[0] == address
    director_station.session.open_location(director_station.session.recent.list_existing_locations()[0])
    director_station.wait_until(lambda: director_station.session.is_open)
    assert cluster.is_running
    director_station.window.get_action("stations").trigger()
    panel = director_station.window.panel
    assert isinstance(panel, StationsPanel)
    director_station.wait_until(lambda: panel.rows.rowCount() == 4)


def test_stations_panel_adds_renews_and_removes_a_station(director_station: Station) -> None:
    panel = share_from_this_computer(director_station)
    QTest.keyClicks(panel.new_name, "entry2")
    QTest.keyClick(panel.new_name, Qt.Key.Key_Return)
    director_station.wait_until(lambda: panel.rows.rowCount() == 5)
    address, first_password = copy_address_and_password(panel, "entry2")
    Store.open(Address.parse(address).replace_parts(password=first_password)).close()
    panel.renew_button.click()
    director_station.wait_until(lambda: copy_address_and_password(panel, "entry2")[1] != first_password)
    second_password = copy_address_and_password(panel, "entry2")[1]
    with pytest.raises(StorageError, match="server-password"):
        Store.open(Address.parse(address).replace_parts(password=first_password))
    Store.open(Address.parse(address).replace_parts(password=second_password)).close()
    panel.remove_button.click()
    director_station.wait_until(lambda: panel.rows.rowCount() == 4)
    with pytest.raises(StorageError, match="server-password"):
        Store.open(Address.parse(address).replace_parts(password=second_password))
    QTest.keyClicks(panel.new_name, "Director")
    panel.add_button.click()
    director_station.wait_until(lambda: "Choose another" in panel.error.text())


def test_login_cards_show_address_and_password(director_station: Station) -> None:
    panel = share_from_this_computer(director_station)
    document = pypdfium2.PdfDocument(panel.make_login_cards_pdf())
    text = document[0].get_textpage().get_text_range()
    document.close()
    for login in ("deputy", "display", "entry", "jury"):
        address, password = copy_address_and_password(panel, login)
        assert address in text
        assert password in text


# --- an existing server


def test_share_dialog_uses_an_existing_server(
    director_station: Station, cluster: postgres.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.run_statement("CREATE ROLE club LOGIN CREATEDB CREATEROLE PASSWORD 'clubword'")
    director_station.window.get_action("share").trigger()
    dialog = director_station.window.findChild(ShareDialog)
    assert dialog is not None
    dialog.server_button.setChecked(True)
    dialog.server.setFocus()
    QTest.keyClicks(dialog.server, f"postgresql://club:clubword@127.0.0.1:{cluster.port}/")
    assert (dialog.login.text(), dialog.password.text()) == ("club", "clubword")
    assert dialog.database.text() == "open_leiden_2026"
    dialog.yes.click()
    director_station.wait_until(lambda: isinstance(director_station.window.panel, StationsPanel))
    panel = director_station.window.panel
    assert isinstance(panel, StationsPanel)
    director_station.wait_until(lambda: panel.rows.rowCount() == 4)
    address, password = copy_address_and_password(panel, "open_leiden_2026_entry")
    entry = Address.parse(address).replace_parts(password=password)
    Store.open(entry).close()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_kw: (str(tmp_path / "back.tdapp"), ""))
    open_stop_dialog(director_station, panel).other_file_button.click()
    director_station.wait_until(
        lambda: director_station.session.is_open and director_station.session.path == tmp_path / "back.tdapp"
    )
    with pytest.raises(StorageError):
        Store.open(entry)


def test_moved_dialog_makes_a_read_only_file_editable(director_station: Station, database: Address) -> None:
    file = director_station.session.path
    assert file is not None
    director_station.session.open_tournament_of_desk(None)
    with closing(Store.open(file)) as store:
        relocation.move_tournament_to_server(store, database)
    director_station.session.open_location(file)
    director_station.wait_until(lambda: director_station.window.findChild(MovedTournamentDialog) is not None)
    dialog = director_station.window.findChild(MovedTournamentDialog)
    assert dialog is not None
    assert str(database) in dialog.findChildren(QLabel)[1].text()
    assert director_station.get_save_state() == "Read only: the tournament continues on another computer"
    assert not dialog.continue_button.isEnabled()
    dialog.confirm_box.setChecked(True)
    dialog.continue_button.click()
    director_station.wait_until(
        lambda: director_station.session.is_open and not director_station.session.is_read_only_or_not_director
    )
    director_station.enter_result("1 412 388")
    director_station.wait_for_points(1, (412, 388))


def test_moved_dialog_joins_the_server_of_a_file(director_station: Station, database: Address) -> None:
    file = director_station.session.path
    assert file is not None
    director_station.session.open_tournament_of_desk(None)
    with closing(Store.open(file)) as store:
        relocation.move_tournament_to_server(store, database)
    director_station.session.open_location(file)
    director_station.wait_until(lambda: director_station.window.findChild(MovedTournamentDialog) is not None)
    dialog = director_station.window.findChild(MovedTournamentDialog)
    assert dialog is not None
    dialog.yes.click()
    director_station.wait_until(lambda: director_station.session.address == database)
    SnapshotFolder.from_tournament(
        director_station.session.servers.make_path_for_naming_snapshot_folder(database)
    ).folder.mkdir(exist_ok=True)
    director_station.session.sharing.propose_original_path(partial(end_sharing_into_file, director_station, file))
    director_station.wait_until(lambda: director_station.window.findChild(RemainingServerDataDialog) is not None)
    remaining_data_dialog = director_station.window.findChild(RemainingServerDataDialog)
    assert remaining_data_dialog is not None
    assert any("snapshots" in label.text() for label in remaining_data_dialog.findChildren(QLabel))
    remaining_data_dialog.yes.click()
    assert director_station.session.path == file
    assert not director_station.session.is_read_only_or_not_director


def end_sharing_into_file(station: Station, file: Path, proposed: Path) -> None:
    assert proposed == file
    station.session.sharing.end_sharing(
        proposed, partial(show_sharing_end_report, station.session, station.window)
    )


# --- sharing is impossible


def read_sharing_error(station: Station) -> str:
    station.window.get_action("share").trigger()
    dialog = station.window.findChild(ShareDialog)
    assert dialog is not None
    message = dialog.error.text()
    if not message:
        dialog.yes.click()
        station.wait_until(lambda: bool(dialog.error.text()))
        message = dialog.error.text()
    dialog.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert station.session.address is None
    return message


def raise_error(error: Exception) -> None:
    raise error


def raise_missing_programs() -> PostgresPrograms:
    raise StorageError("cluster-no-programs")


def test_share_dialog_explains_why_sharing_is_impossible(
    director_station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    director_station.session.servers.find_programs = raise_missing_programs
    assert "apt install postgresql" in read_sharing_error(director_station)
    director_station.session.servers.find_programs = lambda: PostgresPrograms(Path("/nowhere"))
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    assert "ordinary user" in read_sharing_error(director_station)
    monkeypatch.setattr(server_dialogs, "list_networks", tuple)
    assert "not on a network" in read_sharing_error(director_station)


def test_share_dialog_reports_a_port_in_use(director_station: Station) -> None:
    with socket.socket() as used_socket:
        used_socket.bind(("127.0.0.1", 0))
        used_socket.listen()
        director_station.window.get_action("share").trigger()
        dialog = director_station.window.findChild(ShareDialog)
        assert dialog is not None
        dialog.port.setText(str(used_socket.getsockname()[1]))
        dialog.yes.click()
        director_station.wait_until(lambda: "taken" in dialog.error.text())
    assert [
        path for path in director_station.session.servers.folder.iterdir() if Cluster.is_cluster_folder(path)
    ] == []
    dialog.port.setText("80")
    dialog.yes.click()
    assert "1024" in dialog.error.text()
    dialog.reject()


def test_share_dialog_restarts_a_server_at_another_address(director_station: Station) -> None:
    share_from_this_computer(director_station)
    cluster, address = director_station.session.sharing.find_own_server(), director_station.session.address
    assert cluster is not None
    assert address is not None
    director_station.session.open_tournament_of_desk(None)
    director_station.session.work.run_on_desk_thread(
        cluster.stop, on_success=lambda _result: None, on_error=raise_error
    )
    director_station.wait_until(lambda: not cluster.is_running)
    with socket.socket() as used_socket:
        used_socket.bind(("127.0.0.1", cluster.cluster_settings.listening.port))
        used_socket.listen()
        director_station.session.open_location(address)
        director_station.wait_until(lambda: director_station.window.findChild(ShareDialog) is not None)
        dialog = director_station.window.findChild(ShareDialog)
        assert dialog is not None
        assert "taken" in dialog.error.text()
        dialog.port.setText(str(find_free_port()))
        dialog.yes.click()
        director_station.wait_until(lambda: director_station.session.is_open)
    assert director_station.session.address != address


def test_end_sharing_does_not_overwrite_a_changed_file(director_station: Station) -> None:
    file = director_station.session.path
    assert file is not None
    share_from_this_computer(director_station)
    file_store = Store.open(file)
    file_store.close()
    file.write_bytes(b"something else")
    messages: list[tuple[str, bool]] = []
    director_station.session.message_sent.connect(
        lambda sentence, _undo, _tone: messages.append((sentence, director_station.session.is_open))
    )
    director_station.session.sharing.end_sharing(file)
    director_station.wait_until(lambda: bool(messages))
    assert director_station.session.is_open
    assert director_station.session.address is not None
    assert file.read_bytes() == b"something else"
    assert "Open.tdapp" in messages[0][0]
    assert messages[0][1], "the tournament opened after the message, which hides the message"


def test_open_file_opens_the_shared_tournament(director_station: Station) -> None:
    file = director_station.session.path
    assert file is not None
    share_from_this_computer(director_station)
    address = director_station.session.address
    director_station.enter_result("1 412 388")
    director_station.wait_for_points(1, (412, 388))
    director_station.session.open_tournament_of_desk(None)
    messages: list[str] = []
    director_station.session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    director_station.session.open_file(file)
    director_station.wait_until(lambda: bool(messages))
    assert director_station.session.address == address
    assert director_station.get_points(1) == (412, 388)
    assert messages == ["Shared from this computer."]


def test_sharing_restarts_a_stopped_server(director_station: Station) -> None:
    share_from_this_computer(director_station)
    cluster = director_station.session.sharing.find_own_server()
    assert cluster is not None
    cluster.stop()
    director_station.enter_result("1 412 388")
    director_station.wait_for_points(1, (412, 388))
    assert cluster.is_running
    director_station.wait_until(lambda: director_station.session.queue.error is None)


@pytest.mark.parametrize("text", ["", "h:port/x", "postgresql://h/x"])
def test_join_dialog_names_missing_input(second_station: Station, text: str) -> None:
    dialog = open_join_dialog(second_station)
    dialog.address.setText(text)
    dialog.yes.click()
    assert dialog.error.text()
    dialog.reject()


def test_list_networks_omits_the_loopback_network() -> None:
    networks = list_networks()
    if not networks:
        pytest.skip("this computer has no network")
    for network in networks:
        assert not network.address.startswith("127.")
        assert "/" in network.subnet


# --- the command line and the list of recent tournaments


def test_main_opens_the_window_on_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    opened_locations: list[object] = []

    def run(location: object, **_options: object) -> int:
        opened_locations.append(location)
        return 0

    monkeypatch.setattr("tdapp.gui.run_window", run)
    for argument in ("postgresql://anna@hall:5433/open", "Open.tdapp"):
        assert main([argument]) == 0
    assert opened_locations == [Address.parse("postgresql://anna@hall:5433/open"), Path("Open.tdapp")]


def test_join_dialog_asks_for_missing_parts_of_an_address(
    second_station: Station, cluster: postgres.Cluster, database: Address
) -> None:
    store = make_published_store()
    relocation.move_tournament_to_server(store, database)
    store.close()
    owner = Store.open(database)
    login = f"anna_{database.stem}"
    owner.server.create_login_or_change_role(login, Role.ENTRY, "opensesame")
    owner.close()
    address = cluster.make_address(database.stem, login, "opensesame").replace_parts(password="")
    second_station.session.open_location(address)
    second_station.wait_until(lambda: second_station.window.findChild(JoinDialog) is not None)
    dialog = second_station.window.findChild(JoinDialog)
    assert dialog is not None
    assert (dialog.login.text(), dialog.password.text()) == (login, "")
    assert dialog.address.text().endswith(f"/{database.stem}")
    assert dialog.error.text() == ""  # a missing password is not an error
    dialog.password.setText("opensesame")
    dialog.yes.click()
    second_station.wait_until(lambda: second_station.session.is_open)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    second_station.session.open_location(Address("postgresql://anna:s3cret@hall:port/open"))
    second_station.wait_until(lambda: second_station.window.findChild(JoinDialog) is not None)
    dialog = second_station.window.findChild(JoinDialog)
    assert dialog is not None
    assert "postgresql://name@host/database" in dialog.error.text()
    assert "s3cret" not in dialog.error.text() + dialog.address.text()
    dialog.reject()


def test_sharing_end_report_names_the_database_to_delete() -> None:
    address = "postgresql://owner@hall/vinter%20h%C3%B8st"
    report = EndedSharingReport(Path("cup.tdapp"), address, StorageError("no-permission"), None)
    lines = [*describe_ended_sharing(report, load_catalogue("en"))]
    assert any('DROP DATABASE "vinter høst"' in line for line in lines)


def test_recent_tournaments_omit_a_deleted_server(second_station: Station, tmp_path: Path) -> None:
    addresses = [
        f"postgresql://owner@/open?host={tmp_path}&port=1",
        f"postgresql://owner@/open?host={tmp_path / 'x'}",
    ]
    second_station.session.settings.setValue(
        "recent", [*addresses, "postgresql://anna@hall/open", str(tmp_path / "y.tdapp")]
    )
    assert [str(location) for location in second_station.session.recent.list_existing_locations()] == [
        addresses[0],
        "postgresql://anna@hall/open",
    ]
    assert second_station.session.recent.list_existing_files() == []
