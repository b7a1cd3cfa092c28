"""Entering a result on a phone: messages stay until the next key, and no connection loses what is typed."""

from __future__ import annotations

import time
from functools import partial

import pytest
from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.slip import make_player_code
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, make_event, pair_rounds
from tests.web.browser import chromium, click, complaints, fill, needs_chromium, read_text, type_into, use_element
from tests.web.running_server import Served, playing, served
from tests.web.stalling_connection import line_to
from tests.web.test_browsers import shows

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(180)]

SIZE = (360, 740)


def fill_points(browser: webdriver.Chrome, own_points: str, other_points: str) -> None:
    for name, value in (("own", own_points), ("other", other_points)):
        fill(browser, By.ID, name, value)


def enter(browser: webdriver.Chrome, own_points: str, other_points: str) -> None:
    fill_points(browser, own_points, other_points)
    click(browser, By.CSS_SELECTOR, "form button")


def read_typed_points(browser: webdriver.Chrome) -> list[str]:
    return [
        use_element(browser, By.ID, name, lambda element: str(element.get_property("value")))
        for name in ("own", "other")
    ]


def go_offline(browser: webdriver.Chrome, *, offline: bool) -> None:
    browser.execute_cdp_cmd("Network.enable", {})
    line = {"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", line)


def change_another_table(served: Served) -> None:
    served.do(partial(commands.enter_result, game=served.game(4).id, first=456, second=321))


def test_entry_page_message_stays_until_the_next_key() -> None:
    with served() as server, chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.codes(1)[0]}")
        enter(browser, "4120", "388")
        shows(browser, "4120 is not between")
        assert "bring your slip" in read_text(browser, By.TAG_NAME, "main")
        change_another_table(server)
        browser.execute_async_script("setTimeout(arguments[0], 6000)")
        shows(browser, "4120 is not between")
        assert read_typed_points(browser) == ["4120", "388"]
        type_into(browser, By.ID, "own", "\b")
        assert "is not between" not in read_text(browser, By.TAG_NAME, "main")
        assert read_typed_points(browser) == ["412", "388"]
        click(browser, By.CSS_SELECTOR, "form button")
        shows(browser, "You have entered 412 – 388")


def test_entry_page_keeps_a_result_offline() -> None:
    with served() as server, chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.codes(1)[0]}")
        fill_points(browser, "377", "401")
        go_offline(browser, offline=True)
        click(browser, By.CSS_SELECTOR, "form button")
        shows(browser, "sent when the connection is back")
        assert read_typed_points(browser) == ["377", "401"]
        assert not server.value.slips
        go_offline(browser, offline=False)
        shows(browser, "You have entered 377 – 401")
        assert [(slip.own, slip.other) for slip in server.value.slips.values()] == [(377, 401)]


def test_entry_page_form_survives_a_live_update() -> None:
    with served() as server, chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.codes(1)[0]}")
        fill_points(browser, "37", "4")
        change_another_table(server)
        browser.execute_async_script("setTimeout(arguments[0], 5500)")
        assert read_typed_points(browser) == ["37", "4"]
        browser.get(f"{server.url}me")
        type_into(browser, By.ID, "code", "BCD")
        server.do(partial(commands.edit_event, name="Renamed meanwhile"))
        browser.execute_async_script("setTimeout(arguments[0], 5500)")
        assert browser.find_element(By.ID, "code").get_property("value") == "BCD"


def test_entry_page_names_the_winner() -> None:
    with served() as server, chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.codes(1)[0]}")
        first = server.value.players[server.game(1).first].name
        fill_points(browser, "412", "388")
        shows(browser, f"{first} wins by 24.")
        click(browser, By.CSS_SELECTOR, "form button")
        shows(browser, f"You have entered 412 – 388. {first} wins by 24.")


def test_entry_page_asks_about_zero_points() -> None:
    with served() as server, chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.codes(1)[0]}")
        enter(browser, "0", "0")
        shows(browser, "Is 0 – 0 right? Then press Enter again.")
        assert not server.value.slips
        click(browser, By.CSS_SELECTOR, "form button")
        shows(browser, "You have entered 0 – 0. It is a tie.")


def test_live_page_is_marked_old_after_ten_seconds() -> None:
    with served(playing()) as server, line_to(server.url) as line, chromium(SIZE) as browser:
        browser.get(f"{line.url}a-round.html")
        browser.execute_async_script("setTimeout(arguments[0], 1500)")
        line.stall()
        WebDriverWait(browser, 13, poll_frequency=0.2).until(
            lambda driver: driver.find_element(By.ID, "stale").is_displayed()
        )
        line.resume()
        WebDriverWait(browser, 30).until(lambda driver: not driver.find_element(By.ID, "stale").is_displayed())


def test_entry_page_needs_the_code_once() -> None:
    with served(playing(8, rounds=2)) as server, chromium(SIZE) as browser:
        player = server.game(1).first
        url = f"{server.url}me?code={make_player_code(server.value, player)}"
        browser.get(url)
        click(browser, By.LINK_TEXT, "Enter my result")
        type_into(browser, By.ID, "code", server.codes(1)[0])
        click(browser, By.CSS_SELECTOR, "form button")
        enter(browser, "412", "388")
        shows(browser, "You have entered 412 – 388")
        for table in (1, 2, 3, 4):
            server.do(partial(commands.enter_result, game=server.game(table).id, first=412, second=388))
        proposal = propose_pairings(server.desk.index, DIVISION)
        server.do(partial(commands.pair_round, key="r3", proposal=proposal))
        browser.get(f"{server.url}me")  # the phone knows whose it is
        shows(browser, "Enter my result")
        assert make_player_code(server.value, player) in browser.current_url
        click(browser, By.LINK_TEXT, "Enter my result")
        shows(browser, f"Points of {server.value.players[player].name}")
        enter(browser, "401", "399")
        shows(browser, "You have entered")
        (slip,) = [slip for slip in server.value.slips.values() if slip.game not in server.value.results]
        assert slip.player == player
        click(browser, By.LINK_TEXT, "Enter another slip")
        shows(browser, "Code on the slip")


_LISTENS = """
window.trembled = 0;
navigator.vibrate = () => { window.trembled += 1; return true; };
"""


def test_own_page_has_clock_links_and_games() -> None:
    value = pair_rounds(make_event(8), times=2)
    value = replace(value, secret="of the tests")  # noqa: S106
    with served(value, entry=False) as server, chromium(SIZE) as browser:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _LISTENS})
        browser.get(f"{server.url}me?code={make_player_code(server.value, PlayerId('p1'))}")
        shows(browser, "Your next table appears here")
        assert browser.execute_script("return window.trembled") == 0
        server.web_server.set_round_clock(RoundClock(25 * 60), time.monotonic())
        server.do(partial(commands.pair_round, key="r3", proposal=propose_pairings(server.desk.index, DIVISION)))
        assert read_text(browser, By.CLASS_NAME, "against").startswith("against P")
        assert browser.execute_script("return window.trembled") == 1
        browser.refresh()
        shows(browser, "25:00")
        assert browser.find_element(By.LINK_TEXT, "Standings").is_displayed()
        click(browser, By.TAG_NAME, "summary")
        games = browser.find_element(By.TAG_NAME, "details").find_elements(By.CSS_SELECTOR, "tbody tr")
        assert len(games) == 3
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        assert complaints(browser) == []
