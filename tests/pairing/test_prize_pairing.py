"""Tests of prize-aware pairing: a search through all pairings, and a case for each rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId, Prize, PrizeId, PrizeKind, Stage, StageId
from tdapp.domain.pairing_settings import PairingSettings, PrizePairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import REASONS, FixedPair, propose_pairings
from tdapp.pairing.clinch_bounds import RankContest
from tdapp.pairing.field import Entrant, PairingField, build_pairing_field
from tdapp.pairing.prize_race import (
    LeaderOpponentRule,
    PrizeRace,
    build_rank_contest,
    compute_prize_race,
    count_rounds_left_before_cut,
    find_leader_opponent_rule,
    get_min_contender_chance_per_mille,
    make_simulation_seed,
)
from tdapp.pairing.system import PairingInput, PairingPlan, PlannedPair, list_positions_without_fixed_pair
from tdapp.pairing.systems.cop import (
    BACK_TO_BACK,
    OUT_OF_REACH,
    PRIZE,
    compute_prize_pair_costs,
    list_prize_pairing_rules,
    make_leader_opponent_rules,
)
from tests.i18n import codes_in_source
from tests.pairing.random_states import (
    STAGE,
    A,
    enter_random_results,
    make_random_field,
    make_tournament,
    publish_proposal,
)

QUICK = PrizePairingSettings(simulations=2_000, control_simulations=1_000)
SETTINGS = PairingSettings(contention=QUICK)
Pairing = tuple[tuple[int, int], ...]


def make_prizes(count: int, category: str = "") -> list[Prize]:
    kind = PrizeKind.CATEGORY if category else PrizeKind.RANK
    return [Prize(PrizeId(f"{category}{rank}"), A, rank, kind, rank, category) for rank in range(1, count + 1)]


def make_field_of_scores(
    scores: Sequence[tuple[int, int]],
    *,
    number: int,
    classes: str = "",
    earlier_meetings: Sequence[tuple[int, int, int]] = (),
    byes: Sequence[int] = (),
    **changes: object,
) -> PairingField:
    """Return a field with half points and spreads. A meeting has two positions and a round."""
    meetings: list[dict[PlayerId, tuple[int, ...]]] = [{} for _ in scores]
    players = [PlayerId(f"p{position + 1}") for position in range(len(scores))]
    for first, second, round_number in earlier_meetings:
        for player_position, opponent in ((first, second), (second, first)):
            earlier_rounds = meetings[player_position].get(players[opponent], ())
            meetings[player_position][players[opponent]] = (*earlier_rounds, round_number)
    letters = classes or " " * len(scores)
    entrants = [
        Entrant(
            player,
            position + 1,
            score=score,
            points=str(Fraction(score, 2)),
            spread=spread,
            meetings=MappingProxyType(meetings[position]),
            byes=byes[position] if byes else 0,
            category=letters[position].strip(),
        )
        for position, (player, (score, spread)) in enumerate(zip(players, scores, strict=True))
    ]
    return PairingField(STAGE, number, 1, tuple(entrants), replace(SETTINGS, **changes))


def make_pairing_input(field: PairingField, *, rounds: int = 8, prizes: Sequence[Prize] = ()) -> PairingInput:
    tournament = make_tournament(2, system="prize", rounds=rounds, settings=field.settings).put(*prizes)
    return PairingInput(TournamentIndex(tournament), tournament.stages[STAGE], field)


def plan_prize_pairs(field: PairingField, *, rounds: int = 8, prizes: Sequence[Prize] = ()) -> PairingPlan:
    return PRIZE.plan_pairs(make_pairing_input(field, rounds=rounds, prizes=prizes))


def list_position_pairs(plan: PairingPlan) -> set[tuple[int, int | None]]:
    return {(pair.position, pair.opponent) for pair in plan.pairs}


def find_pair_of(plan: PairingPlan, position: int) -> PlannedPair:
    return next(pair for pair in plan.pairs if position in {pair.position, pair.opponent})


# the search


def compute_race_and_control(pairing_input: PairingInput) -> tuple[PrizeRace, LeaderOpponentRule | None]:
    contention = pairing_input.stage.settings.contention
    contest = build_rank_contest(pairing_input.index, pairing_input.stage, pairing_input.field)
    race = compute_prize_race(contest, contention, seed=make_simulation_seed(pairing_input.field))
    share = get_min_contender_chance_per_mille(contention, contest.rounds_left)
    return race, find_leader_opponent_rule(
        contest,
        race.groups,
        race.chances,
        contention,
        min_chance_per_mille=share,
        seed=make_simulation_seed(pairing_input.field, 1),
    )


def compute_reference_weight(
    field: PairingField, race: PrizeRace, position: int, opponent: int, widened: Sequence[int]
) -> int:
    """Return the weight of a pair computed from the description. The last position is the bye."""
    contest, count = race.contest, len(field.entrants)
    player = field.entrants[position]
    rival_player = field.entrants[opponent] if opponent < count else None
    can_win_prize_in_simulation = (
        position <= race.last_position_with_prize_chance
        and position not in race.decided_positions
        and rival_player is not None
    )
    last_quarter = 4 * contest.rounds_left <= contest.rounds
    distance = opponent - position
    total: int = distance**3
    if position in race.decided_positions or opponent in race.decided_positions or position >= contest.places:
        total = distance**2
    if can_win_prize_in_simulation and last_quarter:
        total = 0
    if can_win_prize_in_simulation:
        rival = min(max(int(race.lowest_rivals[position]), position) + widened[position], count - 1)
        if opponent <= rival or (rival == position and opponent == position + 1):
            total += 2 * abs(rival - opponent) ** 3 if last_quarter else 0
        else:
            total += OUT_OF_REACH
    for gibsonized, opponent_position in ((position, opponent), (opponent, position)):
        if (
            gibsonized in race.groups.gibsonized_in_last_group
            and opponent_position < count
            and opponent_position not in race.decided_positions
            and race.can_win_prize_in_simulation(opponent_position)
        ):
            total += OUT_OF_REACH
    if rival_player is None:
        return total + (0 if field.settings.contention.repeat_byes else player.byes * OUT_OF_REACH)
    rounds = player.meetings.get(rival_player.player, ())
    total += (2 ** len(rounds) - 1) * (4 * count**3 // 27)
    return total + (
        BACK_TO_BACK if field.number - 1 in rounds and position > race.last_position_with_prize_chance else 0
    )


def generate_pairings(positions: Iterable[int]) -> Iterator[Pairing]:
    if not positions:
        yield ()
        return
    first, *candidates = positions
    for second in candidates:
        for pairs in generate_pairings([position for position in candidates if position != second]):
            yield ((first, second), *pairs)


def find_cheapest_pairings(pairing_input: PairingInput) -> set[Pairing]:
    """Return the cheapest pairings by rules and weight, with widened limits where needed."""
    field = pairing_input.field
    race, _ = compute_race_and_control(pairing_input)
    rules = list_prize_pairing_rules(field, race, list_positions_without_fixed_pair(field))
    count = len(field.entrants)

    def is_legal(pairing: Pairing) -> bool:
        names = [*(entrant.player for entrant in field.entrants), PlayerId("")]
        return not any(
            frozenset({names[first], names[second]}) in field.forbidden_pairs for first, second in pairing
        )

    def compute_cost(pairing: Pairing) -> tuple[int, ...]:
        upper, lower = np.array(pairing, dtype=np.int64).T
        broken = [int(rule.find_broken_pairs(upper, lower).sum()) for rule in rules]
        return (
            *broken,
            sum(compute_reference_weight(field, race, first, second, widening) for first, second in pairing),
        )

    def list_cheapest() -> set[Pairing]:
        costs = {pairing: compute_cost(pairing) for pairing in candidates}
        return {pairing for pairing in candidates if costs[pairing] == min(costs.values())}

    candidates = [pairing for pairing in generate_pairings(range(count + count % 2)) if is_legal(pairing)]
    assume(candidates)
    widening = [0] * count
    cheapest = list_cheapest()
    positions_out_of_reach = [
        {first for first, second in pairing if _is_rival_out_of_reach(race, first, second)} for pairing in cheapest
    ]
    assume(all(first == positions_out_of_reach[0] for first in positions_out_of_reach))
    if not positions_out_of_reach[0]:
        return cheapest
    for first in positions_out_of_reach[0]:
        widening[first] = 1
    return list_cheapest()


def _is_rival_out_of_reach(race: PrizeRace, position: int, opponent: int) -> bool:
    """Return whether a player with prize chances meets an opponent below the lowest rival."""
    if (
        position > race.last_position_with_prize_chance
        or position in race.decided_positions
        or opponent == race.contest.contender_count
    ):
        return False
    rival = max(int(race.lowest_rivals[position]), position)
    return opponent > rival and not (rival == position and opponent == position + 1)


def make_field_with_half_points(field: PairingField, rng: Random) -> PairingField:
    entrants = [
        replace(entrant, points=str(Fraction(entrant.score, 2)), spread=rng.randint(-600, 600))
        for entrant in field.entrants
    ]
    entrants.sort(key=lambda entrant: (-entrant.score, -entrant.spread))
    return replace(field, entrants=tuple(entrants), settings=SETTINGS, pairs_kept_apart=frozenset())


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32))
def test_prize_pairing_is_cheapest(seed: int) -> None:
    """A search through all pairings finds no cheaper one, even with widened limits."""
    rng = Random(seed)
    field = make_field_with_half_points(make_random_field(rng, rng.randint(4, 8), settings=SETTINGS), rng)
    rounds = field.number + rng.randint(0, 4)
    pairing_input = make_pairing_input(field, rounds=rounds, prizes=make_prizes(rng.randint(1, 3)))
    best = find_cheapest_pairings(pairing_input)
    count = len(field.entrants)

    plan = PRIZE.plan_pairs(pairing_input)

    pairing = tuple(
        sorted((pair.position, count if pair.opponent is None else pair.opponent) for pair in plan.pairs)
    )
    assert pairing in best


@given(st.integers(0, 2**32))
def test_compute_weights_agrees_with_the_description(seed: int) -> None:
    rng = Random(seed)
    contention = replace(QUICK, repeat_byes=rng.random() < 0.3)
    field = make_field_with_half_points(make_random_field(rng, rng.randint(4, 9), settings=SETTINGS), rng)
    field = replace(field, settings=replace(SETTINGS, contention=contention))
    pairing_input = make_pairing_input(
        field, rounds=field.number + rng.randint(0, 4), prizes=make_prizes(rng.randint(1, 3))
    )
    race, _ = compute_race_and_control(pairing_input)
    count = len(field.entrants)
    widened = [rng.randint(0, 1) for _ in range(count)]
    every = [(first, second) for first in range(count) for second in range(first + 1, count + 1)]
    upper, lower = (np.array(side, dtype=np.int64) for side in zip(*every, strict=True))
    plan = compute_prize_pair_costs(field, race, upper, lower, np.array(widened, dtype=np.int64))
    assert plan.tolist() == [
        compute_reference_weight(field, race, first, second, widened) for first, second in every
    ]


def test_prize_pairing_opponent_below_the_limit_is_no_rival() -> None:
    """The fifth wins the tournament in 1 % of the simulations, but ranks two below the last rival."""
    scores = [(10, 300), (9, 200), (9, 100), (6, -50), (6, -60), (6, -70)]
    forbidden = frozenset(frozenset({PlayerId("p1"), PlayerId(second)}) for second in ("p2", "p3", "p4", "p6"))
    field = replace(make_field_of_scores(scores, number=6), forbidden_pairs=forbidden)
    race, _ = compute_race_and_control(make_pairing_input(field, prizes=make_prizes(2)))
    plan = find_pair_of(plan_prize_pairs(field, prizes=make_prizes(2)), 0)
    assert int(race.lowest_rivals[0]) == 2
    assert (plan.opponent, plan.code, dict(plan.facts)["share"]) == (4, "prize-no-rival", 1)


# the rules


def test_prize_pairing_gives_a_decided_leader_the_bye() -> None:
    field = make_field_of_scores([(12, 500), (7, 50), (7, 10), (6, 0), (6, -10), (4, -20), (2, -30)], number=7)
    plan = plan_prize_pairs(field)

    assert (0, None) in list_position_pairs(plan)
    assert find_pair_of(plan, 0).code == "bye-decided"
    assert plan.relaxed == ()


def test_prize_pairing_decided_leader_meets_player_without_prizes() -> None:
    scores = [(14, 500), (8, 50), (8, 10), (7, 0), (7, -10), (3, -20), (2, -30), (0, -90)]
    plan = plan_prize_pairs(make_field_of_scores(scores, number=7), prizes=make_prizes(2))
    race, _ = compute_race_and_control(
        make_pairing_input(make_field_of_scores(scores, number=7), prizes=make_prizes(2))
    )

    opponent = find_pair_of(plan, 0).opponent
    assert opponent is not None
    assert not race.can_win_prize_in_simulation(opponent)
    assert find_pair_of(plan, 0).code == "prize-decided"
    assert dict(find_pair_of(plan, 0).facts) == {"one": 1, "other": opponent + 1, "place": 1}


def test_prize_pairing_keeps_gibson_groups_separate() -> None:
    scores = [(12, 300), (12, 200), (9, 0), (5, 40), (5, 30), (5, 20), (4, 10), (4, 0)]
    field = make_field_of_scores(scores, number=8)
    pairing_input = make_pairing_input(field, rounds=8, prizes=make_prizes(4))
    race, _ = compute_race_and_control(pairing_input)

    assert race.groups.members == ((0, 1), (2, 3, 4, 5, 6, 7))
    assert (0, 1) in list_position_pairs(PRIZE.plan_pairs(pairing_input))


def test_prize_pairing_repeats_within_a_gibson_group() -> None:
    """Two rounds before the end, neighbours need not meet yet."""
    scores = [(18, 300), (18, 200), (12, 0), (5, 40), (5, 30), (5, 20), (4, 10), (4, 0)]
    field = make_field_of_scores(scores, number=7, earlier_meetings=[(0, 1, 2)])
    pairing_input = make_pairing_input(field, rounds=8, prizes=make_prizes(4))
    race, _ = compute_race_and_control(pairing_input)
    plan = PRIZE.plan_pairs(pairing_input)
    numbers = race.groups.list_group_numbers_by_position(8)

    assert len(race.groups.members) == 2
    assert all(
        pair.opponent is not None and numbers[pair.position] == numbers[pair.opponent] for pair in plan.pairs
    )
    assert "prize-groups" not in plan.relaxed


def test_prize_pairing_reports_a_locked_table_across_groups() -> None:
    scores = [(12, 300), (12, 200), (9, 0), (5, 40), (5, 30), (5, 20), (4, 10), (4, 0)]
    fixed_pair = FixedPair(PlayerId("p1"), PlayerId("p5"))
    field = replace(make_field_of_scores(scores, number=7), fixed_pairs=(fixed_pair,))
    pairing_input = make_pairing_input(field, rounds=7, prizes=make_prizes(4))
    plan = PRIZE.plan_pairs(pairing_input)

    assert (0, 4) in list_position_pairs(plan)
    assert find_pair_of(plan, 0).code == "fixed"
    assert "prize-groups" in plan.relaxed


def test_prize_pairing_last_round_is_king_of_the_hill() -> None:
    """1-2 and 3-4 meet again, and the other players meet opponents near them."""
    scores = [(10, 300), (10, 200), (8, 150), (8, 100), (4, 40), (4, 30), (2, 20), (2, 10)]
    field = make_field_of_scores(scores, number=8, earlier_meetings=[(0, 1, 7), (2, 3, 7), (4, 5, 7)])
    plan = plan_prize_pairs(field, prizes=make_prizes(3))

    assert {(0, 1), (2, 3)} <= list_position_pairs(plan)
    assert (4, 5) not in list_position_pairs(plan)
    assert find_pair_of(plan, 0).code == find_pair_of(plan, 2).code == "prize-last-round"
    assert find_pair_of(plan, 4).code == "prize-behind"


def test_prize_pairing_last_round_respects_forbidden_pairs() -> None:
    scores = [(10, 300), (10, 200), (10, 150), (10, 100)]
    field = replace(
        make_field_of_scores(scores, number=8),
        forbidden_pairs=frozenset({frozenset({PlayerId("p1"), PlayerId("p2")})}),
    )

    assert list_position_pairs(plan_prize_pairs(field)) == {(0, 2), (1, 3)}


def test_prize_pairing_last_round_considers_category_prizes() -> None:
    scores = [(12, 300), (11, 200), (6, 150), (6, 100), (5, 40), (5, 30), (4, 20), (3, 10)]
    field = make_field_of_scores(scores, number=8, classes="AAABABBA")
    plan = plan_prize_pairs(field, prizes=[*make_prizes(1), *make_prizes(1, "B")])

    assert (0, 1) in list_position_pairs(plan)
    assert (3, 5) in list_position_pairs(plan)
    assert find_pair_of(plan, 3).code == "prize-class"
    forbidden = frozenset({frozenset({PlayerId("p4"), PlayerId("p6")})})
    plan = plan_prize_pairs(
        replace(field, forbidden_pairs=forbidden), prizes=[*make_prizes(1), *make_prizes(1, "B")]
    )
    assert (3, 5) not in list_position_pairs(plan)
    assert "prize-class" not in {*plan.relaxed, *(pair.code for pair in plan.pairs)}


def test_prize_pairing_neighbours_before_the_last_quarter() -> None:
    scores = [(6, 300), (6, 200), (5, 150), (4, 100), (2, 40), (2, 30), (0, 20), (0, 10)]
    plan = plan_prize_pairs(make_field_of_scores(scores, number=4), rounds=12, prizes=make_prizes(1))

    assert (0, 1) in list_position_pairs(plan)


def test_prize_pairing_leader_meets_the_lowest_rival() -> None:
    scores = [(15, 300), (13, 200), (13, 150), (12, 100), (11, 40), (9, 30), (5, 20), (2, 10)]
    field = make_field_of_scores(scores, number=10, contention=replace(QUICK, control_rounds=1))
    pairing_input = make_pairing_input(field, rounds=12, prizes=make_prizes(1))
    race, _ = compute_race_and_control(pairing_input)
    plan = PRIZE.plan_pairs(pairing_input)

    assert race.contest.is_in_last_quarter_of_rounds
    assert find_pair_of(plan, 0).opponent == int(race.lowest_rivals[0]) > 1
    assert find_pair_of(plan, 0).code == "prize-title"
    rival = int(race.lowest_rivals[0])
    share = round(100 * int(race.chances.counts[rival, 0]) / race.chances.simulation_count)
    assert dict(find_pair_of(plan, 0).facts) == {"one": 1, "other": rival + 1, "place": 1, "share": share}


def test_prize_pairing_chaser_losing_control_meets_the_leader() -> None:
    """The second player, a game behind with three rounds left, needs a game against the leader."""
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    field = make_field_of_scores(scores, number=10)
    pairing_input = make_pairing_input(field, rounds=12, prizes=make_prizes(2))
    _, control = compute_race_and_control(pairing_input)

    assert control is not None
    assert control.opponents == (1,)
    assert control.share >= QUICK.control_loss
    plan = PRIZE.plan_pairs(pairing_input)
    assert (0, 1) in list_position_pairs(plan)
    assert find_pair_of(plan, 0).code == "prize-control"


def test_prize_pairing_control_ignores_a_forbidden_opponent() -> None:
    """The second player may not meet the leader, so no rule applies."""
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    field = make_field_of_scores(scores, number=10)
    forbidden = frozenset({frozenset({PlayerId("p1"), PlayerId("p2")})})
    pairing_input = make_pairing_input(replace(field, forbidden_pairs=forbidden), rounds=12, prizes=make_prizes(2))
    race, control = compute_race_and_control(pairing_input)

    assert control is not None
    assert control.opponents == (1,)
    assert "prize-control" not in {
        rule.code for rule in list_prize_pairing_rules(pairing_input.field, race, np.arange(8))
    }
    plan = PRIZE.plan_pairs(pairing_input)
    assert (0, 1) not in list_position_pairs(plan)
    assert "prize-control" not in plan.relaxed


def test_prize_pairing_factor_rule_ignores_forbidden_pairs() -> None:
    scores = [(14, 10), (14, 5), (14, 0), (14, -5), (14, -10), (14, -15), (6, 0), (6, 0)]
    forbidden = frozenset({frozenset({PlayerId("p1"), PlayerId("p4")})})
    pairing_input = make_pairing_input(
        replace(make_field_of_scores(scores, number=11), forbidden_pairs=forbidden),
        rounds=12,
        prizes=make_prizes(3),
    )
    race, control = compute_race_and_control(pairing_input)

    assert control is not None
    assert control.factor
    (rule,) = [
        rule
        for rule in list_prize_pairing_rules(pairing_input.field, race, np.arange(8))
        if rule.code == "prize-factor"
    ]
    assert rule.pairs == {(1, 4), (2, 5)}
    plan = PRIZE.plan_pairs(pairing_input)
    assert {(1, 4), (2, 5)} <= list_position_pairs(plan)
    assert (0, 3) not in list_position_pairs(plan)
    assert "prize-factor" not in plan.relaxed


def test_find_leader_opponent_rule_is_unused_before_its_rounds() -> None:
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    late_contention = replace(QUICK, control_rounds=2)
    pairing_input = make_pairing_input(
        make_field_of_scores(scores, number=10, contention=late_contention), rounds=12, prizes=make_prizes(2)
    )

    assert compute_race_and_control(pairing_input)[1] is None


@pytest.mark.parametrize(("rounds", "is_used"), [(2, False), (3, True), (4, True)])
def test_find_leader_opponent_rule_is_used_from_its_first_round(rounds: int, is_used: bool) -> None:
    """In the first of the last three rounds only the player who loses control meets the leader."""
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    contention = replace(QUICK, control_rounds=rounds)
    pairing_input = make_pairing_input(
        make_field_of_scores(scores, number=10, contention=contention), rounds=12, prizes=make_prizes(2)
    )
    control = compute_race_and_control(pairing_input)[1]

    assert (control is not None) is is_used
    assert control is None or (control.position, control.opponents) == (1, (1,))


def test_leader_opponent_rules_show_at_least_one_percent() -> None:
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    field = make_field_of_scores(scores, number=10)
    positions = np.arange(8, dtype=np.int64)
    for share, expected_share in ((0, 1), (4, 1), (14, 1), (16, 2), (100, 10)):
        (rule,) = make_leader_opponent_rules(field, positions, LeaderOpponentRule(1, (1,), share))
        assert dict(rule.facts) == {"share": expected_share}
        assert rule.pairs == {(0, 1)}


def test_prize_pairing_first_three_meet_the_next_three() -> None:
    scores = [(14, 10), (14, 5), (14, 0), (14, -5), (14, -10), (14, -15), (6, 0), (6, 0)]
    pairing_input = make_pairing_input(make_field_of_scores(scores, number=11), rounds=12, prizes=make_prizes(3))
    _, control = compute_race_and_control(pairing_input)
    plan = PRIZE.plan_pairs(pairing_input)

    assert control == LeaderOpponentRule(factor=True)
    assert {(0, 3), (1, 4), (2, 5)} <= list_position_pairs(plan)
    assert find_pair_of(plan, 1).code == "prize-factor"


def test_prize_pairing_bye_from_the_bottom_or_the_top() -> None:
    scores = [(8, 30), (8, 20), (7, 10), (6, 0), (5, 0), (4, 0), (3, 0)]
    byes = [1, 0, 0, 0, 0, 0, 1]
    below = plan_prize_pairs(make_field_of_scores(scores, number=6, byes=byes), rounds=9)
    above = plan_prize_pairs(
        make_field_of_scores(scores, number=6, byes=byes, contention=replace(QUICK, top_down_byes=True)), rounds=9
    )

    assert (5, None) in list_position_pairs(below)  # the last has had one
    assert (1, None) in list_position_pairs(above)


def test_prize_pairing_allowed_repeat_bye_costs_nothing() -> None:
    scores = [(8, 30), (8, 20), (7, 10), (6, 0), (5, 0), (4, 0), (3, 0)]
    field = make_field_of_scores(
        scores, number=6, byes=[0, 0, 0, 0, 0, 0, 1], contention=replace(QUICK, repeat_byes=True)
    )

    assert (6, None) in list_position_pairs(plan_prize_pairs(field, rounds=9, prizes=make_prizes(1)))


# the contest


def build_contest_of_stage(tournament: Tournament, field: PairingField) -> RankContest:
    return build_rank_contest(TournamentIndex(tournament), tournament.stages[STAGE], field)


def test_build_contest_uses_listed_or_default_prizes() -> None:
    field = make_field_of_scores([(4, 0)] * 9, number=3)
    tournament = make_tournament(9, system="prize")

    assert build_contest_of_stage(tournament, field).places == 2
    assert build_contest_of_stage(tournament.put(*make_prizes(5)), field).places == 5
    assert build_contest_of_stage(tournament.put(*make_prizes(2), *make_prizes(3, "B")), field).class_prizes == (
        ("b", 3),
    )
    assert build_contest_of_stage(tournament, make_field_of_scores([(4, 0)] * 40, number=3)).places == 3
    assert build_contest_of_stage(tournament, make_field_of_scores([(4, 0)] * 3, number=3)).places == 1


def test_count_rounds_left_ends_at_a_cut() -> None:
    tournament = make_tournament(8, system="prize", rounds=5)
    later = Stage(StageId("s2"), A, 2, "king-of-the-hill", 2)

    def count_left(*stages: Stage) -> int:
        value = tournament.put(*stages)
        return count_rounds_left_before_cut(TournamentIndex(value), value.stages[STAGE], 4)

    assert count_left() == 2
    assert count_left(later) == 4
    assert count_left(replace(later, cut=4)) == 2
    assert count_left(replace(later, system="knockout")) == 2
    assert count_left(replace(later, carry=False)) == 2


def test_build_contest_settings_count_from_the_last_round() -> None:
    field = make_field_of_scores([(4, 0)] * 6, number=8)
    tournament = make_tournament(6, system="prize", rounds=8)

    assert build_contest_of_stage(tournament, field).swing == 250
    assert build_contest_of_stage(tournament, replace(field, number=7)).swing == 200
    assert build_contest_of_stage(tournament, replace(field, number=2)).swing == 200
    assert [
        get_min_contender_chance_per_mille(PrizePairingSettings(), rounds_left)
        for rounds_left in (1, 2, 3, 4, 5, 9)
    ] == [
        100,
        100,
        50,
        20,
        10,
        10,
    ]


# a whole event


@pytest.mark.parametrize("players", [24, 17])
def test_prize_pairing_of_a_whole_event(players: int) -> None:
    tournament, rng = make_tournament(players, system="prize", rounds=7, settings=SETTINGS), Random(players)
    tournament = tournament.put(*make_prizes(4))
    for number in range(1, 8):
        proposal = propose_pairings(TournamentIndex(tournament), DivisionId(A))
        assert len(proposal.games) == players // 2
        for reason in (game.reason for game in proposal.games if game.reason):
            assert codes_in_source.find_placeholders(REASONS[reason.code]) <= dict(reason.facts).keys()
        assert not any(name.startswith("prize-") for name in proposal.relaxed)
        if number == 7:
            assert proposal.games[0].reason is not None
            assert proposal.games[0].reason.code in {"prize-last-round", "prize-decided"}
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng)
    assert len(tournament.rounds) == 7


def test_prize_pairing_is_repeatable() -> None:
    tournament, rng = make_tournament(20, system="prize", rounds=6, settings=SETTINGS), Random(5)
    for _ in range(3):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )

    assert propose_pairings(TournamentIndex(tournament), A) == propose_pairings(TournamentIndex(tournament), A)


def test_prize_pairing_refuses_an_impossible_pairing() -> None:
    field = replace(
        make_field_of_scores([(4, 0), (4, 0)], number=3),
        forbidden_pairs=frozenset({frozenset(map(PlayerId, ("p1", "p2")))}),
    )

    with pytest.raises(CommandError, match="no-pairing-possible"):
        plan_prize_pairs(field)


def test_compute_prize_race_plays_an_uncounted_round_as_paired() -> None:
    """The round is paired on the standings two rounds before, so the leader can lose in both."""
    tournament, rng = make_tournament(8, system="prize", rounds=6, settings=SETTINGS), Random(3)
    for _ in range(4):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    index, stage = TournamentIndex(tournament), tournament.stages[STAGE]
    late_field = build_pairing_field(index, STAGE, number=5, source=4)
    early = build_pairing_field(index, STAGE, number=5, source=3)

    assert build_rank_contest(index, stage, late_field).uncounted_rounds == ()
    contest = build_rank_contest(index, stage, early)
    assert [sorted(position for pair in pairs for position in pair) for pairs in contest.uncounted_rounds] == [
        list(range(8))
    ]
    assert {contender.games_left for contender in contest.contenders} == {3}
    assert contest.rounds_left == 2
    assert compute_prize_race(contest, QUICK, seed=1).chances.counts.sum() == 8 * 2_000
