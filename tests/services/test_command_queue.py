"""Steps that cannot be saved wait in their order, and are done once they can."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.services import command_queue
from tdapp.services.command_queue import LONG_POLL_MS, SHORT_POLL_MS, CommandQueue, StoreListener, UnsavedWork
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.worker import Worker, ignore_values
from tdapp.storage import Store
from tests.building import event
from tests.services.headless_session import Heard, office
from tests.services.test_worker import Office, raised


@pytest.fixture
def file(tmp_path: Path) -> Path:
    Desk.create(tmp_path / "cup.tdapp", event(4)).close()
    return tmp_path / "cup.tdapp"


def rename(opened: OpenTournament, name: str) -> None:
    opened.do(partial(commands.edit_event, name=name), quiet=True)


def is_saved(opened: OpenTournament) -> bool:
    return opened.queue.error is None


def held(tmp_path: Path, file: Path) -> tuple[OpenTournament, Heard]:
    """Open a file, take it away, and do two steps."""
    opened, heard = office(tmp_path)
    opened.open_location(file)
    file.rename(tmp_path / "aside")
    for name in ("First", "Second"):
        rename(opened, name)
    return opened, heard


def test_command_queue_keeps_steps_in_order_until_the_file_is_back(tmp_path: Path, file: Path) -> None:
    opened, heard = held(tmp_path, file)
    queue = opened.queue
    assert len(queue.unsaved_work) == 2
    assert not is_saved(opened)
    assert not queue.is_connection_lost
    assert [error.code for error in heard.unsaved] == ["file-moved", "file-moved"]
    assert opened.tournament.event.name == "Test"
    (tmp_path / "aside").rename(file)
    queue.poll_store()
    assert is_saved(opened)
    assert not opened.queue.unsaved_work
    assert opened.tournament.event.name == "Second"
    assert [step.label for step in opened.desk.history()] == ["edit-event", "edit-event"]
    opened.close()


def test_save_elsewhere_runs_the_waiting_steps(tmp_path: Path, file: Path) -> None:
    opened, _heard = held(tmp_path, file)
    opened.save_to_other_file(tmp_path / "other.tdapp")
    assert opened.path == tmp_path / "other.tdapp"
    assert len(opened.queue.unsaved_work) == 0
    assert opened.tournament.event.name == "Second"
    opened.close()


def test_discard_steps_never_runs_discarded_steps(tmp_path: Path, file: Path) -> None:
    opened, _heard = held(tmp_path, file)
    opened.queue.discard_steps()
    (tmp_path / "aside").rename(file)
    opened.queue.retry_steps()
    rename(opened, "Third")
    assert opened.tournament.event.name == "Third"
    assert len(opened.desk.history()) == 1
    opened.close()


def test_command_queue_polls_files_often_and_memory_never(tmp_path: Path, file: Path) -> None:
    opened, heard = office(tmp_path)
    opened.open_location(file)
    assert heard.paces == [SHORT_POLL_MS]
    opened.close()
    assert heard.paces == [SHORT_POLL_MS, 0]
    _memory, heard = office(tmp_path, event(4))
    assert heard.paces == []


def test_poll_store_shows_changes_of_another_program(tmp_path: Path, file: Path) -> None:
    opened, _heard = office(tmp_path)
    opened.open_location(file)
    other = Desk.open(file, station="other")
    other.do(partial(commands.edit_event, name="Theirs"))
    other.close()
    opened.queue.poll_store()
    assert opened.tournament.event.name == "Theirs"
    opened.close()


def test_command_queue_reads_a_file_only_after_a_change(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_queue, "FILE_CHECK_SECONDS", 0.01)
    worker, desks, paces = Office(), list[Desk](), list[int]()
    worker.run_in_order(partial(Desk.open, file), on_success=desks.append, on_error=raised)
    worker.serve()
    queue = CommandQueue(worker, ignore_values, set_interval=paces.append)
    queue.attach_desk(desks[0])
    other = Desk.open(file, station="other")
    other.do(partial(commands.edit_event, name="Theirs"))
    other.close()
    while desks[0].tournament.event.name != "Theirs":
        worker.serve()
    assert paces == [LONG_POLL_MS]
    for end in (queue.detach_desk(), desks[0].close):
        worker.run_in_order(end, on_success=ignore_values, on_error=raised)
    worker.close()


def test_store_listener_notifies_until_stopped() -> None:
    news = iter((False, True))
    told: list[bool] = []
    listener = StoreListener(lambda: next(news, False), lambda: told.append(listener.is_listening))
    listener.start()
    while not told:
        listener.join(0.01)
    listener.stop()
    assert told == [True]
    assert not listener.is_alive()


class SilentWorker(Worker):
    """Never comes back, as on a disk that hangs."""

    def run_in_order(self, *_work: object, **_after: object) -> None:
        pass


def test_command_queue_shows_no_saving_for_another_tournament() -> None:
    sending: list[bool] = []
    queue = CommandQueue(SilentWorker(), ignore_values, on_saving=sending.append)
    queue.run_without_retry(
        UnsavedWork(lambda: "Result of table 1 entered", ignore_values, ignore_values), ignore_values
    )
    assert [one.describe() for one in queue.unsaved_work] == ["Result of table 1 entered"]
    queue.attach_desk(Desk(Store.create_in_memory(event(2))))
    assert not queue.unsaved_work
    assert (sending[0], sending[-1]) == (True, False)


def overwrite_with_older_copy(opened: OpenTournament, file: Path) -> bytes:
    """Do two steps, write the copy made between them over the file, and return the newer content."""
    opened.open_location(file)
    rename(opened, "First")
    older = file.read_bytes()
    rename(opened, "Second")
    newer = file.read_bytes()
    file.write_bytes(older)
    return newer


def test_command_queue_copies_an_overwritten_file_from_memory(tmp_path: Path, file: Path) -> None:
    opened, heard = office(tmp_path)
    overwrite_with_older_copy(opened, file)
    opened.queue.poll_store()
    copy = opened.queue.copy
    assert copy is not None
    assert copy.parent == file.parent
    assert [error.code for error in heard.unsaved] == ["file-overwritten"]
    rename(opened, "Third")
    assert len(opened.queue.unsaved_work) == 1
    with closing(Desk.open(copy)) as kept:
        assert kept.tournament.event.name == "Second"
    with closing(Desk.open(file)) as there:
        assert there.tournament.event.name == "First"
    opened.open_file(copy)
    assert is_saved(opened)
    assert opened.tournament.event.name == "Third"
    opened.close()


def test_command_queue_continues_when_an_overwritten_file_is_restored(tmp_path: Path, file: Path) -> None:
    opened, _heard = office(tmp_path)
    newer = overwrite_with_older_copy(opened, file)
    rename(opened, "Third")
    assert opened.queue.error is not None
    file.write_bytes(newer)
    opened.queue.poll_store()
    assert is_saved(opened)
    assert [step.label for step in opened.desk.history()] == ["edit-event"] * 3
    opened.close()


def test_save_elsewhere_saves_the_tournament_in_memory_after_an_overwrite(tmp_path: Path, file: Path) -> None:
    opened, _heard = office(tmp_path)
    overwrite_with_older_copy(opened, file)
    opened.save_to_other_file(tmp_path / "other.tdapp")
    assert opened.tournament.event.name == "Second"
    opened.close()


def test_command_queue_waits_while_another_program_holds_the_file(tmp_path: Path, file: Path) -> None:
    opened, heard = office(tmp_path)
    opened.attach_desk(Desk(Store.open(file, timeout=0.01)))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for name in ("First", "Second"):
        rename(opened, name)
    opened.queue.poll_store()
    assert opened.queue.is_locked
    assert len(opened.queue.unsaved_work) == 2
    assert heard.unsaved == []  # waiting helps: nobody is asked for another place
    other.close()
    opened.queue.poll_store()
    assert is_saved(opened)
    assert opened.tournament.event.name == "Second"
    opened.close()


def test_discard_steps_never_runs_a_step_that_has_not_begun(file: Path) -> None:
    worker, desks = Office(), list[Desk]()
    worker.run_in_order(partial(Desk.open, file), on_success=desks.append, on_error=raised)
    worker.serve()
    late, done, begun, hold = list[str](), list[object](), Event(), Event()
    queue = CommandQueue(worker, ignore_values, on_saved_late=late.append)
    queue.attach_desk(desks[0])

    def save_slowly() -> bool:
        begun.set()
        return hold.wait(30)

    queue.run_without_retry(UnsavedWork(partial(str, "being saved"), done.append, raised), save_slowly)
    queue.run_without_retry(
        UnsavedWork(partial(str, "not begun"), done.append, raised), partial(done.append, "run")
    )
    assert begun.wait(30)
    queue.discard_steps()
    hold.set()
    while queue.has_discarded_step:
        worker.serve()
    assert done == []
    assert late == ["being saved"]
    for end in (queue.detach_desk(), desks[0].close):
        worker.run_in_order(end, on_success=ignore_values, on_error=raised)
