"""Tests of a stable layout: buttons and columns keep their positions when data changes."""

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
from tests.gallery.data import make_typical_tournament
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page, get_panel, run_action, show_window

pytestmark = pytest.mark.styled


@pytest.fixture
def eight_player_window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    window.pages.make_all_pages()
    return window


def read_page_button_positions(window: Window) -> dict[str, int]:
    """Return the positions of visible buttons by page."""
    return {button.text(): button.y() for button in window.findChildren(PageButton) if button.isVisible()}


def read_column_widths(window: Window) -> dict[str, int]:
    """Return the column widths of the first table on the visible page."""
    view = next(table for table in window.page.findChildren(TableView) if table.isVisible())
    return {name: view.columnWidth(column) for column, name in enumerate(view.rows.list_column_ids())}


def pair_round(session: Session, number: int) -> None:
    session.do(partial(commands.pair_round, key=f"r{number}", proposal=propose_pairings(session.index, A)))


def enter_all_results(session: Session, points: int = 400) -> None:
    last_round = session.index.rounds(A)[-1]
    for index, game in enumerate(session.index.games(last_round.id)):
        enter = partial(commands.enter_result, game=game.id, first=points + index, second=300)
        session.do(enter)


def test_sidebar_keeps_button_positions(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "rounds")
    before = read_page_button_positions(window)
    assert len(before) == 10
    pair_round(empty_session, 1)
    assert read_page_button_positions(window) == before
    empty_session.do(partial(commands.edit_stage, stage=empty_session.index.stages(A)[0].id, rounds=3))
    assert read_page_button_positions(window) == before


@pytest.mark.parametrize("page_id", ["rounds", "standings"])
@pytest.mark.parametrize("width", [1280, 1920])
def test_fitted_table_keeps_column_widths_after_the_first_result(
    empty_session: Session, qtbot: QtBot, page_id: str, width: int
) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, page_id)
    window.resize(width, 720)
    pair_round(empty_session, 1)
    before = read_column_widths(window)
    enter_all_results(empty_session)
    assert read_column_widths(window) == before
    games = empty_session.index.games(empty_session.index.rounds(A)[-1].id)
    empty_session.do(partial(commands.check_results, games=tuple(game.id for game in games)))
    assert read_column_widths(window) == before
    pair_round(empty_session, 2)
    enter_all_results(empty_session, 1100)
    assert read_column_widths(window) == before


@pytest.mark.slow
@pytest.mark.parametrize("page_id", ["rounds", "standings"])
def test_fitted_table_keeps_numbers_near_names_on_a_wide_screen(
    empty_session: Session, qtbot: QtBot, page_id: str
) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    pair_round(empty_session, 1)
    window = show_window(empty_session, qtbot, page_id)
    window.resize(1920, 1080)
    view = next(table for table in window.page.findChildren(TableView) if table.isVisible())
    widths = read_column_widths(window)
    for name in {"name", "first_name", "second_name"} & set(widths):
        needed_width = view.sizeHintForColumn(view.rows.list_column_ids().index(name))
        assert widths[name] < max(needed_width, UNIT * 18) + UNIT * 24
    assert sum(widths.values()) > 0.95 * view.viewport().width()


@pytest.mark.slow
def test_standings_show_player_numbers_and_crosstable_full_names(empty_session: Session, qtbot: QtBot) -> None:
    tournament = make_tournament(players=8)
    long_entry = PlayerEntry(number=9, name="van der Meulen-Hoogendoorn, Wilhelmina Geertruida", rating=1900)
    short_entry = PlayerEntry(number=10, name="Li, Bo", rating=1890)
    empty_session.open_tournament_of_desk(
        make_desk(commands.import_players(tournament, key="q", division=A, entries=(long_entry, short_entry)))
    )
    pair_round(empty_session, 1)
    enter_all_results(empty_session)
    window = show_window(empty_session, qtbot, "standings")
    window.resize(1440, 900)
    numbers = [
        row.player.number
        for row in standings.compute_standings(empty_session.index, empty_session.index.divisions[0])
    ]
    rows = get_page(window, StandingsPage).rows
    column = rows.list_column_ids().index("number")
    assert [rows.index(row, column).data() for row in range(10)] == list(map(str, numbers))
    run_action(window, "crosstable")
    view = next(table for table in window.page.findChildren(TableView) if table.isVisible())
    name_column = view.rows.list_column_ids().index("name")
    assert view.columnWidth(name_column) >= view.sizeHintForColumn(name_column)


