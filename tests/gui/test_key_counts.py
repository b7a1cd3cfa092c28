"""Tests that compare the keys for a director's tasks with those in tsh.

The keys for tsh follow its manual: the lines of a command or of its files, with Enter after each. Keys of the
browser or editor are in `<>`. In tdapp every key counts, also modifier keys.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtGui import QKeySequence
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import RoundState
from tdapp.gui.printouts import preview, print_run
from tdapp.gui.screens.page import ScreensPage
from tdapp.gui.screens.room_window import RoomWindow
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.slides import DisplayView
from tests.gui.samples import make_entry, make_session
from tests.gui.test_recovery import CRASH
from tests.gui.windows import answer_file_dialogs, get_page, show_window

PLAYERS, LATE_PLAYER = 24, "Jansen, Zoe"


class KeyCountingDriver:
    """Presses and counts keys in the window or its dialogs."""

    def __init__(self, window: Window, folder: Path, qtbot: QtBot) -> None:
        self.window, self.folder, self.key_count, self._qtbot = window, folder, 0, qtbot

    def press_chords(self, *chords: str) -> KeyCountingDriver:
        """Press key combinations such as Ctrl+Shift+X."""
        for chord in chords:
            self.key_count += len(chord.split("+"))
            QTest.keySequence(self._find_focused_widget(), QKeySequence(chord))
            QApplication.processEvents()
        return self

    def type_text(self, text: str) -> KeyCountingDriver:
        self.key_count += len(text)
        QTest.keyClicks(self._find_focused_widget(), text)
        return self

    def enter_lines(self, *lines: str) -> KeyCountingDriver:
        """Type lines, with Enter after each."""
        for line in lines:
            self.type_text(line).press_chords("Return")
        return self

    def _find_focused_widget(self) -> QWidget:
        active_window = QApplication.activeModalWidget() or self.window
        active_window.activateWindow()
        self._qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        focused_widget = QApplication.focusWidget()
        assert focused_widget is not None
        return focused_widget


class Task(Struct, frozen=True):
    """A director's task: the typed lines in tsh, the keys in tdapp, and a check of the result."""

    name: str
    tsh_lines: tuple[str, ...]
    do_task: Callable[[KeyCountingDriver], object]
    is_done: Callable[[KeyCountingDriver, TournamentIndex], bool]

    @property
    def tsh_key_count(self) -> int:
        """The number of keys in tsh: a line needs Enter, text in <> stands for single keys."""
        key_names = [re.fullmatch("<(.*)>", line) for line in self.tsh_lines]
        return sum(
            len(keys[1].replace(" ", "+").split("+")) if keys else len(line) + 1
            for line, keys in zip(self.tsh_lines, key_names, strict=True)
        )


def import_players(driver: KeyCountingDriver) -> None:
    """Import a player list. The keys for the file name are counted, although no file dialog opens."""
    path = driver.folder / "players.csv"
    players = [make_entry(number) for number in range(1, PLAYERS + 1)]
    lines = "".join(f"{player.name};{player.rating}\n" for player in players)
    path.write_text("name;rating\n" + lines, encoding="utf-8")
    with answer_file_dialogs(path):
        driver.press_chords("Ctrl+I")
    driver.key_count += len(path.name) + 1
    driver.press_chords("Return")


def add_late_player(driver: KeyCountingDriver) -> None:
    driver.press_chords("Ctrl+1", "Ins").type_text(LATE_PLAYER).press_chords("Tab").enter_lines("1500", "")


def add_knockout_stage(driver: KeyCountingDriver) -> None:
    """Add a knockout of the best four players, with two rounds, in the schedule."""
    driver.press_chords("Ctrl+K").enter_lines("sched").press_chords("Ins").enter_lines("9")
    driver.press_chords("Right", "F2").enter_lines("kn").press_chords("Right").enter_lines("4")


def list_scores(index: TournamentIndex) -> list[tuple[int, int | None, int | None]]:
    games = index.tournament.games
    return [(games[key].table, result.first, result.second) for key, result in index.tournament.results.items()]


def is_round_published(_driver: KeyCountingDriver, index: TournamentIndex) -> bool:
    return [round_row.state for round_row in index.tournament.rounds.values()] == [RoundState.PUBLISHED]


def has_player_12_withdrawn(_driver: KeyCountingDriver, index: TournamentIndex) -> bool:
    return [player.number for player in index.tournament.players.values() if index.has_withdrawn(player.id)] == [
        12
    ]


def has_late_player(_driver: KeyCountingDriver, index: TournamentIndex) -> bool:
    return [player.rating for player in index.tournament.players.values() if player.name == LATE_PLAYER] == [1500]


def has_knockout_stage(_driver: KeyCountingDriver, index: TournamentIndex) -> bool:
    planned = [(stage.system, stage.rounds, stage.cut) for stage in index.stages(index.divisions[0].id)]
    return planned == [("swiss", 7, None), ("knockout", 2, 4)]


