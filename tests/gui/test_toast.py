"""The sentence over the page: where it stands, and when it goes."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QTableView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.shell.bottom_bar import Toast
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tests.gui.samples import A


@pytest.fixture
def over(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1024, 640)
    return made


def test_it_leaves_what_is_written_under_a_table_to_be_read(session: Session, over: QWidget) -> None:
    note = fields.rich()
    note.setText("Without a game: Anna")
    column = QVBoxLayout(over)
    column.setContentsMargins(16, 16, 16, 64)
    fields.fill(column, [QTableView(), note])
    over.show()
    toast = Toast(session, over)
    toast.say("Round 1 published", True, "plain")
    assert not toast.geometry().intersects(note.geometry())
    assert toast.geometry().bottom() > note.y() - toast.height()  # near where it usually is
    assert over.rect().contains(toast.geometry())


def test_what_was_refused_goes_when_the_next_step_succeeds(session: Session, over: QWidget) -> None:
    over.show()
    toast = Toast(session, over)
    session.told.connect(toast.say)
    session.say("That cannot be.", tone="red")
    assert toast.isVisible()
    session.do(partial(commands.add_player, key="p", division=A, name="Anna"), quiet=True)
    assert not toast.isVisible()


def test_what_was_done_stays(session: Session, over: QWidget) -> None:
    over.show()
    toast = Toast(session, over)
    session.told.connect(toast.say)
    session.say("It is done.")
    session.do(partial(commands.add_player, key="p", division=A, name="Anna"), quiet=True)
    assert toast.isVisible()


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
def test_a_file_dialog_goes_while_it_stands_there(session: Session, over: QWidget) -> None:
    """The keys leave the dialog while Qt takes it apart: nobody may look at its parts then."""
    inside = QLineEdit()
    fields.fill(QVBoxLayout(over), [inside])
    over.show()
    over.activateWindow()
    toast = Toast(session, over)
    toast.say("Undone: round 1 published", True, "plain")
    timer = QTimer(over, interval=50)
    timer.timeout.connect(_leave)
    timer.start()
    assert QFileDialog.getOpenFileName(inside, options=QFileDialog.Option.DontUseNativeDialog)[0] == ""
    QApplication.processEvents()
    assert toast.isVisible()


def _leave() -> None:
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        field = dialog.focusWidget()
        if field is not None:
            QTest.keyClicks(field, "/")  # its list of proposals opens
        dialog.close()
