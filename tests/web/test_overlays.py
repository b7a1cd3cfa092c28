"""Overlays of a stream: each shows its public data, or nothing while it has none."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.web.overlays import OVERLAYS
from tests.building import DIVISION, make_event
from tests.web.browser import chromium, click, complaints, needs_chromium, read_text
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.running_server import Served, playing, served

_FRAMES = """
const frames = [...document.querySelectorAll("iframe")];
return frames.filter((one) => one.contentDocument.querySelector("main")).length;
"""

_VISIBLE = "return getComputedStyle(document.querySelector('main')).visibility"


def offline(browser: Chrome, *, on: bool) -> None:
    """Disconnect a browser from the network, or connect it again."""
    conditions = {"offline": on, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def rows(served: Served, address: str, **headers: str) -> list[list[str]]:
    """Return the cells of an overlay's rows."""
    answer = served.client(**headers).get(f"overlay/{address}")
    assert answer.status_code == 200, address
    (main,) = iterate_elements(parsed(answer.content), "main")
    lines = [row for body in iterate_elements(main, "tbody") for row in iterate_elements(body, "tr")]
    return [[text_of(cell) for cell in row] for row in lines]


def test_overlay_without_data_is_empty() -> None:
    with served(make_event(8), entry=False) as server:
        assert len(OVERLAYS) > 5
        for kind in OVERLAYS:
            assert rows(server, kind) == [], kind
        assert rows(server, "slot/1") == []


def test_overlay_standings_by_number_or_around_a_player() -> None:
    with served(playing(12, rounds=3)) as server:
        all_rows = rows(server, "standings?top=99")
        assert len(all_rows) == 12
        assert len(rows(server, "standings")) == 10
        assert rows(server, "standings?top=3") == all_rows[:3]
        number = next(player.number for player in server.value.players.values() if player.name == all_rows[6][1])
        assert rows(server, f"standings?top=3&player={number}") == all_rows[5:8]
        assert (
            rows(server, f"standings?top=99&division={server.value.divisions[DIVISION].code.lower()}") == all_rows
        )
        assert rows(server, "standings?division=nowhere") == []
        assert "href" not in server.client().get("overlay/standings").text.partition("<main")[2], (
            "it leads nowhere"
        )


def test_overlay_table_shows_players_then_score() -> None:
    with served(playing(8, rounds=3)) as server:
        game = server.game(2)
        two = rows(server, "table?table=2")
        assert [row[1] for row in two] == [
            server.value.players[player].name for player in (game.first, game.second)
        ]
        server.do(partial(commands.enter_result, game=game.id, first=401, second=399))
        score_rows = rows(server, "table?table=2")
        assert [row[-1] for row in score_rows] == ["401", "399"]
        assert [row[1] for row in score_rows] == [row[1] for row in two]
        assert ["401 – 399" in row for row in rows(server, "pairings")].count(True) == 1


def test_overlay_meetings_in_the_current_seating() -> None:
    with served(playing(2, rounds=3)) as server:
        meeting_rows = rows(server, "meetings?table=1")
        assert [row[0] for row in meeting_rows] == ["Round 1", "Round 2"]
        assert all(int(score) for row in meeting_rows for score in row[1:])


def test_overlay_hides_held_results() -> None:
    value = commands.hold_standings(playing(8, rounds=3), division=DIVISION, after=0)
    with served(value) as server:
        assert rows(server, "standings") == rows(server, "best") == rows(server, "news") == []
        assert all(len(row) < 4 for row in rows(server, "table?table=1")), "no place, no record"
        assert rows(server, "meetings?table=1") == []


def test_overlay_news_of_the_newest_round() -> None:
    with served(playing(8, rounds=3)) as server:
        before = rows(server, "news")
        games = [server.game(table) for table in (1, 2)]
        server.do(partial(commands.enter_result, game=games[0].id, first=666, second=222, confirmed=True))
        news_rows = rows(server, "news")
        assert [row[0] for row in news_rows] == ["High game", "Biggest win"]
        assert news_rows != before
        assert all(server.value.players[games[0].first].name == row[1] for row in news_rows)
        assert "Before: 404 (P1)" in news_rows[0][2]
        assert rows(server, "ticker")[:2] == news_rows
        server.do(partial(commands.enter_result, game=games[1].id, first=701, second=222, confirmed=True))
        assert ["701" in row[2] for row in rows(server, "news")] == [True, True], "the best of the round is told"
        server.do(partial(commands.clear_result, game=games[1].id))
        assert rows(server, "news") == news_rows, "a record belongs to the result that made it"
        page = server.client().get("a-news.html").text
        assert "666 – 222" in page
        assert "a-news.html" in server.client().get("a-round.html").text


