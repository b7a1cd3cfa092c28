"""Pairing by hand: only what the director has set; everybody else waits."""

from __future__ import annotations

from tdapp.domain import systems as declared
from tdapp.pairing import criteria
from tdapp.pairing.system import Plan, Situation, System, before_stage, fixed_pairs


def plan(situation: Situation) -> Plan:
    """Return the director's pairs and no others."""
    return Plan(fixed_pairs(situation.field))


MANUAL = System(declared.MANUAL, plan, before_stage, criteria.ORDER)
