"""Browser tests of the entry page on a phone: messages, and typed results without a connection."""

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
from tests.web.browser import (
    click_element,
    fill_field,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    set_offline,
    type_into,
    use_element,
)
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server
from tests.web.stalling_connection import run_stalling_proxy
from tests.web.test_browsers import wait_for_text

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(600)]

SIZE = (360, 740)


def fill_points(browser: webdriver.Chrome, own_points: str, other_points: str) -> None:
    for name, value in (("own", own_points), ("other", other_points)):
        fill_field(browser, By.ID, name, value)


def enter_points(browser: webdriver.Chrome, own_points: str, other_points: str) -> None:
    fill_points(browser, own_points, other_points)
    click_element(browser, By.CSS_SELECTOR, "form button")


def read_typed_points(browser: webdriver.Chrome) -> list[str]:
    return [
        use_element(browser, By.ID, name, lambda element: str(element.get_property("value")))
        for name in ("own", "other")
    ]


def change_another_table(server: RunningServer) -> None:
    server.run_command(partial(commands.enter_result, game=server.get_game(4).id, first=456, second=321))


def test_entry_page_message_stays_until_the_next_key() -> None:
    with run_server() as server, open_chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.get_codes(1)[0]}")
        enter_points(browser, "4120", "388")
        wait_for_text(browser, "4120 is not between")
        assert "bring your slip" in read_text(browser, By.TAG_NAME, "main")
        change_another_table(server)
        browser.execute_async_script("setTimeout(arguments[0], 6000)")
        wait_for_text(browser, "4120 is not between")
        assert read_typed_points(browser) == ["4120", "388"]
        type_into(browser, By.ID, "own", "\b")
        assert "is not between" not in read_text(browser, By.TAG_NAME, "main")
        assert read_typed_points(browser) == ["412", "388"]
        click_element(browser, By.CSS_SELECTOR, "form button")
        wait_for_text(browser, "You have entered 412 – 388")


def test_entry_page_keeps_a_result_offline() -> None:
    with run_server() as server, open_chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.get_codes(1)[0]}")
        fill_points(browser, "377", "401")
        set_offline(browser, offline=True)
        click_element(browser, By.CSS_SELECTOR, "form button")
        wait_for_text(browser, "sent when the connection is back")
        assert read_typed_points(browser) == ["377", "401"]
        assert not server.tournament.slips
        set_offline(browser, offline=False)
        wait_for_text(browser, "You have entered 377 – 401")
        assert [(slip.own, slip.other) for slip in server.tournament.slips.values()] == [(377, 401)]


def test_entry_page_form_survives_a_live_update() -> None:
    with run_server() as server, open_chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.get_codes(1)[0]}")
        fill_points(browser, "37", "4")
        change_another_table(server)
        browser.execute_async_script("setTimeout(arguments[0], 5500)")
        assert read_typed_points(browser) == ["37", "4"]
        browser.get(f"{server.url}me")
        type_into(browser, By.ID, "code", "BCD")
        server.run_command(partial(commands.edit_event, name="Renamed meanwhile"))
        browser.execute_async_script("setTimeout(arguments[0], 5500)")
        assert browser.find_element(By.ID, "code").get_property("value") == "BCD"


def test_entry_page_names_the_winner() -> None:
    with run_server() as server, open_chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.get_codes(1)[0]}")
        first = server.tournament.players[server.get_game(1).first].name
        fill_points(browser, "412", "388")
        wait_for_text(browser, f"{first} wins by 24.")
        click_element(browser, By.CSS_SELECTOR, "form button")
        wait_for_text(browser, f"You have entered 412 – 388. {first} wins by 24.")


