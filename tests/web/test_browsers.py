"""Tests of the web pages in a real browser: screen sizes, dark mode, no scripts, slow and lost connections."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.publishing import replace_folder_content
from tdapp.web.site import Site, Templates
from tests.building import RESOURCES, get_player
from tests.web.browser import (
    DESK,
    PHONE,
    click_element,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    type_into,
)
from tests.web.running_server import make_unfinished_tournament, run_server

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(600)]

PAGES = ("index", "a-round", "a-names", "a-standings", "a-crosstable", "a-statistics", "a-players", "a-player-1")
CONTRAST = """
const seen = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (one) => {
  for (let at = one; at; at = at.parentElement) {
    const found = getComputedStyle(at).backgroundColor;
    if (!found.startsWith("rgba") && !found.startsWith("color")) return found;
  }
  return "rgb(255, 255, 255)";
};
return [...document.querySelectorAll("body *")].filter((one) => {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return own && one.checkVisibility();
}).map((one) => {
  const [a, b] = [seen(getComputedStyle(one).color), seen(ground(one))];
  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.outerHTML.slice(0, 80)];
}).filter(([ratio]) => ratio < 4.5);
"""
SHOTS = os.environ.get("TDAPP_SHOTS", "")  # a folder for screenshots


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tournament = make_unfinished_tournament(24, rounds=4)
    tournament = commands.edit_player(tournament, player=get_player(tournament, 1).id, name="Øyvind Åström-Łukasz")
    folder = tmp_path_factory.mktemp("site") / "www"
    replace_folder_content(
        folder,
        Site(tournament, Catalogue("en", RESOURCES / "locale"), Templates(RESOURCES / "site")).make_all_files(),
    )
    return folder


@pytest.fixture(scope="module")
def desk_browser() -> Iterator[webdriver.Chrome]:
    with open_chromium(DESK) as browser:
        yield browser


@pytest.fixture(scope="module")
def phone_browser() -> Iterator[webdriver.Chrome]:
    with open_chromium(PHONE, dark=True) as browser:
        yield browser


def wait_for_text(browser: webdriver.Chrome, text: str) -> None:
    page_changed = (WebDriverException,)  # the page can change between two reads
    WebDriverWait(browser, 60, poll_frequency=0.1, ignored_exceptions=page_changed).until(
        lambda driver: text in read_text(driver, By.TAG_NAME, "body")
    )


@pytest.mark.parametrize("page", PAGES)
def test_site_folder_opens_in_browsers_without_errors(
    site_folder: Path, desk_browser: webdriver.Chrome, phone_browser: webdriver.Chrome, page: str
) -> None:
    for browser in (desk_browser, phone_browser):
        browser.get((site_folder / f"{page}.html").as_uri())
        assert read_browser_errors(browser) == []
        page_width, screen_width = browser.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth]"
        )
        assert page_width <= screen_width, "the page is wider than the screen"
        styled = browser.execute_script("return getComputedStyle(document.body).margin")
        assert styled == "0px", "the browser did not load the style sheet from disk"
        assert browser.execute_script(CONTRAST) == []


def test_site_search_ignores_accents(site_folder: Path, desk_browser: webdriver.Chrome) -> None:
    desk_browser.get((site_folder / "index.html").as_uri())
    field = desk_browser.find_element(By.ID, "find")
    for text in ("oyvind astrom", "ØYVIND", "lukasz Åst"):
        field.clear()
        field.send_keys(text)
        people = [
            element.text
            for element in desk_browser.find_elements(By.CSS_SELECTOR, ".people li")
            if element.is_displayed()
        ]
        assert people == ["Øyvind Åström-Łukasz"], text
    field.clear()
    field.send_keys("nobody at all")
    assert desk_browser.find_element(By.CSS_SELECTOR, ".none").is_displayed()


def test_site_wide_table_scrolls_on_a_phone(site_folder: Path, phone_browser: webdriver.Chrome) -> None:
    phone_browser.get((site_folder / "a-crosstable.html").as_uri())
    page_width, screen_width = phone_browser.execute_script(
        "const one = document.querySelector('.scroll'); return [one.scrollWidth, one.clientWidth]"
    )
    assert page_width > screen_width


def test_site_print_style_omits_links(site_folder: Path, desk_browser: webdriver.Chrome) -> None:
    desk_browser.get((site_folder / "a-standings.html").as_uri())
    desk_browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not desk_browser.find_element(By.CSS_SELECTOR, ".menu").is_displayed()
        assert desk_browser.find_element(By.TAG_NAME, "table").is_displayed()
    finally:
        desk_browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen"})


def test_site_without_scripts_has_all_except_search() -> None:
    with run_server() as server, open_chromium(PHONE, scripts=False) as browser:
        browser.get(server.url)
        assert not browser.find_element(By.CSS_SELECTOR, ".find").is_displayed()
        click_element(browser, By.LINK_TEXT, "Pairings")
        assert "Round 2" in read_text(browser, By.TAG_NAME, "h1")
        first, second = server.get_codes(1)
        make_code_page, doubt_text = "You have entered 412 – 388", "the desk must confirm this result"
        for code, points, text in ((first, ("412", "388"), make_code_page), (second, ("388", "412"), doubt_text)):
            browser.get(f"{server.url}enter?other")
            type_into(browser, By.ID, "code", code)
            click_element(browser, By.TAG_NAME, "button")
            for name, value in zip(("own", "other"), points, strict=True):
                type_into(browser, By.ID, name, value)
            click_element(browser, By.TAG_NAME, "button")
            wait_for_text(browser, text)
        server.run_command(partial(commands.take_slips, game=server.get_game(1).id))
        browser.refresh()
        wait_for_text(browser, "The result of table 1 is in")


def test_live_page_shows_a_new_result_in_two_browsers() -> None:
    with (
        run_server() as server,
        open_chromium(PHONE) as phone_browser,
        open_chromium(DESK, dark=True) as desk_browser,
    ):
        phone_browser.get(f"{server.url}a-round.html")
        desk_browser.get(f"{server.url}screen-a-round.html")
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=456, second=321))
        for browser in (phone_browser, desk_browser):
            wait_for_text(browser, "456 – 321")
            assert read_browser_errors(browser) == []


# The answer to the second request waits until the test releases it.
OVERTAKEN = """
const fetched = window.fetch;
let times = 0;
window.fetch = async (where, how) => {
  const first = where === location.href && ++times === 1;
  const answer = await fetched(where, how);
  if (!first) return answer;
  const text = await answer.text();
  await new Promise((done) => { window.release = done; });
  return new Response(text, answer);
};
"""


def test_live_page_ignores_a_late_older_answer() -> None:
    with run_server() as server, open_chromium(DESK) as browser:
        browser.get(f"{server.url}a-round.html")
        server.run_command(partial(commands.enter_result, game=server.get_game(3).id, first=432, second=345))
        wait_for_text(browser, "432 – 345")  # the page is live
        browser.execute_script(OVERTAKEN)
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=456, second=321))
        WebDriverWait(browser, 60).until(lambda driver: driver.execute_script("return 'release' in window"))
        server.run_command(partial(commands.enter_result, game=server.get_game(2).id, first=444, second=333))
        wait_for_text(browser, "444 – 333")
        browser.execute_async_script("window.release(); setTimeout(arguments[0], 50)")
        assert "444 – 333" in read_text(browser, By.TAG_NAME, "main")


def test_live_page_keeps_typed_text() -> None:
    with run_server() as server, open_chromium(DESK) as browser:
        browser.get(f"{server.url}a-round.html")
        type_into(browser, By.ID, "find", "P1")
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=456, second=321))
        wait_for_text(browser, "456 – 321")
        field = browser.find_element(By.ID, "find")
        assert field.get_attribute("value") == "P1"
        assert browser.switch_to.active_element == field


def test_entry_page_shows_the_result_after_the_opponent() -> None:
    with run_server() as server, open_chromium(PHONE) as first_phone, open_chromium(PHONE) as second_phone:
        for table in (1, 3, 4):  # so that the phones share one address
            data = {"code": server.get_codes(table)[0], "own": "400", "other": "300"}
            assert server.make_client().post("enter", data=data).status_code == 303
        for browser, code, points in zip(
            (first_phone, second_phone), server.get_codes(2), (("412", "388"), ("388", "412")), strict=True
        ):
            browser.get(f"{server.url}enter?code={code}")
            for name, value in zip(("own", "other"), points, strict=True):
                type_into(browser, By.ID, name, value)
            click_element(browser, By.TAG_NAME, "button")
        for browser in (first_phone, second_phone):
            wait_for_text(browser, "The result of table 2 is in")


def test_screen_page_turns_pages() -> None:
    with run_server(make_unfinished_tournament(40)) as server, open_chromium((1280, 720)) as browser:
        browser.get(f"{server.url}screen-a-names.html")
        wait_for_text(browser, "1 / ")
        rows = [
            element for element in browser.find_elements(By.CSS_SELECTOR, "tbody tr") if element.is_displayed()
        ]
        assert 6 <= len(rows) <= 12
        size = browser.execute_script("return parseFloat(getComputedStyle(document.querySelector('td')).fontSize)")
        assert size >= 720 / 25
        wait_for_text(browser, "2 / ")


def test_screen_page_fits_a_phone_held_upright() -> None:
    with run_server(make_unfinished_tournament(40)) as server, open_chromium((360, 740)) as browser:
        browser.get(f"{server.url}screen-a-standings.html")
        wait_for_text(browser, "1 / ")
        heading = browser.find_element(By.TAG_NAME, "h1").rect
        rows = [
            element for element in browser.find_elements(By.CSS_SELECTOR, "tbody tr") if element.is_displayed()
        ]
        assert heading["height"] < 740 / 10
        assert len(rows) >= 6
        assert rows[-1].rect["y"] + rows[-1].rect["height"] <= 740


def test_live_page_on_a_slow_connection() -> None:
    with run_server(make_unfinished_tournament(40)) as server, open_chromium(PHONE) as browser:
        browser.execute_cdp_cmd("Network.enable", {})
        slow_network = {"offline": False, "latency": 400, "downloadThroughput": 6000, "uploadThroughput": 3000}
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", slow_network)
        browser.get(f"{server.url}a-round.html")
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=456, second=321))
        wait_for_text(browser, "456 – 321")


def test_live_page_reports_and_repairs_a_lost_connection() -> None:
    with run_server() as server, open_chromium(PHONE) as browser:
        browser.get(f"{server.url}a-round.html")
        server.web_server.stop()
        wait_for_text(browser, "Not connected")


@pytest.mark.parametrize("language", LANGUAGES)
def test_site_uses_the_language_of_the_browser(language: str) -> None:
    with run_server() as server, open_chromium(PHONE, language={"nb": "no"}.get(language, language)) as browser:
        browser.get(f"{server.url}a-round.html")
        assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == language
        assert read_browser_errors(browser) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_site_fits_a_phone_in_each_language(
    phone_browser: webdriver.Chrome, tmp_path: Path, language: str
) -> None:
    site = Site(
        make_unfinished_tournament(8, rounds=3),
        Catalogue(language, RESOURCES / "locale"),
        Templates(RESOURCES / "site"),
    )
    replace_folder_content(tmp_path / "www", site.make_all_files())
    for page in PAGES:
        phone_browser.get((tmp_path / "www" / f"{page}.html").as_uri())
        page_width, screen_width = phone_browser.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth]"
        )
        assert page_width <= screen_width, page


@pytest.mark.parametrize("language", LANGUAGES)
def test_site_standings_show_the_ranking_on_a_phone(
    phone_browser: webdriver.Chrome, tmp_path: Path, language: str
) -> None:
    value = make_unfinished_tournament(24, rounds=4)
    for number, name in enumerate(("Schaaf-Wassenberg, Maximilienne van der", "Vandenbroucke, Wim"), 1):
        value = commands.edit_player(value, player=get_player(value, number).id, name=name)
    site = Site(value, Catalogue(language, RESOURCES / "locale"), Templates(RESOURCES / "site"))
    replace_folder_content(tmp_path / "www", site.make_all_files())
    phone_browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    )
    for name in ("standings", "player-3", "round-1", "round-2"):
        phone_browser.get((tmp_path / "www" / f"a-{name}.html").as_uri())
        page_width, screen_width = phone_browser.execute_script(
            "const one = document.querySelector('.scroll'); return [one.scrollWidth, one.clientWidth]"
        )
        assert page_width <= screen_width, name
    phone_browser.get((tmp_path / "www" / "a-crosstable.html").as_uri())
    row = "[data-key='vandenbroucke wim']"
    assert (
        phone_browser.execute_script(f'return document.querySelector("{row}").clientHeight') < 95
    )  # of three lines
    if SHOTS:
        for name in ("standings", "round", "player-3"):
            phone_browser.get((tmp_path / "www" / f"a-{name}.html").as_uri())
            phone_browser.save_screenshot(str(Path(SHOTS) / f"{name}-{language}.png"))


@contextmanager
def serve_other_site(folder: Path) -> Iterator[str]:
    """Serve a folder from another web server."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("scripts", [True, False])
