"""Verbs for networks: share a tournament on a database server, and serve web pages."""

from __future__ import annotations

import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from msgspec import UNSET

from tdapp.cli.json_types import (
    AdmittedStationJson,
    RepairedTournamentJson,
    SalvagedFileJson,
    ServerUrlsJson,
    SharedTournamentJson,
    UnsharedTournamentJson,
)
from tdapp.cli.output import print_json
from tdapp.cli.program import Program
from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, StorageError, UserError
from tdapp.domain.roles import Role
from tdapp.domain.slip import format_code_with_hyphen, make_tablet_code
from tdapp.domain.tournament import Diff, Tournament
from tdapp.domain.translatable import C_
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.services.backups import describe_salvage, salvage_file
from tdapp.services.serving import DeskThreadRunner, make_web_server
from tdapp.services.sharing import (
    describe_ended_sharing,
    fetch_shared_tournament_to_file,
    move_shared_tournament_to_file,
)
from tdapp.services.uploading import Commands, parse_upload_commands, run_upload_commands
from tdapp.services.worker import TaskStopped
from tdapp.storage import Address, Store, relocation
from tdapp.storage.address import make_password
from tdapp.storage.repair import repair_tournament as repair_server
from tdapp.web.desk_access import DESK_ROLES, DeskAccess

if TYPE_CHECKING:
    from tdapp.services.featured_service import CommandLineFeaturedTableService
    from tdapp.web.server import WebServer


def share_tournament(program: Program, options: Namespace) -> SharedTournamentJson:
    address = _parse_address(options)
    with program.open_desk(options.file) as desk:
        relocation.move_tournament_to_server(desk.store, address)
    if not options.json:
        facts = {"address": str(address), "file": str(options.file)}
        print(
            program.catalogue.text(
                "The tournament is now shared at {address}. Continue there. To change {file} again, first run "
                "“tdapp unshare”.",
                **facts,
            )
        )
    return SharedTournamentJson(str(options.file), str(address))


def end_sharing(program: Program, options: Namespace) -> UnsharedTournamentJson:
    """Move a shared tournament back to its file. With `--leave-server`, only make the old file writable again."""
    with closing(Store.open(options.file)) as store:
        new_location = store.new_location
        if new_location is None:
            raise StorageError("file-unshared", path=str(options.file))
        address = options.address or Address(new_location.location)
        if options.leave_server or not Store.is_location_taken(
            address := program.servers.restart_own_server_if_stopped(address)
        ):
            store.mark_as_moved("")
            if not options.json:
                print(
                    program.catalogue.text(
                        "The file {file} can be changed again. Changes made on the server are not in it.",
                        file=options.file,
                    )
                )
            return UnsharedTournamentJson(str(options.file), str(address), None, left=True)
    report = move_shared_tournament_to_file(program.servers, address, options.file)
    if not options.json:
        print("\n".join(describe_ended_sharing(report, program.catalogue)))
    snapshots = str(report.snapshots) if report.snapshots else None
    return UnsharedTournamentJson(str(options.file), str(address), snapshots, bool(report.server or report.logins))


def grant_server_access(program: Program, options: Namespace) -> AdmittedStationJson:
    address, role = _parse_address(options), Role(options.role)
    password = make_password()
    with program.open_desk(address) as desk:
        is_new_login = desk.store.server.create_login_or_change_role(options.login, role, password)
    station = AdmittedStationJson(
        str(address.format_with_login(options.login)), role, password if is_new_login else UNSET
    )
    if not options.json:
        catalogue = program.catalogue
        print(
            catalogue.text(
                C_("server access", "{role}: {address}"),
                role=catalogue.translate_code(role),
                address=station.address,
            )
        )
        if is_new_login:
            print(catalogue.text("Password: {password}", password=password))
    return station


def copy_shared_tournament_to_file(_program: Program, options: Namespace) -> SharedTournamentJson:
    address = _parse_address(options)
    if options.file.exists():
        raise StorageError("file-exists", path=str(options.file))
    fetch_shared_tournament_to_file(address, options.file)
    return SharedTournamentJson(str(options.file), str(address))


