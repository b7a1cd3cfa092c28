"""Tests of all tie-breaks on a crosstable computed by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.ruleset import MatchPoints
from tdapp.domain.tiebreaks import TIEBREAKS, refuse_invalid_tiebreak_order
from tests.domain.tournament_lines import FIVE, RULES, build_crosstable, rank_players

RATINGS = {1: 1500, 2: 1400, 3: 1000, 5: 1200}
HALF = Fraction(1, 2)

# Per tie-break: its value for players 1 to 5, and their ranks by it alone.
EXPECTED = {
    "wins": ([3, 3, 2 + HALF, HALF, 1 + HALF], [1, 1, 3, 5, 4]),
    "losses": ([1, 1, 1 + HALF, 2 + HALF, 2 + HALF], [1, 1, 3, 4, 4]),
    "spread": ([123, 90, 90, -83, -120], [1, 2, 2, 4, 5]),
    "points": ([1513, 1140, 1180, 1020, 300], [1, 3, 2, 4, 5]),
    "resistance": ([7 + HALF, 7 + HALF, 6 + HALF, 8 + HALF, 6], [2, 2, 4, 1, 5]),
    "resistance-cut1": ([7, 7, 6 + HALF, 8 + HALF, 6], [2, 2, 4, 1, 5]),
    "resistance-median": ([4, 4, 3 + HALF, 5 + HALF, 3], [2, 2, 4, 1, 5]),
    "sonneborn-berger": ([5, 4 + HALF, Fraction(13, 4), Fraction(5, 4), 0], [1, 2, 3, 4, 5]),
    "head-to-head": ([None] * 5, [1] * 5),
    "cumulative": ([8, 6, 7, 2, 4 + HALF], [1, 3, 2, 5, 4]),
    "games-won": ([3, 2, 1, 0, 0], [1, 2, 3, 4, 4]),
    "average": ([Fraction(1513, 4), 380, Fraction(1180, 3), 340, 300], [3, 2, 1, 4, 5]),
    "percentage": ([75, 75, Fraction(125, 2), Fraction(50, 3), Fraction(75, 2)], [1, 1, 3, 5, 4]),
    "rating": ([1500, 1400, 1000, None, 1200], [1, 2, 4, 5, 3]),
    "opponents-rating": ([1200, 1250, 1450, 1300, 1500], [5, 4, 2, 3, 1]),
}


def test_tiebreaks_have_a_case_each() -> None:
    assert set(TIEBREAKS) == set(EXPECTED)
    assert all(name == tiebreak.id for name, tiebreak in TIEBREAKS.items())


@pytest.mark.parametrize("name", EXPECTED)
def test_tiebreak_values_and_ranks(name: str) -> None:
    values, ranks = EXPECTED[name]
    rows = rank_players(build_crosstable(FIVE, players=5, order=(name,), ratings=RATINGS))
    assert [rows[number].get_tiebreak_value(name) for number in range(1, 6)] == values
    assert [rows[number].rank for number in range(1, 6)] == ranks


def test_tiebreak_values_after_an_earlier_round() -> None:
    order = ("cumulative", "resistance", "resistance-median", "opponents-rating")
    rows = rank_players(build_crosstable(FIVE, players=5, order=order, ratings=RATINGS), after=2)
    assert [rows[number].get_tiebreak_value("cumulative") for number in range(1, 6)] == [3, 1, 2, 1, 2]
    assert [rows[number].get_tiebreak_value("resistance") for number in range(1, 6)] == [
        2,
        2 + HALF,
        HALF,
        2 + HALF,
        2,
    ]
    assert [rows[number].get_tiebreak_value("resistance-median") for number in range(1, 6)] == [0] * 5
    assert rows[3].get_tiebreak_value("opponents-rating") is None


def test_resistance_cut_and_median_of_a_single_round() -> None:
    rows = rank_players(
        build_crosstable(
            [["1-2 300:300"]], players=2, order=("resistance-cut1", "resistance-median", "resistance")
        )
    )
    assert [rows[1].get_tiebreak_value(name) for name in rows[1].tiebreak_values] == [0, 0, HALF]


def test_sonneborn_berger_opponent_met_twice_counts_twice() -> None:
    rounds = [["1-2 300:200"], ["2-1 300:200"], ["1-2 300:200"]]
    rows = rank_players(
        build_crosstable(rounds, players=2, order=("resistance", "sonneborn-berger", "opponents-rating"))
    )
    assert rows[1].get_tiebreak_value("resistance") == 3
    assert rows[2].get_tiebreak_value("resistance") == 6
    assert [rows[number].get_tiebreak_value("sonneborn-berger") for number in (1, 2)] == [2, 2]


def test_sonneborn_berger_in_thirds_of_a_point() -> None:
    """A draw is 1/3 point. Player 1 drew with player 2 (4/3 points) and beat player 3 (0 points)."""
    rules = replace(RULES, match_points=MatchPoints(draw=Fraction(1, 3)))
    rounds = [["1-2 300:300"], ["1-3 400:300"], ["2 bye"]]
    rows = rank_players(build_crosstable(rounds, players=3, order=("sonneborn-berger",), rules=rules))
    assert rows[1].get_tiebreak_value("sonneborn-berger") == Fraction(4, 9)


def test_tiebreak_values_ignore_an_open_game() -> None:
    order = ("resistance", "resistance-cut1", "opponents-rating", "games-won", "sonneborn-berger")
    rounds = [["1-2 300:200", "3-4 250:200"], ["1-3", "2-4 400:300"]]
    rows = rank_players(build_crosstable(rounds, players=4, order=order, ratings={2: 900, 3: 2000}))
    assert [rows[1].get_tiebreak_value(name) for name in order] == [1, 0, 900, 1, 1]


class TestHeadToHead:
    """Tests of head-to-head: points among tied players if all met each other."""

    ORDER = ("wins", "head-to-head", "spread")

    def test_head_to_head_of_two(self) -> None:
        """Players 1 and 3 have one win each. Player 3 beat player 1."""
        rounds = [["3-1 301:300", "2-4 400:300"], ["1-4 500:100", "2-3 500:100"]]
        rows = rank_players(build_crosstable(rounds, players=4, order=self.ORDER))
        assert list(rows) == [2, 3, 1, 4]
        assert [rows[number].get_tiebreak_value("head-to-head") for number in rows] == [None, 1, 0, None]
        assert [rows[number].rank for number in rows] == [1, 2, 3, 4]

    def test_head_to_head_of_three(self) -> None:
        """Players 1, 2 and 3 have two points each. 1 beat 2, the other games are draws."""
        rounds = [
            ["1-2 310:300", "3-4 400:100"],
            ["2-3 300:300", "1-4 200:200"],
            ["3-1 300:300", "2-4 300:200"],
            ["2 requested", "1 absent", "3 absent", "4 absent"],
        ]
        rows = rank_players(build_crosstable(rounds, players=4, order=self.ORDER))
        assert [rows[number].match_points for number in (1, 2, 3)] == [2, 2, 2]
        assert [rows[number].get_tiebreak_value("head-to-head") for number in (1, 2, 3)] == [1 + HALF, HALF, 1]
        assert list(rows) == [1, 3, 2, 4]

    def test_head_to_head_with_a_missing_game(self) -> None:
        """Players 1, 2 and 3 have one win each, but 1 and 3 did not meet. The spread decides."""
        rounds = [["1-2 310:300", "3 bye 1"], ["2-3 320:300", "1 absent"]]
        rows = rank_players(build_crosstable(rounds, players=3, order=self.ORDER))
        assert [row.get_tiebreak_value("head-to-head") for row in rows.values()] == [None, None, None]
        assert [(number, row.spread) for number, row in rows.items()] == [(1, 10), (2, 10), (3, -19)]
        assert [row.rank for row in rows.values()] == [1, 1, 3]

    def test_head_to_head_open_game_is_no_meeting(self) -> None:
        rows = rank_players(build_crosstable([["1-2"]], players=2, order=self.ORDER))
        assert [row.get_tiebreak_value("head-to-head") for row in rows.values()] == [None, None]

    def test_head_to_head_counts_all_games(self) -> None:
        rounds = [["1-2 310:300", "3 bye"], ["2-1 310:300", "3 absent"], ["2-1 310:300"], ["1 bye"]]
        rows = rank_players(build_crosstable(rounds, players=3, order=self.ORDER))
        assert [rows[number].get_tiebreak_value("head-to-head") for number in (1, 2, 3)] == [1, 2, None]
        assert list(rows) == [2, 1, 3]


def test_check_order_accepts_every_id_once() -> None:
    refuse_invalid_tiebreak_order(())
    refuse_invalid_tiebreak_order(TIEBREAKS)


def test_check_order_names_the_unknown_id() -> None:
    with pytest.raises(CommandError) as error:
        refuse_invalid_tiebreak_order(("wins", "buchholz"))
    assert error.value.code == "unknown-tiebreak"
    assert error.value.facts["tiebreak"] == "buchholz"


def test_check_order_refuses_an_id_twice() -> None:
    with pytest.raises(CommandError) as error:
        refuse_invalid_tiebreak_order(("wins", "spread", "wins"))
    assert (error.value.code, error.value.facts) == ("repeated-tiebreak", {"tiebreak": "wins"})
