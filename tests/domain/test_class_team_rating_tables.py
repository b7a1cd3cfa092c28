"""Standings of classes and teams, prizes and ratings as tables, and the games that count for ratings."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, GameId, PrizeKind, Start
from tdapp.domain.tables import standings
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tests.building import DIVISION, RESOURCES
from tests.domain.results import division_of, with_players, with_results

# P1 +200 and two wins, P3 +100 and one, P4 -90 and one, P2 -210 and none.
ROUNDS = (((1, 400, 2, 300), (4, 380, 3, 370)), ((1, 450, 4, 350), (3, 400, 2, 400 - 110)))


@pytest.fixture
def value() -> Tournament:
    made = with_results(*ROUNDS)
    return with_players(made, category=["A", "B", "A, junior", "b"], team=["Reds", "Blues", "Blues ", "Reds"])


def test_make_category_table_has_own_and_division_ranks(value: Tournament) -> None:
    index, division = Index(value), division_of(value)
    table = standings.make_category_table(index, division, "B")
    rank = next(column for column in table.columns if column.id == "rank")
    assert [(row.place, rank.value(row), row.player.name) for row in table.rows] == [(1, 3, "P4"), (2, 4, "P2")]
    assert [column.id for column in table.columns[1:]] == [
        column.id for column in standings.make_standings_table(index, division).columns
    ]
    assert [row.player.name for row in standings.make_category_table(index, division, "Junior").rows] == ["P3"]


def test_make_category_table_equal_players_share_a_rank() -> None:
    made = with_results(((1, 400, 2, 400), (3, 400, 4, 400)))
    made = with_players(made, category=["B", "A", "B", "B"])
    assert [row.place for row in standings.make_category_table(Index(made), division_of(made), "b").rows] == [
        1,
        1,
        1,
    ]


def test_find_category_refuses_a_category_without_players(value: Tournament) -> None:
    assert standings.find_category_by_name(Index(value), division_of(value), " JUNIOR ") == "junior"
    with pytest.raises(RuleViolation, match="no-such-class"):
        standings.find_category_by_name(Index(value), division_of(value), "Z")


def test_make_team_table_sums_match_points(value: Tournament) -> None:
    rows = standings.make_team_table(Index(value), division_of(value)).rows
    assert [(row.rank, row.team, row.size, row.wins, row.spread) for row in rows] == [
        (1, "Reds", 2, Fraction(3), 200 - 90),
        (2, "Blues", 2, Fraction(1), 100 - 210),
    ]
    assert rows[0].counting == "P1; P4"


def test_make_team_table_counts_the_best_players(value: Tournament) -> None:
    value = with_players(value, team=["Reds", "Reds", "Reds", ""])
    row = standings.make_team_table(Index(value), division_of(value), best=2).rows[0]
    assert (row.size, row.wins, row.players) == (3, Fraction(3), ("P1", "P3"))


def test_make_team_table_equal_teams_share_a_rank() -> None:
    made = with_results(((1, 400, 2, 400), (3, 400, 4, 400)))
    made = with_players(made, team=["x", "Y", "", "Z"])
    assert [(row.rank, row.team) for row in standings.make_team_table(Index(made), division_of(made)).rows] == [
        (1, "x"), (1, "Y"), (1, "Z"),
    ]  # fmt: skip


def test_make_prize_table_lists_prizes(value: Tournament) -> None:
    value = commands.add_prize(value, key="a", division=DIVISION, kind=PrizeKind.RANK, amount=1000)
    value = commands.add_prize(
        value, key="b", division=DIVISION, kind=PrizeKind.LUCKY_STIFF, text="a book", games=1
    )
    value = commands.add_prize(value, key="c", division=DIVISION, kind=PrizeKind.HAND)
    rows = standings.make_prize_table(Index(value), division_of(value)).rows
    assert [(row.number, row.place, row.games, row.winners, row.each) for row in rows] == [
        (1, 1, None, "P1", 1000),
        (2, 1, 1, "P4", None),
        (3, None, None, "", None),
    ]


def test_make_rating_table_follows_the_standings(value: Tournament) -> None:
    system = read_rating_systems(RESOURCES / "ratings")["elo"]
    rows = standings.make_rating_table(Index(value), division_of(value), system).rows
    assert [row.rated_player.player.name for row in rows] == ["P1", "P3", "P4", "P2"]
    assert rows[0].expected == Fraction(106, 100)  # 0.514 + 0.543
    assert rows[0].rated_player.change == 19  # 20 x (2 - 1.057)


def test_make_rated_game_table_lists_rated_games() -> None:
    made = with_results(*ROUNDS, ((1, 400, 2, 300), (3, 400, 4, 300)), players=5)
    forfeited = replace(made.results[GameId("r1.g1")], first=None, second=None, forfeit=Forfeit.BOTH)
    drawn = replace(made.games[GameId("r2.g2")], start=Start.DRAW)
    made = made.put(forfeited, drawn).drop(made.results[GameId("r3.g2")])
    rows = standings.make_rated_game_table(Index(made), division_of(made)).rows
    assert [(row.round, row.table, row.starts) for row in rows] == [(1, 2, 1), (2, 1, 1), (2, 2, None), (3, 1, 1)]
    assert (rows[0].first.name, rows[0].first_score, rows[0].second_score) == ("P4", 380, 370)
    assert [row.round for row in standings.make_rated_game_table(Index(made), division_of(made), 1).rows] == [1]
