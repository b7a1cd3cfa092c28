"""Tests of several stations in one tournament on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableView
from pytestqt.qtbot import QtBot
from sqlalchemy import bindparam, select

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import RoundState, SeasonId
from tdapp.domain.roles import Role
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import compute_season_lines
from tdapp.domain.tables.evenings import get_date_of_current_evening
from tdapp.gui.jury.logs import IncidentsPanel
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.players.check_in import CheckInPage
from tdapp.gui.players.evening import ClubEveningPage
from tdapp.gui.shell.data_loss_dialogs import UnsavedStepsDialog
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.tournament.stations import StationsPanel
from tdapp.gui.widgets.theme import Appearance
from tdapp.storage import Address, Store, databases, logins, relocation
from tdapp.storage import cluster as cluster_module
from tests.building import DIVISION
from tests.clubs import make_club
from tests.gui.postgres_windows import Station, make_published_store, open_stations, show_station
from tests.storage.postgres import Cluster, run_cluster

pytestmark = pytest.mark.slow

pytest.importorskip("psycopg", reason="psycopg is not installed (extra: stations)")

StationsByRole = dict[Role, Station]
DIRECTOR, ENTRY, JURY, DISPLAY = Role.DIRECTOR, Role.ENTRY, Role.JURY, Role.DISPLAY


def make_club_evening() -> Store:
    """Return a club with a season and a started evening of today."""
    season, today = SeasonId("s"), get_date_of_current_evening(datetime.now())
    tournament = commands.begin_evening(make_club(7), key="e", division=DIVISION, date=today)
    rule = SeasonRule("own", "Own")
    return Store.create_in_memory(commands.add_season(tournament, key=season, name="Autumn", rule=rule))


@pytest.fixture
def club_stations(
    request: pytest.FixtureRequest,
    cluster: Cluster,
    database: Address,
    appearance: Appearance,
    qtbot: QtBot,
    tmp_path: Path,
) -> Iterator[StationsByRole]:
    with open_stations(
        cluster, database, appearance, qtbot, tmp_path, request.param, make_club_evening
    ) as stations_by_role:
        yield stations_by_role


def show_evening_page(station: Station) -> ClubEveningPage:
    station.window.show_page("evening")
    page = station.window.page
    assert isinstance(page, ClubEveningPage)
    return page


@pytest.mark.parametrize("club_stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_club_stations_check_in_pair_and_enter_a_three_player_table(club_stations: StationsByRole) -> None:
    director, entry = club_stations[DIRECTOR], club_stations[ENTRY]
    entry.activate_window()
    page = show_evening_page(entry)
    page.search.setFocus()
    for number in range(1, 8):
        QTest.keyClicks(page.search, str(number))
        QTest.keyClick(page.search, Qt.Key.Key_Return)
    director_page = show_evening_page(director)
    director.wait_until(lambda: director_page.count_label.text() == "7 members are here")
    QTest.keyClicks(page.search, "Newcomer")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.status.text() == "“Newcomer” is not a member yet. Add new members at the director’s station."
    assert page.search.text() == "Newcomer"
    assert {"begin-evening", "end-evening", "pair-game"} & list_enabled_actions(entry) == set()
    director_page.pair_next_evening_round()
    entry.wait_until(
        lambda: [station.state for station in entry.session.tournament.rounds.values()] == [RoundState.PUBLISHED]
    )
    table = next(iter(entry.session.tournament.seats.values())).table
    entry.enter_result(f"{table} 300 310 320")
    director.wait_until(lambda: all(seat.points for seat in director.session.tournament.seats.values()))
    for other_table in {1, 2, 3} - {table}:
        (director if other_table % 2 else entry).enter_result(f"{other_table} 400 35{other_table}")
    for station in (director, entry):
        station.wait_until(lambda station=station: len(station.session.tournament.results) == 2)
    season_lines = [
        compute_season_lines(station.session.index, station.session.tournament.seasons[SeasonId("s")])
        for station in (director, entry)
    ]
    assert season_lines[0] == season_lines[1]
    assert len(season_lines[0]) == 7


@pytest.fixture
def stations(
    request: pytest.FixtureRequest,
    cluster: Cluster,
    database: Address,
    appearance: Appearance,
    qtbot: QtBot,
    tmp_path: Path,
) -> Iterator[StationsByRole]:
    with open_stations(cluster, database, appearance, qtbot, tmp_path, request.param) as stations_by_role:
        yield stations_by_role


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY, DISPLAY)], indirect=True)
def test_stations_show_results_of_other_stations_and_keep_typed_text(stations: StationsByRole) -> None:
    director, entry, display = stations[DIRECTOR], stations[ENTRY], stations[DISPLAY]
    director.type_result("2 41")
    director.rounds_page.field.line.setCursorPosition(3)
    entry.enter_result("1 412 388")
    for station in (entry, director, display):
        station.wait_for_points(1, (412, 388))
    director.window.refresh_window()
    assert director.rounds_page.field.line.text() == "2 41"
    assert director.rounds_page.field.line.cursorPosition() == 3
    assert entry.rounds_page.field.line.text() == ""


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_stations_keep_an_open_table_editor(stations: StationsByRole) -> None:
    director, entry = stations[DIRECTOR], stations[ENTRY]
    director.activate_window()
    director.window.show_page("players")
    table_views = director.window.pages.get_page("players").findChildren(QTableView)
    view: QTableView = next(table_view for table_view in table_views if table_view.isVisible())
    club_column = next(
        column for column in range(view.model().columnCount())
        if view.model().headerData(column, Qt.Orientation.Horizontal) == "Club"
    )  # fmt: skip
    view.setFocus()
    view.setCurrentIndex(view.model().index(2, club_column))
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "New cl")
    entry.session.do(partial(commands.enter_result, game=entry.get_game(1).id, first=400, second=300))
    director.wait_for_points(1, (400, 300))
    assert QApplication.focusWidget() is editor
    assert editor.text() == "New cl"
    QTest.keyClicks(editor, "ub")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    entry.wait_until(lambda: "New club" in {player.club for player in entry.session.tournament.players.values()})


@pytest.mark.parametrize("stations", [(JURY, ENTRY)], indirect=True)
def test_stations_keep_typed_turns_and_panels(stations: StationsByRole) -> None:
    jury, entry = stations[JURY], stations[ENTRY]
    jury.activate_window()
    jury.window.show_page("jury")
    page = jury.window.pages.get_page("jury")
    assert isinstance(page, JuryPage)
    page.reveal_row(jury.get_game(2).id)
    page.turns.field.setFocus()
    QTest.keyClicks(page.turns.field, "8D CAT")
    jury.window.get_action("incidents").trigger()
    panel = jury.window.panel
    assert isinstance(panel, IncidentsPanel)
    panel.get_field_widget("note").setText("noise")
    entry.enter_result("1 412 388")
    jury.wait_for_points(1, (412, 388))
    assert page.turns.field.text() == "8D CAT"
    assert jury.window.panel is panel
    assert panel.get_field_widget("note").text() == "noise"


def read_result_message(station: Station, *, below: bool = False) -> str:
    """Return the text below the result field, or the text one line lower."""
    labels = station.rounds_page.field.findChildren(QLabel)
    echo_index = next(index for index, label in enumerate(labels) if label is station.rounds_page.field.echo_label)
    return labels[echo_index + below].text()


@pytest.mark.parametrize("stations", [(ENTRY, JURY)], indirect=True)
def test_stations_refuse_a_second_result_of_a_game(stations: StationsByRole) -> None:
    entry, jury = stations[ENTRY], stations[JURY]
    jury.session.queue.detach_listener_and_return_stop_function()()  # it does not know the first result yet
    jury.type_result("1 450 300")
    entry.enter_result("1 412 388")
    entry.wait_for_points(1, (412, 388))
    jury.activate_window()
    QTest.keyClick(jury.rounds_page.field.line, Qt.Key.Key_Return)
    jury.wait_until(lambda: "in the meantime" in read_result_message(jury))
    assert entry.session.desk.station in read_result_message(jury)
    assert "412" in read_result_message(jury, below=True)
    assert jury.rounds_page.field.line.text() == "1 450 300"
    assert jury.get_points(1) == entry.get_points(1) == (412, 388)
    line = jury.rounds_page.field.line
    QTest.keyClicks(line, "1 450 301")  # replaces the refused result
    QTest.keyClick(line, Qt.Key.Key_Return)  # the first Enter shows the preview
    assert jury.get_points(1) == (412, 388)
    QTest.keyClick(line, Qt.Key.Key_Return)
    entry.wait_for_points(1, (450, 301))
    history = jury.session.desk.list_all_steps  # another station may show the step first
    expected_steps = [("enter-result", station.session.desk.station) for station in (entry, jury)]
    jury.wait_until(lambda: [(step.label, step.station) for step in history()[-2:]] == expected_steps)


@pytest.mark.parametrize("stations", [(ENTRY,)], indirect=True)
def test_stations_without_notifications_poll(
    stations: StationsByRole, cluster: Cluster, database: Address
) -> None:
    entry = stations[ENTRY]
    entry.session.queue.detach_listener_and_return_stop_function()()
    other_desk = Desk.open(database)
    game = entry.get_game(1).id
    other_desk.do(partial(commands.enter_result, game=game, first=400, second=300))
    other_desk.close()
    assert entry.get_points(1) is None
    entry.session._poll_timer.start(10)
    entry.wait_for_points(1, (400, 300))


# --- roles


def list_enabled_actions(station: Station) -> set[str]:
    station.window.refresh_window()
    return {action.declaration.id for action in station.window.all_actions if action.isEnabled()}


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY, JURY, DISPLAY)], indirect=True)
def test_stations_enable_the_actions_of_their_role(stations: StationsByRole) -> None:
    for station in stations.values():
        station.window.show_page("rounds")
        station.rounds_page.view.select_row(station.get_game(1).id)
    director_actions = list_enabled_actions(stations[DIRECTOR])
    entry_actions, jury_actions, display_actions = (
        list_enabled_actions(stations[role]) for role in (ENTRY, JURY, DISPLAY)
    )
    assert display_actions < entry_actions <= jury_actions < director_actions
    assert entry_actions - display_actions == {"enter-result", "forfeit"}
    director_only_actions = {
        "set-starter",
        "set-table",
        "as-seated",
        "take-back",
        "add-division",
        "finish",
        "change-rules",
    }
    assert director_only_actions <= director_actions
    assert not director_only_actions & jury_actions
    for role, name in ((ENTRY, "entry desk"), (JURY, "jury desk"), (DISPLAY, "display")):
        tip = stations[role].window.get_action("set-table").toolTip()
        assert name in tip
        assert "This action needs another role" in tip
    assert "This action needs another role" not in stations[DIRECTOR].window.get_action("set-table").toolTip()


@pytest.mark.parametrize("stations", [(ENTRY, JURY, DISPLAY)], indirect=True)
def test_stations_hide_input_fields_from_roles_without_rights(stations: StationsByRole) -> None:
    assert stations.keys() >= {ENTRY, JURY, DISPLAY}
    for role, station in stations.items():
        station.activate_window()
        station.window.show_page("rounds")
        assert station.rounds_page.field.isVisible() is (role is not DISPLAY)
        station.window.show_page("jury")
        page = station.window.pages.get_page("jury")
        assert isinstance(page, JuryPage)
        page.reveal_row(station.get_game(1).id)
        assert page.sheet.can_edit_sheets() is (role is JURY)
        assert page.turns.field.isVisible() is (role is JURY)


@pytest.mark.parametrize("stations", [(ENTRY, DISPLAY)], indirect=True)
def test_stations_show_name_and_role(stations: StationsByRole) -> None:
    for role, name in ((ENTRY, "entry desk"), (DISPLAY, "display")):
        station = stations[role]
        for page_id in ("rounds", "standings", "tournament"):
            station.window.show_page(page_id)
            label_texts = [label.text() for label in station.window.findChildren(QLabel) if label.isVisible()]
            assert f"{station.session.desk.station} · {name}" in label_texts
    assert stations[DISPLAY].get_save_state() == "Read only: this is a display"
    stations[DISPLAY].window.get_action("stations").trigger()
    panel = stations[DISPLAY].window.panel
    assert isinstance(panel, StationsPanel)
    assert "director" in panel.own_role_label.text()
    assert not panel.stop_button.isVisible()


@pytest.mark.parametrize("stations", [(DIRECTOR, DISPLAY)], indirect=True)
def test_display_station_opens_every_page_with_public_data(stations: StationsByRole) -> None:
    director, display = stations[DIRECTOR], stations[DISPLAY]
    director.enter_result("1 412 388")
    display.wait_for_points(1, (412, 388))
    assert not display.session.desk.list_all_steps()
    for page in (page for page, station in PAGES.items() if station.is_shown(display.session)):
        display.window.show_page(page)
        assert display.window.pages.get_page(page).isVisible()
    assert display.session.backups.problems() == ()
    director_players, display_players = (station.session.tournament.players for station in (director, display))
    assert [station.name for station in director_players.values()] == [
        station.name for station in display_players.values()
    ]
    assert display.get_save_state() == "Read only: this is a display"


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_stations_panel_reports_a_connected_removed_station(
    stations: StationsByRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    director, entry = stations[DIRECTOR], stations[ENTRY]
    monkeypatch.setattr(logins, "_END_SESSIONS", select(bindparam("login")))
    director.window.get_action("stations").trigger()
    panel = director.window.panel
    assert isinstance(panel, StationsPanel)
    director.wait_until(lambda: panel.rows.rowCount() == 1)
    panel.remove_button.click()
    director.wait_until(lambda: entry.session.desk.station in panel.error.text())
    director.wait_until(lambda: panel.rows.rowCount() == 0)


# --- a lost connection


@pytest.mark.parametrize("stations", [(ENTRY, JURY)], indirect=True)
def test_stations_save_each_step_once_after_a_lost_connection(
    stations: StationsByRole, cluster: Cluster, database: Address
) -> None:
    entry, jury = stations[ENTRY], stations[JURY]
    for table in range(1, 5):
        cluster.cut_connections(database.stem)
        entry.enter_result(f"{table} 4{table}0 300")
        entry.wait_for_points(table, (400 + 10 * table, 300))
    for table in range(1, 5):
        jury.wait_for_points(table, (400 + 10 * table, 300))
    labels = [step.label for step in jury.session.desk.list_all_steps()]
    assert labels.count("enter-result") == 4


@pytest.mark.parametrize("stations", [(ENTRY, JURY)], indirect=True)
def test_stations_continue_after_a_server_restart(
    stations: StationsByRole, cluster: Cluster, database: Address
) -> None:
    entry, jury = stations[ENTRY], stations[JURY]
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.cut_connections(database.stem)
    entry.enter_result("1 410 300")
    entry.wait_until(lambda: "one change is not saved yet" in entry.get_save_state())
    assert entry.get_save_state().startswith("No connection since")
    assert entry.rounds_page.field.line.text() == "1 410 300"
    entry.enter_result("2 420 300")
    entry.wait_until(lambda: "2 changes are not saved" in entry.get_save_state())
    entry.type_result("3 43")
    assert not entry.window.get_action("undo").isEnabled()
    jury.enter_result("2 450 310")
    jury.wait_until(lambda: "one change is not saved yet" in jury.get_save_state())
    assert entry.get_points(1) is None
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    entry.wait_for_points(1, (410, 300))
    for station in (entry, jury):
        station.wait_until(
            lambda station=station: (
                len(station.session.queue.unsaved_work) == 0 and station.get_save_state().startswith("All saved")
            )
        )
    assert entry.rounds_page.field.line.text() == "3 43"
    tables = [step.facts["table"] for step in entry.session.desk.list_all_steps() if step.label == "enter-result"]
    assert sorted(map(str, tables)) == ["1", "2"]
    entry.wait_until(lambda: entry.get_points(2) == jury.get_points(2))
    assert entry.get_points(2) in {(420, 300), (450, 310)}  # the first saved result stays


@pytest.mark.parametrize("stations", [(ENTRY,)], indirect=True)
def test_stations_keep_the_order_of_steps(stations: StationsByRole, cluster: Cluster, database: Address) -> None:
    entry = stations[ENTRY]
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.cut_connections(database.stem)
    for table in range(1, 6):
        entry.session.do(
            partial(commands.enter_result, game=entry.get_game(table).id, first=400 + table, second=300)
        )
    entry.wait_until(lambda: len(entry.session.queue.unsaved_work) == 5)
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    entry.wait_for_points(5, (405, 300))
    tables = [step.facts["table"] for step in entry.session.desk.list_all_steps() if step.label == "enter-result"]
    assert tables == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("stations", [(ENTRY,)], indirect=True)
def test_stations_ask_before_closing_with_unsaved_steps(
    stations: StationsByRole, cluster: Cluster, database: Address
) -> None:
    entry = stations[ENTRY]
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.cut_connections(database.stem)
    entry.enter_result("1 410 300")
    entry.wait_until(lambda: len(entry.session.queue.unsaved_work) == 1)
    for close_window in (entry.window.close, entry.window.get_action("close").trigger):
        close_window()
        entry.wait_until(lambda: entry.window.findChild(UnsavedStepsDialog) is not None)
        dialog = entry.window.findChild(UnsavedStepsDialog)
        assert dialog is not None
        dialog.reject()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert entry.window.isVisible()
        assert entry.session.is_open
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    entry.wait_for_points(1, (410, 300))


def share_with_entry_station(cluster: cluster_module.Cluster) -> tuple[Store, Address]:
    """Share a tournament on the server. Return the owner's store and the address of an entry station."""
    databases.create_database(cluster.make_socket_address("event"))
    store = make_published_store()
    relocation.move_tournament_to_server(store, cluster.make_socket_address("event"))
    store.close()
    owner, password = Store.open(cluster.make_socket_address("event")), "opensesame"
    owner.server.create_login_or_change_role("entry", Role.ENTRY, password)
    return owner, cluster.make_network_address("entry").replace_parts(password=password)


