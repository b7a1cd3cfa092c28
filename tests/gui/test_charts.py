"""Tests of the charts and the crosstable on the Standings page."""

from __future__ import annotations

from functools import cache, partial
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.standings import compute_standings, find_tiebreak_order
from tdapp.domain.tournament import Tournament
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.charts import RankHistoryView, ScoreDistributionView
from tdapp.gui.standings.crosstable_view import CrosstableView
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.standings_view import StandingsView
from tdapp.gui.widgets.charts import list_axis_ticks
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import SCHEMES
from tdapp.i18n.locales import fold_text
from tests.gui.samples import A, make_desk, make_tournament, play_rounds
from tests.gui.windows import get_page, press_key, show_window, type_text

V = TypeVar("V", bound=StandingsView)


@cache
def _make_played_tournament(rounds: int, players: int) -> Tournament:
    return play_rounds(
        make_tournament(players=players), rounds, score=lambda table: (400 + 7 * table, 380 - 3 * table)
    )


def attach_played_tournament(session: Session, rounds: int, *, players: int = 9) -> None:
    session.open_tournament_of_desk(make_desk(_make_played_tournament(rounds, players)))


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    attach_played_tournament(empty_session, 3)
    return show_window(empty_session, qtbot, "standings")


get_standings_page = partial(get_page, kind=StandingsPage)


def get_view(window: Window, kind: type[V]) -> V:
    return get_standings_page(window).get_or_make_view(kind)


def list_row_texts(view: TableView, row: int) -> list[str]:
    return [str(view.rows.index(row, column).data()) for column in range(view.rows.columnCount())]


def test_rank_history_view_highlights_leaders_and_a_typed_player(window: Window) -> None:
    window.get_action("course").trigger()
    history = get_view(window, RankHistoryView)
    highlighted_keys = [line.key for line in history.chart.lines if line.highlighted]
    division = window.session.division
    assert division is not None
    assert highlighted_keys == [row.key for row in compute_standings(window.session.index, division)[:5]]
    assert history.search.hasFocus()
    last = history._history[-1].standing.player
    type_text(window, fold_text(last.name))
    press_key(window, Qt.Key.Key_Return)
    assert history.highlighted == (last.id,)
    assert last.id in {line.key for line in history.chart.lines if line.highlighted}
    press_key(window, Qt.Key.Key_Return)
    assert not get_view(window, RankHistoryView).highlighted


@pytest.mark.slow
def test_rank_history_view_marks_an_unknown_name(window: Window) -> None:
    window.get_action("course").trigger()
    history = get_view(window, RankHistoryView)
    type_text(window, "xyz")
    press_key(window, Qt.Key.Key_Return)
    assert history.search.property("wrong") is True
    assert history.highlighted == ()


def test_rank_history_view_highlights_a_clicked_line(window: Window) -> None:
    window.get_action("course").trigger()
    chart, history = get_view(window, RankHistoryView).chart, get_view(window, RankHistoryView)
    line = chart.lines[-1]
    click_position = chart.positions.runs[line.key][0][-1].toPoint()
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=click_position)
    assert history.highlighted == (line.key,)
    (box,) = [
        box for position, box in chart.positions.labels if chart.positions.highlighted[position].key == line.key
    ]
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert not get_view(window, RankHistoryView).highlighted


@pytest.mark.slow
def test_line_chart_labels_do_not_overlap(window: Window) -> None:
    window.get_action("course").trigger()
    get_view(window, RankHistoryView).best.choose_value(10)
    boxes = [box for _, box in get_view(window, RankHistoryView).chart.positions.labels]
    assert len(boxes) == 9
    assert not any(first.intersects(second) for first in boxes for second in boxes if first is not second)


def test_rank_history_view_has_a_table_and_a_description(window: Window) -> None:
    window.get_action("course").trigger()
    history = get_view(window, RankHistoryView)
    assert "9 players" in history.chart.accessibleDescription()
    history.toggle_button.click()
    assert history.view.isVisible()
    first = list_row_texts(history.view, 0)
    assert first[0] == first[-1] == "1"
    history.points.choose_value(True)
    assert list_row_texts(history.view, 0)[-1] == "3"
    history.view.select_row(history._history[2].key)
    history.view.setFocus()
    press_key(window, Qt.Key.Key_F4)
    assert isinstance(window.panel, PlayerCardPanel)


@pytest.mark.slow
def test_rank_history_view_copies_numbers_while_the_chart_is_shown(window: Window) -> None:
    window.get_action("course").trigger()
    window.get_action("copy-standings").trigger()
    lines = QApplication.clipboard().text().splitlines()
    assert len(lines) == 1 + 9
    assert lines[1].split("\t")[0] == "1"


def test_rank_history_view_updates_after_a_result(window: Window) -> None:
    window.get_action("course").trigger()
    lines_before = get_view(window, RankHistoryView).chart.lines
    game = window.session.index.games(window.session.index.rounds(A)[-1].id)[0]
    window.session.do(partial(commands.enter_result, game=game.id, first=200, second=500))
    assert get_view(window, RankHistoryView).chart.lines != lines_before


