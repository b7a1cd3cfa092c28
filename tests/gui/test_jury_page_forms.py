"""Two forms of one game typed by keys and compared: the first turn in which they differ is named."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain.model import ResultState
from tdapp.domain.translatable import C_
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.session import Session
from tdapp.scrabble.sheet import GameEnding, TurnKind
from tests.gui.jury_window import CONTROL, SHIFT, JuryDriver, pair_first_round, parametrize_languages

FIRST = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55", "200 249", "200 255")


@pytest.fixture
def hands(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """The first form of table 1 in the Netherlands is saved."""
    made = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    made.choose_game("1")
    made.enter_lines(*FIRST)
    made.press(Qt.Key.Key_Return)
    made.enter_ending(GameEnding.OUT, "AE", "")
    return made


def other_form(hands: JuryDriver) -> None:
    hands.press(Qt.Key.Key_F, CONTROL | SHIFT)


def name_field(hands: JuryDriver, text: str) -> str:
    return hands.translate(C_("field of a score sheet", text))


def differ(hands: JuryDriver, turn: int, what: str, one: object, two: object) -> str:
    said = "The two forms differ first in {where}, {what}: {one} on the first, {two} on the second."
    player = ("Anna", "Björn")[(turn - 1) % 2]
    where = hands.translate("row {row}, {player}", row=(turn + 1) // 2, player=player)
    return hands.translate(said, where=where, what=name_field(hands, what), one=one, two=two)


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_forms_comparison_names_the_first_different_turn(hands: JuryDriver) -> None:
    """The difference appears during typing. A missing later turn is no difference."""
    other_form(hands)
    hands.enter(*FIRST[:2])
    assert hands.sheet_notes == ""
    hands.type("12C POST 19 39")
    assert differ(hands, 3, "score", 29, 19) in hands.sheet_notes
    hands.press(Qt.Key.Key_Return)
    hands.enter("F10 LATER 32 54", "200 239", "200 254")
    assert differ(hands, 3, "score", 29, 19) in hands.sheet_notes  # the first one still

    hands.press(Qt.Key.Key_J, CONTROL | SHIFT)
    hands.press(Qt.Key.Key_Return)
    assert hands.page.turns.field.text() == "12C POST 19 39"
    hands.replace("12C POST 29 49")
    assert differ(hands, 4, "score", 33, 32) in hands.sheet_notes
    hands.press(Qt.Key.Key_J, CONTROL | SHIFT)
    hands.press(Qt.Key.Key_Return)
    hands.replace("F10 LATER 33 55")
    assert differ(hands, 5, "total", 249, 239) in hands.sheet_notes


@pytest.mark.slow
def test_forms_comparison_warns_before_the_check(hands: JuryDriver) -> None:
    said: list[str] = []
    hands.session.message_sent.connect(lambda *told: said.append(str(told[0])))
    other_form(hands)
    hands.enter(*FIRST[:2], "12C POST 19 39", *FIRST[3:])
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "")
    hands.window.command("check-sheet").trigger()
    assert said[-1].startswith(differ(hands, 3, "score", 29, 19))
    assert hands.state() is ResultState.ENTERED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "what", "one", "two"),
    [("12C PORT 29 49", "word", "POST", "PORT"), ("C12 POST 29 49", "square", "12C", "C12")],
)
def test_forms_comparison_describes_the_difference(
    hands: JuryDriver, line: str, what: str, one: str, two: str
) -> None:
    other_form(hands)
    hands.enter(*FIRST[:2])
    hands.type(line)
    assert differ(hands, 3, what, one, two) in hands.sheet_notes


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_forms_comparison_uses_the_words_and_squares_of_the_user(hands: JuryDriver) -> None:
    hands.page.squares.setFocus()
    hands.press(Qt.Key.Key_Down)  # letters for the rows
    hands.choose_game("1")
    other_form(hands)
    hands.enter("H4 TAART 20 20", "5G TAFEL 22 22")
    hands.type("-")
    assert (
        differ(hands, 3, "kind of turn", *map(hands.session.catalogue.code, (TurnKind.PLAY, TurnKind.PASS)))
        in hands.sheet_notes
    )
    hands.replace("3L POST 29 49")
    assert differ(hands, 3, "square", "L3", "3L") in hands.sheet_notes


@pytest.mark.slow
def test_forms_comparison_ignores_omissions(hands: JuryDriver) -> None:
    """A form of sums alone says the same as one with words and squares."""
    other_form(hands)
    hands.enter("20 20", "22 22", "29 49", "33 55", "200 249", "200 255")
    assert hands.sheet_notes == ""


@pytest.mark.slow
def test_forms_comparison_leaves_the_result(hands: JuryDriver) -> None:
    other_form(hands)
    hands.enter(*FIRST[:4], "210 259", "200 255")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "")
    assert [form.form for form in hands.forms()] == [1, 2]
    assert (hands.result().first, hands.result().second) == (247, 257)
    assert "The second form is only for comparison" in hands.ending_notes
    (row,) = [row for row in hands.page.rows if row.table == 1]
    assert (row.status, row.differing) == ("differs", 5)
    other_form(hands)
    assert hands.page.turns.field.text() == ""
    assert differ(hands, 5, "score", 200, 210) in hands.sheet_notes


@pytest.mark.slow
def test_forms_comparison_finds_an_extra_turn_after_the_end(hands: JuryDriver) -> None:
    other_form(hands)
    hands.enter(*FIRST, "8 257")
    assert hands.sheet_notes == ""
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "")
    assert (
        differ(hands, 7, "kind of turn", hands.translate("nothing"), hands.session.catalogue.code(TurnKind.PLAY))
        in hands.sheet_notes
    )


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_forms_strip_settles_a_difference_by_an_arrow(hands: JuryDriver) -> None:
    """Right takes the second form, Left the first; later totals follow, the result too, and all can be undone."""
    other_form(hands)
    hands.enter("8D TAART 22 22", "E7 TAFEL 22 22", "12C PORT 29 51", "F10 LATER 33 55", "200 251", "200 255")
    hands.press(Qt.Key.Key_J, CONTROL | SHIFT)
    hands.press(Qt.Key.Key_Right)
    assert len(hands.forms()) == 1  # both must be saved first
    hands.press(Qt.Key.Key_Escape)
    hands.press(Qt.Key.Key_E, CONTROL)
    hands.enter_ending(GameEnding.OUT, "AEE", "")
    strip = hands.page.forms
    keys = strip._rows.keys

    def listed() -> list[tuple[str, ...]]:
        return [strip._rows.row(key).cells for key in keys()]

    hands.press(Qt.Key.Key_J, CONTROL | SHIFT)
    assert listed() == [
        ("1", "Anna", "8D", "TAART", "20", "20", "8D", "TAART", "22", "22"),
        ("2", "Anna", "12C", "POST", "29", "49", "12C", "PORT", "29", "51"),
        ("", name_field(hands, "racks"), "", "AE / –", "", "", "", "AEE / –", "", ""),
        ("", name_field(hands, "final scores"), "", "247 / 257", "", "", "", "246 / 258", "", ""),
    ]
    marked = [
        column for column in strip._rows.list_column_ids() if strip._rows.strong(strip._rows.row("1"), column)
    ]
    assert marked == ["score1", "total1", "score2", "total2"]
    hands.press(Qt.Key.Key_Right)
    first = hands.forms()[0].sheet
    assert [turn.total for turn in first.turns] == [22, 22, 51, 55, 251, 255]
    assert hands.result().first == 247  # the score is what the board says
    hands.press(Qt.Key.Key_Left)
    assert hands.forms()[1].sheet.turns[2].word == "POST"
    hands.press(Qt.Key.Key_Left)
    assert strip.isHidden()
    assert hands.sheet_notes.count(hands.translate("Compare (Ctrl+Shift+J)")) == 0
    (row,) = [row for row in hands.page.rows if row.table == 1]
    assert row.differing is None
    for _ in range(3):
        hands.press(Qt.Key.Key_Z, CONTROL)
    assert [form.sheet.turns[0].score for form in hands.forms()] == [20, 22]


@pytest.mark.slow
def test_forms_strip_moves_between_differences_and_opens_a_turn(hands: JuryDriver) -> None:
    other_form(hands)
    hands.enter("8D TAART 20 20", "E7 TAFEL 22 22", "12C PORT 29 49", "F10 LATE 33 55", "200 249", "200 255")
    hands.press(Qt.Key.Key_J, CONTROL | SHIFT)
    hands.press(Qt.Key.Key_Down)
    hands.press(Qt.Key.Key_Return)
    assert hands.page.turns.field.text() == "F10 LATE 33 55"
    assert hands.page.end.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("panel", [False, True])
def test_jury_page_layout_stays_when_warnings_appear(hands: JuryDriver, panel: bool) -> None:
    """At 1280 by 720, also beside a panel: no row moves, and nothing lies over another part or outside."""
    page = hands.page
    hands.window.resize(1280, 720)
    other_form(hands)
    if panel:
        page.show_panel(WordListsPanel(hands.session))
        page.turns.focus_field()

    def tops() -> list[int]:
        QApplication.processEvents()
        view = page.turns.viewport()
        return [view.mapTo(hands.window, page.turns._compute_turn_rect(place).topLeft()).y() for place in range(3)]

    hands.enter(*FIRST[:3])
    before = tops()
    hands.press(Qt.Key.Key_Up)
    hands.replace("12C POST 19 49")
    assert hands.sheet_notes
    hands.press(Qt.Key.Key_Down)
    assert tops() == before
    parts = [part for part in (page.line, page.note, page.turns, page.end, page.board, page.words.turn,
                               page.words.view) if part.isVisible()]  # fmt: skip
    places = [QRect(part.mapTo(hands.window, QPoint()), part.size()) for part in parts]
    assert hands.window.size().toTuple() == (1280, 720)
    assert all(hands.window.rect().contains(place) for place in places)
    assert not any(one.intersects(two) for one, two in combinations(places, 2))
    assert page.board.isVisible() is not panel
    assert page.board.height() >= page.board.minimumSizeHint().height() or panel
