"""Tests of the worker: a job delivers its posted calls first and its result last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from queue import Queue
from typing import Any

import pytest

from tdapp.domain.errors import UserError
from tdapp.services.worker import BackgroundTask, TaskStopped, Worker, get_user_error_or_raise, ignore_values


class QueuedWorker(Worker):
    """A worker that keeps results until a call of `deliver_next_result`."""

    def __init__(self) -> None:
        super().__init__(inline=False)
        self.inbox: Queue[Callable[[], None]] = Queue()
        self.delivering_threads: set[int] = set()

    def _deliver_result(self, call: Callable[[], None]) -> None:
        self.delivering_threads.add(threading.get_ident())
        self.inbox.put(call)

    def deliver_next_result(self) -> None:
        self.inbox.get(timeout=30)()


def raise_error(error: Exception) -> None:
    raise error


@pytest.mark.parametrize("inline", [True, False])
def test_worker_delivers_posts_before_the_result(inline: bool) -> None:
    worker, outcomes = Worker() if inline else QueuedWorker(), list[str]()

    def run_job() -> str:
        worker.post_call_to_owner_thread(lambda: outcomes.append("changed"))
        assert outcomes == []
        return "done"

    worker.run_on_desk_thread(run_job, on_success=outcomes.append, on_error=raise_error)
    if isinstance(worker, QueuedWorker):
        worker.deliver_next_result()
        assert worker.inbox.empty()
    assert outcomes == ["changed", "done"]
    worker.post_call_to_owner_thread(lambda: outcomes.append("heard"))
    if isinstance(worker, QueuedWorker):
        worker.deliver_next_result()
    assert outcomes[-1] == "heard"
    worker.close()


class ImmediateExecutor(ThreadPoolExecutor):
    """An executor that finishes each job before `submit` returns."""

    def submit(self, *job: Any, **keywords: Any) -> Future[Any]:
        future = super().submit(*job, **keywords)
        wait([future], 30)
        return future


def test_worker_delivers_finished_work_on_the_owners_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdapp.services.worker.ThreadPoolExecutor", ImmediateExecutor)
    worker, own_thread, outcomes = QueuedWorker(), threading.get_ident(), list[int]()
    for number in range(3):
        worker.run_on_desk_thread(partial(int, number), on_success=outcomes.append, on_error=raise_error)
    for _ in range(3):
        worker.deliver_next_result()
    assert outcomes == [0, 1, 2]
    assert own_thread not in worker.delivering_threads
    worker.close()


def test_worker_delivers_the_result_after_a_failed_post() -> None:
    worker, outcomes = Worker(), list[str]()

    def run_job() -> str:
        worker.post_call_to_owner_thread(lambda: raise_error(LookupError("a fault")))
        return "done"

    with pytest.raises(LookupError):
        worker.run_on_desk_thread(run_job, on_success=outcomes.append, on_error=raise_error)
    assert outcomes == ["done"]


def test_worker_delivers_posts_of_a_refused_call() -> None:
    worker, outcomes = Worker(), list[str]()

    def run_job() -> None:
        worker.post_call_to_owner_thread(lambda: outcomes.append("others"))
        raise UserError("changed-meanwhile")

    def record_refusal(error: Exception) -> None:
        outcomes.append(get_user_error_or_raise(error).code)

    worker.run_on_desk_thread(run_job, on_success=lambda _result: outcomes.append("done"), on_error=record_refusal)
    assert outcomes == ["others", "changed-meanwhile"]


def test_worker_ends_cancelled_work_at_its_next_report() -> None:
    worker, task, outcomes = Worker(), BackgroundTask("Pairing"), list[str]()

    def run_job() -> str:
        task.report_progress(1, 2)
        task.cancel_work()
        task.report_progress(2, 2)
        return "done"

    def handle_stop() -> None:
        outcomes.append("stopped")

    worker.run_in_background(
        run_job, on_success=outcomes.append, on_error=raise_error, label="", task=task, on_stop=handle_stop
    )
    assert outcomes == ["stopped"]
    assert task.ended
    with pytest.raises(TaskStopped):
        task.report_progress(1, 2)
    with pytest.raises(LookupError):
        get_user_error_or_raise(LookupError())


def test_worker_close_waits_no_longer_than_allowed() -> None:
    worker, gate = Worker(inline=False), threading.Event()
    worker.run_on_desk_thread(partial(gate.wait, 60), on_success=ignore_values, on_error=ignore_values)
    assert not worker.close(0.01)
    gate.set()

    quick = Worker(inline=False)
    outcomes: list[bool] = []
    quick.run_on_desk_thread(lambda: True, on_success=outcomes.append, on_error=ignore_values)
    assert quick.close()
    assert outcomes == [True]
