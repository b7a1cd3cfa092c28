"""Tests of the Rounds page: pairing, changes of a draft, publishing, results, and corrections."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.matches import find_game_winner
from tdapp.domain.model import Game, GameSide, PlayerId, Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.ruleset import UnplayedRoundPointsRule, UnplayedRoundPointsSource
from tdapp.gui.players.availability import AvailabilityPanel
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.rounds.dialogs import (
    AwardedPointsPanel,
    MoveGameToTableDialog,
    SeatCorrectionDialog,
    SeatLatecomerDialog,
    UnpublishRoundDialog,
)
from tdapp.gui.rounds.page import RoundsPage, RoundTabs
from tdapp.gui.shell.program_actions import SearchActions
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.page import PageHeaderButton
from tdapp.gui.widgets.theme import Appearance
from tdapp.pairing import list_unpaired_players, propose_pairings
from tests.gui.samples import A, make_desk, make_session, make_tournament, play_rounds
from tests.gui.windows import find_dialog, get_page, press_key, run_action, show_window


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window on a tournament of 14 players."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=14)))
    return show_window(empty_session, qtbot, "rounds")


@pytest.fixture
def bye_window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window on a tournament of 9 players: one player has a bye."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=9)))
    return show_window(empty_session, qtbot, "rounds")


get_rounds_page = partial(get_page, kind=RoundsPage)


def get_round(window: Window) -> Round:
    current_round = window.session.round
    assert current_round is not None
    return current_round


def list_games(window: Window) -> tuple[Game, ...]:
    return window.session.index.games(get_round(window).id)


def get_cell_position(page: RoundsPage, game: Game, column: str) -> QPoint:
    rows = page.rows
    index = rows.index(rows.find_row_position(game.id), rows.list_column_ids().index(column))
    return page.view.visualRect(index).center()


def click_cell(page: RoundsPage, game: Game, column: str) -> None:
    page.view.setFocus()
    QTest.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=get_cell_position(page, game, column))


def drag_cell(page: RoundsPage, start: QPoint, end: QPoint) -> None:
    target = page.view.viewport()
    QTest.mousePress(target, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(target, start + QPoint(0, 20))
    QTest.mouseMove(target, end)
    QTest.mouseRelease(target, Qt.MouseButton.LeftButton, pos=end)


def find_primary_buttons(window: Window) -> list[PageHeaderButton]:
    buttons = [button for button in window.page.findChildren(PageHeaderButton) if button.isVisible()]
    return [button for button in buttons if button.property("role") == "primary"]


def list_primary_button_names(window: Window) -> list[str]:
    return [button.accessibleName() for button in find_primary_buttons(window)]


def list_pairings(window: Window) -> set[frozenset[PlayerId]]:
    return {frozenset({game.first, game.second}) for game in list_games(window)}


# --- the next step


def test_rounds_page_highlights_the_next_step(window: Window) -> None:
    assert list_primary_button_names(window) == ["Pair round 1"]
    press_key(window, Qt.Key.Key_F6)
    assert list_primary_button_names(window) == ["Publish round 1"]
    assert get_round(window).state is RoundState.DRAFT
    press_key(window, Qt.Key.Key_F9)
    assert get_round(window).state is RoundState.PUBLISHED
    assert list_primary_button_names(window) == []
    for game in list_games(window):
        window.session.do(partial(commands.enter_result, game=game.id, first=412, second=388), quiet=True)
    assert list_primary_button_names(window) == ["Pair round 2"]


def test_publish_round_focuses_the_result_field(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    press_key(window, Qt.Key.Key_F9)
    for game in list_games(window):
        focused = window.focusWidget()
        assert isinstance(focused, QLineEdit)
        QTest.keyClicks(focused, f"{game.table}.{400 + game.table}.{380 - game.table}")
        press_key(window, Qt.Key.Key_Return)
    assert len(window.session.tournament.results) == 7
    press_key(window, Qt.Key.Key_F6)
    assert get_round(window).number == 2


@pytest.mark.slow
@pytest.mark.parametrize("click_again", [QTest.mouseClick, QTest.mouseDClick])
def test_action_button_ignores_a_second_click_after_a_change(
    window: Window, monkeypatch: pytest.MonkeyPatch, click_again: Callable[[QPushButton, Qt.MouseButton], None]
) -> None:
    for state in (RoundState.DRAFT, RoundState.PUBLISHED):
        button = get_rounds_page(window)._buttons[-1 if state is RoundState.PUBLISHED else -2]
        monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 0)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 60_000)
        button = get_rounds_page(window)._buttons[-1 if state is RoundState.DRAFT else -2]
        click_again(button, Qt.MouseButton.LeftButton)
        assert get_round(window).state is state
    assert get_rounds_page(window).field.line.hasFocus()


def test_rounds_page_explains_an_empty_division(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "rounds")
    assert "import a list" in get_rounds_page(window).view.accessibleDescription()
    assert not window.get_action("pair").isEnabled()


@pytest.mark.slow
def test_redo_of_the_publication_focuses_the_result_field(window: Window) -> None:
    for pressed_key in (Qt.Key.Key_F6, Qt.Key.Key_F9):
        press_key(window, pressed_key)
    for name in ("undo", "undo", "redo", "redo"):
        run_action(window, name)
    assert get_round(window).state is RoundState.PUBLISHED
    assert get_rounds_page(window).field.line.hasFocus()


@pytest.mark.slow
def test_pair_key_explains_the_end_after_the_last_round(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(partial(commands.edit_stage, stage=full_session.index.stages(A)[0].id, rounds=1))
    window = show_window(full_session, qtbot, "rounds")
    for pressed_key in (Qt.Key.Key_F6, Qt.Key.Key_F9):
        press_key(window, pressed_key)
    *other_games, last_game = full_session.index.list_open_games(get_round(window).id)
    for entered_games, text in (
        (other_games, "One result is missing."),
        ([last_game], "F7 shows the final standings"),
    ):
        for game in entered_games:
            full_session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
        with qtbot.waitSignal(window.session.message_sent) as message_signal:
            press_key(window, Qt.Key.Key_F6)
        assert text in message_signal.args[0]
    action = window.get_action("pair")
    assert (action.text(), action.is_highlighted) == ("What is next?", False)
    full_session.do(partial(commands.finish_tournament))
    assert "The tournament is finished. Reopen it" in get_rounds_page(window).field.echo_label.text()
    assert [item.number for item in full_session.index.rounds(A)] == [1]


def test_pair_round_refuses_missing_results_with_a_sentence(window: Window, qtbot: QtBot) -> None:
    press_key(window, Qt.Key.Key_F6)
    press_key(window, Qt.Key.Key_F9)
    with qtbot.waitSignal(window.session.message_sent) as message_signal:
        press_key(window, Qt.Key.Key_F6)
    assert (
        "are missing. Enter them first. Or use “Pair despite missing results” (Ctrl+Shift+F6)"
        in message_signal.args[0]
    )
    assert get_round(window).number == 1


# --- drafts


def test_rounds_page_shows_costs_and_reasons_of_a_draft(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page = get_rounds_page(window)
    assert "No repeat pairings" in page.banner_text.text()
    click_cell(page, list_games(window)[2], "first_name")
    assert "Table 3:" in page.footer.text()
    texts = [str(page.rows.index(row, page.rows.list_column_ids().index("reason")).data()) for row in range(7)]
    assert all("place" in text for text in texts)


def test_change_bar_swaps_two_players_by_keys(window: Window, qtbot: QtBot) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, before = get_rounds_page(window), list_games(window)
    click_cell(page, before[0], "second_name")
    press_key(window, Qt.Key.Key_Space)
    click_cell(page, before[1], "second_name")
    press_key(window, Qt.Key.Key_Space)
    assert set(page.bar.picked_players) == {before[0].second, before[1].second}
    assert any("worse" in label.text() or "better" in label.text() or "nothing" in label.text()
               for label in page.bar.findChildren(type(page.footer)))  # fmt: skip
    assert list_pairings(window) == {frozenset({game.first, game.second}) for game in before}
    qtbot.waitUntil(lambda: window.focusWidget() is page.bar.buttons[0])
    press_key(window, Qt.Key.Key_Space)
    assert frozenset({before[0].first, before[1].second}) in list_pairings(window)
    assert frozenset({before[1].first, before[0].second}) in list_pairings(window)
    assert not page.bar.picked_players
    press_key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert list_pairings(window) == {frozenset({game.first, game.second}) for game in before}


def test_change_bar_pairs_a_player_dragged_onto_another(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, before = get_rounds_page(window), list_games(window)
    drag_cell(
        page, get_cell_position(page, before[0], "first_name"), get_cell_position(page, before[3], "second_name")
    )
    assert page.bar.picked_players == (before[0].first, before[3].second)
    QTest.mouseClick(page.bar.buttons[1], Qt.MouseButton.LeftButton)
    assert frozenset({before[0].first, before[3].second}) in list_pairings(window)
    assert frozenset({before[0].second, before[3].first}) in list_pairings(window)


@pytest.mark.slow
def test_change_bar_closes_by_escape(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page = get_rounds_page(window)
    page.bar.pick_or_unpick_player_to_swap(list_games(window)[0].first)
    click_cell(page, list_games(window)[5], "first_name")
    press_key(window, Qt.Key.Key_Escape)
    assert not page.bar.picked_players
    assert not page.bar.isVisible()


def test_lock_tables_keeps_tables_when_pairing_again(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, before = get_rounds_page(window), list_games(window)
    page.bar.set_two_picked_players(before[0].second, before[1].second)
    page.bar.buttons[0].click()
    manual_game = next(game for game in list_games(window) if before[0].first in {game.first, game.second})
    assert manual_game.locked  # pairings set by hand stay
    click_cell(page, list_games(window)[4], "first_name")
    press_key(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    fifth = list_games(window)[4]
    assert fifth.locked
    assert window.get_action("pair-again").text() == "Pair the other tables again"
    press_key(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    for game in (manual_game, fifth):
        after = window.session.tournament.games[game.id]
        assert (after.first, after.second, after.table) == (game.first, game.second, game.table)
    click_cell(page, fifth, "first_name")
    press_key(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.tournament.games[fifth.id].locked


def test_change_bar_separates_players_until_paired_by_hand(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, before = get_rounds_page(window), list_games(window)
    page.bar.pick_or_unpick_player_to_swap(before[0].first)
    page.bar.buttons[-1].click()
    waiting = list_unpaired_players(window.session.index, get_round(window))
    assert set(waiting) == {before[0].first, before[0].second}
    assert "Waiting" in page.footer.text()
    page._follow_link(f"player:{waiting[0]}")
    page._follow_link(f"player:{waiting[1]}")
    page.bar.buttons[-1].click()
    assert list_pairings(window) == {frozenset({game.first, game.second}) for game in before}


def test_change_bar_gives_the_bye_to_another_player(bye_window: Window) -> None:
    press_key(bye_window, Qt.Key.Key_F6)
    page, player = get_rounds_page(bye_window), list_games(bye_window)[0].first
    page.bar.pick_or_unpick_player_to_swap(player)
    page.bar.buttons[0].click()
    assert [bye.player for bye in bye_window.session.index.byes(get_round(bye_window).id)] == [player]
    assert bye_window.session.tournament.players[player].name in page.footer.text()


def test_awards_panel_sets_points_for_a_bye(bye_window: Window) -> None:
    press_key(bye_window, Qt.Key.Key_F6)
    press_key(bye_window, Qt.Key.Key_F9)
    run_action(bye_window, "awards")
    panel = bye_window.findChild(AwardedPointsPanel)
    assert panel is not None
    (bye,) = bye_window.session.index.byes(get_round(bye_window).id)
    panel.editor.view.select_row(f"1.{bye.player}")
    press_key(bye_window, Qt.Key.Key_F2)
    panel.get_field_widget("by").choose_value(UnplayedRoundPointsSource.FIXED)
    panel.get_field_widget("points").setText("345")
    panel.editor.save_row()
    assert bye_window.session.index.byes(get_round(bye_window).id)[0].award == UnplayedRoundPointsRule(points=345)
    assert "345 points" in get_rounds_page(bye_window).footer.text()
    assert panel.editor.rows.find_row_by_key(f"1.{bye.player}").awarded == 345
    bye_window.session.undo()
    assert bye_window.session.index.byes(get_round(bye_window).id)[0].award is None


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["nb"], indirect=True)
def test_awards_panel_fits_a_narrow_window(bye_window: Window, qtbot: QtBot) -> None:
    press_key(bye_window, Qt.Key.Key_F6)
    press_key(bye_window, Qt.Key.Key_F9)
    bye_window.resize(1280, 720)
    run_action(bye_window, "awards")
    panel = bye_window.findChild(AwardedPointsPanel)
    assert panel is not None
    qtbot.waitUntil(lambda: panel.width() < 500)
    assert panel.editor.view.rows.rowCount()
    assert not panel.editor.view.horizontalScrollBar().maximum()


def test_rounds_page_moves_a_table_and_swaps_the_starter(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, game = get_rounds_page(window), list_games(window)[0]
    page.edit_cell(game.id, "table", "12")
    assert window.session.tournament.games[game.id].table == 12
    page.view.select_row(game.id)
    run_action(window, "set-starter")
    assert window.session.tournament.games[game.id].first == game.second


def test_discard_draft_removes_the_draft(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    run_action(window, "discard-draft")
    assert not window.session.tournament.rounds
    assert list_primary_button_names(window) == ["Pair round 1"]


@pytest.mark.slow
def test_rounds_page_menu_offers_possible_actions(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page = get_rounds_page(window)
    click_cell(page, list_games(window)[0], "first_name")
    menu = page.make_row_menu()
    texts = [action.text() for action in menu.actions()]
    assert "Keep this table when pairing again" in texts
    assert "Clear the result" not in texts
    menu.deleteLater()


# --- published rounds


@pytest.fixture
def published_window(window: Window) -> Window:
    press_key(window, Qt.Key.Key_F6)
    press_key(window, Qt.Key.Key_F9)
    return window


def type_into_cell(window: Window, game: Game, column: str, text: str) -> None:
    page = get_rounds_page(window)
    click_cell(page, game, column)
    QTest.keyClicks(page.view, text[0])
    editor = window.focusWidget()  # an earlier editor can still exist
    assert isinstance(editor, QLineEdit)
    assert editor.text() == text[0]
    QTest.keyClicks(editor, text[1:])
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_rounds_page_enters_scores_typed_into_the_table(published_window: Window, qtbot: QtBot) -> None:
    game, session = list_games(published_window)[3], published_window.session
    type_into_cell(published_window, game, "score1", "431")
    field = get_rounds_page(published_window).field.line
    first = published_window.focusWidget()
    qtbot.waitUntil(
        lambda: published_window.focusWidget() not in {first, field, get_rounds_page(published_window).view}
    )
    editor = published_window.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert not session.tournament.results
    editor.selectAll()
    QTest.keyClicks(editor, "402")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: game.id in session.tournament.results)
    result = session.tournament.results[game.id]
    assert (result.first, result.second) == (431, 402)
    type_into_cell(published_window, game, "score2", "400")
    qtbot.waitUntil(lambda: session.tournament.results[game.id].second == 400)


@pytest.mark.slow
def test_rounds_page_moves_a_refused_cell_to_the_result_field(published_window: Window) -> None:
    game, page = list_games(published_window)[3], get_rounds_page(published_window)
    page.edit_cell(game.id, "score1", "9999")
    page.edit_cell(game.id, "score2", "300")
    assert page.field.line.text() == f"{game.table} 9999 300"
    assert not published_window.session.tournament.results
    page.edit_cell(game.id, "score1", "many")
    assert not published_window.session.tournament.results


@pytest.mark.slow
def test_rounds_page_proposes_a_revealed_table(published_window: Window) -> None:
    page = get_rounds_page(published_window)
    page.reveal_row("5")
    QTest.keyClicks(page.field.line, " ")
    assert page.field.line.text() == "5 "
    QTest.keyClicks(page.field.line, "400 300")
    assert page.field.line.text() == "5 400 300"
    assert page.selection.game == list_games(published_window)[4]


def test_unpublish_dialog_asks_a_reason_and_names_lost_results(published_window: Window) -> None:
    game, session = list_games(published_window)[3], published_window.session
    before = list_games(published_window)
    session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    run_action(published_window, "take-back")
    dialog = find_dialog(published_window, UnpublishRoundDialog)
    assert isinstance(dialog, UnpublishRoundDialog)
    assert not dialog.yes.isEnabled()
    QTest.keyClicks(dialog.reason, "wrong players")
    assert not dialog.yes.isEnabled()
    dialog.results_box.setChecked(True)
    dialog.yes.click()
    assert get_round(published_window).state is RoundState.DRAFT
    assert not session.tournament.results
    assert list_games(published_window) == before
    assert session.desk.list_all_steps()[-1].facts["reason"] == "wrong players"
    run_action(published_window, "discard-draft")
    assert not session.tournament.rounds
    run_action(published_window, "undo")
    run_action(published_window, "undo")
    assert get_round(published_window).state is RoundState.PUBLISHED
    assert list(session.tournament.results) == [game.id]


def test_seats_dialog_corrects_the_seats(published_window: Window) -> None:
    third_game, seventh_game = list_games(published_window)[2], list_games(published_window)[6]
    get_rounds_page(published_window).view.select_row(third_game.id)
    run_action(published_window, "as-seated")
    dialog = find_dialog(published_window, SeatCorrectionDialog)
    assert isinstance(dialog, SeatCorrectionDialog)
    dialog.tables.setText("3 99")
    assert dialog.error_label.text()
    assert not dialog.yes.isEnabled()
    dialog.tables.setText("3 7")
    dialog.seats[0][1].choose_value(None)
    dialog.confirm_dialog()
    assert "Table 3: Second: choose a player." in dialog.error_label.text()
    dialog.seats[0][1].choose_value(seventh_game.second)
    dialog.confirm_dialog()
    assert dialog.error_label.text()
    dialog.seats[1][1].choose_value(third_game.second)
    dialog.confirm_dialog()
    saved_games = published_window.session.tournament.games
    assert (saved_games[third_game.id].second, saved_games[seventh_game.id].second) == (
        seventh_game.second,
        third_game.second,
    )


@pytest.mark.slow
def test_seats_dialog_exchanges_the_bye_after_publishing(bye_window: Window) -> None:
    run_action(bye_window, "pair")
    run_action(bye_window, "publish")
    third_game, (bye,) = (
        list_games(bye_window)[2],
        bye_window.session.index.list_byes_for_lack_of_opponent(get_round(bye_window).id),
    )
    get_rounds_page(bye_window).view.select_row(third_game.id)
    run_action(bye_window, "as-seated")
    dialog = find_dialog(bye_window, SeatCorrectionDialog)
    assert isinstance(dialog, SeatCorrectionDialog)
    dialog.seats[0][1].choose_value(bye.player)
    dialog.byes[0].choose_value(third_game.second)
    dialog.confirm_dialog()
    tournament = bye_window.session.tournament
    assert (tournament.games[third_game.id].second, tournament.byes[bye.id].player) == (
        bye.player,
        third_game.second,
    )


def test_table_dialog_changes_a_table_number(published_window: Window) -> None:
    game = list_games(published_window)[0]
    get_rounds_page(published_window).view.select_row(game.id)
    run_action(published_window, "set-table")
    dialog = find_dialog(published_window, MoveGameToTableDialog)
    assert isinstance(dialog, MoveGameToTableDialog)
    dialog.number.setText("x")
    dialog.confirm_dialog()
    dialog.number.setText("40")
    dialog.confirm_dialog()
    assert published_window.session.tournament.games[game.id].table == 40


def test_late_player_dialog_pairs_a_late_player_with_the_bye(bye_window: Window) -> None:
    press_key(bye_window, Qt.Key.Key_F6)
    press_key(bye_window, Qt.Key.Key_F9)
    session = bye_window.session
    player_with_bye = session.index.byes(get_round(bye_window).id)[0].player
    session.do(partial(commands.add_player, key="late", division=A, name="Late, Louise"))
    run_action(bye_window, "latecomer")
    dialog = find_dialog(bye_window, SeatLatecomerDialog)
    dialog.confirm_dialog()
    assert frozenset({player_with_bye, PlayerId("late")}) in list_pairings(bye_window)


@pytest.mark.slow
def test_seat_unseated_player_offers_the_bye(bye_window: Window) -> None:
    press_key(bye_window, Qt.Key.Key_F6)
    press_key(bye_window, Qt.Key.Key_F9)
    session = bye_window.session
    for name in ("First", "Second"):
        session.do(partial(commands.add_player, key=name, division=A, name=name))
    SearchActions(bye_window).show_page_of_problem(Problem("player-unseated", {}, "rounds", "Second"))
    dialog = find_dialog(bye_window, SeatLatecomerDialog)
    assert dialog.player.value() == "Second"
    dialog.reject()


def test_clear_result_works_from_the_menu(published_window: Window) -> None:
    game, session = list_games(published_window)[3], published_window.session
    session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    get_rounds_page(published_window).view.select_row(game.id)
    run_action(published_window, "clear-result")
    assert not session.tournament.results


def test_rounds_page_follows_links_of_problems(published_window: Window) -> None:
    page, first = get_rounds_page(published_window), get_round(published_window)
    published_window.session.choose_round(None)
    page.reveal_row(first.id)
    assert published_window.session.round == first
    page.reveal_row("7")
    assert page.selection.game == list_games(published_window)[6]
    assert page.get_current_player_id() == list_games(published_window)[6].first


@pytest.mark.slow
@pytest.mark.styled
def test_round_tabs_have_space_for_a_single_round(published_window: Window) -> None:
    QApplication.processEvents()
    assert get_rounds_page(published_window).tabs.count() == 1
    assert (
        get_rounds_page(published_window).tabs.height()
        >= get_rounds_page(published_window).tabs.sizeHint().height()
    )
    published_window.get_action("language-nl").trigger()
    QApplication.processEvents()
    assert (
        get_rounds_page(published_window).tabs.height()
        >= get_rounds_page(published_window).tabs.sizeHint().height()
    )


@pytest.mark.slow
def test_round_tabs_choose_a_round(published_window: Window) -> None:
    page, session = get_rounds_page(published_window), published_window.session
    for game in list_games(published_window):
        session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    press_key(published_window, Qt.Key.Key_F6)
    assert page.tabs.count() == 2
    page.tabs.setCurrentIndex(0)
    assert get_round(published_window).number == 1
    assert page.field.isVisible()


@pytest.mark.styled
def test_round_tabs_show_numbers_in_a_narrow_window(qtbot: QtBot) -> None:
    tabs = RoundTabs("Round")
    qtbot.addWidget(tabs)
    names = [(number, f"Round {number}", str(number)) for number in range(1, 9)] + [(9, "Round 9", "9, draft")]
    tabs.resize(2000, 40)
    tabs.show()
    tabs.show_rounds(names, 9)
    assert [tabs.tabText(tab) for tab in (0, 8)] == ["Round 1", "Round 9"]
    tabs.resize(tabs.sizeHint().width() - 40, 40)
    assert [tabs.tabText(tab) for tab in range(9)] == [*map(str, range(1, 9)), "Round 9"]
    assert tabs.sizeHint().width() <= tabs.width()
    assert (tabs.tabToolTip(0), tabs.accessibleTabName(0)) == ("Round 1", "Round 1")
    tabs.resize(tabs.sizeHint().width() - 20, 40)
    assert tabs.tabText(8) == "9, draft"
    tabs.resize(tabs.width() + 40, 40)
    tabs.show_rounds(names, 2)
    assert [tabs.tabText(tab) for tab in (1, 8)] == ["Round 2", "9"]
    tabs.resize(2000, 40)
    assert tabs.tabText(8) == "Round 9"


def test_decide_tie_decides_a_knockout_match(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=6, rounds=3)
    stage = replace(next(iter(value.stages.values())), system="knockout")
    empty_session.open_tournament_of_desk(make_desk(value.put(stage)))
    window = show_window(empty_session, qtbot, "rounds")
    press_key(window, Qt.Key.Key_F6)
    press_key(window, Qt.Key.Key_F9)
    game = list_games(window)[0]
    empty_session.do(partial(commands.enter_result, game=game.id, first=400, second=400))
    get_rounds_page(window).view.select_row(game.id)
    assert find_game_winner(empty_session.index, game) is None
    icons = {
        get_rounds_page(window).get_action(f"goes-on-{side}").declaration.icon for side in ("first", "second")
    }
    assert icons == {""}, "a tick on both would say that both are chosen"
    run_action(window, "goes-on-second")
    assert find_game_winner(empty_session.index, game) == game.second
    get_rounds_page(window).view.select_row(game.id)
    run_action(window, "bracket")
    assert window.page.id == "bracket"
    assert window.page.get_selected_game() == empty_session.tournament.games[game.id]


# --- every language


@pytest.fixture
def translated_session(translated_session: Session) -> Session:
    translated_session.open_tournament_of_desk(make_desk(make_tournament(players=9)))
    return translated_session


def test_rounds_page_in_every_state_and_language(translated_session: Session, qtbot: QtBot) -> None:
    window = show_window(translated_session, qtbot, "rounds")
    page = get_rounds_page(window)
    run_action(window, "pair")
    page.bar.set_two_picked_players(list_games(window)[0].first, list_games(window)[1].first)
    page.bar.clear_picked_players()
    page.bar.pick_or_unpick_player_to_swap(list_games(window)[0].first)
    texts = [page.banner_text.text(), page.footer.text()]
    run_action(window, "publish")
    page.view.select_row(list_games(window)[0].id)
    for name in ("set-table", "as-seated", "latecomer", "take-back"):
        run_action(window, name)
        dialog = next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())
        texts += [label.text() for label in dialog.findChildren(type(page.footer))]
        dialog.reject()
    texts += [action.text() for action in page.page_actions] + [page.footer.text()]
    assert not any("{" in text for text in texts)


def test_rounds_page_is_read_only_in_a_finished_tournament(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(
        make_desk(commands.finish_tournament(play_rounds(make_tournament(players=4), 1)))
    )
    window = show_window(empty_session, qtbot, "rounds")
    changing_actions = {
        "pair",
        "pair-again",
        "publish",
        "lock",
        "set-table",
        "set-starter",
        "as-seated",
        "take-back",
    }
    enabled_actions = [
        action.declaration.id for action in get_rounds_page(window).page_actions if action.isEnabled()
    ]
    assert not changing_actions.intersection(enabled_actions)


@pytest.mark.slow
def test_rounds_page_shows_a_half_typed_score_of_a_locked_round(published_window: Window) -> None:
    game, page = list_games(published_window)[3], get_rounds_page(published_window)
    page.edit_cell(game.id, "score1", "431")
    score_index = page.rows.index(
        page.rows.find_row_position(game.id), page.rows.list_column_ids().index("score1")
    )
    assert score_index.data() == "431"
    page.edit_cell(game.id, "score1", "")
    assert score_index.data() == ""


@pytest.mark.slow
def test_pair_round_waits_for_results_being_saved(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, tmp_path: Path
) -> None:
    session = make_session("en", appearance, settings, inline=False)
    desk = Desk.create(tmp_path / "fast.tdapp", make_tournament(players=4))
    desk.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A)))
    session.open_tournament_of_desk(desk)
    window = show_window(session, qtbot, "rounds")
    field = get_rounds_page(window).field
    for table in (1, 2):
        QTest.keyClicks(field.line, f"{table} 400 390")
        QTest.keyClick(field.line, Qt.Key.Key_Return)
    window.get_action("pair").trigger()
    qtbot.waitUntil(lambda: len(session.index.rounds(A)) == 2)
    session.close()
    session.work.close()


def test_rounds_page_asks_about_a_rare_score_in_the_table(window: Window) -> None:
    window.session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(window.session.index, A)))
    page = get_rounds_page(window)
    key = page._list_games_of_round()[-1].id
    for column, text in (("score1", "41"), ("score2", "388")):
        page.edit_cell(key, column, text)
    assert key not in window.session.tournament.results
    assert "This is an unusual result" in page.field.echo_label.text() + page.field.more_label.text()


def test_rounds_page_finds_a_table_by_name(window: Window) -> None:
    window.session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(window.session.index, A)))
    page = get_rounds_page(window)
    press_key(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    fifth_game = list_games(window)[4]
    page.search.setText(window.session.tournament.players[fifth_game.second].name)
    assert [page.view.model().index(row, 0).data() for row in range(page.view.model().rowCount())] == ["5"]
    page.reveal_row("7")
    assert page.search.text() == ""


def test_card_panel_forfeits_or_withdraws_a_player(window: Window) -> None:
    session = window.session
    session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(session.index, A)))
    fifth_game = list_games(window)[4]
    for index, line in ((0, "5 f1"), (1, "")):
        card = PlayerCardPanel(session, fifth_game.first)
        window.open_panel(card)
        assert all(button.isVisible() for button in card._leaving_buttons)
        card._leaving_buttons[index].click()
        assert get_rounds_page(window).field.line.text() == line
        get_rounds_page(window).field.line.clear()
    assert isinstance(window.panel, AvailabilityPanel)
    assert {"forfeit", "withdraw"} <= {
        action.objectName() for action in get_rounds_page(window).make_row_menu().actions()
    }


@pytest.mark.slow
def test_rounds_page_shows_twelve_tables_on_a_small_screen(published_window: Window) -> None:
    page = get_rounds_page(published_window)
    published_window.resize(1280, 720)
    QApplication.processEvents()
    assert page.view.viewport().height() >= 12 * page.view.rowHeight(0)
    session = published_window.session
    session.undo()
    published_window.resize(1280, 720)
    QApplication.processEvents()
    page.bar.set_two_picked_players(session.index.players(A)[0].id, session.index.players(A)[5].id)
    QApplication.processEvents()
    assert page.bar.isVisible()
    assert page.view.viewport().height() >= 9 * page.view.rowHeight(0)


@pytest.mark.slow
def test_pair_button_is_primary_only_for_a_complete_round(published_window: Window) -> None:
    session, page = published_window.session, get_rounds_page(published_window)
    (button,) = (button for button in page._buttons if button._action.declaration.id == "pair")
    assert (button.isVisible(), button.property("role")) == (True, "")
    for game in list_games(published_window):
        entered = partial(commands.enter_result, game=game.id, first=412, second=388)
        session.do(entered, quiet=True)
    assert button.property("role") == "primary"


def test_rounds_page_highlights_the_winner(published_window: Window) -> None:
    session, page = published_window.session, get_rounds_page(published_window)
    fourth_game = list_games(published_window)[3]
    session.do(partial(commands.enter_result, game=fourth_game.id, first=388, second=412), quiet=True)
    ids, row = page.rows.list_column_ids(), page.rows.find_row_position(fourth_game.id)
    bold = [
        ids[column]
        for column in range(len(ids))
        if page.rows.index(row, column).data(Qt.ItemDataRole.FontRole) is not None
    ]
    assert bold == ["second_name", "score2"]


@pytest.mark.slow
def test_rounds_page_restores_the_position_by_esc(empty_session: Session, qtbot: QtBot) -> None:
    desk = make_desk(make_tournament(players=100))
    desk.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A)))
    empty_session.open_tournament_of_desk(desk)
    window = show_window(empty_session, qtbot, "rounds")
    page, bar = get_rounds_page(window), get_rounds_page(window).view.verticalScrollBar()
    page.field.focus_line()
    page.view.select_row(list_games(window)[10].id)
    bar.setValue(5)
    QTest.keyClicks(page.field.line, "40 377")  # the wrong table
    assert page.view.get_current_row_key() == list_games(window)[39].id
    assert bar.value() > 5
    press_key(window, Qt.Key.Key_Escape)
    assert (page.view.get_current_row_key(), bar.value()) == (list_games(window)[10].id, 5)
    QTest.keyClicks(page.field.line, "40 400 377")
    press_key(window, Qt.Key.Key_Return)
    QTest.keyClicks(page.field.line, "41 ")
    press_key(window, Qt.Key.Key_Escape)
    assert bar.value() != 5


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de", "nl", "nb"], indirect=True)
def test_rounds_page_fits_the_word_for_a_forfeit(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    window = show_window(empty_session, qtbot, "rounds")
    empty_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    empty_session.do(partial(commands.publish_round, round=get_round(window).id))
    game = list_games(window)[0]
    empty_session.do(partial(commands.enter_result, game=game.id, forfeit=GameSide.FIRST))
    view = get_rounds_page(window).view
    score_index = view.rows.index(
        view.rows.find_row_position(game.id), view.rows.list_column_ids().index("score1")
    )
    assert view.sizeHintForIndex(score_index).width() <= view.columnWidth(score_index.column())


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["nb"], indirect=True)
def test_rounds_page_capitalises_the_state(bye_window: Window) -> None:
    press_key(bye_window, Qt.Key.Key_F6)
    label_texts = [label.text() for label in bye_window.findChildren(QLabel)]
    state_texts = [text for text in label_texts if "sveitsersystem" in text.casefold()]
    assert len(state_texts) >= 2
    assert all(text.startswith("Sveitsersystem") for text in state_texts)
