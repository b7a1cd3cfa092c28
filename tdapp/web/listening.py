"""Accept connections with a self-signed certificate.

The number of connections is limited. The operating system counts each as an open file, and the program must still
be able to save.
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

from tdapp.web.rate_limits import REQUEST_TIMEOUT, TimeoutProtocol

MAX_CONNECTIONS = 800
_MIN_CONNECTIONS = 20
_RESERVED_FILES = 100  # for the tournament, its copies and the word lists
_TARGET_FILE_LIMIT = 4_096
_PAUSE = 0.5  # seconds that a new client has for its request, and pause after a failed accept


def increase_and_get_connection_limit() -> int:
    """Return the maximum number of connections. Raise the limit of open files first, if the system allows."""
    if sys.platform == "win32":  # Windows sockets are no files
        return MAX_CONNECTIONS
    import resource  # noqa: PLC0415 - does not exist on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = _TARGET_FILE_LIMIT if hard == resource.RLIM_INFINITY else min(hard, _TARGET_FILE_LIMIT)
    if soft != resource.RLIM_INFINITY and soft < target:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
            soft = target
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    used_files = sum(1 for _ in Path("/dev/fd").iterdir())
    return max(_MIN_CONNECTIONS, min(MAX_CONNECTIONS, soft - used_files - _RESERVED_FILES))


class ConnectionListener:
    """Accepts connections up to a limit. Further clients wait in the queue of the system and use no open files.

    When all connections are taken, the oldest connection without a request is closed.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._open_count = limit, 0
        self._silent: dict[TimeoutProtocol, float] = {}  # clients without a request, with arrival times
        self._free_slot = asyncio.Event()
        self._accept_task: asyncio.Task[None] | None = None
        self._start_tasks: set[asyncio.Task[None]] = set()

    async def create_server(
        self,
        make: Callable[[], TimeoutProtocol],
        *,
        sock: socket.socket,
        ssl: ssl.SSLContext | None = None,
        backlog: int = 0,
    ) -> ConnectionListener:
        self._accept_task = asyncio.create_task(self._accept_connections(make, sock, ssl))
        return self

    def close(self) -> None:
        if self._accept_task is not None:
            self._accept_task.cancel()

    async def wait_closed(self) -> None:
        if self._accept_task is not None:
            await asyncio.wait([self._accept_task, *self._start_tasks])

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
            self._open_count += 1
            task = asyncio.create_task(self._serve_connection(make(), connection, context))
            self._start_tasks.add(task)
            task.add_done_callback(self._start_tasks.discard)

    async def _wait_for_free_connection(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._open_count >= self._limit:
            oldest = next(iter(self._silent), None)
            if oldest is not None and loop.time() - self._silent[oldest] > _PAUSE:
                oldest.transport.abort()
            self._free_slot.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._free_slot.wait(), _PAUSE)

    async def _serve_connection(
        self, protocol: TimeoutProtocol, connection: socket.socket, context: ssl.SSLContext | None
    ) -> None:
        protocol.counter = self
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # without it an answer can wait 40 ms
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=context,
                ssl_handshake_timeout=REQUEST_TIMEOUT if context else None,
            )
        except OSError:  # also a TLS error
            connection.close()
            if not protocol.is_connected:
                self.remove_connection(protocol)

    def add_connection_without_request(self, connection: TimeoutProtocol) -> None:
        self._silent[connection] = asyncio.get_running_loop().time()

    def record_request(self, connection: TimeoutProtocol) -> None:
        self._silent.pop(connection, None)

    def remove_connection(self, connection: TimeoutProtocol) -> None:
        self._silent.pop(connection, None)
        self._open_count -= 1
        self._free_slot.set()


_FILE_NAME = "room.pem"
_VALIDITY = timedelta(days=397)  # browsers accept no more
_MIN_REMAINING = timedelta(days=14)  # a certificate must not expire during an event
_GROUP_DIGITS = 4


class ServerCertificate(Struct, frozen=True):
    """The certificate of the web server."""

    path: Path  # PEM file with key and certificate
    fingerprint: str  # SHA-256 in hexadecimal groups


def load_or_make_certificate(
    folder: Path, *, needed_names: frozenset[str], other_names: frozenset[str]
) -> ServerCertificate:
    """Return the certificate in a folder.

    If it is missing, expires soon or lacks a host in `needed_names`, make one for these hosts and `other_names`.
    """
    path = folder / _FILE_NAME
    certificate = _read_certificate_file(path)
    if (
        certificate is None
        or not needed_names <= _list_certificate_names(certificate)
        or certificate.not_valid_after_utc < datetime.now(UTC) + _MIN_REMAINING
    ):
        certificate = _make_certificate(path, needed_names | other_names)
    digits = certificate.fingerprint(SHA256()).hex().upper()
    return ServerCertificate(
        path, " ".join(digits[index : index + _GROUP_DIGITS] for index in range(0, len(digits), _GROUP_DIGITS))
    )


def _read_certificate_file(path: Path) -> x509.Certificate | None:
    try:
        data = path.read_bytes()
        certificate = x509.load_pem_x509_certificate(data)
        key = load_pem_private_key(data, None)
    except (OSError, ValueError):
        return None
    return certificate if key.public_key() == certificate.public_key() else None


def _list_certificate_names(certificate: x509.Certificate) -> frozenset[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(name.value) for name in names)


def _parse_general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _make_certificate(path: Path, names: frozenset[str]) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    time, subject = datetime.now(UTC), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tdapp")])
    alternative_names = x509.SubjectAlternativeName(
        [_parse_general_name(name) for name in sorted(names) if name and name.isascii()]
    )
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(time - timedelta(days=1))  # for phones with a wrong clock
        .not_valid_after(time + _VALIDITY)
        .add_extension(alternative_names, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret + certificate.public_bytes(Encoding.PEM))
    return certificate
