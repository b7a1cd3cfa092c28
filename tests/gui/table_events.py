"""Helpers for tests of events at the tables during a round."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import Game, StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import RuleSet
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.page import Panel
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import press_key, show_window

P = TypeVar("P", bound=Panel)
_CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def show_first_round(session: Session, qtbot: QtBot, rules: RuleSet, *, draw_starts: bool = False) -> Window:
    """Return a window with the first round of eight players. With `draw_starts`, drawn tiles decide who starts."""
    value = commands.change_rules(make_tournament(players=8), ruleset=rules)
    if draw_starts:
        stage = value.stages[StageId("s1")]
        value = value.put(replace(stage, settings=PairingSettings(draw_starts=True)))
    session.open_tournament_of_desk(make_desk(value))
    command = partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    session.desk.do(command, label="pair-round")
    return show_window(session, qtbot, "rounds")


def get_game(session: Session, table: int) -> Game:
    """Return the game at a table in the current round."""
    item = session.round
    assert item is not None
    return session.index.get_game(item.id, table)


def get_player_name(session: Session, table: int, index: int) -> str:
    """Return the name of a table's first (0) or second (1) player."""
    row = get_game(session, table)
    return session.tournament.players[(row.first, row.second)[index]].name


def open_panel(window: Window, kind: type[P], letter: Qt.Key, *, table: int | None = None) -> P:
    """Select a table and press Ctrl+Shift with a letter."""
    if table is not None:
        page = window.page
        assert isinstance(page, RoundsPage)
        page.view.select_row(get_game(window.session, table).id)
        page.view.setFocus()
    press_key(window, letter, _CONTROL_SHIFT)
    panel = window.panel
    assert isinstance(panel, kind)
    return panel


def press_tab(window: Window, times: int = 1) -> None:
    """Press Tab in the focused widget."""
    for _ in range(times):
        press_key(window, Qt.Key.Key_Tab)
