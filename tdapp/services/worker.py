"""Run work outside the thread of the window or command line, here called the owner's thread.

One thread is for `Desk` objects, a pool of threads for slow work without side effects. An inline worker runs calls
immediately, on the calling thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

from tdapp.domain.errors import UserError

T = TypeVar("T")


def get_user_error_or_raise(error: Exception) -> UserError:
    """Return an error that the user can fix. Raise any other error again."""
    if not isinstance(error, UserError):
        raise error
    return error


def ignore_values(*_values: object) -> None:
    """Do nothing. Default for callbacks."""


class TaskStopped(Exception):
    """Raised to end cancelled work. It is not passed to callbacks."""


class BackgroundTask:
    """Work in the background."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.cancelled = False
        self.ended = False
        self.progress = 0.0  # from 0 to 1

    def cancel_work(self) -> None:
        """Discard the result of the work. Work that reports its progress ends at the next report."""
        self.cancelled = True

    def report_progress(self, count: int, total: int) -> None:
        """Report progress; raise TaskStopped after `cancel_work`. Thread-safe."""
        self.progress = count / max(total, 1)
        if self.cancelled:
            raise TaskStopped


class Worker:
    """Runs calls on other threads and delivers their results on the owner's thread."""

    def __init__(self, *, inline: bool = True) -> None:
        self._desk = None if inline else ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._pool = None if inline else ThreadPoolExecutor(2, thread_name_prefix="pool")
        self._waiting: BackgroundTask | None = None
        self._job = threading.local()  # calls posted by the job of a thread

    @property
    def is_single_threaded(self) -> bool:
        return self._desk is None

    def run_on_desk_thread(
        self, call: Callable[[], T], *, on_success: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Run `call` on the only thread that may use `Desk` objects. The calls run one by one, in order."""
        self._run_in_pool(self._desk, call, on_success, on_error)

    def run_in_background(
        self,
        call: Callable[[], T],
        *,
        on_success: Callable[[T], None],
        on_error: Callable[[Exception], None],
        label: str,
        task: BackgroundTask | None = None,
        on_stop: Callable[[], None] | None = None,
    ) -> BackgroundTask:
        """Run slow work in the background. `call` must have no side effects.

        The window shows `label` unless it is "". If `task` is cancelled, the next `task.report_progress` in `call`
        raises TaskStopped. When a cancelled `call` ends, only `on_stop` is called.
        """
        task = task or BackgroundTask(label)
        if label:
            self._set_awaited_task(task)
        finish = partial(self._finish_task, task, on_stop)
        self._run_in_pool(self._pool, call, partial(finish, on_success), partial(finish, on_error))
        return task

    def run_in_background_without_label(self, call: Callable[[], T], *, on_success: Callable[[T], None]) -> None:
        """Run work in the pool without showing it in the window. The work must not fail."""
        self._run_in_pool(self._pool, call, on_success, _raise_error)

    def post_call_to_owner_thread(self, call: Callable[[], None]) -> None:
        """Run `call` on the owner's thread.

        If a job of this worker posts `call`, run `call` just before the job's result is delivered.
        """
        calls: list[Callable[[], None]] | None = getattr(self._job, "posted", None)
        if calls is None:
            self._deliver_result(call)
        else:
            calls.append(call)

    def close(self, max_wait_in_seconds: float | None = None) -> bool:
        """Wait for work that cannot be stopped, then end the threads.

        Return whether they ended within `max_wait_in_seconds`; None means no limit.
        """
        if self._waiting is not None:
            self._waiting.cancel_work()
        pools = [pool for pool in (self._pool, self._desk) if pool is not None]
        has_ended = not wait([pool.submit(ignore_values) for pool in pools], max_wait_in_seconds).not_done
        for pool in pools:
            pool.shutdown(wait=has_ended)
        return has_ended

    def _set_awaited_task(self, task: BackgroundTask | None) -> None:
        self._waiting = task

    def _deliver_result(self, call: Callable[[], None]) -> None:
        call()

    def _run_in_pool(
        self,
        pool: ThreadPoolExecutor | None,
        call: Callable[[], T],
        on_success: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        if pool is None:
            self._run_and_return_result_callback(call, on_success, on_error)()
        else:
            pool.submit(self._run_and_deliver, call, on_success, on_error)

    def _run_and_return_result_callback(
        self, call: Callable[[], T], on_success: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> Callable[[], None]:
        calls: list[Callable[[], None]] = []
        self._job.posted = calls
        try:
            return partial(
                _run_posted_calls_then_result_callback,
                calls,
                run_call_and_return_result_callback(call, on_success, on_error),
            )
        finally:
            self._job.posted = None

    def _run_and_deliver(
        self, call: Callable[[], T], on_success: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> None:
        self._deliver_result(self._run_and_return_result_callback(call, on_success, on_error))

    def _finish_task(
        self, task: BackgroundTask, on_stop: Callable[[], None] | None, deliver: Callable[[T], None], value: T
    ) -> None:
        task.ended = True
        if self._waiting is task:
            self._set_awaited_task(None)
        if not task.cancelled:
            deliver(value)
        elif on_stop is not None:
            on_stop()


def _run_posted_calls_then_result_callback(
    calls: Sequence[Callable[[], None]], outcome: Callable[[], None]
) -> None:
    try:
        for call in calls:
            call()
    finally:
        outcome()


def _raise_error(error: Exception) -> None:
    raise error


def run_call_and_return_result_callback(
    call: Callable[[], T], on_success: Callable[[T], None], on_error: Callable[[Exception], None]
) -> Callable[[], None]:
    """Run `call`. Return a function that passes the result to `on_success` or `on_error` on the owner's thread."""
    try:
        value = call()
    except Exception as error:  # raised again on the owner's thread
        return partial(on_error, error)
    return partial(on_success, value)
