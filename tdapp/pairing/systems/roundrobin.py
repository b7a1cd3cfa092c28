"""Round robin by Berger tables, for the whole field or for each group.

If the number of players is odd, the last seat is empty. Its opponent has the bye.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from tdapp.domain import systems as declared
from tdapp.domain.bracket import list_stage_groups
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, Stage
from tdapp.domain.translatable import N_
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    apply_fixed_pairs,
    get_last_round_number_before_stage,
    list_fixed_pairs,
)


def list_berger_pairs(players: int, turn: int, *, double: bool = False) -> tuple[tuple[int, int], ...]:
    """Return the pairs of seats in round `turn` (from 1) for an even number of players, the starter first.

    Source: the Berger tables in FIDE Handbook C.05 annex 1. With 6 players, rounds 6 to 10 repeat rounds 1 to 5,
    but the second player of each pair starts. `double` (each pair plays twice) swaps only rounds 4 and 5.
    """
    cycle, step = divmod(turn - 1, players - 1)
    if double and not cycle and 0 < players - 2 <= step + 1:
        step = 2 * players - 5 - step
    ring = players - 1
    top = (step * (players // 2)) % ring  # opponent of the last seat, from 0
    pairs = [(top + 1, players) if step % 2 == 0 else (players, top + 1)]
    pairs += [((top + gap) % ring + 1, (top - gap) % ring + 1) for gap in range(1, players // 2)]
    return tuple((second, first) if cycle % 2 else (first, second) for first, second in pairs)


def count_rounds(players: int, *, double: bool) -> int:
    return max(players + players % 2 - 1, 0) * (2 if double else 1)


def plan_pairs(situation: PairingInput) -> PairingPlan:
    """Return the next round of each group. A player whose opponent is absent has a bye.

    A smaller group finishes earlier.
    """
    groups = list_stage_groups(situation.index, situation.stage)
    if len(groups) > 1 and min(map(len, groups)) < 2:  # noqa: PLR2004
        raise CommandError("too-many-groups", groups=len(groups), players=sum(map(len, groups)))
    double = situation.stage.settings.double
    needed = max(count_rounds(len(group), double=double) for group in groups)
    if situation.stage_round > needed:
        raise CommandError("round-robin-complete", rounds=needed, players=max(map(len, groups)))
    playing = [
        (number, group)
        for number, group in enumerate(groups, start=1)
        if situation.stage_round <= count_rounds(len(group), double=double)
    ]
    several = len(groups) > 1
    pairs = [
        pair for number, group in playing for pair in _list_group_pairs(situation, group, number if several else 0)
    ]
    expected_players = frozenset(player for _, group in playing for player in group)
    return PairingPlan(
        apply_fixed_pairs(pairs, list_fixed_pairs(situation.field)), expected_players=expected_players
    )


def list_pairs_by_round(
    index: TournamentIndex, stage: Stage
) -> Iterator[tuple[tuple[PlayerId, PlayerId | None], ...]]:
    groups = [group for group in list_stage_groups(index, stage) if group]
    double = stage.settings.double
    for turn in range(1, stage.rounds + 1):
        playing = [group for group in groups if turn <= count_rounds(len(group), double=double)]
        pairs = [pair for group in playing for pair in _plan_group_round(group, turn, double=double)]
        yield tuple(sorted(pairs, key=lambda pair: pair[1] is None))


def _plan_group_round(
    group: Sequence[PlayerId], turn: int, *, double: bool
) -> Iterator[tuple[PlayerId, PlayerId | None]]:
    seats = dict(enumerate(group, start=1))
    for first, second in list_berger_pairs(len(group) + len(group) % 2, turn, double=double):
        players = [seats[seat] for seat in (first, second) if seat in seats]
        yield players[0], players[1] if len(players) > 1 else None


def _list_group_pairs(situation: PairingInput, group_players: Sequence[PlayerId], group: int) -> list[PlannedPair]:
    seat_count = len(group_players) + len(group_players) % 2
    if not seat_count:
        return []
    turn, double = situation.stage_round, situation.stage.settings.double
    facts: Facts = (("cycle", (turn - 1) // (seat_count - 1) + 1), ("turn", turn))
    code = "round-robin"
    if group:
        code, facts = "group-round-robin", (("group", group), *facts)
    positions = situation.field.map_player_positions()
    seats = {seat: positions[player] for seat, player in enumerate(group_players, start=1) if player in positions}
    pairs = []
    for first, second in list_berger_pairs(seat_count, turn, double=double):
        ends = [seats[seat] for seat in (first, second) if seat in seats]
        if len(ends) == 2:  # noqa: PLR2004
            pairs.append(PlannedPair(ends[0], ends[1], code, facts, order=group, first=ends[0]))
        elif ends:
            pairs.append(PlannedPair(ends[0], None, "bye-turn", facts, order=group))
    return pairs


_REASONS = {
    "round-robin": N_("Round robin: cycle {cycle}, round {turn} of the stage"),
    "group-round-robin": N_("Group {group}: cycle {cycle}, round {turn} of the stage"),
}
ROUND_ROBIN = PairingMethod(
    declared.ROUND_ROBIN,
    plan_pairs,
    get_last_round_number_before_stage,
    reasons=_REASONS,
    count_rounds=partial(count_rounds, double=False),
    list_pairs_by_round=list_pairs_by_round,
)
