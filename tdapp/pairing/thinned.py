"""The matching of a large field: only the cheapest opponents of everybody are looked at.

Where those leave somebody over or let anybody meet again, all are.
"""

from __future__ import annotations

from tdapp.pairing.arrays import np
from tdapp.pairing.matching import Graph, Solution, solve
from tdapp.pairing.systems.swiss import DENSE_UP_TO

_WIDTH = 60  # opponents of everybody, above and below in the field


def solved(whole: Graph, players: int) -> tuple[Graph, Solution, bool]:
    """Return the graph that was solved, its solution, and whether pairs were left out."""
    if players > DENSE_UP_TO:
        graph = _thinned(whole)
        solution = solve(graph)
        if solution.complete and not graph.levels["repeats"][list(solution.edges)].any():
            return graph, solution, True
    return whole, solve(whole), False


def _thinned(graph: Graph) -> Graph:
    """Return the graph with only the cheapest edges of each node."""
    rank = np.lexsort(tuple(reversed(list(graph.levels.values()))))
    kept: set[int] = set()
    for ends in (graph.first, graph.second):
        ordered = rank[np.argsort(ends[rank], kind="stable")]
        nodes = ends[ordered]
        place = np.arange(len(nodes)) - np.searchsorted(nodes, nodes)
        kept.update(ordered[place < _WIDTH].tolist())
    edges = np.array(sorted(kept), dtype=np.int64)
    levels = {name: column[edges] for name, column in graph.levels.items()}
    return Graph(graph.nodes, graph.first[edges], graph.second[edges], levels)
