"""Tests of the welcome page after a crash of the program or the computer."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.gui.shell.guide import WelcomeCard
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.pairing import propose_pairings
from tests.gui.samples import A, make_session, make_tournament

CRASH = """
import os, sys
from PySide6.QtCore import QLockFile
lock = QLockFile(sys.argv[1])
lock.setStaleLockTime(0)
assert lock.tryLock(0)
os._exit(1)
"""


def list_primary_buttons(window: Window) -> list[str]:
    cards = [card for card in window.root_stack.findChildren(WelcomeCard) if card.isVisible()]
    return [card.button.accessibleName() for card in cards if card.button.property("role") == "primary"]


@pytest.mark.parametrize("crashed", [True, False])
def test_welcome_page_offers_the_crashed_tournament_first(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, tmp_path: Path, *, crashed: bool
) -> None:
    path = tmp_path / "Open Leiden.tdapp"
    crashed_session = make_session("en", appearance, settings)
    crashed_session.open_tournament_of_desk(Desk.create(path, make_tournament(players=4)))
    crashed_session.do(
        partial(commands.pair_round, key="r", proposal=propose_pairings(crashed_session.index, A)), quiet=True
    )
    game = crashed_session.index.games(crashed_session.index.rounds(A)[0].id)[0].id
    crashed_session.do(partial(commands.enter_result, game=game, first=412, second=388), quiet=True)
    lock_file = crashed_session._get_lock_file_path(path)
    assert lock_file.exists()
    crashed_session.close()
    crashed_session.work.close()
    assert not lock_file.exists()
    if crashed:
        subprocess.run([sys.executable, "-c", CRASH, str(lock_file)], check=False)
    session = make_session("en", appearance, settings)
    window = Window(session)
    qtbot.addWidget(window)
    window.show()
    titles = [card.button.accessibleName() for card in window.root_stack.findChildren(WelcomeCard)]
    continue_title = "Continue: Open Leiden 2026 (Open Leiden.tdapp), Round 1, 1 of 2 results: Continue"
    assert (continue_title in titles) is crashed
    assert list_primary_buttons(window) == [continue_title if crashed else "New tournament: Begin"]
    if crashed:
        QApplication.processEvents()
        button = window.focusWidget()
        assert isinstance(button, QPushButton)
        assert button.accessibleName() == continue_title
        button.click()
        assert session.path == path
        assert session.interrupted is None
        session.open_tournament_of_desk(None)
        assert list_primary_buttons(window) == ["New tournament: Begin"]
    session.close()
    session.work.close()
    QApplication.processEvents()
