"""The rehearsal of a tournament in a panel of the Tournament page."""

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
from tdapp.pairing.rehearsal import ScheduleFigures, simulate_schedules
from tests.gui.samples import make_desk, make_tournament
from tests.gui.windows import run_command, show_window


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.attach_desk(make_desk(make_tournament(players=6, rounds=2)))
    return show_window(empty_session, qtbot, "rounds")


def opened(window: Window) -> ScheduleSimulationPanel:
    run_command(window, "rehearse")
    panel = window.panel
    assert isinstance(panel, ScheduleSimulationPanel)
    return panel


def cells(panel: ScheduleSimulationPanel) -> list[list[str]]:
    rows = panel.rows
    return [
        [str(rows.index(row, column).data()) for column in range(rows.columnCount())]
        for row in range(rows.rowCount())
    ]


@pytest.mark.slow
def test_rehearsal_panel_compares_the_plan_with_another(window: Window) -> None:
    panel, revision = opened(window), window.session.tournament
    QTest.mouseClick(panel.start_button, Qt.MouseButton.LeftButton)
    assert panel.status.text().startswith("As planned: Swiss 2 · simulated ")
    assert ["Result slips (one per game)", "6"] in cells(panel)
    panel.form.get_widget("rounds").setText("3")
    QTest.keyClick(panel.form.get_widget("rounds"), Qt.Key.Key_Return)
    assert panel.status.text().startswith("As planned: Swiss 2 · Alternative: Swiss 3 · simulated ")
    assert ["Result slips (one per game)", "6", "9"] in cells(panel)
    assert window.session.tournament is revision, "nothing of it touches the tournament"


@pytest.mark.slow
def test_rehearsal_panel_refuses_an_impossible_plan(window: Window) -> None:
    panel = opened(window)
    panel.form.get_widget("cut").setText("60")
    panel.start_simulation()
    assert cells(panel) == []
    assert "60" in panel.status.text()


@pytest.mark.slow
def test_rehearsal_panel_stops_when_left(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another page removes the panel during the rehearsal; the simulation in progress is the last."""
    panel, plays = opened(window), 0

    def leave(*_given: object, progress: object, **_more: object) -> tuple[()]:
        nonlocal plays
        for done in range(5):
            assert callable(progress)
            progress(done, 5)
            plays += 1
            panel.hide()
        return ()

    monkeypatch.setattr(division_panels, "simulate_schedules", leave)
    panel.start_simulation()
    assert plays == 1
    assert cells(panel) == []
    assert panel.status.text() == "You stopped the calculation."


def test_rehearsal_panel_shows_progress_and_cancels(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, seen = opened(window), []

    def play(*given: Any, progress: ProgressCallback, **more: Any) -> tuple[ScheduleFigures, ...]:
        def tell(done: int, total: int) -> None:
            progress(done, total)
            panel._show_progress()
            seen.append((panel.bar.isVisible(), panel.bar.value()))
            if len(seen) == 3:
                panel.cancel.click()

        return simulate_schedules(*given, progress=tell, times=10, **more)

    assert not panel.bar.isVisible()
    monkeypatch.setattr(division_panels, "simulate_schedules", play)
    panel.start_simulation()
    assert seen == [(True, 0), (True, 100), (True, 200)]
    assert panel.status.text() == "You stopped the calculation."
    qtbot.waitUntil(lambda: not panel.cancel.isVisible())


def test_rehearsal_command_needs_a_schedule(window: Window, empty_session: Session) -> None:
    assert window.command("rehearse").isEnabled()
    value = make_tournament(players=6)
    empty_session.attach_desk(make_desk(value.drop(*value.stages.values())))
    assert not window.command("rehearse").isEnabled()
