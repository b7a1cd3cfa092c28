"""King of the hill: the first meets the second, the third the fourth, unless they have met too often.

The Swiss matching with neighbours as its style.
"""

from __future__ import annotations

from tdapp.domain import systems as declared
from tdapp.domain.mark import N_
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.pairing import criteria
from tdapp.pairing.system import Plan, Situation, System, last_round
from tdapp.pairing.systems.swiss import matched


def plan(situation: Situation) -> Plan:
    """Return the cheapest pairing of neighbours; raise RuleViolation where there is none."""
    return matched(situation.field, code="king-of-the-hill", tick=situation.tick)


_REASONS = {"king-of-the-hill": N_("Neighbours: place {better_place} against {worse_place}")}
KING_OF_THE_HILL = System(
    declared.KING_OF_THE_HILL, plan, last_round, criteria.ORDER, PairingStyle.ADJACENT, reasons=_REASONS
)
