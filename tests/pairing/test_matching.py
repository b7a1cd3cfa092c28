"""Tests of the matching: compared with a search, with networkx, and with all edges."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Sequence
from random import Random

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.pairing import best_pairs, criteria, matching
from tdapp.pairing.best_pairs import find_best_pairs
from tdapp.pairing.field import Entrant, PairingField
from tdapp.pairing.matching import (
    MAX_BITS,
    MatchingGraph,
    MatchingProblem,
    combine_levels_into_edge_weights,
    compute_upper_cost_bound_of_each_level,
    reduce_level_costs_to_max_bits,
    solve_matching,
)
from tdapp.pairing.systems.swiss import plan_swiss_pairs
from tests.pairing import reference_criteria
from tests.pairing.random_states import STAGE, build_graph, make_random_field

NAMES = criteria.ORDER[:-1]


def compute_cost_of_pairs(
    field: PairingField, pairs: Sequence[tuple[int, int | None]]
) -> reference_criteria.Vector:
    return reference_criteria.sum_costs(
        reference_criteria.compute_cost(field, first, second) for first, second in pairs
    )


def pair_positions(field: PairingField) -> list[tuple[int, int | None]]:
    return [(pair.position, pair.opponent) for pair in plan_swiss_pairs(field).pairs]


def check_against_brute_force(field: PairingField) -> None:
    lowest_cost = reference_criteria.find_lowest_cost(field)
    if lowest_cost is None:
        with pytest.raises(CommandError, match="no-pairing-possible"):
            plan_swiss_pairs(field)
    else:
        pairs = pair_positions(field)
        assert all(reference_criteria.is_legal_pair(field, first, second) for first, second in pairs)
        assert compute_cost_of_pairs(field, pairs) == lowest_cost


@given(st.integers(0, 2**32), st.integers(2, 8))
def test_pair_field_is_optimal(seed: int, count: int) -> None:
    check_against_brute_force(make_random_field(Random(seed), count))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [9, 10])
def test_pair_field_of_ten_is_optimal(seed: int, count: int) -> None:
    check_against_brute_force(make_random_field(Random(seed), count, density=0.8))


@pytest.mark.long
@settings(max_examples=3000)
@given(st.integers(0, 2**64), st.integers(2, 10))
def test_pair_field_is_optimal_in_thousands_of_states(seed: int, count: int) -> None:
    check_against_brute_force(make_random_field(Random(seed), count))


@given(st.integers(0, 2**32), st.integers(2, 14), st.booleans())
def test_compute_costs_equals_the_definitions(seed: int, count: int, by_score: bool) -> None:
    """Includes fields in another order than by score."""
    field = make_random_field(Random(seed), count)
    if not by_score:
        field = replace(field, entrants=tuple(Random(seed).sample(field.entrants, count)))
    columns = criteria.get_pairing_field_arrays(field)
    pairs = [(first, second) for first in range(count) for second in range(first + 1, count + 1)]
    upper, lower = (np.array(positions, dtype=np.int64) for positions in zip(*pairs, strict=True))
    levels = criteria.compute_pair_costs_by_criterion(columns, upper, lower)
    assert set(NAMES) >= levels.keys() - {"chance"} >= {"repeats", "score_difference", "bye", "floats"}
    for row, (first, second) in enumerate(pairs):
        expected = dict(
            zip(
                NAMES,
                reference_criteria.compute_cost(field, first, None if second == count else second),
                strict=True,
            )
        )
        assert {name: int(column[row]) for name, column in levels.items() if name != "chance"} == {
            name: value for name, value in expected.items() if name in levels
        }


def match_with_networkx(graph: MatchingGraph) -> set[frozenset[int]]:
    """Return the pairs of an optimal matching by networkx."""
    levels, _ = reduce_level_costs_to_max_bits(graph)
    network: networkx.Graph[int] = networkx.Graph()
    network.add_nodes_from(range(graph.nodes))
    for first, second, weight in zip(
        graph.first.tolist(), graph.second.tolist(), combine_levels_into_edge_weights(graph, levels), strict=True
    ):
        network.add_edge(first, second, weight=-weight)
    return {frozenset(pair) for pair in networkx.max_weight_matching(network, maxcardinality=True)}


def check_against_networkx(field: PairingField) -> None:
    graph = build_graph(field)
    solution = solve_matching(graph)
    pairs = {frozenset((int(graph.first[edge]), int(graph.second[edge]))) for edge in solution.edges}
    assert len(pairs) == len(solution.edges)
    networkx_pairs = match_with_networkx(graph)
    assert len(networkx_pairs) == len(pairs)
    if solution.is_perfect:
        assert pairs == networkx_pairs


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(2, 26))
def test_solve_matching_agrees_with_another_solver(seed: int, count: int) -> None:
    check_against_networkx(make_random_field(Random(seed), count))


@pytest.mark.slow
@pytest.mark.parametrize("count", [59, 60])
def test_solve_matching_of_sixty_agrees_with_another_solver(count: int) -> None:
    check_against_networkx(make_random_field(Random(count), count))


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_solve_matching_agrees_in_thousands_of_states() -> None:
    rng = Random(int(os.environ.get("TDAPP_SEED", "1")))
    for _ in range(2000):
        check_against_networkx(
            make_random_field(rng, rng.choice([*range(2, 31), *range(2, 31), rng.randint(31, 60)]))
        )


def test_criteria_more_than_forty_meetings_count_as_forty() -> None:
    """Powers of two above this limit would equal sums of other costs."""
    opponents = [PlayerId(f"p{number}") for number in (1, 2, 3)]
    for times, expected_times in ((1, 1), (39, 39), (40, 40), (60, 40)):
        leader = Entrant(PlayerId("p0"), 1, meetings={opponents[0]: tuple(range(1, times + 1))}, byes=times)
        entrants = (leader, *(Entrant(opponent, number) for number, opponent in enumerate(opponents, 2)))
        columns = criteria.get_pairing_field_arrays(PairingField(STAGE, 99, 1, entrants))
        assert criteria.CRITERIA["repeats"](columns, np.array([0, 0, 0]), np.array([1, 2, 4])).tolist() == [
            2**expected_times - 1,
            0,
            2**expected_times - 1,
        ]


def list_cheapest_edges(graph: MatchingGraph, width: int) -> set[tuple[int, int]]:
    """Return the cheapest edges of each node to lower nodes, and to higher nodes."""
    cost = np.array(combine_levels_into_edge_weights(graph, graph.levels))
    pairs, edges = list(zip(graph.first.tolist(), graph.second.tolist(), strict=True)), set[tuple[int, int]]()
    for ends in (graph.first, graph.second):
        for node in range(graph.nodes):
            own_edges = np.flatnonzero(ends == node)
            edges.update(
                pairs[edge] for edge in own_edges[np.argsort(cost[own_edges], kind="stable")][:width].tolist()
            )
    return edges


@pytest.mark.parametrize("block", [1, 200, 2**20])
@pytest.mark.parametrize("count", [20, 41])
def test_list_cheapest_edges_of_each_player(count: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_BLOCK_SIZE", block)
    field = make_random_field(Random(count), count, settings=PairingSettings())
    first, second = MatchingProblem(field, np.arange(count)).list_cheapest_edges(3)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    assert set(pairs) == list_cheapest_edges(build_graph(field), 3)
    assert len(pairs) == len(set(pairs))


def test_best_pairs_uses_60_cheapest_edges_above_400_players() -> None:
    assert (best_pairs._MAX_PLAYERS_WITH_ALL_EDGES, best_pairs._CHEAPEST_EDGES) == (400, 60)


@pytest.mark.parametrize("names", [criteria.ORDER, ("repeats", "score_difference", "style", "chance")])
def test_find_best_pairs_without_proof_uses_the_cheapest_edges(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a player has no opponent or a repeat, the program uses all edges."""
    for name, value in (
        ("_MAX_PLAYERS_WITHOUT_PROOF", 10**6),
        ("_MAX_PLAYERS_WITH_ALL_EDGES", 29),
        ("_CHEAPEST_EDGES", 1),
    ):
        monkeypatch.setattr(best_pairs, name, value)
    relaxed = set()
    for seed in range(12):
        field, positions = make_random_field(Random(seed), 30, density=0.05), np.arange(30)
        problem = MatchingProblem(field, positions, names)
        sparse_graph, full_graph = (
            problem.build_graph(edges) for edges in (problem.list_cheapest_edges(1), problem.list_all_edges())
        )
        solution = solve_matching(sparse_graph)
        is_sufficient = solution.is_perfect and not sparse_graph.levels["repeats"][list(solution.edges)].any()
        graph, solution = (sparse_graph, solution) if is_sufficient else (full_graph, solve_matching(full_graph))
        chosen_edges = list(solution.edges)
        progress_steps: list[tuple[int, int]] = []
        best = find_best_pairs(
            field, positions, names, progress=lambda *step, steps=progress_steps: steps.append(step)
        )
        pairs = zip(graph.first[chosen_edges].tolist(), graph.second[chosen_edges].tolist(), strict=True)
        assert best.pairs == tuple(pairs)
        assert best.relaxed == (("cheapest-only",) if is_sufficient else ())
        assert progress_steps == [(3, 4)]
        relaxed.add(best.relaxed)
    assert len(relaxed) == 2
    monkeypatch.setattr(best_pairs, "_MAX_PLAYERS_WITH_ALL_EDGES", 30)
    assert not find_best_pairs(field, positions, names).relaxed


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 30), st.randoms(use_true_random=False))
def test_solve_matching_is_independent_of_edge_order(seed: int, count: int, rng: Random) -> None:
    field = make_random_field(Random(seed), count)
    graph = build_graph(field)
    new_order = np.array(rng.sample(range(len(graph.first)), len(graph.first)), dtype=np.int64)
    reordered_graph = MatchingGraph(
        graph.nodes,
        graph.first[new_order],
        graph.second[new_order],
        {name: column[new_order] for name, column in graph.levels.items()},
    )
    solution, reordered_solution = solve_matching(graph), solve_matching(reordered_graph)
    if solution.is_perfect:
        assert sorted(solution.edges) == sorted(int(new_order[edge]) for edge in reordered_solution.edges)


