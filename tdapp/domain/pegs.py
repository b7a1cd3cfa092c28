"""The peg rack on which the Brailleliga's players keep their score."""

from __future__ import annotations

_ROW = 20


def pegs(score: int) -> tuple[int, int]:
    """Return the hole of the upper row, which counts twenties, and of the lower one (be-brailleliga).

    Raises ValueError for a negative score, which the racks cannot show.
    """
    if score < 0:
        raise ValueError(f"no holes for {score}")
    return divmod(score, _ROW)
