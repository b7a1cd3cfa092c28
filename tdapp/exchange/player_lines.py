"""Rounds that stand on the lines of players, every game twice: on the line of either player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tdapp.domain.entries import ByeEntry, GameEntry, RoundEntry
from tdapp.domain.errors import InputError

T = TypeVar("T")


def in_round(values: Sequence[T | None], number: int) -> T | None:
    """Return what a list by round has of one round, None where it is shorter."""
    return values[number - 1] if number <= len(values) else None


def round_of(
    number: int,
    opponents: Sequence[int | None],
    game: Callable[[int, int], GameEntry | tuple[ByeEntry, ByeEntry]],
    bye: Callable[[int], ByeEntry],
    error: Callable[..., InputError],
) -> RoundEntry:
    """Return a round; `opponents` by the places of the players from 1, 0 for a bye, None for nothing.

    `game` is asked once for both of its players; it may be a bye for each. Raises the `error` that is made of a
    code, a place and facts where an opponent is not there, or does not name the player too.
    """
    games: list[GameEntry] = []
    byes: list[ByeEntry] = []
    for own, opponent in enumerate(opponents, 1):
        if opponent is None:
            continue
        if opponent == 0:
            byes.append(bye(own))
            continue
        if opponent > len(opponents):
            raise error("tsh-no-such-player", own, opponent=opponent)
        if opponent == own:
            raise error("tsh-against-self", own)
        if (found := opponents[opponent - 1]) != own:
            raise error("tsh-asymmetric", own, field="opponents", opponent=opponent, found=found)
        if own < opponent:
            met = game(own, opponent)
            if isinstance(met, GameEntry):
                games.append(met)
            else:
                byes += met
    return RoundEntry(number, tuple(games), tuple(sorted(byes, key=lambda one: one.player)))
