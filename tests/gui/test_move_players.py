"""Tests of the Move players panel, which also merges a division into another one."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import DivisionId
from tdapp.gui.players.availability import MAX_NAMES
from tdapp.gui.players.leaving_dialogs import MovePlayersPanel
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.session import Session
from tests.gui.samples import A
from tests.gui.windows import get_page, get_panel, run_action, show_window

B = DivisionId("d2")


def test_move_panel_moves_selected_players_and_merges_the_rest(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(partial(commands.add_division_with_stage, key=B, code="B"))
    window = show_window(full_session, qtbot, "players")
    page = get_page(window, kind=PlayersPage)
    page.view.selectAll()
    player_count = len(page.view.list_selected_keys())
    run_action(window, "move-players")
    panel = get_panel(window, kind=MovePlayersPanel)
    assert f"New player numbers in division B: 1–{player_count}" in panel.consequences.effects_label.text()
    assert any(
        label.text().endswith(f"and {player_count - MAX_NAMES} more") for label in panel.findChildren(QLabel)
    )
    panel.consequences.confirm_button.click()
    assert (len(full_session.index.players(A)), len(full_session.index.players(B))) == (0, player_count)
    full_session.undo()
    assert len(full_session.index.players(A)) == player_count

    window.show_page("tournament")
    run_action(window, "merge-division")
    panel = get_panel(window, kind=MovePlayersPanel)
    panel.consequences.confirm_button.click()
    assert [division.code for division in full_session.index.divisions] == ["B"]
    assert full_session.division is not None
    assert full_session.division.code == "B"


@pytest.mark.slow
def test_move_panel_uses_the_singular_for_one_player(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(partial(commands.add_division_with_stage, key=B, code="B"))
    window = show_window(full_session, qtbot, "players")
    get_page(window, kind=PlayersPage).view.selectRow(0)
    run_action(window, "move-players")
    effects_text = get_panel(window, kind=MovePlayersPanel).consequences.effects_label.text()
    assert "Division B: one player in round 1, without an opponent." in effects_text
