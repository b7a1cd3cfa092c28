"""Tests of the season's rating list on the Standings page, and of the update of player ratings."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.exchange.rating_lists import read_rating_list
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.season_ratings import RatingUpdateDialog, SeasonRatingsView
from tdapp.gui.widgets.table_view import TableView
from tests.domain.test_season_ratings import FIRST, make_pair
from tests.domain.test_seasons import SEASON
from tests.gui.samples import make_desk
from tests.gui.windows import answer_file_dialogs, find_dialog, get_page, press_key, run_action, show_window


def open_ratings_view(session: Session, qtbot: QtBot) -> tuple[Window, SeasonRatingsView]:
    """Open the ratings of example 18: A won on 1 October, B on 8 October."""
    session.open_tournament_of_desk(make_desk(make_pair()))
    window = show_window(session, qtbot, "standings")
    run_action(window, "season-ratings")
    return window, get_page(window, StandingsPage).get_or_make_view(SeasonRatingsView)


def list_cells(view: TableView, *columns: int) -> list[list[str]]:
    model = view.model()
    return [[str(model.index(row, column).data() or "") for column in columns] for row in range(model.rowCount())]


def test_season_ratings_view_lists_ratings_on_each_date(empty_session: Session, qtbot: QtBot) -> None:
    window, view = open_ratings_view(empty_session, qtbot)
    assert list_cells(view.view, 0, 1, 4, 5) == [["1", "B", "1501", "+1"], ["2", "A", "1499", "−1"]]
    assert [view.date.itemText(index) for index in range(view.date.count())] == [
        "After the last evening",
        "1 October 2026",
    ]
    view.date.setCurrentIndex(1)
    assert list_cells(view.view, 1, 4) == [["A", "1510"], ["B", "1490"]]
    assert "rating list of 1 October 2026, Elo." in view.note.text()
    assert window.page.title.text() == "Autumn"


def test_season_ratings_view_lists_games_of_the_selected_player(empty_session: Session, qtbot: QtBot) -> None:
    _, view = open_ratings_view(empty_session, qtbot)
    view.view.select_row("p1")
    assert list_cells(view.games, *range(9)) == [
        ["1 Oct 2026", "1500", "1", "B", "1500", "1", "0.50", "+10.0", "1510"],
        ["8 Oct 2026", "1510", "1", "B", "1490", "0", "0.53", "−10.6", "1499"],
    ]
    view.date.setCurrentIndex(1)
    view.view.select_row("p2")
    assert list_cells(view.games, 0, 3, 7) == [["1 Oct 2026", "A", "−10.0"]]


@pytest.mark.slow
def test_season_ratings_view_updates_after_a_corrected_result(empty_session: Session, qtbot: QtBot) -> None:
    window, view = open_ratings_view(empty_session, qtbot)
    game = next(result for result in window.session.tournament.results.values() if result.first == 400)
    window.session.do(partial(commands.enter_result, game=game.id, first=350, second=350))
    qtbot.waitUntil(lambda: list_cells(view.view, 1, 4) == [["B", "1510"], ["A", "1490"]])


def test_rating_update_dialog_previews_ratings_and_is_undone_in_one_step(
    empty_session: Session, qtbot: QtBot
) -> None:
    window, view = open_ratings_view(empty_session, qtbot)
    session = window.session

    def list_ratings() -> list[int | None]:
        return [player.rating for player in session.tournament.players.values()]

    view.apply_button.click()
    preview = find_dialog(window, RatingUpdateDialog)
    assert list_cells(preview.view, 0, 1, 2, 3) == [["A", "1500", "1499", "−1"], ["B", "1500", "1501", "+1"]]
    assert list_ratings() == [1500, 1500]
    QTest.keyClick(preview, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: list_ratings() == [1499, 1501])
    assert list_cells(view.view, 1, 4) == [["B", "1501"], ["A", "1499"]]
    qtbot.waitUntil(lambda: window.findChild(RatingUpdateDialog) is None)
    view.apply_button.click()
    assert not find_dialog(window, RatingUpdateDialog).yes.isEnabled()
    find_dialog(window, RatingUpdateDialog).reject()
    run_action(window, "undo")
    qtbot.waitUntil(lambda: list_ratings() == [1500, 1500])
    assert not session.tournament.seasons[SEASON].start_ratings


def test_season_ratings_view_saves_copies_and_prints_the_list(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window, view = open_ratings_view(empty_session, qtbot)
    view.date.setCurrentIndex(1)
    path = tmp_path / "list.csv"
    with answer_file_dialogs(path):
        view.save_button.click()
    qtbot.waitUntil(path.exists)
    lines = path.read_text("utf-8-sig").splitlines()
    assert [line.split(";")[:4] for line in lines[1:]] == [["1", "1", "A", "1510"], ["2", "2", "B", "1490"]]
    json_path = tmp_path / "list.json"
    with answer_file_dialogs(json_path):
        view.save_button.click()
    qtbot.waitUntil(json_path.exists)
    assert [player.rating for player in read_rating_list(json_path.read_bytes()).players] == [1510, 1490]
    run_action(window, "copy-standings")
    assert QGuiApplication.clipboard().text().splitlines()[1].split("\t")[:2] == ["1", "A"]
    press_key(window, Qt.Key.Key_F8)
    print_preview = find_dialog(window, PrintPreview)
    assert (print_preview.request.report, print_preview.request.date) == ("season-ratings", FIRST)
    print_preview.report.setCurrentIndex(0)
    assert (print_preview.request.report, print_preview.request.date) == ("pairings-by-table", "")
    print_preview.reject()


@pytest.mark.slow
def test_season_ratings_view_is_empty_without_a_season(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(commands.remove_season(make_pair(), season=SEASON)))
    window = show_window(empty_session, qtbot, "standings")
    run_action(window, "season-ratings")
    view = get_page(window, StandingsPage).get_or_make_view(SeasonRatingsView)
    assert view.view.model().rowCount() == 0
    assert not view.save_button.isEnabled()
    assert not view.apply_button.isEnabled()
