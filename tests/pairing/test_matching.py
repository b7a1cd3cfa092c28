from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing import cheapest, criteria, matching
from tdapp.pairing.field import Entrant, Field
from tdapp.pairing.matching import MOST_BITS, Graph, combined, fitted, radices, solve
from tdapp.pairing.systems.swiss import DENSE_UP_TO, graph_of, matched
from tests.pairing import oracle
from tests.pairing.states import STAGE, random_field

NAMES = criteria.ORDER[:-1]


def vector_of(field: Field, pairs: Sequence[tuple[int, int | None]]) -> oracle.Vector:
    return oracle.total(oracle.cost(field, one, other) for one, other in pairs)


def found(field: Field) -> list[tuple[int, int | None]]:
    return [(pair.one, pair.other) for pair in matched(field, code=None).pairs]


def check_against_brute_force(field: Field) -> None:
    best = oracle.best(field)
    if best is None:
        with pytest.raises(RuleViolation, match="no-pairing-possible"):
            matched(field, code=None)
    else:
        pairs = found(field)
        assert all(oracle.legal(field, one, other) for one, other in pairs)
        assert vector_of(field, pairs) == best


@settings(max_examples=120)
@given(st.integers(0, 2**32), st.integers(2, 8))
def test_no_pairing_is_better_than_the_one_found(seed: int, count: int) -> None:
    check_against_brute_force(random_field(Random(seed), count))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [9, 10])
def test_no_pairing_of_ten_is_better(seed: int, count: int) -> None:
    check_against_brute_force(random_field(Random(seed), count, density=0.8))


@pytest.mark.long
@settings(max_examples=3000)
@given(st.integers(0, 2**64), st.integers(2, 10))
def test_no_pairing_is_better_in_thousands_of_states(seed: int, count: int) -> None:
    check_against_brute_force(random_field(Random(seed), count))


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(2, 14), st.booleans())
def test_costs_are_those_of_the_definitions(seed: int, count: int, by_score: bool) -> None:
    """Also where another order than by score has put a lower group among the higher ones."""
    field = random_field(Random(seed), count)
    if not by_score:
        field = replace(field, entrants=tuple(Random(seed).sample(field.entrants, count)))
    columns = criteria.columns_of(field)
    pairs = [(one, other) for one in range(count) for other in range(one + 1, count + 1)]
    upper, lower = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    levels = criteria.costs(columns, upper, lower)
    assert set(NAMES) >= levels.keys() - {"chance"} >= {"repeats", "score_difference", "bye", "floats"}
    for row, (one, other) in enumerate(pairs):
        expected = dict(zip(NAMES, oracle.cost(field, one, None if other == count else other), strict=True))
        assert {name: int(column[row]) for name, column in levels.items() if name != "chance"} == {
            name: value for name, value in expected.items() if name in levels
        }


def second_opinion(graph: Graph) -> set[frozenset[int]]:
    """Return the pairs that networkx finds: another program, the same optimum."""
    levels, _ = fitted(graph)
    network: networkx.Graph[int] = networkx.Graph()
    network.add_nodes_from(range(graph.nodes))
    for one, other, weight in zip(
        graph.first.tolist(), graph.second.tolist(), combined(graph, levels), strict=True
    ):
        network.add_edge(one, other, weight=-weight)
    return {frozenset(pair) for pair in networkx.max_weight_matching(network, maxcardinality=True)}


def check_against_networkx(field: Field) -> None:
    columns = criteria.columns_of(field)
    graph = graph_of(field, columns, np.arange(len(field.entrants), dtype=np.int64), width=None)
    solution = solve(graph)
    pairs = {frozenset((int(graph.first[edge]), int(graph.second[edge]))) for edge in solution.edges}
    assert len(pairs) == len(solution.edges)
    other = second_opinion(graph)
    assert len(other) == len(pairs)
    if solution.complete:
        assert pairs == other


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(2, 26))
def test_another_solver_finds_the_same_pairs(seed: int, count: int) -> None:
    check_against_networkx(random_field(Random(seed), count))


@pytest.mark.parametrize("count", [59, 60])
def test_another_solver_finds_the_same_pairs_of_sixty(count: int) -> None:
    check_against_networkx(random_field(Random(count), count))


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_another_solver_finds_the_same_pairs_in_thousands_of_states() -> None:
    rng = Random(int(os.environ.get("TDAPP_SEED", "1")))
    for _ in range(2000):
        check_against_networkx(random_field(rng, rng.choice([*range(2, 31), *range(2, 31), rng.randint(31, 60)])))


def test_more_than_forty_meetings_weigh_as_forty() -> None:
    """As a power of two each, more could not be told from a sum of others."""
    others = [PlayerId(f"p{number}") for number in (1, 2, 3)]
    for times, counted in ((1, 1), (39, 39), (40, 40), (60, 40)):
        leader = Entrant(PlayerId("p0"), 1, meetings={others[0]: tuple(range(1, times + 1))}, byes=times)
        people = (leader, *(Entrant(other, number) for number, other in enumerate(others, 2)))
        columns = criteria.columns_of(Field(STAGE, 99, 1, people))
        assert criteria.CRITERIA["repeats"](columns, np.array([0, 0, 0]), np.array([1, 2, 4])).tolist() == [
            2**counted - 1,
            0,
            2**counted - 1,
        ]


