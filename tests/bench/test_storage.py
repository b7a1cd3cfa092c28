"""Benchmarks of opening a tournament of 300 players and 25 rounds, and of saving one result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.tournament import Tournament
from tdapp.storage import Store
from tests.storage.samples import change_score, make_played_tournament, make_step

pytestmark = pytest.mark.bench


@pytest.fixture
def tournament_file(tmp_path: Path) -> Path:
    tournament_file = tmp_path / "event.tdapp"
    Store.create(tournament_file, make_played_tournament(players=300, rounds=25)).close()
    return tournament_file


@pytest.fixture
def store(tournament_file: Path) -> Iterator[Store]:
    store = Store.open(tournament_file)
    yield store
    store.close()


def test_save_step_to_disk(benchmark: BenchmarkFixture, store: Store) -> None:
    """Target: 50 ms."""
    value, seqs = store.load_tournament_and_revision()[0], count(1)

    def save_next_step() -> None:
        nonlocal value
        seq = next(seqs)
        value, changes = change_score(seq, value)
        store.save_step(changes, make_step(seq))

    benchmark(save_next_step)
    assert store.load_tournament_and_revision()[1] == next(seqs) - 1


def test_store_open_and_load(benchmark: BenchmarkFixture, tournament_file: Path) -> None:
    """Target: 150 ms."""

    def open_tournament() -> Tournament:
        store = Store.open(tournament_file)
        value = store.load_tournament_and_revision()[0]
        store.close()
        return value

    assert len(benchmark(open_tournament).results) == 25 * 150
