"""Tests of the text cursor, which stops blinking without typing to save power."""

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
    flash_time_before = QApplication.cursorFlashTime()
    field = LineEdit("Name")
    qtbot.addWidget(field)
    field.show()
    field.activateWindow()
    field.setFocus()
    qtbot.waitUntil(lambda: QApplication.cursorFlashTime() == 0)
    flash_times: list[int] = []

    def record_flash_time() -> None:
        flash_times.append(QApplication.cursorFlashTime())

    QApplication.styleHints().cursorFlashTimeChanged.connect(record_flash_time)
    QTest.keyClick(field, Qt.Key.Key_A)
    assert flash_times[0] == flash_time_before
    qtbot.waitUntil(lambda: QApplication.cursorFlashTime() == 0)
    QApplication.styleHints().cursorFlashTimeChanged.disconnect(record_flash_time)
    QApplication.setCursorFlashTime(-1)
