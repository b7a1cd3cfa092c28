"""Importing lists by keys: columns, spreadsheets, matching of players, actions per line, undo."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.entries import DivisionEntry, EventEntry, PlayerEntry
from tdapp.exchange import tsh_folder
from tdapp.gui.players.importing import ImportPlayersDialog, ImportRowAction
from tdapp.gui.players.importing_divisions import ImportDivisionsDialog
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.i18n.messages.codes import CODES
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import show_window

FILES = Path(__file__).parents[1] / "files"


@pytest.fixture
def window(filled: Session, qtbot: QtBot) -> Window:
    return show_window(filled, qtbot, "players")


def opened(window: Window, text: str) -> ImportPlayersDialog:
    QGuiApplication.clipboard().setText(text)
    page = window.page
    assert isinstance(page, PlayersPage)
    page.paste_players()
    found = window.findChild(ImportPlayersDialog)
    assert found is not None
    return found


def test_import_dialog_shows_and_changes_the_encoding(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "dos.csv"
    path.write_bytes("Name;Rating\nMüller, Jörg;1500\nSchäfer, Änne;1400\n".encode("cp850"))
    page = window.page
    assert isinstance(page, PlayersPage)
    page.preview_import(path)
    made = window.findChild(ImportPlayersDialog)
    assert made is not None
    assert (made.encoding.isVisible(), made.encoding.value()) == (True, "cp850")
    assert [name for name, *_ in lines(made)] == ["Müller, Jörg", "Schäfer, Änne"]
    assert "Check the special letters in these names: Müller, Jörg; Schäfer, Änne" in [
        one.text() for one in made.findChildren(QLabel)
    ]
    made.encoding.choose("mac_roman")
    assert [name for name, *_ in lines(made)] == ["MÅller, Jîrg", "SchÑfer, énne"]
    made.encoding.choose("cp850")
    assert [name for name, *_ in lines(made)] == ["Müller, Jörg", "Schäfer, Änne"]


@pytest.mark.slow
def test_import_dialog_hides_the_encoding_of_a_plain_list(window: Window) -> None:
    assert not opened(window, "name\nAnn\n").encoding.isVisible()


def in_sight(rows: TableRowsModel) -> list[Any]:
    """Return the rows on screen."""
    return [*map(rows.row, rows.keys())]


def lines(made: ImportPlayersDialog) -> list[tuple[str, str, str]]:
    """Return name, meeting and decision of each line."""
    return [(row.entry.name, row.match_status or "", row.action) for row in in_sight(made.rows)]


def test_import_dialog_shows_player_and_changes_of_each_line(window: Window, filled: Session) -> None:
    one, two, three, *_ = filled.index.players(A)
    plain = two.name.upper().replace("Ø", "O").replace("É", "E")
    made = opened(
        window,
        f"Nr\tNaam\tElo\tClub\n1\t{one.name}\t{one.rating}\t{one.club}\n2\t{plain}\t999\t{two.club}\n"
        f"3\tSomebody, Else\t\t\n\tNew, Ann\t1500\t\n\tNew, Bob\t15oo\t\n",
    )
    assert lines(made) == [
        ("New, Bob", "", "skip"),
        ("Somebody, Else", "conflict", "skip"),  # possible losses come first
        (one.name, "same", "skip"),
        (plain, "rating", "change"),
        ("New, Ann", "new", "add"),
    ]
    assert [row.explanation for row in in_sight(made.rows)][1:4] == [
        f"No. 3 {three.name}? · Name: {three.name} → Somebody, Else",
        "",
        f"Rating: {two.rating} → 999",
    ]
    made.yes.click()

    after = filled.index.players(A)
    assert [(player.name, player.rating) for player in after[:2]] == [
        (one.name, one.rating),
        (two.name, 999),
    ]
    assert [player.name for player in after[24:]] == ["New, Ann"]
    filled.undo()
    assert filled.index.players(A)[1].rating == two.rating
    assert len(filled.index.players(A)) == 24


def test_line_actions_each_have_a_word(filled: Session) -> None:
    assert [filled.catalogue.code(one) for one in ImportRowAction] == ["add", "change", "leave out"]
    assert {f"ImportRowAction.{one}" for one in ImportRowAction} <= CODES.keys()


def test_import_dialog_changes_the_decision_by_space_and_enter(window: Window, filled: Session) -> None:
    third = filled.index.players(A)[2]
    made = opened(window, "Nr\tNaam\tElo\n3\tSomebody, Else\t1400\n\tNew, Ann\t1500\n")
    made.view.setFocus()
    made.view.choose(made.view.rows.keys()[0])
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    assert lines(made)[0][2] == "change"
    QTest.keyClick(made.view, Qt.Key.Key_Return)
    assert lines(made)[0][2] == "add"
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    QTest.keyClick(made.view, Qt.Key.Key_Down)
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    assert [line[2] for line in lines(made)] == ["change", "skip"]
    assert made.yes.text() == "Import one player"
    made.names.setChecked(True)
    made.view.choose(made.view.rows.keys()[0])
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    made.view.choose(made.view.rows.keys()[1])
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    made.yes.click()

    row = filled.tournament.players[third.id]
    assert (row.name, row.rating, row.number) == ("Somebody, Else", 1400, 3)
    assert len(filled.index.players(A)) == 24


@pytest.mark.slow
def test_import_dialog_announces_a_changed_decision(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(
        "tdapp.gui.widgets.access.QAccessible.updateAccessibility", lambda event: heard.append(event.message())
    )
    made = opened(window, "Naam\tElo\nHuisman, Carla\t1500\nNew, Ann\t1400\n")
    made.view.setFocus()
    QTest.keyClick(made.view, Qt.Key.Key_Return)
    (left_out,) = [line[0] for line in lines(made) if line[2] == "skip"]
    assert any(left_out in one and one.endswith("leave out. Import one player") for one in heard), heard
    made.reject()


@pytest.mark.slow
def test_import_dialog_space_works_on_the_first_line_at_once(window: Window) -> None:
    made = opened(window, "Naam\tElo\nNew, Ann\t1500\nNew, Ann\t1400\n")
    assert [line[2] for line in lines(made)] == ["skip", "add"]
    made.view.setFocus()
    QTest.keyClick(made.view, Qt.Key.Key_Space)
    assert [line[2] for line in lines(made)] == ["add", "add"]
    made.reject()


def test_import_dialog_chooses_columns_by_keys(window: Window) -> None:
    made = opened(window, "Wer\tWieviel\nNew, Ann\t1500\nNew, Bob\t1400\n")
    assert made.rows.rowCount() == 0
    assert not made.yes.isEnabled()
    first, second = made.columns.choices
    made.headings_box.setFocus()
    QTest.keyClick(made.headings_box, Qt.Key.Key_Space)
    assert made.headings_box.isChecked()
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert (first.currentText(), made.rows.rowCount()) == ("Name", 2)
    QTest.keyClicks(second, "Rat")
    assert second.currentText() == "Rating"
    assert [row.entry.rating for row in in_sight(made.rows)] == [1500, 1400]
    QTest.keyClick(second, Qt.Key.Key_Home)
    assert second.currentText() == "– leave out –"
    made.reject()


def test_import_dialog_shows_the_sheet_with_players_first(window: Window, filled: Session) -> None:
    page = window.page
    assert isinstance(page, PlayersPage)
    page.preview_import(FILES / "players-libreoffice.ods")
    made = window.findChild(ImportPlayersDialog)
    assert made is not None
    assert made.sheet.currentText() == "Spelers"
    assert [name for name, _, _ in lines(made)] == [
        "van den Berg, Cécile", "Ødegård, Frode", "Müller, Jürgen", "Łukasz, Ada", "Li, Grietje"
    ]  # fmt: skip
    made.sheet.setFocus()
    QTest.keyClick(made.sheet, Qt.Key.Key_Up)
    assert made.sheet.currentText() == "About"
    assert made.rows.rowCount() == 0
    made.reject()
    assert len(filled.index.players(A)) == 24


@pytest.mark.slow
def test_import_dialog_names_our_headings_and_left_out_rounds(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    path.write_text("One, Ann  1500 2; 400\nTwo, Bob  1400 1; 300\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.preview_import(path)
    made = window.findChild(ImportPlayersDialog)
    assert made is not None
    texts = [one.text() for one in made.findChildren(QLabel) if one.isVisible()]
    assert "The rounds in this file are left out: only an empty division can receive them." in texts
    assert {"No.", "Name", "Rating"} <= {*texts}
    assert "rating" not in texts


@pytest.mark.slow
def test_divisions_dialog_imports_players_of_one_name(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(session, qtbot, "players")
    (tmp_path / "a.t").write_text("Berg, Anna  1500 2; 400\nBerg, Anna  1400 1; 300\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.preview_import(tmp_path / "a.t")
    made = window.findChild(ImportDivisionsDialog)
    assert made is not None
    QTest.keyClick(made.yes, Qt.Key.Key_Return)
    assert [player.name for player in session.index.players(A)] == ["Berg, Anna", "Berg, Anna"]


def test_divisions_dialog_imports_a_tsh_folder_and_names_omissions(
    session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(session, qtbot, "players")
    division = DivisionEntry("A", (PlayerEntry(1, "One"), PlayerEntry(2, "Two")))
    other = DivisionEntry("B", (PlayerEntry(1, "Three"),), name="Juniors")
    for name, content in tsh_folder.write_tsh_folder(EventEntry((division, other))).items():
        (tmp_path / name).write_bytes(content)
    with (tmp_path / "config.tsh").open("a") as file:
        file.write("prize rank 1 A '$100'\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.preview_import(tmp_path / "config.tsh")
    made = window.findChild(ImportDivisionsDialog)
    assert made is not None
    assert [row.goes_to for row in in_sight(made.rows)] == ["Division A", "a new division B"]
    QTest.keyClick(made.yes, Qt.Key.Key_Return)

    found = {item.code: (item.name, len(session.index.players(item.id))) for item in session.index.divisions}
    assert found == {"A": ("Main", 2), "B": ("Juniors", 1)}
    session.undo()
    assert [item.code for item in session.index.divisions] == ["A"]


def test_divisions_dialog_names_changed_tables(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(session, qtbot, "players")
    (tmp_path / "a.t").write_text("One  1500 2; 400\nTwo  1400 1; 300\n")
    (tmp_path / "config.tsh").write_text("division A a.t\ndivision B a.t\nconfig event_name = 'Elsewhere'\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.preview_import(tmp_path)
    made = window.findChild(ImportDivisionsDialog)
    assert made is not None
    said = [label.text() for label in made.findChildren(QLabel)]
    assert "Division B: tables 1 get the numbers 101, because another division uses some of these tables" in said
    made.yes.click()
    assert session.tournament.event.name == "Elsewhere"


def test_import_dialog_loses_no_player(window: Window, filled: Session) -> None:
    one = filled.index.players(A)[0]
    text = (
        f"Naam\tRtg\tClub\n{one.name}\t{one.rating}\tElsewhere\nNew, Ann\t15oo\tX\nTwin, A\t?\tX\nTwin, A\t\tY\n"
    )
    made = opened(window, text)
    assert lines(made) == [
        ("New, Ann", "", "skip"),
        ("Twin, A", "conflict", "skip"),
        (one.name, "changed", "change"),
        ("Twin, A", "new", "add"),
    ]
    made.rows.setData(made.rows.index(0, made.rows.list_column_ids().index("rating")), "1500")
    assert lines(made)[2] == ("New, Ann", "new", "add")
    made.yes.click()
    page = window.page
    assert isinstance(page, PlayersPage)
    assert page.skipped_button.text() == "1 line left out · Show"
    page.skipped_button.click()
    assert page.skipped_button.isHidden()
    again = window.findChildren(ImportPlayersDialog)[-1]
    assert [line[1:] for line in lines(again)][1:3] == [("conflict", "skip"), ("same", "skip")]
    again.view.choose(again.rows.keys()[1])
    QTest.keyClick(again.view, Qt.Key.Key_Space)
    QTest.keyClick(again.view, Qt.Key.Key_Space)
    again.yes.click()
    twins = [(player.name, player.club) for player in filled.index.players(A) if player.name.startswith("Twin")]
    assert twins == [("Twin, A", "X"), ("Twin, A", "Y")]


@pytest.mark.slow
def test_import_dialog_shows_and_edits_a_provisional_rating(window: Window, filled: Session) -> None:
    made = opened(window, "Naam\tRtg\nNew, Ann\t1500*\n")
    shown_rating = made.rows.index(0, made.rows.list_column_ids().index("rating"))
    assert made.rows.data(shown_rating) == "1500?"
    made.yes.click()
    page = window.page
    assert isinstance(page, PlayersPage)
    ann = filled.index.players(A)[-1]
    assert (ann.rating, ann.provisional) == (1500, True)
    page.edit_cell(ann.id, "rating", "1510")
    assert (filled.index.players(A)[-1].rating, filled.index.players(A)[-1].provisional) == (1510, False)
    page.edit_cell(ann.id, "rating", "1520?")
    assert str(filled.index.players(A)[-1].shown_rating) == "1520?"


def test_import_results_names_replaced_results(window: Window, filled: Session, tmp_path: Path) -> None:
    filled.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(filled.index, A)))
    for item in filled.index.rounds(A):
        filled.do(partial(commands.publish_round, round=item.id))
    (item,) = filled.index.published(A)
    game = filled.index.games(item.id)[0]
    filled.do(partial(commands.enter_result, game=game.id, first=410, second=400))
    path = tmp_path / "r.csv"
    path.write_text(f"round,table,score1,score2,shoe\n{item.number},{game.table},401,399,9\n", encoding="utf-8")
    page = window.page
    assert isinstance(page, PlayersPage)
    said: list[str] = []
    filled.message_sent.connect(lambda text, *_: said.append(text))
    page.preview_import(path)
    assert any(
        f"table {game.table}: the result" in one and "These columns were not used: shoe." in one for one in said
    )


def test_import_dialog_recognises_standings(window: Window) -> None:
    made = opened(window, "Plaats\tNaam\tWinst\n1\tNew, Ann\t3\n")
    said = [label.text() for label in made.findChildren(QLabel) if label.isVisible()]
    assert "These are standings: only the players are imported, without results or places." in said


@pytest.mark.slow
def test_paste_players_reports_an_empty_clipboard(window: Window, filled: Session, qtbot: QtBot) -> None:
    QApplication.clipboard().clear()
    page = window.page
    assert isinstance(page, PlayersPage)
    with qtbot.waitSignal(filled.message_sent) as told:
        page.paste_players()
    assert told.args == ["the clipboard: The file is empty.", False, "red"]


def test_add_line_pastes_several_lines_as_a_list_and_one_as_a_name(window: Window, filled: Session) -> None:
    page = window.page
    assert isinstance(page, PlayersPage)
    name = page._new_player_fields.name
    name.setFocus()
    QGuiApplication.clipboard().setText("Kari Hansen\r\n\r\nPer Olsen\r\n")
    QTest.keySequence(name, QKeySequence(QKeySequence.StandardKey.Paste))
    made = window.findChild(ImportPlayersDialog)
    assert made is not None
    assert [row.entry.name for row in in_sight(made.rows)] == ["Hansen, Kari", "Olsen, Per"]
    assert name.text() == ""
    made.reject()
    QGuiApplication.clipboard().setText("Hansen, Kari\n")
    QTest.keySequence(name, QKeySequence(QKeySequence.StandardKey.Paste))
    assert name.text() == "Hansen, Kari"
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert filled.index.players(A)[-1].name == "Hansen, Kari"


def test_import_dialog_splits_first_names_first(window: Window, filled: Session) -> None:
    made = opened(window, "Naam\tElo\nJan de Vries\t1500\nSem van 't Hof\t\nAna Garcia Lopez\tvijftienhonderd\n")
    assert made.columns.get_chosen_columns() == ("first_last", "rating")
    assert lines(made) == [
        ("Lopez, Ana Garcia", "new", "add"),  # lines to check come first
        ("de Vries, Jan", "new", "add"),
        ("van 't Hof, Sem", "new", "add"),
    ]
    first = in_sight(made.rows)[0]
    assert "Check the last name of “Ana Garcia Lopez”." in first.explanation
    assert "“vijftienhonderd” is not a rating" in first.explanation
    place = made.rows.index(0, made.rows.list_column_ids().index("name"))
    made.rows.setData(place, "Garcia Lopez, Ana")
    assert {name for name, *_ in lines(made)} == {"Garcia Lopez, Ana", "de Vries, Jan", "van 't Hof, Sem"}
    assert "Check the last name" not in "".join(row.explanation for row in in_sight(made.rows))
    made.columns.choices[0].choose("name")
    assert "Jan de Vries" in {name for name, *_ in lines(made)}
    made.columns.choices[0].choose("first_last")
    made.yes.click()
    added = filled.index.players(A)[-3:]
    assert {player.name for player in added} == {"Garcia Lopez, Ana", "de Vries, Jan", "van 't Hof, Sem"}


def test_import_dialog_creates_divisions_of_a_column(window: Window, filled: Session) -> None:
    one = filled.index.players(A)[0]
    made = opened(window, f"Navn\tKlasse\n{one.name}\tA\nNew, Ann\tB\nNew, Bob\tB\nNew, Cid\tC\n")
    assert made.columns.get_chosen_columns() == ("name", "division")
    assert made.heading.text() == "Import players"
    assert made.targets.text() == "Import into the divisions: B, new division (2) · C, new division (1)"
    assert [row.entry.division for row in in_sight(made.rows)] == ["A", "B", "B", "C"]
    made.rows.setData(made.rows.index(3, made.rows.list_column_ids().index("division")), "B")
    assert made.targets.text() == "Import into the divisions: B, new division (3)"
    made.yes.click()
    found = {item.code: len(filled.index.players(item.id)) for item in filled.index.divisions}
    assert found == {"A": 24, "B": 3}
    filled.undo()
    assert [item.code for item in filled.index.divisions] == ["A"]


@pytest.mark.slow
def test_import_dialog_takes_a_division_typed_by_keys(window: Window, filled: Session) -> None:
    made = opened(window, "Navn\tKlasse\nNew, Ann\tB\nNew, Bob\tC\n")
    view, column = made.view, made.rows.list_column_ids().index("division")
    made.columns.choices[1].choose("")
    made.columns.choices[1].choose("division")
    assert [made.rows.get_text_at(line, column) for line in (0, 1)] == ["B", "C"]
    view.setFocus()
    view.setCurrentIndex(made.rows.index(1, column))
    QTest.keyClick(view, Qt.Key.Key_F2)
    (typed,) = view.findChildren(LineEdit)
    typed.setText("B")
    QTest.keyClick(typed, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert [made.rows.get_text_at(line, column) for line in (0, 1)] == ["B", "B"]
    assert [row.action for row in in_sight(made.rows)] == ["add", "add"]
    assert made.targets.text() == "Import into the divisions: B, new division (2)"
    assert len(filled.index.divisions) == 1, "Enter has gone no further"


@pytest.mark.slow
def test_import_dialog_reads_a_column_of_divisions_as_categories(window: Window, filled: Session) -> None:
    made = opened(window, "Navn\tKlasse\nNew, Ann\tB\nNew, Bob\tC\n")
    made.columns.choices[1].choose("category")
    assert made.targets.isHidden()
    assert made.heading.text() == "Import into division A"
    made.yes.click()
    assert [player.category for player in filled.index.players(A)[24:]] == ["B", "C"]
    assert [item.code for item in filled.index.divisions] == ["A"]
