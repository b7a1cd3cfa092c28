"""The toast, a message over the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
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
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.theme import UNIT

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
        self._text = fields.make_label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._undo = fields.make_button(session.catalogue.text("Undo"), self._request_undo)
        self._close = QToolButton()
        self._close.setAccessibleName(session.catalogue.text("Close"))
        self._close.clicked.connect(self.hide)
        for button in (self._undo, self._close):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parts = (self._icon, self._text, self._undo, self._close)
        fields.make_row(*parts, gap=UNIT + 4, margins=(UNIT * 2, UNIT // 2, UNIT, UNIT // 2), parent=self)
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
        """Show a message. `step` is the number of the history step that its Undo button undoes, 0 for no button.

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

    def hide_if_refusal_or_note(self) -> None:
        if self.property("tone") in {"red", "note"}:
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._move_to_best_position()
        return super().eventFilter(watched, event)

    def _move_to_best_position(self, *, stay_if_free: bool = False) -> None:
        """Move the toast to the position in which it hides the least important things.

        Most important first: focus and current rows; controls and save state; labels; other rows; bottom bar.
        With `stay_if_free`, stay if the toast hides none of the first three groups.
        """
        self.adjustSize()
        visible_widgets = [*self._iterate_visible_widgets(self._container)]
        page_widgets = [
            widget for widget in visible_widgets if self._bar is None or not self._bar.isAncestorOf(widget)
        ]
        bar_widgets = [widget for widget in visible_widgets if widget not in page_widgets]
        rows, list_areas = self._list_current_row_areas_and_list_areas(page_widgets)
        kinds = (
            [self._find_focused_field_area(), *rows],
            self._list_areas_of_filled_widgets(page_widgets, CONTROLS)
            + self._list_areas_of_filled_widgets(bar_widgets, (SaveStateLabel,)),
            self._list_areas_of_filled_widgets(page_widgets, NOTES),
        )
        bar_areas = self._list_areas_of_filled_widgets(bar_widgets, (*CONTROLS, *NOTES))
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
            return self._get_area_in_container(field.viewport(), cursor)
        return self._get_area_in_container(field, field.rect())

    def _iterate_visible_widgets(self, container: QWidget) -> Iterator[QWidget]:
        for child in container.children():
            if isinstance(child, QWidget) and child is not self and child.isVisible():
                yield child
                yield from self._iterate_visible_widgets(child)

    def _list_current_row_areas_and_list_areas(
        self, widgets: Iterable[QWidget]
    ) -> tuple[list[QRect], list[QRect]]:
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
            list_areas.append(self._get_area_in_container(item_view.viewport(), full))
            if row.isValid():
                line = QRect(0, row.y(), viewport_area.width(), row.height())
                rows.append(self._get_area_in_container(item_view.viewport(), line & viewport_area))
        return rows, list_areas

    def _get_area_in_container(self, widget: QWidget, area: QRect) -> QRect:
        return QRect(widget.mapTo(self._container, area.topLeft()), area.size())

    def _list_areas_of_filled_widgets(
        self, widgets: Iterable[QWidget], widget_types: tuple[type[QWidget], ...]
    ) -> list[QRect]:
        widgets_of_types = (widget for widget in widgets if isinstance(widget, widget_types))
        filled_widgets = (widget for widget in widgets_of_types if not isinstance(widget, QLabel) or widget.text())
        return [self._get_area_in_container(widget, widget.rect()) for widget in filled_widgets]

    def _move_after_focus_change(self, _old: object, _new: object) -> None:
        """Move the toast later, because Qt may be destroying a dialog now."""
        if self.isVisible():
            QTimer.singleShot(0, self, self._move_to_best_position)

    def _request_undo(self) -> None:
        self.hide()
        self.undo.emit(self._step)
