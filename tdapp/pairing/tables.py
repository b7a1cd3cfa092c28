"""Which table each game gets, and who starts there.

Hides the order of claims: tables the director has set, players who need a table of their own, players who need an
accessible one, tables kept from the round before, then the lowest free number for the better-placed. Hides also
the order of the rules of a start: balance, the last round in which the two had different roles, their last
meeting, a draw from the tournament's seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from tdapp.domain.bracket import drawn
from tdapp.domain.model import TableGroup
from tdapp.pairing.field import Entrant, Field


@dataclass(frozen=True, slots=True)
class Claim:
    """A game's wishes: the table it keeps, and its players' tables, the better-placed player's first.

    `fixed` are those they need, `last` those they sat at before; `access`: one of them needs an accessible table.
    """

    kept: int | None = None
    fixed: tuple[int, ...] = ()
    access: bool = False
    last: tuple[int, ...] = ()


def assigned(claims: Sequence[Claim], first_table: int, rooms: Sequence[TableGroup] = ()) -> tuple[int, ...]:
    """Return a table for each game; `claims` come in the order of the better-placed player.

    The tables of `rooms` are given out in their order, then those behind the last; without rooms all from
    `first_table` on. An accessible table goes to whoever does not need it only when all others are taken.
    """
    accessible = [table for room in rooms if room.accessible for table in _of(room)]
    found = _claimed([() if claim.kept is None else (claim.kept,) for claim in claims], {})
    found = _claimed([claim.fixed for claim in claims], found)
    found = _claimed([accessible if claim.access else () for claim in claims], found)
    found = _claimed([claim.last for claim in claims], found)
    taken = set(found.values())
    free = (table for table in _in_order(rooms, accessible, first_table) if table not in taken)
    return tuple(found[place] if place in found else next(free) for place in range(len(claims)))


def unserved(claims: Sequence[Claim], tables: Sequence[int], rooms: Sequence[TableGroup]) -> bool:
    """Tell whether somebody who needs an accessible table got another, though there are such tables."""
    accessible = {table for room in rooms if room.accessible for table in _of(room)}
    pairs = zip(claims, tables, strict=True)
    return bool(accessible) and any(claim.access and table not in accessible for claim, table in pairs)


def _claimed(wishes: Sequence[Iterable[int]], found: dict[int, int]) -> dict[int, int]:
    """Return who has which table after each game without one, in order, has taken its first free wish."""
    found = dict(found)
    taken = set(found.values())
    for place, tables in enumerate(wishes):
        table = next((table for table in tables if table not in taken), None) if place not in found else None
        if table is not None:
            found[place] = table
            taken.add(table)
    return found


def _in_order(rooms: Sequence[TableGroup], accessible: Sequence[int], first_table: int) -> Iterator[int]:
    ordinary = [table for room in rooms if not room.accessible for table in _of(room)]
    behind = max([first_table - 1, *ordinary, *accessible]) + 1
    yield from ordinary
    yield from accessible
    yield from count(behind)


def _of(room: TableGroup) -> range:
    return range(room.first, room.last + 1)


def starter(field: Field, one: Entrant, other: Entrant) -> Entrant:
    """Return who of two players starts their game; byes and games not played count as neither role."""
    if one.balance != other.balance:
        return min(one, other, key=lambda entrant: entrant.balance)
    for number in sorted(one.roles.keys() & other.roles.keys(), reverse=True):
        if one.roles[number] != other.roles[number]:
            return other if one.roles[number] else one
    for number in sorted(one.meetings.get(other.player, ()), reverse=True):
        if number in one.roles:
            return other if one.roles[number] else one
    low, high = sorted((one, other), key=lambda entrant: entrant.number)
    return low if drawn(field.seed, field.number, low.number, high.number) % 2 else high
