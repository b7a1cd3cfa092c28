"""Matches of several games (definitions: Knockout)."""

from __future__ import annotations

from itertools import chain, product

import pytest

from tdapp.domain.matches import SeriesGame, SeriesVerdict, compute_stage_round, find_turn_and_game, score_series

WON, LOST, DRAWN = SeriesGame((2, 0), 30), SeriesGame((0, 2), -40), SeriesGame((1, 1), 0)


def verdict(*games: SeriesGame, length: int, aggregate: bool = False) -> str:
    return score_series(games, length, aggregate=aggregate).verdict.value


@pytest.mark.parametrize(
    ("games", "length", "expected"),
    [
        ((), 3, "open"),
        ((WON,), 3, "open"),
        ((WON, WON), 3, "first"),
        ((WON, LOST), 3, "open"),
        ((WON, LOST, LOST), 3, "second"),
        ((WON, DRAWN), 3, "open"),
        ((WON, DRAWN, DRAWN), 3, "first"),
        ((WON, LOST, DRAWN), 3, "second"),  # level on games, the spread decides
        ((DRAWN, DRAWN, DRAWN), 3, "level"),
        ((LOST, LOST, LOST), 5, "second"),
        ((WON, WON, DRAWN), 4, "first"),  # cannot be caught up
        ((WON,), 2, "open"),
        ((WON, LOST), 2, "second"),
        ((SeriesGame((2, 0), 40), LOST), 2, "level"),
        ((SeriesGame((2, 0), 40), SeriesGame((0, 2), -40, advances=1)), 2, "first"),
        ((SeriesGame((2, 0), 40), SeriesGame((0, 2), -40, advances=2)), 2, "second"),
        ((SeriesGame((2, 0), 40, advances=2), SeriesGame((0, 2), -40)), 2, "second"),
        ((SeriesGame((0, 0), 0), SeriesGame((0, 0), 0)), 2, "nobody"),
        ((SeriesGame((0, 0), 0), WON), 2, "first"),
    ],
)
def test_score_series_best_of_several_games(games: tuple[SeriesGame, ...], length: int, expected: str) -> None:
    assert verdict(*games, length=length) == expected


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6])
def test_score_series_is_won_with_an_unreachable_lead(length: int) -> None:
    """A lead in games above the remaining games wins; a smaller one does not."""
    courses = list(chain.from_iterable(product((WON, LOST, DRAWN), repeat=each) for each in range(length + 1)))
    assert len(courses) == (3 ** (length + 1) - 1) // 2
    for games in courses:
        left = length - len(games)
        leads = [sum(one.halves[0] - one.halves[1] for one in (*games, *(by,) * left)) for by in (LOST, WON)]
        if left or leads[0]:
            expected = "first" if leads[0] > 0 else "second" if leads[1] < 0 else "open"
            assert verdict(*games, length=length) == expected


def test_score_series_aggregate_plays_all_games() -> None:
    assert verdict(WON, WON, length=3, aggregate=True) == "open"
    assert verdict(WON, WON, SeriesGame((0, 2), -61), length=3, aggregate=True) == "second"
    assert verdict(WON, WON, SeriesGame((0, 2), -60), length=3, aggregate=True) == "level"


def test_score_series_counts_half_points() -> None:
    found = score_series((WON, DRAWN), 3, aggregate=False)
    assert (found.halves, found.spread, found.verdict) == ((3, 1), 30, SeriesVerdict.OPEN)


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_split_ordinal_and_compute_ordinal_round_trip(length: int) -> None:
    found = [find_turn_and_game(ordinal, length) for ordinal in range(1, 4 * length + 1)]
    assert found == [(turn, game) for turn in range(1, 5) for game in range(1, length + 1)]
    assert [compute_stage_round(turn, game, length) for turn, game in found] == list(range(1, 4 * length + 1))
