"""Tests of the stream overlays and their public data."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.web.overlays import OVERLAYS
from tests.building import DIVISION, make_event
from tests.web.browser import (
    click_element,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    set_offline,
)
from tests.web.page_checks import iterate_elements, parse_page, read_element_text
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server

_FRAMES = """
const frames = [...document.querySelectorAll("iframe")];
return frames.filter((one) => one.contentDocument.querySelector("main")).length;
"""

_VISIBLE = "return getComputedStyle(document.querySelector('main')).visibility"


def read_overlay_rows(server: RunningServer, address: str, **headers: str) -> list[list[str]]:
    """Return the cell texts of each row of an overlay."""
    answer = server.make_client(**headers).get(f"overlay/{address}")
    assert answer.status_code == 200, address
    (main,) = iterate_elements(parse_page(answer.content), "main")
    lines = [row for body in iterate_elements(main, "tbody") for row in iterate_elements(body, "tr")]
    return [[read_element_text(cell) for cell in row] for row in lines]


def test_overlay_without_data_is_empty() -> None:
    with run_server(make_event(8), entry=False) as server:
        assert len(OVERLAYS) > 5
        for kind in OVERLAYS:
            assert read_overlay_rows(server, kind) == [], kind
        assert read_overlay_rows(server, "slot/1") == []


def test_overlay_standings_by_number_or_around_a_player() -> None:
    with run_server(make_unfinished_tournament(12, rounds=3)) as server:
        all_rows = read_overlay_rows(server, "standings?top=99")
        assert len(all_rows) == 12
        assert len(read_overlay_rows(server, "standings")) == 10
        assert read_overlay_rows(server, "standings?top=3") == all_rows[:3]
        number = next(
            player.number for player in server.tournament.players.values() if player.name == all_rows[6][1]
        )
        assert read_overlay_rows(server, f"standings?top=3&player={number}") == all_rows[5:8]
        assert (
            read_overlay_rows(
                server, f"standings?top=99&division={server.tournament.divisions[DIVISION].code.lower()}"
            )
            == all_rows
        )
        assert read_overlay_rows(server, "standings?division=nowhere") == []
        assert "href" not in server.make_client().get("overlay/standings").text.partition("<main")[2], (
            "the overlay has a link"
        )


def test_overlay_table_shows_players_then_score() -> None:
    with run_server(make_unfinished_tournament(8, rounds=3)) as server:
        game = server.get_game(2)
        table = read_overlay_rows(server, "table?table=2")
        assert [row[1] for row in table] == [
            server.tournament.players[player].name for player in (game.first, game.second)
        ]
        server.run_command(partial(commands.enter_result, game=game.id, first=401, second=399))
        score_rows = read_overlay_rows(server, "table?table=2")
        assert [row[-1] for row in score_rows] == ["401", "399"]
        assert [row[1] for row in score_rows] == [row[1] for row in table]
        assert ["401 – 399" in row for row in read_overlay_rows(server, "pairings")].count(True) == 1


def test_overlay_meetings_follow_the_current_seating() -> None:
    with run_server(make_unfinished_tournament(2, rounds=3)) as server:
        meeting_rows = read_overlay_rows(server, "meetings?table=1")
        assert [row[0] for row in meeting_rows] == ["Round 1", "Round 2"]
        assert all(int(score) for row in meeting_rows for score in row[1:])


def test_overlay_hides_held_results() -> None:
    value = commands.hold_standings(make_unfinished_tournament(8, rounds=3), division=DIVISION, after=0)
    with run_server(value) as server:
        assert (
            read_overlay_rows(server, "standings")
            == read_overlay_rows(server, "best")
            == read_overlay_rows(server, "news")
            == []
        )
        assert all(len(row) < 4 for row in read_overlay_rows(server, "table?table=1")), (
            "the overlay shows ranks or wins"
        )
        assert read_overlay_rows(server, "meetings?table=1") == []


def test_overlay_shows_news_of_the_latest_round() -> None:
    with run_server(make_unfinished_tournament(8, rounds=3)) as server:
        old_version = read_overlay_rows(server, "news")
        games = [server.get_game(table) for table in (1, 2)]
        server.run_command(partial(commands.enter_result, game=games[0].id, first=666, second=222, confirmed=True))
        news_rows = read_overlay_rows(server, "news")
        assert [row[0] for row in news_rows] == ["High game", "Biggest win"]
        assert news_rows != old_version
        assert all(server.tournament.players[games[0].first].name == row[1] for row in news_rows)
        assert "Previously: 404 (P1)" in news_rows[0][2]
        assert read_overlay_rows(server, "ticker")[:2] == news_rows
        server.run_command(partial(commands.enter_result, game=games[1].id, first=701, second=222, confirmed=True))
        assert ["701" in row[2] for row in read_overlay_rows(server, "news")] == [True, True], (
            "the best game of the round is missing"
        )
        server.run_command(partial(commands.clear_result, game=games[1].id))
        assert read_overlay_rows(server, "news") == news_rows, "the news still show a removed result"
        page = server.make_client().get("a-news.html").text
        assert "666 – 222" in page
        assert "a-news.html" in server.make_client().get("a-round.html").text


def test_overlay_slot_shows_its_table(tmp_path: Path) -> None:
    style = tmp_path / "own.css"
    style.write_text("body { color: red }")
    with run_server(make_unfinished_tournament(8)) as server:
        assert read_overlay_rows(server, "slot/2") == []
        old_version = server.make_client().get("version").text
        server.web_server.set_overlays({2: 3}, style)
        slot_rows = read_overlay_rows(server, "slot/2")
        assert slot_rows == read_overlay_rows(server, "table?table=3") != []
        assert server.make_client().get("version").text != old_version, "the version did not change"
        answer = server.make_client().get("overlay/own.css")
        assert (answer.text, answer.headers["content-type"]) == ("body { color: red }", "text/css; charset=utf-8")
        style.unlink()
        assert server.make_client().get("overlay/own.css").text == ""


@pytest.mark.parametrize("address", ["nothing", "slot/x", "table/1", "../index.html%00"])
def test_overlay_of_an_unknown_kind_is_not_found(address: str) -> None:
    with run_server(make_unfinished_tournament(4)) as server:
        assert server.make_client().get(f"overlay/{address}").status_code in {400, 404}


def test_overlay_with_invalid_numbers_is_empty() -> None:
    with run_server(make_unfinished_tournament(4)) as server:
        for address in ("table?table=-1", "table?table=٣", "table?table=99999999", "table?table="):
            assert read_overlay_rows(server, address) == [], address
        assert len(read_overlay_rows(server, "standings?top=x")) == 4


def test_overlay_uses_the_language_of_the_address() -> None:
    with run_server(make_unfinished_tournament(4)) as server:
        for query, attribute in (("?lang=de", b'lang="de"'), ("?lang=xx", b'lang="nl"')):
            page = server.make_client(**{"Accept-Language": "nl"}).get(f"overlay/standings{query}")
            assert attribute in page.content


def test_list_overlays_names_each_overlay() -> None:
    with run_server(make_unfinished_tournament(4)) as server:
        answer = server.make_client().get("overlay/")
        frames = [element.attrib["src"] for element in iterate_elements(parse_page(answer.content), "iframe")]
        assert {address.removeprefix(f"{server.url}overlay/").partition("?")[0] for address in frames} >= {
            *OVERLAYS,
            "slot/4",
        }
        assert "frame-src 'self'" in answer.headers["content-security-policy"]
        for address in frames:
            policy = server.make_client().get(address).headers["content-security-policy"]
            assert "frame-ancestors *" in policy


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_overlay_is_transparent_in_a_browser() -> None:
    with run_server(make_unfinished_tournament(8, rounds=3)) as server, open_chromium((1920, 1080)) as browser:
        browser.get(f"{server.url}overlay/table?table=1&color=ff0000&size=40")
        script = (
            "const one = getComputedStyle(document.body); return [one.color, one.fontSize, one.backgroundColor]"
        )
        assert browser.execute_script(script) == ["rgb(255, 0, 0)", "40px", "rgba(0, 0, 0, 0)"]
        game = server.get_game(1)
        server.run_command(partial(commands.enter_result, game=game.id, first=555, second=222))
        WebDriverWait(browser, 60).until(lambda driver: "555" in read_text(driver, By.TAG_NAME, "main"))
        browser.get(f"{server.url}overlay/news")
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script("return shownAt !== null"))
        assert not browser.find_elements(By.CSS_SELECTOR, "tr:not([hidden]) td")
        other_game = server.get_game(2)
        server.run_command(partial(commands.enter_result, game=other_game.id, first=777, second=100))
        WebDriverWait(browser, 60).until(
            lambda driver: "777" in read_text(driver, By.CSS_SELECTOR, "main.visible")
        )
        for first in (100, 777):  # a result that was undone and entered again is no news
            server.run_command(partial(commands.enter_result, game=other_game.id, first=first, second=99))
        third = server.get_game(3)
        server.run_command(partial(commands.enter_result, game=third.id, first=790, second=100))
        WebDriverWait(browser, 60).until(
            lambda driver: "790" in read_text(driver, By.CSS_SELECTOR, "main.visible")
        )
        set_offline(browser, offline=True)
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(_VISIBLE) == "hidden")
        set_offline(browser, offline=False)
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(_VISIBLE) == "visible")
        read_browser_errors(browser)  # the console reports the missing network
        browser.get(f"{server.url}overlay/")
        assert browser.execute_script(_FRAMES) == len(OVERLAYS) + 4
        field = browser.find_element(By.CSS_SELECTOR, ".copied input")
        click_element(browser, By.CSS_SELECTOR, ".copied button")
        selected_kinds = browser.execute_script("return getSelection().toString()")
        assert selected_kinds == field.get_attribute("value") == f"{server.url}overlay/standings"
        assert read_browser_errors(browser) == []
