"""Factor: the first meets the one `factor` places lower, and so on down; the rest is paired as in a Swiss.

With the rounds left as the factor the leader meets, round by round, ever better opponents.
"""

from __future__ import annotations

from tdapp.domain import systems as declared
from tdapp.domain.mark import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.cheapest import cheapest, settled, without_bye
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.system import Facts, Plan, Situation, System, free_places, last_round

_ORDER = ("repeats", "factor", *(name for name in criteria.ORDER if name != "repeats"))


def plan(situation: Situation) -> Plan:
    """Return the pairing with the fewest repeats, then as the factor wants it, then as a Swiss does.

    Places are counted without who has the bye and without fixed pairs; a factor above half of them is that half.
    """
    field, stage = situation.field, situation.stage
    free, waiting = without_bye(field, free_places(field))
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

    found = cheapest(field, free, _ORDER, {"factor": outside})
    return settled(field, found, reason, waiting=waiting)


_REASONS = {"factor": N_("Factor {factor}: place {better_place} against {worse_place}")}
FACTOR = System(declared.FACTOR, plan, last_round, criteria.ORDER, reasons=_REASONS)