def test_entry_page_asks_about_zero_points() -> None:
    with run_server() as server, open_chromium(SIZE) as browser:
        browser.get(f"{server.url}enter?code={server.get_codes(1)[0]}")
        enter_points(browser, "0", "0")
        wait_for_text(browser, "Is 0 – 0 right? If so, press “Enter” again.")
        assert not server.tournament.slips
        click_element(browser, By.CSS_SELECTOR, "form button")
        wait_for_text(browser, "You have entered 0 – 0. It is a tie.")


def test_live_page_is_marked_old_after_ten_seconds() -> None:
    with (
        run_server(make_unfinished_tournament()) as server,
        run_stalling_proxy(server.url) as proxy,
        open_chromium(SIZE) as browser,
    ):
        browser.get(f"{proxy.url}a-round.html")
        browser.execute_async_script("setTimeout(arguments[0], 1500)")
        proxy.stall()
        WebDriverWait(browser, 13, poll_frequency=0.2).until(
            lambda driver: driver.find_element(By.ID, "stale").is_displayed()
        )
        proxy.resume()
        WebDriverWait(browser, 30).until(lambda driver: not driver.find_element(By.ID, "stale").is_displayed())


def test_entry_page_asks_for_the_code_once() -> None:
    with run_server(make_unfinished_tournament(8, rounds=2)) as server, open_chromium(SIZE) as browser:
        player = server.get_game(1).first
        url = f"{server.url}me?code={make_player_code(server.tournament, player)}"
        browser.get(url)
        click_element(browser, By.LINK_TEXT, "Enter my result")
        type_into(browser, By.ID, "code", server.get_codes(1)[0])
        click_element(browser, By.CSS_SELECTOR, "form button")
        enter_points(browser, "412", "388")
        wait_for_text(browser, "You have entered 412 – 388")
        for table in (1, 2, 3, 4):
            server.run_command(
                partial(commands.enter_result, game=server.get_game(table).id, first=412, second=388)
            )
        proposal = propose_pairings(server.desk.index, DIVISION)
        server.run_command(partial(commands.pair_round, key="r3", proposal=proposal))
        browser.get(f"{server.url}me")  # the phone remembers its player
        wait_for_text(browser, "Enter my result")
        assert make_player_code(server.tournament, player) in browser.current_url
        click_element(browser, By.LINK_TEXT, "Enter my result")
        wait_for_text(browser, f"{server.tournament.players[player].name}’s points")
        enter_points(browser, "401", "399")
        wait_for_text(browser, "You have entered")
        (slip,) = [slip for slip in server.tournament.slips.values() if slip.game not in server.tournament.results]
        assert slip.player == player
        click_element(browser, By.LINK_TEXT, "Enter another slip")
        wait_for_text(browser, "Code on the slip")


_LISTENS = """
window.trembled = 0;
navigator.vibrate = () => { window.trembled += 1; return true; };
"""


def test_own_page_has_clock_links_and_games() -> None:
    value = pair_rounds(make_event(8), times=2)
    value = replace(value, secret="of the tests")  # noqa: S106
    with run_server(value, entry=False) as server, open_chromium(SIZE) as browser:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _LISTENS})
        browser.get(f"{server.url}me?code={make_player_code(server.tournament, PlayerId('p1'))}")
        wait_for_text(browser, "Your next table appears here")
        assert browser.execute_script("return window.trembled") == 0
        server.web_server.set_round_clock(RoundClock(25 * 60), time.monotonic())
        server.run_command(
            partial(commands.pair_round, key="r3", proposal=propose_pairings(server.desk.index, DIVISION))
        )
        assert read_text(browser, By.CLASS_NAME, "against").startswith("against P")
        assert browser.execute_script("return window.trembled") == 1
        browser.refresh()
        wait_for_text(browser, "25:00")
        assert browser.find_element(By.LINK_TEXT, "Standings").is_displayed()
        click_element(browser, By.TAG_NAME, "summary")
        games = browser.find_element(By.TAG_NAME, "details").find_elements(By.CSS_SELECTOR, "tbody tr")
        assert len(games) == 3
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        assert read_browser_errors(browser) == []
