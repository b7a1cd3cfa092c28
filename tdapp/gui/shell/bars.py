"""The top bar and the side bar with the pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tdapp.domain.model import Division, DivisionId, Stage
from tdapp.gui.shell.actions import WindowAction
from tdapp.gui.shell.page_list import PAGES, PageDeclaration
from tdapp.gui.shell.round_clock import RoundClockButton
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Part, make_label
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import (
    ROW,
    SMALL,
    UNIT,
    make_scaled_font,
    paint_rounded_background,
    scale_line_height,
    scale_pixels,
)
from tdapp.i18n.phrases import capitalize_first, format_evening_name, format_knockout_or_evening_round


class ActionToolButton(QToolButton):
    """A button with an action's icon."""

    def __init__(self, action: WindowAction) -> None:
        super().__init__()
        self._action = action
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(scale_pixels(ROW + 4), scale_line_height(ROW))
        self.setIconSize(QSize(scale_pixels(20), scale_pixels(20)))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._update_button)
        self._update_button()

    def _update_button(self) -> None:
        self.setIcon(self._action.make_button_icon())
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(self._action.toolTip())
        self.setAccessibleName(self._action.text())


class TopBar(QFrame):
    """Tournament, division, pairing system, round and number of results."""

    def __init__(
        self, session: Session, tools: Sequence[WindowAction], step: tuple[WindowAction, WindowAction]
    ) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("topbar")
        self._name = ElidedLabel("lead")
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._name.setMinimumWidth(UNIT * 8)  # scales with the text size: other parts shrink less
        self._division: Choice[DivisionId] = Choice(session.catalogue.text("Division"), [], session.appearance)
        self._division.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._division.currentIndexChanged.connect(self._choose_division)
        self._system = make_label("", "muted")
        previous_button, next_button = (ActionToolButton(action) for action in step)
        self._round = make_label()
        self._result_count = ElidedLabel("muted")
        self._result_count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._result_count.setMinimumWidth(UNIT * 8)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedWidth(scale_pixels(UNIT * 15))
        self._bar.setAccessibleName(session.catalogue.text("Results"))
        self._rounds = QWidget()
        fields.make_row(previous_button, self._round, next_button, gap=2, parent=self._rounds)
        self.clock = RoundClockButton(session)
        left: list[Part] = [-2, self._division, self._system, -1, self._rounds]
        right: list[Part] = [self._result_count, self._bar, -1, self.clock, -1, *map(ActionToolButton, tools)]
        fields.make_row(self._name, *left, 1, *right, margins=(UNIT * 2, UNIT, UNIT * 2, UNIT), parent=self)
        self._are_parts_hidden = False

    def hide_or_show_optional_parts(self, *, hidden: bool) -> None:
        self._are_parts_hidden = hidden
        self._show_or_hide_bar_parts()

    def _show_or_hide_bar_parts(self) -> None:
        self._system.setVisible(not self._are_parts_hidden)
        self._bar.setVisible(not self._are_parts_hidden and self._result_count.isVisibleTo(self))

    def refresh_bar(self) -> None:
        session = self._session
        text = session.catalogue.text
        self._name.set_full_text(session.tournament.event.name)
        divisions = [(item.id, text("Division {code}", code=item.code)) for item in session.index.divisions]
        division = session.division
        self._division.set_choices(divisions, division.id if division else None)
        self._division.setVisible(bool(divisions))
        self._show_round_and_progress()

    def _show_round_and_progress(self) -> None:
        session = self._session
        text = session.catalogue.text
        division, item = session.division, session.round
        planned = session.index.count_planned_rounds(division.id) if division else 0
        number = item.number if item else 1
        stage = session.index.find_stage(division.id, number) if division else None
        self._system.setText(self._describe_stage(division, stage) if division and stage else "")
        self._rounds.setVisible(item is not None)
        progress = text("Round {n} of {planned}", n=number, planned=max(planned, number))
        name = format_knockout_or_evening_round(session.catalogue, session.index, stage, number)
        self._round.setText(name or progress)
        self._round.setToolTip(name if stage is not None and stage.evening else progress)
        games = session.index.list_tables(item.id) if item else ()
        result_count = len(games) - len(session.index.list_open_tables(item.id)) if item else 0
        results_text = text("{done} of {n} results", done=result_count, n=len(games))
        self._result_count.set_full_text(results_text)
        self._bar.setAccessibleDescription(results_text)
        self._bar.setMaximum(max(len(games), 1))
        self._bar.setValue(result_count)
        self._result_count.setVisible(bool(games))
        self._show_or_hide_bar_parts()

    def _describe_stage(self, division: Division, stage: Stage) -> str:
        text, system = self._session.catalogue.text, self._session.catalogue.translate_code(stage.system)
        stages = self._session.index.stages(division.id)
        if stage.play_off:
            return text("Play-off")
        if stage.evening:
            return f"{format_evening_name(self._session.catalogue, stage)} · {system}"
        if len(stages) == 1:
            return capitalize_first(system)
        number, count = stages.index(stage) + 1, len(stages)
        return text("Stage {number} of {count}: {system}", number=number, count=count, system=system)

    def _choose_division(self) -> None:
        division = self._division.value()
        if division is not None:
            self._session.choose_division(division)


