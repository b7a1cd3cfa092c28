"""Protect the web server: headers, and limits for rate, size and speed of requests."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable, Collection, Hashable
from hashlib import blake2b
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers as HeaderMap
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

PATIENCE = 10.0  # seconds in which a request must be complete
LARGEST_HEAD = 16_384  # maximum bytes of request headers
LARGEST_BODY = 2_048
MOST_CONNECTIONS = 800  # most systems limit a process to 1,024 open files
_MOST_KEYS = 10_000
_TABLES_OF_A_DEVICE = 2  # of a round
_FORM = "application/x-www-form-urlencoded"
_LONGEST_COOKIE = 64
_DIGITS = 6  # maximum digits of a number in an address

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_ISOLATED = "Cross-Origin-Opener-Policy"  # over http a browser ignores it and complains
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
READ_ELSEWHERE = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
FRAMED = {"Content-Security-Policy": POLICY.replace("ancestors 'none'", "ancestors *"), "X-Frame-Options": ""}


class Headers:
    """Add headers to answers without them. An empty header is left out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    if not headers.setdefault(name, value):
                        del headers[name]
                if scope["scheme"] == "https":
                    headers[_ISOLATED] = "same-origin"
            await send(message)

        await self._app(scope, receive, sent)


class Hosts:
    """Answer only requests to an IP address or name of this computer. Prevents DNS rebinding."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._names = own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 400 for another host name."""
        if scope["type"] == "http" and not self._is_ours(HeaderMap(scope=scope).get("host", "")):
            await PlainTextResponse("", 400)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            ip_address(name)
        except ValueError:
            return host.rpartition(":")[0].casefold() in self._names or host.casefold() in self._names
        return True


def own_names() -> frozenset[str]:
    """Return this computer's names in lower case."""
    own = socket.gethostname().casefold()
    short = own.partition(".")[0]
    return frozenset({"localhost", own, short, f"{short}.local"})


class Limit:
    """Allow `most` events in `seconds` for each key."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._counted: dict[Hashable, tuple[float, int]] = {}

    def allows(self, key: Hashable) -> bool:
        """Count an event. Return whether it is within the limit."""
        now = self._clock()
        since, count = self._counted.get(key, (now, 0))
        if now - since >= self._seconds:
            since, count = now, 0
        self._counted[key] = since, count + 1
        if len(self._counted) > _MOST_KEYS:
            self._counted = {key: one for key, one in self._counted.items() if now - one[0] < self._seconds}
        return count < self._most


class Devices:
    """Distinguish phones by cookie and address.

    Another cookie at the same address is the same device, except at a router: an address with codes of several
    tables in one round.
    """

    def __init__(self) -> None:
        self._salt = secrets.token_hex(8)  # addresses are stored as hashes only
        self._marks: dict[str, str] = {}
        self._tables: dict[tuple[str, Hashable], set[Hashable]] = {}
        self._routers: set[str] = set()

    def mark(self, address: str, cookie: str, *, round: Hashable, table: Hashable) -> str:
        """Return the id of a device after a correct code. "" means no cookie."""
        tables = self._tables.setdefault((address, round), set())
        tables.add(table)
        if len(tables) > _TABLES_OF_A_DEVICE:
            self._routers.add(address)
        own = device_mark(self._salt, address, cookie)
        return own if address in self._routers else self._marks.setdefault(address, own)


def device_mark(salt: str, address: str, cookie: str) -> str:
    """Use the cookie, or else the address."""
    return blake2b((cookie or salt + address).encode(), digest_size=8).hexdigest()


def cookie_of(request: Request, name: str) -> str:
    return request.cookies.get(name, "")[:_LONGEST_COOKIE]


def mark_device(answered: Response, request: Request, name: str, *, seconds: int, path: str) -> None:
    """Set a cookie, which only distinguishes devices at one address."""
    if name not in request.cookies:
        answered.set_cookie(
            name, secrets.token_urlsafe(16), seconds, path=path, httponly=True,
            samesite="lax", secure=request.url.scheme == "https",
        )  # fmt: skip


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


async def form_fields(request: Request, allowed: Collection[str], longest: int) -> dict[str, str]:
    """Parse a form. Answer 415 for another content type, 400 for an unexpected form."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415)
    try:
        return read_form(await _read_body(request), allowed, longest)
    except ValueError:
        raise HTTPException(400) from None


def read_form(data: bytes, allowed: Collection[str], longest: int) -> dict[str, str]:
    """Parse a form. Raises ValueError for unknown or repeated fields."""
    pairs = parse_qsl(
        data.decode("ascii"), strict_parsing=True, keep_blank_values=True, max_num_fields=len(allowed)
    )
    fields = dict(pairs)
    if len(fields) != len(pairs) or not fields.keys() <= set(allowed):
        raise ValueError("fields that are not ours")
    if any(len(value) > longest for value in fields.values()):
        raise ValueError("a value that is too long")
    return fields


async def _read_body(request: Request) -> bytes:
    """Read the body. Answer 413 if it is too long, 408 if too slow."""
    try:
        return await asyncio.wait_for(_read_limited(request), PATIENCE)
    except TimeoutError:
        raise HTTPException(408) from None
    except ClientDisconnect:  # or an unexpected message
        raise HTTPException(400) from None


async def _read_limited(request: Request) -> bytes:
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > LARGEST_BODY:
            raise HTTPException(413)
    return bytes(read)


class Impatient(H11Protocol):
    """Close connections of clients with unfinished requests."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._seen: object = None
        self._waiting = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Close a connection without a request since the last check."""
        cycle: RequestResponseCycle | None = self.cycle
        answered = cycle is None or cycle.response_complete
        if answered and cycle is self._seen:
            self.transport.close()
            return
        self._seen = cycle if answered else self
        self._waiting = self.loop.call_later(PATIENCE, self._look)


def parse_number(text: str | None) -> int:
    """Return a whole number, or 0."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < _DIGITS else 0
