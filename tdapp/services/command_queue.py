"""The steps of a tournament in their order: others are heard, and what cannot be written now waits.

Hides the thread that listens, how often it is looked, and how long a server stays away. A step that meets a lost
connection, a full disk or a file that is gone is neither dropped nor reported as done: it waits, all later ones
behind it, and they run again in their order once the server answers or the tournament is saved elsewhere. A step
whose confirmation was lost is not written twice (`Desk.do`). What was sent is unsaved until it comes back.
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
OVER = frozenset({"server-ended", "server-password"})  # said to a station that was let in before
UNKEPT = frozenset({
    "file-moved", "disk-full", "disk-error", "file-unreachable", "file-unfinished", "no-permission", "read-only",
    "folder-read-only",
})  # fmt: skip
OFTEN = 1_000  # ms between two looks at a file, or for a server that does not answer
SELDOM = 5_000  # ms between two looks at a server that tells by itself
RARELY = 60_000  # ms between two looks into a file whose time and size are watched
WATCHING = 1.0  # seconds between two looks at those
LISTENING = 0.25  # seconds after which the listener may be told to stop
LATE = 1.0  # seconds after which it is said that something is being saved
STUCK = 10.0  # seconds after which the disk or the server counts as not answering


class Unsaved(Struct, frozen=True, eq=False):
    """What is to be written: in the user's words, and what follows its end."""

    words: str
    then: Callable[[Any], None]
    failed: Callable[[Exception], None]


class QueuedStep(Unsaved, frozen=True, eq=False):
    """A step that is to be done by its command."""

    command: partial[Tournament]


class _Held(Exception):
    """Ends a step that was sent behind one that must wait."""


class QueueCallbacks(Struct, frozen=True):
    """What the owner of a queue is called with, on its own thread."""

    changed: Callable[[], None]  # an error has come or gone, or more steps wait
    unsaved: Callable[[StorageError], None]  # no waiting mends it: the file is gone, the disk full
    paced: Callable[[int], None]  # call `look` every so many ms from now on, 0 for no longer
    sending: Callable[[bool], None]  # something is being written, so that `delay` grows; or no longer


