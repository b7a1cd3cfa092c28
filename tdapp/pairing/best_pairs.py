"""Finds the best pairing of a round for every pairing system.

The best pairing has the lowest sum of pair costs (module `criteria`). Up to 100 players, search all legal pairs.
Above 100 players:

1. If the system uses `criteria.ORDER`, search a few pairs. The module `proof` can prove that no other pair
   improves the result.
2. Without a proof, up to 400 players: search all legal pairs.
3. Without a proof, above 400 players: search only pairs with low costs. This search can miss the best pairing, so
   the proposal reports "cheapest-only". If two players in the result have met before, search all legal pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from tdapp.domain.errors import CommandError
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints
from tdapp.pairing.criteria import PairingFieldArrays
from tdapp.pairing.field import PairingField, ProgressCallback, ignore_progress
from tdapp.pairing.matching import Level, MatchingGraph, MatchingProblem, MatchingSolution, solve_matching
from tdapp.pairing.proof import find_proved_optimal_matching
from tdapp.pairing.system import Facts, PairingPlan, PlannedPair, list_fixed_pairs

_MAX_PLAYERS_WITHOUT_PROOF = 100  # up to here, a proof takes longer than a matching on all edges
_MAX_PLAYERS_WITH_ALL_EDGES = 400  # without a proof
_NEAREST_EDGES = 8  # see `list_edges_to_nearby_nodes`; the proof starts with them
_CHEAPEST_EDGES = 60  # of each player, to higher and to lower players
_PROGRESS_STEPS = 4


class BestPairs(Struct, frozen=True):
    """The best pairing found. Players are positions in the standings, from 0."""

    pairs: tuple[tuple[int, int | None], ...]  # the better placed player first; None is the bye
    rematch_positions: frozenset[int] = frozenset()  # the better placed player of each pair that has met before
    relaxed: tuple[str, ...] = ()  # codes of shortcomings that the proposal reports
    cost_sums: Mapping[str, int] | None = None  # total cost by criterion


def find_best_pairs(
    field: PairingField,
    positions: Ints,
    order: Sequence[str] = criteria.ORDER,
    system_levels: Mapping[str, Level] | None = None,
    *,
    bye_nodes: Ints | None = None,
    progress: ProgressCallback = ignore_progress,
) -> BestPairs:
    """Return the best pairing of the players at `positions` (ascending).

    `order` contains the criteria, the most important first. `system_levels` replaces criteria of the same name.
    `bye_nodes` contains indexes into `positions`: only these players may have the bye (None: all). Raises
    CommandError "no-pairing-possible" with the numbers of the unpaired players.
    """
    if not len(positions):
        return BestPairs(())
    problem = MatchingProblem(field, positions, order, system_levels, bye_nodes)
    graph, solution, is_limited = _solve_with_all_or_cheapest_edges(problem, progress)
    edges = list(solution.edges)
    count = problem.columns.count
    upper = problem.positions[graph.first[edges]].tolist()
    lower = problem.positions[graph.second[edges]].tolist()
    if not solution.is_perfect:
        missing = sorted(set(positions.tolist()) - {*upper, *lower})
        numbers = tuple(field.entrants[position].number for position in missing)
        raise CommandError("no-pairing-possible", players=numbers)
    repeats = graph.levels["repeats"][edges].tolist()
    return BestPairs(
        tuple((first, second if second < count else None) for first, second in zip(upper, lower, strict=True)),
        frozenset(position for position, cost in zip(upper, repeats, strict=True) if cost),
        tuple(f"coarse-{name}" for name in solution.reduced_levels) + (("cheapest-only",) if is_limited else ()),
        {name: int(level[edges].sum()) for name, level in graph.levels.items()},
    )


def _solve_with_all_or_cheapest_edges(
    problem: MatchingProblem, progress: ProgressCallback
) -> tuple[MatchingGraph, MatchingSolution, bool]:
    if problem.has_only_default_criteria and problem.players > _MAX_PLAYERS_WITHOUT_PROOF:
        progress(1, _PROGRESS_STEPS)
        edges = find_proved_optimal_matching(
            problem, problem.list_edges_to_nearby_nodes(_NEAREST_EDGES), partial(progress, 2, _PROGRESS_STEPS)
        )
        if edges is not None:
            return (
                problem.build_graph(edges),
                MatchingSolution(tuple(range(len(edges[0]))), (), is_perfect=True),
                False,
            )
    pulse = partial(progress, 3, _PROGRESS_STEPS)
    pulse()
    if problem.players > _MAX_PLAYERS_WITH_ALL_EDGES:
        graph = problem.build_graph(problem.list_cheapest_edges(_CHEAPEST_EDGES))
        solution = solve_matching(graph, pulse)
        if solution.is_perfect and not graph.levels["repeats"][list(solution.edges)].any():
            return graph, solution, True
    graph = problem.build_graph(problem.list_all_edges())
    return graph, solve_matching(graph, pulse), False


def choose_player_for_bye_if_needed(field: PairingField, positions: Ints) -> tuple[Ints, int | None]:
    """Choose a player for the bye if needed. Return the remaining positions, and the chosen one or None."""
    if len(positions) % 2 == 0:
        return positions, None
    count = len(field.entrants)

    def compute_bye_position_cost(_columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
        cost: Ints = (lower == count) * (count - upper)
        return cost

    best_pairs = find_best_pairs(
        field, positions, ("repeats", "bye", "bye_position"), {"bye_position": compute_bye_position_cost}
    )
    bye = next(upper for upper, lower in best_pairs.pairs if lower is None)
    return positions[positions != bye], bye


def make_pairing_plan(
    field: PairingField,
    best_pairs: BestPairs,
    explain_pair: Callable[[int, int], tuple[str | None, Facts]],
    *,
    bye: int | None = None,
    bye_facts: Facts = (),
) -> PairingPlan:
    """Return a plan with the best pairs and the pairs fixed before the pairing.

    `bye` is the position of a player who already has the bye. `explain_pair` returns the reason for a pair: a
    message code, and the values to insert into the message. If a pair has met before, the code is "repeat".
    """
    pairs = [*list_fixed_pairs(field), *([] if bye is None else [PlannedPair(bye, None)])]
    for upper, lower in best_pairs.pairs:
        if lower is None:
            pairs.append(PlannedPair(upper, None, facts=bye_facts))
        elif upper in best_pairs.rematch_positions:
            pairs.append(PlannedPair(upper, lower, "repeat"))
        else:
            pairs.append(PlannedPair(upper, lower, *explain_pair(upper, lower)))
    return PairingPlan(tuple(pairs), relaxed=best_pairs.relaxed)
