"""The best pairing of a round: the minimum-weight perfect matching of its problem, for every pairing system.

Hides which edges are weighed. Up to 100 players: all. Above, if a system uses the criteria alone: those that the
proof leaves. Otherwise all up to 400 players; above, the cheapest edges of each player, if these pair everybody
without a repeat. Only then the pairing may not be the best, and the proposal says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.edges import Level, MatchingProblem
from tdapp.pairing.field import Field, Tick, no_tick
from tdapp.pairing.matching import Graph, Solution, solve_matching
from tdapp.pairing.proof import find_proved_matching
from tdapp.pairing.system import Facts, Pair, Plan, fixed_pairs

_DIRECT_UP_TO = 100  # players: a proof takes longer than all edges
_ALL_UP_TO = 400  # players up to which all edges are used without a proof
_NEAREST = 8  # edges of each player and kind that the proof starts with
_CHEAPEST = 60  # edges of each player to either side
_STEPS = 4  # progress steps of a large field


class BestPairs(Struct, frozen=True):
    """Pairs of positions, the better placed first, None for the bye.

    `repeated`: first positions of the pairs with a repeat. `relaxed`: codes of the limits met. `sums`: total cost
    by level.
    """

    pairs: tuple[tuple[int, int | None], ...]
    repeated: frozenset[int] = frozenset()
    relaxed: tuple[str, ...] = ()
    sums: Mapping[str, int] | None = None


def find_best_pairs(
    field: Field,
    free: Ints,
    order: Sequence[str] = criteria.ORDER,
    own: Mapping[str, Level] | None = None,
    *,
    bye_nodes: Ints | None = None,
    tick: Tick = no_tick,
) -> BestPairs:
    """Return the best pairing of the ascending positions `free`; for the other arguments see `MatchingProblem`.

    Raise RuleViolation for no-pairing-possible, with the numbers of the players left over.
    """
    if not len(free):
        return BestPairs(())
    problem = MatchingProblem(field, free, order, own, bye_nodes)
    graph, solution, is_limited = _solve_problem(problem, tick)
    chosen = list(solution.edges)
    count = problem.columns.count
    upper = problem.positions[graph.first[chosen]].tolist()
    lower = problem.positions[graph.second[chosen]].tolist()
    if not solution.complete:
        missing = sorted(set(free.tolist()) - {*upper, *lower})
        numbers = tuple(field.entrants[position].number for position in missing)
        raise RuleViolation("no-pairing-possible", players=numbers)
    repeats = graph.levels["repeats"][chosen].tolist()
    return BestPairs(
        tuple((one, other if other < count else None) for one, other in zip(upper, lower, strict=True)),
        frozenset(one for one, cost in zip(upper, repeats, strict=True) if cost),
        tuple(f"coarse-{name}" for name in solution.coarse) + (("cheapest-only",) if is_limited else ()),
        {name: int(level[chosen].sum()) for name, level in graph.levels.items()},
    )


def _solve_problem(problem: MatchingProblem, tick: Tick) -> tuple[Graph, Solution, bool]:
    if problem.has_criteria_only and problem.players > _DIRECT_UP_TO:
        tick(1, _STEPS)
        edges = find_proved_matching(problem, problem.list_nearest_edges(_NEAREST), partial(tick, 2, _STEPS))
        if edges is not None:
            return problem.build_graph(edges), Solution(tuple(range(len(edges[0]))), (), complete=True), False
    pulse = partial(tick, 3, _STEPS)
    pulse()
    if problem.players > _ALL_UP_TO:
        graph = problem.build_graph(problem.list_cheapest_edges(_CHEAPEST))
        solution = solve_matching(graph, pulse)
        if solution.complete and not graph.levels["repeats"][list(solution.edges)].any():
            return graph, solution, True
    graph = problem.build_graph(problem.list_all_edges())
    return graph, solve_matching(graph, pulse), False


def choose_bye(field: Field, free: Ints) -> tuple[Ints, int | None]:
    """Return an even number of the positions `free`, and the position with the bye if their number was odd.

    The bye leaves as few repeats as possible, of games and byes together; then it goes to the lowest score,
    then to the lowest place.
    """
    if len(free) % 2 == 0:
        return free, None
    count = len(field.entrants)

    def height(_columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
        found: Ints = (lower == count) * (count - upper)
        return found

    found = find_best_pairs(field, free, ("repeats", "bye", "height"), {"height": height})
    bye = next(one for one, other in found.pairs if other is None)
    return free[free != bye], bye


def make_plan(
    field: Field,
    found: BestPairs,
    reason: Callable[[int, int], tuple[str | None, Facts]],
    *,
    bye: int | None = None,
    bye_facts: Facts = (),
) -> Plan:
    """Return the plan of the best pairs, the fixed pairs and the `bye` position, if it was chosen before.

    `reason` gives the code and facts of each pair that is no repeat; `bye_facts` are those of the bye found.
    """
    pairs = [*fixed_pairs(field), *([] if bye is None else [Pair(bye, None)])]
    for one, other in found.pairs:
        if other is None:
            pairs.append(Pair(one, None, facts=bye_facts))
        elif one in found.repeated:
            pairs.append(Pair(one, other, "repeat"))
        else:
            pairs.append(Pair(one, other, *reason(one, other)))
    return Plan(tuple(pairs), relaxed=found.relaxed)
