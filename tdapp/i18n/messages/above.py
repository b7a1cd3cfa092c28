"""A sentence for every way in which one player can stand above another."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_

ABOVE: Mapping[str, str] = MappingProxyType(
    {
        "stage-played": N_("{player} stands above {other}, who is out of the stage that is played"),
        "group-place": N_(
            "{player} stands above {other} by the place in the group: {place} against {other_place}"
        ),
        "bracket-place": N_(
            "{player} stands above {other} by the place in the knockout: {place} against {other_place}"
        ),
        "play-off": N_("{player} stands above {other} by the play-off"),
        "equal-in-bracket": N_("{player} and {other} have come equally far in the knockout"),
        "no-value": N_("{player} stands above {other}, who has no value for this tie-break: {tiebreak:tiebreak}"),
        "equal": N_(
            "{player} and {other} are equal on everything and are listed by their numbers: "
            "{number} and {other_number}"
        ),
    }
)
