"""Pages for helpers in browsers: request handlers, and the lists of games or players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Protocol, TypeVar

from msgspec import Struct, ValidationError
from msgspec.structs import asdict, replace
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tdapp.domain.errors import CommandError, StorageError, UserError
from tdapp.domain.model import Division, Round
from tdapp.domain.roles import Role
from tdapp.domain.tables.groups import GroupTableGameRow
from tdapp.domain.tables.jury import JuryGame, compute_result_check_progress
from tdapp.domain.tables.players import CheckInRow, CheckInState
from tdapp.domain.tables.rounds import PairingRow
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import assess_correction_effects, describe_effects_on_later_rounds
from tdapp.i18n.phrases import make_division_title
from tdapp.i18n.scores import format_game_row_score
from tdapp.i18n.sheet_reading import TurnsToCheckCache
from tdapp.i18n.sheet_sentences import describe_result_check_progress, list_reasons_to_check_game
from tdapp.web.desk_access import PIN_LENGTH, DeskAccess, DeskSession, RefusedQueuedLine
from tdapp.web.desk_lines import (
    LINE_FIELDS,
    MAX_LINE_LENGTH,
    DeskLineReader,
    DeskLineRequest,
    DeskTilesetsAndWordLists,
    DeskView,
    parse_desk_line,
)
from tdapp.web.desk_stations import DeskStations
from tdapp.web.rate_limits import RateLimiter, get_client_address, parse_short_number_or_zero, read_form_strictly
from tdapp.web.result_entry import PageNotice
from tdapp.web.shown_tournament import RequestHandlerServices

DESK = "desk"
COOKIE = "desk"
_SESSION_SECONDS = 16 * 3600
_WRITE_TIMEOUT = 10.0  # seconds to save a line
_REFUSAL_FIELDS = frozenset({"key", "line", "why", "game"})
_MAX_REQUESTS = 1_200  # requests of a desk in a minute: one for each typed character
T = TypeVar("T")


class DeskThreadCallRunner(Protocol):
    """Runs a function on the thread that owns the open tournament (`Desk`)."""

    def __call__(self, call: Callable[[], T], /) -> Future[T]: ...


class BrowserDeskServices:
    """Services for helpers' browsers."""

    def __init__(self, access: DeskAccess, stations: DeskStations, run: DeskThreadCallRunner) -> None:
        self.access, self.stations, self.run = access, stations, run


