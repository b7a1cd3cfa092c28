"""What the pages share: what is open, and the services that look after it, told in Qt's signals.

The one place where the callbacks of `tdapp.services` become signals, and where their timers are. What comes back
later is let through only where who asked for it is still there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import ParamSpec, Self, TypeVar

from PySide6.QtCore import QLockFile, QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import isValid

from tdapp.domain.errors import UserError
from tdapp.gui.widgets.theme import Look
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.locales import SortKey
from tdapp.i18n.phrases import in_other_divisions
from tdapp.services.backups import BackupService
from tdapp.services.command_queue import QueueCallbacks
from tdapp.services.featured_service import FeaturingService
from tdapp.services.open_tournament import OpenTournament, TournamentCallbacks
from tdapp.services.preferences import read_choice
from tdapp.services.printing import PATIENCE, PrintoutWatch
from tdapp.services.publishing import PublishingService
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnServers
from tdapp.services.serving import ServingService
from tdapp.services.sharing import SharingService
from tdapp.services.worker import Task, Worker
from tdapp.storage import Address
from tdapp.storage.library import Library

BUSY_AFTER = 100  # ms before work that goes on is shown
SECOND = 1_000  # ms
BLOCKING_KEYS = "Ctrl+Shift+H"


class Work(Worker, QObject):
    """Runs calls elsewhere and delivers what they return on the window's thread."""

    busy = Signal(object)  # the Task that takes its time, None when it has ended
    _arrived = Signal(object)

    def __init__(self, *, inline: bool = False) -> None:
        QObject.__init__(self)
        Worker.__init__(self, inline=inline)
        self._arrived.connect(self._take)
        self._timer = QTimer(self, singleShot=True, interval=BUSY_AFTER)
        self._timer.timeout.connect(self._announce)

    def close(self, patience: float | None = None) -> bool:
        """End the threads, and show nothing more of them."""
        self._timer.stop()
        return super().close(patience)

    def _wait_for(self, task: Task | None) -> None:
        super()._wait_for(task)
        if task is not None:
            self._timer.start()
        else:
            self._timer.stop()
            self.busy.emit(None)

    def _deliver(self, call: Callable[[], None]) -> None:
        self._arrived.emit(call)

    def _take(self, call: Callable[[], None]) -> None:
        call()

    def _announce(self) -> None:
        if self._waiting is not None and not self._waiting.ended:
            self.busy.emit(self._waiting)


