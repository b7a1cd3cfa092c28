"""The window keeps still: places and columns stay where they are, whatever comes in."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tdapp.domain import commands, standings
from tdapp.domain.entries import PlayerEntry
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.dialogs import PairingRecheckPanel
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.bars import PageButton
from tdapp.gui.shell.bottom_bar import BottomBar
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.pairing import propose_pairings
from tdapp.services.worker import BackgroundTask
from tests.gallery.data import typical
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page, get_panel, run_command, show_window

pytestmark = pytest.mark.styled


@pytest.fixture
def window_of_eight(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    made = show_window(empty_session, qtbot, "players")
    made.pages.make_all_pages()
    return made


def places(window: Window) -> dict[str, int]:
    """Return the positions of visible buttons by page."""
    return {one.text(): one.y() for one in window.findChildren(PageButton) if one.isVisible()}


def widths(window: Window) -> dict[str, int]:
    """Return the column widths of the first table on the visible page."""
    view = next(one for one in window.page.findChildren(TableView) if one.isVisible())
    return {name: view.columnWidth(place) for place, name in enumerate(view.rows.list_column_ids())}


def pair(session: Session, number: int) -> None:
    session.do(partial(commands.pair_round, key=f"r{number}", proposal=propose_pairings(session.index, A)))


def enter_all(session: Session, points: int = 400) -> None:
    item = session.index.rounds(A)[-1]
    for place, game in enumerate(session.index.games(item.id)):
        enter = partial(commands.enter_result, game=game.id, first=points + place, second=300)
        session.do(enter)


def test_sidebar_keeps_its_pages(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "rounds")
    before = places(window)
    assert len(before) == 10
    pair(empty_session, 1)
    assert places(window) == before
    empty_session.do(partial(commands.edit_stage, stage=empty_session.index.stages(A)[0].id, rounds=3))
    assert places(window) == before


@pytest.mark.parametrize("place", ["rounds", "standings"])
@pytest.mark.parametrize("width", [1280, 1920])
def test_fitted_table_keeps_column_widths_after_the_first_result(
    empty_session: Session, qtbot: QtBot, place: str, width: int
) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, place)
    window.resize(width, 720)
    pair(empty_session, 1)
    before = widths(window)
    enter_all(empty_session)
    assert widths(window) == before
    games = empty_session.index.games(empty_session.index.rounds(A)[-1].id)
    empty_session.do(partial(commands.check_results, games=tuple(game.id for game in games)))
    assert widths(window) == before
    pair(empty_session, 2)
    enter_all(empty_session, 1100)
    assert widths(window) == before


@pytest.mark.slow
@pytest.mark.parametrize("place", ["rounds", "standings"])
def test_fitted_table_keeps_numbers_near_names_on_a_wide_screen(
    empty_session: Session, qtbot: QtBot, place: str
) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    pair(empty_session, 1)
    window = show_window(empty_session, qtbot, place)
    window.resize(1920, 1080)
    view = next(one for one in window.page.findChildren(TableView) if one.isVisible())
    found = widths(window)
    for name in {"name", "first_name", "second_name"} & set(found):
        needed = view.sizeHintForColumn(view.rows.list_column_ids().index(name))
        assert found[name] < max(needed, UNIT * 18) + UNIT * 24
    assert sum(found.values()) > 0.95 * view.viewport().width()


@pytest.mark.slow
def test_standings_have_numbers_and_the_crosstable_whole_names(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=8)
    long = PlayerEntry(number=9, name="van der Meulen-Hoogendoorn, Wilhelmina Geertruida", rating=1900)
    other = PlayerEntry(number=10, name="Li, Bo", rating=1890)
    empty_session.attach_desk(
        make_desk(commands.import_players(value, key="q", division=A, entries=(long, other)))
    )
    pair(empty_session, 1)
    enter_all(empty_session)
    window = show_window(empty_session, qtbot, "standings")
    window.resize(1440, 900)
    numbers = [
        row.player.number
        for row in standings.compute_standings(empty_session.index, empty_session.index.divisions[0])
    ]
    rows = get_page(window, StandingsPage).rows
    column = rows.list_column_ids().index("number")
    assert [rows.index(line, column).data() for line in range(10)] == list(map(str, numbers))
    run_command(window, "crosstable")
    view = next(one for one in window.page.findChildren(TableView) if one.isVisible())
    name = view.rows.list_column_ids().index("name")
    assert view.columnWidth(name) >= view.sizeHintForColumn(name)


def test_rounds_page_marks_imported_tables_not_as_checked(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    pair(empty_session, 1)
    games = empty_session.index.games(empty_session.index.rounds(A)[0].id)
    by_hand = (replace(game, reason=None) for game in games)
    empty_session.attach_desk(make_desk(empty_session.tournament.put(*by_hand)))
    window = show_window(empty_session, qtbot, "rounds")
    run_command(window, "check-pairings")
    panel = get_panel(window, PairingRecheckPanel)
    assert panel._summary.text() == "4 tables set by hand or imported were not checked"
    found = panel.rows.index(0, panel.rows.list_column_ids().index("found")).data()
    assert found.startswith("not checked")


def entries(menu: QMenu) -> list[QAction]:
    """Return the visible entries of a menu and its submenus."""
    return [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]


@pytest.mark.slow
def test_menus_have_at_most_twelve_entries(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    stage, division = (
        empty_session.index.stages(A)[0].id,
        partial(commands.add_division, key="b", code="B", name="Two"),
    )

    def longest() -> int:
        found = []
        for place in PAGES:
            window.show_page(place)
            found += [len(entries(menu)) for menu in window.menuBar().findChildren(QMenu)]
        return max(found)

    assert longest() <= 12
    empty_session.do(partial(commands.edit_stage, stage=stage, system="knockout"))
    assert longest() <= 12
    empty_session.do(partial(commands.propose_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    assert longest() <= 12
    empty_session.do(partial(commands.publish_round, round=empty_session.index.rounds(A)[0].id))
    enter_all(empty_session)
    empty_session.do(division)
    assert longest() <= 12
    empty_session.do(partial(commands.finish_tournament))
    assert longest() <= 12


@pytest.mark.slow
def test_menus_hide_actions_of_other_pages(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "rounds")
    pair(empty_session, 1)
    enter_all(empty_session)
    grey = set()
    for place in PAGES:
        window.show_page(place)
        tops = [action.menu() for action in window.menuBar().actions()]
        pages = [entry for menu in tops if isinstance(menu, QMenu) for entry in entries(menu)]
        grey |= {page.objectName() for page in pages if isinstance(page.parent(), Page) and not page.isEnabled()}
    assert grey == set()


@pytest.mark.slow
def test_menus_separate_remove_from_erase(window_of_eight: Window) -> None:
    menus = {menu.title().replace("&", ""): menu for menu in window_of_eight.menuBar().findChildren(QMenu)}
    last = menus["Players"].actions()[-2:]
    assert [last[0].isSeparator(), last[1].objectName()] == [True, "erase-players"]
    assert "remove-player" in {action.objectName() for action in menus["Selected player"].actions()}


@pytest.mark.slow
@pytest.mark.parametrize("page_type", [PlayersPage, RoundsPage])
def test_row_menu_is_short_and_has_possible_actions(
    page_type: type[PlayersPage | RoundsPage], window_of_eight: Window
) -> None:
    window_of_eight.session.do(partial(commands.add_division, key="b", code="B", name="Two"))
    pair(window_of_eight.session, 1)
    window_of_eight.show_page(page_type.id)
    page = get_page(window_of_eight, page_type)
    page.view.choose(page.rows.keys()[0])
    menu = page.make_menu()
    assert 6 <= len(entries(menu)) <= 12
    assert all(entry.isEnabled() for entry in entries(menu))
    assert sum(action.isSeparator() for action in menu.actions()) >= 3
    assert not {"erase-players", "add-player", "pair", "publish"} & {entry.objectName() for entry in entries(menu)}
    menu.deleteLater()


@pytest.mark.slow
def test_bottom_bar_never_widens_the_window(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(typical()))
    window = show_window(empty_session, qtbot, "rounds")
    bar = window.findChild(BottomBar)
    assert bar is not None
    empty_session.work.busy.emit(BackgroundTask("Looking at later rounds " * (window.width() // 190)))
    QApplication.processEvents()
    assert bar.minimumSizeHint().width() < window.width()
