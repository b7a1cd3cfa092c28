"""The bottom bar, the problems panel, and the message toast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QPixmap, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.model import Division, DivisionId
from tdapp.domain.problems import Problem, find_problems
from tdapp.domain.proposal import find_round_ready_to_pair
from tdapp.domain.roles import Role
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stations import describe_own_rights, describe_server_if_moved
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import UNIT, scale_line_height, scale_pixels
from tdapp.services.worker import BackgroundTask

MAX_LINKS = 3
MAX_TIP_LINES = 20  # further problems in the tool tip
_AGE_INTERVAL = 30_000  # ms between updates of the age of the published pages
LINK_FRAME = UNIT * 7  # pixels of a problem without its text: icon and padding


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
            *_find_round_to_pair_problem(session, division),
        )
    ]
    return tuple(
        sorted((*division_problems, *service_problems, *other_problems), key=lambda problem: not problem.urgent)
    )


def list_division_problems(desk: Desk, division: Division) -> tuple[Problem, ...]:
    def find_problems_of_division(_value: object) -> tuple[Problem, ...]:
        return tuple(replace(problem, division=division.id) for problem in find_problems(desk.index, division))

    return desk.get_cached_value(("problems", division.id), find_problems_of_division)


def get_round_to_pair(desk: Desk, division: Division) -> int | None:
    """Return the number of the round that can be paired now, or None if no round can."""
    return desk.get_cached_value(
        ("due round", division.id), lambda _value: find_round_ready_to_pair(desk.index, division)
    )


def _find_round_to_pair_problem(session: Session, division: Division) -> tuple[Problem, ...]:
    number = get_round_to_pair(session.desk, division) if session.is_editable else None
    return () if number is None else (Problem("round-due", {"round": number}, "rounds", division=division.id),)


def describe_problem(session: Session, problem: Problem) -> str:
    text = session.catalogue.problem(problem.code, problem.facts)
    has_several_divisions = len(session.index.divisions) > 1
    division = session.tournament.divisions.get(DivisionId(problem.division)) if has_several_divisions else None
    return f"{division.code}: {text}" if division else text


class ProblemsPanel(Panel):
    """The list of problems. Signal `problem_chosen` carries the chosen problem."""

    problem_chosen = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Open problems"), width=UNIT * 52)
        self._problems: tuple[Problem, ...] = ()
        self.list = TextListWidget(self.text("Open problems"), wrap=True)
        self.list.setSpacing(UNIT // 4)
        self.list.setIconSize(QSize(scale_pixels(16), scale_pixels(16)))
        self.list.itemActivated.connect(self._report_chosen_problem)
        self.list.itemClicked.connect(self._report_chosen_problem)
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self._remove_selected_refused_entry)
        self._empty_label = fields.label(session.catalogue.text("No open problems"), "muted")
        self._hint = fields.note("")
        fields.fill_layout(self.body, self._empty_label, self.list, self._hint, wide=self.list)
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
        hint = self.text("Press Enter to open the page that solves the problem.")
        if self.session.queue.refused_steps or self.session.serving.access.refused_lines:
            hint = self.text(
                "Press Enter to open the page that solves the problem. Press Delete to remove a refused entry."
            )
        self._hint.setText(hint)
        self._hint.setVisible(bool(problems))
        self._empty_label.setVisible(not problems)

    def _report_chosen_problem(self, item: QListWidgetItem) -> None:
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
            self.session.serving.drop_refused_line(problem)


def _make_problem_key(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.key, problem.division


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
        self._links = fields.row()
        self._working = fields.label()
        self._cancel = fields.button(session.catalogue.text("Cancel"), self._cancel_running_work, role="link")
        self._saved = SaveStateLabel(session)
        self._saved.save_elsewhere_requested.connect(self.save_elsewhere_requested)
        self.page_age_label = fields.label("", "muted")
        self._age_timer = QTimer(self, interval=_AGE_INTERVAL)
        self._age_timer.timeout.connect(self._show_age_of_web_pages)
        self._age_timer.start()
        parts = (self._links, self._working, self._cancel, self.page_age_label, self._saved)
        fields.row(*parts, margins=(UNIT, 0, UNIT * 2, 0), parent=self).setStretch(0, 1)
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
                if _make_problem_key(problem) not in self._announced_problems
            ]
            announce_text(self, ". ".join(new_texts))
        self._context, self._announced_problems = context, set(map(_make_problem_key, problems))

    def _refresh_if_tournament_open(self) -> None:
        if self._session.is_open:
            self.refresh_bar()

    def _show_problem_links(self, problems: Sequence[Problem]) -> None:
        fields.clear_layout(self._links)
        linked_problems = problems[:MAX_LINKS]
        widths = self._allot_link_widths([*map(self._describe_problem, linked_problems)])
        for problem, width in zip(linked_problems, widths, strict=True):
            self._links.addWidget(self._make_problem_link(problem, width))
        further_problems = problems[MAX_LINKS:]
        if further_problems:
            link_text = self._session.catalogue.text(C_("shortened list", "{n} more"), n=len(further_problems))
            tip = "\n".join(map(self._describe_problem, further_problems[:MAX_TIP_LINES]))
            self._links.addWidget(fields.button(link_text, self.all_requested.emit, role="link", tip=tip))
        if not problems:
            no_problems = fields.label(self._session.catalogue.text("No open problems"), "muted")
            no_problems.setContentsMargins(UNIT, 0, 0, 0)
            self._links.addWidget(no_problems)
        self._links.addStretch(1)

    def _allot_link_widths(self, texts: Sequence[str]) -> Sequence[int]:
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
        link = QPushButton(f" {self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width)}")
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


class SaveStateLabel(QWidget):
    """The role of this computer in a shared tournament, and the save state.

    The save state is the time of the last save, or the number of unsaved changes with the reason.
    """

    save_elsewhere_requested = Signal()  # save to another file

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._station = fields.label()
        self._picture = QLabel()
        self._icon = QLabel()
        self._text = fields.label("", "muted")
        self._save = fields.button(
            session.catalogue.text("Save elsewhere…"), self.save_elsewhere_requested.emit, role="link"
        )
        self._announced = ""
        self._copy = fields.button(
            session.catalogue.text("Copy unsaved steps"), self._copy_unsaved_steps_to_clipboard, role="link"
        )
        parts = (self._picture, self._station, -1, self._icon, self._text, self._save, self._copy)
        fields.row(*parts, parent=self)
        session.saving.connect(self.show_save_state)

    def get_text(self) -> str:
        return self._text.text()

    def show_save_state(self) -> None:
        session = self._session
        icon, tone, text, tip = self._describe_save_state()
        self._icon.setPixmap(self._draw_icon(icon, tone))
        self._text.setText(text)
        self._text.setToolTip(tip or text)
        self._style_save_state(tone)
        self._announce_save_state(tone, text)
        self._save.setVisible(session.queue.error is not None and not session.queue.is_connection_lost)
        self._copy.setVisible(session.queue.is_station_removed and bool(session.queue.unsaved_work))
        for widget in (self._station, self._picture):
            widget.setVisible(session.address is not None)
        if session.address is not None:
            role = session.catalogue.code(session.desk.role)
            is_default_name = session.desk.station == session.desk.role.value
            self._station.setText(role if is_default_name else f"{session.desk.station} · {role}")
            self._station.setToolTip(describe_own_rights(session))
            self._picture.setPixmap(self._draw_icon("stations", "muted"))

    def _copy_unsaved_steps_to_clipboard(self) -> None:
        descriptions = [step.describe() for step in self._session.queue.unsaved_work]
        QGuiApplication.clipboard().setText("\n".join(descriptions))
        self._session.show_message(self._session.catalogue.text("Copied"))

    def _draw_icon(self, icon: str, tone: str) -> QPixmap:
        return self._session.appearance.draw_icon(icon, tone, 16, self)

    def _describe_save_state(self) -> tuple[str, str, str, str]:
        """Return icon, colour tone, text and tool tip."""
        session, catalogue = self._session, self._session.catalogue
        queue = session.queue
        if queue.error is not None:
            return self._describe_save_error(queue.error)
        if queue.is_saving_late:
            return self._describe_late_save()
        if session.desk.role is Role.DISPLAY:
            return "lock", "amber", catalogue.text("Read only: this is a display"), describe_own_rights(session)
        store = session.desk.store
        if not store.write_obstacle and not store.read_only:
            saved = catalogue.text("All saved {time}", time=_format_time(session.saved_at)).strip()
            return "saved", "green", saved, ""
        if store.write_obstacle == "folder-read-only":
            text = catalogue.text("Read only: the folder cannot be written to")
        else:
            text = catalogue.text("Read only: nothing can be changed")
        if store.new_location is not None:
            return (
                "lock",
                "amber",
                catalogue.text("Read only: the tournament continues on another computer"),
                describe_server_if_moved(session),
            )
        error = StorageError(store.write_obstacle, path=str(store.path)) if store.write_obstacle else None
        return "lock", "amber", text, catalogue.error(error) if error else ""

    def _describe_save_error(self, error: StorageError) -> tuple[str, str, str, str]:
        queue, catalogue = self._session.queue, self._session.catalogue
        if error.code == "server-ended":
            text = catalogue.text("The director has stopped sharing")
        elif queue.is_station_removed:
            text = catalogue.text("This station no longer takes part")
        elif queue.is_connection_lost:
            text = catalogue.text("No connection since {time}, trying again", time=_format_time(queue.error_since))
        elif queue.is_store_locked:
            text = catalogue.text(
                "Another program has locked the file since {time}. Trying again…",
                time=_format_time(queue.error_since),
            )
        else:
            text = catalogue.text("Not saved")
        tone = (
            "amber"
            if (queue.is_connection_lost or queue.is_store_locked) and not queue.is_station_removed
            else "red"
        )
        return "warning", tone, self._add_unsaved_count(text), catalogue.error(error)

    def _describe_late_save(self) -> tuple[str, str, str, str]:
        session, text = self._session, self._session.catalogue.text
        steps = "\n".join(step.describe() for step in session.queue.unsaved_work)
        if not session.queue.is_store_unresponsive:
            return "history", "amber", text("Saving…"), steps
        problem = text("The server does not answer") if session.address else text("The disk does not answer")
        return "warning", "red", self._add_unsaved_count(problem), steps

    def _add_unsaved_count(self, text: str) -> str:
        unsaved_count = len(self._session.queue.unsaved_work)
        unsaved_text = (
            self._session.catalogue.plural(
                "one step is not saved yet", "{n} steps are not saved yet", unsaved_count
            )
            if unsaved_count
            else ""
        )
        return " · ".join(filter(None, (text, unsaved_text)))

    def _announce_save_state(self, tone: str, text: str) -> None:
        state = "" if tone == "green" else text.partition(" · ")[0]
        if state != self._announced:
            announce_text(self._text, text, urgent=bool(state))
        self._announced = state

    def _style_save_state(self, tone: str) -> None:
        text, kind = self._text, "error" if tone == "red" else "muted"
        name = "badge" if self._session.queue.is_connection_lost else ""
        if (text.property("kind"), text.objectName()) != (kind, name):
            text.setProperty("kind", kind)
            text.setObjectName(name)
            fields.reapply_style_sheet(text)


def _format_time(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%H:%M:%S") if moment else ""


DURATIONS = {"plain": 6_000, "red": 15_000}  # ms
_COVER_INTERVAL = 300  # ms between checks that the toast hides no text
MAX_WIDTH = UNIT * 90
BOTTOM_MARGIN, TOP_MARGIN = UNIT * 7, UNIT * 9  # pixels kept free for the bars
CONTROLS = (QAbstractButton, QLineEdit, QComboBox)
NOTES = (QLabel, QHeaderView)


class Toast(QFrame):
    """A message near the bottom of its container, for some seconds or until the next command succeeds."""

    undo = Signal(int)  # number of the step

    def __init__(self, session: Session, container: QWidget, bar: QWidget | None = None) -> None:
        super().__init__(container)
        self._container, self._bar = container, bar
        self._appearance = session.appearance
        self._step = 0
        self._fitted_areas: object = None  # sizes and areas
        self.setObjectName("toast")
        self._icon = QLabel()
        self._text = fields.label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._undo = fields.button(session.catalogue.text("Undo"), self._request_undo)
        self._close = QToolButton()
        self._close.setAccessibleName(session.catalogue.text("Close"))
        self._close.clicked.connect(self.hide)
        for button in (self._undo, self._close):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parts = (self._icon, self._text, self._undo, self._close)
        fields.row(*parts, gap=UNIT + 4, margins=(UNIT * 2, UNIT // 2, UNIT, UNIT // 2), parent=self)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        # texts under the toast can appear later, for example the result of a calculation
        self._cover_timer = QTimer(self, interval=_COVER_INTERVAL)
        self._cover_timer.timeout.connect(partial(self._move_to_best_position, stay_if_free=True))
        container.installEventFilter(self)
        session.succeeded.connect(self.hide)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._move_after_focus_change)
        self.hide()

    def show_message(self, sentence: str, step: int, tone: str) -> None:
        """Show a message. `step` is the number of the history step that its Undo button undoes; 0: no button.

        `tone` is "plain" for a finished action, "note" for information, "red" for a refusal.
        """
        self._step = step
        self.setProperty("tone", tone)
        for widget in (self, self._text, self._undo):
            fields.reapply_style_sheet(widget)
        is_refusal = tone == "red"
        icon = "warning" if is_refusal else "info" if tone == "note" else "check"
        self._icon.setPixmap(self._appearance.draw_icon(icon, "red" if is_refusal else "surface", 20, self))
        self._close.setIcon(self._appearance.make_icon("close", "text" if is_refusal else "surface"))
        self._text.setText(sentence)
        self._text.setMinimumWidth(min(self._text.fontMetrics().horizontalAdvance(sentence) + 8, MAX_WIDTH))
        self._undo.setVisible(bool(step))
        self.show()
        announce_text(self._text, sentence, urgent=is_refusal)
        self._move_to_best_position()
        QTimer.singleShot(0, self, self._move_to_best_position)  # the reported change may have moved the controls
        self.raise_()
        self._timer.start(DURATIONS.get(tone, DURATIONS["plain"]))
        self._cover_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._cover_timer.stop()

    def hide_refusal_or_note(self) -> None:
        if self.property("tone") in {"red", "note"}:
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._move_to_best_position()
        return super().eventFilter(watched, event)

    def _move_to_best_position(self, *, stay_if_free: bool = False) -> None:
        """Move the toast to the position where it hides least. `stay_if_free`: only if it hides a label or more.

        Protect, in this order: the focus and the current rows; controls and the save state; labels; other table
        rows and the rest of the bottom bar.
        """
        self.adjustSize()
        visible_widgets = [*self._iterate_visible_widgets(self._container)]
        page_widgets = [
            widget for widget in visible_widgets if self._bar is None or not self._bar.isAncestorOf(widget)
        ]
        bar_widgets = [widget for widget in visible_widgets if widget not in page_widgets]
        rows, list_areas = self._find_row_and_list_areas(page_widgets)
        kinds = (
            [self._find_focused_field_area(), *rows],
            self._list_areas_of_widgets(page_widgets, CONTROLS)
            + self._list_areas_of_widgets(bar_widgets, (SaveStateLabel,)),
            self._list_areas_of_widgets(page_widgets, NOTES),
        )
        bar_areas = self._list_areas_of_widgets(bar_widgets, (*CONTROLS, *NOTES))
        areas = self.size(), self._container.size(), kinds, list_areas, bar_areas
        if areas == self._fitted_areas:
            return
        self._fitted_areas = areas

        def measure_covered_areas(position: QPoint) -> tuple[int, ...]:
            toast_area = QRect(position, self.size())
            covered_counts = (sum(map(toast_area.intersects, areas_of_kind)) for areas_of_kind in kinds)
            hidden_height = sum(overlap.height() for overlap in map(toast_area.intersected, list_areas))
            return (
                *covered_counts,
                hidden_height,
                sum(overlap.width() for overlap in map(toast_area.intersected, bar_areas)),
            )

        if stay_if_free and not any(measure_covered_areas(self.pos())[: len(kinds)]):
            return
        self.move(min(self._list_possible_positions(), key=measure_covered_areas))

    def _list_possible_positions(self) -> tuple[QPoint, ...]:
        free_width, bottom = (
            self._container.width() - self.width(),
            self._container.height() - self.height() - BOTTOM_MARGIN,
        )
        heights = (bottom, *range(bottom - UNIT, TOP_MARGIN, -UNIT * 3))
        positions = [QPoint(x, y) for y in heights for x in (free_width // 2, UNIT * 2, free_width - UNIT * 2)]
        if self._bar is not None and self._bar.isVisible():
            y = self._container.height() - max((self._bar.height() + self.height()) // 2, self.height() + 1)
            positions += [QPoint(x, y) for x in (free_width // 2, *range(UNIT * 2, free_width - UNIT, UNIT))]
        return tuple(positions)

    def _find_focused_field_area(self) -> QRect:
        field = QApplication.focusWidget()
        if field is None or isinstance(field, QAbstractItemView) or not self._container.isAncestorOf(field):
            return QRect()
        if isinstance(field, QAbstractScrollArea) and not field.testAttribute(
            Qt.WidgetAttribute.WA_InputMethodEnabled
        ):
            cursor = field.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
            return self._map_to_container(field.viewport(), cursor)
        return self._map_to_container(field, field.rect())

    def _iterate_visible_widgets(self, container: QWidget) -> Iterator[QWidget]:
        for child in container.children():
            if isinstance(child, QWidget) and child is not self and child.isVisible():
                yield child
                yield from self._iterate_visible_widgets(child)

    def _find_row_and_list_areas(self, widgets: Iterable[QWidget]) -> tuple[list[QRect], list[QRect]]:
        rows, list_areas = [], []
        for item_view in (view for view in widgets if isinstance(view, QAbstractItemView)):
            model = item_view.model()
            if isinstance(item_view, QHeaderView) or not isinstance(model, QAbstractItemModel):
                continue
            if not model.rowCount():
                continue
            viewport_area, row = item_view.viewport().rect(), item_view.visualRect(item_view.currentIndex())
            last = item_view.visualRect(
                model.index(model.rowCount() - 1, max(item_view.currentIndex().column(), 0))
            )
            full = QRect(
                viewport_area.topLeft(), QPoint(viewport_area.right(), min(last.bottom(), viewport_area.bottom()))
            )
            list_areas.append(self._map_to_container(item_view.viewport(), full))
            if row.isValid():
                line = QRect(0, row.y(), viewport_area.width(), row.height())
                rows.append(self._map_to_container(item_view.viewport(), line & viewport_area))
        return rows, list_areas

    def _map_to_container(self, widget: QWidget, area: QRect) -> QRect:
        return QRect(widget.mapTo(self._container, area.topLeft()), area.size())

    def _list_areas_of_widgets(self, widgets: Iterable[QWidget], kinds: tuple[type[QWidget], ...]) -> list[QRect]:
        widgets_of_kinds = (widget for widget in widgets if isinstance(widget, kinds))
        filled_widgets = (widget for widget in widgets_of_kinds if not isinstance(widget, QLabel) or widget.text())
        return [self._map_to_container(widget, widget.rect()) for widget in filled_widgets]

    def _move_after_focus_change(self, _old: object, _new: object) -> None:
        """Move the toast later: Qt may be destroying a dialog now."""
        if self.isVisible():
            QTimer.singleShot(0, self, self._move_to_best_position)

    def _request_undo(self) -> None:
        self.hide()
        self.undo.emit(self._step)
