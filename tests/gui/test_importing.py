"""Tests of importing lists: columns, spreadsheets, matching of players, actions for each line and undo."""

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
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot, "players")


def open_import_dialog(window: Window, text: str) -> ImportPlayersDialog:
    QGuiApplication.clipboard().setText(text)
    page = window.page
    assert isinstance(page, PlayersPage)
    page.paste_players()
    dialog = window.findChild(ImportPlayersDialog)
    assert dialog is not None
    return dialog


def test_import_dialog_shows_and_changes_the_encoding(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "dos.csv"
    path.write_bytes("Name;Rating\nMüller, Jörg;1500\nSchäfer, Änne;1400\n".encode("cp850"))
    page = window.page
    assert isinstance(page, PlayersPage)
    page.read_file_and_preview_import(path)
    dialog = window.findChild(ImportPlayersDialog)
    assert dialog is not None
    assert (dialog.encoding.isVisible(), dialog.encoding.value()) == (True, "cp850")
    assert [name for name, *_ in list_line_statuses(dialog)] == ["Müller, Jörg", "Schäfer, Änne"]
    assert "Check the special letters in these names: Müller, Jörg; Schäfer, Änne" in [
        label.text() for label in dialog.findChildren(QLabel)
    ]
    dialog.encoding.choose_value("mac_roman")
    assert [name for name, *_ in list_line_statuses(dialog)] == ["MÅller, Jîrg", "SchÑfer, énne"]
    dialog.encoding.choose_value("cp850")
    assert [name for name, *_ in list_line_statuses(dialog)] == ["Müller, Jörg", "Schäfer, Änne"]


@pytest.mark.slow
def test_import_dialog_hides_the_encoding_of_a_plain_list(window: Window) -> None:
    assert not open_import_dialog(window, "name\nAnn\n").encoding.isVisible()


def list_visible_rows(rows: TableRowsModel) -> list[Any]:
    """Return the visible rows in order."""
    return [*map(rows.find_row_by_key, rows.keys())]


def list_line_statuses(dialog: ImportPlayersDialog) -> list[tuple[str, str, str]]:
    """Return the name, match status and action of each line."""
    return [(row.entry.name, row.match_status or "", row.action) for row in list_visible_rows(dialog.rows)]


def test_import_dialog_shows_match_and_changes_of_each_line(window: Window, full_session: Session) -> None:
    first, second, third, *_ = full_session.index.players(A)
    plain_name = second.name.upper().replace("Ø", "O").replace("É", "E")
    dialog = open_import_dialog(
        window,
        f"Nr\tNaam\tElo\tClub\n1\t{first.name}\t{first.rating}\t{first.club}\n2\t{plain_name}\t999\t{second.club}\n"
        f"3\tSomebody, Else\t\t\n\tNew, Ann\t1500\t\n\t{'New, Bob' * 30}\t1500\t\n",
    )
    assert list_line_statuses(dialog) == [
        ("New, Bob" * 30, "", "skip"),
        ("Somebody, Else", "conflict", "skip"),  # lines to check come first
        (first.name, "same", "skip"),
        (plain_name, "rating", "change"),
        ("New, Ann", "new", "add"),
    ]
    assert [row.explanation for row in list_visible_rows(dialog.rows)][1:4] == [
        f"No. 3 {third.name}? · Name: {third.name} → Somebody, Else",
        "",
        f"Rating: {second.rating} → 999",
    ]
    dialog.yes.click()

    after = full_session.index.players(A)
    assert [(player.name, player.rating) for player in after[:2]] == [
        (first.name, first.rating),
        (second.name, 999),
    ]
    assert [player.name for player in after[24:]] == ["New, Ann"]
    full_session.undo()
    assert full_session.index.players(A)[1].rating == second.rating
    assert len(full_session.index.players(A)) == 24


def test_import_dialog_names_players_of_another_division(window: Window, full_session: Session) -> None:
    first = full_session.index.players(A)[0]
    full_session.do(partial(commands.add_division, key="d2", code="B"))
    full_session.choose_division(full_session.index.divisions[1].id)
    dialog = open_import_dialog(window, f"Name\tRating\n{first.name}\t{first.rating}\nNew, Ann\t1500\n")
    assert list_line_statuses(dialog) == [(first.name, "conflict", "skip"), ("New, Ann", "new", "add")]
    assert list_visible_rows(dialog.rows)[0].explanation == "Already plays in division A · Division: A → B"
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "New: 1 · One already plays in another division" in texts
    assert dialog.windowTitle() == "Import into division B"
    dialog.view.setFocus()
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    dialog.yes.click()
    assert [player.name for player in full_session.index.players(full_session.index.divisions[1].id)] == [
        first.name, "New, Ann"
    ]  # fmt: skip
    assert len(full_session.index.players(A)) == 23


@pytest.mark.slow
def test_import_dialog_reads_divisions_of_this_tournament(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.add_division, key="d2", code="B"))
    dialog = open_import_dialog(window, "Name\tKlasse\nNew, Ann\tB\nNew, Bob\tA\nNew, Cat\t\n")
    assert [row.division for row in list_visible_rows(dialog.rows)] == ["B", "A", "A"]
    assert dialog.windowTitle() == "Import players"
    dialog.reject()


