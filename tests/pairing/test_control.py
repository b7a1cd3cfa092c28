"""The player who loses control of the tournament, from given shares of tournament wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from tdapp.pairing.prize_race import ControlRule, Rounds, TournamentWinCounter, find_control_loser

Shares = Mapping[int, tuple[int, int]]  # of a thousand: with and without meeting the leader, by place


class Given:
    """Given tournament wins by place; other places win none."""

    times = 1000
    threshold = 250

    def __init__(self, shares: Shares) -> None:
        self.shares = shares

    def count(self, _rounds: Rounds, place: int, meets_leader: bool) -> int:
        return self.shares.get(place, (0, 0))[not meets_leader]


def destiny(shares: Shares, *, last: int, left: int, first: bool = False) -> ControlRule | None:
    return find_control_loser(cast("TournamentWinCounter", Given(shares)), (), last, left, is_first=first)


SURE = (1000, 1000)


@pytest.mark.parametrize("child", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("last", [5, 6, 7])
def test_find_control_loser_by_bisection(child: int, last: int) -> None:
    shares = {place: SURE if place < child else (900, 650) for place in range(1, last + 1)}
    assert destiny(shares, last=last, left=3) == ControlRule(child, (child,), 250)


def test_find_control_loser_considers_the_threshold() -> None:
    assert destiny({1: (900, 651), 2: (800, 551), 3: (700, 451)}, last=3, left=3) is None
    assert destiny({}, last=0, left=3) is None


def test_find_control_loser_with_many_rounds_left() -> None:
    """The list has the player above too, except in the first of the checked rounds."""
    shares = {1: SURE, 2: (1000, 700), 3: (1000, 600)}
    assert destiny(shares, last=3, left=5) == ControlRule(2, (1, 2), 300)
    assert destiny(shares, last=3, left=5, first=True) == ControlRule(2, (2,), 300)
    assert destiny(shares, last=3, left=4) == ControlRule(2, (2,), 300)
    assert destiny({1: (1000, 700), 2: (1000, 600)}, last=2, left=5) == ControlRule(1, (1,), 300)
    doubtful = dict.fromkeys((1, 2, 3), (999, 600))
    assert destiny(doubtful, last=3, left=5) is None
    assert destiny(doubtful, last=3, left=4) == ControlRule(1, (1,), 399)


def test_find_control_loser_doubtful_player_meets_the_leader() -> None:
    """However little he would lose: the threshold is for the rounds before."""
    shares = {1: SURE, 2: (400, 300), 3: (900, 100)}
    assert destiny(shares, last=3, left=2) == ControlRule(2, (2,), 100)
    assert destiny(shares, last=3, left=3) == ControlRule(3, (3,), 800)
    assert destiny({1: SURE, 2: SURE, 3: (400, 300)}, last=3, left=2) == ControlRule(3, (3,), 100)
    assert destiny({1: SURE, 2: SURE, 3: (400, 300)}, last=2, left=2) is None


def test_find_control_loser_doubtful_player_better_elsewhere() -> None:
    shares = {1: (300, 400), 2: (900, 100), 3: (900, 100)}
    assert destiny(shares, last=3, left=2) == ControlRule(2, (2,), 800)
    assert destiny({1: SURE, 2: SURE}, last=2, left=2) is None


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ({1: (400, 300), 2: (900, 100)}, ControlRule(1, (1,), 100)),
        ({1: (1000, 600), 2: (400, 300)}, ControlRule(1, (1,), 400)),
        ({1: (600, 1000), 2: (900, 100)}, ControlRule(2, (2,), 800)),
        ({1: SURE, 2: (1000, 999)}, ControlRule(2, (2,), 1)),
        ({1: SURE, 2: (999, 999)}, None),
        ({1: (400, 400), 2: (400, 300)}, None),
    ],
)
def test_find_control_loser_first_player_without_certain_wins(
    shares: Shares, expected: ControlRule | None
) -> None:
    assert destiny(shares, last=2, left=2) == expected
