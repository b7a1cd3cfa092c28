"""Tests of the Jury page: comparing the two score forms of a game."""

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
from tests.gui.windows import collect_messages

FIRST_FORM_LINES = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55", "200 249", "200 255")


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Return a driver that has saved the first form of table 1 under Dutch rules."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    driver.scan_lines(*FIRST_FORM_LINES)
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    return driver


def switch_form(driver: JuryDriver) -> None:
    driver.press_key(Qt.Key.Key_F, CONTROL | SHIFT)


def translate_field_name(driver: JuryDriver, text: str) -> str:
    return driver.translate_text(C_("field of a score sheet", text))


def describe_difference(
    driver: JuryDriver, turn: int, field_name: str, first_value: object, second_value: object
) -> str:
    sentence = "The two forms first differ in {where}, {what}: {one} on form 1, {two} on form 2."
    player = ("Anna", "Björn")[(turn - 1) % 2]
    row_name = driver.translate_text("row {row}, {player}", row=(turn + 1) // 2, player=player)
    return driver.translate_text(
        sentence, where=row_name, what=translate_field_name(driver, field_name), one=first_value, two=second_value
    )


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_forms_comparison_names_the_first_different_turn(driver: JuryDriver) -> None:
    """The difference appears during typing. Missing later turns do not count as differences."""
    switch_form(driver)
    driver.type_lines(*FIRST_FORM_LINES[:2])
    assert driver.sheet_notes == ""
    driver.type_text("12C POST 19 39")
    assert describe_difference(driver, 3, "score", 29, 19) in driver.sheet_notes
    driver.press_key(Qt.Key.Key_Return)
    driver.type_lines("F10 LATER 32 54", "200 239", "200 254")
    assert describe_difference(driver, 3, "score", 29, 19) in driver.sheet_notes  # the first difference stays

    driver.press_key(Qt.Key.Key_J, CONTROL | SHIFT)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.turns.field.text() == "12C POST 19 39"
    driver.replace_text("12C POST 29 49")
    assert describe_difference(driver, 4, "score", 33, 32) in driver.sheet_notes
    driver.press_key(Qt.Key.Key_J, CONTROL | SHIFT)
    driver.press_key(Qt.Key.Key_Return)
    driver.replace_text("F10 LATER 33 55")
    assert describe_difference(driver, 5, "total", 249, 239) in driver.sheet_notes


@pytest.mark.slow
def test_check_action_warns_about_different_forms(driver: JuryDriver) -> None:
    messages = collect_messages(driver.session)
    switch_form(driver)
    driver.type_lines(*FIRST_FORM_LINES[:2], "12C POST 19 39", *FIRST_FORM_LINES[3:])
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    driver.window.get_action("check-sheet").trigger()
    assert messages[-1].startswith(describe_difference(driver, 3, "score", 29, 19))
    assert driver.get_result_state() is ResultState.ENTERED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "field_name", "first_value", "second_value"),
    [("12C PORT 29 49", "word", "POST", "PORT"), ("C12 POST 29 49", "square", "12C", "C12")],
)
def test_forms_comparison_describes_the_difference(
    driver: JuryDriver, line: str, field_name: str, first_value: str, second_value: str
) -> None:
    switch_form(driver)
    driver.type_lines(*FIRST_FORM_LINES[:2])
    driver.type_text(line)
    assert describe_difference(driver, 3, field_name, first_value, second_value) in driver.sheet_notes


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_forms_comparison_uses_the_chosen_square_notation(driver: JuryDriver) -> None:
    driver.page.squares.setFocus()
    driver.press_key(Qt.Key.Key_Down)  # letters for the rows
    driver.choose_game("1")
    switch_form(driver)
    driver.type_lines("H4 TAART 20 20", "5G TAFEL 22 22")
    driver.type_text("-")
    assert (
        describe_difference(
            driver,
            3,
            "kind of turn",
            *map(driver.session.catalogue.translate_code, (TurnKind.PLAY, TurnKind.PASS)),
        )
        in driver.sheet_notes
    )
    driver.replace_text("3L POST 29 49")
    assert describe_difference(driver, 3, "square", "L3", "3L") in driver.sheet_notes


@pytest.mark.slow
def test_forms_comparison_ignores_omissions(driver: JuryDriver) -> None:
    """A form without words and squares equals a complete form with the same sums."""
    switch_form(driver)
    driver.type_lines("20 20", "22 22", "29 49", "33 55", "200 249", "200 255")
    assert driver.sheet_notes == ""


@pytest.mark.slow
def test_forms_comparison_does_not_change_the_result(driver: JuryDriver) -> None:
    switch_form(driver)
    driver.type_lines(*FIRST_FORM_LINES[:4], "210 259", "200 255")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    assert [form.form for form in driver.list_forms()] == [1, 2]
    assert (driver.get_result().first, driver.get_result().second) == (247, 257)
    assert "The second form is only for comparison" in driver.ending_notes
    (row,) = [row for row in driver.page.rows if row.table == 1]
    assert (row.status, row.differing) == ("differs", 5)
    switch_form(driver)
    assert driver.page.turns.field.text() == ""
    assert describe_difference(driver, 5, "score", 200, 210) in driver.sheet_notes


