"""Small controls with accessible names, and layouts for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Generic, TypeVar

from PySide6.QtCore import SIGNAL, QEvent, QPoint, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from tdapp.gui.widgets.texts import AnnouncedParagraph, AnnouncedRichParagraph, Paragraph, RichParagraph
from tdapp.gui.widgets.theme import ROW, UNIT, Appearance, scale_pixels

T = TypeVar("T")
B = TypeVar("B", bound=QBoxLayout)
ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
UNLIMITED_WIDTH = 4000  # pixels; every field with a maximum width is narrower
Part = QWidget | QLayout | int
Wide = QWidget | QLayout | None
Margins = Sequence[int]
NO_MARGINS = (0, 0, 0, 0)
# QLineEdit uses these keys with Ctrl; the window's shortcuts have priority
_CURSOR_KEYS = frozenset({Qt.Key.Key_E, Qt.Key.Key_U})
BLINKING_TIME = 10_000  # ms


class LineEdit(QLineEdit):
    """A text field. Until the user types in it, the undo keys go to the window.

    An idle cursor stops blinking, so that the computer can sleep. Text is never typed out of sight: scroll areas
    scroll to the field.
    """

    def __init__(self, name: str, *, text: str = "", placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self._blink_timer: QTimer | None = None  # made at the first focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._restart_cursor_blinking()
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.MouseFocusReason:  # a click must not move its target
            self._scroll_into_view()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._can_redo_but_not_undo():
            self.setText(self.text())  # without the typing to redo

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._restart_cursor_blinking()
        self._scroll_into_view()
        super().keyPressEvent(event)

    def _scroll_into_view(self) -> None:
        parent = self.parentWidget()
        while parent is not None and not parent.isWindow():
            if isinstance(parent, QScrollArea):
                parent.ensureWidgetVisible(self)
            parent = parent.parentWidget()

    def _can_redo_but_not_undo(self) -> bool:
        return self.isRedoAvailable() and not self.isUndoAvailable()

    def _restart_cursor_blinking(self) -> None:
        QApplication.setCursorFlashTime(-1)  # the system's value
        if self._blink_timer is None:
            self._blink_timer = QTimer(self, singleShot=True, interval=BLINKING_TIME)
            self._blink_timer.timeout.connect(self._stop_cursor_blinking)
        self._blink_timer.start()

    def _stop_cursor_blinking(self) -> None:
        if self.hasFocus():
            QApplication.setCursorFlashTime(0)

    def sizeHint(self) -> QSize:
        usual, metrics = super().sizeHint(), self.fontMetrics()
        # QLineEdit has space for 17 letters
        extra_width = metrics.horizontalAdvance(self.placeholderText()) - 17 * metrics.horizontalAdvance("x")
        return QSize(usual.width() + max(extra_width, 0) + 2, usual.height())

    def event(self, event: QEvent) -> bool:
        """Leave Ctrl+E and Ctrl+U to the window, and also undo and redo if nothing was typed."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_undo_key = event.matches(QKeySequence.StandardKey.Undo) or event.matches(
                QKeySequence.StandardKey.Redo
            )
            control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
            has_own_steps = (self.isModified() and self.text()) or self._can_redo_but_not_undo()
            if (is_undo_key and not has_own_steps) or (control and event.key() in _CURSOR_KEYS):
                event.ignore()
                return False
        return super().event(event)

    @property
    def has_unsaved_text(self) -> bool:
        # isSignalConnected would never release the field
        saves_on_leaving = self.receivers(SIGNAL("editingFinished()"))
        return self.isModified() and bool(self.text().strip()) and not saves_on_leaving and not self.isReadOnly()

    def mark_invalid(self, *, is_invalid: bool) -> None:
        if bool(self.property("wrong")) != is_invalid:
            self.setProperty("wrong", is_invalid)
            reapply_style_sheet(self)


class SearchField(LineEdit):
    """A field that filters a table."""

    def __init__(self, name: str, appearance: Appearance) -> None:
        super().__init__(name, placeholder=name)
        self._appearance = appearance
        self.setMinimumWidth(scale_pixels(ROW * 5))
        self.setMaximumWidth(scale_pixels(ROW * 10))
        self.setProperty("search", True)
        self._search_icon = QAction(self)
        self.addAction(self._search_icon, QLineEdit.ActionPosition.LeadingPosition)
        self.setClearButtonEnabled(True)
        appearance.changed.connect(self._tint_icon)
        self._tint_icon()

    @property
    def has_unsaved_text(self) -> bool:
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def _tint_icon(self) -> None:
        self._search_icon.setIcon(self._appearance.make_icon("search", "muted"))


class NumberEdit(LineEdit):
    """A field for an optional whole number."""

    def __init__(self, name: str, *, value: int | None = None, width: int = ROW * 3) -> None:
        super().__init__(name, text="" if value is None else str(value))
        self.setMaximumWidth(scale_pixels(width))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def parse_optional_number(self) -> int | None:
        """Return the number, None if empty. Raises ValueError for other text."""
        return int(self.text()) if self.text().strip() else None

    def get_number_or_none(self) -> int | None:
        return parse_whole_number(self.text())


