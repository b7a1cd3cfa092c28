"""Data files next to the pages: JSON and RSS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from msgspec import Struct, convert

from tdapp.domain.index import Index
from tdapp.domain.tables.bracket import knockout_of
from tdapp.exchange import json_views
from tdapp.exchange.json_documents import DATA, PublicDivisionJson, PublicEventJson, PublicJson
from tdapp.exchange.json_text import fill_document, json_text, make_plain
from tdapp.exchange.schema import schema
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import round_title, standings_title
from tdapp.web.site_views import DivisionPages

SCHEMA = "data.schema.json"
FEED = "rounds.xml"


def public_data(index: Index, shown: Sequence[DivisionPages], catalogue: Catalogue) -> bytes:
    """Return players, rounds, standings and brackets. The tournament must be the public one."""
    event = index.tournament.event
    document = PublicJson(
        schema=SCHEMA,
        format="tdapp-public",
        version=1,
        language=catalogue.language,
        event=fill_document(PublicEventJson, event),
        divisions=[_division(index, one, catalogue) for one in shown],
    )
    return json_text(document).encode() + b"\n"


def _division(index: Index, shown: DivisionPages, catalogue: Catalogue) -> PublicDivisionJson:
    division = shown.division
    stage = knockout_of(index, division.id)
    ranked = shown.ranked[-1] if shown.ranked else None
    full = {
        "code": division.code,
        "name": division.name,
        "players": json_views.players_json(index, [division]),
        "rounds": [json_views.round_json(index, division, one, catalogue) for one in shown.rounds],
        "standings": None
        if ranked is None
        else json_views.standings_json(index, division, ranked, catalogue, category=""),
        "bracket": None if stage is None else json_views.bracket_json(index, stage, catalogue),
    }
    return convert(make_plain(full), PublicDivisionJson)


def data_schema() -> bytes:
    return json_text(schema(DATA, PublicJson)).encode() + b"\n"


class News(Struct, frozen=True):
    """`key` is permanent."""

    key: str
    title: str
    page: str


def list_news(index: Index, shown: Sequence[DivisionPages], catalogue: Catalogue) -> tuple[News, ...]:
    """Return published pairings and standings of finished rounds, newest first."""
    every = [one for pages in shown for one in _news(index, pages, catalogue)]
    return tuple(one for _, one in sorted(every, key=itemgetter(0), reverse=True))


def _news(index: Index, shown: DivisionPages, catalogue: Catalogue) -> Iterator[tuple[tuple[int, bool], News]]:
    for item in shown.rounds:
        for over, kind, title in (
            (False, "round", round_title(catalogue, index, item, decided=False)),
            (True, "standings", standings_title(catalogue, index, shown.division, item.number)),
        ):
            if not over or (item.number in shown.ranked and not index.open_games(item.id)):
                named = " · ".join(filter(None, (shown.title, title)))
                yield (item.number, over), News(f"{item.id}/{kind}", named, shown.page(kind, item.number))
