"""The Standings page and the player's card."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import PlayerId, Unplayed
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.card import CardPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.side_views import CrosstableView
from tdapp.gui.widgets.columns import FrozenColumns
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tests.gui.samples import A, make_desk, make_session, make_tournament, play_rounds
from tests.gui.windows import get_page, get_panel, show_window

ORDER = ("wins", "resistance", "sonneborn-berger", "spread")


@cache
def _played(players: int, rounds: int, still_out: int) -> Tournament:
    value = make_tournament(players=players)
    division = replace(value.divisions[A], order=ORDER)
    return play_rounds(value.put(division), rounds, still_out=still_out)


def played(session: Session, *, players: int = 9, rounds: int = 2, still_out: int = 1) -> None:
    """Open a tournament of which `rounds` are published; in the last one some results are out."""
    session.attach_desk(make_desk(_played(players, rounds, still_out)))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    played(empty_session)
    return show_window(empty_session, qtbot, "standings")


page_of = partial(get_page, kind=StandingsPage)


def column(page: StandingsPage, name: str) -> list[str]:
    place = page.rows.list_column_ids().index(name)
    return [str(page.rows.index(row, place).data()) for row in range(page.rows.rowCount())]


def test_standings_page_shows_the_computed_standings(window: Window) -> None:
    page, session = page_of(window), window.session
    division = session.division
    assert division is not None
    expected = compute_standings(session.index, division)
    assert column(page, "name") == [row.player.name for row in expected]
    assert column(page, "rank") == [str(row.rank) for row in expected]
    assert {"resistance", "sonneborn-berger"} <= set(page.rows.list_column_ids())


def test_standings_page_explains_the_rank_above_the_next(window: Window) -> None:
    page, names = page_of(window), column(page_of(window), "name")
    page.reveal_row(str(page.rows.keys()[0]))
    assert page.explanation.text().startswith(f"{names[0]} is ahead of {names[1]} by ")
    page.reveal_row(str(page.rows.keys()[-1]))
    assert not page.explanation.text()


def test_standings_page_explains_tie_breaks(window: Window) -> None:
    page = page_of(window)
    place = page.rows.list_column_ids().index("resistance")
    tip = page.rows.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "opponents" in str(tip)
    assert "Resist." in page.order.toolTip()


@pytest.mark.slow
def test_standings_page_shows_whole_choices_beside_a_card(window: Window) -> None:
    page = page_of(window)
    window.resize(1280, 720)
    page.reveal_row(page.rows.keys()[0])
    window.command("card").trigger()
    QApplication.processEvents()
    assert all(one.width() >= one.sizeHint().width() for one in (page.part, page.after))


@pytest.mark.slow
def test_standings_page_counts_unchecked_games(window: Window) -> None:
    page, session = page_of(window), window.session
    assert "checked" not in page.subtitle.toolTip()
    games = session.index.games(session.index.rounds(A)[0].id)
    for game in games:
        session.do(partial(commands.check_result, game=game.id))
    assert f"{len(games)} of {2 * len(games) - 1} games checked" in page.subtitle.toolTip()
    assert "game is missing" in page.subtitle.toolTip()
    page.after.choose(1)
    assert "checked" not in page.subtitle.toolTip()


def test_standings_page_opens_by_its_key(window: Window) -> None:
    window.show_page("players")
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_F7)
    assert isinstance(window.page, StandingsPage)


def test_standings_page_counts_missing_games(window: Window) -> None:
    assert "Round 2: 1 game is missing" in page_of(window).subtitle.text()


def test_standings_page_keeps_an_earlier_round(window: Window) -> None:
    page, session = page_of(window), window.session
    division = session.division
    assert division is not None
    page.after.choose(1)
    assert column(page, "name") == [row.player.name for row in compute_standings(session.index, division, 1)]
    game = session.index.open_games(session.index.rounds(A)[-1].id)[0]
    session.do(partial(commands.enter_result, game=game.id, first=1, second=2))
    assert page.after.value() == 1
    assert not page.subtitle.text()


def test_standings_page_filters_by_name(window: Window) -> None:
    page = page_of(window)
    search = page.search
    search.setFocus()
    QTest.keyClicks(search, "muller")
    assert 0 < page.rows.rowCount() < 9
    assert all("Müller" in name for name in column(page, "name"))
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert page.rows.rowCount() == 9


def test_standings_page_sorts_columns(window: Window) -> None:
    page = page_of(window)
    page.rows.sort(page.rows.list_column_ids().index("points"), Qt.SortOrder.DescendingOrder)
    points = [int(text) for text in column(page, "points")]
    assert points == sorted(points, reverse=True)


@pytest.mark.slow
def test_crosstable_view_keeps_names_while_scrolling(empty_session: Session, qtbot: QtBot) -> None:
    played(empty_session, players=24)
    window = show_window(empty_session, qtbot, "standings")
    window.resize(1280, 720)
    window.command("crosstable").trigger()
    (cross,) = window.page.findChildren(CrosstableView)
    cross.form.choose(True)
    QApplication.processEvents()
    view, (names,) = cross.view, cross.view.findChildren(FrozenColumns)
    assert not names.isVisible()
    view.setFocus()
    view.setCurrentIndex(cross.rows.index(20, 0))
    QTest.keyClick(view, Qt.Key.Key_End)
    QApplication.processEvents()
    assert names.isVisible()
    assert names.width() - 1 == sum(view.columnWidth(place) for place in range(3))
    assert names.rowViewportPosition(20) == view.rowViewportPosition(20) > 0
    while view.currentIndex().column() > 3:
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert view.columnViewportPosition(view.currentIndex().column()) >= names.width() - 1


def test_standings_page_keeps_its_view_when_the_language_changes(window: Window) -> None:
    window.command("crosstable").trigger()
    window.command("language-nl").trigger()
    assert page_of(window).part.currentText() == "Kruistabel"


def test_standings_page_mutes_withdrawn_players(window: Window) -> None:
    page, session = page_of(window), window.session
    player = session.index.players(A)[0]
    session.do(partial(commands.withdraw_player, key="w", player=player.id))
    assert page.rows.row(player.id).active is False


@pytest.mark.slow
def test_standings_page_of_an_empty_division(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "standings")
    assert page_of(window).rows.rowCount() == 0
    assert "before the first round" in page_of(window).title.text()


# --- the card


card = partial(get_panel, kind=CardPanel)


@pytest.mark.slow
def test_standings_page_opens_the_card_by_a_click(window: Window) -> None:
    page = page_of(window)
    index = page.rows.index(2, 1)
    QTest.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=page.view.visualRect(index).center())
    player = window.session.tournament.players[PlayerId(page.rows.keys()[2])]
    assert card(window).heading.text() == player.name
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(card(window), Qt.Key.Key_Escape)
    assert window.panel is None


def test_card_panel_shows_the_points_of_every_round(window: Window) -> None:
    session = window.session
    division = session.division
    assert division is not None
    own = compute_standings(session.index, division)[0]
    page_of(window).reveal_row(own.player.id)
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_F4)
    panel = card(window)
    assert panel.values["place"].text().startswith("1 of 9")
    assert panel.values["starts"].text() == f"{own.starts} · {own.replies}"
    assert panel.values["resistance"].text() == session.catalogue.format_points(own.resistance_points)
    lines = [panel.rows.row(key) for key in map(str, panel.rows.keys())]
    assert [line.row.round for line in lines] == [1, 2]
    assert sum(line.resistance or 0 for line in lines) == own.resistance_points
    assert f"rating {own.player.rating}" in panel.description.text()


@pytest.mark.slow
def test_card_panel_puts_a_dummy_in_brackets(window: Window) -> None:
    session = window.session
    bye = next(iter(session.tournament.byes.values()))
    page_of(window).reveal_row(bye.player)
    window.command("card").trigger()
    card(window).show_resistance_tab()
    assert card(window).unplayed_note.isHidden()
    session.do(partial(commands.set_order, division=A, order=ORDER, unplayed=Unplayed.FIDE_2026))
    panel = card(window)
    assert not panel.unplayed_note.isHidden()
    assert "FIDE 2026" in panel.unplayed_note.text()
    lines = [panel.rows.row(key) for key in map(str, panel.rows.keys())]
    assert [line.is_dummy for line in lines].count(True) == 1


def test_card_panel_follows_results_and_leaves_a_removed_player(window: Window) -> None:
    session = window.session
    session.do(partial(commands.add_player, key="new", division=A, name="New, Nora"))
    page_of(window).reveal_row("new")
    window.command("card").trigger()
    assert card(window).rows.rowCount() == 0
    session.do(partial(commands.remove_player, player=PlayerId("new")))
    assert card(window).rows.rowCount() > 0


@pytest.fixture(params=LANGUAGES)
def speaking(request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings) -> Iterator[Session]:
    made = make_session(request.param, appearance, settings)
    played(made)
    yield made
    made.close()
    made.work.close()


@pytest.mark.slow
def test_standings_page_in_every_language(speaking: Session, qtbot: QtBot) -> None:
    window = show_window(speaking, qtbot, "standings")
    page = page_of(window)
    page.reveal_row(page.rows.keys()[0])
    window.command("card").trigger()
    panel = card(window)
    texts = [page.title.text(), page.subtitle.text(), page.order.text(), panel.description.text()]
    texts += [value.text() for value in panel.values.values()]
    assert all(texts)
    assert not any("{" in text for text in texts)
