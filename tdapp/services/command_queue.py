"""Run commands in order, watch for changes of other computers, and keep commands that cannot be saved yet.

If the connection is lost, the disk is full or the file is missing, a command and all later ones wait. A command
with its callbacks is called a step here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tdapp import __version__
from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.journal import Step
from tdapp.domain.problems import Problem
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.worker import Worker, ignore_values
from tdapp.storage import Address, Store

T = TypeVar("T")
CONNECTION_ERRORS = frozenset(
    f"server-{reason}" for reason in ("lost", "lost-saving", "unreachable", "refused", "password", "full", "ended")
)
REMOVAL_ERRORS = frozenset({"server-ended", "server-password"})  # errors after which this station has no access
OVERWRITTEN = "file-overwritten"
LOST_FILE_ERRORS = frozenset({"file-moved", OVERWRITTEN})
SAVE_ERRORS = frozenset({
    "locked", OVERWRITTEN, "file-moved", "disk-full", "disk-error", "file-unreachable", "file-unfinished",
    "no-permission", "read-only",
    "folder-read-only",
})  # fmt: skip
SHORT_POLL_MS = 1_000  # ms between two polls of a file or of an unavailable server
MEDIUM_POLL_MS = 5_000  # ms between two polls of a server that sends notifications
LONG_POLL_MS = 60_000  # ms between two polls of a file with a listener
FILE_CHECK_SECONDS = 1.0  # seconds between two checks of file time and size
LISTEN_SECONDS = 0.25  # maximum seconds until the listener stops
LATE_SECONDS = 1.0  # seconds until "saving" is shown
STUCK_SECONDS = 10.0  # seconds until disk or server count as stuck


class UnsavedWork(Struct, frozen=True, eq=False):
    """Work on the open tournament whose result is not saved yet."""

    describe: Callable[[], str]  # returns a description for the user
    on_success: Callable[[Any], None]  # gets the result
    on_error: Callable[[Exception], None]  # gets the error


class QueuedStep(UnsavedWork, frozen=True, eq=False):
    """A command to run, with its callbacks."""

    command: partial[Tournament]


class RefusedQueuedStep(Struct, frozen=True, eq=False):
    """A command that waited until it could be saved, and was then refused."""

    step: QueuedStep
    error: UserError

    @property
    def game_id(self) -> str:
        return str(self.step.command.keywords.get("game", ""))

    def make_problem(self, catalogue: Catalogue) -> Problem:
        """Return the problem to show. Its `key` consists of the game id and the entered points."""
        points = [self.step.command.keywords.get(name) for name in ("first", "second")]
        points_text = " ".join(str(number) for number in points if isinstance(number, int))
        facts = MappingProxyType({"step": self.step.describe(), "why": catalogue.describe_error(self.error)})
        return Problem("step-refused", facts, "rounds", key=f"{self.game_id} {points_text}".strip())


class _WorkNotRunError(Exception):
    """Raised if a step does not run: it was discarded, or an earlier step could not be saved."""


class CommandQueue:
    """Runs commands on the open tournament in the background, in order."""

    def __init__(
        self,
        worker: Worker,
        restart_server: Callable[[Address], object],
        *,
        on_change: Callable[[], None] = ignore_values,
        on_unsaved: Callable[[StorageError], None] = ignore_values,
        set_interval: Callable[[int], None] = ignore_values,
        on_saving: Callable[[bool], None] = ignore_values,
        on_saved_late: Callable[[str], None] = ignore_values,
    ) -> None:
        """Store the callbacks, which run on the thread of the window or command line.

        `restart_server` restarts the server at an address if this computer runs it. If steps cannot be saved and
        the user must act, `on_unsaved` gets the error. `set_interval` sets the interval of `poll_store` in ms, 0
        for never. `on_saving` gets whether a step is being saved. If the user discards a running step and it is
        saved anyway, `on_saved_late` gets its description.
        """
        self._worker, self._restart_server = worker, restart_server
        self._on_saved_late = on_saved_late
        self._on_change, self._on_unsaved, self._set_interval, self._on_saving = (
            on_change,
            on_unsaved,
            set_interval,
            on_saving,
        )
        self._desk: Desk | None = None
        self._steps: list[QueuedStep] = []
        self.refused_steps: list[RefusedQueuedStep] = []  # until the user decides
        self._sent_work: list[UnsavedWork] = []
        self._discarded_work: list[UnsavedWork] = []  # discarded while running, not yet ended
        self._is_leaving = False
        self._sent_at = 0.0
        self._event = ""  # the tournament of the waiting steps
        self._listener: StoreListener | None = None
        self._is_holding = False  # set on the desk's thread: later steps must wait too
        self._is_polling = False
        self._poll_interval = 0
        self.error: StorageError | None = None
        self.error_since = ""
        self._is_copying = False
        self.copy: Path | None = None  # of the tournament in memory, after its file was overwritten

    @property
    def unsaved_work(self) -> tuple[UnsavedWork, ...]:
        return (*self._sent_work, *self._steps)

    @property
    def ids_of_games_with_unsaved_steps(self) -> frozenset[str]:
        steps = self._steps if self.error is not None else ()
        return frozenset(str(step.command.keywords["game"]) for step in steps if "game" in step.command.keywords)

    @property
    def elapsed_saving_seconds(self) -> float:
        """Seconds since the current work was sent to be saved, 0 without work."""
        return monotonic() - self._sent_at if self._sent_work else 0.0

    @property
    def is_saving_late(self) -> bool:
        """Whether saving takes so long that the window should report it."""
        return bool(self._sent_work) and self.elapsed_saving_seconds >= LATE_SECONDS

    @property
    def is_store_unresponsive(self) -> bool:
        """Whether the disk or server does not answer, but has reported no error."""
        return self.error is None and bool(self._sent_work) and self.elapsed_saving_seconds >= STUCK_SECONDS

    @property
    def is_discarded_step_running(self) -> bool:
        """Whether a step that the user discarded is still running and could be saved."""
        return bool(self._discarded_work)

    @property
    def is_connection_lost(self) -> bool:
        return self.error is not None and self.error.code in CONNECTION_ERRORS

    @property
    def is_store_locked(self) -> bool:
        return self.error is not None and self.error.code == "locked"

    @property
    def has_lost_file_and_no_copy(self) -> bool:
        """Whether the file is missing or overwritten, and no copy was saved."""
        return self.error is not None and self.error.code in LOST_FILE_ERRORS and self.copy is None

    @property
    def is_station_removed(self) -> bool:
        return self.error is not None and self.error.code in REMOVAL_ERRORS

    @property
    def is_listening_to_other_stations(self) -> bool:
        """Whether a listener reports changes of other computers immediately.

        If False, the store must be polled.
        """
        return self._listener is not None and self._listener.is_listening

    # --- desk and listener

    def attach_desk(self, desk: Desk) -> None:
        self._desk = desk
        store, event = desk.store, desk.tournament.event.id
        if event != self._event:
            self._event = event
            self._clear_waiting_and_sent_steps()
        self._is_holding = self._is_polling = False
        news = partial(self._worker.post_call_to_owner_thread, self.poll_store)
        if store.address is not None:
            self._listener = StoreListener(partial(store.wait_for_change, LISTEN_SECONDS), news)
        elif store.path is not None and not self._worker.is_single_threaded:
            self._listener = StoreListener(partial(store.wait_for_change, 0), news, pause=FILE_CHECK_SECONDS)
        if self._listener is not None:
            self._listener.start()
        self.retry_waiting_steps()

    def detach_desk_and_return_stop_function(self) -> Callable[[], None]:
        """Stop using the `Desk` object (the open tournament).

        Return a function that stops listening for changes in the store. Call the returned function before closing
        the store.
        """
        self._desk = None
        self._update_poll_interval()
        return self.detach_listener_and_return_stop_function()

    def detach_listener_and_return_stop_function(self) -> Callable[[], None]:
        """Stop using the listener. Return a function that stops its thread and waits until it ends."""
        listener, self._listener = self._listener, None
        return listener.stop if listener is not None else ignore_values

    def discard_unsaved_steps(self) -> None:
        """Discard the waiting steps. If the running step is later saved, call `on_saved_late`."""
        self._clear_waiting_and_sent_steps()
        self.retry_waiting_steps()

    def undo_discarded_steps_once_saved(self) -> None:
        """If a step that the user discarded is still running, undo the step after it is saved.

        Add no steps after this call.
        """
        self._is_leaving = True

    def _clear_waiting_and_sent_steps(self) -> None:
        self._steps.clear()
        self.refused_steps.clear()
        self._discarded_work += self._sent_work
        self._sent_work.clear()
        self._on_saving(False)

    # --- steps

    def run_or_queue_step(self, step: QueuedStep) -> None:
        if self.error is not None:
            self._steps.append(step)
            self._report_unsaved_steps()
            return
        desk = self._desk
        if desk is None:
            raise RuntimeError("no tournament is open")
        on_error = partial(self._retry_step_or_report_error, step)
        self.run_work_without_retry(replace(step, on_error=on_error), partial(self._run_step_on_desk, desk, step))

    def run_work_without_retry(self, work: UnsavedWork, call: Callable[[], Any]) -> None:
        """Run `call` only once, even if it fails. `work` counts as unsaved until `call` ends."""
        if not self._sent_work:
            self._sent_at = monotonic()
            self._on_saving(True)
        self._sent_work.append(work)
        self._worker.run_on_desk_thread(
            partial(self._run_work_unless_discarded, work, call),
            on_success=partial(self._finish_work_and_report_outcome, work, work.on_success),
            on_error=partial(self._finish_work_and_report_outcome, work, work.on_error),
        )  # fmt: skip

    def _run_work_unless_discarded(self, work: UnsavedWork, call: Callable[[], T]) -> T:
        if work not in self._sent_work:
            raise _WorkNotRunError  # it was discarded
        return call()

    def _finish_work_and_report_outcome(
        self, work: UnsavedWork, on_outcome: Callable[[Any], None], outcome: Any
    ) -> None:
        if work not in self._sent_work:
            self._discarded_work.remove(work)
            if on_outcome is work.on_success:
                self._on_saved_late(work.describe())
            return
        was_late = self.is_saving_late
        self._sent_work.remove(work)
        self._sent_at = monotonic()
        self._on_saving(bool(self._sent_work))
        if self.refused_steps and isinstance(work, QueuedStep) and on_outcome is work.on_success:
            game = work.command.keywords.get("game")
            self.refused_steps = [item for item in self.refused_steps if not item.game_id or item.game_id != game]
        on_outcome(outcome)
        if was_late:
            self._on_change()

    def retry_waiting_steps(self) -> None:
        """Run the waiting steps again."""
        steps, self._steps = self._steps, []
        has_changed = bool(steps) or self.error is not None
        self.error, self.copy, self._is_holding = None, None, False
        self._update_poll_interval()
        if has_changed:
            self._on_change()
        for step in steps:
            self.run_or_queue_step(replace(step, on_error=partial(self._store_refused_step, step)))

    def _store_refused_step(self, step: QueuedStep, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self.refused_steps.append(RefusedQueuedStep(step, error))
        self._on_change()

    def drop_refused_step(self, refused_step: RefusedQueuedStep) -> None:
        self.refused_steps.remove(refused_step)
        self._on_change()

    def poll_store(self) -> None:
        """Read the changes of other computers, and check whether the server answers."""
        if self._is_polling or self._desk is None:
            return
        self._is_polling = True
        restart_server = self._restart_server if self.is_connection_lost else ignore_values
        poll = partial(
            _read_store_changes_and_check_access, self._desk, restart_server, check_lock=self.is_store_locked
        )
        self._worker.run_on_desk_thread(
            poll, on_success=self._finish_poll_and_retry_steps, on_error=self._record_poll_error
        )

    def _run_step_on_desk(self, desk: Desk, step: QueuedStep) -> Step | None:
        if self._is_holding:
            raise _WorkNotRunError
        try:
            changes = desk.do(step.command)
            if changes and self._is_leaving:
                desk.undo()
            return desk.undoable_step if changes else None
        except StorageError as error:
            self._is_holding = _can_retry_step(desk, error)
            raise

    def _retry_step_or_report_error(self, step: QueuedStep, error: Exception) -> None:
        desk = self._desk
        if isinstance(error, _WorkNotRunError):
            if desk is not None:
                self.run_or_queue_step(step)
        elif isinstance(error, StorageError) and desk is not None and _can_retry_step(desk, error):
            self._steps.append(step)
            self._remember_store_error(error)
            self._report_unsaved_steps()
        else:
            step.on_error(error)

    def _remember_store_error(self, error: StorageError) -> None:
        previous_error, self.error = self.error, error
        if previous_error is None:
            self.error_since = get_utc_timestamp()
        self._update_poll_interval()
        if previous_error is None or previous_error.code != error.code:
            self._on_change()
            if error.code == OVERWRITTEN and self._desk is not None and self._desk.store.path is not None:
                self._is_copying = True
                call = partial(_save_copy_beside_file, self._desk)
                self._worker.run_on_desk_thread(
                    call,
                    on_success=self._record_path_of_tournament_copy,
                    on_error=self._record_failed_tournament_copy,
                )

    def _record_path_of_tournament_copy(self, copy: Path) -> None:
        self.copy, self._is_copying = copy, False
        self._report_unsaved_steps()

    def _record_failed_tournament_copy(self, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._is_copying = False
        self._report_unsaved_steps()

    def _report_unsaved_steps(self) -> None:
        self._on_change()
        if self.error is not None and not (self.is_connection_lost or self.is_store_locked or self._is_copying):
            self._on_unsaved(self.error)

    def _update_poll_interval(self) -> None:
        store, interval = self._desk.store if self._desk is not None else None, 0
        if store is not None and store.address is not None:
            interval = SHORT_POLL_MS if self.is_connection_lost else MEDIUM_POLL_MS
        elif store is not None and store.path is not None:
            interval = SHORT_POLL_MS if self._listener is None or self.error is not None else LONG_POLL_MS
        if interval != self._poll_interval:
            self._poll_interval = interval
            self._set_interval(interval)

    def _finish_poll_and_retry_steps(self, _value: None) -> None:
        self._is_polling = False
        if (
            self.is_connection_lost
            or self.is_store_locked
            or (self.error is not None and self.error.code in LOST_FILE_ERRORS)
        ):
            self.retry_waiting_steps()

    def _record_poll_error(self, error: Exception) -> None:
        self._is_polling = False
        if not isinstance(error, StorageError):
            raise error
        desk = self._desk
        is_known = self.error is not None and self.error.code == error.code and not self.is_connection_lost
        if desk is not None and _can_retry_step(desk, error) and not is_known:
            self._remember_store_error(error)


def _can_retry_step(desk: Desk, error: StorageError) -> bool:
    forbidden = desk.store.address is not None and error.code in {"no-permission", "read-only"}
    return error.code in CONNECTION_ERRORS | SAVE_ERRORS and not forbidden


def _read_store_changes_and_check_access(
    desk: Desk, restart_server: Callable[[Address], object], *, check_lock: bool
) -> None:
    if desk.store.address is not None:
        restart_server(desk.store.address)
    desk.store.refuse_replaced_file()
    desk.apply_changes_of_other_computers()
    if check_lock:
        desk.store.refuse_locked_tournament()


def _save_copy_beside_file(desk: Desk) -> Path:
    path = Path(desk.store.location.name)
    time = datetime.now().strftime("%Y-%m-%d %H.%M.%S")
    target = path.with_name(f"{path.stem} {time}{path.suffix}")
    Store.create(target, desk.tournament, program=__version__).close()
    return target


class StoreListener(Thread):
    """Thread that waits for changes of a stored tournament until it is stopped."""

    def __init__(
        self, wait_for_change: Callable[[], bool], notify: Callable[[], None], *, pause: float = 0
    ) -> None:
        """`wait_for_change` is called in a loop, `pause` seconds apart. It can block.

        If it returns True, the thread calls `notify`.
        """
        super().__init__(name="listener", daemon=True)
        self._pause = pause
        self._wait_for_change = wait_for_change
        self._notify = notify
        self._ended = Event()
        self.is_listening = False

    def run(self) -> None:
        while not self._ended.wait(self._pause):
            has_changed = self._wait_for_change()
            self.is_listening = True
            if has_changed and not self._ended.is_set():
                self._notify()

    def stop(self) -> None:
        self._ended.set()
        self.join()