class PageButton(QAbstractButton):
    """Button of a page: icon, title and number of open tasks."""

    def __init__(self, page: PageDeclaration, session: Session, keys: str) -> None:
        super().__init__()
        self._page, self._session, self._appearance = page, session, session.appearance
        self._count, self._is_title_hidden = 0, False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # repaint on hover
        self.setText(page.name(session.catalogue))
        self.setAccessibleName(self.text())
        self.setCheckable(True)
        self.setAutoExclusive(True)  # screen readers announce a radio button, not a check box
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(f"{self.text()} ({keys})" if keys else self.text())

    def update_task_count(self) -> None:
        before, self._count = self._count, self._page.count_tasks(self._session)
        if before == self._count:
            return
        tasks_text = self._page.describe_tasks(self._session.catalogue, self._count) if self._count else ""
        self.setAccessibleName(", ".join(filter(None, (self.text(), tasks_text))))
        self.update()

    def hide_or_show_title(self, *, hidden: bool) -> None:
        self._is_title_hidden = hidden
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width, height = (6, 4) if self._is_title_hidden else (21, 5)
        return QSize(scale_pixels(UNIT * width), scale_line_height(UNIT * height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        background = QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5)
        fill = "accent_soft" if self.isChecked() else "sunken" if self.underMouse() else ""
        paint_rounded_background(
            painter,
            self._appearance,
            background,
            fill,
            background.adjusted(1, 1, -1, -1) if self.hasFocus() else None,
        )
        tone = "accent" if self.isChecked() else "muted"
        pixmap = self._appearance.draw_icon(self._page.id, tone, 20, self)
        painter.drawPixmap(scale_pixels(UNIT + 4), (self.height() - scale_pixels(20)) // 2, pixmap)
        if not self._is_title_hidden:
            painter.setPen(self._appearance.get_colour("text"))
            painter.setFont(make_scaled_font(SMALL, bold=self.isChecked()))
            area = self.rect().adjusted(scale_pixels(UNIT * 5), 0, -UNIT, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        if self._count and self._is_title_hidden:
            self._paint_task_dot(painter)
        elif self._count:
            self._paint_badge(painter, str(self._count))
        painter.end()

    def _paint_task_dot(self, painter: QPainter) -> None:
        painter.setPen(QPen(self._appearance.get_colour("surface"), 2))
        painter.setBrush(self._appearance.get_colour("amber"))
        painter.drawEllipse(QRectF(scale_pixels(UNIT * 3 + 4), UNIT - 3, scale_pixels(10), scale_pixels(10)))

    def _paint_badge(self, painter: QPainter, text: str) -> None:
        painter.setFont(make_scaled_font(SMALL, bold=True))
        width = max(painter.fontMetrics().horizontalAdvance(text) + scale_pixels(14), scale_pixels(22))
        height = scale_pixels(20)
        badge = QRectF(self.width() - width - UNIT, (self.height() - height) / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.get_colour("amber_soft"))
        painter.drawRoundedRect(badge, height / 2, height / 2)
        painter.setPen(self._appearance.get_colour("amber"))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)


class SideBar(QFrame):
    """The column of page buttons."""

    page_chosen = Signal(str)

    def __init__(self, session: Session, keys: Mapping[str, str]) -> None:
        super().__init__()
        self.setObjectName("pages")
        self.setAccessibleName(session.catalogue.text("Pages"))
        self._session = session
        self._buttons: dict[str, PageButton] = {}
        self._group = QButtonGroup(self)
        column = fields.make_column(gap=2, margins=(UNIT, UNIT * 2, UNIT, UNIT), parent=self)
        for page in PAGES.values():
            button = PageButton(page, session, keys.get(page.id, ""))
            button.clicked.connect(partial(self.page_chosen.emit, page.id))
            self._buttons[page.id] = button
            self._group.addButton(button)
            column.addWidget(button)
        column.addStretch(1)
        session.appearance.changed.connect(self.update)

    def refresh_bar(self) -> None:
        for page_id, button in self._buttons.items():
            button.setVisible(PAGES[page_id].is_shown(self._session))
            button.update_task_count()

    def hide_or_show_titles(self, *, hidden: bool) -> None:
        for button in self._buttons.values():
            button.hide_or_show_title(hidden=hidden)

    def mark_current_page(self, page: str) -> None:
        self._buttons[page].setChecked(True)
