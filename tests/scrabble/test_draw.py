"""Tests of the starting draw, with the examples of the rule books."""

from __future__ import annotations

import pytest

from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import StartingDrawBlankRule, StartingDrawOutcome, compute_starting_draw_outcome
from tests.scrabble.tile_sets import load_tile_set

Draw = dict[int, str]


def judge_by_dutch_rules(*draws: Draw) -> StartingDrawOutcome:
    return compute_starting_draw_outcome(
        draws, load_tile_set("nl"), blank=StartingDrawBlankRule.REDRAWN, all_draw_again=True, returns_tiles=True
    )


def judge_by_norwegian_rules(*draws: Draw) -> StartingDrawOutcome:
    return compute_starting_draw_outcome(
        draws, load_tile_set("no"), blank=StartingDrawBlankRule.FIRST, all_draw_again=True, returns_tiles=False
    )


def judge_by_german_rules(*draws: Draw) -> StartingDrawOutcome:
    return compute_starting_draw_outcome(
        draws, load_tile_set("de"), blank=StartingDrawBlankRule.FIRST, all_draw_again=False, returns_tiles=True
    )


def test_judge_starting_draw_by_dutch_rules() -> None:
    """NL-12: C vs F -> C starts; D vs D -> redraw; blank vs A -> redraw."""
    assert judge_by_dutch_rules({1: "C", 2: "F"}) == StartingDrawOutcome(1, ())
    assert judge_by_dutch_rules({1: "D", 2: "D"}) == StartingDrawOutcome(None, (1, 2))
    assert judge_by_dutch_rules({1: "?", 2: "A"}) == StartingDrawOutcome(None, (1, 2))
    assert judge_by_dutch_rules({1: "?", 2: "A"}, {1: "Z", 2: "Y"}) == StartingDrawOutcome(2, ())


def test_judge_starting_draw_ignores_case() -> None:
    assert judge_by_dutch_rules({1: "c", 2: "F"}) == StartingDrawOutcome(1, ())
    with pytest.raises(ScrabbleError, match="tile-over-used: X"):
        judge_by_dutch_rules({1: "x", 2: "X"})


def test_judge_starting_draw_by_norwegian_rules() -> None:
    """NO-02: (K,K),(B,Ø) -> first player; (blank,A) -> blank."""
    assert judge_by_norwegian_rules({1: "K", 2: "K"}) == StartingDrawOutcome(None, (1, 2))
    assert judge_by_norwegian_rules({1: "K", 2: "K"}, {1: "B", 2: "Ø"}) == StartingDrawOutcome(1, ())
    assert judge_by_norwegian_rules({1: "A", 2: "?"}) == StartingDrawOutcome(2, ())
    assert judge_by_norwegian_rules({1: "Å", 2: "Y"}) == StartingDrawOutcome(2, ())


def test_judge_starting_draw_keeps_norwegian_tiles_drawn() -> None:
    with pytest.raises(ScrabbleError, match="tile-over-used: H"):
        judge_by_norwegian_rules({1: "H", 2: "H"}, {1: "H", 2: "H"})
    assert judge_by_dutch_rules({1: "H", 2: "H"}, {1: "H", 2: "H"}) == StartingDrawOutcome(None, (1, 2))


def test_judge_starting_draw_by_german_rules() -> None:
    """DE-03: Ä vs B -> Ä; Ä vs A -> A; blank vs A -> blank; "tie redraw only among those who matter"."""
    assert judge_by_german_rules({1: "Ä", 2: "B"}) == StartingDrawOutcome(1, ())
    assert judge_by_german_rules({1: "Ä", 2: "A"}) == StartingDrawOutcome(2, ())
    assert judge_by_german_rules({1: "A", 2: "?"}) == StartingDrawOutcome(2, ())
    assert judge_by_german_rules({1: "?", 2: "?"}) == StartingDrawOutcome(None, (1, 2))
    assert judge_by_german_rules({1: "E", 2: "C", 3: "C", 4: "E"}) == StartingDrawOutcome(None, (2, 3))
    assert judge_by_german_rules({1: "E", 2: "C", 3: "C", 4: "E"}, {2: "N", 3: "M"}) == StartingDrawOutcome(3, ())


def test_judge_starting_draw_ignores_a_tie_behind_the_first() -> None:
    assert judge_by_dutch_rules({1: "E", 2: "E", 3: "B"}) == StartingDrawOutcome(3, ())


@pytest.mark.parametrize(
    ("draws", "code"),
    [
        ([], "draw-missing"),
        ([{1: "A"}], "draw-missing"),
        ([{1: "A", 2: "B"}, {1: "C", 2: "D"}], "draw-superfluous"),
        ([{1: "C", 2: "C", 3: "D"}, {1: "A", 2: "B", 3: "E"}], "draw-players"),
        ([{1: "1", 2: "B"}], "letter-unknown"),
        ([{1: "Q", 2: "Q"}], "tile-over-used"),
    ],
)
def test_judge_starting_draw_refuses_impossible_draws(draws: list[Draw], code: str) -> None:
    with pytest.raises(ScrabbleError) as error:
        judge_by_german_rules(*draws)
    assert error.value.code == code
