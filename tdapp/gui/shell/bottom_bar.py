"""The bottom bar, the problems panel, and the message toast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QPixmap, QResizeEvent, QShortcut
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
from tdapp.domain.proposal import find_round_to_pair
from tdapp.domain.roles import Role
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.stations import describe_new_location, describe_own_rights
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import UNIT, scale_line_height, scale_pixels
from tdapp.services.worker import BackgroundTask

MOST_LINKS = 3
MOST_IN_TIP = 20  # further problems in the tool tip
_AGING = 30_000  # ms between updates of the age of the published pages
LINK_FRAME = UNIT * 7  # pixels of a problem without its text: icon and padding


def list_open_problems(session: Session) -> tuple[Problem, ...]:
    """Return all problems: urgent ones first, then the selected division's, then the rest."""
    chosen = session.division
    own = list_division_problems(session.desk, chosen) if chosen else ()
    shared = (
        *(one.problem(session.catalogue) for one in session.queue.refused),
        *session.backups.problems(),
        *session.printouts.problems(),
        *session.publishing.problems(),
        *session.serving.problems(),
    )
    others = [
        found
        for division in (session.index.divisions if session.is_open else ())
        if division != chosen
        for found in (*list_division_problems(session.desk, division), *_find_due_round_problem(session, division))
    ]
    return tuple(sorted((*own, *shared, *others), key=lambda problem: not problem.urgent))


def list_division_problems(desk: Desk, division: Division) -> tuple[Problem, ...]:
    def find_problems_of_division(_value: object) -> tuple[Problem, ...]:
        return tuple(replace(found, division=division.id) for found in find_problems(desk.index, division))

    return desk.get_cached_value(("problems", division.id), find_problems_of_division)


def get_due_round(desk: Desk, division: Division) -> int | None:
    """Return the number of the round that can be paired now, or None if no round can."""
    return desk.get_cached_value(
        ("due round", division.id), lambda _value: find_round_to_pair(desk.index, division)
    )


def _find_due_round_problem(session: Session, division: Division) -> tuple[Problem, ...]:
    number = get_due_round(session.desk, division) if session.is_editable else None
    return () if number is None else (Problem("round-due", {"round": number}, "rounds", division=division.id),)


def describe_problem(session: Session, problem: Problem) -> str:
    said = session.catalogue.problem(problem.code, problem.facts)
    several = len(session.index.divisions) > 1
    division = session.tournament.divisions.get(DivisionId(problem.division)) if several else None
    return f"{division.code}: {said}" if division else said


class ProblemsPanel(Panel):
    """The list of problems. Signal `solve` carries the chosen problem."""

    solve = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Open problems"), width=UNIT * 52)
        self._shown: tuple[Problem, ...] = ()
        self.list = TextListWidget(self.text("Open problems"), wrap=True)
        self.list.setSpacing(UNIT // 4)
        self.list.setIconSize(QSize(scale_pixels(16), scale_pixels(16)))
        self.list.itemActivated.connect(self._solve_problem)
        self.list.itemClicked.connect(self._solve_problem)
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self._remove_refused_entry)
        self._none = fields.label(session.catalogue.text("No open problems"), "muted")
        self._hint = fields.note("")
        fields.fill_layout(self.body, self._none, self.list, self._hint, wide=self.list)
        self.setFocusProxy(self.list)

    def refresh_panel(self) -> None:
        found = list_open_problems(self.session)
        if found == self._shown:
            return
        row, before = self.list.currentRow(), self._shown
        kept = before[row] if 0 <= row < len(before) else None
        self._shown = found
        self.list.clear()
        for problem in found:
            icon = self.session.look.make_icon("warning" if problem.urgent else "info", "amber")
            item = QListWidgetItem(icon, describe_problem(self.session, problem))
            item.setToolTip(item.text())
            self.list.addItem(item)
        self.list.setCurrentRow(found.index(kept) if kept in found else min(max(row, 0), len(found) - 1))
        self.list.setVisible(bool(found))
        hint = self.text("Press Enter to open the page that solves the problem.")
        if self.session.queue.refused or self.session.serving.access.refused:
            hint = self.text(
                "Press Enter to open the page that solves the problem. Press Delete to remove a refused entry."
            )
        self._hint.setText(hint)
        self._hint.setVisible(bool(found))
        self._none.setVisible(not found)

    def _solve_problem(self, item: QListWidgetItem) -> None:
        self.solve.emit(self._shown[self.list.row(item)])

    def _remove_refused_entry(self) -> None:
        row, queue = self.list.currentRow(), self.session.queue
        chosen = self._shown[row] if 0 <= row < len(self._shown) else None
        for refused in [one for one in queue.refused if one.problem(self.session.catalogue) == chosen]:
            queue.drop_refused_step(refused)
        if chosen is not None:
            self.session.serving.drop_refused_line(chosen)


