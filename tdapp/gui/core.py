"""What a window has open: the desk, the chosen division and round, and the one way to change anything.

Hides the desk's thread, and turns a user's trouble into its sentence in one place. A session is this and the
services that look after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from tdapp import __version__
from tdapp.desk import Desk
from tdapp.domain.changes import Diff
from tdapp.domain.commands import command_id
from tdapp.domain.erasing import ERASED
from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.model import Division, DivisionId, EventId, PlayerId, Round
from tdapp.domain.roles import Role, may
from tdapp.domain.tournament import Tournament
from tdapp.gui.later import is_seen
from tdapp.gui.link import Link, Waiting
from tdapp.gui.own_servers import OwnServers
from tdapp.gui.theme import Look
from tdapp.gui.work import Task, Work, expected
from tdapp.i18n.catalogue import Catalogue
from tdapp.storage import Store
from tdapp.storage.address import Address, place_of
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.shelf import Shelf
from tdapp.storage.snapshots import Snapshot, newest_for

T = TypeVar("T")
MOST_RECENT = 8


class Core(QObject):
    """One window's tournament; None is open at first."""

    opened = Signal()  # another tournament, or none
    changed = Signal(object)  # a Diff; () when everything is to be looked at anew
    chosen = Signal()  # another division or round
    erased = Signal()  # personal data are gone for good
    looked_back = Signal(object, int)  # a desk on the tournament as it was, the step after which
    unopened = Signal(object, object, object)  # a path, the StorageError, the newest sound snapshot
    unjoined = Signal(object, object)  # an Address, the StorageError
    succeeded = Signal()  # a step or an entry: what was refused before is mended
    told = Signal(str, bool, str)  # a sentence, whether it can be undone, its tone: plain or red

    def __init__(
        self, *, work: Work, catalogue: Catalogue, look: Look, resources: Path, settings: QSettings, shelf: Shelf
    ) -> None:
        super().__init__()
        self.work = work
        self.catalogue = catalogue
        self.look = look
        self.resources = resources
        self.settings = settings
        self.shelf = shelf
        self._judging = False
        self.saved_at = ""
        self._desk: Desk | None = None
        self._division: DivisionId | None = None
        self._round: int | None = None
        self._word_list: Lexicon | None = None
        self._as_director = False  # while it is asked what the director could do
        self.servers = OwnServers(Path(settings.fileName()).parent / "shared")
        self.link = Link(work, self.servers.revive, self)

    # --- what is open and chosen

    @property
    def desk(self) -> Desk:
        """The open desk; only where one is open."""
        if self._desk is None:
            raise RuntimeError("no tournament is open")
        return self._desk

    @property
    def is_open(self) -> bool:
        """Whether a tournament is open."""
        return self._desk is not None

    @property
    def tournament(self) -> Tournament:
        """The open tournament as it stands."""
        return self.desk.tournament

    @property
    def index(self) -> Index:
        """The look-ups of the open tournament."""
        return self.desk.index

    @property
    def read_only(self) -> bool:
        """Whether nothing may be changed, but what `may` allows this station."""
        return self._desk is None or self._desk.store.read_only or not (self._as_director or self.directs)

    @property
    def editable(self) -> bool:
        """Whether the tournament may be changed here: one is open, not only to be read, and not finished."""
        return not self.read_only and not self.tournament.event.finished

    @property
    def directs(self) -> bool:
        """Whether this station is the director's, who may do everything."""
        return self._desk is None or self._desk.role is Role.DIRECTOR

    def may(self, *labels: str) -> bool:
        """Tell whether this station may do all of some commands, by their ids."""
        if self._desk is None or self._desk.store.read_only:
            return False
        return self._as_director or all(may(self._desk.role, label) for label in labels)

    def as_director(self, ask: Callable[[], bool]) -> bool:
        """Return what `ask` would be if this station were the director's."""
        self._as_director = True
        try:
            return ask()
        finally:
            self._as_director = False

    @property
    def address(self) -> Address | None:
        """Where the open tournament is on a server."""
        return self._desk.store.address if self._desk is not None else None

    @property
    def path(self) -> Path | None:
        """The file that is open."""
        return self._desk.store.path if self._desk is not None else None

    @property
    def division(self) -> Division | None:
        """The chosen division, None while there is none."""
        return self.tournament.divisions.get(self._division) if self.is_open and self._division else None

    @property
    def round_number(self) -> int | None:
        """The number of the chosen round, None while there is none."""
        return self._round

    @property
    def round(self) -> Round | None:
        """The chosen round."""
        if self.division is None:
            return None
        rounds = self.index.rounds(self.division.id)
        return next((item for item in rounds if item.number == self._round), None)

    def choose_division(self, division: DivisionId) -> None:
        """Look at another division, at its newest round."""
        self._division = division
        self._round = self._newest_round()
        self.chosen.emit()

    def choose_round(self, number: int | None) -> None:
        """Look at another round."""
        if number != self._round:
            self._round = number
            self.chosen.emit()

    def word_list(self) -> Lexicon | None:
        """Return the word list that the jury asks; None where none is chosen or it is not on this computer."""
        wanted = self.tournament.event.wordlist
        if self._word_list is not None and self._word_list.imprint.id != wanted:
            self.close_word_list()
        if wanted and self._word_list is None:
            try:
                self._word_list = self.shelf.open(wanted)
            except StorageError:
                return None
        return self._word_list

    def close_word_list(self) -> None:
        """Let go of the word list's file, so that it can be deleted; `word_list` opens it again."""
        if self._word_list is not None:
            self._word_list.close()
            self._word_list = None

    @property
    def judging(self) -> bool:
        """Whether the judge screen is open: nothing about words is shown elsewhere then."""
        return self._judging

    @judging.setter
    def judging(self, judging: bool) -> None:
        """Tell that the judge screen is open or closed; everything is looked at anew."""
        if judging != self._judging:
            self._judging = judging
            self.changed.emit(())

    # --- opening and closing

    def attach(self, desk: Desk | None) -> None:
        """Work on `desk` from now on, or on none."""
        self._close()
        self._desk = desk
        self.saved_at = desk.history()[-1].at if desk is not None and desk.history() else ""
        if desk is not None:
            desk.listen(self._heard)
            self._division = self.index.divisions[0].id if self.index.divisions else None
            self._round = self._newest_round()
            place = desk.store.path or desk.store.address
            if place is not None:
                self._remember(place)
        self.opened.emit()
        if desk is not None:
            self.link.attach(desk)

    def open(self, call: Callable[[], Desk], *, failed: Callable[[Exception], None] | None = None) -> None:
        """Open what `call` opens or makes, on the desk's thread."""
        self.work.in_order(call, then=self.attach, failed=failed or self._failed)

    def open_file(self, path: Path) -> None:
        """Open a file; where that cannot be, its snapshots are looked through for one to go on with.

        While it is shared from this computer, what is shared is opened: no station would see what the file gets.
        """
        path = path.absolute()
        shared = self.servers.shared_from(path)
        if shared is None:
            self.open(partial(Desk.open, path), failed=partial(self._not_opened, path))
            return
        self.open_place(shared)
        self.afterwards(partial(self.say, self.catalogue.text("Shared from this computer.")))

    def open_place(self, place: Path | Address) -> None:
        """Open a file, or a tournament on a server; where a server does not let us in, `unjoined` tells why."""
        if isinstance(place, Path):
            self.open_file(place)
        else:
            self.open(partial(self.servers.desk_at, place), failed=partial(self._not_joined, place))

    def recent(self) -> list[Path]:
        """Return the files opened last that are still there, newest first."""
        return [place for place in self.recent_places() if isinstance(place, Path)]

    def recent_places(self) -> list[Path | Address]:
        """Return files and addresses (without passwords) opened last, newest first; files that are still there."""
        stored = self.settings.value("recent", [])
        texts = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return [place for place in map(place_of, texts) if _is_there(place)]

    def folder(self) -> str:
        """Return where a file is looked for first: beside the tournament opened last, else at home."""
        recent = self.recent()
        return str(recent[0].parent if recent else Path.home())

    # --- changing

    def do(
        self,
        command: partial[Tournament],
        *,
        done: Callable[[], None] | None = None,
        field: QWidget | None = None,
        refused: Callable[[UserError], bool | None] | None = None,
        quiet: bool = False,
    ) -> None:
        """Run a command; then `done`, and a word of what was done with Undo (unless `quiet`).

        The sentence of a refusal is shown and `field` gets the focus, unless `refused` returns True.
        """
        then = partial(self._done, self.tournament.event.id, done, quiet)
        failed = partial(self._failed, field=field, refused=refused)
        self.link.do(Waiting(command_id(command.func), command, then, failed))

    def save_elsewhere(self, target: Path) -> None:
        """Write the tournament to another file with all its steps, go on there, and do what waits."""
        self.open(partial(_rescued, self.desk, target))

    def read(self, call: Callable[[], T], *, then: Callable[[T], None]) -> None:
        """Ask the file for something, on the desk's thread."""
        self.work.in_order(call, then=then, failed=self._failed)

    def ask(
        self, call: Callable[[], T], *, then: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Run something on the desk's thread; what goes wrong is told to `failed`."""
        self.work.in_order(call, then=then, failed=failed)

    def afterwards(self, then: Callable[[], None]) -> None:
        """Do something when what the desk's thread is at has ended, and has been shown."""
        self.work.in_order(lambda: None, then=lambda _none: then(), failed=self._failed)

    def run(self, call: Callable[[], object], *, done: Callable[[], None]) -> None:
        """Run something with the file that changes nothing, on the desk's thread; then `done`."""
        self.work.in_order(call, then=lambda _value: done(), failed=self._failed)

    def erase(self, players: Collection[PlayerId] | None, *, snapshots: bool) -> None:
        """Take personal data out for good, of everybody for None, and delete the `snapshots` that hold it."""
        self.work.in_order(
            partial(_erase, self.desk, players, self.word_for_player, snapshots),
            then=self._erased,
            failed=self._failed,
        )

    @property
    def word_for_player(self) -> str:
        """What pseudonyms are made of."""
        return self.catalogue.text("Player")

    def undo(self) -> None:
        """Take back the newest step that stands."""
        said = self.catalogue.text("Undone: {step}")
        self.work.in_order(self.desk.undo, then=partial(self._taken_back, said), failed=self._failed)

    def redo(self) -> None:
        """Do again what was undone last."""
        said = self.catalogue.text("Done again: {step}")
        self.work.in_order(self.desk.redo, then=partial(self._taken_back, said), failed=self._failed)

    def compute(
        self,
        call: Callable[[], T],
        *,
        then: Callable[[T], None],
        label: str,
        failed: Callable[[Exception], None] | None = None,
        task: Task | None = None,
        stopped: Callable[[], None] | None = None,
    ) -> Task:
        """Run slow pure work on values; `then` gets what it returns. `task` and `stopped` as in `Work.compute`."""
        failed = failed or self._failed
        return self.work.compute(call, then=then, failed=failed, label=label, task=task, stopped=stopped)

    def key(self) -> str:
        """Return a fresh id for a command."""
        return self.desk.key()

    # --- saying

    def words(self, step: Step) -> str:
        """Return what a step did, in the user's language."""
        return self.catalogue.step(step.label, step.facts)

    def say(self, sentence: str, *, undo: bool = False, tone: str = "plain") -> None:
        """Show a sentence for a moment."""
        self.told.emit(sentence, undo, tone)

    def refuse(self, error: UserError, field: QWidget | None = None) -> None:
        """Say what is wrong, and put the cursor back where it can be mended."""
        self.say(self.catalogue.error(error), tone="red")
        if field is not None and is_seen(field):
            field.setFocus()
            if isinstance(field, QLineEdit):
                field.selectAll()

    def close(self) -> None:
        """Close the desk, for good: soon nothing is left of the session either."""
        self._close()
        self._desk = None
        self.deleteLater()

    def _close(self) -> None:
        self.close_word_list()
        if self._desk is not None:
            self._desk.unlisten(self._heard)
            end = partial(_end, self.link.detach(), self._desk)
            self.work.in_order(end, then=_nothing, failed=self._failed)

    def _heard(self, diff: Diff) -> None:
        """Pass a change on; called on the thread that made it."""
        self.work.post(partial(self._show, diff))

    def _show(self, diff: Diff) -> None:
        if self._desk is None:
            return
        steps = self._desk.history()
        self.saved_at = steps[-1].at if steps else ""
        self._follow(diff)
        self.changed.emit(diff)

    def _follow(self, diff: Diff) -> None:
        """Choose what is new: the first division, a new round; leave what is gone."""
        if self.division is None:
            self._division = self.index.divisions[0].id if self.index.divisions else None
        made = [change for change in diff if change.kind == "rounds"]
        if self.round is None or made:
            self._round = self._newest_round()

    def _newest_round(self) -> int | None:
        rounds = self.index.rounds(self._division) if self._division else ()
        return rounds[-1].number if rounds else None

    def _done(self, event: EventId, done: Callable[[], None] | None, quiet: bool, diff: Diff) -> None:
        if self._desk is None or self.tournament.event.id != event:
            return  # left behind before it was told
        self.succeeded.emit()
        if done is not None:
            done()
        step = self.desk.undo_step
        if diff and step is not None and not quiet:
            self.say(self.words(step), undo=True)

    def _erased(self, deleted: int) -> None:
        steps = [step for step in self.desk.history() if step.label == ERASED]
        said = self.words(steps[-1])
        if deleted:
            said += " · " + self.catalogue.plural("One snapshot deleted", "{n} snapshots deleted", deleted)
        self.say(said)
        self.erased.emit()

    def _taken_back(self, said: str, step: Step) -> None:
        self.say(said.replace("{step}", self.words(step)))

    def _failed(
        self,
        error: Exception,
        *,
        field: QWidget | None = None,
        refused: Callable[[UserError], bool | None] | None = None,
    ) -> None:
        trouble = expected(error)
        if refused is None or not refused(trouble):
            self.refuse(trouble, field)

    def _not_opened(self, path: Path, error: Exception) -> None:
        self.work.in_order(
            partial(newest_for, error, path), then=partial(self._offer, path, error), failed=self._failed
        )

    def _offer(self, path: Path, error: Exception, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            self._failed(error)
        else:
            self.unopened.emit(path, error, snapshot)

    def _not_joined(self, address: Address, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self.unjoined.emit(address, error)

    def _remember(self, place: Path | Address) -> None:
        told = str(place)  # of an address without its password
        others = [str(one) for one in self.recent_places() if str(one) != told]
        self.settings.setValue("recent", [told, *others][:MOST_RECENT])


def _erase(desk: Desk, players: Collection[PlayerId] | None, word: str, snapshots: bool) -> int:
    """Erase, and return how many snapshots were deleted."""
    gone = desk.erase(players, word=word)
    return desk.delete_holding(gone) if snapshots else 0


def _is_there(place: Path | Address) -> bool:
    """Tell whether a file, or a server of our own, is still there; of another's only it can tell."""
    if isinstance(place, Path):
        return place.exists()
    try:
        folder = place.parts.folder
    except StorageError:
        return False
    return not folder or Path(folder).exists()


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


def _nothing(_value: object) -> None:
    """Take a value that nobody needs."""
