"""The file under an open window: gone, replaced, held by another, its disk full; nothing entered is lost."""

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
from tdapp.gui.shell.bottom_bar import ProblemsPanel, SaveStateLabel, describe_problem, list_open_problems
from tdapp.gui.shell.data_loss_dialogs import OverwrittenFileDialog, SaveElsewhereDialog, UnsavedStepsDialog
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.storage import Store
from tdapp.storage.file import File
from tests.gui.postgres_windows import make_published_store
from tests.gui.windows import show_window


@pytest.fixture
def file(tmp_path: Path) -> Path:
    store = make_published_store()
    store.copy_to_file(tmp_path / "Open.tdapp")
    store.close()
    return tmp_path / "Open.tdapp"


@pytest.fixture
def window(empty_session: Session, file: Path, qtbot: QtBot) -> Window:
    empty_session.attach_desk(Desk(Store.open(file, timeout=0.05)))
    return show_window(empty_session, qtbot, "rounds")


def enter(window: Window, text: str) -> None:
    page = window.pages.get_page("rounds")
    assert isinstance(page, RoundsPage)
    page.field.focus_line()
    page.field.line.clear()
    QTest.keyClicks(page.field.line, text)
    QTest.keyClick(page.field.line, Qt.Key.Key_Return)


def typed(window: Window) -> str:
    page = window.pages.get_page("rounds")
    assert isinstance(page, RoundsPage)
    return page.field.line.text()


def asked(window: Window) -> SaveElsewhereDialog:
    dialog = window.findChild(SaveElsewhereDialog)
    assert dialog is not None
    return dialog


def closed(window: Window) -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.findChild(SaveElsewhereDialog) is None


def bar(window: Window) -> str:
    saved = window.findChild(SaveStateLabel)
    assert saved is not None
    return saved.get_text()


def texts(dialog: SaveElsewhereDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def points(session: Session) -> list[tuple[int | None, int | None]]:
    results = session.tournament.results.values()
    return sorted(((result.first, result.second) for result in results), key=str)


@pytest.mark.parametrize("how", ["removed", "moved", "replaced"])
def test_elsewhere_dialog_saves_all_steps_of_a_missing_file(
    window: Window, file: Path, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    enter(window, "1 412 388")
    if how == "removed":
        file.unlink()
    else:
        file.rename(tmp_path / "other.tdapp")
    if how == "replaced":
        shutil.copy(tmp_path / "other.tdapp", file)
    session.queue.poll_store()
    assert bar(window) == "Not saved"
    assert window.findChild(SaveElsewhereDialog) is None  # no dialog interrupts
    enter(window, "2 400 300")
    assert "moved or deleted" in texts(asked(window))
    assert "One step is not saved yet" in texts(asked(window))
    assert "a moved file" in texts(asked(window))
    assert typed(window) == "2 400 300"
    target = tmp_path / "stick" / "Open.tdapp"
    target.parent.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(target), ""))
    asked(window).yes.click()
    closed(window)
    assert session.path == target
    assert points(session) == [(400, 300), (412, 388)]
    assert bar(window).startswith("All saved")
    assert len(session.desk.history()) == 3
    back = Store.open(target)
    assert back.find_damage() == []
    assert len(back.load()[0].results) == 2
    back.close()


def test_session_continues_when_a_file_is_restored(window: Window, file: Path, tmp_path: Path) -> None:
    session = window.session
    file.rename(tmp_path / "aside.tdapp")
    session.queue.poll_store()
    enter(window, "1 412 388")
    asked(window).reject()
    closed(window)
    assert bar(window) == "Not saved · one step is not saved yet"
    enter(window, "2 400 300")
    asked(window).reject()
    closed(window)
    (tmp_path / "aside.tdapp").rename(file)
    session.queue.poll_store()
    assert points(session) == [(400, 300), (412, 388)]
    assert bar(window).startswith("All saved")


def test_unsaved_steps_dialog_discards_steps(window: Window, file: Path, tmp_path: Path) -> None:
    session = window.session
    file.rename(tmp_path / "aside.tdapp")
    enter(window, "1 412 388")
    asked(window).reject()
    closed(window)
    stays = window.isVisible
    dialog = UnsavedStepsDialog(session, stays, retry=stays, parent=window)
    dialog.open()
    dialog.yes.click()
    (tmp_path / "aside.tdapp").rename(file)
    enter(window, "2 400 300")
    assert points(session) == [(400, 300)]


