"""Several windows at one tournament on a real PostgreSQL: seen at once, nothing lost, nothing overwritten."""

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
from tdapp.domain.tables.evenings import find_evening_date
from tdapp.gui.jury.logs import IncidentsPanel
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.players.check_in import CheckInPage
from tdapp.gui.players.evening import EveningPage
from tdapp.gui.shell.data_loss_dialogs import UnsavedStepsDialog
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.tournament.stations import StationsPanel
from tdapp.gui.widgets.theme import Appearance
from tdapp.storage import Address, Store, databases, logins, relocation
from tdapp.storage import cluster as hosted
from tests.building import DIVISION
from tests.clubs import make_club
from tests.gui.postgres_windows import Station, make_published_store, open_stations, show_station
from tests.storage.postgres import Cluster, running

pytestmark = pytest.mark.slow

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

Hall = dict[Role, Station]
DIRECTOR, ENTRY, JURY, DISPLAY = Role.DIRECTOR, Role.ENTRY, Role.JURY, Role.DISPLAY


def make_club_evening() -> Store:
    """Return a club with a season, whose evening of today has begun."""
    season, today = SeasonId("s"), find_evening_date(datetime.now())
    value = commands.begin_evening(make_club(7), key="e", division=DIVISION, date=today)
    rule = SeasonRule("own", "Own")
    return Store.create_in_memory(commands.add_season(value, key=season, name="Autumn", rule=rule))


@pytest.fixture
def club_stations(
    request: pytest.FixtureRequest,
    cluster: Cluster,
    database: Address,
    appearance: Appearance,
    qtbot: QtBot,
    tmp_path: Path,
) -> Iterator[Hall]:
    with open_stations(cluster, database, appearance, qtbot, tmp_path, request.param, make_club_evening) as found:
        yield found


def get_evening(station: Station) -> EveningPage:
    station.window.show_page("evening")
    page = station.window.page
    assert isinstance(page, EveningPage)
    return page


@pytest.mark.parametrize("club_stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_stations_of_a_club_check_in_pair_and_enter_a_table_of_three(club_stations: Hall) -> None:
    director, door = club_stations[DIRECTOR], club_stations[ENTRY]
    door.activate()
    page = get_evening(door)
    page.search.setFocus()
    for number in range(1, 8):
        QTest.keyClicks(page.search, str(number))
        QTest.keyClick(page.search, Qt.Key.Key_Return)
    hall_page = get_evening(director)
    director.wait_until(lambda: hall_page.count_label.text() == "7 members are here")
    QTest.keyClicks(page.search, "Newcomer")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.status.text() == "“Newcomer” is not a member yet. Add new members at the director’s station."
    assert page.search.text() == "Newcomer"
    assert {"begin-evening", "end-evening", "pair-game"} & enabled(door) == set()
    hall_page.pair_game()
    door.wait_until(
        lambda: [one.state for one in door.session.tournament.rounds.values()] == [RoundState.PUBLISHED]
    )
    table = next(iter(door.session.tournament.seats.values())).table
    door.enter(f"{table} 300 310 320")
    director.wait_until(lambda: all(seat.points for seat in director.session.tournament.seats.values()))
    for other in {1, 2, 3} - {table}:
        (director if other % 2 else door).enter(f"{other} 400 35{other}")
    for one in (director, door):
        one.wait_until(lambda one=one: len(one.session.tournament.results) == 2)
    tables = [
        compute_season_lines(one.session.index, one.session.tournament.seasons[SeasonId("s")])
        for one in (director, door)
    ]
    assert tables[0] == tables[1]
    assert len(tables[0]) == 7


@pytest.fixture
def stations(
    request: pytest.FixtureRequest,
    cluster: Cluster,
    database: Address,
    appearance: Appearance,
    qtbot: QtBot,
    tmp_path: Path,
) -> Iterator[Hall]:
    with open_stations(cluster, database, appearance, qtbot, tmp_path, request.param) as found:
        yield found


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY, DISPLAY)], indirect=True)
def test_stations_see_entries_and_keep_typed_text(stations: Hall) -> None:
    director, entry, display = stations[DIRECTOR], stations[ENTRY], stations[DISPLAY]
    director.type("2 41")
    director.rounds.field.line.setCursorPosition(3)
    entry.enter("1 412 388")
    for one in (entry, director, display):
        one.wait_for_points(1, (412, 388))
    director.window.refresh_window()
    assert director.rounds.field.line.text() == "2 41"
    assert director.rounds.field.line.cursorPosition() == 3
    assert entry.rounds.field.line.text() == ""


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_stations_keep_an_open_table_editor(stations: Hall) -> None:
    director, entry = stations[DIRECTOR], stations[ENTRY]
    director.activate()
    director.window.show_page("players")
    found = director.window.pages.get_page("players").findChildren(QTableView)
    view: QTableView = next(one for one in found if one.isVisible())
    column = next(
        place for place in range(view.model().columnCount())
        if view.model().headerData(place, Qt.Orientation.Horizontal) == "Club"
    )  # fmt: skip
    view.setFocus()
    view.setCurrentIndex(view.model().index(2, column))
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "New cl")
    entry.session.do(partial(commands.enter_result, game=entry.game(1).id, first=400, second=300))
    director.wait_for_points(1, (400, 300))
    assert QApplication.focusWidget() is editor
    assert editor.text() == "New cl"
    QTest.keyClicks(editor, "ub")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    entry.wait_until(lambda: "New club" in {player.club for player in entry.session.tournament.players.values()})


