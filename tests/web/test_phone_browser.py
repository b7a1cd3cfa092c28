"""Check-in and the player's own page in a real browser: phones, a tablet, a connection that stalls and returns."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId
from tdapp.domain.slip import make_player_code, make_tablet_code
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.building import DIVISION
from tests.web.browser import chromium, click, complaints, fill, needs_chromium, read_text, type_into
from tests.web.running_server import Served, playing, served
from tests.web.stalling_connection import line_to
from tests.web.test_browsers import CONTRAST, shows
from tests.web.test_phone_check_in import hall, list_present_players

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(240)]

SMALL, TABLET = (320, 640), (800, 1280)
LONG = "Schaaf-Wassenberg, Maximilienne Anastasia van der"
SHOTS = os.environ.get("TDAPP_SHOTS", "")  # a folder for pictures
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


def sound(browser: webdriver.Chrome, name: str) -> None:
    """Fail if a page is wider than its screen, hard to read or broken. Take a screenshot."""
    if SHOTS:
        browser.save_screenshot(str(Path(SHOTS) / f"{name}.png"))
    wide, available = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= available, name
    assert browser.execute_script(CONTRAST) == [], name
    assert complaints(browser) == [], name
    if AXE.is_file():
        browser.execute_script(AXE.read_text(encoding="utf-8"))
        assert browser.execute_async_script(_AXE) == [], name


def type_name(browser: webdriver.Chrome, name: str, field: str = "name") -> None:
    fill(browser, By.ID, field, name)
    click(browser, By.CSS_SELECTOR, "button")


def make_own_page_url(served: Served, base: str, player: PlayerId) -> str:
    return f"{base}me?code={make_player_code(served.value, player)}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("size", "dark"), [(SMALL, True), (TABLET, False)], ids=["phone", "tablet"])
def test_check_in_page_on_a_phone(size: tuple[int, int], *, dark: bool, language: str) -> None:
    value = commands.edit_player(
        hall(), player=PlayerId("p8"), name=LONG, club="Scrabbleclub Voorburg-Leidschendam"
    )
    value = commands.add_fee(commands.edit_event(value, currency="EUR"), key="f", division=DIVISION, amount=1500)
    with (
        served(value) as server,
        chromium(size, dark=dark, language={"nb": "no"}.get(language, language)) as browser,
    ):
        name = f"{'tablet' if size == TABLET else 'phone'}-{language}"
        tablet = f"?tablet={make_tablet_code(value)}" if size == TABLET else ""
        browser.get(f"{server.url}check-in{tablet}")
        sound(browser, f"{name}-1-empty")
        type_name(browser, "Nobody At All")
        browser.find_element(By.CSS_SELECTOR, ".notice.red")
        sound(browser, f"{name}-2-nobody")
        type_name(browser, "Jan de Vries")
        browser.find_element(By.ID, "more")
        sound(browser, f"{name}-3-two")
        browser.get(f"{server.url}check-in{tablet}")
        type_name(browser, "maximilienne anastasia van der schaaf wassenberg")
        browser.find_element(By.CSS_SELECTOR, ".who")
        sound(browser, f"{name}-4-you")
        click(browser, By.CSS_SELECTOR, "button")
        browser.find_element(By.CSS_SELECTOR, ".notice.green")
        sound(browser, f"{name}-5-done")
        assert list_present_players(server) == {"p8"}
        if not tablet:
            click(browser, By.CSS_SELECTOR, "a.button")
            shows(browser, "Schaaf-Wassenberg")
            assert "/me?code=" in browser.current_url


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_page_fits_a_small_phone(language: str) -> None:
    value = commands.edit_player(playing(8, rounds=3), player=PlayerId("p1"), name=LONG)
    with (
        served(value) as server,
        chromium(SMALL, dark=language in {"nl", "de"}, language={"nb": "no"}.get(language, language)) as browser,
    ):
        game = next(
            server.game(table)
            for table in range(1, 5)
            if "p1" in {server.game(table).first, server.game(table).second}
        )
        for player in (game.first, game.second):
            browser.get(make_own_page_url(server, server.url, player))
            assert str(game.table) in read_text(browser, By.CSS_SELECTOR, ".seat strong")
            sound(browser, f"own-{language}-{'long' if player == 'p1' else 'other'}")
        bottom = browser.execute_script("return document.querySelector('.seat').getBoundingClientRect().bottom")
        assert bottom <= SMALL[1], "table, start and opponent are seen without scrolling"
        browser.get(f"{server.url}me?code=BCDF2345")
        sound(browser, f"own-{language}-code")


def test_check_in_page_tablet_returns_to_the_empty_field() -> None:
    with served(hall()) as server, chromium(TABLET) as browser:
        browser.get(f"{server.url}check-in?tablet={make_tablet_code(server.value)}")
        type_name(browser, "Anna Berg")
        shows(browser, "Is this you?")
        click(browser, By.CSS_SELECTOR, "button")
        shows(browser, "You are checked in.")
        field = WebDriverWait(browser, 60).until(lambda driver: driver.find_element(By.ID, "name"))
        assert field.get_attribute("value") == ""
        assert "Berg" not in browser.page_source
        browser.back()
        assert "Berg" not in read_text(browser, By.TAG_NAME, "body"), "nobody reads who was there before"


def test_check_in_page_waits_on_a_stalled_connection() -> None:
    with served(hall()) as server, line_to(server.url) as line, chromium(SMALL) as browser:
        browser.get(f"{line.url}check-in")
        line.stall()
        type_into(browser, By.ID, "name", "Anna Berg")
        click(browser, By.CSS_SELECTOR, "button")
        shows(browser, "Not connected")
        assert browser.find_element(By.ID, "name").get_attribute("value") == "Anna Berg"
        line.resume()
        click(browser, By.CSS_SELECTOR, "button")
        shows(browser, "Is this you?")
        click(browser, By.CSS_SELECTOR, "button")
        shows(browser, "You are checked in.")
        assert list_present_players(server) == {"p5"}


def test_own_page_updates_after_a_stalled_connection() -> None:
    with served(playing(8, rounds=2)) as server, line_to(server.url) as line, chromium(SMALL) as browser:
        game = server.game(1)
        browser.get(make_own_page_url(server, line.url, game.first))
        shows(browser, "You start")
        line.stall()
        browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")  # out of the pocket
        shows(browser, "Not connected")
        for table in range(1, 5):
            server.do(partial(commands.enter_result, game=server.game(table).id, first=444, second=333))
        server.do(
            partial(commands.pair_round, key="next", proposal=propose_pairings(Index(server.value), DIVISION))
        )
        line.resume()
        shows(browser, "Round 3")
        shows(browser, "444")
        assert not browser.find_element(By.ID, "stale").is_displayed()
        assert browser.title.startswith("Table ")


def test_own_page_notices_a_silent_connection() -> None:
    with served(playing(8)) as server, line_to(server.url) as line, chromium(SMALL) as browser:
        browser.get(make_own_page_url(server, line.url, server.game(1).first))
        shows(browser, "You start")
        line.stall()
        shows(browser, "Not connected")
        line.resume()
        WebDriverWait(browser, 60).until(lambda driver: not driver.find_element(By.ID, "stale").is_displayed())


def test_own_page_shows_changes_before_its_connection() -> None:
    with served(playing(8)) as server, chromium(SMALL) as browser:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _HOLD_SCRIPT})
        browser.get(make_own_page_url(server, server.url, server.game(1).first))
        shows(browser, "You start")
        server.do(partial(commands.enter_result, game=server.game(1).id, first=456, second=321))
        browser.execute_script("begin()")
        shows(browser, "456")
