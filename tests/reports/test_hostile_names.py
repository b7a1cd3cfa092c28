"""Tests with names of markup, formulas or commands in all exports, pages and reports."""

from __future__ import annotations

from functools import cache

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports
from tdapp.i18n.catalogue import Catalogue
from tdapp.reports import REPORTS, render_report
from tdapp.web.site import Site, Templates
from tests.building import RESOURCES
from tests.conftest import AttemptRecorder
from tests.reports import sample_tournament
from tests.reports.test_golden import make_sample_context
from tests.web.page_checks import iterate_elements, parse_page

HOSTILE = (
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "\"onmouseover='x'",
    "javascript:alert(1)",
    '=HYPERLINK("http://x";"y")',
    "+1+1",
    "@SUM(A1)",
    "-2+3|cmd",
    "{{7*7}}",
    "{% raw %}",
    "{0}",
    "{name!r:>9}",
    "%s%n%d",
    "$(reboot)",
    "`id`",
    "'; DROP TABLE players; --",
    "../../etc/passwd",
    "C:\\con\\aux",
    'a;b,c"d',
    "# comment",
    "; off 1",
    "A" * 80,
    "é" * 80,
    "A\u0301\u0302\u0303\u0304 B",
    "مُحَمَّد 12",
    "שלום 400-300",
    "क्‍ष",
    "👩‍👩‍👧 family",
    "\U0001d54f\U0001d550\u2124",
    "ﬀ ligature",
    "<b>&amp;</b>",
    "&#60;i&#62;",
    "]]>",
    "<!--",
    "\\u003c",
    "\uff21nna",
    "ǅ",
    "null",
    "NaN",
    "0",
    "1e9",
)


@cache
def make_hostile_tournament() -> Tournament:
    """Return a tournament with each hostile name that the commands accept."""
    value = sample_tournament.make_tournament(len(HOSTILE) + len(HOSTILE) % 2, rounds=2)
    for player, name in zip(list(value.players.values()), HOSTILE, strict=False):
        try:
            value = commands.edit_player(value, player=player.id, name=name, club=name, team=name, notes=name)
        except CommandError:
            continue  # the command refuses the name
    assert len({player.name for player in value.players.values()} & set(HOSTILE)) > 30
    (division,) = value.divisions
    return commands.set_times(value, division=division, times="10:00 +65")


def make_english_catalogue() -> Catalogue:
    return Catalogue("en", RESOURCES / "locale")


@pytest.mark.parametrize("kind", exports.EXPORTS)
def test_exports_accept_hostile_names(kind: str, record_attempts: AttemptRecorder) -> None:
    record_attempts("hostile names in an export, a page or a paper", len(HOSTILE))
    code = None if exports.EXPORTS[kind].scope == "all" else "A"
    content = exports.make_export_content(
        kind, TournamentIndex(make_hostile_tournament()), code, None, make_english_catalogue()
    )
    assert content
    for name in content if isinstance(content, dict) else ():
        assert "/" not in name
        assert not name.startswith(".")


@pytest.mark.slow
def test_site_pages_show_hostile_names_as_text(record_attempts: AttemptRecorder) -> None:
    record_attempts("hostile names in an export, a page or a paper", len(HOSTILE))
    site = Site(make_hostile_tournament(), make_english_catalogue(), Templates(RESOURCES / "site"))
    pages = [parse_page(content) for name, content in site.make_all_files() if name.endswith(".html")]
    site_text = " ".join("".join(root.itertext()) for root in pages)
    assert HOSTILE[0] in site_text
    assert "{{7*7}}" in site_text
    for root in pages:
        assert not [element for element in root.iter() if any(key.startswith("on") for key in element.attrib)]
        assert not [element for element in iterate_elements(root, "img") if element.attrib.get("src") == "x"]
        assert all("alert(1)" not in "".join(element.itertext()) for element in iterate_elements(root, "script"))


@pytest.mark.parametrize("report", [report for report in REPORTS if report != "bracket"])
def test_reports_print_hostile_names(report: str, record_attempts: AttemptRecorder) -> None:
    record_attempts("hostile names in an export, a page or a paper", len(HOSTILE))
    index = TournamentIndex(make_hostile_tournament())
    context = replace(make_sample_context(), index=index, divisions=index.divisions)
    document = pypdfium2.PdfDocument(render_report(report, context))
    assert len(document) > 0
    document.close()
