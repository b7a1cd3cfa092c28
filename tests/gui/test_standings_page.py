"""Tests of the Standings page and the player card."""

from __future__ import annotations

from functools import cache, partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import PlayerId, UnplayedRoundCounting
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.crosstable_view import CrosstableView
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.widgets.columns import FrozenColumnsView
from tests.gui.samples import A, make_desk, make_tournament, play_rounds
from tests.gui.windows import get_page, get_panel, show_window

ORDER = ("wins", "resistance", "sonneborn-berger", "spread")


@cache
def make_played_tournament(players: int, rounds: int, missing_results: int) -> Tournament:
    tournament = make_tournament(players=players)
    division = replace(tournament.divisions[A], order=ORDER)
    return play_rounds(tournament.put(division), rounds, missing_results=missing_results)


def open_played_tournament(
    session: Session, *, players: int = 9, rounds: int = 2, missing_results: int = 1
) -> None:
    """Open a tournament with `rounds` published rounds. Some results of the last round are missing."""
    session.open_tournament_of_desk(make_desk(make_played_tournament(players, rounds, missing_results)))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    open_played_tournament(empty_session)
    return show_window(empty_session, qtbot, "standings")


get_standings_page = partial(get_page, kind=StandingsPage)


def list_column_texts(page: StandingsPage, name: str) -> list[str]:
    column_index = page.rows.list_column_ids().index(name)
    return [str(page.rows.index(row, column_index).data()) for row in range(page.rows.rowCount())]


def test_standings_page_shows_the_computed_standings(window: Window) -> None:
    page, session = get_standings_page(window), window.session
    division = session.division
    assert division is not None
    expected = compute_standings(session.index, division)
    assert list_column_texts(page, "name") == [row.player.name for row in expected]
    assert list_column_texts(page, "rank") == [str(row.rank) for row in expected]
    assert {"resistance", "sonneborn-berger"} <= set(page.rows.list_column_ids())


def test_standings_page_explains_the_lead_over_the_next_rank(window: Window) -> None:
    page, names = get_standings_page(window), list_column_texts(get_standings_page(window), "name")
    assert page.view.list_selected_keys() == (page.rows.keys()[0],)
    assert page.explanation.text().startswith(f"{names[0]} is ahead of {names[1]} on ")
    page.reveal_row(str(page.rows.keys()[-1]))
    assert not page.explanation.text()
    page.search.setText(names[1])
    assert page.view.list_selected_keys() == (page.rows.keys()[0],)
    assert page.explanation.text().startswith(f"{names[1]} is ahead of ")


def test_standings_page_explains_tie_breaks(window: Window) -> None:
    page = get_standings_page(window)
    column = page.rows.list_column_ids().index("resistance")
    tip = page.rows.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "opponents" in str(tip)
    assert "Resist." in page.order.toolTip()


@pytest.mark.slow
def test_standings_page_shows_full_choices_beside_a_card(window: Window) -> None:
    page = get_standings_page(window)
    window.resize(1280, 720)
    page.reveal_row(page.rows.keys()[0])
    window.get_action("card").trigger()
    QApplication.processEvents()
    assert all(choice_field.width() >= choice_field.sizeHint().width() for choice_field in (page.part, page.after))


@pytest.mark.slow
def test_standings_page_counts_unchecked_games(window: Window) -> None:
    page, session = get_standings_page(window), window.session
    assert "checked" not in page.subtitle.toolTip()
    games = session.index.games(session.index.rounds(A)[0].id)
    for game in games:
        session.do(partial(commands.check_result, game=game.id))
    assert f"{len(games)} of {2 * len(games) - 1} games checked" in page.subtitle.toolTip()
    assert "1 result is missing" in page.subtitle.toolTip()
    page.after.choose_value(1)
    assert "checked" not in page.subtitle.toolTip()


def test_standings_page_opens_by_its_function_key(window: Window) -> None:
    window.show_page("players")
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_F7)
    assert isinstance(window.page, StandingsPage)


def test_standings_page_counts_missing_games(window: Window) -> None:
    assert "Round 2: 1 result is missing" in get_standings_page(window).subtitle.text()


def test_standings_page_keeps_an_earlier_round(window: Window) -> None:
    page, session = get_standings_page(window), window.session
    division = session.division
    assert division is not None
    page.after.choose_value(1)
    assert list_column_texts(page, "name") == [
        row.player.name for row in compute_standings(session.index, division, 1)
    ]
    game = session.index.list_open_games(session.index.rounds(A)[-1].id)[0]
    session.do(partial(commands.enter_result, game=game.id, first=1, second=2))
    assert page.after.value() == 1
    assert not page.subtitle.text()


def test_standings_page_filters_by_name(window: Window) -> None:
    page = get_standings_page(window)
    search = page.search
    search.setFocus()
    QTest.keyClicks(search, "muller")
    assert 0 < page.rows.rowCount() < 9
    assert all("Müller" in name for name in list_column_texts(page, "name"))
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert page.rows.rowCount() == 9


def test_standings_page_sorts_columns(window: Window) -> None:
    page = get_standings_page(window)
    page.rows.sort(page.rows.list_column_ids().index("points"), Qt.SortOrder.DescendingOrder)
    points = [int(text) for text in list_column_texts(page, "points")]
    assert points == sorted(points, reverse=True)


