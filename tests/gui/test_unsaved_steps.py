"""Tests of unsaved steps: the save state in the bar, and the question before closing."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.domain.journal import Step
from tdapp.domain.tournament import Diff, JournalChecksum
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.data_loss_dialogs import UnsavedStepsDialog
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.theme import Appearance
from tdapp.services import command_queue
from tests.building import load_rule_set
from tests.gui.samples import make_session
from tests.gui.table_events import show_first_round
from tests.gui.windows import get_page, press_key, type_text

STEP = "Result of table 1 entered, 412, 388"


class HangingDisk:
    """Blocks each save until `gate` is set."""

    def __init__(self, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        store = window.session.desk.store
        save = store.save_step

        def save_when_released(
            changes: Diff, step: Step, *, expected_head: JournalChecksum | None = None
        ) -> JournalChecksum:
            self.gate.wait(60)
            return save(changes, step, expected_head=expected_head)

        monkeypatch.setattr(store, "save_step", save_when_released)


@pytest.fixture
def window(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Window]:
    """Yield a window with real worker threads and the focus in the result field."""
    monkeypatch.setattr(command_queue, "LATE_SECONDS", 0.0)
    session = make_session("en", appearance, settings, inline=False)
    yield show_first_round(session, qtbot, load_rule_set("nl-match"))
    session.close()
    session.work.close()


@pytest.fixture
def disk(window: Window, monkeypatch: pytest.MonkeyPatch) -> Iterator[HangingDisk]:
    hanging_disk = HangingDisk(window, monkeypatch)
    yield hanging_disk
    hanging_disk.gate.set()


def read_save_state(window: Window) -> str:
    label = window.findChild(SaveStateLabel)
    assert label is not None
    return label.get_text()


def find_unsaved_steps_dialog(window: Window) -> UnsavedStepsDialog | None:
    return next((dialog for dialog in window.findChildren(UnsavedStepsDialog) if dialog.isVisible()), None)


def enter_result(window: Window, table: int = 1) -> None:
    get_page(window, RoundsPage).field.focus_line()
    type_text(window, f"{table} 412 388")
    press_key(window, Qt.Key.Key_Return)


def test_save_state_names_a_hanging_disk_and_its_steps(
    window: Window, disk: HangingDisk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_save_state(window).startswith("All saved")
    enter_result(window)
    qtbot.waitUntil(lambda: read_save_state(window) == "Saving…")
    monkeypatch.setattr(command_queue, "STUCK_SECONDS", 0.0)
    enter_result(window, table=2)
    qtbot.waitUntil(lambda: read_save_state(window) == "The disk is not responding · 2 changes are not saved yet")
    disk.gate.set()
    qtbot.waitUntil(lambda: read_save_state(window).startswith("All saved"))
    assert len(window.session.tournament.results) == 2


def test_unsaved_steps_dialog_names_the_step_of_a_hanging_disk(
    window: Window, disk: HangingDisk, qtbot: QtBot
) -> None:
    enter_result(window)
    window.close()
    dialog = find_unsaved_steps_dialog(window)
    assert dialog is not None
    assert window.isVisible()
    assert any(STEP in widget.text() for widget in dialog.findChildren(QLabel))
    copy_button = next(widget for widget in dialog.findChildren(QPushButton) if widget.text() == "Copy")
    copy_button.click()
    assert STEP in QGuiApplication.clipboard().text()
    disk.gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())  # the window closes after the save
    assert len(window.session.desk.tournament.results) == 1


def test_unsaved_steps_dialog_can_close_the_window(window: Window, disk: HangingDisk) -> None:
    enter_result(window)
    window.close()
    dialog = find_unsaved_steps_dialog(window)
    assert dialog is not None
    dialog.yes.click()
    assert not window.isVisible()
    assert not window.session.queue.unsaved_work


@pytest.mark.slow
def test_unsaved_steps_dialog_asks_about_an_unsaved_undo(window: Window, disk: HangingDisk, qtbot: QtBot) -> None:
    disk.gate.set()
    enter_result(window)
    qtbot.waitUntil(lambda: not window.session.queue.unsaved_work)
    disk.gate.clear()
    window.session.undo()
    assert [work_item.describe()[:7] for work_item in window.session.queue.unsaved_work] == ["Undone:"]
    window.close()
    assert find_unsaved_steps_dialog(window) is not None
    disk.gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not window.session.tournament.results


def test_window_close_waits_for_a_short_save_without_asking(
    window: Window, disk: HangingDisk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_queue, "LATE_SECONDS", 60.0)
    enter_result(window)
    window.close()
    assert window.isVisible()
    assert find_unsaved_steps_dialog(window) is None
    disk.gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert QApplication.activeModalWidget() is None


@pytest.mark.slow
def test_line_edit_is_deleted_after_a_check_for_unsaved_text(qapp: QApplication) -> None:
    field = LineEdit("Name")
    assert not field.has_unsaved_text
    field_reference = weakref.ref(field)
    field.deleteLater()
    del field
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert field_reference() is None
