"""The tournament as the web server shows it, with cached pages."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import datetime
from functools import cached_property, partial
from hashlib import blake2b
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request

from tdapp.domain.featured_game import FeaturedGameHistory, TimeStampedGameState, replace_results_with_public_ones
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId, PlayerId, SeatId
from tdapp.domain.publishing import make_public_view
from tdapp.domain.slip import (
    map_phone_codes_to_players,
    map_player_codes_to_players,
    map_slip_codes_to_games_and_players,
)
from tdapp.domain.tables.featured_view import FeaturedGame, find_featured_game
from tdapp.domain.tournament import Tournament, compute_diff
from tdapp.exchange.json_documents import DATA
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.tiles import TileSet
from tdapp.web.overlays import (
    OVERLAYS,
    FeaturedGameView,
    OpenWordList,
    OverlayUrlParameters,
    make_featured_game_view,
    skip_opening_word_list,
)
from tdapp.web.site import ASSETS, FEED, Site, Templates
from tdapp.web.site_views import SiteLink

SCREEN_PREFIX = "screen-"  # name prefix of a projector page
ENTRY_PAGE = "enter"
CHECK_IN_PAGE = "check-in"
PERSONAL_PAGE = "me"  # address of a player's page
SCRIPTS = ("live.js", "check-in.js", "enter.js", "personal.js", "clock.js", "desk.js")
OVERLAY_ASSETS = ("overlay.css", "overlay.js", "board.css", "featured.js")
_MAX_OVERLAYS = 100  # most cached pages
_MIME_TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "html": "text/html",
    "json": "application/json",
    "xml": "application/rss+xml",
    "ics": "text/calendar",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
}


class UnknownPageError(Exception):
    """Raised for an unknown page name."""


class ResponseContent(Struct, frozen=True):
    """Content of a response, plain and compressed by gzip."""

    content: bytes
    gzipped: bytes
    etag: str
    mime_type: str


class WebServerResources:
    """Data shared by all states of the tournament."""

    def __init__(
        self,
        catalogues: Mapping[str, Catalogue],
        templates: Templates,
        *,
        can_players_enter: bool,
        tilesets: Mapping[str, TileSet] = MappingProxyType({}),
        word_lists: OpenWordList = skip_opening_word_list,
    ) -> None:
        self.catalogues, self.templates, self.can_players_enter = catalogues, templates, can_players_enter
        self.tilesets, self.word_lists = tilesets, word_lists
        self.assets = {
            name: make_response_content(name, templates.read_asset(name))
            for name in (*ASSETS, *SCRIPTS, *OVERLAY_ASSETS)
        }


class ShownTournament:
    """One state of the tournament. Use it on the server's thread.

    `featured` is the history of the featured game, which spectators follow. `newest_public_states` has, for this
    and earlier featured games, the newest state that the public may see.
    """

    def __init__(
        self,
        tournament: Tournament,
        context: WebServerResources,
        featured: FeaturedGameHistory | None = None,
        newest_public_states: tuple[TimeStampedGameState, ...] = (),
        *,
        made_at: datetime | None = None,
    ) -> None:
        """Store the values. `made_at` is the local time to show on the pages."""
        self.tournament, self.featured, self.newest_public_states, self._context = (
            tournament,
            featured,
            newest_public_states,
            context,
        )
        self.made_at = made_at
        self.tilesets, self.word_lists = context.tilesets, context.word_lists
        self._sites: dict[str, Site] = {}
        self._pages: dict[tuple[str, str, bool], ResponseContent] = {}
        self._overlays: dict[tuple[str, OverlayUrlParameters, str], ResponseContent] = {}

    def has_public_changes(self, earlier_state: ShownTournament) -> bool:
        """Return whether the public view differs from that of the earlier state.

        Ignore turns of a featured game while its result is not public.
        """
        featured, earlier_featured = self.featured, earlier_state.featured
        if (featured and replace(featured, states=())) != (
            earlier_featured and replace(earlier_featured, states=())
        ) or self.newest_public_states != earlier_state.newest_public_states:
            return True
        public_tournament = replace_results_with_public_ones(self.tournament, self.newest_public_states)
        games_being_typed = {state.game for state in self.newest_public_states} - public_tournament.results.keys()
        changes = compute_diff(
            replace_results_with_public_ones(earlier_state.tournament, earlier_state.newest_public_states),
            public_tournament,
        )
        rows = ((change.kind, change.after or change.before) for change in changes)
        return any(kind != "sheets" or getattr(row, "game", None) not in games_being_typed for kind, row in rows)

    def get_page_or_asset(self, name: str, language: str, *, embedded: bool = False) -> ResponseContent:
        """Return a page or asset. An `embedded` page can be shown in a frame. Raises UnknownPageError."""
        if name in self._context.assets:
            return self._context.assets[name]
        if name.removeprefix(SCREEN_PREFIX) not in self._get_site(language).names:
            raise UnknownPageError
        key = name, language, embedded
        if key not in self._pages:
            site = self._get_site(language)
            make = (
                site.make_venue_screen_page
                if name.startswith(SCREEN_PREFIX)
                else site.make_embedded_page
                if embedded
                else site.make_file_content
            )
            self._pages[key] = make_response_content(name, make(name.removeprefix(SCREEN_PREFIX)))
        return self._pages[key]

    def get_overlay(self, kind: str, parameters: OverlayUrlParameters, language: str) -> ResponseContent:
        key = kind, parameters, language
        if key in self._overlays:
            return self._overlays[key]
        try:
            site = self._get_site(language)
            game = self._make_featured_view(language) if OVERLAYS[kind].shows_featured_table else None
            answer = make_response_content(
                "overlay.html",
                site.make_featured_overlay(game, kind) if game else site.make_overlay(kind, parameters),
            )
        except KeyError:
            raise UnknownPageError from None
        if len(self._overlays) < _MAX_OVERLAYS:
            self._overlays[key] = answer
        return answer

    def get_personal_page(self, player: PlayerId | None, code: str, language: str) -> ResponseContent:
        if player is None:
            return make_response_content("personal.html", self._get_site(language).make_personal_page(None, code))
        key = f"{PERSONAL_PAGE} {player}", language, False
        if key not in self._pages:
            self._pages[key] = make_response_content(
                "personal.html", self._get_site(language).make_personal_page(player)
            )
        return self._pages[key]

    def get_division_data_as_json(self, code: str, language: str) -> ResponseContent:
        """Return the public data of a division as JSON."""
        try:
            return make_response_content(DATA, self._get_site(language).make_division_data_file(code))
        except KeyError:
            raise UnknownPageError from None

    def get_news_feed(self, address: str, language: str) -> ResponseContent:
        return make_response_content(FEED, self._get_site(language).make_news_feed(address))

    def _make_featured_view(self, language: str) -> FeaturedGameView | None:
        game, featured = self._public_featured_game, self.featured
        if game is None or featured is None:
            return None
        return make_featured_game_view(game, self.tilesets[game.tileset], self._context.catalogues[language])

    @cached_property
    def _public_featured_game(self) -> FeaturedGame | None:
        if self.featured is None or not self.newest_public_states:
            return None
        with self.word_lists(
            self.featured.find_wordlist_id_for_public_verdicts(self.tournament, self.newest_public_states[0].game)
        ) as wordlist:
            return find_featured_game(
                self.public_tournament, self.newest_public_states[0], tilesets=self.tilesets, wordlist=wordlist
            )

    def _get_public_featured_game_with_id(self) -> tuple[GameId, FeaturedGame] | None:
        return (
            (self.newest_public_states[0].game, self._public_featured_game) if self._public_featured_game else None
        )

    @cached_property
    def index(self) -> TournamentIndex:
        """Index of the complete tournament, which only clients with a code may see."""
        return TournamentIndex(self.tournament)

    @cached_property
    def public_names(self) -> Mapping[PlayerId, str]:
        return {key: player.name for key, player in self.public_tournament.players.items()}

    @cached_property
    def public_tournament(self) -> Tournament:
        """The part of the tournament that the public may see."""
        return make_public_view(self.tournament)

    @cached_property
    def players_by_player_code(self) -> Mapping[str, PlayerId]:
        return map_player_codes_to_players(self.tournament)

    @cached_property
    def players_by_cookie_code(self) -> Mapping[str, PlayerId]:
        """Map of cookie codes to players. A phone stores the code when a player opens a result slip."""
        return map_phone_codes_to_players(self.tournament)

    @cached_property
    def game_and_player_ids_by_slip_code(self) -> Mapping[str, tuple[GameId | SeatId, PlayerId]]:
        """Map of slip codes to two ids: of the game or seat, and of the player."""
        return map_slip_codes_to_games_and_players(self.index)

    @property
    def can_players_enter_results(self) -> bool:
        """Whether players may enter results on their phones."""
        return self._context.can_players_enter and self.tournament.event.players_enter

    @property
    def is_check_in_open(self) -> bool:
        event = self.tournament.event
        return self._context.can_players_enter and event.players_check_in and not event.finished

    def _get_site(self, language: str) -> Site:
        if language not in self._sites:
            catalogue = self._context.catalogues[language]
            links = [SiteLink(catalogue.text("Check in"), CHECK_IN_PAGE)] if self.is_check_in_open else []
            links += (
                [SiteLink(catalogue.text("Enter a result"), ENTRY_PAGE)] if self.can_players_enter_results else []
            )
            links += (
                [SiteLink(catalogue.text("Your own page"), PERSONAL_PAGE)] if self.players_by_player_code else []
            )
            value = replace_results_with_public_ones(self.tournament, self.newest_public_states)
            self._sites[language] = Site(
                value,
                catalogue,
                self._context.templates,
                live=links,
                made_at=self.made_at,
                featured=self._get_public_featured_game_with_id,
            )
        return self._sites[language]


def make_response_content(name: str, content: bytes) -> ResponseContent:
    kind = _MIME_TYPES[name.rpartition(".")[2]]
    kind = kind if kind.startswith("image/") else f"{kind}; charset=utf-8"
    tag = blake2b(content, digest_size=12).hexdigest()
    return ResponseContent(content, gzip.compress(content, 6, mtime=0), f'"{tag}"', kind)


WriteCommand = Callable[[partial[Tournament]], "Future[Tournament]"]  # runs a command on the thread of the `Desk`


class RequestHandlerServices(Protocol):
    """Services for request handlers."""

    context: WebServerResources

    @property
    def state(self) -> ShownTournament:
        """The current state of the tournament."""

    def get_catalogue(self, request: Request) -> Catalogue:
        """Return the catalogue in the client's language."""

    def refuse_too_many_requests(self, request: Request) -> None:
        """Count a request from an address. Raises HTTPException above the limit."""

    def refuse_too_many_wrong_codes(self, request: Request) -> None:
        """Count a wrong code from an address. Raises HTTPException above the limit."""

    async def run_command(self, command: partial[Tournament], write: WriteCommand | None = None) -> None:
        """Run a command and show the new state. Raises UserError.

        If `write` is None, the callback for commands from players runs the command.
        """
