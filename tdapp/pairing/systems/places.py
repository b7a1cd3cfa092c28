"""Pairings by rank (factor and quartiles), and pairings without scores (random and manual).

Factor: player 1 meets player 1 + `factor`, and so on up to player `factor`, who meets player 2 x `factor`. The
other players are paired as in a Swiss.

Quartiles: each quarter of the standings meets another one. If the number of players is not divisible by four, two
players remain: the first quarter and the quarter that it meets get one of them each. Avoiding repeats is more
important than the quarters. Among equal pairings the balance of starts decides, then chance.
"""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain import systems as declared
from tdapp.domain.pairing_settings import Quarters
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import choose_bye, find_best_pairs, make_pairing_plan
from tdapp.pairing.criteria import FieldColumns
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    get_previous_round,
    get_round_before_stage,
    list_fixed_pairs,
    list_free_positions,
)

_FACTOR_ORDER = ("repeats", "factor", *(name for name in criteria.ORDER if name != "repeats"))
_QUARTERS_ORDER = ("repeats", "quarters", "apart", "starts", "chance")
# The quarter that meets each, from 0.
_OPPOSING_QUARTER: Mapping[Quarters, tuple[int, ...]] = {
    Quarters.NEAR: (1, 0, 3, 2),
    Quarters.MIDDLE: (2, 3, 0, 1),
    Quarters.OUTER: (3, 2, 1, 0),
}


def assign_quarters(players: int, quarters: Quarters) -> tuple[int, ...]:
    """Return the quarter (from 0) of each player. Quarters that meet have the same size."""
    sizes = [players // 4] * 4
    if players % 4:
        sizes[0] += 1
        sizes[_OPPOSING_QUARTER[quarters][0]] += 1
    return tuple(quarter for quarter, size in enumerate(sizes) for _ in range(size))


def plan_factor(situation: PairingInput) -> PairingPlan:
    """Return the pairing with the fewest repeats. Otherwise it follows the factor, then the Swiss criteria.

    The factor is the setting `factor`, or the number of remaining rounds if it is 0. It is at most half the number
    of players to pair. Players with a bye or in a fixed pair are skipped when ranks are counted.
    """
    field, stage = situation.field, situation.stage
    free, bye = choose_bye(field, list_free_positions(field))
    left = stage.rounds - situation.stage_round + 1
    factor = min(field.settings.factor or left, len(free) // 2)
    place = np.full(len(field.entrants), len(free), dtype=np.int64)
    place[free] = np.arange(len(free))

    def count_players_off_factor(_columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
        one, other = place[upper], place[lower]
        wanted = (one < factor) & (other == one + factor)
        return np.where(wanted, 0, (one < 2 * factor).astype(np.int64) + (other < 2 * factor))

    def explain_pair(one: int, other: int) -> tuple[str | None, Facts]:
        on = place[one] < factor and place[other] == place[one] + factor
        return ("factor", (("factor", factor),)) if on else (None, ())

    found = find_best_pairs(field, free, _FACTOR_ORDER, {"factor": count_players_off_factor})
    return make_pairing_plan(field, found, explain_pair, bye=bye)


def plan_quartiles(situation: PairingInput) -> PairingPlan:
    field = situation.field
    free, bye = choose_bye(field, list_free_positions(field))
    chosen = field.settings.quarters
    quarter = np.zeros(len(field.entrants), dtype=np.int64)
    quarter[free] = assign_quarters(len(free), chosen)
    partner = np.array(_OPPOSING_QUARTER[chosen], dtype=np.int64)

    def measure_distance_from_quarter(_columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
        one, other = quarter[upper], quarter[lower]
        found: Ints = np.abs(partner[one] - other) + np.abs(partner[other] - one)
        return found

    def explain_pair(one: int, other: int) -> tuple[str, Facts]:
        return "quartiles", (("better_quarter", int(quarter[one]) + 1), ("worse_quarter", int(quarter[other]) + 1))

    found = find_best_pairs(field, free, _QUARTERS_ORDER, {"quarters": measure_distance_from_quarter})
    return make_pairing_plan(field, found, explain_pair, bye=bye)


FACTOR = PairingMethod(
    declared.FACTOR,
    plan_factor,
    get_previous_round,
    criteria.ORDER,
    reasons={"factor": N_("Factor {factor}: place {better_place} against {worse_place}")},
)
QUARTILES = PairingMethod(
    declared.QUARTILES,
    plan_quartiles,
    get_previous_round,
    ("repeats", "bye", "apart", "starts"),
    reasons={
        "quartiles": N_(
            "Quarter {better_quarter} of the field against quarter {worse_quarter}: place "
            "{better_place} against {worse_place}"
        )
    },
)


def plan_random(situation: PairingInput) -> PairingPlan:
    found = find_best_pairs(situation.field, list_free_positions(situation.field), ("repeats", "apart", "chance"))
    return make_pairing_plan(situation.field, found, lambda _one, _other: ("random", ()))


def plan_by_hand(situation: PairingInput) -> PairingPlan:
    return PairingPlan(list_fixed_pairs(situation.field))


RANDOM = PairingMethod(
    declared.RANDOM,
    plan_random,
    get_round_before_stage,
    ("repeats", "apart"),
    reasons={"random": N_("Drawn by lot")},
)
MANUAL = PairingMethod(declared.MANUAL, plan_by_hand, get_round_before_stage, criteria.ORDER)
