"""Tests of previews before an action: pairings, missing results, withdrawals and late entries."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import ByeKind, ConstraintKind, PlayerId, Round
from tdapp.gui.players.availability import (
    AvailabilityChange,
    AvailabilityPanel,
    ConstraintsPanel,
    LateEntrantPanel,
)
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.rounds.dialogs import PairingRecheckPanel
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StartsRepeatsAndByesPanel
from tdapp.gui.widgets.table_view import TableView
from tests.gui.samples import A, make_desk, make_tournament, play_rounds
from tests.gui.windows import get_panel, press_key, run_action, show_window

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window with 10 players on the Rounds page."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=10)))
    return show_window(empty_session, qtbot, "rounds")


def show_rounds_page(window: Window) -> RoundsPage:
    window.show_page("rounds")
    page = window.page
    assert isinstance(page, RoundsPage)
    return page


def show_players_page(window: Window, number: int = 1) -> PlayersPage:
    window.show_page("players")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.findChildren(TableView)[0].select_row(window.session.index.get_player(A, number).id)
    window.refresh_window()
    return page


def get_current_round(window: Window) -> Round:
    current_round = window.session.round
    assert current_round is not None
    return current_round


def play_round(window: Window, *, missing_results: int = 0) -> None:
    """Pair and publish a round if needed. Enter all results except at the first `missing_results` tables."""
    session = window.session
    if session.round is None or session.round.state == "draft":
        if session.round is None:
            run_action(window, "pair")
        run_action(window, "publish")
    for game in session.index.games(get_current_round(window).id)[missing_results:]:
        if session.index.get_result(game.id) is None:
            session.do(partial(commands.enter_result, game=game.id, first=400, second=350))


def get_label_texts(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel))


# --- draft changes


def test_change_bar_shows_the_effect_of_a_typed_opponent(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, session = show_rounds_page(window), window.session
    games = session.index.games(get_current_round(window).id)
    page.bar.pick_or_unpick_player_to_swap(games[0].first)
    opponent = session.tournament.players[games[2].first]
    QTest.keyClicks(page.bar.number, str(opponent.number))
    QTest.keyClick(page.bar.number, Qt.Key.Key_Return)
    assert page.bar.picked_players == (games[0].first, opponent.id)
    assert len(page.bar.buttons) == 3
    texts = get_label_texts(page.bar)
    assert "2 tables change" in texts
    assert f"{session.tournament.players[games[0].first].name} – " in texts
    assert session.index.games(get_current_round(window).id) == games
    page.bar.buttons[2].click()
    pairs = [{game.first, game.second} for game in session.index.games(get_current_round(window).id)]
    assert {games[0].first, opponent.id} in pairs


def test_digits_typed_in_the_draft_table_go_into_the_number_field(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page, session = show_rounds_page(window), window.session
    games = session.index.games(get_current_round(window).id)
    page.view.select_row(games[0].id)
    page.view.setFocus()
    QTest.keyClick(page.view, Qt.Key.Key_Space)
    picked_player = page.bar.picked_players[0]
    opponent = next(
        player for player in session.index.players(A) if player.id not in {games[0].first, games[0].second}
    )
    for digit in f"0{opponent.number}":
        press_key(window, Qt.Key(ord(digit)))
    assert page.bar.number.hasFocus()
    assert page.bar.number.text() == f"0{opponent.number}"
    QTest.keyClick(page.bar.number, Qt.Key.Key_Return)
    assert page.bar.picked_players == (picked_player, opponent.id)


@pytest.mark.slow
def test_placeholder_of_the_number_field_fits(translated_session: Session, qtbot: QtBot) -> None:
    translated_session.open_tournament_of_desk(make_desk(make_tournament(players=10)))
    window = show_window(translated_session, qtbot, "rounds")
    press_key(window, Qt.Key.Key_F6)
    page = show_rounds_page(window)
    page.bar.pick_or_unpick_player_to_swap(window.session.index.games(get_current_round(window).id)[0].first)
    QApplication.processEvents()
    assert page.bar.number.width() >= page.bar.number.sizeHint().width()


@pytest.mark.slow
def test_change_bar_refuses_an_unknown_number(window: Window, qtbot: QtBot) -> None:
    press_key(window, Qt.Key.Key_F6)
    page = show_rounds_page(window)
    page.bar.pick_or_unpick_player_to_swap(window.session.index.games(get_current_round(window).id)[0].first)
    for text in ("99", "x"):
        page.bar.number.setText(text)
        with qtbot.waitSignal(window.session.message_sent):
            QTest.keyClick(page.bar.number, Qt.Key.Key_Return)
        assert len(page.bar.picked_players) == 1


@pytest.mark.slow
def test_change_bar_returns_the_focus_to_the_table(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    page = show_rounds_page(window)
    page.bar.pick_or_unpick_player_to_swap(window.session.index.games(get_current_round(window).id)[0].first)
    page.bar.number.setFocus()
    press_key(window, Qt.Key.Key_Escape)
    assert page.view.hasFocus()


# --- missing results


@pytest.mark.slow
def test_pair_assuming_action_pairs_despite_a_missing_result(window: Window, qtbot: QtBot) -> None:
    play_round(window, missing_results=1)
    page, session = show_rounds_page(window), window.session
    with qtbot.waitSignal(session.message_sent) as message:
        press_key(window, Qt.Key.Key_F6)
    assert "Or use “Pair despite missing results” (Ctrl+Shift+F6)" in message.args[0]
    press_key(window, Qt.Key.Key_F6, CONTROL | SHIFT)
    assumed_games = get_current_round(window).assumed
    assert len(assumed_games) == 1
    assert "counts that game as a draw" in page.banner_text.text()
    run_action(window, "pair-again")
    assert get_current_round(window).assumed == assumed_games
    press_key(window, Qt.Key.Key_F9)
    assert "counts that game as a draw" in page.footer.text()
    problem_texts = [widget.text() for widget in window.findChildren(QWidget)
                     if hasattr(widget, "text") and widget.property("role") == "problem"]  # fmt: skip
    assert any("was paired as if table 1 of round 1 had been a draw" in text for text in problem_texts)
    session.do(partial(commands.enter_result, game=assumed_games[0], first=600, second=200))
    window.refresh_window()
    assert "With the results received since: " in page.footer.text()
    assert "would have been paired" in page.footer.text()


def test_pair_assuming_action_is_disabled_without_missing_results(window: Window) -> None:
    play_round(window)
    action = window.get_action("pair-assuming")
    action.update_state()
    assert not action.isEnabled()


@pytest.mark.slow
def test_pair_assuming_action_is_disabled_in_a_knockout(window: Window) -> None:
    session = window.session
    session.do(partial(commands.edit_stage, stage=session.index.stages(A)[0].id, system="knockout"))
    play_round(window, missing_results=1)
    action = window.get_action("pair-assuming")
    action.update_state()
    assert not action.isEnabled()
    assert not window.get_action("pair").is_highlighted


# --- pairing constraints


@pytest.mark.slow
def test_constraints_panel_adds_and_removes_a_pair_by_keys(window: Window) -> None:
    show_players_page(window, 3)
    press_key(window, Qt.Key.Key_M, CONTROL)
    constraints_panel, session = get_panel(window, ConstraintsPanel), window.session
    assert isinstance(constraints_panel, ConstraintsPanel)
    first_id, second_id = session.index.get_player(A, 3).id, session.index.get_player(A, 5).id
    assert constraints_panel.get_field_widget("player").value() == first_id
    assert constraints_panel.get_field_widget("other").hasFocus()
    for constraint in (ConstraintKind.APART, ConstraintKind.NEVER):
        constraints_panel.get_field_widget("other").choose_value(second_id)
        constraints_panel.get_field_widget("constraint").choose_value(constraint)
        QTest.keyClick(constraints_panel.get_field_widget("why"), Qt.Key.Key_Return)
        assert [row.kind for row in session.tournament.constraints.values()] == [constraint]
    constraints_panel.editor.view.setFocus()
    QTest.keyClick(constraints_panel.editor.view, Qt.Key.Key_Delete)
    assert not session.tournament.constraints
    constraints_panel.get_field_widget("other").choose_value(second_id)
    constraints_panel.get_field_widget("constraint").choose_value(ConstraintKind.TOGETHER)
    assert constraints_panel.get_field_widget("round_number").text() == "1"
    QTest.keyClicks(constraints_panel.get_field_widget("why"), "a bet")
    QTest.keyClick(constraints_panel.get_field_widget("why"), Qt.Key.Key_Return)
    (row,) = session.tournament.constraints.values()
    assert (row.kind, row.round, row.why) == (ConstraintKind.TOGETHER, 1, "a bet")
    press_key(window, Qt.Key.Key_Escape)
    window.show_page("rounds")
    press_key(window, Qt.Key.Key_F6)
    games = session.index.games(get_current_round(window).id)
    game = next(game for game in games if {game.first, game.second} == {first_id, second_id})
    assert game.reason is not None
    assert game.reason.code == "ordered"


def test_constraints_panel_refuses_an_invalid_round(window: Window, qtbot: QtBot) -> None:
    constraints_panel = ConstraintsPanel(window.session, window.session.index.get_player(A, 1).id)
    window.open_panel(constraints_panel)
    constraints_panel.editor.save_row()
    assert constraints_panel.get_field_widget("other").hasFocus()
    constraints_panel.get_field_widget("other").choose_value(window.session.index.get_player(A, 2).id)
    constraints_panel.get_field_widget("constraint").choose_value(ConstraintKind.TOGETHER)
    constraints_panel.get_field_widget("round_number").selectAll()
    QTest.keyClicks(constraints_panel.get_field_widget("round_number"), "x")
    with qtbot.waitSignal(window.session.message_sent):
        constraints_panel.editor.save_row()
    assert constraints_panel.get_field_widget("round_number").hasFocus()
    assert not window.session.tournament.constraints


# --- availability


def test_availability_panel_shows_the_effect_of_a_withdrawal(window: Window) -> None:
    play_round(window, missing_results=5)
    page, session = show_players_page(window, 7), window.session
    run_action(window, "withdraw")
    availability_panel = get_panel(window, AvailabilityPanel)
    assert isinstance(availability_panel, AvailabilityPanel)
    texts = availability_panel.consequences.effects_label.text()
    assert "still has a game in round 1" in texts
    assert "From round 2 on: 9 players, so one has a bye each round" in texts
    assert "Nothing is recorded" in texts
    assert "stays in the standings" in texts
    assert not session.tournament.absences
    press_key(window, Qt.Key.Key_Return)
    assert session.index.has_withdrawn(page.get_current_player_id() or PlayerId(""))
    assert window.panel is None
    press_key(window, Qt.Key.Key_Z, CONTROL)
    assert not session.tournament.absences


def test_availability_panel_returns_a_player_from_a_round(window: Window) -> None:
    session = window.session
    player = session.index.get_player(A, 7).id
    session.do(partial(commands.withdraw_player, key="w", player=player))
    play_round(window)
    show_players_page(window, 7)
    run_action(window, "return")
    availability_panel = get_panel(window, AvailabilityPanel)
    assert isinstance(availability_panel, AvailabilityPanel)
    assert availability_panel.change.value() is AvailabilityChange.RETURN
    assert "is paired again from round 2 on" in availability_panel.consequences.effects_label.text()
    press_key(window, Qt.Key.Key_Return)
    assert not session.index.has_withdrawn(player)


def test_click_on_the_present_cell_of_a_withdrawn_player_offers_the_return(window: Window) -> None:
    session = window.session
    session.do(partial(commands.withdraw_player, key="w", player=session.index.get_player(A, 7).id))
    page = show_players_page(window, 7)
    row, column = page.view.currentIndex().row(), page.rows.list_column_ids().index("checked_in")
    page.view.clicked.emit(page.rows.index(row, column))
    availability_panel = get_panel(window, AvailabilityPanel)
    assert isinstance(availability_panel, AvailabilityPanel)
    assert availability_panel.change.value() is AvailabilityChange.RETURN


def test_availability_panel_shows_the_value_of_a_missed_round(window: Window) -> None:
    press_key(window, Qt.Key.Key_F6)
    show_players_page(window, 7)
    press_key(window, Qt.Key.Key_B, CONTROL)
    availability_panel, session = get_panel(window, AvailabilityPanel), window.session
    assert isinstance(availability_panel, AvailabilityPanel)
    assert "Round 1 is a draft with" in availability_panel.consequences.effects_label.text()
    assert "A missed round counts as: absent" in availability_panel.consequences.effects_label.text()
    availability_panel.kind.choose_value(ByeKind.REQUESTED)
    assert "A missed round counts as: requested" in availability_panel.consequences.effects_label.text()
    availability_panel.first.setText("x")
    availability_panel.first.textEdited.emit("x")
    assert not availability_panel.consequences.confirm_button.isEnabled()
    availability_panel.first.setText("1")
    availability_panel.first.textEdited.emit("1")
    QTest.keyClick(availability_panel.first, Qt.Key.Key_Return)
    (absence,) = session.tournament.absences.values()
    assert (absence.first_round, absence.last_round, absence.kind) == (1, 1, ByeKind.REQUESTED)


@pytest.mark.slow
def test_late_entry_panel_shows_the_effect(window: Window) -> None:
    play_round(window)
    page, session = show_players_page(window), window.session
    page.get_action("add-player").trigger()
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "Late, Lotte")
    QTest.keyClick(field, Qt.Key.Key_Return)
    late_entry_panel = get_panel(window, LateEntrantPanel)
    assert isinstance(late_entry_panel, LateEntrantPanel)
    assert (
        "begins with no match points: the earlier round does not count"
        in late_entry_panel.consequences.effects_label.text()
    )
    assert "11 players, so one has a bye" in late_entry_panel.consequences.effects_label.text()
    assert len(session.index.players(A)) == 10
    press_key(window, Qt.Key.Key_Return)
    assert len(session.index.players(A)) == 11
    assert window.panel is None


def test_new_player_field_adds_a_player_at_once_before_the_first_round(window: Window) -> None:
    page = show_players_page(window)
    page.get_action("add-player").trigger()
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "Early, Eva")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert len(window.session.index.players(A)) == 11
    assert window.panel is None


# --- balance


def test_balance_panel_tints_cells(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(play_rounds(make_tournament(players=5), 4)))
    window = show_window(empty_session, qtbot, "standings")
    run_action(window, "balance")
    balance_panel = get_panel(window, StartsRepeatsAndByesPanel)
    assert isinstance(balance_panel, StartsRepeatsAndByesPanel)
    assert len(balance_panel.rows.keys()) == 5
    column = balance_panel.rows.list_column_ids().index("byes")
    rows = balance_panel.rows
    heats = {
        rows.find_row_by_key(key).byes: rows.get_heat_map_intensity(rows.index(position, column))
        for position, key in enumerate(rows.keys())
    }
    assert heats[0] == 0
    assert heats[1] > 0


# --- recheck of all rounds


@pytest.mark.slow
def test_pairing_recheck_panel_shows_different_pairings(window: Window) -> None:
    for _ in range(2):
        play_round(window)
        run_action(window, "pair")
    run_action(window, "check-pairings")
    recheck_panel, session = get_panel(window, PairingRecheckPanel), window.session
    assert isinstance(recheck_panel, PairingRecheckPanel)
    assert "the same way again" in recheck_panel._summary.text()
    column = recheck_panel.rows.list_column_ids().index("found")

    def list_findings() -> list[str]:
        return [str(recheck_panel.rows.index(row, column).data()) for row in range(recheck_panel.rows.rowCount())]

    assert list_findings() == ["paired the same way again"] * 3
    game = session.index.games(session.index.rounds(A)[0].id)[0]
    session.do(partial(commands.enter_result, game=game.id, first=100, second=600))
    recheck_panel.refresh_panel()
    assert "differently now" in recheck_panel._summary.text()
    assert any("different players at table" in text for text in list_findings())


@pytest.mark.slow
def test_availability_panel_proposes_the_next_round_after_an_absence(window: Window) -> None:
    page, session = show_players_page(window, 7), window.session
    press_key(window, Qt.Key.Key_B, CONTROL)
    availability_panel = get_panel(window, AvailabilityPanel)
    assert isinstance(availability_panel, AvailabilityPanel)
    round_field = availability_panel.first
    QTest.keyClick(round_field, Qt.Key.Key_Return)
    player = page.get_current_player_id()
    assert [(absence.player, absence.first_round) for absence in session.tournament.absences.values()] == [
        (player, 1)
    ]
    assert round_field.text() == "2"
    assert availability_panel.consequences.confirm_button.isEnabled()
    assert "already" not in availability_panel.consequences.effects_label.text()
    assert QApplication.focusWidget() is round_field


@pytest.mark.slow
def test_availability_panel_closes_after_a_withdrawal(window: Window) -> None:
    page, session = show_players_page(window, 7), window.session
    press_key(window, Qt.Key.Key_B, CONTROL)
    availability_panel = get_panel(window, AvailabilityPanel)
    assert isinstance(availability_panel, AvailabilityPanel)
    availability_panel.change.choose_value(AvailabilityChange.LEAVE)
    availability_panel.consequences.confirm_button.setFocus()
    press_key(window, Qt.Key.Key_Return)
    press_key(window, Qt.Key.Key_Return)
    player = page.get_current_player_id()
    assert player is not None
    assert session.index.has_withdrawn(player)
    assert not isinstance(window.panel, AvailabilityPanel)


def test_availability_panel_sets_absences_of_several_players(window: Window) -> None:
    page, session = show_players_page(window, 7), window.session
    three_players = [session.index.get_player(A, number).id for number in (7, 8, 9)]
    page.view.selectRow(page.rows.find_row_position(three_players[0]))
    for _ in range(2):
        QTest.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    press_key(window, Qt.Key.Key_B, CONTROL)
    availability_panel = get_panel(window, AvailabilityPanel)
    assert isinstance(availability_panel, AvailabilityPanel)
    assert availability_panel.heading.text() == "3 players"
    names = [session.tournament.players[player_id].name for player_id in three_players]
    assert all(name in availability_panel.names_label.text() for name in names)
    QTest.keyClicks(availability_panel.first, "2")
    QTest.keyClicks(availability_panel.last, "3")
    QTest.keyClick(availability_panel.last, Qt.Key.Key_Return)
    absences = {
        (absence.player, absence.first_round, absence.last_round)
        for absence in session.tournament.absences.values()
    }
    assert absences == {(player_id, 2, 3) for player_id in three_players}
    assert page.rows.find_row_by_key(three_players[0]).status == "active"
    position = page.rows.index(
        page.rows.find_row_position(three_players[0]), page.rows.list_column_ids().index("status")
    )
    assert position.data() == "active · Rounds 2–3: absent"
    press_key(window, Qt.Key.Key_Z, CONTROL)
    assert not session.tournament.absences, "one undo removes all three absences"


def test_availability_panel_follows_the_cursor(window: Window) -> None:
    page, session = show_players_page(window, 7), window.session
    press_key(window, Qt.Key.Key_B, CONTROL)
    other_player = session.index.get_player(A, 9)
    page.view.select_row(other_player.id)
    availability_panel = get_panel(window, AvailabilityPanel)
    assert availability_panel.heading.text() == other_player.name
    assert isinstance(availability_panel, AvailabilityPanel)
    QTest.keyClick(availability_panel.first, Qt.Key.Key_Return)
    assert [absence.player for absence in session.tournament.absences.values()] == [other_player.id]
