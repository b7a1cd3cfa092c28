"""Tests of the panel that simulates schedules of a tournament."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament import division_panels
from tdapp.gui.tournament.division_panels import ScheduleSimulationPanel
from tdapp.pairing.field import ProgressCallback
from tdapp.pairing.rehearsal import SimulatedScheduleStatistics, simulate_schedules
from tests.gui.samples import make_desk, make_tournament
from tests.gui.windows import run_action, show_window


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=6, rounds=2)))
    return show_window(empty_session, qtbot, "rounds")


def open_simulation_panel(window: Window) -> ScheduleSimulationPanel:
    run_action(window, "rehearse")
    panel = window.panel
    assert isinstance(panel, ScheduleSimulationPanel)
    return panel


def list_cells(panel: ScheduleSimulationPanel) -> list[list[str]]:
    rows = panel.rows
    return [
        [str(rows.index(row, column).data()) for column in range(rows.columnCount())]
        for row in range(rows.rowCount())
    ]


@pytest.mark.slow
def test_schedule_simulation_panel_compares_two_plans(window: Window) -> None:
    panel, tournament_before = open_simulation_panel(window), window.session.tournament
    QTest.mouseClick(panel.start_button, Qt.MouseButton.LeftButton)
    assert panel.status.text().startswith("As planned: Swiss 2 · simulated ")
    assert ["Result slips (one per game)", "6"] in list_cells(panel)
    panel.form.get_widget("rounds").setText("3")
    QTest.keyClick(panel.form.get_widget("rounds"), Qt.Key.Key_Return)
    assert panel.status.text().startswith("As planned: Swiss 2 · Alternative: Swiss 3 · simulated ")
    assert ["Result slips (one per game)", "6", "9"] in list_cells(panel)
    assert window.session.tournament is tournament_before, "the simulation changed the tournament"


@pytest.mark.slow
def test_schedule_simulation_panel_refuses_an_impossible_plan(window: Window) -> None:
    panel = open_simulation_panel(window)
    panel.form.get_widget("cut").setText("60")
    panel.start_simulation()
    assert list_cells(panel) == []
    assert "60" in panel.status.text()


@pytest.mark.slow
def test_schedule_simulation_panel_stops_when_hidden(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, runs = open_simulation_panel(window), 0

    def simulate_and_hide_panel(*_args: object, progress: object, **_kwargs: object) -> tuple[()]:
        nonlocal runs
        for step in range(5):
            assert callable(progress)
            progress(step, 5)
            runs += 1
            panel.hide()
        return ()

    monkeypatch.setattr(division_panels, "simulate_schedules", simulate_and_hide_panel)
    panel.start_simulation()
    assert runs == 1
    assert list_cells(panel) == []
    assert panel.status.text() == "You stopped the calculation."


def test_schedule_simulation_panel_shows_progress_and_cancels(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, bar_states = open_simulation_panel(window), []

    def simulate_and_cancel(
        *args: Any, progress: ProgressCallback, **kwargs: Any
    ) -> tuple[SimulatedScheduleStatistics, ...]:
        def report_progress(completed: int, total: int) -> None:
            progress(completed, total)
            panel._show_simulation_progress()
            bar_states.append((panel.bar.isVisible(), panel.bar.value()))
            if len(bar_states) == 3:
                panel.cancel.click()

        return simulate_schedules(*args, progress=report_progress, times=10, **kwargs)

    assert not panel.bar.isVisible()
    monkeypatch.setattr(division_panels, "simulate_schedules", simulate_and_cancel)
    panel.start_simulation()
    assert bar_states == [(True, 0), (True, 100), (True, 200)]
    assert panel.status.text() == "You stopped the calculation."
    qtbot.waitUntil(lambda: not panel.cancel.isVisible())


def test_rehearse_action_needs_a_schedule(window: Window, empty_session: Session) -> None:
    assert window.get_action("rehearse").isEnabled()
    value = make_tournament(players=6)
    empty_session.open_tournament_of_desk(make_desk(value.drop(*value.stages.values())))
    assert not window.get_action("rehearse").isEnabled()
