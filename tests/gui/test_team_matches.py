"""Tests of the team matches on the Standings page."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tdapp.gui.standings.page import StandingsPage
from tdapp.gui.standings.team_views import TeamMatchesView
from tests.gui.samples import make_desk
from tests.gui.windows import get_page, run_action, show_window
from tests.pairing.test_team_matches import make_league, play_example


def list_view_names(page: StandingsPage) -> list[str]:
    return [page.part.itemText(index) for index in range(page.part.count())]


def test_team_matches_view_shows_matches_with_boards(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(play_example()))
    window = show_window(empty_session, qtbot, "standings")
    assert "Team matches" in list_view_names(get_page(window, StandingsPage))
    run_action(window, "team-matches")
    view = get_page(window, StandingsPage).get_or_make_view(TeamMatchesView)
    row = view.rows.find_row_by_key(view.rows.keys()[0])
    assert {row.first_team, row.second_team} == {"T1", "T2"}
    view.view.select_row(view.rows.keys()[0])
    lines = view.boards.text().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Table 1", "Table 2", "Table 3", "Table 4"]
    assert "400 – 380 · +20" in lines[0] or "380 – 400 · −20" in lines[0]


@pytest.mark.slow
def test_standings_page_offers_team_matches_for_leagues_only(empty_session: Session, qtbot: QtBot) -> None:
    tournament = make_league(4, 2, boards=0, rounds=6)
    empty_session.open_tournament_of_desk(make_desk(tournament))
    page = get_page(show_window(empty_session, qtbot, "standings"), StandingsPage)
    assert "Team matches" not in list_view_names(page)
    assert "Teams" in list_view_names(page)