class DeskPageHandlers:
    """Request handlers for helpers' browsers. They answer 404 if `service` is None."""

    def __init__(self, services: RequestHandlerServices) -> None:
        self._services = services
        self.service: BrowserDeskServices | None = None
        context = services.context
        self._tools = DeskTilesetsAndWordLists(context.tilesets, context.word_lists, TurnsToCheckCache())
        self._readers: dict[str, DeskLineReader] = {}
        self._rate = RateLimiter(_MAX_REQUESTS, 60)
        self.routes = (
            Route(f"/{DESK}", self._show_page),
            Route(f"/{DESK}", self._sign_in, methods=["POST"]),
            Route(f"/{DESK}/out", self._sign_out, methods=["POST"]),
            Route(f"/{DESK}/read", self._preview_desk_line, methods=["POST"]),
            Route(f"/{DESK}/later", self._preview_effects_on_later_rounds, methods=["POST"]),
            Route(f"/{DESK}/enter", self._enter_line, methods=["POST"]),
            Route(f"/{DESK}/undo", self._undo_step, methods=["POST"]),
            Route(f"/{DESK}/keep", self._store_refused_line, methods=["POST"]),
            Route(f"/{DESK}/drop", self._discard_refused_line, methods=["POST"]),
        )

    def find_and_refresh_session(self, request: Request) -> DeskSession | None:
        return (
            self.service.access.find_and_refresh_session(request.cookies.get(COOKIE, "")) if self.service else None
        )

    def format_desk_revision(self, request: Request) -> str:
        """Return a text that changes when a helper's browser must reload its page."""
        signed_in = self.find_and_refresh_session(request) is not None
        return f"{self.service.access.change_count}{'' if signed_in else '-out'}" if self.service else ""

    # --- pages

    async def _show_page(self, request: Request) -> Response:
        return self._render_page(request, self.find_and_refresh_session(request))

    async def _sign_in(self, request: Request) -> Response:
        desks, catalogue = self._get_service_or_refuse_request(request), self._services.get_catalogue(request)
        fields = await read_form_strictly(request, {"pin", "name"}, 80)
        try:
            token = desks.access.sign_in(
                fields.get("pin", ""), fields.get("name", ""), get_client_address(request)
            )
        except UserError as error:
            notice = PageNotice(catalogue.describe_error(error), "red")
            return self._render_page(request, None, notice, status=429 if error.code == "pin-wait" else 403)
        answer = RedirectResponse(DESK, status_code=303)
        answer.set_cookie(
            COOKIE, token, _SESSION_SECONDS, path="/", httponly=True, samesite="strict",
            secure=request.url.scheme == "https",
        )  # fmt: skip
        return answer

    async def _sign_out(self, request: Request) -> Response:
        desks, session = self._get_service_or_refuse_request(request), self.find_and_refresh_session(request)
        if session is not None:
            desks.access.end_session(session.key)
        answer = RedirectResponse(f"../{DESK}", status_code=303)
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return answer

    # --- lines

    async def _preview_desk_line(self, request: Request) -> Response:
        session = self._get_session_or_refuse(request)
        entry = replace(
            await self._read_line_request_with_permitted_view(request, session), key=""
        )  # a preview saves nothing
        reader = self._get_or_make_desk_line_reader(request)
        reading = reader.preview_line(entry)
        values = {"text": reading.text, "more": reading.details, "tone": reading.tone, "game": reading.game}
        return JSONResponse({
            **values, "step": reading.enter_action.value, "seen": reader.index.tournament.head.revision,
        }, headers=_NO_STORE)  # fmt: skip

    async def _preview_effects_on_later_rounds(self, request: Request) -> Response:
        session = self._get_session_or_refuse(request)
        entry = await self._read_line_request_with_permitted_view(request, session)
        reader, catalogue = self._get_or_make_desk_line_reader(request), self._services.get_catalogue(request)
        correction, text = reader.preview_line(entry).correction, ""
        if correction is not None:
            effects = assess_correction_effects(correction, reader.index, catalogue)
            text = await run_in_threadpool(
                partial(describe_effects_on_later_rounds, correction, effects, catalogue)
            )
        return JSONResponse({"later": text}, headers=_NO_STORE)

    async def _enter_line(self, request: Request) -> Response:
        session, desks = (
            self._get_session_or_refuse(request),
            self._get_service_or_refuse_request(request),
        )
        entry = await self._read_line_request_with_permitted_view(request, session)
        language = self._services.get_catalogue(request).language
        answer = await self._run_on_desk_thread(
            request, partial(desks.stations.enter_line, session, entry, language)
        )
        return JSONResponse(asdict(answer), headers=_NO_STORE)

    async def _undo_step(self, request: Request) -> Response:
        session, desks = (
            self._get_session_or_refuse(request),
            self._get_service_or_refuse_request(request),
        )
        fields = await read_form_strictly(request, {"step"}, 10)
        step, language = (
            parse_short_number_or_zero(fields.get("step")),
            self._services.get_catalogue(request).language,
        )
        answer = await self._run_on_desk_thread(
            request, partial(desks.stations.undo_step, session, step, language)
        )
        return JSONResponse(asdict(answer), headers=_NO_STORE)

    async def _store_refused_line(self, request: Request) -> Response:
        session, desks = (
            self._get_session_or_refuse(request),
            self._get_service_or_refuse_request(request),
        )
        fields = await read_form_strictly(request, _REFUSAL_FIELDS, MAX_LINE_LENGTH)
        if fields.keys() != _REFUSAL_FIELDS:
            raise HTTPException(400)
        desks.access.store_refused_line(RefusedQueuedLine(station=session.station_name, **fields))
        return JSONResponse({}, headers=_NO_STORE)

    async def _discard_refused_line(self, request: Request) -> Response:
        session, desks = (
            self._get_session_or_refuse(request),
            self._get_service_or_refuse_request(request),
        )
        fields = await read_form_strictly(request, {"key"}, MAX_LINE_LENGTH)
        keys = self._list_keys_of_refused_lines(session)
        desks.access.remove_refused_lines_by_key(*(key for key in keys if key == fields.get("key")))
        return JSONResponse({}, headers=_NO_STORE)

    async def _run_on_desk_thread(self, request: Request, call: Callable[[], T]) -> T:
        if self.service is None:
            raise HTTPException(404)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(self.service.run(call)), _WRITE_TIMEOUT)
        except (TimeoutError, StorageError):  # the browser keeps the line and sends it again
            raise HTTPException(503) from None
        except UserError as error:
            raise HTTPException(503 if not isinstance(error, CommandError) else 422) from None

    async def _read_line_request_with_permitted_view(
        self, request: Request, session: DeskSession
    ) -> DeskLineRequest:
        self._get_service_or_refuse_request(request)
        fields = await read_form_strictly(request, LINE_FIELDS, MAX_LINE_LENGTH)
        try:
            entry = parse_desk_line(fields)
        except ValidationError:
            raise HTTPException(400) from None
        is_forbidden = entry.view is DeskView.JURY and session.role is not Role.JURY
        return replace(entry, view=DeskView.RESULTS) if is_forbidden else entry

    def _get_or_make_desk_line_reader(self, request: Request) -> DeskLineReader:
        catalogue, index = self._services.get_catalogue(request), self._services.state.index
        reader = self._readers.get(catalogue.language)
        if reader is None or reader.index is not index:
            reader = self._readers[catalogue.language] = DeskLineReader(index, catalogue, self._tools)
        return reader

    def _list_keys_of_refused_lines(self, session: DeskSession) -> list[str]:
        lines = self.service.access.refused_lines if self.service else ()
        return [line.key for line in lines if line.station == session.station_name]

    # --- access

    def _get_service_or_refuse_request(self, request: Request) -> BrowserDeskServices:
        """Return the service. Raise HTTPException 404 if it is None, 403 if the header Origin is missing."""
        if self.service is None:
            raise HTTPException(404)
        if "origin" not in request.headers:
            raise HTTPException(403)
        return self.service

    def _get_session_or_refuse(self, request: Request) -> DeskSession:
        session = self.find_and_refresh_session(request)
        if session is None:
            raise HTTPException(403)
        if not self._rate.count_event_and_check_limit(session.key):
            raise HTTPException(429)
        return session

    # --- content

    def _render_page(
        self, request: Request, session: DeskSession | None, notice: PageNotice | None = None, *, status: int = 200
    ) -> Response:
        catalogue, state = self._services.get_catalogue(request), self._services.state
        is_on = self.service is not None and self.service.access.state.is_on
        values: dict[str, object] = {
            "event": state.tournament.event.name,
            "event_id": state.tournament.event.id,
            "title": catalogue.text("Sign in"),
            "notice": notice if is_on else PageNotice(catalogue.describe_error(UserError("desks-off")), "amber"),
            "is_on": is_on,
            "digits": PIN_LENGTH,
            "session": session,
        }
        if session is not None:
            values |= self._make_desk_template_values(request, session, catalogue)
        content = self._services.context.templates.render_page("desk.html", catalogue, **values)
        return Response(content, status, {"Cache-Control": "no-store"}, "text/html")

    def _make_desk_template_values(
        self, request: Request, session: DeskSession, catalogue: Catalogue
    ) -> dict[str, object]:
        reader, parameters = self._get_or_make_desk_line_reader(request), request.query_params
        view = (
            DeskView(parameters["view"])
            if parameters.get("view") in _list_allowed_views(session)
            else DeskView.RESULTS
        )
        division = reader.find_division_or_first(parameters.get("division", ""))
        item = reader.find_round_or_newest(division, parse_short_number_or_zero(parameters.get("round")))
        index = reader.index
        return {
            "title": get_view_name(view, catalogue),
            "role": catalogue.translate_code(session.role),
            "view": view,
            "views": [(choice, get_view_name(choice, catalogue)) for choice in _list_allowed_views(session)],
            "division": division,
            "divisions": [(row.id, make_division_title(catalogue, index, row)) for row in index.divisions],
            "item": item,
            "rounds": [row.number for row in (index.list_published_rounds(division.id) if division else ())],
            "revision": index.tournament.head.revision,
            "help": reader.list_input_help(item, view),
            "kept": " ".join(self._list_keys_of_refused_lines(session)),
            "decided": " ".join(self.service.access.removed_line_keys) if self.service else "",
            "content": make_desk_page_list(reader, catalogue, view, division, item),
        }