def repair_tournament(program: Program, options: Namespace) -> RepairedTournamentJson | SalvagedFileJson:
    """Restore a shared tournament, or save the readable data of a damaged file."""
    if isinstance(options.address, Path):
        return _salvage_damaged_file(program, options)
    address, catalogue = _parse_address(options), program.catalogue
    report = repair_server(address, options.copy)
    if not options.json:
        print(
            catalogue.text(
                "The tournament has been restored to its state after step {revision}.", revision=report.revision
            )
        )
        if report.lost_step_count:
            print(
                catalogue.plural(
                    "One later change is lost.", "{n} later changes are lost.", report.lost_step_count
                )
            )
        if not report.certain:
            print(
                catalogue.text("Some data in the file could not be verified. Compare the file with the printouts.")
            )
    copy = str(options.copy) if options.copy else None
    return make_document_from_rows(
        RepairedTournamentJson, report, address=str(address), copy=copy, lost=report.lost_step_count
    )


def _salvage_damaged_file(program: Program, options: Namespace) -> SalvagedFileJson:
    if options.output is None:
        raise StorageError("salvage-target", path=str(options.address))
    report = salvage_file(options.address, options.output)
    sentences = list(describe_salvage(report, options.output, program.catalogue))
    if not options.json:
        print("\n".join(sentences))
    return make_document_from_rows(SalvagedFileJson, report, file=str(options.output), missing=sentences[2:])


def _parse_address(options: Namespace) -> Address:
    address = options.address
    return address if isinstance(address, Address) else Address.parse(str(address))


_READ_INTERVAL = 0.5  # seconds between two checks for changes of other stations


def serve_pages(program: Program, options: Namespace) -> None:
    """Serve web pages until interrupted. With `--featured TABLE`, a helper can type the plays at that table."""
    from tdapp.services.featured_service import CommandLineFeaturedTableService, make_featured_table_settings
    from tdapp.web.server import list_own_addresses
    from tdapp.web.site import parse_site_url

    if (options.then or options.address) and options.site is None:
        raise CommandError("then-without-site")
    upload_commands, address = parse_upload_commands("\n".join(options.then)), parse_site_url(options.address)
    choice = make_featured_table_settings(options.featured, options.delay, get_utc_timestamp())
    with (
        ThreadPoolExecutor(1) as desk_thread,
        ThreadPoolExecutor(1) as publisher_thread,
        _catch_interrupts() as interrupted,
    ):
        # One thread owns the file, the other publishes web pages.
        desk = desk_thread.submit(_prepare_desk_to_serve, options).result()
        try:
            web_server, access = _make_web_server(program, options, desk, desk_thread.submit), DeskAccess()
            if options.desks:
                access.switch_on_with_new_pins()
                web_server.enable_browser_desks(desk, access, desk_thread.submit)
            featured_table = desk_thread.submit(CommandLineFeaturedTableService, desk, choice).result()
            desk.add_listener(partial(_update_web_pages, web_server, desk, featured_table))
            read_changes = desk.apply_changes_of_other_computers
            if options.site is not None:
                publish = partial(_publish_pages, program, options.site, address, upload_commands, interrupted)
                site = _SiteFolderUpdater(desk, featured_table, partial(publisher_thread.submit, publish))
                desk.add_listener(site.publish_if_pages_changed)
                read_changes = site.read_changes_and_publish
            url = web_server.start(options.host or list_own_addresses()[0], options.port)
            web_server.set_featured_game(featured_table.featured)
            _print_desk_pins(program, options, url, access)
            _print_server_urls(
                program,
                options,
                url,
                web_server.certificate_fingerprint,
                make_tablet_code(desk.tournament),
                choice.code,
                access,
            )
            while not interrupted.wait(_READ_INTERVAL):
                desk_thread.submit(read_changes).result()
            web_server.stop()
        finally:
            desk_thread.submit(desk.close).result()


def _make_web_server(program: Program, options: Namespace, desk: Desk, submit: DeskThreadRunner) -> WebServer:
    return make_web_server(
        desk,
        program.folder,
        program.catalogue.language,
        submit if options.entry or options.check_in else None,
        typing=submit if options.featured else None,
        library=program.library,
        certificates=program.certificate_folder if options.https else None,
    )