def _edges(graph: Graph) -> set[tuple[int, int]]:
    return set(zip(graph.first.tolist(), graph.second.tolist(), strict=True))


def _nearest(graph: Graph, width: int) -> set[tuple[int, int]]:
    """Return each node's cheapest pairs with lower nodes, and with higher ones."""
    cost = np.array(combined(graph, graph.levels))
    pairs, found = list(zip(graph.first.tolist(), graph.second.tolist(), strict=True)), set[tuple[int, int]]()
    for ends in (graph.first, graph.second):
        for node in range(graph.nodes):
            own = np.flatnonzero(ends == node)
            found.update(pairs[edge] for edge in own[np.argsort(cost[own], kind="stable")][:width].tolist())
    return found


def test_only_in_a_large_field_pairs_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest of everybody are kept; where two would meet again, all are looked at."""
    monkeypatch.setattr(cheapest, "DENSE_UP_TO", 40)
    monkeypatch.setattr(cheapest, "_WIDTH", 3)
    field = replace(random_field(Random(3), 41, density=0, settings=PairingSettings()), forbidden=frozenset())
    for count, thinned in ((40, False), (41, True)):
        free = np.arange(count, dtype=np.int64)
        whole = graph_of(field, criteria.columns_of(field), free, width=None)
        graph, solution, said = cheapest.solved(whole, count)
        assert (said, solution.complete) == (thinned, True)
        assert _edges(graph) == (_nearest(whole, 3) if thinned else _edges(whole))
    again = {name: np.ones_like(level) if name == "repeats" else level for name, level in whole.levels.items()}
    graph, _, said = cheapest.solved(replace(whole, levels=again), 41)
    assert (len(graph.first), said) == (len(whole.first), False)


def test_beyond_400_players_the_sixty_nearest_above_and_below_are_looked_at() -> None:
    first, second = np.triu_indices(130, 1)
    whole = Graph(130, first, second, {"repeats": np.zeros_like(first), "style": second - first})
    for players, farthest in ((400, 129), (401, 60)):
        graph, _, _ = cheapest.solved(whole, players)
        assert (graph.second - graph.first).max() == farthest


def test_where_the_cheapest_pairs_leave_somebody_over_all_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six everybody is nearest to the first or to the last."""
    monkeypatch.setattr(cheapest, "_WIDTH", 1)
    first, second = np.triu_indices(6, 1)
    cost = np.where((first == 0) | (second == 5), 1, 9)
    whole = Graph(6, first, second, {"repeats": np.zeros_like(cost), "chance": cost})
    graph, solution, thinned = cheapest.solved(whole, DENSE_UP_TO + 1)
    assert (len(graph.first), solution.complete, thinned) == (15, True, False)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 30), st.randoms(use_true_random=False))
def test_the_order_of_the_edges_does_not_matter(seed: int, count: int, rng: Random) -> None:
    field = random_field(Random(seed), count)
    columns = criteria.columns_of(field)
    graph = graph_of(field, columns, np.arange(count, dtype=np.int64), width=None)
    turned = np.array(rng.sample(range(len(graph.first)), len(graph.first)), dtype=np.int64)
    other = Graph(
        graph.nodes,
        graph.first[turned],
        graph.second[turned],
        {name: column[turned] for name, column in graph.levels.items()},
    )
    one, two = solve(graph), solve(other)
    if one.complete:
        assert sorted(one.edges) == sorted(int(turned[edge]) for edge in two.edges)


def test_weights_compare_as_their_levels_do() -> None:
    rng = Random(5)
    levels = {name: np.array([rng.randint(0, 2 ** rng.randint(1, 30)) for _ in range(15)]) for name in "abcd"}
    first, second = np.triu_indices(6, 1)
    graph = Graph(6, first.astype(np.int64), second.astype(np.int64), levels)
    weights = combined(graph, levels)
    vectors = list(zip(*(column.tolist() for column in levels.values()), strict=True))
    assert sorted(range(15), key=weights.__getitem__) == sorted(range(15), key=vectors.__getitem__)


def wide_graph(bits: int) -> Graph:
    first, second = (side.astype(np.int64) for side in np.triu_indices(20, 1))
    rng = Random(bits)
    return Graph(
        20,
        first,
        second,
        {
            "repeats": np.array([rng.getrandbits(bits) for _ in first], dtype=np.int64),
            "score_difference": np.array([rng.getrandbits(40) for _ in first], dtype=np.int64),
            "style": np.array([rng.getrandbits(20) for _ in first], dtype=np.int64),
            "chance": np.array([rng.getrandbits(24) for _ in first], dtype=np.int64),
        },
    )


