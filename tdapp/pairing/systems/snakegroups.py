"""Snake groups (Initial Fontes): round robins of groups, which are filled in snake order of the seeding.

The usual group size is the smallest even number above the number of rounds: 8 for 6 or 7 rounds. If players
remain, the last groups become larger: 18 players and 7 rounds give groups of 8 and 10. Larger groups play an
incomplete round robin. A field smaller than one group repeats its round robin.

Latecomers and players whose opponent is absent are paired together.
"""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.bracket import list_players_in_seed_order
from tdapp.domain.stages import split_players_in_snake_order
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import find_best_pairs, make_pairing_plan
from tdapp.pairing.criteria import PairingFieldArrays
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    get_last_round_number_before_stage,
    list_positions_without_fixed_pair,
)
from tdapp.pairing.systems.roundrobin import list_berger_pairs

_ORDER = ("repeats", "groups", "byes", "score_difference", "apart", "starts", "style", "chance")


def compute_group_sizes(players: int, rounds: int) -> tuple[int, ...]:
    usual_size = rounds + 2 - rounds % 2
    count = players // usual_size
    if not count:
        return (players,)
    remaining_players = players - count * usual_size
    sizes = [usual_size] * count
    # add two players at a time, so that the sizes stay even
    for step in range(remaining_players // 2):
        sizes[count - 1 - step % count] += 2
    if remaining_players % 2:
        smallest = max(group for group in range(count) if sizes[group] == min(sizes))
        sizes[smallest] += 1
    return tuple(sizes)


def plan_pairs(situation: PairingInput) -> PairingPlan:
    field, first_round = situation.field, situation.index.get_first_round_number(situation.stage.id)
    field = replace(field, settings=replace(field.settings, repeats_from=first_round))
    tables = _map_pairs_to_groups(situation)
    opponent = np.full(len(field.entrants) + 1, -1, dtype=np.int64)
    for first, second in tables:
        opponent[[first, second]] = second, first

    def count_players_not_in_group_pair(_columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
        ends = (opponent[upper] >= 0).astype(np.int64) + (opponent[lower] >= 0)  # the bye has no opponent
        return np.where(opponent[upper] == lower, 0, ends)

    def count_repeats(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
        return np.where(lower < columns.count, criteria.CRITERIA["repeats"](columns, upper, lower), 0)

    def count_earlier_byes(columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
        return np.where(lower < columns.count, 0, criteria.CRITERIA["repeats"](columns, upper, lower))

    group = {position: number for pair, number in tables.items() for position in pair}

    def explain_pair(upper: int, lower: int) -> tuple[str, Facts]:
        if opponent[upper] != lower:
            return "outside-groups", ()
        return "snake-groups", (("group", group[upper]), ("turn", situation.stage_round))

    best_pairs = find_best_pairs(
        field,
        list_positions_without_fixed_pair(field),
        _ORDER,
        {"repeats": count_repeats, "groups": count_players_not_in_group_pair, "byes": count_earlier_byes},
    )
    plan = make_pairing_plan(field, best_pairs, explain_pair)
    starts = {position: first for first, second in tables for position in (first, second)}
    pairs = [
        replace(pair, order=group[pair.position], first=starts[pair.position])
        if pair.opponent is not None and opponent[pair.position] == pair.opponent
        else replace(pair, order=len(group))
        for pair in plan.pairs
    ]
    return replace(plan, pairs=tuple(pairs))


def _map_pairs_to_groups(situation: PairingInput) -> dict[tuple[int, int], int]:
    seated_players = list_players_in_seed_order(situation.index, situation.stage.id)
    positions = situation.field.map_player_positions()
    number_by_pair: dict[tuple[int, int], int] = {}
    sizes = compute_group_sizes(len(seated_players), situation.stage.rounds)
    for number, group in enumerate(split_players_in_snake_order(seated_players, len(sizes), sizes), start=1):
        for first, second in list_berger_pairs(len(group) + len(group) % 2, situation.stage_round):
            players = [group[seat - 1] for seat in (first, second) if seat <= len(group)]
            pair = [positions[player] for player in players if player in positions]
            if len(pair) == 2:  # noqa: PLR2004
                number_by_pair[pair[0], pair[1]] = number
    return number_by_pair


_REASONS = {
    "snake-groups": N_("Group {group}: round {turn} within the group"),
    "outside-groups": N_("Not a group game: neither player has a group opponent who can play this round"),
}
SNAKE_GROUPS = PairingMethod(
    declared.SNAKE_GROUPS,
    plan_pairs,
    get_last_round_number_before_stage,
    ("repeats", "bye", "apart"),
    reasons=_REASONS,
)
