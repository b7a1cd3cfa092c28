"""The jobs of a director's day take no more keys than in tsh.

The keys for tsh follow its manual: the lines of a command or of its files, with Enter after each. Keys of the
browser or editor for its pages are in `<>`. Here each key counts, also modifier keys.
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

from tdapp.domain.index import Index
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

PLAYERS, LATE = 24, "Jansen, Zoe"


class Hand:
    """Presses and counts keys in the window or one of its dialogs."""

    def __init__(self, window: Window, folder: Path, qtbot: QtBot) -> None:
        self.window, self.folder, self.keys, self._qtbot = window, folder, 0, qtbot

    def press(self, *chords: str) -> Hand:
        """Press keys by their names, as in Ctrl+Shift+X."""
        for chord in chords:
            self.keys += len(chord.split("+"))
            QTest.keySequence(self._where(), QKeySequence(chord))
            QApplication.processEvents()
        return self

    def type(self, text: str) -> Hand:
        """Type a text."""
        self.keys += len(text)
        QTest.keyClicks(self._where(), text)
        return self

    def write(self, *lines: str) -> Hand:
        """Type lines, with Enter after each."""
        for line in lines:
            self.type(line).press("Return")
        return self

    def _where(self) -> QWidget:
        front = QApplication.activeModalWidget() or self.window
        front.activateWindow()
        self._qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        found = QApplication.focusWidget()
        assert found is not None
        return found


class Job(Struct, frozen=True):
    """A job, its keys in tsh, its keys here, and a check of the result."""

    name: str
    tsh: tuple[str, ...]
    do: Callable[[Hand], object]
    done: Callable[[Hand, Index], bool]

    @property
    def wanted(self) -> int:
        """The number of keys in tsh: each line has an Enter, text in <> is single keys."""
        pressed = [re.fullmatch("<(.*)>", line) for line in self.tsh]
        return sum(
            len(keys[1].replace(" ", "+").split("+")) if keys else len(line) + 1
            for line, keys in zip(self.tsh, pressed, strict=True)
        )


def bring(hand: Hand) -> None:
    """Import a list, whose name is typed into the system's dialog."""
    path = hand.folder / "players.csv"
    people = [make_entry(number) for number in range(1, PLAYERS + 1)]
    lines = "".join(f"{person.name};{person.rating}\n" for person in people)
    path.write_text("name;rating\n" + lines, encoding="utf-8")
    with answer_file_dialogs(path):
        hand.press("Ctrl+I")
    hand.keys += len(path.name) + 1
    hand.press("Return")


def add_late(hand: Hand) -> None:
    hand.press("Ctrl+1", "Ins").type(LATE).press("Tab").write("1500", "")


def add_knockout(hand: Hand) -> None:
    """Two rounds more, in the schedule: a knockout of the best four."""
    hand.press("Ctrl+K").write("sched").press("Ins").write("9")
    hand.press("Right", "F2").write("kn").press("Right").write("4")


def scores(index: Index) -> list[tuple[int, int | None, int | None]]:
    games = index.tournament.games
    return [(games[key].table, one.first, one.second) for key, one in index.tournament.results.items()]


def paired(_hand: Hand, index: Index) -> bool:
    return [one.state for one in index.tournament.rounds.values()] == [RoundState.PUBLISHED]


def withdrawn(_hand: Hand, index: Index) -> bool:
    return [player.number for player in index.tournament.players.values() if index.has_withdrawn(player.id)] == [
        12
    ]


def added_late(_hand: Hand, index: Index) -> bool:
    return [player.rating for player in index.tournament.players.values() if player.name == LATE] == [1500]


def stages(_hand: Hand, index: Index) -> bool:
    planned = [(stage.system, stage.rounds, stage.cut) for stage in index.stages(index.divisions[0].id)]
    return planned == [("swiss", 7, None), ("knockout", 2, 4)]


def in_the_room(_hand: Hand, _index: Index) -> bool:
    return any(isinstance(widget, RoomWindow) and widget.isVisible() for widget in QApplication.topLevelWidgets())


