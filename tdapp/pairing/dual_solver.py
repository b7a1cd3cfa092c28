"""Solves the linear program of a matching on few edges as an assignment problem.

Each node occurs twice, as source and as target. The module `proof` explains the terms: dual variables, reduced
costs, cuts and arcs.
"""

from __future__ import annotations

from msgspec import Struct

from tdapp.pairing.arrays import Flags, Ints, np, sort_distinct_values

_MAX_SWEEPS = 4000  # each about 0.25 ms per 1,000 players
_MAX_CUT_CHANGES = 24  # of each cut in one solution
_ARCS_OF_EDGE = 2
_DENSE_SWEEP_DIVISOR = 4  # if a quarter of the nodes changed, a sweep tries all arcs
_SWEEPS_PER_CYCLE_SEARCH = 16  # while few nodes change
_MAX_DUAL = 2**60  # sums of larger numbers are not exact


class DualVariables(Struct, frozen=True):
    """A solution of the dual linear program. No edge given to the solver has a negative reduced cost."""

    node_duals: Ints  # doubled
    cut_duals_above: Ints  # for each node, the sum of the dual variables of the cuts above its score group
    dual_bound: int  # dual objective, doubled

    def compute_reduced_costs(self, first: Ints, second: Ints, weight: Ints) -> Ints:
        reduced_costs: Ints = self.compute_reduced_costs_without_cuts(first, second, weight) - 2 * np.abs(
            self.cut_duals_above[first] - self.cut_duals_above[second]
        )
        return reduced_costs

    def compute_reduced_costs_without_cuts(self, first: Ints, second: Ints, weight: Ints) -> Ints:
        node_costs: Ints = 2 * weight - self.node_duals[first] - self.node_duals[second]
        return node_costs

    @property
    def cut_part_of_dual_bound(self) -> int:
        return self.dual_bound - int(sum(self.node_duals.tolist()))


