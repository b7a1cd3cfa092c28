"""The public web pages of a tournament in one language.

All links are relative, and only the search needs JavaScript. The same tournament always gives the same bytes.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time
from email.utils import format_datetime
from operator import itemgetter
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct, convert

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, GameId, PlayerId, Round
from tdapp.domain.photos import decode_jpeg_or_empty
from tdapp.domain.publishing import add_public_sheets_and_record_holders, make_public_view
from tdapp.domain.tables.bracket import find_shown_knockout
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.tournament import Tournament
from tdapp.exchange import icalendar, json_views, tourney_js
from tdapp.exchange.exports import encode_tourney_js
from tdapp.exchange.json_documents import DATA, PublicDivisionJson, PublicEventJson, PublicTournamentJson
from tdapp.exchange.json_text import (
    convert_to_dicts_and_lists,
    format_json,
    make_document_from_rows,
    make_json_schema,
)
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import make_pairings_text_table
from tdapp.i18n.phrases import describe_checksum, make_round_title, make_standings_title
from tdapp.i18n.round_times import find_first_date, find_round_time
from tdapp.web.overlays import OVERLAYS, FeaturedGameView, OverlayRequest, OverlayUrlParameters
from tdapp.web.personal_page import make_personal_page
from tdapp.web.site_views import DivisionPages, SiteLink, find_photo_file_name

SCHEMA = "data.schema.json"
FEED = "rounds.xml"
_MAX_LEADERS = 10  # players in the news of standings
_NOON = time(12)


def encode_public_data_as_json(
    index: TournamentIndex, all_pages: Sequence[DivisionPages], catalogue: Catalogue
) -> bytes:
    """Return players, rounds, standings and brackets as JSON. The index must contain only public data."""
    event = index.tournament.event
    document = PublicTournamentJson(
        schema=SCHEMA,
        format="tdapp-public",
        version=1,
        language=catalogue.language,
        event=make_document_from_rows(PublicEventJson, event),
        divisions=[_make_division_json(index, pages, catalogue) for pages in all_pages],
    )
    return format_json(document).encode() + b"\n"


def _make_division_json(index: TournamentIndex, pages: DivisionPages, catalogue: Catalogue) -> PublicDivisionJson:
    division = pages.division
    stage = find_shown_knockout(index, division.id)
    last_round = pages.ranked_rounds[-1] if pages.ranked_rounds else None
    full = {
        "code": division.code,
        "name": division.name,
        "players": json_views.make_players_json(index, [division]),
        "rounds": [json_views.make_round_json(index, division, item, catalogue) for item in pages.rounds],
        "standings": None
        if last_round is None
        else json_views.make_standings_json(index, division, last_round, catalogue, category=""),
        "bracket": None if stage is None else json_views.make_bracket_json(index, stage, catalogue),
    }
    return convert(convert_to_dicts_and_lists(full), PublicDivisionJson)


def encode_public_data_schema() -> bytes:
    return format_json(make_json_schema(DATA, PublicTournamentJson)).encode() + b"\n"


class NewsItem(Struct, frozen=True):
    """A piece of news: published pairings, or the standings of a finished round."""

    key: str  # permanent id
    title: str
    page: str
    text: str
    published_at: str  # time as in RFC 5322, "" for a round without a date


def list_round_news(
    index: TournamentIndex, all_pages: Sequence[DivisionPages], catalogue: Catalogue, made_at: datetime | None
) -> tuple[NewsItem, ...]:
    """Return published pairings and standings of finished rounds, newest first."""
    items = [
        item for pages in all_pages for item in _list_round_news_of_division(index, pages, catalogue, made_at)
    ]
    return tuple(item for _, item in sorted(items, key=itemgetter(0), reverse=True))


def _list_round_news_of_division(
    index: TournamentIndex, pages: DivisionPages, catalogue: Catalogue, made_at: datetime | None
) -> Iterator[tuple[tuple[int, bool], NewsItem]]:
    for item in pages.rounds:
        start = _format_publication_time(index, pages.division, item, made_at)
        for is_finished, kind, title in (
            (False, "round", make_round_title(catalogue, index, item, is_decided=False)),
            (True, "standings", make_standings_title(catalogue, index, pages.division, item.number)),
        ):
            if not is_finished or (item.number in pages.ranked_rounds and not index.list_open_tables(item.id)):
                full_title = " · ".join(filter(None, (pages.title, title)))
                lines = (
                    pages.list_leaders(item.number, _MAX_LEADERS)
                    if is_finished
                    else _format_pairing_lines(catalogue, index, item)
                )
                page = pages.make_page_name(kind, item.number)
                yield (
                    (item.number, is_finished),
                    NewsItem(f"{item.id}/{kind}", full_title, page, " · ".join(map(str, lines)), start),
                )


def _format_pairing_lines(catalogue: Catalogue, index: TournamentIndex, item: Round) -> Iterator[str]:
    for table, first, second in make_pairings_text_table(catalogue, index, item).list_rows(
        "table", "first_name", "second_name"
    ):
        yield ". ".join(filter(None, (table, " – ".join(filter(None, (first, second))))))


def _format_publication_time(
    index: TournamentIndex, division: Division, item: Round, made_at: datetime | None
) -> str:
    round_time = find_round_time(index, division, item.number)
    day = find_first_date(index.tournament.event.date)
    start = round_time.start if round_time is not None else None
    if start is None and day is not None:
        start = datetime.combine(day, _NOON)
    moments = [moment for moment in (start and start.astimezone(), made_at) if moment is not None]
    return format_datetime(min(moments)) if moments else ""


# `file:` permits the style sheet of a page on disk in browsers that give files no origin.
POLICY = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'"
)
ASSETS = ("site.css", "site.js", "icon.svg")
FEEDS = (tourney_js.NAME, DATA, SCHEMA, FEED)  # data for programs, also on other sites
_ASSET_PATHS = {"icon.svg": "../pictures/tdapp.svg"}
_EVENT_PAGE = "index.html"
_ADDRESS = re.compile(r"https?://[^\s\"'<>?#]+")
_PNG = b"\x89PNG"
_LINK = re.compile(rb'(href="[\w-]+\.html)"')


class Templates:
    """Jinja templates and assets in the folder of resources."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - not needed to open the window

        self._environment = Environment(
            loader=FileSystemLoader(folder, encoding="utf-8"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )

    def render_page(self, name: str, catalogue: Catalogue, **values: object) -> bytes:
        language_values = {"language": catalogue.language, "text": catalogue.text}
        return self._environment.get_template(f"{name}.j2").render(language_values, **values).encode()

    def read_asset(self, name: str) -> bytes:
        return (self._folder / _ASSET_PATHS.get(name, name)).read_bytes()


class Site:
    """The web pages of a tournament, each made when it is requested."""

    def __init__(
        self,
        tournament: Tournament,
        catalogue: Catalogue,
        templates: Templates,
        *,
        live: Iterable[SiteLink] | None = None,
        address: str = "",
        made_at: datetime | None = None,
        featured: Callable[[], tuple[GameId, FeaturedGame] | None] = lambda: None,
    ) -> None:
        """Prepare the pages.

        `live` has the links to extra pages of the web server, or is None for pages in files. `address` is the URL
        of the site with a slash at the end, or "". `made_at` is the local time to show. `featured` returns the
        public state of the featured game.
        """
        index = TournamentIndex(make_public_view(tournament))
        plays = TournamentIndex(add_public_sheets_and_record_holders(index.tournament, tournament))
        self._event = index.tournament.event
        # pages of the web server change too often for a checksum
        self._checksum_text = describe_checksum(catalogue, tournament) if live is None else ""
        self._catalogue, self._templates, self._address = catalogue, templates, address
        self._made_at = made_at
        self._updated = (
            catalogue.text("Updated {moment}", moment=catalogue.format_date_and_time(made_at)) if made_at else ""
        )
        picture = next(iter(tournament.logos.values()), None)
        self._picture = b64decode(picture.data) if picture is not None else b""
        self._logo = f"logo.{'png' if self._picture.startswith(_PNG) else 'jpg'}" if self._picture else ""
        self._photos = {
            name: row for key, row in index.tournament.photos.items() if (name := find_photo_file_name(index, key))
        }
        self._live_links = None if live is None else tuple(live)
        slugs = _make_division_slugs(index.divisions)
        self._divisions = tuple(
            DivisionPages(index, division, slugs[division.code], catalogue, plays) for division in index.divisions
        )
        self._pages_by_name = {name: pages for pages in self._divisions for name in pages.page_makers}
        self._place_and_date = " · ".join(
            filter(None, (self._event.place, catalogue.format_date(self._event.date)))
        )
        self._feeds: Mapping[str, Callable[[], bytes]] = {
            tourney_js.NAME: lambda: encode_tourney_js(index, index.divisions, featured()),
            DATA: lambda: encode_public_data_as_json(index, self._divisions, catalogue),
            SCHEMA: encode_public_data_schema,
            FEED: lambda: self.make_news_feed(address),
        }
        self._index = index
        self._calendars = {
            pages.calendar_file_name: pages.division for pages in self._divisions if pages.calendar_file_name
        }
        self.names = (
            _EVENT_PAGE,
            *self._pages_by_name,
            *self._calendars,
            *FEEDS,
            *self._photos,
            *filter(None, (self._logo,)),
        )

    def make_file_content(self, name: str) -> bytes:
        if name in FEEDS:
            return self._feeds[name]()
        if name == self._logo:
            return self._picture
        if name in self._photos:
            return decode_jpeg_or_empty(self._photos[name].data)
        if name in self._calendars:
            return icalendar.encode_calendar(self._index, [self._calendars[name]], self._catalogue)
        if name == _EVENT_PAGE:
            states = [
                ": ".join(filter(None, (division.title, division.describe_division_state())))
                for division in self._divisions
            ]
            frame = self._make_common_template_values("", "", self._place_and_date, *states)
            return self._render_page(
                "index.html", divisions=self._divisions, page_url=self._make_page_url(name), **frame
            )
        view, division = self._pages_by_name[name].page_makers[name](), self._pages_by_name[name].title
        frame = self._make_common_template_values(view.title, division, division, self._place_and_date, view.note)
        return self._render_page(view.template, view=view, page_url=self._make_page_url(name), **frame)

    def _make_page_url(self, name: str) -> str:
        return self._address and self._address + name

    def make_embedded_page(self, name: str) -> bytes:
        return _LINK.sub(
            rb'\1?embed"', self.make_file_content(name).replace(b"<html ", b'<html class="embed" ', 1)
        )

    def make_division_data_file(self, code: str) -> bytes:
        matches = [pages for pages in self._divisions if pages.division.code.casefold() == code.casefold()]
        if not matches:
            raise KeyError(code)
        return encode_public_data_as_json(self._index, matches, self._catalogue)

    def make_news_feed(self, address: str) -> bytes:
        news = list_round_news(self._index, self._divisions, self._catalogue, self._made_at)
        frame = self._make_common_template_values("", "", self._place_and_date, self._event.name)
        home = f"{address}{_EVENT_PAGE}" if address else uuid5(NAMESPACE_URL, self._event.id).urn
        built = self._made_at and format_datetime(self._made_at)
        return self._render_page(
            FEED, news=news, address=address, home=home, built=built, key=self._event.id, **frame
        )

    def make_all_files(self) -> Iterator[tuple[str, bytes]]:
        for name in ASSETS:
            yield name, self._templates.read_asset(name)
        for name in self.names:
            yield name, self.make_file_content(name)

    def make_venue_screen_page(self, name: str) -> bytes:
        if name not in self._pages_by_name:
            return self.make_file_content(name)
        view = self._pages_by_name[name].page_makers[name]()
        return self._render_page(
            "screen.html",
            view=view,
            **self._make_common_template_values(view.title, self._pages_by_name[name].title),
        )

    def make_personal_page(self, player: PlayerId | None, code: str = "") -> bytes:
        """Return the personal page of a player.

        If `player` is None, return a page on which a player types a code. `code` is the wrong code that the
        player typed before.
        """
        row = self._index.tournament.players.get(player) if player is not None else None
        pages = next(
            (
                candidate
                for candidate in self._divisions
                if row is not None and candidate.division.id == row.division
            ),
            None,
        )
        view = (
            make_personal_page(self._index, pages, row, self._catalogue)
            if pages is not None and row is not None
            else None
        )
        frame = self._make_common_template_values(
            view.title if view is not None else self._catalogue.text("Your own page"), ""
        )
        return self._render_page(
            "personal.html", personal_page=view, code=code, table=self._catalogue.heading("table"), **frame
        )

    def make_overlay(self, kind: str, parameters: OverlayUrlParameters) -> bytes:
        request = OverlayRequest(self._index, self._divisions, self._catalogue, parameters)
        grid = OVERLAYS[kind].make_overlay_grid(request)
        frame = self._make_common_template_values(grid.caption, "")
        return self._render_page("overlay.html", kind=kind, grid=grid, view=None, **frame)

    def make_featured_overlay(self, view: FeaturedGameView, kind: str) -> bytes:
        return self._render_page(
            "overlay.html", kind=kind, grid=None, view=view, **self._make_common_template_values(view.title, "")
        )

    def _render_page(self, name: str, **values: object) -> bytes:
        return self._templates.render_page(name, self._catalogue, **values)

    def _make_common_template_values(
        self, title: str, division: str, *description_parts: str
    ) -> dict[str, object]:
        event = self._event
        return {
            "title": " · ".join(filter(None, (title, division, event.name))),
            "heading": title or event.name,
            "description": " · ".join(filter(None, description_parts)),
            "division": division,
            "event": event.name,
            "place_and_date": self._place_and_date,
            "checksum": self._checksum_text,
            "updated": self._updated,
            "logo": self._logo,
            "picture": self._address and self._logo and self._address + self._logo,
            "menus": self._divisions,
            "live_links": self._live_links,
            "policy": POLICY if self._live_links is None else "",
        }


def parse_site_url(text: str) -> str:
    """Return a URL with a slash at the end, or "" for an empty text. Raises CommandError for an invalid URL."""
    text = text.strip()
    if text and not _ADDRESS.fullmatch(text):
        raise CommandError("site-address", address=text)
    return text and text.removesuffix("/") + "/"


def _make_division_slugs(divisions: Iterable[Division]) -> Mapping[str, str]:
    slugs: dict[str, str] = {}
    for number, division in enumerate(divisions, 1):
        normalised = unicodedata.normalize("NFKD", division.code.casefold())
        slug = "".join(sign for sign in normalised if sign.isascii() and sign.isalnum())[:20]
        if not slug or slug in {*slugs.values(), "index", "enter", "screen"}:
            slug = f"d{number}-{slug}".rstrip("-")
        slugs[division.code] = slug
    return slugs
