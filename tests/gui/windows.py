"""A visible window for tests, and functions for its keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import TournamentAssistant
from tdapp.gui.widgets.page import Page, Panel

D = TypeVar("D", bound=QDialog)
G = TypeVar("G", bound=Page)
P = TypeVar("P", bound=Panel)
NONE = Qt.KeyboardModifier.NoModifier


def shown(session: Session, qtbot: QtBot, place: str = "") -> Window:
    """Return an active window on a session, at a place if one is named."""
    made = Window(session)
    qtbot.addWidget(made)
    if session.is_open:
        session.opened.emit()
    if place:
        made.show_page(place)
    made.show()  # at the end, so that each widget is laid out and painted once
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def open_assistant(session: Session, qtbot: QtBot) -> TournamentAssistant:
    """Return the active assistant for a new tournament, over a window."""
    window = Window(session)
    qtbot.addWidget(window)
    window.show()
    assistant = TournamentAssistant(session, parent=window)
    assistant.open()
    assistant.activateWindow()
    qtbot.waitUntil(assistant.isActiveWindow)
    return assistant


@contextmanager
def choosing(*paths: Path) -> Iterator[None]:
    """Answer file dialogs with paths: the first one, or all, to open, and the last one to save."""
    names = [str(path) for path in paths]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (names[0], ""))
        patch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (names, ""))
        patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (names[-1], ""))
        patch.setattr(QFileDialog, "getExistingDirectory", lambda *_: names[-1])
        yield


# --- widgets


def page_in(window: Window, kind: type[G]) -> G:
    """Return the visible page, of the given type."""
    assert isinstance(window.page, kind)
    return window.page


def panel_in(window: Window, kind: type[P]) -> P:
    """Return the open panel, of the given type."""
    assert isinstance(window.panel, kind)
    return window.panel


def dialog(window: Window, kind: type[D]) -> D:
    """Return the open dialog of the given type."""
    found = window.findChild(kind)
    assert isinstance(found, kind)
    return found


# --- what hands do


def run(window: Window, name: str) -> None:
    """Run an enabled command."""
    command = window.command(name)
    command.update_state()
    assert command.isEnabled(), name
    command.trigger()


def focused(window: Window) -> QWidget:
    """Return the widget with the cursor."""
    found = window.focusWidget()
    assert found is not None
    return found


def press(window: Window, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    """Press a key where the cursor is."""
    QTest.keyClick(focused(window), key, modifier)


def write(window: Window, text: str) -> None:
    """Type where the cursor is."""
    QTest.keyClicks(focused(window), text)


def strike(*keys: Qt.Key) -> None:
    """Press keys where the cursor is, be it in a window or in a dialog."""
    for key in keys:
        found = QApplication.focusWidget()
        assert found is not None
        QTest.keyClick(found, key)
