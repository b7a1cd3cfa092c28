"""The pages under axe-core, by which accessibility is judged: nothing to find, phone and desk, light and dark.

`npm pack axe-core` brings it; TDAPP_AXE names its axe.min.js. Without that these tests are skipped.
"""

from __future__ import annotations

import os
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from selenium import webdriver

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.slip import make_player_code, map_game_codes
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.publishing import replace_folder_content
from tdapp.web.site import Site, Templates
from tests.building import RESOURCES
from tests.web.browser import chromium, complaints, needs_chromium
from tests.web.large_hall import large_hall
from tests.web.running_server import served
from tests.web.test_site import full

AXE = Path(os.environ.get("TDAPP_AXE", "axe.min.js"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    needs_chromium,
    pytest.mark.skipif(not AXE.is_file(), reason="TDAPP_AXE names no axe.min.js"),
]
_RUN = """
const done = arguments[arguments.length - 1];
axe.run({preload: false}).then(({passes, violations}) =>
  done([passes.length, violations.map((one) => [one.id, one.nodes.map((node) => node.html)])]));
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("axe") / "www"
    templates, words = Templates(RESOURCES / "site"), Catalogue("en", RESOURCES / "locale")
    value = full()
    logo = b64encode((RESOURCES / "pictures" / "window.png").read_bytes()).decode()
    value = commands.set_logo(value, name="club.png", data=logo)
    replace_folder_content(
        folder, Site(value, words, templates, made_at=datetime(2026, 11, 21, 14, 32, tzinfo=UTC)).make_all_files()
    )
    kinds = {path.stem.rstrip("0123456789"): path for path in sorted(folder.glob("*.html"))}
    return list(kinds.values())


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_site_pages_have_no_axe_faults(pages: list[Path], width: int, *, dark: bool) -> None:
    assert pages
    with chromium((width, 800), dark=dark) as browser:
        for page in pages:
            browser.get(page.as_uri())
            check(browser)


def check(browser: webdriver.Chrome) -> None:
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    rules, violations = browser.execute_async_script(_RUN)
    assert (rules > 10, violations, complaints(browser)) == (True, [], []), browser.current_url


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)], ids=["phone", "desk"])
def test_server_pages_have_no_axe_faults(width: int, *, dark: bool) -> None:
    value = replace(large_hall().event, players_check_in=True)
    with served(large_hall().put(value)) as server, chromium((width, 800), dark=dark) as browser:
        player = next(iter(server.value.players))
        code, slip = make_player_code(server.value, player), next(iter(map_game_codes(Index(server.value))))
        for page in ("", "b-round.html", "a-player-1.html", "screen-a-names.html", "enter", f"enter?code={slip}",
                     "me", f"me?code={code}", "check-in", "featured", "overlay/"):  # fmt: skip
            browser.get(f"{server.url}{page}")
            check(browser)
