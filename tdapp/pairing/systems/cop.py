"""Prize-aware pairing, which the field knows as COP: who can still win a prize meets whom he has to beat for it.

What must be (the rules of `rules_of`) goes before the weight of a pair, by which the leaders meet the lowest who
can still reach their place, and everybody else a neighbour. Where a rule cannot be kept, the proposal says so.
After the published description of the Castellano O'Connor pairings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from tdapp.domain import systems as declared
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.best_pairs import BestPairs, find_best_pairs
from tdapp.pairing.clinch_bounds import class_pairs
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.edges import Level
from tdapp.pairing.field import Field
from tdapp.pairing.prize_race import Control, Outlook, contest_of, control, hope, outlook, seed_of
from tdapp.pairing.system import Facts, Pair, Plan, Situation, System, fixed_pairs, free_places, last_round

OUT_OF_REACH = 10**9  # a pair that only a lack of others can make
BACK_TO_BACK = 10**6
GROUPS = "prize-groups"
_MOST_MEETINGS = 20  # more weigh the same, so that sums keep within 64 bits
_AFTER_WEIGHT = ("repeats", "guard", "apart", "avoid", "starts", "chance")

Broken = Callable[[Ints, Ints], Flags]


class Rule(Struct, frozen=True):
    """What has to be: `code` is its reason, `broken` tells which pairs break it, `pairs` are those it demands.

    `takers` are who may have the bye where the rule is about that.
    """

    code: str
    broken: Broken
    pairs: frozenset[tuple[int, int]] = frozenset()
    facts: Facts = ()
    takers: tuple[int, ...] = ()


def plan(situation: Situation) -> Plan:
    """Return the pairing; raise RuleViolation for no-pairing-possible."""
    field, contention = situation.field, situation.stage.settings.contention
    contest = contest_of(situation.index, situation.stage, field)
    seen = outlook(contest, contention, seed=seed_of(field))
    free = free_places(field)
    rules = rules_of(field, seen, free)
    found, widened = _find_pairs(field, seen, free, rules)
    fixed = fixed_pairs(field)
    pairs = [_pair(seen, rules, widened, *pair) for pair in found.pairs]
    upper = np.array([one for one, _ in found.pairs], dtype=np.int64)
    lower = np.array([contest.count if other is None else other for _, other in found.pairs], dtype=np.int64)
    relaxed = [rule.code for rule in rules if rule.broken(upper, lower).any()]
    fewer = ("fewer-simulations",) if seen.chances.times < contention.simulations else ()
    return Plan((*fixed, *pairs), relaxed=(*relaxed, *found.relaxed, *fewer))


# --- what has to be


def rules_of(field: Field, seen: Outlook, free: Ints) -> tuple[Rule, ...]:
    """Return the rules of a round for the positions `free`, the first goes before the others."""
    share = hope(seen.settings, seen.contest.rounds_left)
    destiny = control(seen.contest, seen.parts, seen.chances, seen.settings, hope=share, seed=seed_of(field, 1))
    last = seen.contest.rounds_left == 1
    numbers = np.array(seen.parts.number_of(seen.contest.count))
    bottom = np.append(numbers, len(seen.parts.members) - 1)  # the bye belongs to the bottom group
    found = [*_last_round(field, seen, free, numbers)] if last else []
    if destiny is not None:
        found += _destiny(field, free, destiny)
    if len(seen.parts.members) > 1:
        found.append(Rule(GROUPS, lambda upper, lower: bottom[upper] != bottom[lower]))
    if len(free) % 2:
        found += _bye(field, seen, free)
    return tuple(found)


def _demand(code: str, pairs: Sequence[tuple[int, int]]) -> list[Rule]:
    """Return the rule that each player of `pairs` meets one with whom he stands in them."""
    if not pairs:
        return []
    demanded = frozenset(pairs)
    ends = np.array(sorted({position for pair in demanded for position in pair}))
    codes = np.array(sorted(one << 32 | other for one, other in demanded))

    def broken(upper: Ints, lower: Ints) -> Flags:
        concerned = np.isin(upper, ends) | np.isin(lower, ends)
        return concerned & ~np.isin(upper << 32 | lower, codes)

    return [Rule(code, broken, demanded)]


def _last_round(field: Field, seen: Outlook, free: Ints, numbers: Ints) -> list[Rule]:
    """Return king of the hill, within the groups, among those who ever reached a prize; then for class prizes."""
    playing = [position for position in free.tolist() if position not in seen.decided]
    found: list[tuple[int, int]] = []
    for group in range(len(seen.parts.members)):
        members = [position for position in playing if numbers[position] == group]
        while members and seen.in_the_prizes(members[0]):
            one = members.pop(0)
            other = next((position for position in members if _may_meet(field, (one, position))), None)
            if other is not None:
                members.remove(other)
                found.append((one, other))
    taken = {position for pair in found for position in pair}
    of_class: list[tuple[int, int]] = []
    for category, prizes in seen.contest.class_prizes:
        rest = [position for position in playing if position not in taken]
        for one, other in class_pairs(seen.contest, category, prizes, rest):
            if numbers[one] == numbers[other] and _may_meet(field, (one, other)):
                of_class.append((one, other))
                taken |= {one, other}
    return [*_demand("prize-last-round", found), *_demand("prize-class", of_class)]


def _destiny(field: Field, free: Ints, destiny: Control) -> list[Rule]:
    """Return whom the leader has to meet, or the pairs of factor three, as far as they may meet."""
    there = set(free.tolist())
    wanted = [(0, 3), (1, 4), (2, 5)] if destiny.factor else [(0, position) for position in destiny.places]
    pairs = [pair for pair in wanted if there.issuperset(pair) and _may_meet(field, pair)]
    if destiny.factor:
        return _demand("prize-factor", pairs)
    if not pairs:
        return []
    allowed = np.array([other for _, other in pairs])
    facts: Facts = (("share", max(1, round(destiny.share / 10))),)
    return [
        Rule(
            "prize-control", lambda upper, lower: (upper == 0) & ~np.isin(lower, allowed), frozenset(pairs), facts
        )
    ]


def _bye(field: Field, seen: Outlook, free: Ints) -> list[Rule]:
    """Return who has the bye, where that is said: who is decided and left over, or from the top down."""
    takers = [position for position in seen.parts.left_over if position in free]
    if not takers and seen.settings.top_down_byes:
        fewest = min(field.entrants[position].byes for position in free)
        takers = [position for position in free.tolist() if field.entrants[position].byes == fewest][:1]
    if not takers:
        return []
    count = len(field.entrants)
    return [
        Rule("prize-bye", lambda upper, lower: (lower == count) & ~np.isin(upper, takers), takers=tuple(takers))
    ]


def _may_meet(field: Field, pair: tuple[int, int]) -> bool:
    return frozenset(field.entrants[position].player for position in pair) not in field.forbidden


# --- what a pair weighs


def weights(field: Field, seen: Outlook, upper: Ints, lower: Ints, widened: Ints) -> Ints:
    """Return the weight of pairs of positions, upper before lower; the number of entrants is the bye.

    `widened` is by how much the lowest rival of a position is taken lower.
    """
    return (
        _rank_difference(seen, upper, lower)
        + _rivalry(seen, upper, lower, widened)
        + _decided(seen, upper, lower)
        + _meetings(field, seen, upper, lower)
    )


def _rank_difference(seen: Outlook, upper: Ints, lower: Ints) -> Ints:
    """Cube the difference of places, square it where no prize is at stake; nothing for the hopeful in the end."""
    apart, decided = lower - upper, _is_decided(seen)
    idle = decided[upper] | decided[lower] | (upper >= seen.contest.places)
    chasing = _chasing(seen, upper) & seen.contest.last_quarter & (lower < seen.contest.count)
    return np.where(chasing, 0, np.where(idle, apart**2, apart**3))


def _rivalry(seen: Outlook, upper: Ints, lower: Ints, widened: Ints) -> Ints:
    """Keep the hopeful from those who cannot reach their place; in the last quarter the lowest rival is best.

    The bye is nobody's rival: the difference of places and earlier byes say who has it.
    """
    rival = rivals(seen, widened)[upper]
    near = lower <= np.maximum(rival, upper + 1)
    missed = 2 * np.abs(rival - lower) ** 3 if seen.contest.last_quarter else np.zeros_like(lower)
    chasing = _chasing(seen, upper) & (lower < seen.contest.count)
    return np.where(chasing, np.where(near, missed, OUT_OF_REACH), 0)


def rivals(seen: Outlook, widened: Ints) -> Ints:
    """Return for each position the lowest that is hopeful of its place, at least itself."""
    own = np.arange(len(seen.rivals))
    return np.minimum(np.maximum(seen.rivals, own) + widened, len(own) - 1)


def _decided(seen: Outlook, upper: Ints, lower: Ints) -> Ints:
    """Keep the decided who are left over from those who ever reached a prize."""
    decided = _is_decided(seen)
    left_over = np.zeros_like(decided)
    left_over[list(seen.parts.left_over)] = True
    playing = np.append(seen.best < seen.contest.places, False)
    harmful = (left_over[upper] & playing[lower] & ~decided[lower]) | (
        left_over[lower] & playing[upper] & ~decided[upper]
    )
    return np.where(harmful, OUT_OF_REACH, 0)


def _meetings(field: Field, seen: Outlook, upper: Ints, lower: Ints) -> Ints:
    """Weigh earlier meetings, the same opponent as in the last round, and earlier byes."""
    count = seen.contest.count
    columns = criteria.get_arrays(field)
    met = np.minimum(columns.meetings[upper, lower].astype(np.int64), _MOST_MEETINGS)
    again = (np.left_shift(np.int64(1), met) - 1) * (4 * count**3 // 27)
    latest = _latest(field)
    same = latest[upper] == lower
    same_again = np.where(same & (upper > seen.lowest_casher), BACK_TO_BACK, 0)
    byes = 0 if seen.settings.repeat_byes else met * OUT_OF_REACH
    return np.where(lower == count, byes, again + same_again)


def _latest(field: Field) -> Ints:
    """Return the position of whom each played in the round before, -1 for none."""
    positions, found = field.positions(), np.full(len(field.entrants) + 1, -1, dtype=np.int64)
    for position, entrant in enumerate(field.entrants):
        for other, rounds in entrant.meetings.items():
            if field.number - 1 in rounds and other in positions:
                found[position] = positions[other]
    return found


def _is_decided(seen: Outlook) -> Flags:
    found = np.zeros(seen.contest.count + 1, dtype=np.bool_)
    found[sorted(seen.decided)] = True
    return found


def _chasing(seen: Outlook, upper: Ints) -> Flags:
    """Return who is hopeful of a prize and not decided."""
    return (upper <= seen.lowest_casher) & ~_is_decided(seen)[upper]


# --- solving and saying


def _find_pairs(field: Field, seen: Outlook, free: Ints, rules: Sequence[Rule]) -> tuple[BestPairs, Ints]:
    """Solve. If players have no opponent in reach, take their lowest rival one place lower and solve again."""
    widened = np.zeros(seen.contest.count, dtype=np.int64)
    found = _solve(field, seen, free, rules, widened)
    limit = rivals(seen, widened)
    far = [
        one
        for one, other in found.pairs
        if bool(_chasing(seen, np.array([one]))[0]) and other is not None and other > max(limit[one], one + 1)
    ]
    if far:
        widened[far] += 1
        found = _solve(field, seen, free, rules, widened)
    return found, widened


def _solve(field: Field, seen: Outlook, free: Ints, rules: Sequence[Rule], widened: Ints) -> BestPairs:
    def weight(_columns: FieldArrays, upper: Ints, lower: Ints) -> Ints:
        return weights(field, seen, upper, lower, widened)

    def level(rule: Rule) -> Level:
        return lambda _columns, upper, lower: rule.broken(upper, lower).astype(np.int64)

    own: dict[str, Level] = {**{rule.code: level(rule) for rule in rules}, "prizes": weight}
    return find_best_pairs(field, free, (*own, *_AFTER_WEIGHT), own)


def _pair(seen: Outlook, rules: Sequence[Rule], widened: Ints, one: int, other: int | None) -> Pair:
    """Return a pair with its reason: the rule that demands it, or what it is worth to the better placed."""
    if other is None:
        return Pair(one, None, "bye-decided" if one in seen.parts.left_over else None)
    code, facts = _why(seen, rules, int(rivals(seen, widened)[one]), one, other)
    return Pair(one, other, code, (("one", one + 1), ("other", other + 1), *facts))


def _why(seen: Outlook, rules: Sequence[Rule], limit: int, one: int, other: int) -> tuple[str, Facts]:
    rule = next((rule for rule in rules if (one, other) in rule.pairs), None)
    if rule is not None:
        return rule.code, rule.facts
    decided = next((position for position in (one, other) if position in seen.decided), None)
    if decided is not None:
        return "prize-decided", (("place", decided + 1),)
    if not _chasing(seen, np.array([one]))[0]:
        return "prize-behind", ()
    return _chase(seen, limit, one, other)


def _chase(seen: Outlook, limit: int, one: int, other: int) -> tuple[str, Facts]:
    """Return how the worse placed stands to the place of a player who is hopeful of a prize."""
    reached = int(seen.chances.reaching()[other, one])
    share = max(1, round(100 * reached / seen.chances.times)) if reached else 0
    facts: Facts = (("place", one + 1), ("share", share))
    if not share or other > max(limit, one + 1):
        return "prize-no-rival", facts
    if other < int(seen.rivals[one]):
        return "prize-rival", facts
    return ("prize-lowest" if one else "prize-title"), facts


_REASONS = {
    "prize-last-round": N_("{one} against {other}: last round, king of the hill for the prizes"),
    "prize-class": N_("{one} against {other}: last round, for the prize of their category"),
    "prize-control": N_(
        "{one} against {other}, who could win every game and, without meeting the leader,"
        " still lose the tournament in {share} % of simulations"
    ),
    "prize-factor": N_("{one} against {other}: factor three, all of the first six can still move up"),
    "prize-decided": N_("{one} against {other}: place {place} is decided, so away from the prizes still open"),
    "prize-title": N_(
        "{one} against {other}, the lowest player who still wins the tournament in {share} % of simulations"
    ),
    "prize-lowest": N_(
        "{one} against {other}, the lowest player who still reaches place {place} in {share} % of simulations"
    ),
    "prize-rival": N_("{one} against {other}, who still reaches place {place} in {share} % of simulations"),
    "prize-no-rival": N_("{one} against {other}: nobody was left who is likely to reach place {place}"),
    "prize-behind": N_("{one} against {other}, behind the prizes still open"),
}
PRIZE = System(declared.PRIZE, plan, last_round, criteria.ORDER, reasons=_REASONS)
