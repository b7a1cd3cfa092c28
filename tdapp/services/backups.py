"""Take snapshots of the open file. If a snapshot fails, work continues and the window shows a problem."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain.errors import StorageError
from tdapp.domain.model import Round, RoundState
from tdapp.domain.problems import Problem
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Diff, Tournament
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.preferences import read_positive_number
from tdapp.services.servers import OwnDatabaseServers
from tdapp.storage import Address, SnapshotFolder, SnapshotReason
from tdapp.storage.snapshots import Snapshot, restore_snapshot

MINUTES = 5  # default interval
MAX_MINUTES = 240


class BackupService:
    """Takes the snapshots of an open tournament's file."""

    def __init__(
        self, tournament: OpenTournament, *, on_change: Callable[[], None], set_interval: Callable[[int], None]
    ) -> None:
        """`on_change` is called after each attempt to take a snapshot.

        The creator must call `take_automatic_snapshot` regularly. `set_interval` gets the milliseconds between
        these calls, 0 for no calls.
        """
        self._open = tournament
        self._on_change = on_change
        self._set_interval = set_interval
        self._copy_error: StorageError | None = None

    # --- settings

    @property
    def interval_minutes(self) -> int:
        return read_positive_number(self._open.settings, "snapshot-minutes", MINUTES, maximum=MAX_MINUTES)

    @interval_minutes.setter
    def interval_minutes(self, minutes: int) -> None:
        self._open.settings.setValue("snapshot-minutes", minutes)
        if self._can_take_snapshots():
            self._set_interval(minutes * 60_000)

    @property
    def second_folder(self) -> Path | None:
        folder = str(self._open.settings.value(self._make_second_folder_setting_key(), ""))
        return Path(folder) if folder else None

    @second_folder.setter
    def second_folder(self, folder: Path | None) -> None:
        self._open.settings.setValue(self._make_second_folder_setting_key(), str(folder or ""))
        self._copy_error = None
        if folder is not None:
            self.take_snapshot_in_second_folder()
        self._on_change()

    def problems(self) -> tuple[Problem, ...]:
        if not self._open.is_open:
            return ()
        errors = {"snapshot-failed": self._open.desk.snapshot_error, "copy-failed": self._copy_error}
        return tuple(
            Problem(code, MappingProxyType({"why": self._open.catalogue.describe_error(error)}), "history")
            for code, error in errors.items()
            if error is not None
        )

    # --- actions

    def take_snapshot(self, reason: SnapshotReason) -> None:
        if self._can_take_snapshots():
            self._open.run_on_desk_thread(
                partial(self._open.desk.take_snapshot, reason), on_success=self._notify_after_snapshot
            )

    def take_automatic_snapshot(self) -> None:
        self.take_snapshot(SnapshotReason.TIME)

    def take_named_snapshot_in_both_folders(self, name: str) -> None:
        desk = self._open.desk
        if desk.snapshots is not None:
            self._open.run_on_desk_thread(
                partial(desk.snapshots.make_snapshot_if_changed, desk.store, SnapshotReason.NAMED, name),
                on_success=self._notify_after_snapshot,
            )
            self.take_snapshot_in_second_folder(show_errors=True)

    def take_snapshot_in_second_folder(self, *, show_errors: bool = False) -> None:
        folder, path = self.second_folder, self._find_tournament_path_for_snapshots()
        if folder is None or path is None or not self._can_take_snapshots():
            return
        desk = self._open.desk
        call = partial(
            SnapshotFolder.from_tournament(path, folder).make_snapshot_if_changed, desk.store, SnapshotReason.COPY
        )
        self._open.run_on_desk_thread(
            call,
            on_success=partial(self._remember_error_of_second_snapshot, None),
            on_error=partial(self._record_and_show_copy_error, show_errors),
        )

    def _notify_after_snapshot(self, _snapshot: object) -> None:
        self._on_change()

    def _remember_error_of_second_snapshot(self, error: StorageError | None, _snapshot: object = None) -> None:
        self._copy_error = error
        self._on_change()

    def _record_and_show_copy_error(self, show_errors: bool, error: Exception) -> None:
        if not isinstance(error, StorageError):
            raise error
        self._remember_error_of_second_snapshot(error)
        if show_errors:
            catalogue = self._open.catalogue
            text = catalogue.text(
                "No second copy was made. {why} Put the USB stick in, or choose another folder.",
                why=catalogue.describe_error(error),
            )
            self._open.show_message(text, tone="red")

    def start_taking_snapshots(self) -> None:
        """Take a first snapshot, then one at each interval, unless the tournament is read-only or in memory."""
        self._set_interval(0)
        self._copy_error = None
        path = self._find_tournament_path_for_snapshots()
        if self._can_take_snapshots() and path is not None:
            self._open.desk.snapshots = SnapshotFolder.from_tournament(path)
            self.take_snapshot(SnapshotReason.START)
            self._set_interval(self.interval_minutes * 60_000)

    def _can_take_snapshots(self) -> bool:
        tournament = self._open
        return (
            self._find_tournament_path_for_snapshots() is not None
            and not tournament.is_read_only_or_not_director
            and tournament.desk.role is not Role.DISPLAY
        )

    def _find_tournament_path_for_snapshots(self) -> Path | None:
        tournament = self._open
        if tournament.path is not None or tournament.address is None:
            return tournament.path
        tournament.servers.folder.mkdir(parents=True, exist_ok=True)
        return tournament.servers.make_path_for_naming_snapshot_folder(tournament.address)

    def copy_file_after_published_round(self, diff: Diff) -> None:
        """Copy the file to the second backup folder if `diff` publishes a round."""
        rows = (change.after for change in diff if change.kind == "rounds")
        if any(isinstance(row, Round) and row.state is RoundState.PUBLISHED for row in rows):
            self.take_snapshot_in_second_folder()

    def _make_second_folder_setting_key(self) -> str:
        return f"copies/{self._open.tournament.event.id}" if self._open.is_open else "copies/"


