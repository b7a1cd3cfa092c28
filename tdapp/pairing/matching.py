"""The exact minimum-weight perfect matching of a graph with lexicographic weights.

Hides the library. Levels are combined into one integer weight per edge, in mixed radix, of at most 120 bits:
rustworkx is exact up to 125 bits and silently wrong from 127. If more are needed, the last levels are made
coarser, and the solution says so. Other libraries were tried: PyMatching and fusion-blossom hold weights of 24 and
31 bits, networkx takes 45 seconds for 500 players, LEMON and Boost have no package for Python.
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
    """A graph of `nodes` nodes: edge e joins first[e] and second[e]; `levels`: the most significant first."""

    nodes: int
    first: Ints
    second: Ints
    levels: Mapping[str, Ints]


class Solution(Struct, frozen=True):
    """The edges chosen, ascending; `coarse`: the levels made coarser; `complete`: the matching is perfect."""

    edges: tuple[int, ...]
    coarse: tuple[str, ...]
    complete: bool


def solve_matching(graph: Graph, pulse: Pulse = lambda: None) -> Solution:
    """Return the minimum-weight perfect matching, or if there is none the lightest with the most edges.

    While a child process works, `pulse` is called every 0.1 s; what it raises ends the child.
    """
    levels, coarse = fit_levels(graph)
    edges = find_lightest_edges(graph, combine_levels(graph, levels), pulse)
    return Solution(tuple(edges), coarse, complete=2 * len(edges) == graph.nodes)


def fit_levels(graph: Graph) -> tuple[dict[str, Ints], tuple[str, ...]]:
    """Return levels that fit into MOST_BITS bits together, and the names of those made coarser.

    First `chance` loses four bits, then `style` as many as needed, then `repeats` is capped ever lower.
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
    """Return for each level a number above its sum in any matching.

    Half the sum over all nodes of their heaviest edge, plus one: much less than nodes x heaviest edge.
    """
    found = []
    for column in levels.values():
        most = np.zeros(graph.nodes, dtype=np.int64)
        np.maximum.at(most, graph.first, column)
        np.maximum.at(most, graph.second, column)
        found.append(int(most.sum()) // 2 + 1)
    return found


def combine_levels(graph: Graph, levels: Mapping[str, Ints]) -> list[int]:
    """Return one integer per edge that compares as its levels do, also in sums over a matching."""
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
    """Return the edges of the lightest matching with the most edges, ascending; each component is solved alone."""
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
                chosen = _max_weight_matching(len(numbers), pairs, mine)
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
        return _max_weight_matching(nodes, ends, weights)
    finally:
        if child.pid is not None:
            child.kill()
            child.join()
        here.close()


def _send_matching(there: Connection, nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> None:
    there.send(_max_weight_matching(nodes, ends, weights))


def _max_weight_matching(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
    """Return the lightest matching with the most edges.

    First each node's dual variable is half its lightest edge: this changes all perfect matchings alike, and the
    library starts near its end. If there is no perfect matching, the weights stay as they are.
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
