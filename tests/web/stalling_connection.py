"""A connection to a server that can stall: it stays open, but passes no data."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_PIECE = 65_536


class Line:
    """A port that leads to a server unless stalled."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url).hostname, urlsplit(url).port
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        """Pass no data, in neither direction."""
        self._open.clear()

    def resume(self) -> None:
        """Pass the waiting data and all later data."""
        self._open.set()

    def close(self) -> None:
        """Close all connections."""
        self.resume()
        for connection in (self._server, *self._sockets):
            connection.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                far = socket.create_connection(self._target)
                self._sockets += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, to: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(_PIECE):
                self._open.wait()
                to.sendall(piece)
            to.shutdown(socket.SHUT_WR)


@contextmanager
def line_to(url: str) -> Iterator[Line]:
    """Open a line to a server, and close it afterwards."""
    line = Line(url)
    try:
        yield line
    finally:
        line.close()
