"""King of the hill: the first meets the second, the third the fourth, unless they have met too often.

The Swiss matching with neighbours as its style.
"""

from __future__ import annotations

from tdapp.domain.pairing_settings import PairingStyle
from tdapp.pairing import criteria
from tdapp.pairing.swiss import matched
from tdapp.pairing.system import Plan, Situation, System, last_round


def plan(situation: Situation) -> Plan:
    """Return the cheapest pairing of neighbours; raise RuleViolation where there is none."""
    return matched(situation.field, code="king-of-the-hill", tick=situation.tick)


KING_OF_THE_HILL = System("king-of-the-hill", plan, last_round, criteria.ORDER, PairingStyle.ADJACENT)
