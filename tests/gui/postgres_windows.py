"""Several windows, each with its own session and threads, on one tournament in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import Game
from tdapp.domain.roles import Role
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tdapp.services.resources import Resources
from tdapp.storage import Address, Store, relocation
from tdapp.storage.library import WordListLibrary
from tests.gui.samples import RESOURCES, A, make_tournament
from tests.storage.postgres import Cluster, find_programs

WAIT_MS = 60_000  # ms: a busy machine


class Station(Struct, frozen=True):
    """A window and its session."""

    session: Session
    window: Window
    qtbot: QtBot

    @property
    def rounds_page(self) -> RoundsPage:
        page = self.window.pages.get_page("rounds")
        assert isinstance(page, RoundsPage)
        return page

    def get_game(self, table: int) -> Game:
        return next(game for game in self.session.tournament.games.values() if game.table == table)

    def get_points(self, table: int) -> tuple[int, int] | None:
        result = self.session.tournament.results.get(self.get_game(table).id)
        return (result.first or 0, result.second or 0) if result else None

    def type_result(self, text: str) -> None:
        """Type into the result field by keys."""
        self.activate_window()
        self.window.show_page("rounds")
        self.rounds_page.field.focus_line()
        self.rounds_page.field.line.clear()
        QTest.keyClicks(self.rounds_page.field.line, text)

    def enter_result(self, text: str) -> None:
        """Type a result and press Enter as soon as the preview is shown."""
        self.type_result(text)
        self.wait_until(lambda: "&nbsp;" not in self.rounds_page.field.echo_label.text())
        QTest.keyClick(self.rounds_page.field.line, Qt.Key.Key_Return)

    def activate_window(self) -> None:
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)

    def wait_until(self, condition: object) -> None:
        self.qtbot.waitUntil(condition)  # type: ignore[arg-type]

    def wait_for_points(self, table: int, points: tuple[int, int] | None) -> None:
        """Wait until the window has this result of a table."""
        self.wait_until(lambda: self.get_points(table) == points)

    def get_save_state(self) -> str:
        """Return the save state in the bottom bar."""
        label = self.window.findChild(SaveStateLabel)
        assert label is not None
        return label.get_text()


def make_published_store(players: int = 12) -> Store:
    """Return a tournament in memory whose first round is published."""
    desk = Desk(Store.create_in_memory(make_tournament(players=players)), station="director")
    desk.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A)))
    return desk.store


@contextmanager
def show_station(appearance: Appearance, qtbot: QtBot, folder: Path) -> Iterator[Station]:
    """Show a window with its own threads, without a tournament."""
    folder.mkdir(parents=True, exist_ok=True)
    work = SessionWorker()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    session = Session(
        work=work,
        catalogue=Catalogue("en", RESOURCES / "locale"),
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=WordListLibrary(folder / "lexicons"),
    )
    session.servers.find_programs = find_programs
    window = Window(session)
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    try:
        yield Station(session, window, qtbot)
    finally:
        session.queue.discard_unsaved_steps()
        window.close()
        session.close()
        work.close()
        QApplication.processEvents()


@contextmanager
def open_stations(
    cluster: Cluster,
    database: Address,
    appearance: Appearance,
    qtbot: QtBot,
    folder: Path,
    roles: tuple[Role, ...],
    make_store: Callable[[], Store] = make_published_store,
) -> Iterator[dict[Role, Station]]:
    """Share a tournament and show a window for each role. Clients have their own logins."""
    store = make_store()
    relocation.move_tournament_to_server(store, database)
    store.close()
    owner = Store.open(database)
    with ExitStack() as stack:
        stations: dict[Role, Station] = {}
        for role in roles:
            address = database
            if role is not Role.DIRECTOR:
                login = f"{role}_{database.stem}"
                owner.server.create_login_or_change_role(login, role, "opensesame")
                address = cluster.make_address(database.stem, login, "opensesame")
            station = stack.enter_context(show_station(appearance, qtbot, folder / role))
            station.session.open_location(address)
            station.wait_until(lambda station=station: station.session.is_open)
            station.wait_until(lambda station=station: station.session.queue.is_listening_to_other_stations)
            stations[role] = station
        owner.close()
        yield stations
