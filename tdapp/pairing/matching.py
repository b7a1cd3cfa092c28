"""The exact minimum-cost perfect matching under lexicographic costs.

Hides the library: levels are combined into one integer per edge, in mixed radix, of at most 120 bits, because
rustworkx is exact up to 125 bits and silently wrong from 127. Where more would be needed, the last levels are made
coarser and the result says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeAlias

from tdapp.pairing.arrays import Ints, np

Pulse: TypeAlias = Callable[[], None]

MOST_BITS = 120
_INT64_BITS = 62
# Nodes times edges, about half a second; above in a child process, because the library holds the interpreter.
_INSIDE_UP_TO = 40_000_000
_PULSE = 0.1  # seconds between two pulses
_VERIFIED_UP_TO = 200  # nodes; the library's own check of the optimum costs a third on top


@dataclass(frozen=True, slots=True)
class Graph:
    """The possible pairs of `nodes` nodes: edge e joins first[e] and second[e]; `levels` by weight."""

    nodes: int
    first: Ints
    second: Ints
    levels: Mapping[str, Ints]


@dataclass(frozen=True, slots=True)
class Solution:
    """The edges chosen, ascending; `coarse` names the levels that were made coarser."""

    edges: tuple[int, ...]
    coarse: tuple[str, ...]
    complete: bool


def solve(graph: Graph, pulse: Pulse = lambda: None) -> Solution:
    """Return the cheapest perfect matching, or as many pairs as can be made where there is none.

    While a child process works, `pulse` is called again and again; what it raises ends the child at once.
    """
    levels, coarse = fitted(graph)
    edges = lightest(graph, combined(graph, levels), pulse)
    return Solution(tuple(edges), coarse, complete=2 * len(edges) == graph.nodes)


def fitted(graph: Graph) -> tuple[dict[str, Ints], tuple[str, ...]]:
    """Return the levels so that they fit into MOST_BITS bits, and the names of those made coarser.

    First `chance` loses four bits, then `style` all that is needed, then high `repeats` are told apart no more.
    """
    levels = dict(graph.levels)
    coarse: list[str] = []

    def fits() -> bool:
        return prod(radices(graph, levels)).bit_length() <= MOST_BITS

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


def radices(graph: Graph, levels: Mapping[str, Ints]) -> list[int]:
    """Return for each level a number above its sum in any matching.

    Half the sum over all players of their costliest edge, plus one: much less than players x costliest edge.
    """
    found = []
    for column in levels.values():
        most = np.zeros(graph.nodes, dtype=np.int64)
        np.maximum.at(most, graph.first, column)
        np.maximum.at(most, graph.second, column)
        found.append(int(most.sum()) // 2 + 1)
    return found


def combined(graph: Graph, levels: Mapping[str, Ints]) -> list[int]:
    """Return one integer per edge that compares as its levels do, also in sums over a matching."""
    weights = [0] * len(graph.first)
    part = np.zeros(len(graph.first), dtype=np.int64)
    size = 1  # above the largest value in `part`
    for radix, column in zip(radices(graph, levels), levels.values(), strict=True):
        if (size * radix).bit_length() > _INT64_BITS:
            weights = _appended(weights, part, size)
            part, size = np.zeros_like(part), 1
        part = part * radix + column
        size *= radix
    return _appended(weights, part, size)


def _appended(weights: list[int], part: Ints, size: int) -> list[int]:
    return [weight * size + value for weight, value in zip(weights, part.tolist(), strict=True)]


def lightest(graph: Graph, weights: list[int], pulse: Pulse = lambda: None) -> list[int]:
    """Return the edges of the lightest matching among those with the most pairs, part by part of the graph."""
    found: list[int] = []
    for part in _parts(graph):
        edges = part.tolist()
        if len(edges) > 1:
            numbers, ends = np.unique(np.stack([graph.first[part], graph.second[part]]), return_inverse=True)
            pairs = list(zip(*ends.reshape(2, -1).tolist(), strict=True))
            mine = [weights[edge] for edge in edges]
            if len(numbers) * len(edges) <= _INSIDE_UP_TO:
                chosen = _lightest(len(numbers), pairs, mine)
            else:
                chosen = _lightest_outside(len(numbers), pairs, mine, pulse)
            edges = [edge for edge, pair in zip(edges, pairs, strict=True) if pair in chosen]
        found += edges
    return sorted(found)


def _parts(graph: Graph) -> list[Ints]:
    """Return the edges of each part of the graph that nothing joins to the rest."""
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
    part = label[graph.first]
    by_part = np.argsort(part, kind="stable")
    return np.split(by_part, np.flatnonzero(np.diff(part[by_part])) + 1) if len(part) else []


def _lightest_outside(
    nodes: int, ends: list[tuple[int, int]], weights: list[int], pulse: Pulse
) -> set[tuple[int, int]]:
    """Return the lightest matching as a child process finds it."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(there, nodes, ends, weights), daemon=True)
    try:
        child.start()
        there.close()
        while not here.poll(_PULSE):
            pulse()
        answer: set[tuple[int, int]] = here.recv()
        return answer
    except (EOFError, OSError):  # no child to be had, as under a script that starts work when imported
        return _lightest(nodes, ends, weights)
    finally:
        if child.pid is not None:
            child.kill()
            child.join()
        here.close()


def _answer(there: Connection, nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> None:
    there.send(_lightest(nodes, ends, weights))


def _lightest(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
    """Return the lightest matching among those with the most pairs.

    Everybody first pays half of the own cheapest pair: that changes all perfect matchings alike, and the library
    begins near its end. Only where there is no perfect one are the weights taken as they are.
    """
    pairs = _heaviest(nodes, ends, _less_paid(nodes, ends, weights))
    return pairs if 2 * len(pairs) == nodes else _heaviest(nodes, ends, weights)


def _less_paid(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> list[int]:
    """Return the weights without what both ends pay."""
    least = [max(weights)] * nodes
    for (one, other), weight in zip(ends, weights, strict=True):
        least[one] = min(least[one], weight)
        least[other] = min(least[other], weight)
    paid = [weight // 2 for weight in least]
    return [weight - paid[one] - paid[other] for (one, other), weight in zip(ends, weights, strict=True)]


def _heaviest(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
    """Return what the library finds for the weights turned round."""
    import rustworkx as rx  # noqa: PLC0415 - it brings NumPy, which a window opens without

    ceiling = max(weights)
    network = rx.PyGraph(multigraph=True)
    network.add_nodes_from(range(nodes))
    network.add_edges_from([(a, b, ceiling - weight) for (a, b), weight in zip(ends, weights, strict=True)])
    pairs = rx.max_weight_matching(
        network, max_cardinality=True, weight_fn=int, verify_optimum=nodes <= _VERIFIED_UP_TO
    )
    return {(min(pair), max(pair)) for pair in pairs}
