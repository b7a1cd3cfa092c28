"""Knows which printouts have become stale; notes what is printed.

Hides when it is looked: in the pool, a moment after the last change, and only where something was printed at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType

from tdapp.domain import commands
from tdapp.domain.changes import Diff
from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.paper import Printout, PrintoutId
from tdapp.domain.problems import Problem
from tdapp.domain.tournament import Tournament
from tdapp.reports.printed import PrintedCopy, PrintState, name, watched
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.printing import PrintedPdf, PrintRequest, PrintService, from_library
from tdapp.services.resources import Resources
from tdapp.services.serving import ServingService
from tdapp.services.worker import Task

PATIENCE = 700  # ms after the last change
_ASIDE = frozenset({"papers", "logos"})  # kinds of rows that no printout's words depend on


class PrintoutWatch:
    """Keeps watch over the printouts of an open tournament."""

    def __init__(
        self,
        tournament: OpenTournament,
        serving: ServingService,
        *,
        changed: Callable[[], None],
        look_later: Callable[[], None],
    ) -> None:
        """Call `changed` when others are stale, and `look_later` for `look` a moment after it was asked last."""
        self._open = tournament
        self._serving = serving
        self._changed = changed
        self._look_later = look_later
        self._resources = Resources(tournament.resources)
        self._standings: tuple[PrintedCopy, ...] = ()

    @property
    def page_size(self) -> str:
        """The size of paper that is printed on here."""
        return str(self._open.settings.value("paper", "a4"))

    # --- what is known

    def stale(self) -> tuple[PrintedCopy, ...]:
        """Return the printouts that must be printed again."""
        return tuple(one for one in self._standings if one.state is PrintState.STALE)

    def state(self, printing: PrintoutId) -> PrintState:
        """Return how a printout stands; one that nobody looks at any more is out."""
        known = {one.printing.id: one.state for one in self._standings}
        return known.get(printing, PrintState.PRINTED)

    def problems(self) -> tuple[Problem, ...]:
        """Return one problem for the stale printouts, which are printed again or waived on the Printouts page."""
        if not self._open.is_open:
            return ()
        divisions = self._open.tournament.divisions
        rows = [one.printing for one in self.stale() if one.printing.division in {None, *divisions}]
        if not rows:
            return ()
        papers = "; ".join(name(row, self._open.catalogue, divisions) for row in rows)
        facts = MappingProxyType({"paper": papers, "n": len(rows)})
        return (Problem("paper-stale", facts, "papers", rows[0].id),)

    def print_service(self) -> PrintService:
        """Return the print service of the tournament now; nothing about words while players are judged."""
        opened = self._open
        edition = "" if opened.judging else opened.tournament.event.wordlist
        word_list = partial(from_library, opened.library, edition)
        return PrintService(opened.index, self._resources, opened.desk.history(), word_list, self._serving.url)

    def requests_again(self) -> tuple[PrintRequest, ...]:
        """Return the requests that print what is stale again."""
        return self.print_service().again([one.printing for one in self.stale()], self.page_size)

    def make(self, requests: Sequence[PrintRequest], *, then: Callable[[PrintedPdf], None]) -> None:
        """Make what is asked for in the background."""
        task = Task(self._open.catalogue.text("Making the pages…"))
        call = partial(self.print_service().make, requests, task.progress)
        self._open.compute(call, then=then, label=task.label, task=task)

    # --- what is said

    def note(self, printouts: Sequence[Printout]) -> None:
        """Note that printouts have left the program; where nothing may be noted, nothing is said of it."""
        self._do(partial(commands.note_printouts, printouts=tuple(printouts)))

    def waive(self, standings: Sequence[PrintedCopy]) -> None:
        """Note that stale printouts need not be printed again, as they are now."""
        waived = tuple((one.printing.id, one.now) for one in standings)
        self._do(partial(commands.waive_printouts, printouts=waived))

    def look(self) -> None:
        """Look now."""
        opened = self._open
        if not opened.is_open:
            return
        if not watched(opened.index):
            self._take(opened.index, ())
            return
        call = self.print_service().standings
        opened.work.aside(call, then=partial(self._take, opened.index))

    def _do(self, command: partial[Tournament]) -> None:
        if not self._open.read_only:
            self._open.do(command, done=self.look, quiet=True, refused=_is_quiet)

    def _take(self, index: Index, standings: tuple[PrintedCopy, ...]) -> None:
        if not self._open.is_open or index is not self._open.index:
            return  # the tournament is another by now: it is looked again
        changed, self._standings = standings != self._standings, standings
        if changed:
            self._changed()

    def begin(self) -> None:
        """Watch another tournament."""
        self._standings = ()
        if self._open.is_open:
            self.look()

    def see(self, diff: Diff) -> None:
        """Look again a moment after what may change a printout."""
        if not diff or any(change.kind not in _ASIDE for change in diff):
            self._look_later()


def _is_quiet(_error: UserError) -> bool:
    """Take a refusal for an answer: who may not write has printed all the same."""
    return True