@pytest.mark.parametrize("stations", [(JURY, ENTRY)], indirect=True)
def test_stations_keep_typed_turns_and_panels(stations: Hall) -> None:
    jury, entry = stations[JURY], stations[ENTRY]
    jury.activate()
    jury.window.show_page("jury")
    page = jury.window.pages.get_page("jury")
    assert isinstance(page, JuryPage)
    page.reveal_row(jury.game(2).id)
    page.turns.field.setFocus()
    QTest.keyClicks(page.turns.field, "8D CAT")
    jury.window.command("incidents").trigger()
    panel = jury.window.panel
    assert isinstance(panel, IncidentsPanel)
    panel.field("note").setText("noise")
    entry.enter("1 412 388")
    jury.wait_for_points(1, (412, 388))
    assert page.turns.field.text() == "8D CAT"
    assert jury.window.panel is panel
    assert panel.field("note").text() == "noise"


def said(station: Station, *, below: bool = False) -> str:
    """Return the text below the result field, or the line below it."""
    labels = station.rounds.field.findChildren(QLabel)
    first = next(place for place, one in enumerate(labels) if one is station.rounds.field.echo_label)
    return labels[first + below].text()


@pytest.mark.parametrize("stations", [(ENTRY, JURY)], indirect=True)
def test_stations_tell_the_second_at_a_game_about_the_first(stations: Hall) -> None:
    entry, jury = stations[ENTRY], stations[JURY]
    jury.session.queue.stop_listening()()  # the news has not come through yet
    jury.type("1 450 300")
    entry.enter("1 412 388")
    entry.wait_for_points(1, (412, 388))
    jury.activate()
    QTest.keyClick(jury.rounds.field.line, Qt.Key.Key_Return)
    jury.wait_until(lambda: "in the meantime" in said(jury))
    assert entry.session.desk.station in said(jury)
    assert "412" in said(jury, below=True)
    assert jury.rounds.field.line.text() == "1 450 300"
    assert jury.points(1) == entry.points(1) == (412, 388)
    line = jury.rounds.field.line
    QTest.keyClicks(line, "1 450 301")  # in place of what was refused
    QTest.keyClick(line, Qt.Key.Key_Return)  # shows its text
    assert jury.points(1) == (412, 388)
    QTest.keyClick(line, Qt.Key.Key_Return)
    entry.wait_for_points(1, (450, 301))
    history = jury.session.desk.history  # the news may come sooner to the others than the answer to it
    done = [("enter-result", one.session.desk.station) for one in (entry, jury)]
    jury.wait_until(lambda: [(step.label, step.station) for step in history()[-2:]] == done)


