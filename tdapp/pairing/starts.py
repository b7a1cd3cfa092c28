"""Who starts a game.

Hides the order of the rules: balance, the last round in which the two had different roles, their last meeting, a
draw from the tournament's seed.
"""

from __future__ import annotations

from tdapp.domain.bracket import drawn
from tdapp.pairing.field import Entrant, Field


def starter(field: Field, one: Entrant, other: Entrant) -> Entrant:
    """Return who of two players starts their game; byes and games not played count as neither role."""
    if one.balance != other.balance:
        return min(one, other, key=lambda entrant: entrant.balance)
    for number in sorted(one.roles.keys() & other.roles.keys(), reverse=True):
        if one.roles[number] != other.roles[number]:
            return other if one.roles[number] else one
    for number in sorted(one.meetings.get(other.player, ()), reverse=True):
        if number in one.roles:
            return other if one.roles[number] else one
    low, high = sorted((one, other), key=lambda entrant: entrant.number)
    return low if drawn(field.seed, field.number, low.number, high.number) % 2 else high