def test_stations_continue_after_the_local_server_restarts(
    appearance: Appearance, qtbot: QtBot, tmp_path: Path
) -> None:
    with run_cluster() as cluster:
        owner, address = share_with_entry_station(cluster)
        owner.close()
        with show_station(appearance, qtbot, tmp_path) as station:
            station.session.open_location(address)
            station.wait_until(lambda: station.session.is_open)
            cluster.stop()
            station.enter_result("1 410 300")
            station.wait_until(lambda: "one change is not saved yet" in station.get_save_state())
            cluster.start()
            station.wait_for_points(1, (410, 300))
            assert [step.label for step in station.session.desk.list_all_steps()].count("enter-result") == 1


def test_stations_keep_typed_text_after_their_removal(
    appearance: Appearance, qtbot: QtBot, tmp_path: Path
) -> None:
    with run_cluster() as cluster:
        owner, address = share_with_entry_station(cluster)
        with show_station(appearance, qtbot, tmp_path) as station:
            station.session.open_location(address)
            station.wait_until(lambda: station.session.is_open)
            station.type_result("1 410 3")
            owner.server.remove_login("entry")
            owner.close()
            station.wait_until(lambda: station.get_save_state().startswith("This station has been removed"))
            assert station.rounds_page.field.line.text() == "1 410 3"
            station.wait_until(station.rounds_page.field.line.isReadOnly)
            assert not station.session.queue.unsaved_work


