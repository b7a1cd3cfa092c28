"""Tests of the player who loses control of the tournament, with given shares of tournament wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from tdapp.pairing.prize_race import (
    LeaderOpponentRule,
    Rounds,
    TournamentWinCounter,
    find_leader_opponent_rule_by_simulation,
)

Shares = Mapping[int, tuple[int, int]]  # by position, of 1,000: with and without meeting the leader


class FixedWinCounter:
    """A win counter with given tournament wins by position. Other positions win none."""

    times = 1000
    threshold = 250

    def __init__(self, shares: Shares) -> None:
        self.shares = shares

    def count(self, _rounds: Rounds, position: int, meets_leader_before_last: bool) -> int:
        return self.shares.get(position, (0, 0))[not meets_leader_before_last]


def find_loser_of_shares(
    shares: Shares, *, last_position: int, rounds_left: int, is_first: bool = False
) -> LeaderOpponentRule | None:
    return find_leader_opponent_rule_by_simulation(
        cast("TournamentWinCounter", FixedWinCounter(shares)), (), last_position, rounds_left, is_first=is_first
    )


CERTAIN = (1000, 1000)


@pytest.mark.parametrize("loser", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("last_position", [5, 6, 7])
def test_find_control_loser_by_bisection(loser: int, last_position: int) -> None:
    shares = {position: CERTAIN if position < loser else (900, 650) for position in range(1, last_position + 1)}
    assert find_loser_of_shares(shares, last_position=last_position, rounds_left=3) == LeaderOpponentRule(
        loser, (loser,), 250
    )


def test_find_control_loser_considers_the_threshold() -> None:
    assert (
        find_loser_of_shares({1: (900, 651), 2: (800, 551), 3: (700, 451)}, last_position=3, rounds_left=3) is None
    )
    assert find_loser_of_shares({}, last_position=0, rounds_left=3) is None


def test_find_control_loser_with_many_rounds_left() -> None:
    """Except in the first checked round, the list also contains the player above."""
    shares = {1: CERTAIN, 2: (1000, 700), 3: (1000, 600)}
    assert find_loser_of_shares(shares, last_position=3, rounds_left=5) == LeaderOpponentRule(2, (1, 2), 300)
    assert find_loser_of_shares(shares, last_position=3, rounds_left=5, is_first=True) == LeaderOpponentRule(
        2, (2,), 300
    )
    assert find_loser_of_shares(shares, last_position=3, rounds_left=4) == LeaderOpponentRule(2, (2,), 300)
    assert find_loser_of_shares(
        {1: (1000, 700), 2: (1000, 600)}, last_position=2, rounds_left=5
    ) == LeaderOpponentRule(1, (1,), 300)
    doubtful_shares = dict.fromkeys((1, 2, 3), (999, 600))
    assert find_loser_of_shares(doubtful_shares, last_position=3, rounds_left=5) is None
    assert find_loser_of_shares(doubtful_shares, last_position=3, rounds_left=4) == LeaderOpponentRule(
        1, (1,), 399
    )


def test_find_control_loser_doubtful_player_always_meets_the_leader() -> None:
    """The threshold applies only to earlier rounds."""
    shares = {1: CERTAIN, 2: (400, 300), 3: (900, 100)}
    assert find_loser_of_shares(shares, last_position=3, rounds_left=2) == LeaderOpponentRule(2, (2,), 100)
    assert find_loser_of_shares(shares, last_position=3, rounds_left=3) == LeaderOpponentRule(3, (3,), 800)
    assert find_loser_of_shares(
        {1: CERTAIN, 2: CERTAIN, 3: (400, 300)}, last_position=3, rounds_left=2
    ) == LeaderOpponentRule(3, (3,), 100)
    assert find_loser_of_shares({1: CERTAIN, 2: CERTAIN, 3: (400, 300)}, last_position=2, rounds_left=2) is None


def test_find_control_loser_doubtful_player_better_elsewhere() -> None:
    shares = {1: (300, 400), 2: (900, 100), 3: (900, 100)}
    assert find_loser_of_shares(shares, last_position=3, rounds_left=2) == LeaderOpponentRule(2, (2,), 800)
    assert find_loser_of_shares({1: CERTAIN, 2: CERTAIN}, last_position=2, rounds_left=2) is None


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ({1: (400, 300), 2: (900, 100)}, LeaderOpponentRule(1, (1,), 100)),
        ({1: (1000, 600), 2: (400, 300)}, LeaderOpponentRule(1, (1,), 400)),
        ({1: (600, 1000), 2: (900, 100)}, LeaderOpponentRule(2, (2,), 800)),
        ({1: CERTAIN, 2: (1000, 999)}, LeaderOpponentRule(2, (2,), 1)),
        ({1: CERTAIN, 2: (999, 999)}, None),
        ({1: (400, 400), 2: (400, 300)}, None),
    ],
)
def test_find_control_loser_first_player_without_certain_wins(
    shares: Shares, expected: LeaderOpponentRule | None
) -> None:
    assert find_loser_of_shares(shares, last_position=2, rounds_left=2) == expected
