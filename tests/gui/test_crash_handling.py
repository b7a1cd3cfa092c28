"""Unexpected errors: caught everywhere, reported once, without personal data, and the program goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt, qCritical
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.crash_handling import PAUSE, FaultDialog, FaultHandler
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.services import fault_report
from tdapp.services.resources import Resources
from tdapp.storage.library import Library
from tests.gui.samples import RESOURCES, A, make_tournament
from tests.gui.windows import answer_file_dialogs, show_window

HIDDEN = "van den Berg, Björn"
HIDDEN_FILE = "/home/nora/Documents/Secret Cup.tdapp"
END_SUDDENLY = """
import faulthandler, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from tdapp import gui
from tdapp.gui.shell import start
application = start.make_application()
QTimer.singleShot(500, faulthandler._sigsegv)
gui.run_window(None, resources=Path(sys.argv[1]), settings_path=Path(sys.argv[2]))
"""


class Clock:
    """A clock set by the test."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(appearance: Appearance, settings: QSettings, tmp_path: Path) -> Iterator[Session]:
    """A session on a file whose work runs on threads, as in the program."""
    words = Catalogue("en", RESOURCES / "locale")
    new_session = Session(
        work=SessionWorker(),
        catalogue=words,
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=Library(tmp_path),
    )
    new_session.attach_desk(Desk.create(tmp_path / "Secret Cup.tdapp", make_tournament(players=24)))
    yield new_session
    new_session.close()
    new_session.work.close()


@pytest.fixture
def window(session: Session, qtbot: QtBot) -> Window:
    return show_window(session, qtbot)


@pytest.fixture
def faults(window: Window, session: Session, tmp_path: Path, clock: Clock) -> Iterator[FaultHandler]:
    handler = FaultHandler(session, window, folder=tmp_path / "data", clock=clock)
    handler.install_hooks()
    yield handler
    handler.remove_hooks()


def wait_for_dialog(faults: FaultHandler, qtbot: QtBot) -> FaultDialog:
    qtbot.waitUntil(lambda: faults.dialog is not None)
    assert faults.dialog is not None
    return faults.dialog


def fail_in_command(value: Tournament) -> Tournament:
    """Fail as a command with a bug would."""
    players = {player.name: player for player in value.players.values()}
    players["p1"] = players["Nobody, Nora"]
    return value


def fail() -> None:
    raise LookupError(f"{HIDDEN} is not in {HIDDEN_FILE}")


# --- from all sources


