"""Finds the minimum-cost perfect matching of a large field from few edges, and proves that it is optimal.

Nodes are players, edges are legal pairs, and levels are criteria (see `matching`).

The proof is linear programming duality. Terms:

* Cut: the border between a score group and the next lower one. With an odd number of players above it, at least
  one edge of every perfect matching crosses the cut. In Edmonds' linear program, every odd set of nodes has
  this condition. The solver has this condition only for cuts. So a solution can be a fractional matching, in
  which the edges of some odd cycles count half.
* Dual variables: prices of nodes and of cuts.
* Reduced cost of an edge: its cost minus the prices of its two nodes and of the cuts that it crosses.
* Bound (dual objective): the sum of all prices. If no edge has a negative reduced cost, no perfect matching costs
  less than the bound. A matching that contains an edge costs at least the bound plus the edge's reduced cost.
* Gap: the cost of the best known matching minus the bound. With gap 0, that matching is optimal. An edge with a
  reduced cost above the gap occurs only in worse matchings.

The method is column generation with reduced-cost fixing:

1. Combine as many of the first levels as fit into one integer weight (`_CostLevelWeights`).
2. Solve the linear program on few edges, the active edges (`DualSolver`).
3. Compute the reduced costs of all edges (pricing). Make edges with a negative reduced cost active, and repeat
   steps 2 and 3 until there are none.
4. Round the fractional matching to a perfect matching. Drop the edges with a reduced cost above the gap.
5. Repeat steps 1 to 4 on the remaining edges until all levels are solved. The new weight combines the
   reduced cost (most important) with the next levels.

Without cuts, the linear program is an assignment problem on the double cover. This graph has two copies of each
node, a source and a target. Each source is assigned to one target. If A is assigned to B but B is not assigned
to A, the edge A-B counts half. Terms of its solver:

* Arc: an edge in one direction, from a source to a target. Each edge has two arcs.
* Residual graph: the possible changes of the assignment. Along a cycle, each source gets another target.
  To cancel a negative cycle means to make this change, which reduces the cost.

All numbers are integers, so the result is exact. Dual variables, reduced costs and gaps are doubled, so that
halves are integers. Sources: Edmonds 1965, "Maximum matching and a polyhedron with 0,1-vertices"; Schrijver 2003,
"Combinatorial Optimization", chapters 25 and 26.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from tdapp.pairing.arrays import Flags, Ints, np, sort_distinct_values
from tdapp.pairing.dual_solver import DualSolver, DualVariables
from tdapp.pairing.matching import (
    MAX_BITS,
    Edges,
    MatchingGraph,
    MatchingProblem,
    Pulse,
    combine_levels_into_edge_weights,
    compute_upper_cost_bound_of_each_level,
    solve_lightest_maximum_matching,
)

_MAX_CANDIDATES = 400_000  # edges; the solver needs a few seconds for them
_WEIGHT_BITS = 57  # of a combined weight: sums of four stay exact
_SCALE = 2  # units of a weight: half a weight is an integer
_ACTIVATED_EDGES = 16  # of each node, to lower and to higher nodes, in one pricing
_MAX_ITERATIONS = 20  # of pricing
_BLOCK_SIZE = 2**16  # edges
_BOUNDARY_NODES = 6  # at each end of a score group: their edges to other groups are active from the start
_CLASS_CRITERIA = frozenset({"guard", "score_difference", "bye", "floats", "starts"})
_FORBIDDEN_LEVEL = "forbidden"  # before all other levels: costs 1 for illegal edges of the first matching
_ROUNDING_EDGES = 3  # of each node, to lower and to higher nodes: nearly always enough
_LOT_BITS = 20  # of a pseudo-random tie-break: with many equal matchings, the library needs longer
_KEY_BITS = 62  # of a sort key
_HASH_MULTIPLIER = 2654435761  # index * multiplier puts indices in pseudo-random order (Knuth)


def find_proved_optimal_matching(problem: MatchingProblem, active: Edges, pulse: Pulse) -> Edges | None:
    """Return the minimum-cost perfect matching. Start with the legal edges `active`.

    Return None if no perfect matching exists, or if the proof exceeds its limits. If the callback `pulse` raises
    an exception, the search ends.
    """
    return _OptimalMatchingSearch(problem, pulse).find_matching(active)


# --- levels as one number


class _CostLevelWeights(Struct, frozen=True):
    """The factors that combine several levels into one number.

    A more important level always outweighs all less important levels together.
    """

    caps: Mapping[str, int]  # a cost above the cap of its level counts as the cap
    factors: Mapping[str, int]
    size: int  # greater than the weight of any matching, but at most 2**_WEIGHT_BITS

    def compute_capped_edge_weights(self, levels: Mapping[str, Ints], count: int) -> Ints:
        total = np.zeros(count, dtype=np.int64)
        for name, cap in self.caps.items():
            if cap and name in levels:
                total += self.factors[name] * np.minimum(levels[name], cap)
        return total

    def flag_edges_with_capped_cost(self, levels: Mapping[str, Ints], count: int) -> Flags:
        is_above = np.zeros(count, dtype=bool)
        for name, level in levels.items():
            is_above |= level > self.caps[name]
        return is_above

    def combine_level_sums(self, sums: Mapping[str, int]) -> int:
        return sum(sums[name] * factor for name, factor in self.factors.items())


_NO_LEVELS = _CostLevelWeights({}, {}, 1)


def _choose_cost_level_weights(
    levels: Mapping[str, Ints],
    count: int,
    max_earlier_weight: int,
    sums: Mapping[str, int],
    bits: int = _WEIGHT_BITS,
) -> _CostLevelWeights:
    """Return factors that combine an edge's costs in several levels into one weight of at most `bits` bits.

    Use as many levels as fit, the most important first. `count` is the number of nodes. Leave enough bits for the
    weight of all levels before `levels`, at most `max_earlier_weight`. `sums` has the highest cost of a whole
    matching by level.
    """
    caps = {name: 2 ** int(column.max()).bit_length() - 1 for name, column in levels.items()}
    radices = {name: 1 + sums.get(name, (1 if name == "bye" else count // 2) * cap) for name, cap in caps.items()}
    best = _NO_LEVELS
    for length in range(1, len(caps) + 1):
        names = list(caps)[:length]
        factors = {
            name: prod(radices[lower_name] for lower_name in names[index + 1 :])
            for index, name in enumerate(names)
        }
        size = prod(radices[name] for name in names)
        if (max_earlier_weight * size + sum(caps[name] * factors[name] for name in names)).bit_length() > bits:
            break
        best = _CostLevelWeights({name: caps[name] for name in names}, factors, min(size, 2**_WEIGHT_BITS))
    return best


# --- the proof


class _CandidateEdges(NamedTuple):
    first: Ints
    second: Ints
    weight: Ints
    active: Flags


class _PricedEdges(NamedTuple):
    first: Ints
    second: Ints
    reduced: Ints
    is_capped: Flags

    def select_edges(self, indices: Ints | Flags) -> _PricedEdges:
        return _PricedEdges(
            self.first[indices], self.second[indices], self.reduced[indices], self.is_capped[indices]
        )


def _concatenate_edges(blocks: Sequence[_PricedEdges]) -> _PricedEdges:
    first, second, reduced, is_capped = (np.concatenate(column) for column in zip(*blocks, strict=True))
    return _PricedEdges(first, second, reduced, is_capped)


class _OptimalMatchingSearch:
    def __init__(self, problem: MatchingProblem, pulse: Pulse) -> None:
        self._problem, self._pulse = problem, pulse
        self._count = len(problem.positions)
        score = problem.columns.score[problem.positions]
        self._group = np.unique(-score, return_inverse=True)[1]  # of each node, 0 the highest score
        self._cut_steps = np.append(np.diff(np.unique(-score)), 0) ** 2  # squared score difference across each cut
        self._mates = np.full(self._count, -1, dtype=np.int64)
        self._illegal = np.empty(0, dtype=np.int64)  # codes of the active edges that are not legal
        self._bits = _WEIGHT_BITS  # of the first levels
        self._gap = 0
        self._cuts = np.zeros(len(self._cut_steps), dtype=np.int64)  # dual variables of the level solved last
        self._total = 0  # weight of the matching by the candidates' weights

    def find_matching(self, active: Edges) -> Edges | None:
        candidates, names = self._solve_first_cost_levels(active)
        while candidates is not None and names:
            candidates, names = self._solve_next_cost_levels(candidates, names)
        if candidates is None or (self._gap and len(candidates.first) > _MAX_CANDIDATES):
            return None
        if self._gap:
            self._set_cheapest_matching((candidates.first, candidates.second), candidates.weight.tolist())
        return self._list_matched_edges()

    def _list_matched_edges(self) -> Edges:
        lower = np.flatnonzero(self._mates > np.arange(self._count))
        return lower, self._mates[lower]

    def _solve_first_cost_levels(self, active: Edges) -> tuple[_CandidateEdges | None, Sequence[str]]:
        active = self._merge_edges(
            active, self._list_edges_between_score_groups(), self._make_first_matching(active)
        )
        weights, sums, may_extend = _NO_LEVELS, dict[str, int](), True
        solver = self._make_solver(weights)
        for _ in range(_MAX_ITERATIONS):
            levels = self._compute_edge_costs_by_level(active)
            if (fitted := _choose_cost_level_weights(levels, self._count, 0, sums, self._bits)) != weights:
                weights, solver = fitted, self._make_solver(fitted)
            weight = _SCALE * weights.compute_capped_edge_weights(levels, len(active[0]))
            duals = solver.find_dual_variables(*active, weight)
            if duals is None:
                self._bits //= 2
                continue
            self._mates = solver.mates
            negative = [
                _select_cheapest_edges_of_each_node(block)
                for block in self._iterate_edges_up_to_reduced_cost(weights, duals, -1)
            ]
            if negative:
                worst_edges = _select_cheapest_edges_of_each_node(_concatenate_edges(negative))
                active = self._merge_edges(active, (worst_edges.first, worst_edges.second))
                continue
            self._set_matching_and_gap_from_solver(solver, active, weight, duals)
            level_sums = self._sum_matched_costs_by_level(levels, active)
            if level_sums.get(_FORBIDDEN_LEVEL):
                break
            sums = self._compute_cost_bounds_by_level(weights, level_sums)
            change = len(_choose_cost_level_weights(levels, self._count, 0, sums, self._bits).caps) - len(
                weights.caps
            )
            if change == 0 or (change > 0 and not may_extend):
                candidates, active = self._select_candidate_edges(active, weights, duals)
                if candidates is not None:
                    return candidates, [name for name in levels if name not in weights.caps]
            may_extend &= change >= 0  # with so many levels the gap is too wide: do not try them again
            self._cuts[:] = 0
        return None, ()

    def _solve_next_cost_levels(
        self, candidates: _CandidateEdges, names: Sequence[str]
    ) -> tuple[_CandidateEdges | None, Sequence[str]]:
        edges, active = (candidates.first, candidates.second), candidates.active
        levels = self._compute_edge_costs_by_level(edges, names)
        weights = _choose_cost_level_weights(levels, self._count, self._total, {})
        weight = _SCALE * (
            candidates.weight * weights.size + weights.compute_capped_edge_weights(levels, len(active))
        )
        if not weights.caps and len(active) <= _MAX_CANDIDATES:
            return self._solve_all_remaining_cost_levels(candidates, levels)
        solver = self._make_solver(weights)
        for _ in range(_MAX_ITERATIONS if weights.caps else 0):
            duals = solver.find_dual_variables(edges[0][active], edges[1][active], weight[active])
            if duals is None:
                break
            reduced = duals.compute_reduced_costs(*edges, weight)
            negative = np.flatnonzero(reduced < 0)
            if not len(negative):
                active_edges = edges[0][active], edges[1][active]
                self._set_matching_and_gap_from_solver(solver, active_edges, weight[active], duals)
                indices = np.flatnonzero(reduced <= self._gap)
                first, second = edges[0][indices], edges[1][indices]
                next_weight = self._compute_weights_with_cut_duals(first, second, reduced[indices])
                return _CandidateEdges(first, second, next_weight, active[indices]), names[len(weights.caps) :]
            cheapest_edges = _find_cheapest_edges_of_nodes(
                edges[0][negative], edges[1][negative], reduced[negative], _ACTIVATED_EDGES
            )
            active[negative[cheapest_edges]] = True
        return None, ()

    def _solve_all_remaining_cost_levels(
        self, candidates: _CandidateEdges, levels: Mapping[str, Ints]
    ) -> tuple[_CandidateEdges | None, Sequence[str]]:
        graph = MatchingGraph(self._count, candidates.first, candidates.second, levels)
        size = prod(compute_upper_cost_bound_of_each_level(graph, levels))
        if ((self._total + 1) * size).bit_length() > MAX_BITS:
            return None, ()
        combined = zip(candidates.weight.tolist(), combine_levels_into_edge_weights(graph, levels), strict=True)
        self._set_cheapest_matching(
            (candidates.first, candidates.second),
            [weight * size + level_weight for weight, level_weight in combined],
        )
        self._gap = 0
        return candidates, ()

    def _set_cheapest_matching(self, edges: Edges, weights: list[int]) -> None:
        self._mates = _find_lightest_matching(self._count, edges, weights, self._pulse)

    def _compute_edge_costs_by_level(self, edges: Edges, names: Sequence[str] | None = None) -> dict[str, Ints]:
        levels = {}
        if len(self._illegal) and names is None:
            levels[_FORBIDDEN_LEVEL] = np.isin(self._convert_edges_to_numbers(edges), self._illegal).astype(
                np.int64
            )
        return levels | self._problem.compute_edge_costs_by_criterion(edges, names)

    def _make_solver(self, weights: _CostLevelWeights) -> DualSolver:
        # a cut starts with its price after the solved levels, plus a weight for the squared score difference
        factor = weights.factors["score_difference"] if weights.caps.get("score_difference") else 0
        cut_duals = _SCALE * (factor * self._cut_steps + 2 * weights.size * self._cuts)
        return DualSolver(self._mates, self._group, cut_duals)

    def _set_matching_and_gap_from_solver(
        self, solver: DualSolver, edges: Edges, weight: Ints, duals: DualVariables
    ) -> None:
        self._mates, self._gap = _make_perfect_matching_from_fractional(
            solver.mates, edges, weight, duals, self._pulse
        )
        self._cuts = np.minimum(solver.cut_duals, self._gap + 1)
        self._total = self._gap + 2 * int(self._cuts.sum())

    def _compute_weights_with_cut_duals(self, first: Ints, second: Ints, reduced: Ints) -> Ints:
        cut_sums = np.append(0, np.cumsum(self._cuts))[self._group]
        weights: Ints = reduced + 2 * np.abs(cut_sums[first] - cut_sums[second])
        return weights

    def _select_candidate_edges(
        self, active: Edges, weights: _CostLevelWeights, duals: DualVariables
    ) -> tuple[_CandidateEdges | None, Edges]:
        """Return the edges that an optimal matching can contain (the candidates), and `active`.

        Candidates are the edges with a reduced cost of at most `self._gap`. `weights.caps` has a cost limit for
        each level. If some candidates exceed a limit, return (None, edges): the edges are `active` and the
        candidates that exceed a limit.
        """
        priced_edges = _concatenate_edges(list(self._iterate_edges_up_to_reduced_cost(weights, duals, self._gap)))
        edges = priced_edges.first, priced_edges.second
        if priced_edges.is_capped.any():
            return None, self._merge_edges(
                active, (priced_edges.first[priced_edges.is_capped], priced_edges.second[priced_edges.is_capped])
            )
        codes, active_codes = self._convert_edges_to_numbers(edges), self._convert_edges_to_numbers(active)
        is_active = active_codes[np.minimum(np.searchsorted(active_codes, codes), len(active_codes) - 1)] == codes
        return _CandidateEdges(
            *edges, self._compute_weights_with_cut_duals(*edges, priced_edges.reduced), is_active
        ), active

    def _sum_matched_costs_by_level(self, levels: Mapping[str, Ints], edges: Edges) -> dict[str, int]:
        matched = self._mates[edges[0]] == edges[1]
        return {name: int(level[matched].sum()) for name, level in levels.items()}

    def _compute_cost_bounds_by_level(
        self, weights: _CostLevelWeights, level_sums: Mapping[str, int]
    ) -> dict[str, int]:
        total = weights.combine_level_sums(level_sums)
        lower_bound = total - self._gap // (2 * _SCALE)
        sums = {}
        for name, factor in weights.factors.items():
            sums[name] = level_sums[name]
            if total // factor != lower_bound // factor:
                break
        return sums

    def _list_edges_between_score_groups(self) -> Edges:
        rank_in_group = self._problem.columns.index_in_group[self._problem.positions]
        ordered = np.lexsort((rank_in_group, self._group))
        counts = np.bincount(self._group)
        index = np.arange(self._count) - np.repeat(np.cumsum(counts) - counts, counts)
        last_nodes, first_nodes = (
            ordered[index >= counts[self._group[ordered]] - _BOUNDARY_NODES],
            ordered[index < _BOUNDARY_NODES],
        )
        upper, lower = np.repeat(last_nodes, len(first_nodes)), np.tile(first_nodes, len(last_nodes))
        is_below = self._group[upper] < self._group[lower]
        edges = np.minimum(upper, lower)[is_below], np.maximum(upper, lower)[is_below]
        is_legal = self._problem.mark_legal_edges(*edges)
        return edges[0][is_legal], edges[1][is_legal]

    def _make_first_matching(self, edges: Edges) -> Edges:
        levels = self._compute_edge_costs_by_level(edges)
        self._mates = _match_greedily(self._count, *edges, np.lexsort(tuple(levels.values())[::-1]))
        unmatched_nodes = np.flatnonzero(self._mates < 0)
        self._mates[unmatched_nodes] = unmatched_nodes.reshape(-1, 2)[:, ::-1].ravel()
        matched_edges = self._list_matched_edges()
        self._illegal = self._convert_edges_to_numbers(matched_edges)[
            ~self._problem.mark_legal_edges(*matched_edges)
        ]
        return matched_edges

    def _iterate_edges_up_to_reduced_cost(
        self, weights: _CostLevelWeights, duals: DualVariables, limit: int
    ) -> Iterator[_PricedEdges]:
        edge_criteria = [name for name in weights.caps if name not in {*_CLASS_CRITERIA, _FORBIDDEN_LEVEL}]
        edge_criteria.sort(key="style".__ne__)
        for block in self._iterate_cheap_edges_by_node_class(weights, duals, limit):
            edges = block
            for name in edge_criteria:
                level = self._problem.compute_edge_costs_by_criterion((edges.first, edges.second), (name,))[name]
                reduced = edges.reduced + 2 * _SCALE * weights.compute_capped_edge_weights(
                    {name: level}, len(level)
                )
                is_capped = edges.is_capped | (level > weights.caps[name])
                edges = _PricedEdges(edges.first, edges.second, reduced, is_capped).select_edges(reduced <= limit)
            is_legal = self._problem.mark_legal_edges(edges.first, edges.second)
            if is_legal.any():
                yield edges.select_edges(is_legal)

    def _iterate_cheap_edges_by_node_class(
        self, weights: _CostLevelWeights, duals: DualVariables, limit: int
    ) -> Iterator[_PricedEdges]:
        """Yield, in blocks, the edges with a reduced cost (cost minus dual variables) of at most `limit`.

        Only costs in _CLASS_CRITERIA count here. Nodes with equal values for these criteria form a class.
        """
        label, dual = self._compute_label_of_each_node(), duals.node_duals
        order = np.lexsort((-dual, label))
        count = int(label.max()) + 1
        starts = np.searchsorted(label[order], np.arange(count + 1))
        best_nodes = order[starts[:-1]]  # of each class, the node with the greatest dual variable
        rows = max(1, 2**16 // count)
        blocks: list[_PricedEdges] = []
        pending_count = 0
        for start in range(0, count, rows):
            class_block = np.arange(start, min(count, start + rows))
            for pair_costs, is_pair_capped, class_number in zip(
                *self._compute_costs_between_node_classes(weights, duals, best_nodes[class_block], best_nodes),
                class_block.tolist(),
                strict=True,
            ):
                members = order[starts[class_number] : starts[class_number + 1]]
                near_classes = np.flatnonzero(
                    pair_costs[: class_number + 1] - limit
                    <= dual[best_nodes[: class_number + 1]] + dual[members[0]]
                )
                for other_nodes in _iterate_class_members_in_blocks(
                    order, starts, near_classes, max(1, _BLOCK_SIZE // len(members))
                ):
                    reduced = pair_costs[label[other_nodes]] - dual[other_nodes]
                    counts = np.searchsorted(-dual[members], limit - reduced, side="right")
                    second = members[np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)]
                    first, reduced = np.repeat(other_nodes, counts), np.repeat(reduced, counts) - dual[second]
                    is_capped = np.repeat(is_pair_capped[label[other_nodes]], counts)
                    lower, higher = np.minimum(first, second), np.maximum(first, second)
                    priced_edges = _PricedEdges(lower, higher, reduced, is_capped)
                    if label[other_nodes[-1]] == class_number:
                        priced_edges = priced_edges.select_edges((label[first] != class_number) | (first < second))
                    blocks.append(priced_edges)
                    pending_count += len(priced_edges.first)
                    if pending_count > _BLOCK_SIZE:
                        yield _concatenate_edges(blocks)
                        blocks, pending_count = [], 0
        if blocks:
            yield _concatenate_edges(blocks)

    def _compute_costs_between_node_classes(
        self, weights: _CostLevelWeights, duals: DualVariables, block_nodes: Ints, class_nodes: Ints
    ) -> tuple[Ints, Flags]:
        shape = len(block_nodes), len(class_nodes)
        first, second = np.repeat(block_nodes, len(class_nodes)), np.tile(class_nodes, len(block_nodes))
        upper, lower = np.minimum(first, second), np.maximum(first, second)
        names = [name for name in weights.caps if name in _CLASS_CRITERIA]
        levels = self._problem.compute_edge_costs_by_criterion((upper, lower), names)
        cut_costs = np.abs(duals.cut_duals_above[upper] - duals.cut_duals_above[lower])
        table: Ints = 2 * (_SCALE * weights.compute_capped_edge_weights(levels, len(upper)) - cut_costs)
        return table.reshape(shape), weights.flag_edges_with_capped_cost(levels, len(upper)).reshape(shape)

    def _compute_label_of_each_node(self) -> Ints:
        code = np.zeros(self._count, dtype=np.int64)
        columns = self._problem.columns
        for column in (columns.score, columns.score_group, columns.start_balance, *columns.floats):
            values, value_index = np.unique(column[self._problem.positions], return_inverse=True)
            code = code * len(values) + value_index
        return np.unique(code, return_inverse=True)[1]

    def _convert_edges_to_numbers(self, edges: Edges) -> Ints:
        return edges[0] * self._count + edges[1]

    def _merge_edges(self, *edge_sets: Edges) -> Edges:
        codes = sort_distinct_values(
            np.concatenate([self._convert_edges_to_numbers(edges) for edges in edge_sets])
        )
        return codes // self._count, codes % self._count


def _match_greedily(count: int, first: Ints, second: Ints, order: Ints) -> Ints:
    mates = np.full(count, -1, dtype=np.int64)
    first, second = first[order], second[order]
    while len(first):
        index = np.arange(len(first))
        best = np.full(count, len(first), dtype=np.int64)
        np.minimum.at(best, first, index)
        np.minimum.at(best, second, index)
        is_matched = (best[first] == index) & (best[second] == index)
        mates[first[is_matched]], mates[second[is_matched]] = second[is_matched], first[is_matched]
        is_unmatched = (mates[first] < 0) & (mates[second] < 0)
        first, second = first[is_unmatched], second[is_unmatched]
    return mates


def _iterate_class_members_in_blocks(order: Ints, starts: Ints, classes: Ints, block_size: int) -> Iterator[Ints]:
    counts = starts[classes + 1] - starts[classes]
    indices = np.arange(int(counts.sum())) + np.repeat(starts[classes] - np.cumsum(counts) + counts, counts)
    for start in range(0, len(indices), block_size):
        yield order[indices[start : start + block_size]]


def _select_cheapest_edges_of_each_node(priced_edges: _PricedEdges) -> _PricedEdges:
    return priced_edges.select_edges(
        _find_cheapest_edges_of_nodes(
            priced_edges.first, priced_edges.second, priced_edges.reduced, _ACTIVATED_EDGES
        )
    )


def _find_cheapest_edges_of_nodes(first: Ints, second: Ints, reduced: Ints, edges_per_node: int) -> Ints:
    """Return the indices of each node's edges with the lowest reduced costs.

    Select about `edges_per_node` edges to higher node numbers, and as many to lower numbers.
    """
    if not len(reduced):
        return np.empty(0, dtype=np.int64)
    bits = len(reduced).bit_length()
    lots = np.arange(len(reduced)) * _HASH_MULTIPLIER % 2**bits
    index_of = np.empty(2**bits, dtype=np.int64)
    index_of[lots] = np.arange(len(reduced))
    excess = reduced - reduced.min()
    excess_bits = _KEY_BITS - bits - int(second.max()).bit_length()
    excess >>= max(0, int(excess.max()).bit_length() - excess_bits)
    is_selected = np.zeros(len(reduced), dtype=bool)
    for ends in (first, second):
        keys = np.sort((((ends << excess_bits) + excess) << bits) + lots)
        counts = np.bincount(ends)
        starts = np.repeat(np.cumsum(counts) - counts, counts)
        is_selected[index_of[keys[np.arange(len(reduced)) - starts < edges_per_node] % 2**bits]] = True
    return np.flatnonzero(is_selected)


# --- from a fractional matching to a perfect one


def _make_perfect_matching_from_fractional(
    fractional: Ints, edges: Edges, weight: Ints, duals: DualVariables, pulse: Pulse
) -> tuple[Ints, int]:
    """Return each node's mate in a cheap perfect matching, and the gap of this matching.

    The gap is `2 * (weight of the matching) - duals.dual_bound`.

    The `fractional` matching [1, 0, 3, 4, 2] pairs nodes 0 and 1. Nodes 2, 3 and 4 form a cycle.
    """
    first, second = edges
    reduced = duals.compute_reduced_costs(first, second, weight)
    node_costs = duals.compute_reduced_costs_without_cuts(first, second, weight)
    lots = np.arange(len(reduced)) * _HASH_MULTIPLIER % 2**_LOT_BITS

    def count_unmatched_and_duality_gap(mates: Ints) -> tuple[int, int]:
        return int((mates < 0).sum()), int(
            sum(node_costs[mates[first] == second].tolist())
        ) - duals.cut_part_of_dual_bound

    def match_nodes_again(edge_indices: Ints) -> tuple[tuple[int, int], Ints]:
        costs = zip(node_costs[edge_indices].tolist(), lots[edge_indices].tolist(), strict=True)
        weights = [(cost << 2 * _LOT_BITS) + lot for cost, lot in costs]
        mates = _find_lightest_matching(
            len(fractional), (first[edge_indices], second[edge_indices]), weights, pulse
        )
        return count_unmatched_and_duality_gap(mates), mates

    few_edges = np.flatnonzero((fractional[first] == second) | (fractional[second] == first))
    within_groups, across_cuts = np.flatnonzero(node_costs == reduced), np.flatnonzero(node_costs > reduced)
    for indices in (within_groups, across_cuts):
        cheapest = _find_cheapest_edges_of_nodes(
            first[indices], second[indices], reduced[indices], _ROUNDING_EDGES
        )
        few_edges = np.union1d(few_edges, indices[cheapest])
    mates = _match_even_cycles(fractional)
    best = count_unmatched_and_duality_gap(mates), mates
    # odd cycles leave nodes without a mate, even cycles can leave a gap
    if best[0] > (0, 0):
        best = min(best, match_nodes_again(few_edges), key=itemgetter(0))
    # the few edges contain no perfect matching
    if best[0][0]:
        best = match_nodes_again(np.arange(len(reduced)))
    return best[1], best[0][1]


def _match_even_cycles(fractional: Ints) -> Ints:
    mates = fractional.copy()
    cycle_nodes = np.flatnonzero(fractional[fractional] != np.arange(len(fractional)))
    seen: set[int] = set()
    for start in cycle_nodes.tolist():
        node, cycle = start, []
        while node not in seen:
            seen.add(node)
            cycle.append(node)
            node = int(fractional[node])
        if len(cycle) % 2:
            mates[cycle] = -1
        else:
            mates[cycle[1::2]] = cycle[::2]
            mates[cycle[::2]] = cycle[1::2]
    return mates


def _find_lightest_matching(count: int, edges: Edges, weights: list[int], pulse: Pulse) -> Ints:
    matched_edges = solve_lightest_maximum_matching(MatchingGraph(count, *edges, {}), weights, pulse)
    mates = np.full(count, -1, dtype=np.int64)
    mates[edges[0][matched_edges]], mates[edges[1][matched_edges]] = (
        edges[1][matched_edges],
        edges[0][matched_edges],
    )
    return mates
