"""The open tournament and its services, with Qt signals and timers."""

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
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.locales import SortKey
from tdapp.i18n.phrases import describe_players_in_other_divisions
from tdapp.services.backups import BackupService
from tdapp.services.command_queue import CommandQueue
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import read_choice
from tdapp.services.printing import DELAY_MS, PrintoutWatch
from tdapp.services.publishing import PublishingService
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnDatabaseServers
from tdapp.services.serving import ServingService
from tdapp.services.sharing import SharingService
from tdapp.services.worker import BackgroundTask, Worker
from tdapp.storage import Address
from tdapp.storage.library import WordListLibrary

BUSY_AFTER = 100  # ms before running work is shown
SECOND = 1_000  # ms
BLOCKING_KEYS = "Ctrl+Shift+H"
PAIR_ANYWAY_KEYS = "Ctrl+Shift+F6"


class SessionWorker(Worker, QObject):
    """A worker that delivers results on the window's thread."""

    busy = Signal(object)  # the slow Task, or None when it has ended
    _arrived = Signal(object)

    def __init__(self, *, inline: bool = False) -> None:
        QObject.__init__(self)
        Worker.__init__(self, inline=inline)
        self._arrived.connect(self._run_on_window_thread)
        self._timer = QTimer(self, singleShot=True, interval=BUSY_AFTER)
        self._timer.timeout.connect(self._emit_busy_if_task_unfinished)

    def close(self, max_wait_in_seconds: float | None = None) -> bool:
        self._timer.stop()
        return super().close(max_wait_in_seconds)

    def _set_awaited_task(self, task: BackgroundTask | None) -> None:
        super()._set_awaited_task(task)
        if task is not None:
            self._timer.start()
        else:
            self._timer.stop()
            self.busy.emit(None)

    def _deliver_result(self, call: Callable[[], None]) -> None:
        self._arrived.emit(call)

    def _run_on_window_thread(self, call: Callable[[], None]) -> None:
        call()

    def _emit_busy_if_task_unfinished(self) -> None:
        if self._waiting is not None and not self._waiting.ended:
            self.busy.emit(self._waiting)


