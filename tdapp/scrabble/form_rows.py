"""The rows of a paper form: each has a turn of both players, and is what players and jury count by."""

from __future__ import annotations

from collections.abc import Iterable


def form_rows(turns: Iterable[tuple[int, bool]]) -> tuple[int, ...]:
    """Return the row (from 1) of each line of a sheet, given by its player and whether it is a turn.

    What is no turn, a challenge, is noted in the row of that player's turn before it.
    """
    counts: dict[int, int] = {}
    rows = []
    for player, is_turn in turns:
        counts[player] = counts.get(player, 0) + is_turn
        rows.append(max(1, counts[player]))
    return tuple(rows)
