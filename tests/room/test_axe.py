"""The pages under axe-core, by which accessibility is judged: nothing to find, phone and desk, light and dark.

`npm pack axe-core` brings it; TDAPP_AXE names its axe.min.js. Without that these tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tdapp.i18n.catalogue import Catalogue
from tdapp.web.site import Site, Templates
from tdapp.web.site_folder import write_folder
from tests.building import RESOURCES
from tests.room.browser import chromium, needs_chromium
from tests.room.serving import playing

AXE = Path(os.environ.get("TDAPP_AXE", "axe.min.js"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    needs_chromium,
    pytest.mark.skipif(not AXE.is_file(), reason="TDAPP_AXE names no axe.min.js"),
]
_RUN = """
const done = arguments[arguments.length - 1];
axe.run().then(({passes, violations}) =>
  done([passes.length, violations.map((one) => [one.id, one.nodes.map((node) => node.html)])]));
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("axe") / "www"
    site = Site(playing(8, rounds=3), Catalogue("en", RESOURCES / "locale"), Templates(RESOURCES / "site"))
    write_folder(folder, site.files())
    kinds = {path.stem.rstrip("0123456789"): path for path in sorted(folder.glob("*.html"))}
    return list(kinds.values())


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(pages: list[Path], width: int, *, dark: bool) -> None:
    assert pages
    with chromium((width, 800), dark=dark) as browser:
        for page in pages:
            browser.get(page.as_uri())
            browser.execute_script(AXE.read_text(encoding="utf-8"))
            rules, found = browser.execute_async_script(_RUN)
            assert (rules > 10, found) == (True, []), page.name
