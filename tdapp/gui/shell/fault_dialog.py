"""What is said when something went wrong in the program: what is saved, and a report to read and to save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.collapsible import CollapsibleSection
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.theme import UNIT


class FaultDialog(Dialog):
    """Leaves the window usable; no key that was meant for the window closes it but Esc."""

    topic = "trouble"

    def __init__(
        self, session: Session, report: Callable[[], str], *, ended: bool = False, parent: QWidget | None = None
    ) -> None:
        """`report` makes the report as it is now; `ended`: it is about a program that ended suddenly before."""
        text = session.catalogue.text
        title = (
            text("The program ended suddenly the last time")
            if ended
            else text("Something went wrong in the program")
        )
        super().__init__(session, title, yes=text("Go on"), parent=parent)
        self.setModal(False)
        self.resize(UNIT * 72, UNIT * 30)
        self._report = report
        self.yes.setDefault(False)
        self.no.hide()
        self.again = fields.label("", "muted", wrap=True)
        self.again.hide()
        what = (
            text("Every step that the bar at the bottom told as saved is in the file. Check what stands there.")
            if ended
            else self._saved()
        )
        asked = text(
            "A report helps us to mend it. It tells the program’s version, this computer’s system and the place "
            "in the program, but no names of people, clubs or files. It goes nowhere by itself: read it, save it, "
            "and send it if you like."
        )
        for said, kind in ((what, "body"), (asked, "muted")):
            self.body.addWidget(fields.label(said, kind, wrap=True))
        self.body.addWidget(self.again)
        self._add_report()
        self.heading.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.heading.setFocus()  # what is being typed does nothing here

    def count_again(self, times: int) -> None:
        """Tell that there was more trouble while the dialog is open."""
        self.again.setText(self.session.catalogue.text("It has happened {n} times by now.", n=times))
        self.again.show()

    def save(self) -> None:
        """Ask where to, and save the report."""
        text = self.session.catalogue.text
        proposed = str(Path(self.session.recent.folder()) / "tdapp-report.txt")
        name, _ = QFileDialog.getSaveFileName(self, text("Save the report"), proposed, text("Texts (*.txt)"))
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Save the report; what goes wrong is said here."""
        text = self.session.catalogue.text
        try:
            path.write_text(self._report(), encoding="utf-8")
        except OSError as error:
            self.again.setText(text("The report cannot be saved there: {why}", why=error.strerror or str(error)))
        else:
            self.again.setText(text("Report saved as {name}", name=path.name))
        self.again.show()

    def _saved(self) -> str:
        session = self.session
        text = session.catalogue.text
        if not session.is_open:
            return text("No tournament is open. You can go on.")
        if session.path is None:
            return text(
                "Every step until {time} stands. You can go on; look whether what you did last is there.",
                time=session.catalogue.instant(session.saved_at),
            )
        return text(
            "Every step until {time} is saved in {name}. You can go on; look whether what you did last is there.",
            time=session.catalogue.instant(session.saved_at),
            name=session.path.name,
        )

    def _add_report(self) -> None:
        text = self.session.catalogue.text
        self.fold = CollapsibleSection(text("Read the report"), self.session.look)
        self.shown = QPlainTextEdit()
        self.shown.setReadOnly(True)
        self.shown.setAccessibleName(text("Report"))
        self.shown.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.shown.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.shown.setMinimumHeight(UNIT * 24)
        self.fold.body.addWidget(self.shown)
        self.fold.header.clicked.connect(self._show_report)
        self.body.addWidget(self.fold)
        self.body.addStretch(1)
        self.buttons.insertWidget(0, fields.button(text("Save the report…"), self.save))
        self.buttons.insertWidget(1, fields.button(text("Copy it"), self._copy, role="link"))

    def _show_report(self) -> None:
        self.shown.setPlainText(self._report())
        self.resize(self.width(), max(self.height(), self.sizeHint().height()))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report())
