"""Random pairings: everybody meets somebody new, and the tournament's seed draws whom; scores do not count."""

from __future__ import annotations

from tdapp.domain import systems as declared
from tdapp.domain.mark import N_
from tdapp.pairing.cheapest import cheapest, settled
from tdapp.pairing.system import Plan, Situation, System, before_stage, free_places

_ORDER = ("repeats", "apart", "chance")


def plan(situation: Situation) -> Plan:
    """Return the draw with the fewest repeats; raise RuleViolation where there is none."""
    field = situation.field
    found = cheapest(field, free_places(field), _ORDER)
    return settled(field, found, lambda _one, _other: ("random", ()))


_REASONS = {"random": N_("Drawn by lot")}
RANDOM = System(declared.RANDOM, plan, before_stage, ("repeats", "apart"), reasons=_REASONS)
