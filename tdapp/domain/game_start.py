"""The draw for the start, and the clocks of players who arrive late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.domain.ruleset import Redraw, RuleSet
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import DrawOutcome, TileSet, starting_draw


def find_starter(rules: RuleSet, tileset: TileSet, draws: Sequence[Mapping[int, str]]) -> DrawOutcome:
    """Return the player who starts, or the players who must draw again.

    `draws` are successive draws, each a map from players to their tiles; `?` is a blank. Raises RuleViolation
    for impossible draws.
    """
    try:
        return starting_draw(
            draws,
            tileset,
            blank=rules.draw.blank,
            all_again=rules.draw.again is Redraw.ALL,
            returned=rules.draw.returned,
        )
    except ScrabbleError as error:
        raise RuleViolation(error.code, detail=error.detail) from error


class LateArrival(Struct, frozen=True):
    """The state of a late player on arrival.

    Seconds `left` on the clock, and whether the game can be forfeited or is already `lost`.
    """

    left: int
    may_give_up: bool
    lost: bool


def compute_arrivals(rules: RuleSet, *delays: int) -> tuple[LateArrival, ...]:
    """Return the arrival of each player who comes `delays` seconds after the start of the game.

    The clock of one absent player runs until the arrival. With two absent players, one clock runs until the
    first arrival, then the second player's clock, which also loses the first period. So each player loses the
    own delay (no-turneringsreglement 2.2). Raises RuleViolation if the rules have no late arrivals.
    """
    if not rules.late.known or rules.clock.minutes is None:
        raise RuleViolation("late-not-in-rules", ruleset=rules.name)
    time = 60 * rules.clock.minutes
    return tuple(
        LateArrival(
            left=max(0, time - delay), may_give_up=0 < time - delay < 60 * rules.late.give_up, lost=delay >= time
        )
        for delay in delays
    )
