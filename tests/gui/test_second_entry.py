"""Tests of the second entry: the results of a round typed again from the slips."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import GameSide, Result, ResultState
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.i18n.rounds_page import HIDDEN_SCORE
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.table_events import get_game
from tests.gui.windows import get_focused_widget, get_page, press_key, show_window

CHECKED, ENTERED = ResultState.CHECKED, ResultState.ENTERED


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window in second entry. Tables 1 to 3 have results: 400 + table to 380."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    empty_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(empty_session.index, A)))
    for game in empty_session.index.games(empty_session.index.rounds(A)[-1].id)[:3]:
        empty_session.do(partial(commands.enter_result, game=game.id, first=400 + game.table, second=380))
    new_window = show_window(empty_session, qtbot, "rounds")
    press_key(new_window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    return new_window


get_rounds_page = partial(get_page, kind=RoundsPage)


def type_line(window: Window, text: str, *, enter: bool = True) -> None:
    QTest.keyClicks(get_focused_widget(window), text)
    if enter:
        press_key(window, Qt.Key.Key_Return)


def get_result(window: Window, table: int) -> Result:
    result = window.session.index.get_result(get_game(window.session, table).id)
    assert result is not None
    return result


def read_echo(window: Window) -> str:
    return get_rounds_page(window).field.echo_label.text() + get_rounds_page(window).field.more_label.text()


def list_row_cells(window: Window, table: int) -> list[str]:
    rows = get_rounds_page(window).rows
    row = rows.find_row_position(get_game(window.session, table).id)
    return [str(rows.index(row, column).data()) for column in range(rows.columnCount())]


def test_second_entry_hides_first_results(window: Window) -> None:
    assert list_row_cells(window, 1).count(HIDDEN_SCORE) == 2
    for line in ("1", "1 350", "1 350 380"):
        get_rounds_page(window).field.line.clear()
        type_line(window, line, enter=False)
        assert "401" not in read_echo(window)
        assert "+21" not in read_echo(window)
    assert get_rounds_page(window).rows.locked


@pytest.mark.slow
def test_second_entry_does_not_settle_a_disputed_table(window: Window) -> None:
    field, session = get_rounds_page(window).field, window.session
    item = session.round
    assert item is not None
    game = session.index.get_game(item.id, 1)
    session.do(partial(commands.dispute_result, game=game.id, first=333, second=222), quiet=True)
    before = session.tournament.results[game.id]
    field.set_typed_text(f"1 {before.first} {before.second}")
    assert field._preview.tone == "red"
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert session.tournament.results[game.id] == before


@pytest.mark.slow
def test_second_entry_icon_needs_no_space_when_hidden(full_session: Session, qtbot: QtBot) -> None:
    line = get_rounds_page(show_window(full_session, qtbot, "rounds")).field.line
    cursor_x = line.cursorRect().x()
    line.removeAction(line.actions()[0])
    assert line.cursorRect().x() == cursor_x


def test_second_entry_icon_shows_and_ends_the_mode(window: Window) -> None:
    field = get_rounds_page(window).field
    [action] = field.line.actions()
    assert action.isVisible()
    action.trigger()
    assert (action.isVisible(), field.second_entry.is_active) == (False, False)
    press_key(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert (action.isVisible(), field.second_entry.is_active) == (True, True)


def test_second_entry_checks_equal_entries(window: Window) -> None:
    assert "Second entry, 0 of 4" in read_echo(window)
    assert get_rounds_page(window).field.proposed_key == get_game(window.session, 1).id
    type_line(window, "1 401 380")
    assert get_result(window, 1).state is CHECKED
    assert get_rounds_page(window).field.line.text() == ""
    assert "Second entry, 1 of 4" in read_echo(window)
    assert get_rounds_page(window).field.proposed_key == get_game(window.session, 2).id
    assert "401" in list_row_cells(window, 1)
    window.session.undo()
    assert get_result(window, 1).state is ENTERED


def test_second_entry_shows_both_different_entries(window: Window) -> None:
    type_line(window, "2 402 390")
    bar = get_rounds_page(window).field.second_entry
    assert bar.isVisible()
    assert "402 – 380" in bar.first_button.text()
    assert "402 – 390" in bar.second_button.text()
    assert get_result(window, 2) == Result(get_game(window.session, 2).id, ENTERED, 402, 380)
    assert get_rounds_page(window).field.line.text() == "2 402 390"


@pytest.mark.slow
def test_second_entry_two_enters_choose_no_entry(window: Window) -> None:
    type_line(window, "2 402 390")
    press_key(window, Qt.Key.Key_Return)
    assert not get_rounds_page(window).field.second_entry.isVisible()
    assert get_rounds_page(window).field.line.hasFocus()
    assert get_result(window, 2).state is ENTERED


@pytest.mark.slow
def test_second_entry_keeps_the_first_entry_by_key(window: Window) -> None:
    type_line(window, "2 402 390")
    press_key(window, Qt.Key.Key_1)
    assert (get_result(window, 2).first, get_result(window, 2).second, get_result(window, 2).state) == (
        402,
        380,
        CHECKED,
    )
    assert get_rounds_page(window).field.line.text() == ""
    assert "402 – 380" in read_echo(window)


def test_second_entry_takes_the_second_entry_in_one_step(window: Window) -> None:
    type_line(window, "2 402 390")
    before = len(window.session.desk.list_all_steps())
    press_key(window, Qt.Key.Key_2)
    assert (get_result(window, 2).second, get_result(window, 2).state) == (390, CHECKED)
    assert len(window.session.desk.list_all_steps()) == before + 1
    window.session.undo()
    assert (get_result(window, 2).second, get_result(window, 2).state) == (380, ENTERED)


@pytest.mark.slow
def test_second_entry_escape_leaves_only_the_question(window: Window) -> None:
    type_line(window, "2 402 390")
    press_key(window, Qt.Key.Key_Escape)
    field = get_rounds_page(window).field
    assert field.line.text() == "2 402 390"
    press_key(window, Qt.Key.Key_Escape)
    assert field.second_entry.is_active
    type_line(window, "2 402 380")  # the typed text is selected, so this replaces it
    assert get_result(window, 2).state is CHECKED


def test_second_entry_keeps_both_for_the_jury(window: Window) -> None:
    type_line(window, "2 402 390")
    press_key(window, Qt.Key.Key_3)
    assert (get_result(window, 2).first, get_result(window, 2).disputed) == (402, (402, 390))
    assert get_result(window, 2).status == "disputed"
    assert "another slip says 402 – 390" in read_echo(window)
    assert "1 of 4" in read_echo(window)
    window.session.undo()
    assert get_result(window, 2).disputed is None


def test_second_entry_asks_before_changing_a_checked_result(window: Window) -> None:
    type_line(window, "2 402 380")
    type_line(window, "2 380 402")
    press_key(window, Qt.Key.Key_2)
    field = get_rounds_page(window).field
    assert field.bar.isVisible()
    assert get_result(window, 2).first == 402
    press_key(window, Qt.Key.Key_Return)
    assert (get_result(window, 2).first, get_result(window, 2).state) == (380, CHECKED)


@pytest.mark.slow
def test_second_entry_asks_again_after_a_changed_first_entry(window: Window) -> None:
    type_line(window, "2 402 390")
    window.session.do(partial(commands.enter_result, game=get_game(window.session, 2).id, first=402, second=390))
    assert not get_rounds_page(window).field.second_entry.isVisible()
    assert get_rounds_page(window).field.line.text() == "2 402 390"
    press_key(window, Qt.Key.Key_Return)
    assert get_result(window, 2).state is CHECKED


@pytest.mark.slow
def test_second_entry_enters_a_missing_result_as_first(window: Window) -> None:
    type_line(window, "4 404 380")
    assert get_result(window, 4).state is ENTERED
    assert "0 of 4" in read_echo(window)


def test_second_entry_refuses_forfeits_and_clearing(window: Window) -> None:
    type_line(window, "4 f1")
    assert get_result(window, 4).forfeit is GameSide.FIRST
    assert "of 3" in read_echo(window)
    type_line(window, "1 -")
    assert get_result(window, 1).state is ENTERED
    assert "cleared" in read_echo(window)


def test_second_entry_says_when_all_agree(window: Window) -> None:
    for table in (1, 2, 3):
        type_line(window, f"{table} {400 + table} 380")
    assert "Second entry, 3 of 4. One result is missing." in read_echo(window)
    type_line(window, "4 404 380")
    type_line(window, "4 404 380")
    assert "All 4 slips for round 1 have been typed twice" in read_echo(window)
    press_key(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert not get_rounds_page(window).field.second_entry.is_active
    assert get_rounds_page(window).field.line.hasFocus()


@pytest.mark.slow
def test_second_entry_ends_with_another_round(window: Window) -> None:
    type_line(window, "4 404 380")
    session = window.session
    session.do(partial(commands.pair_round, key="r2", proposal=propose_pairings(session.index, A)))
    assert not get_rounds_page(window).field.second_entry.is_active


@pytest.mark.slow
def test_second_entry_takes_ctrl_enter_for_implausible_points(window: Window) -> None:
    window.session.do(
        partial(commands.enter_result, game=get_game(window.session, 4).id, first=2000, second=300, confirmed=True)
    )
    type_line(window, "4 2000 300")
    assert get_result(window, 4).state is ENTERED
    press_key(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert get_result(window, 4).state is CHECKED


def test_second_entry_says_how_to_leave_and_escape_leaves(window: Window) -> None:
    action = window.get_action("type-again")
    assert action.isChecked()
    assert "Press Esc to stop the second entry." in read_echo(window)
    type_line(window, "1 40", enter=False)
    press_key(window, Qt.Key.Key_Escape)
    assert get_rounds_page(window).field.second_entry.is_active
    press_key(window, Qt.Key.Key_Escape)
    assert not get_rounds_page(window).field.second_entry.is_active
    assert not action.isChecked()
    assert "401" in list_row_cells(window, 1)


@pytest.mark.slow
def test_second_entry_names_a_table_without_first_entry(window: Window) -> None:
    for line in ("4", "4 400", "4 400 390"):
        get_rounds_page(window).field.line.clear()
        type_line(window, line, enter=False)
        assert "counts as the first" in read_echo(window)
