"""A sentence for everything that follows when a player leaves, stays away, returns or comes late."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_, Plural, Text

FOLLOWS: Mapping[str, Text] = MappingProxyType(
    {
        "game-open": N_(
            "Round {round} is being played, with {player} at table {table} against {opponent}: enter the result, "
            "or a forfeit."
        ),
        "draft-game": N_(
            "Round {round} is a draft with {player} at table {table} against {opponent}: pair it again."
        ),
        "draft-bye": N_("Round {round} is a draft in which {player} has the bye: pair it again."),
        "draft-without": N_("Round {round} is a draft without {player}: pair it again."),
        "left-out": N_("In round {round} only those play who went on: {player} is not among them."),
        "odd-once": N_("In round {round} {n} players are here, so one of them has a bye."),
        "even-once": N_("In round {round} {n} players are here, so nobody has a bye."),
        "odd-on": N_("From round {round} on {n} players are here, so one of them has a bye each round."),
        "even-on": N_("From round {round} on {n} players are here, so nobody has a bye."),
        "too-few": N_("Round {round} cannot be paired: too few players are here ({n})."),
        "seat-empty": N_("The seat stays empty: from round {round} on whoever was to meet {player} has a bye."),
        "bracket-goes-on": N_("In the knockout the next opponent of {player} goes on without a game."),
        "seat-last": N_("{player} sits behind all others from round {round} on; seats already taken stay."),
        "counts-as": N_("A missed round counts as: {kind}, {points:points} match points, spread {spread:signed}."),
        "counts-nothing": N_("Nothing is recorded for the rounds that {player} misses."),
        "results-stay": Plural(
            "The game played stays, and counts for the opponent.",
            "The {n} games played stay, and count for the opponents.",
            "n",
        ),
        "stays-listed": N_("{player} stays in the standings, marked as withdrawn."),
        "not-listed": N_("{player} is no longer listed in the standings."),
        "listed-again": N_("{player} is listed in the standings again."),
        "plays-from": N_("{player} is paired again from round {round} on."),
        "starts-at-nothing": Plural(
            "{player} begins with no match points: the round before counts nothing.",
            "{player} begins with no match points: the {n} rounds before count nothing.",
            "n",
        ),
        "may-be-seated": N_(
            "Round {round} is being played: {player} can still be seated there against {opponent}, who has the "
            "bye."
        ),
        "order-broken": N_(
            "{player} is ordered to meet {opponent} in round {round}: take that order away, or the round cannot "
            "be paired."
        ),
        "nothing-follows": N_("Nothing changes for pairings and standings."),
    }
)
