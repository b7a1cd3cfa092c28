"""Finds the minimum-cost perfect matching of a graph. Edge costs are compared lexicographically.

* Node: a player to pair. Nodes are numbered from 0 in the order of the standings. With an odd number of players,
  one more node is the bye.
* Edge: a legal pair. Two arrays contain the ends of all edges, the lower node of each edge in the first array.
* Level: a criterion. Each edge has a cost for each level. The first level is the most important.

The costs of an edge become one integer weight in mixed radix. A weight has at most 120 bits. The library rustworkx
is exact up to 125 bits; from 127 bits its result can be wrong without an error. If the costs need more bits, the
last levels lose precision, and the solution reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from tdapp.domain.pairing_settings import ScoreGroupPairing
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, np, sort_distinct_values
from tdapp.pairing.criteria import PairingFieldArrays
from tdapp.pairing.field import PairingField

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Pulse: TypeAlias = Callable[[], None]

MAX_BITS = 120
_INT64_BITS = 62
# Nodes times edges, about half a second. Larger graphs need a child process, because the library holds the GIL.
_MAX_SIZE_IN_PROCESS = 40_000_000
_PULSE_INTERVAL = 0.1  # seconds
_MAX_NODES_TO_VERIFY = 200  # the library's check of the optimum adds a third of the time


class MatchingGraph(Struct, frozen=True):
    """The graph of legal pairs with their costs. Edge e joins first[e] and second[e]."""

    nodes: int
    first: Ints
    second: Ints
    levels: Mapping[str, Ints]  # costs of the edges by criterion, the most important first


class MatchingSolution(Struct, frozen=True):
    """The chosen edges of a graph."""

    edges: tuple[int, ...]  # in ascending order
    reduced_levels: tuple[str, ...]  # levels with reduced precision
    is_perfect: bool  # all nodes are matched


def solve_matching(graph: MatchingGraph, pulse: Pulse = lambda: None) -> MatchingSolution:
    """Return the minimum-cost perfect matching. If none exists, return the cheapest matching with the most edges.

    A large graph is solved in a child process. Meanwhile `pulse` is called every 0.1 s. If it raises an exception,
    the child process ends.
    """
    levels, reduced_levels = reduce_level_costs_to_max_bits(graph)
    edges = solve_lightest_maximum_matching(graph, combine_levels_into_edge_weights(graph, levels), pulse)
    return MatchingSolution(tuple(edges), reduced_levels, is_perfect=2 * len(edges) == graph.nodes)


def reduce_level_costs_to_max_bits(graph: MatchingGraph) -> tuple[dict[str, Ints], tuple[str, ...]]:
    """Return costs by level (criterion), and the names of levels with reduced precision.

    Reduce costs only until all levels fit into MAX_BITS bits. First remove four bits of the level `chance`. Then
    remove bits of `style`, one at a time. Then halve the highest cost of `repeats` repeatedly.
    """
    levels = dict(graph.levels)
    reduced_levels: list[str] = []

    def can_combine_levels() -> bool:
        return prod(compute_upper_cost_bound_of_each_level(graph, levels)).bit_length() <= MAX_BITS

    def set_level_with_less_precision(name: str, step: int, value: Ints) -> None:
        levels[name] = value
        if step == 0:
            reduced_levels.append(name)

    if not can_combine_levels() and "chance" in levels:
        set_level_with_less_precision("chance", 0, levels["chance"] >> 4)
    for step in range(_INT64_BITS):
        if can_combine_levels() or not levels.get("style", np.zeros(1)).any():
            break
        set_level_with_less_precision("style", step, levels["style"] >> 1)
    for step in range(_INT64_BITS):
        if can_combine_levels() or "repeats" not in levels:
            break
        set_level_with_less_precision(
            "repeats", step, np.minimum(levels["repeats"], int(levels["repeats"].max()) // 2)
        )
    return levels, tuple(reduced_levels)


def compute_upper_cost_bound_of_each_level(graph: MatchingGraph, levels: Mapping[str, Ints]) -> list[int]:
    """Return, for each level, a number greater than the cost of any matching.

    Take the highest edge cost of each node. Each edge has two nodes, so a matching costs at most half the sum of
    these costs.
    """
    radices = []
    for column in levels.values():
        highest_costs = np.zeros(graph.nodes, dtype=np.int64)
        np.maximum.at(highest_costs, graph.first, column)
        np.maximum.at(highest_costs, graph.second, column)
        radices.append(int(highest_costs.sum()) // 2 + 1)
    return radices


def combine_levels_into_edge_weights(graph: MatchingGraph, levels: Mapping[str, Ints]) -> list[int]:
    """Return one integer weight for each edge."""
    weights = [0] * len(graph.first)
    part = np.zeros(len(graph.first), dtype=np.int64)
    size = 1  # above the largest value in `part`

    def append_level_group_to_weights() -> list[int]:
        return [weight * size + value for weight, value in zip(weights, part.tolist(), strict=True)]

    for radix, column in zip(compute_upper_cost_bound_of_each_level(graph, levels), levels.values(), strict=True):
        if (size * radix).bit_length() > _INT64_BITS:
            weights = append_level_group_to_weights()
            part, size = np.zeros_like(part), 1
        part = part * radix + column
        size *= radix
    return append_level_group_to_weights()


def solve_lightest_maximum_matching(
    graph: MatchingGraph, weights: list[int], pulse: Pulse = lambda: None
) -> list[int]:
    """Return the edges of the cheapest matching among the matchings with the most edges."""
    matched_edges: list[int] = []
    for component in _list_connected_components(graph):
        edges = component.tolist()
        if len(edges) > 1:
            nodes, ends = np.unique(
                np.stack([graph.first[component], graph.second[component]]), return_inverse=True
            )
            pairs = list(zip(*ends.reshape(2, -1).tolist(), strict=True))
            component_weights = [weights[edge] for edge in edges]
            if len(nodes) * len(edges) <= _MAX_SIZE_IN_PROCESS:
                matched_pairs = _find_lightest_maximum_matching(len(nodes), pairs, component_weights)
            else:
                matched_pairs = _find_matching_in_child_process(len(nodes), pairs, component_weights, pulse)
            edges = [edge for edge, pair in zip(edges, pairs, strict=True) if pair in matched_pairs]
        matched_edges += edges
    return sorted(matched_edges)


def _list_connected_components(graph: MatchingGraph) -> list[Ints]:
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


def _find_matching_in_child_process(
    nodes: int, ends: list[tuple[int, int]], weights: list[int], pulse: Pulse
) -> set[tuple[int, int]]:
    from multiprocessing import get_context  # noqa: PLC0415 - few pairings need a child process

    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_compute_and_send_matching, args=(sender, nodes, ends, weights), daemon=True)
    try:
        child.start()
        sender.close()
        while not receiver.poll(_PULSE_INTERVAL):
            pulse()
        answer: set[tuple[int, int]] = receiver.recv()
        return answer
    except (EOFError, OSError):  # no child process available, as under a script that starts work when imported
        return _find_lightest_maximum_matching(nodes, ends, weights)
    finally:
        if child.pid is not None:
            child.kill()
            child.join()
        receiver.close()


def _compute_and_send_matching(
    connection: Connection, nodes: int, ends: list[tuple[int, int]], weights: list[int]
) -> None:
    connection.send(_find_lightest_maximum_matching(nodes, ends, weights))


def _find_lightest_maximum_matching(
    nodes: int, ends: list[tuple[int, int]], weights: list[int]
) -> set[tuple[int, int]]:
    """Return the cheapest of the matchings with the most edges.

    First subtract half the weight of each node's lightest edge from all edges of the node, because the library
    then has less work. If no perfect matching exists, use the original weights.
    """
    lightest_weights = [max(weights)] * nodes
    for (first, second), weight in zip(ends, weights, strict=True):
        lightest_weights[first] = min(lightest_weights[first], weight)
        lightest_weights[second] = min(lightest_weights[second], weight)
    dual = [weight // 2 for weight in lightest_weights]
    reduced = [weight - dual[first] - dual[second] for (first, second), weight in zip(ends, weights, strict=True)]
    pairs = _find_lightest_matching_with_library(nodes, ends, reduced)
    return pairs if 2 * len(pairs) == nodes else _find_lightest_matching_with_library(nodes, ends, weights)


def _find_lightest_matching_with_library(
    nodes: int, ends: list[tuple[int, int]], weights: list[int]
) -> set[tuple[int, int]]:
    import rustworkx as rx  # noqa: PLC0415 - it brings NumPy, which a window opens without

    ceiling = max(weights)
    network = rx.PyGraph(multigraph=True)
    network.add_nodes_from(range(nodes))
    network.add_edges_from([(a, b, ceiling - weight) for (a, b), weight in zip(ends, weights, strict=True)])
    pairs = rx.max_weight_matching(
        network, max_cardinality=True, weight_fn=int, verify_optimum=nodes <= _MAX_NODES_TO_VERIFY
    )
    return {(min(pair), max(pair)) for pair in pairs}


Edges: TypeAlias = tuple[Ints, Ints]
# Returns the cost (at least 0) of each pair of positions, the higher one in the standings first. The number of
# entrants as second position is the bye.
Level: TypeAlias = Callable[[PairingFieldArrays, Ints, Ints], Ints]

_BLOCK_SIZE = 2**20  # edges


class MatchingProblem:
    """The players (nodes), legal pairs (edges) and criteria (levels) of one round.

    `order` contains the names of the criteria, the most important first. `system_levels` contains cost functions
    of the pairing system. They replace criteria of the same name. Only `bye_nodes` may have the bye (None: all).
    """

    def __init__(
        self,
        field: PairingField,
        positions: Ints,
        order: Sequence[str] = criteria.ORDER,
        system_levels: Mapping[str, Level] | None = None,
        bye_nodes: Ints | None = None,
    ) -> None:
        """Create the problem of the players at `positions` (at least one, ascending)."""
        self.columns = criteria.get_pairing_field_arrays(field)
        self.players = len(positions)
        # the position of each node
        self.positions = np.append(positions, self.columns.count) if len(positions) % 2 else positions
        self.order = criteria.adapt_criteria_if_club_evening(order, field)
        self._system_levels, self._bye_nodes = system_levels or {}, bye_nodes
        nodes = {field.entrants[position].player: node for node, position in enumerate(positions.tolist())}
        self._forbidden = criteria.convert_pairs_to_numbers(field.forbidden_pairs, nodes, self.players)

    @property
    def has_only_default_criteria(self) -> bool:
        return self.order == criteria.ORDER and not self._system_levels

    def compute_edge_costs_by_criterion(self, edges: Edges, names: Sequence[str] | None = None) -> dict[str, Ints]:
        """Return the cost of each edge by criterion. Criteria that the settings do not use are left out."""
        names = self.order if names is None else names
        upper, lower = self.positions[edges[0]], self.positions[edges[1]]
        criteria_names = [name for name in names if name not in self._system_levels]
        costs = criteria.compute_pair_costs_by_criterion(self.columns, upper, lower, order=criteria_names)
        for name in self._system_levels.keys() & set(names):
            costs[name] = self._system_levels[name](self.columns, upper, lower)
        return {name: costs[name] for name in names if name in costs}

    def build_graph(self, edges: Edges) -> MatchingGraph:
        return MatchingGraph(len(self.positions), *edges, self.compute_edge_costs_by_criterion(edges))

    def mark_legal_edges(self, first: Ints, second: Ints) -> Flags:
        is_bye = second == self.players
        is_legal: Flags = is_bye | ~np.isin(first * self.players + second, self._forbidden)
        return is_legal if self._bye_nodes is None else is_legal & (~is_bye | np.isin(first, self._bye_nodes))

    def list_all_edges(self) -> Edges:
        first, second = np.triu_indices(len(self.positions), 1)
        return self._keep_legal_edges(first.astype(np.int64), second.astype(np.int64))

    def list_edges_to_nearby_nodes(self, width: int) -> Edges:
        """Return each node's legal edges to nearby nodes, and to nodes near its ideal opponent.

        With `width` 8, nodes 16 to 24 are near node 20, and nodes 0 to 8 near node 0. If a node gets too few
        edges, double the width for all nodes.
        """
        nodes = np.arange(self.players)
        ideal = _find_ideal_opponents(self.columns, self.positions[: self.players])
        for factor in (1, 2, 4, 8):
            pairs = np.concatenate(
                [_list_nearby_pairs(nodes, centre, factor * width) for centre in (nodes, ideal)]
            )
            first, second = pairs.min(axis=1), pairs.max(axis=1)
            codes = sort_distinct_values(first[first != second] * self.players + second[first != second])
            edges = self._keep_legal_edges(codes // self.players, codes % self.players)
            if np.bincount(np.concatenate(edges), minlength=self.players).min() >= width // 2:
                break
        if self.players % 2:
            byes = self._keep_legal_edges(nodes, np.full(self.players, self.players))
            edges = np.append(edges[0], byes[0]), np.append(edges[1], byes[1])
        return edges

    def list_cheapest_edges(self, width: int) -> Edges:
        """Return the cheapest legal edges of each node.

        A node gets `width` edges to lower node numbers and `width` edges to higher node numbers.
        """
        count = len(self.positions)
        blocks = []
        for start in range(0, count, rows := max(1, _BLOCK_SIZE // count)):
            nodes = np.arange(start, min(count, start + rows))
            sources, targets = np.repeat(nodes, count), np.tile(np.arange(count), len(nodes))
            first, second = np.minimum(sources, targets), np.maximum(sources, targets)
            is_legal = (sources != targets) & self.mark_legal_edges(first, second)
            sources, targets = sources[is_legal], targets[is_legal]
            first, second = first[is_legal], second[is_legal]
            by_weight = np.lexsort(tuple(self.compute_edge_costs_by_criterion((first, second)).values())[::-1])
            side = (2 * sources + (targets > sources))[by_weight]
            by_side = np.argsort(side, kind="stable")
            side = side[by_side]
            rank = np.arange(len(side)) - np.searchsorted(side, side)
            cheapest_edges = by_weight[by_side][rank < width]
            blocks.append(first[cheapest_edges] * count + second[cheapest_edges])
        codes = sort_distinct_values(np.concatenate(blocks))
        return codes // count, codes % count

    def _keep_legal_edges(self, first: Ints, second: Ints) -> Edges:
        is_legal = self.mark_legal_edges(first, second)
        return first[is_legal], second[is_legal]


def _find_ideal_opponents(columns: PairingFieldArrays, positions: Ints) -> Ints:
    nodes = np.arange(len(positions))
    _, index, size = criteria.compute_score_group_arrays(columns.score[positions])
    start = nodes - index
    match columns.settings.style:
        case ScoreGroupPairing.SLIDE:
            opponents: Ints = start + np.where(2 * index < size, index + size // 2, index - size // 2)
            return opponents
        case ScoreGroupPairing.FOLD:
            return start + size - 1 - index
    return nodes


def _list_nearby_pairs(nodes: Ints, centre: Ints, width: int) -> Ints:
    width = min(width, len(nodes) - 1)
    start = np.clip(centre - width // 2, 0, len(nodes) - 1 - width)
    neighbours = start[:, None] + np.arange(width + 1)
    return np.stack([np.repeat(nodes, width + 1), neighbours.ravel()], axis=1)
