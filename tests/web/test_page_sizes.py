"""Layout tests on projectors, overlays and small phones with 60 players and a long name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.web.browser import click_element, needs_chromium, open_chromium, read_browser_errors, read_text
from tests.web.large_tournament import LONGEST, make_large_tournament
from tests.web.running_server import RunningServer, run_server
from tests.web.test_browsers import wait_for_text

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(600)]

SHOTS = os.environ.get("TDAPP_SHOTS", "")  # a folder for screenshots
_CLIPPED_SCRIPT = """
return [...document.querySelectorAll("h1, th, td, header p, caption")].filter((one) => {
  const at = one.getBoundingClientRect();
  return one.checkVisibility() && (at.right > innerWidth + 1 || at.bottom > innerHeight + 1);
}).map((one) => one.textContent);
"""
_BROKEN = r"""
const broken = [];
for (const cell of document.querySelectorAll("h1, .name, .people a, .leaders a")) {
  const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    for (const word of node.data.matchAll(/[\p{L}\p{M}']+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
}
return broken;
"""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with run_server(make_large_tournament()) as server:
        yield server


@pytest.fixture(scope="module", params=[(1280, 720), (1920, 1080)], ids=["720", "1080"])
def projector_browser(request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    with open_chromium(request.param) as browser:
        yield browser


@pytest.fixture(scope="module")
def phone_browser() -> Iterator[webdriver.Chrome]:
    with open_chromium((360, 740)) as browser:
        yield browser


def save_screenshot(browser: webdriver.Chrome, name: str) -> None:
    if SHOTS:
        browser.save_screenshot(str(Path(SHOTS) / f"{name}-{browser.execute_script('return innerWidth')}.png"))


@pytest.mark.parametrize(
    ("division", "page"),
    [("a", "names"), ("b", "names"), ("a", "round"), ("b", "standings"), ("a", "crosstable"), ("b", "players")],
)
def test_screen_page_shows_all_columns(
    server: RunningServer, projector_browser: webdriver.Chrome, division: str, page: str
) -> None:
    projector_browser.get(f"{server.url}screen-{division}-{page}.html")
    wait_for_text(projector_browser, "1 / ")
    leaves = int(read_text(projector_browser, By.ID, "page-number").rpartition("/")[2])
    rows = len(projector_browser.find_elements(By.CSS_SELECTOR, "tbody tr"))
    shown_names: set[str] = set()
    for _ in range(leaves):
        assert projector_browser.execute_script(_CLIPPED_SCRIPT) == []
        visible = "[...document.querySelectorAll('tbody tr')].filter((one) => !one.hidden)"
        texts = projector_browser.execute_script(f"return {visible}.map((one) => one.innerText)")
        assert len(texts) > 1
        shown_names |= set(texts)
        projector_browser.execute_script("turnPage(1)")
    assert len(shown_names) == rows
    assert page == "round" or any(LONGEST in " ".join(row.split()) for row in shown_names)
    save_screenshot(projector_browser, f"screen-{division}-{page}")
    assert read_browser_errors(projector_browser) == []


@pytest.mark.parametrize("kind", ["standings", "pairings", "best", "table", "meetings", "news", "clock"])
def test_overlay_shows_all_content(server: RunningServer, projector_browser: webdriver.Chrome, kind: str) -> None:
    game = next(
        game.table
        for game in server.tournament.games.values()
        if game.id not in server.tournament.results
        and LONGEST in {server.tournament.players[key].name for key in (game.first, game.second)}
    )
    for query in (f"?table={game}", f"?table={game}&size=60", f"?table={game}&top=40"):
        projector_browser.get(f"{server.url}overlay/{kind}{query}")
        assert projector_browser.execute_script(_CLIPPED_SCRIPT) == [], query
        text_width, height, inner = projector_browser.execute_script(
            "const root = document.documentElement; return [root.scrollWidth - innerWidth,"
            " root.scrollHeight - innerHeight, document.querySelectorAll('td').length]"
        )
        assert (text_width, height) == (0, 0)
        assert inner or kind in {"news", "clock", "meetings"}
    assert read_browser_errors(projector_browser) == []


def test_round_page_first_pairings_fit_the_first_phone_screen(
    server: RunningServer, phone_browser: webdriver.Chrome
) -> None:
    for page in ("a-round", "b-round", "a-names", "b-names"):
        phone_browser.get(f"{server.url}{page}.html")
        bottoms = phone_browser.execute_script(
            "return [...document.querySelectorAll('tbody tr')].map((one) => one.getBoundingClientRect().bottom)"
        )
        assert sum(bottom <= 740 for bottom in bottoms) >= 4, page
        save_screenshot(phone_browser, page)


def test_site_menu_links_the_other_division_on_a_phone(
    server: RunningServer, phone_browser: webdriver.Chrome
) -> None:
    phone_browser.get(f"{server.url}a-standings.html")
    click_element(phone_browser, By.LINK_TEXT, "Division B")
    assert phone_browser.current_url.endswith("b-standings.html")
    current = phone_browser.find_element(By.CSS_SELECTOR, ".menu [aria-current]")
    assert 0 <= current.rect["x"] <= 360 - current.rect["width"]


def test_site_wraps_names_between_words(server: RunningServer, phone_browser: webdriver.Chrome) -> None:
    pages = ("index", "a-round", "a-round-1", "a-names", "a-standings", "a-crosstable", "a-players", "a-player-1",
             "a-player-5", "a-statistics")  # fmt: skip
    for page in pages:
        phone_browser.get(f"{server.url}{page}.html")
        assert phone_browser.execute_script(_BROKEN) == [], page
        wide, narrow = phone_browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= narrow, page
        if page not in {"a-crosstable", "a-statistics"}:
            parts = "[...document.querySelectorAll('.scroll')]"
            fits = phone_browser.execute_script(
                f"return {parts}.every((one) => one.scrollWidth <= one.clientWidth)"
            )
            assert fits, f"{page} has no column outside the screen"
        assert read_browser_errors(phone_browser) == []


def test_site_opens_thirty_pages_without_delay(server: RunningServer, phone_browser: webdriver.Chrome) -> None:
    start = time.monotonic()
    for page in ("round", "names", "standings", "players"):
        phone_browser.get(f"{server.url}a-{page}.html")
        phone_browser.get(f"{server.url}b-{page}.html")
    assert time.monotonic() - start < 20
    phone_browser.back()
    wait_for_text(phone_browser, "32 players")
    assert not phone_browser.find_element(By.ID, "stale").is_displayed()


def test_home_page_shows_the_event(server: RunningServer, phone_browser: webdriver.Chrome) -> None:
    phone_browser.get(server.url)
    assert phone_browser.execute_script("return document.querySelector('.logo').naturalWidth") > 0
    wait_for_text(phone_browser, "Round 2: 0 of 16 results")
    leaders = [element.text.split("\n") for element in phone_browser.find_elements(By.CSS_SELECTOR, ".leaders li")]
    assert len(leaders) == 6
    assert leaders[0][:1] + leaders[0][2:3] == ["1", "NED"]
    save_screenshot(phone_browser, "home")
