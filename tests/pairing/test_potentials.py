"""Prices that no pairing can undercut: their laws, on small fields by lot."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tdapp.pairing import potentials
from tdapp.pairing.arrays import Ints
from tdapp.pairing.matching import Graph, lightest
from tdapp.pairing.potentials import Market, Prices

MOST = 2**60
Field = tuple[Ints, Ints, Ints, Ints, Ints]


def field(seed: int, groups: int) -> Field:
    """Return mates by lot, score groups, and pairs, of which some may not be, with their costs."""
    rng = Random(seed)
    count = rng.choice([4, 6, 8, 10, 14, 20])
    order = rng.sample(range(count), count)
    mates = np.empty(count, dtype=np.int64)
    for one, other in zip(order[::2], order[1::2], strict=True):
        mates[[one, other]] = other, one
    group = np.unique(np.sort([rng.randrange(groups) for _ in range(count)]), return_inverse=True)[1]
    first, second = np.triu_indices(count, 1)
    kept = (np.array([rng.random() for _ in first]) < rng.choice([0.4, 1])) | (mates[first] == second)
    first, second = first[kept], second[kept]
    dear = rng.choice([3, 30, 10**9])
    cost = 2 * np.array([rng.randint(0, dear) for _ in first]) + 2 * dear * np.abs(group[first] - group[second])
    return mates, group, first, second, cost


def twice_the_optimum(nodes: int, first: Ints, second: Ints, cost: Ints) -> int:
    edges = lightest(Graph(nodes, first, second, {}), cost.tolist())
    return 2 * int(cost[edges].sum())


def settled(made: Field, cuts: int) -> tuple[Market, Prices]:
    mates, group, first, second, cost = made
    market = Market(mates, group, np.full(int(group.max()) + 1, cuts))
    prices = market.settle(first, second, cost)
    assert prices is not None
    return market, prices


@pytest.mark.parametrize(("groups", "missing"), [(1, 18), (2, 12), (3, 0), (5, 853_847_296)])
def test_no_pairing_costs_less_than_all_prices(groups: int, missing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it take long to find them: in at most eight times as many rounds as there are players.

    What is `missing` of the optimum in all fields together, where odd cycles cost more, is pinned.
    """
    for seed in range(40):
        made = field(seed, groups)
        mates, group, first, second, cost = made
        monkeypatch.setattr(potentials, "_PATIENCE", 8 * len(mates))
        market, prices = settled(made, seed % 3 * 10)
        left = prices.left(first, second, cost)
        assert left.min() >= 0
        short = twice_the_optimum(len(mates), first, second, cost) - prices.bound
        assert short >= 0
        missing -= short
        assert prices.charged == prices.bound - int(prices.node.sum()) == 2 * int(market.cuts.sum())
        assert market.cuts.min() >= 0
        odd = np.cumsum(np.bincount(group)) % 2 == 1
        assert not market.cuts[~odd].any()
        known = dict(zip(zip(first.tolist(), second.tolist(), strict=True), left.tolist(), strict=True))
        ends = [(min(pair), max(pair)) for pair in enumerate(market.mates.tolist())]
        assert sorted(market.mates.tolist()) == list(range(len(mates)))
        assert [known[pair] for pair in ends] == [0] * len(mates)  # what is chosen costs its prices
        if not odd.any():
            assert (
                prices.bound
                == sum(2 * int(cost[(first == one) & (second == other)][0]) for one, other in ends) // 2
            )
    assert not missing


def test_prices_go_on_from_those_before() -> None:
    """Of more pairs they are those found anew, as to what all together come to."""
    for seed in range(20):
        mates, group, first, second, cost = made = field(seed, 3)
        some = (np.arange(len(first)) % 3 > 0) | (mates[first] == second)
        market = Market(mates, group, np.zeros(int(group.max()) + 1, dtype=np.int64))
        assert market.settle(first[some], second[some], cost[some]) is not None
        kept = some | (market.mates[first] == second) | (market.mates[second] == first)
        again = market.settle(first[kept], second[kept], cost[kept])
        whole = market.settle(first, second, cost)
        assert again is not None
        assert whole is not None
        assert whole.left(first, second, cost).min() >= 0
        assert settled(made, 0)[1].bound <= twice_the_optimum(len(mates), first, second, cost)
        assert whole.bound <= again.bound


@pytest.mark.parametrize(("over", "found"), [(0, True), (1, False), (MOST, False)])
def test_prices_that_run_too_high_are_none(over: int, found: bool) -> None:
    """Of a pair, of its ends, or of the cut between them."""
    one, other, nothing = np.array([0]), np.array([1]), np.array([0])
    pair = np.array([1, 0])
    alone = Market(pair, np.array([0, 0]), nothing)
    assert (alone.settle(one, other, np.array([MOST + over])) is not None) is found
    apart = Market(pair, np.array([0, 1]), np.array([MOST + over, 0]))
    assert (apart.settle(one, other, np.array([MOST])) is not None) is found
