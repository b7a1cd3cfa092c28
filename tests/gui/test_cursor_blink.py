"""The text cursor stops blinking without typing, because each blink wakes the computer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import LineEdit


def test_line_edit_cursor_stops_blinking_until_the_next_key(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "BLINKING_TIME", 1)
    usual = QApplication.cursorFlashTime()
    field = LineEdit("Name")
    qtbot.addWidget(field)
    field.show()
    field.activateWindow()
    field.setFocus()
    qtbot.waitUntil(lambda: QApplication.cursorFlashTime() == 0)
    times: list[int] = []

    def note() -> None:
        times.append(QApplication.cursorFlashTime())

    QApplication.styleHints().cursorFlashTimeChanged.connect(note)
    QTest.keyClick(field, Qt.Key.Key_A)
    assert times[0] == usual
    qtbot.waitUntil(lambda: QApplication.cursorFlashTime() == 0)
    QApplication.styleHints().cursorFlashTimeChanged.disconnect(note)
    QApplication.setCursorFlashTime(-1)
