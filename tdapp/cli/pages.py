"""The verbs that show a tournament in browsers: a folder of pages, and the room's page."""

from __future__ import annotations

from argparse import Namespace

from tdapp.cli.house import House
from tdapp.exchange.site_folder import FORMAT, write_folder


def take_site(house: House, options: Namespace) -> object:
    """Write the tournament as pages into a folder of their own."""
    from tdapp.exchange.site import Site, Templates  # noqa: PLC0415 - other verbs start without the page maker

    templates = Templates(house.resources / "site")
    with house.desk(options.file, read_only=True) as desk:
        count = write_folder(options.target, Site(desk.tournament, house.catalogue, templates).files())
    return {"file": str(options.target), "format": FORMAT, "files": count}
