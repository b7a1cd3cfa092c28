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
from tests.building import DIVISION, RESOURCES, event, paired, player
from tests.web.page_checks import each, links, parsed, text_of
from tests.web.running_server import Served, playing, read, served, visitor

CLIENTS = 200


def follow(client: httpx.Client) -> dict[str, bytes]:
    """Return every page that links lead to from the front page."""
    found: dict[str, bytes] = {}
    waiting = ["index.html"]
    while waiting:
        name = waiting.pop()
        answer = client.get(name)
        assert answer.status_code == 200, name
        found[name] = answer.content
        if answer.headers["content-type"].startswith("text/html"):
            for link in links(parsed(answer.content)):
                link = link.partition("#")[0]  # noqa: PLW2901
                if link and link != "data:," and link not in found and link not in waiting:
                    waiting.append(link)
    return found


@pytest.mark.slow
def test_server_links_lead_to_html_pages() -> None:
    with served() as room:
        found = follow(room.client())
        assert {
            "index.html",
            "a-round.html",
            "a-standings-1.html",
            "screen-a-round.html",
            "enter",
            "live.js",
        } <= set(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_server_uses_the_language_of_the_phone(language: str) -> None:
    with served() as room:
        tag = {"nb": "no"}.get(language, language)
        page = room.client(**{"Accept-Language": f"xx,{tag}-XX;q=0.9,en;q=0.1"}).get("enter")
        assert parsed(page.content).attrib["lang"] == language


def test_server_falls_back_to_the_language_of_the_director() -> None:
    with served(language="nl") as room:
        assert b'lang="nl"' in room.client(**{"Accept-Language": "fi"}).get("").content
        assert b'lang="nl"' in room.client(**{"Accept-Language": "*;q=,,--;"}).get("").content


def test_public_data_of_all_or_one_division() -> None:
    value = commands.add_division(playing(), key=DivisionId("b"), code="B")
    with served(value) as room:
        answer = room.client().get("data.json")
        assert answer.headers["content-type"].startswith("application/json")
        assert (answer.headers["access-control-allow-origin"], answer.json()["$schema"]) == (
            "*",
            "data.schema.json",
        )
        assert [one["code"] for one in answer.json()["divisions"]] == ["A", "B"]
        chosen = room.client().get("data.json?division=b").json()
        assert [one["code"] for one in chosen["divisions"]] == ["B"]
        assert room.client().get("data.json?division=x").status_code == 404
        assert "slip" not in answer.text
        room.do(partial(commands.edit_event, name="Later"))
        assert room.client().get("data.json").json()["event"]["name"] == "Later"


def test_tourney_js_can_be_read_by_other_sites() -> None:
    with served() as room:
        answer = room.client().get(tourney_js.NAME)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert len(tourney_js.read_tourney_js(answer.content).divisions[0].players) == 8


def test_feed_links_lead_to_this_server() -> None:
    with served() as room:
        answer = room.client().get("rounds.xml")
        assert answer.headers["content-type"].startswith("application/rss+xml")
        assert f"<link>{room.url}a-round-2.html</link>" in answer.text


@pytest.mark.parametrize("page", ["?embed", "index.html?embed=", "a-standings.html?embed"])
def test_embedded_page_can_be_framed_and_stays_in_its_frame(page: str) -> None:
    with served() as room:
        answer = room.client().get(page)
        assert "frame-ancestors *" in answer.headers["content-security-policy"]
        assert "x-frame-options" not in answer.headers
        root = parsed(answer.content)
        assert root.attrib["class"] == "embed"
        inside = [link for link in links(root) if ".html" in link]
        assert inside
        assert all(link.endswith("?embed") for link in inside)


@pytest.mark.parametrize(
    "page", ["", "a-standings.html", "enter?embed", "screen-a-round.html?embed", "none.html?embed"]
)
def test_server_pages_cannot_be_framed_otherwise(page: str) -> None:
    with served() as room:
        answer = room.client().get(page)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"


def test_server_page_without_scripts_reloads() -> None:
    with served() as room:
        page = room.client().get("a-round.html").text
        assert re.search(r'<noscript><meta http-equiv="refresh" content="\d+"></noscript>', page)


def test_server_sends_no_unchanged_page_again() -> None:
    with served() as room:
        client = room.client()
        first = client.get("a-round.html")
        assert first.headers["content-encoding"] == "gzip"
        again = client.get("a-round.html", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = client.get("a-round.html", headers={"Accept-Encoding": "identity"})
        assert plain.content == first.content
        room.do(partial(commands.enter_result, game=room.game(1).id, first=400, second=300))
        wait_for(room, "a-round.html", "400 – 300")
        changed = client.get("a-round.html", headers={"If-None-Match": first.headers["etag"]})
        assert changed.status_code == 200


def wait_for(room: Served, page: str, text: str) -> None:
    """Ask for a page until it holds `text`; the test's time limit ends it."""
    client = room.client()
    while text not in client.get(page).text:
        pass


def heard(url: str, begun: threading.Barrier) -> str:
    """Listen like a browser, and return the second announced version."""
    with visitor(url) as client, client.stream("GET", "live") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = []
        for line in answer.iter_lines():
            if line.startswith("data: "):
                told.append(line)
                if len(told) == 1:
                    begun.wait()
                if len(told) == 2:
                    return line
    raise AssertionError("hung up")


def test_server_notifies_all_listeners_of_a_change() -> None:
    begun = threading.Barrier(21)
    with served() as room, ThreadPoolExecutor(20) as phones:
        waiting = [phones.submit(heard, room.url, begun) for _ in range(20)]
        begun.wait()
        room.do(partial(commands.enter_result, game=room.game(2).id, first=400, second=300))
        assert len({one.result() for one in waiting}) == 1


def test_server_version_changes_with_a_result() -> None:
    with served() as room:
        client = room.client()
        before = client.get("version").text
        assert client.get("version").text == before
        room.do(partial(commands.enter_result, game=room.game(2).id, first=400, second=300))
        while client.get("version").text == before:
            pass


@pytest.mark.slow
def test_server_answers_two_hundred_phones_at_once() -> None:
    with served() as room, ThreadPoolExecutor(CLIENTS) as phones:
        begin = threading.Barrier(CLIENTS)

        def ask(number: int) -> int:
            page = ("a-round.html", "a-names.html", "a-standings.html", "index.html")[number % 4]
            with visitor(room.url) as client:
                begin.wait()
                return client.get(page).status_code

        assert set(phones.map(ask, range(CLIENTS))) == {200}


def test_server_stop_frees_listeners_and_port() -> None:
    begun = threading.Barrier(2)
    with ThreadPoolExecutor(1) as phones:
        with served() as room:
            url, port = room.url, int(room.url.rstrip("/").rpartition(":")[2])
            waiting = phones.submit(heard, url, begun)
            begun.wait()
        with pytest.raises((AssertionError, httpx.HTTPError)):
            waiting.result()
    with pytest.raises(httpx.ConnectError):
        read(url)
    bind_socket("127.0.0.1", port).close()


def test_server_url_on_all_addresses_can_be_opened() -> None:
    room = WebServer(playing(), RESOURCES, language="en")
    url = room.start("0.0.0.0", 0)  # noqa: S104 - the subject of the test
    try:
        assert url.startswith(f"http://{list_own_addresses()[0]}:")
        assert read(url).status_code == 200
    finally:
        room.stop()


def test_server_reports_a_taken_port() -> None:
    with served() as room:
        port = int(room.url.rstrip("/").rpartition(":")[2])
        other = WebServer(playing(), RESOURCES, language="en")
        with pytest.raises(UserError, match="port-taken") as caught:
            other.start("127.0.0.1", port)
        assert caught.value.facts["port"] == port
        other.stop()


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
    found = list_own_addresses()
    assert found[-1] == "127.0.0.1"
    assert len(set(found)) == len(found)


def test_server_pages_show_public_data_only() -> None:
    value = paired(event(4), times=1)
    value = commands.edit_player(value, player=player(value, 1).id, notes="secret", member="M-77", wespa="M-77w")
    value = commands.hold_standings(value, division=next(iter(value.divisions)), after=0)
    with served(value) as room:
        pages = follow(room.client())
        everything = b"".join(pages.values())
        assert b"secret" not in everything
        assert b"M-77" not in everything
        assert "a-standings.html" not in pages
        cells = [text_of(cell) for cell in each(parsed(pages["a-round-1.html"]), "td")]
        assert not [cell for cell in cells if "–" in cell]


def test_player_page_starts_with_the_next_game() -> None:
    value = playing(8, rounds=3)
    index = Index(value)
    game = index.games(index.published(DIVISION)[-1].id)[0]
    number, other = value.players[game.first].number, value.players[game.second]
    site = Site(value, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    own = parsed(site.make_page(f"a-player-{number}.html"))
    said = {one.get("class"): text_of(one) for one in each(own, "p")}
    assert said["upcoming"] == f"Ronde 3: tafel {game.table}, je begint tegen {other.name}"
    assert "plaats" in said["note"]
    cells = [list(each(row, "td")) for row in each(own, "tr")]
    assert [text_of(row[0]) for row in cells if row] == ["3", "2", "1"]
    done = commands.enter_result(value, game=game.id, first=400, second=300)
    site = Site(done, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    own = parsed(site.make_page(f"a-player-{number}.html"))
    assert "upcoming" not in {one.get("class") for one in each(own, "p")}


def test_server_pages_name_the_next_start_time() -> None:
    value = commands.set_times(playing(8, rounds=3), division=DIVISION, times="10:00 +65, 4: 13:30")
    index = Index(value)
    game = index.games(index.published(DIVISION)[-1].id)[0]
    number, other = value.players[game.first].number, value.players[game.second]

    def own(shown: Tournament, page: str) -> str:
        site = Site(shown, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
        return text_of(parsed(site.make_page(page)))

    mine = f"a-player-{number}.html"
    assert f"Ronde 3 om 12:10: tafel {game.table}, je begint tegen {other.name}" in own(value, mine)
    done = commands.enter_result(value, game=game.id, first=400, second=300)
    assert all("Ronde 4 om 13:30" in own(done, page) for page in (mine, "index.html", "a-schedule.html"))
    with served(commands.edit_event(value, date="2026-11-21")) as room:
        answer = room.client().get("/a.ics")
        assert answer.headers["content-type"].startswith("text/calendar")
