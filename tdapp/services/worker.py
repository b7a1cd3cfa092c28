"""Work that must not stop its owner: the desk's own thread, and a pool for slow pure work.

Hides threads. Only values cross them: a call goes in, its value or its exception comes back, and before it what
the call has posted on its way: there is one way back, which in the window is a signal. Inline everything runs at
once on the calling thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

from tdapp.domain.errors import UserError

T = TypeVar("T")


def expected(error: Exception) -> UserError:
    """Return an error that the user can mend; raise any other: it is a fault of the program."""
    if not isinstance(error, UserError):
        raise error
    return error


def ignore(*_values: object) -> None:
    """Do nothing with values that are not needed."""


class Stopped(Exception):
    """Ends work that was cancelled; never delivered."""


class Task:
    """Work that goes on: what it is called, how far it is, and whether its value is still wanted."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.cancelled = False
        self.ended = False
        self.done = 0.0  # from 0 to 1, as far as the work tells

    def cancel(self) -> None:
        """Let the value go unused when it comes; work that tells its progress ends when it reports next."""
        self.cancelled = True

    def progress(self, done: int, total: int) -> None:
        """Note how far the work is, on whatever thread it runs; raise Stopped once it is cancelled."""
        self.done = done / max(total, 1)
        if self.cancelled:
            raise Stopped


class Worker:
    """Runs calls elsewhere, and delivers what they return on its owner's thread."""

    def __init__(self, *, inline: bool = True) -> None:
        self._desk = None if inline else ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._pool = None if inline else ThreadPoolExecutor(2, thread_name_prefix="pool")
        self._waiting: Task | None = None
        self._job = threading.local()  # what the job of a thread has posted

    @property
    def is_inline(self) -> bool:
        """Whether there are no threads: everything is done where it is asked for."""
        return self._desk is None

    def in_order(
        self, call: Callable[[], T], *, then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Run `call` after those given before, on the one thread that may write."""
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
        """Run pure slow work; its owner is shown that it goes on, unless the label is empty: nobody waits for it.

        Nothing is delivered once it is cancelled. Work that can be told to stop is given the `progress` of a
        `task` made for it; `stopped` is called when cancelled work has ended.
        """
        task = task or Task(label)
        if label:
            self._wait_for(task)
        ended = partial(self._end, task, stopped)
        self._run(self._pool, call, partial(ended, then), partial(ended, failed))
        return task

    def aside(self, call: Callable[[], T], *, then: Callable[[T], None]) -> None:
        """Run pure work in the pool that is not waited for; nothing is shown of it, and nothing may go wrong."""
        self._run(self._pool, call, then, _raise)

    def post(self, call: Callable[[], None]) -> None:
        """Run `call` on the owner's thread; may be called from any. What a job posts comes with its outcome."""
        posted: list[Callable[[], None]] | None = getattr(self._job, "posted", None)
        if posted is None:
            self._deliver(call)
        else:
            posted.append(call)

    def close(self, patience: float | None = None) -> bool:
        """Finish what was begun, as far as it cannot be told to stop, and end the threads.

        Return whether they have ended within `patience` seconds, None for however long it takes.
        """
        if self._waiting is not None:
            self._waiting.cancel()
        pools = [pool for pool in (self._pool, self._desk) if pool is not None]
        ended = not wait([pool.submit(ignore) for pool in pools], patience).not_done
        for pool in pools:
            pool.shutdown(wait=ended)
        return ended

    def _wait_for(self, task: Task | None) -> None:
        """Show that a task goes on, None when it has ended."""
        self._waiting = task

    def _deliver(self, call: Callable[[], None]) -> None:
        """Run `call` on the owner's thread: there is one way back."""
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
        """Do a job here; return what brings all that it has posted, and then its outcome, over there."""
        posted: list[Callable[[], None]] = []
        self._job.posted = posted
        try:
            return partial(_deliver_all, posted, settle(call, then, failed))
        finally:
            self._job.posted = None

    def _do_and_deliver(
        self, call: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Deliver on the thread that did the job: what one thread has done comes back in its order."""
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


def settle(
    call: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
) -> Callable[[], None]:
    """Run `call` here and return what is to be done with its outcome over there."""
    try:
        value = call()
    except Exception as error:  # it is raised again where someone can see it
        return partial(failed, error)
    return partial(then, value)
