"""The Rounds page in the window: pairing, a draft changed by hand, publishing, results, mishaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from tdapp.domain.model import Forfeit, Game, PlayerId, Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.ruleset import AwardBy, PointAward
from tdapp.gui.players.availability import AvailabilityPanel
from tdapp.gui.players.card import CardPanel
from tdapp.gui.rounds.dialogs import (
    AwardedPointsPanel,
    CorrectSeatsDialog,
    MoveToTableDialog,
    SeatLatecomerDialog,
    UnpublishRoundDialog,
)
from tdapp.gui.rounds.page import RoundsPage, RoundTabs
from tdapp.gui.shell.program_actions import SearchActions
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.page import CommandButton
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import list_unpaired_players, propose_pairings
from tests.gui.samples import A, make_desk, make_session, make_tournament, play_rounds
from tests.gui.windows import find_dialog, get_page, run_command, show_window
from tests.gui.windows import press as key


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """A window on 14 players."""
    empty_session.attach_desk(make_desk(make_tournament(players=14)))
    return show_window(empty_session, qtbot, "rounds")


@pytest.fixture
def odd(empty_session: Session, qtbot: QtBot) -> Window:
    """A window on 9 players."""
    empty_session.attach_desk(make_desk(make_tournament(players=9)))
    return show_window(empty_session, qtbot, "rounds")


page_of = partial(get_page, kind=RoundsPage)


def item(window: Window) -> Round:
    found = window.session.round
    assert found is not None
    return found


def games(window: Window) -> tuple[Game, ...]:
    return window.session.index.games(item(window).id)


def cell(page: RoundsPage, game: Game, column: str) -> QPoint:
    rows = page.rows
    index = rows.index(rows.find_row_position(game.id), rows.list_column_ids().index(column))
    return page.view.visualRect(index).center()


def put_cursor(page: RoundsPage, game: Game, column: str) -> None:
    page.view.setFocus()
    QTest.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=cell(page, game, column))


def drag(page: RoundsPage, start: QPoint, end: QPoint) -> None:
    target = page.view.viewport()
    QTest.mousePress(target, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(target, start + QPoint(0, 20))
    QTest.mouseMove(target, end)
    QTest.mouseRelease(target, Qt.MouseButton.LeftButton, pos=end)


def main_buttons(window: Window) -> list[CommandButton]:
    found = [one for one in window.page.findChildren(CommandButton) if one.isVisible()]
    return [one for one in found if one.property("role") == "primary"]


def buttons(window: Window) -> list[str]:
    return [button.accessibleName() for button in main_buttons(window)]


def opponents(window: Window) -> set[frozenset[PlayerId]]:
    return {frozenset({game.first, game.second}) for game in games(window)}


# --- what comes next


def test_rounds_page_highlights_the_next_step(window: Window) -> None:
    assert buttons(window) == ["Pair round 1"]
    key(window, Qt.Key.Key_F6)
    assert buttons(window) == ["Publish round 1"]
    assert item(window).state is RoundState.DRAFT
    key(window, Qt.Key.Key_F9)
    assert item(window).state is RoundState.PUBLISHED
    assert buttons(window) == []
    for game in games(window):
        window.session.do(partial(commands.enter_result, game=game.id, first=412, second=388), quiet=True)
    assert buttons(window) == ["Pair round 2"]


def test_publish_round_focuses_the_result_field(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    key(window, Qt.Key.Key_F9)
    for game in games(window):
        focused = window.focusWidget()
        assert isinstance(focused, QLineEdit)
        QTest.keyClicks(focused, f"{game.table}.{400 + game.table}.{380 - game.table}")
        key(window, Qt.Key.Key_Return)
    assert len(window.session.tournament.results) == 7
    key(window, Qt.Key.Key_F6)
    assert item(window).number == 2


@pytest.mark.slow
@pytest.mark.parametrize("second", [QTest.mouseClick, QTest.mouseDClick])
def test_command_button_ignores_a_second_click_after_a_change(
    window: Window, monkeypatch: pytest.MonkeyPatch, second: Callable[[QPushButton, Qt.MouseButton], None]
) -> None:
    for state in (RoundState.DRAFT, RoundState.PUBLISHED):
        main = page_of(window)._buttons[-1 if state is RoundState.PUBLISHED else -2]
        monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 0)
        QTest.mouseClick(main, Qt.MouseButton.LeftButton)
        monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 60_000)
        main = page_of(window)._buttons[-1 if state is RoundState.DRAFT else -2]
        second(main, Qt.MouseButton.LeftButton)
        assert item(window).state is state
    assert page_of(window).field.line.hasFocus()


def test_rounds_page_explains_an_empty_division(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "rounds")
    assert "import a list" in page_of(window).view.accessibleDescription()
    assert not window.command("pair").isEnabled()


@pytest.mark.slow
def test_redo_of_the_publication_focuses_the_result_field(window: Window) -> None:
    for one in (Qt.Key.Key_F6, Qt.Key.Key_F9):
        key(window, one)
    for name in ("undo", "undo", "redo", "redo"):
        run_command(window, name)
    assert item(window).state is RoundState.PUBLISHED
    assert page_of(window).field.line.hasFocus()


@pytest.mark.slow
def test_pair_key_explains_the_end_after_the_last_round(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(partial(commands.edit_stage, stage=full_session.index.stages(A)[0].id, rounds=1))
    window = show_window(full_session, qtbot, "rounds")
    for one in (Qt.Key.Key_F6, Qt.Key.Key_F9):
        key(window, one)
    *others, last = full_session.index.open_games(item(window).id)
    for some, said in ((others, "One result is missing."), ([last], "F7 shows the final standings")):
        for game in some:
            full_session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
        with qtbot.waitSignal(window.session.message_sent) as told:
            key(window, Qt.Key.Key_F6)
        assert said in told.args[0]
    command = window.command("pair")
    assert (command.text(), command.is_highlighted) == ("What is next?", False)
    full_session.do(partial(commands.finish_tournament))
    assert "The tournament is finished. Reopen it" in page_of(window).field.echo_label.text()
    assert [one.number for one in full_session.index.rounds(A)] == [1]


def test_pair_round_refuses_missing_results_with_a_sentence(window: Window, qtbot: QtBot) -> None:
    key(window, Qt.Key.Key_F6)
    key(window, Qt.Key.Key_F9)
    with qtbot.waitSignal(window.session.message_sent) as told:
        key(window, Qt.Key.Key_F6)
    assert "are missing. Enter the results, or pair although results are missing" in told.args[0]
    assert item(window).number == 1


# --- drafts


def test_rounds_page_shows_costs_and_reasons_of_a_draft(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page = page_of(window)
    assert "No repeat pairings" in page.banner_text.text()
    put_cursor(page, games(window)[2], "first_name")
    assert "Table 3:" in page.footer.text()
    texts = [str(page.rows.index(row, page.rows.list_column_ids().index("reason")).data()) for row in range(7)]
    assert all("place" in text for text in texts)


def test_change_bar_swaps_two_players_by_keys(window: Window, qtbot: QtBot) -> None:
    key(window, Qt.Key.Key_F6)
    page, before = page_of(window), games(window)
    put_cursor(page, before[0], "second_name")
    key(window, Qt.Key.Key_Space)
    put_cursor(page, before[1], "second_name")
    key(window, Qt.Key.Key_Space)
    assert set(page.bar.picked_players) == {before[0].second, before[1].second}
    assert any("worse" in one.text() or "better" in one.text() or "nothing" in one.text()
               for one in page.bar.findChildren(type(page.footer)))  # fmt: skip
    assert opponents(window) == {frozenset({game.first, game.second}) for game in before}
    qtbot.waitUntil(lambda: window.focusWidget() is page.bar.buttons[0])
    key(window, Qt.Key.Key_Space)
    assert frozenset({before[0].first, before[1].second}) in opponents(window)
    assert frozenset({before[1].first, before[0].second}) in opponents(window)
    assert not page.bar.picked_players
    key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert opponents(window) == {frozenset({game.first, game.second}) for game in before}


def test_change_bar_pairs_a_player_dragged_onto_another(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page, before = page_of(window), games(window)
    drag(page, cell(page, before[0], "first_name"), cell(page, before[3], "second_name"))
    assert page.bar.picked_players == (before[0].first, before[3].second)
    QTest.mouseClick(page.bar.buttons[1], Qt.MouseButton.LeftButton)
    assert frozenset({before[0].first, before[3].second}) in opponents(window)
    assert frozenset({before[0].second, before[3].first}) in opponents(window)


@pytest.mark.slow
def test_change_bar_closes_by_escape(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page = page_of(window)
    page.bar.toggle_player(games(window)[0].first)
    put_cursor(page, games(window)[5], "first_name")
    key(window, Qt.Key.Key_Escape)
    assert not page.bar.picked_players
    assert not page.bar.isVisible()


def test_lock_tables_keeps_tables_when_pairing_again(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page, before = page_of(window), games(window)
    page.bar.pick_pair(before[0].second, before[1].second)
    page.bar.buttons[0].click()
    made = next(game for game in games(window) if before[0].first in {game.first, game.second})
    assert made.locked  # pairings set by hand stay
    put_cursor(page, games(window)[4], "first_name")
    key(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    fifth = games(window)[4]
    assert fifth.locked
    assert window.command("pair-again").text() == "Pair the other tables again"
    key(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    for game in (made, fifth):
        after = window.session.tournament.games[game.id]
        assert (after.first, after.second, after.table) == (game.first, game.second, game.table)
    put_cursor(page, fifth, "first_name")
    key(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.tournament.games[fifth.id].locked


def test_change_bar_separates_players_until_paired_by_hand(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page, before = page_of(window), games(window)
    page.bar.toggle_player(before[0].first)
    page.bar.buttons[-1].click()
    waiting = list_unpaired_players(window.session.index, item(window))
    assert set(waiting) == {before[0].first, before[0].second}
    assert "Waiting" in page.footer.text()
    page._follow_link(f"player:{waiting[0]}")
    page._follow_link(f"player:{waiting[1]}")
    page.bar.buttons[-1].click()
    assert opponents(window) == {frozenset({game.first, game.second}) for game in before}


def test_change_bar_gives_the_bye_to_another_player(odd: Window) -> None:
    key(odd, Qt.Key.Key_F6)
    page, player = page_of(odd), games(odd)[0].first
    page.bar.toggle_player(player)
    page.bar.buttons[0].click()
    assert [bye.player for bye in odd.session.index.byes(item(odd).id)] == [player]
    assert odd.session.tournament.players[player].name in page.footer.text()


def test_awards_panel_sets_points_for_a_bye(odd: Window) -> None:
    key(odd, Qt.Key.Key_F6)
    key(odd, Qt.Key.Key_F9)
    run_command(odd, "awards")
    panel = odd.findChild(AwardedPointsPanel)
    assert panel is not None
    (bye,) = odd.session.index.byes(item(odd).id)
    panel.editor.view.choose(f"1.{bye.player}")
    key(odd, Qt.Key.Key_F2)
    panel.field("by").choose(AwardBy.FIXED)
    panel.field("points").setText("345")
    panel.editor.save_row()
    assert odd.session.index.byes(item(odd).id)[0].award == PointAward(points=345)
    assert "345 points" in page_of(odd).footer.text()
    assert panel.editor.rows.row(f"1.{bye.player}").awarded == 345
    odd.session.undo()
    assert odd.session.index.byes(item(odd).id)[0].award is None


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["nb"], indirect=True)
def test_awards_panel_fits_a_narrow_window(odd: Window, qtbot: QtBot) -> None:
    key(odd, Qt.Key.Key_F6)
    key(odd, Qt.Key.Key_F9)
    odd.resize(1280, 720)
    run_command(odd, "awards")
    panel = odd.findChild(AwardedPointsPanel)
    assert panel is not None
    qtbot.waitUntil(lambda: panel.width() < 500)
    assert panel.editor.view.rows.rowCount()
    assert not panel.editor.view.horizontalScrollBar().maximum()


def test_rounds_page_moves_a_table_and_swaps_the_starter(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page, game = page_of(window), games(window)[0]
    page.edit_cell(game.id, "table", "12")
    assert window.session.tournament.games[game.id].table == 12
    page.view.choose(game.id)
    run_command(window, "set-starter")
    assert window.session.tournament.games[game.id].first == game.second


def test_discard_draft_removes_the_draft(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    run_command(window, "discard-draft")
    assert not window.session.tournament.rounds
    assert buttons(window) == ["Pair round 1"]


@pytest.mark.slow
def test_rounds_page_menu_offers_possible_actions(window: Window) -> None:
    key(window, Qt.Key.Key_F6)
    page = page_of(window)
    put_cursor(page, games(window)[0], "first_name")
    menu = page.make_menu()
    texts = [action.text() for action in menu.actions()]
    assert "Keep this table when pairing again" in texts
    assert "Clear the result" not in texts
    menu.deleteLater()


# --- published rounds


@pytest.fixture
def published(window: Window) -> Window:
    key(window, Qt.Key.Key_F6)
    key(window, Qt.Key.Key_F9)
    return window


def type_into(window: Window, game: Game, column: str, text: str) -> None:
    page = page_of(window)
    put_cursor(page, game, column)
    QTest.keyClicks(page.view, text[0])
    editor = window.focusWidget()  # an earlier editor may still wait to be deleted
    assert isinstance(editor, QLineEdit)
    assert editor.text() == text[0]
    QTest.keyClicks(editor, text[1:])
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_rounds_page_enters_scores_typed_into_the_table(published: Window, qtbot: QtBot) -> None:
    game, session = games(published)[3], published.session
    type_into(published, game, "score1", "431")
    field = page_of(published).field.line
    first = published.focusWidget()
    qtbot.waitUntil(lambda: published.focusWidget() not in {first, field, page_of(published).view})
    editor = published.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert not session.tournament.results
    editor.selectAll()
    QTest.keyClicks(editor, "402")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: game.id in session.tournament.results)
    result = session.tournament.results[game.id]
    assert (result.first, result.second) == (431, 402)
    type_into(published, game, "score2", "400")
    qtbot.waitUntil(lambda: session.tournament.results[game.id].second == 400)


@pytest.mark.slow
def test_rounds_page_moves_a_refused_cell_to_the_result_field(published: Window) -> None:
    game, page = games(published)[3], page_of(published)
    page.edit_cell(game.id, "score1", "9999")
    page.edit_cell(game.id, "score2", "300")
    assert page.field.line.text() == f"{game.table} 9999 300"
    assert not published.session.tournament.results
    page.edit_cell(game.id, "score1", "many")
    assert not published.session.tournament.results


@pytest.mark.slow
def test_rounds_page_proposes_a_revealed_table(published: Window) -> None:
    page = page_of(published)
    page.reveal_row("5")
    QTest.keyClicks(page.field.line, " ")
    assert page.field.line.text() == "5 "
    QTest.keyClicks(page.field.line, "400 300")
    assert page.field.line.text() == "5 400 300"
    assert page.selection.game == games(published)[4]


def test_unpublish_dialog_asks_a_reason_and_names_lost_results(published: Window) -> None:
    game, session = games(published)[3], published.session
    before = games(published)
    session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    run_command(published, "take-back")
    asked = find_dialog(published, UnpublishRoundDialog)
    assert isinstance(asked, UnpublishRoundDialog)
    assert not asked.yes.isEnabled()
    QTest.keyClicks(asked.reason, "wrong players")
    assert not asked.yes.isEnabled()
    asked.results_box.setChecked(True)
    asked.yes.click()
    assert item(published).state is RoundState.DRAFT
    assert not session.tournament.results
    assert games(published) == before
    assert session.desk.history()[-1].facts["reason"] == "wrong players"
    run_command(published, "discard-draft")
    assert not session.tournament.rounds
    run_command(published, "undo")
    run_command(published, "undo")
    assert item(published).state is RoundState.PUBLISHED
    assert list(session.tournament.results) == [game.id]


def test_seats_dialog_corrects_the_seats(published: Window) -> None:
    one, two = games(published)[2], games(published)[6]
    page_of(published).view.choose(one.id)
    run_command(published, "as-seated")
    asked = find_dialog(published, CorrectSeatsDialog)
    assert isinstance(asked, CorrectSeatsDialog)
    asked.tables.setText("3 99")
    assert asked.error_label.text()
    assert not asked.yes.isEnabled()
    asked.tables.setText("3 7")
    asked.seats[0][1].choose(None)
    asked.confirm_dialog()
    assert "Table 3: Second: choose a player." in asked.error_label.text()
    asked.seats[0][1].choose(two.second)
    asked.confirm_dialog()
    assert asked.error_label.text()
    asked.seats[1][1].choose(one.second)
    asked.confirm_dialog()
    now = published.session.tournament.games
    assert (now[one.id].second, now[two.id].second) == (two.second, one.second)


@pytest.mark.slow
def test_seats_dialog_exchanges_the_bye_after_publishing(odd: Window) -> None:
    run_command(odd, "pair")
    run_command(odd, "publish")
    one, (bye,) = games(odd)[2], odd.session.index.list_unopposed_byes(item(odd).id)
    page_of(odd).view.choose(one.id)
    run_command(odd, "as-seated")
    asked = find_dialog(odd, CorrectSeatsDialog)
    assert isinstance(asked, CorrectSeatsDialog)
    asked.seats[0][1].choose(bye.player)
    asked.byes[0].choose(one.second)
    asked.confirm_dialog()
    now = odd.session.tournament
    assert (now.games[one.id].second, now.byes[bye.id].player) == (bye.player, one.second)


def test_table_dialog_changes_a_table_number(published: Window) -> None:
    game = games(published)[0]
    page_of(published).view.choose(game.id)
    run_command(published, "set-table")
    asked = find_dialog(published, MoveToTableDialog)
    assert isinstance(asked, MoveToTableDialog)
    asked.number.setText("x")
    asked.confirm_dialog()
    asked.number.setText("40")
    asked.confirm_dialog()
    assert published.session.tournament.games[game.id].table == 40


def test_late_player_dialog_pairs_a_late_player_with_the_bye(odd: Window) -> None:
    key(odd, Qt.Key.Key_F6)
    key(odd, Qt.Key.Key_F9)
    session = odd.session
    alone = session.index.byes(item(odd).id)[0].player
    session.do(partial(commands.add_player, key="late", division=A, name="Late, Louise"))
    run_command(odd, "latecomer")
    asked = find_dialog(odd, SeatLatecomerDialog)
    asked.confirm_dialog()
    assert frozenset({alone, PlayerId("late")}) in opponents(odd)


@pytest.mark.slow
def test_seat_unseated_player_offers_the_bye(odd: Window) -> None:
    key(odd, Qt.Key.Key_F6)
    key(odd, Qt.Key.Key_F9)
    session = odd.session
    for name in ("First", "Second"):
        session.do(partial(commands.add_player, key=name, division=A, name=name))
    SearchActions(odd).solve_problem(Problem("player-unseated", {}, "rounds", "Second"))
    asked = find_dialog(odd, SeatLatecomerDialog)
    assert asked.player.value() == "Second"
    asked.reject()


def test_clear_result_works_from_the_menu(published: Window) -> None:
    game, session = games(published)[3], published.session
    session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    page_of(published).view.choose(game.id)
    run_command(published, "clear-result")
    assert not session.tournament.results


def test_rounds_page_follows_links_of_problems(published: Window) -> None:
    page, first = page_of(published), item(published)
    published.session.choose_round(None)
    page.reveal_row(first.id)
    assert published.session.round == first
    page.reveal_row("7")
    assert page.selection.game == games(published)[6]
    assert page.current_player() == games(published)[6].first


@pytest.mark.slow
@pytest.mark.styled
def test_round_tabs_have_space_for_a_single_round(published: Window) -> None:
    QApplication.processEvents()
    assert page_of(published).tabs.count() == 1
    assert page_of(published).tabs.height() >= page_of(published).tabs.sizeHint().height()
    published.command("language-nl").trigger()
    QApplication.processEvents()
    assert page_of(published).tabs.height() >= page_of(published).tabs.sizeHint().height()


@pytest.mark.slow
def test_round_tabs_choose_a_round(published: Window) -> None:
    page, session = page_of(published), published.session
    for game in games(published):
        session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    key(published, Qt.Key.Key_F6)
    assert page.tabs.count() == 2
    page.tabs.setCurrentIndex(0)
    assert item(published).number == 1
    assert page.field.isVisible()


@pytest.mark.styled
def test_round_tabs_show_numbers_without_room_for_names(qtbot: QtBot) -> None:
    tabs = RoundTabs("Round")
    qtbot.addWidget(tabs)
    names = [(number, f"Round {number}") for number in range(1, 10)]
    tabs.resize(2000, 40)
    tabs.show()
    tabs.show_rounds(names, 9)
    assert [tabs.tabText(tab) for tab in (0, 8)] == ["Round 1", "Round 9"]
    tabs.resize(tabs.sizeHint().width() - 40, 40)
    assert [tabs.tabText(tab) for tab in range(9)] == [*map(str, range(1, 9)), "Round 9"]
    assert tabs.sizeHint().width() <= tabs.width()
    assert (tabs.tabToolTip(0), tabs.accessibleTabName(0)) == ("Round 1", "Round 1")
    tabs.show_rounds(names, 2)
    assert [tabs.tabText(tab) for tab in (1, 8)] == ["Round 2", "9"]
    tabs.resize(2000, 40)
    assert tabs.tabText(8) == "Round 9"


def test_decide_tie_decides_a_knockout_match(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=6, rounds=3)
    stage = replace(next(iter(value.stages.values())), system="knockout")
    empty_session.attach_desk(make_desk(value.put(stage)))
    window = show_window(empty_session, qtbot, "rounds")
    key(window, Qt.Key.Key_F6)
    key(window, Qt.Key.Key_F9)
    game = games(window)[0]
    empty_session.do(partial(commands.enter_result, game=game.id, first=400, second=400))
    page_of(window).view.choose(game.id)
    assert find_game_winner(empty_session.index, game) is None
    run_command(window, "goes-on-second")
    assert find_game_winner(empty_session.index, game) == game.second
    page_of(window).view.choose(game.id)
    run_command(window, "bracket")
    assert window.page.id == "bracket"
    assert window.page.current_game() == empty_session.tournament.games[game.id]


# --- every language


@pytest.fixture(params=LANGUAGES)
def speaking(request: pytest.FixtureRequest, appearance: Appearance, settings: QSettings) -> Iterator[Session]:
    made = make_session(request.param, appearance, settings)
    made.attach_desk(make_desk(make_tournament(players=9)))
    yield made
    made.close()
    made.work.close()


def test_rounds_page_in_every_state_and_language(speaking: Session, qtbot: QtBot) -> None:
    window = show_window(speaking, qtbot, "rounds")
    page = page_of(window)
    run_command(window, "pair")
    page.bar.pick_pair(games(window)[0].first, games(window)[1].first)
    page.bar.unpick_players()
    page.bar.toggle_player(games(window)[0].first)
    texts = [page.banner_text.text(), page.footer.text()]
    run_command(window, "publish")
    page.view.choose(games(window)[0].id)
    for name in ("set-table", "as-seated", "latecomer", "take-back"):
        run_command(window, name)
        asked = next(one for one in window.findChildren(QDialog) if one.isVisible())
        texts += [one.text() for one in asked.findChildren(type(page.footer))]
        asked.reject()
    texts += [command.text() for command in page.commands] + [page.footer.text()]
    assert not any("{" in text for text in texts)


def test_rounds_page_is_read_only_in_a_finished_tournament(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(commands.finish_tournament(play_rounds(make_tournament(players=4), 1))))
    window = show_window(empty_session, qtbot, "rounds")
    changing = {"pair", "pair-again", "publish", "lock", "set-table", "set-starter", "as-seated", "take-back"}
    able = [command.row.id for command in page_of(window).commands if command.isEnabled()]
    assert not changing.intersection(able)


@pytest.mark.slow
def test_rounds_page_shows_a_half_typed_score_of_a_locked_round(published: Window) -> None:
    game, page = games(published)[3], page_of(published)
    page.edit_cell(game.id, "score1", "431")
    place = page.rows.index(page.rows.find_row_position(game.id), page.rows.list_column_ids().index("score1"))
    assert place.data() == "431"
    page.edit_cell(game.id, "score1", "")
    assert place.data() == ""


@pytest.mark.slow
def test_pair_round_waits_for_results_being_saved(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, tmp_path: Path
) -> None:
    session = make_session("en", appearance, settings, inline=False)
    desk = Desk.create(tmp_path / "fast.tdapp", make_tournament(players=4))
    desk.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A)))
    session.attach_desk(desk)
    window = show_window(session, qtbot, "rounds")
    field = page_of(window).field
    for table in (1, 2):
        QTest.keyClicks(field.line, f"{table} 400 390")
        QTest.keyClick(field.line, Qt.Key.Key_Return)
    window.command("pair").trigger()
    qtbot.waitUntil(lambda: len(session.index.rounds(A)) == 2)
    session.close()
    session.work.close()


def test_rounds_page_asks_about_a_rare_score_in_the_table(window: Window) -> None:
    window.session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(window.session.index, A)))
    page = page_of(window)
    key = page._list_games_of_round()[-1].id
    for column, text in (("score1", "41"), ("score2", "388")):
        page.edit_cell(key, column, text)
    assert key not in window.session.tournament.results
    assert "rare" in page.field.echo_label.text() + page.field.more_label.text()


def test_rounds_page_finds_a_table_by_name(window: Window) -> None:
    window.session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(window.session.index, A)))
    page = page_of(window)
    key(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    one = games(window)[4]
    page.search.setText(window.session.tournament.players[one.second].name)
    assert [page.view.model().index(row, 0).data() for row in range(page.view.model().rowCount())] == ["5"]
    page.reveal_row("7")
    assert page.search.text() == ""


def test_card_panel_forfeits_or_withdraws_a_player(window: Window) -> None:
    session = window.session
    session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(session.index, A)))
    one = games(window)[4]
    for act, done in ((0, "5 f1"), (1, "")):
        card = CardPanel(session, one.first)
        window.open_panel(card)
        assert all(button.isVisible() for button in card._leaving_buttons)
        card._leaving_buttons[act].click()
        assert page_of(window).field.line.text() == done
        page_of(window).field.line.clear()
    assert isinstance(window.panel, AvailabilityPanel)
    assert {"forfeit", "withdraw"} <= {action.objectName() for action in page_of(window).make_menu().actions()}


@pytest.mark.slow
def test_rounds_page_shows_twelve_tables_on_a_small_screen(published: Window) -> None:
    page = page_of(published)
    published.resize(1280, 720)
    QApplication.processEvents()
    assert page.view.viewport().height() >= 12 * page.view.rowHeight(0)
    session = published.session
    session.undo()
    published.resize(1280, 720)
    QApplication.processEvents()
    page.bar.pick_pair(session.index.players(A)[0].id, session.index.players(A)[5].id)
    QApplication.processEvents()
    assert page.bar.isVisible()
    assert page.view.viewport().height() >= 9 * page.view.rowHeight(0)


@pytest.mark.slow
def test_pair_button_is_primary_only_for_a_complete_round(published: Window) -> None:
    session, page = published.session, page_of(published)
    (button,) = (button for button in page._buttons if button._command.row.id == "pair")
    assert (button.isVisible(), button.property("role")) == (True, "")
    for game in games(published):
        entered = partial(commands.enter_result, game=game.id, first=412, second=388)
        session.do(entered, quiet=True)
    assert button.property("role") == "primary"


def test_rounds_page_highlights_the_winner(published: Window) -> None:
    session, page = published.session, page_of(published)
    one = games(published)[3]
    session.do(partial(commands.enter_result, game=one.id, first=388, second=412), quiet=True)
    ids, row = page.rows.list_column_ids(), page.rows.find_row_position(one.id)
    bold = [ids[c] for c in range(len(ids)) if page.rows.index(row, c).data(Qt.ItemDataRole.FontRole) is not None]
    assert bold == ["second_name", "score2"]


@pytest.mark.slow
def test_rounds_page_restores_the_position_by_esc(empty_session: Session, qtbot: QtBot) -> None:
    desk = make_desk(make_tournament(players=100))
    desk.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A)))
    empty_session.attach_desk(desk)
    window = show_window(empty_session, qtbot, "rounds")
    page, bar = page_of(window), page_of(window).view.verticalScrollBar()
    page.field.focus_line()
    page.view.choose(games(window)[10].id)
    bar.setValue(5)
    QTest.keyClicks(page.field.line, "40 377")  # the wrong table
    assert page.view.current_key() == games(window)[39].id
    assert bar.value() > 5
    key(window, Qt.Key.Key_Escape)
    assert (page.view.current_key(), bar.value()) == (games(window)[10].id, 5)
    QTest.keyClicks(page.field.line, "40 400 377")
    key(window, Qt.Key.Key_Return)
    QTest.keyClicks(page.field.line, "41 ")
    key(window, Qt.Key.Key_Escape)
    assert bar.value() != 5


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de", "nl", "nb"], indirect=True)
def test_rounds_page_fits_the_word_for_a_forfeit(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=4)))
    window = show_window(empty_session, qtbot, "rounds")
    empty_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    empty_session.do(partial(commands.publish_round, round=item(window).id))
    game = games(window)[0]
    empty_session.do(partial(commands.enter_result, game=game.id, forfeit=Forfeit.FIRST))
    view = page_of(window).view
    at = view.rows.index(view.rows.find_row_position(game.id), view.rows.list_column_ids().index("score1"))
    assert view.sizeHintForIndex(at).width() <= view.columnWidth(at.column())


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["nb"], indirect=True)
def test_rounds_page_capitalises_the_state(odd: Window) -> None:
    key(odd, Qt.Key.Key_F6)
    said = [one.text() for one in odd.findChildren(QLabel) if "sveitsersystem" in one.text().casefold()]
    assert len(said) >= 2
    assert all(one.startswith("Sveitsersystem") for one in said)
