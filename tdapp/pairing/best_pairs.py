"""Finds the best pairing of a round for every pairing system.

Up to 100 players, all pairs are compared. Above, systems that use only the usual criteria compare few pairs, and a
proof shows that no other pair is better. If the proof fails, all pairs are compared up to 400 players. Above 400,
only the cheapest pairs of each player are compared, if they give a pairing without repeats. Only this last case
may miss the best pairing; the proposal then reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints
from tdapp.pairing.criteria import FieldColumns
from tdapp.pairing.field import PairingField, Tick, ignore_progress
from tdapp.pairing.matching import Level, MatchingGraph, MatchingProblem, MatchingSolution, solve_matching
from tdapp.pairing.proof import find_proved_matching
from tdapp.pairing.system import Facts, PairingPlan, PlannedPair, list_fixed_pairs

_DIRECT_UP_TO = 100  # players: a proof takes longer than all edges
_ALL_UP_TO = 400  # players up to which all edges are used without a proof
_NEAREST = 8  # edges of each player and kind that the proof starts with
_CHEAPEST = 60  # edges of each player to either side
_STEPS = 4  # progress steps of a large field


class BestPairs(Struct, frozen=True):
    """The best pairing found. Players are given by their positions in the field."""

    pairs: tuple[tuple[int, int | None], ...]  # the better placed position first; None is the bye
    rematch_positions: frozenset[int] = frozenset()  # the better placed positions of pairs that have met before
    relaxed: tuple[str, ...] = ()  # codes of reported shortcomings
    cost_sums: Mapping[str, int] | None = None  # total cost by criterion


def find_best_pairs(
    field: PairingField,
    free: Ints,
    order: Sequence[str] = criteria.ORDER,
    system_levels: Mapping[str, Level] | None = None,
    *,
    bye_nodes: Ints | None = None,
    tick: Tick = ignore_progress,
) -> BestPairs:
    """Return the best pairing of the players at the positions `free`, which are in ascending order.

    `order` are the names of the criteria, the most important first. `system_levels` are further criteria of
    the pairing system. If some players have no legal opponent left, raises RuleViolation "no-pairing-possible"
    with the numbers of these players.
    """
    if not len(free):
        return BestPairs(())
    problem = MatchingProblem(field, free, order, system_levels, bye_nodes)
    graph, solution, is_limited = _solve_matching_problem(problem, tick)
    chosen = list(solution.edges)
    count = problem.columns.count
    upper = problem.positions[graph.first[chosen]].tolist()
    lower = problem.positions[graph.second[chosen]].tolist()
    if not solution.is_perfect:
        missing = sorted(set(free.tolist()) - {*upper, *lower})
        numbers = tuple(field.entrants[position].number for position in missing)
        raise RuleViolation("no-pairing-possible", players=numbers)
    repeats = graph.levels["repeats"][chosen].tolist()
    return BestPairs(
        tuple((one, other if other < count else None) for one, other in zip(upper, lower, strict=True)),
        frozenset(one for one, cost in zip(upper, repeats, strict=True) if cost),
        tuple(f"coarse-{name}" for name in solution.reduced_levels) + (("cheapest-only",) if is_limited else ()),
        {name: int(level[chosen].sum()) for name, level in graph.levels.items()},
    )


def _solve_matching_problem(problem: MatchingProblem, tick: Tick) -> tuple[MatchingGraph, MatchingSolution, bool]:
    if problem.has_criteria_only and problem.players > _DIRECT_UP_TO:
        tick(1, _STEPS)
        edges = find_proved_matching(problem, problem.list_nearest_edges(_NEAREST), partial(tick, 2, _STEPS))
        if edges is not None:
            return (
                problem.build_graph(edges),
                MatchingSolution(tuple(range(len(edges[0]))), (), is_perfect=True),
                False,
            )
    pulse = partial(tick, 3, _STEPS)
    pulse()
    if problem.players > _ALL_UP_TO:
        graph = problem.build_graph(problem.list_cheapest_edges(_CHEAPEST))
        solution = solve_matching(graph, pulse)
        if solution.is_perfect and not graph.levels["repeats"][list(solution.edges)].any():
            return graph, solution, True
    graph = problem.build_graph(problem.list_all_edges())
    return graph, solve_matching(graph, pulse), False


def choose_bye(field: PairingField, free: Ints) -> tuple[Ints, int | None]:
    """Choose a player for the bye. Return the other positions, and the position of that player or None."""
    if len(free) % 2 == 0:
        return free, None
    count = len(field.entrants)

    def measure_bye_rank(_columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
        found: Ints = (lower == count) * (count - upper)
        return found

    found = find_best_pairs(
        field, free, ("repeats", "bye", "measure_bye_rank"), {"measure_bye_rank": measure_bye_rank}
    )
    bye = next(one for one, other in found.pairs if other is None)
    return free[free != bye], bye


def make_pairing_plan(
    field: PairingField,
    found: BestPairs,
    explain_pair: Callable[[int, int], tuple[str | None, Facts]],
    *,
    bye: int | None = None,
    bye_facts: Facts = (),
) -> PairingPlan:
    """Return the best pairs and the fixed pairs as a plan.

    `bye` is the position of a player who got the bye before the pairing. `explain_pair` returns the
    reason of a pair as code and facts. Players who have met before get the reason "repeat" instead.
    """
    pairs = [*list_fixed_pairs(field), *([] if bye is None else [PlannedPair(bye, None)])]
    for one, other in found.pairs:
        if other is None:
            pairs.append(PlannedPair(one, None, facts=bye_facts))
        elif one in found.rematch_positions:
            pairs.append(PlannedPair(one, other, "repeat"))
        else:
            pairs.append(PlannedPair(one, other, *explain_pair(one, other)))
    return PairingPlan(tuple(pairs), relaxed=found.relaxed)
