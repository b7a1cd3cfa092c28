"""Benchmarks of standings. Targets: 45 ms, and 500 ms for a large field with all tie-breaks."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain import commands
from tdapp.domain.impact import assess_impact
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, UnplayedRoundCounting
from tdapp.domain.standings import compute_standings
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.tournament import Tournament
from tests.domain.tournament_lines import build_crosstable

PLAYERS, ROUNDS = 1000, 15


def _make_played_tournament(players: int, rounds_played: int) -> Tournament:
    chance = random.Random(1)
    rounds = []
    for _ in range(rounds_played):
        seats = chance.sample(range(1, players + 1), players)
        pairs = zip(seats[::2], seats[1::2], strict=True)
        rounds.append([f"{a}-{b} {chance.randint(300, 500)}:{chance.randint(300, 500)}" for a, b in pairs])
    return build_crosstable(rounds, players=players, ratings={n: 3000 - n for n in range(1, players + 1)})


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    return _make_played_tournament(PLAYERS, ROUNDS)


@pytest.fixture(scope="module")
def large_tournament() -> Tournament:
    return _make_played_tournament(5000, 20)


@pytest.mark.bench
@pytest.mark.parametrize(
    "order",
    [("wins", "spread"), ("wins", "resistance", "spread"), ("wins", "losses", "spread")],
    ids="+".join,
)
def test_standings_of_1000_players_after_15_rounds(
    benchmark: BenchmarkFixture, tournament: Tournament, order: tuple[str, ...]
) -> None:
    index = TournamentIndex(tournament)
    division = replace(index.get_division(None), order=order)
    rows = benchmark(compute_standings, index, division)
    assert len(rows) == PLAYERS
    assert sum(row.games for row in rows) == PLAYERS * ROUNDS


@pytest.mark.bench
@pytest.mark.parametrize("unplayed", UnplayedRoundCounting)
def test_standings_with_all_tie_breaks_of_5000_players(
    benchmark: BenchmarkFixture, large_tournament: Tournament, unplayed: UnplayedRoundCounting
) -> None:
    index = TournamentIndex(large_tournament)
    division = replace(index.get_division(None), order=tuple(TIEBREAKS), unplayed=unplayed)
    rows = benchmark(compute_standings, index, division)
    assert [len(row.tiebreak_values) for row in rows] == [len(TIEBREAKS)] * 5000


@pytest.mark.bench
def test_standings_of_3000_players_after_one_result(benchmark: BenchmarkFixture) -> None:
    """Target: 10 ms."""
    index = TournamentIndex(_make_played_tournament(3000, 12))
    compute_standings(index, index.get_division(None))
    game = index.games(index.rounds(index.get_division(None).id)[-1].id)[0]

    def prepare_result(points: int) -> tuple[tuple[TournamentIndex], dict[str, object]]:
        value = commands.enter_result(index.tournament, game=game.id, first=points, second=390)
        return (TournamentIndex(value, index),), {}

    setups = map(prepare_result, range(400, 500))
    rows = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda changed_index: compute_standings(changed_index, changed_index.get_division(None)),
        setup=lambda: next(setups),
        rounds=9,
    )

    assert len(rows) == 3000


@pytest.mark.bench
def test_assess_impact_of_a_corrected_first_round(benchmark: BenchmarkFixture, tournament: Tournament) -> None:
    """Target: 10 ms for 1,000 players after 15 rounds."""
    index = TournamentIndex(tournament)
    division = index.get_division(None)
    game = index.games(index.rounds(division.id)[0].id)[0]
    compute_standings(index, division, ROUNDS)
    scores = iter(range(600, 700))

    def prepare_correction() -> tuple[tuple[TournamentIndex, Tournament, DivisionId], dict[str, object]]:
        after = commands.enter_result(tournament, game=game.id, first=next(scores), second=188)
        return (index, after, division.id), {}

    impact = benchmark.pedantic(assess_impact, setup=prepare_correction, rounds=30)  # type: ignore[no-untyped-call]

    assert [printout.rounds for printout in impact.stale_printouts] == [tuple(range(1, ROUNDS + 1)), (1,)]
