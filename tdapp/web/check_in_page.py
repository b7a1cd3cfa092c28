"""Web page on which players check in, on a tablet at the entrance or on their own phones.

Players type their full name. The page lists no names, so that no player can check in another by a tap.
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
from tdapp.domain.slip import make_player_code, make_tablet_code, normalise_code
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_price, make_division_title
from tdapp.reports.pen import QUIET_ZONE, make_qr_squares
from tdapp.web.rate_limits import (
    RateLimit,
    get_client_address,
    get_cookie,
    make_device_id,
    read_form_fields,
    set_device_cookie,
)
from tdapp.web.result_entry import PageNotice
from tdapp.web.shown_tournament import CHECK_IN, OWN, RequestServices, ShownTournament

_KNOWN_BY = 2  # words that a partial match must share


def find_players_by_name(tournament: Tournament, name: str, hint: str = "") -> tuple[Player, ...]:
    """Return the players with a name, whether the first or the last name is typed first. Ignore accents.

    If several players match, keep those whose number or club is `hint`. Withdrawn players are returned only if
    no other matches.
    """
    wanted, everybody = _split_name_words(name), tournament.players.values()
    found = [
        one
        for one in everybody
        if wanted and wanted in {_split_name_words(one.name), _split_name_words(one.shown_as)}
    ]
    found = found or [one for one in everybody if _is_partial_match(wanted, _split_name_words(one.name))]
    gone = {row.player for row in tournament.absences.values() if row.last_round is None}
    found = [one for one in found if one.id not in gone] or found
    if len(found) > 1 and hint.strip():
        found = [one for one in found if _has_hint_in_details(tournament, one, hint)]
    return tuple(found)


def _split_name_words(name: str) -> frozenset[str]:
    return frozenset(normalise_name(name.replace("'", "").replace("’", "")).split())


def _is_partial_match(wanted: frozenset[str], name: frozenset[str]) -> bool:
    return min(len(wanted), len(name)) >= _KNOWN_BY and (wanted <= name or name <= wanted)


def _has_hint_in_details(tournament: Tournament, player: Player, hint: str) -> bool:
    code, club = tournament.divisions[player.division].code, _split_name_words(hint)
    numbers = {
        normalise_name(str(player.number)),
        normalise_name(f"{code}{player.number}"),
        normalise_name(f"{code} {player.number}"),
    }
    return normalise_name(hint) in numbers or (bool(club) and club <= _split_name_words(player.club))


_FIELDS = frozenset({"name", "more", "player", "tablet"})
_LONGEST = 200
_COOKIE = "door"  # distinguishes phones only
_REMEMBERED = 24 * 3600  # seconds
_BACK = 15  # seconds that a tablet shows the result of a check-in
_TOO_MANY = 429
_IDLE = 45  # seconds until an unused form is cleared


class CheckInForm(Struct, frozen=True):
    """The typed fields of the check-in form."""

    name: str = ""
    more: str = ""  # number or club
    player: str = ""  # id of the player to check in
    tablet: str = ""  # code of the tablet at the entrance


class CheckInPageState(Struct, frozen=True):
    """Content of the check-in page: a question to the found player, or the field for a name."""

    asked: CheckInForm
    notice: PageNotice | None = None
    player: Player | None = None  # None: ask for a name
    several: bool = False  # whether to ask also for the number or club
    done: bool = False  # whether the player is now checked in
    status: int = 200  # status code of the HTTP response


class CheckInPages:
    """Request handlers of the check-in page."""

    def __init__(self, services: RequestServices) -> None:
        self._services = services
        self._salt = secrets.token_hex(8)
        self._wrong = RateLimit(30, 60)
        self._of_phone = RateLimit(3, 3600)  # a family
        self._of_address = RateLimit(40, 600)  # a router is one address
        self.routes = (
            Route(f"/{CHECK_IN}", self._handle_page),
            Route(f"/{CHECK_IN}", self._handle_form, methods=["POST"]),
        )

    async def _handle_page(self, request: Request) -> Response:
        asked = CheckInForm(tablet=self._verify_tablet_code(request.query_params.get("tablet", "")))
        player = self._get_player(request.query_params.get("done", ""))
        if player is None or not player.checked_in or not self._services.shown.is_check_in_open:
            return self._make_response(request, CheckInPageState(asked, self._explain_closed_check_in(request)))
        notice = PageNotice(self._services.get_catalogue(request).text("You are checked in."), "green")
        return self._make_response(request, CheckInPageState(asked, notice, player, done=True))

    async def _handle_form(self, request: Request) -> Response:
        asked = CheckInForm(**await read_form_fields(request, _FIELDS, _LONGEST))
        asked = replace(asked, tablet=self._verify_tablet_code(asked.tablet))
        if (closed := self._explain_closed_check_in(request)) is not None:
            return self._make_response(request, CheckInPageState(asked, closed))
        try:
            self._services.refuse_too_many_requests(request)
            return (
                await self._check_in_player(request, asked)
                if asked.player
                else self._find_player_by_name(request, asked)
            )
        except HTTPException as error:
            text = self._services.get_catalogue(request).text
            busy = text("The server is busy. Try again in a moment.")
            many = text("Too many tries. Wait a few minutes, or go to the desk.")
            notice = PageNotice(many if error.status_code == _TOO_MANY else busy, "red")
            return self._make_response(request, CheckInPageState(asked, notice, status=error.status_code))

    def _find_player_by_name(self, request: Request, asked: CheckInForm) -> Response:
        found = find_players_by_name(self._services.shown.tournament, asked.name, asked.more)
        if len(found) == 1:
            return self._make_response(request, CheckInPageState(asked, player=found[0]))
        if not (found or asked.tablet or self._wrong.allows(get_client_address(request))):
            raise HTTPException(_TOO_MANY)
        notice = _explain_unknown_player(self._services.get_catalogue(request), found, asked)
        return self._make_response(request, CheckInPageState(asked, notice, several=bool(found or asked.more)))

    async def _check_in_player(self, request: Request, asked: CheckInForm) -> Response:
        catalogue, player = self._services.get_catalogue(request), self._get_player(asked.player)
        if player is None:
            return self._make_response(
                request, CheckInPageState(asked, PageNotice(catalogue.error(UserError("no-such-player")), "red"))
            )
        if not (player.checked_in or asked.tablet or self._is_within_limits(request)):
            text = catalogue.text("Several people have checked in on this phone. Everybody else goes to the desk.")
            return self._make_response(request, CheckInPageState(asked, PageNotice(text, "red"), status=_TOO_MANY))
        device = "tablet" if asked.tablet else self._identify_sender_device(request)
        try:
            await self._services.run_command(partial(commands.arrive, player=player.id, device=device))
        except UserError as error:
            if error.code != "arrived-already":
                error.facts["player"] = self._services.shown.names[player.id]
                return self._make_response(
                    request, CheckInPageState(asked, PageNotice(catalogue.error(error), "red"), status=422)
                )
        query = {"done": player.id} | ({"tablet": asked.tablet} if asked.tablet else {})
        return RedirectResponse(f"{CHECK_IN}?{urlencode(query)}", status_code=303)

    # --- requests

    def _get_player(self, key: str) -> Player | None:
        return self._services.shown.tournament.players.get(PlayerId(key))

    def _verify_tablet_code(self, typed: str) -> str:
        code = make_tablet_code(self._services.shown.tournament)
        return code if code and normalise_code(typed) == code else ""

    def _identify_sender_device(self, request: Request) -> str:
        return make_device_id(self._salt, get_client_address(request), get_cookie(request, _COOKIE))

    def _is_within_limits(self, request: Request) -> bool:
        return self._of_phone.allows(self._identify_sender_device(request)) and self._of_address.allows(
            get_client_address(request)
        )

    def _explain_closed_check_in(self, request: Request) -> PageNotice | None:
        if self._services.shown.is_check_in_open:
            return None
        return PageNotice(self._services.get_catalogue(request).error(UserError("check-in-closed")), "amber")

    # --- content

    def _make_response(self, request: Request, page: CheckInPageState) -> Response:
        catalogue = self._services.get_catalogue(request)
        made = self._services.context.templates.render_page(
            "check-in.html", catalogue, **self._make_template_values(request, page)
        )
        answered = Response(made, page.status, {"Cache-Control": "no-store"}, "text/html")
        if not page.asked.tablet:
            set_device_cookie(answered, request, _COOKIE, seconds=_REMEMBERED, path=f"/{CHECK_IN}")
        return answered

    def _make_template_values(self, request: Request, page: CheckInPageState) -> dict[str, object]:
        shown, catalogue = self._services.shown, self._services.get_catalogue(request)
        asked, player = page.asked, page.player
        own = make_player_code(shown.tournament, player.id) if player is not None and page.done else ""
        address = f"{request.base_url}{OWN}?code={own}" if own else ""
        rests = page.done or page.notice is not None
        return {
            "event": shown.tournament.event.name,
            "title": catalogue.text("Check-in"),
            "told": page.notice,
            "asked": asked,
            "open": shown.is_check_in_open,
            "several": page.several,
            "done": page.done,
            "player": None if player is None else player.id,
            "facts": () if player is None else _list_player_facts(shown, catalogue, player),
            "fee": _format_fee(shown, catalogue, player) if player is not None and page.done else "",
            "own": address,
            "qr": _make_qr_code_path(address) if address and asked.tablet else None,
            "home": CHECK_IN + (f"?tablet={asked.tablet}" if asked.tablet else ""),
            "back": (_BACK if rests else _IDLE) if asked.tablet else 0,
        }


def _make_qr_code_path(address: str) -> tuple[int, str]:
    rows = make_qr_squares(address)
    path = (
        f"M{across + QUIET_ZONE} {down + QUIET_ZONE} h1 v1 h-1 z"
        for down, row in enumerate(rows)
        for across, dark in enumerate(row)
        if dark
    )
    return len(rows) + 2 * QUIET_ZONE, "".join(path)


def _explain_unknown_player(catalogue: Catalogue, found: Sequence[Player], asked: CheckInForm) -> PageNotice:
    text = catalogue.text
    if found and not asked.more:
        return PageNotice(text("Several players have this name. Type your number or your club too."), "amber")
    if found:
        return PageNotice(text("More than one player still matches. Go to the desk."), "amber")
    missing = text("No player has this name. Check the spelling, with first and last name in full.")
    return PageNotice(f"{missing} {text('If the name is right, go to the desk.')}", "red")


def _list_player_facts(
    shown: ShownTournament, catalogue: Catalogue, player: Player
) -> tuple[tuple[str, str], ...]:
    row = shown.public.players[player.id]
    division = make_division_title(catalogue, shown.index, shown.tournament.divisions[player.division])
    facts = (
        (catalogue.heading("name"), row.name),
        (catalogue.heading("club"), row.club),
        (catalogue.explanation("number"), str(row.number)),
        (catalogue.heading("division"), division),
    )
    return tuple((name, value) for name, value in facts if value)


def _format_fee(shown: ShownTournament, catalogue: Catalogue, player: Player) -> str:
    """Return the fee, but not whether it is paid: anyone can open this page."""
    amount = compute_full_fee(shown.index, player)
    if not amount:
        return ""
    fee = format_price(catalogue, shown.tournament.event, amount)
    return catalogue.text("The entry fee is {fee}. If you have not paid it yet, pay at the desk.", fee=fee)
