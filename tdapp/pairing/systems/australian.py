"""The Australian draw: from the top down, each player meets the highest remaining player not met before.

A pair is made only if all remaining players can still be paired. In the first round, the top half meets the bottom
half. Games before round `repeats_from` do not count as meetings. If every pairing contains a repeat, the
meetings of the oldest remaining round are ignored too, and so on until a pairing without repeats exists.
"""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.pairing_settings import ScoreGroupPairing
from tdapp.domain.translatable import N_
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.best_pairs import BestPairs, choose_player_for_bye_if_needed, find_best_pairs, make_pairing_plan
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import MatchingGraph, MatchingProblem, solve_matching
from tdapp.pairing.system import (
    PairingInput,
    PairingMethod,
    PairingPlan,
    get_previous_round_number,
    list_positions_without_fixed_pair,
)
from tdapp.pairing.systems.swiss import plan_swiss_pairs


def plan_pairs(situation: PairingInput) -> PairingPlan:
    settings = replace(situation.field.settings, style=ScoreGroupPairing.SLIDE, max_repeats=None)
    field = replace(situation.field, settings=settings)
    if field.number == 1:
        return plan_swiss_pairs(field, code="top-half", progress=situation.progress)
    configured_round = first_counted_round = settings.repeats_from or 1
    while True:  # ends when no meeting counts
        field = replace(field, settings=replace(settings, repeats_from=first_counted_round))
        positions, bye = choose_player_for_bye_if_needed(field, list_positions_without_fixed_pair(field))
        start = find_best_pairs(field, positions, ("repeats",))
        if not start.rematch_positions:
            break
        first_counted_round += 1
    relaxed = () if first_counted_round == configured_round else ("reset-later",)
    best_pairs = BestPairs(pair_with_highest_possible_opponents(field, positions, start), relaxed=relaxed)
    return make_pairing_plan(field, best_pairs, lambda _upper, _lower: ("australian", ()), bye=bye)


def pair_with_highest_possible_opponents(
    field: PairingField, positions: Ints, pairing_without_repeats: BestPairs
) -> tuple[tuple[int, int | None], ...]:
    """Give the first player the highest possible opponent, then the next player, and so on. Return the pairs.

    `pairing_without_repeats` is any pairing without repeats. A pair is accepted only if all remaining players can
    be paired without repeats.
    """
    if not len(positions):
        return ()
    node_of = {position: number for number, position in enumerate(positions.tolist())}
    is_allowed = _mark_allowed_pairs(field, positions)
    mates = np.zeros(len(positions), dtype=np.int64)
    for upper, lower in pairing_without_repeats.pairs:
        if lower is not None:
            mates[[node_of[upper], node_of[lower]]] = node_of[lower], node_of[upper]
    is_unpaired = np.ones(len(positions), dtype=np.bool_)
    pairs: list[tuple[int, int | None]] = []
    for top in range(len(positions)):
        if not is_unpaired[top]:
            continue
        is_unpaired[top] = False
        for lower in np.flatnonzero(is_allowed[top] & is_unpaired).tolist():
            is_unpaired[lower] = False
            if mates[top] == lower or _find_opponents_for_freed_players(
                mates, is_allowed, is_unpaired, int(mates[top]), int(mates[lower])
            ):
                pairs.append((int(positions[top]), int(positions[lower])))
                break
            is_unpaired[lower] = True
    return tuple(pairs)


def _mark_allowed_pairs(field: PairingField, positions: Ints) -> Flags:
    problem = MatchingProblem(field, positions, ("repeats",))
    first, second = edges = problem.list_all_edges()
    is_new = problem.compute_edge_costs_by_criterion(edges)["repeats"] == 0
    is_allowed = np.zeros((len(positions), len(positions)), dtype=np.bool_)
    is_allowed[first[is_new], second[is_new]] = True
    return is_allowed | is_allowed.T


def _find_opponents_for_freed_players(
    mates: Ints, is_allowed: Flags, is_available: Flags, first_node: int, second_node: int
) -> bool:
    """Find new opponents for `first_node` and `second_node`. Update `mates`, which has each player's opponent.

    Other pairs can change. Return False if no pairing is possible.
    """
    if is_allowed[first_node, second_node]:
        mates[[first_node, second_node]] = second_node, first_node
        return True
    is_intermediate = is_available & is_allowed[first_node] & is_allowed[second_node][mates]
    is_intermediate[second_node] = False
    if is_intermediate.any():
        new_mate = int(np.argmax(is_intermediate))
        freed_mate = int(mates[new_mate])
        mates[[first_node, new_mate, second_node, freed_mate]] = new_mate, first_node, freed_mate, second_node
        return True
    nodes = np.flatnonzero(is_available)
    first, second = np.nonzero(np.triu(is_allowed[np.ix_(nodes, nodes)]))
    solution = solve_matching(MatchingGraph(len(nodes), first.astype(np.int64), second.astype(np.int64), {}))
    if solution.is_perfect:
        edges = list(solution.edges)
        ends = nodes[first[edges]], nodes[second[edges]]
        mates[ends[0]], mates[ends[1]] = ends[1], ends[0]
    return solution.is_perfect


_REASONS = {
    "top-half": N_("Top half against bottom half: place {better_place} against {worse_place}"),
    "australian": N_("Place {better_place} against {worse_place}: the highest-ranked free player not met before"),
}
AUSTRALIAN = PairingMethod(
    declared.AUSTRALIAN, plan_pairs, get_previous_round_number, ("repeats", "bye"), reasons=_REASONS
)
