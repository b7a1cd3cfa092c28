"""A tournament is shared, joined and brought back by the window's dialogs, on a server that it starts."""

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
from tdapp.gui.shell.networks import Network, list_networks
from tdapp.gui.tournament import server_dialogs
from tdapp.gui.tournament.server_dialogs import (
    JoinDialog,
    MovedTournamentDialog,
    RemainingServerDataDialog,
    ShareDialog,
    StopSharingDialog,
)
from tdapp.gui.tournament.stations import StationsPanel, report_move_back
from tdapp.gui.widgets.theme import Appearance
from tdapp.storage import Address, SnapshotFolder, Store, databases, relocation
from tdapp.storage import cluster as cluster_module
from tdapp.storage.cluster import Cluster, PostgresPrograms
from tests.gui.postgres_windows import Station, make_published_store, show_station
from tests.storage import postgres
from tests.storage.postgres import free_port, short_folder

pytestmark = pytest.mark.slow

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

HERE = Network("lo", "127.0.0.1", "127.0.0.1/32")


@pytest.fixture
def one(
    appearance: Appearance, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Station]:
    """A window on a file, with servers in a folder their programs may use."""
    monkeypatch.setattr(server_dialogs, "list_networks", lambda: (HERE,))
    folder = short_folder()
    store = make_published_store()
    store.copy_to_file(folder / "Open.tdapp")
    store.close()
    with show_station(appearance, qtbot, tmp_path / "one") as made:
        made.session.servers.folder = folder
        made.session.open_location(folder / "Open.tdapp")
        made.wait_until(lambda: made.session.is_open)
        yield made
    for place in folder.iterdir():
        if Cluster.is_cluster_folder(place):
            Cluster(place, postgres.programs()).stop()
            Cluster(place, postgres.programs()).remove()
    shutil.rmtree(folder)


@pytest.fixture
def other(appearance: Appearance, qtbot: QtBot, tmp_path: Path) -> Iterator[Station]:
    with show_station(appearance, qtbot, tmp_path / "other") as made:
        yield made


def shared(station: Station) -> StationsPanel:
    """Share from this computer, and return the panel that opens."""
    station.window.command("share").trigger()
    dialog = station.window.findChild(ShareDialog)
    assert dialog is not None
    dialog.port.setText(str(free_port()))
    dialog.yes.click()
    station.wait_until(lambda: isinstance(station.window.panel, StationsPanel))
    panel = station.window.panel
    assert isinstance(panel, StationsPanel)
    station.wait_until(lambda: panel.rows.rowCount() == 4)
    return panel


def joining(station: Station) -> JoinDialog:
    station.window.command("join").trigger()
    dialog = station.window.findChild(JoinDialog)
    assert dialog is not None
    return dialog


def type_as_shown(dialog: JoinDialog, signs: str) -> None:
    """Type sign by sign, each into the field that has the keys by then."""
    keys = {"\t": Qt.Key.Key_Tab, "\r": Qt.Key.Key_Return}
    for sign in signs:
        focus = dialog.focusWidget()
        assert focus is not None
        if sign in keys:
            QTest.keyClick(focus, keys[sign])
        else:
            QTest.keyClicks(focus, sign)


def copied(panel: StationsPanel, login: str) -> tuple[str, str]:
    """Return what the panel gives to the clipboard."""
    panel.view.choose(login)
    panel.copy_button.click()
    address, password = QGuiApplication.clipboard().text().split("\n")
    return address, password


def steps(file: Path) -> object:
    with closing(Store.open(file, read_only=True)) as store:
        return store.read_raw_journal_lines()


def stopping(station: Station, panel: StationsPanel) -> StopSharingDialog:
    """Press Stop sharing, and return the dialog that asks."""
    panel.stop_button.click()
    station.wait_until(lambda: station.window.findChild(StopSharingDialog) is not None)
    dialog = station.window.findChild(StopSharingDialog)
    assert dialog is not None
    return dialog


