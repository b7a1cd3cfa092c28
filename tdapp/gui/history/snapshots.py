"""The snapshots of the open file: made, named, compared, opened as a file of their own, copied to a stick."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from tdapp.desk import Desk
from tdapp.domain.errors import RuleViolation
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.services.backups import LONGEST_WAIT
from tdapp.storage.snapshots import Snapshot, Why, restore


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """One snapshot; `since` counts the steps after it."""

    key: str
    at: str
    taken: Why
    snapshot_name: str
    since: int
    snapshot: Snapshot


class SnapshotsPanel(Panel):
    """What is kept beside the file; `compared` tells which steps lie between two states."""

    compared = Signal(int, int)  # the revisions before the first and of the last step

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Snapshots"))
        self.want_width(UNIT * 70)
        text = session.catalogue.text
        self.rows = Rows(session.catalogue, hidden={"snapshot"})
        empty = text("No snapshots yet.\nOne is taken before each pairing and every few minutes with changes.")
        self.view = TableView(self.rows, look=session.look, name=text("Snapshots"), empty=empty)
        self.view.set_widths({}, stretch=("snapshot_name",))
        self.view.activated_row.connect(lambda _key: self.open_copy())
        self.name = LineEdit(text("Name of a snapshot"), placeholder=text("before the final"))
        self.name.returnPressed.connect(self._take)
        self.minutes = NumberEdit(text("Minutes"), width=ROW * 2)
        self.minutes.editingFinished.connect(self._set_minutes)
        self._where = fields.label("", "muted", wrap=True)
        self._second = fields.label("", "", wrap=True)
        self._arrange()
        session.backups_changed.connect(self.refresh)
        self.setFocusProxy(self.name)

    def refresh(self) -> None:
        """Show what is kept now."""
        session, text = self.session, self.session.catalogue.text
        if not session.is_open:
            self.closed.emit()
            return
        snapshots = session.desk.snapshots
        now = len(session.desk.history())
        found = snapshots.listed() if snapshots else ()
        rows = tuple(
            SnapshotRow(item.key, item.at.isoformat(), item.why, item.name, now - item.revision, item)
            for item in found
        )
        self.rows.show(Table("snapshots", _COLUMNS, rows))
        self._where.setText(
            str(snapshots.folder)
            if snapshots
            else text("A tournament in memory has no snapshots. Save a copy first.")
        )
        if not self.minutes.isModified():
            self.minutes.setText(str(session.backups.minutes))
        folder = session.backups.second_folder
        self._second.setText(str(folder) if folder else text("no second copy"))
        for one in (self._take_button, self._open_button, self._since_button, self._folder_button):
            one.setEnabled(snapshots is not None)

    # --- making it

    def _arrange(self) -> None:
        text, button = self.session.catalogue.text, fields.button
        self._take_button = button(text("Take one now"), self._take)
        self._open_button = button(text("Open as a new file…"), self.open_copy, role="primary")
        self._since_button = button(text("What has changed"), self._compare)
        self._folder_button = button(text("Show the folder"), self._show_folder)
        often = fields.label(text("minutes with changes, and before each pairing."), "muted", wrap=True)
        every = fields.row(fields.label(text("Every")), self.minutes, often)
        every.setStretchFactor(often, 1)
        each = text("Copied on every round to another folder or a stick:")
        parts: list[fields.Part] = [
            fields.row(self.name, self._take_button), self.view,
            fields.row(self._since_button, 1, self._open_button), self._where, fields.row(self._folder_button, 1),
            fields.rule(), every, fields.label(each, "muted", wrap=True), self._second,
            fields.row(button(text("Choose…"), self._choose_second), button(text("None"), self._no_second), 1),
        ]  # fmt: skip
        fields.fill(self.body, parts)
        self.body.setStretchFactor(self.view, 1)

    # --- doing

    def open_copy(self) -> None:
        """Ask for a new file, make it of the chosen snapshot and open it."""
        item = self._chosen()
        if item is None:
            return
        text = self.session.catalogue.text
        proposed = item.path.parent.parent / f"{item.path.parent.name.removesuffix(' snapshots')} {item.path.name}"
        pattern = text("Tournaments (*.tdapp)")
        name, _ = QFileDialog.getSaveFileName(self, text("Open as a new file"), str(proposed), pattern)
        if name:
            self.open_copy_as(item, Path(name))

    def open_copy_as(self, item: Snapshot, target: Path) -> None:
        """Make a new file of a snapshot and open it."""
        self.session.open(partial(restored, item, target))

    def _chosen(self) -> Snapshot | None:
        row: SnapshotRow | None = self.rows.row(self.view.current_key())
        return row.snapshot if row is not None else None

    def _take(self) -> None:
        self.session.backups.name(self.name.text().strip())
        self.name.clear()

    def _compare(self) -> None:
        """Emit which steps lie between the chosen snapshot and now, or between two that are chosen."""
        rows: list[SnapshotRow] = [self.rows.row(key) for key in self.view.chosen_keys()]
        revisions = sorted(row.snapshot.revision for row in rows)
        if not revisions:
            return
        last = revisions[-1] if len(revisions) > 1 else len(self.session.desk.history())
        self.compared.emit(revisions[0], last)

    def _show_folder(self) -> None:
        snapshots = self.session.desk.snapshots
        if snapshots is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(snapshots.folder)))

    def _set_minutes(self) -> None:
        if not self.minutes.isModified():
            return
        self.minutes.setModified(False)
        typed = self.minutes.text().strip()
        if not typed.isdecimal() or not 1 <= int(typed) <= LONGEST_WAIT:
            self.session.refuse(RuleViolation("bad-number", value=typed, least=1, most=LONGEST_WAIT), self.minutes)
            return
        self.session.backups.minutes = int(typed)

    def _choose_second(self) -> None:
        text = self.session.catalogue.text
        name = QFileDialog.getExistingDirectory(self, text("Second copies"), self.session.recent.folder())
        if name:
            self.session.backups.second_folder = Path(name)

    def _no_second(self) -> None:
        self.session.backups.second_folder = None


def restored(item: Snapshot, target: Path) -> Desk:
    """Make a new file of a snapshot and open it."""
    restore(item, target)
    return Desk.open(target)


_COLUMNS: tuple[Column[SnapshotRow], ...] = (
    Column("at", Kind.TIME, attrgetter("at")),
    Column("taken", Kind.CODE, attrgetter("taken")),
    Column("snapshot_name", Kind.TEXT, attrgetter("snapshot_name")),
    Column("since", Kind.NUMBER, attrgetter("since")),
)
