"""Tests of the player card: contents and links."""

from __future__ import annotations

from functools import cache, partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.model import Player, PlayerId, ResultState
from tdapp.domain.tables import standings
from tdapp.domain.tournament import Tournament
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.players.availability import AvailabilityPanel
from tdapp.gui.players.card import NOTES, PlayerCardPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.palette import CommandPalette
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.table_view import TableView
from tdapp.scrabble.sheet import SanctionKind
from tests.gui.samples import A, make_desk, make_tournament, play_rounds
from tests.gui.windows import collect_messages, get_panel, press_key, show_window


@cache
def _play_three_rounds() -> Tournament:
    return play_rounds(make_tournament(players=9), 3, missing_results=4)


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(_play_three_rounds()))
    return show_window(empty_session, qtbot, "players")


get_card = partial(get_panel, kind=PlayerCardPanel)


def get_panel_type(window: Window) -> type:
    return type(window.panel)


def get_player(window: Window, number: int) -> Player:
    return window.session.index.get_player(A, number)


def open_card(window: Window, number: int) -> PlayerCardPanel:
    """Open the card of a player on the Players page with F4. Focus it with F4."""
    page = window.page
    assert isinstance(page, PlayersPage)
    page.reveal_row(get_player(window, number).id)
    page.view.setFocus()
    press_key(window, Qt.Key.Key_F4)
    press_key(window, Qt.Key.Key_F4)
    assert get_card(window).isAncestorOf(window.focusWidget())
    return get_card(window)


def list_column_texts(view: TableView, column: str) -> list[str]:
    rows = view.rows
    position = rows.list_column_ids().index(column)
    return [str(rows.index(row, position).data()) for row in range(rows.rowCount())]


def double_click(view: TableView, key: str, column: str) -> None:
    index = view.rows.index(view.rows.find_row_position(key), view.rows.list_column_ids().index(column))
    view.scrollTo(index)
    click_position = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=click_position)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=click_position)


@pytest.mark.styled
def test_card_panel_lists_every_round_with_table_role_and_score(window: Window) -> None:
    panel, session = open_card(window, 1), window.session
    player_id = get_player(window, 1).id
    expected = []
    for item in session.index.list_published_rounds(A):
        game = next(
            (game for game in session.index.games(item.id) if player_id in {game.first, game.second}), None
        )
        result = session.index.get_result(game.id) if game else None
        if game is None or result is None:
            expected.append("")
        else:
            points = (result.first, result.second) if game.first == player_id else (result.second, result.first)
            expected.append(f"{points[0]} – {points[1]}")
    assert list_column_texts(panel.view, "score") == expected
    assert len(set(list_column_texts(panel.view, "start_short"))) >= 2
    assert not panel.view.horizontalScrollBar().isVisible()


def test_card_panel_tells_opponents_of_one_name_apart(window: Window) -> None:
    session, player = window.session, get_player(window, 1)
    games = (session.index.find_player_game(item.id, player.id) for item in session.index.list_published_rounds(A))
    first, second, *_ = (session.tournament.players[game.get_opponent(player.id)] for game in games if game)
    session.do(partial(commands.edit_player, player=second.id, name=first.name, club=first.club))
    names = list_column_texts(open_card(window, 1).view, "opponent")
    assert {f"{first.name} ({first.number})", f"{first.name} ({second.number})"} <= set(names)


def test_card_panel_opens_the_opponent_by_enter_and_goes_back(window: Window) -> None:
    panel = open_card(window, 1)
    press_key(window, Qt.Key.Key_Down)
    opponent_id = panel.rows.find_row_by_key(panel.view.get_current_row_key()).opponent_id
    press_key(window, Qt.Key.Key_Return)
    assert get_card(window).player == opponent_id
    assert "←" in get_card(window)._back_button.text()
    press_key(window, Qt.Key.Key_Backspace)
    assert get_card(window).player == get_player(window, 1).id
    assert get_card(window)._back_button.isHidden()


def test_card_panel_opens_table_and_sheet(window: Window) -> None:
    panel = open_card(window, 1)
    panel.view.select_row("1")
    game = panel.rows.find_row_by_key("1").game
    panel.links["table"].click()
    page = window.page
    assert isinstance(page, RoundsPage)
    assert window.session.round_number == 1
    assert page.view.get_current_row_key() == game
    window.show_page("players")
    panel = open_card(window, 1)
    panel.view.select_row("1")
    panel.links["sheet"].click()
    assert isinstance(window.page, JuryPage)
    assert window.page.sheet.key == (game, 1)


def test_card_panel_shows_and_opens_the_next_game(window: Window) -> None:
    item = window.session.index.rounds(A)[-1]
    game = window.session.index.list_open_games(item.id)[0]
    number = window.session.tournament.players[game.second].number
    panel = open_card(window, number)
    first = window.session.tournament.players[game.first].name
    assert panel._next_game_button.text() == f"Next: Round 3, table {game.table}: replies against {first}"
    panel._next_game_button.click()
    assert isinstance(window.page, RoundsPage)
    assert window.page.view.get_current_row_key() == game.id
    window.session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    window.show_page("players")
    assert open_card(window, number)._next_game_button.isHidden()