def _print_desk_pins(program: Program, options: Namespace, url: str, access: DeskAccess) -> None:
    if not options.desks or options.json:
        return
    for role in DESK_ROLES:
        facts = {"desk": program.catalogue.translate_code(role), "url": url, "pin": access.state.get_pin(role)}
        print(program.catalogue.text(C_("phone desk", "{desk}: {url}desk, PIN {pin}"), **facts))


def _update_web_pages(
    server: WebServer, desk: Desk, featured_table: CommandLineFeaturedTableService, _diff: Diff
) -> None:
    featured_table.rebuild_game_history()
    server.set_featured_game(featured_table.featured)
    server.show_tournament(desk.tournament)


class _SiteFolderUpdater:
    """Writes the web pages to a folder while the server runs.

    Use it only on the thread of the open tournament (`Desk`).
    """

    def __init__(
        self,
        desk: Desk,
        featured_table: CommandLineFeaturedTableService,
        publish_pages: Callable[[Tournament], object],
    ) -> None:
        self._desk, self._featured_table, self._publish = desk, featured_table, publish_pages
        self._start_publication()

    def _start_publication(self) -> None:
        value = self._featured_table.make_public_tournament()
        self._is_delayed = value is not self._desk.tournament
        self._publish(value)

    def publish_if_pages_changed(self, diff: Diff) -> None:
        from tdapp.services.publishing import is_publication_due

        if is_publication_due(diff, self._desk.index):
            self._start_publication()

    def read_changes_and_publish(self) -> None:
        self._desk.apply_changes_of_other_computers()
        if self._is_delayed and self._featured_table.make_public_tournament() is self._desk.tournament:
            self._start_publication()


def _publish_pages(
    program: Program, folder: Path, address: str, uploads: Commands, stop: threading.Event, tournament: Tournament
) -> None:
    """Publish the web pages. If this fails, only print the error: the next change publishes the pages again."""
    from tdapp.services.publishing import write_web_pages

    try:
        write_web_pages(tournament, program.catalogue, program.folder / "site", [folder], address=address)
        run_upload_commands(uploads, folder.absolute(), partial(_raise_if_interrupted, stop))
    except UserError as error:
        print(" ".join(program.catalogue.describe_error(error).split()), file=sys.stderr, flush=True)
    except TaskStopped:
        return


def _raise_if_interrupted(interrupted: threading.Event) -> None:
    if interrupted.is_set():
        raise TaskStopped


@contextmanager
def _catch_interrupts() -> Iterator[threading.Event]:
    interrupted = threading.Event()

    def set_interrupted(_number: int, _frame: FrameType | None) -> None:
        interrupted.set()

    old_handlers = {number: signal.signal(number, set_interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)


def _prepare_desk_to_serve(options: Namespace) -> Desk:
    if not (options.entry or options.check_in or options.featured):
        return Desk.open(options.file, read_only=True)
    desk = Desk.open(options.file)
    desk.store.refuse_moved_tournament()
    if options.entry and not desk.tournament.event.players_enter:
        desk.do(partial(commands.open_entry, key=desk.make_row_id()))
    if options.check_in and not desk.tournament.event.players_check_in:
        desk.do(partial(commands.open_check_in))
    return desk


def _print_server_urls(
    program: Program, options: Namespace, url: str, fingerprint: str, tablet: str, code: str, access: DeskAccess
) -> None:
    if options.json:
        featured = f"{url}featured?code={code}" if options.featured else UNSET
        print_json(ServerUrlsJson(
            url, options.entry, fingerprint or UNSET, featured, access.state.entry_pin or UNSET,
            access.state.jury_pin or UNSET,
        ))  # fmt: skip
        sys.stdout.flush()
    else:
        if options.featured:
            text = program.catalogue.text(
                "To type in the game at the featured table, open {url}featured and use the code {code}.",
                url=url,
                code=format_code_with_hyphen(code),
            )
            print(text)
        if fingerprint:
            print(program.catalogue.text("Fingerprint (SHA-256): {digits}", digits=fingerprint))
        if options.check_in and tablet:
            print(
                program.catalogue.text("Open this address on a tablet at the door:"),
                f"{url}check-in?tablet={tablet}",
            )
        print(
            program.catalogue.text("Open {url} in a browser. Ctrl+C in this window stops the server.", url=url),
            flush=True,
        )
