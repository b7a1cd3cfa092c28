"""What the services ask of whoever knows the threads: the desk's own, and a pool for slow pure work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from tdapp.domain.errors import UserError

T = TypeVar("T")


def expected(error: Exception) -> UserError:
    """Return an error that the user can mend; raise any other: it is a fault of the program."""
    if not isinstance(error, UserError):
        raise error
    return error


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
        """Let the value go unused when it comes; work that tells its progress ends at its next word."""
        self.cancelled = True

    def progress(self, done: int, total: int) -> None:
        """Note how far the work is, on whatever thread it runs; raise Stopped once it is cancelled."""
        self.done = done / max(total, 1)
        if self.cancelled:
            raise Stopped


class Worker(Protocol):
    """Runs calls elsewhere, and delivers what they return on the thread of who asked."""

    def in_order(
        self, call: Callable[[], T], *, then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Run `call` after those given before, on the one thread that may write."""

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
        """Run slow pure work; nothing is delivered once its task is cancelled, but `stopped` is called."""

    def aside(self, call: Callable[[], T], *, then: Callable[[T], None]) -> None:
        """Run pure work that nobody waits for, and that may not fail."""

    def post(self, call: Callable[[], None]) -> None:
        """Run `call` on the owner's thread; may be called from any."""
