"""The open tournament and the only way to change it.

The `Desk` object, which saves the changes, is used only on its own thread, called the desk's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from functools import partial
from pathlib import Path
from typing import TypeVar

from tdapp import __version__
from tdapp.desk import Desk
from tdapp.domain.commands import find_command_id
from tdapp.domain.erasing import ERASE_LABEL
from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.journal import CLOCK_JUMP, DIVISION_CODE, Step, make_argument_facts
from tdapp.domain.model import EventId, PlayerId
from tdapp.domain.tournament import Diff, Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.command_queue import CommandQueue, QueuedStep, UnsavedWork
from tdapp.services.open_desk import AnySignal, OpenDesk
from tdapp.services.preferences import DRAFTS_FILE_KEY, RecentTournaments, UserSettings
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnDatabaseServers
from tdapp.services.worker import BackgroundTask, Worker, get_user_error_or_raise, ignore_values
from tdapp.storage import Store
from tdapp.storage.address import Address
from tdapp.storage.library import WordListLibrary
from tdapp.storage.snapshots import Snapshot, find_replacement_snapshot

T = TypeVar("T")
ErrorHandler = Callable[[Exception], None]
READABLE = frozenset({"file-damaged", "file-altered"})  # error codes of salvageable files


class OpenTournament(OpenDesk):
    """The open tournament, or none, with actions on it."""

    opened: AnySignal  # after a tournament was opened or closed
    changed: AnySignal  # the changed rows, () if only the display must change
    erased: AnySignal  # after personal data were erased
    open_failed: AnySignal  # path, error and newest good snapshot of a file that cannot be opened
    moved_to_server: AnySignal  # after a file was opened read-only because its tournament has moved
    login_failed: AnySignal  # address and error if a server refused the login
    succeeded: AnySignal  # after a command of this station was saved
    message_sent: AnySignal  # sentence, number of the step to undo, and tone of a message

    def __init__(
        self,
        *,
        work: Worker,
        catalogue: Catalogue,
        resources: Resources,
        settings: UserSettings,
        library: WordListLibrary,
        servers: OwnDatabaseServers,
        queue: CommandQueue,
    ) -> None:
        super().__init__(library=library, queue=queue)
        self.work = work
        self.catalogue = catalogue
        self.resources = resources
        self.settings = settings
        self._judging = False
        self.blocking_step: object = None  # number of the step that blocked the last refused command
        self._shown_questions: set[Hashable] = set()
        self.recent = RecentTournaments(settings)
        self.servers = servers

    @property
    def is_judge_screen_open(self) -> bool:
        """Whether the screen for judging words is open. All other pages then hide information about words."""
        return self._judging

    @is_judge_screen_open.setter
    def is_judge_screen_open(self, judging: bool) -> None:
        if judging != self._judging:
            self._judging = judging
            self.changed.emit(())

    # --- open and close

    def open_tournament_of_desk(self, desk: Desk | None) -> None:
        """Make the tournament of `desk` the open one. If `desk` is None, close the open tournament."""
        self._close_current_desk()
        self._set_desk(desk)
        if desk is not None:
            desk.add_listener(self._post_change_to_owner_thread)
            location = desk.store.path or desk.store.address
            if location is not None:
                self.recent.add_location(location)
        self.opened.emit()
        if desk is not None:
            self.queue.attach_desk(desk)

    def open_tournament_in_background(
        self, call: Callable[[], Desk], *, on_error: ErrorHandler | None = None
    ) -> None:
        """Run `call` on the thread for `Desk` objects, then open the tournament of the returned `Desk`."""
        self.run_on_desk_thread(call, on_success=self.open_tournament_of_desk, on_error=on_error)

    def open_file(self, path: Path) -> None:
        """Open a file. If that fails, offer the newest good snapshot.

        If the tournament has moved to a server on this computer, open it on that server. If it has moved
        to another server, or the server does not answer, open the file read-only and emit `moved_to_server`.
        """
        path = path.absolute()
        self.run_on_desk_thread(
            partial(Desk.open, path),
            on_success=self._open_file_or_moved_tournament,
            on_error=partial(self._find_and_offer_snapshot, path),
        )

    def open_location(self, location: Path | Address) -> None:
        """Open a file or a tournament on a server. If the server refuses the login, emit `login_failed`."""
        if isinstance(location, Path):
            self.open_file(location)
        else:
            self.open_tournament_in_background(
                partial(self.servers.open_shared_tournament, location),
                on_error=partial(self._emit_login_failure, location),
            )

    def save_to_other_file(self, target: Path) -> None:
        """Save the tournament with its history to another file, use that file, and run the waiting commands."""
        self.settings.setValue(f"{DRAFTS_FILE_KEY}/{self.tournament.event.id}", str(target))
        self.open_tournament_in_background(partial(_save_and_open_copy, self.desk, target))

    def close(self) -> None:
        self._close_current_desk()
        self._set_desk(None)

    # --- commands

    def do(
        self,
        command: partial[Tournament],
        *,
        on_success: Callable[[], None] | None = None,
        field: object = None,
        on_refusal: Callable[[UserError], bool | None] | None = None,
        quiet: bool = False,
    ) -> None:
        """Run a command. Then call `on_success` and show a message with Undo, unless `quiet`.

        If the command is refused and `on_refusal` does not return True, show the reason and focus the input
        `field`.
        """
        report = partial(self._report_finished_command, self.tournament.event.id, on_success, quiet)
        handle_error = partial(self._show_or_raise_error, field=field, on_refusal=on_refusal)
        self.queue.run_or_queue_step(
            QueuedStep(partial(self._describe_command, self.tournament, command), report, handle_error, command)
        )

    def undo(self, expected_step: int = 0) -> None:
        """Undo the newest step (stored change). Do nothing if its number is not `expected_step` (0: any)."""
        newest = self.desk.undoable_step
        if expected_step and (self.queue.unsaved_work or newest is None or newest.seq != expected_step):
            return
        self._undo_or_redo(self.desk.undo, self.catalogue.text("Undone: {step}"), self.desk.undoable_step)

    def redo(self) -> None:
        self._undo_or_redo(self.desk.redo, self.catalogue.text("Redone: {step}"), self.desk.redoable_step)

    def erase_personal_data(self, players: Collection[PlayerId] | None, *, delete_snapshots: bool) -> None:
        """Erase the data of `players` (None: all) for good.

        With `delete_snapshots` also delete the snapshots that contain these players.
        """
        call = partial(
            erase_personal_data,
            self.desk,
            players,
            pseudonym_prefix=self.pseudonym_prefix,
            delete_snapshots=delete_snapshots,
        )
        self.queue.run_work_without_retry(
            UnsavedWork(
                partial(self.catalogue.describe_step, ERASE_LABEL, {}),
                self._report_erased_data,
                self._show_or_raise_error,
            ),
            call,
        )

    @property
    def pseudonym_prefix(self) -> str:
        """The translated word "Player", for pseudonyms of erased players."""
        return self.catalogue.text("Player")

    # --- calls

    def run_on_desk_thread(
        self, call: Callable[[], T], *, on_success: Callable[[T], None], on_error: ErrorHandler | None = None
    ) -> None:
        """Run `call` on the desk's thread.

        Pass its value to `on_success`, an error to `on_error` (None: show the error).
        """
        self.work.run_on_desk_thread(call, on_success=on_success, on_error=on_error or self._show_or_raise_error)

    def run_after_desk_work(self, action: Callable[[], None]) -> None:
        """Call `action` after all earlier `run_on_desk_thread` calls.

        `action` runs on the thread of the window or command line.
        """
        self.run_on_desk_thread(lambda: None, on_success=lambda _result: action())

    def run_in_background(
        self,
        call: Callable[[], T],
        *,
        on_success: Callable[[T], None],
        label: str,
        on_error: ErrorHandler | None = None,
        task: BackgroundTask | None = None,
        on_stop: Callable[[], None] | None = None,
    ) -> BackgroundTask:
        on_error = on_error or self._show_or_raise_error
        return self.work.run_in_background(
            call, on_success=on_success, on_error=on_error, label=label, task=task, on_stop=on_stop
        )

    def make_row_id(self) -> str:
        return self.desk.make_row_id()

    # --- messages

    def describe_step(self, step: Step) -> str:
        facts, division = dict(step.facts), self.division
        if division is not None and facts.get(DIVISION_CODE) == division.code:
            del facts[DIVISION_CODE]
        return self.catalogue.describe_step(step.label, facts)

    def show_message(self, sentence: str, *, undo: int = 0, tone: str = "plain") -> None:
        """Show a message. Unless `undo` is 0, add an Undo button for the step with this number.

        `tone` is "plain" for a finished action, "note" for information, "red" for a refusal.
        """
        self.message_sent.emit(sentence, undo, tone)

    def ask_to_confirm_by_repetition(self, question: Hashable, sentence: str) -> bool:
        """Show `sentence`, which asks the user to repeat an action to confirm it, and return False.

        If a question with the id `question` was shown before in this tournament, only return True.
        """
        question = (self.tournament.event.id, question)
        if question in self._shown_questions:
            return True
        self._shown_questions.add(question)
        self.show_message(sentence, tone="red")
        return False

    def show_error(self, error: UserError, _field: object = None) -> None:
        self.show_message(self.catalogue.describe_error(error), tone="red")

    # --- callbacks

    def _close_current_desk(self) -> None:
        if self._desk is not None:
            self._desk.remove_listener(self._post_change_to_owner_thread)
            self.run_on_desk_thread(
                partial(_close_desk, self.queue.detach_desk_and_return_stop_function(), self._desk),
                on_success=ignore_values,
            )

    def _post_change_to_owner_thread(self, diff: Diff) -> None:
        self.work.post_call_to_owner_thread(partial(self._emit_change, diff))

    def _emit_change(self, diff: Diff) -> None:
        if self._desk is None:
            return
        self.blocking_step = None
        self._update_selected_division_and_round(diff)
        self.changed.emit(diff)

    def _report_finished_command(
        self, event: EventId, on_success: Callable[[], None] | None, quiet: bool, step: Step | None
    ) -> None:
        if self._desk is None or self.tournament.event.id != event:
            return  # another tournament was opened in the meantime
        self.succeeded.emit()
        if on_success is not None:
            on_success()
        if step is not None and (not quiet or CLOCK_JUMP in step.facts):
            self.show_message(self.describe_step(step), undo=step.seq)

    def _report_erased_data(self, deleted: int) -> None:
        steps = [step for step in self.desk.list_all_steps() if step.label == ERASE_LABEL]
        text = self.describe_step(steps[-1])
        if deleted:
            text += " · " + self.catalogue.plural("One snapshot deleted", "{n} snapshots deleted", deleted)
        self.show_message(text)
        self.erased.emit()

    def _describe_command(self, tournament: Tournament, command: partial[Tournament]) -> str:
        facts = make_argument_facts(tournament, tournament, command.keywords)
        words = self.catalogue.describe_step(find_command_id(command.func), facts)
        values = [str(facts[name]) for name in command.keywords if facts.get(name)]
        return ", ".join([words, *(value for value in values if value not in words)])

    def _undo_or_redo(self, call: Callable[[], Step], text: str, step: Step | None) -> None:
        words = text.replace("{step}", self.describe_step(step)) if step is not None else ""
        self.queue.run_work_without_retry(
            UnsavedWork(lambda: words, partial(self._show_undone_or_redone_step, text), self._show_or_raise_error),
            call,
        )

    def _show_undone_or_redone_step(self, text: str, step: Step) -> None:
        self.show_message(text.replace("{step}", self.describe_step(step)))

    def _show_or_raise_error(
        self,
        error: Exception,
        *,
        field: object = None,
        on_refusal: Callable[[UserError], bool | None] | None = None,
    ) -> None:
        user_error = get_user_error_or_raise(error)
        if on_refusal is None or not on_refusal(user_error):
            self.show_error(user_error, field)

    def _find_and_offer_snapshot(self, path: Path, error: Exception) -> None:
        self.run_on_desk_thread(
            partial(find_replacement_snapshot, error, path),
            on_success=partial(self._offer_snapshot_or_show_error, path, error),
        )

    def _open_file_or_moved_tournament(self, desk: Desk) -> None:
        address = Address(desk.store.new_location.location) if desk.store.new_location is not None else None
        if address is not None and self.servers.find_own_server(address) is not None:
            on_success, on_error = (
                partial(self._switch_to_shared_desk, desk),
                partial(self._open_old_file_of_moved_tournament, desk),
            )
            self.run_on_desk_thread(
                partial(self.servers.open_shared_tournament, address), on_success=on_success, on_error=on_error
            )
        elif address is not None:
            self._open_old_file_of_moved_tournament(desk)
        else:
            self.open_tournament_of_desk(desk)

    def _switch_to_shared_desk(self, file: Desk, shared_desk: Desk) -> None:
        self.run_on_desk_thread(file.close, on_success=ignore_values)
        self.open_tournament_of_desk(shared_desk)
        self.show_message(self.catalogue.text("Shared from this computer."))

    def _open_old_file_of_moved_tournament(self, desk: Desk, error: Exception | None = None) -> None:
        self.open_tournament_of_desk(desk)
        if error is not None:
            self._show_or_raise_error(error)
        self.moved_to_server.emit()

    def _offer_snapshot_or_show_error(self, path: Path, error: Exception, snapshot: Snapshot | None) -> None:
        if not isinstance(error, StorageError) or (snapshot is None and error.code not in READABLE):
            self._show_or_raise_error(error)
        else:
            self.open_failed.emit(path, error, snapshot)

    def _emit_login_failure(self, address: Address, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self.login_failed.emit(address, error)


def erase_personal_data(
    desk: Desk, players: Collection[PlayerId] | None, *, pseudonym_prefix: str, delete_snapshots: bool
) -> int:
    """Erase personal data for good. Return the number of deleted snapshots."""
    pseudonyms = desk.erase_personal_data(players, pseudonym_prefix=pseudonym_prefix)
    return desk.delete_snapshots_with_players(pseudonyms) if delete_snapshots else 0


def _save_and_open_copy(desk: Desk, target: Path) -> Desk:
    """Copy the stored tournament to a file and open the copy.

    If the store cannot be read, write the tournament from memory, without its history.
    """
    try:
        desk.apply_changes_of_other_computers()
        desk.store.copy_to_file(target)
    except StorageError:
        Store.create(target, desk.tournament, program=__version__).close()
    return Desk.open(target)


def _close_desk(stop_listener: Callable[[], None], desk: Desk) -> None:
    stop_listener()
    desk.close()