def test_combine_levels_into_weights_keeps_the_order_of_levels() -> None:
    rng = Random(5)
    levels = {name: np.array([rng.randint(0, 2 ** rng.randint(1, 30)) for _ in range(15)]) for name in "abcd"}
    first, second = np.triu_indices(6, 1)
    graph = MatchingGraph(6, first.astype(np.int64), second.astype(np.int64), levels)
    weights = combine_levels_into_edge_weights(graph, levels)
    vectors = list(zip(*(column.tolist() for column in levels.values()), strict=True))
    assert sorted(range(15), key=weights.__getitem__) == sorted(range(15), key=vectors.__getitem__)


def make_wide_graph(bits: int) -> MatchingGraph:
    first, second = (nodes.astype(np.int64) for nodes in np.triu_indices(20, 1))
    rng = Random(bits)
    return MatchingGraph(
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
def test_fit_levels_into_bits_names_coarser_levels(bits: int, coarse: tuple[str, ...]) -> None:
    graph = make_wide_graph(bits)
    levels, coarse_names = reduce_level_costs_to_max_bits(graph)
    product = 1
    for radix in compute_upper_cost_bound_of_each_level(graph, levels):
        product *= radix
    assert product.bit_length() <= MAX_BITS
    assert coarse_names == coarse
    assert solve_matching(graph).is_perfect


@pytest.mark.parametrize("has_child", [True, False])
def test_solve_matching_in_a_child_process_is_equal(monkeypatch: pytest.MonkeyPatch, has_child: bool) -> None:
    """Without a child process the program solves the matching in its own process."""
    graph = make_wide_graph(10)
    expected = solve_matching(graph)
    monkeypatch.setattr("tdapp.pairing.matching._MAX_SIZE_IN_PROCESS", 0)
    if not has_child:
        monkeypatch.setattr("tdapp.pairing.matching._compute_and_send_matching", os._exit)
    assert solve_matching(graph) == expected


def wait_in_child_process(*_: object) -> None:
    """Keep the child process busy after the first pulse."""
    time.sleep(60)


def test_solve_matching_pulse_exception_ends_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_key_error() -> None:
        raise KeyError

    monkeypatch.setattr("tdapp.pairing.matching._MAX_SIZE_IN_PROCESS", 0)
    monkeypatch.setattr("tdapp.pairing.matching._compute_and_send_matching", wait_in_child_process)
    with pytest.raises(KeyError):
        solve_matching(make_wide_graph(10), raise_key_error)
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.parametrize(("size_limit", "expected_starts"), [(20, 0), (19, 1)])
def test_solve_matching_uses_a_child_for_a_large_component(
    monkeypatch: pytest.MonkeyPatch, size_limit: int, expected_starts: int
) -> None:
    """The second component has four nodes and five edges."""
    first, second = np.array([0, 0, 1, 2, 4, 4, 5, 6, 4]), np.array([1, 2, 3, 3, 5, 6, 7, 7, 7])
    graph = MatchingGraph(8, first, second, {"style": np.array([3, 1, 2, 5, 4, 4, 2, 1, 9])})
    expected, pulses = solve_matching(graph), []
    monkeypatch.setattr("tdapp.pairing.matching._MAX_SIZE_IN_PROCESS", size_limit)
    monkeypatch.setattr("tdapp.pairing.matching._PULSE_INTERVAL", 0)
    assert solve_matching(graph, lambda: pulses.append(1)) == expected
    assert min(len(pulses), 1) == expected_starts


def test_solve_matching_matches_each_component() -> None:
    first, second = np.array([0, 0, 1, 3, 4, 5]), np.array([1, 2, 2, 4, 5, 6])
    graph = MatchingGraph(9, first, second, {"style": np.array([3, 1, 2, 1, 1, 5])})
    solution = solve_matching(graph)
    assert solution.edges == (1, 3, 5)
    assert not solution.is_perfect


def test_solve_lightest_matching_is_exact_at_the_widest_weights() -> None:
    rng = Random(3)
    first, second = (nodes.astype(np.int64) for nodes in np.triu_indices(8, 1))
    for _ in range(200):
        weights = [rng.getrandbits(MAX_BITS) for _ in first]
        graph = MatchingGraph(8, first, second, {})
        chosen_edges = matching.solve_lightest_maximum_matching(graph, weights)
        value = {
            (int(node_1), int(node_2)): weight
            for node_1, node_2, weight in zip(first, second, weights, strict=True)
        }
        best = min(
            sum(value[first_node, second_node or 0] for first_node, second_node in pairs)
            for pairs in reference_criteria.generate_pairings(list(range(8)))
        )
        assert sum(weights[edge] for edge in chosen_edges) == best


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(2, 14), st.floats(0.2, 1))
def test_solve_lightest_matching_agrees_with_networkx(seed: int, node_count: int, density: float) -> None:
    """Includes graphs without a perfect matching."""
    rng = Random(seed)
    ends = [
        (node_1, node_2) for node_2 in range(node_count) for node_1 in range(node_2) if rng.random() < density
    ] or [(0, 1)]
    weights = [rng.getrandbits(MAX_BITS - 8) for _ in ends]
    first, second = (np.array(column, dtype=np.int64) for column in zip(*ends, strict=True))
    chosen_edges = matching.solve_lightest_maximum_matching(MatchingGraph(node_count, first, second, {}), weights)
    network: networkx.Graph[int] = networkx.Graph()
    for (node_1, node_2), weight in zip(ends, weights, strict=True):
        network.add_edge(node_1, node_2, weight=max(weights) - weight)
    expected = [
        network.edges[pair]["weight"] for pair in networkx.max_weight_matching(network, maxcardinality=True)
    ]
    assert sorted({node for edge in chosen_edges for node in ends[edge]}) == sorted(
        node for edge in chosen_edges for node in ends[edge]
    )
    assert (len(chosen_edges), sum(max(weights) - weights[edge] for edge in chosen_edges)) == (
        len(expected),
        sum(expected),
    )
