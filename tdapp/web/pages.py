"""Request handlers of the web server. The "featured game" is the game shown to spectators."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
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
from starlette.types import Receive, Scope, Send

from tdapp.desk import get_utc_timestamp
from tdapp.domain.errors import UserError
from tdapp.domain.featured_game import FEATURED_SLOT, FeaturedGameHistory, TimeStampedGameState
from tdapp.domain.model import PlayerId
from tdapp.domain.round_clock import MINUTE, RoundClock
from tdapp.domain.slip import normalise_typed_code
from tdapp.domain.tournament import Tournament
from tdapp.exchange.json_documents import DATA
from tdapp.i18n.catalogue import ALIASES, LANGUAGES, Catalogue
from tdapp.web import result_entry
from tdapp.web.check_in_page import CheckInPageHandlers
from tdapp.web.desk_pages import COOKIE, DeskPageHandlers
from tdapp.web.overlays import OverlayUrlParameters, list_overlay_names_urls_and_notes
from tdapp.web.rate_limits import (
    CROSS_ORIGIN_HEADERS,
    FRAME_HEADERS,
    POLICY,
    DeviceIdentifier,
    RateLimiter,
    RequestFilterMiddleware,
    SecurityHeadersMiddleware,
    get_client_address,
    get_cookie,
    parse_short_number_or_zero,
    read_form_strictly,
    set_device_cookie,
)
from tdapp.web.result_entry import FIELDS, MAX_CODE_LENGTH, AnySlip, PageNotice, ResultFormFields
from tdapp.web.shown_tournament import (
    ENTRY_PAGE,
    PERSONAL_PAGE,
    SCREEN_PREFIX,
    ResponseContent,
    ShownTournament,
    UnknownPageError,
    WebServerResources,
    WriteCommand,
    make_response_content,
)
from tdapp.web.site import FEED, FEEDS
from tdapp.web.typing_page import TypingPageHandlers

LOG = logging.getLogger("tdapp")

_HEARTBEAT = 4.0  # seconds between keep-alive lines; a page counts as outdated after 10 seconds of silence
_WRITE_TIMEOUT = 10.0  # seconds to save an entry
EMBED = "embed"  # query parameter of an embedded page
_COOKIE = "device"  # tells phones apart, not people
_PLAYER = "player"  # cookie with the code of the phone's player
_OTHER_SLIP = "other"  # query parameter for the slip of another player
_COOKIE_SECONDS = 14 * 24 * 3600
_MAX_STYLE_BYTES = 1_000_000
OWN_STYLE = "own.css"


class EventStreamResponse(StreamingResponse):
    """Sends lines to a client that waits for changes.

    Calls `on_end` after every stream, even if the client disconnects before the first line.
    """

    def __init__(self, lines: AsyncIterator[str], on_end: Callable[[], None]) -> None:
        super().__init__(lines, media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_end()


class PublicPageHandlers:
    """Request handlers of one web server. They run on the server's thread."""

    def __init__(
        self,
        context: WebServerResources,
        language: str,
        tournament: Tournament,
        write: WriteCommand | None,
        *,
        typing: WriteCommand | None = None,
        clock: Callable[[], str] = get_utc_timestamp,
        listener_limit: int,
    ) -> None:
        """Store the callbacks.

        `write` runs the commands of players, `typing` those of the helper who types the featured game. None
        forbids these commands. At most `listener_limit` clients, at most half of them from one address, can
        wait for changes.
        """
        self.context, self._language, self._write = context, language, write
        self._typist, self.desks = TypingPageHandlers(self, typing), DeskPageHandlers(self)
        self._start_id, self._change_count, self._typing_count = secrets.token_hex(4), 0, 0
        self._clock = clock
        self._featured: FeaturedGameHistory | None = None
        self._round_clock: RoundClock | None = None
        self._state = ShownTournament(tournament, context, made_at=self._get_system_time())
        self._news = asyncio.Event()
        self._listener_counts: Counter[str] = Counter()
        self._listener_limit, self._is_closing = listener_limit, False
        self._request_limit = RateLimiter(300, 60)  # phones behind a router share its address
        self._game_limit = RateLimiter(12, 60)
        self._wrong_code_limit = RateLimiter(10, 300)
        self._devices = DeviceIdentifier()
        self._table_by_slot: Mapping[int, int] = {}
        self._style: Path | None = None
        handlers = {HTTPException: self._show_error_page, Exception: self._log_and_show_unexpected_error}
        self.app = Starlette(
            routes=self._make_routes(),
            middleware=[Middleware(SecurityHeadersMiddleware), Middleware(RequestFilterMiddleware)],
            exception_handlers=handlers,
        )

    def _make_routes(self) -> list[Route]:
        return [
            Route("/", self._show_page),
            Route("/live", self._open_event_stream),
            Route("/version", self._send_state_version),
            Route("/clock", self._send_round_clock),
            Route(f"/{ENTRY_PAGE}", self._show_result_form),
            Route(f"/{ENTRY_PAGE}", self._receive_result_from_player, methods=["POST"]),
            *CheckInPageHandlers(self).routes,
            Route(f"/{PERSONAL_PAGE}", self._show_personal_page),
            *self._typist.routes,
            *self.desks.routes,
            Route("/overlay/", self._send_list_of_overlays),
            Route(f"/overlay/{OWN_STYLE}", self._send_overlay_style_sheet),
            Route("/overlay/slot/{slot:int}", self._show_overlay),
            Route("/overlay/{kind}", self._show_overlay),
            Route("/{name}", self._show_page),
        ]

    def show_tournament(self, tournament: Tournament) -> None:
        if tournament is not self._state.tournament:
            self._replace_tournament(tournament)

    def set_featured_game(self, featured: FeaturedGameHistory | None) -> None:
        self._featured = featured
        self._replace_tournament(self._state.tournament)

    def _replace_tournament(self, tournament: Tournament) -> None:
        """Show a new state. Notify only the pages of helpers about non-public changes."""
        new_state = ShownTournament(
            tournament,
            self.context,
            self._featured,
            self._list_newest_public_game_states(),
            made_at=self._get_system_time(),
        )
        self._typing_count += 1
        if new_state.has_public_changes(self._state):
            self._change_count += 1
        else:
            new_state.made_at = self._state.made_at
        self._state = new_state
        self._notify_clients()

    def set_round_clock(self, clock: RoundClock) -> None:
        """Set the state of the round clock. Its times are seconds of this process's monotonic clock."""
        self._round_clock = clock

    @property
    def state(self) -> ShownTournament:
        """The shown tournament, with the public turns of the featured game."""
        newest_public_states, state = self._list_newest_public_game_states(), self._state
        if newest_public_states != state.newest_public_states:
            self._state = ShownTournament(
                state.tournament,
                self.context,
                self._featured,
                newest_public_states,
                made_at=self._get_system_time(),
            )
        return self._state

    def _get_system_time(self) -> datetime:
        return datetime.fromisoformat(self._clock()).astimezone()

    def _list_newest_public_game_states(self) -> tuple[TimeStampedGameState, ...]:
        return self._featured.list_newest_public_state_of_each_game(self._clock()) if self._featured else ()

    def set_overlays(self, table_by_slot: Mapping[int, int], style: Path | None) -> None:
        self._table_by_slot, self._style = table_by_slot, style
        self._change_count += 1
        self._notify_clients()

    def end_event_streams(self) -> None:
        self._is_closing = True
        self._notify_clients()

    def reload_pages_of_browser_desks(self) -> None:
        """Reload the pages on which helpers enter results or jury decisions in a browser.

        Call this after a helper was signed out, or the director deleted a refused line.
        """
        self._notify_clients()

    def _notify_clients(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    # --- pages

    async def _show_page(self, request: Request) -> Response:
        name, parameters = request.path_params.get("name", "index.html"), request.query_params
        is_framed = EMBED in parameters and name.endswith(".html") and not name.startswith(SCREEN_PREFIX)
        try:
            page = self._get_page_content(request, name, embedded=is_framed)
        except UnknownPageError:
            raise HTTPException(404) from None
        answer = self._make_response(request, page)
        if is_framed:
            answer.headers.update(FRAME_HEADERS)
        if name in FEEDS:  # other sites can read these files
            answer.headers.update(CROSS_ORIGIN_HEADERS)
        return answer

    def _get_page_content(self, request: Request, name: str, *, embedded: bool) -> ResponseContent:
        language, division = self._negotiate_language(request), request.query_params.get("division")
        if name == DATA and division is not None:
            return self.state.get_division_data_as_json(division, language)
        if name == FEED:
            return self.state.get_news_feed(str(request.base_url), language)
        return self.state.get_page_or_asset(name, language, embedded=embedded)

    def _make_response(self, request: Request, page: ResponseContent) -> Response:
        headers = {"ETag": page.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
        if page.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(page.gzipped, media_type=page.mime_type, headers=headers)
        return Response(page.content, media_type=page.mime_type, headers=headers)

    async def _show_personal_page(self, request: Request) -> Response:
        code = normalise_typed_code(request.query_params.get("code", "")[:MAX_CODE_LENGTH])
        player = self.state.players_by_player_code.get(code)
        if player is None and code:
            self.refuse_too_many_wrong_codes(request)
        return self._make_response(
            request, self.state.get_personal_page(player, code, self._negotiate_language(request))
        )

    # --- overlays

    async def _show_overlay(self, request: Request) -> Response:
        parameters, path_parameters = request.query_params, request.path_params
        slot = path_parameters.get("slot")
        table = (
            parse_short_number_or_zero(parameters.get("table"))
            if slot is None
            else self._table_by_slot.get(slot, 0)
        )
        overlay_parameters = OverlayUrlParameters(
            parameters.get("division", ""),
            parse_short_number_or_zero(parameters.get("top")),
            parse_short_number_or_zero(parameters.get("player")),
            table,
        )
        kind = "featured" if table == FEATURED_SLOT else path_parameters.get("kind", "table")
        language = parameters.get("lang", "")
        language = language if language in LANGUAGES else self._negotiate_language(request)
        try:
            page = self.state.get_overlay(kind, overlay_parameters, language)
        except UnknownPageError:
            raise HTTPException(404) from None
        answer = self._make_response(request, page)
        answer.headers.update(FRAME_HEADERS)
        return answer

    async def _send_list_of_overlays(self, request: Request) -> Response:
        catalogue = self.get_catalogue(request)
        sources = list_overlay_names_urls_and_notes(catalogue, str(request.base_url))
        content = self.context.templates.render_page("overlays.html", catalogue, sources=sources)
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": f"{POLICY}; frame-src 'self'"}
        return Response(content, headers=headers, media_type="text/html")

    async def _send_overlay_style_sheet(self, _request: Request) -> Response:
        try:
            content = self._style.read_bytes()[:_MAX_STYLE_BYTES] if self._style is not None else b""
        except OSError:
            content = b""
        return Response(content, headers={"Cache-Control": "no-cache"}, media_type="text/css")

    async def _send_state_version(self, request: Request) -> Response:
        self._typist.limit_wrong_typist_codes(request)
        version = self._format_state_version(request)
        return PlainTextResponse(version, headers={"Cache-Control": "no-store"})

    async def _send_round_clock(self, _request: Request) -> Response:
        clock, delay = self._round_clock, self._featured.delay * MINUTE if self._featured else 0
        remaining_seconds = (
            clock.compute_displayed_seconds(time.monotonic() - delay) if clock is not None else None
        )
        values = {"left": remaining_seconds, "runs": clock is not None and clock.is_running}
        return JSONResponse(values, headers={"Cache-Control": "no-store"})

    async def _open_event_stream(self, request: Request) -> Response:
        self._typist.limit_wrong_typist_codes(request)
        address = get_client_address(request)
        if (
            self._listener_counts.total() >= self._listener_limit
            or self._listener_counts[address] >= self._listener_limit // 2
        ):
            raise HTTPException(503)
        self._listener_counts[address] += 1
        return EventStreamResponse(
            self._stream_tournament_state_versions(request), partial(self._decrease_event_stream_count, address)
        )

    def _decrease_event_stream_count(self, address: str) -> None:
        self._listener_counts -= Counter([address])  # removes an address with count 0

    async def _stream_tournament_state_versions(self, request: Request) -> AsyncIterator[str]:
        sent_version = ""
        while not self._is_closing:
            news = self._news
            if sent_version != (version := self._format_state_version(request)):
                sent_version = version
                yield f"data: {sent_version}\n\n"
            try:
                await asyncio.wait_for(news.wait(), _HEARTBEAT)
            except TimeoutError:
                sent_version = ""  # send it again as keep-alive, because browsers ignore comment lines

    def _format_state_version(self, request: Request) -> str:
        """Return a text that changes when the client must reload its page.

        For helpers in browsers it changes with each change of the tournament, for others only with public changes.
        """
        desk = self.desks.format_desk_revision(request) if get_cookie(request, COOKIE) else ""
        typings = [str(self._typing_count)] if desk or self._typist.is_from_featured_table_typist(request) else []
        typings += [desk] if desk else []
        return "-".join(
            (
                self._start_id,
                str(self._change_count),
                *(state.time for state in self._list_newest_public_game_states()),
                *typings,
            )
        )

    # --- entries

    async def _show_result_form(self, request: Request) -> Response:
        form = ResultFormFields(code=request.query_params.get("code", ""))
        if not form.code:
            player = self.state.players_by_cookie_code.get(get_cookie(request, _PLAYER))
            code = result_entry.find_slip_code_of_open_game(self.state, player) if player is not None else ""
            if code and _OTHER_SLIP not in request.query_params:
                return RedirectResponse(f"{ENTRY_PAGE}?code={code}", status_code=303)
            return self._render_result_form(request, None, form, self._explain_closed_result_entry(request))
        self.refuse_too_many_requests(request)
        slip, notice = self._find_slip_or_notice(request, form)
        if slip is not None:
            notice = result_entry.describe_result_or_sent_points(
                self.state, slip, self.get_catalogue(request)
            ) or self._explain_closed_result_entry(request)
        return self._render_result_form(request, slip, form, notice)

    async def _receive_result_from_player(self, request: Request) -> Response:
        self.refuse_too_many_requests(request)
        form = ResultFormFields(**await read_form_strictly(request, FIELDS, MAX_CODE_LENGTH))
        slip, notice = self._find_slip_or_notice(request, form)
        if slip is None:
            return self._render_result_form(request, None, form, notice)
        if not self._game_limit.count_event_and_check_limit(slip.game.id):
            raise HTTPException(429)
        catalogue = self.get_catalogue(request)
        question = result_entry.ask_about_unlikely_points(slip, form, catalogue)
        if question is not None:
            return self._render_result_form(request, slip, form, question)
        try:
            await self.run_command(
                result_entry.make_command_from_slip_form(slip, form, self._identify_sender_device(request, slip))
            )
        except UserError as error:
            refusal = PageNotice(result_entry.explain_result_entry_error(error, catalogue), "red")
            return self._render_result_form(request, slip, form, refusal)
        return RedirectResponse(f"{ENTRY_PAGE}?code={normalise_typed_code(form.code)}", status_code=303)

    def _identify_sender_device(self, request: Request, slip: AnySlip) -> str:
        game, cookie = slip.game, get_cookie(request, _COOKIE)
        return self._devices.identify_device(get_client_address(request), cookie, round=game.round, table=game.id)

    async def run_command(self, command: partial[Tournament], write: WriteCommand | None = None) -> None:
        write = write or self._write
        if write is None:
            raise UserError("entry-closed")
        future = asyncio.wrap_future(write(command))
        try:
            self.show_tournament(await asyncio.wait_for(future, _WRITE_TIMEOUT))
        except TimeoutError:
            raise HTTPException(503) from None

    def _find_slip_or_notice(
        self, request: Request, form: ResultFormFields
    ) -> tuple[AnySlip | None, PageNotice | None]:
        slip = (
            result_entry.find_slip_by_code(self.state, form.code) if self.state.can_players_enter_results else None
        )
        if slip is not None or not self.state.can_players_enter_results:
            return slip, self._explain_closed_result_entry(request)
        self.refuse_too_many_wrong_codes(request)
        text = self.get_catalogue(request).text(
            "This is not a slip code. Check it: a slip code has eight characters."
        )
        return None, PageNotice(text, "red")

    def refuse_too_many_requests(self, request: Request) -> None:
        if not self._request_limit.count_event_and_check_limit(get_client_address(request)):
            raise HTTPException(429)

    def refuse_too_many_wrong_codes(self, request: Request) -> None:
        if not self._wrong_code_limit.count_event_and_check_limit(get_client_address(request)):
            raise HTTPException(429)

    def _explain_closed_result_entry(self, request: Request) -> PageNotice | None:
        if self.state.can_players_enter_results:
            return None
        return PageNotice(self.get_catalogue(request).describe_error(UserError("entry-closed")), "amber")

    def _render_result_form(
        self, request: Request, slip: AnySlip | None, form: ResultFormFields, notice: PageNotice | None
    ) -> Response:
        values = result_entry.make_result_form_template_values(
            self.state, self.get_catalogue(request), slip, form, notice
        )
        content = self.context.templates.render_page("enter.html", self.get_catalogue(request), **values)
        red = notice is not None and notice.tone == "red"
        status = 422 if red and form.own else 200
        response = Response(content, status, {"Cache-Control": "no-store"}, "text/html")
        if slip is not None:
            set_device_cookie(response, request, _COOKIE, seconds=_COOKIE_SECONDS, path=f"/{ENTRY_PAGE}")
            self._set_player_cookie(response, request, slip.player)
        return response

    def _set_player_cookie(self, response: Response, request: Request, player: PlayerId) -> None:
        codes = self.state.players_by_cookie_code
        if get_cookie(request, _PLAYER) not in codes:
            code = next((code for code, owner in codes.items() if owner == player), "")
            response.set_cookie(
                _PLAYER, code, _COOKIE_SECONDS, path=f"/{ENTRY_PAGE}", httponly=True,
                samesite="lax", secure=request.url.scheme == "https",
            )  # fmt: skip

    # --- errors

    async def _show_error_page(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        catalogue = self.get_catalogue(request)
        text = catalogue.text
        title = {
            404: text("There is no such page."),
            429: text("Too many tries. Wait a few minutes, or bring your slip to the director."),
            503: text("The server is busy. Try again in a moment."),
        }.get(status, text("This did not work."))
        page = make_response_content(
            "error.html", self.context.templates.render_page("error.html", catalogue, title=title)
        )
        headers = {"Cache-Control": "no-store", **(getattr(error, "headers", None) or {})}
        return Response(page.content, status_code=status, media_type=page.mime_type, headers=headers)

    async def _log_and_show_unexpected_error(self, request: Request, error: Exception) -> Response:
        LOG.error("room: %s %s", request.method, request.url.path, exc_info=error)
        return await self._show_error_page(request, error)

    # --- requests

    def get_catalogue(self, request: Request) -> Catalogue:
        return self.context.catalogues[self._negotiate_language(request)]

    def _negotiate_language(self, request: Request) -> str:
        tags = [part.partition(";")[0].strip() for part in request.headers.get("accept-language", "").split(",")]
        languages = [tag.partition("-")[0].lower() for tag in tags[:10]]
        return (
            negotiate_locale([ALIASES.get(language, language) for language in languages], LANGUAGES)
            or self._language
        )