def test_import_row_actions_are_translated(full_session: Session) -> None:
    assert [full_session.catalogue.translate_code(action) for action in ImportRowAction] == [
        "add",
        "change",
        "leave out",
    ]
    assert {f"ImportRowAction.{action}" for action in ImportRowAction} <= CODES.keys()


def test_import_dialog_changes_the_action_by_space(window: Window, full_session: Session) -> None:
    third = full_session.index.players(A)[2]
    dialog = open_import_dialog(window, "Nr\tNaam\tElo\n3\tSomebody, Else\t1400\n\tNew, Ann\t1500\n")
    dialog.view.setFocus()
    dialog.view.select_row(dialog.view.rows.keys()[0])
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert list_line_statuses(dialog)[0][2] == "change"
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert list_line_statuses(dialog)[0][2] == "add"
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    QTest.keyClick(dialog.view, Qt.Key.Key_Down)
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert [line[2] for line in list_line_statuses(dialog)] == ["change", "skip"]
    assert dialog.yes.text() == "Import one player"
    dialog.names.setChecked(True)
    dialog.view.select_row(dialog.view.rows.keys()[0])
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    dialog.view.select_row(dialog.view.rows.keys()[1])
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    dialog.yes.click()

    row = full_session.tournament.players[third.id]
    assert (row.name, row.rating, row.number) == ("Somebody, Else", 1400, 3)
    assert len(full_session.index.players(A)) == 24


def test_import_dialog_starts_in_the_lines_and_imports_by_enter(window: Window, full_session: Session) -> None:
    dialog = open_import_dialog(window, "Naam\tElo\n\t1500\nNew, Ann\t1400\n")
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Down):
        focused = dialog.focusWidget()
        assert focused is dialog.view
        QTest.keyClick(focused, key)
    assert dialog.isVisible()
    assert dialog.view.get_current_row_key() == "3"
    QTest.keyClick(dialog.view, Qt.Key.Key_Return)
    assert full_session.index.players(A)[-1].name == "New, Ann"


