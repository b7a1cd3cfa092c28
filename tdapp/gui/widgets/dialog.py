"""Dialogs with heading, body, buttons and help, and dialogs for files and folders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QLayout, QLineEdit, QPushButton, QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.page import list_tab_stops, set_tab_order
from tdapp.gui.widgets.scroll_body import ScrolledBody
from tdapp.gui.widgets.theme import UNIT

SPACE_AROUND_BODY = QSize(UNIT * 8, UNIT * 22)  # pixels that a dialog needs around its body

TITLE_BAR_HEIGHT = UNIT * 4  # pixels of the bar above it
Size = tuple[int, int]


class Dialog(QDialog):
    """A dialog, deleted when it closes.

    Open it with `open`, which does not block.
    """

    topic: ClassVar[str] = "index"

    def __init__(
        self, session: Session, title: str, *, yes: str = "", parent: QWidget | None = None, size: Size = (0, 0)
    ) -> None:
        """Build the dialog. `yes` is the text of the button that calls `confirm_dialog`.

        `size` is in units of 8 pixels.
        """
        super().__init__(parent)
        if parent is None:
            session.appearance.style_window(self)
        self.session, self.text = session, session.catalogue.text
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(title)
        self.heading = fields.make_label(title, "head", wrap=True)
        self.body = fields.make_column()
        self.yes: QPushButton = fields.make_button(yes or self.text("Close"), self.confirm_dialog, role="primary")
        self.yes.setDefault(True)
        self.no: QPushButton = fields.make_button(self.text("Cancel"), self.reject)
        self.buttons = fields.make_row(1, self.no, self.yes)
        if not yes:
            self.no.hide()
        self.error = fields.make_label("", "error", wrap=True)
        self.error.hide()
        self.scrolled = _DialogBody(self.body, self.error)
        parts = (self.heading, self.scrolled, self.error, self.buttons)
        fields.make_column(*parts, gap=UNIT * 2, margins=(UNIT * 3,) * 4, parent=self).setStretch(1, 1)
        if any(size):
            self.resize(UNIT * size[0], UNIT * size[1])

    def add_labels(self, *texts_and_kinds: tuple[str, str]) -> None:
        for text, kind in texts_and_kinds:
            self.body.addWidget(fields.make_label(text, kind, wrap=True))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        body_widgets = [widget for widget in list_tab_stops(self) if self.buttons.indexOf(widget) < 0]
        button_widgets = [widget for widget in list_tab_stops(self) if widget not in body_widgets]
        set_tab_order([*body_widgets, *sorted(button_widgets, key=self.buttons.indexOf)])
        self.grow_to_fit_contents()
        self.resize(self.size().boundedTo(_compute_available_size(self)))

    def grow_to_fit_contents(self) -> None:
        layout = self.layout()
        needed_height = layout.heightForWidth(self.width()) if layout is not None else 0
        if needed_height > self.height():
            self.resize(self.width(), min(needed_height, _compute_available_size(self).height()))

    def show_error(self, sentence: str, field_to_focus: QWidget | None = None) -> None:
        """Show an error. "" removes it, and so does the next typing in the field."""
        fields.show_text(self.error, sentence)
        if field_to_focus is not None:
            field_to_focus.setFocus()
        if isinstance(field_to_focus, QLineEdit):
            field_to_focus.textEdited.connect(
                lambda _text: self.show_error(""), Qt.ConnectionType.SingleShotConnection
            )
        self.grow_to_fit_contents()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_F1 or event.modifiers():
            super().keyPressEvent(event)
            return
        from tdapp.gui.shell.help_view import HelpWindow  # noqa: PLC0415 - loaded on demand

        help_window = self.findChild(HelpWindow)
        if help_window is None:
            help_window = HelpWindow(self.session, self.topic, parent=self)
            help_window.show()
        help_window.activateWindow()

    def confirm_dialog(self) -> None:
        self.accept()


class NoticeDialog(Dialog):
    """Shows sentences, which the user can copy."""

    def __init__(
        self, session: Session, title: str, sentences: Iterable[str], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, title, parent=parent, size=(72, 30))
        for sentence in sentences:
            label = fields.make_label(sentence, wrap=True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.body.addWidget(label)
        self.body.addStretch(1)


class _DialogBody(ScrolledBody):
    def __init__(self, body: QLayout, error: QWidget) -> None:
        super().__init__(body)
        self._error = error

    def sizeHint(self) -> QSize:
        return self._add_needed_scroll_bar_width(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._add_needed_scroll_bar_width(self.body.minimumSize()).boundedTo(
            self._compute_largest_body_size()
        )

    def _add_needed_scroll_bar_width(self, size: QSize) -> QSize:
        height = max(
            size.height(),
            self.contents.heightForWidth(max(size.width(), self.width() - self.get_scroll_bar_size().width())),
        )
        return size + self.get_scroll_bar_size() if height > self._compute_largest_body_size().height() else size

    def _compute_largest_body_size(self) -> QSize:
        error_height = 0 if self._error.isHidden() else self._error.heightForWidth(self._error.width()) + UNIT * 2
        return _compute_available_size(self.window()) - SPACE_AROUND_BODY - QSize(0, error_height)


def _compute_available_size(dialog: QWidget) -> QSize:
    available_size, parent = dialog.screen().availableSize() - QSize(0, TITLE_BAR_HEIGHT), dialog.parentWidget()
    return available_size.expandedTo(parent.window().size()) if parent is not None else available_size


def ask_existing_file(
    parent: QWidget, session: Session, title: str, pattern: str = "", *, folder: str = ""
) -> Path | None:
    """Return the chosen file, None after Cancel. Start in `folder` or the last folder."""
    name, _ = QFileDialog.getOpenFileName(parent, title, folder or session.recent.propose_save_folder(), pattern)
    return Path(name) if name else None


def ask_file_to_write(parent: QWidget, title: str, proposed_path: Path | str, pattern: str) -> Path | None:
    """Return the file to write, None after Cancel. `proposed_path` is a folder or a file."""
    name, _ = QFileDialog.getSaveFileName(parent, title, str(proposed_path), pattern)
    return Path(name) if name else None


def ask_new_tournament_file(
    parent: QWidget, session: Session, title: str, proposed_path: Path | str
) -> Path | None:
    return ask_file_to_write(parent, title, proposed_path, session.catalogue.text("Tournaments (*.tdapp)"))


def ask_folder(parent: QWidget, session: Session, title: str) -> Path | None:
    name = QFileDialog.getExistingDirectory(parent, title, session.recent.propose_save_folder())
    return Path(name) if name else None
