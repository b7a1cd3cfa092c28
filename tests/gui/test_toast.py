"""The message over the page: its position, and when it disappears."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QTableView, QTableWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.bottom_bar import Toast
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import show_window

pytestmark = pytest.mark.styled


@pytest.fixture
def over(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1024, 640)
    return made


def test_toast_leaves_the_heading_of_a_list_visible(session: Session, over: QWidget) -> None:
    view = QTableWidget(1, 3)
    view.setFixedHeight(100)
    column = QVBoxLayout(over)
    column.setContentsMargins(16, 16, 16, 24)
    fields.fill_layout(column, fields.label("Round 1"), QWidget(), view)
    over.show()
    toast = Toast(session, over)
    toast.show_message("Round 1 paired as a draft", 1, "plain")
    heading = view.horizontalHeader()
    assert not toast.geometry().intersects(QRect(heading.mapTo(over, QPoint()), heading.size()))


def test_toast_leaves_text_below_a_table_visible(session: Session, over: QWidget) -> None:
    note = fields.rich_label()
    note.setText("Without a game: Anna")
    column = QVBoxLayout(over)
    column.setContentsMargins(16, 16, 16, 64)
    fields.fill_layout(column, QTableView(), note)
    over.show()
    toast = Toast(session, over)
    toast.show_message("Round 1 published", 1, "plain")
    assert not toast.geometry().intersects(note.geometry())
    assert toast.geometry().bottom() > note.y() - toast.height()  # near where it usually is
    assert over.rect().contains(toast.geometry())


def test_toast_of_a_refusal_disappears_after_the_next_step(session: Session, over: QWidget) -> None:
    over.show()
    toast = Toast(session, over)
    session.message_sent.connect(toast.show_message)
    session.show_message("That cannot be.", tone="red")
    assert toast.isVisible()
    session.do(partial(commands.add_player, key="p", division=A, name="Anna"), quiet=True)
    assert not toast.isVisible()


def test_toast_of_a_note_has_no_tick(session: Session, over: QWidget) -> None:
    toast = Toast(session, over)

    def icon(tone: str) -> object:
        toast.show_message("Nobody in this division is in the list.", 0, tone)
        return toast._icon.pixmap().toImage()

    assert icon("note") == session.appearance.draw_icon("info", "surface", 20, toast).toImage()
    assert icon("note") != icon("plain")


def test_toast_of_a_refusal_disappears_with_its_page(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "rounds")
    toast = window.findChild(Toast)
    assert toast is not None
    for tone, stays in (("red", False), ("note", False), ("plain", True)):
        window.show_page("rounds")
        full_session.show_message("Said of the rounds.", tone=tone)
        window.show_page("rounds")
        assert toast.isVisible()
        window.show_page("standings")
        assert toast.isVisible() == stays


def test_toast_offers_undo_of_its_step_only(full_session: Session, over: QWidget) -> None:
    over.show()
    toast = Toast(full_session, over)
    toast.undo.connect(full_session.undo)
    full_session.message_sent.connect(toast.show_message)
    full_session.do(partial(commands.pair_round, key="r", proposal=propose_pairings(full_session.index, A)))
    assert toast.isVisible()
    game = full_session.index.games(full_session.index.rounds(A)[0].id)[0].id
    full_session.do(partial(commands.enter_result, game=game, first=412, second=388), quiet=True)
    assert not toast.isVisible()
    toast._undo.click()  # a click already on its way
    assert game in full_session.tournament.results


def test_toast_undo_reverts_its_step(session: Session, over: QWidget) -> None:
    over.show()
    toast = Toast(session, over)
    toast.undo.connect(session.undo)
    session.message_sent.connect(toast.show_message)
    session.do(partial(commands.add_player, key="p", division=A, name="Anna"))
    toast._undo.click()
    assert not session.tournament.players


def test_toast_leaves_rows_of_a_list_visible(session: Session, over: QWidget) -> None:
    table = QTableWidget(12, 2)
    fields.fill_layout(QVBoxLayout(over), table)
    over.show()
    table.setCurrentCell(11, 0)
    toast = Toast(session, over)
    for row in range(12):
        table.setCurrentCell(row, 1)
        toast.show_message("Table 12 moved", 0, "plain")
        line = table.visualRect(table.currentIndex())
        at = table.viewport().mapTo(over, line.topLeft())
        assert not toast.geometry().intersects(QRect(at.x(), at.y(), 1, line.height()))
    assert toast.y() > table.rowHeight(0) * 12  # with space below them


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
def test_toast_survives_a_closing_file_dialog(session: Session, over: QWidget) -> None:
    """The focus leaves the dialog while Qt deletes it; its parts may not be used at that time."""
    inside = QLineEdit()
    fields.fill_layout(QVBoxLayout(over), inside)
    over.show()
    over.activateWindow()
    toast = Toast(session, over)
    toast.show_message("Undone: round 1 published", 1, "plain")
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


@pytest.mark.slow
def test_toast_covers_the_bar_rather_than_rows(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    window.resize(1280, 720)
    page, toast = window.page, window.findChild(Toast)
    assert isinstance(page, PlayersPage)
    assert toast is not None
    page.view.choose(page.rows.keys()[0])
    for sentence in ("Round 1 paired as a draft", "Results of ten tables and of several players checked"):
        full_session.show_message(sentence, undo=1)
        area = QRect(page.view.viewport().mapTo(window.root_stack, QPoint()), page.view.viewport().size())
        assert not toast.geometry().intersects(area)
        assert window.root_stack.rect().contains(toast.geometry())
        saved = window._bottom._saved
        assert not toast.geometry().intersects(QRect(saved.mapTo(window.root_stack, QPoint()), saved.size()))