@pytest.mark.parametrize(
    ("bits", "coarse"),
    [(10, ()), (25, ("chance",)), (30, ("chance", "style")), (55, ("chance", "style", "repeats"))],
)
def test_what_does_not_fit_is_made_coarser_and_named(bits: int, coarse: tuple[str, ...]) -> None:
    graph = wide_graph(bits)
    levels, named = fitted(graph)
    product = 1
    for radix in radices(graph, levels):
        product *= radix
    assert product.bit_length() <= MOST_BITS
    assert named == coarse
    assert solve(graph).complete


def test_a_child_process_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where there is no child to be had, it is found here."""
    graph = wide_graph(10)
    ends = list(zip(graph.first.tolist(), graph.second.tolist(), strict=True))
    weights = combined(graph, graph.levels)
    lightest = matching._lightest(20, ends, weights)
    with monkeypatch.context() as here:
        here.setattr(matching, "_lightest", lambda *_: set())
        assert matching._lightest_outside(20, ends, weights, lambda: None) == lightest
    monkeypatch.setattr(matching, "_answer", os._exit)
    assert matching._lightest_outside(20, ends, weights, lambda: None) == lightest


def test_what_a_child_process_answers_is_the_lightest_matching() -> None:
    here, there = multiprocessing.Pipe(duplex=False)
    with here, there:
        matching._answer(there, 4, [(0, 1), (2, 3), (0, 2), (1, 3)], [3, 3, 1, 2])
        assert here.recv() == {(0, 2), (1, 3)}


def test_a_child_process_ends_when_its_work_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted() -> None:
        raise KeyError

    monkeypatch.setattr(matching, "_INSIDE_UP_TO", 0)
    with pytest.raises(KeyError):
        solve(wide_graph(10), unwanted)
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_a_part_that_takes_long_is_matched_in_a_child_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the same pairs; by its players times its pairs, of each part of the graph on its own."""
    first, second = np.array([0, 0, 1, 2, 4, 4, 5, 6, 4]), np.array([1, 2, 3, 3, 5, 6, 7, 7, 7])
    graph = Graph(8, first, second, {"style": np.array([3, 1, 2, 5, 4, 4, 2, 1, 9])})
    expected, asked = solve(graph), []
    outside = matching._lightest_outside

    def counted(nodes: int, ends: list[tuple[int, int]], *more: Any) -> set[tuple[int, int]]:
        asked.append((nodes, len(ends)))
        return outside(nodes, ends, *more)

    monkeypatch.setattr(matching, "_lightest_outside", counted)
    for most, parts in ((20, []), (19, [(4, 5)])):
        asked.clear()
        monkeypatch.setattr(matching, "_INSIDE_UP_TO", most)
        assert (solve(graph), asked) == (expected, parts)


def test_each_part_of_a_graph_is_matched() -> None:
    first, second = np.array([0, 0, 1, 3, 4, 5]), np.array([1, 2, 2, 4, 5, 6])
    graph = Graph(9, first, second, {"style": np.array([3, 1, 2, 1, 1, 5])})
    solution = solve(graph)
    assert solution.edges == (1, 3, 5)
    assert not solution.complete


def test_the_library_is_exact_at_the_widest_weights_used() -> None:
    rng = Random(3)
    first, second = (side.astype(np.int64) for side in np.triu_indices(8, 1))
    for _ in range(200):
        weights = [rng.getrandbits(MOST_BITS) for _ in first]
        graph = Graph(8, first, second, {})
        edges = matching.lightest(graph, weights)
        value = {(int(a), int(b)): weight for a, b, weight in zip(first, second, weights, strict=True)}
        best = min(
            sum(value[one, other or 0] for one, other in pairs) for pairs in oracle.pairings(list(range(8)))
        )
        assert sum(weights[edge] for edge in edges) == best


@given(st.integers(0, 2**32), st.integers(2, 14), st.floats(0.2, 1))
def test_what_the_ends_pay_first_changes_no_matching(seed: int, nodes: int, density: float) -> None:
    """The matching is that of the weights as they are, also where not everybody can be paired."""
    rng = Random(seed)
    ends = [(one, other) for one in range(nodes) for other in range(one) if rng.random() < density] or [(1, 0)]
    weights = [rng.getrandbits(matching.MOST_BITS - 8) for _ in ends]
    assert matching._lightest(nodes, ends, weights) == matching._heaviest(nodes, ends, weights)


def test_where_everybody_is_paired_the_library_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    heaviest = matching._heaviest

    def counted(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
        asked.append(weights)
        return heaviest(nodes, ends, weights)

    monkeypatch.setattr(matching, "_heaviest", counted)
    assert matching._lightest(4, [(0, 1), (1, 2), (2, 3)], [4, 1, 2]) == {(0, 1), (2, 3)}
    assert asked == [[2, 1, 1]]
    assert matching._lightest(3, [(0, 1), (1, 2)], [4, 1]) == {(1, 2)}
    assert asked[2:] == [[4, 1]]
