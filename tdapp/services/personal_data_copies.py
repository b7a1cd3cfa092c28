"""List the copies of personal data that the program cannot erase: file copies, servers, pages, printouts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.reports.registry import find_report
from tdapp.services.servers import OwnServers
from tdapp.storage import Address, Snapshots

_MOST = 6  # maximum number of listed printouts


def list_unreached_copies(
    desk: Desk,
    servers: OwnServers,
    catalogue: Catalogue,
    *,
    copies: Path | None = None,
    sites: Collection[Path] = (),
) -> Iterator[str]:
    """Yield a sentence for each kind of copy of personal data that erasing does not reach.

    `copies` is the second backup folder, `sites` are folders of web pages.
    """
    text, address = catalogue.text, desk.store.address
    if copies is not None:
        yield text("Second copies: {folder}. Delete the earlier ones there.", folder=copies)
    for folder in sites:
        yield text("Web pages: {folder}. Write them again, and upload them again.", folder=folder)
    if address is not None:
        yield text("The server {address} may keep traces in its logs and backups.", address=address)
    else:
        yield from _list_server_copies(desk, servers, catalogue)
    if printed := _list_printouts(desk.tournament, catalogue):
        yield text("Printouts, and their PDFs: {names}.", names=printed)
    yield text("Copies of the file elsewhere, on sticks or in mail, exports, and pages read on phones.")


def _list_server_copies(desk: Desk, servers: OwnServers, catalogue: Catalogue) -> Iterator[str]:
    for folder in sorted(servers.folder.glob("* snapshots")):
        if Snapshots(folder).has_event(desk.tournament.event.id):
            yield catalogue.text("Snapshots of when it was shared: {folder}. Delete that folder.", folder=folder)


def _list_printouts(tournament: Tournament, catalogue: Catalogue) -> str:
    newest = sorted(tournament.printouts.values(), key=lambda one: one.at, reverse=True)
    names = dict.fromkeys(catalogue.text(find_report(one.report).title) for one in newest)
    named = list(names)[:_MOST]
    if more := len(names) - len(named):
        named.append(catalogue.text("{n} more", n=more))
    return ", ".join(named)


def find_snapshots(place: Path | Address, servers: OwnServers) -> Snapshots:
    return Snapshots.from_tournament(place if isinstance(place, Path) else servers.make_snapshot_path(place))
