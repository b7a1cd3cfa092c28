"""The matching problem of a round: players are nodes, legal pairs are edges, criteria are levels of their weight.

Nodes are numbered from 0 in the order of the positions to pair. If their number is odd, one more node is the bye.
Edges are two arrays of nodes, with the lower node of each edge in the first array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tdapp.domain.pairing_settings import PairingStyle
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, np, sort_unique
from tdapp.pairing.criteria import FieldColumns
from tdapp.pairing.field import Field
from tdapp.pairing.matching import Graph

Edges: TypeAlias = tuple[Ints, Ints]
# A level of a pairing system: the cost (at least 0) of each pair of positions, the better placed first. The number
# of entrants as second position is the bye.
Level: TypeAlias = Callable[[FieldColumns, Ints, Ints], Ints]

_BLOCK = 2**20  # edges compared at a time


class MatchingProblem:
    """The nodes, legal edges and levels of one round.

    `order` contains the names of the levels, the most important first. A level is a criterion, or a function
    of the pairing system in `own`, which replaces a criterion of the same name. Only `bye_nodes` may have the
    bye (None: all).
    """

    def __init__(
        self,
        field: Field,
        free: Ints,
        order: Sequence[str] = criteria.ORDER,
        own: Mapping[str, Level] | None = None,
        bye_nodes: Ints | None = None,
    ) -> None:
        """`free` are the positions to pair, in ascending order, at least one."""
        self.columns = criteria.get_columns(field)
        self.players = len(free)
        self.positions = np.append(free, self.columns.count) if len(free) % 2 else free  # of each node
        self.order, self._own, self._bye_nodes = tuple(order), own or {}, bye_nodes
        nodes = {field.entrants[position].player: node for node, position in enumerate(free.tolist())}
        self._forbidden = criteria.encode_pairs(field.forbidden, nodes, self.players)

    @property
    def has_criteria_only(self) -> bool:
        """Whether the levels are the criteria in their usual order."""
        return self.order == criteria.ORDER and not self._own

    def compute_levels(self, edges: Edges, names: Sequence[str] | None = None) -> dict[str, Ints]:
        """Return the costs of edges by level. `names` None: all levels. Criteria without effect are left out."""
        names = self.order if names is None else names
        upper, lower = self.positions[edges[0]], self.positions[edges[1]]
        known = [name for name in names if name not in self._own]
        found = criteria.compute_costs(self.columns, upper, lower, order=known)
        found |= {name: self._own[name](self.columns, upper, lower) for name in names if name in self._own}
        return {name: found[name] for name in names if name in found}

    def build_graph(self, edges: Edges) -> Graph:
        return Graph(len(self.positions), *edges, self.compute_levels(edges))

    def are_legal(self, first: Ints, second: Ints) -> Flags:
        """Return for each edge whether it is allowed: it is not forbidden, and a bye only for `bye_nodes`."""
        is_bye = second == self.players
        found: Flags = is_bye | ~np.isin(first * self.players + second, self._forbidden)
        return found if self._bye_nodes is None else found & (~is_bye | np.isin(first, self._bye_nodes))

    def list_all_edges(self) -> Edges:
        """Return all legal edges, at most n (n - 1) / 2."""
        first, second = np.triu_indices(len(self.positions), 1)
        return self._keep_legal(first.astype(np.int64), second.astype(np.int64))

    def list_nearest_edges(self, width: int) -> Edges:
        """Return the legal edges of each node to `width` nodes near it in rank, and near its ideal opponent.

        The ideal opponent is the one that the pairing style gives within the score group. All edges of the
        bye are included. If a node has fewer than `width` / 2 legal edges, the width grows for all, up to
        8 times.
        """
        own = np.arange(self.players)
        ideal = _find_ideal_opponents(self.columns, self.positions[: self.players])
        for factor in (1, 2, 4, 8):
            pairs = np.concatenate([_list_window(own, centre, factor * width) for centre in (own, ideal)])
            low, high = pairs.min(axis=1), pairs.max(axis=1)
            codes = sort_unique(low[low != high] * self.players + high[low != high])
            found = self._keep_legal(codes // self.players, codes % self.players)
            if np.bincount(np.concatenate(found), minlength=self.players).min() >= width // 2:
                break
        if self.players % 2:
            byes = self._keep_legal(own, np.full(self.players, self.players))
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
            legal = (own != other) & self.are_legal(first, second)
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

    def _keep_legal(self, first: Ints, second: Ints) -> Edges:
        legal = self.are_legal(first, second)
        return first[legal], second[legal]


def _find_ideal_opponents(columns: FieldColumns, free: Ints) -> Ints:
    own = np.arange(len(free))
    _, place, size = criteria.number_score_groups(columns.score[free])
    start = own - place
    match columns.settings.style:
        case PairingStyle.SLIDE:
            found: Ints = start + np.where(2 * place < size, place + size // 2, place - size // 2)
            return found
        case PairingStyle.FOLD:
            return start + size - 1 - place
    return own


def _list_window(own: Ints, centre: Ints, width: int) -> Ints:
    """Return the pairs (rows) of each player with the `width` + 1 players around `centre`."""
    width = min(width, len(own) - 1)
    start = np.clip(centre - width // 2, 0, len(own) - 1 - width)
    others = start[:, None] + np.arange(width + 1)
    return np.stack([np.repeat(own, width + 1), others.ravel()], axis=1)