def test_distribution_view_has_descriptions_and_a_table(window: Window) -> None:
    window.get_action("distribution").trigger()
    view = get_view(window, ScoreDistributionView)
    assert view.scores.chart.accessibleDescription().startswith("24 values from 368 to 428")
    assert view.margins.chart.accessibleDescription().startswith("12 values from 30 to 60")
    view.toggle_button.click()
    assert view.view.isVisible()
    assert sum(int(list_row_texts(view.view, row)[2]) for row in range(view.rows.rowCount())) == 24


def test_charts_explain_that_no_game_was_played(empty_session: Session, qtbot: QtBot) -> None:
    attach_played_tournament(empty_session, 0)
    window = show_window(empty_session, qtbot, "standings")
    window.get_action("distribution").trigger()
    assert "No game" in get_view(window, ScoreDistributionView).scores.description.text()
    window.get_action("course").trigger()
    assert "No round" in get_view(window, RankHistoryView).note.text()
    window.get_action("crosstable").trigger()
    assert get_view(window, CrosstableView).rows.rowCount() == 9


def test_crosstable_view_lists_rounds(window: Window) -> None:
    window.get_action("crosstable").trigger()
    table = get_view(window, CrosstableView)
    index, division = window.session.index, window.session.division
    assert division is not None
    assert table.rows.list_column_ids() == (
        "rank",
        "number",
        "name",
        "1",
        "2",
        "3",
        *find_tiebreak_order(index, division),
    )
    best = compute_standings(index, division)[0]
    assert list_row_texts(table.view, 0)[1:3] == [str(best.player.number), best.player.name]
    assert all(text.startswith(("W", "bye")) for text in list_row_texts(table.view, 0)[3:6])
    table.view.select_row(best.key)
    press_key(window, Qt.Key.Key_Return)
    assert isinstance(window.panel, PlayerCardPanel)


def test_crosstable_view_lists_and_prints_opponents(window: Window) -> None:
    window.get_action("crosstable").trigger()
    table = get_view(window, CrosstableView)
    table.form.choose_value(True)
    assert table.rows.columnCount() == 3 + 9 + 2
    for row in range(9):
        assert list_row_texts(table.view, row)[3 + row] == "×"
    game_count = sum(text in {"W", "L", "D"} for row in range(9) for text in list_row_texts(table.view, row)[3:])
    assert game_count == 24
    get_standings_page(window).open_print_preview()
    preview = window.findChild(PrintPreview)
    assert isinstance(preview, PrintPreview)
    assert preview.report.value() == "matrix"
    preview.reject()


@pytest.mark.slow
def test_crosstable_view_filters_by_name(window: Window) -> None:
    window.get_action("crosstable").trigger()
    table = get_view(window, CrosstableView)
    table.search.setFocus()
    type_text(window, "cecile mull")
    assert table.rows.rowCount() == 1


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES[1:])
def test_charts_are_painted_in_every_scheme(window: Window, scheme: str) -> None:
    window.session.appearance.set_colour_scheme(scheme)
    for name in ("course", "distribution"):
        window.get_action(name).trigger()
        view = (
            get_view(window, RankHistoryView).chart
            if name == "course"
            else get_view(window, ScoreDistributionView).scores.chart
        )
        image = view.grab().toImage()
        colours = {image.pixel(x, y) & 0xFFFFFF for x in range(image.width()) for y in range(0, image.height(), 2)}
        assert window.session.appearance.get_colour("accent").rgb() & 0xFFFFFF in colours


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(1, 24, [1, 5, 10, 15, 20]), (0, 7, [0, 1, 2, 3, 4, 5, 6, 7]), (1, 300, [1, 50, 100, 150, 200, 250, 300])],
)
def test_list_axis_ticks_returns_round_values(low: float, high: float, ticks: list[float]) -> None:
    assert list_axis_ticks(low, high) == ticks


@pytest.mark.slow
def test_charts_are_translated(translated_session: Session, qtbot: QtBot) -> None:
    attach_played_tournament(translated_session, 1)
    window = show_window(translated_session, qtbot, "standings")
    for name in ("course", "distribution", "crosstable"):
        window.get_action(name).trigger()
        texts = [get_standings_page(window).title.text(), get_view(window, CrosstableView).footnote.text()]
        texts += [
            get_view(window, RankHistoryView).note.text(),
            get_view(window, ScoreDistributionView).scores.description.text(),
        ]
        assert not any("{" in text for text in texts)


def test_rank_history_chart_and_table_tell_namesakes_apart(window: Window) -> None:
    session = window.session
    players = session.index.players(A)[:2]
    for player in players:
        session.do(partial(commands.edit_player, player=player.id, name="Twin, Tom", club=""))
    window.get_action("course").trigger()
    history = get_view(window, RankHistoryView)
    names = {f"Twin, Tom ({player.number})" for player in players}
    assert names <= {line.label.split("  ")[1] for line in history.chart.lines}
    history.toggle_button.click()
    assert names <= {list_row_texts(history.view, row)[1] for row in range(history.rows.rowCount())}
