"""Where a division sits: groups of tables by name, and whether players keep their tables within a session."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import TableGroupId
from tdapp.domain.tables.seating import TableGroupRow, table_groups
from tdapp.gui import fields
from tdapp.gui.fields import Form, LineEdit, NumberEdit
from tdapp.gui.later import if_seen
from tdapp.gui.page import Panel
from tdapp.gui.panels.typing import whole
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView

_FIELDS = {"group": "name", "from_table": "first", "to_table": "last"}
MOST_TABLES = 100_000


class SeatingPanel(Panel):
    """The tables of the chosen division."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Tables"))
        self.want_width(UNIT * 53)
        text = session.catalogue.text
        self.keep = fields.check(text("Players keep their table while it is free"))
        self.keep.clicked.connect(self._set_sessions)
        self.sessions = LineEdit(text("Sessions"), placeholder=text("5, 9"))
        self.sessions.editingFinished.connect(self._sessions_typed)
        self._make_list()
        self._make_form()
        sessions = Form()
        sessions.add(text("Sessions"), self.sessions, text("Rounds that begin a new session, the first aside."))
        note = text("Without groups the tables run on from the first one. With them games sit group by group.")
        parts: list[fields.Part] = [
            self.keep, sessions, -1, fields.rule(), -1,
            fields.label(text("Groups of tables"), "lead"), fields.label(note, "muted", wrap=True), self.view,
            fields.row(1, self._turn_button, self._remove_button), self._form,
            fields.row(1, self._add_button),
        ]  # fmt: skip
        fields.fill(self.body, parts)
        self.body.setStretchFactor(self.view, 1)
        self.setFocusProxy(self.name)

    def refresh(self) -> None:
        """Show the division's tables as they are now; what is typed stays."""
        session, division = self.session, self.session.division
        if division is None:
            self.closed.emit()
            return
        may = session.editable
        self.rows.locked = not may
        for one in (self.keep, self.sessions, self._add_button, self._turn_button, self._remove_button):
            one.setEnabled(may)
        self.keep.setChecked(division.keep_tables)
        if not self.sessions.isModified():
            self.sessions.setText(", ".join(map(str, division.sessions)))
        self.rows.show(table_groups(session.index, division))
        if not self.first.isModified():
            self.first.setText(str(self._next_table()))

    # --- making it

    def _make_list(self) -> None:
        text = self.session.catalogue.text
        self.rows = Rows(self.session.catalogue, edit=self._edit)
        empty = text("No groups yet.\nName a room or a stage below.")
        self.view = TableView(self.rows, look=self.session.look, name=text("Groups of tables"), empty=empty)
        self.view.keep_order()
        widths = {"from_table": 64, "to_table": 64, "accessible": 104}
        self.view.set_widths(widths, stretch=("group",))
        self.view.clicked.connect(self._click)
        self.view.installEventFilter(self)
        self._turn_button = fields.button(text("Accessible or not"), self._turn)
        self._remove_button = fields.button(text("Take off"), self._remove)

    def _make_form(self) -> None:
        text = self.session.catalogue.text
        self.name = LineEdit(text("Name of the group"), placeholder=text("Hall, stage, …"))
        self.first, self.last = NumberEdit(text("First table")), NumberEdit(text("Last table"))
        self.accessible = fields.check(text("Accessible"))
        self._form = Form()
        self._form.add(text("New group"), self.name)
        self._form.add(text("First table"), self.first)
        self._form.add(text("Last table"), self.last)
        self._form.add("", self.accessible)
        for line in (self.name, self.first, self.last):
            line.returnPressed.connect(self._add)
        self._add_button = fields.button(text("Add the group"), self._add, role="primary")

    def _next_table(self) -> int:
        session, division = self.session, self.session.division
        taken = [row.last + 1 for row in session.tournament.table_groups.values()]
        return max(taken, default=division.first_table if division else 1)

    # --- doing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the group off on Delete, turn its mark on the space bar."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and not event.modifiers():
            act = {Qt.Key.Key_Delete: self._remove, Qt.Key.Key_Space: self._turn}.get(Qt.Key(event.key()))
            if act is not None:
                act()
                return True
        return super().eventFilter(watched, event)

    def _sessions_typed(self) -> None:
        if self.sessions.isModified():
            self._set_sessions()

    def _set_sessions(self) -> None:
        division, field = self.session.division, self.sessions
        if division is None:
            return
        field.setModified(False)
        try:
            rounds = tuple(int(one) for one in field.text().replace(",", " ").split())
        except ValueError:
            self.session.refuse(RuleViolation("bad-number", value=field.text(), least=2, most=1_000), field)
            return
        keep = self.keep.isChecked()
        command = partial(commands.set_sessions, division=division.id, keep_tables=keep, sessions=rounds)
        self.session.do(command, field=field)

    def _add(self) -> None:
        division = self.session.division
        if division is None or not self._add_button.isEnabled():
            return
        numbers = []
        for field in (self.first, self.last):
            number = whole(field)
            if number is None:
                self._refuse_number(field)
                return
            numbers.append(number)
        command = partial(
            commands.add_table_group,
            key=self.session.key(),
            division=division.id,
            name=self.name.text(),
            first=numbers[0],
            last=numbers[1],
            accessible=self.accessible.isChecked(),
        )
        wrong = self.last if self.name.text().strip() else self.name
        self.session.do(command, field=wrong, done=if_seen(self, self._added))

    def _added(self) -> None:
        for line in (self.name, self.first, self.last):
            line.clear()
            line.setModified(False)
        self.accessible.setChecked(False)
        self.first.setText(str(self._next_table()))
        self.name.setFocus()

    def _edit(self, key: str, column: str, typed: str) -> None:
        change: dict[str, Any] = {_FIELDS[column]: typed}
        if column != "group":
            try:
                change = {_FIELDS[column]: int(typed)}
            except ValueError:
                self._refuse_number(None, typed)
                return
        self.session.do(partial(commands.edit_table_group, group=TableGroupId(key), **change), field=self.view)

    def _refuse_number(self, field: NumberEdit | None, typed: str = "") -> None:
        value = field.text() if field is not None else typed
        self.session.refuse(RuleViolation("bad-number", value=value, least=1, most=MOST_TABLES), field)

    def _click(self, index: QModelIndex) -> None:
        if self.rows.column_ids()[index.column()] == "accessible":
            self._turn()

    def _turn(self) -> None:
        row: TableGroupRow | None = self.rows.row(self.view.current_key())
        if row is not None and self._turn_button.isEnabled():
            accessible = not row.accessible
            command = partial(commands.edit_table_group, group=TableGroupId(row.key), accessible=accessible)
            self.session.do(command, field=self.view)

    def _remove(self) -> None:
        key = self.view.current_key()
        if key and self._remove_button.isEnabled():
            self.session.do(partial(commands.remove_table_group, group=TableGroupId(key)), field=self.view)
