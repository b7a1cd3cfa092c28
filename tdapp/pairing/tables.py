"""Which table each game gets.

Hides the order of claims: tables the director has set, players who need a table of their own, then the lowest free
number for the better-placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count


@dataclass(frozen=True, slots=True)
class Claim:
    """A game's wishes: the table it keeps, and its players' fixed tables, the better-placed player's first."""

    kept: int | None = None
    fixed: tuple[int, ...] = ()


def assigned(claims: Sequence[Claim], first_table: int) -> tuple[int, ...]:
    """Return a table for each game; `claims` come in the order of the better-placed player."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    kept = [() if claim.kept is None else (claim.kept,) for claim in claims]
    for wishes in (kept, [claim.fixed for claim in claims]):
        for place, tables in enumerate(wishes):
            for table in tables:
                if place not in found and table not in taken:
                    found[place] = table
                    taken.add(table)
    free = (table for table in count(first_table) if table not in taken)
    return tuple(found[place] if place in found else next(free) for place in range(len(claims)))
