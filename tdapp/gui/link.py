"""The way from the window to what keeps its tournament: others are heard, and what cannot be written now waits.

Hides the thread that listens, the looking in between, and how long a server stays away. A step that meets a lost
connection, a full disk or a file that is gone is neither dropped nor told as done: it waits, all later ones behind
it, and they run again in their order once the server answers or the tournament is saved elsewhere. A step whose
confirmation was lost is not written twice (`Desk.do`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread

from PySide6.QtCore import QObject, QTimer, Signal

from tdapp.desk import Desk, utc_now
from tdapp.domain.changes import Diff
from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import Tournament
from tdapp.gui.work import Work
from tdapp.storage import Address

LOST = frozenset(
    f"server-{what}" for what in ("lost", "lost-saving", "unreachable", "refused", "password", "full", "ended")
)
UNKEPT = frozenset(
    {
        "file-moved",
        "disk-full",
        "disk-error",
        "file-unreachable",
        "file-unfinished",
        "no-permission",
        "read-only",
        "folder-read-only",
    }
)
OFTEN = 1_000  # ms between two looks at a file, or for a server that does not answer
SELDOM = 5_000  # ms between two looks at a server that tells by itself
EAR = 0.25  # seconds after which the ear may be told to stop


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step that is to be done: its command, and what follows its end."""

    label: str
    command: partial[Tournament]
    then: Callable[[Diff], None]
    failed: Callable[[Exception], None]


class _Held(Exception):
    """Ends a step that was sent behind one that must wait."""


class Link(QObject):
    """Does the steps of a desk."""

    changed = Signal()  # trouble has come or gone, or more steps wait
    unkept = Signal(object)  # the StorageError that no waiting mends: the file is gone, the disk full

    def __init__(self, work: Work, revive: Callable[[Address], None], parent: QObject) -> None:
        """`revive` starts a server of our own that has stopped."""
        super().__init__(parent)
        self._work = work
        self._revive = revive
        self._desk: Desk | None = None
        self._line: list[Waiting] = []
        self._event = ""  # the tournament that they are for
        self._ear: _Ear | None = None
        self._holding = False  # from the desk's thread: what is sent behind is to wait too
        self._looking = False
        self.trouble: StorageError | None = None
        self.since = ""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)

    @property
    def waiting(self) -> int:
        """How many steps wait."""
        return len(self._line)

    @property
    def is_lost(self) -> bool:
        """Whether the server does not answer."""
        return self.trouble is not None and self.trouble.code in LOST

    @property
    def hears(self) -> bool:
        """Whether others are heard at once; else it is looked from time to time."""
        return self._ear is not None and self._ear.hears

    # --- the desk comes and goes

    def attach(self, desk: Desk) -> None:
        """Hear of what others write to a desk's store; what waits is done on this desk."""
        self._desk = desk
        store, event = desk.store, desk.tournament.event.id
        if event != self._event:
            self._event = event
            self._line.clear()
        self._holding = self._looking = False
        if store.address is not None:
            self._ear = _Ear(partial(store.heard, EAR), partial(self._work.post, self.look))
            self._ear.start()
        if store.address is not None or store.path is not None:
            self._timer.start(SELDOM if store.address is not None else OFTEN)
        self._mend()

    def detach(self) -> Callable[[], None]:
        """Look no longer; return what ends the listening, to be called before the store is closed."""
        self._desk = None
        return self._deafen()

    def _deafen(self) -> Callable[[], None]:
        self._timer.stop()
        ear, self._ear = self._ear, None
        return ear.stop if ear is not None else _nothing

    def forget(self) -> None:
        """Give up the steps that wait."""
        self._line.clear()
        self._mend()

    # --- steps

    def do(self, step: Waiting) -> None:
        """Do a step, behind those that wait."""
        if self.trouble is not None:
            self._line.append(step)
            self._ask_again()
        else:
            self._send(step)

    def again(self) -> None:
        """Try what waits once more."""
        self._mend()

    def look(self) -> None:
        """See what others have written, and whether the server answers again."""
        if self._looking or self._desk is None:
            return
        self._looking = True
        revive = self._revive if self.is_lost else _leave
        self._work.in_order(partial(_look, self._desk, revive), then=self._seen, failed=self._unseen)

    def _send(self, step: Waiting) -> None:
        if self._desk is None:
            raise RuntimeError("no tournament is open")
        call = partial(self._done, self._desk, step)
        self._work.in_order(call, then=step.then, failed=partial(self._not_done, step))

    def _done(self, desk: Desk, step: Waiting) -> Diff:
        """Do a step on the desk's thread."""
        if self._holding:
            raise _Held
        try:
            return desk.do(step.label, step.command)
        except StorageError as error:
            self._holding = _waits(desk, error)
            raise

    def _not_done(self, step: Waiting, error: Exception) -> None:
        desk = self._desk
        if isinstance(error, _Held):
            if desk is not None:
                self.do(step)
        elif isinstance(error, StorageError) and desk is not None and _waits(desk, error):
            self._line.append(step)
            self._suffer(error)
            self._ask_again()
        else:
            step.failed(error)

    def _suffer(self, error: StorageError) -> None:
        known, self.trouble = self.trouble, error
        if known is None:
            self.since = utc_now()
        if self.is_lost and self._timer.interval() != OFTEN:
            self._timer.start(OFTEN)
        if known is None or known.code != error.code:
            self.changed.emit()

    def _ask_again(self) -> None:
        """Ask where else to save, where waiting does not help."""
        self.changed.emit()
        if self.trouble is not None and not self.is_lost:
            self.unkept.emit(self.trouble)

    def _mend(self) -> None:
        """Go on with what waits; a step that meets the trouble again waits again."""
        line, self._line = self._line, []
        self.trouble, self._holding = None, False
        self.changed.emit()  # also where nothing waits: the bar told of the trouble
        for step in line:
            self.do(step)

    def _seen(self, _value: None) -> None:
        self._looking = False
        if self.is_lost:
            self._timer.start(SELDOM)
        if self.is_lost or (self.trouble is not None and self.trouble.code == "file-moved"):
            self._mend()

    def _unseen(self, error: Exception) -> None:
        self._looking = False
        if not isinstance(error, StorageError):
            raise error
        desk = self._desk
        if desk is not None and _waits(desk, error) and (self.trouble is None or self.is_lost):
            self._suffer(error)


class _Ear(Thread):
    """Listens until it is told to stop."""

    def __init__(self, heard: Callable[[], bool], tell: Callable[[], None]) -> None:
        super().__init__(name="ear", daemon=True)
        self._heard = heard
        self._tell = tell
        self._ended = Event()
        self.hears = False

    def run(self) -> None:
        """Tell of what is heard; the first thing is that it can be."""
        while not self._ended.is_set():
            news = self._heard()
            self.hears = True
            if news and not self._ended.is_set():
                self._tell()

    def stop(self) -> None:
        """End, and return when it has."""
        self._ended.set()
        self.join()


def _waits(desk: Desk, error: StorageError) -> bool:
    """Tell whether a step is to wait; a server that forbids something will not be moved by waiting."""
    forbidden = desk.store.address is not None and error.code in {"no-permission", "read-only"}
    return error.code in LOST | UNKEPT and not forbidden


def _look(desk: Desk, revive: Callable[[Address], None]) -> None:
    """Take over what others have written, and see that the file is where it was."""
    if desk.store.address is not None:
        revive(desk.store.address)
    desk.follow()
    desk.store.refuse_moved()


def _leave(_address: Address) -> None:
    """Start nothing: the server answers."""


def _nothing() -> None:
    """Do nothing: there is no ear."""
