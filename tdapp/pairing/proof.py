"""Finds the minimum-weight perfect matching of a large field from few of its edges. Dual variables prove it.

Nodes are players, edges are legal pairs. Their costs have several levels: one for each criterion, the most
important first. The method is column generation with reduced-cost fixing on Edmonds' linear program:

1. Combine as many of the first levels as fit into one integer weight (`_LevelWeights`).
2. Solve the linear program without blossom constraints on few active edges (`_DualSolver`). It is then an
   assignment problem on the double cover, solved by cancelling negative cycles. The only blossom constraints used
   are cuts between score groups: with an odd number of players above a cut, at least one edge crosses it.
3. Price all edges: those with a negative reduced cost become active. Repeat steps 2 and 3 until there are none.
   The dual objective is then a lower bound. Nodes with equal criteria are priced together.
4. Round the fractional matching to a perfect one (`_round_to_perfect_matching`). Its distance from the bound is
   the gap. Drop edges with a greater reduced cost than the gap.
5. Solve the next levels in the same way on the remaining edges, with the reduced cost as first level.

Terms, for readers who do not know linear programming:

* Perfect matching: a set of edges that contains each node exactly once, so a pairing of all players.
* Linear program: a search for numbers that minimise a sum and satisfy linear inequalities. Here each edge has a
  number: 1 if it is in the matching, 0 if not. The numbers of the edges of each node add up to 1.
* Fractional matching: a solution in which an edge may also have the number 1/2. Such edges form odd cycles, for
  example three players each of whom is half paired with both others.
* Blossom constraint: an inequality that forbids such an odd cycle. At least one edge must leave the cycle's nodes.
* Double cover: a graph with two copies of each node, a source and a target. Each source is assigned to one target.
  If A is assigned to B but B is not assigned to A, the edge A-B counts half.
* Arc: an edge in one direction, from a source to a target. Each edge has two arcs.
* Residual graph: the possible changes of an assignment. A cycle in it gives each of its sources another target. If
  the cycle is negative, the change makes the assignment cheaper. "Cancelling" a cycle makes the change.
* Dual variable: a price of a node or a cut. The prices are chosen so that no edge costs less than the prices that
  apply to it. A perfect matching then cannot cost less than the sum of all prices (the dual objective).
* Reduced cost: the cost of an edge minus the prices that apply to it. A matching that contains the edge costs at
  least that much more than the bound. A negative reduced cost shows that the prices do not yet allow for the edge.
* Pricing: the computation of reduced costs.
* Column generation: solving with few edges (the active edges) and adding edges when pricing finds them too cheap.
* Gap: the weight of the best matching found minus the bound. An edge with a greater reduced cost is in no better
  matching. Reduced-cost fixing removes such edges.
* Cut: the border between a score group and the next lower one. An edge crosses the cut if it connects a player
  above it with a player below it.

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

from tdapp.pairing.arrays import Flags, Ints, np, sort_unique
from tdapp.pairing.matching import (
    MOST_BITS,
    Edges,
    MatchingGraph,
    MatchingProblem,
    Pulse,
    combine_levels,
    compute_radices,
    solve_lightest_matching,
)

_MOST_CANDIDATES = 400_000  # edges that the solver takes in a few seconds
_WEIGHT_BITS = 57  # of a combined weight; sums of four are exact
_SCALE = 2  # units of a weight, so that its half is an integer
_ADDED = 16  # edges of each node and side that become active at a time
_ITERATIONS = 20  # of pricing
_BLOCK = 2**16  # edges priced together
_BOUNDARY = 6  # nodes at either end of a score group whose edges to other groups are active from the start
_SHARED = frozenset({"guard", "score_difference", "bye", "floats", "starts"})  # criteria equal within a class
_FORBIDDEN = "forbidden"  # the first level of all: edges of the first matching that are not legal

_MOST_SWEEPS = 4000  # of dual variables, each about 0.25 ms per 1,000 players
_MOST_CUT_CHANGES = 24  # of each cut in one solution
_BOTH_WAYS = 2  # arcs of an edge
_ALL_ARCS_FROM = 4  # one in so many changed nodes: all arcs are relaxed, not only those from changed nodes
_SPARSE_SWEEPS = 16  # sweeps with few changed nodes between two searches for cycles
_MOST_DUAL = 2**60  # no dual variable comes near; above, sums are not exact

_KEPT_TO_ROUND = 3  # edges of each node and side that nearly always are enough to round
_LOT_BITS = 20  # of a pseudo-random tie-break that spares the solver a search among equals
_KEY_BITS = 62  # of a sort key
_MIXER = 2654435761  # multiplied by it, indices come in pseudo-random order (Knuth's multiplicative hash)


def find_proved_matching(problem: MatchingProblem, active: Edges, pulse: Pulse) -> Edges | None:
    """Return the minimum-weight perfect matching, starting with the legal edges `active`.

    Return None if no perfect matching exists or the proof exceeds its limits. Exceptions of `pulse` end the
    search.
    """
    return _ProofSearch(problem, pulse).find_matching(active)


# --- levels as one number


class _LevelWeights(Struct, frozen=True):
    """Several levels combined into one number in mixed radix, like hours, minutes and seconds.

    A more important level always outweighs all less important ones together. A cost above its level's cap
    counts as the cap.
    """

    caps: Mapping[str, int]  # a cost above the cap of its level counts as the cap
    factors: Mapping[str, int]
    size: int  # above the sum of a matching; less if no other level comes before these

    def combine(self, levels: Mapping[str, Ints], count: int) -> Ints:
        total = np.zeros(count, dtype=np.int64)
        for name, cap in self.caps.items():
            if cap and name in levels:
                total += self.factors[name] * np.minimum(levels[name], cap)
        return total

    def find_edges_above_cap(self, levels: Mapping[str, Ints], count: int) -> Flags:
        found = np.zeros(count, dtype=bool)
        for name, level in levels.items():
            found |= level > self.caps[name]
        return found

    def combine_sums(self, sums: Mapping[str, int]) -> int:
        return sum(sums[name] * factor for name, factor in self.factors.items())


_NO_LEVELS = _LevelWeights({}, {}, 1)


def _choose_level_weights(
    levels: Mapping[str, Ints], count: int, gap: int, sums: Mapping[str, int], bits: int = _WEIGHT_BITS
) -> _LevelWeights:
    """Return weights that combine as many of the first levels as fit into `bits` bits.

    `gap` is the optimality gap of the levels solved before. `sums` are known upper bounds of the optimum, by
    level.
    """
    caps = {name: 2 ** int(column.max()).bit_length() - 1 for name, column in levels.items()}
    radix = {name: 1 + sums.get(name, (1 if name == "bye" else count // 2) * high) for name, high in caps.items()}
    best = _NO_LEVELS
    for length in range(1, len(caps) + 1):
        names = list(caps)[:length]
        factors = {name: prod(radix[lower] for lower in names[at + 1 :]) for at, name in enumerate(names)}
        size = prod(radix[name] for name in names)
        if (gap * size + sum(caps[name] * factors[name] for name in names)).bit_length() > bits:
            break
        best = _LevelWeights({name: caps[name] for name in names}, factors, min(size, 2**_WEIGHT_BITS))
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
    capped: Flags

    def select(self, indices: Ints | Flags) -> _PricedEdges:
        return _PricedEdges(self.first[indices], self.second[indices], self.reduced[indices], self.capped[indices])


def _join_blocks(blocks: Sequence[_PricedEdges]) -> _PricedEdges:
    first, second, reduced, capped = (np.concatenate(column) for column in zip(*blocks, strict=True))
    return _PricedEdges(first, second, reduced, capped)


class _ProofSearch:
    def __init__(self, problem: MatchingProblem, pulse: Pulse) -> None:
        self._problem, self._pulse = problem, pulse
        self._count = len(problem.positions)
        score = problem.columns.score[problem.positions]
        self._group = np.unique(-score, return_inverse=True)[1]  # of each node, 0 the highest score
        self._cut_steps = np.append(np.diff(np.unique(-score)), 0) ** 2  # score difference across each cut
        self._mates = np.full(self._count, -1, dtype=np.int64)
        self._illegal = np.empty(0, dtype=np.int64)  # codes of the active edges that are not legal
        self._bits = _WEIGHT_BITS  # of the first levels
        self._gap = 0
        self._cuts = np.zeros(len(self._cut_steps), dtype=np.int64)  # dual variables of the level solved last
        self._total = 0  # weight of the matching by the candidates' weights

    def find_matching(self, active: Edges) -> Edges | None:
        candidates, names = self._solve_first_levels(active)
        while candidates is not None and names:
            candidates, names = self._solve_next_levels(candidates, names)
        if candidates is None or (self._gap and len(candidates.first) > _MOST_CANDIDATES):
            return None
        if self._gap:
            self._match_edges((candidates.first, candidates.second), candidates.weight.tolist())
        return self._list_matched_edges()

    def _list_matched_edges(self) -> Edges:
        lower = np.flatnonzero(self._mates > np.arange(self._count))
        return lower, self._mates[lower]

    def _solve_first_levels(self, active: Edges) -> tuple[_CandidateEdges | None, Sequence[str]]:
        active = self._merge_edges(active, self._list_boundary_edges(), self._make_first_matching(active))
        weights, sums, may_extend = _NO_LEVELS, dict[str, int](), True
        solver = self._make_solver(weights)
        for _ in range(_ITERATIONS):
            levels = self._compute_levels(active)
            if (fitted := _choose_level_weights(levels, self._count, 0, sums, self._bits)) != weights:
                weights, solver = fitted, self._make_solver(fitted)
            weight = _SCALE * weights.combine(levels, len(active[0]))
            duals = solver.solve(*active, weight)
            if duals is None:
                self._bits //= 2
                continue
            self._mates = solver.mates
            negative = [_select_most_negative_edges(block) for block in self._price_edges(weights, duals, -1)]
            if negative:
                worst = _select_most_negative_edges(_join_blocks(negative))
                active = self._merge_edges(active, (worst.first, worst.second))
                continue
            self._round_fractional_solution(solver, active, weight, duals)
            found = self._sum_levels(levels, active)
            if found.get(_FORBIDDEN):
                break
            sums = self._compute_sum_bounds(weights, found)
            change = len(_choose_level_weights(levels, self._count, 0, sums, self._bits).caps) - len(weights.caps)
            if change == 0 or (change > 0 and not may_extend):
                candidates, active = self._select_candidates(active, weights, duals)
                if candidates is not None:
                    return candidates, [name for name in levels if name not in weights.caps]
            may_extend &= change >= 0  # with so many levels the gap is too wide: do not try them again
            self._cuts[:] = 0
        return None, ()

    def _solve_next_levels(
        self, candidates: _CandidateEdges, names: Sequence[str]
    ) -> tuple[_CandidateEdges | None, Sequence[str]]:
        edges, active = (candidates.first, candidates.second), candidates.active
        levels = self._compute_levels(edges, names)
        weights = _choose_level_weights(levels, self._count, self._total, {})
        weight = _SCALE * (candidates.weight * weights.size + weights.combine(levels, len(active)))
        if not weights.caps and len(active) <= _MOST_CANDIDATES:
            return self._match_remaining_levels(candidates, levels)
        solver = self._make_solver(weights)
        for _ in range(_ITERATIONS if weights.caps else 0):
            duals = solver.solve(edges[0][active], edges[1][active], weight[active])
            if duals is None:
                break
            reduced = duals.compute_reduced_costs(*edges, weight)
            negative = np.flatnonzero(reduced < 0)
            if not len(negative):
                self._round_fractional_solution(
                    solver, (edges[0][active], edges[1][active]), weight[active], duals
                )
                kept = np.flatnonzero(reduced <= self._gap)
                first, second = edges[0][kept], edges[1][kept]
                rest = _CandidateEdges(
                    first, second, self._add_cut_duals(first, second, reduced[kept]), active[kept]
                )
                return rest, names[len(weights.caps) :]
            worst = _find_cheapest_edges_of_nodes(
                edges[0][negative], edges[1][negative], reduced[negative], _ADDED
            )
            active[negative[worst]] = True
        return None, ()

    def _match_remaining_levels(
        self, candidates: _CandidateEdges, levels: Mapping[str, Ints]
    ) -> tuple[_CandidateEdges | None, Sequence[str]]:
        graph = MatchingGraph(self._count, candidates.first, candidates.second, levels)
        size = prod(compute_radices(graph, levels))
        if ((self._total + 1) * size).bit_length() > MOST_BITS:
            return None, ()
        combined = zip(candidates.weight.tolist(), combine_levels(graph, levels), strict=True)
        self._match_edges((candidates.first, candidates.second), [one * size + other for one, other in combined])
        self._gap = 0
        return candidates, ()

    def _match_edges(self, edges: Edges, weights: list[int]) -> None:
        self._mates = _match_lightest(self._count, edges, weights, self._pulse)

    def _compute_levels(self, edges: Edges, names: Sequence[str] | None = None) -> dict[str, Ints]:
        found = {}
        if len(self._illegal) and names is None:
            found[_FORBIDDEN] = np.isin(self._encode_edges(edges), self._illegal).astype(np.int64)
        return found | self._problem.compute_levels(edges, names)

    def _make_solver(self, weights: _LevelWeights) -> _DualSolver:
        """Return a solver. The dual variable of each cut starts from its last value.

        The weight of the score difference at the cut is added.
        """
        factor = weights.factors["score_difference"] if weights.caps.get("score_difference") else 0
        cuts = _SCALE * (factor * self._cut_steps + 2 * weights.size * self._cuts)
        return _DualSolver(self._mates, self._group, cuts)

    def _round_fractional_solution(
        self, solver: _DualSolver, edges: Edges, weight: Ints, duals: _DualVariables
    ) -> None:
        self._mates, self._gap = _round_to_perfect_matching(solver.mates, edges, weight, duals, self._pulse)
        self._cuts = np.minimum(solver.cuts, self._gap + 1)
        self._total = self._gap + 2 * int(self._cuts.sum())

    def _add_cut_duals(self, first: Ints, second: Ints, reduced: Ints) -> Ints:
        above = np.append(0, np.cumsum(self._cuts))[self._group]
        found: Ints = reduced + 2 * np.abs(above[first] - above[second])
        return found

    def _select_candidates(
        self, active: Edges, weights: _LevelWeights, duals: _DualVariables
    ) -> tuple[_CandidateEdges | None, Edges]:
        """Return the edges with a reduced cost within the gap, and the active edges.

        If an edge within the gap has a level above its cap, return None instead of these edges, and add such
        edges to the active ones.
        """
        found = _join_blocks(list(self._price_edges(weights, duals, self._gap)))
        edges = found.first, found.second
        if found.capped.any():
            return None, self._merge_edges(active, (found.first[found.capped], found.second[found.capped]))
        codes, known = self._encode_edges(edges), self._encode_edges(active)
        is_active = known[np.minimum(np.searchsorted(known, codes), len(known) - 1)] == codes
        return _CandidateEdges(*edges, self._add_cut_duals(*edges, found.reduced), is_active), active

    def _sum_levels(self, levels: Mapping[str, Ints], edges: Edges) -> dict[str, int]:
        matched = self._mates[edges[0]] == edges[1]
        return {name: int(level[matched].sum()) for name, level in levels.items()}

    def _compute_sum_bounds(self, weights: _LevelWeights, found: Mapping[str, int]) -> dict[str, int]:
        total = weights.combine_sums(found)
        least = total - self._gap // (2 * _SCALE)
        sums = {}
        for name, factor in weights.factors.items():
            sums[name] = found[name]
            if total // factor != least // factor:
                break
        return sums

    def _list_boundary_edges(self) -> Edges:
        """Return the edges from the last nodes of each score group to the first nodes of each lower group."""
        place = self._problem.columns.place_in_group[self._problem.positions]
        ordered = np.lexsort((place, self._group))
        counts = np.bincount(self._group)
        index = np.arange(self._count) - np.repeat(np.cumsum(counts) - counts, counts)
        last, first = ordered[index >= counts[self._group[ordered]] - _BOUNDARY], ordered[index < _BOUNDARY]
        upper, lower = np.repeat(last, len(first)), np.tile(first, len(last))
        below = self._group[upper] < self._group[lower]
        edges = np.minimum(upper, lower)[below], np.maximum(upper, lower)[below]
        legal = self._problem.mark_legal_edges(*edges)
        return edges[0][legal], edges[1][legal]

    def _make_first_matching(self, edges: Edges) -> Edges:
        levels = self._compute_levels(edges)
        self._mates = _match_greedily(self._count, *edges, np.lexsort(tuple(levels.values())[::-1]))
        rest = np.flatnonzero(self._mates < 0)
        self._mates[rest] = rest.reshape(-1, 2)[:, ::-1].ravel()
        matched = self._list_matched_edges()
        self._illegal = self._encode_edges(matched)[~self._problem.mark_legal_edges(*matched)]
        return matched

    def _price_edges(self, weights: _LevelWeights, duals: _DualVariables, limit: int) -> Iterator[_PricedEdges]:
        own = sorted((one for one in weights.caps if one not in {*_SHARED, _FORBIDDEN}), key="style".__ne__)
        for block in self._price_edges_by_class(weights, duals, limit):
            found = block
            for name in own:
                level = self._problem.compute_levels((found.first, found.second), (name,))[name]
                reduced = found.reduced + 2 * _SCALE * weights.combine({name: level}, len(level))
                capped = found.capped | (level > weights.caps[name])
                found = _PricedEdges(found.first, found.second, reduced, capped).select(reduced <= limit)
            legal = self._problem.mark_legal_edges(found.first, found.second)
            if legal.any():
                yield found.select(legal)

    def _price_edges_by_class(
        self, weights: _LevelWeights, duals: _DualVariables, limit: int
    ) -> Iterator[_PricedEdges]:
        """Yield the edges with a reduced cost up to `limit`, in blocks.

        A class contains nodes with equal criteria. Use it only if each level of `weights` has the same cost for
        all nodes of a class.
        """
        label, dual = self._number_node_classes(), duals.node_duals
        order = np.lexsort((-dual, label))
        count = int(label.max()) + 1
        starts = np.searchsorted(label[order], np.arange(count + 1))
        best = order[starts[:-1]]  # of each class, the node with the greatest dual variable
        rows = max(1, 2**16 // count)
        found: list[_PricedEdges] = []
        waiting = 0
        for low in range(0, count, rows):
            block = np.arange(low, min(count, low + rows))
            for row, is_capped, at in zip(
                *self._compute_class_pair_costs(weights, duals, best[block], best), block.tolist(), strict=True
            ):
                members = order[starts[at] : starts[at + 1]]
                near = np.flatnonzero(row[: at + 1] - limit <= dual[best[: at + 1]] + dual[members[0]])
                for others in _list_class_members(order, starts, near, max(1, _BLOCK // len(members))):
                    reduced = row[label[others]] - dual[others]
                    many = np.searchsorted(-dual[members], limit - reduced, side="right")
                    second = members[np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)]
                    first, reduced = np.repeat(others, many), np.repeat(reduced, many) - dual[second]
                    capped = np.repeat(is_capped[label[others]], many)
                    priced = _PricedEdges(np.minimum(first, second), np.maximum(first, second), reduced, capped)
                    if label[others[-1]] == at:
                        priced = priced.select((label[first] != at) | (first < second))
                    found.append(priced)
                    waiting += len(priced.first)
                    if waiting > _BLOCK:
                        yield _join_blocks(found)
                        found, waiting = [], 0
        if found:
            yield _join_blocks(found)

    def _compute_class_pair_costs(
        self, weights: _LevelWeights, duals: _DualVariables, ones: Ints, others: Ints
    ) -> tuple[Ints, Flags]:
        shape = len(ones), len(others)
        ones, twos = np.repeat(ones, len(others)), np.tile(others, len(ones))
        upper, lower = np.minimum(ones, twos), np.maximum(ones, twos)
        levels = self._problem.compute_levels((upper, lower), [name for name in weights.caps if name in _SHARED])
        crossed = np.abs(duals.cut_duals_above[upper] - duals.cut_duals_above[lower])
        table: Ints = 2 * (_SCALE * weights.combine(levels, len(upper)) - crossed)
        return table.reshape(shape), weights.find_edges_above_cap(levels, len(upper)).reshape(shape)

    def _number_node_classes(self) -> Ints:
        code = np.zeros(self._count, dtype=np.int64)
        columns = self._problem.columns
        for column in (columns.score, columns.score_group, columns.balance, *columns.floats):
            values, place = np.unique(column[self._problem.positions], return_inverse=True)
            code = code * len(values) + place
        return np.unique(code, return_inverse=True)[1]

    def _encode_edges(self, edges: Edges) -> Ints:
        return edges[0] * self._count + edges[1]

    def _merge_edges(self, *some: Edges) -> Edges:
        codes = sort_unique(np.concatenate([self._encode_edges(edges) for edges in some]))
        return codes // self._count, codes % self._count


def _match_greedily(count: int, first: Ints, second: Ints, order: Ints) -> Ints:
    mates = np.full(count, -1, dtype=np.int64)
    first, second = first[order], second[order]
    while len(first):
        index = np.arange(len(first))
        best = np.full(count, len(first), dtype=np.int64)
        np.minimum.at(best, first, index)
        np.minimum.at(best, second, index)
        taken = (best[first] == index) & (best[second] == index)
        mates[first[taken]], mates[second[taken]] = second[taken], first[taken]
        free = (mates[first] < 0) & (mates[second] < 0)
        first, second = first[free], second[free]
    return mates


def _list_class_members(order: Ints, starts: Ints, classes: Ints, block_size: int) -> Iterator[Ints]:
    counts = starts[classes + 1] - starts[classes]
    indices = np.arange(int(counts.sum())) + np.repeat(starts[classes] - np.cumsum(counts) + counts, counts)
    for low in range(0, len(indices), block_size):
        yield order[indices[low : low + block_size]]


def _select_most_negative_edges(priced: _PricedEdges) -> _PricedEdges:
    return priced.select(_find_cheapest_edges_of_nodes(priced.first, priced.second, priced.reduced, _ADDED))


def _find_cheapest_edges_of_nodes(first: Ints, second: Ints, reduced: Ints, each: int) -> Ints:
    """Return the indices of the cheapest edges of every node, by their reduced costs.

    For each node these are about `each` edges that have it as first node, and `each` that have it as second node.
    """
    if not len(reduced):
        return np.empty(0, dtype=np.int64)
    bits = len(reduced).bit_length()
    lots = np.arange(len(reduced)) * _MIXER % 2**bits
    index_of = np.empty(2**bits, dtype=np.int64)
    index_of[lots] = np.arange(len(reduced))
    above = reduced - reduced.min()
    room = _KEY_BITS - bits - int(second.max()).bit_length()
    above >>= max(0, int(above.max()).bit_length() - room)
    found = np.zeros(len(reduced), dtype=bool)
    for ends in (first, second):
        keys = np.sort((((ends << room) + above) << bits) + lots)
        counts = np.bincount(ends)
        earlier = np.repeat(np.cumsum(counts) - counts, counts)
        found[index_of[keys[np.arange(len(reduced)) - earlier < each] % 2**bits]] = True
    return np.flatnonzero(found)


# --- dual variables


class _DualVariables(Struct, frozen=True):
    """A feasible solution of the dual linear program: prices of nodes and cuts that no active edge undercuts.

    The module's docstring explains the terms.
    """

    node_duals: Ints  # doubled
    cut_duals_above: Ints  # for each node, the sum of the dual variables of the cuts above its score group
    dual_bound: int  # dual objective: twice the least weight of a perfect matching, if no reduced cost is negative

    def compute_reduced_costs(self, first: Ints, second: Ints, weight: Ints) -> Ints:
        found: Ints = self.compute_node_costs(first, second, weight) - 2 * np.abs(
            self.cut_duals_above[first] - self.cut_duals_above[second]
        )
        return found

    def compute_node_costs(self, first: Ints, second: Ints, weight: Ints) -> Ints:
        found: Ints = 2 * weight - self.node_duals[first] - self.node_duals[second]
        return found

    @property
    def cut_sum(self) -> int:
        return self.dual_bound - int(sum(self.node_duals.tolist()))


class _DualSolver:
    """A primal-dual solver of the assignment problem on the double cover, with cuts between score groups.

    "Primal-dual" means that it improves the assignment (primal) and the prices (dual) in turn. They are
    optimal when both have the same value.

    `mates` contains the node assigned to each node. It is a fractional matching: the mate's mate can be
    another node.
    """

    def __init__(self, mates: Ints, group: Ints, cuts: Ints) -> None:
        """Start from a perfect matching. Group 0 is the highest."""
        counts = np.bincount(group, minlength=len(cuts))
        self._is_odd = np.cumsum(counts) % 2 == 1
        self._group = group
        self.cuts = np.where(self._is_odd, cuts, 0)
        self.mates = mates.copy()
        self._target_dual: Ints | None = None

    def solve(self, first: Ints, second: Ints, weight: Ints) -> _DualVariables | None:
        """Return the optimal dual variables for these edges, None if they grow too large.

        The solver continues from the last solution. Bellman-Ford sweeps lower the dual variables of
        targets: each sweep tries all arcs from changed nodes, and keeps a lower value if it finds one. The arc
        that gave a target its value is its parent. Cycles of parents are negative cycles of the residual graph:
        changing the assignment along such a cycle makes it cheaper.
        """
        self._load_arcs(first, second, weight)
        self._changes = np.zeros(len(self.cuts), dtype=np.int64)
        self._was_lowered = np.zeros(len(self.cuts), dtype=bool)
        dual = self._cost[self._assigned] // 2 if self._target_dual is None else self._target_dual
        parent = np.full(len(dual), -1, dtype=np.int64)
        changed = np.arange(len(dual))
        for sweep in range(_MOST_SWEEPS):
            changed = self._relax_arcs(dual, parent, self._select_arcs(changed))
            if not len(changed):
                if not self._adjust_cut_duals():
                    break
                changed = np.arange(len(dual))
                continue
            if len(changed) < self._many and sweep % _SPARSE_SWEEPS:
                continue
            on_cycles = self._find_cycles(parent)
            if len(on_cycles):
                changed = sort_unique(np.append(changed, self._cancel_cycles(parent, on_cycles)))
                parent[on_cycles] = -1
        self._target_dual = dual
        return self._make_dual_variables(dual)

    def _load_arcs(self, first: Ints, second: Ints, weight: Ints) -> None:
        targets = np.concatenate([second, first])
        by_target = np.argsort(targets, kind="stable")
        self._target = targets[by_target]
        self._source = np.concatenate([first, second])[by_target]
        self._weight = np.concatenate([weight, weight])[by_target]
        self._arcs = np.arange(len(by_target))
        index = np.empty_like(by_target)
        index[by_target] = self._arcs
        self._reverse = np.roll(index, len(first))[by_target]  # the arc of the same edge the other way
        nodes = np.arange(len(self._group))
        self._many = len(nodes) // _ALL_ARCS_FROM
        self._starts = np.searchsorted(self._target, nodes)
        self._counts = np.diff(np.append(self._starts, len(self._target)))
        groups = self._group[self._source], self._group[self._target]
        self._upper, self._lower = np.minimum(*groups), np.maximum(*groups)
        chosen = np.flatnonzero(self.mates[self._source] == self._target)
        self._assigned = np.empty(len(nodes), dtype=np.int64)  # the arc of each source
        self._assigned[self._source[chosen]] = chosen
        self._subtract_cut_duals()

    def _sum_cut_duals(self) -> Ints:
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.cuts)])

    def _subtract_cut_duals(self) -> None:
        above = self._sum_cut_duals()
        self._cost = self._weight - (above[self._lower] - above[self._upper])

    def _select_arcs(self, changed: Ints) -> Ints | slice:
        if len(changed) >= self._many:
            return slice(None)
        source = np.empty_like(self.mates)
        source[self.mates] = np.arange(len(source))
        nodes = source[changed]
        counts = self._counts[nodes]
        before = np.cumsum(counts) - counts
        incoming = np.arange(int(counts.sum())) + np.repeat(self._starts[nodes] - before, counts)
        found: Ints = self._reverse[incoming]
        return found

    def _relax_arcs(self, dual: Ints, parent: Ints, among: Ints | slice) -> Ints:
        """Lower the dual variables of targets along the arcs `among`. Return the changed targets.

        Each used arc becomes the parent of its target.
        """
        targets, arcs = self._target[among], self._arcs[among]
        values = self._cost[among] + (dual[self.mates] - self._cost[self._assigned])[self._source[among]]
        better = np.flatnonzero(values < dual[targets])
        arcs, targets, values = arcs[better], targets[better], values[better]
        np.minimum.at(dual, targets, values)
        best = np.flatnonzero(values == dual[targets])[::-1]
        parent[targets[best]] = arcs[best]  # reversed: the first of equals wins
        return targets[best]

    def _find_cycles(self, parent: Ints) -> Ints:
        has_parent = parent >= 0
        onward = np.where(has_parent, self.mates[self._source[parent]], np.arange(len(parent)))
        for _ in range(len(parent).bit_length()):  # pointer jumping
            onward = onward[onward]
        is_on_cycle = np.zeros_like(has_parent)
        is_on_cycle[onward[has_parent[onward]]] = True
        return np.flatnonzero(is_on_cycle)

    def _cancel_cycles(self, parent: Ints, nodes: Ints) -> Ints:
        """Change the assignment or the cuts along the cycles of parents. Return the changed nodes."""
        cuts = self.cuts.copy()
        new = parent[nodes]
        old = self._assigned[self._source[new]]
        cycle = _label_nodes_by_cycle(np.searchsorted(nodes, self.mates[self._source[new]]))
        crosses = (self._upper[new] != self._upper[old]) | (self._lower[new] != self._lower[old])
        by_cut = np.unique(cycle[crosses & self._is_odd.any()])
        gain = np.zeros(len(nodes), dtype=np.int64)
        np.add.at(gain, cycle, self._cost[old] - self._cost[new])
        self._assign_arcs(new[~np.isin(cycle, by_cut) & (gain[cycle] > 0)])
        for number in by_cut.tolist():
            self._cancel_cycle(new[cycle == number], old[cycle == number])
        if (self.cuts == cuts).all():
            return nodes
        self._subtract_cut_duals()
        return np.arange(len(self.mates))

    def _assign_arcs(self, arcs: Ints) -> None:
        self._assigned[self._source[arcs]] = arcs
        self.mates[self._source[arcs]] = self._target[arcs]

    def _cancel_cycle(self, new: Ints, old: Ints) -> None:
        above = self._sum_cut_duals()
        gain = int(self._sum_costs(old, above) - self._sum_costs(new, above))
        if gain <= 0:
            return
        more = self._count_crossings(new) - self._count_crossings(old)
        after = self._count_crossings(self._assigned) + more
        too_high: Flags = self._is_odd & (more > 0) & (after > _BOTH_WAYS) & (self.cuts > 0)
        too_low = self._is_odd & (self._changes < _MOST_CUT_CHANGES) & (more < 0) & (after < _BOTH_WAYS)
        if too_low.any():
            self.cuts[too_low] += -(-gain // int(-more[too_low].sum()))
            self._changes[too_low] += 1
            if self._was_lowered[too_low].any():
                self._assign_arcs(new)
        elif too_high.any():
            self.cuts[too_high] -= np.minimum(self.cuts[too_high], -(-gain // int(more[too_high].sum())))
            self._was_lowered |= too_high
        else:
            self._assign_arcs(new)

    def _adjust_cut_duals(self) -> bool:
        """Raise the dual variables of cuts crossed less than once, and lower those of cuts crossed more often.

        Only cuts with an odd number of players above them change. Return whether any changed.
        """
        crossed = self._count_crossings(self._assigned)
        step = np.where(crossed < _BOTH_WAYS, 1, -np.minimum(self.cuts, 1)) * 4**self._changes
        step[~self._is_odd | (crossed == _BOTH_WAYS) | (self._changes >= _MOST_CUT_CHANGES)] = 0
        self.cuts = np.maximum(self.cuts + step, 0)
        self._changes += step != 0
        self._subtract_cut_duals()
        return bool(step.any())

    def _sum_costs(self, arcs: Ints, above: Ints) -> int:
        return int((self._weight[arcs] - above[self._lower[arcs]] + above[self._upper[arcs]]).sum())

    def _count_crossings(self, arcs: Ints) -> Ints:
        change = np.zeros(len(self.cuts) + 1, dtype=np.int64)
        np.add.at(change, self._upper[arcs], 1)
        np.add.at(change, self._lower[arcs], -1)
        return np.cumsum(change)[:-1]

    def _make_dual_variables(self, target_dual: Ints) -> _DualVariables | None:
        source_dual = np.minimum.reduceat(self._cost - target_dual[self._source], self._starts)
        node, above = target_dual + source_dual, self._sum_cut_duals()
        if max(int(np.abs(values).max()) for values in (target_dual, node, above)) > _MOST_DUAL:
            return None
        return _DualVariables(node, above[self._group], sum(node.tolist()) + 2 * sum(self.cuts.tolist()))


def _label_nodes_by_cycle(onward: Ints) -> Ints:
    cycle = np.arange(len(onward))
    for _ in range(len(onward).bit_length()):
        cycle = np.minimum(cycle, cycle[onward])
        onward = onward[onward]
    return cycle


# --- from a fractional matching to a perfect one


def _round_to_perfect_matching(
    fractional: Ints, edges: Edges, weight: Ints, duals: _DualVariables, pulse: Pulse
) -> tuple[Ints, int]:
    """Return the mates of a light perfect matching and its gap: twice its weight minus the bound.

    `fractional` contains the node assigned to each node. Two nodes that are assigned to each other are paired; the
    others form cycles. A negative mate means that the node is unpaired.

    In an even cycle every other edge is used. If there are odd cycles, all nodes are matched again, first on
    few edges, then on all.
    """
    first, second = edges
    reduced = duals.compute_reduced_costs(first, second, weight)
    node_costs = duals.compute_node_costs(first, second, weight)
    lots = np.arange(len(reduced)) * _MIXER % 2**_LOT_BITS

    def count_unmatched_and_gap(mates: Ints) -> tuple[int, int]:
        return int((mates < 0).sum()), int(sum(node_costs[mates[first] == second].tolist())) - duals.cut_sum

    def match_nodes_again(some: Ints) -> tuple[tuple[int, int], Ints]:
        costs = zip(node_costs[some].tolist(), lots[some].tolist(), strict=True)
        weights = [(cost << 2 * _LOT_BITS) + lot for cost, lot in costs]
        found = _match_lightest(len(fractional), (first[some], second[some]), weights, pulse)
        return count_unmatched_and_gap(found), found

    few = np.flatnonzero((fractional[first] == second) | (fractional[second] == first))
    for some in (
        np.flatnonzero(node_costs == reduced),
        np.flatnonzero(node_costs > reduced),
    ):  # within, across cuts
        few = np.union1d(
            few, some[_find_cheapest_edges_of_nodes(first[some], second[some], reduced[some], _KEPT_TO_ROUND)]
        )
    mates = _split_even_cycles(fractional)
    best = count_unmatched_and_gap(mates), mates
    if best[0] > (0, 0):
        best = min(best, match_nodes_again(few), key=itemgetter(0))
    if best[0][0]:
        best = match_nodes_again(np.arange(len(reduced)))
    return best[1], best[0][1]


def _split_even_cycles(fractional: Ints) -> Ints:
    mates = fractional.copy()
    todo = np.flatnonzero(fractional[fractional] != np.arange(len(fractional)))
    seen: set[int] = set()
    for start in todo.tolist():
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


def _match_lightest(count: int, edges: Edges, weights: list[int], pulse: Pulse) -> Ints:
    chosen = solve_lightest_matching(MatchingGraph(count, *edges, {}), weights, pulse)
    mates = np.full(count, -1, dtype=np.int64)
    mates[edges[0][chosen]], mates[edges[1][chosen]] = edges[1][chosen], edges[0][chosen]
    return mates