@pytest.mark.slow
def test_forms_comparison_finds_an_extra_turn_after_the_end(driver: JuryDriver) -> None:
    switch_form(driver)
    driver.type_lines(*FIRST_FORM_LINES, "8 257")
    assert driver.sheet_notes == ""
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    assert (
        describe_difference(
            driver,
            7,
            "kind of turn",
            driver.translate_text("nothing"),
            driver.session.catalogue.translate_code(TurnKind.PLAY),
        )
        in driver.sheet_notes
    )


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_forms_strip_settles_a_difference_by_an_arrow(driver: JuryDriver) -> None:
    """The right arrow key applies the second form, the left one the first form. Totals and result follow."""
    switch_form(driver)
    driver.type_lines(
        "8D TAART 22 22", "E7 TAFEL 22 22", "12C PORT 29 51", "F10 LATER 33 55", "200 251", "200 255"
    )
    driver.press_key(Qt.Key.Key_J, CONTROL | SHIFT)
    driver.press_key(Qt.Key.Key_Right)
    assert len(driver.list_forms()) == 1  # the second form is not saved yet
    driver.press_key(Qt.Key.Key_Escape)
    driver.press_key(Qt.Key.Key_E, CONTROL)
    driver.enter_ending(GameEnding.OUT, "AEE", "")
    forms_strip = driver.page.forms
    keys = forms_strip._rows.keys

    def list_rows() -> list[tuple[str, ...]]:
        return [forms_strip._rows.find_row_by_key(key).cells for key in keys()]

    driver.press_key(Qt.Key.Key_J, CONTROL | SHIFT)
    assert list_rows() == [
        ("1", "Anna", "8D", "TAART", "20", "20", "8D", "TAART", "22", "22"),
        ("2", "Anna", "12C", "POST", "29", "49", "12C", "PORT", "29", "51"),
        ("", translate_field_name(driver, "racks"), "", "AE / –", "", "", "", "AEE / –", "", ""),
        ("", translate_field_name(driver, "final scores"), "", "247 / 257", "", "", "", "246 / 258", "", ""),
    ]
    strong_columns = [
        column
        for column in forms_strip._rows.list_column_ids()
        if forms_strip._rows.strong(forms_strip._rows.find_row_by_key("1"), column)
    ]
    assert strong_columns == ["score1", "total1", "score2", "total2"]
    driver.press_key(Qt.Key.Key_Right)
    first_sheet = driver.list_forms()[0].sheet
    assert [turn.total for turn in first_sheet.turns] == [22, 22, 51, 55, 251, 255]
    assert driver.get_result().first == 247  # computed from the squares
    driver.press_key(Qt.Key.Key_Left)
    assert driver.list_forms()[1].sheet.turns[2].word == "POST"
    driver.press_key(Qt.Key.Key_Left)
    assert forms_strip.isHidden()
    assert driver.sheet_notes.count(driver.translate_text("Compare (Ctrl+Shift+J)")) == 0
    (row,) = [row for row in driver.page.rows if row.table == 1]
    assert row.differing is None
    for _ in range(3):
        driver.press_key(Qt.Key.Key_Z, CONTROL)
    assert [form.sheet.turns[0].score for form in driver.list_forms()] == [20, 22]


@pytest.mark.slow
def test_forms_strip_moves_between_differences_and_opens_a_turn(driver: JuryDriver) -> None:
    switch_form(driver)
    driver.type_lines("8D TAART 20 20", "E7 TAFEL 22 22", "12C PORT 29 49", "F10 LATE 33 55", "200 249", "200 255")
    driver.press_key(Qt.Key.Key_J, CONTROL | SHIFT)
    driver.press_key(Qt.Key.Key_Down)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.turns.field.text() == "F10 LATE 33 55"
    assert driver.page.end.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("with_panel", [False, True])
def test_jury_page_layout_stays_when_warnings_appear(driver: JuryDriver, with_panel: bool) -> None:
    """At 1280 by 720 pixels no row moves, and widgets neither overlap nor leave the window."""
    page = driver.page
    driver.window.resize(1280, 720)
    switch_form(driver)
    if with_panel:
        page.show_panel(WordListsPanel(driver.session))
        page.turns.focus_field()

    def compute_row_tops() -> list[int]:
        QApplication.processEvents()
        view = page.turns.viewport()
        return [
            view.mapTo(driver.window, page.turns._compute_turn_rect(index).topLeft()).y() for index in range(3)
        ]

    driver.type_lines(*FIRST_FORM_LINES[:3])
    tops_before = compute_row_tops()
    driver.press_key(Qt.Key.Key_Up)
    driver.replace_text("12C POST 19 49")
    assert driver.sheet_notes
    driver.press_key(Qt.Key.Key_Down)
    assert compute_row_tops() == tops_before
    widgets = (page.line, page.note, page.turns, page.end, page.board, page.words.turn, page.words.view)
    visible_widgets = [widget for widget in widgets if widget.isVisible()]
    rectangles = [QRect(widget.mapTo(driver.window, QPoint()), widget.size()) for widget in visible_widgets]
    assert driver.window.size().toTuple() == (1280, 720)
    assert all(driver.window.rect().contains(rectangle) for rectangle in rectangles)
    assert not any(first.intersects(second) for first, second in combinations(rectangles, 2))
    assert page.board.isVisible() is not with_panel
    assert page.board.height() >= page.board.minimumSizeHint().height() or with_panel
