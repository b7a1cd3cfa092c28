"""Pairings without scores: drawn from the tournament's seed, or set by the director."""

from __future__ import annotations

from tdapp.domain import systems as declared
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.best_pairs import find_best_pairs, make_plan
from tdapp.pairing.system import Plan, Situation, System, before_stage, fixed_pairs, free_places


def plan(situation: Situation) -> Plan:
    """Return the draw with the fewest repeats. Raises RuleViolation if none exists."""
    found = find_best_pairs(situation.field, free_places(situation.field), ("repeats", "apart", "chance"))
    return make_plan(situation.field, found, lambda _one, _other: ("random", ()))


def plan_by_hand(situation: Situation) -> Plan:
    """Return only the director's pairs. All others wait."""
    return Plan(fixed_pairs(situation.field))


RANDOM = System(declared.RANDOM, plan, before_stage, ("repeats", "apart"), reasons={"random": N_("Drawn by lot")})
MANUAL = System(declared.MANUAL, plan_by_hand, before_stage, criteria.ORDER)