def test_card_panel_lists_and_opens_notes(window: Window) -> None:
    session, player_id = window.session, get_player(window, 2).id
    add_warning = partial(
        commands.add_sanction, key="w", player=player_id, kind=SanctionKind.WARNING, why="late twice"
    )
    session.do(add_warning)
    session.do(partial(commands.set_absence, key="a", player=player_id, first_round=5))
    session.do(partial(commands.forbid_pairing, key="b", player=player_id, other=get_player(window, 3).id))
    panel = open_card(window, 2)
    assert panel.tabs.tabText(NOTES) == "Notes (3)"
    panel.tabs.setCurrentIndex(NOTES)
    notes = list_column_texts(panel.visible_table, "note")
    assert any("late twice" in note for note in notes)
    assert any("Round 5: absent" in note for note in notes)
    assert any(get_player(window, 3).name in note for note in notes)
    panel.visible_table.select_row("w")
    panel.links["there"].click()
    assert get_panel_type(window) == SanctionsPanel
    panel = open_card(window, 2)
    panel.tabs.setCurrentIndex(NOTES)
    panel.links["absences"].click()
    assert get_panel_type(window) == AvailabilityPanel


def test_card_panel_explains_resistance_points(window: Window) -> None:
    panel = open_card(window, 1)
    value = panel.values["resistance"]
    value.setFocus()
    press_key(window, Qt.Key.Key_Return)
    rows = [panel.parts.find_row_by_key(key) for key in panel.parts.keys()]  # noqa: SIM118 - a model's method
    assert panel.visible_table.hasFocus()
    assert value.text() == window.session.catalogue.format_points(rows[-1].total)
    assert rows[-1].total == sum(row.resistance for row in rows)


@pytest.mark.slow
def test_card_panel_shows_performance_and_new_rating(window: Window) -> None:
    panel = open_card(window, 1)
    assert panel.values["rating"].text().startswith("1975 → ")
    assert panel.values["performance"].text().isdecimal()


@pytest.mark.slow
def test_card_panel_computes_ratings_again_after_an_error(window: Window) -> None:
    def raise_error(*_arguments: object) -> None:
        raise CommandError("no-players")

    messages = collect_messages(window.session)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standings, "make_rating_table", raise_error)
        panel = open_card(window, 1)
    assert len(messages) == 1
    assert panel.values["rating"].text() == "1975"
    panel.refresh_panel()
    assert panel.values["rating"].text().startswith("1975 → ")


@pytest.mark.slow
def test_card_panel_opens_by_double_click_on_every_page(window: Window) -> None:
    page = window.page
    assert isinstance(page, PlayersPage)
    clicked_player = get_player(window, 4)
    double_click(page.view, clicked_player.id, "status")
    assert get_card(window).player == clicked_player.id
    window.show_page("rounds")
    rounds = window.page
    assert isinstance(rounds, RoundsPage)
    game = window.session.index.games(window.session.index.rounds(A)[-1].id)[0]
    double_click(rounds.view, game.id, "second_name")
    assert get_card(window).player == game.second
    assert rounds.field.line.text() == ""
    double_click(rounds.view, game.id, "table")
    assert rounds.field.line.text() == f"{game.table} "


@pytest.mark.slow
def test_card_panel_opens_from_the_player_search(window: Window) -> None:
    window.session.do(partial(commands.add_player, key="solo", division=A, name="Élodie"))
    window.show_page("standings")
    window.get_action("find").trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    QTest.keyClicks(palette.focusWidget(), "elod")
    QTest.keyClick(palette.focusWidget(), Qt.Key.Key_Return)
    assert get_card(window).heading.text() in {
        player.name for player in window.session.index.players(A) if "lodie" in player.name
    }


@pytest.mark.slow
def test_card_panel_shows_a_certified_result(window: Window) -> None:
    session = window.session
    game = session.index.games(session.index.rounds(A)[0].id)[0]
    session.do(partial(commands.certify_result, game=game.id))
    assert session.tournament.results[game.id].state is ResultState.FINAL
    panel = open_card(window, session.tournament.players[game.first].number)
    assert list_column_texts(panel.view, "result")[0] == session.catalogue.format_signed_value(
        401 + game.table - 381
    )


@pytest.mark.slow
def test_card_panel_has_no_scroll_bar_for_long_names_and_300_players(window: Window) -> None:
    session = window.session
    name = "Wolfeschlegelsteinhausenbergerdorff-van den Heuvel, Maximiliaan-Alexander"
    session.do(partial(commands.edit_player, player=PlayerId(get_player(window, 1).id), name=name))
    window.resize(1280, 720)
    panel = open_card(window, 1)
    assert panel.width() == panel.minimumSizeHint().width()
    for tab in range(3):
        panel.tabs.setCurrentIndex(tab)
        assert panel.visible_table.horizontalScrollBar().maximum() == 0


def test_card_panel_follows_the_cursor(window: Window) -> None:
    for page_id in ("players", "standings"):
        window.show_page(page_id)
        first, second = window.session.index.players(A)[:2]
        window.page.reveal_row(first.id)
        window.get_action("card").trigger()
        assert get_card(window).player == first.id
        window.page.reveal_row(second.id)
        assert get_card(window).player == second.id
        assert get_card(window).heading.text() == second.name
