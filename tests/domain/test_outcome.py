"""What a game or a bye is worth, said for each kind of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tdapp.domain.model import Bye, ByeId, ByeKind, Forfeit, GameId, PlayerId, Result, ResultState, RoundId
from tdapp.domain.outcome import Side, of_bye, of_game
from tdapp.domain.ruleset import Byes, ByeWorth, ForfeitRule, Worth
from tests.domain.crosstables import RULES

WIN, DRAW, LOSS = Worth.WIN, Worth.DRAW, Worth.LOSS
BEYOND = replace(
    RULES,
    forfeit=ForfeitRule(margin=75, rated=False),
    byes=Byes(
        bye=ByeWorth(WIN, 50), requested=ByeWorth(DRAW, 0), absent=ByeWorth(LOSS, -50), forfeit=ByeWorth(LOSS, -75)
    ),
)


def game(**said: object) -> Result:
    return Result(GameId("g"), ResultState.ENTERED, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "first", "second"),
    [
        (game(first=400, second=300), Side(WIN, 400, 100), Side(LOSS, 300, -100)),
        (game(first=300, second=301), Side(LOSS, 300, -1), Side(WIN, 301, 1)),
        (game(first=301, second=300), Side(WIN, 301, 1), Side(LOSS, 300, -1)),
        (game(first=350, second=350), Side(DRAW, 350, 0), Side(DRAW, 350, 0)),
        (game(first=0, second=0), Side(DRAW, 0, 0), Side(DRAW, 0, 0)),
        (game(first=0, second=1), Side(LOSS, 0, -1), Side(WIN, 1, 1)),
        (game(first=-5, second=-9), Side(WIN, -5, 4), Side(LOSS, -9, -4)),
        (game(first=400, second=300, lost=Forfeit.FIRST), Side(LOSS, 400, 100), Side(WIN, 300, -100)),
        (game(first=300, second=400, lost=Forfeit.SECOND), Side(WIN, 300, -100), Side(LOSS, 400, 100)),
        (game(first=350, second=350, lost=Forfeit.BOTH), Side(LOSS, 350, 0), Side(LOSS, 350, 0)),
    ],
)
def test_a_game_that_was_played(result: Result, first: Side, second: Side) -> None:
    assert of_game(BEYOND, result) == (first, second, True)


@pytest.mark.parametrize(
    ("forfeit", "first", "second"),
    [
        (Forfeit.FIRST, Side(LOSS, None, -75), Side(WIN, None, 75)),
        (Forfeit.SECOND, Side(WIN, None, 75), Side(LOSS, None, -75)),
        (Forfeit.BOTH, Side(LOSS, None, -75), Side(LOSS, None, -75)),
    ],
)
@pytest.mark.parametrize("rated", [True, False])
def test_a_game_that_was_not(forfeit: Forfeit, first: Side, second: Side, rated: bool) -> None:
    rules = replace(BEYOND, forfeit=replace(BEYOND.forfeit, rated=rated))
    assert of_game(rules, game(first=1, second=2, forfeit=forfeit)) == (first, second, rated)


@pytest.mark.parametrize(
    ("kind", "side"),
    [
        (ByeKind.BYE, Side(WIN, None, 50)),
        (ByeKind.REQUESTED, Side(DRAW, None, 0)),
        (ByeKind.ABSENT, Side(LOSS, None, -50)),
        (ByeKind.FORFEIT, Side(LOSS, None, -75)),
    ],
)
def test_a_bye(kind: ByeKind, side: Side) -> None:
    bye = Bye(ByeId("b"), RoundId("r"), PlayerId("p"), kind)
    assert of_bye(BEYOND, bye) == side
    assert of_bye(BEYOND, replace(bye, spread=0)) == Side(side.worth, None, 0)
    assert of_bye(BEYOND, replace(bye, spread=-20)) == Side(side.worth, None, -20)
