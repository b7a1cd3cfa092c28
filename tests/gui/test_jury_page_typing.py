"""Tests of the Jury page: notes about sums, plays and words during typing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.theme import Appearance
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.sheet import GameEnding
from tests.gui.jury_window import CONTROL, SHIFT, JuryDriver, pair_first_round, parametrize_languages
from tests.gui.samples import make_session
from tests.rulebook.books import load_tile_set, make_opening_plays

LISTED_WORDS = ("TAART", "TAFEL", "TAFELS", "LATER", "EL", "LA", "WEL")
EXAMPLE_LINES = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55")


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Return a driver with the empty sheet of table 1 under Dutch rules, and a short word list."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_word_list(LISTED_WORDS, binding=13)
    driver.choose_game("1")
    return driver


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_shows_errors_while_typing(driver: JuryDriver) -> None:
    """The notes appear before Enter, and the cursor stays in the line."""
    wrong_lines: dict[str, tuple[str, dict[str, object]]] = {
        "8D TAART 21": ("score-differs", {"stated": 21, "computed": 20}),
        "8D TAART 20 21": ("total-differs", {"stated": 21, "computed": 20}),
        "8A TAART 6 6": ("centre-not-covered", {}),
        "8D": ("turn-without-word", {"detail": "8D"}),
        "8D TAART zes": ("turn-unreadable", {"detail": "zes"}),
        "-8 0 0": ("turn-tiles", {"detail": "8"}),
        "- 5 5": ("score-differs", {"stated": 5, "computed": 0}),
    }
    for line, (code, facts) in wrong_lines.items():
        driver.replace_text(line)
        (note,) = driver.list_turn_notes()
        assert note.startswith(driver.session.catalogue.describe_problem(code, facts)), line
        assert driver.focused_widget is driver.page.turns.field
        driver.replace_text(EXAMPLE_LINES[0])
        assert driver.list_turn_notes() == [""]


@pytest.mark.slow
def test_jury_page_names_an_impossible_play_while_typing(driver: JuryDriver) -> None:
    driver.type_lines(EXAMPLE_LINES[0])
    impossible_plays = {
        "O1 TAFEL 22 22": "The word does not touch another word.",
        "8D LATER 22 22": "Square D8 already has the tile T.",
        "8H TAFEL 22 22": "The typed word is only a part of the word on the board. Enter the whole word.",
        "E12 LATER 22 22": "The word runs off the board.",
    }
    for line, expected_note in impossible_plays.items():
        driver.replace_text(line)
        first, second = driver.list_turn_notes()
        assert not first
        assert second.startswith(expected_note), line
        assert expected_note in driver.page.words.turn.text()
        driver.replace_text(EXAMPLE_LINES[1])
        assert driver.list_turn_notes() == ["", ""]


@pytest.mark.slow
def test_jury_page_shows_a_tile_used_too_often(driver: JuryDriver) -> None:
    driver.type_text("8D QXAQ 1 1")
    assert "2 are in use" in driver.page.words.turn.text()
    driver.replace_text("8D qXAQ 1 1")  # a blank
    assert "2 are in use" not in driver.page.words.turn.text()


def test_jury_page_shows_a_missing_total(driver: JuryDriver) -> None:
    """nl-reglement II.1: players note all scores and totals."""
    driver.type_lines(EXAMPLE_LINES[0])
    driver.type_text("E7 TAFEL 22")
    assert driver.list_turn_notes() == ["", "The total is missing. It should be 22."]


@pytest.mark.slow
def test_jury_page_names_the_turn_of_the_first_wrong_sum(driver: JuryDriver) -> None:
    """Later totals may be based on the wrong total."""
    driver.type_lines("200 200", "180 180", "30 240", "20 200", "10 250", "-3 0 200")
    assert [number for number, note in enumerate(driver.list_turn_notes(), 1) if note] == [3]
    assert driver.list_turn_notes()[2] == "The total is 230, not 240."
    assert [cell.total for cell in driver.page.turns.cells] == ["200", "180", "230", "200", "240", "200"]
    for _ in range(2):
        driver.press_key(Qt.Key.Key_Up)
    assert driver.page.turns.field.text() == "30 240"
    driver.replace_text("40 240")
    assert not any(driver.list_turn_notes())


@parametrize_languages("en", "nl")
def test_jury_page_shows_the_cost_of_a_doubtful_word_while_typing(driver: JuryDriver) -> None:
    """nl-reglement III.10: the cost is the score of the turn and 20 points."""
    driver.type_text("8D TAART")
    assert driver.list_open_doubts() == []
    driver.type_text("X")
    assert driver.list_open_doubts() == [(1, "TAARTX", 56)]
    assert (
        driver.translate_text(
            "{word}: {state:code}, would cost {cost}", word="TAARTX", state="doubt-open", cost=56
        )
        in driver.list_turn_notes()[0]
    )
    driver.press_key(Qt.Key.Key_Backspace)
    assert driver.list_open_doubts() == []


@pytest.mark.slow
def test_jury_page_lists_a_doubtful_cross_word(driver: JuryDriver) -> None:
    """POST also forms TAFELS. Each word is doubtful only if the list does not have it."""
    driver.type_lines(*EXAMPLE_LINES[:2])
    driver.type_text(EXAMPLE_LINES[2])
    assert driver.list_open_doubts() == [(3, "POST", 49)]
    assert "TAFELS <b>13</b>" in driver.page.words.turn.text()
    driver.choose_word_list({"TAART", "TAFEL", "POST"}, binding=13)
    assert driver.list_open_doubts() == [(3, "TAFELS", 49)]


@pytest.mark.slow
def test_jury_page_does_not_judge_a_word_beyond_the_binding_length(driver: JuryDriver) -> None:
    driver.choose_word_list({"EL"}, binding=4)
    driver.type_text(EXAMPLE_LINES[0])
    assert "doubt-jury" in {doubt.state for doubt in driver.parsed_sheet.doubts}
    driver.replace_text("8G POST")
    assert {doubt.state for doubt in driver.parsed_sheet.doubts} == {"doubt-open"}


@pytest.mark.slow
def test_jury_page_hides_word_notes_during_a_challenge(driver: JuryDriver) -> None:
    driver.type_text("8D TAARTX 36 36")
    assert "TAARTX" in driver.list_turn_notes()[0]
    driver.session.is_judge_screen_open = True
    driver.page.refresh_page()
    assert driver.list_turn_notes() == [""]
    assert driver.list_open_doubts() == []
    assert "TAARTX" not in driver.page.words.turn.text()
    driver.replace_text("8D TAARTX 36 37")
    assert driver.list_turn_notes() == ["The total is 36, not 37."]  # the page still checks sums
    driver.session.is_judge_screen_open = False
    driver.page.refresh_page()
    assert driver.list_open_doubts() == [(1, "TAARTX", 56)]


@pytest.mark.slow
def test_jury_page_keeps_the_cursor_in_an_unreadable_line(driver: JuryDriver) -> None:
    driver.type_text("8D TAART zes")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.sheet.turn_index == 0
    assert driver.page.turns.field.property("wrong")
    driver.replace_text("8D TAART 20 20")
    assert not driver.page.turns.field.property("wrong")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.sheet.turn_index == 1


@pytest.mark.slow
def test_jury_page_does_not_save_an_unreadable_line(driver: JuryDriver) -> None:
    driver.type_lines(EXAMPLE_LINES[0])
    driver.type_text("zes zeven")
    driver.press_key(Qt.Key.Key_Up)
    driver.save_sheet()
    assert driver.list_forms() == ()
    assert driver.page.sheet.turn_index == 1


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_cursor_moves_by_keys(driver: JuryDriver) -> None:
    driver.type_lines(*EXAMPLE_LINES)
    field = driver.page.turns.field
    driver.press_key(Qt.Key.Key_Return, SHIFT)
    assert field.text() == EXAMPLE_LINES[3]
    driver.press_key(Qt.Key.Key_Up)  # the previous turn of the same player
    assert field.text() == EXAMPLE_LINES[1]
    driver.press_key(Qt.Key.Key_Home, CONTROL)
    assert field.text() == EXAMPLE_LINES[0]
    assert field.accessibleName() == driver.translate_text("Row {row}, {player}", row=1, player="Anna")
    driver.press_key(Qt.Key.Key_End, CONTROL)
    assert field.text() == ""
    assert field.accessibleName() == driver.translate_text("Row {row}, {player}", row=3, player="Anna")
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.page.line.line.hasFocus()
    driver.choose_game("1")
    assert [turn.word for turn in driver.typed_sheet.turns] == ["TAART", "TAFEL", "POST", "LATER"]


def test_jury_page_inserts_removes_and_moves_turns_by_keys(driver: JuryDriver) -> None:
    driver.type_lines("20", "30", "40")
    driver.press_key(Qt.Key.Key_Up)
    driver.press_key(Qt.Key.Key_I, CONTROL)
    driver.type_text("25")
    assert [(turn.player, turn.score) for turn in driver.typed_sheet.turns] == [(1, 20), (2, 25), (1, 30), (2, 40)]
    driver.press_key(Qt.Key.Key_D, CONTROL)
    assert [(turn.player, turn.score) for turn in driver.typed_sheet.turns] == [(1, 20), (2, 30), (1, 40)]
    driver.press_key(Qt.Key.Key_T, CONTROL)
    assert [(turn.player, turn.score) for turn in driver.typed_sheet.turns] == [(1, 20), (1, 30), (1, 40)]


@pytest.mark.slow
def test_jury_page_question_mark_shows_how_to_type_a_turn(driver: JuryDriver) -> None:
    driver.type_lines(EXAMPLE_LINES[0])
    driver.type_text("E7 ?")
    assert driver.page.help.isVisible()
    assert not driver.page.end.isVisible()
    driver.press_key(Qt.Key.Key_Return)
    assert not driver.page.help.isVisible()
    assert driver.page.turns.field.text() == "E7 "
    driver.type_text("TAFEL 22 22")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.list_turn_notes() == ["", ""]


@pytest.mark.slow
def test_jury_page_reads_squares_in_the_chosen_notation(driver: JuryDriver) -> None:
    driver.type_lines(*EXAMPLE_LINES)
    driver.page.squares.setFocus()
    driver.press_key(Qt.Key.Key_Down)
    assert driver.page.sheet.square_notation is SquareNotation.LETTERED_ROWS
    assert [turn.at for turn in driver.typed_sheet.turns] == ["8D", "E7", "12C", "F10"]
    driver.choose_game("1")
    driver.press_key(Qt.Key.Key_Home, CONTROL)
    assert driver.page.turns.field.text() == "H4 TAART 20 20"
    driver.replace_text("h4 taart 20 20")
    assert [turn.at for turn in driver.typed_sheet.turns] == ["8D", "E7", "12C", "F10"]


@pytest.mark.slow
def test_end_panel_proposes_racks_from_the_board(driver: JuryDriver) -> None:
    """The opponent's rack consists of the tiles missing on the board: three letters and both blanks."""
    plays = [f"{turn['at']} {turn['word']} 0 0" for turn in make_opening_plays(load_tile_set("nl"), tile_count=97)]
    driver.type_lines(*plays)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.end.ended.value() is GameEnding.OUT  # proposed
    last_player = driver.typed_sheet.turns[-1].player
    opponent_rack, last_player_rack = (
        driver.page.end.racks[2 - last_player],
        driver.page.end.racks[last_player - 1],
    )
    assert opponent_rack.placeholderText() == "YZZ?? = 16"
    assert last_player_rack.placeholderText() == "rack"
    driver.page.end.focus_field(f"rack{3 - last_player}")
    driver.type_text("YZ??")
    assert (
        "The racks were entered as worth 12, but the tiles missing from the board are worth 16."
        in driver.ending_notes
    )
    driver.replace_text("YZZ??")
    assert "The racks are worth" not in driver.ending_notes