@pytest.mark.parametrize("stations", [(DIRECTOR, JURY)], indirect=True)
def test_jury_stations_never_propose_the_same_table(stations: StationsByRole) -> None:
    director, jury = stations[DIRECTOR], stations[JURY]
    for table in (1, 2, 3):
        director.enter_result(f"{table} 412 388")
        jury.wait_for_points(table, (412, 388))
    pages = {}
    for station in (director, jury):
        station.window.show_page("jury")
        pages[station] = station.window.pages.get_page("jury")
    lines = {station: page.line for station, page in pages.items() if isinstance(page, JuryPage)}
    director.wait_until(
        lambda: (
            {line.proposed_key for line in lines.values()} == {director.get_game(1).id, director.get_game(2).id}
        )
    )
    member_game = lines[jury].proposed_key
    director.wait_until(lambda: member_game in lines[director]._games_open_elsewhere)
    director.activate_window()
    lines[director].focus_line()
    QTest.keyClick(lines[director].line, Qt.Key.Key_Return)
    director.wait_until(lambda: lines[director].proposed_key == director.get_game(3).id)
    assert lines[jury].proposed_key == member_game


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_entry_stations_check_in_players(stations: StationsByRole) -> None:
    director, entry = stations[DIRECTOR], stations[ENTRY]
    entry.activate_window()
    entry.window.show_page("check-in")
    page = entry.window.page
    assert isinstance(page, CheckInPage)
    QTest.keyClicks(page.search, "3")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    director.wait_until(
        lambda: (
            [player.number for player in director.session.tournament.players.values() if player.checked_in] == [3]
        )
    )
    entry.window.refresh_window()
    assert not entry.window.get_action("set-missing-absent").isEnabled()
