"""A slow reference implementation of the pairing criteria, pair by pair and without numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import ScoreGroupPairing
from tdapp.pairing.field import Entrant, PairingField

Vector = tuple[int, ...]
Pairs = tuple[tuple[int, int | None], ...]


def compute_cost(field: PairingField, position: int, opponent: int | None) -> Vector:
    """Return the cost of each criterion for a pair. `position` is the upper player."""
    player = field.entrants[position]
    rival = None if opponent is None else field.entrants[opponent]
    lowest = min(entrant.score for entrant in field.entrants)
    gap = player.score - (lowest if rival is None else rival.score)
    guard, starts = _compute_start_costs(field, player, rival)
    return (
        _compute_repeat_cost(field, player, rival),
        guard,
        gap * gap,
        gap if rival is None else 0,
        _count_repeated_floats(player, rival),
        int(rival is not None and frozenset({player.player, rival.player}) in field.pairs_kept_apart),
        _compute_avoid_cost(field, player, rival),
        starts,
        _compute_distance_to_ideal_opponent(field, position, opponent),
    )


def _compute_repeat_cost(field: PairingField, player: Entrant, rival: Entrant | None) -> int:
    if rival is None:
        return int(2**player.byes) - 1
    meeting_rounds = [
        number for number in player.meetings.get(rival.player, ()) if number >= (field.settings.repeats_from or 0)
    ]
    return int(2 ** max(0, len(meeting_rounds) - (field.settings.max_repeats or 0))) - 1


def _compute_start_costs(field: PairingField, player: Entrant, rival: Entrant | None) -> tuple[int, int]:
    if field.settings.draw_starts:
        return 0, 0
    if rival is None:
        return 0, player.start_balance**2
    balance_pairs = [
        (player.start_balance + 1, rival.start_balance - 1),
        (player.start_balance - 1, rival.start_balance + 1),
    ]
    best_balances = min(balance_pairs, key=lambda balances: balances[0] ** 2 + balances[1] ** 2)
    is_level_round = field.later_rounds < field.settings.level_rounds
    limit = 2 if is_level_round else 3 if field.settings.guard_starts else 100
    guard = sum(abs(balance) >= limit for balance in best_balances)
    return guard, best_balances[0] ** 2 + best_balances[1] ** 2


def _count_repeated_floats(player: Entrant, rival: Entrant | None) -> int:
    moves = [(player, -1)]
    if rival is not None:
        if player.score == rival.score:
            return 0
        moves = [(player, -1), (rival, 1)] if player.score > rival.score else [(player, 1), (rival, -1)]
    total = 0
    for entrant, direction in moves:
        if entrant.floats[0] == direction:
            total += 2 if entrant.floats[1] == direction else 1
    return total


def _compute_avoid_cost(field: PairingField, player: Entrant, rival: Entrant | None) -> int:
    settings = field.settings
    if rival is None or (settings.avoid_until is not None and field.number > settings.avoid_until):
        return 0
    count = len(settings.avoid)
    total = 0
    for rank, name in enumerate(settings.avoid, start=1):
        value, opponent_value = getattr(player, name).casefold(), getattr(rival, name).casefold()
        if value and value == opponent_value:
            total += 2 ** (count - rank)
    return total


def _compute_distance_to_ideal_opponent(field: PairingField, position: int, opponent: int | None) -> int:
    groups: dict[int, list[int]] = {}
    for index, entrant in enumerate(field.entrants):
        groups.setdefault(entrant.score, []).append(index)
    upper = groups[field.entrants[position].score]
    index_in_upper, size = upper.index(position), len(upper)
    if opponent is None:
        return size - 1 - index_in_upper
    lower = groups[field.entrants[opponent].score]
    index_in_lower = lower.index(opponent)
    # The standings can rank another value before the score.
    if field.entrants[position].score < field.entrants[opponent].score:
        return (len(lower) - 1 - index_in_lower) + index_in_upper
    if upper is not lower:
        return (size - 1 - index_in_upper) + index_in_lower
    return {
        ScoreGroupPairing.SLIDE: abs(2 * (index_in_lower - index_in_upper) - size),
        ScoreGroupPairing.FOLD: abs(index_in_upper + index_in_lower - (size - 1)),
        ScoreGroupPairing.ADJACENT: index_in_lower - index_in_upper - 1,
        ScoreGroupPairing.RANDOM: 0,
    }[field.settings.style]


def is_legal_pair(field: PairingField, position: int, opponent: int | None) -> bool:
    if opponent is None:
        return True
    return (
        frozenset({field.entrants[position].player, field.entrants[opponent].player}) not in field.forbidden_pairs
    )


def generate_pairings(positions: Sequence[int | None]) -> Iterator[Pairs]:
    """Yield every pairing of an even number of `positions`. None, the bye, comes last."""
    if not positions:
        yield ()
        return
    first = positions[0]
    assert first is not None
    for index in range(1, len(positions)):
        for pairs in generate_pairings([*positions[1:index], *positions[index + 1 :]]):
            yield ((first, positions[index]), *pairs)


def find_lowest_cost(field: PairingField, *, bye_candidates: Collection[PlayerId] | None = None) -> Vector | None:
    """Return the lowest total cost of a legal pairing, or None. Only `bye_candidates` may have the bye."""
    positions: list[int | None] = list(range(len(field.entrants)))
    if len(positions) % 2:
        positions.append(None)
    table = {
        (position, opponent): compute_cost(field, position, opponent)
        for position in range(len(field.entrants))
        for opponent in [*range(position + 1, len(field.entrants)), None]
        if is_legal_pair(field, position, opponent)
        and (opponent is not None or bye_candidates is None or field.entrants[position].player in bye_candidates)
    }
    sums = (
        sum_costs(table[pair] for pair in pairs)
        for pairs in generate_pairings(positions)
        if all(pair in table for pair in pairs)
    )
    return min(sums, default=None)


def sum_costs(vectors: Iterator[Vector]) -> Vector:
    """Return the sum of each criterion."""
    return tuple(map(sum, zip(*vectors, strict=True)))