class Session(OpenTournament, QObject):
    """One window's tournament with its copies, printouts, web pages, room and stations; none is open at first."""

    opening = Signal(bool)  # a tournament is being opened, or no longer
    opened = Signal()  # another tournament, or none
    changed = Signal(object)  # a Diff; () when everything is to be looked at again
    chosen = Signal()  # another division or round
    erased = Signal()  # personal data are gone for good
    looked_back = Signal(object, object)  # a desk on the tournament as it was, the Step after which
    unopened = Signal(object, object, object)  # a path, the StorageError, the newest sound snapshot
    elsewhere = Signal()  # the file that was opened goes on on a server
    unjoined = Signal(object, object)  # an Address, the StorageError
    succeeded = Signal()  # a step or an entry: what was refused before is mended
    told = Signal(str, int, str)  # a sentence, the step that it can take back or 0, its tone: plain, note or red
    queue_changed = Signal()  # an error keeps steps from being saved, or no longer, or more wait
    saving = Signal()  # what is being written has not come back for another second
    unsaved = Signal(object)  # the StorageError that no waiting mends: the file is gone, the disk full
    backups_changed = Signal()  # a snapshot was made, or one could not be
    printouts_changed = Signal()  # other printouts are stale than before
    published = Signal()  # the web pages were written, or could not be
    featured = Signal()  # another table is featured, or its game has changed, or more of it is public
    served = Signal()  # the room's page was switched on or off

    work: Work
    settings: QSettings

    def __init__(
        self,
        *,
        work: Work,
        catalogue: Catalogue,
        look: Look,
        resources: Resources,
        settings: QSettings,
        library: Library,
    ) -> None:
        QObject.__init__(self)
        self._looking, self._copying, self._sending = QTimer(self), QTimer(self), QTimer(self)
        self._checking = QTimer(self, singleShot=True, interval=PATIENCE)
        servers = OwnServers(Path(settings.fileName()).parent / "shared")
        OpenTournament.__init__(
            self, work=work, catalogue=catalogue, resources=resources, settings=settings, library=library,
            servers=servers, on=self._callbacks(),
        )  # fmt: skip
        self.look = look
        self._lock: QLockFile | None = None
        self.interrupted = next(filter(self._was_interrupted, self.recent.files()), None)  # a file never closed
        self.blocking: object = None  # the number of the step for which something was refused last
        self.present: Session | None = None  # of a session on the past: the one that it was opened from
        self.sharing = SharingService(self)
        self.backups = BackupService(
            self, changed=self.backups_changed.emit, every=partial(_run_every, self._copying)
        )
        self._due = QTimer(self, singleShot=True)
        self.featuring = FeaturingService(self, changed=self.featured.emit, look_in=self._due.start)
        self.serving = ServingService(self, self.featuring, changed=self.served.emit)
        self.printouts = PrintoutWatch(
            self, self.serving, changed=self.printouts_changed.emit, look_later=self._checking.start
        )
        self.publishing = PublishingService(self, self.featuring, changed=self.published.emit)
        self._connect()

    def open_location(self, location: Path | Address) -> None:
        """Open a file, or a tournament on a server; `opening` tells how long it lasts."""
        self.opening.emit(True)
        super().open_location(location)
        self.afterwards(partial(self.opening.emit, False))

    def _callbacks(self) -> TournamentCallbacks:
        return TournamentCallbacks(
            opened=self.opened.emit,
            changed=self.changed.emit,
            chosen=self.chosen.emit,
            erased=self.erased.emit,
            unopened=self.unopened.emit,
            elsewhere=self.elsewhere.emit,
            unjoined=self.unjoined.emit,
            succeeded=self.succeeded.emit,
            message=self.told.emit,
            queue=QueueCallbacks(
                changed=self.queue_changed.emit,
                unsaved=self.unsaved.emit,
                paced=partial(_run_every, self._looking),
                sending=lambda sending: _run_every(self._sending, SECOND if sending else 0),
            ),
        )

    def _connect(self) -> None:
        """Let the services look after what is open before any page shows it."""
        self._looking.timeout.connect(self.queue.look)
        self._sending.timeout.connect(self.saving)
        self._copying.timeout.connect(self.backups.take_in_time)
        self._checking.timeout.connect(self.printouts.look)
        self.opened.connect(self._note_open)
        self._due.timeout.connect(self.featuring.look)
        self.featured.connect(self.serving.feature)
        self.featured.connect(self.publishing.look)
        for service in (self.backups, self.featuring, self.serving, self.printouts, self.publishing):
            self.opened.connect(service.begin)
            self.changed.connect(service.see)
        self.erased.connect(self.backups.take_in_time)

    def _note_open(self) -> None:
        """Hold a lock on the file that is open, beside the settings; say so where another window holds it."""
        self._lock = self.interrupted = None
        if self.path is None:
            return
        mark = self._mark(self.path)
        mark.parent.mkdir(parents=True, exist_ok=True)
        self._lock = QLockFile(str(mark))
        self._lock.setStaleLockTime(0)
        if not self._lock.tryLock(0) and self._lock.error() is QLockFile.LockError.LockFailedError:
            text = self.catalogue.text(
                "{file} is open in another window too. What is done there shows here, and the other way round.",
                file=self.path.name,
            )
            self.afterwards(partial(self.say, text))

    def _mark(self, path: Path) -> Path:
        """Return the file that is there, locked, while a tournament is open here."""
        name = sha256(bytes(path.resolve())).hexdigest()
        return Path(self.settings.fileName()).with_name("open") / name

    def _was_interrupted(self, path: Path) -> bool:
        """Return whether a file was open when the program went down: its mark is held by nobody."""
        mark = self._mark(path)
        return mark.exists() and QLockFile(str(mark)).tryLock(0)

    def beside(self) -> Session:
        """Return another session with the same looks, language and settings, for a window beside this one."""
        made = Session(
            work=Work(inline=True),
            catalogue=self.catalogue,
            look=self.look,
            resources=self.resources,
            settings=self.settings,
            library=self.library,
        )
        made.present = self.present or self
        return made

    def name_key(self, name: str) -> SortKey:
        """Return what a player's name sorts by."""
        return self.catalogue.sort_key(name, self.rules)

    def among_others(self, sought: str) -> str:
        """Return who of other divisions bears what is sought among the players of the chosen one."""
        own = self.division
        return in_other_divisions(self.catalogue, self.index, own, sought) if own is not None else ""

    def refuse(self, error: UserError, field: object = None) -> None:
        """Say what is wrong, and put the cursor back where it can be mended."""
        self.blocking = error.facts.get("seq")
        if self.blocking is None:
            super().refuse(error)
        else:
            shown = self.catalogue.text("{keys} shows that step in the history.", keys=BLOCKING_KEYS)
            self.say(f"{self.catalogue.error(error)} {shown}", tone="red")
        if isinstance(field, QWidget) and is_seen(field):
            field.setFocus()
            if isinstance(field, QLineEdit):
                field.selectAll()

    @property
    def sounds(self) -> bool:
        """Whether a refusal may be heard."""
        return read_choice(self.settings, "sound", ("on", "off"), "on") == "on"

    def sound(self) -> None:
        """Let a refusal be heard by who does not look at the screen, unless that is muted."""
        if self.sounds:
            QApplication.beep()

    def close(self) -> None:
        """Close the desk, for good, and what serves the room: soon nothing is left of the session either."""
        self.serving.stop()
        self.publishing.stop()
        self._lock = None
        super().close()
        self.deleteLater()


def _run_every(timer: QTimer, ms: int) -> None:
    """Let a timer run every so many ms; 0: no longer."""
    if ms:
        timer.start(ms)
    else:
        timer.stop()


class SessionService(QObject):
    """Belongs to a session; one on the past has what the present has."""

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the session's own; there is only one."""
        owner = session.present or session
        return owner.findChild(cls) or cls(owner)


P = ParamSpec("P")
T = TypeVar("T")


def is_seen(widget: QWidget) -> bool:
    """Return whether a widget is still there and shown: on the page that is open, not closed meanwhile."""
    return isValid(widget) and widget.isVisible()


def if_seen(asker: QWidget, then: Callable[P, T]) -> Callable[P, T | None]:
    """Return `then` for when `asker` is still seen; who has gone on keeps the cursor: nothing is done."""
    return _if(partial(is_seen, asker), then)


def if_there(asker: QObject, then: Callable[P, T]) -> Callable[P, T | None]:
    """Return `then` for when `asker` is still there, seen or not; otherwise nothing is done."""
    return _if(partial(isValid, asker), then)


def _if(holds: Callable[[], bool], then: Callable[P, T]) -> Callable[P, T | None]:
    def called(*values: P.args, **named: P.kwargs) -> T | None:
        return then(*values, **named) if holds() else None

    return called