_NO_STORE = {"Cache-Control": "no-store"}


def _list_allowed_views(session: DeskSession) -> list[DeskView]:
    return [view for view in DeskView if view is not DeskView.JURY or session.role is Role.JURY]


_TONES = {"open": "", "disputed": "red", "doubt": "red", "differs": "amber", "verdict": "amber", "missing": ""}


class DeskPageListRow(Struct, frozen=True):
    """A row in the list of tables or players."""

    key: str
    number: int  # of the table or player
    first: str
    second: str
    score: str
    state: str
    tone: str = ""
    is_done: bool = False  # whether nothing is left to enter


class DeskPageList(Struct, frozen=True):
    """The list below the input field, with a text such as "5 of 8 results"."""

    headings: tuple[str, ...] = ()
    rows: tuple[DeskPageListRow, ...] = ()
    progress: str = ""
    missing: str = ""  # text that names the tables without result


def get_view_name(view: DeskView, catalogue: Catalogue) -> str:
    names = {
        DeskView.RESULTS: catalogue.text("Results"),
        DeskView.JURY: catalogue.text("Jury"),
        DeskView.CHECK_IN: catalogue.text("Check-in"),
    }
    return names[view]


def make_desk_page_list(
    reader: DeskLineReader,
    catalogue: Catalogue,
    view: DeskView,
    division: Division | None,
    round_row: Round | None,
) -> DeskPageList:
    if view is DeskView.CHECK_IN:
        return _make_arrival_list(reader, catalogue, division)
    if round_row is None:
        return DeskPageList()
    return (
        _make_result_list(reader, catalogue, round_row)
        if view is DeskView.RESULTS
        else _make_jury_game_list(reader, catalogue, round_row)
    )


