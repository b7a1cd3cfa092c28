"""Helpers to show a window in tests, find its parts and press its keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.widgets.page import Page, Panel

D = TypeVar("D", bound=QDialog)
G = TypeVar("G", bound=Page)
P = TypeVar("P", bound=Panel)
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def show_window(session: Session, qtbot: QtBot, page_id: str = "") -> Window:
    """Return an active window of a session, on the given page."""
    window = Window(session)
    qtbot.addWidget(window)
    if session.is_open:
        session.opened.emit()
    if page_id:
        window.show_page(page_id)
    window.show()  # at the end, so that each widget is laid out and painted once
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def open_assistant(session: Session, qtbot: QtBot) -> NewTournamentDialog:
    """Return the active assistant for a new tournament, above a window."""
    window = Window(session)
    qtbot.addWidget(window)
    window.show()
    assistant = NewTournamentDialog(session, parent=window)
    assistant.open()
    assistant.activateWindow()
    qtbot.waitUntil(assistant.isActiveWindow)
    return assistant


@contextmanager
def answer_file_dialogs(*paths: Path) -> Iterator[None]:
    """Answer file dialogs: with the first path or all paths to open, with the last path to save."""
    names = [str(path) for path in paths]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (names[0], ""))
        patch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (names, ""))
        patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (names[-1], ""))
        patch.setattr(QFileDialog, "getExistingDirectory", lambda *_: names[-1])
        yield


# --- widgets


def get_page(window: Window, kind: type[G]) -> G:
    """Return the visible page, of the given type."""
    assert isinstance(window.page, kind)
    return window.page


def get_panel(window: Window, kind: type[P]) -> P:
    """Return the open panel, of the given type."""
    assert isinstance(window.panel, kind)
    return window.panel


def find_dialog(window: Window, kind: type[D]) -> D:
    """Return the open dialog of the given type."""
    dialog = window.findChild(kind)
    assert isinstance(dialog, kind)
    return dialog


# --- keys


def run_action(window: Window, name: str) -> None:
    """Run an enabled action."""
    action = window.get_action(name)
    action.update_state()
    assert action.isEnabled(), name
    action.trigger()


def read_visible_labels(parent: QWidget) -> str:
    """Return the texts of the visible labels of a widget, one in each line."""
    return "\n".join(label.text() for label in parent.findChildren(QLabel) if label.isVisible())


def collect_messages(session: Session) -> list[str]:
    """Return a list that receives all later messages of the session."""
    messages: list[str] = []
    session.message_sent.connect(lambda sentence, *_arguments: messages.append(str(sentence)))
    return messages


def get_focused_widget(window: Window) -> QWidget:
    """Return the widget with the focus."""
    widget = window.focusWidget()
    assert widget is not None
    return widget


def press_key(window: Window, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
    """Press a key in the focused widget."""
    QTest.keyClick(get_focused_widget(window), key, modifier)


def type_text(window: Window, text: str) -> None:
    """Type text in the focused widget."""
    QTest.keyClicks(get_focused_widget(window), text)


def get_application_focus() -> QWidget:
    """Return the focused widget of a window or dialog."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press_keys(*keys: Qt.Key) -> None:
    """Press keys in the focused widget of a window or dialog."""
    for key in keys:
        QTest.keyClick(get_application_focus(), key)
