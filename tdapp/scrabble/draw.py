"""Who starts: each player draws a tile, and the letter nearest to the beginning of the alphabet begins.

Hides in what the books differ: the blank, who draws again, and whether tiles go back before that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import BLANK, TileSet


class DrawnBlank(StrEnum):
    """What a blank means in the draw."""

    FIRST = "first"  # it comes before A (no-turneringsreglement 2.1, de-spielregeln 3)
    REDRAWN = "redrawn"  # it does not count: draw again (nl-reglement II.4)


class DrawOutcome(NamedTuple):
    """The outcome: `starter`, or else the players who must draw `again`."""

    starter: int | None
    again: tuple[int, ...]


def starting_draw(
    draws: Sequence[Mapping[int, str]], tileset: TileSet, *, blank: DrawnBlank, all_again: bool, returned: bool
) -> DrawOutcome:
    """Return who starts after successive draws, each a map from the players who drew to their tiles.

    The first draw names all players. `all_again`: after a tie for the first letter all draw again, not only those
    who share it (a tie behind the first never matters). `returned`: the tiles go back before the next draw.
    Raise ScrabbleError: draw-missing (no draw), draw-players (others drew than had to), draw-superfluous (the
    start was decided), letter-unknown, tile-over-used (more of a tile than the set has).
    """
    if not draws or len(draws[0]) < 2:  # noqa: PLR2004
        raise ScrabbleError("draw-missing")
    _check_tiles(draws, tileset, returned=returned)
    outcome = DrawOutcome(None, tuple(sorted(draws[0])))
    for draw in draws:
        if outcome.starter is not None:
            raise ScrabbleError("draw-superfluous")
        if tuple(sorted(draw)) != outcome.again:
            raise ScrabbleError("draw-players", ", ".join(map(str, outcome.again)))
        outcome = _after(draw, tileset, blank=blank, all_again=all_again)
    return outcome


def _after(draw: Mapping[int, str], tileset: TileSet, *, blank: DrawnBlank, all_again: bool) -> DrawOutcome:
    everybody = tuple(sorted(draw))
    if blank is DrawnBlank.REDRAWN and BLANK in draw.values():
        return DrawOutcome(None, everybody)
    places = {player: -1 if tile == BLANK else tileset.order(tile) for player, tile in draw.items()}
    best = min(places.values())
    foremost = tuple(player for player in everybody if places[player] == best)
    if len(foremost) == 1:
        return DrawOutcome(foremost[0], ())
    return DrawOutcome(None, everybody if all_again else foremost)


def _check_tiles(draws: Sequence[Mapping[int, str]], tileset: TileSet, *, returned: bool) -> None:
    held: list[str] = []
    for draw in draws:
        tiles = list(draw.values())
        for tile in tiles:
            if tile != BLANK:
                tileset.order(tile)
        held = tiles if returned else held + tiles
        if over := tileset.over_used([tile if tile == BLANK else tile.upper() for tile in held]):
            raise ScrabbleError("tile-over-used", over[0].tile)
