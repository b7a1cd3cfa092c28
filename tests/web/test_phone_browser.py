"""Browser tests of the check-in page and the own page on phones, tablets and stalled connections."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId
from tdapp.domain.slip import make_player_code, make_tablet_code
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.building import DIVISION
from tests.web.browser import (
    click_element,
    fill_field,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    type_into,
)
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server
from tests.web.stalling_connection import run_stalling_proxy
from tests.web.test_browsers import CONTRAST, wait_for_text
from tests.web.test_phone_check_in import list_present_players, make_check_in_tournament

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(600)]

SMALL, TABLET = (320, 640), (800, 1280)
LONG = "Schaaf-Wassenberg, Maximilienne Anastasia van der"
SHOTS = os.environ.get("TDAPP_SHOTS", "")  # a folder for screenshots
AXE = Path(os.environ.get("TDAPP_AXE", "axe.min.js"))
_AXE = """
const done = arguments[arguments.length - 1];
axe.run().then(({violations}) => done(violations.map((one) => [one.id, one.nodes.map((node) => node.html)])));
"""


_HOLD_SCRIPT = """
const real = EventSource;
window.EventSource = function (url) {
  window.begin = () => { new real(url).onmessage = (event) => this.onmessage(event); };
};
"""


def check_page_layout(browser: webdriver.Chrome, name: str) -> None:
    """Fail if a page is too wide, has low contrast or logs errors. Take a screenshot."""
    if SHOTS:
        browser.save_screenshot(str(Path(SHOTS) / f"{name}.png"))
    page_width, screen_width = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert page_width <= screen_width, name
    assert browser.execute_script(CONTRAST) == [], name
    assert read_browser_errors(browser) == [], name
    if AXE.is_file():
        browser.execute_script(AXE.read_text(encoding="utf-8"))
        assert browser.execute_async_script(_AXE) == [], name


def type_name(browser: webdriver.Chrome, name: str, field: str = "name") -> None:
    fill_field(browser, By.ID, field, name)
    click_element(browser, By.CSS_SELECTOR, "button")


def make_own_page_url(server: RunningServer, base: str, player: PlayerId) -> str:
    return f"{base}me?code={make_player_code(server.tournament, player)}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("size", "dark"), [(SMALL, True), (TABLET, False)], ids=["phone", "tablet"])
def test_check_in_page_on_a_phone(size: tuple[int, int], *, dark: bool, language: str) -> None:
    value = commands.edit_player(
        make_check_in_tournament(), player=PlayerId("p8"), name=LONG, club="Scrabbleclub Voorburg-Leidschendam"
    )
    value = commands.add_fee(commands.edit_event(value, currency="EUR"), key="f", division=DIVISION, amount=1500)
    with (
        run_server(value) as server,
        open_chromium(size, dark=dark, language={"nb": "no"}.get(language, language)) as browser,
    ):
        name = f"{'tablet' if size == TABLET else 'phone'}-{language}"
        is_tablet = f"?tablet={make_tablet_code(value)}" if size == TABLET else ""
        browser.get(f"{server.url}check-in{is_tablet}")
        check_page_layout(browser, f"{name}-1-empty")
        type_name(browser, "Nobody At All")
        browser.find_element(By.CSS_SELECTOR, ".notice.red")
        check_page_layout(browser, f"{name}-2-nobody")
        type_name(browser, "Jan de Vries")
        browser.find_element(By.ID, "more")
        check_page_layout(browser, f"{name}-3-two")
        browser.get(f"{server.url}check-in{is_tablet}")
        type_name(browser, "maximilienne anastasia van der schaaf wassenberg")
        browser.find_element(By.CSS_SELECTOR, ".who")
        check_page_layout(browser, f"{name}-4-you")
        click_element(browser, By.CSS_SELECTOR, "button")
        browser.find_element(By.CSS_SELECTOR, ".notice.green")
        check_page_layout(browser, f"{name}-5-done")
        assert list_present_players(server) == {"p8"}
        if not is_tablet:
            click_element(browser, By.CSS_SELECTOR, "a.button")
            wait_for_text(browser, "Schaaf-Wassenberg")
            assert "/me?code=" in browser.current_url


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_page_fits_a_small_phone(language: str) -> None:
    value = commands.edit_player(make_unfinished_tournament(8, rounds=3), player=PlayerId("p1"), name=LONG)
    with (
        run_server(value) as server,
        open_chromium(
            SMALL, dark=language in {"nl", "de"}, language={"nb": "no"}.get(language, language)
        ) as browser,
    ):
        game = next(
            server.get_game(table)
            for table in range(1, 5)
            if "p1" in {server.get_game(table).first, server.get_game(table).second}
        )
        for player in (game.first, game.second):
            browser.get(make_own_page_url(server, server.url, player))
            assert str(game.table) in read_text(browser, By.CSS_SELECTOR, ".seat strong")
            check_page_layout(browser, f"own-{language}-{'long' if player == 'p1' else 'other'}")
        bottom = browser.execute_script("return document.querySelector('.seat').getBoundingClientRect().bottom")
        assert bottom <= SMALL[1], "table, starter and opponent need scrolling"
        browser.get(f"{server.url}me?code=BCDF2345")
        check_page_layout(browser, f"own-{language}-code")


def test_check_in_page_tablet_returns_to_the_empty_field() -> None:
    with run_server(make_check_in_tournament()) as server, open_chromium(TABLET) as browser:
        browser.get(f"{server.url}check-in?tablet={make_tablet_code(server.tournament)}")
        type_name(browser, "Anna Berg")
        wait_for_text(browser, "Is this you?")
        click_element(browser, By.CSS_SELECTOR, "button")
        wait_for_text(browser, "You are checked in.")
        field = WebDriverWait(browser, 60).until(lambda driver: driver.find_element(By.ID, "name"))
        assert field.get_attribute("value") == ""
        assert "Berg" not in browser.page_source
        browser.back()
        assert "Berg" not in read_text(browser, By.TAG_NAME, "body"), "the name of the previous player is visible"


def test_check_in_page_waits_on_a_stalled_connection() -> None:
    with (
        run_server(make_check_in_tournament()) as server,
        run_stalling_proxy(server.url) as proxy,
        open_chromium(SMALL) as browser,
    ):
        browser.get(f"{proxy.url}check-in")
        proxy.stall()
        type_into(browser, By.ID, "name", "Anna Berg")
        click_element(browser, By.CSS_SELECTOR, "button")
        wait_for_text(browser, "Not connected")
        assert browser.find_element(By.ID, "name").get_attribute("value") == "Anna Berg"
        proxy.resume()
        click_element(browser, By.CSS_SELECTOR, "button")
        wait_for_text(browser, "Is this you?")
        click_element(browser, By.CSS_SELECTOR, "button")
        wait_for_text(browser, "You are checked in.")
        assert list_present_players(server) == {"p5"}


def test_own_page_updates_after_a_stalled_connection() -> None:
    with (
        run_server(make_unfinished_tournament(8, rounds=2)) as server,
        run_stalling_proxy(server.url) as proxy,
        open_chromium(SMALL) as browser,
    ):
        game = server.get_game(1)
        browser.get(make_own_page_url(server, proxy.url, game.first))
        wait_for_text(browser, "You start")
        proxy.stall()
        browser.execute_script(
            "document.dispatchEvent(new Event('visibilitychange'))"
        )  # the phone screen is on again
        wait_for_text(browser, "Not connected")
        for table in range(1, 5):
            server.run_command(
                partial(commands.enter_result, game=server.get_game(table).id, first=444, second=333)
            )
        server.run_command(
            partial(
                commands.pair_round,
                key="next",
                proposal=propose_pairings(TournamentIndex(server.tournament), DIVISION),
            )
        )
        proxy.resume()
        wait_for_text(browser, "Round 3")
        wait_for_text(browser, "444")
        assert not browser.find_element(By.ID, "stale").is_displayed()
        assert browser.title.startswith("Table ")


def test_own_page_detects_a_silent_connection() -> None:
    with (
        run_server(make_unfinished_tournament(8)) as server,
        run_stalling_proxy(server.url) as proxy,
        open_chromium(SMALL) as browser,
    ):
        browser.get(make_own_page_url(server, proxy.url, server.get_game(1).first))
        wait_for_text(browser, "You start")
        proxy.stall()
        wait_for_text(browser, "Not connected")
        proxy.resume()
        WebDriverWait(browser, 60).until(lambda driver: not driver.find_element(By.ID, "stale").is_displayed())


def test_own_page_shows_changes_before_the_live_connection() -> None:
    with run_server(make_unfinished_tournament(8)) as server, open_chromium(SMALL) as browser:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _HOLD_SCRIPT})
        browser.get(make_own_page_url(server, server.url, server.get_game(1).first))
        wait_for_text(browser, "You start")
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=456, second=321))
        browser.execute_script("begin()")
        wait_for_text(browser, "456")
