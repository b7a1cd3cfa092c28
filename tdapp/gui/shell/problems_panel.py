"""All open problems, one under the other; Enter or a click goes where one is solved, and the list stays."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from tdapp.domain.problems import Problem, problems
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT


def open_problems(session: Session) -> tuple[Problem, ...]:
    """Return what is to be looked at: in the chosen division, of copies, of papers, of what is published."""
    division = session.division
    found = (
        session.desk.remember(("problems", division.id), lambda _value: problems(session.index, division))
        if division
        else ()
    )
    return (
        *found,
        *session.backups.problems(),
        *session.printouts.problems(),
        *session.publishing.problems(),
    )


class ProblemsPanel(Panel):
    """The list beside a page; `solve` tells place and key of a problem."""

    solve = Signal(str, str)

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Open problems"))
        self.want_width(UNIT * 52)
        self._shown: tuple[Problem, ...] = ()
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setSpacing(UNIT // 4)
        self.list.setIconSize(QSize(16, 16))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(session.catalogue.text("Open problems"))
        self.list.itemActivated.connect(self._go)
        self.list.itemClicked.connect(self._go)
        self._none = fields.label(session.catalogue.text("No open problems"), "muted")
        self._hint = fields.label(session.catalogue.text("Enter goes where it is solved."), "muted", wrap=True)
        fields.fill(self.body, [self._none, self.list, self._hint])
        self.body.setStretchFactor(self.list, 1)
        self.setFocusProxy(self.list)

    def refresh(self) -> None:
        """Show what is open now; the cursor stays on its problem."""
        if not self.session.is_open:
            self.closed.emit()
            return
        found = open_problems(self.session)
        if found == self._shown:
            return
        row, before = self.list.currentRow(), self._shown
        kept = before[row] if 0 <= row < len(before) else None
        self._shown = found
        self.list.clear()
        for problem in found:
            icon = self.session.look.icon("warning" if problem.urgent else "info", "amber")
            words = self.session.catalogue.problem(problem.code, problem.facts)
            item = QListWidgetItem(icon, words)
            item.setToolTip(words)
            self.list.addItem(item)
        self.list.setCurrentRow(found.index(kept) if kept in found else min(max(row, 0), len(found) - 1))
        self.list.setVisible(bool(found))
        self._hint.setVisible(bool(found))
        self._none.setVisible(not found)

    def _go(self, item: QListWidgetItem) -> None:
        problem = self._shown[self.list.row(item)]
        self.solve.emit(problem.place, problem.key)
