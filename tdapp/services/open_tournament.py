"""The open tournament and the only way to change it. The window and all services use it.

Runs the desk on its thread. Turns an error that the user can fix into a sentence in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TypeVar

from tdapp import __version__
from tdapp.desk import Desk
from tdapp.domain.commands import find_command_id
from tdapp.domain.erasing import ERASED
from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.journal import CLOCK, OF_DIVISION, Step, describe_arguments
from tdapp.domain.model import EventId, PlayerId
from tdapp.domain.tournament import Diff, Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.command_queue import CommandQueue, QueuedStep, Unsaved
from tdapp.services.open_desk import Emitter, OpenDesk
from tdapp.services.preferences import TYPED_IN, RecentTournaments, Settings
from tdapp.services.resources import Resources
from tdapp.services.servers import OwnServers
from tdapp.services.worker import Task, Worker, ignore, require_user_error
from tdapp.storage import Store
from tdapp.storage.address import Address
from tdapp.storage.library import Library
from tdapp.storage.snapshots import Snapshot, find_newest_for

T = TypeVar("T")
Failed = Callable[[Exception], None]
READABLE = frozenset({"file-damaged", "file-altered"})  # error codes of salvageable files


class OpenTournament(OpenDesk):
    """One tournament with its clients. None is open at first.

    The session of the window has the signals.
    """

    opened: Emitter
    changed: Emitter
    erased: Emitter
    unopened: Emitter
    elsewhere: Emitter
    unjoined: Emitter
    succeeded: Emitter
    told: Emitter

    def __init__(
        self,
        *,
        work: Worker,
        catalogue: Catalogue,
        resources: Resources,
        settings: Settings,
        library: Library,
        servers: OwnServers,
        queue: CommandQueue,
    ) -> None:
        super().__init__(library=library, queue=queue)
        self.work = work
        self.catalogue = catalogue
        self.resources = resources
        self.settings = settings
        self._judging = False
        self.recent = RecentTournaments(settings)
        self.servers = servers

    @property
    def judging(self) -> bool:
        """Whether the judge screen is open. Other places then show nothing about words."""
        return self._judging

    @judging.setter
    def judging(self, judging: bool) -> None:
        """Whether the judge screen is open. Other places then show nothing about words."""
        if judging != self._judging:
            self._judging = judging
            self.changed.emit(())

    # --- open and close

    def attach(self, desk: Desk | None) -> None:
        """Use this desk from now on, or none."""
        self._detach()
        self._take_desk(desk)
        if desk is not None:
            desk.listen(self._heard)
            location = desk.store.path or desk.store.address
            if location is not None:
                self.recent.add(location)
        self.opened.emit()
        if desk is not None:
            self.queue.attach(desk)

    def open(self, call: Callable[[], Desk], *, failed: Failed | None = None) -> None:
        """Run `call` on the desk's thread and use the desk that it returns."""
        self.ask(call, then=self.attach, failed=failed)

    def open_file(self, path: Path) -> None:
        """Open a file. If that fails, look for a good snapshot.

        If this computer shares the tournament, open the shared one. If it continues on another server, or
        our own does not answer, open the file read-only and emit `elsewhere`.
        """
        path = path.absolute()
        self.ask(partial(Desk.open, path), then=self._opened_file, failed=partial(self._not_opened, path))

    def open_location(self, location: Path | Address) -> None:
        """Open a file or a tournament on a server. `unjoined` is emitted if the server refuses the login."""
        if isinstance(location, Path):
            self.open_file(location)
        else:
            self.open(partial(self.servers.desk_at, location), failed=partial(self._not_joined, location))

    def save_elsewhere(self, target: Path) -> None:
        """Save the tournament with all its steps to another file, use that file, and run the waiting steps."""
        self.settings.setValue(f"{TYPED_IN}/{self.tournament.event.id}", str(target))
        self.open(partial(_save_copy, self.desk, target))

    def close(self) -> None:
        """Close the desk for good."""
        self._detach()
        self._take_desk(None)

    # --- commands

    def do(
        self,
        command: partial[Tournament],
        *,
        done: Callable[[], None] | None = None,
        field: object = None,
        refused: Callable[[UserError], bool | None] | None = None,
        quiet: bool = False,
    ) -> None:
        """Run a command. Then call `done` and show a message with Undo, unless `quiet`.

        If the command is refused, show the reason and focus `field`, unless `refused` returns True.
        """
        then = partial(self._done, self.tournament.event.id, done, quiet)
        failed = partial(self._failed, field=field, refused=refused)
        self.queue.do(QueuedStep(partial(self._describe, self.tournament, command), then, failed, command))

    def undo(self, step: int = 0) -> None:
        """Undo the newest step that is not undone. If `step` is given and is not the newest, do nothing."""
        newest = self.desk.undo_step
        if step and (self.queue.unsaved or newest is None or newest.seq != step):
            return
        self._move(self.desk.undo, self.catalogue.text("Undone: {step}"), self.desk.undo_step)

    def redo(self) -> None:
        """Redo the last undone step."""
        self._move(self.desk.redo, self.catalogue.text("Done again: {step}"), self.desk.redo_step)

    def erase(self, players: Collection[PlayerId] | None, *, snapshots: bool) -> None:
        """Erase personal data of some players (None: all) for good, with the `snapshots` that contain them."""
        call = partial(erase_personal_data, self.desk, players, word=self.player_word, snapshots=snapshots)
        self.queue.send(Unsaved(partial(self.catalogue.step, ERASED, {}), self._erased, self._failed), call)

    @property
    def player_word(self) -> str:
        return self.catalogue.text("Player")

    # --- calls

    def ask(self, call: Callable[[], T], *, then: Callable[[T], None], failed: Failed | None = None) -> None:
        """Run a call on the desk's thread. `failed` gets an error. Without it the error is shown."""
        self.work.in_order(call, then=then, failed=failed or self._failed)

    def afterwards(self, then: Callable[[], None]) -> None:
        """Call `then` after the current work of the desk's thread has ended and its result was shown."""
        self.ask(lambda: None, then=lambda _none: then())

    def compute(
        self,
        call: Callable[[], T],
        *,
        then: Callable[[T], None],
        label: str,
        failed: Failed | None = None,
        task: Task | None = None,
        stopped: Callable[[], None] | None = None,
    ) -> Task:
        """Run slow pure work and pass its value to `then`. See `Worker.compute`."""
        failed = failed or self._failed
        return self.work.compute(call, then=then, failed=failed, label=label, task=task, stopped=stopped)

    def make_key(self) -> str:
        """Return a new id for a command."""
        return self.desk.make_key()

    # --- messages

    def words(self, step: Step) -> str:
        """Return a description of a step, with its division if it is not the chosen one."""
        facts, chosen = dict(step.facts), self.division
        if chosen is not None and facts.get(OF_DIVISION) == chosen.code:
            del facts[OF_DIVISION]
        return self.catalogue.step(step.label, facts)

    def say(self, sentence: str, *, undo: int = 0, tone: str = "plain") -> None:
        """Show a sentence for a moment. `undo` is the number of the step for its Undo button.

        `tone` is "plain" for a finished action, "note" for information, "red" for a refusal.
        """
        self.told.emit(sentence, undo, tone)

    def refuse(self, error: UserError, _field: object = None) -> None:
        """Show an error. Owners with fields override it to focus the field."""
        self.say(self.catalogue.error(error), tone="red")

    # --- callbacks

    def _detach(self) -> None:
        if self._desk is not None:
            self._desk.unlisten(self._heard)
            self.ask(partial(_end, self.queue.detach(), self._desk), then=ignore)

    def _heard(self, diff: Diff) -> None:
        """Notify of a change. Called on the thread that made it."""
        self.work.post(partial(self._announce_change, diff))

    def _announce_change(self, diff: Diff) -> None:
        if self._desk is None:
            return
        self._follow(diff)
        self.changed.emit(diff)

    def _done(self, event: EventId, done: Callable[[], None] | None, quiet: bool, step: Step | None) -> None:
        if self._desk is None or self.tournament.event.id != event:
            return  # another tournament was opened in the meantime
        self.succeeded.emit()
        if done is not None:
            done()
        if step is not None and (not quiet or CLOCK in step.facts):
            self.say(self.words(step), undo=step.seq)

    def _erased(self, deleted: int) -> None:
        steps = [step for step in self.desk.history() if step.label == ERASED]
        text = self.words(steps[-1])
        if deleted:
            text += " · " + self.catalogue.plural("One snapshot deleted", "{n} snapshots deleted", deleted)
        self.say(text)
        self.erased.emit()

    def _describe(self, tournament: Tournament, command: partial[Tournament]) -> str:
        facts = describe_arguments(tournament, tournament, command.keywords)
        words = self.catalogue.step(find_command_id(command.func), facts)
        typed = [str(facts[name]) for name in command.keywords if facts.get(name)]
        return ", ".join([words, *(one for one in typed if one not in words)])

    def _move(self, call: Callable[[], Step], text: str, step: Step | None) -> None:
        words = text.replace("{step}", self.words(step)) if step is not None else ""
        self.queue.send(Unsaved(lambda: words, partial(self._moved, text), self._failed), call)

    def _moved(self, text: str, step: Step) -> None:
        self.say(text.replace("{step}", self.words(step)))

    def _failed(
        self, error: Exception, *, field: object = None, refused: Callable[[UserError], bool | None] | None = None
    ) -> None:
        known = require_user_error(error)
        if refused is None or not refused(known):
            self.refuse(known, field)

    def _not_opened(self, path: Path, error: Exception) -> None:
        self.ask(partial(find_newest_for, error, path), then=partial(self._offer, path, error))

    def _opened_file(self, desk: Desk) -> None:
        address = Address(desk.store.elsewhere.location) if desk.store.elsewhere is not None else None
        if address is not None and self.servers.own(address) is not None:
            joined, failed = partial(self._joined_own, desk), partial(self._look_only, desk)
            self.ask(partial(self.servers.desk_at, address), then=joined, failed=failed)
        elif address is not None:
            self._look_only(desk)
        else:
            self.attach(desk)

    def _joined_own(self, file: Desk, shared: Desk) -> None:
        self.ask(file.close, then=ignore)
        self.attach(shared)
        self.say(self.catalogue.text("Shared from this computer."))

    def _look_only(self, desk: Desk, error: Exception | None = None) -> None:
        self.attach(desk)
        if error is not None:
            self._failed(error)
        self.elsewhere.emit()

    def _offer(self, path: Path, error: Exception, snapshot: Snapshot | None) -> None:
        if not isinstance(error, StorageError) or (snapshot is None and error.code not in READABLE):
            self._failed(error)
        else:
            self.unopened.emit(path, error, snapshot)

    def _not_joined(self, address: Address, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self.unjoined.emit(address, error)


def erase_personal_data(desk: Desk, players: Collection[PlayerId] | None, *, word: str, snapshots: bool) -> int:
    """Erase personal data for good. Return the number of deleted snapshots."""
    gone = desk.erase(players, word=word)
    return desk.delete_holding(gone) if snapshots else 0


def _save_copy(desk: Desk, target: Path) -> Desk:
    """Copy the file if it has all steps, otherwise the value in memory without its history."""
    try:
        desk.follow()
        desk.store.copy_to_file(target)
    except StorageError:
        Store.create(target, desk.tournament, program=__version__).close()
    return Desk.open(target)


def _end(stop_listening: Callable[[], None], desk: Desk) -> None:
    stop_listening()
    desk.close()
