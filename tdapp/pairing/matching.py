"""Finds the minimum-weight perfect matching of a graph whose weights have several levels.

Players are nodes, legal pairs are edges, criteria are levels. Nodes are numbered from 0 in the order of the
positions to pair. If their number is odd, one more node is the bye. Edges are two arrays of nodes, with the lower
node of each edge in the first array.

The levels are combined into one integer weight of at most 120 bits for each edge, in mixed radix. The library
rustworkx is exact up to 125 bits; from 127 its result can be wrong without an error. If more bits are needed, the
last levels lose precision, and the solution reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from tdapp.domain.pairing_settings import PairingStyle
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, np, sort_unique
from tdapp.pairing.criteria import FieldColumns
from tdapp.pairing.field import PairingField

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Pulse: TypeAlias = Callable[[], None]

MOST_BITS = 120
_INT64_BITS = 62
# Nodes times edges, about half a second; above in a child process, because the library holds the interpreter.
_INSIDE_UP_TO = 40_000_000
_PULSE = 0.1  # seconds between two pulses
_VERIFIED_UP_TO = 200  # nodes; the library's own check of the optimum adds a third


class MatchingGraph(Struct, frozen=True):
    """The graph of legal pairs with their costs. Edge e joins first[e] and second[e]."""

    nodes: int
    first: Ints
    second: Ints
    levels: Mapping[str, Ints]  # costs of the edges by criterion, the most important first


class MatchingSolution(Struct, frozen=True):
    """The chosen edges of a graph."""

    edges: tuple[int, ...]  # in ascending order
    reduced_levels: tuple[str, ...]  # in precision
    is_perfect: bool  # all nodes are matched


def solve_matching(graph: MatchingGraph, pulse: Pulse = lambda: None) -> MatchingSolution:
    """Return the minimum-weight perfect matching. If none exists, return the lightest one with the most edges.

    Large problems are solved in a child process; `pulse` is called every 0.1 s, and its exception ends the
    child.
    """
    levels, coarse = fit_levels_into_bits(graph)
    edges = solve_lightest_matching(graph, combine_levels(graph, levels), pulse)
    return MatchingSolution(tuple(edges), coarse, is_perfect=2 * len(edges) == graph.nodes)


def fit_levels_into_bits(graph: MatchingGraph) -> tuple[dict[str, Ints], tuple[str, ...]]:
    """Return levels that fit into MOST_BITS bits together, and the names of those with reduced precision.

    First the level `chance` loses four bits, then `style` loses as many as needed. At last the costs of
    `repeats` are limited to a maximum, which falls in each step.
    """
    levels = dict(graph.levels)
    coarse: list[str] = []

    def do_levels_fit() -> bool:
        return prod(compute_radices(graph, levels)).bit_length() <= MOST_BITS

    def reduce_level(name: str, times: int, value: Ints) -> None:
        levels[name] = value
        if times == 0:
            coarse.append(name)

    if not do_levels_fit() and "chance" in levels:
        reduce_level("chance", 0, levels["chance"] >> 4)
    for times in range(_INT64_BITS):
        if do_levels_fit() or not levels.get("style", np.zeros(1)).any():
            break
        reduce_level("style", times, levels["style"] >> 1)
    for times in range(_INT64_BITS):
        if do_levels_fit() or "repeats" not in levels:
            break
        reduce_level("repeats", times, np.minimum(levels["repeats"], int(levels["repeats"].max()) // 2))
    return levels, tuple(coarse)


def compute_radices(graph: MatchingGraph, levels: Mapping[str, Ints]) -> list[int]:
    """Return for each level a number greater than the sum of its costs in any matching.

    It is half the sum of the highest costs of all nodes, plus one: much less than nodes x highest cost.
    """
    found = []
    for column in levels.values():
        most = np.zeros(graph.nodes, dtype=np.int64)
        np.maximum.at(most, graph.first, column)
        np.maximum.at(most, graph.second, column)
        found.append(int(most.sum()) // 2 + 1)
    return found


def combine_levels(graph: MatchingGraph, levels: Mapping[str, Ints]) -> list[int]:
    """Return one integer for each edge. Sums of these integers compare like the sums of the levels in order."""
    weights = [0] * len(graph.first)
    part = np.zeros(len(graph.first), dtype=np.int64)
    size = 1  # above the largest value in `part`

    def append_combined_part() -> list[int]:
        return [weight * size + value for weight, value in zip(weights, part.tolist(), strict=True)]

    for radix, column in zip(compute_radices(graph, levels), levels.values(), strict=True):
        if (size * radix).bit_length() > _INT64_BITS:
            weights = append_combined_part()
            part, size = np.zeros_like(part), 1
        part = part * radix + column
        size *= radix
    return append_combined_part()


def solve_lightest_matching(graph: MatchingGraph, weights: list[int], pulse: Pulse = lambda: None) -> list[int]:
    """Return the edges of the lightest among the matchings with the most edges. Each component is solved alone."""
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
                chosen = _match_in_child_process(len(numbers), pairs, mine, pulse)
            edges = [edge for edge, pair in zip(edges, pairs, strict=True) if pair in chosen]
        found += edges
    return sorted(found)


def _list_components(graph: MatchingGraph) -> list[Ints]:
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


def _match_in_child_process(
    nodes: int, ends: list[tuple[int, int]], weights: list[int], pulse: Pulse
) -> set[tuple[int, int]]:
    from multiprocessing import get_context  # noqa: PLC0415 - few pairings need a child process

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


def _send_matching(connection: Connection, nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> None:
    connection.send(_find_lightest_matching(nodes, ends, weights))


def _find_lightest_matching(nodes: int, ends: list[tuple[int, int]], weights: list[int]) -> set[tuple[int, int]]:
    """Return the lightest matching with the most edges.

    First, half the weight of each node's lightest edge is subtracted from all its edges. This changes all
    perfect matchings by the same amount, and saves the library work. Without a perfect matching, the original
    weights are used.
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