def is_room_window_open(_driver: KeyCountingDriver, _index: TournamentIndex) -> bool:
    return any(isinstance(widget, RoomWindow) and widget.isVisible() for widget in QApplication.topLevelWidgets())


def is_prize_slide_shown(driver: KeyCountingDriver, _index: TournamentIndex) -> bool:
    return get_page(driver.window, ScreensPage).slide_show.programme.view is DisplayView.PRIZES


def has_all_changes(driver: KeyCountingDriver, index: TournamentIndex) -> bool:
    return (
        has_knockout_stage(driver, index)
        and has_late_player(driver, index)
        and has_player_12_withdrawn(driver, index)
    )


TASKS_OF_A_DAY = (
    Task(
        "create",
        ("division a a.t", "config max_rounds = 7", "config event_name = 'Open Leiden'", "tsh.pl open"),
        lambda driver: driver.press_chords("Ctrl+N").enter_lines("Open Leiden", "", ""),
        lambda _driver, index: (index.tournament.event.name, len(index.divisions)) == ("Open Leiden", 1),
    ),
    Task(
        "import",
        ("cp players.t open/a.t",),
        import_players,
        lambda _driver, index: len(index.tournament.players) == PLAYERS,
    ),
    Task(
        "pair and publish",
        ("ns 0 0 a", "sp 1 a"),
        lambda driver: driver.press_chords("Ctrl+2", "F6", "F9"),
        is_round_published,
    ),
    Task(
        "result",
        ("a 1 a", "3 412 15 388"),
        lambda driver: driver.enter_lines("3 412 388"),
        lambda _driver, index: list_scores(index) == [(3, 412, 388)],
    ),
    Task(
        "correct",
        ("es", "412 378"),
        lambda driver: driver.enter_lines("3 412 378", ""),
        lambda _driver, index: list_scores(index) == [(3, 412, 378)],
    ),
    Task(
        "withdraw",
        ("off 12 a",),
        lambda driver: driver.press_chords("Ctrl+Shift+X").enter_lines("12", ""),
        has_player_12_withdrawn,
    ),
    Task(
        "late entry",
        ("quit", f"{LATE_PLAYER} 1500; 0; -50", "<Ctrl+S>", "tsh.pl open"),
        add_late_player,
        has_late_player,
    ),
    Task(
        "knockout added",
        ("quit", "autopair a 7 8 brack", "autopair a 8 9 brack", "<Ctrl+S>", "tsh.pl open"),
        add_knockout_stage,
        has_knockout_stage,
    ),
    Task(
        "standings printed",
        ("rs 1 a", "bl", "<Ctrl+P Enter>"),
        lambda driver: driver.press_chords("F7", "F8", "Return"),
        lambda driver, _index: (driver.folder / "printed.pdf").read_bytes().startswith(b"%PDF"),
    ),
    Task(
        "second screen",
        ("rs 1 a", "bl", "<F11>"),
        lambda driver: driver.press_chords("Shift+F9", "Ctrl+F9"),
        is_room_window_open,
    ),
    Task("prize-giving", ("prizes", "bl"), lambda driver: driver.press_chords("6"), is_prize_slide_shown),
)
TASK_AFTER_A_CRASH = Task(
    "after a crash", ("tsh.pl open",), lambda driver: driver.press_chords("Return"), has_all_changes
)


class AcceptingPrintDialog(QPrintDialog):
    """Accepts at once and prints to a file."""

    path = Path()

    def exec(self) -> int:
        self.printer().setOutputFileName(str(self.path))
        return QDialog.DialogCode.Accepted


def check_key_count(driver: KeyCountingDriver, task: Task, session: Session, qtbot: QtBot) -> None:
    """Do a task, check its result and compare the number of keys."""
    count_before = driver.key_count
    task.do_task(driver)
    qtbot.waitUntil(lambda: session.is_open)
    assert task.is_done(driver, session.index), task.name
    assert driver.key_count - count_before <= task.tsh_key_count, task.name


@pytest.mark.slow
def test_window_needs_at_most_the_keys_of_tsh_for_a_day(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda *_: str(tmp_path))
    monkeypatch.setattr(preview, "explain_missing_printer", lambda _catalogue: "")
    monkeypatch.setattr(AcceptingPrintDialog, "path", tmp_path / "printed.pdf")
    monkeypatch.setattr(print_run, "QPrintDialog", AcceptingPrintDialog)
    for tasks in (TASKS_OF_A_DAY, (TASK_AFTER_A_CRASH,)):
        session = make_session("en", appearance, settings)
        driver = KeyCountingDriver(show_window(session, qtbot), tmp_path, qtbot)
        for task in tasks:
            check_key_count(driver, task, session, qtbot)
        assert session.path is not None
        lock_file = session._get_lock_file_path(session.path)
        driver.window.close()
        session.close()
        session.work.close()
        QApplication.processEvents()
        subprocess.run([sys.executable, "-c", CRASH, str(lock_file)], check=False)
