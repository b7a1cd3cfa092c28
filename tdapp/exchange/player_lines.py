"""Rounds from formats with each game on the lines of both players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tdapp.domain.entries import ByeEntry, GameEntry, RoundEntry
from tdapp.domain.errors import InputError

T = TypeVar("T")


def get_in_round(values: Sequence[T | None], number: int) -> T | None:
    """Return None if the list is shorter."""
    return values[number - 1] if number <= len(values) else None


def make_round(
    number: int,
    opponents: Sequence[int | None],
    game: Callable[[int, int], GameEntry],
    bye: Callable[[int], ByeEntry],
    error: Callable[..., InputError],
) -> RoundEntry:
    """`opponents` are positions from 1; 0 for a bye, None for no entry.

    `game` is called once for a pair. Raises `error` (code, position, facts) if an opponent does not exist or
    names another player.
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
            games.append(game(own, opponent))
    return RoundEntry(number, tuple(games), tuple(sorted(byes, key=lambda one: one.player)))
