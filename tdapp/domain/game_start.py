"""Before the first move: the draw for the start, and the clock that runs for those who are not there yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.domain.ruleset import Redraw, RuleSet
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import DrawOutcome, TileSet, starting_draw


def starter(rules: RuleSet, tileset: TileSet, draws: Sequence[Mapping[int, str]]) -> DrawOutcome:
    """Return who starts after successive draws, each a map from players to their tiles, or who draws again.

    `?` is a blank. Raises RuleViolation for draws that cannot have been.
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
    """A player on arrival: seconds `left` on the clock, whether the game may be given up, or is `lost` already."""

    left: int
    may_give_up: bool
    lost: bool


def arrivals(rules: RuleSet, *delays: int) -> tuple[LateArrival, ...]:
    """Return how each player arrives who comes `delays` seconds after the game should have begun.

    The clock of one absent player runs until the arrival; of two, one clock runs until the first arrival, then the
    second player's, from which the first stretch is deducted too: either way each has lost the own delay
    (no-turneringsreglement 2.2). Raises RuleViolation where the rules have no late arrival.
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
