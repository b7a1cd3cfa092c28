"""What the room sees: one value at a time, its pages made when they are asked for and kept while it stands."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from tdapp.domain.index import Index
from tdapp.domain.model import GameId, PlayerId
from tdapp.domain.publishing import public
from tdapp.domain.slip import codes
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.web.site import ASSETS, Site, Templates
from tdapp.web.site_views import Way

SCREEN = "screen-"  # what goes before a page's name for its projector view
ENTER = "enter"
LIVE = "live.js"
_TYPES = {"css": "text/css", "js": "text/javascript", "html": "text/html", "ics": "text/calendar"}


class NoPage(Exception):
    """There is no page of that name."""


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """A page or what lies beside it; `tag` stays the same as long as its bytes do."""

    content: bytes
    packed: bytes
    tag: str
    kind: str


class PageContext:
    """What every value is shown with: the catalogue of each language, the templates, whether players may enter."""

    def __init__(self, catalogues: Mapping[str, Catalogue], templates: Templates, *, entry: bool) -> None:
        self.catalogues, self.templates, self.entry = catalogues, templates, entry
        self.assets = {name: answer(name, templates.asset(name)) for name in (*ASSETS, LIVE)}


class ShownTournament:
    """One value as it is shown; used on the server's thread only."""

    def __init__(self, tournament: Tournament, context: PageContext) -> None:
        self.tournament, self._context = tournament, context
        self._sites: dict[str, Site] = {}
        self._kept: dict[tuple[str, str], PageAnswer] = {}

    def page(self, name: str, language: str) -> PageAnswer:
        """Return one of the pages, or what lies beside them; raise NoPage where there is none of that name."""
        if name in self._context.assets:
            return self._context.assets[name]
        if name.removeprefix(SCREEN) not in self._site(language).names:
            raise NoPage
        key = name, language
        if key not in self._kept:
            site = self._site(language)
            screen = name.startswith(SCREEN)
            content = site.screen(name.removeprefix(SCREEN)) if screen else site.page(name)
            self._kept[key] = answer(name, content)
        return self._kept[key]

    @cached_property
    def index(self) -> Index:
        """The look-ups of the whole value, for those who have a code."""
        return Index(self.tournament)

    @cached_property
    def names(self) -> Mapping[PlayerId, str]:
        """The players' names as the public reads them."""
        return {key: player.name for key, player in public(self.tournament).players.items()}

    @cached_property
    def codes(self) -> Mapping[str, tuple[GameId, PlayerId]]:
        """Which player enters which game with a code."""
        return codes(self.index)

    @property
    def open(self) -> bool:
        """Whether players may enter results here and now."""
        return self._context.entry and self.tournament.event.players_enter

    def _site(self, language: str) -> Site:
        if language not in self._sites:
            catalogue = self._context.catalogues[language]
            ways = (Way(catalogue.text("Enter a result"), ENTER),) if self.open else ()
            self._sites[language] = Site(self.tournament, catalogue, self._context.templates, live=ways)
        return self._sites[language]


def answer(name: str, content: bytes) -> PageAnswer:
    """Return content as it is sent."""
    kind = f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8"
    tag = blake2b(content, digest_size=12).hexdigest()
    return PageAnswer(content, gzip.compress(content, 6, mtime=0), f'"{tag}"', kind)
