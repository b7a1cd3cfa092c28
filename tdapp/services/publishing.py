"""Writes the web pages again after each round, to a folder and, if wished, to a second one.

Nothing waits for it, and what fails stops nothing: it is an open problem until the pages are written again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.model import Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.tournament import Diff, Tournament
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import chosen
from tdapp.services.worker import Task, expected, ignore
from tdapp.web.site import Site, Templates
from tdapp.web.site_folder import write_folder

FOLDERS = ("first", "second")


class PublishingService:
    """Writes the pages of an open tournament."""

    def __init__(self, tournament: OpenTournament, *, changed: Callable[[], None]) -> None:
        """Call `changed` when the pages were written, or could not be."""
        self._open = tournament
        self._changed = changed
        self._error: UserError | None = None
        self._busy = False
        self._again = False

    # --- what is chosen

    def folder(self, which: str) -> Path | None:
        """Return where the pages go, None for nowhere; `which` is one of FOLDERS."""
        found = str(self._open.settings.value(self._key(which), ""))
        return Path(found) if found else None

    def choose(self, which: str, folder: Path | None) -> None:
        """Write the pages to a folder from now on, or no longer."""
        self._open.settings.setValue(self._key(which), str(folder or ""))
        self._error = None
        self._changed()

    @property
    def language(self) -> str:
        """The language of the pages: the window's unless another is chosen."""
        return chosen(self._open.settings, self._key("language"), LANGUAGES, self._open.catalogue.language)

    @language.setter
    def language(self, language: str) -> None:
        self._open.settings.setValue(self._key("language"), language)

    def problems(self) -> tuple[Problem, ...]:
        """Return why the pages could not be written, if so."""
        if self._error is None or not self._open.is_open:
            return ()
        why = MappingProxyType({"why": self._open.catalogue.error(self._error)})
        return (Problem("site-failed", why, "tournament"),)

    # --- doing it

    def write(self, done: Callable[[int], None] | None = None) -> None:
        """Write the pages now; `done` is called with the number of files."""
        folders = [folder for which in FOLDERS if (folder := self.folder(which)) is not None]
        if not folders or not self._open.is_open:
            return
        if self._busy:
            self._again = True
            return
        self._busy = True
        opened = self._open
        task = Task(opened.catalogue.text("Writing the web pages"))
        catalogue = Catalogue(self.language, opened.resources / "locale")
        call = partial(
            write_pages, opened.tournament, catalogue, opened.resources / "site", folders, task.progress
        )
        then, stopped = partial(self._done, done), partial(self._end, None)
        opened.compute(call, then=then, label=task.label, failed=self._failed, task=task, stopped=stopped)

    def _done(self, done: Callable[[int], None] | None, count: int) -> None:
        self._end(None)
        if done is not None:
            done(count)

    def _failed(self, error: Exception) -> None:
        self._end(error if isinstance(error, UserError) else None)
        expected(error)

    def _end(self, error: UserError | None) -> None:
        self._busy, self._error = False, error
        self._changed()
        if self._again:
            self._again = False
            self.write()

    def begin(self) -> None:
        """Begin with another tournament."""
        self._error, self._again = None, False

    def see(self, diff: Diff) -> None:
        """Write the pages when a round is published, or a change leaves no result of the published ones out."""
        if self.folder("first") is None and self.folder("second") is None:
            return
        rows = (change.after for change in diff if change.kind == "rounds")
        published = any(isinstance(row, Round) and row.state is RoundState.PUBLISHED for row in rows)
        results = any(change.kind == "results" for change in diff)
        if published or (results and complete(self._open.index)):
            self.write()

    def _key(self, which: str) -> str:
        return f"site/{self._open.tournament.event.id}/{which}" if self._open.is_open else f"site//{which}"


def complete(index: Index) -> bool:
    """Return whether no result of a published round is out."""
    return not any(
        index.open_games(item.id) for division in index.divisions for item in index.published(division.id)
    )


def write_pages(
    tournament: Tournament,
    catalogue: Catalogue,
    templates: Path,
    folders: Sequence[Path],
    progress: Callable[[int, int], None] = ignore,
) -> int:
    """Write a tournament's pages to each of `folders` and return how many files; raise InputError."""
    site = Site(tournament, catalogue, Templates(templates))
    total = len(site.names) * (len(folders) + 1)
    files = []
    for count, file in enumerate(site.files(), 1):
        progress(count, total)
        files.append(file)
    for folder in folders:
        write_folder(folder, files)
    return len(files)
