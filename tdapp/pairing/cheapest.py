"""The exact pairing of part of a field under a system's own levels, and who of it has the bye.

Hides how the criteria and a system's own levels come together in one graph. In a large field only the cheapest
opponents of each player are considered; where those leave a player over or let two meet again, all are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tdapp.domain.errors import RuleViolation
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.field import Field
from tdapp.pairing.matching import Graph, Solution, solve
from tdapp.pairing.system import Facts, Pair, Plan, fixed_pairs
from tdapp.pairing.systems.swiss import DENSE_UP_TO, graph_of

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
        position = np.arange(len(nodes)) - np.searchsorted(nodes, nodes)
        kept.update(ordered[position < _WIDTH].tolist())
    edges = np.array(sorted(kept), dtype=np.int64)
    levels = {name: column[edges] for name, column in graph.levels.items()}
    return Graph(graph.nodes, graph.first[edges], graph.second[edges], levels)


# Levels of a system's own by name: a cost for each pair of positions, the first better placed; of the entrants'
# number for the bye. One with the name of a criterion takes its place.
Own = Mapping[str, Callable[[FieldArrays, Ints, Ints], Ints]]


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The pairs found, the better placed first, None for the bye; `relaxed` says what had to give.

    `repeated` are the first players of those pairs that cost repeats.
    """

    pairs: tuple[tuple[int, int | None], ...]
    repeated: frozenset[int] = frozenset()
    relaxed: tuple[str, ...] = ()


def cheapest(field: Field, free: Ints, order: Sequence[str], own: Own | None = None) -> Cheapest:
    """Return the cheapest pairing of the positions `free`; `order` names criteria and `own` levels by weight.

    Raise RuleViolation for no-pairing-possible.
    """
    if not len(free):
        return Cheapest(())
    columns = criteria.columns_of(field)
    graph = _graph(field, columns, free, order, own or {})
    graph, solution, thinned = solved(graph, len(free))
    chosen = list(solution.edges)
    ends = np.append(free, columns.count)
    upper, lower = ends[graph.first[chosen]].tolist(), ends[graph.second[chosen]].tolist()
    if not solution.complete:
        left = sorted(set(free.tolist()) - {*upper, *lower})
        raise RuleViolation(
            "no-pairing-possible", players=tuple(field.entrants[position].number for position in left)
        )
    pairs = tuple((one, other if other < columns.count else None) for one, other in zip(upper, lower, strict=True))
    repeats = graph.levels["repeats"][chosen].tolist()
    return Cheapest(
        pairs,
        frozenset(one for one, cost in zip(upper, repeats, strict=True) if cost),
        tuple(f"coarse-{name}" for name in solution.coarse) + (("cheapest-only",) if thinned else ()),
    )


def without_bye(field: Field, free: Ints) -> tuple[Ints, int | None]:
    """Return `free` with an even number of players, and the position of who has the bye where the number was odd.

    The bye leaves as few repeats as can be, of games and byes together; then it goes to the lowest score, and to
    the lowest place.
    """
    if len(free) % 2 == 0:
        return free, None
    count = len(field.entrants)

    def height(_columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
        found: Ints = (lower == count) * (count - upper)
        return found

    found = cheapest(field, free, ("repeats", "bye", "height"), {"height": height})
    waiting = next(one for one, other in found.pairs if other is None)
    return free[free != waiting], waiting


def settled(
    field: Field,
    found: Cheapest,
    reason: Callable[[int, int], tuple[str | None, Facts]],
    *,
    waiting: int | None = None,
) -> Plan:
    """Return the plan of what was found, of the fixed pairs and of who is `waiting` for the round.

    `reason` gives each pair its code and facts, if they do not meet again.
    """
    pairs = [*fixed_pairs(field), *([] if waiting is None else [Pair(waiting, None)])]
    for one, other in found.pairs:
        if other is None or one in found.repeated:
            pairs.append(Pair(one, other, "repeat"))
        else:
            pairs.append(Pair(one, other, *reason(one, other)))
    return Plan(tuple(pairs), relaxed=found.relaxed)


def _graph(field: Field, columns: FieldArrays, free: Ints, order: Sequence[str], own: Own) -> Graph:
    known = [name for name in order if name not in own]
    graph = graph_of(field, columns, free, width=None, order=known)
    ends = np.append(free, columns.count)
    upper, lower = ends[graph.first], ends[graph.second]
    levels = dict(graph.levels) | {name: level(columns, upper, lower) for name, level in own.items()}
    return replace(graph, levels={name: levels[name] for name in order if name in levels})
