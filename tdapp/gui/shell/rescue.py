"""Dialogs about a file that cannot be opened any more, or cannot be written any longer.

The first offers the newest snapshot that is whole, the second another file, or to try again.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from tdapp.domain.errors import StorageError
from tdapp.gui.history.snapshots import restored
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stations import Joining
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.page import Host
from tdapp.gui.widgets.theme import UNIT
from tdapp.storage.snapshots import Snapshot


class RescueDialog(Dialog):
    """Shows what is wrong with a file, and opens its newest snapshot as a new one; the file stays as it is."""

    topic = "tournament"

    def __init__(
        self,
        session: Session,
        error: StorageError,
        snapshot: Snapshot,
        path: Path,
        *,
        parent: QWidget | None = None,
    ) -> None:
        catalogue = session.catalogue
        title = catalogue.text("{name} cannot be opened", name=path.name)
        super().__init__(session, title, yes=catalogue.text("Open the snapshot as a new file…"), parent=parent)
        self._snapshot = snapshot
        self._path = path
        self.resize(UNIT * 70, UNIT * 26)
        taken = catalogue.instant(snapshot.at.isoformat())
        kept = catalogue.text(
            "The newest snapshot is whole: taken {time}, {why}, after step {seq}.",
            time=taken,
            why=catalogue.code(snapshot.why),
            seq=snapshot.revision,
        )
        stays = catalogue.text(
            "The damaged file stays as it is. Keep it: what came after the snapshot may be read from it."
        )
        for text, kind in ((catalogue.error(error), "error"), (kept, ""), (stays, "muted")):
            self.body.addWidget(fields.label(text, kind, wrap=True))

    def take(self) -> None:
        """Ask for the new file's name."""
        text = self.session.catalogue.text
        proposed = self._path.with_name(f"{self._path.stem} {text('from a snapshot')}{self._path.suffix}")
        name, _ = QFileDialog.getSaveFileName(
            self, self.windowTitle(), str(proposed), text("Tournaments (*.tdapp)")
        )
        if name:
            self.take_to(Path(name))

    def take_to(self, target: Path) -> None:
        """Make the new file and open it."""
        self.session.open(partial(restored, self._snapshot, target))
        self.accept()


class ElsewhereDialog(Dialog):
    """Saves the tournament to another file, with all its steps and those that wait."""

    topic = "trouble"

    def __init__(self, session: Session, error: StorageError, *, parent: QWidget | None = None) -> None:
        catalogue = session.catalogue
        title = catalogue.text("The tournament cannot be saved where it was")
        super().__init__(session, title, yes=catalogue.text("Save elsewhere…"), parent=parent)
        self.resize(UNIT * 72, UNIT * 30)
        waiting = session.queue.waiting
        steps = catalogue.plural("One step waits to be saved.", "{n} steps wait to be saved.", waiting)
        way = catalogue.text("Save the tournament elsewhere, with everything until now, and go on there.")
        mend = catalogue.text("Or put it right, a stick that was pulled out or a full disk, and try again.")
        for said, kind in (
            (catalogue.error(error), "error"),
            (steps if waiting else "", "lead"),
            (way, ""),
            (mend, "muted"),
        ):
            if said:
                self.body.addWidget(fields.label(said, kind, wrap=True))
        self.again = fields.button(catalogue.text("Try again"), self._again)
        self.buttons.insertWidget(1, self.again)
        self.no.setText(catalogue.text("Later"))

    def take(self) -> None:
        """Ask for the new file."""
        text = self.session.catalogue.text
        name, _ = QFileDialog.getSaveFileName(
            self, text("Save elsewhere"), self._proposed(), text("Tournaments (*.tdapp)")
        )
        if name:
            self.take_to(Path(name))

    def take_to(self, target: Path) -> None:
        """Save there and go on there."""
        self.accept()
        self.session.save_elsewhere(target)

    def _proposed(self) -> str:
        name = self.session.path.name if self.session.path is not None else "tournament.tdapp"
        return str(Path.home() / name)

    def _again(self) -> None:
        self.accept()
        self.session.queue.retry()


class StorageErrors(QObject):
    """Opens these dialogs over a window when its session reports such an error."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.window())
        self._session, self._window, self._joining = host.session, host.window(), Joining(host)
        self._session.unopened.connect(self._rescue)
        self._session.unjoined.connect(self._joining.ask_again)
        self._session.unsaved.connect(self.save_elsewhere)

    def save_elsewhere(self) -> None:
        """Ask where else to save, once."""
        error = self._session.queue.error
        if error is not None and self._window.findChild(ElsewhereDialog) is None:
            ElsewhereDialog(self._session, error, parent=self._window).open()

    def _rescue(self, path: Path, error: StorageError, snapshot: Snapshot) -> None:
        RescueDialog(self._session, error, snapshot, path, parent=self._window).open()
