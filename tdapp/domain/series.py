"""A match of one game or several: who leads, who has won, and which round of the tournament each game is.

Pure: hides how drawn games, spreads and walkovers count in a series (definitions: Knockout).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class SeriesVerdict(StrEnum):
    """The state of a match."""

    OPEN = "open"
    FIRST = "first"  # the first of the two has won
    SECOND = "second"
    LEVEL = "level"  # all is played, and an extra game is to decide
    NOBODY = "nobody"  # neither goes on


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a match as the first of the two sees it.

    `halves` are what each has of it, 2 a win, 1 a drawn game; `spread` is the first one's. `advances` is 1 or 2
    where the director has said who goes on, 0 otherwise.
    """

    halves: tuple[int, int]
    spread: int
    advances: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """The state of a match: games won in halves, the spread of the first of the two, and who has won."""

    halves: tuple[int, int] = (0, 0)
    spread: int = 0
    verdict: SeriesVerdict = SeriesVerdict.OPEN


NOTHING = Score()


def score(games: Sequence[Played], length: int, *, aggregate: bool) -> Score:
    """Return the state of a series of `length` games after those played.

    Won by who cannot be caught up any more, so with games won by the first to reach length // 2 + 1; level on
    games after the last one, by the sum of the spreads. With `aggregate` all games are played and that sum alone
    decides. A drawn game is half a game for each.
    """
    first, second = (sum(game.halves[side] for game in games) for side in (0, 1))
    spread = sum(game.spread for game in games)
    left = length - len(games)
    lead = 0 if aggregate else first - second
    if abs(lead) > 2 * left:
        verdict = SeriesVerdict.FIRST if lead > 0 else SeriesVerdict.SECOND
    elif left:
        verdict = SeriesVerdict.OPEN
    elif not first + second:
        verdict = SeriesVerdict.NOBODY
    else:
        verdict = _last(spread, next((game.advances for game in reversed(games) if game.advances), 0))
    return Score((first, second), spread, verdict)


def _last(spread: int, advances: int) -> SeriesVerdict:
    decider = spread or {1: 1, 2: -1}.get(advances, 0)
    if not decider:
        return SeriesVerdict.LEVEL
    return SeriesVerdict.FIRST if decider > 0 else SeriesVerdict.SECOND


def turn_and_game(ordinal: int, length: int) -> tuple[int, int]:
    """Return the turn of the bracket and the game of its series, from 1, that a stage's round `ordinal` is."""
    turn, game = divmod(ordinal - 1, length)
    return turn + 1, game + 1


def ordinal_of(turn: int, game: int, length: int) -> int:
    """Return which round of the stage, from 1, game `game` of a turn is."""
    return (turn - 1) * length + game
