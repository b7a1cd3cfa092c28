from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdapp.domain.index import Index
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing import criteria, proof, propose
from tdapp.pairing.arrays import Flags, Ints
from tdapp.pairing.field import Field, field_of
from tdapp.pairing.matching import Graph, fitted, solve
from tdapp.pairing.potentials import Prices
from tdapp.pairing.proof import Nodes, Proof
from tdapp.pairing.systems.swiss import graph_of, matched
from tests.pairing.states import STAGE, A, event, published, random_field, scored


def chosen(graph: Graph) -> set[tuple[int, int]]:
    edges = list(solve(graph).edges)
    return set(zip(graph.first[edges].tolist(), graph.second[edges].tolist(), strict=True))


def check(field: Field, width: int) -> bool:
    """Check that the pairs found are those of the plain optimum; return whether any were."""
    columns = criteria.columns_of(field)
    free: Ints = np.arange(len(field.entrants), dtype=np.int64)
    narrow, everybody = (graph_of(field, columns, free, width=wide) for wide in (width, None))
    legal = everybody.first * everybody.nodes + everybody.second

    def allowed(first: Ints, second: Ints) -> Flags:
        found: Flags = np.isin(first * everybody.nodes + second, legal)
        return found

    nodes = Nodes(columns, np.append(free, len(free)) if len(free) % 2 else free)
    found = Proof(nodes, allowed, lambda: None).pairs((narrow.first, narrow.second), 10**6)
    if found is not None and not fitted(everybody)[1]:
        assert set(zip(found[0].tolist(), found[1].tolist(), strict=True)) == chosen(everybody)
    return found is not None


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(8, 40), st.integers(2, 6))
def test_what_is_proved_is_the_optimum_of_all_pairs(seed: int, count: int, width: int) -> None:
    check(random_field(Random(seed), count, density=0.2), width)


def test_what_is_not_paired_by_prices_alone_is_solved() -> None:
    """All levels are priced at once, and still an odd cycle is left."""
    assert check(random_field(Random(554002), 56, density=0.1), 2)


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=20000)
@given(st.integers(0, 2**64), st.integers(4, 60), st.integers(2, 10))
def test_what_is_proved_is_the_optimum_in_thousands_of_states(seed: int, count: int, width: int) -> None:
    check(random_field(Random(seed), count, density=Random(seed).choice([0.1, 0.4, 0.8])), min(width, count - 2))


HARSH = ("plain", "clubs", "repeat", "byes", "level")


def harshly(field: Field, harsh: str, rng: Random) -> Field:
    """Return a field of two clubs apart, with one who has met all, a bye again for everybody, or level starts."""
    options = replace(field.settings, avoid=("club",) * (harsh == "clubs"), level_rounds=int(harsh == "level"))
    field = replace(field, settings=options, left=0, forbidden=frozenset())
    people = list(field.entrants)
    if harsh == "clubs":
        people = [replace(one, club=rng.choice("xy")) for one in people]
    if harsh == "byes":
        people = [replace(one, byes=max(1, one.byes)) for one in people]
    if harsh == "repeat":
        met = people[30].player
        others = {one.player: (1,) for one in people if one.player != met}
        people[30] = replace(people[30], byes=1, meetings=others)
        people = [
            one if one.player == met else replace(one, meetings={**one.meetings, met: (1,)}) for one in people
        ]
    return replace(field, entrants=tuple(people))


def harsh_field(harsh: str, seed: int, count: int) -> Field:
    rng = Random(seed)
    return harshly(random_field(rng, count, density=0.3, settings=PairingSettings()), harsh, rng)


@pytest.mark.slow
@pytest.mark.parametrize("harsh", HARSH)
def test_harsh_fields_are_proved(harsh: str) -> None:
    for seed in range(8):
        assert check(harsh_field(harsh, seed, 61), 8)


@pytest.mark.slow
@pytest.mark.parametrize("harsh", HARSH)
@pytest.mark.parametrize("count", [101, 118, 139, 160])
def test_harsh_fields_that_are_proved_have_the_optimum_of_all_pairs(harsh: str, count: int) -> None:
    assert check(harsh_field(harsh, count, count), 8)


@pytest.mark.parametrize("block", [1, 40, 2**20])
@given(st.integers(0, 2**32), st.integers(4, 16), st.sampled_from([-1, 0, 5, 10**9]))
def test_whatever_is_no_dearer_than_its_prices_is_found(block: int, seed: int, count: int, over: int) -> None:
    """Pair by pair it is the same; no pair comes twice, and none that may not be."""
    rng, made = np.random.default_rng(seed), random_field(Random(seed), count)
    columns = criteria.columns_of(made)
    nodes = Nodes(columns, np.arange(count + count % 2, dtype=np.int64))
    everybody = graph_of(made, columns, np.arange(count, dtype=np.int64), width=None)
    first, second, levels = everybody.first, everybody.second, everybody.levels
    most = {name: int(rng.integers(1, 4)) for name in levels}
    scale = proof.LevelScale(most, {name: int(rng.integers(1, 9)) for name in levels}, 1)
    paid = rng.integers(0, 9, count + 1).cumsum()[np.unique(-nodes.score, return_inverse=True)[1]]
    prices = Prices(rng.integers(0, 60, everybody.nodes), paid, 0)
    left = prices.left(first, second, 2 * scale.cost(levels, len(first)))
    wanted = zip(first, second, left, scale.is_cut(levels, len(first)), strict=True)
    legal = {(int(one), int(other)) for one, other in zip(first, second, strict=True)}

    def allowed(ones: Ints, others: Ints) -> Flags:
        return np.array([pair in legal for pair in zip(ones.tolist(), others.tolist(), strict=True)], dtype=bool)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "_BLOCK", block)
        blocks = list(Proof(nodes, allowed, lambda: None)._offered(scale, prices, over))
    found = [row for columns in blocks for row in zip(*(column.tolist() for column in columns), strict=True)]
    assert sorted(found) == sorted(row for row in wanted if row[2] <= over)


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