@pytest.mark.parametrize("stations", [(ENTRY,)], indirect=True)
def test_stations_without_notifications_poll(stations: Hall, cluster: Cluster, database: Address) -> None:
    entry = stations[ENTRY]
    entry.session.queue.stop_listening()()
    other = Desk.open(database)
    game = entry.game(1).id
    other.do(partial(commands.enter_result, game=game, first=400, second=300))
    other.close()
    assert entry.points(1) is None
    entry.session._poll_timer.start(10)
    entry.wait_for_points(1, (400, 300))


# --- roles


def enabled(station: Station) -> set[str]:
    station.window.refresh_window()
    return {command.row.id for command in station.window.commands if command.isEnabled()}


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY, JURY, DISPLAY)], indirect=True)
def test_stations_enable_the_actions_of_their_role(stations: Hall) -> None:
    for station in stations.values():
        station.window.show_page("rounds")
        station.rounds.view.choose(station.game(1).id)
    everything = enabled(stations[DIRECTOR])
    entry, jury, display = (enabled(stations[role]) for role in (ENTRY, JURY, DISPLAY))
    assert display < entry <= jury < everything
    assert entry - display == {"enter-result", "forfeit"}
    writing = {"set-starter", "set-table", "as-seated", "take-back", "add-division", "finish", "change-rules"}
    assert writing <= everything
    assert not writing & jury
    for role, name in ((ENTRY, "entry desk"), (JURY, "jury desk"), (DISPLAY, "display")):
        tip = stations[role].window.command("set-table").toolTip()
        assert name in tip
        assert "This action needs another role" in tip
    assert "This action needs another role" not in stations[DIRECTOR].window.command("set-table").toolTip()


@pytest.mark.parametrize("stations", [(ENTRY, JURY, DISPLAY)], indirect=True)
def test_stations_take_the_draft_from_a_role_that_may_type(stations: Hall) -> None:
    assert stations.keys() >= {ENTRY, JURY, DISPLAY}
    for role, station in stations.items():
        station.activate()
        station.window.show_page("rounds")
        assert station.rounds.field.isVisible() is (role is not DISPLAY)
        station.window.show_page("jury")
        page = station.window.pages.get_page("jury")
        assert isinstance(page, JuryPage)
        page.reveal_row(station.game(1).id)
        assert page.sheet.can_change() is (role is JURY)
        assert page.turns.field.isVisible() is (role is JURY)


@pytest.mark.parametrize("stations", [(ENTRY, DISPLAY)], indirect=True)
def test_stations_show_name_and_role(stations: Hall) -> None:
    for role, name in ((ENTRY, "entry desk"), (DISPLAY, "display")):
        station = stations[role]
        for place in ("rounds", "standings", "tournament"):
            station.window.show_page(place)
            shown = [one.text() for one in station.window.findChildren(QLabel) if one.isVisible()]
            assert f"{station.session.desk.station} · {name}" in shown
    assert stations[DISPLAY].get_save_state() == "Read only: this is a display"
    stations[DISPLAY].window.command("stations").trigger()
    panel = stations[DISPLAY].window.panel
    assert isinstance(panel, StationsPanel)
    assert "director" in panel.own_role_label.text()
    assert not panel.stop_button.isVisible()


