"""Write web pages to a folder on request, and to one or two chosen folders after each round.

The settings are stored on this computer.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import mkdtemp
from textwrap import shorten
from types import MappingProxyType

from tdapp.domain.errors import InputError, UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.tournament import Diff, Tournament
from tdapp.exchange.text import make_write_error
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import read_choice
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise, ignore_values

FORMAT = "html"  # the export of web pages
MARKER_FILE = "tdapp-site.txt"  # marks folders that may be replaced
_MARKER_TEXT = b"This folder was written by tdapp and is replaced whenever it writes the site again.\n"


def replace_folder_content(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Make `folder` contain exactly `files` and return their number.

    Hidden entries such as `.git` stay. Raises InputError if another program filled the folder, or if it cannot
    be written.
    """
    folder = folder.absolute()
    if _has_foreign_files(folder):
        raise InputError("site-folder-taken", source=folder.name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        new_folder = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            count = _write_files(new_folder, files)
            _replace_folder(new_folder, folder)
        finally:
            shutil.rmtree(new_folder, ignore_errors=True)
    except OSError as error:
        raise make_write_error(folder, error) from error
    return count


def choose_folder_or_subfolder(folder: Path, subfolder: str) -> Path:
    """Return `folder`, or its subfolder `subfolder` if `folder` contains files of another program."""
    return folder / subfolder if _has_foreign_files(folder) else folder


def _has_foreign_files(folder: Path) -> bool:
    try:
        return folder.exists() and (
            not folder.is_dir()
            or (any(map(_has_no_leading_dot, folder.iterdir())) and not (folder / MARKER_FILE).exists())
        )
    except OSError as error:
        problem = error.strerror or str(error)
        raise InputError("site-folder-unreadable", source=folder.name, problem=problem) from error


def _has_no_leading_dot(path: Path) -> bool:
    return not path.name.startswith(".")


def _write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    folder.chmod(0o755)  # a web server runs as another user
    (folder / MARKER_FILE).write_bytes(_MARKER_TEXT)
    names = []
    for name, content in files:
        (folder / name).write_bytes(content)
        names.append(name)
    return len(names)


def _replace_folder(new_folder: Path, folder: Path) -> None:
    old = new_folder.with_name(f"{new_folder.name}-old")
    if folder.exists():
        folder.rename(old)
    try:
        new_folder.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    for hidden in [*old.glob(".*")]:
        hidden.rename(folder / hidden.name)
    shutil.rmtree(old, ignore_errors=True)


FOLDERS = ("first", "second")
_MAX_MESSAGE = 200  # maximum length of an error message; `problems` has the full text


class PublishingService:
    """Writes the web pages of an open tournament."""

    def __init__(
        self, tournament: OpenTournament, featuring: FeaturedTableService, *, on_change: Callable[[], None]
    ) -> None:
        self._open, self._featuring = tournament, featuring
        self.targets: tuple[Path, ...] = ()  # the folders to write to
        self._has_delayed_results = False  # whether the last written pages omitted a delayed result
        self._on_change = on_change
        self._error: UserError | None = None
        self._is_busy = False
        self._is_repeat_requested = False
        self._task: BackgroundTask | None = None

    # --- settings

    def get_target_folder(self, target: str) -> Path | None:
        """Return the folder chosen for `target` (an item of FOLDERS), or None."""
        path = str(self._open.settings.value(self._make_setting_key(target), ""))
        return Path(path) if path else None

    def set_target_folder(self, target: str, folder: Path | None) -> None:
        self._open.settings.setValue(self._make_setting_key(target), str(folder or ""))
        self.targets, self._error = self._list_target_folders(), None
        self._on_change()

    @property
    def upload_commands_text(self) -> str:
        return str(self._open.settings.value(self._make_setting_key("commands"), ""))

    @upload_commands_text.setter
    def upload_commands_text(self, commands: str) -> None:
        from tdapp.services.uploading import parse_upload_commands  # noqa: PLC0415 - as below

        parse_upload_commands(commands)
        self._open.settings.setValue(self._make_setting_key("commands"), commands.strip())
        self.targets, self._error = self._list_target_folders(), None
        self._on_change()

    @property
    def site_address(self) -> str:
        """URL of the pages, "" if unknown. Setting an invalid URL raises CommandError."""
        return str(self._open.settings.value(self._make_setting_key("address"), ""))

    @site_address.setter
    def site_address(self, address: str) -> None:
        from tdapp.web.site import parse_site_url  # noqa: PLC0415 - as below

        self._open.settings.setValue(self._make_setting_key("address"), parse_site_url(address))

    def _list_target_folders(self) -> tuple[Path, ...]:
        """Return the chosen folders, or a folder of the program if the director only set upload commands."""
        if not self._open.is_open:
            return ()
        chosen_folders = tuple(
            folder for target in FOLDERS if (folder := self.get_target_folder(target)) is not None
        )
        if chosen_folders or not self.upload_commands_text:
            return chosen_folders
        event = blake2b(self._open.tournament.event.id.encode(), digest_size=8).hexdigest()
        return (self._open.library.folder.parent / "sites" / event,)

    @property
    def published_at(self) -> datetime | None:
        """Time of the last publication in UTC, or None."""
        try:
            return datetime.fromisoformat(
                str(self._open.settings.value(self._make_setting_key("at"), ""))
            ).astimezone(UTC)
        except ValueError:
            return None

    @property
    def is_publishing_on(self) -> bool:
        return bool(self.targets)

    def describe_page_age(self) -> str:
        text, time = self._open.catalogue.text, self.published_at
        if not self.is_publishing_on:
            return ""
        if time is None:
            return text("Web pages have never been published")
        return text(
            "Web pages published {ago}", ago=self._open.catalogue.format_time_ago(datetime.now(UTC) - time)
        )

    @property
    def language(self) -> str:
        return read_choice(
            self._open.settings, self._make_setting_key("language"), LANGUAGES, self._open.catalogue.language
        )

    @language.setter
    def language(self, language: str) -> None:
        self._open.settings.setValue(self._make_setting_key("language"), language)

    def problems(self) -> tuple[Problem, ...]:
        if self._error is None or not self._open.is_open:
            return ()
        facts = MappingProxyType({"why": self._open.catalogue.describe_error(self._error)})
        return (Problem("site-failed", facts, "tournament"),)

    # --- actions

    def publish_pages(self, on_success: Callable[[int], None] | None = None) -> None:
        from tdapp.services.uploading import parse_upload_commands, run_upload_commands  # noqa: PLC0415 - as below

        if not self.is_publishing_on:
            return
        if self._is_busy:
            self._is_repeat_requested = True
            return
        self._is_busy = True
        tournament, folders = self._open, self.targets
        task = BackgroundTask(tournament.catalogue.text("Writing the web pages"))
        catalogue = tournament.resources.load_catalogue(self.language)
        value = self._featuring.make_public_tournament()
        self._has_delayed_results = value is not tournament.tournament
        call = partial(
            write_web_pages, value, catalogue, tournament.resources.folder / "site", folders, task.report_progress,
            address=self.site_address,
        )  # fmt: skip
        upload = partial(
            self._upload_pages,
            on_success,
            partial(run_upload_commands, parse_upload_commands(self.upload_commands_text), folders[0]),
            self._make_setting_key("at"),
        )
        on_stop = partial(self._finish_publishing, self._error)
        tournament.run_in_background(
            call, on_success=upload, label=task.label, on_error=self._finish_with_error, task=task, on_stop=on_stop
        )

    def _upload_pages(
        self,
        on_success: Callable[[int], None] | None,
        upload: partial[None],
        key: str,
        count: int,
    ) -> None:
        self._task = task = BackgroundTask("")
        call = partial(upload, partial(task.report_progress, 0, 1))
        record = partial(self._record_publishing, on_success, key, count)
        on_stop = partial(self._finish_publishing, self._error)
        self._open.run_in_background(
            call, on_success=record, label="", on_error=self._finish_with_error, task=task, on_stop=on_stop
        )

    def _record_publishing(
        self, on_success: Callable[[int], None] | None, key: str, count: int, _result: None
    ) -> None:
        self._open.settings.setValue(key, datetime.now(UTC).isoformat(timespec="seconds"))
        self._finish_publishing(None)
        if on_success is not None:
            on_success(count)

    def _finish_with_error(self, error: Exception) -> None:
        is_new_error = self._error is None
        self._finish_publishing(error if isinstance(error, UserError) else None)
        if is_new_error and (problems := self.problems()):
            sentence = self._open.catalogue.describe_problem(problems[0].code, problems[0].facts)
            self._open.show_message(shorten(sentence, _MAX_MESSAGE, placeholder="…"), tone="red")
        get_user_error_or_raise(error)

    def _finish_publishing(self, error: UserError | None) -> None:
        self._is_busy, self._error, self._task = False, error, None
        self._on_change()
        if self._is_repeat_requested:
            self._is_repeat_requested = False
            self.publish_pages()

    def cancel_publishing(self) -> None:
        if self._task is not None:
            self._task.cancel_work()

    def load_target_folders(self) -> None:
        self.targets = self._list_target_folders()
        self._error, self._is_repeat_requested, self._has_delayed_results = None, False, False

    def publish_if_change_is_important(self, diff: Diff) -> None:
        """Publish the pages if `diff` publishes a round or adds the last missing result."""
        if self.is_publishing_on and is_publication_due(diff, self._open.index):
            self.publish_pages()

    def publish_delayed_results_when_due(self) -> None:
        if not self._has_delayed_results or not self._open.is_open:
            return
        if self._featuring.make_public_tournament() is self._open.tournament:
            self.publish_pages()

    def _make_setting_key(self, name: str) -> str:
        return f"site/{self._open.tournament.event.id}/{name}" if self._open.is_open else f"site//{name}"


def is_publication_due(diff: Diff, index: TournamentIndex) -> bool:
    """Return whether `diff` publishes a round or completes the results of all published rounds."""
    rows = (change.after for change in diff if change.kind == "rounds")
    is_published = any(isinstance(row, Round) and row.state is RoundState.PUBLISHED for row in rows)
    return is_published or (
        any(change.kind in {"results", "seats"} for change in diff) and has_all_results_of_published_rounds(index)
    )


def has_all_results_of_published_rounds(index: TournamentIndex) -> bool:
    return not any(
        index.list_open_tables(item.id)
        for division in index.divisions
        for item in index.list_published_rounds(division.id)
    )


def write_web_pages(
    tournament: Tournament,
    catalogue: Catalogue,
    templates: Path,
    folders: Sequence[Path],
    progress: Callable[[int, int], None] = ignore_values,
    *,
    address: str = "",
) -> int:
    """Write the web pages and return the number of files.

    `address` is the URL of the pages. Raises InputError if a folder cannot be written.
    """
    from tdapp.web.site import Site, Templates  # noqa: PLC0415 - not needed to open the window

    site = Site(tournament, catalogue, Templates(templates), address=address, made_at=datetime.now().astimezone())
    total = len(site.names) * (len(folders) + 1)
    files = []
    for count, file in enumerate(site.make_all_files(), 1):
        progress(count, total)
        files.append(file)
    for folder in folders:
        replace_folder_content(folder, files)
    return len(files)