def giving(hand: Hand, _index: Index) -> bool:
    return get_page(hand.window, ScreensPage).slide_show.programme.view is DisplayView.PRIZES


def all_there(hand: Hand, index: Index) -> bool:
    return stages(hand, index) and added_late(hand, index) and withdrawn(hand, index)


DAY = (
    Job(
        "create",
        ("division a a.t", "config max_rounds = 7", "config event_name = 'Open Leiden'", "tsh.pl open"),
        lambda hand: hand.press("Ctrl+N").write("Open Leiden", "", ""),
        lambda _hand, index: (index.tournament.event.name, len(index.divisions)) == ("Open Leiden", 1),
    ),
    Job(
        "import", ("cp players.t open/a.t",), bring, lambda _hand, index: len(index.tournament.players) == PLAYERS
    ),
    Job("pair and publish", ("ns 0 0 a", "sp 1 a"), lambda hand: hand.press("Ctrl+2", "F6", "F9"), paired),
    Job(
        "result",
        ("a 1 a", "3 412 15 388"),
        lambda hand: hand.write("3 412 388"),
        lambda _hand, index: scores(index) == [(3, 412, 388)],
    ),
    Job(
        "correct",
        ("es", "412 378"),
        lambda hand: hand.write("3 412 378", ""),
        lambda _hand, index: scores(index) == [(3, 412, 378)],
    ),
    Job("withdraw", ("off 12 a",), lambda hand: hand.press("Ctrl+Shift+X").write("12", ""), withdrawn),
    Job("late entry", ("quit", f"{LATE} 1500; 0; -50", "<Ctrl+S>", "tsh.pl open"), add_late, added_late),
    Job(
        "knockout added",
        ("quit", "autopair a 7 8 brack", "autopair a 8 9 brack", "<Ctrl+S>", "tsh.pl open"),
        add_knockout,
        stages,
    ),
    Job(
        "standings printed",
        ("rs 1 a", "bl", "<Ctrl+P Enter>"),
        lambda hand: hand.press("F7", "F8", "Return"),
        lambda hand, _index: (hand.folder / "printed.pdf").read_bytes().startswith(b"%PDF"),
    ),
    Job("second screen", ("rs 1 a", "bl", "<F11>"), lambda hand: hand.press("Shift+F9", "Ctrl+F9"), in_the_room),
    Job("prize-giving", ("prizes", "bl"), lambda hand: hand.press("6"), giving),
)
CRASHED = Job("after a crash", ("tsh.pl open",), lambda hand: hand.press("Return"), all_there)


class PaperTray(QPrintDialog):
    """Accepts at once, and prints into a file."""

    path = Path()

    def exec(self) -> int:
        self.printer().setOutputFileName(str(self.path))
        return QDialog.DialogCode.Accepted


def does(hand: Hand, job: Job, session: Session, qtbot: QtBot) -> None:
    """Do a job, see that it is done, and compare the keys."""
    before = hand.keys
    job.do(hand)
    qtbot.waitUntil(lambda: session.is_open)
    assert job.done(hand, session.index), job.name
    assert hand.keys - before <= job.wanted, job.name


@pytest.mark.slow
def test_key_counts_of_a_day_are_at_most_those_of_tsh(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda *_: str(tmp_path))
    monkeypatch.setattr(preview, "explain_missing_printer", lambda _catalogue: "")
    monkeypatch.setattr(PaperTray, "path", tmp_path / "printed.pdf")
    monkeypatch.setattr(print_run, "QPrintDialog", PaperTray)
    for jobs in (DAY, (CRASHED,)):
        session = make_session("en", appearance, settings)
        hand = Hand(show_window(session, qtbot), tmp_path, qtbot)
        for job in jobs:
            does(hand, job, session, qtbot)
        assert session.path is not None
        mark = session._get_lock_file_path(session.path)
        hand.window.close()
        session.close()
        session.work.close()
        QApplication.processEvents()
        subprocess.run([sys.executable, "-c", CRASH, str(mark)], check=False)
