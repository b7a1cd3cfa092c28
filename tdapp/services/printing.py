"""The print service: what is asked for becomes PDF; hides where all that a report may need comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime

from tdapp import reports
from tdapp.domain.errors import StorageError
from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.model import Division
from tdapp.domain.paper import Paper, Printout
from tdapp.reports import printed
from tdapp.reports.logo import logo
from tdapp.reports.printed import PrintedCopy
from tdapp.services.resources import Resources
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import short_words
from tdapp.storage.library import Library

_LISTING = "short-words"
_ASKING = frozenset({"doubtful-words", _LISTING})  # the reports that ask the word list
WordList = AbstractContextManager[Lexicon | None]


@dataclass(frozen=True, slots=True)
class PrintRequest:
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

    def of(self, paper: Paper) -> PrintRequest:
        """Return the same of a report as it is chosen for a moment of the tournament."""
        return replace(
            self,
            report=paper.report,
            language=paper.language or self.language,
            paper=paper.page,
            columns=paper.columns,
            copies=paper.copies,
        )


@dataclass(frozen=True, slots=True)
class PrintedPdf:
    """Reports as PDF, and how they are noted once they have left the program."""

    pdf: bytes
    printouts: tuple[Printout, ...]


@dataclass(frozen=True, slots=True)
class PrintService:
    """All that a report may be made from, as it is at a moment; `word_list` opens one for this thread alone."""

    index: Index
    resources: Resources
    steps: tuple[Step, ...] = ()
    word_list: Callable[[], WordList] = nullcontext
    room: str = ""  # where the room's page is read
    now: Callable[[], datetime] = field(default=lambda: datetime.now().astimezone())

    def make(
        self, requests: Sequence[PrintRequest], progress: Callable[[int, int], None] | None = None
    ) -> PrintedPdf:
        """Return reports bound together, each as often as wanted; raise UserError where one cannot be made.

        `progress` hears how many pages are done, of how many; what it raises ends the work.
        """
        asked = any(one.report in _ASKING for one in requests)
        with self.word_list() if asked else nullcontext() as wordlist:
            contexts = [(one, self._context(one, wordlist)) for one in requests]
            bound = [(one.report, context) for one, context in contexts for _ in range(one.copies)]
            pdf = reports.bound(bound, progress=progress)
            noted = [row for one, context in contexts for row in printed.printouts(one.report, context)]
            return PrintedPdf(pdf, tuple({row.id: row for row in noted}.values()))

    def standings(self) -> tuple[PrintedCopy, ...]:
        """Return how the reports stand that were printed and are still looked at."""
        return tuple(printed.standings(self.index, self._context_of))

    def again(self, rows: Sequence[Printout], paper: str) -> tuple[PrintRequest, ...]:
        """Return the requests that print reports again."""
        return tuple(self._request(row, paper) for row in rows)

    def _context_of(self, row: Printout) -> reports.Context:
        return self._context(self._request(row, "a4"), None)

    def _request(self, row: Printout, paper: str) -> PrintRequest:
        of = tuple(one for one in self.index.divisions if row.division in {None, one.id})
        return PrintRequest(row.report, of, row.round, row.language, paper, row.category, row.best)

    def _context(self, request: PrintRequest, wordlist: Lexicon | None) -> reports.Context:
        style = reports.load(self.resources.folder / "fonts", paper=request.paper)
        wordlist = wordlist if request.report in _ASKING else None
        listed = short_words(wordlist) if wordlist is not None and request.report == _LISTING else {}
        return reports.Context(
            self.index,
            request.divisions,
            self.resources.words(request.language),
            replace(style, logo=logo(self.index.tournament)),
            self.now(),
            request.round,
            request.category,
            request.best,
            self.resources.ratings,
            self.steps,
            wordlist=wordlist,
            tilesets=self.resources.tilesets if request.report in _ASKING else {},
            columns=request.columns,
            short_words=listed,
            room=self.room,
        )


def from_library(library: Library, edition: str) -> WordList:
    """Open an edition of this computer; nothing where it is not there."""
    try:
        return library.open(edition) if edition else nullcontext()
    except StorageError:
        return nullcontext()
