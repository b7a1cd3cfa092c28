"""Prize-aware pairing: compared with a search through all pairings, and a case for each rule."""

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

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, PlayerId, Prize, PrizeId, PrizeKind, Stage, StageId
from tdapp.domain.pairing_settings import PairingSettings, PrizePairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import REASONS, FixedPair, propose_pairings
from tdapp.pairing.clinch_bounds import Contest
from tdapp.pairing.field import Entrant, PairingField, build_field
from tdapp.pairing.prize_race import (
    ControlRule,
    PrizeRace,
    build_contest,
    compute_prize_race,
    count_rounds_left,
    find_control_rule,
    get_fair_chance,
    make_simulation_seed,
)
from tdapp.pairing.system import PairingInput, PairingPlan, PlannedPair, list_free_positions
from tdapp.pairing.systems.cop import (
    BACK_TO_BACK,
    OUT_OF_REACH,
    PRIZE,
    compute_weights,
    list_prize_rules,
    make_control_rules,
)
from tests.i18n import codes_in_source
from tests.pairing.random_states import STAGE, A, event, published, random_field, scored

QUICK = PrizePairingSettings(simulations=2_000, control_simulations=1_000)
SETTINGS = PairingSettings(contention=QUICK)
Pairing = tuple[tuple[int, int], ...]


def prizes(count: int, category: str = "") -> list[Prize]:
    kind = PrizeKind.CATEGORY if category else PrizeKind.RANK
    return [Prize(PrizeId(f"{category}{place}"), A, place, kind, place, category) for place in range(1, count + 1)]


def standing(
    scores: Sequence[tuple[int, int]],
    *,
    number: int,
    classes: str = "",
    met: Sequence[tuple[int, int, int]] = (),
    byes: Sequence[int] = (),
    **changes: object,
) -> PairingField:
    """Return a field before round `number`: half points and spread, and who `met` whom in which round."""
    meetings: list[dict[PlayerId, tuple[int, ...]]] = [{} for _ in scores]
    players = [PlayerId(f"p{place + 1}") for place in range(len(scores))]
    for one, other, round_number in met:
        for own, opponent in ((one, other), (other, one)):
            known = meetings[own].get(players[opponent], ())
            meetings[own][players[opponent]] = (*known, round_number)
    letters = classes or " " * len(scores)
    entrants = [
        Entrant(
            player,
            place + 1,
            score=score,
            points=str(Fraction(score, 2)),
            spread=spread,
            meetings=MappingProxyType(meetings[place]),
            byes=byes[place] if byes else 0,
            category=letters[place].strip(),
        )
        for place, (player, (score, spread)) in enumerate(zip(players, scores, strict=True))
    ]
    return PairingField(STAGE, number, 1, tuple(entrants), replace(SETTINGS, **changes))


def situation(field: PairingField, *, rounds: int = 8, listed: Sequence[Prize] = ()) -> PairingInput:
    tournament = event(2, system="prize", rounds=rounds, settings=field.settings).put(*listed)
    return PairingInput(Index(tournament), tournament.stages[STAGE], field)


def planned(field: PairingField, *, rounds: int = 8, listed: Sequence[Prize] = ()) -> PairingPlan:
    return PRIZE.plan_pairs(situation(field, rounds=rounds, listed=listed))


def pairs(plan: PairingPlan) -> set[tuple[int, int | None]]:
    return {(pair.position, pair.opponent) for pair in plan.pairs}


def of(plan: PairingPlan, one: int) -> PlannedPair:
    return next(pair for pair in plan.pairs if one in {pair.position, pair.opponent})


# the search


def seen_by(at: PairingInput) -> tuple[PrizeRace, ControlRule | None]:
    contention = at.stage.settings.contention
    contest = build_contest(at.index, at.stage, at.field)
    seen = compute_prize_race(contest, contention, seed=make_simulation_seed(at.field))
    share = get_fair_chance(contention, contest.rounds_left)
    return seen, find_control_rule(
        contest, seen.groups, seen.chances, contention, fair_chance=share, seed=make_simulation_seed(at.field, 1)
    )


