"""Tests that no public page or answer contains private data."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.featured_game import FeaturedGameHistory
from tdapp.domain.model import AchievementKind, AchievementRecord, PlayerId, PublicNameFormat
from tdapp.domain.slip import format_code_with_hyphen, make_player_code, make_tablet_code
from tdapp.domain.tournament import Tournament
from tdapp.web.overlays import OVERLAYS, SLOTS
from tdapp.web.shown_tournament import CHECK_IN_PAGE, ENTRY_PAGE, PERSONAL_PAGE, SCREEN_PREFIX
from tdapp.web.site import FEEDS
from tests.building import DIVISION, load_rule_set, pair_rounds
from tests.web.running_server import KEY, run_server
from tests.web.test_featured import CODE, ManualClock, Typist

HIDDEN_TEXTS = ("QUIZ", "XYLEEN", "1234", "1111")  # moves and result not yet public
TILES = 'class="tile'  # on a board
_LINK = re.compile(r'(?:href|src)="([^"]+)"')
PRIVATE = ("4711", "47.11", "Berghuis", "Annelies", "Oslo", "ill today", "M-0815", "id-of-a-player")


def make_private_tournament() -> Tournament:
    """Return a tournament with every kind of private data."""
    value = commands.new_tournament(key="t", name="Test", ruleset=load_rule_set(), seed=7)
    value = commands.add_division(value, key=DIVISION, code="A")
    value = commands.add_stage(value, key="s", division=DIVISION, system="swiss", rounds=5)
    for number in range(1, 7):
        value = commands.add_player(
            value, key=f"id-of-a-player-{number}", division=DIVISION, name=f"Berghuis, Annelies {number}",
            club="Oslo", notes="ill today", member="M-0815",
        )  # fmt: skip
    value = commands.set_names_shown(value, names=PublicNameFormat.NUMBER, details=False)
    value = commands.add_fee(value, key="f", division=DIVISION, amount=1500)
    value = commands.note_paid(value, players=(PlayerId("id-of-a-player-1"),), amount=4711)
    listed_record = AchievementRecord(AchievementKind.HIGH_GAME, 300, "Annelies 2 Berghuis", "2001", "Club")
    value = commands.open_check_in(commands.keep_records(value, records=(listed_record,)))
    value = pair_rounds(pair_rounds(value, times=1), results=False)
    return replace(commands.open_entry(value, key=KEY), secret="of the tests")  # noqa: S106


@contextmanager
def run_private_typist(*, delay: int = 10) -> Iterator[Typist]:
    clock = ManualClock()
    with run_server(make_private_tournament(), clock=clock) as server:
        yield Typist(server, clock, FeaturedGameHistory(server.get_game(1).id, CODE, delay))


def list_secret_codes(typist: Typist) -> tuple[str, ...]:
    """Return all secret codes, raw and as printed."""
    value = typist.server.tournament
    codes = [
        *(make_player_code(value, player) for player in value.players),
        *typist.server.get_codes(1),
        *typist.server.get_codes(2),
    ]
    return tuple(
        text for code in (*codes, make_tablet_code(value), CODE) for text in (code, format_code_with_hyphen(code))
    )


def list_start_addresses() -> Iterator[str]:
    """Yield the addresses without a link on any page."""
    yield from (
        "",
        "overlay/",
        "version",
        "clock",
        PERSONAL_PAGE,
        ENTRY_PAGE,
        CHECK_IN_PAGE,
        "featured",
        f"{PERSONAL_PAGE}?code=BCDF2345",
        *FEEDS,
    )
    yield from (
        "data.json?division=A",
        "index.html?embed",
        "a-round.html?embed",
        "overlay/own.css",
        "nothing.html",
    )
    yield from (
        f"overlay/{kind}?{query}" for kind in OVERLAYS for query in ("top=99", "table=1", "table=2&player=1")
    )
    yield from (f"overlay/slot/{slot}" for slot in range(1, SLOTS + 1))


def read_all_pages(client: httpx.Client) -> dict[str, str]:
    """Return the text of every answer by address, with some headers."""
    texts: dict[str, str] = {}
    addresses = list(list_start_addresses())
    while addresses:
        address = addresses.pop()
        if address in texts:
            continue
        answer = client.get(address)
        assert answer.status_code in {200, 404}, address
        headers = [answer.headers.get(name, "") for name in ("location", "set-cookie", "link")]
        texts[address] = html.unescape("\n".join((answer.text, *headers)))
        if answer.headers["content-type"].startswith("text/html"):
            addresses += [address for address in _find_local_links(answer, address) if address not in texts]
            addresses += [SCREEN_PREFIX + address] if address.startswith("a-") and "?" not in address else []
    return texts


def _find_local_links(answer: httpx.Response, address: str) -> Iterator[str]:
    for link in _LINK.findall(answer.text):
        parts = urlsplit(urljoin(f"http://room/{address}", html.unescape(link)))
        if parts.netloc == "room" or f"http://{parts.netloc}/" == str(answer.request.url.join("/")):
            yield parts.path.removeprefix("/") + (f"?{parts.query}" if parts.query else "")


def find_leaks(texts: dict[str, str], hidden_texts: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(address, word) for address, text in texts.items() for word in hidden_texts if word in text]


@pytest.mark.slow
def test_server_answers_hide_private_data() -> None:
    with run_private_typist() as typist:
        client = typist.server.make_client()
        assert len(read_all_pages(client)) > 60
        typist.enter_line(1, "8H QUIZ 1234", rack="QUIZXYA")
        typist.enter_line(2, "9C XYLEEN 20")
        texts_before_start = read_all_pages(client)
        assert find_leaks(texts_before_start, (*HIDDEN_TEXTS, *PRIVATE, *list_secret_codes(typist))) == []
        game = typist.featured.game
        for open_game in typist.server.tournament.games.values():
            if typist.server.tournament.rounds[open_game.round].number == 2:
                first, second = (1111, 222) if open_game.id == game else (401, 399)
                typist.server.run_command(
                    partial(commands.enter_result, game=open_game.id, first=first, second=second, confirmed=True)
                )
        texts = read_all_pages(client)
        assert find_leaks(texts, (*HIDDEN_TEXTS, TILES, *PRIVATE, *list_secret_codes(typist))) == []
        assert any("401" in text for text in texts.values())
        typist.clock.advance(minutes=10, seconds=1)
        texts = read_all_pages(client)
        assert find_leaks(texts, (*PRIVATE, *list_secret_codes(typist))) == []
        assert TILES in texts["overlay/board?top=99"]
        leaking_paths = {address.partition("?")[0] for address, _word in find_leaks(texts, HIDDEN_TEXTS)}
        overlays = {f"overlay/{kind}" for kind in ("featured", "score", "pairings", "table", "news")}
        assert leaking_paths >= {
            *overlays,
            "tourney.js",
            "data.json",
            "a-round.html",
            "a-crosstable.html",
            "a-news.html",
        }
