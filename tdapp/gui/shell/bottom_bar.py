"""The bottom bar of the window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton

from tdapp.domain.problems import Problem
from tdapp.domain.translatable import C_
from tdapp.gui.shell.problems_panel import describe_problem, list_open_problems, make_problem_key
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.theme import UNIT, scale_line_height, scale_pixels
from tdapp.services.worker import BackgroundTask

MAX_LINKS = 3
MAX_TIP_LINES = 20  # further problems in the tool tip
_AGE_INTERVAL = 30_000  # ms between updates of the age of the published pages
LINK_FRAME = UNIT * 7  # pixels of a problem without its text: icon and padding


class BottomBar(QFrame):
    """Open problems on the left, running work and the save state on the right."""

    page_requested = Signal(object)  # the problem to solve
    all_requested = Signal()  # show all problems
    save_elsewhere_requested = Signal()  # save the tournament to another file

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._task: BackgroundTask | None = None
        self._context: object = None  # tournament and division of `_announced_problems`
        self._announced_problems: set[tuple[str, str, str]] = set()  # code, key and division
        self.setObjectName("bottombar")
        self.setFixedHeight(scale_line_height(UNIT * 5))
        self._links = fields.make_row()
        self._working = fields.make_label()
        self._cancel = fields.make_button(session.catalogue.text("Cancel"), self._cancel_running_work, role="link")
        self._saved = SaveStateLabel(session)
        self._saved.save_elsewhere_requested.connect(self.save_elsewhere_requested)
        self.page_age_label = fields.make_label("", "muted")
        self._age_timer = QTimer(self, interval=_AGE_INTERVAL)
        self._age_timer.timeout.connect(self._show_age_of_web_pages)
        self._age_timer.start()
        parts = (self._links, self._working, self._cancel, self.page_age_label, self._saved)
        fields.make_row(*parts, margins=(UNIT, 0, UNIT * 2, 0), parent=self).setStretch(0, 1)
        session.work.busy.connect(self._show_running_work)
        session.appearance.changed.connect(self._refresh_if_tournament_open)
        session.published.connect(self._refresh_if_tournament_open)
        self._show_running_work(None)

    def refresh_bar(self) -> None:
        problems = list_open_problems(self._session)
        self._show_problem_links(problems)
        self._announce_new_problems(problems)
        self._saved.show_save_state()
        self._show_age_of_web_pages()

    def _show_age_of_web_pages(self) -> None:
        fields.show_text(self.page_age_label, self._session.publishing.describe_page_age())

    def _announce_new_problems(self, problems: Sequence[Problem]) -> None:
        context = (self._session.path, self._session.division.id if self._session.division else None)
        if context == self._context:
            new_texts = [
                self._describe_problem(problem)
                for problem in problems
                if make_problem_key(problem) not in self._announced_problems
            ]
            announce_text(self, ". ".join(new_texts))
        self._context, self._announced_problems = context, set(map(make_problem_key, problems))

    def _refresh_if_tournament_open(self) -> None:
        if self._session.is_open:
            self.refresh_bar()

    def _show_problem_links(self, problems: Sequence[Problem]) -> None:
        fields.clear_layout(self._links)
        linked_problems = problems[:MAX_LINKS]
        widths = self._compute_problem_link_widths([*map(self._describe_problem, linked_problems)])
        for problem, width in zip(linked_problems, widths, strict=True):
            self._links.addWidget(self._make_problem_link(problem, width))
        further_problems = problems[MAX_LINKS:]
        if further_problems:
            link_text = self._session.catalogue.text(C_("shortened list", "{n} more"), n=len(further_problems))
            tip = "\n".join(map(self._describe_problem, further_problems[:MAX_TIP_LINES]))
            self._links.addWidget(fields.make_button(link_text, self.all_requested.emit, role="link", tip=tip))
        if not problems:
            no_problems = fields.make_label(self._session.catalogue.text("No open problems"), "muted")
            no_problems.setContentsMargins(UNIT, 0, 0, 0)
            self._links.addWidget(no_problems)
        self._links.addStretch(1)

    def _compute_problem_link_widths(self, texts: Sequence[str]) -> Sequence[int]:
        parts = (self._working, self._cancel, self.page_age_label, self._saved)
        other_width = sum(widget.sizeHint().width() for widget in parts if not widget.isHidden())
        available_width = self.width() - other_width - (LINK_FRAME * len(texts) + scale_pixels(UNIT * 16))
        text_widths = [self.fontMetrics().horizontalAdvance(text) + 1 for text in texts]
        widths = dict.fromkeys(range(len(texts)), 0)
        for position, index in enumerate(sorted(widths, key=text_widths.__getitem__)):
            widths[index] = min(text_widths[index], max(available_width // (len(texts) - position), UNIT * 16))
            available_width -= widths[index]
        return tuple(widths.values())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh_if_tournament_open()

    def _make_problem_link(self, problem: Problem, width: int) -> QPushButton:
        text = self._describe_problem(problem)
        line = " ".join(text.split())
        link = fields.Button(f" {self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width)}")
        link.setProperty("role", "problem")
        link.setIcon(self._session.appearance.make_icon("warning" if problem.urgent else "info", "amber"))
        link.setIconSize(QSize(scale_pixels(16), scale_pixels(16)))
        link.setMinimumWidth(LINK_FRAME)  # keep the window's minimum width, or it would grow each time
        link.setToolTip(text)
        link.setAccessibleName(text)
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.clicked.connect(partial(self.page_requested.emit, problem))
        return link

    def _describe_problem(self, problem: Problem) -> str:
        return describe_problem(self._session, problem)

    def _show_running_work(self, task: BackgroundTask | None) -> None:
        before, self._task = self._task, task
        fields.show_text(self._working, task.label if task else "")
        announce_text(self._working, self._working.text())
        self._cancel.setVisible(task is not None)
        self._saved.setVisible(task is None)
        if task is not before:
            self._refresh_if_tournament_open()

    def _cancel_running_work(self) -> None:
        if self._task is not None:
            self._task.cancel_work()
        self._show_running_work(None)
