"""A season: the two first tournaments always, all twenty under -m long."""

from __future__ import annotations

import pytest

from tests.soak.independent_standings import recount
from tests.soak.season import season

LEAST_MEMORY = 250_000  # kB: what the libraries alone take, with room


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_season_of_two_small_tournaments_adds_up() -> None:
    assert [plan.number for plan, *_ in season(2, seed=3)] == [1, 2]


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_season_of_twenty_adds_up_in_constant_memory() -> None:
    memory = [used for *_, used in season(20, seed=1)]
    assert len(memory) == 20
    assert memory[-1] < max(LEAST_MEMORY, 2 * memory[9])


def test_recount_finds_a_wrong_sum() -> None:
    rules = {"forfeit": {"margin": 50}, "byes": {"bye": {"counts_as": "win", "spread": 50}}}
    game = {"id": "g", "round": "r", "first": "a", "second": "b"}
    result = {"id": "g", "first": 400, "second": 380, "forfeit": None, "lost": None}
    document = {
        "rules": [{"ruleset": rules}],
        "rounds": [{"id": "r", "state": "published"}],
        "games": [game],
        "results": [result],
        "byes": [{"round": "r", "player": "c", "kind": "bye", "spread": None}],
        "players": [{"id": key, "number": number} for number, key in enumerate("abc", 1)],
    }
    counted = [dict(sums) for _, sums in recount(document, [{"player": number} for number in (1, 2, 3)])]
    assert counted == [
        {"wins": 1, "losses": 0, "spread": 20, "points": 400},
        {"wins": 0, "losses": 1, "spread": -20, "points": 380},
        {"wins": 1, "losses": 0, "spread": 50, "points": 0},
    ]