@pytest.mark.slow
def test_crosstable_view_keeps_names_while_scrolling(empty_session: Session, qtbot: QtBot) -> None:
    open_played_tournament(empty_session, players=24)
    window = show_window(empty_session, qtbot, "standings")
    window.resize(1280, 720)
    window.get_action("crosstable").trigger()
    (crosstable,) = window.page.findChildren(CrosstableView)
    crosstable.form.choose_value(True)
    QApplication.processEvents()
    view, (frozen_names,) = crosstable.view, crosstable.view.findChildren(FrozenColumnsView)
    assert not frozen_names.isVisible()
    view.setFocus()
    view.setCurrentIndex(crosstable.rows.index(20, 0))
    QTest.keyClick(view, Qt.Key.Key_End)
    QApplication.processEvents()
    assert frozen_names.isVisible()
    assert frozen_names.width() - 1 == sum(view.columnWidth(column) for column in range(3))
    assert frozen_names.rowViewportPosition(20) == view.rowViewportPosition(20) > 0
    while view.currentIndex().column() > 3:
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert view.columnViewportPosition(view.currentIndex().column()) >= frozen_names.width() - 1


def test_standings_page_keeps_its_view_when_the_language_changes(window: Window) -> None:
    window.get_action("crosstable").trigger()
    window.get_action("language-nl").trigger()
    assert get_standings_page(window).part.currentText() == "Kruistabel"


def test_standings_page_mutes_withdrawn_players(window: Window) -> None:
    page, session = get_standings_page(window), window.session
    player = session.index.players(A)[0]
    session.do(partial(commands.withdraw_player, key="w", player=player.id))
    assert page.rows.find_row_by_key(player.id).active is False


@pytest.mark.slow
def test_standings_page_shows_an_empty_division(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "standings")
    assert get_standings_page(window).rows.rowCount() == 0
    assert "before the first round" in get_standings_page(window).title.text()


# --- the player card


get_card_panel = partial(get_panel, kind=PlayerCardPanel)


@pytest.mark.slow
def test_standings_page_opens_the_card_by_a_click(window: Window) -> None:
    page = get_standings_page(window)
    index = page.rows.index(2, 1)
    QTest.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=page.view.visualRect(index).center())
    player = window.session.tournament.players[PlayerId(page.rows.keys()[2])]
    assert get_card_panel(window).heading.text() == player.name
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(get_card_panel(window), Qt.Key.Key_Escape)
    assert window.panel is None


def test_card_panel_shows_the_points_of_every_round(window: Window) -> None:
    session = window.session
    division = session.division
    assert division is not None
    standings_line = compute_standings(session.index, division)[0]
    get_standings_page(window).reveal_row(standings_line.player.id)
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_F4)
    panel = get_card_panel(window)
    assert panel.values["place"].text().startswith("1 of 9")
    assert panel.values["starts"].text() == f"{standings_line.starts} · {standings_line.replies}"
    assert panel.values["resistance"].text() == session.catalogue.format_points(standings_line.resistance_points)
    lines = [panel.rows.find_row_by_key(key) for key in map(str, panel.rows.keys())]
    assert [line.row.round for line in lines] == [1, 2]
    assert sum(line.resistance or 0 for line in lines) == standings_line.resistance_points
    assert f"rating {standings_line.player.rating}" in panel.description.text()


@pytest.mark.slow
def test_card_panel_puts_a_dummy_in_brackets(window: Window) -> None:
    session = window.session
    bye = next(iter(session.tournament.byes.values()))
    get_standings_page(window).reveal_row(bye.player)
    window.get_action("card").trigger()
    get_card_panel(window).show_resistance_tab()
    assert get_card_panel(window).unplayed_note.isHidden()
    session.do(partial(commands.set_order, division=A, order=ORDER, unplayed=UnplayedRoundCounting.FIDE_2026))
    panel = get_card_panel(window)
    assert not panel.unplayed_note.isHidden()
    assert "FIDE 2026" in panel.unplayed_note.text()
    lines = [panel.rows.find_row_by_key(key) for key in map(str, panel.rows.keys())]
    assert [line.is_dummy for line in lines].count(True) == 1


def test_card_panel_shows_another_player_after_a_removal(window: Window) -> None:
    session = window.session
    session.do(partial(commands.add_player, key="new", division=A, name="New, Nora"))
    get_standings_page(window).reveal_row("new")
    window.get_action("card").trigger()
    assert get_card_panel(window).rows.rowCount() == 0
    session.do(partial(commands.remove_player, player=PlayerId("new")))
    assert get_card_panel(window).rows.rowCount() > 0


@pytest.fixture
def translated_session(translated_session: Session) -> Session:
    open_played_tournament(translated_session)
    return translated_session


@pytest.mark.slow
def test_standings_page_fills_all_texts_in_every_language(translated_session: Session, qtbot: QtBot) -> None:
    window = show_window(translated_session, qtbot, "standings")
    page = get_standings_page(window)
    page.reveal_row(page.rows.keys()[0])
    window.get_action("card").trigger()
    panel = get_card_panel(window)
    texts = [page.title.text(), page.subtitle.text(), page.order.text(), panel.description.text()]
    texts += [field_label.text() for field_label in panel.values.values()]
    assert all(texts)
    assert not any("{" in text for text in texts)