class CommandQueue:
    """Does the steps of a desk."""

    def __init__(self, worker: Worker, revive: Callable[[Address], object], on: QueueCallbacks) -> None:
        """`revive` starts a server of our own that has stopped."""
        self._worker = worker
        self._revive = revive
        self._on = on
        self._desk: Desk | None = None
        self._steps: list[QueuedStep] = []
        self._sent: list[Unsaved] = []
        self._sent_at = 0.0
        self._event = ""  # the tournament that they are for
        self._listener: StoreListener | None = None
        self._holding = False  # from the desk's thread: what is sent behind is to wait too
        self._looking = False
        self._pace = 0
        self.error: StorageError | None = None
        self.since = ""

    @property
    def unsaved(self) -> tuple[Unsaved, ...]:
        """What is not saved: what is being written, and the steps that wait."""
        return (*self._sent, *self._steps)

    @property
    def delay(self) -> float:
        """Seconds for which what is being written has not come back; 0 where nothing is."""
        return monotonic() - self._sent_at if self._sent else 0.0

    @property
    def is_late(self) -> bool:
        """Whether it is to be said that something is being written."""
        return bool(self._sent) and self.delay >= LATE

    @property
    def is_stuck(self) -> bool:
        """Whether the disk or the server does not answer, although nothing is known to be wrong."""
        return self.error is None and bool(self._sent) and self.delay >= STUCK

    @property
    def is_lost(self) -> bool:
        """Whether the server does not answer."""
        return self.error is not None and self.error.code in LOST

    @property
    def is_over(self) -> bool:
        """Whether this station takes part no longer: what waits will not be saved."""
        return self.error is not None and self.error.code in OVER

    @property
    def hears(self) -> bool:
        """Whether others are heard at once; else it is looked from time to time."""
        return self._listener is not None and self._listener.hears

    # --- the desk comes and goes

    def attach(self, desk: Desk) -> None:
        """Hear of what others write to a desk's store; what waits is done on this desk."""
        self._desk = desk
        store, event = desk.store, desk.tournament.event.id
        if event != self._event:
            self._event = event
            self._drop()
        self._holding = self._looking = False
        news = partial(self._worker.post, self.look)
        if store.address is not None:
            self._listener = StoreListener(partial(store.heard, LISTENING), news)
        elif store.path is not None and not self._worker.is_inline:
            self._listener = StoreListener(partial(store.heard, 0), news, pause=WATCHING)
        if self._listener is not None:
            self._listener.start()
        self.retry()

    def detach(self) -> Callable[[], None]:
        """Look no longer; return what ends the listening, to be called before the store is closed."""
        self._desk = None
        self._look_at_pace()
        return self.stop_listening()

    def stop_listening(self) -> Callable[[], None]:
        """Hear no longer of others as they write; return what waits for the end of it."""
        listener, self._listener = self._listener, None
        return listener.stop if listener is not None else ignore

    def forget(self) -> None:
        """Give up what is not saved."""
        self._drop()
        self.retry()

    def _drop(self) -> None:
        self._steps.clear()
        self._sent.clear()
        self._on.sending(False)

    # --- steps

    def do(self, step: QueuedStep) -> None:
        """Do a step, behind those that wait."""
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
        """Write something that does not wait where it fails; until its end comes back it is not saved."""
        if not self._sent:
            self._sent_at = monotonic()
            self._on.sending(True)
        self._sent.append(what)
        self._worker.in_order(
            call, then=partial(self._back, what, what.then), failed=partial(self._back, what, what.failed)
        )

    def _back(self, what: Unsaved, follow: Callable[[Any], None], outcome: Any) -> None:
        was_late = self.is_late
        if what in self._sent:
            self._sent.remove(what)
            self._sent_at = monotonic()
            self._on.sending(bool(self._sent))
        follow(outcome)
        if was_late:
            self._on.changed()

    def retry(self) -> None:
        """Go on with what waits; a step that meets the error again waits again."""
        steps, self._steps = self._steps, []
        shown = bool(steps) or self.error is not None
        self.error, self._holding = None, False
        self._look_at_pace()
        if shown:
            self._on.changed()
        for step in steps:
            self.do(step)

    def look(self) -> None:
        """See what others have written, and whether the server answers again."""
        if self._looking or self._desk is None:
            return
        self._looking = True
        revive = self._revive if self.is_lost else ignore
        self._worker.in_order(partial(_look, self._desk, revive), then=self._seen, failed=self._not_seen)

    def _done(self, desk: Desk, step: QueuedStep) -> Step | None:
        """Do a step on the desk's thread, and return it as it was written; None where it changed nothing."""
        if self._holding:
            raise _Held
        try:
            changes = desk.do(step.command)
            return desk.undo_step if changes else None
        except StorageError as error:
            self._holding = _waits(desk, error)
            raise

    def _not_done(self, step: QueuedStep, error: Exception) -> None:
        desk = self._desk
        if isinstance(error, _Held):
            if desk is not None:
                self.do(step)
        elif isinstance(error, StorageError) and desk is not None and _waits(desk, error):
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
            self._on.changed()

    def _report(self) -> None:
        """Ask where else to save, where waiting does not help."""
        self._on.changed()
        if self.error is not None and not self.is_lost:
            self._on.unsaved(self.error)

    def _look_at_pace(self) -> None:
        """Look as often as it takes: a server that answers notifies by itself, a file is watched."""
        store, pace = self._desk.store if self._desk is not None else None, 0
        if store is not None and store.address is not None:
            pace = OFTEN if self.is_lost else SELDOM
        elif store is not None and store.path is not None:
            pace = OFTEN if self._listener is None or self.error is not None else RARELY
        if pace != self._pace:
            self._pace = pace
            self._on.paced(pace)

    def _seen(self, _value: None) -> None:
        self._looking = False
        if self.is_lost or (self.error is not None and self.error.code == "file-moved"):
            self.retry()

    def _not_seen(self, error: Exception) -> None:
        self._looking = False
        if not isinstance(error, StorageError):
            raise error
        desk = self._desk
        if desk is not None and _waits(desk, error) and (self.error is None or self.is_lost):
            self._hold(error)


def _waits(desk: Desk, error: StorageError) -> bool:
    """Return whether a step is to wait; a server that forbids something will not be moved by waiting."""
    forbidden = desk.store.address is not None and error.code in {"no-permission", "read-only"}
    return error.code in LOST | UNKEPT and not forbidden


def _look(desk: Desk, revive: Callable[[Address], object]) -> None:
    """Take over what others have written, and see that the file is where it was."""
    if desk.store.address is not None:
        revive(desk.store.address)
    desk.follow()
    desk.store.refuse_moved()


class StoreListener(Thread):
    """Listens until it is told to stop."""

    def __init__(self, heard: Callable[[], bool], notify: Callable[[], None], *, pause: float = 0) -> None:
        """Let `heard` wait a moment for news and return whether there are some; call `notify` on this thread.

        Between two calls it sleeps for `pause` seconds.
        """
        super().__init__(name="listener", daemon=True)
        self._pause = pause
        self._heard = heard
        self._notify = notify
        self._ended = Event()
        self.hears = False

    def run(self) -> None:
        """Notify of news; the first call to return shows that the store can be heard."""
        while not self._ended.wait(self._pause):
            news = self._heard()
            self.hears = True
            if news and not self._ended.is_set():
                self._notify()

    def stop(self) -> None:
        """End, and return when it has."""
        self._ended.set()
        self.join()
