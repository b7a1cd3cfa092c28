"""Tests of the web pages of a club with several evenings."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.publishing import make_public_view
from tdapp.domain.tournament import Tournament
from tdapp.web.site_views import SitePage
from tests.building import DIVISION, enter_results
from tests.clubs import play_two_evenings
from tests.web.test_season_page import make_pages


def open_page(value: Tournament, name: str) -> SitePage:
    return make_pages(value).page_makers[name]()


def test_the_standings_link_to_the_evenings_and_the_games_of_this_one() -> None:
    evenings, games = open_page(enter_results(play_two_evenings()), "a-standings.html").link_groups
    assert [(link.text, link.page, link.is_current) for link in evenings[1]] == [
        ("1 Sept", "a-standings-2.html", False),
        ("8 Sept", "a-standings-3.html", True),
    ]
    assert (games[0], [link.text for link in games[1]]) == ("Game", ["1"])
    evening_links = open_page(enter_results(play_two_evenings()), "a-standings-2.html").link_groups[1]
    assert [(link.text, link.is_current) for link in evening_links[1]] == [("1", False), ("2", True)]


def test_a_player_page_dates_the_games_of_each_evening() -> None:
    (grid,) = open_page(enter_results(play_two_evenings()), "a-player-1.html").grids
    column = [head.text for head in grid.column_headings].index("Game")
    assert [line.cells[column].text for line in grid.rows] == ["08/09 · 1", "01/09 · 2", "01/09 · 1"]


def test_the_standings_are_no_result_before_the_evening_is_over() -> None:
    value = enter_results(play_two_evenings())
    assert open_page(value, "a-standings.html").title == "8 September 2026: standings after game 1"
    ended = commands.end_evening(value, division=DIVISION)
    assert open_page(ended, "a-standings.html").title == "8 September 2026: results"
    assert not any(player.checked_in for player in TournamentIndex(make_public_view(ended)).players(DIVISION))


def test_the_public_cannot_read_who_waits_for_the_first_game() -> None:
    value = commands.discard_round(
        play_two_evenings(), round=TournamentIndex(play_two_evenings()).rounds(DIVISION)[-1].id, reason="x"
    )
    assert not any(player.checked_in for player in make_public_view(value).players.values())
