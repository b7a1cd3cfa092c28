"""Tests of matches with several games."""

from __future__ import annotations

from itertools import chain, product

import pytest

from tdapp.domain.matches import (
    KnockoutMatchState,
    MatchGameScore,
    compute_bracket_round_and_game,
    compute_match_score,
    compute_stage_round_number,
)

WIN, LOSS, DRAW = MatchGameScore((2, 0), 30), MatchGameScore((0, 2), -40), MatchGameScore((1, 1), 0)


def find_verdict(*games: MatchGameScore, length: int, aggregate: bool = False) -> str:
    return compute_match_score(games, length, aggregate=aggregate).verdict.value


@pytest.mark.parametrize(
    ("games", "length", "expected"),
    [
        ((), 3, "open"),
        ((WIN,), 3, "open"),
        ((WIN, WIN), 3, "first"),
        ((WIN, LOSS), 3, "open"),
        ((WIN, LOSS, LOSS), 3, "second"),
        ((WIN, DRAW), 3, "open"),
        ((WIN, DRAW, DRAW), 3, "first"),
        ((WIN, LOSS, DRAW), 3, "second"),  # level on games, the spread decides
        ((DRAW, DRAW, DRAW), 3, "level"),
        ((LOSS, LOSS, LOSS), 5, "second"),
        ((WIN, WIN, DRAW), 4, "first"),  # cannot be caught up
        ((WIN,), 2, "open"),
        ((WIN, LOSS), 2, "second"),
        ((MatchGameScore((2, 0), 40), LOSS), 2, "level"),
        ((MatchGameScore((2, 0), 40), MatchGameScore((0, 2), -40, advances=1)), 2, "first"),
        ((MatchGameScore((2, 0), 40), MatchGameScore((0, 2), -40, advances=2)), 2, "second"),
        ((MatchGameScore((2, 0), 40, advances=2), MatchGameScore((0, 2), -40)), 2, "second"),
        ((MatchGameScore((0, 0), 0), MatchGameScore((0, 0), 0)), 2, "nobody"),
        ((MatchGameScore((0, 0), 0), WIN), 2, "first"),
    ],
)
def test_score_series_best_of_several_games(games: tuple[MatchGameScore, ...], length: int, expected: str) -> None:
    assert find_verdict(*games, length=length) == expected


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6])
def test_score_series_is_won_with_an_unreachable_lead(length: int) -> None:
    """A lead greater than the number of remaining games wins."""
    sequences = list(
        chain.from_iterable(product((WIN, LOSS, DRAW), repeat=game_count) for game_count in range(length + 1))
    )
    assert len(sequences) == (3 ** (length + 1) - 1) // 2
    for games in sequences:
        remaining = length - len(games)
        leads = [
            sum(game.halves[0] - game.halves[1] for game in (*games, *(last_game,) * remaining))
            for last_game in (LOSS, WIN)
        ]
        if remaining or leads[0]:
            expected = "first" if leads[0] > 0 else "second" if leads[1] < 0 else "open"
            assert find_verdict(*games, length=length) == expected


def test_score_series_aggregate_plays_all_games() -> None:
    assert find_verdict(WIN, WIN, length=3, aggregate=True) == "open"
    assert find_verdict(WIN, WIN, MatchGameScore((0, 2), -61), length=3, aggregate=True) == "second"
    assert find_verdict(WIN, WIN, MatchGameScore((0, 2), -60), length=3, aggregate=True) == "level"


def test_score_series_counts_half_points() -> None:
    score = compute_match_score((WIN, DRAW), 3, aggregate=False)
    assert (score.halves, score.spread, score.verdict) == ((3, 1), 30, KnockoutMatchState.OPEN)


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_split_ordinal_and_compute_ordinal_round_trip(length: int) -> None:
    bracket_rounds_and_games = [
        compute_bracket_round_and_game(ordinal, length) for ordinal in range(1, 4 * length + 1)
    ]
    assert bracket_rounds_and_games == [
        (bracket_round, game) for bracket_round in range(1, 5) for game in range(1, length + 1)
    ]
    assert [
        compute_stage_round_number(bracket_round, game, length) for bracket_round, game in bracket_rounds_and_games
    ] == list(range(1, 4 * length + 1))
