"""A window during a round, for tests of events at its tables."""

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
from tests.gui.samples import A, desk_on, tournament
from tests.gui.windows import press, shown

P = TypeVar("P", bound=Panel)
_BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def window_on(session: Session, qtbot: QtBot, rules: RuleSet, *, drawn: bool = False) -> Window:
    """Return a window on the first round of eight players; `drawn`: the tiles decide who starts."""
    value = commands.change_rules(tournament(players=8), ruleset=rules)
    if drawn:
        stage = value.stages[StageId("s1")]
        value = value.put(replace(stage, settings=PairingSettings(draw_starts=True)))
    session.attach_desk(desk_on(value))
    command = partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    session.desk.do(command, label="pair-round")
    return shown(session, qtbot, "rounds")


def game(session: Session, table: int) -> Game:
    """Return the game at a table of the round."""
    item = session.round
    assert item is not None
    return session.index.game(item.id, table)


def name(session: Session, table: int, place: int) -> str:
    """Return the name of a table's first (0) or second (1) player."""
    row = game(session, table)
    return session.tournament.players[(row.first, row.second)[place]].name


def open_panel(window: Window, kind: type[P], letter: Qt.Key, *, table: int | None = None) -> P:
    """Put the cursor on a table, and press Ctrl+Shift and a letter."""
    if table is not None:
        page = window.page
        assert isinstance(page, RoundsPage)
        page.view.choose(game(window.session, table).id)
        page.view.setFocus()
    press(window, letter, _BOTH)
    found = window.panel
    assert isinstance(found, kind)
    return found


def tab(window: Window, times: int = 1) -> None:
    """Go on to the next field."""
    for _ in range(times):
        press(window, Qt.Key.Key_Tab)
