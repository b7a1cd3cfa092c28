"""The verbs that show a tournament in browsers: a folder of pages, and the room's page."""

from __future__ import annotations

import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import FrameType

from tdapp.cli.output import show_json
from tdapp.cli.program import Program
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.services.serving import make_room
from tdapp.web.site_folder import FORMAT

_LOOK = 0.5  # seconds between two looks at what others have written


def take_site(program: Program, options: Namespace) -> object:
    """Write the tournament as pages into a folder of their own."""
    from tdapp.services.publishing import write_pages  # noqa: PLC0415 - other verbs start without the page maker

    with program.desk(options.file, read_only=True) as desk:
        count = write_pages(desk.tournament, program.catalogue, program.folder / "site", [options.target])
    return {"file": str(options.target), "format": FORMAT, "files": count}


def serve(program: Program, options: Namespace) -> None:
    """Show the tournament to browsers on the network until it is interrupted; with `entry` players may enter."""
    from tdapp.web.server import addresses  # noqa: PLC0415 - other verbs start without the server

    with ThreadPoolExecutor(1) as at_desk, _interrupted() as ended:  # one thread owns the file
        desk = at_desk.submit(_opened, program, options).result()
        try:
            submit = at_desk.submit if options.entry else None
            room = make_room(desk, program.folder, program.catalogue.language, submit)
            desk.listen(lambda _diff: room.show(desk.tournament))
            url = room.start(options.host or addresses()[0], options.port)
            _say(program, options, url)
            while not ended.wait(_LOOK):
                at_desk.submit(desk.follow).result()
            room.stop()
        finally:
            at_desk.submit(desk.close).result()


@contextmanager
def _interrupted() -> Iterator[threading.Event]:
    """Give what is set when somebody wants it to end: by Ctrl+C, or politely by the system."""
    ended = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        ended.set()

    before = {one: signal.signal(one, end) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _opened(program: Program, options: Namespace) -> Desk:
    if not options.entry:
        return Desk.open(options.file, read_only=True)
    program.refuse_shared(options.file)
    desk = Desk.open(options.file)
    if not desk.tournament.event.players_enter:
        desk.do("open-entry", partial(commands.open_entry, key=desk.key()))
    return desk


def _say(program: Program, options: Namespace, url: str) -> None:
    if options.json:
        show_json({"url": url, "entry": options.entry})
        sys.stdout.flush()
    else:
        print(program.catalogue.text("Open at {url} (Ctrl+C ends it)", url=url), flush=True)
