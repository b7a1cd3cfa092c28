"""Tests of the crash handling: unexpected errors are reported once and without personal data."""

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
from tdapp.storage.library import WordListLibrary
from tests.gui.samples import RESOURCES, A, make_tournament
from tests.gui.windows import answer_file_dialogs, show_window

PLAYER_NAME = "van den Berg, Björn"
FILE_PATH = "/home/nora/Documents/Secret Cup.tdapp"
CRASHING_PROGRAM = """
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
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(appearance: Appearance, settings: QSettings, tmp_path: Path) -> Iterator[Session]:
    """Return a session on a file, with background threads as in the program."""
    catalogue = Catalogue("en", RESOURCES / "locale")
    new_session = Session(
        work=SessionWorker(),
        catalogue=catalogue,
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=WordListLibrary(tmp_path),
    )
    new_session.open_tournament_of_desk(Desk.create(tmp_path / "Secret Cup.tdapp", make_tournament(players=24)))
    yield new_session
    new_session.close()
    new_session.work.close()


@pytest.fixture
def window(session: Session, qtbot: QtBot) -> Window:
    return show_window(session, qtbot)


@pytest.fixture
def fault_handler(window: Window, session: Session, tmp_path: Path, clock: Clock) -> Iterator[FaultHandler]:
    handler = FaultHandler(session, window, folder=tmp_path / "data", clock=clock)
    handler.install_hooks_and_report_crash()
    yield handler
    handler.remove_hooks()


def wait_for_dialog(fault_handler: FaultHandler, qtbot: QtBot) -> FaultDialog:
    qtbot.waitUntil(lambda: fault_handler.dialog is not None)
    assert fault_handler.dialog is not None
    return fault_handler.dialog


def run_faulty_command(value: Tournament) -> Tournament:
    """Raise KeyError, like a command with a bug."""
    players = {player.name: player for player in value.players.values()}
    players["p1"] = players["Nobody, Nora"]
    return value


def raise_error() -> None:
    raise LookupError(f"{PLAYER_NAME} is not in {FILE_PATH}")


# --- error sources


def test_fault_dialog_reports_a_bug_in_a_command(
    fault_handler: FaultHandler, session: Session, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(session.changed):
        session.do(partial(commands.add_player, key="x", division=A, name="New, Nina"))
    session.work.run_on_desk_thread(
        partial(session.desk.do, run_faulty_command, label="add-player"),
        on_success=lambda _value: None,
        on_error=session._show_or_raise_error,
    )
    dialog = wait_for_dialog(fault_handler, qtbot)

    texts = " ".join(label.text() for label in dialog.findChildren(type(dialog.heading)))
    assert "Secret Cup.tdapp" in texts
    assert session.catalogue.format_utc_as_local_time(session.saved_at) in texts
    with qtbot.waitSignal(session.changed):
        session.do(partial(commands.add_player, key="y", division=A, name="Next, Nils"))
    assert len(session.index.players(A)) == 26
    dialog.close()


def test_fault_dialog_reports_a_bug_in_a_slot(fault_handler: FaultHandler, window: Window, qtbot: QtBot) -> None:
    button = fields.make_button("Break", raise_error)
    button.setParent(window)
    button.show()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    dialog = wait_for_dialog(fault_handler, qtbot)
    assert dialog.isVisible()
    assert not dialog.isModal()
    QTest.keyClick(dialog, Qt.Key.Key_Return)  # meant for the window, so it does not close the dialog
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert fault_handler.dialog is None


@pytest.mark.slow
def test_fault_handler_reports_a_bug_in_background_work(
    fault_handler: FaultHandler, session: Session, qtbot: QtBot
) -> None:
    session.run_in_background(raise_error, on_success=lambda _value: None, label="Calculating")
    assert "LookupError" in fault_handler.make_fault_report(close_fault_dialog(fault_handler, qtbot))


@pytest.mark.slow
def test_fault_handler_reports_a_bug_in_a_python_thread(fault_handler: FaultHandler, qtbot: QtBot) -> None:
    thread = threading.Thread(target=raise_error)
    thread.start()
    thread.join()
    assert "LookupError" in fault_handler.make_fault_report(close_fault_dialog(fault_handler, qtbot))


@pytest.mark.slow
@pytest.mark.no_qt_log
def test_fault_handler_reports_an_error_of_qt(fault_handler: FaultHandler, qtbot: QtBot) -> None:
    qCritical("QThing::broken: no thing")
    report = fault_handler.make_fault_report(close_fault_dialog(fault_handler, qtbot))
    assert "QtCritical: QThing::broken: no thing" in report


def close_fault_dialog(fault_handler: FaultHandler, qtbot: QtBot) -> fault_report.CaughtFault:
    """Close the dialog when it opens. Return the reported fault."""
    caught_faults: list[fault_report.CaughtFault] = []
    fault_handler._fault_caught.connect(caught_faults.append)
    dialog = wait_for_dialog(fault_handler, qtbot)
    dialog.report_section.header.click()
    text = dialog.report_view.toPlainText()
    assert "seen" not in text
    dialog.close()
    ((fault_key, _),) = fault_handler._counts.items()
    return fault_report.CaughtFault(
        (fault_report.ChainedException((fault_key[1],), fault_key[0], text.rpartition(f"{fault_key[0]}: ")[2]),)
    )


# --- repeated errors


class FailingWidget(QWidget):
    """Raises an error when it is painted."""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's own name
        raise_error()


def test_fault_handler_counts_repeated_faults(
    fault_handler: FaultHandler, window: Window, session: Session, qtbot: QtBot, clock: Clock
) -> None:
    messages: list[str] = []
    session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    widget = FailingWidget(window)
    widget.resize(40, 40)
    widget.show()
    dialog = wait_for_dialog(fault_handler, qtbot)
    for count in range(2, 6):
        repaint_widget(widget, fault_handler, qtbot)
        qtbot.waitUntil(partial(has_repeated, dialog, count))
    assert window.findChildren(FaultDialog) == [dialog]
    dialog.close()

    repaint_widget(widget, fault_handler, qtbot)
    assert messages == []
    clock.now += PAUSE
    for _ in range(3):
        repaint_widget(widget, fault_handler, qtbot)
    assert len(messages) == 1
    assert fault_handler.dialog is None
    widget.hide()


def repaint_widget(widget: QWidget, fault_handler: FaultHandler, qtbot: QtBot) -> None:
    count_before = sum(fault_handler._counts.values())
    widget.update()
    qtbot.waitUntil(lambda: sum(fault_handler._counts.values()) > count_before)


def has_repeated(dialog: FaultDialog, count: int) -> bool:
    return int(dialog.status_note.text().split()[-1]) >= count


# --- report


def test_fault_dialog_saves_the_report(
    fault_handler: FaultHandler, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    button = fields.make_button("Break", raise_error)
    button.setParent(window)
    button.show()
    button.click()
    dialog = wait_for_dialog(fault_handler, qtbot)
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


# --- crashes


@pytest.mark.slow
def test_fault_handler_reports_a_crash_at_the_next_start(
    window: Window, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", CRASHING_PROGRAM, str(RESOURCES), str(tmp_path / "other.ini")]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    assert process.returncode != 0
    (report,) = tmp_path.rglob("ended-*.txt")

    fault_handler = FaultHandler(session, window, folder=report.parent)
    fault_handler.install_hooks_and_report_crash()
    dialog = wait_for_dialog(fault_handler, qtbot)
    dialog.report_section.header.click()
    assert "did not close properly" in dialog.heading.text()
    assert "tdapp/gui/shell/start.py" in dialog.report_view.toPlainText()
    assert str(Path(fault_report.__file__).parents[2]) not in dialog.report_view.toPlainText()
    assert not report.exists()
    dialog.close()
    fault_handler.remove_hooks()
    assert not list(report.parent.glob("ended-*"))
