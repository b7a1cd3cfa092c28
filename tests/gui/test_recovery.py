"""The welcome page after the program, or the computer, went down."""

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


def main_buttons(window: Window) -> list[str]:
    offers = [one for one in window.root_stack.findChildren(WelcomeCard) if one.isVisible()]
    return [offer.button.accessibleName() for offer in offers if offer.button.property("role") == "primary"]


@pytest.mark.parametrize("crashed", [True, False])
def test_welcome_page_offers_the_crashed_tournament_first(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, tmp_path: Path, *, crashed: bool
) -> None:
    path = tmp_path / "Open Leiden.tdapp"
    before = make_session("en", appearance, settings)
    before.attach_desk(Desk.create(path, make_tournament(players=4)))
    before.do(partial(commands.pair_round, key="r", proposal=propose_pairings(before.index, A)), quiet=True)
    game = before.index.games(before.index.rounds(A)[0].id)[0].id
    before.do(partial(commands.enter_result, game=game, first=412, second=388), quiet=True)
    mark = before._get_lock_file_path(path)
    assert mark.exists()
    before.close()
    before.work.close()
    assert not mark.exists()
    if crashed:
        subprocess.run([sys.executable, "-c", CRASH, str(mark)], check=False)
    session = make_session("en", appearance, settings)
    window = Window(session)
    qtbot.addWidget(window)
    window.show()
    titles = [one.button.accessibleName() for one in window.root_stack.findChildren(WelcomeCard)]
    named = "Continue: Open Leiden 2026, Round 1, 1 of 2 results: Continue"
    assert (named in titles) is crashed
    assert main_buttons(window) == [named if crashed else "New tournament: Begin"]
    if crashed:
        QApplication.processEvents()
        button = window.focusWidget()
        assert isinstance(button, QPushButton)
        assert button.accessibleName() == named
        button.click()
        assert session.path == path
        assert session.interrupted is None
        session.attach_desk(None)
        assert main_buttons(window) == ["New tournament: Begin"]
    session.close()
    session.work.close()
    QApplication.processEvents()
