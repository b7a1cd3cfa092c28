"""Round robin by Berger tables: everybody meets everybody, starts in balance.

Hides the tables; an odd field has an empty last seat, whose opponent has the bye.
"""

from __future__ import annotations

from tdapp.domain.bracket import seats
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId
from tdapp.pairing.system import Pair, Plan, Situation, System, before_stage, fixed_pairs, with_fixed


def berger(players: int, turn: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of seats of round `turn` (from 1) among an even number of players; the first starts.

    The Berger tables (FIDE Handbook C.05 annex 1); after a whole cycle they go on with the starts reversed.
    """
    cycle, step = divmod(turn - 1, players - 1)
    ring = players - 1
    top = (step * (players // 2)) % ring  # who meets the last seat, counted from 0
    pairs = [(top + 1, players) if step % 2 == 0 else (players, top + 1)]
    pairs += [((top + gap) % ring + 1, (top - gap) % ring + 1) for gap in range(1, players // 2)]
    return tuple((second, first) if cycle % 2 else (first, second) for first, second in pairs)


def turns(players: int, *, double: bool) -> int:
    """Return how many rounds everybody needs to meet everybody, once or twice."""
    return (players + players % 2 - 1) * (2 if double else 1)


def plan(situation: Situation) -> Plan:
    """Return the stage's next round; whoever's opponent is not there has a bye."""
    sitting = seats(situation.index, situation.stage.id, latecomers=True)
    needed = turns(len(sitting), double=situation.stage.settings.double)
    if situation.turn > needed:
        raise RuleViolation("round-robin-complete", rounds=needed, players=len(sitting))
    even = len(sitting) + len(sitting) % 2
    cycle = (situation.turn - 1) // (even - 1) + 1
    facts = (("cycle", cycle), ("turn", situation.turn))
    places = situation.field.places()
    here: dict[int, int] = {}
    for seat, player in enumerate(sitting, start=1):
        if player in places:
            here[seat] = places[player]
    pairs = []
    for first, second in berger(even, situation.turn):
        there = [here[seat] for seat in (first, second) if seat in here]
        if len(there) == 2:  # noqa: PLR2004
            pairs.append(Pair(there[0], there[1], "round-robin", facts, first=there[0]))
        elif there:
            pairs.append(Pair(there[0], None, "round-robin", facts))
    concerned: frozenset[PlayerId] = frozenset(sitting)
    return Plan(with_fixed(pairs, fixed_pairs(situation.field)), concerned=concerned)


ROUND_ROBIN = System("round-robin", plan, before_stage)
