"""Tests of the season view on the Standings page and of the season panels."""

from __future__ import annotations

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tournament import Tournament
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.season import MemberSeasonPanel, SeasonsPanel, SeasonView
from tests.building import DIVISION
from tests.domain.test_seasons import SEASON, add_points_evening, make_autumn
from tests.gui.samples import make_desk, make_tournament
from tests.gui.windows import (
    collect_messages,
    find_dialog,
    get_page,
    get_panel,
    press_key,
    run_action,
    show_window,
)


def show_season(window: Window) -> SeasonView:
    press_key(window, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    return get_page(window, StandingsPage).get_or_make_view(SeasonView)


def open_window(empty_session: Session, qtbot: QtBot, value: Tournament) -> Window:
    empty_session.open_tournament_of_desk(make_desk(value))
    return show_window(empty_session, qtbot)


def list_rows(view: SeasonView) -> list[list[str]]:
    model = view.view.model()
    return [[str(model.index(row, column).data() or "") for column in range(5)] for row in range(model.rowCount())]


def test_season_view_opens_by_shift_f7_with_dropped_results_and_moves(
    empty_session: Session, qtbot: QtBot
) -> None:
    value = commands.edit_season(make_autumn(), season=SEASON, rule=SeasonRule("own", "Own", best=2))
    view = show_season(open_window(empty_session, qtbot, value))
    rows = list_rows(view)
    assert [row[2] for row in rows] == ["A", "C", "B", "D", "E"]
    assert [row[3] for row in rows] == ["1", "3", "2", "4", "5"]  # numbers
    cells = view.rows.index(0, 5).data()
    assert cells == "5 5 (3)"
    view.view.select_row("p1")
    assert "best 2 of 3 evenings, dropped because other results are higher" in view.explanation.text()
    view.view.select_row("p3")
    assert view.explanation.text().startswith("Rank 2 · equal totals, ahead on: best results, one by one")


def test_opening_another_file_shows_its_standings(empty_session: Session, qtbot: QtBot) -> None:
    window = open_window(empty_session, qtbot, make_autumn())
    show_season(window)
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    press_key(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    page = get_page(window, StandingsPage)
    assert page.get_current_player_id() == page.view.get_current_row_key() != ""


def test_season_view_shows_an_earlier_date(empty_session: Session, qtbot: QtBot) -> None:
    view = show_season(open_window(empty_session, qtbot, make_autumn()))
    view.date.setCurrentIndex(2)
    assert view.date.value() == "2026-09-01"
    assert [row[4] for row in list_rows(view)] == ["5", "4", "3", "2", "1"]


def test_seasons_panel_adds_a_season_and_pastes_earlier_results(empty_session: Session, qtbot: QtBot) -> None:
    value = make_autumn()
    value = commands.remove_season(value, season=next(iter(value.seasons)))
    window = open_window(empty_session, qtbot, value)
    run_action(window, "seasons")
    panel = get_panel(window, SeasonsPanel)
    assert window.focusWidget() is panel.get_field_widget("name")
    panel.get_field_widget("name").setText("Half-year")
    panel.get_field_widget("best").setText("3")
    messages = collect_messages(window.session)
    panel.get_field_widget("since").setText("31.9.2026")
    panel.editor.save_row()
    assert messages == ["The date 31.9.2026 does not exist. Type, for example, 28/11/2026."]
    panel.get_field_widget("since").setText("2026-09-01")
    panel.editor.save_row()
    since = panel.editor.rows.list_column_ids().index("season_since")
    assert panel.editor.rows.index(0, since).data(Qt.ItemDataRole.EditRole) == "01/09/2026"
    (season,) = window.session.tournament.seasons.values()
    assert (season.name, season.rule.best, season.since, season.division) == (
        "Half-year",
        3,
        "2026-09-01",
        DIVISION,
    )
    QGuiApplication.clipboard().setText("Name\t1.6.2026\nA\t9\nB\t7,5\n")
    panel.paste_earlier_results()
    assert sorted(result.value for result in window.session.tournament.earlier.values()) == [7.5, 9]
    QGuiApplication.clipboard().setText("Name\t1.6.2026\nNobody\t9\n")
    panel.paste_earlier_results()
    assert len(window.session.tournament.earlier) == 2


def test_copy_season_copies_the_table_as_text(empty_session: Session, qtbot: QtBot) -> None:
    window = open_window(empty_session, qtbot, make_autumn())
    run_action(window, "copy-season")
    copied_lines = QGuiApplication.clipboard().text().splitlines()
    assert copied_lines[-5:] == ["1. A  13", "2. B  12", "3. C  11", "4. D  6", "5. E  3"]


def test_member_season_panel_explains_each_evening(empty_session: Session, qtbot: QtBot) -> None:
    window = open_window(empty_session, qtbot, make_autumn())
    show_season(window).view.select_row("p3")
    run_action(window, "season-member")
    panel = get_panel(window, MemberSeasonPanel)
    assert panel.rows.rowCount() == 3
    panel.view.select_row(panel.rows.keys()[0])
    assert panel.explanation.text() == "1 Sept: place 3 of 5, value 3"
    assert panel.rows.index(0, 0).data() == "1 Sept 2026"
    outlook_text = next(label.text() for label in panel.findChildren(QLabel) if label.text().startswith("Rank 3"))
    assert "Needed tonight if the other players’ totals do not change:" in outlook_text.splitlines()[1]
    assert outlook_text.splitlines()[2].startswith("To overtake B (rank 2): ")


@pytest.mark.parametrize("empty_session", ["nb", "de"], indirect=True)
def test_member_season_panel_shows_whole_dates(empty_session: Session, qtbot: QtBot) -> None:
    value = add_points_evening(make_autumn(), "2026-10-27", A=(450, 450), B=(390, 390), C=(350, 350))
    window = open_window(empty_session, qtbot, value)
    show_season(window).view.select_row("p3")
    run_action(window, "season-member")
    panel = get_panel(window, MemberSeasonPanel)
    panel.view.setFixedWidth(300)
    window.grab()
    dates = panel.rows.list_column_ids().index("date")
    assert panel.view.columnWidth(dates) >= panel.view.sizeHintForColumn(dates)


def test_print_standings_prints_the_shown_season(empty_session: Session, qtbot: QtBot) -> None:
    """The file has two seasons. The older one, "Autumn", is shown."""
    value = commands.add_season(make_autumn(), key="y", name="Year", rule=SeasonRule("own", "Own", best=1))
    window = open_window(empty_session, qtbot, value)
    view = show_season(window)
    view.season.setCurrentIndex(view.season.findText("Autumn"))
    run_action(window, "print-standings")
    preview = find_dialog(window, PrintPreview)
    assert (preview.request.report, preview.request.category) == ("season", "Autumn")
    preview.season.setCurrentIndex(preview.season.findText("Year"))
    assert preview.request.category == "Year"
    qtbot.waitUntil(lambda: preview.pages == 1)
    page = pypdfium2.PdfDocument(preview.pdf)[0]
    assert "Year" in page.get_textpage().get_text_range()
    preview.report.setCurrentIndex(preview.report.findText("Standings"))
    assert preview.request.category == ""