def parse_whole_number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None  # noqa: PLR2004 - digits


class Choice(QComboBox, Generic[T]):
    """A combo box of values with their texts."""

    def __init__(
        self, name: str, values: Sequence[tuple[T, str]], appearance: Appearance, *, value: T | None = None
    ) -> None:
        super().__init__()
        self._appearance = appearance
        self._values: list[T] = []
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own list ignores the style sheet
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.set_choices(values, value)

    def set_choices(self, values: Sequence[tuple[T, str]], value: T | None) -> None:
        """Replace the choices. Emit no signal."""
        texts = [text for _, text in values]
        with QSignalBlocker(self):
            self._values = [item for item, _ in values]
            if texts != [self.itemText(index) for index in range(self.count())]:
                self.clear()
                self.addItems(texts)
            self.setCurrentIndex(self._values.index(value) if value in self._values else 0)

    def value(self) -> T | None:
        return self._values[self.currentIndex()] if 0 <= self.currentIndex() < len(self._values) else None

    def choose_value(self, value: T) -> None:
        self.setCurrentIndex(self._values.index(value))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        position = QPoint(self.width() - scale_pixels(24), (self.height() - scale_pixels(16)) // 2)
        painter.drawPixmap(position, self._appearance.draw_icon("chevron-down", "muted", 16, self))
        painter.end()


def make_label(text: str = "", kind: str = "", *, wrap: bool = False, is_announced: bool = False) -> QLabel:
    """Make a label. `kind` is title, head, lead, body, muted, error or empty.

    Screen readers announce a changed text if it is an error or `is_announced`.
    """
    error = kind == "error"
    new_label = AnnouncedParagraph(text, urgent=error) if is_announced or error else Paragraph(text)
    new_label.setProperty("kind", kind)
    new_label.setWordWrap(wrap)
    return new_label


def make_note_label(text: str = "") -> QLabel:
    return make_label(text, "muted", wrap=True)


def show_text(shown_label: QLabel, text: str) -> None:
    """Set the text of a label. Hide the label if the text is empty."""
    shown_label.setText(text)
    shown_label.setVisible(bool(text))


def make_rich_text_label(*, is_announced: bool = False) -> QLabel:
    new_label = AnnouncedRichParagraph() if is_announced else RichParagraph()
    new_label.setTextFormat(Qt.TextFormat.RichText)
    new_label.setWordWrap(True)
    return new_label


def format_input_help_as_html(inputs_and_meanings: Iterable[tuple[str, str]]) -> str:
    """Return a rich-text table of possible inputs and their meanings."""
    rows = (
        f"<tr><td style='padding-right:24px'><b>{escape(entry)}</b></td><td>{escape(meaning)}</td></tr>"
        for entry, meaning in inputs_and_meanings
    )
    return f"<table cellspacing='0'>{''.join(rows)}</table>"


def set_label_style(shown_label: QLabel, kind: str) -> None:
    if shown_label.property("kind") != kind:
        shown_label.setProperty("kind", kind)
        reapply_style_sheet(shown_label)


def reapply_style_sheet(widget: QWidget) -> None:
    """Apply the style sheet again after a property has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def escape_mnemonic(text: str) -> str:
    """Keep "&" in the text of a button or menu item. Qt underlines the letter after a single "&"."""
    return text.replace("&", "&&")


class Button(QPushButton):
    """A button that the user can also press with Enter."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(escape_mnemonic(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.click()
        else:
            super().keyPressEvent(event)


def make_button(
    text: str, run: Callable[[], object], *, role: str = "", name: str = "", tip: str = ""
) -> QPushButton:
    """Make a button.

    `role` is primary, link, quiet or empty. `name` is the accessible name if `text` is only a symbol.
    """
    new_button = Button(text)
    new_button.setProperty("role", role)
    new_button.setAutoDefault(False)
    new_button.setToolTip(tip)
    if name:
        new_button.setAccessibleName(name)
    new_button.clicked.connect(lambda _checked=False: run())
    return new_button


def make_check_box(text: str, *, is_checked: bool = False) -> QCheckBox:
    box = QCheckBox(escape_mnemonic(text))
    box.setChecked(is_checked)
    return box


def make_row(
    *parts: Part, gap: int = UNIT, margins: Margins = NO_MARGINS, parent: QWidget | None = None, wide: Wide = None
) -> QHBoxLayout:
    """Put widgets side by side. `margins` are left, top, right and bottom. `wide` takes the remaining space.

    In `parts`, a positive number is a stretch factor. A negative number adds space: -2 is 16 px.
    """
    return _set_up_layout(QHBoxLayout(), parts, gap, margins, parent, wide)


def make_column(
    *parts: Part, gap: int = UNIT, margins: Margins = NO_MARGINS, parent: QWidget | None = None, wide: Wide = None
) -> QVBoxLayout:
    """Put widgets one below the other.

    In `parts`, a positive number is a stretch factor. A negative number adds space: -2 is 16 px.
    """
    return _set_up_layout(QVBoxLayout(), parts, gap, margins, parent, wide)


def _set_up_layout(
    layout: B, parts: Sequence[Part], gap: int, margins: Margins, parent: QWidget | None, wide: Wide
) -> B:
    if parent is not None:
        parent.setLayout(layout)
    layout.setContentsMargins(*margins)
    layout.setSpacing(gap)
    add_parts_to_layout(layout, *parts, wide=wide)
    return layout


def add_parts_to_layout(layout: QBoxLayout, *contents: Part, wide: Wide = None) -> None:
    for part in contents:
        if isinstance(part, QWidget):
            layout.addWidget(part)
        elif isinstance(part, QLayout):
            layout.addLayout(part)
        elif part < 0:
            layout.addSpacing(-part * UNIT)
        else:
            layout.addStretch(part)
    if wide is not None:
        layout.setStretchFactor(wide, 1)


class WrappingRow(QWidget):
    """Widgets side by side that wrap to the next line."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._widgets = widgets
        for child in widgets:
            child.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        width = max((rect.right() + 1 for _, rect in self._compute_widget_rects(UNLIMITED_WIDTH)), default=0)
        return QSize(width, self.heightForWidth(UNLIMITED_WIDTH))

    def minimumSizeHint(self) -> QSize:
        return QSize(
            max((rect.width() for _, rect in self._compute_widget_rects(0)), default=0),
            self.heightForWidth(UNLIMITED_WIDTH),
        )

    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for _, rect in self._compute_widget_rects(width)), default=0)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            for child, rect in self._compute_widget_rects(self.width()):
                child.setGeometry(rect)
        return super().event(event)

    def _compute_widget_rects(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        x = y = bottom = 0
        for child in self._widgets:
            if not child.isHidden():
                size = child.sizeHint()
                if x and x + size.width() > width:
                    x, y = 0, bottom + UNIT
                yield child, QRect(QPoint(x, y), size)
                x, bottom = x + size.width() + UNIT, max(bottom, y + size.height())


def wrap_in_widget(layout: QLayout) -> QWidget:
    widget = QWidget()
    layout.setContentsMargins(0, 0, 0, 0)
    widget.setLayout(layout)
    return widget


def clear_layout(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()  # hide it now: it stays visible until deleted
            widget.deleteLater()
        if inner is not None:
            clear_layout(inner)


class FormLayout(QGridLayout):
    """A layout of two columns: labels and fields. A label is the accessible name of its field."""

    def __init__(self, *fields: QWidget, parent: QWidget | None = None) -> None:
        super().__init__()
        if parent is not None:
            parent.setLayout(self)
        self.setHorizontalSpacing(UNIT * 2)
        self.setVerticalSpacing(UNIT)
        self.setColumnStretch(1, 1)
        for field in fields:
            self.add_field(field)

    def add_field(self, field: QWidget, note: str = "", *, title: str | None = None) -> list[QWidget]:
        """Add a field with its label (by default its accessible name) and a note. Return the added widgets."""
        line = self.rowCount()
        text = field.accessibleName() if title is None else title
        name = make_label(text)
        name.setBuddy(field)
        name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        if not field.accessibleName():
            field.setAccessibleName(text)
        self.addWidget(name, line, 0)
        narrow = field.maximumWidth() < UNLIMITED_WIDTH
        self.addWidget(field, line, 1, Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag(0))
        widgets = [name, field]
        if note:
            widgets.append(make_label(note, "muted", wrap=True))
            self.addWidget(widgets[-1], line + 1, 1)
        return widgets

    def add_wide_field(self, field: QWidget) -> list[QWidget]:
        self.addWidget(field, self.rowCount(), 0, 1, 2)
        return [field]


def make_separator() -> QFrame:
    line = QFrame()
    line.setObjectName("rule")
    return line


_ARROWS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})
_SPACES = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Period, Qt.Key.Key_Comma})


class LineEditWithTableNumber(LineEdit):
    """A field for a line that begins with a table number, such as a result.

    While all text is selected or the field is empty, a space accepts the table that the page proposes.
    """

    enter_pressed = Signal(bool)  # with Ctrl
    step_requested = Signal(int)  # emitted to propose another table
    proposal_accepted = Signal()  # emitted when a space accepts the proposed table
    _appendable = ""  # characters that continue a line after Enter

    def select_text_for_replacement(self, appendable: str = "") -> None:
        """Select the text, so that typing replaces it. If the typed character is in `appendable`, append it."""
        self._appendable = appendable
        self.selectAll()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in ENTER:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in ENTER:
            self.enter_pressed.emit(control)
        elif key in _ARROWS and not self.text():
            self.step_requested.emit(-1 if key == Qt.Key.Key_Up else 1)
        elif event.text() and event.text() in self._appendable and self.selectedText() == self.text():
            self.end(False)
            self.insert(f" {event.text().strip()}")
        elif key in _SPACES and self.selectedText() == self.text():
            self.proposal_accepted.emit()
        else:
            super().keyPressEvent(event)
