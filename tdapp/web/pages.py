"""Answers of the web server: pages, assets, change events, and the form for results."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from babel import negotiate_locale
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from tdapp.desk import utc_now
from tdapp.domain.errors import UserError
from tdapp.domain.featured_game import FEATURED_SLOT, Featured, GameMoment
from tdapp.domain.round_clock import MINUTE, RoundClock
from tdapp.domain.slip import normalise_code
from tdapp.domain.tournament import Tournament
from tdapp.exchange.json_documents import DATA
from tdapp.i18n.catalogue import ALIASES, LANGUAGES, Catalogue
from tdapp.web import result_entry
from tdapp.web.check_in_page import CheckInPages
from tdapp.web.overlays import Wanted, list_overlays
from tdapp.web.rate_limits import (
    FRAMED,
    POLICY,
    READ_ELSEWHERE,
    Devices,
    Headers,
    Hosts,
    Limit,
    address_of,
    cookie_of,
    form_fields,
    mark_device,
    parse_number,
)
from tdapp.web.result_entry import FIELDS, LONGEST_CODE, Notice, Sent, SlipSeat
from tdapp.web.room_pages import (
    ENTER,
    OWN,
    SCREEN,
    NoPage,
    PageAnswer,
    PageContext,
    ShownTournament,
    Write,
    make_answer,
)
from tdapp.web.site import FEED, FEEDS
from tdapp.web.typing_page import TypingPages

LOG = logging.getLogger("tdapp")

_HEARTBEAT = 4.0  # seconds between two keep-alive lines; a page is old after 10 seconds of silence
_WRITING = 10.0  # timeout of an entry in seconds
_MOST_LISTENING = 600
EMBED = "embed"  # query parameter of an embedded page
_COOKIE = "device"  # distinguishes phones only
_REMEMBERED = 14 * 24 * 3600  # seconds
_LARGEST_STYLE = 1_000_000  # bytes
OWN_STYLE = "own.css"


class RoomPages:
    """Requests of one server, on its thread."""

    def __init__(
        self,
        context: PageContext,
        language: str,
        tournament: Tournament,
        write: Write | None,
        *,
        typing: Write | None = None,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        """`write` runs results, `typing` turns of the featured table, `clock` gives UTC."""
        self.context, self._language, self._write = context, language, write
        self._typist = TypingPages(self, typing)
        self._begun, self._count, self._typings = secrets.token_hex(4), 0, 0
        self._clock = clock
        self._featured: Featured | None = None
        self._round_clock: RoundClock | None = None
        self._made = ShownTournament(tournament, context, made=self._local_time())
        self._news = asyncio.Event()
        self._listening, self._closing = 0, False
        self._tries = Limit(300, 60)  # a router is one address
        self._games = Limit(12, 60)
        self._wrong = Limit(10, 300)
        self._devices = Devices()
        self._slots: Mapping[int, int] = {}
        self._style: Path | None = None
        handlers = {HTTPException: self._error, Exception: self._bug}
        self.app = Starlette(
            routes=self._routes(),
            middleware=[Middleware(Headers), Middleware(Hosts)],
            exception_handlers=handlers,
        )

    def _routes(self) -> list[Route]:
        return [
            Route("/", self._answer_page),
            Route("/live", self._live),
            Route("/version", self._version),
            Route("/clock", self._time),
            Route(f"/{ENTER}", self._ask),
            Route(f"/{ENTER}", self._enter, methods=["POST"]),
            *CheckInPages(self).routes,
            Route(f"/{OWN}", self._own),
            *self._typist.routes,
            Route("/overlay/", self._overlays),
            Route(f"/overlay/{OWN_STYLE}", self._own_style),
            Route("/overlay/slot/{slot:int}", self._overlay),
            Route("/overlay/{kind}", self._overlay),
            Route("/{name}", self._answer_page),
        ]

    def show_tournament(self, tournament: Tournament) -> None:
        """Notify the listening clients."""
        if tournament is not self._made.tournament:
            self._replace_value(tournament)

    def feature(self, featured: Featured | None) -> None:
        self._featured = featured
        self._replace_value(self._made.tournament)

    def _replace_value(self, tournament: Tournament) -> None:
        """Show a value. Clients without the typist's code are notified of public changes only."""
        made = ShownTournament(tournament, self.context, self._featured, self._seen(), made=self._local_time())
        self._typings += 1
        if made.differs(self._made):
            self._count += 1
        else:
            made.made = self._made.made
        self._made = made
        self._wake()

    def tell_time(self, clock: RoundClock) -> None:
        """Use the monotonic seconds of this process."""
        self._round_clock = clock

    @property
    def shown(self) -> ShownTournament:
        """The featured table's public part grows with time."""
        seen, made = self._seen(), self._made
        if seen != made.seen:
            self._made = ShownTournament(
                made.tournament, self.context, self._featured, seen, made=self._local_time()
            )
        return self._made

    def _local_time(self) -> datetime:
        return datetime.fromisoformat(self._clock()).astimezone()

    def _seen(self) -> tuple[GameMoment, ...]:
        return self._featured.public(self._clock()) if self._featured else ()

    def dress(self, slots: Mapping[int, int], style: Path | None) -> None:
        """Set the tables of overlay slots and their style sheet."""
        self._slots, self._style = slots, style
        self._count += 1
        self._wake()

    def end_streams(self) -> None:
        self._closing = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    # --- pages

    async def _answer_page(self, request: Request) -> Response:
        name, asked = request.path_params.get("name", "index.html"), request.query_params
        framed = EMBED in asked and name.endswith(".html") and not name.startswith(SCREEN)
        try:
            found = self._found(request, name, framed=framed)
        except NoPage:
            raise HTTPException(404) from None
        answer = self._sent(request, found)
        if framed:
            answer.headers.update(FRAMED)
        if name in FEEDS:  # an overlay can be framed by another program
            answer.headers.update(READ_ELSEWHERE)
        return answer

    def _found(self, request: Request, name: str, *, framed: bool) -> PageAnswer:
        language, division = self._language_of(request), request.query_params.get("division")
        if name == DATA and division is not None:
            return self.shown.data(division, language)
        if name == FEED:
            return self.shown.feed(str(request.base_url), language)
        return self.shown.make_page(name, language, embedded=framed)

    def _sent(self, request: Request, found: PageAnswer) -> Response:
        headers = {"ETag": found.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
        if found.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(found.packed, media_type=found.kind, headers=headers)
        return Response(found.content, media_type=found.kind, headers=headers)

    async def _own(self, request: Request) -> Response:
        code = normalise_code(request.query_params.get("code", "")[:LONGEST_CODE])
        player = self.shown.owners.get(code)
        if player is None and code:
            self.count_wrong(request)
        return self._sent(request, self.shown.own(player, code, self._language_of(request)))

    # --- overlays

    async def _overlay(self, request: Request) -> Response:
        asked, at = request.query_params, request.path_params
        slot = at.get("slot")
        table = parse_number(asked.get("table")) if slot is None else self._slots.get(slot, 0)
        wanted = Wanted(
            asked.get("division", ""), parse_number(asked.get("top")), parse_number(asked.get("player")), table
        )
        kind = "featured" if table == FEATURED_SLOT else at.get("kind", "table")
        language = asked.get("lang", "")
        language = language if language in LANGUAGES else self._language_of(request)
        try:
            found = self.shown.overlay(kind, wanted, language)
        except NoPage:
            raise HTTPException(404) from None
        answer = self._sent(request, found)
        answer.headers.update(FRAMED)
        return answer

    async def _overlays(self, request: Request) -> Response:
        catalogue = self.catalogue(request)
        sources = list_overlays(catalogue, str(request.base_url))
        made = self.context.templates.render_page("overlays.html", catalogue, sources=sources)
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": f"{POLICY}; frame-src 'self'"}
        return Response(made, headers=headers, media_type="text/html")

    async def _own_style(self, _request: Request) -> Response:
        """Answer with the director's style sheet, empty if unreadable."""
        try:
            content = self._style.read_bytes()[:_LARGEST_STYLE] if self._style is not None else b""
        except OSError:
            content = b""
        return Response(content, headers={"Cache-Control": "no-cache"}, media_type="text/css")

    async def _version(self, request: Request) -> Response:
        now = self._now(typing=self._typist.asks(request))
        return PlainTextResponse(now, headers={"Cache-Control": "no-store"})

    async def _time(self, _request: Request) -> Response:
        """Delay the seconds like the featured table. Null without a clock."""
        clock, delay = self._round_clock, self._featured.delay * MINUTE if self._featured else 0
        left = clock.seconds(time.monotonic() - delay) if clock is not None else None
        told = {"left": left, "runs": clock is not None and clock.running}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    async def _live(self, request: Request) -> Response:
        if self._listening >= _MOST_LISTENING:
            raise HTTPException(503)
        return StreamingResponse(
            self._lines(typing=self._typist.asks(request)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store"},
        )

    async def _lines(self, *, typing: bool) -> AsyncIterator[str]:
        self._listening += 1
        try:
            sent = ""
            while not self._closing:
                news = self._news
                if sent != (now := self._now(typing=typing)):
                    sent = now
                    yield f"data: {sent}\n\n"
                try:
                    await asyncio.wait_for(news.wait(), _HEARTBEAT)
                except TimeoutError:
                    sent = ""  # repeated, because browsers ignore comment lines
        finally:
            self._listening -= 1

    def _now(self, *, typing: bool) -> str:
        typings = [str(self._typings)] if typing else []
        return "-".join((self._begun, str(self._count), *(one.at for one in self._seen()), *typings))

    # --- entries

    async def _ask(self, request: Request) -> Response:
        sent = Sent(code=request.query_params.get("code", ""))
        if not sent.code:
            return self._form(request, None, sent, self._closed(request))
        self.count_try(request)
        seat, notice = self._seat(request, sent)
        if seat is not None:
            notice = result_entry.describe_state(self.shown, seat, self.catalogue(request)) or self._closed(
                request
            )
        return self._form(request, seat, sent, notice)

    async def _enter(self, request: Request) -> Response:
        self.count_try(request)
        sent = Sent(**await form_fields(request, FIELDS, LONGEST_CODE))
        seat, notice = self._seat(request, sent)
        if seat is None:
            return self._form(request, None, sent, notice)
        if not self._games.allows(seat.game.id):
            raise HTTPException(429)
        try:
            await self.written(result_entry.make_command(seat, sent, self._device(request, seat)))
        except UserError as error:
            return self._form(request, seat, sent, Notice(self.catalogue(request).error(error), "red"))
        return RedirectResponse(f"{ENTER}?code={normalise_code(sent.code)}", status_code=303)

    def _device(self, request: Request, seat: SlipSeat) -> str:
        game, cookie = seat.game, cookie_of(request, _COOKIE)
        return self._devices.mark(address_of(request), cookie, round=game.round, table=game.id)

    async def written(self, command: partial[Tournament], write: Write | None = None) -> None:
        """Run a command and show the new value. Raises UserError."""
        write = write or self._write
        if write is None:
            raise UserError("entry-closed")
        written = asyncio.wrap_future(write(command))
        try:
            self.show_tournament(await asyncio.wait_for(written, _WRITING))
        except TimeoutError:
            raise HTTPException(503) from None

    def _seat(self, request: Request, sent: Sent) -> tuple[SlipSeat | None, Notice | None]:
        """Return the seat of a code. An address with too many wrong codes must wait."""
        seat = result_entry.find_seat(self.shown, sent.code) if self.shown.can_enter else None
        if seat is not None or not self.shown.can_enter:
            return seat, self._closed(request)
        self.count_wrong(request)
        text = self.catalogue(request).text(
            "This is not the code of a slip. Look at it again: it has eight signs."
        )
        return None, Notice(text, "red")

    def count_try(self, request: Request) -> None:
        """Count an attempt before its check."""
        if not self._tries.allows(address_of(request)):
            raise HTTPException(429)

    def count_wrong(self, request: Request) -> None:
        if not self._wrong.allows(address_of(request)):
            raise HTTPException(429)

    def _closed(self, request: Request) -> Notice | None:
        if self.shown.can_enter:
            return None
        return Notice(self.catalogue(request).error(UserError("entry-closed")), "amber")

    def _form(self, request: Request, seat: SlipSeat | None, sent: Sent, notice: Notice | None) -> Response:
        values = result_entry.make_form(self.shown, self.catalogue(request), seat, sent, notice)
        made = self.context.templates.render_page("enter.html", self.catalogue(request), **values)
        red = notice is not None and notice.tone == "red"
        status = 422 if red and sent.own else 200
        answered = Response(made, status, {"Cache-Control": "no-store"}, "text/html")
        if seat is not None:
            mark_device(answered, request, _COOKIE, seconds=_REMEMBERED, path=f"/{ENTER}")
        return answered

    # --- errors

    async def _error(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        catalogue = self.catalogue(request)
        text = catalogue.text
        title = {
            404: text("There is no such page."),
            429: text("Too many tries. Wait a few minutes, or bring your slip to the director."),
            503: text("The server is busy. Try again in a moment."),
        }.get(status, text("This cannot be done here."))
        found = make_answer(
            "trouble.html", self.context.templates.render_page("trouble.html", catalogue, title=title)
        )
        headers = {"Cache-Control": "no-store", **(getattr(error, "headers", None) or {})}
        return Response(found.content, status_code=status, media_type=found.kind, headers=headers)

    async def _bug(self, request: Request, error: Exception) -> Response:
        LOG.error("room: %s %s", request.method, request.url.path, exc_info=error)
        return await self._error(request, error)

    # --- requests

    def catalogue(self, request: Request) -> Catalogue:
        return self.context.catalogues[self._language_of(request)]

    def _language_of(self, request: Request) -> str:
        wanted = [part.partition(";")[0].strip() for part in request.headers.get("accept-language", "").split(",")]
        short = [one.partition("-")[0].lower() for one in wanted[:10]]
        return negotiate_locale([ALIASES.get(one, one) for one in short], LANGUAGES) or self._language
