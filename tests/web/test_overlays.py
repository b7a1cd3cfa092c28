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
from tests.building import DIVISION, event
from tests.web.browser import chromium, click, complaints, needs_chromium, read_text
from tests.web.page_checks import each, parsed, text_of
from tests.web.running_server import Served, playing, served

_FRAMES = """
const frames = [...document.querySelectorAll("iframe")];
return frames.filter((one) => one.contentDocument.querySelector("main")).length;
"""

_VISIBLE = "return getComputedStyle(document.querySelector('main')).visibility"


def offline(browser: Chrome, *, on: bool) -> None:
    """Take the network away from a browser, or give it back."""
    conditions = {"offline": on, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def rows(room: Served, address: str, **headers: str) -> list[list[str]]:
    """Return the cells of an overlay's rows."""
    answer = room.client(**headers).get(f"overlay/{address}")
    assert answer.status_code == 200, address
    (main,) = each(parsed(answer.content), "main")
    lines = [row for body in each(main, "tbody") for row in each(body, "tr")]
    return [[text_of(cell) for cell in row] for row in lines]


def test_overlay_without_data_is_empty() -> None:
    with served(event(8), entry=False) as room:
        assert len(OVERLAYS) > 5
        for kind in OVERLAYS:
            assert rows(room, kind) == [], kind
        assert rows(room, "slot/1") == []


def test_overlay_standings_by_number_or_around_a_player() -> None:
    with served(playing(12, rounds=3)) as room:
        every = rows(room, "standings?top=99")
        assert len(every) == 12
        assert len(rows(room, "standings")) == 10
        assert rows(room, "standings?top=3") == every[:3]
        number = next(one.number for one in room.value.players.values() if one.name == every[6][1])
        assert rows(room, f"standings?top=3&player={number}") == every[5:8]
        assert rows(room, f"standings?top=99&division={room.value.divisions[DIVISION].code.lower()}") == every
        assert rows(room, "standings?division=nowhere") == []
        assert "href" not in room.client().get("overlay/standings").text.partition("<main")[2], "it leads nowhere"


def test_overlay_table_shows_players_then_score() -> None:
    with served(playing(8, rounds=3)) as room:
        game = room.game(2)
        two = rows(room, "table?table=2")
        assert [row[1] for row in two] == [room.value.players[one].name for one in (game.first, game.second)]
        room.do(partial(commands.enter_result, game=game.id, first=401, second=399))
        scored = rows(room, "table?table=2")
        assert [row[-1] for row in scored] == ["401", "399"]
        assert [row[1] for row in scored] == [row[1] for row in two]
        assert ["401 – 399" in row for row in rows(room, "pairings")].count(True) == 1


def test_overlay_meetings_in_the_current_seating() -> None:
    with served(playing(2, rounds=3)) as room:
        met = rows(room, "meetings?table=1")
        assert [row[0] for row in met] == ["Round 1", "Round 2"]
        assert all(int(score) for row in met for score in row[1:])


def test_overlay_hides_held_results() -> None:
    value = commands.hold_standings(playing(8, rounds=3), division=DIVISION, after=0)
    with served(value) as room:
        assert rows(room, "standings") == rows(room, "best") == rows(room, "news") == []
        assert all(len(row) < 4 for row in rows(room, "table?table=1")), "no place, no record"
        assert rows(room, "meetings?table=1") == []


def test_overlay_news_of_the_newest_round() -> None:
    with served(playing(8, rounds=3)) as room:
        before = rows(room, "news")
        games = [room.game(one) for one in (1, 2)]
        room.do(partial(commands.enter_result, game=games[0].id, first=666, second=222, confirmed=True))
        told = rows(room, "news")
        assert [row[0] for row in told] == ["High game", "Biggest win"]
        assert told != before
        assert all(room.value.players[games[0].first].name == row[1] for row in told)
        assert "Before: 404 (P1)" in told[0][2]
        assert rows(room, "ticker")[:2] == told
        room.do(partial(commands.enter_result, game=games[1].id, first=701, second=222, confirmed=True))
        assert ["701" in row[2] for row in rows(room, "news")] == [True, True], "the best of the round is told"
        room.do(partial(commands.clear_result, game=games[1].id))
        assert rows(room, "news") == told, "a record belongs to the result that made it"
        page = room.client().get("a-news.html").text
        assert "666 – 222" in page
        assert "a-news.html" in room.client().get("a-round.html").text


def test_overlay_slot_shows_its_table(tmp_path: Path) -> None:
    style = tmp_path / "own.css"
    style.write_text("body { color: red }")
    with served(playing(8)) as room:
        assert rows(room, "slot/2") == []
        before = room.client().get("version").text
        room.room.set_overlays({2: 3}, style)
        shown = rows(room, "slot/2")
        assert shown == rows(room, "table?table=3") != []
        assert room.client().get("version").text != before, "who shows it asks again"
        own = room.client().get("overlay/own.css")
        assert (own.text, own.headers["content-type"]) == ("body { color: red }", "text/css; charset=utf-8")
        style.unlink()
        assert room.client().get("overlay/own.css").text == ""


@pytest.mark.parametrize("address", ["nothing", "slot/x", "table/1", "../index.html%00"])
def test_overlay_of_an_unknown_kind_is_missing(address: str) -> None:
    with served(playing(4)) as room:
        assert room.client().get(f"overlay/{address}").status_code in {400, 404}


def test_overlay_with_invalid_numbers_is_empty() -> None:
    with served(playing(4)) as room:
        for address in ("table?table=-1", "table?table=٣", "table?table=99999999", "table?table="):
            assert rows(room, address) == [], address
        assert len(rows(room, "standings?top=x")) == 4


def test_overlay_uses_the_language_of_the_address() -> None:
    with served(playing(4)) as room:
        for asked, shown in (("?lang=de", b'lang="de"'), ("?lang=xx", b'lang="nl"')):
            page = room.client(**{"Accept-Language": "nl"}).get(f"overlay/standings{asked}")
            assert shown in page.content


def test_list_overlays_names_each_overlay() -> None:
    with served(playing(4)) as room:
        answer = room.client().get("overlay/")
        frames = [one.attrib["src"] for one in each(parsed(answer.content), "iframe")]
        assert {one.removeprefix(f"{room.url}overlay/").partition("?")[0] for one in frames} >= {
            *OVERLAYS,
            "slot/4",
        }
        assert "frame-src 'self'" in answer.headers["content-security-policy"]
        for one in frames:
            policy = room.client().get(one).headers["content-security-policy"]
            assert "frame-ancestors *" in policy


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_overlay_is_transparent_in_a_browser() -> None:
    with served(playing(8, rounds=3)) as room, chromium((1920, 1080)) as browser:
        browser.get(f"{room.url}overlay/table?table=1&color=ff0000&size=40")
        look = "const one = getComputedStyle(document.body); return [one.color, one.fontSize, one.backgroundColor]"
        assert browser.execute_script(look) == ["rgb(255, 0, 0)", "40px", "rgba(0, 0, 0, 0)"]
        game = room.game(1)
        room.do(partial(commands.enter_result, game=game.id, first=555, second=222))
        WebDriverWait(browser, 60).until(lambda one: "555" in read_text(one, By.TAG_NAME, "main"))
        browser.get(f"{room.url}overlay/news")
        WebDriverWait(browser, 60).until(lambda one: one.execute_script("return shownAt !== null"))
        assert not browser.find_elements(By.CSS_SELECTOR, "tr:not([hidden]) td")
        other = room.game(2)
        room.do(partial(commands.enter_result, game=other.id, first=777, second=100))
        WebDriverWait(browser, 60).until(lambda one: "777" in read_text(one, By.CSS_SELECTOR, "main.visible"))
        for first in (100, 777):  # taken back and entered again it is no news
            room.do(partial(commands.enter_result, game=other.id, first=first, second=99))
        third = room.game(3)
        room.do(partial(commands.enter_result, game=third.id, first=790, second=100))
        WebDriverWait(browser, 60).until(lambda one: "790" in read_text(one, By.CSS_SELECTOR, "main.visible"))
        offline(browser, on=True)
        WebDriverWait(browser, 60).until(lambda one: one.execute_script(_VISIBLE) == "hidden")
        offline(browser, on=False)
        WebDriverWait(browser, 60).until(lambda one: one.execute_script(_VISIBLE) == "visible")
        complaints(browser)  # of the missing network
        browser.get(f"{room.url}overlay/")
        assert browser.execute_script(_FRAMES) == len(OVERLAYS) + 4
        field = browser.find_element(By.CSS_SELECTOR, ".copied input")
        click(browser, By.CSS_SELECTOR, ".copied button")
        picked = browser.execute_script("return getSelection().toString()")
        assert picked == field.get_attribute("value") == f"{room.url}overlay/standings"
        assert complaints(browser) == []
