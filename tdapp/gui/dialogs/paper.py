"""What is asked for on paper, and how it becomes PDF; hides where all that a report may need comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from tdapp import reports
from tdapp.domain.errors import StorageError
from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.model import Division
from tdapp.exchange.presets import read_ratings, read_tilesets
from tdapp.i18n.catalogue import Catalogue
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.shelf import Shelf

_ASKING = "doubtful-words"  # the report that asks the word list


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


def document(
    index: Index,
    wanted: Wanted,
    *,
    resources: Path,
    printed: datetime,
    steps: tuple[Step, ...] = (),
    shelf: Shelf | None = None,
) -> bytes:
    """Return the report as PDF; raise UserError where there is nothing to print.

    `shelf` None: no word list may be asked.
    """
    style = reports.load(resources / "fonts", paper=wanted.paper)
    words = Catalogue(wanted.language, resources / "locale")
    context = reports.Context(
        index,
        wanted.divisions,
        words,
        style,
        printed,
        wanted.round,
        wanted.category,
        wanted.best,
        read_ratings(resources / "ratings"),
        steps,
    )
    if wanted.report != _ASKING:
        return reports.render(wanted.report, context)
    with _asked(shelf, index.tournament.event.wordlist) as wordlist:
        context = replace(context, wordlist=wordlist, tilesets=read_tilesets(resources / "tilesets"))
        return reports.render(wanted.report, context)


@contextmanager
def _asked(shelf: Shelf | None, edition: str) -> Iterator[Lexicon | None]:
    """Open a word list for this thread alone; None where it is not on this computer."""
    try:
        opened = shelf.open(edition) if shelf is not None and edition else None
    except StorageError:
        opened = None
    try:
        yield opened
    finally:
        if opened is not None:
            opened.close()
