"""A restless hand at the window while the disk is slow: commands, keys and clicks at random; nothing breaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.tournament import Tournament, compute_diff
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tests.gallery.data import typical
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.slow_disk import SlowDisk
from tests.gui.windows import show_window

KEYS = (
    Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Up, Qt.Key.Key_Down,
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_Home,
    Qt.Key.Key_End, Qt.Key.Key_F2, Qt.Key.Key_F10, Qt.Key.Key_Backspace,
)  # fmt: skip
TEXTS = ("1", "2 400 300", "3.411.399", "1 -", "Jan", "8D TAART 20", "Hall", "15", "x", "?", "2026-11-22", "A, B")
LEFT_OUT = frozenset({"quit", "close", "new", "open", "share", "join", "erase-players", "tour"})
LONG = [pytest.param(seed, 600, marks=pytest.mark.long) for seed in range(3, 60)]


class Hand:
    """Does anything that the window offers."""

    def __init__(self, window: Window, disk: SlowDisk, seed: int) -> None:
        self._window, self._disk, self._draw = window, disk, Random(seed)

    def go_on(self) -> None:
        """Do one thing."""
        kinds = (self._press, self._write, self._click, self._command, self._wait)
        (one,) = self._draw.choices(kinds, (5, 3, 4, 4, 3))
        one()
        QApplication.processEvents()

    def rest(self) -> None:
        """Close open panels and dialogs, and wait for all results."""
        self._disk.tell()
        for _ in range(20):
            QTest.keyClick(self._where(), Qt.Key.Key_Escape)
            self._disk.tell()
        for widget in QApplication.topLevelWidgets():
            if widget is not self._window and widget.isVisible():
                widget.close()
        self._disk.tell()

    def _where(self) -> QWidget:
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        return popup or QApplication.focusWidget() or modal or self._window

    def _press(self) -> None:
        QTest.keyClick(self._where(), self._draw.choice(KEYS))

    def _write(self) -> None:
        QTest.keyClicks(self._where(), self._draw.choice(TEXTS))

    def _click(self) -> None:
        whole = QApplication.activeModalWidget() or self._window
        found = [one for one in whole.findChildren(QAbstractButton) if one.isVisible() and one.isEnabled()]
        if found and QApplication.activePopupWidget() is None:
            self._draw.choice(found).click()

    def _command(self) -> None:
        if QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            return
        may = [
            command for command in self._window.commands if command.isEnabled() and not _left_out(command.row.id)
        ]
        self._draw.choice(may).trigger()

    def _wait(self) -> None:
        self._disk.tell()


def _left_out(command: str) -> bool:
    return command in LEFT_OUT or command.startswith("look-")


@pytest.fixture
def _at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep files in a folder of the test, and replace the system's dialogs."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_args, **_named: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_args, **_named: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args, **_named: "")
    monkeypatch.setattr(QPrintDialog, "exec", lambda _self: QDialog.DialogCode.Rejected)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)


def small() -> Tournament:
    """Return nine players at the tables of their first round."""
    value = make_tournament(players=9)
    return commands.pair_round(value, key="r", proposal=propose_pairings(Index(value), A))


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
@pytest.mark.usefixtures("_at_home")
@pytest.mark.parametrize("made", [small, typical])
@pytest.mark.parametrize(("seed", "actions"), [pytest.param(1, 150, marks=pytest.mark.slow), (2, 150), *LONG])
def test_random_input_on_a_slow_disk_breaks_nothing(
    empty_session: Session,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    made: Callable[[], Tournament],
    seed: int,
    actions: int,
) -> None:
    before = made()
    empty_session.attach_desk(make_desk(before))
    window = show_window(empty_session, qtbot, "rounds")
    hand = Hand(window, SlowDisk(empty_session.work, monkeypatch), seed)
    for _ in range(actions):
        hand.go_on()
    hand.rest()
    while empty_session.desk.undo_step is not None:
        empty_session.desk.undo()
    if empty_session.tournament.event.id == before.event.id:  # no other one was begun
        assert not compute_diff(before, empty_session.tournament)
