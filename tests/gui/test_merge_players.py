"""Tests of the Merge players dialog on the Players page."""

from __future__ import annotations

from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.gui.players.leaving_dialogs import MergePlayersDialog
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import get_page, run_action, show_window


def test_merge_players_dialog_merges_two_spellings(full_session: Session, qtbot: QtBot) -> None:
    full_session.do(partial(commands.add_player, key="twin", division=A, name="Janssen, Piet"))
    window = show_window(full_session, qtbot, "players")
    page = get_page(window, kind=PlayersPage)
    count = len(page.rows.keys())
    kept_player = PlayerId(page.rows.keys()[0])
    page.view.select_row(kept_player)
    run_action(window, "merge-players")
    (dialog,) = window.findChildren(MergePlayersDialog)
    assert not dialog.yes.isEnabled()
    assert kept_player not in {option.player for option in dialog.other_player.options}
    dialog.other_player.choose_value(PlayerId("twin"))
    dialog.yes.click()
    qtbot.waitUntil(lambda: len(full_session.index.players(A)) == count - 1)
    assert kept_player in full_session.tournament.players
    full_session.undo()
    qtbot.waitUntil(lambda: len(full_session.index.players(A)) == count)


@pytest.mark.slow
def test_merge_players_dialog_stays_open_after_a_refusal(full_session: Session, qtbot: QtBot) -> None:
    proposal = propose_pairings(full_session.index, A)
    full_session.do(partial(commands.pair_round, key="r", proposal=proposal))
    window = show_window(full_session, qtbot, "players")
    page = get_page(window, kind=PlayersPage)
    first, second = (PlayerId(key) for key in page.rows.keys()[:2])
    page.view.select_row(first)
    run_action(window, "merge-players")
    (dialog,) = window.findChildren(MergePlayersDialog)
    dialog.other_player.choose_value(second)
    with qtbot.waitSignal(full_session.message_sent) as signal:
        dialog.yes.click()
    assert "in round 1" in signal.args[0]
    assert {first, second} <= full_session.tournament.players.keys()
    assert dialog.isVisible()
    dialog.close()
