"""Accept connections with a self-signed certificate.

The number of connections is limited, because each is an open file for the system: the program must still be able
to open files to save a tournament.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from tdapp.web.rate_limits import PATIENCE, TimeoutProtocol

MOST_CONNECTIONS = 800
_FEWEST = 20
_KEPT_FILES = 100  # for the tournament, its copies and the word lists
_WANTED_FILES = 4_096
_PAUSE = 0.5  # seconds that a client has for its request, and a pause after an error of the system


def find_connection_limit() -> int:
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


class ConnectionListener:
    """Accepts connections up to `most`. Further clients wait in the queue of the system and use no open files.

    When all connections are taken, the oldest one that has sent no request is closed.
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
    ) -> ConnectionListener:
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
                await self._wait_for_free_connection(loop)
            except asyncio.CancelledError:
                connection.close()
                raise
            self._open += 1
            task = asyncio.create_task(self._serve_connection(make(), connection, context))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _wait_for_free_connection(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._open >= self._most:
            oldest = next(iter(self._silent), None)
            if oldest is not None and loop.time() - self._silent[oldest] > _PAUSE:
                oldest.transport.abort()
            self._free.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._free.wait(), _PAUSE)

    async def _serve_connection(
        self, protocol: TimeoutProtocol, connection: socket.socket, context: ssl.SSLContext | None
    ) -> None:
        protocol.counter = self
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer may wait 40 ms
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol, connection, ssl=context, ssl_handshake_timeout=PATIENCE if context else None
            )
        except OSError:  # also an error of the encryption
            connection.close()
            if not protocol.is_connected:
                self.remove_connection(protocol)

    def add_silent_connection(self, connection: TimeoutProtocol) -> None:
        self._silent[connection] = asyncio.get_running_loop().time()

    def record_request(self, connection: TimeoutProtocol) -> None:
        self._silent.pop(connection, None)

    def remove_connection(self, connection: TimeoutProtocol) -> None:
        self._silent.pop(connection, None)
        self._open -= 1
        self._free.set()


_NAME = "room.pem"
_VALID = timedelta(days=397)  # limit of browsers
_LEFT = timedelta(days=14)  # a certificate must not expire during an event
_GROUP = 4


class ServerCertificate(Struct, frozen=True):
    """The certificate of the web server."""

    path: Path  # PEM file with key and certificate
    fingerprint: str  # SHA-256 in hexadecimal groups


def load_or_make_certificate(folder: Path, *, needed: frozenset[str], known: frozenset[str]) -> ServerCertificate:
    """Return the certificate in a folder.

    If it expires soon or lacks a `needed` host name, make one for the `needed` and `known` names.
    """
    path = folder / _NAME
    found = _load_certificate(path)
    if (
        found is None
        or not needed <= _list_certificate_names(found)
        or found.not_valid_after_utc < datetime.now(UTC) + _LEFT
    ):
        found = _make_certificate(path, needed | known)
    digits = found.fingerprint(SHA256()).hex().upper()
    return ServerCertificate(path, " ".join(digits[at : at + _GROUP] for at in range(0, len(digits), _GROUP)))


def _load_certificate(path: Path) -> x509.Certificate | None:
    try:
        data = path.read_bytes()
        found = x509.load_pem_x509_certificate(data)
        key = load_pem_private_key(data, None)
    except (OSError, ValueError):
        return None
    return found if key.public_key() == found.public_key() else None


def _list_certificate_names(found: x509.Certificate) -> frozenset[str]:
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(one.value) for one in names)


def _parse_general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _make_certificate(path: Path, names: frozenset[str]) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    now, subject = datetime.now(UTC), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tdapp")])
    called = x509.SubjectAlternativeName(
        [_parse_general_name(one) for one in sorted(names) if one and one.isascii()]
    )
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # for phones with a wrong clock
        .not_valid_after(now + _VALID)
        .add_extension(called, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret + made.public_bytes(Encoding.PEM))
    return made