def test_embedded_page_can_be_framed_elsewhere(tmp_path: Path, scripts: bool) -> None:
    with (
        run_server() as server,
        serve_other_site(tmp_path) as club,
        open_chromium(PHONE, scripts=scripts) as browser,
    ):
        frames = "".join(
            f'<iframe src="{server.url}a-standings.html{query}"></iframe>' for query in ("?embed", "")
        )
        (tmp_path / "club.html").write_text(f"<!DOCTYPE html><title>Club</title>{frames}", encoding="utf-8")
        browser.get(f"{club}club.html")
        framed, unframed = browser.find_elements(By.TAG_NAME, "iframe")
        browser.switch_to.frame(framed)
        wait_for_text(browser, "Standings after round 1")
        assert not any(
            element.is_displayed() for element in browser.find_elements(By.CSS_SELECTOR, "header, .menu, footer")
        )
        click_element(browser, By.CSS_SELECTOR, "tbody th a")
        wait_for_text(browser, "Opponent")
        assert not any(
            element.is_displayed() for element in browser.find_elements(By.CSS_SELECTOR, "header, .menu")
        )
        browser.switch_to.default_content()
        browser.switch_to.frame(unframed)
        assert "Standings" not in read_text(browser, By.TAG_NAME, "body")


def test_embedded_page_exists_on_disk(site_folder: Path, phone_browser: webdriver.Chrome) -> None:
    phone_browser.get(f"{(site_folder / 'a-standings.html').as_uri()}?embed")
    assert not phone_browser.find_element(By.TAG_NAME, "header").is_displayed()
    assert phone_browser.find_element(By.CSS_SELECTOR, "tbody th a").get_attribute("href").endswith("?embed")  # type: ignore[union-attr]
    assert read_browser_errors(phone_browser) == []
