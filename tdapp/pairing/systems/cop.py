"""Prize-aware pairing (COP, Castellano O'Connor): players meet the rivals that they must beat for a prize.

A pairing breaks as few rules (`list_prize_rules`) as possible. Of such pairings, the one with the lowest sum of
weights (`compute_weights`) is chosen. Weights prefer neighbours in the standings. In the last quarter of the
rounds, they let a player who can win a prize meet the lowest player who can still reach that player's rank.
Source: the published description of COP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from tdapp.domain import systems as declared
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.best_pairs import BestPairs, find_best_pairs
from tdapp.pairing.clinch_bounds import find_category_pairs
from tdapp.pairing.criteria import FieldColumns
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import Level
from tdapp.pairing.prize_race import (
    ControlRule,
    PrizeRace,
    build_contest,
    compute_prize_race,
    find_control_rule,
    get_fair_chance,
    make_simulation_seed,
)
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    get_previous_round,
    list_fixed_pairs,
    list_free_positions,
)

OUT_OF_REACH = 10**9  # a pair of last resort
BACK_TO_BACK = 10**6
GROUPS = "prize-groups"
_MOST_MEETINGS = 20  # more weigh the same, so that sums keep within 64 bits
_AFTER_WEIGHT = ("repeats", "guard", "apart", "avoid", "starts", "chance")

FindPairs = Callable[[Ints, Ints], Flags]


class PrizeRule(Struct, frozen=True):
    """A rule that the pairing should not break."""

    code: str  # reason of its pairs
    find_broken_pairs: FindPairs  # marks pairs that break the rule
    pairs: frozenset[tuple[int, int]] = frozenset()
    facts: Facts = ()
    bye_candidates: tuple[int, ...] = ()  # in a rule about the bye, the players who may have it


def plan_pairs(situation: PairingInput) -> PairingPlan:
    field, contention = situation.field, situation.stage.settings.contention
    contest = build_contest(situation.index, situation.stage, field)
    race = compute_prize_race(contest, contention, seed=make_simulation_seed(field))
    free = list_free_positions(field)
    rules = list_prize_rules(field, race, free)
    found, widened = _find_best_pairs_by_rules(field, race, free, rules)
    fixed = list_fixed_pairs(field)
    pairs = [_make_pair(race, rules, widened, *pair) for pair in found.pairs]
    upper = np.array([one for one, _ in found.pairs], dtype=np.int64)
    lower = np.array([contest.count if other is None else other for _, other in found.pairs], dtype=np.int64)
    relaxed = [rule.code for rule in rules if rule.find_broken_pairs(upper, lower).any()]
    fewer = ("fewer-simulations",) if race.chances.simulation_count < contention.simulations else ()
    return PairingPlan((*fixed, *pairs), relaxed=(*relaxed, *found.relaxed, *fewer))


# --- rules


def list_prize_rules(field: PairingField, race: PrizeRace, free: Ints) -> tuple[PrizeRule, ...]:
    fair, seed = get_fair_chance(race.settings, race.contest.rounds_left), make_simulation_seed(field, 1)
    control = find_control_rule(
        race.contest, race.groups, race.chances, race.settings, fair_chance=fair, seed=seed
    )
    last = race.contest.rounds_left == 1
    numbers = np.array(race.groups.list_group_numbers(race.contest.count))
    bottom = np.append(numbers, len(race.groups.members) - 1)  # the bye belongs to the bottom group
    found = [*_make_last_round_rules(field, race, free, numbers)] if last else []
    if control is not None:
        found += make_control_rules(field, free, control)
    if len(race.groups.members) > 1:
        found.append(PrizeRule(GROUPS, lambda upper, lower: bottom[upper] != bottom[lower]))
    if len(free) % 2:
        found += _make_bye_player_rules(field, race, free)
    return tuple(found)


def _make_meeting_rules(code: str, pairs: Sequence[tuple[int, int]]) -> list[PrizeRule]:
    if not pairs:
        return []
    demanded = frozenset(pairs)
    ends = np.array(sorted({position for pair in demanded for position in pair}))
    codes = np.array(sorted(one << 32 | other for one, other in demanded))

    def find_broken_pairs(upper: Ints, lower: Ints) -> Flags:
        expected_players = np.isin(upper, ends) | np.isin(lower, ends)
        return expected_players & ~np.isin(upper << 32 | lower, codes)

    return [PrizeRule(code, find_broken_pairs, demanded)]


def _make_last_round_rules(field: PairingField, race: PrizeRace, free: Ints, numbers: Ints) -> list[PrizeRule]:
    playing = [position for position in free.tolist() if position not in race.decided]
    found: list[tuple[int, int]] = []
    for group in range(len(race.groups.members)):
        members = [position for position in playing if numbers[position] == group]
        while members and race.can_win_prize(members[0]):
            one = members.pop(0)
            other = next((position for position in members if _may_players_meet(field, (one, position))), None)
            if other is not None:
                members.remove(other)
                found.append((one, other))
    taken = {position for pair in found for position in pair}
    of_class: list[tuple[int, int]] = []
    for category, prizes in race.contest.class_prizes:
        rest = [position for position in playing if position not in taken]
        for one, other in find_category_pairs(race.contest, category, prizes, rest):
            if numbers[one] == numbers[other] and _may_players_meet(field, (one, other)):
                of_class.append((one, other))
                taken |= {one, other}
    return [*_make_meeting_rules("prize-last-round", found), *_make_meeting_rules("prize-class", of_class)]


def make_control_rules(field: PairingField, free: Ints, control: ControlRule) -> list[PrizeRule]:
    there = set(free.tolist())
    wanted = [(0, 3), (1, 4), (2, 5)] if control.factor else [(0, position) for position in control.places]
    pairs = [pair for pair in wanted if there.issuperset(pair) and _may_players_meet(field, pair)]
    if control.factor:
        return _make_meeting_rules("prize-factor", pairs)
    if not pairs:
        return []
    allowed = np.array([other for _, other in pairs])
    facts: Facts = (("share", max(1, round(control.share / 10))),)
    return [
        PrizeRule(
            "prize-control", lambda upper, lower: (upper == 0) & ~np.isin(lower, allowed), frozenset(pairs), facts
        )
    ]


def _make_bye_player_rules(field: PairingField, race: PrizeRace, free: Ints) -> list[PrizeRule]:
    """Return the rule that decides who gets the bye. If the list is empty, the weights decide.

    A gibsonized player of the last Gibson group gets the bye. If no player is gibsonized there and the setting
    `top_down_byes` is on, it goes to the best placed of the players with the fewest byes.
    """
    bye_candidates = [position for position in race.groups.gibsonized_in_last_group if position in free]
    if not bye_candidates and race.settings.top_down_byes:
        fewest = min(field.entrants[position].byes for position in free)
        bye_candidates = [position for position in free.tolist() if field.entrants[position].byes == fewest][:1]
    if not bye_candidates:
        return []
    count = len(field.entrants)
    return [
        PrizeRule(
            "prize-bye",
            lambda upper, lower: (lower == count) & ~np.isin(upper, bye_candidates),
            bye_candidates=tuple(bye_candidates),
        )
    ]


def _may_players_meet(field: PairingField, pair: tuple[int, int]) -> bool:
    return frozenset(field.entrants[position].player for position in pair) not in field.forbidden


# --- weights


def compute_weights(field: PairingField, race: PrizeRace, upper: Ints, lower: Ints, widened: Ints) -> Ints:
    """Return the weight of pairs. The number of entrants is the position of the bye.

    `widened` contains for each player by how many ranks the player's lowest rival (`find_rivals`) moves down,
    because the first matching found no rival for this player.
    """
    return (
        _compute_rank_cost(race, upper, lower)
        + _compute_rivalry_cost(race, upper, lower, widened)
        + _compute_cost_of_decided_opponent(race, upper, lower)
        + _compute_meetings_cost(field, race, upper, lower)
    )


def _compute_rank_cost(race: PrizeRace, upper: Ints, lower: Ints) -> Ints:
    """Return the cube of the difference in ranks.

    Return its square if one of the two ranks is decided, or if both ranks are below the prizes. In the last
    quarter of the rounds, return 0 if the higher player can win a prize and has no decided rank.
    """
    apart, decided = lower - upper, _mark_decided_players(race)
    idle = decided[upper] | decided[lower] | (upper >= race.contest.places)
    chasing = _mark_chasing_players(race, upper) & race.contest.is_last_quarter & (lower < race.contest.count)
    return np.where(chasing, 0, np.where(idle, apart**2, apart**3))


def _compute_rivalry_cost(race: PrizeRace, upper: Ints, lower: Ints, widened: Ints) -> Ints:
    """Return a high cost if a player who can win a prize meets an opponent below the player's lowest rival.

    Other opponents cost nothing before the last quarter of the rounds. From then on their cost grows with their
    distance from the lowest rival (`find_rivals`).
    """
    rival = find_rivals(race, widened)[upper]
    near = lower <= np.maximum(rival, upper + 1)
    missed = 2 * np.abs(rival - lower) ** 3 if race.contest.is_last_quarter else np.zeros_like(lower)
    chasing = _mark_chasing_players(race, upper) & (lower < race.contest.count)
    return np.where(chasing, np.where(near, missed, OUT_OF_REACH), 0)


def find_rivals(race: PrizeRace, widened: Ints) -> Ints:
    """Return the position of each player's lowest rival, moved down by `widened` ranks.

    The lowest rival is the lowest player with a fair chance to reach the player's rank.
    """
    own = np.arange(len(race.lowest_rivals))
    return np.minimum(np.maximum(race.lowest_rivals, own) + widened, len(own) - 1)


def _compute_cost_of_decided_opponent(race: PrizeRace, upper: Ints, lower: Ints) -> Ints:
    decided = _mark_decided_players(race)
    left_over = np.zeros_like(decided)
    left_over[list(race.groups.gibsonized_in_last_group)] = True
    playing = np.append(race.best_ranks < race.contest.places, False)
    harmful = (left_over[upper] & playing[lower] & ~decided[lower]) | (
        left_over[lower] & playing[upper] & ~decided[upper]
    )
    return np.where(harmful, OUT_OF_REACH, 0)


def _compute_meetings_cost(field: PairingField, race: PrizeRace, upper: Ints, lower: Ints) -> Ints:
    count = race.contest.count
    columns = criteria.get_field_columns(field)
    met = np.minimum(columns.meetings.get_values_of_pairs(upper, lower), _MOST_MEETINGS)
    again = (np.left_shift(np.int64(1), met) - 1) * (4 * count**3 // 27)
    latest = _find_latest_opponents(field)
    same = latest[upper] == lower
    same_again = np.where(same & (upper > race.lowest_prize_contender), BACK_TO_BACK, 0)
    byes = 0 if race.settings.repeat_byes else met * OUT_OF_REACH
    return np.where(lower == count, byes, again + same_again)


def _find_latest_opponents(field: PairingField) -> Ints:
    positions, found = field.map_positions(), np.full(len(field.entrants) + 1, -1, dtype=np.int64)
    for position, entrant in enumerate(field.entrants):
        for other, rounds in entrant.meetings.items():
            if field.number - 1 in rounds and other in positions:
                found[position] = positions[other]
    return found


def _mark_decided_players(race: PrizeRace) -> Flags:
    found = np.zeros(race.contest.count + 1, dtype=np.bool_)
    found[sorted(race.decided)] = True
    return found


def _mark_chasing_players(race: PrizeRace, upper: Ints) -> Flags:
    return (upper <= race.lowest_prize_contender) & ~_mark_decided_players(race)[upper]


# --- solution and reasons


def _find_best_pairs_by_rules(
    field: PairingField, race: PrizeRace, free: Ints, rules: Sequence[PrizeRule]
) -> tuple[BestPairs, Ints]:
    widened = np.zeros(race.contest.count, dtype=np.int64)
    found = _solve_rules(field, race, free, rules, widened)
    limit = find_rivals(race, widened)
    far = [
        one
        for one, other in found.pairs
        if bool(_mark_chasing_players(race, np.array([one]))[0])
        and other is not None
        and other > max(limit[one], one + 1)
    ]
    if far:
        widened[far] += 1
        found = _solve_rules(field, race, free, rules, widened)
    return found, widened


def _solve_rules(
    field: PairingField, race: PrizeRace, free: Ints, rules: Sequence[PrizeRule], widened: Ints
) -> BestPairs:
    def compute_prize_weights(_columns: FieldColumns, upper: Ints, lower: Ints) -> Ints:
        return compute_weights(field, race, upper, lower, widened)

    def make_rule_level(rule: PrizeRule) -> Level:
        return lambda _columns, upper, lower: rule.find_broken_pairs(upper, lower).astype(np.int64)

    own: dict[str, Level] = {
        **{rule.code: make_rule_level(rule) for rule in rules},
        "prizes": compute_prize_weights,
    }
    return find_best_pairs(field, free, (*own, *_AFTER_WEIGHT), own)


def _make_pair(
    race: PrizeRace, rules: Sequence[PrizeRule], widened: Ints, one: int, other: int | None
) -> PlannedPair:
    if other is None:
        return PlannedPair(one, None, "bye-decided" if one in race.groups.gibsonized_in_last_group else None)
    code, facts = _explain_pair(race, rules, int(find_rivals(race, widened)[one]), one, other)
    return PlannedPair(one, other, code, (("one", one + 1), ("other", other + 1), *facts))


def _explain_pair(
    race: PrizeRace, rules: Sequence[PrizeRule], limit: int, one: int, other: int
) -> tuple[str, Facts]:
    rule = next((rule for rule in rules if (one, other) in rule.pairs), None)
    if rule is not None:
        return rule.code, rule.facts
    decided = next((position for position in (one, other) if position in race.decided), None)
    if decided is not None:
        return "prize-decided", (("place", decided + 1),)
    if not _mark_chasing_players(race, np.array([one]))[0]:
        return "prize-behind", ()
    return _explain_chase(race, limit, one, other)


def _explain_chase(race: PrizeRace, limit: int, one: int, other: int) -> tuple[str, Facts]:
    reached = int(race.chances.count_rank_or_better()[other, one])
    share = max(1, round(100 * reached / race.chances.simulation_count)) if reached else 0
    facts: Facts = (("place", one + 1), ("share", share))
    if not share or other > max(limit, one + 1):
        return "prize-no-rival", facts
    if other < int(race.lowest_rivals[one]):
        return "prize-rival", facts
    return ("prize-lowest" if one else "prize-title"), facts


_REASONS = {
    "prize-last-round": N_("{one} against {other}: last round, king of the hill for the prizes"),
    "prize-class": N_("{one} against {other}: last round, for the prize of their category"),
    "prize-control": N_(
        "{one} against {other}: without this game, {other} could win every game and still lose the tournament "
        "in {share} % of simulations"
    ),
    "prize-factor": N_(
        "{one} against {other}: paired by factor three, because all of the first six can still move up"
    ),
    "prize-decided": N_("{one} against {other}: place {place} is decided, so the game is not for an open prize"),
    "prize-title": N_(
        "{one} against {other}, the lowest player who still wins the tournament in {share} % of simulations"
    ),
    "prize-lowest": N_(
        "{one} against {other}, the lowest player who still reaches place {place} in {share} % of simulations"
    ),
    "prize-rival": N_("{one} against {other}, who still reaches place {place} in {share} % of simulations"),
    "prize-no-rival": N_("{one} against {other}: no other player is likely to reach place {place}"),
    "prize-behind": N_("{one} against {other}, below the places for open prizes"),
}
PRIZE = PairingMethod(declared.PRIZE, plan_pairs, get_previous_round, criteria.ORDER, reasons=_REASONS)
