"""A proxy of a server. It stalls in the middle of a message, in one direction, for one or all connections."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread

TO_SERVER, TO_STATION = "to-server", "to-station"


@dataclass
class StallingProxy:
    """A proxy that forwards all data. It can stall after a number of pieces in a direction."""

    port: int  # of the server
    is_open: Event = field(default_factory=Event)
    sockets: list[socket.socket] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    listening_socket: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    direction: str = ""
    remaining_pieces: int = 0  # forwarded in the direction before the proxy stalls
    stall_count: int = 0
    for_all: bool = False

    def __post_init__(self) -> None:
        self.is_open.set()
        self._start_thread(self._accept_connections)

    def _start_thread(self, work: Callable[..., None], *values: object) -> None:
        self.threads.append(Thread(target=work, args=values, daemon=True))
        self.threads[-1].start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.listening_socket.getsockname()[1]}"

    def stall_connections(self, direction: str, after: int, *, for_all: bool) -> None:
        """Stall one connection or all. `resume_connections` breaks the one connection, or resumes all."""
        self.direction, self.remaining_pieces, self.for_all, self.stall_count = direction, after, for_all, 0
        self.is_open.clear()

    def resume_connections(self) -> None:
        self.direction = ""
        self.is_open.set()

    def _accept_connections(self) -> None:
        with suppress(OSError):
            while True:
                station, _ = self.listening_socket.accept()
                server = socket.create_connection(("127.0.0.1", self.port))
                self.sockets += (station, server)
                self._start_thread(self._forward_data, station, server, TO_SERVER)
                self._start_thread(self._forward_data, server, station, TO_STATION)

    def _forward_data(self, source: socket.socket, target: socket.socket, direction: str) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                if self._is_stall_due(direction):
                    self.is_open.wait(60)
                    if not self.for_all:
                        break
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)

    def _is_stall_due(self, direction: str) -> bool:
        if direction != self.direction:
            return False
        self.remaining_pieces -= 1
        if self.remaining_pieces >= 0 or (self.stall_count and not self.for_all):
            return False
        self.stall_count += 1
        return True

    def close(self) -> None:
        self.resume_connections()
        for connection in (self.listening_socket, *self.sockets):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for connection in (self.listening_socket, *self.sockets):
            connection.close()


@contextmanager
def run_stalling_proxy(port: int) -> Iterator[StallingProxy]:
    proxy = StallingProxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
