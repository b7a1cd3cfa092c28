"""Web page on which players check in, on a tablet at the entrance or on their own phones.

Players type their full name. The page lists no names, so that no player can check in another player with one tap.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tdapp.domain import commands
from tdapp.domain.entries import normalise_name
from tdapp.domain.errors import UserError
from tdapp.domain.model import Player, PlayerId
from tdapp.domain.prizes import compute_full_fee
from tdapp.domain.slip import make_player_code, make_tablet_code, normalise_typed_code
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_price, make_division_title
from tdapp.reports.pen import QUIET_ZONE, make_qr_squares
from tdapp.web.rate_limits import (
    RateLimiter,
    get_client_address,
    get_cookie,
    hash_cookie_or_address,
    read_form_strictly,
    set_device_cookie,
)
from tdapp.web.result_entry import PageNotice
from tdapp.web.shown_tournament import CHECK_IN_PAGE, PERSONAL_PAGE, RequestHandlerServices, ShownTournament

_MIN_COMMON_WORDS = 2  # words that a partial match must share


def find_players_by_name(tournament: Tournament, name: str, hint: str = "") -> tuple[Player, ...]:
    """Return the players with the typed `name`. Ignore accents, and the order of first and last name.

    If several players match, keep those whose number or club is `hint`. Return withdrawn players only if no
    other player matches.
    """
    words, players = _split_name_words(name), tournament.players.values()
    matches = [
        player
        for player in players
        if words and words in {_split_name_words(player.name), _split_name_words(player.shown_as)}
    ]
    matches = matches or [
        player for player in players if _is_one_name_part_of_other(words, _split_name_words(player.name))
    ]
    withdrawn_players = {row.player for row in tournament.absences.values() if row.last_round is None}
    matches = [player for player in matches if player.id not in withdrawn_players] or matches
    if len(matches) > 1 and hint.strip():
        matches = [player for player in matches if _has_typed_number_or_club(tournament, player, hint)]
    return tuple(matches)


def _split_name_words(name: str) -> frozenset[str]:
    return frozenset(normalise_name(name.replace("'", "").replace("’", "")).split())


def _is_one_name_part_of_other(words: frozenset[str], name: frozenset[str]) -> bool:
    return min(len(words), len(name)) >= _MIN_COMMON_WORDS and (words <= name or name <= words)


def _has_typed_number_or_club(tournament: Tournament, player: Player, hint: str) -> bool:
    code, club = tournament.divisions[player.division].code, _split_name_words(hint)
    numbers = {
        normalise_name(str(player.number)),
        normalise_name(f"{code}{player.number}"),
        normalise_name(f"{code} {player.number}"),
    }
    return normalise_name(hint) in numbers or (bool(club) and club <= _split_name_words(player.club))


_FIELDS = frozenset({"name", "more", "player", "tablet"})
_MAX_LENGTH = 200
_COOKIE = "door"  # tells phones apart, not people
_COOKIE_SECONDS = 24 * 3600
_RESULT_SECONDS = 15  # seconds that a tablet shows the result of a check-in
_TOO_MANY = 429
_IDLE_SECONDS = 45  # seconds until an unused form is cleared


class CheckInForm(Struct, frozen=True):
    """The typed fields of the check-in form."""

    name: str = ""
    more: str = ""  # number or club
    player: str = ""  # id of the player to check in
    tablet: str = ""  # code of the tablet at the entrance


class CheckInPageState(Struct, frozen=True):
    """Content of the check-in page: the found player to confirm, or the field for a name."""

    form: CheckInForm
    notice: PageNotice | None = None
    player: Player | None = None  # None: ask for a name
    asks_details: bool = False  # whether to also ask for the number or club
    is_checked_in: bool = False
    status: int = 200  # HTTP status


class CheckInPageHandlers:
    """Request handlers of the check-in page."""

    def __init__(self, services: RequestHandlerServices) -> None:
        self._services = services
        self._salt = secrets.token_hex(8)
        self._unknown_name_limit = RateLimiter(30, 60)
        self._phone_limit = RateLimiter(3, 3600)  # a family can share a phone
        self._address_limit = RateLimiter(40, 600)  # phones behind a router share its address
        self.routes = (
            Route(f"/{CHECK_IN_PAGE}", self._show_page),
            Route(f"/{CHECK_IN_PAGE}", self._find_or_check_in_player, methods=["POST"]),
        )

    async def _show_page(self, request: Request) -> Response:
        form = CheckInForm(tablet=self._get_valid_tablet_code(request.query_params.get("tablet", "")))
        player = self._get_player_by_id(request.query_params.get("done", ""))
        if player is None or not player.checked_in or not self._services.state.is_check_in_open:
            return self._make_response(request, CheckInPageState(form, self._explain_closed_check_in(request)))
        notice = PageNotice(self._services.get_catalogue(request).text("You are checked in."), "green")
        return self._make_response(request, CheckInPageState(form, notice, player, is_checked_in=True))

    async def _find_or_check_in_player(self, request: Request) -> Response:
        form = CheckInForm(**await read_form_strictly(request, _FIELDS, _MAX_LENGTH))
        form = replace(form, tablet=self._get_valid_tablet_code(form.tablet))
        if (closed_notice := self._explain_closed_check_in(request)) is not None:
            return self._make_response(request, CheckInPageState(form, closed_notice))
        try:
            self._services.refuse_too_many_requests(request)
            return (
                await self._check_in_player(request, form)
                if form.player
                else self._find_player_by_name(request, form)
            )
        except HTTPException as error:
            text = self._services.get_catalogue(request).text
            busy_text = text("The server is busy. Try again in a moment.")
            limit_text = text("Too many tries. Wait a few minutes, or go to the desk.")
            notice = PageNotice(limit_text if error.status_code == _TOO_MANY else busy_text, "red")
            return self._make_response(request, CheckInPageState(form, notice, status=error.status_code))

    def _find_player_by_name(self, request: Request, form: CheckInForm) -> Response:
        players = find_players_by_name(self._services.state.tournament, form.name, form.more)
        if len(players) == 1:
            return self._make_response(request, CheckInPageState(form, player=players[0]))
        if not (
            players
            or form.tablet
            or self._unknown_name_limit.count_event_and_check_limit(get_client_address(request))
        ):
            raise HTTPException(_TOO_MANY)
        notice = _explain_unclear_name(self._services.get_catalogue(request), players, form)
        return self._make_response(
            request, CheckInPageState(form, notice, asks_details=bool(players or form.more))
        )

    async def _check_in_player(self, request: Request, form: CheckInForm) -> Response:
        catalogue, player = self._services.get_catalogue(request), self._get_player_by_id(form.player)
        if player is None:
            return self._make_response(
                request,
                CheckInPageState(form, PageNotice(catalogue.describe_error(UserError("no-such-player")), "red")),
            )
        if not (player.checked_in or form.tablet or self._count_request_and_check_rate_limits(request)):
            text = catalogue.text(
                "Several people have checked in on this phone. Everyone else must go to the desk."
            )
            return self._make_response(request, CheckInPageState(form, PageNotice(text, "red"), status=_TOO_MANY))
        device = "tablet" if form.tablet else self._identify_sender_device(request)
        try:
            await self._services.run_command(partial(commands.arrive, player=player.id, device=device))
        except UserError as error:
            if error.code != "arrived-already":
                error.facts["player"] = self._services.state.public_names[player.id]
                return self._make_response(
                    request, CheckInPageState(form, PageNotice(catalogue.describe_error(error), "red"), status=422)
                )
        query = {"done": player.id} | ({"tablet": form.tablet} if form.tablet else {})
        return RedirectResponse(f"{CHECK_IN_PAGE}?{urlencode(query)}", status_code=303)

    # --- requests

    def _get_player_by_id(self, player_id: str) -> Player | None:
        return self._services.state.tournament.players.get(PlayerId(player_id))

    def _get_valid_tablet_code(self, text: str) -> str:
        code = make_tablet_code(self._services.state.tournament)
        return code if code and normalise_typed_code(text) == code else ""

    def _identify_sender_device(self, request: Request) -> str:
        return hash_cookie_or_address(self._salt, get_client_address(request), get_cookie(request, _COOKIE))

    def _count_request_and_check_rate_limits(self, request: Request) -> bool:
        return self._phone_limit.count_event_and_check_limit(
            self._identify_sender_device(request)
        ) and self._address_limit.count_event_and_check_limit(get_client_address(request))

    def _explain_closed_check_in(self, request: Request) -> PageNotice | None:
        if self._services.state.is_check_in_open:
            return None
        return PageNotice(
            self._services.get_catalogue(request).describe_error(UserError("check-in-closed")), "amber"
        )

    # --- content

    def _make_response(self, request: Request, page: CheckInPageState) -> Response:
        catalogue = self._services.get_catalogue(request)
        content = self._services.context.templates.render_page(
            "check-in.html", catalogue, **self._make_template_values(request, page)
        )
        response = Response(content, page.status, {"Cache-Control": "no-store"}, "text/html")
        if not page.form.tablet:
            set_device_cookie(response, request, _COOKIE, seconds=_COOKIE_SECONDS, path=f"/{CHECK_IN_PAGE}")
        return response

    def _make_template_values(self, request: Request, page: CheckInPageState) -> dict[str, object]:
        state, catalogue = self._services.state, self._services.get_catalogue(request)
        form, player = page.form, page.player
        player_code = (
            make_player_code(state.tournament, player.id) if player is not None and page.is_checked_in else ""
        )
        address = f"{request.base_url}{PERSONAL_PAGE}?code={player_code}" if player_code else ""
        is_finished = page.is_checked_in or page.notice is not None
        return {
            "event": state.tournament.event.name,
            "title": catalogue.text("Check-in"),
            "notice": page.notice,
            "form": form,
            "is_open": state.is_check_in_open,
            "asks_details": page.asks_details,
            "is_checked_in": page.is_checked_in,
            "player": None if player is None else player.id,
            "facts": () if player is None else _list_player_facts(state, catalogue, player),
            "fee": _describe_entry_fee(state, catalogue, player)
            if player is not None and page.is_checked_in
            else "",
            "personal_url": address,
            "qr": _make_qr_code_svg_path(address) if address and form.tablet else None,
            "home": CHECK_IN_PAGE + (f"?tablet={form.tablet}" if form.tablet else ""),
            "return_seconds": (_RESULT_SECONDS if is_finished else _IDLE_SECONDS) if form.tablet else 0,
        }


def _make_qr_code_svg_path(address: str) -> tuple[int, str]:
    rows = make_qr_squares(address)
    path = (
        f"M{x + QUIET_ZONE} {y + QUIET_ZONE} h1 v1 h-1 z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    )
    return len(rows) + 2 * QUIET_ZONE, "".join(path)


def _explain_unclear_name(catalogue: Catalogue, players: Sequence[Player], form: CheckInForm) -> PageNotice:
    text = catalogue.text
    if players and not form.more:
        return PageNotice(text("Several players have this name. Type your number or your club too."), "amber")
    if players:
        return PageNotice(text("More than one player still matches. Go to the desk."), "amber")
    missing = text("No player has this name. Check the spelling, and type your first and last name in full.")
    return PageNotice(f"{missing} {text('If the name is right, go to the desk.')}", "red")


def _list_player_facts(
    state: ShownTournament, catalogue: Catalogue, player: Player
) -> tuple[tuple[str, str], ...]:
    row = state.public_tournament.players[player.id]
    division = make_division_title(catalogue, state.index, state.tournament.divisions[player.division])
    facts = (
        (catalogue.heading("name"), row.name),
        (catalogue.heading("club"), row.club),
        (catalogue.explain_column("number"), str(row.number)),
        (catalogue.heading("division"), division),
    )
    return tuple((name, value) for name, value in facts if value)


def _describe_entry_fee(state: ShownTournament, catalogue: Catalogue, player: Player) -> str:
    """Describe the fee. Hide whether it is paid: anyone can open this page."""
    amount = compute_full_fee(state.index, player)
    if not amount:
        return ""
    fee = format_price(catalogue, state.tournament.event, amount)
    return catalogue.text("The entry fee is {fee}. If you have not paid it yet, pay at the desk.", fee=fee)
