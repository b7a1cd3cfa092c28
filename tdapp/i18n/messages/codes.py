"""Words for codes: states, kinds, styles, systems, tie-breaks; a key `Enum.value` goes before a bare value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import C_, N_

CODES: Mapping[str, str] = MappingProxyType(
    {
        # how far a result has come
        "open": C_("state", "open"),
        "entered": C_("state", "entered"),
        "checked": C_("state", "checked"),
        "final": C_("state", "final"),
        # how far a round has come
        "draft": C_("state", "draft"),
        "published": C_("state", "published"),
        # rounds without a game
        "bye": N_("bye"),
        "requested": N_("requested bye"),
        "absent": N_("absent"),
        "forfeit": N_("forfeit"),
        # who forfeited
        "Forfeit.1": N_("forfeit by the first player"),
        "Forfeit.2": N_("forfeit by the second player"),
        "Forfeit.both": N_("forfeit by both"),
        # how it is settled who starts
        "assigned": N_("assigned"),
        "Start.draw": N_("to be drawn"),
        "drawn": N_("drawn"),
        # what a round counts as
        "win": N_("win"),
        "draw": C_("result", "draw"),
        "loss": N_("loss"),
        "nothing": N_("nothing"),
        # who meets whom within a score group
        "slide": N_("top half against bottom half"),
        "fold": N_("first against last"),
        "adjacent": N_("neighbours"),
        "random": N_("drawn by lot"),
        # what pairings avoid
        "club": N_("club"),
        "country": N_("country"),
        "team": N_("team"),
        "category": N_("class"),
        # pairing systems
        "swiss": N_("Swiss"),
        "round-robin": N_("round robin"),
        "king-of-the-hill": N_("king of the hill"),
        "knockout": N_("knockout"),
        "manual": N_("by hand"),
        # how a player stands to the coming round
        "active": N_("active"),
        "withdrawn": N_("withdrawn"),
        # what pairings cost
        "repeats": N_("repeats"),
        "guard": N_("balance of starts guarded"),
        "score_difference": N_("difference of scores"),
        "floats": N_("floats"),
        "avoid": N_("same club, country, team or class"),
        "style": N_("style"),
        # what goes on after a tie in a knockout
        "replier": N_("the player who did not start"),
        "extra-game": N_("an extra game"),
    }
)
