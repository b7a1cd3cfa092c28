"""Tests of public pages and overlays for tables of three players."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.slip import make_player_code
from tdapp.domain.tables.statistics import list_game_statistics
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, pair_rounds
from tests.clubs import THREE, enter_points, make_club
from tests.web.page_checks import iterate_elements, parse_page, read_element_text
from tests.web.running_server import RunningServer, run_server

NAMES = {"p1": "Adler, Anna", "p2": "Bakker, Bert", "p3": "Cohen, Carla", "p4": "Dijk, Dirk", "p5": "Evers, Eva"}
POINTS = {"p1": 240, "p2": 210, "p3": 188, "p4": 300, "p5": 290}


def make_group_tournament(tables: PlayersPerTableRule = THREE) -> Tournament:
    """Return five players in an open second game. Anna, Carla and Eva shared a table in the first game."""
    tournament = make_club(5, tables)
    tournament = tournament.put(
        *(replace(player, name=NAMES[player.id]) for player in tournament.players.values())
    )
    tournament = pair_rounds(enter_points(pair_rounds(tournament, results=False), POINTS), results=False)
    return replace(tournament, secret="of the tests")  # noqa: S106


@pytest.fixture
def server() -> Iterator[RunningServer]:
    with run_server(make_group_tournament()) as server:
        yield server


def list_group_names(server: RunningServer) -> list[str]:
    index = TournamentIndex(server.tournament)
    (seats,) = index.list_seats_by_table(index.list_published_rounds(DIVISION)[-1].id)
    return [server.tournament.players[seat.player].name for seat in seats]


def read_page(server: RunningServer, page: str, **headers: str) -> str:
    answer = server.make_client().get(page, params=headers)
    assert answer.status_code == 200
    return read_element_text(next(iter(iterate_elements(parse_page(answer.content), "body"))))


def test_table_overlay_shows_all_three_players(server: RunningServer) -> None:
    text = read_page(server, "overlay/table", table="1")
    assert all(name in text for name in list_group_names(server))


def test_meetings_overlay_lists_the_games_between_three_players(server: RunningServer) -> None:
    text = read_page(server, "overlay/meetings", table="1")
    assert list_group_names(server) == ["Evers, Eva", "Adler, Anna", "Dijk, Dirk"]
    assert "290" in text
    assert "240" in text
    assert "188" not in text
    assert "300" not in text  # Dirk played at another table


def test_own_page_shows_the_table_and_both_opponents(server: RunningServer) -> None:
    for player, opponents in (("p1", ("Evers, Eva", "Dijk, Dirk")), ("p5", ("Adler, Anna", "Dijk, Dirk"))):
        text = read_page(server, "me", code=make_player_code(server.tournament, PlayerId(player)))
        assert "Your next table appears here" not in text
        assert "Table 1" in text
        assert " · ".join(opponents) in text


def test_player_page_shows_the_next_group_table(server: RunningServer) -> None:
    assert "Round 2: table 1, with Evers, Eva · Dijk, Dirk" in read_page(server, "a-player-1.html")


def test_statistics_page_lists_group_opponents_without_averages(server: RunningServer) -> None:
    for page in ("a-statistics.html", "overlay/best"):
        text = read_page(server, page)
        assert "240 at a table with Cohen, Carla · Evers, Eva, round 1" in text
        assert "against ," not in text


def test_list_figures_counts_a_group_as_one_game() -> None:
    tournament = make_group_tournament()
    figures = {
        statistic.key: statistic.value
        for statistic in list_game_statistics(TournamentIndex(tournament), tournament.divisions[DIVISION])
    }
    assert figures["games-played"] == 2


def test_server_pages_of_a_player_without_opponents_are_complete() -> None:
    with run_server(make_group_tournament(PlayersPerTableRule(prefer=1))) as server:
        assert re.search(r"Round 2: table \d, you play alone", read_page(server, "a-player-1.html"))
        text = read_page(server, "overlay/best")
        assert "300 playing alone at a table, round 1" in text
        last = TournamentIndex(server.tournament).list_published_rounds(DIVISION)[-1].id
        table = next(seat.table for seat in TournamentIndex(server.tournament).seats(last) if seat.player == "p1")
        assert "against ," not in text
        assert "Adler, Anna" in read_page(server, "overlay/table", table=str(table))
        assert f"Table {table}" in read_page(
            server, "me", code=make_player_code(server.tournament, PlayerId("p1"))
        )


def test_server_pages_of_one_large_table_count_the_opponents() -> None:
    with run_server(make_group_tournament(PlayersPerTableRule(prefer=0))) as server:
        assert "Round 2: table 1, with 4 other players" in read_page(server, "a-player-1.html")
        assert "against ," not in read_page(server, "a-statistics.html")
