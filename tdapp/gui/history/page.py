"""The History page: what was done, newest first, in words; any moment of it can be looked at again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from tdapp.desk import Desk
from tdapp.domain.tables.history import GROUPS, HistoryRow, group_of, history
from tdapp.domain.tables.table import Column, Table
from tdapp.domain.tournament import Tournament
from tdapp.exchange.cells import write_table
from tdapp.exchange.text import write_file
from tdapp.gui.history.snapshots import SnapshotsPanel
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.later import if_there
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.page import Page
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.storage import Store


class HistoryPage(Page):
    """Every step since the beginning; what was undone is marked."""

    id = "history"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.set_title(text("History"), text("Every step, kept in the file itself; undo takes back the newest."))
        self.rows = Rows(session.catalogue, tone=_tone, hidden={"id"}, shown={"step": self._step})
        self.view = TableView(
            self.rows, look=session.look, name=text("History"), empty=text("Nothing has been done yet.")
        )
        self.view.set_widths({"seq": 72, "at": 168, "station": 120, "undone": 96})
        self.view.activated_row.connect(lambda _key: self.look_back())
        self.view.selected.connect(self.moved)
        search = SearchField(text("Search by player, table or word"), session.look)
        search.textChanged.connect(self.view.filter)
        kinds = [("", text("Everything")), *((group, session.catalogue.code(group)) for group in GROUPS)]
        self._kind: Choice[str] = Choice(text("Kind of step"), kinds, session.look)
        self._kind.currentIndexChanged.connect(self.refresh)
        self._between: tuple[int, int] | None = None
        self._between_words = fields.label("", "muted")
        self._all = fields.button(text("All steps"), self.show_all, role="link")
        self.body.addLayout(fields.row(self._kind, search, self._between_words, self._all, 1))
        self.body.addWidget(self.view)
        session.opened.connect(self._forget)
        self.setFocusProxy(self.view)

    def actions_table(self) -> tuple[Action, ...]:
        """Return what can be done with the list, and with the past."""
        text = self.session.catalogue.text
        return (
            Action("look-back", text("As it was then"), self.look_back, "history", "", "edit", self._has_step,
                   header=True),
            Action("snapshots", text("Snapshots…"), self.open_snapshots, "save", "", "tournament", header=True),
            Action("save-history", text("Save the list…"), self.save, "", "", "edit"),
            Action("copy-history", text("Copy"), self.view.copy, "copy", header=True),
        )  # fmt: skip

    def refresh(self) -> None:
        """Show the journal as it is now."""
        self.rows.show(self._table())
        between, text = self._between, self.session.catalogue.text
        self._between_words.setText(self._compared())
        done = bool(self.session.desk.history())
        self.view.set_empty(text("No such steps.") if done else text("Nothing has been done yet."))
        for one in (self._between_words, self._all):
            one.setVisible(between is not None)
        self.command("look-back").update_state()

    def look_back(self) -> None:
        """Show the tournament as it was after the step under the cursor, in a window of its own."""
        key = self.view.current_key()
        if key:
            seq = int(key)
            self.session.ask(partial(self.session.desk.at, seq), then=if_there(self, partial(self._show, seq)))

    def open_snapshots(self) -> None:
        """Open the panel with the snapshots."""
        panel = SnapshotsPanel(self.session)
        panel.compared.connect(self.compare)
        self.panel.emit(panel)
        panel.setFocus()

    def compare(self, before: int, last: int) -> None:
        """Show the steps after `before` up to `last` only."""
        self._between = (before, last)
        self.refresh()

    def show_all(self) -> None:
        """Show every step again."""
        self._between = None
        self.refresh()

    def save(self) -> None:
        """Ask where to, and save the steps that are shown."""
        text = self.session.catalogue.text
        proposed = str(Path(self.session.recent.folder()) / f"{text('History')}.csv")
        name, _ = QFileDialog.getSaveFileName(self, text("Save the list"), proposed, "*.csv")
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Save the steps that are shown as CSV, in the user's language."""
        catalogue, table = self.session.catalogue, self._table()
        spoken = Table(table.id, tuple(self._spoken(column) for column in table.columns), table.rows)
        message = catalogue.text("Written: {name}", name=path.name)
        self.session.compute(
            lambda: write_file(path, write_table(spoken, heading=catalogue.heading)),
            then=lambda _none: self.session.say(message),
            label=catalogue.text("Writing {name}", name=path.name),
        )

    def _spoken(self, column: Column[HistoryRow]) -> Column[HistoryRow]:
        """Return a column whose steps are in words."""
        return replace(column, value=self._step) if column.id == "step" else column

    def _table(self) -> Table[HistoryRow]:
        whole = history(self.session.desk.history())
        low, high = self._between or (0, len(whole.rows))
        kind = self._kind.value()
        rows = (
            row for row in whole.rows if low < row.seq <= high and (not kind or group_of(row.step.label) == kind)
        )
        return Table(whole.id, whole.columns, tuple(rows))

    def _compared(self) -> str:
        """Return which steps are shown, nothing where all are."""
        if self._between is None:
            return ""
        (before, last), text = self._between, self.session.catalogue.text
        if before == last:
            return text("Nothing has changed since step {seq}.", seq=last)
        return text("Steps {first} to {last}", first=before + 1, last=last)

    def _show(self, seq: int, value: Tournament) -> None:
        self.session.looked_back.emit(Desk(Store.memory(value, read_only=True)), seq)

    def _has_step(self) -> bool:
        return self.session.is_open and bool(self.view.current_key())

    def _forget(self) -> None:
        self._between = None

    def _step(self, row: HistoryRow) -> str:
        words, facts = self.session.words(row.step), row.step.facts
        if "first_name" in facts and str(facts["first_name"]) not in words:
            words += " · " + self.session.catalogue.text("round {round}: {first_name} – {second_name}", **facts)
        if row.step.undoes is None:
            return words
        return self.session.catalogue.text("Undone: {step}", step=words)


def _tone(row: HistoryRow) -> str:
    return "muted" if row.undone else ""
