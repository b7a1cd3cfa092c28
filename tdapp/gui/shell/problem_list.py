"""The open problems: their list as a panel beside the page, and one as a link in the bar under it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton

from tdapp.domain.problems import Problem, problems
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.theme import UNIT, scaled


def open_problems(session: Session) -> tuple[Problem, ...]:
    """Return what is to be looked at: in the chosen division, of copies, of papers, of what is published."""
    division = session.division
    found: tuple[Problem, ...] = ()
    if division:
        found = session.desk.remember(("problems", division.id), lambda _value: problems(session.index, division))
    return (*found, *session.backups.problems(), *session.printouts.problems(), *session.publishing.problems())


class ProblemsPanel(Panel):
    """The list beside a page; `solve` tells place and key of a problem."""

    solve = Signal(str, str)

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Open problems"), width=UNIT * 52)
        self._shown: tuple[Problem, ...] = ()
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setSpacing(UNIT // 4)
        self.list.setIconSize(QSize(scaled(16), scaled(16)))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(session.catalogue.text("Open problems"))
        self.list.itemActivated.connect(self._go)
        self.list.itemClicked.connect(self._go)
        self._none = fields.label(session.catalogue.text("No open problems"), "muted")
        self._hint = fields.label(session.catalogue.text("Enter goes where it is solved."), "muted", wrap=True)
        fields.fill(self.body, [self._none, self.list, self._hint], self.list)
        self.setFocusProxy(self.list)

    def refresh(self) -> None:
        """Show what is open now; the cursor stays on its problem."""
        found = open_problems(self.session)
        if found == self._shown:
            return
        row, before = self.list.currentRow(), self._shown
        kept = before[row] if 0 <= row < len(before) else None
        self._shown = found
        self.list.clear()
        for problem in found:
            icon = self.session.look.icon("warning" if problem.urgent else "info", "amber")
            item = QListWidgetItem(icon, self.session.catalogue.problem(problem.code, problem.facts))
            item.setToolTip(item.text())
            self.list.addItem(item)
        self.list.setCurrentRow(found.index(kept) if kept in found else min(max(row, 0), len(found) - 1))
        self.list.setVisible(bool(found))
        self._hint.setVisible(bool(found))
        self._none.setVisible(not found)

    def _go(self, item: QListWidgetItem) -> None:
        problem = self._shown[self.list.row(item)]
        self.solve.emit(problem.place, problem.key)


class ProblemLink(QPushButton):
    """An open problem as a link; another may take its place, and nothing is laid out again for the same."""

    def __init__(self, session: Session, go: Callable[[str, str], object]) -> None:
        super().__init__()
        self._session, self._go = session, go
        self._told: object = None
        self._problem: Problem | None = None
        self.setProperty("role", "problem")
        self.setIconSize(QSize(scaled(16), scaled(16)))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._follow)

    def tell(self, problem: Problem | None, width: int) -> None:
        """Show a problem in so many pixels, or nothing."""
        self._problem, look = problem, self._session.look
        text = self._session.catalogue.problem(problem.code, problem.facts) if problem else ""
        told = text, width, problem and problem.urgent, look.colours
        if told == self._told:
            return
        self._told = told
        line = " ".join(text.split())
        self.setText(f" {self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width)}")
        self.setIcon(look.icon("warning" if problem and problem.urgent else "info", "amber"))
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.setVisible(problem is not None)

    def _follow(self) -> None:
        if self._problem is not None:
            self._go(self._problem.place, self._problem.key)
