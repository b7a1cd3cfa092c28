"""Work that must not stop the window: the desk's own thread, and a pool for slow pure work (`services.worker`).

Hides threads. Only values cross them: a call without widgets goes in, its value or its exception comes back on the
window's thread through one signal. With `inline=True` everything runs at once on the calling thread, for tests.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from tdapp.services.worker import Task

T = TypeVar("T")
PATIENCE = 100  # ms before anything is said of work that goes on


class Work(QObject):
    """Runs calls elsewhere and delivers what they return here."""

    busy = Signal(object)  # the Task that takes its time, None when it has ended
    _arrived = Signal(object)

    def __init__(self, *, inline: bool = False) -> None:
        super().__init__()
        self._inline = inline
        self._desk = None if inline else ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._pool = None if inline else ThreadPoolExecutor(2, thread_name_prefix="pool")
        self._arrived.connect(self._deliver)
        self._waiting: Task | None = None
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE)
        self._timer.timeout.connect(self._announce)

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
        """Run pure slow work; after a moment `busy` tells of it, unless the label is empty: nobody waits for it.

        Nothing is delivered once it is cancelled. Work that can be told to stop is given the `progress` of a
        `task` made for it; `stopped` is called when cancelled work has ended.
        """
        task = task or Task(label)
        if label:
            self._waiting = task
            self._timer.start()
        ended = partial(self._end, task, stopped)
        self._run(self._pool, call, partial(ended, then), partial(ended, failed))
        return task

    def aside(self, call: Callable[[], T], *, then: Callable[[T], None]) -> None:
        """Run pure work in the pool that nobody waits for; nothing is said of it, and nothing may go wrong."""
        self._run(self._pool, call, then, _raised)

    def post(self, call: Callable[[], None]) -> None:
        """Run `call` on the window's thread; may be called from any."""
        self._arrived.emit(call)

    def close(self) -> None:
        """Finish what was begun, as far as it cannot be told to stop, and end the threads."""
        self._timer.stop()
        if self._waiting is not None:
            self._waiting.cancel()
        for pool in (self._pool, self._desk):
            if pool is not None:
                pool.shutdown(wait=True)

    def _run(
        self,
        pool: ThreadPoolExecutor | None,
        call: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        if pool is None:
            _settle(call, then, failed)()
        else:
            pool.submit(_settle, call, then, failed).add_done_callback(self._hand_over)

    def _hand_over(self, future: Future[Callable[[], None]]) -> None:
        self._arrived.emit(future.result())

    def _deliver(self, call: Callable[[], None]) -> None:
        call()

    def _announce(self) -> None:
        if self._waiting is not None and not self._waiting.ended:
            self.busy.emit(self._waiting)

    def _end(self, task: Task, stopped: Callable[[], None] | None, deliver: Callable[[T], None], value: T) -> None:
        task.ended = True
        if self._waiting is task:
            self._waiting = None
            self._timer.stop()
            self.busy.emit(None)
        if not task.cancelled:
            deliver(value)
        elif stopped is not None:
            stopped()


def _raised(error: Exception) -> None:
    raise error


def _settle(
    call: Callable[[], T], then: Callable[[T], None], failed: Callable[[Exception], None]
) -> Callable[[], None]:
    """Run `call` here and return what is to be done with its outcome over there."""
    try:
        value = call()
    except Exception as error:  # it is raised again where someone can see it
        return partial(failed, error)
    return partial(then, value)
