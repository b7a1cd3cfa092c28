"""The criteria written out once more, pair by pair, from the definitions: slow, plain, and without numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.pairing.field import Entrant, PairingField

Vector = tuple[int, ...]
Pairs = tuple[tuple[int, int | None], ...]


def cost(field: PairingField, one: int, other: int | None) -> Vector:
    """Return repeats, guard, score_difference, bye, floats, apart, avoid, starts, style of a pair, upper first."""
    a = field.entrants[one]
    b = None if other is None else field.entrants[other]
    lowest = min(entrant.score for entrant in field.entrants)
    gap = a.score - (lowest if b is None else b.score)
    guard, starts = _starts(field, a, b)
    return (
        _repeats(field, a, b),
        guard,
        gap * gap,
        gap if b is None else 0,
        _floats(a, b),
        int(b is not None and frozenset({a.player, b.player}) in field.pairs_kept_apart),
        _avoid(field, a, b),
        starts,
        _style(field, one, other),
    )


def _repeats(field: PairingField, a: Entrant, b: Entrant | None) -> int:
    if b is None:
        return int(2**a.byes) - 1
    met = [number for number in a.meetings.get(b.player, ()) if number >= (field.settings.repeats_from or 0)]
    return int(2 ** max(0, len(met) - (field.settings.max_repeats or 0))) - 1


def _starts(field: PairingField, a: Entrant, b: Entrant | None) -> tuple[int, int]:
    if field.settings.draw_starts:
        return 0, 0
    if b is None:
        return 0, a.balance**2
    ways = [(a.balance + 1, b.balance - 1), (a.balance - 1, b.balance + 1)]
    best = min(ways, key=lambda way: way[0] ** 2 + way[1] ** 2)
    last = field.later_rounds < field.settings.level_rounds
    limit = 2 if last else 3 if field.settings.guard_starts else 100
    guard = sum(abs(balance) >= limit for balance in best)
    return guard, best[0] ** 2 + best[1] ** 2


def _floats(a: Entrant, b: Entrant | None) -> int:
    moves = [(a, -1)]
    if b is not None:
        if a.score == b.score:
            return 0
        moves = [(a, -1), (b, 1)] if a.score > b.score else [(a, 1), (b, -1)]
    total = 0
    for entrant, direction in moves:
        if entrant.floats[0] == direction:
            total += 2 if entrant.floats[1] == direction else 1
    return total


def _avoid(field: PairingField, a: Entrant, b: Entrant | None) -> int:
    settings = field.settings
    if b is None or (settings.avoid_until is not None and field.number > settings.avoid_until):
        return 0
    count = len(settings.avoid)
    total = 0
    for place, name in enumerate(settings.avoid, start=1):
        own, theirs = getattr(a, name).casefold(), getattr(b, name).casefold()
        if own and own == theirs:
            total += 2 ** (count - place)
    return total


def _style(field: PairingField, one: int, other: int | None) -> int:
    groups: dict[int, list[int]] = {}
    for place, entrant in enumerate(field.entrants):
        groups.setdefault(entrant.score, []).append(place)
    upper = groups[field.entrants[one].score]
    i, g = upper.index(one), len(upper)
    if other is None:
        return g - 1 - i
    lower = groups[field.entrants[other].score]
    j = lower.index(other)
    if field.entrants[one].score < field.entrants[other].score:  # where the standings do not go by score first
        return (len(lower) - 1 - j) + i
    if upper is not lower:
        return (g - 1 - i) + j
    return {
        PairingStyle.SLIDE: abs(2 * (j - i) - g),
        PairingStyle.FOLD: abs(i + j - (g - 1)),
        PairingStyle.ADJACENT: j - i - 1,
        PairingStyle.RANDOM: 0,
    }[field.settings.style]


def legal(field: PairingField, one: int, other: int | None) -> bool:
    """Return whether a pair is allowed."""
    if other is None:
        return True
    return frozenset({field.entrants[one].player, field.entrants[other].player}) not in field.forbidden_pairs


def pairings(places: Sequence[int | None]) -> Iterator[Pairs]:
    """Return every way to pair an even number of `places`; None, the bye, comes last."""
    if not places:
        yield ()
        return
    one = places[0]
    assert one is not None
    for at in range(1, len(places)):
        for rest in pairings([*places[1:at], *places[at + 1 :]]):
            yield ((one, places[at]), *rest)


def best(field: PairingField, *, waits: Collection[PlayerId] | None = None) -> Vector | None:
    """Return the least sum over all legal pairings, None without one; only `waits` may have the bye."""
    places: list[int | None] = list(range(len(field.entrants)))
    if len(places) % 2:
        places.append(None)
    table = {
        (one, other): cost(field, one, other)
        for one in range(len(field.entrants))
        for other in [*range(one + 1, len(field.entrants)), None]
        if legal(field, one, other) and (other is not None or waits is None or field.entrants[one].player in waits)
    }
    sums = (
        total(table[pair] for pair in pairs) for pairs in pairings(places) if all(pair in table for pair in pairs)
    )
    return min(sums, default=None)


def total(vectors: Iterator[Vector]) -> Vector:
    """Return the sum by criterion."""
    return tuple(map(sum, zip(*vectors, strict=True)))
