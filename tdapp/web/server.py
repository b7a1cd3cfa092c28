"""Start and stop the web server: a thread that listens at the chosen address."""

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

from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain.errors import UserError
from tdapp.domain.featured_game import FeaturedGameHistory
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.i18n.sheet_reading import TurnsToCheckCache
from tdapp.web import PORT
from tdapp.web.desk_access import DeskAccess
from tdapp.web.desk_lines import DeskTilesetsAndWordLists
from tdapp.web.desk_pages import BrowserDeskServices, DeskThreadCallRunner
from tdapp.web.desk_stations import DeskStations
from tdapp.web.listening import ConnectionListener, increase_and_get_connection_limit
from tdapp.web.overlays import OpenWordList, skip_opening_word_list
from tdapp.web.pages import PublicPageHandlers
from tdapp.web.rate_limits import MAX_HEADER_BYTES, TimeoutProtocol, list_own_host_names
from tdapp.web.shown_tournament import WebServerResources, WriteCommand
from tdapp.web.site import Templates

if TYPE_CHECKING:
    from tdapp.web.listening import ServerCertificate

MAX_PORT = 65_535
_STOP_SECONDS = 10.0
_ERROR_CODES = {
    errno.EADDRINUSE: "port-taken",
    errno.EADDRNOTAVAIL: "address-not-here",
    errno.EACCES: "port-not-allowed",
}


