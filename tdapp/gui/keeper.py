"""Sees to it that the open file is copied: when it is opened, every few minutes with changes, on every round.

Hides the timer and where the second copies go. Copies before a pairing are the desk's own. Nothing waits for a
copy, and one that fails stops nothing: it is an open problem until the next one is made.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QObject, QTimer, Signal

from tdapp.domain.changes import Diff
from tdapp.domain.errors import StorageError
from tdapp.domain.model import Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.gui.core import Core
from tdapp.storage import Snapshots, Why

MINUTES = 5  # between two copies, unless chosen otherwise


class Keeper(QObject):
    """Keeps the snapshots of a session's file."""

    taken = Signal()  # a snapshot was made, or one could not be

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self._core = core
        self._copy_trouble: StorageError | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(partial(self.take, Why.TIME))
        core.opened.connect(self._begin)
        core.changed.connect(self._see)
        core.erased.connect(partial(self.take, Why.TIME))

    # --- what is chosen

    @property
    def minutes(self) -> int:
        """How many minutes may go by with changes."""
        return int(str(self._core.settings.value("snapshot-minutes", MINUTES)))

    @minutes.setter
    def minutes(self, minutes: int) -> None:
        self._core.settings.setValue("snapshot-minutes", minutes)
        self._timer.setInterval(minutes * 60_000)

    @property
    def second_folder(self) -> Path | None:
        """Where each round is copied to as well, None for nowhere."""
        folder = str(self._core.settings.value(self._folder_key(), ""))
        return Path(folder) if folder else None

    @second_folder.setter
    def second_folder(self, folder: Path | None) -> None:
        self._core.settings.setValue(self._folder_key(), str(folder or ""))
        self._copy_trouble = None
        if folder is not None:
            self.copy()
        self.taken.emit()

    def problems(self) -> tuple[Problem, ...]:
        """Return the copies that could not be made."""
        if not self._core.is_open:
            return ()
        found = {"snapshot-failed": self._core.desk.snapshot_trouble, "copy-failed": self._copy_trouble}
        return tuple(
            Problem(code, MappingProxyType({"why": self._core.catalogue.error(error)}), "history")
            for code, error in found.items()
            if error is not None
        )

    # --- doing it

    def take(self, why: Why) -> None:
        """Take a snapshot, unless the newest one is as new."""
        if self._keeps():
            self._core.run(partial(self._core.desk.snapshot, why), done=self.taken.emit)

    def name(self, name: str) -> None:
        """Take a snapshot under a name; what goes wrong is said."""
        desk = self._core.desk
        if desk.snapshots is not None:
            self._core.run(partial(desk.snapshots.take, desk.store, Why.NAMED, name), done=self.taken.emit)
            self.copy(aloud=True)

    def copy(self, *, aloud: bool = False) -> None:
        """Copy the file to the second folder, if one is chosen; `aloud`: say at once where that cannot be."""
        folder, path = self.second_folder, self._beside()
        if folder is None or path is None or not self._keeps():
            return
        desk = self._core.desk
        call = partial(Snapshots.of(path, folder).take, desk.store, Why.COPY)
        self._core.work.in_order(call, then=partial(self._copied, None), failed=partial(self._not_copied, aloud))

    def _copied(self, trouble: StorageError | None, _taken: object = None) -> None:
        self._copy_trouble = trouble
        self.taken.emit()

    def _not_copied(self, aloud: bool, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._copied(error)
        if aloud:
            words = self._core.catalogue
            said = words.text(
                "No second copy. {why} Put the stick in, or choose another folder.", why=words.error(error)
            )
            self._core.say(said, tone="red")

    def _begin(self) -> None:
        """Keep the file that was opened; a tournament in memory, or one that may not be changed, is not kept."""
        self._timer.stop()
        self._copy_trouble = None
        beside = self._beside()
        if self._keeps() and beside is not None:
            self._core.desk.snapshots = Snapshots.of(beside)
            self.take(Why.START)
            self._timer.start(self.minutes * 60_000)

    def _keeps(self) -> bool:
        return self._beside() is not None and not self._core.read_only

    def _beside(self) -> Path | None:
        """Return beside which file the snapshots are; those of a shared tournament are the director's."""
        core = self._core
        if core.path is not None or core.address is None:
            return core.path
        core.servers.folder.mkdir(parents=True, exist_ok=True)
        return core.servers.folder / f"{core.address.stem}.tdapp"

    def _see(self, diff: Diff) -> None:
        """Copy the file to the second folder when a round is published."""
        rows = (change.after for change in diff if change.kind == "rounds")
        if any(isinstance(row, Round) and row.state is RoundState.PUBLISHED for row in rows):
            self.copy()

    def _folder_key(self) -> str:
        return f"copies/{self._core.tournament.event.id}" if self._core.is_open else "copies/"
