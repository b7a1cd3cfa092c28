"""Handle unexpected exceptions in slots, threads and Qt, and detect crashes.

A repeated fault is reported only every few seconds: in a paint event it would flood the window.
"""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, qInstallMessageHandler, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_file_to_write
from tdapp.gui.widgets.scroll_body import CollapsibleSection
from tdapp.gui.widgets.theme import UNIT, scale_line_height
from tdapp.services.fault_report import (
    SETTINGS,
    CaughtFault,
    ComputerFacts,
    make_exception_fault,
    make_message_fault,
    write_crash_report,
    write_fault_report,
)


class FaultDialog(Dialog):
    """Non-modal dialog about a fault.

    At first its heading has the focus, so that keys typed for the window behind press no button.
    """

    topic = "trouble"

    def __init__(
        self, session: Session, report: Callable[[], str], *, ended: bool = False, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        crashed = text("The program did not close properly last time")
        failed = text("Something went wrong in the program")
        super().__init__(session, crashed if ended else failed, yes=text("Continue"), parent=parent, size=(72, 30))
        self.setModal(False)
        self._report = report
        self.yes.setDefault(False)
        self.no.hide()
        self.again = fields.note()
        self.again.hide()
        told = text("The file has every step that the bar at the bottom showed as saved. Check your last steps.")
        asked = text(
            "A report helps us to correct it. It contains the program’s version, this computer’s system and "
            "the place in the program, but no names of people, clubs or files. Nothing is sent automatically: "
            "read it, save it, and send it if you like."
        )
        what = fields.label(told if ended else self._describe_saved_changes(), "body", wrap=True)
        fields.fill_layout(self.body, what, fields.note(asked), self.again)
        self._add_report_section()
        self.heading.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.heading.setFocus()  # ignores keys that the user is typing

    def show_fault_count(self, times: int) -> None:
        self.again.setText(self.text("This error has now happened {n} times.", n=times))
        self.again.show()

    def save_report(self) -> None:
        text = self.session.catalogue.text
        proposed = Path(self.session.recent.propose_save_folder()) / "tdapp-report.txt"
        path = ask_file_to_write(self, text("Save the report"), proposed, text("Text files (*.txt)"))
        if path is None:
            return
        try:
            path.write_text(self._report(), encoding="utf-8")
        except OSError as error:
            self.again.setText(
                text("The report cannot be saved in that folder: {why}", why=error.strerror or str(error))
            )
        else:
            self.again.setText(text("Report saved as {name}", name=path.name))
        self.again.show()

    def _describe_saved_changes(self) -> str:
        session, text = self.session, self.session.catalogue.text
        if not session.is_open:
            return text("No tournament is open. You can continue.")
        at = session.catalogue.format_utc_as_local_time(session.saved_at)
        if session.path is None:
            return text(
                "Every change until {time} is saved. You can continue; check that your last change is included.",
                time=at,
            )
        return text(
            "Every change until {time} is saved in {name}. You can continue; check that your last change is "
            "included.",
            time=at, name=session.path.name,
        )  # fmt: skip

    def _add_report_section(self) -> None:
        self.fold = CollapsibleSection(self.text("Read the report"), self.session.look)
        self.shown = QPlainTextEdit(readOnly=True)
        self.shown.setAccessibleName(self.text("Report"))
        self.shown.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.shown.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.shown.setMinimumHeight(scale_line_height(UNIT * 24))
        self.fold.body.addWidget(self.shown)
        self.fold.header.clicked.connect(self._show_report)
        self.body.addWidget(self.fold)
        self.body.addStretch(1)
        self.buttons.insertWidget(0, fields.button(self.text("Save the report…"), self.save_report))
        self.buttons.insertWidget(1, fields.button(self.text("Copy the report"), self._copy_report, role="link"))

    def _show_report(self) -> None:
        self.shown.setPlainText(self._report())
        self.resize(self.width(), max(self.height(), self.sizeHint().height()))

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(self._report())


LOG = logging.getLogger("tdapp")
PAUSE = 10.0  # seconds between reports of the same fault
KEPT = 7 * 86_400  # seconds until an empty crash file of a killed process is deleted
_OFF_SCREEN = frozenset({"This plugin does not support propagateSizeHints()"})  # invisible windows
_LEVELS = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
_OURS = {QtMsgType.QtCriticalMsg: "QtCritical", QtMsgType.QtFatalMsg: "QtFatal"}


class FaultHandler(QObject):
    """Handles unexpected exceptions from `install_hooks` until `remove_hooks`."""

    _came = Signal(object)

    def __init__(
        self, session: Session, window: QWidget, *, folder: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Prepare the handler. `folder` is for log and crash files. `clock` returns seconds."""
        super().__init__(window)
        self._session = session
        self._window = window
        self._folder = folder
        self._clock = clock
        self._counts: Counter[tuple[str, str]] = Counter()
        self._reported_at = float("-inf")
        self._dump: IO[str] | None = None
        self.dialog: FaultDialog | None = None  # the open dialog
        self._came.connect(self._handle_fault, Qt.ConnectionType.QueuedConnection)

    # --- hooks

    def install_hooks(self) -> None:
        """Set the hooks of Python and Qt. Report a crash of an earlier run."""
        self._hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._handle_exception
        threading.excepthook = self._handle_thread_exception
        self._handler = qInstallMessageHandler(self._handle_qt_message)
        with suppress(OSError):  # work without a log if the folder is read-only
            self._folder.mkdir(parents=True, exist_ok=True)
            ended = self._read_old_crashes()
            self._dump = self._get_crash_file().open("w", encoding="utf-8")
            faulthandler.enable(self._dump)
            if ended:
                text = write_crash_report(ended, self._describe_computer((), ""))
                self._show_dialog(FaultDialog(self._session, lambda: text, ended=True, parent=self._window))

    def remove_hooks(self) -> None:
        sys.excepthook, threading.excepthook = self._hooks
        qInstallMessageHandler(self._handler)
        if self._dump is not None:
            faulthandler.disable()
            self._dump.close()
            self._get_crash_file().unlink(missing_ok=True)

    def get_fault_count(self, fault: CaughtFault) -> int:
        return self._counts[fault.identity]

    def write_report(self, fault: CaughtFault) -> str:
        """Return a report without personal data."""
        session = self._session
        steps = tuple(step.label for step in session.desk.history()) if session.is_open else ()
        about = self._describe_computer(steps, session.saved_at)
        value = session.tournament if session.is_open else None
        return write_fault_report(
            fault, about, count=self.get_fault_count(fault), tournament=value, file=str(session.path or "")
        )

    def _handle_exception(
        self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        else:
            self._log_fault(make_exception_fault(error))

    def _handle_thread_exception(self, given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None and not issubclass(given.exc_type, SystemExit):
            self._log_fault(make_exception_fault(given.exc_value))

    def _handle_qt_message(self, kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        log_qt_message(kind, _context, message)
        if kind not in _OURS:
            return
        fault = make_message_fault(_OURS[kind], message)
        if kind is QtMsgType.QtFatalMsg and self._dump is not None:
            self._dump.write("\n".join((message, *fault.causes[-1].frames, "")))  # Qt aborts next
            self._dump.flush()
        else:
            self._log_fault(fault)

    def _log_fault(self, fault: CaughtFault) -> None:
        text = "\n".join(line for cause in fault.causes for line in (*cause.frames, cause.kind, cause.message))
        LOG.error("%s", text)
        sys.stderr.write(f"{text}\n")
        with suppress(OSError), (self._folder / "tdapp.log").open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
        self._came.emit(fault)

    # --- reporting

    def _handle_fault(self, fault: CaughtFault) -> None:
        self._counts[fault.identity] += 1
        if self.dialog is not None:
            self.dialog.show_fault_count(sum(self._counts.values()))
        elif self.get_fault_count(fault) == 1:
            self._show_dialog(FaultDialog(self._session, partial(self.write_report, fault), parent=self._window))
        elif self._clock() - self._reported_at >= PAUSE:
            self._reported_at = self._clock()
            text = self._session.catalogue.text
            message = text(
                "The same error has happened {n} times. Everything is saved.", n=self.get_fault_count(fault)
            )
            self._session.show_message(message, tone="red")

    def _show_dialog(self, dialog: FaultDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._forget_dialog)
        dialog.show()

    def _forget_dialog(self) -> None:
        self.dialog = None
        self._reported_at = self._clock()

    # --- crashes

    def _get_crash_file(self) -> Path:
        return self._folder / f"ended-{QApplication.applicationPid()}.txt"

    def _read_old_crashes(self) -> str:
        found = []
        for path in sorted(self._folder.glob("ended-*.txt")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if text or time.time() - path.stat().st_mtime > KEPT:
                path.unlink()
            found.append(text)
        return "\n".join(filter(None, found))

    def _describe_computer(self, steps: tuple[str, ...], saved_at: str) -> ComputerFacts:
        screens = tuple(
            f"{one.size().width()}x{one.size().height()} at {one.devicePixelRatio():g}"
            for one in QGuiApplication.screens()
        )
        stored = self._session.settings
        known = {key: str(stored.value(key)) for key in SETTINGS if stored.contains(key)}
        return ComputerFacts(qVersion(), screens, steps, known, saved_at)


def log_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if message not in _OFF_SCREEN:
        LOG.log(_LEVELS.get(kind, logging.WARNING), "%s", message)
