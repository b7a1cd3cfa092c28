"""Swiss pairings: the best pairing of the whole field. King of the hill pairs neighbours."""

from __future__ import annotations

from functools import partial

from tdapp.domain import systems as declared
from tdapp.domain.errors import RuleViolation
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import BestPairs, find_best_pairs, make_plan
from tdapp.pairing.field import Field, Tick, no_tick
from tdapp.pairing.system import Facts, Plan, Situation, System, free_places, last_round


def plan(situation: Situation, code: str | None = None) -> Plan:
    """Return the best pairing of a round, each pair for the reason `code`.

    Raise RuleViolation for no-pairing-possible.
    """
    return pair_field(situation.field, code=code, tick=situation.tick)


def pair_field(field: Field, *, code: str | None = None, tick: Tick = no_tick) -> Plan:
    """Return the best pairing of a field under all criteria, each pair for the reason `code`."""
    free = free_places(field)
    found = find_best_pairs(field, free, tick=tick)
    return make_plan(field, found, lambda _one, _other: (code, ()), bye_facts=_explain_bye(field, free, found))


def _explain_bye(field: Field, free: Ints, found: BestPairs) -> Facts:
    """Return by which criterion, and how much, the lowest possible bye costs more than the bye found.

    Nothing if it is the lowest of the players with the fewest byes, or a second bye, or no lower bye is possible.
    """
    bye = next((field.entrants[one] for one, other in found.pairs if other is None), None)
    entrants = [field.entrants[position] for position in free.tolist()]
    fewest = min((entrant.byes for entrant in entrants), default=0)
    lowest = min((entrant.score for entrant in entrants if entrant.byes == fewest), default=0)
    if bye is None or found.sums is None or bye.byes > fewest or bye.score == lowest:
        return ()
    nodes = [node for node, one in enumerate(entrants) if (one.byes, one.score) == (fewest, lowest)]
    try:
        lower = find_best_pairs(field, free, bye_nodes=np.array(nodes))
    except RuleViolation:
        return ()
    sums = lower.sums or {}
    more = {name: sums[name] - least for name, least in found.sums.items() if name != "chance"}
    return next(((("criterion", name), ("more", cost)) for name, cost in more.items() if cost), ())


SWISS = System(declared.SWISS, plan, last_round, criteria.ORDER)
KING_OF_THE_HILL = System(
    declared.KING_OF_THE_HILL,
    partial(plan, code="king-of-the-hill"),
    last_round,
    criteria.ORDER,
    PairingStyle.ADJACENT,
    reasons={"king-of-the-hill": N_("Neighbours: place {better_place} against {worse_place}")},
)