class DualSolver:
    """A primal-dual solver of the assignment problem. A cut is the border between two score groups.

    Nodes and cuts have dual variables. The solver improves the assignment (primal) and the dual variables in turn.
    """

    def __init__(self, mates: Ints, group: Ints, cut_duals: Ints) -> None:
        """Start from an assignment and the dual variables of the cuts.

        `mates[a]` is the node assigned to node a. `group[a]` is the score group of node a; 0 is the highest.
        `cut_duals[g]` is the dual variable of the cut below group g.
        """
        counts = np.bincount(group, minlength=len(cut_duals))
        self._is_odd = np.cumsum(counts) % 2 == 1
        self._group = group
        self.cut_duals = np.where(self._is_odd, cut_duals, 0)
        self.mates = mates.copy()
        self._target_dual: Ints | None = None

    def find_dual_variables(self, first: Ints, second: Ints, weight: Ints) -> DualVariables | None:
        """Return the best dual variables found for these edges, or None if the values grow too large.

        Start from the last solution. The Bellman-Ford algorithm reduces the dual variables step by step. If the
        algorithm finds a negative cycle, change the assignment along this cycle.
        """
        self._set_arcs_from_edges(first, second, weight)
        self._changes = np.zeros(len(self.cut_duals), dtype=np.int64)
        self._was_lowered = np.zeros(len(self.cut_duals), dtype=bool)
        dual = self._cost[self._assigned] // 2 if self._target_dual is None else self._target_dual
        # the arc that last lowered each node's dual variable; a cycle of these arcs is negative
        parent = np.full(len(dual), -1, dtype=np.int64)
        changed_nodes = np.arange(len(dual))
        for sweep in range(_MAX_SWEEPS):
            changed_nodes = self._lower_target_duals_along_arcs(
                dual, parent, self._select_arcs_to_relax(changed_nodes)
            )
            if not len(changed_nodes):
                if not self._adjust_cut_duals():
                    break
                changed_nodes = np.arange(len(dual))
                continue
            if len(changed_nodes) < self._dense_change_count and sweep % _SWEEPS_PER_CYCLE_SEARCH:
                continue
            on_cycles = self._find_cycles(parent)
            if len(on_cycles):
                changed_nodes = sort_distinct_values(
                    np.append(changed_nodes, self._cancel_negative_cycles(parent, on_cycles))
                )
                parent[on_cycles] = -1
        self._target_dual = dual
        return self._make_dual_variables(dual)

    def _set_arcs_from_edges(self, first: Ints, second: Ints, weight: Ints) -> None:
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
        self._dense_change_count = len(nodes) // _DENSE_SWEEP_DIVISOR
        self._starts = np.searchsorted(self._target, nodes)
        self._counts = np.diff(np.append(self._starts, len(self._target)))
        groups = self._group[self._source], self._group[self._target]
        self._upper, self._lower = np.minimum(*groups), np.maximum(*groups)
        assigned_arcs = np.flatnonzero(self.mates[self._source] == self._target)
        self._assigned = np.empty(len(nodes), dtype=np.int64)  # the arc of each source
        self._assigned[self._source[assigned_arcs]] = assigned_arcs
        self._subtract_cut_duals_from_arc_costs()

    def _compute_cumulative_cut_duals(self) -> Ints:
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.cut_duals)])

    def _subtract_cut_duals_from_arc_costs(self) -> None:
        cut_sums = self._compute_cumulative_cut_duals()
        self._cost = self._weight - (cut_sums[self._lower] - cut_sums[self._upper])

    def _select_arcs_to_relax(self, changed_nodes: Ints) -> Ints | slice:
        if len(changed_nodes) >= self._dense_change_count:
            return slice(None)
        source = np.empty_like(self.mates)
        source[self.mates] = np.arange(len(source))
        nodes = source[changed_nodes]
        counts = self._counts[nodes]
        before = np.cumsum(counts) - counts
        incoming = np.arange(int(counts.sum())) + np.repeat(self._starts[nodes] - before, counts)
        arcs: Ints = self._reverse[incoming]
        return arcs

    def _lower_target_duals_along_arcs(self, dual: Ints, parent: Ints, arc_selection: Ints | slice) -> Ints:
        """Return the nodes whose dual variable became lower."""
        targets, arcs = self._target[arc_selection], self._arcs[arc_selection]
        values = (
            self._cost[arc_selection]
            + (dual[self.mates] - self._cost[self._assigned])[self._source[arc_selection]]
        )
        improving_indices = np.flatnonzero(values < dual[targets])
        arcs, targets, values = arcs[improving_indices], targets[improving_indices], values[improving_indices]
        np.minimum.at(dual, targets, values)
        best_indices = np.flatnonzero(values == dual[targets])[::-1]
        parent[targets[best_indices]] = arcs[best_indices]  # reversed: the first of equals wins
        return targets[best_indices]

    def _find_cycles(self, parent: Ints) -> Ints:
        has_parent = parent >= 0
        successor = np.where(has_parent, self.mates[self._source[parent]], np.arange(len(parent)))
        for _ in range(len(parent).bit_length()):  # pointer jumping
            successor = successor[successor]
        is_on_cycle = np.zeros_like(has_parent)
        is_on_cycle[successor[has_parent[successor]]] = True
        return np.flatnonzero(is_on_cycle)

    def _cancel_negative_cycles(self, parent: Ints, nodes: Ints) -> Ints:
        """Change the assignment along negative cycles. Return the nodes to process next.

        `nodes` are the nodes on the cycles. `parent[a]` is the number of the new arc that ends at node a. If a
        cycle crosses a cut, the cut's dual variable can change instead of the assignment.
        """
        old_cut_duals = self.cut_duals.copy()
        new = parent[nodes]
        old = self._assigned[self._source[new]]
        cycle = _label_nodes_by_cycle(np.searchsorted(nodes, self.mates[self._source[new]]))
        crosses = (self._upper[new] != self._upper[old]) | (self._lower[new] != self._lower[old])
        crossing_cycles = np.unique(cycle[crosses & self._is_odd.any()])
        gain = np.zeros(len(nodes), dtype=np.int64)
        np.add.at(gain, cycle, self._cost[old] - self._cost[new])
        self._add_arcs_to_assignment(new[~np.isin(cycle, crossing_cycles) & (gain[cycle] > 0)])
        for number in crossing_cycles.tolist():
            self._cancel_cycle_that_crosses_cuts(new[cycle == number], old[cycle == number])
        if (self.cut_duals == old_cut_duals).all():
            return nodes
        self._subtract_cut_duals_from_arc_costs()
        return np.arange(len(self.mates))

    def _add_arcs_to_assignment(self, arcs: Ints) -> None:
        self._assigned[self._source[arcs]] = arcs
        self.mates[self._source[arcs]] = self._target[arcs]

    def _cancel_cycle_that_crosses_cuts(self, new: Ints, old: Ints) -> None:
        cut_sums = self._compute_cumulative_cut_duals()
        gain = int(self._sum_arc_costs(old, cut_sums) - self._sum_arc_costs(new, cut_sums))
        if gain <= 0:
            return
        crossing_change = self._count_arcs_crossing_each_cut(new) - self._count_arcs_crossing_each_cut(old)
        crossings_after = self._count_arcs_crossing_each_cut(self._assigned) + crossing_change
        too_high: Flags = (
            self._is_odd & (crossing_change > 0) & (crossings_after > _ARCS_OF_EDGE) & (self.cut_duals > 0)
        )
        too_low = (
            self._is_odd
            & (self._changes < _MAX_CUT_CHANGES)
            & (crossing_change < 0)
            & (crossings_after < _ARCS_OF_EDGE)
        )
        if too_low.any():
            self.cut_duals[too_low] += -(-gain // int(-crossing_change[too_low].sum()))
            self._changes[too_low] += 1
            if self._was_lowered[too_low].any():
                self._add_arcs_to_assignment(new)
        elif too_high.any():
            self.cut_duals[too_high] -= np.minimum(
                self.cut_duals[too_high], -(-gain // int(crossing_change[too_high].sum()))
            )
            self._was_lowered |= too_high
        else:
            self._add_arcs_to_assignment(new)

    def _adjust_cut_duals(self) -> bool:
        """Change the dual variables of cuts. Return whether any of them changed.

        Raise a variable if fewer than two arcs of the assignment cross its cut. Lower it if more than two cross.
        """
        crossing_counts = self._count_arcs_crossing_each_cut(self._assigned)
        step = np.where(crossing_counts < _ARCS_OF_EDGE, 1, -np.minimum(self.cut_duals, 1)) * 4**self._changes
        step[~self._is_odd | (crossing_counts == _ARCS_OF_EDGE) | (self._changes >= _MAX_CUT_CHANGES)] = 0
        self.cut_duals = np.maximum(self.cut_duals + step, 0)
        self._changes += step != 0
        self._subtract_cut_duals_from_arc_costs()
        return bool(step.any())

    def _sum_arc_costs(self, arcs: Ints, cut_sums: Ints) -> int:
        return int((self._weight[arcs] - cut_sums[self._lower[arcs]] + cut_sums[self._upper[arcs]]).sum())

    def _count_arcs_crossing_each_cut(self, arcs: Ints) -> Ints:
        change = np.zeros(len(self.cut_duals) + 1, dtype=np.int64)
        np.add.at(change, self._upper[arcs], 1)
        np.add.at(change, self._lower[arcs], -1)
        return np.cumsum(change)[:-1]

    def _make_dual_variables(self, target_dual: Ints) -> DualVariables | None:
        source_dual = np.minimum.reduceat(self._cost - target_dual[self._source], self._starts)
        node, cut_sums = target_dual + source_dual, self._compute_cumulative_cut_duals()
        if max(int(np.abs(values).max()) for values in (target_dual, node, cut_sums)) > _MAX_DUAL:
            return None
        return DualVariables(node, cut_sums[self._group], sum(node.tolist()) + 2 * sum(self.cut_duals.tolist()))


def _label_nodes_by_cycle(successor: Ints) -> Ints:
    cycle = np.arange(len(successor))
    for _ in range(len(successor).bit_length()):
        cycle = np.minimum(cycle, cycle[successor])
        successor = successor[successor]
    return cycle