@pytest.mark.slow
def test_import_dialog_announces_a_changed_action(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    announcements: list[str] = []
    monkeypatch.setattr(
        "tdapp.gui.widgets.access.QAccessible.updateAccessibility",
        lambda event: announcements.append(event.message()),
    )
    dialog = open_import_dialog(window, "Naam\tElo\nHuisman, Carla\t1500\nNew, Ann\t1400\n")
    dialog.view.setFocus()
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    (skipped_name,) = [line[0] for line in list_line_statuses(dialog) if line[2] == "skip"]
    assert any(skipped_name in text and text.endswith("leave out. Import one player") for text in announcements), (
        announcements
    )
    dialog.reject()


def test_players_page_forgets_skipped_lines_when_the_import_is_undone(
    window: Window, full_session: Session
) -> None:
    dialog = open_import_dialog(window, "Naam\tElo\n\t1500\nNew, Ann\t1400\n")
    dialog.yes.click()
    page = window.page
    assert isinstance(page, PlayersPage)
    assert not page.skipped_button.isHidden()
    full_session.undo()
    assert page.skipped_button.isHidden()


@pytest.mark.slow
def test_import_dialog_space_works_on_the_first_line_at_once(window: Window) -> None:
    dialog = open_import_dialog(window, "Naam\tElo\nNew, Ann\t1500\nNew, Ann\t1400\n")
    assert [line[2] for line in list_line_statuses(dialog)] == ["skip", "add"]
    dialog.view.setFocus()
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert [line[2] for line in list_line_statuses(dialog)] == ["add", "add"]
    dialog.reject()


def test_import_dialog_chooses_columns_by_keys(window: Window) -> None:
    dialog = open_import_dialog(window, "Wer\tWieviel\nNew, Ann\t1500\nNew, Bob\t1400\n")
    assert dialog.rows.rowCount() == 0
    assert not dialog.yes.isEnabled()
    first, second = dialog.columns.choices
    dialog.headings_box.setFocus()
    QTest.keyClick(dialog.headings_box, Qt.Key.Key_Space)
    assert dialog.headings_box.isChecked()
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert (first.currentText(), dialog.rows.rowCount()) == ("Name", 2)
    QTest.keyClicks(second, "Rat")
    assert second.currentText() == "Rating"
    assert [row.entry.rating for row in list_visible_rows(dialog.rows)] == [1500, 1400]
    QTest.keyClick(second, Qt.Key.Key_Home)
    assert second.currentText() == "– leave out –"
    dialog.reject()


def test_import_dialog_shows_the_sheet_with_players_first(window: Window, full_session: Session) -> None:
    page = window.page
    assert isinstance(page, PlayersPage)
    page.read_file_and_preview_import(FILES / "players-libreoffice.ods")
    dialog = window.findChild(ImportPlayersDialog)
    assert dialog is not None
    assert dialog.sheet.currentText() == "Spelers"
    assert [name for name, _, _ in list_line_statuses(dialog)] == [
        "van den Berg, Cécile", "Ødegård, Frode", "Müller, Jürgen", "Łukasz, Ada", "Li, Grietje"
    ]  # fmt: skip
    dialog.sheet.setFocus()
    QTest.keyClick(dialog.sheet, Qt.Key.Key_Up)
    assert dialog.sheet.currentText() == "About"
    assert dialog.rows.rowCount() == 0
    dialog.reject()
    assert len(full_session.index.players(A)) == 24


@pytest.mark.slow
def test_import_dialog_explains_columns_and_skipped_rounds(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "a.t"
    path.write_text("One, Ann  1500 2; 400\nTwo, Bob  1400 1; 300\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.read_file_and_preview_import(path)
    dialog = window.findChild(ImportPlayersDialog)
    assert dialog is not None
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert "The rounds in this file are left out: they can be imported only into an empty division." in texts
    assert {"No.", "Name", "Rating"} <= {*texts}
    assert "rating" not in texts


@pytest.mark.slow
def test_divisions_dialog_imports_players_with_equal_names(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(session, qtbot, "players")
    (tmp_path / "a.t").write_text("Berg, Anna  1500 2; 400\nBerg, Anna  1400 1; 300\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.read_file_and_preview_import(tmp_path / "a.t")
    dialog = window.findChild(ImportDivisionsDialog)
    assert dialog is not None
    QTest.keyClick(dialog.yes, Qt.Key.Key_Return)
    assert [player.name for player in session.index.players(A)] == ["Berg, Anna", "Berg, Anna"]


def test_divisions_dialog_imports_a_tsh_folder_and_names_omissions(
    session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(session, qtbot, "players")
    division = DivisionEntry("A", (PlayerEntry(1, "One"), PlayerEntry(2, "Two")))
    other_division = DivisionEntry("B", (PlayerEntry(1, "Three"),), name="Juniors")
    for name, content in tsh_folder.encode_tsh_folder(EventEntry((division, other_division))).items():
        (tmp_path / name).write_bytes(content)
    with (tmp_path / "config.tsh").open("a") as file:
        file.write("prize rank 1 A '$100'\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.read_file_and_preview_import(tmp_path / "config.tsh")
    dialog = window.findChild(ImportDivisionsDialog)
    assert dialog is not None
    assert [row.goes_to for row in list_visible_rows(dialog.rows)] == ["Division A", "a new division B"]
    QTest.keyClick(dialog.yes, Qt.Key.Key_Return)

    divisions = {item.code: (item.name, len(session.index.players(item.id))) for item in session.index.divisions}
    assert divisions == {"A": ("Main", 2), "B": ("Juniors", 1)}
    session.undo()
    assert [item.code for item in session.index.divisions] == ["A"]


def test_divisions_dialog_names_changed_tables(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(session, qtbot, "players")
    (tmp_path / "a.t").write_text("One  1500 2; 400\nTwo  1400 1; 300\n")
    (tmp_path / "config.tsh").write_text("division A a.t\ndivision B a.t\nconfig event_name = 'Elsewhere'\n")
    page = window.page
    assert isinstance(page, PlayersPage)
    page.read_file_and_preview_import(tmp_path)
    dialog = window.findChild(ImportDivisionsDialog)
    assert dialog is not None
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Division B: tables 1 get the numbers 101, because another division uses some of these tables" in texts
    dialog.yes.click()
    assert session.tournament.event.name == "Elsewhere"


def test_import_dialog_keeps_skipped_players(window: Window, full_session: Session) -> None:
    first_player = full_session.index.players(A)[0]
    text = (
        f"Naam\tNr\tRtg\tClub\n{first_player.name}\t\t{first_player.rating}\tElsewhere\n"
        "New, Ann\tx\t1500\tX\nTwin, A\t\t?\tX\nTwin, A\t\t\tY\n"
    )
    dialog = open_import_dialog(window, text)
    assert list_line_statuses(dialog) == [
        ("New, Ann", "", "skip"),
        ("Twin, A", "conflict", "skip"),
        (first_player.name, "changed", "change"),
        ("Twin, A", "new", "add"),
    ]
    dialog.rows.setData(dialog.rows.index(0, dialog.rows.list_column_ids().index("number")), "50")
    assert list_line_statuses(dialog)[0] == ("New, Ann", "new", "add")
    dialog.yes.click()
    page = window.page
    assert isinstance(page, PlayersPage)
    assert page.skipped_button.text() == "1 line left out · Show"
    page.skipped_button.click()
    assert page.skipped_button.isHidden()
    next_dialog = window.findChildren(ImportPlayersDialog)[-1]
    assert [line[1:] for line in list_line_statuses(next_dialog)][1:3] == [("conflict", "skip"), ("same", "skip")]
    next_dialog.view.select_row(next_dialog.rows.keys()[1])
    QTest.keyClick(next_dialog.view, Qt.Key.Key_Space)
    QTest.keyClick(next_dialog.view, Qt.Key.Key_Space)
    next_dialog.yes.click()
    twin_players = [
        (player.name, player.club) for player in full_session.index.players(A) if player.name.startswith("Twin")
    ]
    assert twin_players == [("Twin, A", "X"), ("Twin, A", "Y")]


@pytest.mark.slow
def test_import_dialog_shows_and_edits_a_provisional_rating(window: Window, full_session: Session) -> None:
    dialog = open_import_dialog(window, "Naam\tRtg\nNew, Ann\t1500*\n")
    shown_rating = dialog.rows.index(0, dialog.rows.list_column_ids().index("rating"))
    assert dialog.rows.data(shown_rating) == "1500?"
    dialog.yes.click()
    page = window.page
    assert isinstance(page, PlayersPage)
    imported_player = full_session.index.players(A)[-1]
    assert (imported_player.rating, imported_player.provisional) == (1500, True)
    page.edit_cell(imported_player.id, "rating", "1510")
    assert (full_session.index.players(A)[-1].rating, full_session.index.players(A)[-1].provisional) == (
        1510,
        False,
    )
    page.edit_cell(imported_player.id, "rating", "1520?")
    assert str(full_session.index.players(A)[-1].rating_marked_if_provisional) == "1520?"


def test_import_results_names_replaced_results(window: Window, full_session: Session, tmp_path: Path) -> None:
    full_session.do(partial(commands.pair_round, key="r1", proposal=propose_pairings(full_session.index, A)))
    for item in full_session.index.rounds(A):
        full_session.do(partial(commands.publish_round, round=item.id))
    (item,) = full_session.index.list_published_rounds(A)
    game = full_session.index.games(item.id)[0]
    full_session.do(partial(commands.enter_result, game=game.id, first=410, second=400))
    path = tmp_path / "r.csv"
    path.write_text(f"round,table,score1,score2,shoe\n{item.number},{game.table},401,399,9\n", encoding="utf-8")
    page = window.page
    assert isinstance(page, PlayersPage)
    messages: list[str] = []
    full_session.message_sent.connect(lambda text, *_: messages.append(text))
    page.read_file_and_preview_import(path)
    assert any(
        f"table {game.table}: the result" in message and "These columns were not used: shoe." in message
        for message in messages
    )


def test_import_dialog_recognises_standings(window: Window) -> None:
    dialog = open_import_dialog(window, "Plaats\tNaam\tWinst\n1\tNew, Ann\t3\n")
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert "These are standings: only the players are imported, without results or places." in texts


@pytest.mark.slow
def test_paste_players_reports_an_empty_clipboard(window: Window, full_session: Session, qtbot: QtBot) -> None:
    QApplication.clipboard().clear()
    page = window.page
    assert isinstance(page, PlayersPage)
    with qtbot.waitSignal(full_session.message_sent) as message:
        page.paste_players()
    assert message.args is not None
    assert message.args[0].startswith("Nothing has been copied.")


def test_new_player_field_pastes_several_lines_as_a_list(window: Window, full_session: Session) -> None:
    page = window.page
    assert isinstance(page, PlayersPage)
    name = page._new_player_fields.name
    name.setFocus()
    QGuiApplication.clipboard().setText("Kari Hansen\r\n\r\nPer Olsen\r\n")
    QTest.keySequence(name, QKeySequence(QKeySequence.StandardKey.Paste))
    dialog = window.findChild(ImportPlayersDialog)
    assert dialog is not None
    assert [row.entry.name for row in list_visible_rows(dialog.rows)] == ["Hansen, Kari", "Olsen, Per"]
    assert name.text() == ""
    dialog.reject()
    QGuiApplication.clipboard().setText("Hansen, Kari\n")
    QTest.keySequence(name, QKeySequence(QKeySequence.StandardKey.Paste))
    assert name.text() == "Hansen, Kari"
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert full_session.index.players(A)[-1].name == "Hansen, Kari"


def test_import_dialog_splits_names_with_the_first_name_first(window: Window, full_session: Session) -> None:
    dialog = open_import_dialog(
        window, "Naam\tElo\nJan de Vries\t1500\nSem van 't Hof\t\nAna Garcia Lopez\tvijftienhonderd\n"
    )
    assert dialog.columns.get_chosen_player_fields() == ("first_last", "rating")
    assert list_line_statuses(dialog) == [
        ("Lopez, Ana Garcia", "new", "add"),  # lines to check come first
        ("de Vries, Jan", "new", "add"),
        ("van 't Hof, Sem", "new", "add"),
    ]
    first = list_visible_rows(dialog.rows)[0]
    assert "Check the last name of “Ana Garcia Lopez”." in first.explanation
    assert "“vijftienhonderd” is not a rating" in first.explanation
    position = dialog.rows.index(0, dialog.rows.list_column_ids().index("name"))
    dialog.rows.setData(position, "Garcia Lopez, Ana")
    assert {name for name, *_ in list_line_statuses(dialog)} == {
        "Garcia Lopez, Ana",
        "de Vries, Jan",
        "van 't Hof, Sem",
    }
    assert "Check the last name" not in "".join(row.explanation for row in list_visible_rows(dialog.rows))
    dialog.columns.choices[0].choose_value("name")
    assert "Jan de Vries" in {name for name, *_ in list_line_statuses(dialog)}
    dialog.columns.choices[0].choose_value("first_last")
    dialog.yes.click()
    players = full_session.index.players(A)[-3:]
    assert {player.name for player in players} == {"Garcia Lopez, Ana", "de Vries, Jan", "van 't Hof, Sem"}


def test_import_dialog_keeps_the_order_of_lines_after_a_correction(window: Window) -> None:
    dialog = open_import_dialog(window, "Naam\tElo\nBos, Ann\t1500\nDam, Bo\t-15\nEek, Cis\t1400\nDi Fos\t-8\n")
    rating = dialog.rows.list_column_ids().index("rating")
    assert [row.entry.name for row in list_visible_rows(dialog.rows)] == [
        "Dam, Bo",
        "Di Fos",
        "Bos, Ann",
        "Eek, Cis",
    ]
    dialog.rows.setData(dialog.rows.index(0, rating), "1250")
    assert [(row.entry.name, row.entry.rating) for row in list_visible_rows(dialog.rows)] == [
        ("Dam, Bo", 1250),
        ("Di Fos", None),
        ("Bos, Ann", 1500),
        ("Eek, Cis", 1400),
    ]


def test_import_dialog_creates_divisions_of_a_column(window: Window, full_session: Session) -> None:
    player = full_session.index.players(A)[0]
    dialog = open_import_dialog(window, f"Navn\tKlasse\n{player.name}\tA\nNew, Ann\tB\nNew, Bob\tB\nNew, Cid\tC\n")
    assert dialog.columns.get_chosen_player_fields() == ("name", "division")
    assert dialog.heading.text() == "Import players"
    assert dialog.targets.text() == "Import into divisions: B, new division (2) · C, new division (1)"
    assert [row.entry.division for row in list_visible_rows(dialog.rows)] == ["A", "B", "B", "C"]
    dialog.rows.setData(dialog.rows.index(3, dialog.rows.list_column_ids().index("division")), "B")
    assert dialog.targets.text() == "Import into divisions: B, new division (3)"
    dialog.yes.click()
    player_counts = {item.code: len(full_session.index.players(item.id)) for item in full_session.index.divisions}
    assert player_counts == {"A": 24, "B": 3}
    full_session.undo()
    assert [item.code for item in full_session.index.divisions] == ["A"]


@pytest.mark.slow
def test_import_dialog_accepts_a_typed_division(window: Window, full_session: Session) -> None:
    dialog = open_import_dialog(window, "Navn\tKlasse\nNew, Ann\tB\nNew, Bob\tC\n")
    view, column = dialog.view, dialog.rows.list_column_ids().index("division")
    dialog.columns.choices[1].choose_value("")
    dialog.columns.choices[1].choose_value("division")
    assert [dialog.rows.get_text_at(line, column) for line in (0, 1)] == ["B", "C"]
    view.setFocus()
    view.setCurrentIndex(dialog.rows.index(1, column))
    QTest.keyClick(view, Qt.Key.Key_F2)
    (line_edit,) = view.findChildren(LineEdit)
    line_edit.setText("B")
    QTest.keyClick(line_edit, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert [dialog.rows.get_text_at(line, column) for line in (0, 1)] == ["B", "B"]
    assert [row.action for row in list_visible_rows(dialog.rows)] == ["add", "add"]
    assert dialog.targets.text() == "Import into divisions: B, new division (2)"
    assert len(full_session.index.divisions) == 1, "Enter only closes the cell editor"


@pytest.mark.slow
def test_import_dialog_reads_a_column_of_divisions_as_categories(window: Window, full_session: Session) -> None:
    dialog = open_import_dialog(window, "Navn\tKlasse\nNew, Ann\tB\nNew, Bob\tC\n")
    dialog.columns.choices[1].choose_value("category")
    assert dialog.targets.isHidden()
    assert dialog.heading.text() == "Import into division A"
    dialog.yes.click()
    assert [player.category for player in full_session.index.players(A)[24:]] == ["B", "C"]
    assert [item.code for item in full_session.index.divisions] == ["A"]


def test_players_page_counts_absent_and_withdrawn_players_separately(
    window: Window, full_session: Session
) -> None:
    first, second, third, *_ = full_session.index.players(A)
    for player in (first, second):
        full_session.do(partial(commands.withdraw_player, key=player.id, player=player.id))
    next_round = len(full_session.index.rounds(A)) + 1
    full_session.do(partial(commands.set_absence, key="a", player=third.id, first_round=next_round))
    page = window.page
    assert isinstance(page, PlayersPage)
    assert page.subtitle.text() == "24 players · 1 absent · 2 withdrawn"


def test_import_dialog_names_the_clipboard_as_source(window: Window) -> None:
    dialog = open_import_dialog(window, "Naam\tElo\nNew, Ann\t1400\n")
    assert "Source: the clipboard" in [label.text() for label in dialog.findChildren(QLabel)]
    dialog.reject()
