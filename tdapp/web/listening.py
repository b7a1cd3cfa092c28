"""Accept connections, but leave enough open files to save a tournament."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tdapp.web.rate_limits import PATIENCE, TimeoutProtocol

MOST_CONNECTIONS = 800
_FEWEST = 20
_KEPT_FILES = 100  # for the tournament, its copies and the word lists
_WANTED_FILES = 4_096
_PAUSE = 0.5  # seconds that a client has for its request, and a pause after an error of the system


def find_capacity() -> int:
    """Return the maximum number of connections. Raise the limit of open files first, if the system allows."""
    if sys.platform == "win32":  # its sockets are no files
        return MOST_CONNECTIONS
    import resource  # noqa: PLC0415 - does not exist on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, _WANTED_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    used = sum(1 for _ in Path("/dev/fd").iterdir())
    return max(_FEWEST, min(MOST_CONNECTIONS, soft - used - _KEPT_FILES))


class Listener:
    """Accepts connections up to `most`. Further clients wait in the queue of the system and use no files.

    When all connections are taken, the oldest one without a request is closed.
    """

    def __init__(self, most: int) -> None:
        self._most, self._open = most, 0
        self._silent: dict[TimeoutProtocol, float] = {}  # without a complete request, with the time of arrival
        self._free = asyncio.Event()
        self._accepting: asyncio.Task[None] | None = None
        self._starting: set[asyncio.Task[None]] = set()

    async def create_server(
        self,
        make: Callable[[], TimeoutProtocol],
        *,
        sock: socket.socket,
        ssl: ssl.SSLContext | None = None,
        backlog: int = 0,
    ) -> Listener:
        self._accepting = asyncio.create_task(self._accept_connections(make, sock, ssl))
        return self

    def close(self) -> None:
        if self._accepting is not None:
            self._accepting.cancel()

    async def wait_closed(self) -> None:
        if self._accepting is not None:
            await asyncio.wait([self._accepting, *self._starting])

    async def _accept_connections(
        self, make: Callable[[], TimeoutProtocol], listener: socket.socket, context: ssl.SSLContext | None
    ) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError:
                await asyncio.sleep(_PAUSE)
                continue
            try:
                await self._wait_for_room(loop)
            except asyncio.CancelledError:
                connection.close()
                raise
            self._open += 1
            task = asyncio.create_task(self._serve_connection(make(), connection, context))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _wait_for_room(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._open >= self._most:
            oldest = next(iter(self._silent), None)
            if oldest is not None and loop.time() - self._silent[oldest] > _PAUSE:
                oldest.transport.abort()
            self._free.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._free.wait(), _PAUSE)

    async def _serve_connection(
        self, made: TimeoutProtocol, connection: socket.socket, context: ssl.SSLContext | None
    ) -> None:
        made.counter = self
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer may wait 40 ms
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: made, connection, ssl=context, ssl_handshake_timeout=PATIENCE if context else None
            )
        except OSError:  # also an error of the encryption
            connection.close()
            if not made.is_made:
                self.forget_connection(made)

    def expect_request(self, one: TimeoutProtocol) -> None:
        self._silent[one] = asyncio.get_running_loop().time()

    def note_request(self, one: TimeoutProtocol) -> None:
        self._silent.pop(one, None)

    def forget_connection(self, one: TimeoutProtocol) -> None:
        self._silent.pop(one, None)
        self._open -= 1
        self._free.set()