Edges: TypeAlias = tuple[Ints, Ints]
# A level of a pairing system: the cost (at least 0) of each pair of positions, the better placed first. The number
# of entrants as second position is the bye.
Level: TypeAlias = Callable[[FieldColumns, Ints, Ints], Ints]

_BLOCK = 2**20  # edges compared at a time


class MatchingProblem:
    """The players (nodes), legal pairs (edges) and criteria (levels) of one round.

    `order` contains the names of the levels, the most important first. `own` contains level functions of the
    pairing system, which replace criteria of the same name. Only `bye_nodes` may have the bye (None: all).
    """

    def __init__(
        self,
        field: PairingField,
        free: Ints,
        order: Sequence[str] = criteria.ORDER,
        own: Mapping[str, Level] | None = None,
        bye_nodes: Ints | None = None,
    ) -> None:
        """Create the problem. `free` are the positions to pair, in ascending order, at least one."""
        self.columns = criteria.get_field_columns(field)
        self.players = len(free)
        self.positions = np.append(free, self.columns.count) if len(free) % 2 else free  # of each node
        self.order, self._own, self._bye_nodes = criteria.adapt_criteria_order(order, field), own or {}, bye_nodes
        nodes = {field.entrants[position].player: node for node, position in enumerate(free.tolist())}
        self._forbidden = criteria.encode_pairs(field.forbidden, nodes, self.players)

    @property
    def has_criteria_only(self) -> bool:
        return self.order == criteria.ORDER and not self._own

    def compute_levels(self, edges: Edges, names: Sequence[str] | None = None) -> dict[str, Ints]:
        """Return the cost of each edge by criterion. Criteria that the settings do not use are left out."""
        names = self.order if names is None else names
        upper, lower = self.positions[edges[0]], self.positions[edges[1]]
        known = [name for name in names if name not in self._own]
        found = criteria.compute_costs(self.columns, upper, lower, order=known)
        found |= {name: self._own[name](self.columns, upper, lower) for name in names if name in self._own}
        return {name: found[name] for name in names if name in found}

    def build_graph(self, edges: Edges) -> MatchingGraph:
        return MatchingGraph(len(self.positions), *edges, self.compute_levels(edges))

    def mark_legal_edges(self, first: Ints, second: Ints) -> Flags:
        is_bye = second == self.players
        found: Flags = is_bye | ~np.isin(first * self.players + second, self._forbidden)
        return found if self._bye_nodes is None else found & (~is_bye | np.isin(first, self._bye_nodes))

    def list_all_edges(self) -> Edges:
        first, second = np.triu_indices(len(self.positions), 1)
        return self._keep_legal_edges(first.astype(np.int64), second.astype(np.int64))

    def list_nearest_edges(self, width: int) -> Edges:
        """Return legal edges from each node to nodes near its rank, and to nodes near its ideal opponent.

        `width` nodes near its rank are tried, and `width` nodes near its ideal opponent. The pairing style
        determines the ideal opponent in the score group. If any node gets fewer legal edges than half of
        `width`, twice as many nodes are tried for all, then 4 and 8 times as many.
        """
        own = np.arange(self.players)
        ideal = _find_ideal_opponents(self.columns, self.positions[: self.players])
        for factor in (1, 2, 4, 8):
            pairs = np.concatenate([_list_nearby_pairs(own, centre, factor * width) for centre in (own, ideal)])
            low, high = pairs.min(axis=1), pairs.max(axis=1)
            codes = sort_unique(low[low != high] * self.players + high[low != high])
            found = self._keep_legal_edges(codes // self.players, codes % self.players)
            if np.bincount(np.concatenate(found), minlength=self.players).min() >= width // 2:
                break
        if self.players % 2:
            byes = self._keep_legal_edges(own, np.full(self.players, self.players))
            found = np.append(found[0], byes[0]), np.append(found[1], byes[1])
        return found

    def list_cheapest_edges(self, width: int) -> Edges:
        """Return for each node the `width` cheapest legal edges to lower nodes, and as many to higher nodes."""
        count = len(self.positions)
        found = []
        for start in range(0, count, rows := max(1, _BLOCK // count)):
            nodes = np.arange(start, min(count, start + rows))
            own, other = np.repeat(nodes, count), np.tile(np.arange(count), len(nodes))
            first, second = np.minimum(own, other), np.maximum(own, other)
            legal = (own != other) & self.mark_legal_edges(first, second)
            own, other, first, second = own[legal], other[legal], first[legal], second[legal]
            by_weight = np.lexsort(tuple(self.compute_levels((first, second)).values())[::-1])
            side = (2 * own + (other > own))[by_weight]
            by_side = np.argsort(side, kind="stable")
            side = side[by_side]
            rank = np.arange(len(side)) - np.searchsorted(side, side)
            kept = by_weight[by_side][rank < width]
            found.append(first[kept] * count + second[kept])
        codes = sort_unique(np.concatenate(found))
        return codes // count, codes % count

    def _keep_legal_edges(self, first: Ints, second: Ints) -> Edges:
        legal = self.mark_legal_edges(first, second)
        return first[legal], second[legal]


def _find_ideal_opponents(columns: FieldColumns, free: Ints) -> Ints:
    own = np.arange(len(free))
    _, place, size = criteria.assign_score_groups(columns.score[free])
    start = own - place
    match columns.settings.style:
        case PairingStyle.SLIDE:
            found: Ints = start + np.where(2 * place < size, place + size // 2, place - size // 2)
            return found
        case PairingStyle.FOLD:
            return start + size - 1 - place
    return own


def _list_nearby_pairs(nodes: Ints, centre: Ints, width: int) -> Ints:
    width = min(width, len(nodes) - 1)
    start = np.clip(centre - width // 2, 0, len(nodes) - 1 - width)
    others = start[:, None] + np.arange(width + 1)
    return np.stack([np.repeat(nodes, width + 1), others.ravel()], axis=1)