class Session(OpenTournament, QObject):
    """The open tournament of one window, with its services."""

    opening = Signal(bool)  # whether a tournament is being opened
    opened = Signal()  # another tournament is open, or none
    changed = Signal(object)  # a Diff, or () to refresh everything
    selection_changed = Signal()  # another division or round is chosen
    erased = Signal()  # personal data were deleted
    looked_back = Signal(object, object)  # a Desk with a past state, and its last Step
    open_failed = Signal(object, object, object)  # path, StorageError, newest intact snapshot
    moved_to_server = Signal()  # the opened file continues on a server
    login_failed = Signal(object, object)  # Address, StorageError
    succeeded = Signal()  # a command succeeded: clear the last error
    # sentence, number of the step to undo or 0, tone: "plain", "note" or "red"
    message_sent = Signal(str, int, str)
    queue_changed = Signal()  # save errors or the number of unsaved steps changed
    saving = Signal()  # a save is still running after another second
    unsaved = Signal(object)  # a permanent StorageError: file missing, disk full
    backups_changed = Signal()  # a snapshot was made or failed
    printouts_changed = Signal()  # the set of outdated printouts changed
    published = Signal()  # the web pages were written or failed
    featured = Signal()  # the featured table, its game or its public part changed
    served = Signal()  # the network page was switched on or off

    work: SessionWorker
    settings: QSettings

    def __init__(
        self,
        *,
        work: SessionWorker,
        catalogue: Catalogue,
        appearance: Appearance,
        resources: Resources,
        settings: QSettings,
        library: WordListLibrary,
    ) -> None:
        QObject.__init__(self)
        self._poll_timer, self._backup_timer, self._save_timer = QTimer(self), QTimer(self), QTimer(self)
        self._printout_timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        servers = OwnDatabaseServers(Path(settings.fileName()).parent / "shared")
        queue = CommandQueue(
            work, servers.restart_own_server_if_stopped, on_change=self.queue_changed.emit,
            on_unsaved=self.unsaved.emit,
            set_interval=partial(_start_or_stop_timer, self._poll_timer),
            on_saving=lambda sending: _start_or_stop_timer(self._save_timer, SECOND if sending else 0),
            on_saved_late=self._report_step_saved_late,
        )  # fmt: skip
        OpenTournament.__init__(
            self, work=work, catalogue=catalogue, resources=resources, settings=settings, library=library,
            servers=servers, queue=queue,
        )  # fmt: skip
        self.appearance = appearance
        self._lock: QLockFile | None = None
        self.interrupted = next(
            filter(self._detect_interrupted_run, self.recent.list_existing_files()), None
        )  # file that was open in a crash
        self.present: Session | None = None  # the present session, if this one shows the past
        self.sharing = SharingService(self)
        self.backups = BackupService(
            self,
            on_change=self.backups_changed.emit,
            set_interval=partial(_start_or_stop_timer, self._backup_timer),
        )
        self._publish_timer = QTimer(self, singleShot=True)
        self.featuring = FeaturedTableService(
            self, on_change=self.featured.emit, call_after=self._publish_timer.start
        )
        self.serving = ServingService(self, self.featuring, on_change=self.served.emit)
        self.printouts = PrintoutWatch(
            self, self.serving, on_change=self.printouts_changed.emit, restart_delay=self._printout_timer.start
        )
        self.publishing = PublishingService(self, self.featuring, on_change=self.published.emit)
        self._connect_service_signals()

    def open_location(self, location: Path | Address) -> None:
        """Open a tournament. Emit `opening` at the start and end."""
        self.opening.emit(True)
        super().open_location(location)
        self.run_after_desk_work(partial(self.opening.emit, False))

    def _connect_service_signals(self) -> None:
        self._poll_timer.timeout.connect(self.queue.poll_store)
        self._save_timer.timeout.connect(self.saving)
        self._backup_timer.timeout.connect(self.backups.take_automatic_snapshot)
        self._printout_timer.timeout.connect(self.printouts.check_printouts_in_background)
        self.opened.connect(self._lock_open_file_or_warn)
        self._publish_timer.timeout.connect(self.featuring.publish_due_game_states)
        self.featured.connect(self.serving.send_featured_game)
        self.featured.connect(self.publishing.publish_delayed_results_when_due)
        self.opened.connect(self.backups.start_taking_snapshots)
        self.opened.connect(self.featuring.load_featured_settings_and_follow_game)
        self.opened.connect(self.serving.stop_server_and_load_desk_sign_ins)
        self.opened.connect(self.printouts.restart_printout_checks)
        self.opened.connect(self.publishing.load_target_folders)
        self.changed.connect(self.backups.copy_file_after_published_round)
        self.changed.connect(self.featuring.update_featured_game)
        self.changed.connect(self.serving.send_tournament_to_web_server)
        self.changed.connect(self.printouts.schedule_printout_check)
        self.changed.connect(self.publishing.publish_if_change_is_important)
        self.erased.connect(self.backups.take_automatic_snapshot)

    def _report_step_saved_late(self, step: str) -> None:
        if isValid(self):
            self.show_message(self.catalogue.text("This change is now saved: {step}", step=step), tone="note")

    def _lock_open_file_or_warn(self) -> None:
        self._lock = self.interrupted = None
        if self.path is None:
            return
        lock_file = self._get_lock_file_path(self.path)
        lock_file.parent.mkdir(parents=True, exist_ok=True)
        self._lock = QLockFile(str(lock_file))
        self._lock.setStaleLockTime(0)
        if not self._lock.tryLock(0) and self._lock.error() is QLockFile.LockError.LockFailedError:
            text = self.catalogue.text(
                "{file} is open in another window too. Each window shows the changes made in the other.",
                file=self.path.name,
            )
            self.run_after_desk_work(partial(self.show_message, text))

    def _get_lock_file_path(self, path: Path) -> Path:
        name = sha256(bytes(path.resolve())).hexdigest()
        return Path(self.settings.fileName()).with_name("open") / name

    def _detect_interrupted_run(self, path: Path) -> bool:
        lock_file = self._get_lock_file_path(path)
        return lock_file.exists() and QLockFile(str(lock_file)).tryLock(0)

    def make_past_state_session(self) -> Session:
        session = Session(
            work=SessionWorker(inline=True),
            catalogue=self.catalogue,
            appearance=self.appearance,
            resources=self.resources,
            settings=self.settings,
            library=self.library,
        )
        session.present = self.present or self
        return session

    def make_sort_key(self, name: str) -> SortKey:
        return self.catalogue.make_sort_key(name, self.rules)

    def describe_players_of_other_divisions(self, search_text: str) -> str:
        division = self.division
        return (
            describe_players_in_other_divisions(self.catalogue, self.index, division, search_text)
            if division is not None
            else ""
        )

    def _suggest_shortcut_after_error(self, error: UserError) -> str:
        text = self.catalogue.text
        if error.facts.get("seq") is not None:
            return text("Press {keys} to show the change that prevents undo.", keys=BLOCKING_KEYS)
        if error.code == "results-missing":
            command = text("Pair despite missing results")
            return text(
                "Or use “{command}” ({keys}): missing results then count as draws.",
                command=command,
                keys=PAIR_ANYWAY_KEYS,
            )
        return ""

    def show_error(self, error: UserError, field: object = None) -> None:
        self.blocking_step = error.facts.get("seq")
        sentences = (self.catalogue.describe_error(error), self._suggest_shortcut_after_error(error))
        self.show_message(" ".join(filter(None, sentences)), tone="red")
        if isinstance(field, QWidget) and is_alive_and_visible(field):
            field.setFocus()
            if isinstance(field, QLineEdit):
                field.selectAll()

    @property
    def is_sound_on(self) -> bool:
        return read_choice(self.settings, "sound", ("on", "off"), "on") == "on"

    def play_error_sound(self) -> None:
        if self.is_sound_on:
            QApplication.beep()

    def close(self) -> None:
        self.serving.stop_server()
        self.publishing.cancel_publishing()
        self._lock = None
        super().close()
        self.deleteLater()


def _start_or_stop_timer(timer: QTimer, ms: int) -> None:
    if ms:
        timer.start(ms)
    else:
        timer.stop()


class SessionService(QObject):
    """A service with one instance per session."""

    @classmethod
    def get_or_make_service(cls, session: Session) -> Self:
        owner = session.present or session
        return owner.findChild(cls) or cls(owner)


P = ParamSpec("P")
T = TypeVar("T")


def is_alive_and_visible(widget: QWidget) -> bool:
    return isValid(widget) and widget.isVisible()


def make_callback_for_visible_widget(widget: QWidget, call: Callable[P, T]) -> Callable[P, T | None]:
    """Return a function that runs `call` only while `widget` is visible."""
    return lambda *values, **keywords: call(*values, **keywords) if is_alive_and_visible(widget) else None


def make_callback_unless_deleted(owner: QObject, call: Callable[P, T]) -> Callable[P, T | None]:
    """Return a function that runs `call` unless Qt has deleted `owner`."""
    return lambda *values, **keywords: call(*values, **keywords) if isValid(owner) else None
