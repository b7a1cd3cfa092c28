"""Tests of the schedule editor and of the panel for ties at a cut, by keys."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.problems import find_division_problems
from tdapp.domain.tournament import Tournament
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.page import TournamentPage
from tdapp.gui.tournament.schedule import ScheduleEditor
from tdapp.gui.tournament.stage import StagePanel, TiesAtCutPanel
from tdapp.gui.widgets.theme import UNIT, Appearance
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_session, make_tournament
from tests.gui.windows import get_application_focus, show_window


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot, "tournament")


def get_schedule_editor(window: Window) -> ScheduleEditor:
    assert isinstance(window.page, TournamentPage)
    return window.page.findChildren(ScheduleEditor)[0]


def list_stages(window: Window) -> list[tuple[str, int]]:
    return [(stage.system, stage.rounds) for stage in window.session.index.stages(A)]


def focus_cell(window: Window, row: int, column: str) -> ScheduleEditor:
    """Put the cursor on a cell. Return the editor."""
    editor = get_schedule_editor(window)
    editor.view.setFocus()
    editor.view.setCurrentIndex(editor.rows.index(row, editor.rows.list_column_ids().index(column)))
    return editor


def edit_cell(window: Window, row: int, column: str, text: str) -> None:
    """Press F2, type the text and press Enter in a cell."""
    editor = focus_cell(window, row, column)
    QTest.keyClick(editor.view, Qt.Key.Key_F2)
    enter_cell_text(text)


def enter_cell_text(text: str) -> None:
    """Type into the edited cell, press Enter and let the cell close."""
    QTest.keyClicks(get_application_focus(), text)
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    QApplication.processEvents()


def cancel_cell_edit() -> None:
    """Close the edited cell without a change."""
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Escape)
    QApplication.processEvents()


def make_tied_event(players: int, *, cut: int) -> Tournament:
    """Return an event with all players tied before a knockout of `cut` players."""
    value = commands.edit_stage(make_tournament(players=players), stage=StageId("s1"), rounds=1)
    value = commands.add_stage(value, key="s2", division=A, system="knockout", rounds=2, cut=cut)
    value = commands.pair_round(value, key="r", proposal=propose_pairings(TournamentIndex(value), A))
    for game in list(value.games):
        value = commands.enter_result(value, game=game, first=400, second=400)
    return value


def open_cut_panel(window: Window, *, cut: int = 4) -> TiesAtCutPanel:
    """Open the panel for a tie at the cut of six tied players."""
    window.session.open_tournament_of_desk(make_desk(make_tied_event(6, cut=cut)))
    window.show_page("tournament", "s2")
    assert isinstance(window.panel, TiesAtCutPanel)
    return window.panel


def test_schedule_editor_types_a_whole_schedule(window: Window) -> None:
    """The schedule: rounds 1-3 snake groups, 4-8 Swiss, 9 king of the hill."""
    editor = focus_cell(window, 0, "rounds")
    edit_cell(window, 0, "rounds", "1-3")
    edit_cell(window, 0, "system", "sn")
    for row, rounds, system in ((1, "4-8", "Sw"), (2, "9", "ki")):
        editor = focus_cell(window, 0, "rounds")
        QTest.keyClick(editor.view, Qt.Key.Key_Insert)
        cancel_cell_edit()
        edit_cell(window, row, "rounds", rounds)
        edit_cell(window, row, "system", system)
    assert list_stages(window) == [("snake-groups", 3), ("swiss", 5), ("king-of-the-hill", 1)]
    for _ in range(2):
        window.session.undo()
    assert list_stages(window) == [("snake-groups", 3), ("swiss", 5)]


@pytest.mark.slow
def test_schedule_editor_splits_off_and_merges_the_last_round(window: Window) -> None:
    editor = focus_cell(window, 0, "rounds")
    QTest.keyClicks(editor.view, "/")
    enter_cell_text("ki")
    assert list_stages(window) == [("swiss", 6), ("king-of-the-hill", 1)]
    editor = focus_cell(window, 0, "rounds")
    QTest.keyClicks(editor.view, "+")
    assert list_stages(window) == [("swiss", 7)]


def test_schedule_editor_moves_and_removes_stages_by_keys(window: Window) -> None:
    editor = focus_cell(window, 0, "rounds")
    QTest.keyClicks(editor.view, "/")
    cancel_cell_edit()
    editor = focus_cell(window, 1, "rounds")
    QTest.keyClick(editor.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert list_stages(window) == [("swiss", 1), ("swiss", 6)]
    QTest.keyClick(editor.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert list_stages(window) == [("swiss", 6), ("swiss", 1)]
    focus_cell(window, 1, "rounds")
    QTest.keyClick(editor.view, Qt.Key.Key_Delete)
    assert list_stages(window) == [("swiss", 6)]


def test_schedule_editor_edits_cut_groups_carry_and_delay(window: Window) -> None:
    QTest.keyClicks(focus_cell(window, 0, "rounds").view, "/")
    cancel_cell_edit()
    edit_cell(window, 1, "cut", "8")
    edit_cell(window, 1, "counted", "start")
    edit_cell(window, 1, "behind", "1")
    edit_cell(window, 0, "system", "round")
    edit_cell(window, 0, "groups", "4")
    first, second = window.session.index.stages(A)
    assert (second.cut, second.carry, second.settings.behind) == (8, False, 1)
    assert (first.system, first.settings.groups) == ("round-robin", 4)
    edit_cell(window, 1, "cut", "all")
    assert window.session.index.stages(A)[1].cut is None


@pytest.mark.slow
def test_schedule_editor_fits_the_rounds_of_a_knockout(window: Window) -> None:
    window.session.do(partial(commands.add_stage, key="k", division=A, system="knockout", rounds=3, cut=8))
    edit_cell(window, 1, "cut", "4")
    assert list_stages(window) == [("swiss", 7), ("knockout", 2)]
    window.session.do(partial(commands.edit_stage, stage=StageId("k"), rounds=5))
    edit_cell(window, 1, "cut", "8")
    assert list_stages(window) == [("swiss", 7), ("knockout", 5)], (
        "the cut changed the director's number of rounds"
    )
    problem_codes = [
        problem.code for problem in find_division_problems(window.session.index, window.session.index.divisions[0])
    ]
    assert "bracket-too-long" in problem_codes


@pytest.mark.slow
def test_schedule_editor_locks_cells_without_meaning(window: Window) -> None:
    editor = get_schedule_editor(window)

    def is_editable(column: str) -> bool:
        index = editor.rows.index(0, editor.rows.list_column_ids().index(column))
        return bool(editor.rows.flags(index) & Qt.ItemFlag.ItemIsEditable)

    assert [is_editable(name) for name in ("rounds", "system", "groups", "cut", "counted", "behind")] == [
        True, True, False, False, False, True,
    ]  # fmt: skip


def test_schedule_editor_refuses_invalid_input(window: Window) -> None:
    messages: list[str] = []
    window.session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    for text in ("x", "0", "3-", "2-7", "7-4"):
        edit_cell(window, 0, "rounds", text)
    for text in ("2x", "²"):
        edit_cell(window, 0, "behind", text)
    assert list_stages(window) == [("swiss", 7)]
    assert window.session.index.stages(A)[0].settings.behind == 0
    assert len(messages) == 7
    assert "The program does not understand “7-4”" in messages[4]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "nl"])
def test_schedule_editor_buttons_fit_a_narrow_window(
    language: str, appearance: Appearance, settings: QSettings, qtbot: QtBot
) -> None:
    session = make_session(language, appearance, settings)
    session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    window = show_window(session, qtbot, "tournament")
    window.resize(1280, 720)
    QApplication.processEvents()
    page = window.page
    buttons = get_schedule_editor(window).findChildren(QPushButton)
    assert buttons
    for button in buttons:
        assert button.mapTo(page, button.rect().topRight()).x() < page.width() - UNIT
    session.close()
    session.work.close()


@pytest.mark.slow
def test_schedule_editor_opens_the_panel_of_a_stage(window: Window) -> None:
    QTest.keyClick(focus_cell(window, 0, "groups").view, Qt.Key.Key_Return)  # a cell that cannot be edited
    assert isinstance(window.panel, StagePanel)


def test_stage_panel_edits_players_and_counted_games(window: Window) -> None:
    value = commands.add_stage(window.session.tournament, key="s2", division=A, system="knockout", rounds=3)
    window.session.open_tournament_of_desk(make_desk(value))
    panel = StagePanel(window.session, StageId("s2"))
    window.open_panel(panel)
    assert not panel.get_field_widget("elimination").isHidden()
    for field, text in (
        (panel.get_field_widget("cut"), "8"),
        (panel.get_field_widget("series"), "3"),
        (panel.get_field_widget("rounds"), "9"),
    ):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
    QTest.keyClick(panel.get_field_widget("anew"), Qt.Key.Key_Space)
    QTest.keyClick(panel.get_field_widget("aggregate"), Qt.Key.Key_Space)
    panel.save_stage()
    stage = window.session.tournament.stages[StageId("s2")]
    assert (stage.cut, stage.carry, stage.rounds) == (8, False, 9)
    assert (stage.settings.series, stage.settings.aggregate) == (3, True)


def test_cut_panel_settles_a_tie_by_a_play_off(window: Window) -> None:
    open_cut_panel(window)
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Space)
    assert [stage.play_off for stage in window.session.index.stages(A)] == [False, True, False]
    assert window.panel is None


def test_rounds_page_says_that_a_draft_depends_on_a_tie(window: Window) -> None:
    window.session.open_tournament_of_desk(make_desk(make_tied_event(6, cut=4)))
    window.show_page("rounds")
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert isinstance(window.page, RoundsPage)
    assert "Tied at the cut" in window.page.banner_text.text()


@pytest.mark.slow
def test_cut_panel_settles_a_tie_by_a_draw(window: Window) -> None:
    panel = open_cut_panel(window)
    panel.draw.setFocus()
    QTest.keyClick(panel.draw, Qt.Key.Key_Space)
    assert len(window.session.index.seeds(StageId("s2"))) == 4
    assert window.panel is None


def test_cut_panel_settles_a_tie_by_the_director(window: Window) -> None:
    panel = open_cut_panel(window)
    boxes = list(panel._boxes.items())
    for player, player_box in boxes[:5]:
        player_box.setFocus()
        QTest.keyClick(player_box, Qt.Key.Key_Space)
        assert player_box.isChecked(), player
    assert not panel.by_hand.isEnabled()
    QTest.keyClick(boxes[0][1], Qt.Key.Key_Space)
    panel.by_hand.setFocus()
    QTest.keyClick(panel.by_hand, Qt.Key.Key_Space)
    chosen_players = {seed.player for seed in window.session.index.seeds(StageId("s2"))}
    assert chosen_players == {player for player, _ in boxes[1:5]}


@pytest.mark.slow
def test_schedule_editor_is_locked_in_a_finished_tournament(window: Window) -> None:
    window.session.do(partial(commands.finish_tournament))
    editor = focus_cell(window, 0, "rounds")
    for key in (Qt.Key.Key_Insert, Qt.Key.Key_Delete, Qt.Key.Key_F2):
        QTest.keyClick(editor.view, key)
    assert list_stages(window) == [("swiss", 7)]


@pytest.mark.slow
def test_cut_panel_settles_each_tie_of_a_group(window: Window) -> None:
    groups = PairingSettings(groups=2)
    value = commands.edit_stage(
        make_tournament(players=8), stage=StageId("s1"), system="round-robin", rounds=1, settings=groups
    )
    value = commands.add_stage(value, key="s2", division=A, system="swiss", rounds=2, cut=4)
    value = commands.pair_round(value, key="r", proposal=propose_pairings(TournamentIndex(value), A))
    for game in list(value.games):
        value = commands.enter_result(value, game=game, first=400, second=400)
    window.session.open_tournament_of_desk(make_desk(value))
    window.show_page("tournament", "s2")
    panel = window.panel
    assert isinstance(panel, TiesAtCutPanel)
    boxes = list(panel._boxes.values())
    for player_box in boxes[:4]:
        QTest.keyClick(player_box, Qt.Key.Key_Space)
    assert not panel.by_hand.isEnabled()  # four, but all of one group
    for player_box in (boxes[0], boxes[1], boxes[5], boxes[6]):
        QTest.keyClick(player_box, Qt.Key.Key_Space)
    assert panel.by_hand.isEnabled()
    chosen_players = {player for player, player_box in panel._boxes.items() if player_box.isChecked()}
    QTest.keyClick(panel.by_hand, Qt.Key.Key_Space)
    assert {seed.player for seed in window.session.index.seeds(StageId("s2"))} == chosen_players


@pytest.mark.slow
def test_bottom_bar_shows_a_whole_problem_if_it_fits(window: Window) -> None:
    window.session.open_tournament_of_desk(make_desk(make_tied_event(6, cut=4)))
    window.resize(1440, 900)
    QApplication.processEvents()
    assert "…" not in find_newest_problem_link(window).text()
    window.resize(900, 700)
    QApplication.processEvents()
    assert find_newest_problem_link(window).accessibleName()
    assert "…" in find_newest_problem_link(window).text()


def find_newest_problem_link(window: Window) -> QPushButton:
    """Return the newest link to a problem. Qt has not yet deleted older links."""
    return [button for button in window.findChildren(QPushButton) if button.property("role") == "problem"][-1]


def test_tournament_page_edits_times_of_rounds(window: Window) -> None:
    page = window.page
    assert isinstance(page, TournamentPage)
    field = page._times
    for text, saved_times in (
        ("10:00 +65, 3: 13:30", "10:00 +65, 3: 13:30"),
        ("10:00, 9:00", "10:00 +65, 3: 13:30"),
    ):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert window.session.tournament.divisions[A].times == saved_times
    assert page._start_times.text().startswith("1. 10:00 · 2. 11:05 · 3. 13:30")
    window.session.undo()
    assert page._start_times.text() == ""
