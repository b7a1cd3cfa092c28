"""Tests of the toast, the message above the page: its position and its end."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QTableView, QTableWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.players.page import PlayersPage
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.toast import Toast
from tdapp.gui.widgets import fields
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import show_window

pytestmark = pytest.mark.styled


@pytest.fixture
def parent_widget(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(1024, 640)
    return widget


def test_toast_does_not_cover_the_heading_of_a_table(session: Session, parent_widget: QWidget) -> None:
    view = QTableWidget(1, 3)
    view.setFixedHeight(100)
    column = QVBoxLayout(parent_widget)
    column.setContentsMargins(16, 16, 16, 24)
    fields.add_parts_to_layout(column, fields.make_label("Round 1"), QWidget(), view)
    parent_widget.show()
    toast = Toast(session, parent_widget)
    toast.show_message("Round 1 paired as a draft", 1, "plain")
    heading = view.horizontalHeader()
    assert not toast.geometry().intersects(QRect(heading.mapTo(parent_widget, QPoint()), heading.size()))


def test_toast_does_not_cover_text_below_a_table(session: Session, parent_widget: QWidget) -> None:
    note = fields.make_rich_text_label()
    note.setText("Without a game: Anna")
    column = QVBoxLayout(parent_widget)
    column.setContentsMargins(16, 16, 16, 64)
    fields.add_parts_to_layout(column, QTableView(), note)
    parent_widget.show()
    toast = Toast(session, parent_widget)
    toast.show_message("Round 1 published", 1, "plain")
    assert not toast.geometry().intersects(note.geometry())
    assert toast.geometry().bottom() > note.y() - toast.height()  # near its usual position
    assert parent_widget.rect().contains(toast.geometry())


def test_toast_leaves_a_text_that_appears_under_it(session: Session, parent_widget: QWidget, qtbot: QtBot) -> None:
    note = fields.make_label("")
    column = QVBoxLayout(parent_widget)
    column.setContentsMargins(16, 16, 16, 56)
    fields.add_parts_to_layout(column, QWidget(), note)
    parent_widget.show()
    toast = Toast(session, parent_widget)
    toast.show_message("Check-in cancelled", 1, "plain")
    QApplication.processEvents()
    toast.move(toast.x(), note.y() + 2)
    note.setText("Check-in is not in use: F6 pairs all players except those marked as absent.")
    assert toast.geometry().intersects(note.geometry())
    qtbot.waitUntil(lambda: not toast.geometry().intersects(note.geometry()))


def test_refusal_toast_disappears_after_the_next_step(session: Session, parent_widget: QWidget) -> None:
    parent_widget.show()
    toast = Toast(session, parent_widget)
    session.message_sent.connect(toast.show_message)
    session.show_message("That cannot be.", tone="red")
    assert toast.isVisible()
    session.do(partial(commands.add_player, key="p", division=A, name="Anna"), quiet=True)
    assert not toast.isVisible()


def test_note_toast_has_an_info_icon(session: Session, parent_widget: QWidget) -> None:
    toast = Toast(session, parent_widget)

    def read_icon(tone: str) -> object:
        toast.show_message("No player in this division is on the list.", 0, tone)
        return toast._icon.pixmap().toImage()

    assert read_icon("note") == session.appearance.draw_icon("info", "surface", 20, toast).toImage()
    assert read_icon("note") != read_icon("plain")


def test_toast_disappears_with_its_page_unless_plain(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "rounds")
    toast = window.findChild(Toast)
    assert toast is not None
    for tone, is_visible in (("red", False), ("note", False), ("plain", True)):
        window.show_page("rounds")
        full_session.show_message("Said of the rounds.", tone=tone)
        window.show_page("rounds")
        assert toast.isVisible()
        window.show_page("standings")
        assert toast.isVisible() == is_visible


def test_toast_never_undoes_a_later_step(full_session: Session, parent_widget: QWidget) -> None:
    parent_widget.show()
    toast = Toast(full_session, parent_widget)
    toast.undo.connect(full_session.undo)
    full_session.message_sent.connect(toast.show_message)
    full_session.do(partial(commands.pair_round, key="r", proposal=propose_pairings(full_session.index, A)))
    assert toast.isVisible()
    game = full_session.index.games(full_session.index.rounds(A)[0].id)[0].id
    full_session.do(partial(commands.enter_result, game=game, first=412, second=388), quiet=True)
    assert not toast.isVisible()
    toast._undo.click()  # a click that Qt delivers after the next step
    assert game in full_session.tournament.results


def test_toast_undo_reverts_its_step(session: Session, parent_widget: QWidget) -> None:
    parent_widget.show()
    toast = Toast(session, parent_widget)
    toast.undo.connect(session.undo)
    session.message_sent.connect(toast.show_message)
    session.do(partial(commands.add_player, key="p", division=A, name="Anna"))
    toast._undo.click()
    assert not session.tournament.players


def test_toast_does_not_cover_rows_of_a_table(session: Session, parent_widget: QWidget) -> None:
    table = QTableWidget(12, 2)
    fields.add_parts_to_layout(QVBoxLayout(parent_widget), table)
    parent_widget.show()
    table.setCurrentCell(11, 0)
    toast = Toast(session, parent_widget)
    for row in range(12):
        table.setCurrentCell(row, 1)
        toast.show_message("Table 12 moved", 0, "plain")
        row_rect = table.visualRect(table.currentIndex())
        row_position = table.viewport().mapTo(parent_widget, row_rect.topLeft())
        assert not toast.geometry().intersects(QRect(row_position.x(), row_position.y(), 1, row_rect.height()))
    assert toast.y() > table.rowHeight(0) * 12  # with space below them


@pytest.mark.qt_log_ignore(
    "does not support (raise|grabbing)", extend=True
)  # the offscreen platform warns about popups
def test_toast_survives_a_closing_file_dialog(session: Session, parent_widget: QWidget) -> None:
    """The toast must not use widgets of the dialog while Qt deletes it."""
    parent_field = QLineEdit()
    fields.add_parts_to_layout(QVBoxLayout(parent_widget), parent_field)
    parent_widget.show()
    parent_widget.activateWindow()
    toast = Toast(session, parent_widget)
    toast.show_message("Undone: round 1 published", 1, "plain")
    timer = QTimer(parent_widget, interval=50)
    timer.timeout.connect(close_active_dialog)
    timer.start()
    assert QFileDialog.getOpenFileName(parent_field, options=QFileDialog.Option.DontUseNativeDialog)[0] == ""
    QApplication.processEvents()
    assert toast.isVisible()


def close_active_dialog() -> None:
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        field = dialog.focusWidget()
        if field is not None:
            QTest.keyClicks(field, "/")  # opens the completion list
        dialog.close()


@pytest.mark.slow
def test_toast_covers_the_bar_instead_of_rows(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    window.resize(1280, 720)
    page, toast = window.page, window.findChild(Toast)
    assert isinstance(page, PlayersPage)
    assert toast is not None
    page.view.select_row(page.rows.keys()[0])
    for sentence in ("Round 1 paired as a draft", "Results of ten tables and of several players checked"):
        full_session.show_message(sentence, undo=1)
        area = QRect(page.view.viewport().mapTo(window.root_stack, QPoint()), page.view.viewport().size())
        assert not toast.geometry().intersects(area)
        assert window.root_stack.rect().contains(toast.geometry())
        save_state_label = window._bottom._saved
        assert not toast.geometry().intersects(
            QRect(save_state_label.mapTo(window.root_stack, QPoint()), save_state_label.size())
        )


def test_toast_covers_buttons_of_the_bar_instead_of_the_save_state(
    session: Session, parent_widget: QWidget
) -> None:
    table, bar, save_state = QTableWidget(40, 3), QWidget(), SaveStateLabel(session)
    button = fields.make_button("Round 1: 12 results missing", bar.hide)
    button.setFixedWidth(800)
    fields.make_row(button, 1, save_state, parent=bar)
    fields.make_column(table, bar, wide=table, parent=parent_widget)
    parent_widget.show()
    toast = Toast(session, parent_widget, bar)
    toast.show_message("Round 1 paired as a draft", 1, "plain")
    assert toast.geometry().intersects(bar.geometry())
    assert not toast.geometry().intersects(QRect(save_state.mapTo(parent_widget, QPoint()), save_state.size()))
