"""Swiss pairings: one minimum-cost perfect matching of the whole field.

Hides which pairs are looked at: all up to 400 players; above, the nearest in rank and the nearest to the ideal
opponent, more and more until the result no longer depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Style
from tdapp.pairing import criteria
from tdapp.pairing.criteria import Columns, Ints
from tdapp.pairing.field import Field
from tdapp.pairing.matching import Graph, Solution, solve
from tdapp.pairing.system import Pair, Plan, Situation, System, fixed_pairs, last_round

DENSE_UP_TO = 400  # players
_WIDTHS = (30, 60, 120, None)  # neighbours of each kind; None: everybody


def plan(situation: Situation) -> Plan:
    """Return the cheapest pairing of a Swiss round; raise RuleViolation where there is none."""
    return matched(situation.field, code=None)


def matched(field: Field, *, code: str | None, order: Sequence[str] = criteria.ORDER) -> Plan:
    """Return the cheapest pairing under the criteria in `order`, with `code` as its reason."""
    fixed = fixed_pairs(field)
    taken = {place for pair in fixed for place in (pair.one, pair.other)}
    free = np.array([place for place in range(len(field.entrants)) if place not in taken], dtype=np.int64)
    if not len(free):
        return Plan(fixed)
    columns = criteria.columns_of(field)
    graph, solution = _widened(field, columns, free, order)
    if not solution.complete:
        raise RuleViolation("no-pairing-possible", players=_unmatched(field, graph, solution, free))
    pairs = [_pair(columns, free, graph, edge, code) for edge in solution.edges]
    return Plan((*fixed, *pairs), relaxed=tuple(f"coarse-{name}" for name in solution.coarse))


def _widened(field: Field, columns: Columns, free: Ints, order: Sequence[str]) -> tuple[Graph, Solution]:
    """Solve on ever more neighbours until twice as many change nothing, nobody is left and nothing repeats."""
    before: list[tuple[int, int]] | None = None
    for width in _WIDTHS if len(free) > DENSE_UP_TO else (None,):
        graph = graph_of(field, columns, free, width=width, order=order)
        solution = solve(graph)
        chosen = list(solution.edges)
        pairs = list(zip(graph.first[chosen].tolist(), graph.second[chosen].tolist(), strict=True))
        if width is None or pairs == before:
            break
        repeats = int(graph.levels["repeats"][chosen].sum())
        before = pairs if solution.complete and not repeats else None
    return graph, solution


def graph_of(
    field: Field, columns: Columns, free: Ints, *, width: int | None, order: Sequence[str] = criteria.ORDER
) -> Graph:
    """Return the possible pairs of the players at the positions `free` with their costs.

    `width` is how many neighbours of each kind are looked at, None for all. Nodes count along `free`; where the
    number is odd, the last node is the bye.
    """
    count = len(free)
    first, second = _everybody(count) if width is None else _neighbours(columns, free, width)
    allowed = ~np.isin(first * count + second, _forbidden(field, free))
    first, second = first[allowed], second[allowed]
    ends = np.append(free, columns.count)
    if count % 2:
        first = np.append(first, np.arange(count))
        second = np.append(second, np.full(count, count))
    levels = criteria.costs(columns, ends[first], ends[second], order=order)
    return Graph(count + count % 2, first, second, levels)


def _everybody(count: int) -> tuple[Ints, Ints]:
    first, second = np.triu_indices(count, 1)
    return first.astype(np.int64), second.astype(np.int64)


def _neighbours(columns: Columns, free: Ints, width: int) -> tuple[Ints, Ints]:
    """Return each player's pairs with the `width` nearest in rank and nearest to the ideal opponent."""
    count = len(free)
    own = np.arange(count)
    _, place, size = criteria.groups(columns.score[free])
    start = own - place
    ideal = {
        Style.SLIDE: start + np.where(2 * place < size, place + size // 2, place - size // 2),
        Style.FOLD: start + size - 1 - place,
        Style.ADJACENT: own,
        Style.RANDOM: own,
    }[columns.settings.style]
    pairs = np.concatenate([_window(own, own, width), _window(own, ideal, width)])
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    codes = np.unique(low[low != high] * count + high[low != high])
    return codes // count, codes % count


def _window(own: Ints, centre: Ints, width: int) -> Ints:
    """Return the pairs of each player with the `width` + 1 positions around a centre, kept inside the field."""
    start = np.clip(centre - width // 2, 0, len(own) - 1 - width)
    others = start[:, None] + np.arange(width + 1)
    return np.stack([np.repeat(own, width + 1), others.ravel()], axis=1)


def _forbidden(field: Field, free: Ints) -> Ints:
    """Return the pairs that may not be, each as first * count + second in the numbering of `free`."""
    nodes = {field.entrants[place].player: node for node, place in enumerate(free.tolist())}
    found = []
    for pair in field.forbidden:
        ends = sorted(nodes[player] for player in pair if player in nodes)
        if len(ends) == 2:  # noqa: PLR2004
            found.append(ends[0] * len(free) + ends[1])
    return np.array(sorted(found), dtype=np.int64)


def _pair(columns: Columns, free: Ints, graph: Graph, edge: int, code: str | None) -> Pair:
    one, other = int(graph.first[edge]), int(graph.second[edge])
    code = "repeat" if graph.levels["repeats"][edge] else code
    return Pair(int(free[one]), int(free[other]) if other < len(free) else None, code)


def _unmatched(field: Field, graph: Graph, solution: Solution, free: Ints) -> tuple[str, ...]:
    edges = list(solution.edges)
    matched_nodes = set(graph.first[edges].tolist()) | set(graph.second[edges].tolist())
    return tuple(
        field.entrants[place].player for node, place in enumerate(free.tolist()) if node not in matched_nodes
    )


SWISS = System("swiss", plan, last_round, criteria.ORDER)
