"""Messages of the jury page during typing of a sheet: wrong sums, impossible plays, doubtful words."""

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
from tests.rulebook.books import opening, tiles

WORDS = ("TAART", "TAFEL", "TAFELS", "LATER", "EL", "LA", "WEL")
EXAMPLE = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55")


@pytest.fixture
def hands(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """The sheet of table 1 in the Netherlands, with a list of a few words."""
    made = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    made.choose_word_list(WORDS, binding=13)
    made.choose_game("1")
    return made


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_names_errors_while_typing(hands: JuryDriver) -> None:
    """The cursor is still in the line, and nothing has been confirmed."""
    wrong: dict[str, tuple[str, dict[str, object]]] = {
        "8D TAART 21": ("score-differs", {"stated": 21, "computed": 20}),
        "8D TAART 20 21": ("total-differs", {"stated": 21, "computed": 20}),
        "8A TAART 6 6": ("centre-not-covered", {}),
        "8D": ("turn-without-word", {"detail": "8D"}),
        "8D TAART zes": ("turn-unreadable", {"detail": "zes"}),
        "-8 0 0": ("turn-tiles", {"detail": "8"}),
        "- 5 5": ("score-differs", {"stated": 5, "computed": 0}),
    }
    for line, (code, facts) in wrong.items():
        hands.replace(line)
        (note,) = hands.notes()
        assert note.startswith(hands.session.catalogue.problem(code, facts)), line
        assert hands.focused is hands.page.turns.field
        hands.replace(EXAMPLE[0])
        assert hands.notes() == [""]


@pytest.mark.slow
def test_jury_page_names_an_impossible_play_while_typing(hands: JuryDriver) -> None:
    hands.enter(EXAMPLE[0])
    impossible = {
        "O1 TAFEL 22 22": "The word does not touch another word.",
        "8D LATER 22 22": "Square D8 already has the tile T.",
        "8H TAFEL 22 22": "The word on the board is longer than the typed word.",
        "E12 LATER 22 22": "The word runs off the board.",
    }
    for line, said in impossible.items():
        hands.replace(line)
        first, second = hands.notes()
        assert not first
        assert second.startswith(said), line
        assert said in hands.page.words.turn.text()
        hands.replace(EXAMPLE[1])
        assert hands.notes() == ["", ""]


@pytest.mark.slow
def test_jury_page_notices_a_tile_used_too_often(hands: JuryDriver) -> None:
    hands.type("8D QXAQ 1 1")
    assert "2 are in use" in hands.page.words.turn.text()
    hands.replace("8D qXAQ 1 1")  # a blank
    assert "2 are in use" not in hands.page.words.turn.text()


def test_jury_page_notices_a_missing_total(hands: JuryDriver) -> None:
    """nl-reglement II.1: all scores and subtotals are noted."""
    hands.enter(EXAMPLE[0])
    hands.type("E7 TAFEL 22")
    assert hands.notes() == ["", "The total is missing; it is 22."]


@pytest.mark.slow
def test_jury_page_names_the_turn_of_the_first_wrong_sum(hands: JuryDriver) -> None:
    """Later totals that include the wrong one are accepted."""
    hands.enter("200 200", "180 180", "30 240", "20 200", "10 250", "-3 0 200")
    assert [place for place, note in enumerate(hands.notes(), 1) if note] == [3]
    assert hands.notes()[2] == "The total is 230, not 240."
    assert [cell.total for cell in hands.page.turns.cells] == ["200", "180", "230", "200", "240", "200"]
    for _ in range(2):
        hands.press(Qt.Key.Key_Up)
    assert hands.page.turns.field.text() == "30 240"
    hands.replace("40 240")
    assert not any(hands.notes())


@parametrize_languages("en", "nl")
def test_jury_page_shows_the_cost_of_a_doubtful_word_while_typing(hands: JuryDriver) -> None:
    """nl-reglement III.10: the score of the turn and 20 points."""
    hands.type("8D TAART")
    assert hands.doubts() == []
    hands.type("X")
    assert hands.doubts() == [(1, "TAARTX", 56)]
    assert (
        hands.translate("{word}: {state:code}, would cost {cost}", word="TAARTX", state="doubt-open", cost=56)
        in hands.notes()[0]
    )
    hands.press(Qt.Key.Key_Backspace)
    assert hands.doubts() == []


@pytest.mark.slow
def test_jury_page_lists_a_doubtful_cross_word_with_its_turn(hands: JuryDriver) -> None:
    """POST forms TAFELS, a known word; without it in the list both would be in doubt."""
    hands.enter(*EXAMPLE[:2])
    hands.type(EXAMPLE[2])
    assert hands.doubts() == [(3, "POST", 49)]
    assert "TAFELS <b>13</b>" in hands.page.words.turn.text()
    hands.choose_word_list({"TAART", "TAFEL", "POST"}, binding=13)
    assert hands.doubts() == [(3, "TAFELS", 49)]


@pytest.mark.slow
def test_jury_page_leaves_a_word_beyond_the_binding_length_to_the_jury(hands: JuryDriver) -> None:
    hands.choose_word_list({"EL"}, binding=4)
    hands.type(EXAMPLE[0])
    assert "doubt-jury" in {doubt.state for doubt in hands.parsed_sheet.doubts}
    hands.replace("8G POST")
    assert {doubt.state for doubt in hands.parsed_sheet.doubts} == {"doubt-open"}


@pytest.mark.slow
def test_jury_page_says_nothing_about_words_during_a_challenge(hands: JuryDriver) -> None:
    hands.type("8D TAARTX 36 36")
    assert "TAARTX" in hands.notes()[0]
    hands.session.is_judge_screen_open = True
    hands.page.refresh_page()
    assert hands.notes() == [""]
    assert hands.doubts() == []
    assert "TAARTX" not in hands.page.words.turn.text()
    hands.replace("8D TAARTX 36 37")
    assert hands.notes() == ["The total is 36, not 37."]  # sums go on
    hands.session.is_judge_screen_open = False
    hands.page.refresh_page()
    assert hands.doubts() == [(1, "TAARTX", 56)]


@pytest.mark.slow
def test_jury_page_stays_in_an_unreadable_line(hands: JuryDriver) -> None:
    hands.type("8D TAART zes")
    hands.press(Qt.Key.Key_Return)
    assert hands.page.sheet.turn_index == 0
    assert hands.page.turns.field.property("wrong")
    hands.replace("8D TAART 20 20")
    assert not hands.page.turns.field.property("wrong")
    hands.press(Qt.Key.Key_Return)
    assert hands.page.sheet.turn_index == 1


@pytest.mark.slow
def test_jury_page_does_not_save_an_unreadable_line(hands: JuryDriver) -> None:
    hands.enter(EXAMPLE[0])
    hands.type("zes zeven")
    hands.press(Qt.Key.Key_Up)
    hands.save_sheet()
    assert hands.forms() == ()
    assert hands.page.sheet.turn_index == 1


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_cursor_moves_by_keys(hands: JuryDriver) -> None:
    hands.enter(*EXAMPLE)
    field = hands.page.turns.field
    hands.press(Qt.Key.Key_Return, SHIFT)
    assert field.text() == EXAMPLE[3]
    hands.press(Qt.Key.Key_Up)  # above it, in the same column
    assert field.text() == EXAMPLE[1]
    hands.press(Qt.Key.Key_Home, CONTROL)
    assert field.text() == EXAMPLE[0]
    assert field.accessibleName() == hands.translate("Row {row}, {player}", row=1, player="Anna")
    hands.press(Qt.Key.Key_End, CONTROL)
    assert field.text() == ""
    assert field.accessibleName() == hands.translate("Row {row}, {player}", row=3, player="Anna")
    hands.press(Qt.Key.Key_Escape)
    assert hands.page.line.line.hasFocus()
    hands.choose_game("1")
    assert [turn.word for turn in hands.typed_sheet.turns] == ["TAART", "TAFEL", "POST", "LATER"]


def test_jury_page_inserts_removes_and_moves_turns_by_keys(hands: JuryDriver) -> None:
    hands.enter("20", "30", "40")
    hands.press(Qt.Key.Key_Up)
    hands.press(Qt.Key.Key_I, CONTROL)
    hands.type("25")
    assert [(turn.player, turn.score) for turn in hands.typed_sheet.turns] == [(1, 20), (2, 25), (1, 30), (2, 40)]
    hands.press(Qt.Key.Key_D, CONTROL)
    assert [(turn.player, turn.score) for turn in hands.typed_sheet.turns] == [(1, 20), (2, 30), (1, 40)]
    hands.press(Qt.Key.Key_T, CONTROL)
    assert [(turn.player, turn.score) for turn in hands.typed_sheet.turns] == [(1, 20), (1, 30), (1, 40)]


@pytest.mark.slow
def test_jury_page_question_mark_shows_how_to_type_a_turn(hands: JuryDriver) -> None:
    hands.enter(EXAMPLE[0])
    hands.type("E7 ?")
    assert hands.page.help.isVisible()
    assert not hands.page.end.isVisible()
    hands.press(Qt.Key.Key_Return)
    assert not hands.page.help.isVisible()
    assert hands.page.turns.field.text() == "E7 "
    hands.type("TAFEL 22 22")
    hands.press(Qt.Key.Key_Return)
    assert hands.notes() == ["", ""]


@pytest.mark.slow
def test_jury_page_numbers_rows_by_the_chosen_convention(hands: JuryDriver) -> None:
    hands.enter(*EXAMPLE)
    hands.page.squares.setFocus()
    hands.press(Qt.Key.Key_Down)
    assert hands.page.sheet.square_notation is SquareNotation.LETTERED_ROWS
    assert [turn.at for turn in hands.typed_sheet.turns] == ["8D", "E7", "12C", "F10"]
    hands.choose_game("1")
    hands.press(Qt.Key.Key_Home, CONTROL)
    assert hands.page.turns.field.text() == "H4 TAART 20 20"
    hands.replace("h4 taart 20 20")
    assert [turn.at for turn in hands.typed_sheet.turns] == ["8D", "E7", "12C", "F10"]


@pytest.mark.slow
def test_end_panel_proposes_racks_from_the_board(hands: JuryDriver) -> None:
    """The opponent of the player going out has the tiles missing on the board: three letters and both blanks."""
    plays = [f"{turn['at']} {turn['word']} 0 0" for turn in opening(tiles("nl"), laid=97)]
    hands.enter(*plays)
    hands.press(Qt.Key.Key_Return)
    assert hands.page.end.ended.value() is GameEnding.OUT  # proposed
    last = hands.typed_sheet.turns[-1].player
    other, own = hands.page.end.racks[2 - last], hands.page.end.racks[last - 1]
    assert other.placeholderText() == "YZZ?? = 16"
    assert own.placeholderText() == "rack"
    hands.page.end.focus_field(f"rack{3 - last}")
    hands.type("YZ??")
    assert "The racks are worth 12, but the tiles missing on the board are worth 16." in hands.ending_notes
    hands.replace("YZZ??")
    assert "The racks are worth" not in hands.ending_notes


@pytest.fixture
def fast(qtbot: QtBot, appearance: Appearance, settings: QSettings) -> Iterator[JuryDriver]:
    """A window right after saving a sheet, before it is on disk."""
    session = make_session("en", appearance, settings, inline=False)
    hands = JuryDriver(session, qtbot, pair_first_round("nl-match"))
    hands.choose_game("1")
    hands.enter(*EXAMPLE, "")
    hands.press(Qt.Key.Key_Home)
    hands.press(Qt.Key.Key_Return)
    hands.enter("AE", "")
    QTest.keyClick(hands.focused, Qt.Key.Key_Return, CONTROL)
    yield hands
    session.close()
    session.work.close()


def _kept(hands: JuryDriver, qtbot: QtBot) -> None:
    """Wait until the sheet is on disk and the window knows it."""
    told: list[bool] = []
    hands.window.session.run_after_desk_work(lambda: told.append(True))
    qtbot.waitUntil(lambda: bool(told))
    assert len(hands.forms()) == 1


@pytest.mark.slow
def test_jury_page_accepts_a_fast_choice_of_the_next_sheet(fast: JuryDriver, qtbot: QtBot) -> None:
    QTest.keyClick(fast.focused, Qt.Key.Key_F10)
    fast.type("2")
    _kept(fast, qtbot)
    assert fast.page.line.line.hasFocus()
    fast.press(Qt.Key.Key_Return)
    assert fast.page.sheet.key == (fast.game(2).id, 1)


@pytest.mark.slow
def test_jury_page_leaves_the_focus_after_the_page_is_left(fast: JuryDriver, qtbot: QtBot) -> None:
    fast.window.show_page("rounds")
    cursor = fast.focused
    _kept(fast, qtbot)
    assert fast.focused is cursor
    assert fast.window.pages.get_page("rounds").isAncestorOf(cursor)
