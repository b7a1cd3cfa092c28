"""The open problems of the tournament and the panel that lists them."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QListWidgetItem

from tdapp.desk import Desk
from tdapp.domain.model import Division, DivisionId
from tdapp.domain.problems import Problem, find_division_problems
from tdapp.domain.proposal import find_round_ready_to_pair
from tdapp.domain.stages import find_running_evening
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n.phrases import format_round


def list_open_problems(session: Session) -> tuple[Problem, ...]:
    """Return all problems: urgent ones first, then the selected division's, then the rest."""
    current_division = session.division
    division_problems = list_division_problems(session.desk, current_division) if current_division else ()
    service_problems = (
        *(step.make_problem(session.catalogue) for step in session.queue.refused_steps),
        *session.backups.problems(),
        *session.printouts.problems(),
        *session.publishing.problems(),
        *session.serving.problems(),
    )
    other_problems = [
        problem
        for division in (session.index.divisions if session.is_open else ())
        if division != current_division
        for problem in (
            *list_division_problems(session.desk, division),
            *_list_problems_of_round_to_pair(session, division),
        )
    ]
    return tuple(
        sorted((*division_problems, *service_problems, *other_problems), key=lambda problem: not problem.urgent)
    )


def list_division_problems(desk: Desk, division: Division) -> tuple[Problem, ...]:
    def find_problems_of_division(_value: object) -> tuple[Problem, ...]:
        return tuple(
            replace(problem, division=division.id) for problem in find_division_problems(desk.index, division)
        )

    return desk.get_cached_value(("problems", division.id), find_problems_of_division)


def get_round_to_pair(desk: Desk, division: Division) -> int | None:
    """Return the number of the round that can be paired now, or None."""
    return desk.get_cached_value(
        ("due round", division.id), lambda _value: find_round_ready_to_pair(desk.index, division)
    )


def confirm_pairing_despite_missing_results(session: Session) -> bool:
    """Return whether to pair the next round.

    If a club evening lacks results, the first call asks the user to press F6 again and returns False. The second
    call returns True.
    """
    division, index = session.division, session.index
    stage = find_running_evening(index, division.id) if division is not None else None
    newest_round = next(reversed(index.list_published_rounds(division.id)), None) if division is not None else None
    if stage is None or newest_round is None or newest_round.stage != stage.id:
        return True
    tables = index.list_open_tables(newest_round.id)
    sentence = session.catalogue.plural(
        "{round}: one result is missing. Press F6 again to pair the next game anyway.",
        "{round}: {n} results are missing. Press F6 again to pair the next game anyway.",
        len(tables),
        round=format_round(session.catalogue, index, newest_round),
    )
    return not tables or session.ask_to_confirm_by_repetition((newest_round.id, tuple(tables)), sentence)


def _list_problems_of_round_to_pair(session: Session, division: Division) -> tuple[Problem, ...]:
    number = get_round_to_pair(session.desk, division) if session.is_editable else None
    return () if number is None else (Problem("round-due", {"round": number}, "rounds", division=division.id),)


def describe_problem(session: Session, problem: Problem) -> str:
    text = session.catalogue.describe_problem(problem.code, problem.facts)
    has_several_divisions = len(session.index.divisions) > 1
    division = session.tournament.divisions.get(DivisionId(problem.division)) if has_several_divisions else None
    return f"{division.code}: {text}" if division and "division" not in problem.facts else text


class ProblemsPanel(Panel):
    """The list of problems."""

    problem_chosen = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Open problems"), width=UNIT * 52)
        self._problems: tuple[Problem, ...] = ()
        self.list = TextListWidget(self.text("Open problems"), wrap=True)
        self.list.setSpacing(UNIT // 4)
        self.list.setIconSize(QSize(scale_pixels(16), scale_pixels(16)))
        self.list.itemActivated.connect(self._emit_chosen_problem)
        self.list.itemClicked.connect(self._emit_chosen_problem)
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self._remove_selected_refused_entry)
        self._empty_label = fields.make_label(session.catalogue.text("No open problems"), "muted")
        self._hint = fields.make_note_label("")
        fields.add_parts_to_layout(self.body, self._empty_label, self.list, self._hint, wide=self.list)
        self.setFocusProxy(self.list)

    def refresh_panel(self) -> None:
        problems = list_open_problems(self.session)
        if problems == self._problems:
            return
        row, old_problems = self.list.currentRow(), self._problems
        selected_problem = old_problems[row] if 0 <= row < len(old_problems) else None
        self._problems = problems
        self.list.clear()
        for problem in problems:
            icon = self.session.appearance.make_icon("warning" if problem.urgent else "info", "amber")
            item = QListWidgetItem(icon, describe_problem(self.session, problem))
            item.setToolTip(item.text())
            self.list.addItem(item)
        self.list.setCurrentRow(
            problems.index(selected_problem)
            if selected_problem in problems
            else min(max(row, 0), len(problems) - 1)
        )
        self.list.setVisible(bool(problems))
        hint = self.text("Press Enter to open the page where you can solve the problem.")
        if self.session.queue.refused_steps or self.session.serving.access.refused_lines:
            hint = self.text(
                "Press Enter to open the page where you can solve the problem. Press Delete to remove a "
                "refused entry."
            )
        self._hint.setText(hint)
        self._hint.setVisible(bool(problems))
        self._empty_label.setVisible(not problems)

    def _emit_chosen_problem(self, item: QListWidgetItem) -> None:
        self.problem_chosen.emit(self._problems[self.list.row(item)])

    def _remove_selected_refused_entry(self) -> None:
        row, queue = self.list.currentRow(), self.session.queue
        problem = self._problems[row] if 0 <= row < len(self._problems) else None
        for step in [
            queued_step
            for queued_step in queue.refused_steps
            if queued_step.make_problem(self.session.catalogue) == problem
        ]:
            queue.drop_refused_step(step)
        if problem is not None:
            self.session.serving.remove_refused_line_of_problem(problem)


def make_problem_key(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.key, problem.division
