"""Pairings by rank (factor and quartiles), and pairings without scores (random and manual).

Factor f: players 1 to f meet players f + 1 to 2f.

Quartiles: each quarter of the standings meets another quarter. If the number of players is not divisible by four,
the first quarter and the quarter that it meets are larger by one player. Avoiding repeats is more important than
the quarters. Among equal pairings, the balance of starts decides, then chance.
"""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain import systems as declared
from tdapp.domain.pairing_settings import RankingQuarterPairing
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import choose_player_for_bye_if_needed, find_best_pairs, make_pairing_plan
from tdapp.pairing.criteria import PairingFieldArrays
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    get_last_round_number_before_stage,
    get_previous_round_number,
    list_fixed_pairs,
    list_positions_without_fixed_pair,
)

_FACTOR_ORDER = ("repeats", "factor", *(name for name in criteria.ORDER if name != "repeats"))
_QUARTERS_ORDER = ("repeats", "quarters", "apart", "starts", "chance")
# for each quarter, the quarter that it meets; from 0
_OPPOSING_QUARTER: Mapping[RankingQuarterPairing, tuple[int, ...]] = {
    RankingQuarterPairing.NEAR: (1, 0, 3, 2),
    RankingQuarterPairing.MIDDLE: (2, 3, 0, 1),
    RankingQuarterPairing.OUTER: (3, 2, 1, 0),
}


def assign_players_to_quarters(players: int, quarters: RankingQuarterPairing) -> tuple[int, ...]:
    """Return the quarter (from 0) of each player. Quarters paired with each other have the same size."""
    sizes = [players // 4] * 4
    if players % 4:
        sizes[0] += 1
        sizes[_OPPOSING_QUARTER[quarters][0]] += 1
    return tuple(quarter for quarter, size in enumerate(sizes) for _ in range(size))


def plan_factor_pairs(situation: PairingInput) -> PairingPlan:
    """Return the pairing with the fewest repeats, and among these with the most factor pairs.

    A factor pair is players n and n + f, for n from 1 to the factor f. Players with a bye or a fixed pair are not
    numbered. The factor is the setting `factor`, or the number of remaining rounds if the setting is 0. It is at
    most half the number of players to pair.
    """
    field, stage = situation.field, situation.stage
    positions, bye = choose_player_for_bye_if_needed(field, list_positions_without_fixed_pair(field))
    rounds_left = stage.rounds - situation.stage_round + 1
    factor = min(field.settings.factor or rounds_left, len(positions) // 2)
    rank = np.full(len(field.entrants), len(positions), dtype=np.int64)
    rank[positions] = np.arange(len(positions))

    def count_players_missing_their_factor_opponent(
        _columns: PairingFieldArrays, upper: Ints, lower: Ints
    ) -> Ints:
        upper_rank, lower_rank = rank[upper], rank[lower]
        is_factor_pair = (upper_rank < factor) & (lower_rank == upper_rank + factor)
        return np.where(is_factor_pair, 0, (upper_rank < 2 * factor).astype(np.int64) + (lower_rank < 2 * factor))

    def explain_pair(upper: int, lower: int) -> tuple[str | None, Facts]:
        is_factor_pair = rank[upper] < factor and rank[lower] == rank[upper] + factor
        return ("factor", (("factor", factor),)) if is_factor_pair else (None, ())

    best_pairs = find_best_pairs(
        field, positions, _FACTOR_ORDER, {"factor": count_players_missing_their_factor_opponent}
    )
    return make_pairing_plan(field, best_pairs, explain_pair, bye=bye)


def plan_quartile_pairs(situation: PairingInput) -> PairingPlan:
    field = situation.field
    positions, bye = choose_player_for_bye_if_needed(field, list_positions_without_fixed_pair(field))
    quarters = field.settings.quarters
    quarter = np.zeros(len(field.entrants), dtype=np.int64)
    quarter[positions] = assign_players_to_quarters(len(positions), quarters)
    opposing_quarter = np.array(_OPPOSING_QUARTER[quarters], dtype=np.int64)

    def measure_distance_from_quarter(_columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
        upper_quarter, lower_quarter = quarter[upper], quarter[lower]
        upper_distance: Ints = np.abs(opposing_quarter[upper_quarter] - lower_quarter)
        lower_distance: Ints = np.abs(opposing_quarter[lower_quarter] - upper_quarter)
        return upper_distance + lower_distance

    def explain_pair(upper: int, lower: int) -> tuple[str, Facts]:
        better, worse = int(quarter[upper]) + 1, int(quarter[lower]) + 1
        return "quartiles", (("better_quarter", better), ("worse_quarter", worse))

    best_pairs = find_best_pairs(field, positions, _QUARTERS_ORDER, {"quarters": measure_distance_from_quarter})
    return make_pairing_plan(field, best_pairs, explain_pair, bye=bye)


FACTOR = PairingMethod(
    declared.FACTOR,
    plan_factor_pairs,
    get_previous_round_number,
    criteria.ORDER,
    reasons={"factor": N_("Factor {factor}: place {better_place} against {worse_place}")},
)
QUARTILES = PairingMethod(
    declared.QUARTILES,
    plan_quartile_pairs,
    get_previous_round_number,
    ("repeats", "bye", "apart", "starts"),
    reasons={
        "quartiles": N_(
            "Quarter {better_quarter} against quarter {worse_quarter} of the field: place "
            "{better_place} against {worse_place}"
        )
    },
)


def plan_random_pairs(situation: PairingInput) -> PairingPlan:
    positions = list_positions_without_fixed_pair(situation.field)
    best_pairs = find_best_pairs(situation.field, positions, ("repeats", "apart", "chance"))
    return make_pairing_plan(situation.field, best_pairs, lambda _upper, _lower: ("random", ()))


def plan_manual_pairs(situation: PairingInput) -> PairingPlan:
    return PairingPlan(list_fixed_pairs(situation.field))


RANDOM = PairingMethod(
    declared.RANDOM,
    plan_random_pairs,
    get_last_round_number_before_stage,
    ("repeats", "apart"),
    reasons={"random": N_("Drawn by lot")},
)
MANUAL = PairingMethod(declared.MANUAL, plan_manual_pairs, get_last_round_number_before_stage, criteria.ORDER)