def _make_result_list(reader: DeskLineReader, catalogue: Catalogue, round_row: Round) -> DeskPageList:
    rows = reader.get_result_reader(round_row).tables
    missing = [row.table for row in rows if row.status == "open"]
    progress = catalogue.text("{done} of {n} results", done=len(rows) - len(missing), n=len(rows))
    facts = {"round": round_row.number, "n": len(missing), "tables": missing}
    missing_text = catalogue.describe_problem("results-out", facts) if missing else ""
    columns = ("table", "first_name", "second_name", "score", "state")
    lines = tuple(
        _make_group_table_list_row(row, catalogue)
        if isinstance(row, GroupTableGameRow)
        else _make_game_row(row, catalogue, row.status, row.status != "open")
        for row in rows
    )
    return DeskPageList(tuple(map(catalogue.heading, columns)), lines, progress, missing_text)


def _make_group_table_list_row(row: GroupTableGameRow, catalogue: Catalogue) -> DeskPageListRow:
    first, *other_seats = row.seats
    names, state = " · ".join(seat.name for seat in other_seats), catalogue.translate_code(row.status)
    is_done, tone = row.status != "open", _TONES.get(row.status, "")
    return DeskPageListRow(row.key, row.table, first.name, names, row.points, state, tone, is_done)


def _make_jury_game_list(reader: DeskLineReader, catalogue: Catalogue, round_row: Round) -> DeskPageList:
    with reader.open_word_list(round_row) as wordlist:
        rows = reader.list_jury_games(round_row, wordlist)
    columns = ("table", "first_name", "second_name", "score", "state")
    lines = tuple(
        _make_game_row(
            row,
            catalogue,
            row.status,
            row.status == "open" or not row.is_unchecked,
            ", ".join(list_reasons_to_check_game(catalogue, row)),
        )
        for row in rows
    )
    progress = describe_result_check_progress(catalogue, compute_result_check_progress(rows))
    return DeskPageList(tuple(map(catalogue.heading, columns)), lines, progress)


def _make_game_row(
    row: PairingRow | JuryGame, catalogue: Catalogue, status: str, is_done: bool, note: str = ""
) -> DeskPageListRow:
    state = " · ".join(filter(None, (catalogue.translate_code(status), note)))
    score = format_game_row_score(catalogue, row)
    return DeskPageListRow(
        row.key, row.table, row.first_name, row.second_name, score, state, _TONES.get(status, ""), is_done
    )


def _make_arrival_list(reader: DeskLineReader, catalogue: Catalogue, division: Division | None) -> DeskPageList:
    rows = reader.list_check_in_rows(division) if division is not None else ()
    present_count = sum(row.arrival is CheckInState.PRESENT for row in rows)
    progress = catalogue.text("{here} of {n} players are here", here=present_count, n=len(rows))
    columns = ("number", "name", "club", "arrival")
    lines = tuple(_make_arrival_row(row, catalogue) for row in rows)
    return DeskPageList(tuple(map(catalogue.heading, columns)), lines, progress)


def _make_arrival_row(row: CheckInRow, catalogue: Catalogue) -> DeskPageListRow:
    is_done = row.arrival is not CheckInState.MISSING
    return DeskPageListRow(
        row.key, row.number, row.name, row.club, "", catalogue.translate_code(row.arrival), "", is_done
    )
