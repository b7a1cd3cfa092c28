"""Tests of rating lists in the window: import, name lookup, and update of the players' ratings."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.gui.players.importing import ImportPlayersDialog
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.players.rating_lists import RatingListsPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.fields import LineEdit
from tests.gui.samples import A
from tests.gui.windows import get_page, show_window


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot, "players")


get_players_page = partial(get_page, kind=PlayersPage)


def import_rating_list(window: Window, path: Path, text: str) -> RatingListsPanel:
    path.write_text(text, encoding="utf-8")
    get_players_page(window).open_rating_lists_panel()
    panel = window.panel
    assert isinstance(panel, RatingListsPanel)
    panel.add_rating_list(path)
    return panel


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
def test_name_lookup_proposes_rating_and_member_number(
    window: Window, full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    text = "name;member;rating;club;country\nNygård, Åse;77;1712;Bølgen;NOR\nNyberg, Bo;78;1300;;\nBad;;x;;\n"
    panel = import_rating_list(window, tmp_path / "NSF 2026-11-01.csv", text)
    (row,) = map(panel.rows.find_row_by_key, panel.rows.keys())
    assert (row.name, row.date, row.count) == (
        "NSF 2026-11-01",
        full_session.catalogue.format_date("2026-11-01"),
        2,
    )
    panel.closed.emit()

    field = next(field for field in window.findChildren(LineEdit) if field.accessibleName() == "New player’s name")
    field.setFocus()
    QTest.keyClicks(field, "nyg")
    completer = field.completer()
    assert completer is not None
    popup = completer.popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert field.text() == "Nygård, Åse"
    assert len(full_session.index.players(A)) == 24, "the Enter that chooses a name added a player"
    QTest.keyClick(field, Qt.Key.Key_Return)

    player = full_session.index.players(A)[-1]
    assert (player.name, player.rating, player.member) == ("Nygård, Åse", 1712, "77")
    assert (player.club, player.country) == ("Bølgen", "NOR")
    assert field.text() == ""
    QApplication.processEvents()


def test_update_ratings_changes_ratings_after_confirmation(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    first_player, second_player, *_ = full_session.index.players(A)
    text = f"{first_player.name}  2001\n{second_player.name}  {second_player.rating}\nSomebody, Else  1500\n"
    panel = import_rating_list(window, tmp_path / "list.txt", text)
    panel.preview_rating_update()
    dialog = window.findChild(ImportPlayersDialog)
    assert dialog is not None
    rows = [*map(dialog.rows.find_row_by_key, dialog.rows.keys())]
    assert [(row.entry.name, row.match_status, row.explanation) for row in rows] == [
        (first_player.name, "rating", f"Rating: {first_player.rating} → 2001"),
        (second_player.name, "same", ""),
    ]
    dialog.yes.click()

    assert full_session.index.players(A)[0].rating == 2001
    assert len(full_session.index.players(A)) == 24
    full_session.undo()
    assert full_session.index.players(A)[0].rating == first_player.rating


def test_rating_lists_panel_removes_a_list_and_refuses_an_invalid_file(
    window: Window, full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    panel = import_rating_list(window, tmp_path / "list.txt", "Somebody, Else  1500\n")
    assert panel.rows.rowCount() == 1
    panel.remove_rating_list()
    assert panel.rows.rowCount() == 0
    with qtbot.waitSignal(full_session.message_sent) as message_signal:
        import_rating_list(window, tmp_path / "none.csv", "name;rating\nA;\n")
    assert message_signal.args == ["none.csv: There are no names with ratings in this file.", False, "red"]
