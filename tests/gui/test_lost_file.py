"""Tests of an open window whose file is missing, replaced, locked or on a full disk."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.gui.history.page import SnapshotsPanel
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.data_loss_dialogs import OverwrittenFileDialog, SaveElsewhereDialog, UnsavedStepsDialog
from tdapp.gui.shell.problems_panel import ProblemsPanel, describe_problem, list_open_problems
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.storage import Store
from tdapp.storage.file import FileStorage
from tests.gui.postgres_windows import make_published_store
from tests.gui.windows import collect_messages, show_window


@pytest.fixture
def event_file(tmp_path: Path) -> Path:
    store = make_published_store()
    store.copy_to_file(tmp_path / "Open.tdapp")
    store.close()
    return tmp_path / "Open.tdapp"


@pytest.fixture
def window(empty_session: Session, event_file: Path, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(Desk(Store.open(event_file, timeout=0.05)))
    return show_window(empty_session, qtbot, "rounds")


def enter_result(window: Window, text: str) -> None:
    page = window.pages.get_page("rounds")
    assert isinstance(page, RoundsPage)
    page.field.focus_line()
    page.field.line.clear()
    QTest.keyClicks(page.field.line, text)
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)


def read_result_field(window: Window) -> str:
    page = window.pages.get_page("rounds")
    assert isinstance(page, RoundsPage)
    return page.field.line.text()


def get_save_elsewhere_dialog(window: Window) -> SaveElsewhereDialog:
    dialog = window.findChild(SaveElsewhereDialog)
    assert dialog is not None
    return dialog


def check_dialog_is_closed(window: Window) -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.findChild(SaveElsewhereDialog) is None


def read_save_state(window: Window) -> str:
    saved = window.findChild(SaveStateLabel)
    assert saved is not None
    return saved.get_text()


def read_dialog_text(dialog: SaveElsewhereDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def list_scores(session: Session) -> list[tuple[int | None, int | None]]:
    results = session.tournament.results.values()
    return sorted(((result.first, result.second) for result in results), key=str)


@pytest.mark.parametrize("file_change", ["removed", "moved", "replaced"])
def test_elsewhere_dialog_saves_all_steps_of_a_missing_file(
    window: Window, event_file: Path, tmp_path: Path, file_change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    enter_result(window, "1 412 388")
    if file_change == "removed":
        event_file.unlink()
    else:
        event_file.rename(tmp_path / "other.tdapp")
    if file_change == "replaced":
        shutil.copy(tmp_path / "other.tdapp", event_file)
    session.queue.poll_store()
    assert read_save_state(window) == "Not saved"
    assert window.findChild(SaveElsewhereDialog) is None  # no dialog interrupts
    enter_result(window, "2 400 300")
    assert "moved or deleted" in read_dialog_text(get_save_elsewhere_dialog(window))
    assert "One change is not saved yet" in read_dialog_text(get_save_elsewhere_dialog(window))
    assert "a moved file" in read_dialog_text(get_save_elsewhere_dialog(window))
    assert read_result_field(window) == "2 400 300"
    target = tmp_path / "stick" / "Open.tdapp"
    target.parent.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(target), ""))
    get_save_elsewhere_dialog(window).yes.click()
    check_dialog_is_closed(window)
    assert session.path == target
    assert list_scores(session) == [(400, 300), (412, 388)]
    assert read_save_state(window).startswith("All saved")
    assert len(session.desk.list_all_steps()) == 3
    reopened_store = Store.open(target)
    assert reopened_store.find_damage() == []
    assert len(reopened_store.load_tournament_and_revision()[0].results) == 2
    reopened_store.close()


def test_session_saves_waiting_steps_after_the_file_is_restored(
    window: Window, event_file: Path, tmp_path: Path
) -> None:
    session = window.session
    event_file.rename(tmp_path / "aside.tdapp")
    session.queue.poll_store()
    enter_result(window, "1 412 388")
    get_save_elsewhere_dialog(window).reject()
    check_dialog_is_closed(window)
    assert read_save_state(window) == "Not saved · one change is not saved yet"
    enter_result(window, "2 400 300")
    get_save_elsewhere_dialog(window).reject()
    check_dialog_is_closed(window)
    (tmp_path / "aside.tdapp").rename(event_file)
    session.queue.poll_store()
    assert list_scores(session) == [(400, 300), (412, 388)]
    assert read_save_state(window).startswith("All saved")


def test_unsaved_steps_dialog_discards_steps(window: Window, event_file: Path, tmp_path: Path) -> None:
    session = window.session
    event_file.rename(tmp_path / "aside.tdapp")
    enter_result(window, "1 412 388")
    get_save_elsewhere_dialog(window).reject()
    check_dialog_is_closed(window)
    can_leave = window.isVisible
    dialog = UnsavedStepsDialog(session, can_leave, retry=can_leave, parent=window)
    dialog.open()
    dialog.yes.click()
    (tmp_path / "aside.tdapp").rename(event_file)
    enter_result(window, "2 400 300")
    assert list_scores(session) == [(400, 300)]


@pytest.mark.slow
def test_elsewhere_dialog_returns_the_focus(window: Window, event_file: Path, tmp_path: Path) -> None:
    event_file.rename(tmp_path / "aside.tdapp")
    enter_result(window, "1 412 388")
    get_save_elsewhere_dialog(window).reject()
    check_dialog_is_closed(window)
    field = window.focusWidget()
    assert isinstance(field, QLineEdit)
    window.close()
    leave_dialog = window.findChild(UnsavedStepsDialog)
    assert leave_dialog is not None
    leave_dialog.reject()
    assert window.focusWidget() is field


def test_session_saves_waiting_results_after_a_full_disk(window: Window) -> None:
    session = window.session
    stored_file = session.desk.store.location
    assert isinstance(stored_file, FileStorage)
    (page_count,) = stored_file.connection.execute("PRAGMA page_count").fetchone()
    stored_file.connection.execute(f"PRAGMA max_page_count={page_count}")
    table = 0
    while window.findChild(SaveElsewhereDialog) is None:
        table += 1
        enter_result(window, f"{table} 412 {300 + table}")
    assert "disk is full" in read_dialog_text(get_save_elsewhere_dialog(window))
    saved_count = len(session.tournament.results)
    get_save_elsewhere_dialog(window).retry_button.click()  # still full
    assert len(session.tournament.results) == saved_count
    stored_file.connection.execute(f"PRAGMA max_page_count={page_count * 4}")
    window.session.queue.retry_waiting_steps()
    assert len(session.tournament.results) == saved_count + 1
    assert read_save_state(window).startswith("All saved")
    for dialog in window.findChildren(SaveElsewhereDialog):
        dialog.reject()


def test_save_to_other_file_saves_the_loaded_data_of_an_unreadable_file(
    window: Window, event_file: Path, tmp_path: Path
) -> None:
    session = window.session
    enter_result(window, "1 412 388")
    os.truncate(event_file, 1000)  # like a removed USB stick
    session.save_to_other_file(tmp_path / "new.tdapp")
    assert session.path == tmp_path / "new.tdapp"
    assert list_scores(session) == [(412, 388)]


def test_session_waits_while_another_program_locks_the_file(window: Window, event_file: Path) -> None:
    locking_connection = sqlite3.connect(event_file, isolation_level=None)
    locking_connection.execute("BEGIN EXCLUSIVE")
    enter_result(window, "1 412 388")
    enter_result(window, "2 400 300")
    window.session.queue.poll_store()
    assert list_scores(window.session) == []
    assert read_save_state(window).startswith("The file has been locked by another program since")
    assert read_save_state(window).endswith("2 changes are not saved yet")
    assert window.findChild(SaveElsewhereDialog) is None
    assert [read_cell(window, row, "status") for row in range(3)] == ["not saved", "not saved", "open"]
    locking_connection.execute("ROLLBACK")
    locking_connection.close()
    window.session.queue.poll_store()
    assert list_scores(window.session) == [(400, 300), (412, 388)]
    assert read_save_state(window).startswith("All saved")
    assert [read_cell(window, row, "status") for row in range(3)] == ["entered", "entered", "open"]


def test_problems_panel_lists_a_waiting_result_that_another_desk_changed(window: Window, event_file: Path) -> None:
    with closing(sqlite3.connect(event_file, isolation_level=None)) as locking_connection:
        locking_connection.execute("BEGIN EXCLUSIVE")
        enter_result(window, "1 412 388")
    first, *_other_games = sorted(window.session.tournament.games.values(), key=lambda game: game.table)
    with closing(Desk.open(event_file, station="other")) as other_desk:
        other_desk.do(partial(commands.enter_result, game=first.id, first=300, second=500))
    window.session.queue.poll_store()
    assert list_scores(window.session) == [(300, 500)]
    enter_result(window, "2 400 300")
    problem = next(problem for problem in list_open_problems(window.session) if problem.code == "step-refused")
    problem_text = describe_problem(window.session, problem)
    assert "412, 388" in problem_text
    assert "(other) has changed the same data in the meantime" in problem_text
    window.show_page(problem.page, problem.key)
    assert read_result_field(window) == "1 412 388"
    window.get_action("problems").trigger()
    assert isinstance(window.panel, ProblemsPanel)
    window.panel.list.setCurrentRow(
        [problem.code for problem in list_open_problems(window.session)].index("step-refused")
    )
    QTest.keyClick(window.panel.list, Qt.Key.Key_Delete)
    assert "step-refused" not in {problem.code for problem in list_open_problems(window.session)}
    assert list_scores(window.session) == [(300, 500), (400, 300)]


def read_cell(window: Window, row: int, column: str) -> str:
    page = window.pages.get_page("rounds")
    assert isinstance(page, RoundsPage)
    column_index = page.rows.list_column_ids().index(column)
    return str(page.rows.index(row, column_index).data())


def open_overwritten_dialog(window: Window, event_file: Path, content: bytes) -> OverwrittenFileDialog:
    """Enter a result, overwrite the file, and return the dialog about the overwritten file."""
    enter_result(window, "1 412 388")
    event_file.write_bytes(content)
    window.session.queue.poll_store()
    dialog = window.findChild(OverwrittenFileDialog)
    assert dialog is not None
    assert read_save_state(window) == "Not saved"
    return dialog


def test_overwritten_dialog_continues_in_a_copy(window: Window, event_file: Path) -> None:
    session = window.session
    dialog = open_overwritten_dialog(window, event_file, event_file.read_bytes())
    enter_result(window, "2 400 300")
    dialog.yes.click()
    assert session.path is not None
    assert session.path.name.startswith("Open 20")
    assert list_scores(session) == [(400, 300), (412, 388)]
    assert read_save_state(window).startswith("All saved")


@pytest.mark.slow
def test_overwritten_dialog_uses_the_older_copy(window: Window, event_file: Path) -> None:
    dialog = open_overwritten_dialog(window, event_file, event_file.read_bytes())
    QTest.mouseClick(dialog.use_file, Qt.MouseButton.LeftButton)
    assert window.session.path == event_file
    assert list_scores(window.session) == []


@pytest.mark.slow
def test_overwritten_dialog_saves_a_copy_of_a_truncated_file(window: Window, event_file: Path) -> None:
    dialog = open_overwritten_dialog(window, event_file, b"")
    dialog.reject()
    copies = list(event_file.parent.glob("Open 20*.tdapp"))
    assert len(copies) == 1
    assert window.session.queue.copy == copies[0]
    reopened_store = Store.open(copies[0])
    assert len(reopened_store.load_tournament_and_revision()[0].results) == 1
    reopened_store.close()


def test_window_close_asks_if_the_file_of_the_tournament_is_missing(
    window: Window, event_file: Path, tmp_path: Path
) -> None:
    enter_result(window, "1 412 388")
    event_file.unlink()
    window.session.queue.poll_store()
    window.close()
    dialog = window.findChild(UnsavedStepsDialog)
    assert dialog is not None
    assert "moved or deleted" in "\n".join(label.text() for label in dialog.findChildren(QLabel))
    dialog.reject()
    assert window.isVisible()


@pytest.mark.slow
def test_backup_service_reports_a_missing_stick(window: Window, tmp_path: Path, qtbot: QtBot) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    session = window.session
    session.backups.second_folder = stick
    shutil.rmtree(stick)
    window.get_action("snapshots").trigger()
    panel = window.panel
    assert isinstance(panel, SnapshotsPanel)
    panel.name.setText("before lunch")
    with qtbot.waitSignal(session.message_sent) as signal:
        panel._take_button.click()
    assert "stick" in str(signal.args[0])
    assert signal.args[2] == "red"
    assert any(problem.code == "copy-failed" for problem in session.backups.problems())
    assert panel.rows.rowCount() >= 1


def test_bottom_bar_reports_a_read_only_folder(empty_session: Session, event_file: Path, qtbot: QtBot) -> None:
    store = Store.open(event_file, read_only=True)
    # Root can write everywhere, so tests/storage/test_disk.py has a test with a real folder.
    store.write_obstacle = "folder-read-only"
    empty_session.open_tournament_of_desk(Desk(store))
    window = show_window(empty_session, qtbot, "rounds")
    assert read_save_state(window) == "Read only: the folder cannot be written to"
    tips = {label.toolTip() for label in window.findChildren(QLabel)}
    assert any(str(event_file) in tip and "copy in another folder" in tip for tip in tips)


def test_session_ignores_the_lock_file_of_a_crashed_window(
    empty_session: Session, event_file: Path, settings: QSettings
) -> None:
    messages = collect_messages(empty_session)
    folder = Path(settings.fileName()).with_name("open")
    folder.mkdir()
    script = (
        "import os, sys; from PySide6.QtCore import QLockFile; lock = QLockFile(sys.argv[1]);"
        "assert lock.tryLock(0); os._exit(9)"
    )
    lock_file = folder / sha256(bytes(event_file.resolve())).hexdigest()
    assert subprocess.run([sys.executable, "-c", script, str(lock_file)], check=False).returncode == 9
    assert lock_file.exists()
    empty_session.open_tournament_of_desk(Desk.open(event_file))
    assert messages == []
