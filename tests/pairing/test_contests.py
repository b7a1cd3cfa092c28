"""Tests of the prize contest before a round: prizes, ranking and number of simulations."""

from __future__ import annotations

from random import Random
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Prize, PrizeId, PrizeKind, Stage, StageId
from tdapp.domain.ruleset import RuleSet
from tdapp.pairing import propose_pairings
from tdapp.pairing.chances import limit_simulation_count
from tdapp.pairing.field import build_pairing_field
from tdapp.pairing.prize_race import TournamentWinCounter, build_rank_contest, get_min_contender_chance_per_mille
from tests.pairing.random_states import STAGE, A, enter_random_results, make_tournament, publish_proposal
from tests.pairing.test_prize_pairing import (
    QUICK,
    SETTINGS,
    build_contest_of_stage,
    make_field_of_scores,
    make_pairing_input,
    make_prizes,
)


def test_build_contest_ignores_other_prizes() -> None:
    field, tournament = (
        make_field_of_scores([(4, 0)] * 9, number=3),
        make_tournament(9, system="prize").put(*make_prizes(2)),
    )
    high = Prize(PrizeId("h"), A, 7, PrizeKind.HIGH_GAME, 4)
    contest = build_contest_of_stage(tournament.put(high, replace(high, id=PrizeId("c"), category="B")), field)
    assert (contest.places, contest.class_prizes) == (2, ())


def test_get_fair_chance_per_mille_outside_the_list_uses_the_nearest() -> None:
    settings = replace(QUICK, hopefulness=(7, 5, 3))
    assert [get_min_contender_chance_per_mille(settings, rounds_left) for rounds_left in (0, 1, 2, 3, 4, 9)] == [
        7,
        7,
        5,
        3,
        3,
        3,
    ]


@pytest.mark.parametrize(("setting", "count", "times"), [(500, 8, 1000), (5000, 8, 5000), (10**6, 400, 0)])
def test_limit_simulation_count_by_setting_and_field(setting: int, count: int, times: int) -> None:
    """At least 1,000, and otherwise a tenth of the simulations for a whole field."""
    pairing_input = make_pairing_input(make_field_of_scores([(4, 0)] * count, number=3))
    contest = build_rank_contest(pairing_input.index, pairing_input.stage, pairing_input.field)
    affordable_count = limit_simulation_count(contest, 10**9) // 10
    assert affordable_count > 1000
    settings = replace(QUICK, control_simulations=setting)
    assert TournamentWinCounter(contest, settings, 1, count).times == (times or affordable_count)


ORDERS = (("points", "wins"), ("wins", "spread"))


@pytest.mark.parametrize("order", ORDERS)
def test_build_contest_is_independent_of_later_events(order: tuple[str, ...]) -> None:
    tournament, rng = make_tournament(8, system="prize", rounds=6, settings=SETTINGS), Random(4)
    tournament = tournament.put(replace(tournament.divisions[A], order=order))
    tournaments_by_round = []
    for _ in range(5):
        tournaments_by_round.append(tournament)
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    stage = tournament.stages[STAGE]
    for number in (2, 3, 4, 5):
        for source in {number - 1, max(number - 2, 1)}:
            before, after = (
                build_rank_contest(index, stage, build_pairing_field(index, STAGE, number=number, source=source))
                for index in (TournamentIndex(tournaments_by_round[number - 1]), TournamentIndex(tournament))
            )
            assert before == after


def test_build_contest_ranks_as_the_stage_of_the_last_round() -> None:
    """The first stage ranks by points. The second stage starts from zero and ranks by wins."""
    rules = RuleSet(
        "r", "R", "en", "en", MappingProxyType({"random": ("points", "wins"), "other": ("wins", "spread")})
    )
    tournament, rng = make_tournament(6, system="random", rounds=2, ruleset=rules), Random(4)
    tournament = tournament.put(Stage(StageId("s2"), A, 2, "swiss", 3, carry=False))
    for _ in range(4):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    index = TournamentIndex(tournament)
    by_points = []
    for number in (2, 3, 4, 5):
        stage = index.find_stage(A, number)
        assert stage is not None
        by_points.append(
            build_rank_contest(index, stage, build_pairing_field(index, stage.id, number=number, source=1)).win
            == 0
        )
    assert by_points == [True, True, False, False]
