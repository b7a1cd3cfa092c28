"""The switch of the room's server: a thread of its own with a socket on the address that was chosen.

Hides the server, its loop and how a value comes to its thread. Off is the rule; while it is on, nothing but the
room's pages can be had from it.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from msgspec.structs import replace

from tdapp.desk import utc_now
from tdapp.domain.errors import UserError
from tdapp.domain.featured_game import Featured
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.web import PORT
from tdapp.web.featured_page import WordLists, no_words
from tdapp.web.pages import RoomPages
from tdapp.web.rate_limits import LARGEST_HEAD, MOST_CONNECTIONS, PATIENCE, Impatient, own_names
from tdapp.web.request_context import Write
from tdapp.web.room_pages import PageContext
from tdapp.web.site import Templates

if TYPE_CHECKING:
    from tdapp.web.certificate import Certificate

HIGHEST_PORT = 65_535
_STOPPING = 10.0  # seconds
_CODES = {
    errno.EADDRINUSE: "port-taken",
    errno.EADDRNOTAVAIL: "address-not-here",
    errno.EACCES: "port-not-allowed",
}


class Room:
    """A server that can be started, shown values and stopped; each once."""

    def __init__(
        self,
        tournament: Tournament,
        resources: Path,
        *,
        language: str,
        write: Write | None = None,
        typing: Write | None = None,
        word_lists: WordLists = no_words,
        clock: Callable[[], str] = utc_now,
        certificates: Path | None = None,
    ) -> None:
        """Show `tournament`, in `language` to those whose own we do not speak; with `write` players may enter.

        With `typing` the turns of the featured table are entered; `word_lists` opens the list that judges them,
        `clock` tells the time that delays them. With a folder for `certificates` all is encrypted.
        """
        catalogues = {language: Catalogue(language, resources / "locale") for language in LANGUAGES}
        self._context = PageContext(
            catalogues,
            Templates(resources / "site"),
            entry=write is not None,
            tilesets=read_tilesets(resources / "tilesets"),
            word_lists=word_lists,
        )
        self._pages = RoomPages(self._context, language, tournament, write, typing=typing, clock=clock)
        self._certificates = certificates
        self._certificate: Certificate | None = None
        self._socket: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="room", daemon=True)
        self._started = threading.Event()
        self._server: uvicorn.Server | None = None

    def start(self, host: str, port: int = PORT) -> str:
        """Answer on an address of this computer and return the URL; port 0 is a free one.

        Raises UserError where that cannot be: "port-taken", "address-not-here", "port-not-allowed",
        "certificate-failed".
        """
        self._socket = bound(host, port)
        if self._certificates is not None:
            self._certificate = self._certified(self._certificates)
        self._thread.start()
        self._started.wait()
        return self.url

    @property
    def url(self) -> str:
        """What to type in a browser; only once it is started."""
        if self._socket is None:
            raise RuntimeError("the room's server is not started")
        host, port = self._socket.getsockname()[:2]
        if ip_address(host).is_unspecified:  # it answers on every address, of which none is called that
            host = addresses()[0]
        scheme = "https" if self._certificate is not None else "http"
        return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate in groups of digits, empty where nothing is encrypted."""
        return self._certificate.fingerprint if self._certificate is not None else ""

    def _certified(self, folder: Path) -> Certificate:
        from tdapp.web.certificate import certificate_in  # noqa: PLC0415 - most rooms are read without one

        own = ip_address(self._socket.getsockname()[0]) if self._socket is not None else None
        asked = frozenset(addresses()) if own is None or own.is_unspecified else frozenset({str(own)})
        try:
            return certificate_in(folder, needed=asked, known=own_names() | frozenset(addresses()))
        except OSError as error:
            if self._socket is not None:
                self._socket.close()
            raise UserError("certificate-failed", path=str(folder), why=str(error)) from error

    def show(self, tournament: Tournament) -> None:
        """Show another value; may be called from any thread."""
        self._soon(partial(self._pages.show, tournament))

    def dress(self, slots: Mapping[int, int], style: Path | None) -> None:
        """Point slots of overlays at tables, 0 at none; dress overlays with a style sheet. Once it is started."""
        self._soon(partial(self._pages.dress, slots, style))

    def feature(self, featured: Featured | None) -> None:
        """Show another featured table, what has become of it, or none; once it is started."""
        self._soon(partial(self._pages.feature, featured))

    def tell_time(self, clock: RoundClock, at: float) -> None:
        """Show the round clock as it is at a second `at` of the caller's steady clock; once it is started."""
        here = time.monotonic() - at
        moved = replace(clock, since=None if clock.since is None else clock.since + here)
        self._soon(partial(self._pages.tell_time, moved))

    def stop(self) -> None:
        """Hang up and end; returns when the port is free again."""
        if self._loop is None or self._server is None:
            return
        self._soon(self._end)
        self._thread.join(_STOPPING)

    def _soon(self, call: Callable[[], None]) -> None:
        """Do something in the thread that answers, if there is one."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(call)

    def _end(self) -> None:
        if self._server is not None:
            self._pages.close()
            self._server.should_exit = True

    def _run(self) -> None:
        config = uvicorn.Config(
            self._pages.app,
            http=Impatient,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",  # our own errors are noted by `Pages`
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            ssl_certfile=self._certificate.path if self._certificate is not None else None,
        )
        self._server = uvicorn.Server(config)
        try:
            asyncio.run(self._serve(self._server))
        finally:
            self._started.set()

    async def _serve(self, server: uvicorn.Server) -> None:
        if self._socket is None:
            return
        self._loop = loop = asyncio.get_running_loop()
        if self._certificate is not None:  # who does not begin to speak is hung up on here too
            listen = partial(loop.create_server, ssl_handshake_timeout=PATIENCE)
            loop.create_server = listen  # type: ignore[method-assign]
        self._started.set()
        await server.serve([self._socket])


def bound(host: str, port: int) -> socket.socket:
    """Return a socket on an address; raises as `Room.start` does."""
    if not 0 <= port <= HIGHEST_PORT:
        raise UserError("port-not-allowed", address=host, port=port)
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind)
    except OSError as error:
        raise UserError("address-not-here", address=host) from error
    try:
        if sys.platform != "win32":  # there it would let two programs share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(256)
    except OSError as error:
        made.close()
        code = _CODES.get(error.errno or 0, "address-not-here")
        raise UserError(code, address=host, port=port) from error
    made.setblocking(False)
    return made


def addresses() -> tuple[str, ...]:
    """Return the addresses of this computer that others may reach, the likeliest first, then its own."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # no packet is sent: it only asks which way one would go
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    try:
        own = socket.getaddrinfo(socket.gethostname(), None, family=socket.AF_INET, type=socket.SOCK_STREAM)
        found += [str(entry[4][0]) for entry in own]
    except OSError:
        pass
    return tuple(dict.fromkeys([*(one for one in found if not one.startswith("127.")), "127.0.0.1"]))
