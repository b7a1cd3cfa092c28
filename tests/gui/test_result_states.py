"""Tests of checked and certified results on the Rounds page, and of the settings in the stage panel."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ResultState
from tdapp.domain.pairing_settings import RankingQuarterPairing
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.widgets.fields import make_button
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import get_page, show_window


def test_certify_result_needs_a_checked_result_and_can_be_undone(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    game = full_session.index.games(full_session.index.list_published_rounds(A)[0].id)[0]
    page = get_page(show_window(full_session, qtbot, "rounds"), RoundsPage)
    page.view.select_row(game.id)
    assert not page.get_action("check-result").isEnabled()
    full_session.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    page.view.select_row(game.id)
    page.get_action("check-result").trigger()
    assert full_session.tournament.results[game.id].state is ResultState.CHECKED
    page.view.select_row(game.id)
    page.get_action("certify-result").trigger()
    assert full_session.tournament.results[game.id].state is ResultState.FINAL
    page.view.select_row(game.id)
    assert not page.get_action("certify-result").isEnabled()
    full_session.undo()
    assert full_session.tournament.results[game.id].state is ResultState.CHECKED


def test_stage_panel_takes_seats_as_numbers(full_session: Session, qtbot: QtBot) -> None:
    stage = full_session.index.stages(A)[0]
    full_session.do(partial(commands.edit_stage, stage=stage.id, system="knockout", rounds=5))
    panel = StagePanel(full_session, stage.id)
    qtbot.addWidget(panel)
    panel.get_field_widget("seats").setText("3, 1 2")
    panel.get_field_widget("rounds").setText("4")
    panel.save_stage()
    seeds = TournamentIndex(full_session.tournament).seeds(stage.id)
    assert [full_session.tournament.players[seed.player].number for seed in seeds] == [3, 1, 2]
    panel.get_field_widget("seats").setText("3 99")
    panel.get_field_widget("rounds").setText("3")
    panel.save_stage()
    assert len(TournamentIndex(full_session.tournament).seeds(stage.id)) == 3
    assert full_session.tournament.stages[stage.id].rounds == 4  # one invalid field: no field is saved
    full_session.undo()
    assert not TournamentIndex(full_session.tournament).seeds(stage.id)
    assert full_session.tournament.stages[stage.id].rounds == 5


def test_stage_panel_offers_the_settings_of_the_system(full_session: Session, qtbot: QtBot) -> None:
    panel = StagePanel(full_session, full_session.index.stages(A)[0].id)
    qtbot.addWidget(panel)
    visible_fields = {}
    for system in ("swiss", "quartiles", "factor", "snake-groups", "australian"):
        panel.get_field_widget("system").choose_value(system)
        boxes = {name: panel.get_field_widget(name) for name in ("style", "quarters", "factor", "seats")}
        visible_fields[system] = {name for name, box in boxes.items() if not box.isHidden()}
        repeats = panel.get_field_widget("max_repeats")
        is_offered = repeats.isEnabled() and not repeats.isHidden()
        assert is_offered == (system in {"swiss", "quartiles", "factor"})
    assert visible_fields == {
        "swiss": {"style"},
        "quartiles": {"quarters"},
        "factor": {"style", "factor"},
        "snake-groups": {"seats"},
        "australian": set(),
    }


def test_stage_panel_saves_quarters_and_factor(full_session: Session, qtbot: QtBot) -> None:
    stage = full_session.index.stages(A)[0].id
    panel = StagePanel(full_session, stage)
    qtbot.addWidget(panel)
    panel.get_field_widget("system").choose_value("factor")
    panel.get_field_widget("quarters").choose_value(RankingQuarterPairing.OUTER)
    QTest.keyClicks(panel.get_field_widget("factor"), "3")
    panel.save_stage()
    saved_stage = full_session.tournament.stages[stage]
    assert (saved_stage.system, saved_stage.settings.quarters, saved_stage.settings.factor) == (
        "factor",
        RankingQuarterPairing.OUTER,
        3,
    )
    panel.get_field_widget("factor").setText("0")
    panel.save_stage()
    assert full_session.tournament.stages[stage].settings.factor == 3


def test_action_shortcuts_work_as_soon_as_enabled(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "players")
    pair = window.get_action("pair")
    assert not pair.isVisible()
    for number in range(4):
        session.do(partial(commands.add_player, key=f"n{number}", division=A, name=f"New {number}"))
    assert pair.isVisible()
    assert pair.isEnabled()


def test_button_with_focus_is_pressed_by_enter(qtbot: QtBot) -> None:
    pressed: list[str] = []
    swap_button = make_button("Swap", lambda: pressed.append("swap"))
    qtbot.addWidget(swap_button)
    swap_button.show()
    QTest.keyClick(swap_button, Qt.Key.Key_Return)
    assert pressed == ["swap"]
