"""Run the steps of a tournament in order, listen for other stations, and hold steps that cannot be saved.

A step waits if the connection is lost, the disk is full or the file is missing, and later steps wait behind it.
They run when the server answers again or the tournament is saved elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.desk import Desk, utc_now
from tdapp.domain.errors import StorageError
from tdapp.domain.journal import Step
from tdapp.domain.tournament import Tournament
from tdapp.services.worker import Worker, ignore
from tdapp.storage import Address

LOST = frozenset(
    f"server-{what}" for what in ("lost", "lost-saving", "unreachable", "refused", "password", "full", "ended")
)
OVER = frozenset({"server-ended", "server-password"})  # errors after which a connected station is out
UNKEPT = frozenset({
    "file-moved", "disk-full", "disk-error", "file-unreachable", "file-unfinished", "no-permission", "read-only",
    "folder-read-only",
})  # fmt: skip
OFTEN = 1_000  # ms between two polls of a file or of an unavailable server
SELDOM = 5_000  # ms between two polls of a server that sends notifications
RARELY = 60_000  # ms between two polls of a file with a listener
WATCHING = 1.0  # seconds between two checks of file time and size
LISTENING = 0.25  # seconds in which the listener must stop
LATE = 1.0  # seconds until "saving" is shown
STUCK = 10.0  # seconds until disk or server count as stuck


class Unsaved(Struct, frozen=True, eq=False):
    """Work to be saved. `describe` returns it in words for the user."""

    describe: Callable[[], str]
    then: Callable[[Any], None]
    failed: Callable[[Exception], None]


class QueuedStep(Unsaved, frozen=True, eq=False):
    """A step to be done by running its command."""

    command: partial[Tournament]


class _Held(Exception):
    """Raised to stop a step that was sent after a waiting step."""


class CommandQueue:
    """Run the steps of a desk in order."""

    def __init__(
        self,
        worker: Worker,
        revive: Callable[[Address], object],
        *,
        changed: Callable[[], None] = ignore,
        unsaved: Callable[[StorageError], None] = ignore,
        paced: Callable[[int], None] = ignore,
        sending: Callable[[bool], None] = ignore,
    ) -> None:
        """Store the callbacks, which run on the owner's thread.

        `revive` restarts our own server. `changed`: the error or the number of waiting steps changed.
        `unsaved`: waiting does not help. `paced` sets the interval of `look` in ms, 0 for never.
        `sending`: saving started or ended.
        """
        self._worker, self._revive = worker, revive
        self._on_changed, self._on_unsaved, self._on_paced, self._on_sending = changed, unsaved, paced, sending
        self._desk: Desk | None = None
        self._steps: list[QueuedStep] = []
        self._sent: list[Unsaved] = []
        self._sent_at = 0.0
        self._event = ""  # the tournament of the waiting steps
        self._listener: StoreListener | None = None
        self._holding = False  # set on the desk's thread: later steps must wait too
        self._looking = False
        self._pace = 0
        self.error: StorageError | None = None
        self.since = ""

    @property
    def unsaved(self) -> tuple[Unsaved, ...]:
        return (*self._sent, *self._steps)

    @property
    def delay(self) -> float:
        """Seconds since the work in progress was sent, 0 without any."""
        return monotonic() - self._sent_at if self._sent else 0.0

    @property
    def is_late(self) -> bool:
        """Whether saving takes so long that the user should know."""
        return bool(self._sent) and self.delay >= LATE

    @property
    def is_stuck(self) -> bool:
        """Whether disk or server do not answer, without a known error."""
        return self.error is None and bool(self._sent) and self.delay >= STUCK

    @property
    def is_lost(self) -> bool:
        return self.error is not None and self.error.code in LOST

    @property
    def is_over(self) -> bool:
        """Whether this station was removed. Waiting steps will not be saved."""
        return self.error is not None and self.error.code in OVER

    @property
    def hears(self) -> bool:
        """Whether changes of other stations arrive at once. Otherwise the store is polled."""
        return self._listener is not None and self._listener.hears

    # --- desk and listener

    def attach(self, desk: Desk) -> None:
        """Listen to the store of a desk, and run the waiting steps on it."""
        self._desk = desk
        store, event = desk.store, desk.tournament.event.id
        if event != self._event:
            self._event = event
            self._drop()
        self._holding = self._looking = False
        news = partial(self._worker.post, self.look)
        if store.address is not None:
            self._listener = StoreListener(partial(store.wait_for_change, LISTENING), news)
        elif store.path is not None and not self._worker.is_inline:
            self._listener = StoreListener(partial(store.wait_for_change, 0), news, pause=WATCHING)
        if self._listener is not None:
            self._listener.start()
        self.retry()

    def detach(self) -> Callable[[], None]:
        """Stop polling. Return a function that ends the listening; call it before closing the store."""
        self._desk = None
        self._look_at_pace()
        return self.stop_listening()

    def stop_listening(self) -> Callable[[], None]:
        """Stop listening. Return a function that waits for the listener's end."""
        listener, self._listener = self._listener, None
        return listener.stop if listener is not None else ignore

    def discard_steps(self) -> None:
        self._drop()
        self.retry()

    def _drop(self) -> None:
        self._steps.clear()
        self._sent.clear()
        self._on_sending(False)

    # --- steps

    def do(self, step: QueuedStep) -> None:
        if self.error is not None:
            self._steps.append(step)
            self._report()
            return
        desk = self._desk
        if desk is None:
            raise RuntimeError("no tournament is open")
        failed = partial(self._not_done, step)
        self.send(replace(step, failed=failed), partial(self._done, desk, step))

    def send(self, what: Unsaved, call: Callable[[], Any]) -> None:
        """Run work that is not repeated after an error. It counts as unsaved until its result comes back."""
        if not self._sent:
            self._sent_at = monotonic()
            self._on_sending(True)
        self._sent.append(what)
        self._worker.in_order(
            call, then=partial(self._back, what, what.then), failed=partial(self._back, what, what.failed)
        )

    def _back(self, what: Unsaved, follow: Callable[[Any], None], outcome: Any) -> None:
        was_late = self.is_late
        if what in self._sent:
            self._sent.remove(what)
            self._sent_at = monotonic()
            self._on_sending(bool(self._sent))
        follow(outcome)
        if was_late:
            self._on_changed()

    def retry(self) -> None:
        """Run the waiting steps. A step that fails with the same error waits again."""
        steps, self._steps = self._steps, []
        shown = bool(steps) or self.error is not None
        self.error, self._holding = None, False
        self._look_at_pace()
        if shown:
            self._on_changed()
        for step in steps:
            self.do(step)

    def look(self) -> None:
        """Read changes of other stations, and check whether the server answers."""
        if self._looking or self._desk is None:
            return
        self._looking = True
        revive = self._revive if self.is_lost else ignore
        self._worker.in_order(partial(_poll_store, self._desk, revive), then=self._seen, failed=self._not_seen)

    def _done(self, desk: Desk, step: QueuedStep) -> Step | None:
        """Run a step on the desk's thread. None: nothing changed."""
        if self._holding:
            raise _Held
        try:
            changes = desk.do(step.command)
            return desk.undo_step if changes else None
        except StorageError as error:
            self._holding = _must_wait(desk, error)
            raise

    def _not_done(self, step: QueuedStep, error: Exception) -> None:
        desk = self._desk
        if isinstance(error, _Held):
            if desk is not None:
                self.do(step)
        elif isinstance(error, StorageError) and desk is not None and _must_wait(desk, error):
            self._steps.append(step)
            self._hold(error)
            self._report()
        else:
            step.failed(error)

    def _hold(self, error: StorageError) -> None:
        known, self.error = self.error, error
        if known is None:
            self.since = utc_now()
        self._look_at_pace()
        if known is None or known.code != error.code:
            self._on_changed()

    def _report(self) -> None:
        self._on_changed()
        if self.error is not None and not self.is_lost:
            self._on_unsaved(self.error)

    def _look_at_pace(self) -> None:
        store, pace = self._desk.store if self._desk is not None else None, 0
        if store is not None and store.address is not None:
            pace = OFTEN if self.is_lost else SELDOM
        elif store is not None and store.path is not None:
            pace = OFTEN if self._listener is None or self.error is not None else RARELY
        if pace != self._pace:
            self._pace = pace
            self._on_paced(pace)

    def _seen(self, _value: None) -> None:
        self._looking = False
        if self.is_lost or (self.error is not None and self.error.code == "file-moved"):
            self.retry()

    def _not_seen(self, error: Exception) -> None:
        self._looking = False
        if not isinstance(error, StorageError):
            raise error
        desk = self._desk
        if desk is not None and _must_wait(desk, error) and (self.error is None or self.is_lost):
            self._hold(error)


def _must_wait(desk: Desk, error: StorageError) -> bool:
    """Return whether a step must wait; not if the server forbids it."""
    forbidden = desk.store.address is not None and error.code in {"no-permission", "read-only"}
    return error.code in LOST | UNKEPT and not forbidden


def _poll_store(desk: Desk, revive: Callable[[Address], object]) -> None:
    if desk.store.address is not None:
        revive(desk.store.address)
    desk.follow()
    desk.store.refuse_moved()


class StoreListener(Thread):
    """Wait for changes in a thread until it is stopped."""

    def __init__(self, heard: Callable[[], bool], notify: Callable[[], None], *, pause: float = 0) -> None:
        """`heard` waits a moment and returns whether the store has changed. `notify` runs on this thread."""
        super().__init__(name="listener", daemon=True)
        self._pause = pause
        self._heard = heard
        self._notify = notify
        self._ended = Event()
        self.hears = False

    def run(self) -> None:
        """Call `notify` after each change, and once as proof that listening works."""
        while not self._ended.wait(self._pause):
            news = self._heard()
            self.hears = True
            if news and not self._ended.is_set():
                self._notify()

    def stop(self) -> None:
        self._ended.set()
        self.join()
