"""The racks with pegs on which players keep their score."""

from __future__ import annotations


def pegs(score: int, row: int) -> tuple[int, int]:
    """Return the hole of the upper row, each worth `row` points, and of the lower one (be-brailleliga).

    Raises ValueError for a negative score, which the racks cannot show.
    """
    if score < 0:
        raise ValueError(f"no holes for {score}")
    return divmod(score, row)
