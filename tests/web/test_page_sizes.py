"""Nothing is cut on projectors, overlays and small phones, with 60 players, two divisions and a long name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.web.browser import chromium, click, complaints, needs_chromium, read_text
from tests.web.large_hall import LONGEST, large_hall
from tests.web.running_server import Served, served
from tests.web.test_browsers import shows

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(240)]

SHOTS = os.environ.get("TDAPP_SHOTS", "")  # a folder for pictures
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
def server() -> Iterator[Served]:
    with served(large_hall()) as server:
        yield server


@pytest.fixture(scope="module", params=[(1280, 720), (1920, 1080)], ids=["720", "1080"])
def projector(request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    with chromium(request.param) as browser:
        yield browser


@pytest.fixture(scope="module")
def phone() -> Iterator[webdriver.Chrome]:
    with chromium((360, 740)) as browser:
        yield browser


def picture(browser: webdriver.Chrome, name: str) -> None:
    if SHOTS:
        browser.save_screenshot(str(Path(SHOTS) / f"{name}-{browser.execute_script('return innerWidth')}.png"))


@pytest.mark.parametrize(
    ("division", "page"),
    [("a", "names"), ("b", "names"), ("a", "round"), ("b", "standings"), ("a", "crosstable"), ("b", "players")],
)
def test_screen_page_cuts_no_column(server: Served, projector: webdriver.Chrome, division: str, page: str) -> None:
    projector.get(f"{server.url}screen-{division}-{page}.html")
    shows(projector, "1 / ")
    leaves = int(read_text(projector, By.ID, "page-number").rpartition("/")[2])
    rows = len(projector.find_elements(By.CSS_SELECTOR, "tbody tr"))
    shown_names: set[str] = set()
    for _ in range(leaves):
        assert projector.execute_script(_CLIPPED_SCRIPT) == []
        visible = "[...document.querySelectorAll('tbody tr')].filter((one) => !one.hidden)"
        texts = projector.execute_script(f"return {visible}.map((one) => one.innerText)")
        assert len(texts) > 1
        shown_names |= set(texts)
        projector.execute_script("turnPage(1)")
    assert len(shown_names) == rows
    assert page == "round" or any(LONGEST in " ".join(row.split()) for row in shown_names)
    picture(projector, f"screen-{division}-{page}")
    assert complaints(projector) == []


@pytest.mark.parametrize("kind", ["standings", "pairings", "best", "table", "meetings", "news", "clock"])
def test_overlay_cuts_nothing(server: Served, projector: webdriver.Chrome, kind: str) -> None:
    game = next(
        game.table
        for game in server.value.games.values()
        if game.id not in server.value.results
        and LONGEST in {server.value.players[key].name for key in (game.first, game.second)}
    )
    for query in (f"?table={game}", f"?table={game}&size=60", f"?table={game}&top=40"):
        projector.get(f"{server.url}overlay/{kind}{query}")
        assert projector.execute_script(_CLIPPED_SCRIPT) == [], query
        wide, height, inner = projector.execute_script(
            "const root = document.documentElement; return [root.scrollWidth - innerWidth,"
            " root.scrollHeight - innerHeight, document.querySelectorAll('td').length]"
        )
        assert (wide, height) == (0, 0)
        assert inner or kind in {"news", "clock", "meetings"}
    assert complaints(projector) == []


def test_round_page_first_pairings_fit_the_first_phone_screen(server: Served, phone: webdriver.Chrome) -> None:
    for page in ("a-round", "b-round", "a-names", "b-names"):
        phone.get(f"{server.url}{page}.html")
        bottoms = phone.execute_script(
            "return [...document.querySelectorAll('tbody tr')].map((one) => one.getBoundingClientRect().bottom)"
        )
        assert sum(bottom <= 740 for bottom in bottoms) >= 4, page
        picture(phone, page)


def test_site_menu_links_the_other_division_on_a_phone(server: Served, phone: webdriver.Chrome) -> None:
    phone.get(f"{server.url}a-standings.html")
    click(phone, By.LINK_TEXT, "Division B")
    assert phone.current_url.endswith("b-standings.html")
    current = phone.find_element(By.CSS_SELECTOR, ".menu [aria-current]")
    assert 0 <= current.rect["x"] <= 360 - current.rect["width"]


def test_site_breaks_no_name_inside_a_word(server: Served, phone: webdriver.Chrome) -> None:
    pages = ("index", "a-round", "a-round-1", "a-names", "a-standings", "a-crosstable", "a-players", "a-player-1",
             "a-player-5", "a-statistics")  # fmt: skip
    for page in pages:
        phone.get(f"{server.url}{page}.html")
        assert phone.execute_script(_BROKEN) == [], page
        wide, narrow = phone.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= narrow, page
        if page not in {"a-crosstable", "a-statistics"}:
            parts = "[...document.querySelectorAll('.scroll')]"
            fits = phone.execute_script(f"return {parts}.every((one) => one.scrollWidth <= one.clientWidth)")
            assert fits, f"{page} has no column outside the screen"
        assert complaints(phone) == []


def test_site_reader_of_many_pages_waits_for_no_connection(server: Served, phone: webdriver.Chrome) -> None:
    start = time.monotonic()
    for page in ("round", "names", "standings", "players"):
        phone.get(f"{server.url}a-{page}.html")
        phone.get(f"{server.url}b-{page}.html")
    assert time.monotonic() - start < 20
    phone.back()
    shows(phone, "32 players")
    assert not phone.find_element(By.ID, "stale").is_displayed()


def test_home_page_shows_the_event(server: Served, phone: webdriver.Chrome) -> None:
    phone.get(server.url)
    assert phone.execute_script("return document.querySelector('.logo').naturalWidth") > 0
    shows(phone, "Round 2: 0 of 16 results")
    leaders = [element.text.split("\n") for element in phone.find_elements(By.CSS_SELECTOR, ".leaders li")]
    assert len(leaders) == 6
    assert leaders[0][:1] + leaders[0][2:3] == ["1", "NED"]
    picture(phone, "home")