@pytest.mark.slow
def test_elsewhere_dialog_returns_the_focus(window: Window, file: Path, tmp_path: Path) -> None:
    file.rename(tmp_path / "aside.tdapp")
    enter(window, "1 412 388")
    asked(window).reject()
    closed(window)
    field = window.focusWidget()
    assert isinstance(field, QLineEdit)
    window.close()
    asked_to_wait = window.findChild(UnsavedStepsDialog)
    assert asked_to_wait is not None
    asked_to_wait.reject()
    assert window.focusWidget() is field


def test_session_keeps_entries_on_a_full_disk(window: Window) -> None:
    session = window.session
    place = session.desk.store.location
    assert isinstance(place, File)
    (pages,) = place.connection.execute("PRAGMA page_count").fetchone()
    place.connection.execute(f"PRAGMA max_page_count={pages}")
    table = 0
    while window.findChild(SaveElsewhereDialog) is None:
        table += 1
        enter(window, f"{table} 412 {300 + table}")
    assert "disk is full" in texts(asked(window))
    stored = len(session.tournament.results)
    asked(window).retry_button.click()  # still full
    assert len(session.tournament.results) == stored
    place.connection.execute(f"PRAGMA max_page_count={pages * 4}")
    window.session.queue.retry_steps()
    assert len(session.tournament.results) == stored + 1
    assert bar(window).startswith("All saved")
    for dialog in window.findChildren(SaveElsewhereDialog):
        dialog.reject()


def test_save_elsewhere_saves_the_known_data_of_an_unreadable_file(
    window: Window, file: Path, tmp_path: Path
) -> None:
    session = window.session
    enter(window, "1 412 388")
    os.truncate(file, 1000)  # like a removed USB stick
    session.save_to_other_file(tmp_path / "new.tdapp")
    assert session.path == tmp_path / "new.tdapp"
    assert points(session) == [(412, 388)]


