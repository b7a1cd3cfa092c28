"""Time of simulations: 100,000 simulations of four rounds for 50 players should take less than a second."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.index import Index
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.chances import compute_chances
from tdapp.pairing.forecast import compute_forecast
from tests.pairing.random_states import A, enter_random_results, make_tournament, publish_proposal
from tests.pairing.test_chances import make_staggered_contest

ROUNDS_PLAYED = 5


def large(*cases: tuple[int, int]) -> list[object]:
    """Return cases that show nothing more unless times are taken."""
    return [pytest.param(*case, marks=pytest.mark.long) for case in cases]


def before_the_end(players: int, rounds_left: int) -> Index:
    """Return an event after some rounds of Swiss. The other rounds are paired with regard to the prizes."""
    tournament, chance = make_tournament(players, rounds=ROUNDS_PLAYED + rounds_left), Random(players)
    for _ in range(ROUNDS_PLAYED):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(Index(tournament), A)), chance
        )
    return Index(prize_aware(tournament))


def prize_aware(tournament: Tournament) -> Tournament:
    return tournament.put(*(replace(stage, system="prize") for stage in tournament.stages.values()))


@pytest.mark.bench
@pytest.mark.parametrize(
    ("players", "rounds_left"), [(26, 4), (50, 4), *large((50, 8), (100, 4), (200, 4), (500, 4), (500, 10))]
)
def test_simulate_remaining_rounds(benchmark: BenchmarkFixture, players: int, rounds_left: int) -> None:
    chances = benchmark(compute_chances, make_staggered_contest(players, rounds_left), times=100_000, seed=1)

    assert chances.counts.sum() == chances.simulation_count * players


@pytest.mark.bench
@pytest.mark.parametrize(
    ("players", "rounds_left"), [(24, 2), (24, 4), (50, 4), *large((200, 4), (500, 2), (500, 4))]
)
def test_pair_prize_aware_round(benchmark: BenchmarkFixture, players: int, rounds_left: int) -> None:
    index = before_the_end(players, rounds_left)

    proposal = benchmark(propose_pairings, index, A)

    assert len(proposal.games) == players // 2


@pytest.mark.bench
@pytest.mark.parametrize("players", [50, pytest.param(500, marks=pytest.mark.long)])
def test_forecast_chances_of_a_division(benchmark: BenchmarkFixture, players: int) -> None:
    index = before_the_end(players, 4)

    forecast = benchmark(compute_forecast, index, A)

    assert len(forecast.rows) == players
