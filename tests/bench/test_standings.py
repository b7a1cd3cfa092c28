"""How long standings take; less than 50 ms is meant."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.index import Index
from tdapp.domain.model import Tournament
from tdapp.domain.standings import standings
from tests.domain.crosstables import crosstable

PLAYERS, ROUNDS = 1000, 15


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    chance = random.Random(1)
    rounds = []
    for _ in range(ROUNDS):
        seats = chance.sample(range(1, PLAYERS + 1), PLAYERS)
        pairs = zip(seats[::2], seats[1::2], strict=True)
        rounds.append([f"{a}-{b} {chance.randint(300, 500)}:{chance.randint(300, 500)}" for a, b in pairs])
    return crosstable(rounds, players=PLAYERS, ratings={n: 3000 - n for n in range(1, PLAYERS + 1)})


@pytest.mark.bench
@pytest.mark.parametrize(
    "order",
    [("wins", "spread"), ("wins", "resistance", "spread"), ("wins", "losses", "spread")],
    ids="+".join,
)
def test_standings_of_1000_players_after_15_rounds(
    benchmark: BenchmarkFixture, tournament: Tournament, order: tuple[str, ...]
) -> None:
    index = Index(tournament)
    division = replace(index.division(None), order=order)
    rows = benchmark(standings, index, division)
    assert len(rows) == PLAYERS
    assert sum(row.games for row in rows) == PLAYERS * ROUNDS
