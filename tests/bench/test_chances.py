"""Benchmarks of simulations. Target: 1 s for 100,000 simulations of four rounds with 50 players."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.index import TournamentIndex
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.chances import compute_chances
from tdapp.pairing.forecast import compute_forecast
from tests.pairing.random_states import A, enter_random_results, make_tournament, publish_proposal
from tests.pairing.test_chances import make_staggered_contest

PLAYED_ROUNDS = 5


def mark_cases_as_long(*cases: tuple[int, int]) -> list[object]:
    """Return the cases as parameters with the mark "long"."""
    return [pytest.param(*case, marks=pytest.mark.long) for case in cases]


def make_event_before_end(players: int, rounds_left: int) -> TournamentIndex:
    """Return an event after some Swiss rounds. The remaining rounds use prize pairing."""
    tournament, chance = make_tournament(players, rounds=PLAYED_ROUNDS + rounds_left), Random(players)
    for _ in range(PLAYED_ROUNDS):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), chance
        )
    return TournamentIndex(use_prize_pairing(tournament))


def use_prize_pairing(tournament: Tournament) -> Tournament:
    return tournament.put(*(replace(stage, system="prize") for stage in tournament.stages.values()))


@pytest.mark.bench
@pytest.mark.parametrize(
    ("players", "rounds_left"),
    [(26, 4), (50, 4), *mark_cases_as_long((50, 8), (100, 4), (200, 4), (500, 4), (500, 10))],
)
def test_simulate_remaining_rounds(benchmark: BenchmarkFixture, players: int, rounds_left: int) -> None:
    chances = benchmark(compute_chances, make_staggered_contest(players, rounds_left), times=100_000, seed=1)

    assert chances.counts.sum() == chances.simulation_count * players


@pytest.mark.bench
@pytest.mark.parametrize(
    ("players", "rounds_left"), [(24, 2), (24, 4), (50, 4), *mark_cases_as_long((200, 4), (500, 2), (500, 4))]
)
def test_pair_prize_aware_round(benchmark: BenchmarkFixture, players: int, rounds_left: int) -> None:
    index = make_event_before_end(players, rounds_left)

    proposal = benchmark(propose_pairings, index, A)

    assert len(proposal.games) == players // 2


@pytest.mark.bench
@pytest.mark.parametrize("players", [50, pytest.param(500, marks=pytest.mark.long)])
def test_forecast_chances_of_a_division(benchmark: BenchmarkFixture, players: int) -> None:
    index = make_event_before_end(players, 4)

    forecast = benchmark(compute_forecast, index, A)

    assert len(forecast.rows) == players
