"""Prize-aware pairing (COP, Castellano O'Connor): players meet the rivals that they must beat for a prize.

The pairing is a minimum-cost perfect matching with these levels, the most important first:

1. The rules (`list_prize_pairing_rules`). Each rule is a level: a pair that breaks the rule costs 1.
2. The weights (`compute_prize_pair_costs`). They prefer neighbours in the standings. In the last quarter of the
   rounds, if player A can win a prize, the preferred opponent is A's lowest rival: the lowest player with a fair
   chance to reach A's rank.
3. The criteria in _LOWER_CRITERIA.

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
from tdapp.pairing.clinch_bounds import list_rival_pairs_for_category_prizes
from tdapp.pairing.criteria import PairingFieldArrays
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import Level
from tdapp.pairing.prize_race import (
    LeaderOpponentRule,
    PrizeRace,
    build_rank_contest,
    compute_prize_race,
    find_leader_opponent_rule,
    get_min_contender_chance_per_mille,
    make_simulation_seed,
)
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    get_previous_round_number,
    list_fixed_pairs,
    list_positions_without_fixed_pair,
)

OUT_OF_REACH = 10**9  # cost of a pair that is used only if no other pairing exists
BACK_TO_BACK = 10**6  # cost of meeting again in the next round
GROUPS = "prize-groups"
_MAX_MEETINGS = 20  # more meetings cost the same, so that sums fit into 64 bits
_LOWER_CRITERIA = ("repeats", "guard", "apart", "avoid", "starts", "chance")

FindPairs = Callable[[Ints, Ints], Flags]


class PrizePairingRule(Struct, frozen=True):
    """A rule that the pairing should not break."""

    code: str  # reason of its pairs
    find_broken_pairs: FindPairs  # returns which pairs break the rule
    pairs: frozenset[tuple[int, int]] = frozenset()  # the pairs that the rule asks for
    facts: Facts = ()
    bye_candidates: tuple[int, ...] = ()  # of a rule about the bye


def plan_pairs(situation: PairingInput) -> PairingPlan:
    field, contention = situation.field, situation.stage.settings.contention
    contest = build_rank_contest(situation.index, situation.stage, field)
    race = compute_prize_race(contest, contention, seed=make_simulation_seed(field))
    positions = list_positions_without_fixed_pair(field)
    rules = list_prize_pairing_rules(field, race, positions)
    best_pairs, extra_ranks = _find_best_pairs_by_rules(field, race, positions, rules)
    fixed_pairs = list_fixed_pairs(field)
    pairs = [_make_pair(race, rules, extra_ranks, *pair) for pair in best_pairs.pairs]
    upper = np.array([first for first, _ in best_pairs.pairs], dtype=np.int64)
    ends = [contest.contender_count if second is None else second for _, second in best_pairs.pairs]
    lower = np.array(ends, dtype=np.int64)
    relaxed = [rule.code for rule in rules if rule.find_broken_pairs(upper, lower).any()]
    simulation_notes = ("fewer-simulations",) if race.chances.simulation_count < contention.simulations else ()
    return PairingPlan((*fixed_pairs, *pairs), relaxed=(*relaxed, *best_pairs.relaxed, *simulation_notes))


# --- rules


def list_prize_pairing_rules(
    field: PairingField, race: PrizeRace, positions: Ints
) -> tuple[PrizePairingRule, ...]:
    min_chance_per_mille, seed = (
        get_min_contender_chance_per_mille(race.settings, race.contest.rounds_left),
        make_simulation_seed(field, 1),
    )
    leader_rule = find_leader_opponent_rule(
        race.contest,
        race.groups,
        race.chances,
        race.settings,
        min_chance_per_mille=min_chance_per_mille,
        seed=seed,
    )
    is_last_round = race.contest.rounds_left == 1
    groups = np.array(race.groups.list_group_numbers_by_position(race.contest.contender_count))
    groups_with_bye = np.append(groups, len(race.groups.members) - 1)  # the bye belongs to the bottom group
    rules = [*_make_last_round_pairing_rules(field, race, positions, groups)] if is_last_round else []
    if leader_rule is not None:
        rules += make_leader_opponent_rules(field, positions, leader_rule)
    if len(race.groups.members) > 1:
        rules.append(
            PrizePairingRule(GROUPS, lambda upper, lower: groups_with_bye[upper] != groups_with_bye[lower])
        )
    if len(positions) % 2:
        rules += _make_bye_player_rules(field, race, positions)
    return tuple(rules)


def _make_required_pairs_rule(code: str, pairs: Sequence[tuple[int, int]]) -> list[PrizePairingRule]:
    if not pairs:
        return []
    pair_set = frozenset(pairs)
    ends = np.array(sorted({position for pair in pair_set for position in pair}))
    codes = np.array(sorted(first << 32 | second for first, second in pair_set))

    def find_broken_pairs(upper: Ints, lower: Ints) -> Flags:
        is_concerned = np.isin(upper, ends) | np.isin(lower, ends)
        return is_concerned & ~np.isin(upper << 32 | lower, codes)

    return [PrizePairingRule(code, find_broken_pairs, pair_set)]


def _make_last_round_pairing_rules(
    field: PairingField, race: PrizeRace, positions: Ints, groups: Ints
) -> list[PrizePairingRule]:
    open_positions = [position for position in positions.tolist() if position not in race.decided_positions]
    prize_pairs: list[tuple[int, int]] = []
    for group in range(len(race.groups.members)):
        members = [position for position in open_positions if groups[position] == group]
        while members and race.can_win_prize_in_simulation(members[0]):
            first = members.pop(0)
            second = next(
                (position for position in members if not _is_forbidden_pair(field, (first, position))), None
            )
            if second is not None:
                members.remove(second)
                prize_pairs.append((first, second))
    paired_positions = {position for pair in prize_pairs for position in pair}
    category_pairs: list[tuple[int, int]] = []
    for category, prizes in race.contest.class_prizes:
        unpaired_positions = [position for position in open_positions if position not in paired_positions]
        for first, second in list_rival_pairs_for_category_prizes(
            race.contest, category, prizes, unpaired_positions
        ):
            if groups[first] == groups[second] and not _is_forbidden_pair(field, (first, second)):
                category_pairs.append((first, second))
                paired_positions |= {first, second}
    return [
        *_make_required_pairs_rule("prize-last-round", prize_pairs),
        *_make_required_pairs_rule("prize-class", category_pairs),
    ]


def make_leader_opponent_rules(
    field: PairingField, positions: Ints, leader_rule: LeaderOpponentRule
) -> list[PrizePairingRule]:
    present_positions = set(positions.tolist())
    pairs = (
        [(0, 3), (1, 4), (2, 5)] if leader_rule.factor else [(0, opponent) for opponent in leader_rule.opponents]
    )
    pairs = [pair for pair in pairs if present_positions.issuperset(pair) and not _is_forbidden_pair(field, pair)]
    if leader_rule.factor:
        return _make_required_pairs_rule("prize-factor", pairs)
    if not pairs:
        return []
    opponents = np.array([opponent for _, opponent in pairs])
    facts: Facts = (("share", max(1, round(leader_rule.share / 10))),)
    return [
        PrizePairingRule(
            "prize-control",
            lambda upper, lower: (upper == 0) & ~np.isin(lower, opponents),
            frozenset(pairs),
            facts,
        )
    ]


def _make_bye_player_rules(field: PairingField, race: PrizeRace, positions: Ints) -> list[PrizePairingRule]:
    """Return the rule for the bye, or [] if the costs of the pairs decide.

    If the last group of `race.groups` has a gibsonized player (with a decided rank), this player gets the bye.
    Otherwise, with the setting `top_down_byes`, the best placed player with the fewest byes gets the bye.
    """
    bye_candidates = [position for position in race.groups.gibsonized_in_last_group if position in positions]
    if not bye_candidates and race.settings.top_down_byes:
        bye_candidates = [min(positions.tolist(), key=lambda position: field.entrants[position].byes)]
    if not bye_candidates:
        return []
    count = len(field.entrants)
    return [
        PrizePairingRule(
            "prize-bye",
            lambda upper, lower: (lower == count) & ~np.isin(upper, bye_candidates),
            bye_candidates=tuple(bye_candidates),
        )
    ]


def _is_forbidden_pair(field: PairingField, pair: tuple[int, int]) -> bool:
    return frozenset(field.entrants[position].player for position in pair) in field.forbidden_pairs


# --- weights


def compute_prize_pair_costs(
    field: PairingField, race: PrizeRace, upper: Ints, lower: Ints, extra_ranks: Ints
) -> Ints:
    """Return the cost of each pair. If `upper` has the bye, `lower` is the number of entrants.

    COP limits how far down the standings an opponent can be. `extra_ranks` moves this limit down by 0 or 1 ranks
    for each player.
    """
    return (
        _compute_rank_cost(race, upper, lower)
        + _compute_rival_distance_cost(race, upper, lower, extra_ranks)
        + _compute_gibsonized_opponent_cost(race, upper, lower)
        + _compute_meetings_cost(field, race, upper, lower)
    )


def _compute_rank_cost(race: PrizeRace, upper: Ints, lower: Ints) -> Ints:
    """Return the cost of the difference in ranks: usually the cube of the difference.

    The cost is the square of the difference if a player's rank is decided, or if `upper` is below the prize ranks.
    In the last quarter of the rounds, the cost is 0 if `upper` can win a prize and has an undecided rank.
    """
    distance, is_decided = lower - upper, _mark_gibsonized_players(race)
    is_unimportant = is_decided[upper] | is_decided[lower] | (upper >= race.contest.places)
    is_chasing = (
        _mark_chasing_players(race, upper)
        & race.contest.is_in_last_quarter_of_rounds
        & (lower < race.contest.contender_count)
    )
    return np.where(is_chasing, 0, np.where(is_unimportant, distance**2, distance**3))


def _compute_rival_distance_cost(race: PrizeRace, upper: Ints, lower: Ints, extra_ranks: Ints) -> Ints:
    """Return the cost of each pair, or 0 if `upper` cannot win a prize.

    The lowest rival is the lowest player with a fair chance to reach the rank of `upper`. If `lower` is below this
    rival, the cost is OUT_OF_REACH. Otherwise, it grows with the distance between `lower` and this rival in the
    last quarter of the rounds, and is 0 before.
    """
    rivals = compute_lowest_rival_positions(race, extra_ranks)[upper]
    # the next player is always in reach
    is_in_reach = lower <= np.maximum(rivals, upper + 1)
    distance_costs = (
        2 * np.abs(rivals - lower) ** 3 if race.contest.is_in_last_quarter_of_rounds else np.zeros_like(lower)
    )
    is_chasing = _mark_chasing_players(race, upper) & (lower < race.contest.contender_count)
    return np.where(is_chasing, np.where(is_in_reach, distance_costs, OUT_OF_REACH), 0)


def compute_lowest_rival_positions(race: PrizeRace, extra_ranks: Ints) -> Ints:
    """Return the position of each player's lowest rival, plus `extra_ranks`.

    Player A's lowest rival is the lowest player with a fair chance to reach A's rank. Position 0 is the top
    of the standings.
    """
    positions = np.arange(len(race.lowest_rivals))
    return np.minimum(np.maximum(race.lowest_rivals, positions) + extra_ranks, len(positions) - 1)


def _compute_gibsonized_opponent_cost(race: PrizeRace, upper: Ints, lower: Ints) -> Ints:
    is_decided = _mark_gibsonized_players(race)
    is_in_last_group = np.zeros_like(is_decided)
    is_in_last_group[list(race.groups.gibsonized_in_last_group)] = True
    can_win_prize_in_simulation = np.append(race.best_ranks < race.contest.places, False)
    is_harmful = (is_in_last_group[upper] & can_win_prize_in_simulation[lower] & ~is_decided[lower]) | (
        is_in_last_group[lower] & can_win_prize_in_simulation[upper] & ~is_decided[upper]
    )
    return np.where(is_harmful, OUT_OF_REACH, 0)


def _compute_meetings_cost(field: PairingField, race: PrizeRace, upper: Ints, lower: Ints) -> Ints:
    count = race.contest.contender_count
    columns = criteria.get_pairing_field_arrays(field)
    meetings = np.minimum(columns.meetings.get_values_of_pairs(upper, lower), _MAX_MEETINGS)
    repeat_costs = (np.left_shift(np.int64(1), meetings) - 1) * (4 * count**3 // 27)
    latest_opponents = _find_latest_opponents(field)
    is_latest = latest_opponents[upper] == lower
    back_to_back_costs = np.where(is_latest & (upper > race.last_position_with_prize_chance), BACK_TO_BACK, 0)
    bye_costs = 0 if race.settings.repeat_byes else meetings * OUT_OF_REACH
    return np.where(lower == count, bye_costs, repeat_costs + back_to_back_costs)


def _find_latest_opponents(field: PairingField) -> Ints:
    positions, opponents = field.map_player_positions(), np.full(len(field.entrants) + 1, -1, dtype=np.int64)
    for position, entrant in enumerate(field.entrants):
        for opponent, rounds in entrant.meetings.items():
            if field.number - 1 in rounds and opponent in positions:
                opponents[position] = positions[opponent]
    return opponents


def _mark_gibsonized_players(race: PrizeRace) -> Flags:
    is_decided = np.zeros(race.contest.contender_count + 1, dtype=np.bool_)
    is_decided[sorted(race.decided_positions)] = True
    return is_decided


def _mark_chasing_players(race: PrizeRace, upper: Ints) -> Flags:
    return (upper <= race.last_position_with_prize_chance) & ~_mark_gibsonized_players(race)[upper]


# --- solution and reasons


def _find_best_pairs_by_rules(
    field: PairingField, race: PrizeRace, positions: Ints, rules: Sequence[PrizePairingRule]
) -> tuple[BestPairs, Ints]:
    extra_ranks = np.zeros(race.contest.contender_count, dtype=np.int64)
    best_pairs = _find_best_pairs_with_extra_ranks(field, race, positions, rules, extra_ranks)
    lowest_rivals = compute_lowest_rival_positions(race, extra_ranks)
    isolated_positions = [
        upper
        for upper, lower in best_pairs.pairs
        if bool(_mark_chasing_players(race, np.array([upper]))[0])
        and lower is not None
        and lower > max(lowest_rivals[upper], upper + 1)
    ]
    if isolated_positions:
        extra_ranks[isolated_positions] += 1
        best_pairs = _find_best_pairs_with_extra_ranks(field, race, positions, rules, extra_ranks)
    return best_pairs, extra_ranks


def _find_best_pairs_with_extra_ranks(
    field: PairingField, race: PrizeRace, positions: Ints, rules: Sequence[PrizePairingRule], extra_ranks: Ints
) -> BestPairs:
    def compute_prize_weights(_columns: PairingFieldArrays, upper: Ints, lower: Ints) -> Ints:
        return compute_prize_pair_costs(field, race, upper, lower, extra_ranks)

    def make_cost_of_broken_rule(rule: PrizePairingRule) -> Level:
        return lambda _columns, upper, lower: rule.find_broken_pairs(upper, lower).astype(np.int64)

    system_levels: dict[str, Level] = {
        **{rule.code: make_cost_of_broken_rule(rule) for rule in rules},
        "prizes": compute_prize_weights,
    }
    return find_best_pairs(field, positions, (*system_levels, *_LOWER_CRITERIA), system_levels)


def _make_pair(
    race: PrizeRace, rules: Sequence[PrizePairingRule], extra_ranks: Ints, upper: int, lower: int | None
) -> PlannedPair:
    if lower is None:
        return PlannedPair(upper, None, "bye-decided" if upper in race.groups.gibsonized_in_last_group else None)
    code, facts = _explain_pair(
        race, rules, int(compute_lowest_rival_positions(race, extra_ranks)[upper]), upper, lower
    )
    return PlannedPair(upper, lower, code, (("one", upper + 1), ("other", lower + 1), *facts))


def _explain_pair(
    race: PrizeRace, rules: Sequence[PrizePairingRule], lowest_rival: int, upper: int, lower: int
) -> tuple[str, Facts]:
    rule = next((rule for rule in rules if (upper, lower) in rule.pairs), None)
    if rule is not None:
        return rule.code, rule.facts
    decided_position = next((position for position in (upper, lower) if position in race.decided_positions), None)
    if decided_position is not None:
        return "prize-decided", (("place", decided_position + 1),)
    if not _mark_chasing_players(race, np.array([upper]))[0]:
        return "prize-behind", ()
    return _explain_rival_pair(race, lowest_rival, upper, lower)


def _explain_rival_pair(race: PrizeRace, lowest_rival: int, upper: int, lower: int) -> tuple[str, Facts]:
    count = int(race.chances.count_simulations_with_rank_or_better()[lower, upper])
    share = max(1, round(100 * count / race.chances.simulation_count)) if count else 0
    facts: Facts = (("place", upper + 1), ("share", share))
    if not share or lower > max(lowest_rival, upper + 1):
        return "prize-no-rival", facts
    if lower < int(race.lowest_rivals[upper]):
        return "prize-rival", facts
    return ("prize-lowest" if upper else "prize-title"), facts


_REASONS = {
    "prize-last-round": N_("{one} against {other}: last round, king of the hill for the prizes"),
    "prize-class": N_("{one} against {other}: they play for a category prize in the last round"),
    "prize-control": N_(
        "{one} against {other}: if {other} wins every game, playing the leader raises the chance "
        "to win the tournament by {share}%"
    ),
    "prize-factor": N_(
        "{one} against {other}: three places apart (1–4, 2–5, 3–6), because places 4, 5 and 6 can "
        "still move up three places"
    ),
    "prize-decided": N_(
        "{one} against {other}: place {place} is decided, so they do not play each other for an open prize"
    ),
    "prize-title": N_(
        "{one} against {other}, the lowest-ranked player with a real chance to win the tournament "
        "({share}% of simulations)"
    ),
    "prize-lowest": N_(
        "{one} against {other}, the lowest-ranked player with a real chance of place {place} "
        "({share}% of simulations)"
    ),
    "prize-rival": N_("{one} against {other}, who still reaches place {place} in {share}% of simulations"),
    "prize-no-rival": N_("{one} against {other}: no opponent was left who is likely to reach place {place}"),
    "prize-behind": N_("{one} against {other}: neither is likely to reach a place with a prize"),
}
PRIZE = PairingMethod(declared.PRIZE, plan_pairs, get_previous_round_number, criteria.ORDER, reasons=_REASONS)
