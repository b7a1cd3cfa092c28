"""Tests of the web pages of a season."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, PublicNameFormat
from tdapp.domain.publishing import make_public_view
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.sheet import SanctionKind
from tdapp.web.site_views import DivisionPages
from tests.building import RESOURCES
from tests.domain.test_event_copies import SPRING, SUMMER, make_federation
from tests.domain.test_seasons import SEASON, make_autumn
from tests.pairing.test_team_matches import play_example


def make_pages(tournament: Tournament) -> DivisionPages:
    index = TournamentIndex(make_public_view(tournament))
    catalogue = Catalogue("en", RESOURCES / "locale")
    return DivisionPages(index, index.divisions[0], "a", catalogue, index)


def test_season_page_is_public() -> None:
    tournament = commands.edit_season(make_autumn(), season=SEASON, rule=SeasonRule("own", "Own", best=2))
    pages = make_pages(tournament)
    page = pages.page_makers["a-season.html"]()
    assert "a-season.html" in [link.page for link in pages.list_menu_links()]
    text = str(page)
    assert page.title == "Autumn"
    assert "5 5 (3)" in text


def test_season_page_hides_names_like_other_pages() -> None:
    tournament = commands.set_names_shown(make_autumn(), names=PublicNameFormat.NUMBER)
    text = str(make_pages(tournament).page_makers["a-season.html"]())
    assert "#1" in text
    assert "'A'" not in text


def test_season_page_lists_events_of_other_files_without_private_data() -> None:
    tournament = make_federation(SPRING, replace(SUMMER, source="secret.tdapp", head="secret"))
    tournament = tournament.put(
        *(replace(player, member="secret") for player in list(tournament.players.values())[:1])
    )
    text = str(make_pages(tournament).page_makers["a-season.html"]())
    assert "3 2" in text
    assert "'Ann'" in text
    assert "secret" not in text + str(make_public_view(tournament))


def test_make_pages_without_a_season_has_no_season_page() -> None:
    tournament = commands.remove_season(make_autumn(), season=SEASON)
    assert "a-season.html" not in make_pages(tournament).page_makers


def test_league_page_lists_teams_and_matches() -> None:
    tournament = commands.add_sanction(
        play_example(), key="x", player=PlayerId("p1"), kind=SanctionKind.TEAM, points=1, why="secret"
    )
    pages = make_pages(tournament)
    assert "a-teams.html" in [link.page for link in pages.list_menu_links()]
    page = pages.page_makers["a-teams.html"]()
    teams, matches = page.grids
    cells = [[cell.text for cell in line.cells] for line in teams.rows]
    headings = [head.text for head in teams.column_headings]
    assert [row[headings.index("Deducted")] for row in cells] == ["−1", ""]
    assert [row[headings.index("Team points")] for row in cells] == ["1", "0"]
    assert len(matches.rows) == 5
    assert "2½" in matches.rows[0].cells[4].text
    assert "secret" not in repr(page)


def test_make_pages_without_team_matches_has_no_team_page() -> None:
    assert "a-teams.html" not in make_pages(make_autumn()).page_makers