def _make_problem_key(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.key, problem.division


class BottomBar(QFrame):
    """Open problems on the left, running work and the save state on the right."""

    page_requested = Signal(object)  # the problem to solve
    all = Signal()  # show all problems
    elsewhere = Signal()  # save the tournament to another file

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._task: BackgroundTask | None = None
        self._where: object = None  # tournament and division of the problems in `_known`
        self._known: set[tuple[str, str, str]] = set()  # code, key and division
        self.setObjectName("bottombar")
        self.setFixedHeight(scale_line_height(UNIT * 5))
        self._links = fields.row()
        self._working = fields.label()
        self._cancel = fields.button(session.catalogue.text("Cancel"), self._cancel_running_work, role="link")
        self._saved = SaveStateLabel(session)
        self._saved.elsewhere.connect(self.elsewhere)
        self.published = fields.label("", "muted")
        self._aging = QTimer(self, interval=_AGING)
        self._aging.timeout.connect(self._show_age_of_web_pages)
        self._aging.start()
        parts = (self._links, self._working, self._cancel, self.published, self._saved)
        fields.row(*parts, around=(UNIT, 0, UNIT * 2, 0), parent=self).setStretch(0, 1)
        session.work.busy.connect(self._show_running_work)
        session.look.changed.connect(self._refresh_if_tournament_open)
        session.published.connect(self._refresh_if_tournament_open)
        self._show_running_work(None)

    def refresh_bar(self) -> None:
        found = list_open_problems(self._session)
        self._show_problem_links(found)
        self._announce_new_problems(found)
        self._saved.show_save_state()
        self._show_age_of_web_pages()

    def _show_age_of_web_pages(self) -> None:
        fields.show_text(self.published, self._session.publishing.describe_page_age())

    def _announce_new_problems(self, found: Sequence[Problem]) -> None:
        where = (self._session.path, self._session.division.id if self._session.division else None)
        if where == self._where:
            new = [self._describe_problem(one) for one in found if _make_problem_key(one) not in self._known]
            announce_text(self, ". ".join(new))
        self._where, self._known = where, set(map(_make_problem_key, found))

    def _refresh_if_tournament_open(self) -> None:
        if self._session.is_open:
            self.refresh_bar()

    def _show_problem_links(self, found: Sequence[Problem]) -> None:
        fields.clear_layout(self._links)
        shown = found[:MOST_LINKS]
        widths = self._allot_link_widths([*map(self._describe_problem, shown)])
        for problem, width in zip(shown, widths, strict=True):
            self._links.addWidget(self._make_problem_link(problem, width))
        rest = found[MOST_LINKS:]
        if rest:
            more = self._session.catalogue.text(C_("shortened list", "{n} more"), n=len(rest))
            tip = "\n".join(map(self._describe_problem, rest[:MOST_IN_TIP]))
            self._links.addWidget(fields.button(more, self.all.emit, role="link", tip=tip))
        if not found:
            fine = fields.label(self._session.catalogue.text("No open problems"), "muted")
            fine.setContentsMargins(UNIT, 0, 0, 0)
            self._links.addWidget(fine)
        self._links.addStretch(1)

    def _allot_link_widths(self, texts: Sequence[str]) -> Sequence[int]:
        parts = (self._working, self._cancel, self.published, self._saved)
        beside = sum(one.sizeHint().width() for one in parts if not one.isHidden())
        room = self.width() - beside - (LINK_FRAME * len(texts) + scale_pixels(UNIT * 16))
        wanted = [self.fontMetrics().horizontalAdvance(text) + 1 for text in texts]
        given = dict.fromkeys(range(len(texts)), 0)
        for rank, at in enumerate(sorted(given, key=wanted.__getitem__)):
            given[at] = min(wanted[at], max(room // (len(texts) - rank), UNIT * 16))
            room -= given[at]
        return tuple(given.values())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh_if_tournament_open()

    def _make_problem_link(self, problem: Problem, width: int) -> QPushButton:
        text = self._describe_problem(problem)
        line = " ".join(text.split())
        made = QPushButton(f" {self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width)}")
        made.setProperty("role", "problem")
        made.setIcon(self._session.look.make_icon("warning" if problem.urgent else "info", "amber"))
        made.setIconSize(QSize(scale_pixels(16), scale_pixels(16)))
        made.setMinimumWidth(LINK_FRAME)  # keep the window's minimum width, or it would grow each time
        made.setToolTip(text)
        made.setAccessibleName(text)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(partial(self.page_requested.emit, problem))
        return made

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

    elsewhere = Signal()  # save to another file

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._station = fields.label()
        self._picture = QLabel()
        self._icon = QLabel()
        self._text = fields.label("", "muted")
        self._save = fields.button(session.catalogue.text("Save elsewhere…"), self.elsewhere.emit, role="link")
        self._announced = ""
        self._copy = fields.button(
            session.catalogue.text("Copy unsaved steps"), self._copy_unsaved_steps, role="link"
        )
        parts = (self._picture, self._station, -1, self._icon, self._text, self._save, self._copy)
        fields.row(*parts, parent=self)
        session.saving.connect(self.show_save_state)

    def get_text(self) -> str:
        return self._text.text()

    def show_save_state(self) -> None:
        session = self._session
        icon, tone, text, more = self._describe_save_state()
        self._icon.setPixmap(self._draw_icon(icon, tone))
        self._text.setText(text)
        self._text.setToolTip(more or text)
        self._style_save_state(tone)
        self._announce_save_state(tone, text)
        self._save.setVisible(session.queue.error is not None and not session.queue.is_connection_lost)
        self._copy.setVisible(session.queue.is_station_removed and bool(session.queue.unsaved_work))
        for one in (self._station, self._picture):
            one.setVisible(session.address is not None)
        if session.address is not None:
            role = session.catalogue.code(session.desk.role)
            own = session.desk.station == session.desk.role.value
            self._station.setText(role if own else f"{session.desk.station} · {role}")
            self._station.setToolTip(describe_own_rights(session))
            self._picture.setPixmap(self._draw_icon("stations", "muted"))

    def _copy_unsaved_steps(self) -> None:
        unsaved = [one.describe() for one in self._session.queue.unsaved_work]
        QGuiApplication.clipboard().setText("\n".join(unsaved))
        self._session.show_message(self._session.catalogue.text("Copied"))

    def _draw_icon(self, icon: str, tone: str) -> QPixmap:
        return self._session.look.draw_icon(icon, tone, 16, self)

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
        if not store.hindrance and not store.read_only:
            saved = catalogue.text("All saved {time}", time=_format_time(session.saved_at)).strip()
            return "saved", "green", saved, ""
        if store.hindrance == "folder-read-only":
            text = catalogue.text("Read only: the folder cannot be written to")
        else:
            text = catalogue.text("Read only: nothing can be changed")
        if store.elsewhere is not None:
            return (
                "lock",
                "amber",
                catalogue.text("Read only: the tournament continues on another computer"),
                describe_new_location(session),
            )
        error = StorageError(store.hindrance, path=str(store.path)) if store.hindrance else None
        return "lock", "amber", text, catalogue.error(error) if error else ""

    def _describe_save_error(self, error: StorageError) -> tuple[str, str, str, str]:
        queue, catalogue = self._session.queue, self._session.catalogue
        if error.code == "server-ended":
            text = catalogue.text("The director has stopped sharing")
        elif queue.is_station_removed:
            text = catalogue.text("This station no longer takes part")
        elif queue.is_connection_lost:
            text = catalogue.text("No connection since {time}, trying again", time=_format_time(queue.since))
        elif queue.is_locked:
            text = catalogue.text(
                "Another program has locked the file since {time}. Trying again…", time=_format_time(queue.since)
            )
        else:
            text = catalogue.text("Not saved")
        tone = "amber" if (queue.is_connection_lost or queue.is_locked) and not queue.is_station_removed else "red"
        return "warning", tone, self._add_unsaved_count(text), catalogue.error(error)

    def _describe_late_save(self) -> tuple[str, str, str, str]:
        session, text = self._session, self._session.catalogue.text
        steps = "\n".join(one.describe() for one in session.queue.unsaved_work)
        if not session.queue.is_store_unresponsive:
            return "history", "amber", text("Saving…"), steps
        silent = text("The server does not answer") if session.address else text("The disk does not answer")
        return "warning", "red", self._add_unsaved_count(silent), steps

    def _add_unsaved_count(self, text: str) -> str:
        waiting = len(self._session.queue.unsaved_work)
        waits = (
            self._session.catalogue.plural("one step waits to be saved", "{n} steps wait to be saved", waiting)
            if waiting
            else ""
        )
        return " · ".join(filter(None, (text, waits)))

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


LASTS = {"plain": 6_000, "red": 15_000}  # ms
WIDEST = UNIT * 90
BELOW, ABOVE = UNIT * 7, UNIT * 9  # pixels kept free for the bars
CONTROLS = (QAbstractButton, QLineEdit, QComboBox)
NOTES = (QLabel, QHeaderView)


class Toast(QFrame):
    """A message near the bottom of its container, for some seconds or until the next command succeeds."""

    undo = Signal(int)  # number of the step

    def __init__(self, session: Session, container: QWidget, bar: QWidget | None = None) -> None:
        super().__init__(container)
        self._over, self._bar = container, bar
        self._look = session.look
        self._step = 0
        self._placed_for: object = None  # sizes and areas
        self.setObjectName("toast")
        self._icon = QLabel()
        self._text = fields.label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._undo = fields.button(session.catalogue.text("Undo"), self._request_undo)
        self._close = QToolButton()
        self._close.setAccessibleName(session.catalogue.text("Close"))
        self._close.clicked.connect(self.hide)
        for one in (self._undo, self._close):
            one.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parts = (self._icon, self._text, self._undo, self._close)
        fields.row(*parts, gap=UNIT + 4, around=(UNIT * 2, UNIT // 2, UNIT, UNIT // 2), parent=self)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
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
        for one in (self, self._text, self._undo):
            fields.reapply_style_sheet(one)
        red = tone == "red"
        icon = "warning" if red else "info" if tone == "note" else "check"
        self._icon.setPixmap(self._look.draw_icon(icon, "red" if red else "surface", 20, self))
        self._close.setIcon(self._look.make_icon("close", "text" if red else "surface"))
        self._text.setText(sentence)
        self._text.setMinimumWidth(min(self._text.fontMetrics().horizontalAdvance(sentence) + 8, WIDEST))
        self._undo.setVisible(bool(step))
        self.show()
        announce_text(self._text, sentence, urgent=red)
        self._move_to_best_position()
        QTimer.singleShot(0, self, self._move_to_best_position)  # the reported change may have moved the controls
        self.raise_()
        self._timer.start(LASTS.get(tone, LASTS["plain"]))

    def hide_after_page_change(self) -> None:
        if self.property("tone") in {"red", "note"}:
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._move_to_best_position()
        return super().eventFilter(watched, event)

    def _move_to_best_position(self) -> None:
        """Move the toast to the position where it hides least.

        First avoid the focus and the current rows, then controls, labels, other table rows and the bottom bar.
        """
        self.adjustSize()
        seen = [*self._iterate_visible_widgets(self._over)]
        page = [one for one in seen if self._bar is None or not self._bar.isAncestorOf(one)]
        rows, filled = self._find_row_and_list_areas(page)
        kinds = ([self._find_focus_area(), *rows], self._list_areas(page, CONTROLS), self._list_areas(page, NOTES))
        below = self._list_areas([one for one in seen if one not in page], (*CONTROLS, *NOTES))
        areas = self.size(), self._over.size(), kinds, filled, below
        if areas == self._placed_for:
            return
        self._placed_for = areas

        def measure_covered_areas(at: QPoint) -> tuple[int, ...]:
            own = QRect(at, self.size())
            over = (sum(map(own.intersects, those)) for those in kinds)
            hidden = sum(both.height() for both in map(own.intersected, filled))
            return *over, hidden, sum(both.width() for both in map(own.intersected, below))

        self.move(min(self._list_possible_positions(), key=measure_covered_areas))

    def _list_possible_positions(self) -> tuple[QPoint, ...]:
        wide, low = self._over.width() - self.width(), self._over.height() - self.height() - BELOW
        heights = (low, *range(low - UNIT, ABOVE, -UNIT * 3))
        found = [QPoint(x, y) for y in heights for x in (wide // 2, UNIT * 2, wide - UNIT * 2)]
        if self._bar is not None and self._bar.isVisible():
            y = self._over.height() - max((self._bar.height() + self.height()) // 2, self.height() + 1)
            found += [QPoint(x, y) for x in (wide // 2, *range(UNIT * 2, wide - UNIT, UNIT))]
        return tuple(found)

    def _find_focus_area(self) -> QRect:
        field = QApplication.focusWidget()
        if field is None or isinstance(field, QAbstractItemView) or not self._over.isAncestorOf(field):
            return QRect()
        if isinstance(field, QAbstractScrollArea) and not field.testAttribute(
            Qt.WidgetAttribute.WA_InputMethodEnabled
        ):
            cursor = field.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
            return self._map_to_container(field.viewport(), cursor)
        return self._map_to_container(field, field.rect())

    def _iterate_visible_widgets(self, container: QWidget) -> Iterator[QWidget]:
        for one in container.children():
            if isinstance(one, QWidget) and one is not self and one.isVisible():
                yield one
                yield from self._iterate_visible_widgets(one)

    def _find_row_and_list_areas(self, widgets: Iterable[QWidget]) -> tuple[list[QRect], list[QRect]]:
        rows, filled = [], []
        for one in (view for view in widgets if isinstance(view, QAbstractItemView)):
            model = one.model()
            if isinstance(one, QHeaderView) or not isinstance(model, QAbstractItemModel):
                continue
            if not model.rowCount():
                continue
            inside, row = one.viewport().rect(), one.visualRect(one.currentIndex())
            last = one.visualRect(model.index(model.rowCount() - 1, max(one.currentIndex().column(), 0)))
            full = QRect(inside.topLeft(), QPoint(inside.right(), min(last.bottom(), inside.bottom())))
            filled.append(self._map_to_container(one.viewport(), full))
            if row.isValid():
                line = QRect(0, row.y(), inside.width(), row.height())
                rows.append(self._map_to_container(one.viewport(), line & inside))
        return rows, filled

    def _map_to_container(self, widget: QWidget, area: QRect) -> QRect:
        return QRect(widget.mapTo(self._over, area.topLeft()), area.size())

    def _list_areas(self, widgets: Iterable[QWidget], kinds: tuple[type[QWidget], ...]) -> list[QRect]:
        found = (one for one in widgets if isinstance(one, kinds))
        read = (one for one in found if not isinstance(one, QLabel) or one.text())
        return [self._map_to_container(one, one.rect()) for one in read]

    def _move_after_focus_change(self, _before: object, _now: object) -> None:
        """Move the toast later: Qt may be destroying a dialog now."""
        if self.isVisible():
            QTimer.singleShot(0, self, self._move_to_best_position)

    def _request_undo(self) -> None:
        self.hide()
        self.undo.emit(self._step)
