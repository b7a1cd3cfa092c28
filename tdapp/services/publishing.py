"""Writes the web pages again after each round, to a folder or two, and runs commands that bring them elsewhere.

Nothing waits for it, and what fails stops nothing: it is an open problem until the pages are published again. What
is chosen is chosen for this computer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType

from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.model import Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.tournament import Diff, Tournament
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.featured_service import FeaturingService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import chosen
from tdapp.services.uploading import Commands, read_commands, upload
from tdapp.services.worker import Task, expected, ignore
from tdapp.web.site_folder import write_folder

FOLDERS = ("first", "second")
_SAID = 200  # characters of what went wrong that are said; the open problem has all


class PublishingService:
    """Writes the pages of an open tournament."""

    def __init__(
        self, tournament: OpenTournament, featuring: FeaturingService, *, changed: Callable[[], None]
    ) -> None:
        """Call `changed` when the pages were written, or could not be."""
        self._open, self._featuring = tournament, featuring
        self._held = False  # whether a result was held back when the pages were written last
        self._changed = changed
        self._error: UserError | None = None
        self._busy = False
        self._again = False
        self._task: Task | None = None

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
    def commands(self) -> str:
        """The commands that are run once the pages are written, one a line."""
        return str(self._open.settings.value(self._key("commands"), ""))

    @commands.setter
    def commands(self, commands: str) -> None:
        """Run other commands from now on; raise UserError where one cannot be read."""
        read_commands(commands)
        self._open.settings.setValue(self._key("commands"), commands.strip())
        self._error = None
        self._changed()

    @property
    def address(self) -> str:
        """Where the pages will be read, for links to them; empty where that is not known."""
        return str(self._open.settings.value(self._key("address"), ""))

    @address.setter
    def address(self, address: str) -> None:
        """Name another address from now on; raise RuleViolation where it is none."""
        from tdapp.web.site import site_address  # noqa: PLC0415 - as below

        self._open.settings.setValue(self._key("address"), site_address(address))

    @property
    def targets(self) -> tuple[Path, ...]:
        """The folders that the pages are written to: those chosen, or one of our own for commands alone."""
        chosen_ones = tuple(folder for which in FOLDERS if (folder := self.folder(which)) is not None)
        if chosen_ones or not self.commands:
            return chosen_ones
        event = blake2b(self._open.tournament.event.id.encode(), digest_size=8).hexdigest()
        return (self._open.library.folder.parent / "sites" / event,)

    @property
    def published_at(self) -> datetime | None:
        """When the pages were published last, in UTC; None for never."""
        try:
            return datetime.fromisoformat(str(self._open.settings.value(self._key("at"), ""))).astimezone(UTC)
        except ValueError:
            return None

    @property
    def is_on(self) -> bool:
        """Whether pages are published after each round."""
        return self._open.is_open and bool(self.targets)

    def age_text(self) -> str:
        """Return how old the published pages are, nothing where none are published after each round."""
        text, at = self._open.catalogue.text, self.published_at
        if not self.is_on:
            return ""
        if at is None:
            return text("Web pages: never published")
        return text("Web pages: {ago}", ago=self._open.catalogue.ago(datetime.now(UTC) - at))

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
        """Publish the pages now; `done` is called with the number of files."""
        if not self.is_on:
            return
        if self._busy:
            self._again = True
            return
        self._busy = True
        opened, folders = self._open, self.targets
        task = Task(opened.catalogue.text("Writing the web pages"))
        catalogue = opened.resources.words(self.language)
        value = self._featuring.public()
        self._held = value is not opened.tournament
        call = partial(
            write_pages, value, catalogue, opened.resources.folder / "site", folders, task.progress,
            address=self.address,
        )  # fmt: skip
        then = partial(self._upload, done, read_commands(self.commands), folders[0], self._key("at"))
        stopped = partial(self._end, self._error)
        opened.compute(call, then=then, label=task.label, failed=self._failed, task=task, stopped=stopped)

    def _upload(
        self, done: Callable[[int], None] | None, commands: Commands, folder: Path, key: str, count: int
    ) -> None:
        """Run the commands; nobody waits for them."""
        self._task = task = Task("")
        call = partial(upload, commands, folder, partial(task.progress, 0, 1))
        then, stopped = partial(self._done, done, key, count), partial(self._end, self._error)
        self._open.compute(call, then=then, label="", failed=self._failed, task=task, stopped=stopped)

    def _done(self, done: Callable[[int], None] | None, key: str, count: int, _none: None) -> None:
        self._open.settings.setValue(key, datetime.now(UTC).isoformat(timespec="seconds"))
        self._end(None)
        if done is not None:
            done(count)

    def _failed(self, error: Exception) -> None:
        news = self._error is None
        self._end(error if isinstance(error, UserError) else None)
        if news and (found := self.problems()):
            sentence = self._open.catalogue.problem(found[0].code, found[0].facts)
            self._open.say(shorten(sentence, _SAID, placeholder="…"), tone="red")
        expected(error)

    def _end(self, error: UserError | None) -> None:
        self._busy, self._error, self._task = False, error, None
        self._changed()
        if self._again:
            self._again = False
            self.write()

    def stop(self) -> None:
        """End what is still being brought elsewhere."""
        if self._task is not None:
            self._task.cancel()

    def begin(self) -> None:
        """Begin with another tournament."""
        self._error, self._again, self._held = None, False, False

    def see(self, diff: Diff) -> None:
        """Write the pages when a round is published, or a change leaves no result of the published ones out."""
        if self.is_on and worth_publishing(diff, self._open.index):
            self.write()

    def look(self) -> None:
        """Write the pages again once a result that was held back is public."""
        if self._held and self._open.is_open and self._featuring.public() is self._open.tournament:
            self.write()

    def _key(self, which: str) -> str:
        return f"site/{self._open.tournament.event.id}/{which}" if self._open.is_open else f"site//{which}"


def worth_publishing(diff: Diff, index: Index) -> bool:
    """Return whether a change publishes a round, or leaves no result of the published ones out."""
    rows = (change.after for change in diff if change.kind == "rounds")
    published = any(isinstance(row, Round) and row.state is RoundState.PUBLISHED for row in rows)
    return published or (any(change.kind == "results" for change in diff) and complete(index))


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
    *,
    address: str = "",
) -> int:
    """Write a tournament's pages, to be read at `address`, to each of `folders`; return how many files.

    Raises InputError where a folder cannot be written.
    """
    from tdapp.web.site import Site, Templates  # noqa: PLC0415 - a window opens without it

    site = Site(tournament, catalogue, Templates(templates), address=address)
    total = len(site.names) * (len(folders) + 1)
    files = []
    for count, file in enumerate(site.files(), 1):
        progress(count, total)
        files.append(file)
    for folder in folders:
        write_folder(folder, files)
    return len(files)