@pytest.fixture
def saving_driver(qtbot: QtBot, appearance: Appearance, settings: QSettings) -> Iterator[JuryDriver]:
    """Return a driver that has just asked to save a sheet. A worker thread writes it."""
    session = make_session("en", appearance, settings, inline=False)
    driver = JuryDriver(session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    driver.type_lines(*EXAMPLE_LINES, "")
    driver.press_key(Qt.Key.Key_Home)
    driver.press_key(Qt.Key.Key_Return)
    driver.type_lines("AE", "")
    QTest.keyClick(driver.focused_widget, Qt.Key.Key_Return, CONTROL)
    yield driver
    session.close()
    session.work.close()


def wait_for_saved_sheet(driver: JuryDriver, qtbot: QtBot) -> None:
    """Wait until the session reports the saved sheet."""
    callbacks: list[bool] = []
    driver.window.session.run_after_desk_work(lambda: callbacks.append(True))
    qtbot.waitUntil(lambda: bool(callbacks))
    assert len(driver.list_forms()) == 1


@pytest.mark.slow
def test_jury_page_accepts_the_next_game_during_a_slow_save(saving_driver: JuryDriver, qtbot: QtBot) -> None:
    QTest.keyClick(saving_driver.focused_widget, Qt.Key.Key_F10)
    saving_driver.type_text("2")
    wait_for_saved_sheet(saving_driver, qtbot)
    assert saving_driver.page.line.line.hasFocus()
    saving_driver.press_key(Qt.Key.Key_Return)
    assert saving_driver.page.sheet.key == (saving_driver.get_game(2).id, 1)


@pytest.mark.slow
def test_jury_page_does_not_take_the_focus_after_a_page_change(saving_driver: JuryDriver, qtbot: QtBot) -> None:
    saving_driver.window.show_page("rounds")
    focused_widget = saving_driver.focused_widget
    wait_for_saved_sheet(saving_driver, qtbot)
    assert saving_driver.focused_widget is focused_widget
    assert saving_driver.window.pages.get_page("rounds").isAncestorOf(focused_widget)
