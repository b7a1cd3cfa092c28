"""The only entry point for changing a tournament: do, undo, redo and notify listeners.

A step is one stored change: the changed rows and a journal entry, written in one transaction. If another station
(computer) has changed the store, the desk reads the changes and runs the command again. Call its methods from one
thread at a time; any thread can read `tournament` and `index`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from msgspec.structs import replace

from tdapp import __version__
from tdapp.domain.erasing import ERASE_LABEL, make_personal_data_eraser
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import (
    CLOCK_JUMP,
    INITIAL_DIGEST,
    SKIPPED_LABELS,
    JournalEntry,
    Step,
    find_command_id,
    make_argument_facts,
    make_changed_division_facts,
    make_facts_of_blocking_step,
    make_facts_with_count_and_names,
    measure_clock_jump,
    remove_facts_added_by_desk,
)
from tdapp.domain.model import PlayerId, Scalar
from tdapp.domain.roles import is_permitted
from tdapp.domain.tournament import (
    Diff,
    DiffConflictError,
    JournalChecksum,
    Tournament,
    apply_diff,
    compute_diff,
    find_inconsistent_rows,
    invert_diff,
    refuse_invalid_characters,
)
from tdapp.domain.verification import (
    PrintoutVerification,
    compute_tournament_digest,
    make_journal_checksum,
    parse_entered_checksum,
    verify_tournament,
)
from tdapp.storage import (
    Address,
    Damage,
    Snapshot,
    SnapshotFolder,
    SnapshotReason,
    StaleRevisionError,
    Store,
    take_snapshot_before_migration,
)

T = TypeVar("T")
Listener = Callable[[Diff], None]
_DAMAGE_CODES = frozenset({"file-damaged", "file-altered", "file-foreign"})
_UNSURE_SAVE_CODES = frozenset({"server-lost-saving", "disk-error"})  # the step may have been saved nevertheless
_PAIRING_LABELS = frozenset({"propose-round", "pair-round"})  # steps before which a snapshot is taken


def get_utc_timestamp() -> str:
    """Return the time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Desk:
    """An open tournament: its value, its store, and the undo stack of one computer (station)."""

    def __init__(
        self,
        store: Store,
        *,
        station: str | None = None,
        clock: Callable[[], str] = get_utc_timestamp,
        snapshots: SnapshotFolder | None = None,
    ) -> None:
        """Open `store`. `clock` returns the time in the format of `get_utc_timestamp`.

        `station` is the name of this computer in the journal, by default `store.station`. With `snapshots`, the
        desk copies the file to this folder before each pairing. If a copy fails, the desk continues and sets
        `snapshot_error`.
        """
        self.store = store
        self.snapshots = snapshots
        self.snapshot_error: StorageError | None = None
        self.station = station or store.station
        self.role = store.role
        self._clock = clock
        self._listeners: list[Listener] = []
        self._tournament = Tournament()
        self._memo: tuple[Tournament, dict[Hashable, object]] = self._tournament, {}  # results computed from it
        self._index: TournamentIndex | None = None  # the last requested one
        self._failed_command: object = None  # the last failed command
        self._unsure_entry: JournalEntry | None = None  # may have been saved despite an error
        self._reload()

    @classmethod
    def create(
        cls,
        location: Path | Address,
        tournament: Tournament,
        *,
        station: str | None = None,
        clock: Callable[[], str] = get_utc_timestamp,
    ) -> Desk:
        """Create a tournament and open it.

        Raises StorageError, and CommandError "text-not-printable" for invalid characters.
        """
        refuse_invalid_characters(compute_diff(Tournament(), tournament), {})
        return cls(Store.create(location, tournament, program=__version__), station=station, clock=clock)

    @classmethod
    def open(
        cls,
        location: Path | Address,
        *,
        station: str | None = None,
        clock: Callable[[], str] = get_utc_timestamp,
        read_only: bool = False,
        timeout: float = 5.0,
    ) -> Desk:
        """Open a tournament. `timeout` is the time in seconds to wait for a lock. Raises StorageError."""
        store = Store.open(
            location, read_only=read_only, timeout=timeout, copy_before_migration=take_snapshot_before_migration
        )
        return cls(store, station=station, clock=clock)

    @property
    def tournament(self) -> Tournament:
        return self._tournament

    @property
    def index(self) -> TournamentIndex:
        tournament, index = self._tournament, self._index
        if index is None or index.tournament is not tournament:
            index = self._index = TournamentIndex(tournament, index)
            if self._memo[0] is not tournament:
                self._memo = tournament, {}  # keep no earlier tournament alive
        return index

    def make_row_id(self) -> str:
        return uuid4().hex[:16]

    def get_cached_value(self, key: Hashable, compute: Callable[[Tournament], T]) -> T:
        tournament = self._tournament
        value, results = self._memo
        if value is not tournament:
            results = {}
            self._memo = tournament, results
        if key not in results:
            results[key] = compute(tournament)
        return results[key]  # type: ignore[return-value]

    def do(self, command: Callable[[Tournament], Tournament], *, label: str = "", **facts: Scalar) -> Diff:
        """Run `command`, write its changes in one transaction, and return them.

        Without changes no step is stored. The step stores `label`, `facts` (for its description) and, if `command`
        is a `functools.partial`, its keyword arguments. The default `label` is the function name with hyphens, for
        example "set-award".

        After StorageError "server-lost-saving" or "disk-error" call again with the same `command`: the desk first
        checks whether the changes were written.
        """
        label = label or find_command_id(command)
        unsure = self._unsure_entry if self._failed_command is command else None
        if unsure is not None and (saved_changes := self._find_changes_saved_despite_error(unsure)):
            return saved_changes
        if label in _PAIRING_LABELS:
            self.take_snapshot(SnapshotReason.PAIRING)
        while True:
            before = self._tournament
            try:
                after = command(before.make_change_tracking_copy())
            except CommandError as error:
                if error.code == "changed-meanwhile":
                    blocking_entry = self._find_last_entry_of_row(str(error.facts["kind"]), str(error.facts["id"]))
                    error.facts.update(make_facts_of_blocking_step(blocking_entry))
                raise
            changes = compute_diff(before, after)
            if not changes:
                return changes
            self._refuse_forbidden_change(label, changes)
            arguments = command.keywords if isinstance(command, partial) else {}
            step_facts = {
                **make_argument_facts(before, after, arguments),
                **make_changed_division_facts(before, after, changes),
                **facts,
            }
            refuse_invalid_characters(changes, step_facts)
            try:
                with self._reload_after_unexpected_error():
                    head = self._write_step(changes, label=label, facts=step_facts)
            except StaleRevisionError:
                self._read_new_journal_entries()
                continue
            except StorageError:
                self._failed_command = command
                raise
            self._set_tournament_and_notify(after, changes, head)
            return changes

    def _find_changes_saved_despite_error(self, entry: JournalEntry) -> Diff:
        """Return the changes of `entry` if the journal contains it despite an error while saving, otherwise ()."""
        self.apply_changes_of_other_computers()
        self.store.sync_folder_to_disk()
        self._unsure_entry = None
        entries = self.store.read_journal(base_revision=entry.seq - 1, limit=1)
        return entry.changes if [replace(item, digest="") for item in entries] == [entry] else ()

    def undo(self) -> Step:
        """Undo the newest step (stored change) of this computer and return it.

        Raises CommandError if personal data was erased since, or if a later step changed or needs the
        same rows.
        """
        self.apply_changes_of_other_computers()  # erasing personal data may have rewritten the step
        return self._reverse_newest_step(
            lambda: self.undoable_step, "erased-since" if self._erased else "nothing-to-undo"
        )

    def redo(self) -> Step:
        """Redo the step undone last and return it. Raises CommandError if no step can be redone."""
        self.apply_changes_of_other_computers()
        return self._reverse_newest_step(lambda: self.redoable_step, "nothing-to-redo")

    def erase_personal_data(
        self, players: Collection[PlayerId] | None, *, pseudonym_prefix: str = "Player"
    ) -> Mapping[PlayerId, str]:
        """Erase personal data of `players` (None: all) from rows and journal for good.

        Return the pseudonyms, such as "Player 8". Earlier steps cannot be undone afterwards. StorageError
        "not-swept" means that the data are erased, but traces can remain in the file.
        """
        self._refuse_forbidden_change(ERASE_LABEL)
        while True:
            journal = self.store.read_journal()
            if len(journal) != self._tournament.head.revision:
                self._read_new_journal_entries()
                continue
            erased = make_personal_data_eraser(self._tournament, journal, players, word=pseudonym_prefix)
            past = [erased.erase_data_in_journal_entry(entry) for entry in journal]
            facts: Mapping[str, Scalar] = make_facts_with_count_and_names(erased.pseudonyms.values())
            beginning_facts = {
                INITIAL_DIGEST: compute_tournament_digest(
                    erased.erase_data_in_tournament(self.rebuild_tournament_at(0))
                )
            }
            if past:
                past[0] = replace(past[0], facts={**past[0].facts, **beginning_facts})
            else:
                facts = {**facts, **beginning_facts}
            seq = self._tournament.head.revision + 1
            step = Step(seq=seq, at=self._clock(), station=self.station, label=ERASE_LABEL, facts=facts)
            changes = compute_diff(self._tournament, erased.erase_data_in_tournament(self._tournament))
            try:
                self.store.rewrite_journal(past, changes, step)
            except StaleRevisionError:
                self._read_new_journal_entries()
                continue
            self._read_new_journal_entries()
            self.store.remove_deleted_data_from_disk()
            return erased.pseudonyms

    def find_snapshots_with_players(
        self, players: Collection[PlayerId] | None, *, pseudonym_prefix: str = "Player"
    ) -> tuple[Snapshot, ...]:
        if self.snapshots is None:
            return ()
        erased = make_personal_data_eraser(
            self._tournament, self.store.read_journal(), players, word=pseudonym_prefix
        )
        return self.snapshots.find_snapshots_with_player_names(erased.pseudonyms)

    def delete_snapshots_with_players(self, pseudonyms: Mapping[PlayerId, str]) -> int:
        """Delete snapshots that contain the players of `pseudonyms`. Return how many. Raises StorageError."""
        if self.snapshots is None:
            return 0
        matching_snapshots = self.snapshots.find_snapshots_with_player_names(pseudonyms)
        self.snapshots.delete_snapshots(matching_snapshots)
        return len(matching_snapshots)

    @property
    def undoable_step(self) -> Step | None:
        return self._undoable[-1] if self._undoable else None

    @property
    def redoable_step(self) -> Step | None:
        return self._redoable[-1] if self._redoable else None

    def list_all_steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    def apply_changes_of_other_computers(self) -> None:
        """Apply the changes of other computers. Before the call, run `store.wait_for_change` in another thread.

        Raises StorageError, with code "file-overwritten" if steps read earlier are no longer stored.
        """
        with convert_damaged_to_overwritten_error(self.store, self._tournament.head):
            if self.store.stored_journal_head != self._tournament.head:
                self._read_new_journal_entries()

    def rebuild_tournament_at(self, seq: int) -> Tournament:
        """Return the tournament after step `seq`; 0 is its initial state.

        Raises StorageError if the journal cannot be undone to that step.
        """
        value = self._tournament
        try:
            for entry in reversed(self.store.read_journal(base_revision=seq)):
                value = apply_diff(value, invert_diff(entry.changes))
        except DiffConflictError as conflict:
            raise self._make_damage_error(f"journal {conflict}") from conflict
        return replace(value, head=JournalChecksum(seq))

    def open_past_state(self, seq: int) -> Desk:
        past = Desk(Store.create_in_memory(self.rebuild_tournament_at(seq), read_only=True))
        past._steps = [step for step in self._steps if step.seq <= seq]
        return past

    def find_damage(self) -> list[Damage]:
        damage = self.store.find_damage()
        initial_digest = self._steps[0].facts.get(INITIAL_DIGEST) if self._steps else None
        if (
            damage
            or not initial_digest
            or compute_tournament_digest(self.rebuild_tournament_at(0)) == initial_digest
        ):
            return damage
        return [Damage("beginning-differs", {})]

    def verify_checksums(self, typed_checksums: Iterable[str]) -> PrintoutVerification:
        """Compare the journal with checksums typed from printouts.

        Raises CommandError for a mistyped checksum, and StorageError if the journal cannot be read.
        """
        if not self.store.location.can_read_private_data:
            raise StorageError("no-permission", path=self.store.location.name, detail="")
        journal_heads = [parse_entered_checksum(text) for text in typed_checksums]
        return verify_tournament(
            self.tournament, self.store.read_journal(), journal_heads, is_database_undamaged=not self.find_damage()
        )

    def take_snapshot(self, reason: SnapshotReason) -> None:
        """Take a snapshot if this `Desk` has a snapshot folder. A failure only sets `snapshot_error`."""
        if self.snapshots is None:
            return
        self.snapshot_error = None
        try:
            self.snapshots.make_snapshot_if_changed(self.store, reason)
        except StorageError as error:
            self.snapshot_error = error

    def add_listener(self, listener: Listener) -> None:
        """Call `listener` with the changed rows after every change, on the thread that made it."""
        self._listeners.append(listener)

    def remove_listener(self, listener: Listener) -> None:
        self._listeners.remove(listener)

    def close(self) -> None:
        self.store.close()

    def _reverse_newest_step(self, find_newest: Callable[[], Step | None], error_code: str) -> Step:
        while True:
            step = find_newest()
            if step is None:
                raise CommandError(error_code)
            changes = invert_diff(self.store.read_journal_entry(step.seq).changes)
            self._refuse_forbidden_change(step.label, changes)
            after = self._apply_reversed_changes_or_refuse(changes, step)
            try:
                with self._reload_after_unexpected_error():
                    head = self._write_step(
                        changes, label=step.label, facts=remove_facts_added_by_desk(step.facts), undoes=step.seq
                    )
            except StaleRevisionError:
                self._read_new_journal_entries()
                continue
            self._set_tournament_and_notify(after, changes, head)
            return step

    def _refuse_forbidden_change(self, label: str, changes: Diff = ()) -> None:
        if not is_permitted(self.role, label, changes):
            raise CommandError("role-may-not", role=self.role)

    def _apply_reversed_changes_or_refuse(self, changes: Diff, step: Step) -> Tournament:
        try:
            after = apply_diff(self._tournament, changes)
        except DiffConflictError as conflict:
            blocking_entry = self._find_last_entry_of_row(
                conflict.change.kind, conflict.change.id, after_seq=step.seq
            )
            raise CommandError("undo-changed-since", **make_facts_of_blocking_step(blocking_entry)) from conflict
        inconsistent_rows = find_inconsistent_rows(after, changes)
        if inconsistent_rows:
            later_entries = (
                self._find_last_entry_of_row(row.kind, row.id, after_seq=step.seq) for row in inconsistent_rows
            )
            raise CommandError(
                "undo-needed-since", **make_facts_of_blocking_step(next(filter(None, later_entries), None))
            )
        return after

    def _find_last_entry_of_row(self, row_kind: str, row_id: str, *, after_seq: int = 0) -> JournalEntry | None:
        for step in reversed(self._steps):
            if step.seq <= after_seq:
                return None
            entry = self.store.read_journal_entry(step.seq)
            if any(change.kind == row_kind and change.id == row_id for change in entry.changes):
                return entry
        return None

    def _write_step(
        self, changes: Diff, *, label: str, facts: Mapping[str, Scalar], undoes: int | None = None
    ) -> JournalChecksum:
        time, facts = self._clock(), dict(facts)
        if not self._tournament.head.revision:
            facts[INITIAL_DIGEST] = compute_tournament_digest(self._tournament)
        jump = (
            measure_clock_jump(self._steps[-1].at, time, is_playing=self._has_unfinished_round)
            if self._steps
            else 0
        )
        if jump:
            facts[CLOCK_JUMP] = jump
        entry = JournalEntry(
            seq=self._tournament.head.revision + 1, at=time, station=self.station, label=label, facts=facts,
            undoes=undoes, changes=changes,
        )  # fmt: skip
        self._unsure_entry = None
        try:
            with convert_damaged_to_overwritten_error(self.store, self._tournament.head):
                head = self.store.save_step(changes, entry, expected_head=self._tournament.head)
        except StorageError as error:
            if error.code in _UNSURE_SAVE_CODES:
                self._unsure_entry = entry
            raise
        self._update_undo_stacks(entry.step)
        return head

    @contextmanager
    def _reload_after_unexpected_error(self) -> Iterator[None]:
        """Reload after an exception such as MemoryError, because the step may have been saved."""
        try:
            yield
        except (StorageError, StaleRevisionError):
            raise
        except BaseException:
            with suppress(StorageError):
                self.apply_changes_of_other_computers()
            raise

    def _has_unfinished_round(self) -> bool:
        index = self.index
        rounds = (item for division in index.divisions for item in index.list_published_rounds(division.id))
        return any(index.list_open_tables(item.id) for item in rounds)

    def _read_new_journal_entries(self) -> None:
        before = self._tournament
        with convert_damaged_to_overwritten_error(self.store, self._tournament.head):
            refuse_overwritten_journal(self.store, self._tournament.head, self._steps)
            if not self._try_to_apply_journal_entries(
                self.store.read_journal(base_revision=self._tournament.head.revision)
            ):
                self._reload()
        self._notify_listeners(compute_diff(before, self._tournament))

    def _try_to_apply_journal_entries(self, entries: Sequence[JournalEntry]) -> bool:
        """Apply entries of other computers. Return False if the tournament must be loaded again.

        An entry without rows means that earlier steps were rewritten.
        """
        value = self._tournament
        try:
            for entry in entries:
                value = apply_diff(value, entry.changes)
        except DiffConflictError:
            return False
        if not entries or not all(entry.changes for entry in entries):
            return False
        self._tournament = replace(value, head=make_journal_checksum(entries[-1].seq, entries[-1].digest))
        for entry in entries:
            self._update_undo_stacks(entry.step)
        return True

    def _set_tournament_and_notify(self, after: Tournament, changes: Diff, head: JournalChecksum) -> None:
        self._tournament = replace(after, head=head, touched=None)
        self._notify_listeners(changes)

    def _notify_listeners(self, changes: Diff) -> None:
        for listener in tuple(self._listeners):
            listener(changes)

    def _reload(self) -> None:
        self._tournament, _ = self.store.load_tournament_and_revision()
        for row in find_inconsistent_rows(self._tournament):  # not possible with commands or undo: edited by hand
            raise self._make_damage_error(f"{row.code} {row.kind} {row.id}")
        self._steps: list[Step] = []
        self._undoable: list[Step] = []
        self._redoable: list[Step] = []
        self._erased = False
        for step in self.store.read_steps():
            if step.seq <= self._tournament.head.revision:  # another station can save between the two reads
                self._update_undo_stacks(step)

    def _make_damage_error(self, detail: str) -> StorageError:
        return StorageError("file-damaged", path=self.store.location.name, detail=detail)

    def _update_undo_stacks(self, step: Step) -> None:
        self._steps.append(step)
        if step.label == ERASE_LABEL:
            self._undoable.clear()
            self._redoable.clear()
            self._erased = True
        elif step.station != self.station or step.label in SKIPPED_LABELS:
            return
        elif step.undoes is None:
            self._undoable.append(step)
            self._redoable.clear()
        elif self._redoable and self._redoable[-1].seq == step.undoes:
            self._redoable.pop()
            self._undoable.append(step)
        else:
            del self._undoable[-1:]  # missing in a hand-made journal
            self._redoable.append(step)