def test_fault_dialog_reports_a_bug_in_a_command_and_work_goes_on(
    faults: FaultHandler, session: Session, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(session.changed):
        session.do(partial(commands.add_player, key="x", division=A, name="New, Nina"))
    session.work.run_in_order(
        partial(session.desk.do, fail_in_command, label="add-player"),
        on_success=lambda _value: None,
        on_error=session._handle_error,
    )
    dialog = wait_for_dialog(faults, qtbot)

    texts = " ".join(label.text() for label in dialog.findChildren(type(dialog.heading)))
    assert "Secret Cup.tdapp" in texts
    assert session.catalogue.format_utc_as_local_time(session.saved_at) in texts
    with qtbot.waitSignal(session.changed):
        session.do(partial(commands.add_player, key="y", division=A, name="Next, Nils"))
    assert len(session.index.players(A)) == 26
    dialog.close()


def test_fault_dialog_reports_a_bug_in_a_slot(faults: FaultHandler, window: Window, qtbot: QtBot) -> None:
    button = fields.button("Break", fail)
    button.setParent(window)
    button.show()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    dialog = wait_for_dialog(faults, qtbot)
    assert dialog.isVisible()
    assert not dialog.isModal()
    QTest.keyClick(dialog, Qt.Key.Key_Return)  # aimed at the window
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert faults.dialog is None


@pytest.mark.slow
def test_fault_handler_reports_a_bug_in_background_work(
    faults: FaultHandler, session: Session, qtbot: QtBot
) -> None:
    session.run_in_background(fail, on_success=lambda _value: None, label="Reckoning")
    assert "LookupError" in faults.write_report(close_fault_dialog(faults, qtbot))


@pytest.mark.slow
def test_fault_handler_reports_a_bug_in_a_python_thread(faults: FaultHandler, qtbot: QtBot) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert "LookupError" in faults.write_report(close_fault_dialog(faults, qtbot))


@pytest.mark.slow
@pytest.mark.no_qt_log
def test_fault_handler_reports_an_error_of_qt(faults: FaultHandler, qtbot: QtBot) -> None:
    qCritical("QThing::broken: no thing")
    report = faults.write_report(close_fault_dialog(faults, qtbot))
    assert "QtCritical: QThing::broken: no thing" in report


def close_fault_dialog(faults: FaultHandler, qtbot: QtBot) -> fault_report.CaughtFault:
    """Wait for the dialog, close it, and return the fault it was about."""
    faults_seen: list[fault_report.CaughtFault] = []
    faults._fault_caught.connect(faults_seen.append)
    dialog = wait_for_dialog(faults, qtbot)
    dialog.report_section.header.click()
    text = dialog.report_view.toPlainText()
    assert "seen" not in text
    dialog.close()
    ((fault_key, _),) = faults._counts.items()
    return fault_report.CaughtFault(
        (fault_report.FaultCause((fault_key[1],), fault_key[0], text.rpartition(f"{fault_key[0]}: ")[2]),)
    )


# --- no storm


class FailingWidget(QWidget):
    """Fails whenever it is painted."""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's own name
        fail()


def test_fault_handler_counts_repeated_faults(
    faults: FaultHandler, window: Window, session: Session, qtbot: QtBot, clock: Clock
) -> None:
    messages: list[str] = []
    session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    widget = FailingWidget(window)
    widget.resize(40, 40)
    widget.show()
    dialog = wait_for_dialog(faults, qtbot)
    for times in range(2, 6):
        paint_again(widget, faults, qtbot)
        qtbot.waitUntil(partial(has_repeated, dialog, times))
    assert window.findChildren(FaultDialog) == [dialog]
    dialog.close()

    paint_again(widget, faults, qtbot)
    assert messages == []
    clock.now += PAUSE
    for _ in range(3):
        paint_again(widget, faults, qtbot)
    assert len(messages) == 1
    assert faults.dialog is None
    widget.hide()


def paint_again(widget: QWidget, faults: FaultHandler, qtbot: QtBot) -> None:
    count_before = sum(faults._counts.values())
    widget.update()
    qtbot.waitUntil(lambda: sum(faults._counts.values()) > count_before)


def has_repeated(dialog: FaultDialog, times: int) -> bool:
    return int(dialog.status_note.text().split()[5]) >= times


# --- the report


def test_fault_dialog_saves_the_report(faults: FaultHandler, window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    button = fields.button("Break", fail)
    button.setParent(window)
    button.show()
    button.click()
    dialog = wait_for_dialog(faults, qtbot)
    with answer_file_dialogs(tmp_path / "none" / "report.txt"):
        dialog.save_report()
    assert "cannot be saved" in dialog.status_note.text()
    with answer_file_dialogs(tmp_path / "report.txt"):
        dialog.save_report()

    text = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert "LookupError" in text
    for word in ("Björn", "Berg", "nora", "Secret"):
        assert word not in text
    dialog.close()


# --- sudden ends


@pytest.mark.slow
def test_fault_handler_reports_a_crash_at_the_next_start(
    window: Window, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", END_SUDDENLY, str(RESOURCES), str(tmp_path / "other.ini")]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    assert ended.returncode != 0
    (report,) = tmp_path.rglob("ended-*.txt")

    faults = FaultHandler(session, window, folder=report.parent)
    faults.install_hooks()
    dialog = wait_for_dialog(faults, qtbot)
    dialog.report_section.header.click()
    assert "did not close properly" in dialog.heading.text()
    assert "tdapp/gui/shell/start.py" in dialog.report_view.toPlainText()
    assert str(Path(fault_report.__file__).parents[2]) not in dialog.report_view.toPlainText()
    assert not report.exists()
    dialog.close()
    faults.remove_hooks()
    assert not list(report.parent.glob("ended-*"))