def plain_weight(field: PairingField, seen: PrizeRace, one: int, other: int, widened: Sequence[int]) -> int:
    """Return a pair's weight written out from the description; the number of entrants is the bye."""
    contest, count = seen.contest, len(field.entrants)
    a = field.entrants[one]
    b = field.entrants[other] if other < count else None
    chasing = one <= seen.lowest_prize_contender and one not in seen.decided_positions and b is not None
    last_quarter = 4 * contest.rounds_left <= contest.rounds
    apart = other - one
    total: int = apart**3
    if one in seen.decided_positions or other in seen.decided_positions or one >= contest.places:
        total = apart**2
    if chasing and last_quarter:
        total = 0
    if chasing:
        rival = min(max(int(seen.lowest_rivals[one]), one) + widened[one], count - 1)
        if other <= rival or (rival == one and other == one + 1):
            total += 2 * abs(rival - other) ** 3 if last_quarter else 0
        else:
            total += OUT_OF_REACH
    for left, met in ((one, other), (other, one)):
        if (
            left in seen.groups.gibsonized_in_last_group
            and met < count
            and met not in seen.decided_positions
            and seen.can_win_prize(met)
        ):
            total += OUT_OF_REACH
    if b is None:
        return total + (0 if field.settings.contention.repeat_byes else a.byes * OUT_OF_REACH)
    rounds = a.meetings.get(b.player, ())
    total += (2 ** len(rounds) - 1) * (4 * count**3 // 27)
    return total + (BACK_TO_BACK if field.number - 1 in rounds and one > seen.lowest_prize_contender else 0)


def every_pairing(places: Iterable[int]) -> Iterator[Pairing]:
    if not places:
        yield ()
        return
    one, *rest = places
    for other in rest:
        for more in every_pairing([place for place in rest if place != other]):
            yield ((one, other), *more)


def searched(at: PairingInput) -> set[Pairing]:
    """Return the cheapest pairings by rules and weight, after widening the limits."""
    field = at.field
    seen, _ = seen_by(at)
    rules = list_prize_rules(field, seen, list_free_positions(field))
    count = len(field.entrants)

    def legal(pairing: Pairing) -> bool:
        names = [*(entrant.player for entrant in field.entrants), PlayerId("")]
        return not any(frozenset({names[one], names[other]}) in field.forbidden_pairs for one, other in pairing)

    def cost(pairing: Pairing) -> tuple[int, ...]:
        upper, lower = np.array(pairing, dtype=np.int64).T
        broken = [int(rule.find_broken_pairs(upper, lower).sum()) for rule in rules]
        return (*broken, sum(plain_weight(field, seen, one, other, widened) for one, other in pairing))

    def cheapest() -> set[Pairing]:
        costs = {pairing: cost(pairing) for pairing in candidates}
        return {pairing for pairing in candidates if costs[pairing] == min(costs.values())}

    candidates = [pairing for pairing in every_pairing(range(count + count % 2)) if legal(pairing)]
    assume(candidates)
    widened = [0] * count
    best = cheapest()
    far = [{one for one, other in pairing if _far(seen, one, other)} for pairing in best]
    assume(all(one == far[0] for one in far))
    if not far[0]:
        return best
    for one in far[0]:
        widened[one] = 1
    return cheapest()


def _far(seen: PrizeRace, one: int, other: int) -> bool:
    """Return whether the hopeful player of a pair meets one who cannot reach his place."""
    if one > seen.lowest_prize_contender or one in seen.decided_positions or other == seen.contest.count:
        return False
    rival = max(int(seen.lowest_rivals[one]), one)
    return other > rival and not (rival == one and other == one + 1)


def half_points(field: PairingField, rng: Random) -> PairingField:
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
    """A search through all pairings finds none better, also where a rival's limit had to be widened."""
    rng = Random(seed)
    field = half_points(random_field(rng, rng.randint(4, 8), settings=SETTINGS), rng)
    rounds = field.number + rng.randint(0, 4)
    at = situation(field, rounds=rounds, listed=prizes(rng.randint(1, 3)))
    best = searched(at)
    count = len(field.entrants)

    found = PRIZE.plan_pairs(at)

    pairing = tuple(
        sorted((pair.position, count if pair.opponent is None else pair.opponent) for pair in found.pairs)
    )
    assert pairing in best


@given(st.integers(0, 2**32))
def test_compute_weights_agrees_with_the_description(seed: int) -> None:
    rng = Random(seed)
    contention = replace(QUICK, repeat_byes=rng.random() < 0.3)
    field = half_points(random_field(rng, rng.randint(4, 9), settings=SETTINGS), rng)
    field = replace(field, settings=replace(SETTINGS, contention=contention))
    at = situation(field, rounds=field.number + rng.randint(0, 4), listed=prizes(rng.randint(1, 3)))
    seen, _ = seen_by(at)
    count = len(field.entrants)
    widened = [rng.randint(0, 1) for _ in range(count)]
    every = [(one, other) for one in range(count) for other in range(one + 1, count + 1)]
    upper, lower = (np.array(side, dtype=np.int64) for side in zip(*every, strict=True))
    found = compute_weights(field, seen, upper, lower, np.array(widened, dtype=np.int64))
    assert found.tolist() == [plain_weight(field, seen, one, other, widened) for one, other in every]


def test_prize_pairing_opponent_below_the_limit_is_no_rival() -> None:
    """The fifth wins the tournament in 1 % of the simulations, but ranks two below the last rival."""
    scores = [(10, 300), (9, 200), (9, 100), (6, -50), (6, -60), (6, -70)]
    forbidden = frozenset(frozenset({PlayerId("p1"), PlayerId(other)}) for other in ("p2", "p3", "p4", "p6"))
    field = replace(standing(scores, number=6), forbidden_pairs=forbidden)
    seen, _ = seen_by(situation(field, listed=prizes(2)))
    found = of(planned(field, listed=prizes(2)), 0)
    assert int(seen.lowest_rivals[0]) == 2
    assert (found.opponent, found.code, dict(found.facts)["share"]) == (4, "prize-no-rival", 1)


# the rules


def test_prize_pairing_gives_a_decided_leader_the_bye() -> None:
    field = standing([(12, 500), (7, 50), (7, 10), (6, 0), (6, -10), (4, -20), (2, -30)], number=7)
    found = planned(field)

    assert (0, None) in pairs(found)
    assert of(found, 0).code == "bye-decided"
    assert found.relaxed == ()


def test_prize_pairing_decided_leader_meets_player_without_prizes() -> None:
    scores = [(14, 500), (8, 50), (8, 10), (7, 0), (7, -10), (3, -20), (2, -30), (0, -90)]
    found = planned(standing(scores, number=7), listed=prizes(2))
    seen, _ = seen_by(situation(standing(scores, number=7), listed=prizes(2)))

    opponent = of(found, 0).opponent
    assert opponent is not None
    assert not seen.can_win_prize(opponent)
    assert of(found, 0).code == "prize-decided"
    assert dict(of(found, 0).facts) == {"one": 1, "other": opponent + 1, "place": 1}


def test_prize_pairing_keeps_gibson_groups_separate() -> None:
    scores = [(12, 300), (12, 200), (9, 0), (5, 40), (5, 30), (5, 20), (4, 10), (4, 0)]
    field = standing(scores, number=8)
    at = situation(field, rounds=8, listed=prizes(4))
    seen, _ = seen_by(at)

    assert seen.groups.members == ((0, 1), (2, 3, 4, 5, 6, 7))
    assert (0, 1) in pairs(PRIZE.plan_pairs(at))


def test_prize_pairing_repeats_within_a_gibson_group() -> None:
    """Two rounds before the end no player needs a neighbour yet."""
    scores = [(18, 300), (18, 200), (12, 0), (5, 40), (5, 30), (5, 20), (4, 10), (4, 0)]
    field = standing(scores, number=7, met=[(0, 1, 2)])
    at = situation(field, rounds=8, listed=prizes(4))
    seen, _ = seen_by(at)
    found = PRIZE.plan_pairs(at)
    numbers = seen.groups.list_group_numbers(8)

    assert len(seen.groups.members) == 2
    assert all(
        pair.opponent is not None and numbers[pair.position] == numbers[pair.opponent] for pair in found.pairs
    )
    assert "prize-groups" not in found.relaxed


def test_prize_pairing_reports_a_locked_table_across_groups() -> None:
    scores = [(12, 300), (12, 200), (9, 0), (5, 40), (5, 30), (5, 20), (4, 10), (4, 0)]
    kept = FixedPair(PlayerId("p1"), PlayerId("p5"))
    field = replace(standing(scores, number=7), fixed_pairs=(kept,))
    at = situation(field, rounds=7, listed=prizes(4))
    found = PRIZE.plan_pairs(at)

    assert (0, 4) in pairs(found)
    assert of(found, 0).code == "fixed"
    assert "prize-groups" in found.relaxed


def test_prize_pairing_last_round_is_king_of_the_hill() -> None:
    """After any earlier games 1-2 and 3-4 meet again, and the rest stay near each other."""
    scores = [(10, 300), (10, 200), (8, 150), (8, 100), (4, 40), (4, 30), (2, 20), (2, 10)]
    field = standing(scores, number=8, met=[(0, 1, 7), (2, 3, 7), (4, 5, 7)])
    found = planned(field, listed=prizes(3))

    assert {(0, 1), (2, 3)} <= pairs(found)
    assert (4, 5) not in pairs(found)
    assert of(found, 0).code == of(found, 2).code == "prize-last-round"
    assert of(found, 4).code == "prize-behind"


def test_prize_pairing_last_round_respects_forbidden_pairs() -> None:
    scores = [(10, 300), (10, 200), (10, 150), (10, 100)]
    field = replace(
        standing(scores, number=8), forbidden_pairs=frozenset({frozenset({PlayerId("p1"), PlayerId("p2")})})
    )

    assert pairs(planned(field)) == {(0, 2), (1, 3)}


def test_prize_pairing_last_round_considers_category_prizes() -> None:
    scores = [(12, 300), (11, 200), (6, 150), (6, 100), (5, 40), (5, 30), (4, 20), (3, 10)]
    field = standing(scores, number=8, classes="AAABABBA")
    found = planned(field, listed=[*prizes(1), *prizes(1, "B")])

    assert (0, 1) in pairs(found)
    assert (3, 5) in pairs(found)
    assert of(found, 3).code == "prize-class"
    apart = frozenset({frozenset({PlayerId("p4"), PlayerId("p6")})})
    found = planned(replace(field, forbidden_pairs=apart), listed=[*prizes(1), *prizes(1, "B")])
    assert (3, 5) not in pairs(found)
    assert "prize-class" not in {*found.relaxed, *(pair.code for pair in found.pairs)}


def test_prize_pairing_neighbours_before_the_last_quarter() -> None:
    scores = [(6, 300), (6, 200), (5, 150), (4, 100), (2, 40), (2, 30), (0, 20), (0, 10)]
    found = planned(standing(scores, number=4), rounds=12, listed=prizes(1))

    assert (0, 1) in pairs(found)


def test_prize_pairing_leader_meets_the_lowest_rival() -> None:
    scores = [(15, 300), (13, 200), (13, 150), (12, 100), (11, 40), (9, 30), (5, 20), (2, 10)]
    field = standing(scores, number=10, contention=replace(QUICK, control_rounds=1))
    at = situation(field, rounds=12, listed=prizes(1))
    seen, _ = seen_by(at)
    found = PRIZE.plan_pairs(at)

    assert seen.contest.is_last_quarter
    assert of(found, 0).opponent == int(seen.lowest_rivals[0]) > 1
    assert of(found, 0).code == "prize-title"
    rival = int(seen.lowest_rivals[0])
    share = round(100 * int(seen.chances.counts[rival, 0]) / seen.chances.simulation_count)
    assert dict(of(found, 0).facts) == {"one": 1, "other": rival + 1, "place": 1, "share": share}


def test_prize_pairing_chaser_losing_control_meets_the_leader() -> None:
    """Three rounds left, a game behind and alone: without meeting the leader before the end he may stay behind."""
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    field = standing(scores, number=10)
    at = situation(field, rounds=12, listed=prizes(2))
    _, destiny = seen_by(at)

    assert destiny is not None
    assert destiny.opponents == (1,)
    assert destiny.share >= QUICK.control_loss
    found = PRIZE.plan_pairs(at)
    assert (0, 1) in pairs(found)
    assert of(found, 0).code == "prize-control"


def test_prize_pairing_control_ignores_a_forbidden_opponent() -> None:
    """The chaser in control may not meet the leader, so no rule applies or breaks."""
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    field = standing(scores, number=10)
    apart = frozenset({frozenset({PlayerId("p1"), PlayerId("p2")})})
    at = situation(replace(field, forbidden_pairs=apart), rounds=12, listed=prizes(2))
    seen, destiny = seen_by(at)

    assert destiny is not None
    assert destiny.opponents == (1,)
    assert "prize-control" not in {rule.code for rule in list_prize_rules(at.field, seen, np.arange(8))}
    found = PRIZE.plan_pairs(at)
    assert (0, 1) not in pairs(found)
    assert "prize-control" not in found.relaxed


def test_prize_pairing_factor_rule_ignores_forbidden_pairs() -> None:
    scores = [(14, 10), (14, 5), (14, 0), (14, -5), (14, -10), (14, -15), (6, 0), (6, 0)]
    apart = frozenset({frozenset({PlayerId("p1"), PlayerId("p4")})})
    at = situation(replace(standing(scores, number=11), forbidden_pairs=apart), rounds=12, listed=prizes(3))
    seen, destiny = seen_by(at)

    assert destiny is not None
    assert destiny.factor
    (rule,) = [rule for rule in list_prize_rules(at.field, seen, np.arange(8)) if rule.code == "prize-factor"]
    assert rule.pairs == {(1, 4), (2, 5)}
    found = PRIZE.plan_pairs(at)
    assert {(1, 4), (2, 5)} <= pairs(found)
    assert (0, 3) not in pairs(found)
    assert "prize-factor" not in found.relaxed


def test_find_control_is_unused_before_its_rounds() -> None:
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    late = replace(QUICK, control_rounds=2)
    at = situation(standing(scores, number=10, contention=late), rounds=12, listed=prizes(2))

    assert seen_by(at)[1] is None


@pytest.mark.parametrize(("rounds", "looked_at"), [(2, False), (3, True), (4, True)])
def test_find_control_is_used_from_its_first_round(rounds: int, looked_at: bool) -> None:
    """Three rounds remain; in the first of them only the player who loses control meets the leader."""
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    chosen = replace(QUICK, control_rounds=rounds)
    at = situation(standing(scores, number=10, contention=chosen), rounds=12, listed=prizes(2))
    destiny = seen_by(at)[1]

    assert (destiny is not None) is looked_at
    assert destiny is None or (destiny.position, destiny.opponents) == (1, (1,))


def test_require_control_shows_at_least_one_percent() -> None:
    scores = [(16, 900), (14, -400), (9, 100), (9, 0), (8, 0), (8, -10), (7, 0), (6, 0)]
    field = standing(scores, number=10)
    free = np.arange(8, dtype=np.int64)
    for share, said in ((0, 1), (4, 1), (14, 1), (16, 2), (100, 10)):
        (rule,) = make_control_rules(field, free, ControlRule(1, (1,), share))
        assert dict(rule.facts) == {"share": said}
        assert rule.pairs == {(0, 1)}


def test_prize_pairing_first_three_meet_the_next_three() -> None:
    scores = [(14, 10), (14, 5), (14, 0), (14, -5), (14, -10), (14, -15), (6, 0), (6, 0)]
    at = situation(standing(scores, number=11), rounds=12, listed=prizes(3))
    _, destiny = seen_by(at)
    found = PRIZE.plan_pairs(at)

    assert destiny == ControlRule(factor=True)
    assert {(0, 3), (1, 4), (2, 5)} <= pairs(found)
    assert of(found, 1).code == "prize-factor"


def test_prize_pairing_bye_from_the_bottom_or_the_top() -> None:
    scores = [(8, 30), (8, 20), (7, 10), (6, 0), (5, 0), (4, 0), (3, 0)]
    byes = [1, 0, 0, 0, 0, 0, 1]
    below = planned(standing(scores, number=6, byes=byes), rounds=9)
    above = planned(standing(scores, number=6, byes=byes, contention=replace(QUICK, top_down_byes=True)), rounds=9)

    assert (5, None) in pairs(below)  # the last has had one
    assert (1, None) in pairs(above)


def test_prize_pairing_allowed_repeat_bye_costs_nothing() -> None:
    scores = [(8, 30), (8, 20), (7, 10), (6, 0), (5, 0), (4, 0), (3, 0)]
    again = standing(scores, number=6, byes=[0, 0, 0, 0, 0, 0, 1], contention=replace(QUICK, repeat_byes=True))

    assert (6, None) in pairs(planned(again, rounds=9, listed=prizes(1)))


# the contest


def contest(tournament: Tournament, field: PairingField) -> Contest:
    return build_contest(Index(tournament), tournament.stages[STAGE], field)


def test_build_contest_uses_listed_or_default_prizes() -> None:
    field = standing([(4, 0)] * 9, number=3)
    tournament = event(9, system="prize")

    assert contest(tournament, field).places == 2
    assert contest(tournament.put(*prizes(5)), field).places == 5
    assert contest(tournament.put(*prizes(2), *prizes(3, "B")), field).class_prizes == (("b", 3),)
    assert contest(tournament, standing([(4, 0)] * 40, number=3)).places == 3
    assert contest(tournament, standing([(4, 0)] * 3, number=3)).places == 1


def test_count_rounds_left_ends_at_a_cut() -> None:
    tournament = event(8, system="prize", rounds=5)
    later = Stage(StageId("s2"), A, 2, "king-of-the-hill", 2)

    def left(*stages: Stage) -> int:
        value = tournament.put(*stages)
        return count_rounds_left(Index(value), value.stages[STAGE], 4)

    assert left() == 2
    assert left(later) == 4
    assert left(replace(later, cut=4)) == 2
    assert left(replace(later, system="knockout")) == 2
    assert left(replace(later, carry=False)) == 2


def test_build_contest_settings_count_from_the_last_round() -> None:
    field = standing([(4, 0)] * 6, number=8)
    tournament = event(6, system="prize", rounds=8)

    assert contest(tournament, field).swing == 250
    assert contest(tournament, replace(field, number=7)).swing == 200
    assert contest(tournament, replace(field, number=2)).swing == 200
    assert [get_fair_chance(PrizePairingSettings(), left) for left in (1, 2, 3, 4, 5, 9)] == [
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
    tournament, chance = event(players, system="prize", rounds=7, settings=SETTINGS), Random(players)
    tournament = tournament.put(*prizes(4))
    for number in range(1, 8):
        proposal = propose_pairings(Index(tournament), DivisionId(A))
        assert len(proposal.games) == players // 2
        for reason in (game.reason for game in proposal.games if game.reason):
            assert codes_in_source.placeholders(REASONS[reason.code]) <= dict(reason.facts).keys()
        assert not any(name.startswith("prize-") for name in proposal.relaxed)
        if number == 7:
            assert proposal.games[0].reason is not None
            assert proposal.games[0].reason.code in {"prize-last-round", "prize-decided"}
        tournament = scored(published(tournament, proposal), chance)
    assert len(tournament.rounds) == 7


def test_prize_pairing_is_repeatable() -> None:
    tournament, chance = event(20, system="prize", rounds=6, settings=SETTINGS), Random(5)
    for _ in range(3):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), chance)

    assert propose_pairings(Index(tournament), A) == propose_pairings(Index(tournament), A)


def test_prize_pairing_refuses_an_impossible_pairing() -> None:
    field = replace(
        standing([(4, 0), (4, 0)], number=3), forbidden_pairs=frozenset({frozenset(map(PlayerId, ("p1", "p2")))})
    )

    with pytest.raises(RuleViolation, match="no-pairing-possible"):
        planned(field)


def test_compute_prize_race_plays_an_uncounted_round_as_paired() -> None:
    """Paired on the standings of the round before the last one: the lead may still be lost in both."""
    tournament, chance = event(8, system="prize", rounds=6, settings=SETTINGS), Random(3)
    for _ in range(4):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), chance)
    index, stage = Index(tournament), tournament.stages[STAGE]
    late = build_field(index, STAGE, number=5, source=4)
    early = build_field(index, STAGE, number=5, source=3)

    assert build_contest(index, stage, late).uncounted_rounds == ()
    found = build_contest(index, stage, early)
    assert [sorted(place for pair in pairs for place in pair) for pairs in found.uncounted_rounds] == [
        list(range(8))
    ]
    assert {contender.games_left for contender in found.contenders} == {3}
    assert found.rounds_left == 2
    assert compute_prize_race(found, QUICK, seed=1).chances.counts.sum() == 8 * 2_000
