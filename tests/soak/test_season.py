"""Tests of a season: two tournaments in the slow tier, twenty in the long tier."""

from __future__ import annotations

import pytest

from tests.soak.independent_standings import recompute_standings
from tests.soak.season import play_season

BASE_MEMORY = 250_000  # kB: the libraries with a margin


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_season_of_two_small_tournaments_has_correct_standings() -> None:
    assert [plan.number for plan, *_ in play_season(2, seed=3)] == [1, 2]


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_season_of_twenty_has_correct_standings_in_constant_memory() -> None:
    memory = [memory_kb for *_, memory_kb in play_season(20, seed=1)]
    assert len(memory) == 20
    assert memory[-1] < max(BASE_MEMORY, 2 * memory[9])


def test_recompute_standings_adds_games_and_byes() -> None:
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
    computed_totals = [
        dict(sums) for _, sums in recompute_standings(document, [{"player": number} for number in (1, 2, 3)])
    ]
    assert computed_totals == [
        {"wins": 1, "losses": 0, "spread": 20, "points": 400},
        {"wins": 0, "losses": 1, "spread": -20, "points": 380},
        {"wins": 1, "losses": 0, "spread": 50, "points": 0},
    ]
