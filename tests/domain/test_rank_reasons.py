"""Tests of rank explanations: the first tie-break with different values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tdapp.domain.standings import explain_rank, map_rank_reasons
from tests.domain.tournament_lines import FIVE, build_crosstable, rank_players

HALF = Fraction(1, 2)


def test_explain_rank_by_the_first_differing_value() -> None:
    """Players 1 and 2 have equal points and resistance. Player 1 has the better spread."""
    rows = rank_players(build_crosstable(FIVE, players=5, order=("wins", "resistance", "spread", "points")))
    reason = explain_rank(rows[1], rows[2])
    assert reason.code == "spread"
    assert reason.facts == {
        "player": "Player 1", "other": "Player 2", "tiebreak": "spread", "value": 123, "other_value": 90,
    }  # fmt: skip


def test_explain_rank_shows_values_in_points() -> None:
    rows = rank_players(build_crosstable(FIVE, players=5, order=("wins",)))
    reason = explain_rank(rows[2], rows[3])
    assert (reason.code, reason.facts["value"], reason.facts["other_value"]) == ("wins", 3, 2 + HALF)


def test_explain_rank_by_fewer_losses() -> None:
    rows = rank_players(build_crosstable(FIVE, players=5, order=("losses",)))
    reason = explain_rank(rows[1], rows[3])
    assert (reason.code, reason.facts["value"], reason.facts["other_value"]) == ("losses", 1, 1 + HALF)


def test_explain_rank_of_equal_players_by_number() -> None:
    rows = rank_players(build_crosstable(FIVE, players=5, order=("wins", "resistance")))
    reason = explain_rank(rows[1], rows[2])
    assert reason.code == "equal"
    assert (reason.facts["number"], reason.facts["other_number"]) == (1, 2)


def test_explain_rank_player_without_a_value_is_last() -> None:
    rows = rank_players(build_crosstable([], players=2, order=("rating",), ratings={2: 1200}))
    reason = explain_rank(rows[2], rows[1])
    assert (reason.code, reason.facts["tiebreak"]) == ("no-value", "rating")


@pytest.mark.parametrize("players", [0, 1, 5])
def test_explain_ranks_gives_each_row_except_the_last_a_reason(players: int) -> None:
    rows = list(rank_players(build_crosstable([], players=players)).values())
    assert list(map_rank_reasons(rows)) == [row.key for row in rows[:-1]]
