"""Tests with random actions, keys and clicks in the window while the disk is slow."""

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
from tdapp.domain.index import TournamentIndex
from tdapp.domain.tournament import Tournament, compute_diff
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tests.gallery.data import make_typical_tournament
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.slow_disk import SlowDisk
from tests.gui.windows import show_window

KEYS = (
    Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Up, Qt.Key.Key_Down,
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_Home,
    Qt.Key.Key_End, Qt.Key.Key_F2, Qt.Key.Key_F10, Qt.Key.Key_Backspace,
)  # fmt: skip
TEXTS = ("1", "2 400 300", "3.411.399", "1 -", "Jan", "8D TAART 20", "Hall", "15", "x", "?", "2026-11-22", "A, B")
SKIPPED_ACTIONS = frozenset({"quit", "close", "new", "open", "share", "join", "erase-players", "tour"})
LONG_RUNS = [pytest.param(seed, 600, marks=pytest.mark.long) for seed in range(3, 60)]


class RandomUser:
    """Runs random actions and presses random keys and buttons of a window."""

    def __init__(self, window: Window, disk: SlowDisk, seed: int) -> None:
        self._window, self._disk, self._random = window, disk, Random(seed)

    def do_random_action(self) -> None:
        actions_by_weight = (
            self._press_random_key,
            self._type_random_text,
            self._click_random_button,
            self._run_random_window_action,
            self._report_finished_work,
        )
        (action,) = self._random.choices(actions_by_weight, (5, 3, 4, 4, 3))
        action()
        QApplication.processEvents()

    def close_and_report_all(self) -> None:
        """Close open panels and dialogs, and report all finished work of the disk."""
        self._disk.report_results()
        for _ in range(20):
            QTest.keyClick(self._get_target(), Qt.Key.Key_Escape)
            self._disk.report_results()
        for widget in QApplication.topLevelWidgets():
            if widget is not self._window and widget.isVisible():
                widget.close()
        self._disk.report_results()

    def _get_target(self) -> QWidget:
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        return popup or QApplication.focusWidget() or modal or self._window

    def _press_random_key(self) -> None:
        QTest.keyClick(self._get_target(), self._random.choice(KEYS))

    def _type_random_text(self) -> None:
        QTest.keyClicks(self._get_target(), self._random.choice(TEXTS))

    def _click_random_button(self) -> None:
        window = QApplication.activeModalWidget() or self._window
        buttons = [
            button for button in window.findChildren(QAbstractButton) if button.isVisible() and button.isEnabled()
        ]
        if buttons and QApplication.activePopupWidget() is None:
            self._random.choice(buttons).click()

    def _run_random_window_action(self) -> None:
        if QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            return
        enabled_actions = [
            action
            for action in self._window.all_actions
            if action.isEnabled() and not _is_skipped(action.declaration.id)
        ]
        self._random.choice(enabled_actions).trigger()

    def _report_finished_work(self) -> None:
        self._disk.report_results()


def _is_skipped(action: str) -> bool:
    return action in SKIPPED_ACTIONS or action.startswith("look-")


@pytest.fixture
def _temporary_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Use the test's folder as the home folder, and cancel all dialogs of the system."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_args, **_kwargs: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_args, **_kwargs: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args, **_kwargs: "")
    monkeypatch.setattr(QPrintDialog, "exec", lambda _self: QDialog.DialogCode.Rejected)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)


def make_first_round() -> Tournament:
    """Return a tournament of nine players with a paired first round."""
    value = make_tournament(players=9)
    return commands.pair_round(value, key="r", proposal=propose_pairings(TournamentIndex(value), A))


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
@pytest.mark.usefixtures("_temporary_home")
@pytest.mark.parametrize("make_value", [make_first_round, make_typical_tournament])
@pytest.mark.parametrize(("seed", "actions"), [pytest.param(1, 150, marks=pytest.mark.slow), (2, 150), *LONG_RUNS])
def test_random_input_on_a_slow_disk_breaks_nothing(
    empty_session: Session,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    make_value: Callable[[], Tournament],
    seed: int,
    actions: int,
) -> None:
    before = make_value()
    empty_session.open_tournament_of_desk(make_desk(before))
    window = show_window(empty_session, qtbot, "rounds")
    user = RandomUser(window, SlowDisk(empty_session.work, monkeypatch), seed)
    for _ in range(actions):
        user.do_random_action()
    user.close_and_report_all()
    while empty_session.desk.undoable_step is not None:
        empty_session.desk.undo()
    if empty_session.tournament.event.id == before.event.id:  # no new tournament was created
        assert not compute_diff(before, empty_session.tournament)
