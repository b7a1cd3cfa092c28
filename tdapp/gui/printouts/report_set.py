"""The panel with the reports printed together at a moment, saved at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QGridLayout, QLineEdit, QScrollArea, QWidget

from tdapp.domain import commands
from tdapp.domain.commands.papers import MOST_COPIES
from tdapp.domain.paper import Moment, Paper, ReportChoiceId
from tdapp.gui.printouts.printer import page_sizes, report_titles
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, NumberEdit
from tdapp.gui.widgets.page import Panel, lead_tab
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.catalogue import LANGUAGE_NAMES
from tdapp.reports.registry import list_reports_together


class ReportSetPanel(Panel):
    """Each change can be undone."""

    topic = "papers"

    def __init__(self, session: Session, moment: Moment) -> None:
        super().__init__(session, session.catalogue.text("Printed together"), width=UNIT * 60)
        moments = [(one, session.catalogue.code(one)) for one in Moment]
        self.moment: Choice[Moment] = Choice(self.text("Printed together"), moments, session.look, value=moment)
        self.moment.currentIndexChanged.connect(self._show_papers)
        self.lines: list[ReportLine] = []
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        kinds = [("", self.text("Add a report…")), *report_titles(session)]
        self.added: Choice[str] = Choice(self.text("Add a report…"), kinds, session.look)
        self.added.currentIndexChanged.connect(self._add_report)
        self.back = fields.button(self.text("As tdapp proposes"), partial(self._keep, ()), role="link")
        note = self.text("Kept with the tournament: another computer that opens it prints the same.")
        fields.fill(self.body, self.moment, self._scroll, fields.row(self.added, 1, self.back))
        self.body.addWidget(fields.note(note))
        self._shown: tuple[Paper, ...] = ()
        self.setFocusProxy(self.moment)
        self._show_papers()

    def refresh_panel(self) -> None:
        if self._papers() != self._shown:
            self._show_papers()
        for one in (self.added, self.back, *self.lines):
            one.setEnabled(not self.session.is_read_only)

    def change(self, paper: Paper, *instead: Paper, by: int = 0) -> None:
        """Replace, add, remove or move a report. An empty set restores the proposal."""
        papers = list(self._papers())
        if paper in papers:
            place = papers.index(paper)
            del papers[place]
            place = max(0, place + by)
            self._keep((*papers[:place], *instead, *papers[place:]))

    def _add_report(self, _place: int) -> None:
        report = self.added.value()
        if report:
            self.added.choose("")
            paper = Paper(ReportChoiceId(""), self._chosen(), 0, report, self.session.printouts.page_size)
            self._keep((*self._papers(), paper))

    def _keep(self, papers: tuple[Paper, ...]) -> None:
        self.session.do(partial(commands.choose_reports, moment=self._chosen(), papers=papers), quiet=True)

    def _chosen(self) -> Moment:
        return self.moment.value() or Moment.ROUND

    def _papers(self) -> tuple[Paper, ...]:
        return list_reports_together(
            self.session.tournament, self._chosen(), page=self.session.printouts.page_size
        )

    def _show_papers(self, _place: int = 0) -> None:
        self._shown = self._papers()
        before: QWidget | None = self._scroll.takeWidget()
        if before is not None:
            before.deleteLater()  # not immediately: the sender may be one of its own fields
        whole = QWidget()
        column = QGridLayout(whole)
        column.setContentsMargins(0, 0, UNIT, 0)
        self.lines = [ReportLine(self, position, paper) for position, paper in enumerate(self._shown)]
        for position, line in enumerate(self.lines):
            column.addWidget(line, position, 0)
        column.setRowStretch(len(self.lines), 1)
        self._scroll.setWidget(whole)
        whole.setAutoFillBackground(False)
        # Tab visits the lines, created last, before the widgets below them
        kinds = (QComboBox, QLineEdit, QAbstractButton)
        made = [one for line in self.lines for one in line.findChildren(QWidget) if isinstance(one, kinds)]
        lead_tab([self.moment, *made, self.added, self.back])


class ReportLine(QWidget):
    """One report of the set with its copies, paper size and language."""

    def __init__(self, panel: ReportSetPanel, place: int, paper: Paper) -> None:
        super().__init__()
        self._panel, self._paper = panel, paper
        session, look = panel.session, panel.session.look
        text = session.catalogue.text
        self.report: Choice[str] = Choice(text("Report"), report_titles(session), look, value=paper.report)
        self.copies = NumberEdit(text("Copies"), value=paper.copies, width=UNIT * 7)
        self.page: Choice[str] = Choice(text("Paper size"), page_sizes(session), look, value=paper.page)
        columns: list[tuple[int | None, str]] = [
            (None, text("Columns as usual")), (1, text("One column")), (2, text("Two columns")),
        ]  # fmt: skip
        self.columns: Choice[int | None] = Choice(text("Columns"), columns, look, value=paper.columns)
        names = [("", text("This language")), *LANGUAGE_NAMES.items()]
        self.language: Choice[str] = Choice(text("Language"), names, look, value=paper.language)
        for choice in (self.report, self.page, self.columns, self.language):
            choice.currentIndexChanged.connect(self._change)
        self.copies.editingFinished.connect(self._count)
        above = self._button("chevron-up", text("Earlier"), partial(panel.change, paper, paper, by=-1))
        below = self._button("chevron-down", text("Later"), partial(panel.change, paper, paper, by=1))
        self.away = self._button("close", text("Leave out"), partial(panel.change, paper))
        above.setEnabled(place > 0)
        times = fields.label(text("copies"), "muted")
        column = QGridLayout(self)
        column.setContentsMargins(0, 0, 0, UNIT)
        column.addLayout(fields.row(self.report, 1, above, below, self.away), 0, 0)
        column.addLayout(fields.row(self.copies, times, self.page, 1), 1, 0)
        column.addLayout(fields.row(self.columns, self.language, 1), 2, 0)
        column.addWidget(fields.rule(), 3, 0)

    def _button(self, icon: str, said: str, run: Callable[[], None]) -> QWidget:
        made = fields.button("", run, role="quiet", name=said, tip=said)
        made.setIcon(self._panel.session.look.icon(icon))
        return made

    def _change(self, _place: int = 0) -> None:
        paper = replace(
            self._paper,
            report=self.report.value() or self._paper.report,
            page=self.page.value() or "a4",
            columns=self.columns.value(),
            language=self.language.value() or "",
        )
        self._panel.change(self._paper, paper)

    def _count(self) -> None:
        copies = self.copies.whole()
        if copies is None or not 1 <= copies <= MOST_COPIES:
            self.copies.setText(str(self._paper.copies))
        elif copies != self._paper.copies:
            self._panel.change(self._paper, replace(self._paper, copies=copies))
