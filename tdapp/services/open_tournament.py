"""A tournament that is open, and the one way to change it: what the window and every service act on.

Hides the desk's thread, and turns an error that a user can mend into its sentence in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from tdapp import __version__
from tdapp.desk import Desk
from tdapp.domain.commands import command_id
from tdapp.domain.erasing import ERASED
from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.journal import CLOCK, OF_DIVISION, Step, describe
from tdapp.domain.model import EventId, PlayerId
from tdapp.domain.tournament import Diff, Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.command_queue import CommandQueue, QueueCallbacks, QueuedStep, Unsaved
from tdapp.services.preferences import TYPED_IN, RecentTournaments, Settings
from tdapp.services.resources import Resources
from tdapp.services.selection import Selection
from tdapp.services.servers import OwnServers
from tdapp.services.worker import Task, Worker, expected, ignore
from tdapp.storage import Store
from tdapp.storage.address import Address
from tdapp.storage.library import Library
from tdapp.storage.snapshots import Snapshot, newest_for

T = TypeVar("T")
Failed = Callable[[Exception], None]
READABLE = frozenset({"file-damaged", "file-altered"})  # what is wrong with files of which something may be saved


class TournamentCallbacks(Struct, frozen=True, kw_only=True):
    """What the owner of an open tournament is called with, on its own thread."""

    opened: Callable[[], None] = ignore  # another tournament, or none
    changed: Callable[[Diff], None] = ignore  # () when everything is to be looked at again
    chosen: Callable[[], None] = ignore  # another division or round
    erased: Callable[[], None] = ignore  # personal data are gone for good
    unopened: Callable[[Path, StorageError, Snapshot | None], None] = (
        ignore  # a bad file, its newest sound snapshot
    )
    elsewhere: Callable[[], None] = ignore  # the file that was opened goes on on a server
    unjoined: Callable[[Address, StorageError], None] = ignore  # a server does not let us in
    succeeded: Callable[[], None] = ignore  # a step or an entry: what was refused before is mended
    message: Callable[[str, int, str], None] = ignore  # a sentence, the step to undo or 0, its tone: plain or red
    queue: QueueCallbacks


class OpenTournament(Selection):
    """One tournament, with the stations that write it; None is open at first."""

    def __init__(
        self,
        *,
        work: Worker,
        catalogue: Catalogue,
        resources: Resources,
        settings: Settings,
        library: Library,
        servers: OwnServers,
        on: TournamentCallbacks,
    ) -> None:
        super().__init__(library, chosen=on.chosen)
        self.work = work
        self.catalogue = catalogue
        self.resources = resources
        self.settings = settings
        self._on = on
        self._judging = False
        self.saved_at = ""
        self.recent = RecentTournaments(settings)
        self.servers = servers
        self.queue = CommandQueue(work, servers.revive, on.queue)

    @property
    def judging(self) -> bool:
        """Whether the judge screen is open: nothing about words is shown elsewhere then."""
        return self._judging

    @judging.setter
    def judging(self, judging: bool) -> None:
        if judging != self._judging:
            self._judging = judging
            self._on.changed(())

    def may(self, *labels: str) -> bool:
        """Return whether this station may do all of some commands; nothing once it takes part no longer."""
        return not self.queue.is_over and super().may(*labels)

    # --- opening and closing

    def attach(self, desk: Desk | None) -> None:
        """Work on `desk` from now on, or on none."""
        self._detach()
        self._take_desk(desk)
        self.saved_at = desk.history()[-1].at if desk is not None and desk.history() else ""
        if desk is not None:
            desk.listen(self._heard)
            location = desk.store.path or desk.store.address
            if location is not None:
                self.recent.add(location)
        self._on.opened()
        if desk is not None:
            self.queue.attach(desk)

    def open(self, call: Callable[[], Desk], *, failed: Failed | None = None) -> None:
        """Open what `call` opens or makes, on the desk's thread."""
        self.ask(call, then=self.attach, failed=failed)

    def open_file(self, path: Path) -> None:
        """Open a file; where that cannot be, its snapshots are looked through for one to go on with.

        While it is shared from this computer, what is shared is opened. Of one that goes on elsewhere, or where
        that does not open, the file is looked at only, and `elsewhere` is called.
        """
        path = path.absolute()
        self.ask(partial(Desk.open, path), then=self._opened_file, failed=partial(self._not_opened, path))

    def open_location(self, location: Path | Address) -> None:
        """Open a file, or a tournament on a server; where a server does not let us in, `unjoined` is called."""
        if isinstance(location, Path):
            self.open_file(location)
        else:
            self.open(partial(self.servers.desk_at, location), failed=partial(self._not_joined, location))

    def save_elsewhere(self, target: Path) -> None:
        """Write the tournament to another file with all its steps, go on there, and do what waits."""
        self.settings.setValue(f"{TYPED_IN}/{self.tournament.event.id}", str(target))
        self.open(partial(_rescued, self.desk, target))

    def close(self) -> None:
        """Close the desk, for good."""
        self._detach()
        self._take_desk(None)

    # --- changing

    def do(
        self,
        command: partial[Tournament],
        *,
        done: Callable[[], None] | None = None,
        field: object = None,
        refused: Callable[[UserError], bool | None] | None = None,
        quiet: bool = False,
    ) -> None:
        """Run a command; then `done`, and a word of what was done with Undo (unless `quiet`).

        The sentence of a refusal is shown and `field` gets the focus, unless `refused` returns True.
        """
        then = partial(self._done, self.tournament.event.id, done, quiet)
        failed = partial(self._failed, field=field, refused=refused)
        self.queue.do(QueuedStep(self._intended(command), then, failed, command))

    def undo(self, step: int = 0) -> None:
        """Undo the newest step that is not undone; nothing where another one than `step` is."""
        newest = self.desk.undo_step
        if step and (self.queue.unsaved or newest is None or newest.seq != step):
            return
        self._move(self.desk.undo, self.catalogue.text("Undone: {step}"), self.desk.undo_step)

    def redo(self) -> None:
        """Do again what was undone last."""
        self._move(self.desk.redo, self.catalogue.text("Done again: {step}"), self.desk.redo_step)

    def erase(self, players: Collection[PlayerId] | None, *, snapshots: bool) -> None:
        """Take personal data out for good, of everybody for None, and delete the `snapshots` that hold it."""
        call = partial(erase, self.desk, players, word=self.player_word, snapshots=snapshots)
        self.queue.send(Unsaved(self.catalogue.step(ERASED, {}), self._erased, self._failed), call)

    @property
    def player_word(self) -> str:
        """What pseudonyms are made of."""
        return self.catalogue.text("Player")

    # --- asking

    def ask(self, call: Callable[[], T], *, then: Callable[[T], None], failed: Failed | None = None) -> None:
        """Run something with the file on the desk's thread; an error goes to `failed`, else it is shown."""
        self.work.in_order(call, then=then, failed=failed or self._failed)

    def afterwards(self, then: Callable[[], None]) -> None:
        """Do something when what the desk's thread is at has ended, and has been shown."""
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
        """Run slow pure work on values; `then` gets what it returns; the rest as in `Worker.compute`."""
        failed = failed or self._failed
        return self.work.compute(call, then=then, failed=failed, label=label, task=task, stopped=stopped)

    def key(self) -> str:
        """Return a fresh id for a command."""
        return self.desk.key()

    # --- messages

    def words(self, step: Step) -> str:
        """Return what a step did, in the user's language, and in which division if that is not the chosen one."""
        facts, chosen = dict(step.facts), self.division
        if chosen is not None and facts.get(OF_DIVISION) == chosen.code:
            del facts[OF_DIVISION]
        return self.catalogue.step(step.label, facts)

    def say(self, sentence: str, *, undo: int = 0, tone: str = "plain") -> None:
        """Show a sentence for a moment; `undo` is the number of the step that it can take back.

        `tone`: plain for what is done, note for what is only said, red for what is refused.
        """
        self._on.message(sentence, undo, tone)

    def refuse(self, error: UserError, _field: object = None) -> None:
        """Show what is wrong; an owner with fields puts the cursor back where it can be corrected."""
        self.say(self.catalogue.error(error), tone="red")

    # --- what comes back

    def _detach(self) -> None:
        if self._desk is not None:
            self._desk.unlisten(self._heard)
            self.ask(partial(_end, self.queue.detach(), self._desk), then=ignore)

    def _heard(self, diff: Diff) -> None:
        """Pass a change on; called on the thread that made it."""
        self.work.post(partial(self._show, diff))

    def _show(self, diff: Diff) -> None:
        if self._desk is None:
            return
        steps = self._desk.history()
        self.saved_at = steps[-1].at if steps else ""
        self._follow(diff)
        self._on.changed(diff)

    def _done(self, event: EventId, done: Callable[[], None] | None, quiet: bool, step: Step | None) -> None:
        if self._desk is None or self.tournament.event.id != event:
            return  # another tournament has been opened meanwhile
        self._on.succeeded()
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
        self._on.erased()

    def _intended(self, command: partial[Tournament]) -> str:
        """Return what a command is to do, with what was typed for it."""
        facts = describe(self.tournament, self.tournament, command.keywords)
        words = self.catalogue.step(command_id(command.func), facts)
        typed = [str(facts[name]) for name in command.keywords if facts.get(name)]
        return ", ".join([words, *(one for one in typed if one not in words)])

    def _move(self, call: Callable[[], Step], text: str, step: Step | None) -> None:
        words = text.replace("{step}", self.words(step)) if step is not None else ""
        self.queue.send(Unsaved(words, partial(self._moved, text), self._failed), call)

    def _moved(self, text: str, step: Step) -> None:
        self.say(text.replace("{step}", self.words(step)))

    def _failed(
        self, error: Exception, *, field: object = None, refused: Callable[[UserError], bool | None] | None = None
    ) -> None:
        known = expected(error)
        if refused is None or not refused(known):
            self.refuse(known, field)

    def _not_opened(self, path: Path, error: Exception) -> None:
        self.ask(partial(newest_for, error, path), then=partial(self._offer, path, error))

    def _opened_file(self, desk: Desk) -> None:
        """Work on a file that was opened, or on the server where it goes on, if that is our own."""
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
        self._on.elsewhere()

    def _offer(self, path: Path, error: Exception, snapshot: Snapshot | None) -> None:
        if not isinstance(error, StorageError) or (snapshot is None and error.code not in READABLE):
            self._failed(error)
        else:
            self._on.unopened(path, error, snapshot)

    def _not_joined(self, address: Address, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._on.unjoined(address, error)


def erase(desk: Desk, players: Collection[PlayerId] | None, *, word: str, snapshots: bool) -> int:
    """Take personal data out for good, and return how many snapshots were deleted."""
    gone = desk.erase(players, word=word)
    return desk.delete_holding(gone) if snapshots else 0


def _rescued(desk: Desk, target: Path) -> Desk:
    """Copy the tournament to a file and open it; where it cannot be read any more, as it is known here."""
    try:
        desk.store.snapshot(target)
    except StorageError:
        Store.create(target, desk.tournament, program=__version__).close()
    return Desk.open(target)


def _end(stop_listening: Callable[[], None], desk: Desk) -> None:
    stop_listening()
    desk.close()
