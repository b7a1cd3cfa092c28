"""The palette: a command is found by its text and its menu, and goes where it is done."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.palette import Palette
from tdapp.gui.shell.session import Session
from tdapp.gui.tournament.schedule import ScheduleView
from tdapp.gui.widgets.fields import LineEdit
from tests.gui.windows import shown


@pytest.mark.parametrize(("typed", "text"), [("import players", "Import…"), ("schedule", "Schedule")])
def test_the_palette_knows_the_menu_too(filled: Session, qtbot: QtBot, typed: str, text: str) -> None:
    window = shown(filled, qtbot, "players")
    window.command("palette").trigger()
    palette = window.findChildren(Palette)[0]
    QTest.keyClicks(palette.findChildren(LineEdit)[0], typed)
    offered = palette.findChildren(QListWidget)[0]
    assert [offered.item(row).text() for row in range(offered.count())] == [text]
    palette.close()


def test_the_schedule_is_reached_by_its_name(filled: Session, qtbot: QtBot) -> None:
    window = shown(filled, qtbot, "players")
    window.command("schedule").trigger()
    assert window.page.id == "tournament"
    focus = QApplication.focusWidget()
    assert isinstance(focus, ScheduleView)
