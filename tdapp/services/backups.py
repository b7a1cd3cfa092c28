"""Copies the open file: when it is opened, every few minutes with changes, on every round.

Hides where the second copies go. Copies before a pairing are the desk's own. Nothing waits for a copy, and one
that fails stops nothing: it is an open problem until the next one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import MappingProxyType

from tdapp.domain.errors import StorageError
from tdapp.domain.model import Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Diff
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import number
from tdapp.storage import Snapshots, Why

MINUTES = 5  # between two copies, unless chosen otherwise
LONGEST_WAIT = 240  # minutes


class BackupService:
    """Keeps the snapshots of an open tournament's file."""

    def __init__(
        self, tournament: OpenTournament, *, changed: Callable[[], None], every: Callable[[int], None]
    ) -> None:
        """Call `changed` after each attempt, and ask `every` to call `take_in_time` every so many ms."""
        self._open = tournament
        self._changed = changed
        self._every = every
        self._copy_error: StorageError | None = None

    # --- what is chosen

    @property
    def minutes(self) -> int:
        """How many minutes may go by with changes."""
        return number(self._open.settings, "snapshot-minutes", MINUTES, most=LONGEST_WAIT)

    @minutes.setter
    def minutes(self, minutes: int) -> None:
        self._open.settings.setValue("snapshot-minutes", minutes)
        if self._keeps():
            self._every(minutes * 60_000)

    @property
    def second_folder(self) -> Path | None:
        """Where each round is copied to as well, None for nowhere."""
        folder = str(self._open.settings.value(self._folder_key(), ""))
        return Path(folder) if folder else None

    @second_folder.setter
    def second_folder(self, folder: Path | None) -> None:
        self._open.settings.setValue(self._folder_key(), str(folder or ""))
        self._copy_error = None
        if folder is not None:
            self.copy()
        self._changed()

    def problems(self) -> tuple[Problem, ...]:
        """Return the copies that could not be made."""
        if not self._open.is_open:
            return ()
        found = {"snapshot-failed": self._open.desk.snapshot_error, "copy-failed": self._copy_error}
        return tuple(
            Problem(code, MappingProxyType({"why": self._open.catalogue.error(error)}), "history")
            for code, error in found.items()
            if error is not None
        )

    # --- doing it

    def take(self, why: Why) -> None:
        """Take a snapshot, unless the newest one is as new."""
        if self._keeps():
            self._open.ask(partial(self._open.desk.snapshot, why), then=self._taken)

    def take_in_time(self) -> None:
        """Take the snapshot of every few minutes."""
        self.take(Why.TIME)

    def name(self, name: str) -> None:
        """Take a snapshot under a name; an error is shown."""
        desk = self._open.desk
        if desk.snapshots is not None:
            self._open.ask(partial(desk.snapshots.take, desk.store, Why.NAMED, name), then=self._taken)
            self.copy(aloud=True)

    def copy(self, *, aloud: bool = False) -> None:
        """Copy the file to the second folder, if one is chosen; `aloud`: show at once that it failed."""
        folder, path = self.second_folder, self._beside()
        if folder is None or path is None or not self._keeps():
            return
        desk = self._open.desk
        call = partial(Snapshots.of(path, folder).take, desk.store, Why.COPY)
        self._open.ask(call, then=partial(self._copied, None), failed=partial(self._not_copied, aloud))

    def _taken(self, _snapshot: object) -> None:
        self._changed()

    def _copied(self, error: StorageError | None, _taken: object = None) -> None:
        self._copy_error = error
        self._changed()

    def _not_copied(self, aloud: bool, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._copied(error)
        if aloud:
            catalogue = self._open.catalogue
            text = catalogue.text(
                "No second copy. {why} Put the stick in, or choose another folder.", why=catalogue.error(error)
            )
            self._open.say(text, tone="red")

    def begin(self) -> None:
        """Keep the file that was opened; a tournament in memory, or one that may not be changed, is not kept."""
        self._every(0)
        self._copy_error = None
        beside = self._beside()
        if self._keeps() and beside is not None:
            self._open.desk.snapshots = Snapshots.of(beside)
            self.take(Why.START)
            self._every(self.minutes * 60_000)

    def _keeps(self) -> bool:
        opened = self._open
        return self._beside() is not None and not opened.read_only and opened.desk.role is not Role.DISPLAY

    def _beside(self) -> Path | None:
        """Return beside which file the snapshots are; those of a shared tournament are the director's."""
        opened = self._open
        if opened.path is not None or opened.address is None:
            return opened.path
        opened.servers.folder.mkdir(parents=True, exist_ok=True)
        return opened.servers.beside(opened.address)

    def see(self, diff: Diff) -> None:
        """Copy the file to the second folder when a round is published."""
        rows = (change.after for change in diff if change.kind == "rounds")
        if any(isinstance(row, Round) and row.state is RoundState.PUBLISHED for row in rows):
            self.copy()

    def _folder_key(self) -> str:
        return f"copies/{self._open.tournament.event.id}" if self._open.is_open else "copies/"
