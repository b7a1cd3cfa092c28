"""Tests of the tables of categories, teams, prizes, ratings and rated games."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId, GameSide, PrizeKind, StartDecision
from tdapp.domain.tables import standings
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tests.building import DIVISION, RESOURCES
from tests.domain.results import get_division, play_rounds, set_player_fields

# P1 +200 and two wins, P3 +100 and one, P4 -90 and one, P2 -210 and none.
ROUNDS = (((1, 400, 2, 300), (4, 380, 3, 370)), ((1, 450, 4, 350), (3, 400, 2, 400 - 110)))


@pytest.fixture
def played_tournament() -> Tournament:
    tournament = play_rounds(*ROUNDS)
    return set_player_fields(
        tournament, category=["A", "B", "A, junior", "b"], team=["Reds", "Blues", "Blues ", "Reds"]
    )


def test_make_category_table_has_own_and_division_ranks(played_tournament: Tournament) -> None:
    index, division = TournamentIndex(played_tournament), get_division(played_tournament)
    table = standings.make_category_table(index, division, "B")
    rank = next(column for column in table.columns if column.id == "rank")
    assert [(row.place, rank.value(row), row.player.name) for row in table.rows] == [(1, 3, "P4"), (2, 4, "P2")]
    assert [column.id for column in table.columns[1:]] == [
        column.id for column in standings.make_standings_table(index, division).columns
    ]
    assert [row.player.name for row in standings.make_category_table(index, division, "Junior").rows] == ["P3"]


def test_make_category_table_equal_players_share_a_rank() -> None:
    tournament = play_rounds(((1, 400, 2, 400), (3, 400, 4, 400)))
    tournament = set_player_fields(tournament, category=["B", "A", "B", "B"])
    assert [
        row.place
        for row in standings.make_category_table(TournamentIndex(tournament), get_division(tournament), "b").rows
    ] == [
        1,
        1,
        1,
    ]


def test_find_category_refuses_a_category_without_players(played_tournament: Tournament) -> None:
    assert (
        standings.get_category_or_refuse(
            TournamentIndex(played_tournament), get_division(played_tournament), " JUNIOR "
        )
        == "junior"
    )
    with pytest.raises(CommandError, match="no-such-class"):
        standings.get_category_or_refuse(TournamentIndex(played_tournament), get_division(played_tournament), "Z")


def test_make_team_table_sums_match_points(played_tournament: Tournament) -> None:
    rows = standings.make_team_table(TournamentIndex(played_tournament), get_division(played_tournament)).rows
    assert [(row.rank, row.team, row.size, row.wins, row.spread) for row in rows] == [
        (1, "Reds", 2, Fraction(3), 200 - 90),
        (2, "Blues", 2, Fraction(1), 100 - 210),
    ]
    assert rows[0].counted_player_names == "P1; P4"


def test_make_team_table_counts_the_best_players(played_tournament: Tournament) -> None:
    played_tournament = set_player_fields(played_tournament, team=["Reds", "Reds", "Reds", ""])
    row = standings.make_team_table(
        TournamentIndex(played_tournament), get_division(played_tournament), best=2
    ).rows[0]
    assert (row.size, row.wins, row.players) == (3, Fraction(3), ("P1", "P3"))


def test_make_team_table_equal_teams_share_a_rank() -> None:
    tournament = play_rounds(((1, 400, 2, 400), (3, 400, 4, 400)))
    tournament = set_player_fields(tournament, team=["x", "Y", "", "Z"])
    rows = standings.make_team_table(TournamentIndex(tournament), get_division(tournament)).rows
    assert [(row.rank, row.team) for row in rows] == [(1, "x"), (1, "Y"), (1, "Z")]


def test_make_prize_table_lists_prizes(played_tournament: Tournament) -> None:
    played_tournament = commands.add_prize(
        played_tournament, key="a", division=DIVISION, kind=PrizeKind.RANK, amount=1000
    )
    played_tournament = commands.add_prize(
        played_tournament, key="b", division=DIVISION, kind=PrizeKind.LUCKY_STIFF, text="a book", games=1
    )
    played_tournament = commands.add_prize(played_tournament, key="c", division=DIVISION, kind=PrizeKind.HAND)
    rows = standings.make_prize_table(TournamentIndex(played_tournament), get_division(played_tournament)).rows
    assert [(row.number, row.place, row.games, row.winners, row.each) for row in rows] == [
        (1, 1, None, "P1", 1000),
        (2, 1, 1, "P4", None),
        (3, None, None, "", None),
    ]


def test_make_rating_table_follows_the_standings(played_tournament: Tournament) -> None:
    system = read_rating_systems(RESOURCES / "ratings")["elo"]
    rows = standings.make_rating_table(
        TournamentIndex(played_tournament), get_division(played_tournament), system
    ).rows
    assert [row.rated_player.player.name for row in rows] == ["P1", "P3", "P4", "P2"]
    assert rows[0].expected == Fraction(106, 100)  # 0.514 + 0.543
    assert rows[0].rated_player.change == 19  # 20 x (2 - 1.057)


def test_make_rated_game_table_lists_rated_games() -> None:
    tournament = play_rounds(*ROUNDS, ((1, 400, 2, 300), (3, 400, 4, 300)), players=5)
    forfeited = replace(tournament.results[GameId("r1.g1")], first=None, second=None, forfeit=GameSide.BOTH)
    drawn_game = replace(tournament.games[GameId("r2.g2")], start=StartDecision.DRAW)
    tournament = tournament.put(forfeited, drawn_game).drop(tournament.results[GameId("r3.g2")])
    rows = standings.make_rated_game_table(TournamentIndex(tournament), get_division(tournament)).rows
    assert [(row.round, row.table, row.starts) for row in rows] == [(1, 2, 1), (2, 1, 1), (2, 2, None), (3, 1, 1)]
    assert (rows[0].first.name, rows[0].first_score, rows[0].second_score) == ("P4", 380, 370)
    assert [
        row.round
        for row in standings.make_rated_game_table(TournamentIndex(tournament), get_division(tournament), 1).rows
    ] == [1]