class WebServer:
    """A web server for the venue. It can be started once, updated and stopped."""

    def __init__(
        self,
        tournament: Tournament,
        resources: Path,
        *,
        language: str,
        write: WriteCommand | None = None,
        typing: WriteCommand | None = None,
        word_lists: OpenWordList = skip_opening_word_list,
        clock: Callable[[], str] = get_utc_timestamp,
        certificates: Path | None = None,
    ) -> None:
        """Store the callbacks.

        `write` runs commands from players. `typing` runs commands from the helper who types the game for
        spectators. If a callback is None, its commands are refused. If `certificates` is a folder, connections are
        encrypted.
        """
        catalogues = {language: Catalogue(language, resources / "locale") for language in LANGUAGES}
        self._context = WebServerResources(
            catalogues,
            Templates(resources / "site"),
            can_players_enter=write is not None,
            tilesets=read_tilesets(resources / "tilesets"),
            word_lists=word_lists,
        )
        self._capacity = increase_and_get_connection_limit()
        self._pages = PublicPageHandlers(
            self._context,
            language,
            tournament,
            write,
            typing=typing,
            clock=clock,
            listener_limit=self._capacity * 3 // 4,
        )
        self._certificates = certificates
        self._certificate: ServerCertificate | None = None
        self._socket: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run_server, name="room", daemon=True)
        self._started = threading.Event()
        self._server: uvicorn.Server | None = None

    def start(self, host: str, port: int = PORT) -> str:
        """Start to listen and return the URL.

        Raises UserError "port-taken", "address-not-here", "port-not-allowed" or "certificate-failed".
        """
        self._socket = open_listening_socket(host, port)
        if self._certificates is not None:
            self._certificate = self._load_or_make_certificate(self._certificates)
        self._thread.start()
        self._started.wait()
        return self.url

    @property
    def url(self) -> str:
        if self._socket is None:
            raise RuntimeError("the room's server is not started")
        host, port = self._socket.getsockname()[:2]
        if ip_address(host).is_unspecified:  # 0.0.0.0 is not an address for a browser
            host = list_own_addresses()[0]
        scheme = "https" if self._certificate is not None else "http"
        return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"

    @property
    def certificate_fingerprint(self) -> str:
        return self._certificate.fingerprint if self._certificate is not None else ""

    def _load_or_make_certificate(self, folder: Path) -> ServerCertificate:
        from tdapp.web.listening import load_or_make_certificate  # noqa: PLC0415 - most servers have no certificate

        own_address = ip_address(self._socket.getsockname()[0]) if self._socket is not None else None
        needed_names = (
            frozenset(list_own_addresses())
            if own_address is None or own_address.is_unspecified
            else frozenset({str(own_address)})
        )
        try:
            return load_or_make_certificate(
                folder,
                needed_names=needed_names,
                other_names=list_own_host_names() | frozenset(list_own_addresses()),
            )
        except OSError as error:
            if self._socket is not None:
                self._socket.close()
            raise UserError("certificate-failed", path=str(folder), why=str(error)) from error

    def show_tournament(self, tournament: Tournament) -> None:
        """Show a new state of the tournament. Thread-safe."""
        self._call_on_server_thread(partial(self._pages.show_tournament, tournament))

    def enable_browser_desks(self, desk: Desk, access: DeskAccess, run: DeskThreadCallRunner) -> None:
        """Let helpers enter results or jury decisions in browsers. `run` runs calls on the thread of `desk`.

        Call this only before `start`.
        """
        context = self._context
        tools = DeskTilesetsAndWordLists(context.tilesets, context.word_lists, TurnsToCheckCache())
        self._pages.desks.service = BrowserDeskServices(
            access, DeskStations(desk, access, tools, context.catalogues), run
        )

    def reload_pages_of_browser_desks(self) -> None:
        self._call_on_server_thread(self._pages.reload_pages_of_browser_desks)

    def set_overlays(self, table_by_slot: Mapping[int, int], style: Path | None) -> None:
        """Set the number of the table that each numbered overlay shows (0: none), and their style sheet.

        Call this only after `start`.
        """
        self._call_on_server_thread(partial(self._pages.set_overlays, table_by_slot, style))

    def set_featured_game(self, featured: FeaturedGameHistory | None) -> None:
        """Set the game that spectators follow, or None. Call this only after `start`."""
        self._call_on_server_thread(partial(self._pages.set_featured_game, featured))

    def set_round_clock(self, clock: RoundClock, current_time: float) -> None:
        """Set the state of the round clock.

        `current_time` is the current time in seconds, comparable with `clock.started_at`.
        """
        offset = time.monotonic() - current_time
        shifted_clock = replace(clock, started_at=None if clock.started_at is None else clock.started_at + offset)
        self._call_on_server_thread(partial(self._pages.set_round_clock, shifted_clock))

    def stop(self) -> None:
        if self._loop is None or self._server is None:
            return
        self._call_on_server_thread(self._shut_down)
        self._thread.join(_STOP_SECONDS)

    def _call_on_server_thread(self, call: Callable[[], None]) -> None:
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(call)

    def _shut_down(self) -> None:
        if self._server is not None:
            self._pages.end_event_streams()
            self._server.should_exit = True

    def _run_server(self) -> None:
        config = uvicorn.Config(
            self._pages.app,
            http=TimeoutProtocol,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",  # `PublicPageHandlers` reports our own errors
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            ssl_certfile=self._certificate.path if self._certificate is not None else None,
        )
        self._server = uvicorn.Server(config)
        try:
            asyncio.run(self._serve_requests(self._server))
        finally:
            self._started.set()

    async def _serve_requests(self, server: uvicorn.Server) -> None:
        if self._socket is None:
            return
        self._loop = loop = asyncio.get_running_loop()
        listener = ConnectionListener(self._capacity)
        loop.create_server = listener.create_server  # type: ignore[method-assign, assignment]
        self._started.set()
        await server.serve([self._socket])


def open_listening_socket(host: str, port: int) -> socket.socket:
    if not 0 <= port <= MAX_PORT:
        raise UserError("port-not-allowed", address=host, port=port)
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening_socket = socket.socket(family, kind)
    except OSError as error:
        raise UserError("address-not-here", address=host) from error
    try:
        if sys.platform != "win32":  # on Windows SO_REUSEADDR would let two programs share a port
            listening_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening_socket.bind(address)
        listening_socket.listen(256)
    except OSError as error:
        listening_socket.close()
        code = _ERROR_CODES.get(error.errno or 0, "address-not-here")
        raise UserError(code, address=host, port=port) from error
    listening_socket.setblocking(False)
    return listening_socket


def list_own_addresses() -> tuple[str, ...]:
    addresses: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # no packet is sent: this only looks up the route
            addresses.append(probe.getsockname()[0])
        except OSError:
            pass
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, family=socket.AF_INET, type=socket.SOCK_STREAM)
        addresses += [str(entry[4][0]) for entry in entries]
    except OSError:
        pass
    return tuple(
        dict.fromkeys([*(address for address in addresses if not address.startswith("127.")), "127.0.0.1"])
    )
