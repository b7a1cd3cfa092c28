"""Public pages and overlays of tables of three: all names, no errors, no empty parts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId
from tdapp.domain.ruleset import TableRule
from tdapp.domain.slip import make_player_code
from tdapp.domain.tables.statistics import list_game_statistics
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, pair_rounds
from tests.clubs import THREE, enter_points, make_club
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.running_server import Served, served

NAMES = {"p1": "Adler, Anna", "p2": "Bakker, Bert", "p3": "Cohen, Carla", "p4": "Dijk, Dirk", "p5": "Evers, Eva"}
POINTS = {"p1": 240, "p2": 210, "p3": 188, "p4": 300, "p5": 290}


def evening(tables: TableRule = THREE) -> Tournament:
    """The second game of five players is being played. In the first Anna, Carla and Eva sat at one table."""
    value = make_club(5, tables)
    value = value.put(*(replace(player, name=NAMES[player.id]) for player in value.players.values()))
    value = pair_rounds(enter_points(pair_rounds(value, results=False), POINTS), results=False)
    return replace(value, secret="of the tests")  # noqa: S106


@pytest.fixture
def server() -> Iterator[Served]:
    with served(evening()) as server:
        yield server


def three(served: Served) -> list[str]:
    index = Index(served.value)
    (seats,) = index.list_seats_by_table(index.published(DIVISION)[-1].id)
    return [served.value.players[seat.player].name for seat in seats]


def read_page(served: Served, page: str, **headers: str) -> str:
    answer = served.client().get(page, params=headers)
    assert answer.status_code == 200
    return text_of(next(iter(iterate_elements(parsed(answer.content), "body"))))


def test_the_overlay_of_a_table_has_all_three(server: Served) -> None:
    text = read_page(server, "overlay/table", table="1")
    assert all(name in text for name in three(server))


def test_the_overlay_of_meetings_has_the_games_among_three(server: Served) -> None:
    text = read_page(server, "overlay/meetings", table="1")
    assert three(server) == ["Evers, Eva", "Adler, Anna", "Dijk, Dirk"]
    assert "290" in text
    assert "240" in text
    assert "188" not in text
    assert "300" not in text  # Dirk did not meet them


def test_the_own_page_names_the_table_and_both_others(server: Served) -> None:
    for player, opponents in (("p1", ("Evers, Eva", "Dijk, Dirk")), ("p5", ("Adler, Anna", "Dijk, Dirk"))):
        text = read_page(server, "me", code=make_player_code(server.value, PlayerId(player)))
        assert "Your next table appears here" not in text
        assert "Table 1" in text
        assert " · ".join(opponents) in text


def test_the_public_page_of_a_player_names_the_next_table(server: Served) -> None:
    assert "Round 2: table 1, with Evers, Eva · Dijk, Dirk" in read_page(server, "a-player-1.html")


def test_the_best_name_the_others_and_no_mean(server: Served) -> None:
    for page in ("a-statistics.html", "overlay/best"):
        text = read_page(server, page)
        assert "240 at a table with Cohen, Carla · Evers, Eva, round 1" in text
        assert "against ," not in text


def test_a_table_of_three_is_one_game_of_the_statistics() -> None:
    value = evening()
    figures = {
        statistic.key: statistic.value
        for statistic in list_game_statistics(Index(value), value.divisions[DIVISION])
    }
    assert figures["games-played"] == 2


def test_pages_of_players_who_play_alone_are_complete() -> None:
    with served(evening(TableRule(prefer=1))) as server:
        assert re.search(r"Round 2: table \d, you play alone", read_page(server, "a-player-1.html"))
        text = read_page(server, "overlay/best")
        assert "300 alone at a table, round 1" in text
        last = Index(server.value).published(DIVISION)[-1].id
        table = next(seat.table for seat in Index(server.value).seats(last) if seat.player == "p1")
        assert "against ," not in text
        assert "Adler, Anna" in read_page(server, "overlay/table", table=str(table))
        assert f"Table {table}" in read_page(server, "me", code=make_player_code(server.value, PlayerId("p1")))


def test_pages_of_one_table_for_all_count_the_others() -> None:
    with served(evening(TableRule(prefer=0))) as server:
        assert "Round 2: table 1, with 4 other players" in read_page(server, "a-player-1.html")
        assert "against ," not in read_page(server, "a-statistics.html")
