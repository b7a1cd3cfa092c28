"""Knows which papers are out and which of them have become stale; notes what is printed.

Hides when it is looked: in the pool, a moment after the last change, and only where something was printed at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QObject, QTimer, Signal

from tdapp.domain import commands
from tdapp.domain.changes import Diff
from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.paper import Printing, PrintingId
from tdapp.domain.problems import Problem
from tdapp.domain.tournament import Tournament
from tdapp.gui.core import Core
from tdapp.gui.press import Press
from tdapp.gui.serving import Serving
from tdapp.reports.printed import PrintedCopy, PrintState, name, watched

PATIENCE = 700  # ms after the last change
_ASIDE = frozenset({"papers", "logos"})  # kinds of rows that no paper's words depend on


class PaperWatch(QObject):
    """Keeps watch over a session's papers."""

    found = Signal()  # it was looked, and something is otherwise than before

    def __init__(self, core: Core, serving: Serving) -> None:
        super().__init__(core)
        self._core = core
        self._serving = serving
        self._standings: tuple[PrintedCopy, ...] = ()
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE)
        self._timer.timeout.connect(self.look)
        core.opened.connect(self._begin)
        core.changed.connect(self._see)

    # --- what is known

    def stale(self) -> tuple[PrintedCopy, ...]:
        """Return the papers that must be printed again."""
        return tuple(one for one in self._standings if one.state is PrintState.STALE)

    def state(self, printing: PrintingId) -> PrintState:
        """Return how a paper stands; one that nobody looks at any more is out."""
        known = {one.printing.id: one.state for one in self._standings}
        return known.get(printing, PrintState.PRINTED)

    def problems(self) -> tuple[Problem, ...]:
        """Return one problem for the stale papers, which are printed again or waived in the Papers place."""
        if not self._core.is_open:
            return ()
        divisions = self._core.tournament.divisions
        rows = [one.printing for one in self.stale() if one.printing.division in {None, *divisions}]
        if not rows:
            return ()
        papers = "; ".join(name(row, self._core.catalogue, divisions) for row in rows)
        facts = MappingProxyType({"paper": papers, "n": len(rows)})
        return (Problem("paper-stale", facts, "papers", rows[0].id),)

    def press(self) -> Press:
        """Return the press for the tournament as it stands; nothing about words while players are judged."""
        core = self._core
        shelf = None if core.judging else core.shelf
        return Press(core.index, core.resources, core.desk.history(), shelf, self._serving.url)

    # --- what is said

    def note(self, printings: Sequence[Printing]) -> None:
        """Note that papers have left the program; where nothing may be noted, nothing is said of it."""
        self._do(partial(commands.note_printings, printings=tuple(printings)))

    def waive(self, standings: Sequence[PrintedCopy]) -> None:
        """Note that stale papers need not be printed again, as they are now."""
        waived = tuple((one.printing.id, one.now) for one in standings)
        self._do(partial(commands.waive_printings, printings=waived))

    def look(self) -> None:
        """Look now."""
        self._timer.stop()
        core = self._core
        if not core.is_open:
            return
        if not watched(core.index):
            self._take(core.index, ())
            return
        call = self.press().standings
        core.work.aside(call, then=partial(self._take, core.index))

    def _do(self, command: partial[Tournament]) -> None:
        if not self._core.read_only:
            self._core.do(command, done=self.look, quiet=True, refused=_is_quiet)

    def _take(self, index: Index, standings: tuple[PrintedCopy, ...]) -> None:
        if not self._core.is_open or index is not self._core.index:
            return  # the tournament is another by now: it is looked again
        changed, self._standings = standings != self._standings, standings
        if changed:
            self.found.emit()

    def _begin(self) -> None:
        self._standings = ()
        self._timer.stop()
        if self._core.is_open:
            self.look()

    def _see(self, diff: Diff) -> None:
        if not diff or any(change.kind not in _ASIDE for change in diff):
            self._timer.start()


def _is_quiet(_error: UserError) -> bool:
    """Take a refusal for an answer: who may not write has printed all the same."""
    return True
