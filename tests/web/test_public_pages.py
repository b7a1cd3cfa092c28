"""Tests of the public pages of the server: current data, languages, live updates and many phones."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tourney_js
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.scrabble.sheet import SanctionKind
from tdapp.web.server import WebServer, list_own_addresses, open_listening_socket
from tdapp.web.site import Site, Templates
from tests.building import DIVISION, RESOURCES, get_player, make_event, pair_rounds
from tests.web.page_checks import iterate_elements, list_links, parse_page, read_element_text
from tests.web.running_server import (
    RunningServer,
    fetch_page,
    make_http_client,
    make_unfinished_tournament,
    run_server,
)

CLIENTS = 200


def read_linked_pages(client: httpx.Client) -> dict[str, bytes]:
    """Follow all links from the home page. Return the pages by name."""
    pages: dict[str, bytes] = {}
    pending_links = ["index.html"]
    while pending_links:
        name = pending_links.pop()
        answer = client.get(name)
        assert answer.status_code == 200, name
        pages[name] = answer.content
        if answer.headers["content-type"].startswith("text/html"):
            for link in list_links(parse_page(answer.content)):
                link = link.partition("#")[0]  # noqa: PLW2901
                if link and link != "data:," and link not in pages and link not in pending_links:
                    pending_links.append(link)
    return pages


@pytest.mark.slow
def test_server_links_lead_to_html_pages() -> None:
    with run_server() as server:
        pages = read_linked_pages(server.make_client())
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
    with run_server() as server:
        tag = {"nb": "no"}.get(language, language)
        page = server.make_client(**{"Accept-Language": f"xx,{tag}-XX;q=0.9,en;q=0.1"}).get("enter")
        assert parse_page(page.content).attrib["lang"] == language


def test_server_falls_back_to_the_language_of_the_director() -> None:
    with run_server(language="nl") as server:
        assert b'lang="nl"' in server.make_client(**{"Accept-Language": "fi"}).get("").content
        assert b'lang="nl"' in server.make_client(**{"Accept-Language": "*;q=,,--;"}).get("").content


def test_public_data_of_all_or_one_division() -> None:
    value = commands.add_division(make_unfinished_tournament(), key=DivisionId("b"), code="B")
    with run_server(value) as server:
        answer = server.make_client().get("data.json")
        assert answer.headers["content-type"].startswith("application/json")
        assert (answer.headers["access-control-allow-origin"], answer.json()["$schema"]) == (
            "*",
            "data.schema.json",
        )
        assert [division["code"] for division in answer.json()["divisions"]] == ["A", "B"]
        data = server.make_client().get("data.json?division=b").json()
        assert [division["code"] for division in data["divisions"]] == ["B"]
        assert server.make_client().get("data.json?division=x").status_code == 404
        assert "slip" not in answer.text
        server.run_command(partial(commands.edit_event, name="Later"))
        assert server.make_client().get("data.json").json()["event"]["name"] == "Later"


def test_tourney_js_can_be_read_by_other_sites() -> None:
    with run_server() as server:
        answer = server.make_client().get(tourney_js.NAME)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert len(tourney_js.read_tourney_js(answer.content).divisions[0].players) == 8


def test_feed_links_lead_to_this_server() -> None:
    with run_server() as server:
        answer = server.make_client().get("rounds.xml")
        assert answer.headers["content-type"].startswith("application/rss+xml")
        assert f"<link>{server.url}a-round-2.html</link>" in answer.text


@pytest.mark.parametrize("page", ["?embed", "index.html?embed=", "a-standings.html?embed"])
def test_embedded_page_can_be_framed_and_links_inside_the_frame(page: str) -> None:
    with run_server() as server:
        answer = server.make_client().get(page)
        assert "frame-ancestors *" in answer.headers["content-security-policy"]
        assert "x-frame-options" not in answer.headers
        root = parse_page(answer.content)
        assert root.attrib["class"] == "embed"
        page_links = [link for link in list_links(root) if ".html" in link]
        assert page_links
        assert all(link.endswith("?embed") for link in page_links)


@pytest.mark.parametrize(
    "page", ["", "a-standings.html", "enter?embed", "screen-a-round.html?embed", "none.html?embed"]
)
def test_server_pages_cannot_be_framed_otherwise(page: str) -> None:
    with run_server() as server:
        answer = server.make_client().get(page)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"


def test_server_page_without_scripts_reloads() -> None:
    with run_server() as server:
        page = server.make_client().get("a-round.html").text
        assert re.search(r'<noscript><meta http-equiv="refresh" content="\d+"></noscript>', page)


def test_server_sends_a_page_again_only_after_changes() -> None:
    with run_server() as server:
        client = server.make_client()
        first = client.get("a-round.html")
        assert first.headers["content-encoding"] == "gzip"
        answer = client.get("a-round.html", headers={"If-None-Match": first.headers["etag"]})
        assert (answer.status_code, answer.content) == (304, b"")
        uncompressed = client.get("a-round.html", headers={"Accept-Encoding": "identity"})
        assert uncompressed.content == first.content
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=400, second=300))
        wait_for_page_text(server, "a-round.html", "400 – 300")
        new_answer = client.get("a-round.html", headers={"If-None-Match": first.headers["etag"]})
        assert new_answer.status_code == 200


def wait_for_page_text(server: RunningServer, page: str, text: str) -> None:
    """Request a page until it contains `text`."""
    client = server.make_client()
    while text not in client.get(page).text:
        pass


def wait_for_second_version(url: str, barrier: threading.Barrier) -> str:
    """Read the live event stream until its second version. Return that event line."""
    with make_http_client(url) as client, client.stream("GET", "live") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        versions = []
        for line in answer.iter_lines():
            if line.startswith("data: "):
                versions.append(line)
                if len(versions) == 1:
                    barrier.wait()
                if len(versions) == 2:
                    return line
    raise AssertionError("the server closed the event stream")


def test_server_notifies_all_listeners_of_a_change() -> None:
    barrier = threading.Barrier(21)
    with run_server() as server, ThreadPoolExecutor(20) as phones:
        futures = [phones.submit(wait_for_second_version, server.url, barrier) for _ in range(20)]
        barrier.wait()
        server.run_command(partial(commands.enter_result, game=server.get_game(2).id, first=400, second=300))
        assert len({future.result() for future in futures}) == 1


def test_server_version_changes_with_a_result() -> None:
    with run_server() as server:
        client = server.make_client()
        old_version = client.get("version").text
        assert client.get("version").text == old_version
        server.run_command(partial(commands.enter_result, game=server.get_game(2).id, first=400, second=300))
        while client.get("version").text == old_version:
            pass


@pytest.mark.slow
def test_server_answers_two_hundred_phones_at_once() -> None:
    with run_server() as server, ThreadPoolExecutor(CLIENTS) as phones:
        start_barrier = threading.Barrier(CLIENTS)

        def read_status(number: int) -> int:
            page = ("a-round.html", "a-names.html", "a-standings.html", "index.html")[number % 4]
            with make_http_client(server.url) as client:
                start_barrier.wait()
                return client.get(page).status_code

        assert set(phones.map(read_status, range(CLIENTS))) == {200}


def test_server_stop_frees_listeners_and_port() -> None:
    barrier = threading.Barrier(2)
    with ThreadPoolExecutor(1) as phones:
        with run_server() as server:
            url, port = server.url, int(server.url.rstrip("/").rpartition(":")[2])
            futures = phones.submit(wait_for_second_version, url, barrier)
            barrier.wait()
        with pytest.raises((AssertionError, httpx.HTTPError)):
            futures.result()
    with pytest.raises(httpx.ConnectError):
        fetch_page(url)
    open_listening_socket("127.0.0.1", port).close()


def test_server_url_of_all_addresses_opens() -> None:
    server = WebServer(make_unfinished_tournament(), RESOURCES, language="en")
    url = server.start("0.0.0.0", 0)  # noqa: S104 - the subject of the test
    try:
        assert url.startswith(f"http://{list_own_addresses()[0]}:")
        assert fetch_page(url).status_code == 200
    finally:
        server.stop()


def test_server_reports_a_taken_port() -> None:
    with run_server() as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        other_server = WebServer(make_unfinished_tournament(), RESOURCES, language="en")
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
        open_listening_socket(host, port)


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
    with run_server(value) as server:
        pages = read_linked_pages(server.make_client())
        content = b"".join(pages.values())
        assert b"secret" not in content
        assert b"M-77" not in content
        assert "a-standings.html" not in pages
        cells = [read_element_text(cell) for cell in iterate_elements(parse_page(pages["a-round-1.html"]), "td")]
        assert not [cell for cell in cells if "–" in cell]


def test_player_page_starts_with_the_next_game() -> None:
    value = make_unfinished_tournament(8, rounds=3)
    index = TournamentIndex(value)
    game = index.games(index.list_published_rounds(DIVISION)[-1].id)[0]
    number, opponent = value.players[game.first].number, value.players[game.second]
    site = Site(value, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    page = parse_page(site.make_file_content(f"a-player-{number}.html"))
    texts = {element.get("class"): read_element_text(element) for element in iterate_elements(page, "p")}
    assert texts["upcoming"] == f"Ronde 3: tafel {game.table}, je begint tegen {opponent.name}"
    assert "plaats" in texts["note"]
    cells = [list(iterate_elements(row, "td")) for row in iterate_elements(page, "tr")]
    assert [read_element_text(row[0]) for row in cells if row] == ["3", "2", "1"]
    played_value = commands.enter_result(value, game=game.id, first=400, second=300)
    site = Site(played_value, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    page = parse_page(site.make_file_content(f"a-player-{number}.html"))
    assert "upcoming" not in {element.get("class") for element in iterate_elements(page, "p")}


def make_english_site(value: Tournament) -> Site:
    return Site(value, Catalogue("en", RESOURCES / "locale"), Templates(RESOURCES / "site"))


def test_player_page_shows_withdrawal_and_sanction() -> None:
    value = pair_rounds(make_event(8, rounds=3))
    value = commands.withdraw_player(value, key="w", player=PlayerId("p1"))
    value = commands.add_sanction(
        value, key="s", player=PlayerId("p1"), round_number=1, kind=SanctionKind.POINTS, points=50, why="late"
    )
    page = make_english_site(value).make_file_content("a-player-1.html")
    assert b"You have withdrawn." in page
    assert "points deducted −50, Round 1" in page.decode()


def test_event_page_names_the_division_of_each_state() -> None:
    value = commands.add_division(pair_rounds(make_event(8)), key="b", code="B")
    page = make_english_site(value).make_file_content("index.html")
    assert "Division B: No round has been published yet." in page.decode()


def test_server_pages_name_the_next_start_time() -> None:
    value = commands.set_times(
        make_unfinished_tournament(8, rounds=3), division=DIVISION, times="10:00 +65, 4: 13:30"
    )
    index = TournamentIndex(value)
    game = index.games(index.list_published_rounds(DIVISION)[-1].id)[0]
    number, opponent = value.players[game.first].number, value.players[game.second]

    def read_page(tournament: Tournament, page: str) -> str:
        site = Site(tournament, Catalogue("nl", RESOURCES / "locale"), Templates(RESOURCES / "site"))
        return read_element_text(parse_page(site.make_file_content(page)))

    page_name = f"a-player-{number}.html"
    assert f"Ronde 3 om 12:10: tafel {game.table}, je begint tegen {opponent.name}" in read_page(value, page_name)
    played_value = commands.enter_result(value, game=game.id, first=400, second=300)
    assert all(
        "Ronde 4 om 13:30" in read_page(played_value, page)
        for page in (page_name, "index.html", "a-schedule.html")
    )
    with run_server(commands.edit_event(value, date="2026-11-21")) as server:
        answer = server.make_client().get("/a.ics")
        assert answer.headers["content-type"].startswith("text/calendar")
