"""What is asked for on paper, and how it becomes PDF; hides where all that a report may need comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from tdapp import reports
from tdapp.domain.errors import StorageError
from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.model import Division
from tdapp.domain.paper import Printing
from tdapp.exchange.presets import read_ratings, read_tilesets
from tdapp.gui.core import Core
from tdapp.i18n.catalogue import Catalogue
from tdapp.reports import printed
from tdapp.reports.logo import logo
from tdapp.reports.printed import PrintedCopy
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import short_words
from tdapp.storage.shelf import Shelf

_LISTING = "short-words"
_ASKING = frozenset({"doubtful-words", _LISTING})  # the reports that ask the word list


def page_size(core: Core) -> str:
    """Return the size of paper that is printed on here."""
    return str(core.settings.value("paper", "a4"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """All that decides what is printed."""

    report: str
    divisions: tuple[Division, ...]
    round: int | None
    language: str
    paper: str
    category: str = ""
    best: int | None = None
    columns: int | None = None
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Printed:
    """Papers as PDF, and how they are noted once they have left the program."""

    pdf: bytes
    printings: tuple[Printing, ...]


@dataclass(frozen=True, slots=True)
class Press:
    """All that a paper may be made from, as it is at a moment; `shelf` None: no word list may be asked."""

    index: Index
    resources: Path
    steps: tuple[Step, ...] = ()
    shelf: Shelf | None = None
    room: str = ""  # where the room's page is read
    now: Callable[[], datetime] = field(default=lambda: datetime.now().astimezone())

    def make(self, wanted: Sequence[Wanted], progress: Callable[[int, int], None] | None = None) -> Printed:
        """Return papers bound together, each as often as wanted; raise UserError where one cannot be made.

        `progress` hears how many pages are done, of how many; what it raises ends the work.
        """
        with self._lexicon(wanted) as wordlist:
            contexts = [(one, self._context(one, wordlist)) for one in wanted]
            papers = [(one.report, context) for one, context in contexts for _ in range(one.copies)]
            pdf = reports.bound(papers, progress=progress)
            noted = [row for one, context in contexts for row in printed.printings(one.report, context)]
            return Printed(pdf, tuple({row.id: row for row in noted}.values()))

    def standings(self) -> tuple[PrintedCopy, ...]:
        """Return how the papers stand that were printed and are still looked at."""
        return tuple(printed.standings(self.index, self._context_of))

    def again(self, rows: Sequence[Printing], paper: str) -> tuple[Wanted, ...]:
        """Return what is wanted to print papers again."""
        return tuple(self._wanted(row, paper) for row in rows)

    def _context_of(self, row: Printing) -> reports.Context:
        return self._context(self._wanted(row, "a4"), None)

    def _wanted(self, row: Printing, paper: str) -> Wanted:
        of = [one for one in self.index.divisions if row.division in {None, one.id}]
        return Wanted(row.report, tuple(of), row.round, row.language, paper, row.category, row.best)

    def _context(self, wanted: Wanted, wordlist: Lexicon | None) -> reports.Context:
        style = reports.load(self.resources / "fonts", paper=wanted.paper)
        context = reports.Context(
            self.index,
            wanted.divisions,
            Catalogue(wanted.language, self.resources / "locale"),
            replace(style, logo=logo(self.index.tournament)),
            self.now(),
            wanted.round,
            wanted.category,
            wanted.best,
            read_ratings(self.resources / "ratings"),
            self.steps,
            columns=wanted.columns,
            room=self.room,
        )
        if wanted.report not in _ASKING:
            return context
        if wanted.report == _LISTING:
            short = short_words(wordlist) if wordlist is not None else {}
            return replace(context, wordlist=wordlist, short_words=short)
        return replace(context, wordlist=wordlist, tilesets=read_tilesets(self.resources / "tilesets"))

    @contextmanager
    def _lexicon(self, wanted: Sequence[Wanted]) -> Iterator[Lexicon | None]:
        """Open the word list for this thread alone; None where nobody asks it or it is not on this computer."""
        edition = self.index.tournament.event.wordlist
        asked = any(one.report in _ASKING for one in wanted)
        try:
            opened = self.shelf.open(edition) if asked and self.shelf is not None and edition else None
        except StorageError:
            opened = None
        try:
            yield opened
        finally:
            if opened is not None:
                opened.close()
