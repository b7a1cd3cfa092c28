"""Accessibility tests of the pages with axe-core, on phones and desktops, in light and dark.

Download axe-core with `npm pack axe-core`. Set TDAPP_AXE to the path of its axe.min.js. Without that file
these tests are skipped.
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
from tdapp.domain.index import TournamentIndex
from tdapp.domain.slip import make_player_code, map_slip_codes_to_games_and_players
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.publishing import replace_folder_content
from tdapp.web.site import Site, Templates
from tests.building import RESOURCES
from tests.web.browser import needs_chromium, open_chromium, read_browser_errors
from tests.web.large_tournament import make_large_tournament
from tests.web.running_server import run_server
from tests.web.test_site import make_full_tournament

AXE = Path(os.environ.get("TDAPP_AXE", "axe.min.js"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    needs_chromium,
    pytest.mark.skipif(not AXE.is_file(), reason="TDAPP_AXE is not the path of axe.min.js"),
]
_RUN = """
const done = arguments[arguments.length - 1];
axe.run({preload: false}).then(({passes, violations}) =>
  done([passes.length, violations.map((one) => [one.id, one.nodes.map((node) => node.html)])]));
"""


@pytest.fixture(scope="module")
def page_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("axe") / "www"
    templates, catalogue = Templates(RESOURCES / "site"), Catalogue("en", RESOURCES / "locale")
    tournament = make_full_tournament()
    logo = b64encode((RESOURCES / "pictures" / "window.png").read_bytes()).decode()
    tournament = commands.set_logo(tournament, name="club.png", data=logo)
    replace_folder_content(
        folder,
        Site(
            tournament, catalogue, templates, made_at=datetime(2026, 11, 21, 14, 32, tzinfo=UTC)
        ).make_all_files(),
    )
    path_by_kind = {path.stem.rstrip("0123456789"): path for path in sorted(folder.glob("*.html"))}
    return list(path_by_kind.values())


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_site_pages_have_no_axe_violations(page_files: list[Path], width: int, *, dark: bool) -> None:
    assert page_files
    with open_chromium((width, 800), dark=dark) as browser:
        for page in page_files:
            browser.get(page.as_uri())
            check_accessibility(browser)


def check_accessibility(browser: webdriver.Chrome) -> None:
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    rules, violations = browser.execute_async_script(_RUN)
    assert (rules > 10, violations, read_browser_errors(browser)) == (True, [], []), browser.current_url


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)], ids=["phone", "desk"])
def test_server_pages_have_no_axe_violations(width: int, *, dark: bool) -> None:
    tournament = replace(make_large_tournament().event, players_check_in=True)
    with (
        run_server(make_large_tournament().put(tournament)) as server,
        open_chromium((width, 800), dark=dark) as browser,
    ):
        player = next(iter(server.tournament.players))
        code, slip = (
            make_player_code(server.tournament, player),
            next(iter(map_slip_codes_to_games_and_players(TournamentIndex(server.tournament)))),
        )
        for page in ("", "b-round.html", "a-player-1.html", "screen-a-names.html", "enter", f"enter?code={slip}",
                     "me", f"me?code={code}", "check-in", "featured", "overlay/"):  # fmt: skip
            browser.get(f"{server.url}{page}")
            check_accessibility(browser)
