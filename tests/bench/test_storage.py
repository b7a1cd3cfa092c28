"""Time to open a tournament of 300 players and 25 rounds, and to save one result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.domain.tournament import Tournament
from tdapp.storage import Store
from tests.storage.samples import make_played_tournament, score, step

pytestmark = pytest.mark.bench


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "event.tdapp"
    Store.create(path, make_played_tournament(players=300, rounds=25)).close()
    return path


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store.open(path)
    yield store
    store.close()


def test_save_step_to_disk(benchmark: BenchmarkFixture, store: Store) -> None:
    """Target: 50 ms."""
    value, seqs = store.load()[0], count(1)

    def enter() -> None:
        nonlocal value
        seq = next(seqs)
        value, changes = score(seq, value)
        store.save_step(changes, step(seq))

    benchmark(enter)
    assert store.load()[1] == next(seqs) - 1


def test_store_open_and_load(benchmark: BenchmarkFixture, path: Path) -> None:
    """Target: 150 ms."""

    def open_tournament() -> Tournament:
        store = Store.open(path)
        value = store.load()[0]
        store.close()
        return value

    assert len(benchmark(open_tournament).results) == 25 * 150
