"""How long it takes to propose a round: 300 players are meant to take less than 0.2 s, 1,000 less than 1 s."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.index import Index
from tdapp.domain.model import Tournament
from tdapp.pairing import SYSTEMS, propose
from tests.pairing.states import A, event, published, scored

ROUNDS = 4


def after_rounds(players: int) -> Tournament:
    tournament, chance = event(players), Random(players)
    for _ in range(ROUNDS):
        tournament = scored(published(tournament, propose(Index(tournament), A)), chance)
    return tournament


@pytest.mark.bench
@pytest.mark.parametrize("players", [50, 100, 300, 1000, pytest.param(2000, marks=pytest.mark.long)])
def test_a_swiss_round(benchmark: BenchmarkFixture, players: int) -> None:
    index = Index(after_rounds(players))

    proposal = benchmark(propose, index, A)

    assert len(proposal.games) == players // 2


@pytest.mark.bench
@pytest.mark.parametrize("system", [name for name in SYSTEMS if name not in {"swiss", "manual", "knockout"}])
def test_a_round_of_three_hundred(benchmark: BenchmarkFixture, system: str) -> None:
    tournament = after_rounds(300)
    stage = replace(next(iter(tournament.stages.values())), system=system)
    players = [replace(row, team=f"T{row.number % 30}") for row in tournament.players.values()]
    index = Index(tournament.put(stage, *players))

    proposal = benchmark(propose, index, A)

    assert len(proposal.games) == 150