@contextmanager
def convert_damaged_to_overwritten_error(store: Store, head: JournalChecksum) -> Iterator[None]:
    """Turn errors about a damaged file into StorageError "file-overwritten".

    This program read the file up to the journal entry `head` without errors, so another program has overwritten
    the file since.
    """
    try:
        yield
    except StorageError as error:
        if error.code not in _DAMAGE_CODES:
            raise
        raise _make_file_overwritten_error(store, head, 0) from error


def refuse_overwritten_journal(store: Store, head: JournalChecksum, steps: Sequence[Step]) -> None:
    """Raise "file-overwritten" unless the stored journal begins with `steps`, which end at `head`.

    Erasing personal data changes the checksums of earlier steps, but not their order, times and labels.
    """
    if not steps or not store.location.can_read_private_data:
        return
    last = store.read_journal(base_revision=head.revision - 1, limit=1)
    if last and make_journal_checksum(last[0].seq, last[0].digest) == head:
        return
    stored, step_count = store.read_steps(), len(steps)
    erased = any(step.label == ERASE_LABEL for step in stored[step_count:])
    if not erased or [*map(_get_step_identity, stored[:step_count])] != [*map(_get_step_identity, steps)]:
        raise _make_file_overwritten_error(store, head, len(stored))


def _make_file_overwritten_error(store: Store, head: JournalChecksum, stored_step_count: int) -> StorageError:
    return StorageError("file-overwritten", path=store.location.name, step=head.revision, stored=stored_step_count)


def _get_step_identity(step: Step) -> tuple[int, str, str, str]:
    return step.seq, step.at, step.station, step.label
