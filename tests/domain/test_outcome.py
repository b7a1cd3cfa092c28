"""Tests of the value of each kind of game and bye."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.model import Bye, ByeId, ByeKind, GameId, GameSide, PlayerId, Result, ResultState, RoundId
from tdapp.domain.outcome import (
    DecisionReason,
    GameDecision,
    PlayerRoundOutcome,
    can_demand_recount,
    score_bye,
    score_game,
)
from tdapp.domain.ruleset import ByeRules, ByeValue, ForfeitRule, Outcome, ScoreRecountRule
from tests.domain.tournament_lines import RULES

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
OTHER_RULES = replace(
    RULES,
    forfeit=ForfeitRule(margin=75, rated=False),
    byes=ByeRules(
        bye=ByeValue(WIN, 50), requested=ByeValue(DRAW, 0), absent=ByeValue(LOSS, -50), forfeit=ByeValue(LOSS, -75)
    ),
)


def make_result(**fields: object) -> Result:
    return Result(GameId("g"), ResultState.ENTERED, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "first", "second"),
    [
        (
            make_result(first=400, second=300),
            PlayerRoundOutcome(WIN, 400, 100),
            PlayerRoundOutcome(LOSS, 300, -100),
        ),
        (make_result(first=300, second=301), PlayerRoundOutcome(LOSS, 300, -1), PlayerRoundOutcome(WIN, 301, 1)),
        (make_result(first=301, second=300), PlayerRoundOutcome(WIN, 301, 1), PlayerRoundOutcome(LOSS, 300, -1)),
        (make_result(first=350, second=350), PlayerRoundOutcome(DRAW, 350, 0), PlayerRoundOutcome(DRAW, 350, 0)),
        (make_result(first=0, second=0), PlayerRoundOutcome(DRAW, 0, 0), PlayerRoundOutcome(DRAW, 0, 0)),
        (make_result(first=0, second=1), PlayerRoundOutcome(LOSS, 0, -1), PlayerRoundOutcome(WIN, 1, 1)),
        (make_result(first=-5, second=-9), PlayerRoundOutcome(WIN, -5, 4), PlayerRoundOutcome(LOSS, -9, -4)),
        (
            make_result(first=400, second=300, lost=GameSide.FIRST),
            PlayerRoundOutcome(LOSS, 400, 100),
            PlayerRoundOutcome(WIN, 300, -100),
        ),
        (
            make_result(first=300, second=400, lost=GameSide.SECOND),
            PlayerRoundOutcome(WIN, 300, -100),
            PlayerRoundOutcome(LOSS, 400, 100),
        ),
        (
            make_result(first=350, second=350, lost=GameSide.BOTH),
            PlayerRoundOutcome(LOSS, 350, 0),
            PlayerRoundOutcome(LOSS, 350, 0),
        ),
    ],
)
def test_score_game_of_a_played_game(
    result: Result, first: PlayerRoundOutcome, second: PlayerRoundOutcome
) -> None:
    assert score_game(OTHER_RULES, result) == (first, second, True)


@pytest.mark.parametrize(
    ("forfeit", "first", "second"),
    [
        (GameSide.FIRST, PlayerRoundOutcome(LOSS, None, -75), PlayerRoundOutcome(WIN, None, 75)),
        (GameSide.SECOND, PlayerRoundOutcome(WIN, None, 75), PlayerRoundOutcome(LOSS, None, -75)),
        (GameSide.BOTH, PlayerRoundOutcome(LOSS, None, -75), PlayerRoundOutcome(LOSS, None, -75)),
    ],
)
@pytest.mark.parametrize("rated", [True, False])
def test_score_game_of_an_unplayed_game(
    forfeit: GameSide, first: PlayerRoundOutcome, second: PlayerRoundOutcome, rated: bool
) -> None:
    rules = replace(OTHER_RULES, forfeit=replace(OTHER_RULES.forfeit, rated=rated))
    assert score_game(rules, make_result(first=1, second=2, forfeit=forfeit)) == (first, second, rated)


@pytest.mark.parametrize(
    ("kind", "side"),
    [
        (ByeKind.BYE, PlayerRoundOutcome(WIN, None, 50)),
        (ByeKind.REQUESTED, PlayerRoundOutcome(DRAW, None, 0)),
        (ByeKind.ABSENT, PlayerRoundOutcome(LOSS, None, -50)),
        (ByeKind.FORFEIT, PlayerRoundOutcome(LOSS, None, -75)),
    ],
)
def test_score_bye_of_each_kind(kind: ByeKind, side: PlayerRoundOutcome) -> None:
    bye = Bye(ByeId("b"), RoundId("r"), PlayerId("p"), kind)
    assert score_bye(OTHER_RULES, bye) == side
    assert score_bye(OTHER_RULES, replace(bye, spread=0)) == PlayerRoundOutcome(side.outcome, None, 0)
    assert score_bye(OTHER_RULES, replace(bye, spread=-20)) == PlayerRoundOutcome(side.outcome, None, -20)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (make_result(first=412, second=400), True),
        (make_result(first=400, second=412), True),
        (make_result(first=413, second=400), False),
        (make_result(first=400, second=400), True),
        (make_result(first=400, second=405, lost=GameSide.SECOND), True),
        (make_result(first=9), False),
        (make_result(second=9), False),
        (make_result(forfeit=GameSide.FIRST), False),
    ],
)
def test_can_demand_recount_of_a_close_game(result: Result, expected: bool) -> None:
    assert can_demand_recount(replace(RULES, recount=ScoreRecountRule(12)), result) is expected
    assert can_demand_recount(replace(RULES, recount=ScoreRecountRule(None)), result) is False


def test_decision_swapped_has_the_other_winner_and_marks() -> None:
    time = DecisionReason.TIME
    assert GameDecision(1, (None, time)).swapped == GameDecision(2, (time, None))
    assert GameDecision(2, (time, None)).swapped == GameDecision(1, (None, time))
    assert GameDecision(0).swapped == GameDecision(0)
