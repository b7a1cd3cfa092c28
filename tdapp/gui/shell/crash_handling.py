"""Handle faults (unexpected exceptions in slots, threads and Qt), and detect crashes.

A repeated fault is reported only every few seconds: a fault in a paint event would flood the window.
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

from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_file_to_write
from tdapp.gui.widgets.scroll_body import CollapsibleSection
from tdapp.gui.widgets.theme import UNIT, scale_line_height
from tdapp.services.fault_report import (
    SETTINGS,
    CaughtFault,
    FaultReportFacts,
    format_crash_report,
    format_fault_report,
    make_exception_fault,
    make_fault_from_message,
)


class FaultDialog(Dialog):
    """Non-modal dialog about a fault.

    Its heading has the focus first, so that keys typed for the main window press no button.
    """

    topic = "trouble"

    def __init__(
        self, session: Session, report: Callable[[], str], *, ended: bool = False, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        crash_title = text("The program did not close properly last time")
        fault_title = text("Something went wrong in the program")
        super().__init__(
            session, crash_title if ended else fault_title, yes=text("Continue"), parent=parent, size=(72, 30)
        )
        self.setModal(False)
        self._report = report
        self.yes.setDefault(False)
        self.no.hide()
        self.status_note = fields.make_note_label()
        self.status_note.hide()
        saved_note = text(
            "All steps that the bar at the bottom showed as saved are in the file. Check whether "
            "your last steps are there too."
        )
        report_note = text(
            "A report helps us to fix the problem. It shows the program version, your operating system and "
            "where the error happened, but no names of people, clubs or files. Nothing is sent automatically: "
            "read the report, save it, and send it if you like."
        )
        cause_label = fields.make_label(saved_note if ended else self._describe_saved_changes(), "body", wrap=True)
        fields.add_parts_to_layout(self.body, cause_label, fields.make_note_label(report_note), self.status_note)
        self._add_report_section()
        self.heading.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.heading.setFocus()  # ignores keys that the user is typing

    def show_fault_count(self, times: int) -> None:
        self.status_note.setText(self.text("Errors so far: {n}", n=times))
        self.status_note.show()

    def save_report(self) -> None:
        text = self.session.catalogue.text
        proposed_path = Path(self.session.recent.propose_save_folder()) / "tdapp-report.txt"
        path = ask_file_to_write(self, text("Save the report"), proposed_path, text("Text files (*.txt)"))
        if path is None:
            return
        try:
            path.write_text(self._report(), encoding="utf-8")
        except OSError as error:
            self.status_note.setText(
                text("The report cannot be saved in that folder: {why}", why=error.strerror or str(error))
            )
        else:
            self.status_note.setText(text("Report saved as {name}", name=path.name))
        self.status_note.show()

    def _describe_saved_changes(self) -> str:
        session, text = self.session, self.session.catalogue.text
        if not session.is_open:
            return text("No tournament is open. You can continue.")
        saved_time = session.catalogue.format_utc_as_local_time(session.saved_at)
        if session.path is None:
            return text(
                "All changes up to {time} are saved. You can continue; check that your last change is included.",
                time=saved_time,
            )
        return text(
            "All changes up to {time} are saved in {name}. You can continue; check that your last change is "
            "included.",
            time=saved_time, name=session.path.name,
        )  # fmt: skip

    def _add_report_section(self) -> None:
        self.report_section = CollapsibleSection(self.text("Read the report"), self.session.appearance)
        self.report_view = QPlainTextEdit(readOnly=True)
        self.report_view.setAccessibleName(self.text(C_("after a crash", "Report")))
        self.report_view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report_view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report_view.setMinimumHeight(scale_line_height(UNIT * 24))
        self.report_section.body.addWidget(self.report_view)
        self.report_section.header.clicked.connect(self._show_report)
        self.body.addWidget(self.report_section)
        self.body.addStretch(1)
        self.buttons.insertWidget(0, fields.make_button(self.text("Save the report…"), self.save_report))
        self.buttons.insertWidget(
            1, fields.make_button(self.text("Copy the report"), self._copy_report_to_clipboard, role="link")
        )

    def _show_report(self) -> None:
        self.report_view.setPlainText(self._report())
        self.resize(self.width(), max(self.height(), self.sizeHint().height()))

    def _copy_report_to_clipboard(self) -> None:
        QGuiApplication.clipboard().setText(self._report())


LOG = logging.getLogger("tdapp")
PAUSE = 10.0  # seconds between reports of the same fault
CRASH_FILE_LIFETIME = 7 * 86_400  # seconds until an empty crash file of a killed process is deleted
_IGNORED_MESSAGES = frozenset({"This plugin does not support propagateSizeHints()"})  # invisible windows
_LEVELS = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
_FAULT_MESSAGES = {QtMsgType.QtCriticalMsg: "QtCritical", QtMsgType.QtFatalMsg: "QtFatal"}


class FaultHandler(QObject):
    """Handles unexpected exceptions after `install_hooks_and_report_crash`, until `remove_hooks` is called."""

    _fault_caught = Signal(object)

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
        self._crash_log: IO[str] | None = None
        self.dialog: FaultDialog | None = None
        self._fault_caught.connect(self._show_fault_to_user, Qt.ConnectionType.QueuedConnection)

    # --- hooks

    def install_hooks_and_report_crash(self) -> None:
        """Set the hooks of Python and Qt. Report a crash of an earlier run."""
        self._hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._handle_exception
        threading.excepthook = self._handle_thread_exception
        self._handler = qInstallMessageHandler(self._handle_qt_message)
        with suppress(OSError):  # work without a log if the folder is read-only
            self._folder.mkdir(parents=True, exist_ok=True)
            crash_text = self._read_and_delete_old_crashes()
            self._crash_log = self._get_crash_file_path().open("w", encoding="utf-8")
            faulthandler.enable(self._crash_log)
            if crash_text:
                text = format_crash_report(crash_text, self._make_fault_report_facts((), ""))
                self._show_dialog(FaultDialog(self._session, lambda: text, ended=True, parent=self._window))

    def remove_hooks(self) -> None:
        sys.excepthook, threading.excepthook = self._hooks
        qInstallMessageHandler(self._handler)
        if self._crash_log is not None:
            faulthandler.disable()
            self._crash_log.close()
            self._get_crash_file_path().unlink(missing_ok=True)

    def get_fault_count(self, fault: CaughtFault) -> int:
        return self._counts[fault.error_type_and_line]

    def make_fault_report(self, fault: CaughtFault) -> str:
        """Return a report without personal data."""
        session = self._session
        steps = tuple(step.label for step in session.desk.list_all_steps()) if session.is_open else ()
        computer = self._make_fault_report_facts(steps, session.saved_at)
        value = session.tournament if session.is_open else None
        return format_fault_report(
            fault, computer, count=self.get_fault_count(fault), tournament=value, file=str(session.path or "")
        )

    def _handle_exception(
        self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        else:
            self._log_and_emit_fault(make_exception_fault(error))

    def _handle_thread_exception(self, hook_args: threading.ExceptHookArgs) -> None:
        if hook_args.exc_value is not None and not issubclass(hook_args.exc_type, SystemExit):
            self._log_and_emit_fault(make_exception_fault(hook_args.exc_value))

    def _handle_qt_message(self, kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        log_qt_message(kind, _context, message)
        if kind not in _FAULT_MESSAGES:
            return
        fault = make_fault_from_message(_FAULT_MESSAGES[kind], message)
        if kind is QtMsgType.QtFatalMsg and self._crash_log is not None:
            self._crash_log.write("\n".join((message, *fault.causes[-1].frames, "")))  # Qt aborts next
            self._crash_log.flush()
        else:
            self._log_and_emit_fault(fault)

    def _log_and_emit_fault(self, fault: CaughtFault) -> None:
        text = "\n".join(line for cause in fault.causes for line in (*cause.frames, cause.kind, cause.message))
        LOG.error("%s", text)
        sys.stderr.write(f"{text}\n")
        with suppress(OSError), (self._folder / "tdapp.log").open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
        self._fault_caught.emit(fault)

    # --- reporting

    def _show_fault_to_user(self, fault: CaughtFault) -> None:
        self._counts[fault.error_type_and_line] += 1
        if self.dialog is not None:
            self.dialog.show_fault_count(sum(self._counts.values()))
        elif self.get_fault_count(fault) == 1:
            self._show_dialog(
                FaultDialog(self._session, partial(self.make_fault_report, fault), parent=self._window)
            )
        elif self._clock() - self._reported_at >= PAUSE:
            self._reported_at = self._clock()
            text = self._session.catalogue.text
            message = text("The same error has happened {n} times.", n=self.get_fault_count(fault))
            self._session.show_message(message, tone="red")

    def _show_dialog(self, dialog: FaultDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._forget_dialog)
        dialog.show()

    def _forget_dialog(self) -> None:
        self.dialog = None
        self._reported_at = self._clock()

    # --- crashes

    def _get_crash_file_path(self) -> Path:
        return self._folder / f"ended-{QApplication.applicationPid()}.txt"

    def _read_and_delete_old_crashes(self) -> str:
        crash_texts = []
        for path in sorted(self._folder.glob("ended-*.txt")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if text or time.time() - path.stat().st_mtime > CRASH_FILE_LIFETIME:
                path.unlink()
            crash_texts.append(text)
        return "\n".join(filter(None, crash_texts))

    def _make_fault_report_facts(self, steps: tuple[str, ...], saved_at: str) -> FaultReportFacts:
        screens = tuple(
            f"{screen.size().width()}x{screen.size().height()} at {screen.devicePixelRatio():g}"
            for screen in QGuiApplication.screens()
        )
        settings = self._session.settings
        known_settings = {key: str(settings.value(key)) for key in SETTINGS if settings.contains(key)}
        return FaultReportFacts(qVersion(), screens, steps, known_settings, saved_at)


def log_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if message not in _IGNORED_MESSAGES:
        LOG.log(_LEVELS.get(kind, logging.WARNING), "%s", message)