def test_stop_sharing_names_the_disconnected_stations(one: Station, other: Station) -> None:
    file = one.session.path
    assert file is not None
    panel = shared(one)
    address, password = copied(panel, "entry")
    other.session.open_location(Address.parse(address).replace_parts(password=password))
    other.wait_until(lambda: other.session.is_open)
    panel.request_stations()
    one.wait_until(lambda: panel.rows.row("entry").here)
    dialog = stopping(one, panel)
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert "These stations are disconnected: entry." in said
    assert dialog.yes.text() == f"Copy the tournament back into {file.name}"
    assert one.session.address is not None
    dialog.yes.click()
    one.wait_until(lambda: one.session.is_open and one.session.path == file)
    one.wait_until(lambda: one.window.findChild(RemainingServerDataDialog) is not None)
    other.wait_until(lambda: other.get_save_state().startswith("The director has stopped sharing"))


def test_join_finds_the_port_of_the_director(
    one: Station, other: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, password = copied(shared(one), "entry")
    monkeypatch.setattr(cluster_module, "FIRST_PORT", int(address.rpartition(":")[2].partition("/")[0]))
    monkeypatch.setattr(cluster_module, "USUAL_PORT", free_port())  # nothing answers there
    dialog = joining(other)
    dialog.address.setText("127.0.0.1")
    dialog.login.setText("entry")
    dialog.password.setText(password + "x")
    dialog.yes.click()
    other.wait_until(lambda: "name or password is wrong" in dialog.error.text())
    dialog.password.setText(password)
    dialog.yes.click()
    other.wait_until(lambda: other.session.is_open)
    assert other.session.desk.role is Role.ENTRY


def test_share_dialog_finds_a_network_joined_meanwhile(one: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_dialogs, "list_networks", tuple)
    one.window.command("share").trigger()
    dialog = one.window.findChild(ShareDialog)
    assert dialog is not None
    assert "network" in dialog.error.text()
    assert (dialog.network.value(), dialog.port.text()) == (None, "")
    monkeypatch.setattr(server_dialogs, "list_networks", lambda: (HERE,))
    one.wait_until(lambda: dialog.network.value() == HERE)
    assert dialog.port.text()
    assert not dialog.error.text()


def test_sharing_shares_joins_plays_and_ends(one: Station, other: Station) -> None:
    file = one.session.path
    assert file is not None
    before = steps(file)
    panel = shared(one)
    address, password = copied(panel, "entry")
    dialog = joining(other)
    dialog.activateWindow()
    other.wait_until(dialog.isActiveWindow)
    type_as_shown(dialog, address)
    type_as_shown(dialog, "\t")
    assert dialog.address.text() == address.partition("@")[2]
    assert dialog.login.text() == "entry"
    said_aloud = password.upper().replace("-", " ")
    type_as_shown(dialog, f"\t{said_aloud}\r")
    other.wait_until(lambda: other.session.is_open)
    assert other.session.desk.role is Role.ENTRY
    other.enter("1 412 388")
    one.wait_for_points(1, (412, 388))
    panel.request_stations()
    one.wait_until(lambda: panel.rows.row("entry").here)
    assert steps(file) == before
    other.type("2 400 3")
    cluster = one.session.sharing.find_own_server()
    assert cluster is not None
    one.session.sharing.propose_file_path(one.session.sharing.end_sharing)
    one.wait_until(lambda: one.session.is_open and one.session.path == file)
    assert one.points(1) == (412, 388)
    assert [step.station for step in one.session.desk.history()] == ["director", "entry"]
    assert not cluster.folder.exists()
    other.wait_until(lambda: other.get_save_state() == "The director has stopped sharing")
    other.wait_until(other.rounds.field.line.isReadOnly)
    assert other.rounds.field.line.text() == "2 400 3"  # to be copied
    other.session.do(partial(commands.enter_result, game=other.game(2).id, first=400, second=300))
    other.window.command("close").trigger()
    asked = other.window.findChild(UnsavedStepsDialog)
    assert asked is not None
    assert any("tell the director" in label.text() for label in asked.findChildren(QLabel))


def test_sharing_keeps_and_shows_no_password(one: Station, other: Station, tmp_path: Path) -> None:
    panel = shared(one)
    address, password = copied(panel, "jury")
    dialog = joining(other)
    QGuiApplication.clipboard().setText(address.replace("jury@", f"jury:{password}@"))
    QTest.keySequence(dialog.address, QKeySequence(QKeySequence.StandardKey.Paste))
    assert password not in dialog.address.text()
    assert dialog.focusWidget() is dialog.password
    assert dialog.password.text() == password
    assert dialog.password.echoMode() is dialog.password.EchoMode.Password
    dialog.password.setText("wr0ngw0rd")
    dialog.yes.click()
    other.wait_until(lambda: bool(dialog.error.text()))
    assert "name or password is wrong" in dialog.error.text()
    assert "wr0ngw0rd" not in dialog.error.text()
    dialog.password.setText(password)
    dialog.yes.click()
    other.wait_until(lambda: other.session.is_open)
    other.enter("1 400 300")
    one.wait_for_points(1, (400, 300))
    one.session.settings.sync()
    other.session.settings.sync()
    cluster = one.session.sharing.find_own_server()
    assert cluster is not None
    kept = [*tmp_path.rglob("*.ini"), cluster.log_path, cluster.folder / "shared.json"]
    kept += list((cluster.folder / "data").glob("*.conf"))
    assert len(kept) >= 5
    for path in kept:
        assert password not in path.read_text(errors="replace")
    assert password not in other.window.windowTitle()
    seen = [label.text() for label in other.window.findChildren(QLabel)]
    assert not any(password in text for text in seen)
    assert [str(place) for place in other.session.recent.list_locations()] == [address]


def test_join_dialog_lists_tournaments_of_a_server(one: Station, other: Station) -> None:
    panel = shared(one)
    address, password = copied(panel, "entry")
    cluster = one.session.sharing.find_own_server()
    assert cluster is not None
    databases.create_database(cluster.make_socket_address("second"))
    second = make_published_store()
    relocation.share_tournament(second, cluster.make_socket_address("second"))
    second.close()
    opened = Store.open(cluster.make_socket_address("second"))
    opened.server.grant_login("entry", Role.ENTRY, "")
    opened.close()
    dialog = joining(other)
    server = address.partition("@")[2].partition("/")[0]
    dialog.address.setText(server)
    dialog.login.setText("entry")
    dialog.password.setText(password)
    dialog.yes.click()
    other.wait_until(dialog.view.isVisible)
    assert not other.session.is_open
    dialog.view.choose("second")
    dialog.yes.click()
    other.wait_until(lambda: other.session.is_open)
    assert other.session.address is not None
    assert other.session.address.parts.database == "second"


def test_sharing_is_found_again_after_a_restart(one: Station, appearance: Appearance, qtbot: QtBot) -> None:
    shared(one)
    cluster, address = one.session.sharing.find_own_server(), one.session.address
    assert cluster is not None
    assert address is not None
    one.session.attach_desk(None)
    one.session.work.run_in_order(
        cluster.stop, on_success=lambda _none: None, on_error=_fail
    )  # as when the computer restarts
    assert one.session.recent.list_locations()[0] == address
    one.session.open_location(one.session.recent.list_locations()[0])
    one.wait_until(lambda: one.session.is_open)
    assert cluster.is_running
    one.window.command("stations").trigger()
    panel = one.window.panel
    assert isinstance(panel, StationsPanel)
    one.wait_until(lambda: panel.rows.rowCount() == 4)


def test_stations_panel_adds_renews_and_removes_a_station(one: Station) -> None:
    panel = shared(one)
    QTest.keyClicks(panel.new_name, "entry2")
    QTest.keyClick(panel.new_name, Qt.Key.Key_Return)
    one.wait_until(lambda: panel.rows.rowCount() == 5)
    address, first = copied(panel, "entry2")
    Store.open(Address.parse(address).replace_parts(password=first)).close()
    panel.renew_button.click()
    one.wait_until(lambda: copied(panel, "entry2")[1] != first)
    second = copied(panel, "entry2")[1]
    with pytest.raises(StorageError, match="server-password"):
        Store.open(Address.parse(address).replace_parts(password=first))
    Store.open(Address.parse(address).replace_parts(password=second)).close()
    panel.remove_button.click()
    one.wait_until(lambda: panel.rows.rowCount() == 4)
    with pytest.raises(StorageError, match="server-password"):
        Store.open(Address.parse(address).replace_parts(password=second))
    QTest.keyClicks(panel.new_name, "Director")
    panel.add_button.click()
    one.wait_until(lambda: "Choose another" in panel.error.text())


def test_login_cards_contain_the_typed_data(one: Station) -> None:
    panel = shared(one)
    document = pypdfium2.PdfDocument(panel.make_login_cards())
    text = document[0].get_textpage().get_text_range()
    document.close()
    for login in ("deputy", "display", "entry", "jury"):
        address, password = copied(panel, login)
        assert address in text
        assert password in text


# --- another's server


def test_share_dialog_shares_on_an_existing_server(
    one: Station, cluster: postgres.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.run("CREATE ROLE club LOGIN CREATEDB CREATEROLE PASSWORD 'clubword'")
    one.window.command("share").trigger()
    dialog = one.window.findChild(ShareDialog)
    assert dialog is not None
    dialog.server_button.setChecked(True)
    dialog.server.setFocus()
    QTest.keyClicks(dialog.server, f"postgresql://club:clubword@127.0.0.1:{cluster.port}/")
    assert (dialog.login.text(), dialog.password.text()) == ("club", "clubword")
    assert dialog.database.text() == "open_leiden_2026"
    dialog.yes.click()
    one.wait_until(lambda: isinstance(one.window.panel, StationsPanel))
    panel = one.window.panel
    assert isinstance(panel, StationsPanel)
    one.wait_until(lambda: panel.rows.rowCount() == 4)
    address, password = copied(panel, "open_leiden_2026_entry")
    entry = Address.parse(address).replace_parts(password=password)
    Store.open(entry).close()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_kw: (str(tmp_path / "back.tdapp"), ""))
    stopping(one, panel).other_file_button.click()
    one.wait_until(lambda: one.session.is_open and one.session.path == tmp_path / "back.tdapp")
    with pytest.raises(StorageError):
        Store.open(entry)


def test_moved_dialog_shows_a_read_only_file_until_continued(one: Station, database: Address) -> None:
    file = one.session.path
    assert file is not None
    one.session.attach_desk(None)
    with closing(Store.open(file)) as store:
        relocation.share_tournament(store, database)
    one.session.open_location(file)
    one.wait_until(lambda: one.window.findChild(MovedTournamentDialog) is not None)
    dialog = one.window.findChild(MovedTournamentDialog)
    assert dialog is not None
    assert str(database) in dialog.findChildren(QLabel)[1].text()
    assert one.get_save_state() == "Read only: the tournament continues on another computer"
    assert not dialog.continue_button.isEnabled()
    dialog.confirm_box.setChecked(True)
    dialog.continue_button.click()
    one.wait_until(lambda: one.session.is_open and not one.session.is_read_only)
    one.enter("1 412 388")
    one.wait_for_points(1, (412, 388))


def test_moved_dialog_joins_the_server_of_a_file(one: Station, database: Address) -> None:
    file = one.session.path
    assert file is not None
    one.session.attach_desk(None)
    with closing(Store.open(file)) as store:
        relocation.share_tournament(store, database)
    one.session.open_location(file)
    one.wait_until(lambda: one.window.findChild(MovedTournamentDialog) is not None)
    dialog = one.window.findChild(MovedTournamentDialog)
    assert dialog is not None
    dialog.yes.click()
    one.wait_until(lambda: one.session.address == database)
    SnapshotFolder.from_tournament(one.session.servers.make_snapshot_path(database)).folder.mkdir(exist_ok=True)
    one.session.sharing.propose_file_path(partial(_stopped_into, one, file))
    one.wait_until(lambda: one.window.findChild(RemainingServerDataDialog) is not None)
    left = one.window.findChild(RemainingServerDataDialog)
    assert left is not None
    assert any("snapshots" in label.text() for label in left.findChildren(QLabel))
    left.yes.click()
    assert one.session.path == file
    assert not one.session.is_read_only


def _stopped_into(station: Station, file: Path, proposed: Path) -> None:
    assert proposed == file
    station.session.sharing.end_sharing(proposed, partial(report_move_back, station.session, station.window))


# --- obstacles


def said_when_sharing(station: Station) -> str:
    station.window.command("share").trigger()
    dialog = station.window.findChild(ShareDialog)
    assert dialog is not None
    said = dialog.error.text()
    if not said:
        dialog.yes.click()
        station.wait_until(lambda: bool(dialog.error.text()))
        said = dialog.error.text()
    dialog.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert station.session.address is None
    return said


def _fail(error: Exception) -> None:
    raise error


def _nothing_installed() -> PostgresPrograms:
    raise StorageError("cluster-no-programs")


def test_share_dialog_explains_missing_programs_root_and_network(
    one: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.session.servers.find_programs = _nothing_installed
    assert "apt install postgresql" in said_when_sharing(one)
    one.session.servers.find_programs = lambda: PostgresPrograms(Path("/nowhere"))
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    assert "ordinary user" in said_when_sharing(one)
    monkeypatch.setattr(server_dialogs, "list_networks", tuple)
    assert "not in a network" in said_when_sharing(one)


def test_share_dialog_reports_a_port_in_use_and_leaves_nothing(one: Station) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        one.window.command("share").trigger()
        dialog = one.window.findChild(ShareDialog)
        assert dialog is not None
        dialog.port.setText(str(taken.getsockname()[1]))
        dialog.yes.click()
        one.wait_until(lambda: "taken" in dialog.error.text())
    assert [place for place in one.session.servers.folder.iterdir() if Cluster.is_cluster_folder(place)] == []
    dialog.port.setText("80")
    dialog.yes.click()
    assert "1024" in dialog.error.text()
    dialog.reject()


def test_share_dialog_restarts_a_server_at_another_address(one: Station) -> None:
    shared(one)
    cluster, address = one.session.sharing.find_own_server(), one.session.address
    assert cluster is not None
    assert address is not None
    one.session.attach_desk(None)
    one.session.work.run_in_order(cluster.stop, on_success=lambda _none: None, on_error=_fail)
    one.wait_until(lambda: not cluster.is_running)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", cluster.settings.listening.port))
        taken.listen()
        one.session.open_location(address)
        one.wait_until(lambda: one.window.findChild(ShareDialog) is not None)
        dialog = one.window.findChild(ShareDialog)
        assert dialog is not None
        assert "taken" in dialog.error.text()
        dialog.port.setText(str(free_port()))
        dialog.yes.click()
        one.wait_until(lambda: one.session.is_open)
    assert one.session.address != address


def test_end_sharing_does_not_overwrite_a_changed_file(one: Station) -> None:
    file = one.session.path
    assert file is not None
    shared(one)
    with_more = Store.open(file)
    with_more.close()
    file.write_bytes(b"something else")
    said: list[tuple[str, bool]] = []
    one.session.message_sent.connect(lambda sentence, _undo, _tone: said.append((sentence, one.session.is_open)))
    one.session.sharing.end_sharing(file)
    one.wait_until(lambda: bool(said))
    assert one.session.is_open
    assert one.session.address is not None
    assert file.read_bytes() == b"something else"
    assert "Open.tdapp" in said[0][0]
    assert said[0][1], "what is opened takes away what was said before"


def test_open_file_opens_the_shared_tournament(one: Station) -> None:
    file = one.session.path
    assert file is not None
    shared(one)
    address = one.session.address
    one.enter("1 412 388")
    one.wait_for_points(1, (412, 388))
    one.session.attach_desk(None)
    said: list[str] = []
    one.session.message_sent.connect(lambda sentence, _undo, _tone: said.append(sentence))
    one.session.open_file(file)
    one.wait_until(lambda: bool(said))
    assert one.session.address == address
    assert one.points(1) == (412, 388)
    assert said == ["Shared from this computer."]


def test_sharing_restarts_our_stopped_server(one: Station) -> None:
    shared(one)
    cluster = one.session.sharing.find_own_server()
    assert cluster is not None
    cluster.stop()
    one.enter("1 412 388")
    one.wait_for_points(1, (412, 388))
    assert cluster.is_running
    one.wait_until(lambda: one.session.queue.error is None)


@pytest.mark.parametrize("text", ["", "h:port/x", "postgresql://h/x"])
def test_join_dialog_names_missing_input(other: Station, text: str) -> None:
    dialog = joining(other)
    dialog.address.setText(text)
    dialog.yes.click()
    assert dialog.error.text()
    dialog.reject()


def test_list_networks_leaves_out_this_computer_only() -> None:
    found = list_networks()
    if not found:
        pytest.skip("this computer is in no network")
    for network in found:
        assert not network.address.startswith("127.")
        assert "/" in network.subnet


# --- from the command line, and from the list of what was opened before


def test_main_opens_the_window_on_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def run(place: object, **_more: object) -> int:
        opened.append(place)
        return 0

    monkeypatch.setattr("tdapp.gui.run_window", run)
    for given in ("postgresql://anna@hall:5433/open", "Open.tdapp"):
        assert main([given]) == 0
    assert opened == [Address.parse("postgresql://anna@hall:5433/open"), Path("Open.tdapp")]


def test_join_dialog_asks_for_missing_or_wrong_parts_of_an_address(
    other: Station, cluster: postgres.Cluster, database: Address
) -> None:
    store = make_published_store()
    relocation.share_tournament(store, database)
    store.close()
    owner = Store.open(database)
    login = f"anna_{database.stem}"
    owner.server.grant_login(login, Role.ENTRY, "opensesame")
    owner.close()
    address = cluster.address(database.stem, login, "opensesame").replace_parts(password="")
    other.session.open_location(address)
    other.wait_until(lambda: other.window.findChild(JoinDialog) is not None)
    dialog = other.window.findChild(JoinDialog)
    assert dialog is not None
    assert (dialog.login.text(), dialog.password.text()) == (login, "")
    assert dialog.address.text().endswith(f"/{database.stem}")
    assert dialog.error.text() == ""  # it is only asked for
    dialog.password.setText("opensesame")
    dialog.yes.click()
    other.wait_until(lambda: other.session.is_open)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    other.session.open_location(Address("postgresql://anna:s3cret@hall:port/open"))
    other.wait_until(lambda: other.window.findChild(JoinDialog) is not None)
    dialog = other.window.findChild(JoinDialog)
    assert dialog is not None
    assert "postgresql://name@host/database" in dialog.error.text()
    assert "s3cret" not in dialog.error.text() + dialog.address.text()
    dialog.reject()


def test_recent_tournaments_leave_out_a_deleted_server(other: Station, tmp_path: Path) -> None:
    places = [
        f"postgresql://owner@/open?host={tmp_path}&port=1",
        f"postgresql://owner@/open?host={tmp_path / 'x'}",
    ]
    other.session.settings.setValue("recent", [*places, "postgresql://anna@hall/open", str(tmp_path / "y.tdapp")])
    assert [str(location) for location in other.session.recent.list_locations()] == [
        places[0],
        "postgresql://anna@hall/open",
    ]
    assert other.session.recent.list_files() == []