def test_overlay_slot_shows_its_table(tmp_path: Path) -> None:
    style = tmp_path / "own.css"
    style.write_text("body { color: red }")
    with served(playing(8)) as server:
        assert rows(server, "slot/2") == []
        before = server.client().get("version").text
        server.web_server.set_overlays({2: 3}, style)
        slot_rows = rows(server, "slot/2")
        assert slot_rows == rows(server, "table?table=3") != []
        assert server.client().get("version").text != before, "who shows it asks again"
        answer = server.client().get("overlay/own.css")
        assert (answer.text, answer.headers["content-type"]) == ("body { color: red }", "text/css; charset=utf-8")
        style.unlink()
        assert server.client().get("overlay/own.css").text == ""


@pytest.mark.parametrize("address", ["nothing", "slot/x", "table/1", "../index.html%00"])
def test_overlay_of_an_unknown_kind_is_missing(address: str) -> None:
    with served(playing(4)) as server:
        assert server.client().get(f"overlay/{address}").status_code in {400, 404}


def test_overlay_with_invalid_numbers_is_empty() -> None:
    with served(playing(4)) as server:
        for address in ("table?table=-1", "table?table=٣", "table?table=99999999", "table?table="):
            assert rows(server, address) == [], address
        assert len(rows(server, "standings?top=x")) == 4


def test_overlay_uses_the_language_of_the_address() -> None:
    with served(playing(4)) as server:
        for query, attribute in (("?lang=de", b'lang="de"'), ("?lang=xx", b'lang="nl"')):
            page = server.client(**{"Accept-Language": "nl"}).get(f"overlay/standings{query}")
            assert attribute in page.content


def test_list_overlays_names_each_overlay() -> None:
    with served(playing(4)) as server:
        answer = server.client().get("overlay/")
        frames = [element.attrib["src"] for element in iterate_elements(parsed(answer.content), "iframe")]
        assert {address.removeprefix(f"{server.url}overlay/").partition("?")[0] for address in frames} >= {
            *OVERLAYS,
            "slot/4",
        }
        assert "frame-src 'self'" in answer.headers["content-security-policy"]
        for address in frames:
            policy = server.client().get(address).headers["content-security-policy"]
            assert "frame-ancestors *" in policy


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_overlay_is_transparent_in_a_browser() -> None:
    with served(playing(8, rounds=3)) as server, chromium((1920, 1080)) as browser:
        browser.get(f"{server.url}overlay/table?table=1&color=ff0000&size=40")
        script = (
            "const one = getComputedStyle(document.body); return [one.color, one.fontSize, one.backgroundColor]"
        )
        assert browser.execute_script(script) == ["rgb(255, 0, 0)", "40px", "rgba(0, 0, 0, 0)"]
        game = server.game(1)
        server.do(partial(commands.enter_result, game=game.id, first=555, second=222))
        WebDriverWait(browser, 60).until(lambda driver: "555" in read_text(driver, By.TAG_NAME, "main"))
        browser.get(f"{server.url}overlay/news")
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script("return shownAt !== null"))
        assert not browser.find_elements(By.CSS_SELECTOR, "tr:not([hidden]) td")
        other_game = server.game(2)
        server.do(partial(commands.enter_result, game=other_game.id, first=777, second=100))
        WebDriverWait(browser, 60).until(
            lambda driver: "777" in read_text(driver, By.CSS_SELECTOR, "main.visible")
        )
        for first in (100, 777):  # taken back and entered again it is no news
            server.do(partial(commands.enter_result, game=other_game.id, first=first, second=99))
        third = server.game(3)
        server.do(partial(commands.enter_result, game=third.id, first=790, second=100))
        WebDriverWait(browser, 60).until(
            lambda driver: "790" in read_text(driver, By.CSS_SELECTOR, "main.visible")
        )
        offline(browser, on=True)
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(_VISIBLE) == "hidden")
        offline(browser, on=False)
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(_VISIBLE) == "visible")
        complaints(browser)  # of the missing network
        browser.get(f"{server.url}overlay/")
        assert browser.execute_script(_FRAMES) == len(OVERLAYS) + 4
        field = browser.find_element(By.CSS_SELECTOR, ".copied input")
        click(browser, By.CSS_SELECTOR, ".copied button")
        picked = browser.execute_script("return getSelection().toString()")
        assert picked == field.get_attribute("value") == f"{server.url}overlay/standings"
        assert complaints(browser) == []