@pytest.mark.parametrize("stations", [(DIRECTOR, DISPLAY)], indirect=True)
def test_display_station_opens_every_page_with_public_data(stations: Hall) -> None:
    director, display = stations[DIRECTOR], stations[DISPLAY]
    director.enter("1 412 388")
    display.wait_for_points(1, (412, 388))
    assert not display.session.desk.history()
    for page in (page for page, one in PAGES.items() if one.is_shown(display.session)):
        display.window.show_page(page)
        assert display.window.pages.get_page(page).isVisible()
    assert display.session.backups.problems() == ()
    first, second = (one.session.tournament.players for one in (director, display))
    assert [one.name for one in first.values()] == [one.name for one in second.values()]
    assert display.get_save_state() == "Read only: this is a display"


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_stations_panel_reports_a_station_that_remains(stations: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    director, entry = stations[DIRECTOR], stations[ENTRY]
    monkeypatch.setattr(logins, "_END_SESSIONS", select(bindparam("login")))
    director.window.command("stations").trigger()
    panel = director.window.panel
    assert isinstance(panel, StationsPanel)
    director.wait_until(lambda: panel.rows.rowCount() == 1)
    panel.remove_button.click()
    director.wait_until(lambda: entry.session.desk.station in panel.error.text())
    director.wait_until(lambda: panel.rows.rowCount() == 0)


# --- a lost connection


@pytest.mark.parametrize("stations", [(ENTRY, JURY)], indirect=True)
def test_stations_lose_and_double_nothing_after_a_lost_connection(
    stations: Hall, cluster: Cluster, database: Address
) -> None:
    entry, jury = stations[ENTRY], stations[JURY]
    for table in range(1, 5):
        cluster.kill(database.stem)
        entry.enter(f"{table} 4{table}0 300")
        entry.wait_for_points(table, (400 + 10 * table, 300))
    for table in range(1, 5):
        jury.wait_for_points(table, (400 + 10 * table, 300))
    done = [step.label for step in jury.session.desk.history()]
    assert done.count("enter-result") == 4


@pytest.mark.parametrize("stations", [(ENTRY, JURY)], indirect=True)
def test_stations_continue_after_a_server_restart(stations: Hall, cluster: Cluster, database: Address) -> None:
    entry, jury = stations[ENTRY], stations[JURY]
    cluster.run(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.kill(database.stem)
    entry.enter("1 410 300")
    entry.wait_until(lambda: "one step is not saved yet" in entry.get_save_state())
    assert entry.get_save_state().startswith("No connection since")
    assert entry.rounds.field.line.text() == "1 410 300"
    entry.enter("2 420 300")
    entry.wait_until(lambda: "2 steps are not saved" in entry.get_save_state())
    entry.type("3 43")
    assert not entry.window.command("undo").isEnabled()
    jury.enter("2 450 310")
    jury.wait_until(lambda: "one step is not saved yet" in jury.get_save_state())
    assert entry.points(1) is None
    cluster.run(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    entry.wait_for_points(1, (410, 300))
    for one in (entry, jury):
        one.wait_until(
            lambda one=one: (
                len(one.session.queue.unsaved_work) == 0 and one.get_save_state().startswith("All saved")
            )
        )
    assert entry.rounds.field.line.text() == "3 43"
    steps = [step.facts["table"] for step in entry.session.desk.history() if step.label == "enter-result"]
    assert sorted(map(str, steps)) == ["1", "2"]
    entry.wait_until(lambda: entry.points(2) == jury.points(2))
    assert entry.points(2) in {(420, 300), (450, 310)}  # whoever came first, and the other was refused


@pytest.mark.parametrize("stations", [(ENTRY,)], indirect=True)
def test_stations_keep_the_order_of_steps(stations: Hall, cluster: Cluster, database: Address) -> None:
    entry = stations[ENTRY]
    cluster.run(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.kill(database.stem)
    for table in range(1, 6):
        entry.session.do(partial(commands.enter_result, game=entry.game(table).id, first=400 + table, second=300))
    entry.wait_until(lambda: len(entry.session.queue.unsaved_work) == 5)
    cluster.run(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    entry.wait_for_points(5, (405, 300))
    done = [step.facts["table"] for step in entry.session.desk.history() if step.label == "enter-result"]
    assert done == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("stations", [(ENTRY,)], indirect=True)
def test_stations_ask_before_closing_with_waiting_steps(
    stations: Hall, cluster: Cluster, database: Address
) -> None:
    entry = stations[ENTRY]
    cluster.run(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.kill(database.stem)
    entry.enter("1 410 300")
    entry.wait_until(lambda: len(entry.session.queue.unsaved_work) == 1)
    for way in (entry.window.close, entry.window.command("close").trigger):
        way()
        entry.wait_until(lambda: entry.window.findChild(UnsavedStepsDialog) is not None)
        dialog = entry.window.findChild(UnsavedStepsDialog)
        assert dialog is not None
        dialog.reject()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert entry.window.isVisible()
        assert entry.session.is_open
    cluster.run(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    entry.wait_for_points(1, (410, 300))


def sharing(made: hosted.Cluster) -> tuple[Store, Address]:
    """Share a tournament there; return it as its owner has it, and the address of an entry station."""
    databases.create_database(made.make_socket_address("event"))
    store = make_published_store()
    relocation.share_tournament(store, made.make_socket_address("event"))
    store.close()
    owner, word = Store.open(made.make_socket_address("event")), "opensesame"
    owner.server.grant_login("entry", Role.ENTRY, word)
    return owner, made.make_network_address("entry").replace_parts(password=word)


def test_stations_continue_after_our_server_restarts(appearance: Appearance, qtbot: QtBot, tmp_path: Path) -> None:
    with running() as made:
        owner, address = sharing(made)
        owner.close()
        with show_station(appearance, qtbot, tmp_path) as one:
            one.session.open_location(address)
            one.wait_until(lambda: one.session.is_open)
            made.stop()
            one.enter("1 410 300")
            one.wait_until(lambda: "one step is not saved yet" in one.get_save_state())
            made.start()
            one.wait_for_points(1, (410, 300))
            assert [step.label for step in one.session.desk.history()].count("enter-result") == 1


def test_stations_dismissed_keep_typed_text(appearance: Appearance, qtbot: QtBot, tmp_path: Path) -> None:
    with running() as made:
        owner, address = sharing(made)
        with show_station(appearance, qtbot, tmp_path) as one:
            one.session.open_location(address)
            one.wait_until(lambda: one.session.is_open)
            one.type("1 410 3")
            owner.server.remove_login("entry")
            owner.close()
            one.wait_until(lambda: one.get_save_state().startswith("This station no longer takes part"))
            assert one.rounds.field.line.text() == "1 410 3"
            one.wait_until(one.rounds.field.line.isReadOnly)
            assert not one.session.queue.unsaved_work


@pytest.mark.parametrize("stations", [(DIRECTOR, JURY)], indirect=True)
def test_stations_of_the_jury_never_get_the_same_table(stations: Hall) -> None:
    director, member = stations[DIRECTOR], stations[JURY]
    for table in (1, 2, 3):
        director.enter(f"{table} 412 388")
        member.wait_for_points(table, (412, 388))
    pages = {}
    for one in (director, member):
        one.window.show_page("jury")
        pages[one] = one.window.pages.get_page("jury")
    lines = {one: page.line for one, page in pages.items() if isinstance(page, JuryPage)}
    director.wait_until(
        lambda: {line.proposed_key for line in lines.values()} == {director.game(1).id, director.game(2).id}
    )
    mine = lines[member].proposed_key
    director.wait_until(lambda: mine in lines[director]._open_elsewhere)
    director.activate()
    lines[director].focus_line()
    QTest.keyClick(lines[director].line, Qt.Key.Key_Return)
    director.wait_until(lambda: lines[director].proposed_key == director.game(3).id)
    assert lines[member].proposed_key == mine


@pytest.mark.parametrize("stations", [(DIRECTOR, ENTRY)], indirect=True)
def test_stations_of_entry_check_in_players(stations: Hall) -> None:
    director, entry = stations[DIRECTOR], stations[ENTRY]
    entry.activate()
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
    assert not entry.window.command("set-missing-absent").isEnabled()