if TYPE_CHECKING:
    from tdapp.storage.salvage import SalvageReport


def restore_and_open_snapshot(snapshot: Snapshot, target: Path) -> Desk:
    restore_snapshot(snapshot, target)
    return Desk.open(target)


def salvage_file(path: Path, target: Path) -> SalvageReport:
    from tdapp.storage.salvage import salvage_file  # noqa: PLC0415 - imports SQLAlchemy, which the window opens without

    return salvage_file(path, target, timestamp=get_utc_timestamp())


def describe_salvage(report: SalvageReport, target: Path, catalogue: Catalogue) -> Iterator[str]:
    """Yield sentences about the readable copy of a damaged file and the lost data."""
    yield catalogue.text("The readable part of the tournament is now in {file}.", file=target)
    if report.certain:
        yield catalogue.text("All data in the file agrees with the version that was last saved.")
    else:
        yield catalogue.text("Some data in the file could not be verified. Compare the file with the printouts.")
    yield from (catalogue.describe_problem(problem.code, dict(problem.facts)) for problem in report.missing)


_MAX_NAMES = 6  # in a sentence


def describe_unerased_copies(
    desk: Desk,
    servers: OwnDatabaseServers,
    catalogue: Catalogue,
    *,
    copies: Path | None = None,
    sites: Collection[Path] = (),
) -> Iterator[str]:
    """Yield a sentence for each kind of copy that can still contain the erased personal data.

    `copies` is the second backup folder, `sites` are folders of web pages.
    """
    text, address = catalogue.text, desk.store.address
    if copies is not None:
        yield text("Second copies: {folder}. Delete all copies that are there now.", folder=copies)
    for folder in sites:
        yield text("Web pages: {folder}. Update the pages and upload them again.", folder=folder)
    if address is not None:
        yield text("The server {address} may keep traces in its logs and backups.", address=address)
    else:
        yield from _describe_snapshots_taken_during_sharing(desk, servers, catalogue)
    if report_names := _join_names_of_printed_reports(desk.tournament, catalogue):
        yield text("Printouts and PDF files of these reports: {names}.", names=report_names)
    if files := sorted({event.source for event in desk.tournament.copied_events.values()}):
        file_names = _join_names_up_to_limit(files, catalogue)
        yield text(
            "Files of the season’s events: {names}. If you refresh these events, the erased names come back.",
            names=file_names,
        )
    yield text("Copies of the file elsewhere (on USB sticks or in emails), exports, and pages read on phones.")


def _describe_snapshots_taken_during_sharing(
    desk: Desk, servers: OwnDatabaseServers, catalogue: Catalogue
) -> Iterator[str]:
    for folder in sorted(servers.folder.glob("* snapshots")):
        if SnapshotFolder(folder).has_event_in_newest_snapshot(desk.tournament.event.id):
            yield catalogue.text("Snapshots taken during sharing: {folder}. Delete that folder.", folder=folder)


def _join_names_of_printed_reports(tournament: Tournament, catalogue: Catalogue) -> str:
    from tdapp.reports.registry import find_report  # noqa: PLC0415 - slow, and not needed to open the window

    newest = sorted(tournament.printouts.values(), key=lambda printout: printout.at, reverse=True)
    names = dict.fromkeys(catalogue.text(find_report(printout.report).untranslated_title) for printout in newest)
    return _join_names_up_to_limit([*names], catalogue)


def _join_names_up_to_limit(names: Sequence[str], catalogue: Catalogue) -> str:
    hidden_count = len(names) - _MAX_NAMES
    return ", ".join(
        [
            *names[:_MAX_NAMES],
            *([catalogue.text(C_("shortened list", "{n} more"), n=hidden_count)] if hidden_count > 0 else ()),
        ]
    )


def find_snapshot_folder(location: Path | Address, servers: OwnDatabaseServers) -> SnapshotFolder:
    return SnapshotFolder.from_tournament(
        location if isinstance(location, Path) else servers.make_path_for_naming_snapshot_folder(location)
    )
