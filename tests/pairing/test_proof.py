from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdapp.domain.index import Index
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing import criteria, propose
from tdapp.pairing.arrays import Ints
from tdapp.pairing.field import Field, field_of
from tdapp.pairing.matching import Graph, solve
from tdapp.pairing.potentials import Prices
from tdapp.pairing.proof import Nodes, Pairing, offers
from tdapp.pairing.systems.swiss import graph_of, matched
from tests.pairing.states import STAGE, A, event, published, random_field, scored


def chosen(graph: Graph) -> set[tuple[int, int]]:
    edges = list(solve(graph).edges)
    return set(zip(graph.first[edges].tolist(), graph.second[edges].tolist(), strict=True))


def check(field: Field, width: int) -> int:
    """Check that nothing of the optimum is left out, given some pairing; return how many pairs are left."""
    columns = criteria.columns_of(field)
    free: Ints = np.arange(len(field.entrants), dtype=np.int64)
    narrow, everybody = (graph_of(field, columns, free, width=wide) for wide in (width, None))
    known = solve(narrow)
    if not known.complete:
        return len(everybody.first)
    edges = list(known.edges)
    levels = {name: column[edges] for name, column in narrow.levels.items()}
    pairing = Pairing(narrow.first[edges], narrow.second[edges], levels)
    nodes = Nodes(columns, np.append(free, len(free)) if len(free) % 2 else free)
    found = offers(nodes, [(everybody.first, everybody.second)], narrow, pairing)
    assert found is not None
    by_cost = found.within(pairing)
    first, second = by_cost.drawn(pairing)
    left = set(zip(first.tolist(), second.tolist(), strict=True))
    assert chosen(everybody) <= left
    return len(left)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(8, 40), st.integers(2, 6))
def test_nothing_of_the_optimum_is_left_out(seed: int, count: int, width: int) -> None:
    check(random_field(Random(seed), count, density=0.2), width)


@pytest.mark.long
@settings(max_examples=20000)
@given(st.integers(0, 2**64), st.integers(4, 60), st.integers(2, 10))
def test_nothing_of_the_optimum_is_left_out_in_thousands_of_states(seed: int, count: int, width: int) -> None:
    check(random_field(Random(seed), count, density=Random(seed).choice([0.1, 0.4, 0.8])), min(width, count - 2))


def test_pairs_that_cannot_do_better_are_left_out() -> None:
    tournament, left = event(101), 0
    for number in range(1, 8):
        field = field_of(Index(tournament), STAGE, number=number, source=number - 1)
        left += check(field, 30)
        tournament = scored(published(tournament, propose(Index(tournament), A)), Random(number))
    assert left < 6000  # of 36,057


@pytest.mark.slow
@pytest.mark.parametrize("count", [420, 421])
def test_a_large_field_is_paired_as_if_every_pair_had_been_looked_at(count: int) -> None:
    tournament = event(count, settings=PairingSettings(avoid=("club",)))
    for number in range(1, 3):
        field = field_of(Index(tournament), STAGE, number=number, source=number - 1)
        columns = criteria.columns_of(field)
        free = np.arange(count, dtype=np.int64)
        everybody = chosen(graph_of(field, columns, free, width=None))
        plan = matched(field, code=None)
        assert plan.relaxed == ()
        assert {(pair.one, count if pair.other is None else pair.other) for pair in plan.pairs} == everybody
        tournament = scored(published(tournament, propose(Index(tournament), A)), Random(number))


@given(st.integers(0, 2**32), st.integers(4, 12))
def test_lowered_prices_leave_no_pair_overpaid_and_bound_no_more_than_before(seed: int, count: int) -> None:
    """What `left` says of every pair is then nothing or more, as the bound needs."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(count, 1)
    cost = rng.integers(0, 50, len(first))
    prices = Prices(rng.integers(0, 60, count), rng.integers(0, 9, count), int(rng.integers(0, 500)))
    left = prices.left(first, second, cost)
    over = left < 0
    lowered = prices.lowered(first[over], second[over], left[over])
    assert lowered.left(first, second, cost).min() >= 0
    assert lowered.bound - prices.bound == int((lowered.node - prices.node).sum()) <= 0
