"""Tests of the command queue: it keeps unsaved steps in order and runs them later."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.model import GameId
from tdapp.domain.tournament import Tournament
from tdapp.services import command_queue
from tdapp.services.command_queue import (
    LONG_POLL_MS,
    SHORT_POLL_MS,
    CommandQueue,
    QueuedStep,
    RefusedQueuedStep,
    StoreListener,
    UnsavedWork,
)
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.worker import Worker, ignore_values
from tdapp.storage import Store
from tests.building import make_event
from tests.services.headless_session import Notifications, make_session
from tests.services.test_worker import QueuedWorker, raise_error


@pytest.fixture
def tournament_file(tmp_path: Path) -> Path:
    Desk.create(tmp_path / "cup.tdapp", make_event(4)).close()
    return tmp_path / "cup.tdapp"


def rename_event(session: OpenTournament, name: str) -> None:
    session.do(partial(commands.edit_event, name=name), quiet=True)


def is_saved(session: OpenTournament) -> bool:
    return session.queue.error is None


def open_and_move_file(tmp_path: Path, tournament_file: Path) -> tuple[OpenTournament, Notifications]:
    """Open a file, move it away, and run two steps."""
    session, notifications = make_session(tmp_path)
    session.open_location(tournament_file)
    tournament_file.rename(tmp_path / "aside")
    for name in ("First", "Second"):
        rename_event(session, name)
    return session, notifications


def test_command_queue_keeps_steps_in_order_until_the_file_returns(tmp_path: Path, tournament_file: Path) -> None:
    session, notifications = open_and_move_file(tmp_path, tournament_file)
    queue = session.queue
    assert len(queue.unsaved_work) == 2
    assert not is_saved(session)
    assert not queue.is_connection_lost
    assert [error.code for error in notifications.unsaved] == ["file-moved", "file-moved"]
    assert session.tournament.event.name == "Test"
    (tmp_path / "aside").rename(tournament_file)
    queue.poll_store()
    assert is_saved(session)
    assert not session.queue.unsaved_work
    assert session.tournament.event.name == "Second"
    assert [step.label for step in session.desk.list_all_steps()] == ["edit-event", "edit-event"]
    session.close()


def test_save_to_other_file_runs_the_waiting_steps(tmp_path: Path, tournament_file: Path) -> None:
    session, _notifications = open_and_move_file(tmp_path, tournament_file)
    session.save_to_other_file(tmp_path / "other.tdapp")
    assert session.path == tmp_path / "other.tdapp"
    assert len(session.queue.unsaved_work) == 0
    assert session.tournament.event.name == "Second"
    session.close()


def test_discard_steps_never_runs_discarded_steps(tmp_path: Path, tournament_file: Path) -> None:
    session, _notifications = open_and_move_file(tmp_path, tournament_file)
    session.queue.discard_unsaved_steps()
    (tmp_path / "aside").rename(tournament_file)
    session.queue.retry_waiting_steps()
    rename_event(session, "Third")
    assert session.tournament.event.name == "Third"
    assert len(session.desk.list_all_steps()) == 1
    session.close()


def test_command_queue_polls_files_often_and_memory_never(tmp_path: Path, tournament_file: Path) -> None:
    session, notifications = make_session(tmp_path)
    session.open_location(tournament_file)
    assert notifications.poll_intervals == [SHORT_POLL_MS]
    session.close()
    assert notifications.poll_intervals == [SHORT_POLL_MS, 0]
    _memory, notifications = make_session(tmp_path, make_event(4))
    assert notifications.poll_intervals == []


def test_poll_store_shows_changes_of_another_program(tmp_path: Path, tournament_file: Path) -> None:
    session, _notifications = make_session(tmp_path)
    session.open_location(tournament_file)
    other_desk = Desk.open(tournament_file, station="other")
    other_desk.do(partial(commands.edit_event, name="Theirs"))
    other_desk.close()
    session.queue.poll_store()
    assert session.tournament.event.name == "Theirs"
    session.close()


def test_command_queue_reads_a_file_only_after_a_change(
    tournament_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_queue, "FILE_CHECK_SECONDS", 0.01)
    worker, desks, poll_intervals = QueuedWorker(), list[Desk](), list[int]()
    worker.run_on_desk_thread(partial(Desk.open, tournament_file), on_success=desks.append, on_error=raise_error)
    worker.deliver_next_result()
    queue = CommandQueue(worker, ignore_values, set_interval=poll_intervals.append)
    queue.attach_desk(desks[0])
    other_desk = Desk.open(tournament_file, station="other")
    other_desk.do(partial(commands.edit_event, name="Theirs"))
    other_desk.close()
    while desks[0].tournament.event.name != "Theirs":
        worker.deliver_next_result()
    assert poll_intervals == [LONG_POLL_MS]
    for close_step in (queue.detach_desk_and_return_stop_function(), desks[0].close):
        worker.run_on_desk_thread(close_step, on_success=ignore_values, on_error=raise_error)
    worker.close()


def test_store_listener_notifies_until_stopped() -> None:
    pending_answers = iter((False, True))
    listening_states: list[bool] = []
    listener = StoreListener(
        lambda: next(pending_answers, False), lambda: listening_states.append(listener.is_listening)
    )
    listener.start()
    while not listening_states:
        listener.join(0.01)
    listener.stop()
    assert listening_states == [True]
    assert not listener.is_alive()


def test_command_queue_keeps_a_refusal_that_arrives_while_a_step_is_saved(tournament_file: Path) -> None:
    worker, desks = QueuedWorker(), list[Desk]()
    worker.run_on_desk_thread(partial(Desk.open, tournament_file), on_success=desks.append, on_error=raise_error)
    worker.deliver_next_result()
    queue = CommandQueue(worker, ignore_values)
    queue.attach_desk(desks[0])

    def make_step(game: str) -> QueuedStep:
        return QueuedStep(lambda: "", ignore_values, raise_error, partial(keep_tournament, game=GameId(game)))

    queue.refused_steps.append(RefusedQueuedStep(make_step("g1"), UserError("no-such-game")))
    queue.run_or_queue_step(make_step("g1"))
    deliver_step_result = worker.inbox.get(timeout=30)
    late_refusal = RefusedQueuedStep(make_step("g2"), UserError("no-such-game"))
    assert [item.game_id for item in queue.refused_steps] == ["g1"]
    queue.refused_steps.append(late_refusal)
    deliver_step_result()
    assert queue.refused_steps == [late_refusal]
    for close_step in (queue.detach_desk_and_return_stop_function(), desks[0].close):
        worker.run_on_desk_thread(close_step, on_success=ignore_values, on_error=raise_error)
    worker.close()


def keep_tournament(tournament: Tournament, *, game: GameId) -> Tournament:
    assert game
    return tournament


class SilentWorker(Worker):
    """A worker that never returns, as with a hanging disk."""

    def run_on_desk_thread(self, *_work: object, **_after: object) -> None:
        pass


def test_command_queue_shows_no_saving_for_another_tournament() -> None:
    saving_states: list[bool] = []
    queue = CommandQueue(SilentWorker(), ignore_values, on_saving=saving_states.append)
    queue.run_work_without_retry(
        UnsavedWork(lambda: "Result of table 1 entered", ignore_values, ignore_values), ignore_values
    )
    assert [work.describe() for work in queue.unsaved_work] == ["Result of table 1 entered"]
    queue.attach_desk(Desk(Store.create_in_memory(make_event(2))))
    assert not queue.unsaved_work
    assert (saving_states[0], saving_states[-1]) == (True, False)


def restore_older_content(session: OpenTournament, tournament_file: Path) -> bytes:
    """Run two steps, overwrite the file with its content after the first, and return the newer content."""
    session.open_location(tournament_file)
    rename_event(session, "First")
    older_content = tournament_file.read_bytes()
    rename_event(session, "Second")
    newer_content = tournament_file.read_bytes()
    tournament_file.write_bytes(older_content)
    return newer_content


def test_command_queue_copies_an_overwritten_file_from_memory(tmp_path: Path, tournament_file: Path) -> None:
    session, notifications = make_session(tmp_path)
    restore_older_content(session, tournament_file)
    session.queue.poll_store()
    copy = session.queue.copy
    assert copy is not None
    assert copy.parent == tournament_file.parent
    assert [error.code for error in notifications.unsaved] == ["file-overwritten"]
    rename_event(session, "Third")
    assert len(session.queue.unsaved_work) == 1
    with closing(Desk.open(copy)) as copy_desk:
        assert copy_desk.tournament.event.name == "Second"
    with closing(Desk.open(tournament_file)) as file_desk:
        assert file_desk.tournament.event.name == "First"
    session.open_file(copy)
    assert is_saved(session)
    assert session.tournament.event.name == "Third"
    session.close()


def test_command_queue_continues_when_an_overwritten_file_is_restored(
    tmp_path: Path, tournament_file: Path
) -> None:
    session, _notifications = make_session(tmp_path)
    newer_content = restore_older_content(session, tournament_file)
    rename_event(session, "Third")
    assert session.queue.error is not None
    tournament_file.write_bytes(newer_content)
    session.queue.poll_store()
    assert is_saved(session)
    assert [step.label for step in session.desk.list_all_steps()] == ["edit-event"] * 3
    session.close()


def test_save_to_other_file_saves_the_tournament_in_memory_after_an_overwrite(
    tmp_path: Path, tournament_file: Path
) -> None:
    session, _notifications = make_session(tmp_path)
    restore_older_content(session, tournament_file)
    session.save_to_other_file(tmp_path / "other.tdapp")
    assert session.tournament.event.name == "Second"
    session.close()


def test_command_queue_waits_while_another_program_holds_the_file(tmp_path: Path, tournament_file: Path) -> None:
    session, notifications = make_session(tmp_path)
    session.open_tournament_of_desk(Desk(Store.open(tournament_file, timeout=0.01)))
    connection = sqlite3.connect(tournament_file, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    for name in ("First", "Second"):
        rename_event(session, name)
    session.queue.poll_store()
    assert session.queue.is_store_locked
    assert len(session.queue.unsaved_work) == 2
    assert notifications.unsaved == []  # waiting helps: do not ask for another folder
    connection.close()
    session.queue.poll_store()
    assert is_saved(session)
    assert session.tournament.event.name == "Second"
    session.close()


def test_discard_steps_never_runs_a_step_that_has_not_started(tournament_file: Path) -> None:
    worker, desks = QueuedWorker(), list[Desk]()
    worker.run_on_desk_thread(partial(Desk.open, tournament_file), on_success=desks.append, on_error=raise_error)
    worker.deliver_next_result()
    late_descriptions, outcomes, has_started, release = list[str](), list[object](), Event(), Event()
    queue = CommandQueue(worker, ignore_values, on_saved_late=late_descriptions.append)
    queue.attach_desk(desks[0])

    def save_slowly() -> bool:
        has_started.set()
        return release.wait(30)

    queue.run_work_without_retry(
        UnsavedWork(partial(str, "being saved"), outcomes.append, raise_error), save_slowly
    )
    queue.run_work_without_retry(
        UnsavedWork(partial(str, "not begun"), outcomes.append, raise_error), partial(outcomes.append, "run")
    )
    assert has_started.wait(30)
    queue.discard_unsaved_steps()
    release.set()
    while queue.is_discarded_step_running:
        worker.deliver_next_result()
    assert outcomes == []
    assert late_descriptions == ["being saved"]
    for close_step in (queue.detach_desk_and_return_stop_function(), desks[0].close):
        worker.run_on_desk_thread(close_step, on_success=ignore_values, on_error=raise_error)
