"""A sentence for every way in which one player can stand above another."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import N_

ABOVE: Mapping[str, str] = MappingProxyType(
    {
        "wins": N_("{player} stands above {other} by match points: {value:points} against {other_value:points}"),
        "losses": N_("{player} stands above {other} by fewer losses: {value:points} against {other_value:points}"),
        "spread": N_("{player} stands above {other} by spread: {value:signed} against {other_value:signed}"),
        "points": N_("{player} stands above {other} by total points: {value:points} against {other_value:points}"),
        "resistance": N_(
            "{player} stands above {other} by resistance points: {value:points} against {other_value:points}"
        ),
        "resistance-cut1": N_(
            "{player} stands above {other} by resistance points without the weakest opponent: "
            "{value:points} against {other_value:points}"
        ),
        "resistance-median": N_(
            "{player} stands above {other} by resistance points without the weakest and the strongest opponent: "
            "{value:points} against {other_value:points}"
        ),
        "sonneborn-berger": N_(
            "{player} stands above {other} by Sonneborn-Berger: {value:points} against {other_value:points}"
        ),
        "head-to-head": N_(
            "{player} stands above {other} by the games among those who are equal: "
            "{value:points} against {other_value:points}"
        ),
        "cumulative": N_(
            "{player} stands above {other} by the sum of the match points after each round: "
            "{value:points} against {other_value:points}"
        ),
        "games-won": N_("{player} stands above {other} by games won: {value:points} against {other_value:points}"),
        "rating": N_("{player} stands above {other} by rating: {value:points} against {other_value:points}"),
        "opponents-rating": N_(
            "{player} stands above {other} by the average rating of the opponents: "
            "{value:points} against {other_value:points}"
        ),
        "stage-played": N_("{player} stands above {other}, who is out of the stage that is played"),
        "group-place": N_(
            "{player} stands above {other} by the place in the group: {place} against {other_place}"
        ),
        "bracket-place": N_(
            "{player} stands above {other} by the place in the knockout: {place} against {other_place}"
        ),
        "play-off": N_("{player} stands above {other} by the play-off"),
        "equal-in-bracket": N_("{player} and {other} have come equally far in the knockout"),
        "no-value": N_("{player} stands above {other}, who has no value for this tie-break: {tiebreak:heading}"),
        "equal": N_(
            "{player} and {other} are equal on everything and are listed by their numbers: "
            "{number} and {other_number}"
        ),
    }
)
