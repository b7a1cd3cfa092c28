"""Protect the web server from forged, large, slow and too frequent requests."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable, Collection, Hashable
from hashlib import blake2b
from ipaddress import ip_address
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers as HeaderMap
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_TIMEOUT = 10.0  # seconds in which a request must be complete
MAX_HEADER_BYTES = 16_384
MAX_BODY_BYTES = 2_048
_MAX_KEYS = 10_000
_TABLES_OF_A_DEVICE = 2  # most in a round
_FORM = "application/x-www-form-urlencoded"
_MAX_COOKIE_LENGTH = 64
_MAX_DIGITS = 6  # numbers in a URL have fewer

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_OPENER_POLICY = "Cross-Origin-Opener-Policy"  # over http, browsers ignore it and log an error
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # needed for the header Origin of forms
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
CROSS_ORIGIN_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
FRAME_HEADERS = {
    "Content-Security-Policy": POLICY.replace("ancestors 'none'", "ancestors *"),
    "X-Frame-Options": "",
}


class SecurityHeadersMiddleware:
    """ASGI middleware that adds missing security headers to responses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    if not headers.setdefault(name, value):
                        del headers[name]
                if scope["scheme"] == "https":
                    headers[_OPENER_POLICY] = "same-origin"
            await send(message)

        await self._app(scope, receive, send_with_headers)


class RequestFilterMiddleware:
    """ASGI middleware that refuses requests to another host, from a form of another site, or with long headers.

    Prevents DNS rebinding and forged forms.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._names = list_own_host_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = self._find_refusal_status(scope) if scope["type"] == "http" else 0
        app = PlainTextResponse("", status) if status else self._app
        await app(scope, receive, send)

    def _find_refusal_status(self, scope: Scope) -> int:
        size = len(scope["raw_path"]) + len(scope["query_string"])
        if size + sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
            return 431
        headers = HeaderMap(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ip_address_or_own_host(host):
            return 400
        is_foreign = origin is not None and origin.casefold().partition("://")[2] != host.casefold()
        return 403 if is_foreign and scope["method"] == "POST" else 0

    def _is_ip_address_or_own_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            ip_address(name)
        except ValueError:
            return host.rpartition(":")[0].casefold() in self._names or host.casefold() in self._names
        return True


def list_own_host_names() -> frozenset[str]:
    host_name = socket.gethostname().casefold()
    short = host_name.partition(".")[0]
    return frozenset({"localhost", host_name, short, f"{short}.local"})


class RateLimiter:
    """A limit on the number of events within `seconds`, counted separately for each key."""

    def __init__(self, limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._seconds, self._clock = limit, seconds, clock
        self._counts: dict[Hashable, tuple[float, int]] = {}

    def count_event_and_check_limit(self, key: Hashable) -> bool:
        """Count an event of `key`. Return whether it is within the limit."""
        current_time = self._clock()
        start, count = self._counts.get(key, (current_time, 0))
        if current_time - start >= self._seconds:
            start, count = current_time, 0
        self._counts[key] = start, count + 1
        if len(self._counts) > _MAX_KEYS:
            self._counts = {
                key: entry for key, entry in self._counts.items() if current_time - entry[0] < self._seconds
            }
        return count < self._limit


class DeviceIdentifier:
    """Tells phones apart by cookie and address.

    The address identifies a phone, because phones lose cookies. If an address sends codes of more than two tables
    in a round, it belongs to a router with several phones. Then the cookie identifies the phone.
    """

    def __init__(self) -> None:
        self._salt = secrets.token_hex(8)  # addresses are stored as hashes only
        self._device_ids: dict[str, str] = {}
        self._tables: dict[tuple[str, Hashable], set[Hashable]] = {}
        self._routers: set[str] = set()

    def identify_device(self, address: str, cookie: str, *, round: Hashable, table: Hashable) -> str:
        """Return an id of the device that sent a request with a table's code.

        `cookie` is "" if the device sent no cookie.
        """
        tables = self._tables.setdefault((address, round), set())
        tables.add(table)
        if len(tables) > _TABLES_OF_A_DEVICE:
            self._routers.add(address)
        device_id = hash_cookie_or_address(self._salt, address, cookie)
        return device_id if address in self._routers else self._device_ids.setdefault(address, device_id)


def hash_cookie_or_address(salt: str, address: str, cookie: str) -> str:
    return blake2b((cookie or salt + address).encode(), digest_size=8).hexdigest()


def get_cookie(request: Request, name: str) -> str:
    return request.cookies.get(name, "")[:_MAX_COOKIE_LENGTH]


def set_device_cookie(response: Response, request: Request, name: str, *, seconds: int, path: str) -> None:
    """If the client has no cookie `name`, set a random one. It distinguishes devices with the same IP address."""
    if name not in request.cookies:
        response.set_cookie(
            name, secrets.token_urlsafe(16), seconds, path=path, httponly=True,
            samesite="lax", secure=request.url.scheme == "https",
        )  # fmt: skip


def get_client_address(request: Request) -> str:
    return request.client.host if request.client else ""


async def read_form_strictly(request: Request, allowed: Collection[str], max_length: int) -> dict[str, str]:
    """Return the fields of a posted form. Answer 415 for another content type, 400 for unexpected fields."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415)
    try:
        return parse_form_strictly(await _read_body_with_timeout(request), allowed, max_length)
    except ValueError:
        raise HTTPException(400) from None


def parse_form_strictly(data: bytes, allowed: Collection[str], max_length: int) -> dict[str, str]:
    pairs = parse_qsl(
        data.decode("ascii"), strict_parsing=True, keep_blank_values=True, max_num_fields=len(allowed)
    )
    fields = dict(pairs)
    if len(fields) != len(pairs) or not fields.keys() <= set(allowed):
        raise ValueError("fields that are not ours")
    if any(len(value) > max_length for value in fields.values()):
        raise ValueError("a value that is too long")
    return fields


async def _read_body_with_timeout(request: Request) -> bytes:
    """Return the body of a request. Answer 413 if it is too long, 408 if it arrives too slowly."""
    try:
        return await asyncio.wait_for(_read_body_up_to_limit(request), REQUEST_TIMEOUT)
    except TimeoutError:
        raise HTTPException(408) from None
    except ClientDisconnect:  # or an unexpected message
        raise HTTPException(400) from None


async def _read_body_up_to_limit(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413)
    return bytes(body)


class ConnectionCounter(Protocol):
    """Counts the connections of a server."""

    def add_connection_without_request(self, connection: TimeoutProtocol) -> None: ...

    def record_request(self, connection: TimeoutProtocol) -> None: ...

    def remove_connection(self, connection: TimeoutProtocol) -> None: ...


class TimeoutProtocol(H11Protocol):
    """HTTP protocol that closes the connection if a client does not complete its request in time."""

    counter: ConnectionCounter
    is_connected = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.is_connected = True
        self.counter.add_connection_without_request(self)
        self._last_cycle: object = None
        self._timer = self.loop.call_later(REQUEST_TIMEOUT, self._close_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        self.counter.remove_connection(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        if self.cycle is not None:
            self.counter.record_request(self)

    def _close_if_idle(self) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        is_answered = cycle is None or cycle.response_complete
        if is_answered and cycle is self._last_cycle:
            self.transport.close()
            return
        self._last_cycle = cycle if is_answered else self
        self._timer = self.loop.call_later(REQUEST_TIMEOUT, self._close_if_idle)


def parse_short_number_or_zero(text: str | None) -> int:
    """Return a whole number of at most five digits, 0 for any other text."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < _MAX_DIGITS else 0
