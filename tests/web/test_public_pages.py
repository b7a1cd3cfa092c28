"""Phones read the current pages of the site, and nothing else."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tourney_js
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.web.server import WebServer, bind_socket, list_own_addresses
from tdapp.web.site import Site, Templates
from tests.building import DIVISION, RESOURCES, get_player, make_event, pair_rounds
from tests.web.page_checks import iterate_elements, links, parsed, text_of
from tests.web.running_server import Served, playing, read, served, visitor

CLIENTS = 200


def follow(client: httpx.Client) -> dict[str, bytes]:
    """Return every page that can be reached by links from the front page."""
    pages: dict[str, bytes] = {}
    waiting = ["index.html"]
    while waiting:
        name = waiting.pop()
        answer = client.get(name)
        assert answer.status_code == 200, name
        pages[name] = answer.content
        if answer.headers["content-type"].startswith("text/html"):
            for link in links(parsed(answer.content)):
                link = link.partition("#")[0]  # noqa: PLW2901
                if link and link != "data:," and link not in pages and link not in waiting:
                    waiting.append(link)
    return pages


@pytest.mark.slow
def test_server_links_lead_to_html_pages() -> None:
    with served() as server:
        pages = follow(server.client())
        assert {
            "index.html",
            "a-round.html",
            "a-standings-1.html",
            "screen-a-round.html",
            "enter",
            "live.js",
        } <= set(pages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_server_uses_the_language_of_the_phone(language: str) -> None:
    with served() as server:
        tag = {"nb": "no"}.get(language, language)
        page = server.client(**{"Accept-Language": f"xx,{tag}-XX;q=0.9,en;q=0.1"}).get("enter")
        assert parsed(page.content).attrib["lang"] == language


def test_server_falls_back_to_the_language_of_the_director() -> None:
    with served(language="nl") as server:
        assert b'lang="nl"' in server.client(**{"Accept-Language": "fi"}).get("").content
        assert b'lang="nl"' in server.client(**{"Accept-Language": "*;q=,,--;"}).get("").content


def test_public_data_of_all_or_one_division() -> None:
    value = commands.add_division(playing(), key=DivisionId("b"), code="B")
    with served(value) as server:
        answer = server.client().get("data.json")
        assert answer.headers["content-type"].startswith("application/json")
        assert (answer.headers["access-control-allow-origin"], answer.json()["$schema"]) == (
            "*",
            "data.schema.json",
        )
        assert [division["code"] for division in answer.json()["divisions"]] == ["A", "B"]
        data = server.client().get("data.json?division=b").json()
        assert [division["code"] for division in data["divisions"]] == ["B"]
        assert server.client().get("data.json?division=x").status_code == 404
        assert "slip" not in answer.text
        server.do(partial(commands.edit_event, name="Later"))
        assert server.client().get("data.json").json()["event"]["name"] == "Later"


def test_tourney_js_can_be_read_by_other_sites() -> None:
    with served() as server:
        answer = server.client().get(tourney_js.NAME)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert len(tourney_js.read_tourney_js(answer.content).divisions[0].players) == 8


def test_feed_links_lead_to_this_server() -> None:
    with served() as server:
        answer = server.client().get("rounds.xml")
        assert answer.headers["content-type"].startswith("application/rss+xml")
        assert f"<link>{server.url}a-round-2.html</link>" in answer.text


@pytest.mark.parametrize("page", ["?embed", "index.html?embed=", "a-standings.html?embed"])
def test_embedded_page_can_be_framed_and_stays_in_its_frame(page: str) -> None:
    with served() as server:
        answer = server.client().get(page)
        assert "frame-ancestors *" in answer.headers["content-security-policy"]
        assert "x-frame-options" not in answer.headers
        root = parsed(answer.content)
        assert root.attrib["class"] == "embed"
        page_links = [link for link in links(root) if ".html" in link]
        assert page_links
        assert all(link.endswith("?embed") for link in page_links)


@pytest.mark.parametrize(
    "page", ["", "a-standings.html", "enter?embed", "screen-a-round.html?embed", "none.html?embed"]
)
def test_server_pages_cannot_be_framed_otherwise(page: str) -> None:
    with served() as server:
        answer = server.client().get(page)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"


def test_server_page_without_scripts_reloads() -> None:
    with served() as server:
        page = server.client().get("a-round.html").text
        assert re.search(r'<noscript><meta http-equiv="refresh" content="\d+"></noscript>', page)


def test_server_sends_no_unchanged_page_again() -> None:
    with served() as server:
        client = server.client()
        first = client.get("a-round.html")
        assert first.headers["content-encoding"] == "gzip"
        answer = client.get("a-round.html", headers={"If-None-Match": first.headers["etag"]})
        assert (answer.status_code, answer.content) == (304, b"")
        uncompressed = client.get("a-round.html", headers={"Accept-Encoding": "identity"})
        assert uncompressed.content == first.content
        server.do(partial(commands.enter_result, game=server.game(1).id, first=400, second=300))
        wait_for(server, "a-round.html", "400 – 300")
        new_answer = client.get("a-round.html", headers={"If-None-Match": first.headers["etag"]})
        assert new_answer.status_code == 200


def wait_for(served: Served, page: str, text: str) -> None:
    """Request a page until it contains `text`."""
    client = served.client()
    while text not in client.get(page).text:
        pass


def listen(url: str, barrier: threading.Barrier) -> str:
    """Listen like a browser, and return the second announced version."""
    with visitor(url) as client, client.stream("GET", "live") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        versions = []
        for line in answer.iter_lines():
            if line.startswith("data: "):
                versions.append(line)
                if len(versions) == 1:
                    barrier.wait()
                if len(versions) == 2:
                    return line
    raise AssertionError("hung up")


def test_server_notifies_all_listeners_of_a_change() -> None:
    barrier = threading.Barrier(21)
    with served() as server, ThreadPoolExecutor(20) as phones:
        waiting = [phones.submit(listen, server.url, barrier) for _ in range(20)]
        barrier.wait()
        server.do(partial(commands.enter_result, game=server.game(2).id, first=400, second=300))
        assert len({future.result() for future in waiting}) == 1


def test_server_version_changes_with_a_result() -> None:
    with served() as server:
        client = server.client()
        before = client.get("version").text
        assert client.get("version").text == before
        server.do(partial(commands.enter_result, game=server.game(2).id, first=400, second=300))
        while client.get("version").text == before:
            pass


@pytest.mark.slow
def test_server_answers_two_hundred_phones_at_once() -> None:
    with served() as server, ThreadPoolExecutor(CLIENTS) as phones:
        begin = threading.Barrier(CLIENTS)

        def read_status(number: int) -> int:
            page = ("a-round.html", "a-names.html", "a-standings.html", "index.html")[number % 4]
            with visitor(server.url) as client:
                begin.wait()
                return client.get(page).status_code

        assert set(phones.map(read_status, range(CLIENTS))) == {200}


def test_server_stop_frees_listeners_and_port() -> None:
    barrier = threading.Barrier(2)
    with ThreadPoolExecutor(1) as phones:
        with served() as server:
            url, port = server.url, int(server.url.rstrip("/").rpartition(":")[2])
            waiting = phones.submit(listen, url, barrier)
            barrier.wait()
        with pytest.raises((AssertionError, httpx.HTTPError)):
            waiting.result()
    with pytest.raises(httpx.ConnectError):
        read(url)
    bind_socket("127.0.0.1", port).close()


def test_server_url_on_all_addresses_can_be_opened() -> None:
    server = WebServer(playing(), RESOURCES, language="en")
    url = server.start("0.0.0.0", 0)  # noqa: S104 - the subject of the test
    try:
        assert url.startswith(f"http://{list_own_addresses()[0]}:")
        assert read(url).status_code == 200
    finally:
        server.stop()


def test_server_reports_a_taken_port() -> None:
    with served() as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        other_server = WebServer(playing(), RESOURCES, language="en")
        with pytest.raises(UserError, match="port-taken") as error_info:
            other_server.start("127.0.0.1", port)
        assert error_info.value.facts["port"] == port
        other_server.stop()


@pytest.mark.parametrize(
    ("host", "port", "code"),
    [
        ("192.0.2.77", 0, "address-not-here"),
        ("no such host", 0, "address-not-here"),
        ("127.0.0.1", 70_000, "port-not-allowed"),
        ("127.0.0.1", -1, "port-not-allowed"),
    ],
)
def test_server_reports_an_impossible_address(host: str, port: int, code: str) -> None:
    with pytest.raises(UserError, match=code):
        bind_socket(host, port)


def test_list_addresses_ends_with_the_local_one() -> None:
    addresses = list_own_addresses()
    assert addresses[-1] == "127.0.0.1"
    assert len(set(addresses)) == len(addresses)


def test_server_pages_show_public_data_only() -> None:
    value = pair_rounds(make_event(4), times=1)
    value = commands.edit_player(
        value, player=get_player(value, 1).id, notes="secret", member="M-77", wespa="M-77w"
    )
    value = commands.hold_standings(value, division=next(iter(value.divisions)), after=0)
    with served(value) as server:
        pages = follow(server.client())
        content = b"".join(pages.values())
        assert b"secret" not in content
        assert b"M-77" not in content
        assert "a-standings.html" not in pages
        cells = [text_of(cell) for cell in iterate_elements(parsed(pages["a-round-1.html"]), "td")]
        assert not [cell for cell in cells if "–" in cell]


def test_player_page_starts_with_the_next_game() -> None:
    value = playing(8, rounds=3)
    index = Index(value)
    game = index.games(index.published(DIVISION)[-1].id)[0]
    number, opponent = value.players[game.first].number, value.players[game.second]
    site = Site(value, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    page = parsed(site.make_page(f"a-player-{number}.html"))
    texts = {element.get("class"): text_of(element) for element in iterate_elements(page, "p")}
    assert texts["upcoming"] == f"Ronde 3: tafel {game.table}, je begint tegen {opponent.name}"
    assert "plaats" in texts["note"]
    cells = [list(iterate_elements(row, "td")) for row in iterate_elements(page, "tr")]
    assert [text_of(row[0]) for row in cells if row] == ["3", "2", "1"]
    played_value = commands.enter_result(value, game=game.id, first=400, second=300)
    site = Site(played_value, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    page = parsed(site.make_page(f"a-player-{number}.html"))
    assert "upcoming" not in {element.get("class") for element in iterate_elements(page, "p")}


def test_server_pages_name_the_next_start_time() -> None:
    value = commands.set_times(playing(8, rounds=3), division=DIVISION, times="10:00 +65, 4: 13:30")
    index = Index(value)
    game = index.games(index.published(DIVISION)[-1].id)[0]
    number, opponent = value.players[game.first].number, value.players[game.second]

    def read_page(tournament: Tournament, page: str) -> str:
        site = Site(tournament, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
        return text_of(parsed(site.make_page(page)))

    page_name = f"a-player-{number}.html"
    assert f"Ronde 3 om 12:10: tafel {game.table}, je begint tegen {opponent.name}" in read_page(value, page_name)
    played_value = commands.enter_result(value, game=game.id, first=400, second=300)
    assert all(
        "Ronde 4 om 13:30" in read_page(played_value, page)
        for page in (page_name, "index.html", "a-schedule.html")
    )
    with served(commands.edit_event(value, date="2026-11-21")) as server:
        answer = server.client().get("/a.ics")
        assert answer.headers["content-type"].startswith("text/calendar")
