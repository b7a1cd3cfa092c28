"""Finds the minimum-weight perfect matching of a graph whose weights have several levels.

The levels are combined into one integer weight of at most 120 bits for each edge, in mixed radix. The library
rustworkx is exact up to 125 bits and silently wrong from 127. If more bits are needed, the last levels lose
precision, and the solution reports it. Other libraries do not fit: PyMatching and fusion-blossom have weights of
24 and 31 bits, networkx takes 45 seconds for 500 players, LEMON and Boost have no Python package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeAlias

from msgspec import Struct

from tdapp.pairing.arrays import Ints, np

Pulse: TypeAlias = Callable[[], None]

MOST_BITS = 120
_INT64_BITS = 62
# Nodes times edges, about half a second; above in a child process, because the library holds the interpreter.
_INSIDE_UP_TO = 40_000_000
_PULSE = 0.1  # seconds between two pulses
_VERIFIED_UP_TO = 200  # nodes; the library's own check of the optimum adds a third


class Graph(Struct, frozen=True):
    """A graph.

    Edge e joins first[e] and second[e]. `levels` contains the costs of the edges, the most important level
    first.
    """

    nodes: int
    first: Ints
    second: Ints
    levels: Mapping[str, Ints]


class Solution(Struct, frozen=True):
    """The chosen edges in ascending order.

    `coarse`: the levels with reduced precision. `complete`: all nodes are matched.
    """

    edges: tuple[int, ...]
    coarse: tuple[str, ...]
    complete: bool


def solve_matching(graph: Graph, pulse: Pulse = lambda: None) -> Solution:
    """Return the minimum-weight perfect matching. If none exists, return the lightest one with the most edges.

    Large problems are solved in a child process. Meanwhile `pulse` is called every 0.1 s; its exception ends
    the child.
    """
    levels, coarse = fit_levels(graph)
    edges = find_lightest_edges(graph, combine_levels(graph, levels), pulse)
    return Solution(tuple(edges), coarse, complete=2 * len(edges) == graph.nodes)


def fit_levels(graph: Graph) -> tuple[dict[str, Ints], tuple[str, ...]]:
    """Return levels that fit into MOST_BITS bits together, and the names of the levels with reduced precision.

    First `chance` loses four bits, then `style` as many as needed, then `repeats` gets an ever lower maximum.
    """
    levels = dict(graph.levels)
    coarse: list[str] = []

    def fits() -> bool:
        return prod(compute_radices(graph, levels)).bit_length() <= MOST_BITS

    def reduce(name: str, times: int, value: Ints) -> None:
        levels[name] = value
        if times == 0:
            coarse.append(name)

    if not fits() and "chance" in levels:
        reduce("chance", 0, levels["chance"] >> 4)
    for times in range(_INT64_BITS):
        if fits() or not levels.get("style", np.zeros(1)).any():
            break
        reduce("style", times, levels["style"] >> 1)
    for times in range(_INT64_BITS):
        if fits() or "repeats" not in levels:
            break
        reduce("repeats", times, np.minimum(levels["repeats"], int(levels["repeats"].max()) // 2))
    return levels, tuple(coarse)


def compute_radices(graph: Graph, levels: Mapping[str, Ints]) -> list[int]:
    """Return for each level a number greater than its sum in any matching.

    It is half the sum of the heaviest edge of each node, plus one. That is much less than nodes x heaviest
    edge.
    """
    found = []
    for column in levels.values():
        most = np.zeros(graph.nodes, dtype=np.int64)
        np.maximum.at(most, graph.first, column)
        np.maximum.at(most, graph.second, column)
        found.append(int(most.sum()) // 2 + 1)
    return found


def combine_levels(graph: Graph, levels: Mapping[str, Ints]) -> list[int]:
    """Return one integer for each edge. Sums of these integers compare like the sums of the levels."""
    weights = [0] * len(graph.first)
    part = np.zeros(len(graph.first), dtype=np.int64)
    size = 1  # above the largest value in `part`

    def append_part() -> list[int]:
        return [weight * size + value for weight, value in zip(weights, part.tolist(), strict=True)]

    for radix, column in zip(compute_radices(graph, levels), levels.values(), strict=True):
        if (size * radix).bit_length() > _INT64_BITS:
            weights = append_part()
            part, size = np.zeros_like(part), 1
        part = part * radix + column
        size *= radix
    return append_part()


def find_lightest_edges(graph: Graph, weights: list[int], pulse: Pulse = lambda: None) -> list[int]:
    """Return the edges of the lightest matching with the most edges, in ascending order.

    Each component is solved alone.
    """
    found: list[int] = []
    for component in _list_components(graph):
        edges = component.tolist()
        if len(edges) > 1:
            numbers, ends = np.unique(
                np.stack([graph.first[component], graph.second[component]]), return_inverse=True
            )
            pairs = list(zip(*ends.reshape(2, -1).tolist(), strict=True))
            mine = [weights[edge] for edge in edges]
            if len(numbers) * len(edges) <= _INSIDE_UP_TO:
                chosen = _find_lightest_matching(len(numbers), pairs, mine)
            else:
                chosen = _match_in_child(len(numbers), pairs, mine, pulse)
            edges = [edge for edge, pair in zip(edges, pairs, strict=True) if pair in chosen]
        found += edges
    return sorted(found)


def _list_components(graph: Graph) -> list[Ints]:
    label = np.arange(graph.nodes)
    while True:
        lowest = np.minimum(label[graph.first], label[graph.second])
        new = label.copy()
        np.minimum.at(new, graph.first, lowest)
        np.minimum.at(new, graph.second, lowest)
        new = new[new]
        if (new == label).all():
            break
        label = new
    component = label[graph.first]
    ordered = np.argsort(component, kind="stable")
    return np.split(ordered, np.flatnonzero(np.diff(component[ordered])) + 1) if len(component) else []


def _match_in_child(
    nodes: int, ends: list[tuple[int, int]], weights: list[int], pulse: Pulse
) -> set[tuple[int, int]]:
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_send_matching, args=(there, nodes, ends, weights), daemon=True)
    try:
        child.start()
        there.close()
        while not here.poll(_PULSE):
            pulse()
        answer: set[tuple[int, int]] = here.recv()
        return answer
    except (EOFError, OSError):  # no child process available, as under a script that starts work when imported
        return _find_lightest_matching(nodes, ends, weights)
    finally:
        if child.pid is not None:
            child.kill()
            child.join()
        here.close()


def _send_matching(there: Connection, nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> None:
    there.send(_find_lightest_matching(nodes, ends, weights))


def _find_lightest_matching(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
    """Return the lightest matching with the most edges.

    First, half the lightest edge of each node is subtracted. This changes all perfect matchings by the same
    amount, and the library has less to do. Without a perfect matching, the original weights are used.
    """
    least = [max(weights)] * nodes
    for (one, other), weight in zip(ends, weights, strict=True):
        least[one] = min(least[one], weight)
        least[other] = min(least[other], weight)
    dual = [weight // 2 for weight in least]
    reduced = [weight - dual[one] - dual[other] for (one, other), weight in zip(ends, weights, strict=True)]
    pairs = _run_blossom(nodes, ends, reduced)
    return pairs if 2 * len(pairs) == nodes else _run_blossom(nodes, ends, weights)


def _run_blossom(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
    import rustworkx as rx  # noqa: PLC0415 - it brings NumPy, which a window opens without

    ceiling = max(weights)
    network = rx.PyGraph(multigraph=True)
    network.add_nodes_from(range(nodes))
    network.add_edges_from([(a, b, ceiling - weight) for (a, b), weight in zip(ends, weights, strict=True)])
    pairs = rx.max_weight_matching(
        network, max_cardinality=True, weight_fn=int, verify_optimum=nodes <= _VERIFIED_UP_TO
    )
    return {(min(pair), max(pair)) for pair in pairs}
