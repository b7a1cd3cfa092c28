"""Benchmark of importing a list of players. Target: 1 s for 5,000 players, with linear growth."""

from __future__ import annotations

from functools import partial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tests.building import DIVISION, make_event


@pytest.mark.bench
@pytest.mark.parametrize("players", [1000, 5000])
def test_import_players(benchmark: BenchmarkFixture, players: int) -> None:
    entries = tuple(
        PlayerEntry(line=n, number=None, name=f"Player {n}", rating=n % 3000) for n in range(1, players + 1)
    )
    command = partial(commands.import_players, make_event(1), key="i", division=DIVISION, entries=entries)

    tournament = benchmark(command)

    assert len(tournament.players) == players + 1
