"""How long it takes to propose a round: 300 players are meant to take less than 0.2 s, 1,000 less than 1 s."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Tournament
from tdapp.pairing import SYSTEMS, propose
from tdapp.pairing.commands import pair_around, pair_by_hand, swap_players
from tdapp.pairing.repair import repaired
from tdapp.pairing.trial import trial
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


@pytest.mark.bench
@pytest.mark.parametrize("change", [swap_players, pair_by_hand, pair_around])
def test_what_if_two_of_three_hundred_meet(benchmark: BenchmarkFixture, change: Callable[..., Tournament]) -> None:
    """Meant to take less than 0.2 s: the difference is seen before it is accepted."""
    drafted = after_rounds(300)
    drafted = commands.propose_round(drafted, key="k", proposal=propose(Index(drafted), A))
    item = Index(drafted).rounds(A)[-1].id
    one, other = (Index(drafted).games(item)[table].first for table in (0, 40))

    found = benchmark(trial, drafted, item, partial(change, key="x", round=item, player=one, other=other))

    assert found.tables


@pytest.mark.bench
def test_all_rounds_of_three_hundred_are_checked(benchmark: BenchmarkFixture) -> None:
    tournament = after_rounds(300)

    found = benchmark(repaired, tournament, A)

    assert len(found) == ROUNDS
