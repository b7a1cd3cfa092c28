"""A change not yet confirmed by the disk is unsaved: the bar says so, and closing asks."""

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
from tdapp.domain.tournament import Diff, JournalHead
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.bottom_bar import SaveStateLabel
from tdapp.gui.shell.data_loss_dialogs import UnsavedStepsDialog
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.theme import Appearance
from tdapp.services import command_queue
from tests.building import load_rule_set
from tests.gui.samples import make_session
from tests.gui.table_events import show_first_round
from tests.gui.windows import get_page, press, type_text

STEP = "Result of table 1 entered, 412, 388"


class HangingDisk:
    """Saves nothing until released."""

    def __init__(self, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        store = window.session.desk.store
        save = store.save_step

        def late(changes: Diff, step: Step, *, after: JournalHead | None = None) -> JournalHead:
            self.gate.wait(60)
            return save(changes, step, after=after)

        monkeypatch.setattr(store, "save_step", late)


@pytest.fixture
def window(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Window]:
    """A window with its own threads, the cursor in the result field."""
    monkeypatch.setattr(command_queue, "LATE_SECONDS", 0.0)
    session = make_session("en", appearance, settings, inline=False)
    yield show_first_round(session, qtbot, load_rule_set("nl-match"))
    session.close()
    session.work.close()


@pytest.fixture
def disk(window: Window, monkeypatch: pytest.MonkeyPatch) -> Iterator[HangingDisk]:
    made = HangingDisk(window, monkeypatch)
    yield made
    made.gate.set()


def bar(window: Window) -> str:
    found = window.findChild(SaveStateLabel)
    assert found is not None
    return found.get_text()


def question(window: Window) -> UnsavedStepsDialog | None:
    return next((one for one in window.findChildren(UnsavedStepsDialog) if one.isVisible()), None)


def enter(window: Window, table: int = 1) -> None:
    get_page(window, RoundsPage).field.focus_line()
    type_text(window, f"{table} 412 388")
    press(window, Qt.Key.Key_Return)


def test_save_state_names_a_hanging_disk_and_its_steps(
    window: Window, disk: HangingDisk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bar(window).startswith("All saved")
    enter(window)
    qtbot.waitUntil(lambda: bar(window) == "Saving…")
    monkeypatch.setattr(command_queue, "STUCK_SECONDS", 0.0)
    enter(window, table=2)
    qtbot.waitUntil(lambda: bar(window) == "The disk does not answer · 2 steps are not saved yet")
    disk.gate.set()
    qtbot.waitUntil(lambda: bar(window).startswith("All saved"))
    assert len(window.session.tournament.results) == 2


def test_unsaved_steps_dialog_names_the_step_of_a_hanging_disk(
    window: Window, disk: HangingDisk, qtbot: QtBot
) -> None:
    enter(window)
    window.close()
    asked = question(window)
    assert asked is not None
    assert window.isVisible()
    assert any(STEP in one.text() for one in asked.findChildren(QLabel))
    copying = next(one for one in asked.findChildren(QPushButton) if one.text() == "Copy")
    copying.click()
    assert STEP in QGuiApplication.clipboard().text()
    disk.gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())  # saved after all: it goes by itself
    assert len(window.session.desk.tournament.results) == 1


def test_unsaved_steps_dialog_allows_leaving(window: Window, disk: HangingDisk) -> None:
    enter(window)
    window.close()
    asked = question(window)
    assert asked is not None
    asked.yes.click()
    assert not window.isVisible()
    assert not window.session.queue.unsaved_work


@pytest.mark.slow
def test_unsaved_steps_dialog_includes_undo(window: Window, disk: HangingDisk, qtbot: QtBot) -> None:
    disk.gate.set()
    enter(window)
    qtbot.waitUntil(lambda: not window.session.queue.unsaved_work)
    disk.gate.clear()
    window.session.undo()
    assert [one.describe()[:7] for one in window.session.queue.unsaved_work] == ["Undone:"]
    window.close()
    assert question(window) is not None
    disk.gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not window.session.tournament.results


def test_window_close_waits_shortly_without_asking(
    window: Window, disk: HangingDisk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_queue, "LATE_SECONDS", 60.0)
    enter(window)
    window.close()
    assert window.isVisible()
    assert question(window) is None
    disk.gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert QApplication.activeModalWidget() is None


@pytest.mark.slow
def test_unsaved_field_is_deleted_with_its_window(qapp: QApplication) -> None:
    field = LineEdit("Name")
    assert not field.has_unsaved_text
    kept = weakref.ref(field)
    field.deleteLater()
    del field
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert kept() is None
