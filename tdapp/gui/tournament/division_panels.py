"""Panels about the chosen division: where it sits, and what it is ranked by."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QListWidget

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Unplayed
from tdapp.domain.standings import order_of
from tdapp.domain.tables.schedule import TableGroupRow, table_groups
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Input
from tdapp.gui.shell.session import Session, if_seen
from tdapp.gui.tournament.rule_editors import TieBreakList
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form, LineEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import ROW, UNIT, tall

MOST_TABLES = 100_000


class SeatingPanel(EditorPanel):
    """The tables: groups of them by name, and whether players keep theirs within a session."""

    def __init__(self, session: Session) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Tables"), width=UNIT * 53)
        self._make_sessions()
        self._turn_button = fields.button(text("Accessible or not"), self._turn)
        listing = Listing(
            name=text("Groups of tables"),
            table=partial(self.of_division, table_groups),
            widths={"group": 0, "from_table": 64, "to_table": 64, "accessible": 104},
            empty=text("No groups yet.\nName a room or a stage below."),
            cells={"group": "name", "from_table": "first", "to_table": "last"},
        )
        self.put(
            Editor(
                session,
                fields=[
                    Input(name="name", label=text("New group"), heard=text("Name of the group"),
                          hint=text("Hall, stage, …")),
                    Input(name="first", label=text("First table"), proposed=self._next_table, most=MOST_TABLES),
                    Input(name="last", label=text("Last table"), most=MOST_TABLES),
                    Input(name="accessible", label=text("Accessible")),
                ],
                listing=listing,
                command=commands.add_table_group,
                edit=commands.edit_table_group,
                remove=commands.remove_table_group,
                blame={"": "last"},
                parts=lambda editor: [*editor.list_parts(self._turn_button), *editor.form_parts()],
            )
        )  # fmt: skip
        self.editor.view.set_keys({"Space": self._turn})
        self.editor.view.clicked.connect(self._click)

    def refresh(self) -> None:
        """Show the division's tables as they are now; what is typed stays."""
        super().refresh()
        division = self.session.division
        if division is None:
            return
        for one in (self.keep, self.sessions, self._turn_button):
            one.setEnabled(self.session.editable)
        self.keep.setChecked(division.keep_tables)
        if not self.sessions.isModified():
            self.sessions.setText(", ".join(map(str, division.sessions)))

    def _make_sessions(self) -> None:
        text, form = self.session.catalogue.text, Form()
        self.keep = fields.check(text("Players keep their table while it is free"))
        self.keep.clicked.connect(self._set_sessions)
        self.sessions = LineEdit(text("Sessions"), placeholder=text("5, 9"))
        self.sessions.editingFinished.connect(self._sessions_typed)
        form.add(text("Sessions"), self.sessions, text("Rounds that begin a new session, the first aside."))
        note = text("Without groups the tables run on from the first one. With them games sit group by group.")
        about = fields.label(text("Groups of tables"), "lead"), fields.label(note, "muted", wrap=True)
        fields.fill(self.body, [self.keep, form, -1, fields.rule(), -1, *about])

    def _next_table(self) -> int:
        session, division = self.session, self.session.division
        taken = [row.last + 1 for row in session.tournament.table_groups.values()]
        return max(taken, default=division.first_table if division else 1)

    def _sessions_typed(self) -> None:
        if self.sessions.isModified():
            self._set_sessions()

    def _set_sessions(self) -> None:
        division, field = self.session.division, self.sessions
        if division is None:
            return
        field.setModified(False)
        try:
            rounds = read_numbers(field.text(), least=2, most=1_000)
        except RuleViolation as error:
            self.session.refuse(error, field)
            return
        keep = self.keep.isChecked()
        command = partial(commands.set_sessions, division=division.id, keep_tables=keep, sessions=rounds)
        self.session.do(command, field=field)

    def _click(self, index: QModelIndex) -> None:
        if self.editor.rows.column_ids()[index.column()] == "accessible":
            self._turn()

    def _turn(self) -> None:
        row: TableGroupRow | None = self.editor.rows.row(self.editor.view.current_key())
        if row is not None and self._turn_button.isEnabled():
            command = self.editor.of_row(commands.edit_table_group, row.key, accessible=not row.accessible)
            self.session.do(command, field=self.editor.view)


class RankingPanel(Panel):
    """All tie-breaks, those that count ticked and in their order."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Ranking"))
        self.list = TieBreakList(self.text("Tie-breaks"), session.catalogue)
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setMinimumHeight(tall(ROW - 4) * 8)
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        up = fields.button(self.text("Up"), partial(self.list.shift, -1))
        down = fields.button(self.text("Down"), partial(self.list.shift, 1))
        usual = fields.button(self.text("As the rules say"), partial(self._set, (), Unplayed.PLAIN))
        keep = fields.button(self.text("Keep"), self._keep, role="primary")
        note = self.text("The first that is ticked decides; each next one settles what is still equal.")
        name = self.text("Rounds without a game in resistance points")
        modes = [(mode, session.catalogue.code(mode)) for mode in Unplayed]
        division = session.division
        self._unplayed = Choice(name, modes, session.look, value=division.unplayed if division else Unplayed.PLAIN)
        self._unplayed.currentIndexChanged.connect(self._explain)
        self._explained = fields.label("", "muted", wrap=True)
        fields.fill(self.body, [
            fields.label(note, "muted", wrap=True), self.list, fields.row(up, down, 1), -1,
            fields.label(name, wrap=True), self._unplayed, self._explained, -1, fields.row(usual, 1, keep), 1,
        ])  # fmt: skip
        self.list.fill(order_of(session.index, division) if division else ())
        self._explain()

    def _explain(self) -> None:
        self._explained.setText(self.session.catalogue.explanation(f"unplayed-{self._unplayed.value()}"))

    def _keep(self) -> None:
        self._set(self.list.ticked(), self._unplayed.value())

    def _set(self, order: tuple[str, ...], unplayed: Unplayed | None) -> None:
        division = self.session.division
        if division is not None:
            command = partial(commands.set_order, division=division.id, order=order, unplayed=unplayed)
            self.session.do(command, done=if_seen(self, self.closed.emit), field=self.list)


def read_numbers(typed: str, *, least: int, most: int) -> tuple[int, ...]:
    """Return whole numbers with commas or spaces between them; raise RuleViolation with the bounds for others."""
    try:
        return tuple(int(one) for one in typed.replace(",", " ").split())
    except ValueError:
        raise RuleViolation("bad-number", value=typed, least=least, most=most) from None
