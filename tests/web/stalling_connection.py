"""A TCP proxy that can stall: its connections stay open, but pass no data."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_CHUNK_SIZE = 65_536


class StallingProxy:
    """A local port that forwards connections to a server until it stalls."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url).hostname, urlsplit(url).port
        self._is_flowing = threading.Event()
        self._is_flowing.set()
        self._sockets: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}/"
        threading.Thread(target=self._accept_connections, daemon=True).start()

    def stall(self) -> None:
        """Stop the data in both directions."""
        self._is_flowing.clear()

    def resume(self) -> None:
        """Forward the waiting data and all later data."""
        self._is_flowing.set()

    def close(self) -> None:
        """Close all connections."""
        self.resume()
        for connection in (self._server, *self._sockets):
            connection.close()

    def _accept_connections(self) -> None:
        with suppress(OSError):
            while True:
                client_socket, _ = self._server.accept()
                server_socket = socket.create_connection(self._target)
                self._sockets += [client_socket, server_socket]
                for source, target in ((client_socket, server_socket), (server_socket, client_socket)):
                    threading.Thread(target=self._forward_data, args=(source, target), daemon=True).start()

    def _forward_data(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(_CHUNK_SIZE):
                self._is_flowing.wait()
                target.sendall(chunk)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def run_stalling_proxy(url: str) -> Iterator[StallingProxy]:
    """Run a proxy to a server, and close it afterwards."""
    proxy = StallingProxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