def test_recheck_panel_reports_unchecked_imported_tables(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    pair_round(empty_session, 1)
    games = empty_session.index.games(empty_session.index.rounds(A)[0].id)
    manual_games = (replace(game, reason=None) for game in games)
    empty_session.open_tournament_of_desk(make_desk(empty_session.tournament.put(*manual_games)))
    window = show_window(empty_session, qtbot, "rounds")
    run_action(window, "check-pairings")
    panel = get_panel(window, PairingRecheckPanel)
    assert panel._summary.text() == "4 tables that were set by hand or imported were not checked"
    finding = panel.rows.index(0, panel.rows.list_column_ids().index("found")).data()
    assert finding.startswith("not checked")


def list_menu_entries(menu: QMenu) -> list[QAction]:
    """Return the visible entries of a menu and its submenus."""
    return [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]


@pytest.mark.slow
def test_menus_have_at_most_twelve_entries(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "players")
    stage_id, add_second_division = (
        empty_session.index.stages(A)[0].id,
        partial(commands.add_division, key="b", code="B", name="Two"),
    )

    def count_longest_menu_entries() -> int:
        entry_counts = []
        for page_id in PAGES:
            window.show_page(page_id)
            entry_counts += [len(list_menu_entries(menu)) for menu in window.menuBar().findChildren(QMenu)]
        return max(entry_counts)

    assert count_longest_menu_entries() <= 12
    empty_session.do(partial(commands.edit_stage, stage=stage_id, system="knockout"))
    assert count_longest_menu_entries() <= 12
    empty_session.do(partial(commands.propose_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    assert count_longest_menu_entries() <= 12
    empty_session.do(partial(commands.publish_round, round=empty_session.index.rounds(A)[0].id))
    enter_all_results(empty_session)
    empty_session.do(add_second_division)
    assert count_longest_menu_entries() <= 12
    empty_session.do(partial(commands.finish_tournament))
    assert count_longest_menu_entries() <= 12


@pytest.mark.slow
def test_menus_hide_disabled_page_actions(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    window = show_window(empty_session, qtbot, "rounds")
    pair_round(empty_session, 1)
    enter_all_results(empty_session)
    disabled_names = set()
    for page_id in PAGES:
        window.show_page(page_id)
        top_menus = [action.menu() for action in window.menuBar().actions()]
        page_actions = [
            entry for menu in top_menus if isinstance(menu, QMenu) for entry in list_menu_entries(menu)
        ]
        disabled_names |= {
            action.objectName()
            for action in page_actions
            if isinstance(action.parent(), Page) and not action.isEnabled()
        }
    assert disabled_names == set()


@pytest.mark.slow
def test_menus_separate_remove_from_erase_actions(eight_player_window: Window) -> None:
    menus = {menu.title().replace("&", ""): menu for menu in eight_player_window.menuBar().findChildren(QMenu)}
    last_actions = menus["Players"].actions()[-2:]
    assert [last_actions[0].isSeparator(), last_actions[1].objectName()] == [True, "erase-players"]
    assert "remove-player" in {action.objectName() for action in menus["Selected player"].actions()}


@pytest.mark.slow
@pytest.mark.parametrize("page_type", [PlayersPage, RoundsPage])
def test_row_menu_is_short_and_shows_enabled_actions_only(
    page_type: type[PlayersPage | RoundsPage], eight_player_window: Window
) -> None:
    eight_player_window.session.do(partial(commands.add_division, key="b", code="B", name="Two"))
    pair_round(eight_player_window.session, 1)
    eight_player_window.show_page(page_type.id)
    page = get_page(eight_player_window, page_type)
    page.view.select_row(page.rows.keys()[0])
    menu = page.make_row_menu()
    assert 6 <= len(list_menu_entries(menu)) <= 12
    assert all(entry.isEnabled() for entry in list_menu_entries(menu))
    assert sum(action.isSeparator() for action in menu.actions()) >= 3
    assert not {"erase-players", "add-player", "pair", "publish"} & {
        entry.objectName() for entry in list_menu_entries(menu)
    }
    menu.deleteLater()


@pytest.mark.slow
def test_bottom_bar_never_widens_the_window(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_typical_tournament()))
    window = show_window(empty_session, qtbot, "rounds")
    bar = window.findChild(BottomBar)
    assert bar is not None
    empty_session.work.busy.emit(BackgroundTask("Looking at later rounds " * (window.width() // 190)))
    QApplication.processEvents()
    assert bar.minimumSizeHint().width() < window.width()
