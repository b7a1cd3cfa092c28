"""Pairings by rank: factor and quartiles.

Factor: the first player meets the one `factor` ranks lower, and so on. The rest is paired as in a Swiss. If the
factor is the number of remaining rounds, the leader meets better opponents in each round.

Quartiles: the standings are cut into four quarters that meet in twos. If the number is not divisible by four, the
two better quarters get one more player each. Repeats come first; then starts are balanced, then chance decides.

Pairings without scores are drawn from the tournament's seed, or set by the director.
"""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain import systems as declared
from tdapp.domain.pairing_settings import Quarters
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import choose_bye, find_best_pairs, make_plan
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.system import Facts, Plan, Situation, System, before_stage, fixed_pairs, free_places, last_round

_FACTOR_ORDER = ("repeats", "factor", *(name for name in criteria.ORDER if name != "repeats"))
_QUARTERS_ORDER = ("repeats", "quarters", "apart", "starts", "chance")
# The quarter that meets each, from 0.
_PARTNER: Mapping[Quarters, tuple[int, ...]] = {
    Quarters.NEAR: (1, 0, 3, 2),
    Quarters.MIDDLE: (2, 3, 0, 1),
    Quarters.OUTER: (3, 2, 1, 0),
}


def cut_quarters(players: int, quarters: Quarters) -> tuple[int, ...]:
    """Return the quarter (from 0) of each player. Quarters that meet have one size."""
    sizes = [players // 4] * 4
    if players % 4:
        sizes[0] += 1
        sizes[_PARTNER[quarters][0]] += 1
    return tuple(quarter for quarter, size in enumerate(sizes) for _ in range(size))


def plan_factor(situation: Situation) -> Plan:
    """Return the pairing with the fewest repeats, then by factor, then as a Swiss.

    Ranks exclude the bye and fixed pairs. The factor is at most half of them.
    """
    field, stage = situation.field, situation.stage
    free, bye = choose_bye(field, free_places(field))
    left = stage.rounds - situation.turn + 1
    factor = min(field.settings.factor or left, len(free) // 2)
    place = np.full(len(field.entrants), len(free), dtype=np.int64)
    place[free] = np.arange(len(free))

    def outside(_columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
        one, other = place[upper], place[lower]
        wanted = (one < factor) & (other == one + factor)
        return np.where(wanted, 0, (one < 2 * factor).astype(np.int64) + (other < 2 * factor))

    def reason(one: int, other: int) -> tuple[str | None, Facts]:
        on = place[one] < factor and place[other] == place[one] + factor
        return ("factor", (("factor", factor),)) if on else (None, ())

    found = find_best_pairs(field, free, _FACTOR_ORDER, {"factor": outside})
    return make_plan(field, found, reason, bye=bye)


def plan_quartiles(situation: Situation) -> Plan:
    """Return the pairing with the fewest repeats, then the fewest pairs outside the quarters."""
    field = situation.field
    free, bye = choose_bye(field, free_places(field))
    chosen = field.settings.quarters
    quarter = np.zeros(len(field.entrants), dtype=np.int64)
    quarter[free] = cut_quarters(len(free), chosen)
    partner = np.array(_PARTNER[chosen], dtype=np.int64)

    def outside(_columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
        one, other = quarter[upper], quarter[lower]
        found: Ints = np.abs(partner[one] - other) + np.abs(partner[other] - one)
        return found

    def reason(one: int, other: int) -> tuple[str, Facts]:
        return "quartiles", (("better_quarter", int(quarter[one]) + 1), ("worse_quarter", int(quarter[other]) + 1))

    found = find_best_pairs(field, free, _QUARTERS_ORDER, {"quarters": outside})
    return make_plan(field, found, reason, bye=bye)


FACTOR = System(
    declared.FACTOR,
    plan_factor,
    last_round,
    criteria.ORDER,
    reasons={"factor": N_("Factor {factor}: place {better_place} against {worse_place}")},
)
QUARTILES = System(
    declared.QUARTILES,
    plan_quartiles,
    last_round,
    ("repeats", "bye", "apart", "starts"),
    reasons={
        "quartiles": N_(
            "Quarter {better_quarter} of the field against quarter {worse_quarter}: place "
            "{better_place} against {worse_place}"
        )
    },
)


def plan(situation: Situation) -> Plan:
    """Return the draw with the fewest repeats. Raises RuleViolation if none exists."""
    found = find_best_pairs(situation.field, free_places(situation.field), ("repeats", "apart", "chance"))
    return make_plan(situation.field, found, lambda _one, _other: ("random", ()))


def plan_by_hand(situation: Situation) -> Plan:
    """Return only the director's pairs. All others wait."""
    return Plan(fixed_pairs(situation.field))


RANDOM = System(declared.RANDOM, plan, before_stage, ("repeats", "apart"), reasons={"random": N_("Drawn by lot")})
MANUAL = System(declared.MANUAL, plan_by_hand, before_stage, criteria.ORDER)
