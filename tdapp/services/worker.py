"""Run work outside the owner's thread: one thread for the desk, a pool for slow pure work.

Only values cross the threads: a call in, its value or exception out, with the calls that it posted before. In the
window they come back as one signal. An inline worker runs everything at once on the calling thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

from tdapp.domain.errors import UserError

T = TypeVar("T")


def require_user_error(error: Exception) -> UserError:
    """Return an error that the user can fix. Any other error is raised, as a fault of the program."""
    if not isinstance(error, UserError):
        raise error
    return error


def ignore(*_values: object) -> None:
    """Ignore the values."""


class Stopped(Exception):
    """Raised to end cancelled work. Never delivered."""


class Task:
    """Running work: label, progress, and whether it was cancelled."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.cancelled = False
        self.ended = False
        self.done = 0.0  # from 0 to 1

    def cancel(self) -> None:
        """Discard the value of the work. Work with progress ends at its next report."""
        self.cancelled = True

    def progress(self, done: int, total: int) -> None:
        """Record the progress. Thread-safe. Raises Stopped after a cancel."""
        self.done = done / max(total, 1)
        if self.cancelled:
            raise Stopped


class Worker:
    """Run calls on other threads and deliver their results on the owner's thread."""

    def __init__(self, *, inline: bool = True) -> None:
        self._desk = None if inline else ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._pool = None if inline else ThreadPoolExecutor(2, thread_name_prefix="pool")
        self._waiting: Task | None = None
        self._job = threading.local()  # calls posted by the job of a thread

    @property
    def is_inline(self) -> bool:
        return self._desk is None

    def in_order(
        self, call: Callable[[], T], *, then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Run `call` after earlier calls on the only writing thread."""
        self._run(self._desk, call, then, failed)

    def compute(
        self,
        call: Callable[[], T],
        *,
        then: Callable[[T], None],
        failed: Callable[[Exception], None],
        label: str,
        task: Task | None = None,
        stopped: Callable[[], None] | None = None,
    ) -> Task:
        """Run slow pure work. It is shown as busy, unless the label is "".

        Nothing is delivered after a cancel. Stoppable work gets the `progress` method of its `task`.
        `stopped` is called when cancelled work has ended.
        """
        task = task or Task(label)
        if label:
            self._wait_for(task)
        ended = partial(self._end, task, stopped)
        self._run(self._pool, call, partial(ended, then), partial(ended, failed))
        return task

    def aside(self, call: Callable[[], T], *, then: Callable[[T], None]) -> None:
        """Run pure work in the pool without showing it. It must not fail."""
        self._run(self._pool, call, then, _raise)

    def post(self, call: Callable[[], None]) -> None:
        """Run `call` on the owner's thread. Thread-safe. Calls posted by a job arrive with its result."""
        posted: list[Callable[[], None]] | None = getattr(self._job, "posted", None)
        if posted is None:
            self._deliver(call)
        else:
            posted.append(call)

    def close(self, patience: float | None = None) -> bool:
        """Finish the work that cannot be stopped, and end the threads.

        Return whether they ended within `patience` seconds. None waits without a limit.
        """
        if self._waiting is not None:
            self._waiting.cancel()
        pools = [pool for pool in (self._pool, self._desk) if pool is not None]
        ended = not wait([pool.submit(ignore) for pool in pools], patience).not_done
        for pool in pools:
            pool.shutdown(wait=ended)
        return ended

    def _wait_for(self, task: Task | None) -> None:
        """Show a task as busy, or None when it has ended."""
        self._waiting = task

    def _deliver(self, call: Callable[[], None]) -> None:
        call()

    def _run(
        self,
        pool: ThreadPoolExecutor | None,
        call: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        if pool is None:
            self._done(call, then, failed)()
        else:
            pool.submit(self._do_and_deliver, call, then, failed)

    def _done(
        self, call: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> Callable[[], None]:
        posted: list[Callable[[], None]] = []
        self._job.posted = posted
        try:
            return partial(_deliver_all, posted, run_and_settle(call, then, failed))
        finally:
            self._job.posted = None

    def _do_and_deliver(
        self, call: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Run a job and deliver its result from the same thread, so that the order is kept."""
        self._deliver(self._done(call, then, failed))

    def _end(self, task: Task, stopped: Callable[[], None] | None, deliver: Callable[[T], None], value: T) -> None:
        task.ended = True
        if self._waiting is task:
            self._wait_for(None)
        if not task.cancelled:
            deliver(value)
        elif stopped is not None:
            stopped()


def _deliver_all(posted: Sequence[Callable[[], None]], outcome: Callable[[], None]) -> None:
    try:
        for call in posted:
            call()
    finally:
        outcome()


def _raise(error: Exception) -> None:
    raise error


def run_and_settle(
    call: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
) -> Callable[[], None]:
    """Run `call` here. Return a function that handles its result on the owner's thread."""
    try:
        value = call()
    except Exception as error:  # raised again on the owner's thread
        return partial(failed, error)
    return partial(then, value)