def test_session_waits_while_another_program_holds_the_file(window: Window, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    enter(window, "1 412 388")
    enter(window, "2 400 300")
    window.session.queue.poll_store()
    assert points(window.session) == []
    assert bar(window).startswith("Another program has locked the file since")
    assert bar(window).endswith("2 steps are not saved yet")
    assert window.findChild(SaveElsewhereDialog) is None
    assert [cell(window, row, "status") for row in range(3)] == ["not saved", "not saved", "open"]
    other.execute("ROLLBACK")
    other.close()
    window.session.queue.poll_store()
    assert points(window.session) == [(400, 300), (412, 388)]
    assert bar(window).startswith("All saved")
    assert [cell(window, row, "status") for row in range(3)] == ["entered", "entered", "open"]


def test_waiting_result_overtaken_by_another_is_a_problem(window: Window, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        enter(window, "1 412 388")
    first, *_rest = sorted(window.session.tournament.games.values(), key=lambda game: game.table)
    with closing(Desk.open(file, station="other")) as there:
        there.do(partial(commands.enter_result, game=first.id, first=300, second=500))
    window.session.queue.poll_store()
    assert points(window.session) == [(300, 500)]
    enter(window, "2 400 300")
    problem = next(problem for problem in list_open_problems(window.session) if problem.code == "step-refused")
    said = describe_problem(window.session, problem)
    assert "412, 388" in said
    assert "(other) has changed the same data in the meantime" in said
    window.show_page(problem.page, problem.key)
    assert typed(window) == "1 412 388"
    window.command("problems").trigger()
    assert isinstance(window.panel, ProblemsPanel)
    window.panel.list.setCurrentRow(
        [problem.code for problem in list_open_problems(window.session)].index("step-refused")
    )
    QTest.keyClick(window.panel.list, Qt.Key.Key_Delete)
    assert "step-refused" not in {problem.code for problem in list_open_problems(window.session)}
    assert points(window.session) == [(300, 500), (400, 300)]


def cell(window: Window, row: int, column: str) -> str:
    page = window.pages.get_page("rounds")
    assert isinstance(page, RoundsPage)
    place = page.rows.list_column_ids().index(column)
    return str(page.rows.index(row, place).data())


def ask_overwritten(window: Window, file: Path, content: bytes) -> OverwrittenFileDialog:
    """Enter a result, write other content over the file, and return the question that appears."""
    enter(window, "1 412 388")
    file.write_bytes(content)
    window.session.queue.poll_store()
    dialog = window.findChild(OverwrittenFileDialog)
    assert dialog is not None
    assert bar(window) == "Not saved"
    return dialog


def test_overwritten_dialog_continues_in_a_copy(window: Window, file: Path) -> None:
    session = window.session
    asked = ask_overwritten(window, file, file.read_bytes())
    enter(window, "2 400 300")
    asked.yes.click()
    assert session.path is not None
    assert session.path.name.startswith("Open 20")
    assert points(session) == [(400, 300), (412, 388)]
    assert bar(window).startswith("All saved")


@pytest.mark.slow
def test_overwritten_dialog_uses_the_older_copy(window: Window, file: Path) -> None:
    asked = ask_overwritten(window, file, file.read_bytes())
    QTest.mouseClick(asked.use_file, Qt.MouseButton.LeftButton)
    assert window.session.path == file
    assert points(window.session) == []


@pytest.mark.slow
def test_overwritten_dialog_names_a_truncated_file(window: Window, file: Path) -> None:
    asked = ask_overwritten(window, file, b"")
    asked.reject()
    copies = list(file.parent.glob("Open 20*.tdapp"))
    assert len(copies) == 1
    assert window.session.queue.copy == copies[0]
    back = Store.open(copies[0])
    assert len(back.load()[0].results) == 1
    back.close()


def test_leaving_asks_if_only_memory_has_the_tournament(window: Window, file: Path, tmp_path: Path) -> None:
    enter(window, "1 412 388")
    file.unlink()
    window.session.queue.poll_store()
    window.close()
    asked = window.findChild(UnsavedStepsDialog)
    assert asked is not None
    assert "moved or deleted" in "\n".join(label.text() for label in asked.findChildren(QLabel))
    asked.reject()
    assert window.isVisible()


@pytest.mark.slow
def test_backup_reports_a_missing_stick_at_a_snapshot(window: Window, tmp_path: Path, qtbot: QtBot) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    session = window.session
    session.backups.second_folder = stick
    shutil.rmtree(stick)
    window.command("snapshots").trigger()
    panel = window.panel
    assert isinstance(panel, SnapshotsPanel)
    panel.name.setText("before lunch")
    with qtbot.waitSignal(session.message_sent) as told:
        panel._take_button.click()
    assert "stick" in str(told.args[0])
    assert told.args[2] == "red"
    assert any(problem.code == "copy-failed" for problem in session.backups.problems())
    assert panel.rows.rowCount() >= 1


def test_bottom_bar_reports_a_read_only_folder(empty_session: Session, file: Path, qtbot: QtBot) -> None:
    store = Store.open(file, read_only=True)
    # Root can write everywhere; tests/storage/test_disk.py has the real case.
    store.write_obstacle = "folder-read-only"
    empty_session.attach_desk(Desk(store))
    window = show_window(empty_session, qtbot, "rounds")
    assert bar(window) == "Read only: the folder cannot be written to"
    tips = {label.toolTip() for label in window.findChildren(QLabel)}
    assert any(str(file) in tip and "copy in another folder" in tip for tip in tips)


def test_session_ignores_the_mark_of_a_crashed_window(
    empty_session: Session, file: Path, settings: QSettings
) -> None:
    told: list[str] = []
    empty_session.message_sent.connect(lambda sentence, _undo, _tone: told.append(sentence))
    folder = Path(settings.fileName()).with_name("open")
    folder.mkdir()
    script = (
        "import os, sys; from PySide6.QtCore import QLockFile; mark = QLockFile(sys.argv[1]);"
        "assert mark.tryLock(0); os._exit(9)"
    )
    mark = folder / sha256(bytes(file.resolve())).hexdigest()
    assert subprocess.run([sys.executable, "-c", script, str(mark)], check=False).returncode == 9
    assert mark.exists()
    empty_session.attach_desk(Desk.open(file))
    assert told == []
