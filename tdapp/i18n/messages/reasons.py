"""A sentence for every reason that a pairing can give; places are those in the standings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_, Text

REASONS: Mapping[str, Text] = MappingProxyType(
    {
        "same-score": N_("Equal scores: place {better_place} against {worse_place}, both {better_score:points}"),
        "float": N_(
            "Between score groups: place {better_place} with {better_score:points} "
            "against {worse_place} with {worse_score:points}"
        ),
        "repeat": N_("They meet again (earlier meetings: {meetings}): nothing else was better for all"),
        "king-of-the-hill": N_("Neighbours: place {better_place} against {worse_place}"),
        "round-robin": N_("Round robin: cycle {cycle}, turn {turn}"),
        "group-round-robin": N_("Group {group}: cycle {cycle}, turn {turn}"),
        "random": N_("Drawn by lot"),
        "prize-last-round": N_("{one} against {other}: last round, king of the hill for the prizes"),
        "prize-class": N_("{one} against {other}: last round, for the prize of their class"),
        "prize-control": N_(
            "{one} against {other}, who could win every game and, without meeting the leader, "
            "still lose the tournament in {share} % of simulations"
        ),
        "prize-factor": N_("{one} against {other}: factor three, all of the first six can still move up"),
        "prize-decided": N_("{one} against {other}: place {place} is decided, so away from the prizes still open"),
        "prize-title": N_(
            "{one} against {other}, the lowest player who still wins the tournament in {share} % of simulations"
        ),
        "prize-lowest": N_(
            "{one} against {other}, the lowest player who still reaches place {place} in {share} % of simulations"
        ),
        "prize-rival": N_("{one} against {other}, who still reaches place {place} in {share} % of simulations"),
        "prize-no-rival": N_("{one} against {other}: nobody was left who is likely to reach place {place}"),
        "prize-behind": N_("{one} against {other}, behind the prizes still open"),
        "quartiles": N_(
            "Quarter {better_quarter} of the field against quarter {worse_quarter}: "
            "place {better_place} against {worse_place}"
        ),
        "factor": N_("Factor {factor}: place {better_place} against {worse_place}"),
        "snake-groups": N_("Group {group}, turn {turn}"),
        "outside-groups": N_("Not a game of the groups: their opponents of this turn cannot play"),
        "top-half": N_("Top half against bottom half: place {better_place} against {worse_place}"),
        "australian": N_(
            "Place {better_place} meets the highest placed left whom they have not met: place {worse_place}"
        ),
        "team-match": N_("{better_team} against {worse_team}, game {game}"),
        "bracket": N_("{name:match}: {better_from:came} against {worse_from:came}"),
        "third-place": N_("For the third place: seed {better_seed} against {worse_seed}"),
        "series": N_("{name:match}, game {game} of {games}: {better_from:came} against {worse_from:came}"),
        "fixed": N_("Kept as it was"),
        "by-hand": N_("Paired by hand"),
        "latecomer": N_("Number {late} came late and met the player with the bye"),
        "ordered": N_("Ordered by the director"),
        "bye-lowest": N_("the lowest score among those with the fewest byes"),
        "bye-above": N_("lower down the bye would have cost a repeat or more difference of scores"),
        "bye-again": N_("has had one before: nothing else was better for all"),
        "bye-turn": N_("nobody to play against in this turn"),
        "bye-bracket": N_("nobody to play against in the bracket"),
        "bye-decided": N_("the place is decided, and nobody left to play against can win a prize"),
    }
)
