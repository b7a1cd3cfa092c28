"""The Australian draw: from the top down, each player meets the highest remaining player not met before.

A pair is made only if all remaining players can still be paired. In the first round the top half meets the bottom
half. Games before round `repeats_from` do not count as meetings. If every pairing contains a repeat, the games
of further rounds do not count either, until a pairing without repeats exists.
"""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.domain.translatable import N_
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.best_pairs import BestPairs, choose_bye, find_best_pairs, make_pairing_plan
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import MatchingGraph, MatchingProblem, solve_matching
from tdapp.pairing.system import PairingInput, PairingMethod, PairingPlan, get_previous_round, list_free_positions
from tdapp.pairing.systems.swiss import pair_field


def plan_pairs(situation: PairingInput) -> PairingPlan:
    settings = replace(situation.field.settings, style=PairingStyle.SLIDE, max_repeats=None)
    field = replace(situation.field, settings=settings)
    if field.number == 1:
        return pair_field(field, code="top-half", tick=situation.tick)
    reset = since = settings.repeats_from or 1
    while True:  # ends when no meeting counts
        field = replace(field, settings=replace(settings, repeats_from=since))
        free, bye = choose_bye(field, list_free_positions(field))
        start = find_best_pairs(field, free, ("repeats",))
        if not start.rematch_positions:
            break
        since += 1
    found = BestPairs(pair_from_top(field, free, start), relaxed=() if since == reset else ("reset-later",))
    return make_pairing_plan(field, found, lambda _one, _other: ("australian", ()), bye=bye)


def pair_from_top(field: PairingField, free: Ints, start: BestPairs) -> tuple[tuple[int, int | None], ...]:
    """Return the pairing that gives the first player the best opponent, then the next player, and so on.

    The search starts from `start`, any valid pairing.
    """
    if not len(free):
        return ()
    node = {at: number for number, at in enumerate(free.tolist())}
    allowed = _list_allowed_pairs(field, free)
    mate = np.zeros(len(free), dtype=np.int64)
    for one, other in start.pairs:
        if other is not None:
            mate[[node[one], node[other]]] = node[other], node[one]
    here = np.ones(len(free), dtype=np.bool_)
    found: list[tuple[int, int | None]] = []
    for top in range(len(free)):
        if not here[top]:
            continue
        here[top] = False
        for other in np.flatnonzero(allowed[top] & here).tolist():
            here[other] = False
            if mate[top] == other or _pair_freed_players_again(
                mate, allowed, here, int(mate[top]), int(mate[other])
            ):
                found.append((int(free[top]), int(free[other])))
                break
            here[other] = True
    return tuple(found)


def _list_allowed_pairs(field: PairingField, free: Ints) -> Flags:
    problem = MatchingProblem(field, free, ("repeats",))
    first, second = edges = problem.list_all_edges()
    new = problem.compute_levels(edges)["repeats"] == 0
    found = np.zeros((len(free), len(free)), dtype=np.bool_)
    found[first[new], second[new]] = True
    return found | found.T


def _pair_freed_players_again(mate: Ints, allowed: Flags, among: Flags, one: int, other: int) -> bool:
    """Pair the players in `among` again after `one` and `other` lost their opponents.

    Update `mate` and return true, or return false if it is impossible.
    """
    if allowed[one, other]:
        mate[[one, other]] = other, one
        return True
    between = among & allowed[one] & allowed[other][mate]
    between[other] = False
    if between.any():
        near = int(np.argmax(between))
        far = int(mate[near])
        mate[[one, near, other, far]] = near, one, far, other
        return True
    nodes = np.flatnonzero(among)
    first, second = np.nonzero(np.triu(allowed[np.ix_(nodes, nodes)]))
    solution = solve_matching(MatchingGraph(len(nodes), first.astype(np.int64), second.astype(np.int64), {}))
    if solution.is_perfect:
        edges = list(solution.edges)
        ends = nodes[first[edges]], nodes[second[edges]]
        mate[ends[0]], mate[ends[1]] = ends[1], ends[0]
    return solution.is_perfect


_REASONS = {
    "top-half": N_("Top half against bottom half: place {better_place} against {worse_place}"),
    "australian": N_(
        "Place {better_place} meets the highest available player not met before: place {worse_place}"
    ),
}
AUSTRALIAN = PairingMethod(
    declared.AUSTRALIAN, plan_pairs, get_previous_round, ("repeats", "bye"), reasons=_REASONS
)
