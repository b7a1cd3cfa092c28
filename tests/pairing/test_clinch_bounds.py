"""Tests of players who can still catch others, with cases computed by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tdapp.domain.model import PlayerId
from tdapp.pairing.clinch_bounds import (
    Contender,
    PrizeStatus,
    RankContest,
    can_finish_above,
    compute_prize_statuses,
    find_gibsonized_positions,
    list_rival_pairs_for_category_prizes,
    split_standings_at_decided_positions,
)


def make_contest(
    scores: Sequence[tuple[int, int]], *, rounds_left: int, places: int = 3, swing: int = 200, classes: str = ""
) -> RankContest:
    """Return a contest of players with these scores in half points and spreads.

    `classes` has a letter for each.
    """
    letters = classes or " " * len(scores)
    contenders = [
        Contender(PlayerId(f"p{number}"), score, spread, rounds_left, letter.strip())
        for number, ((score, spread), letter) in enumerate(zip(scores, letters, strict=True), start=1)
    ]
    return RankContest(tuple(contenders), rounds_left, rounds_left + 6, places=places, swing=swing)


@pytest.mark.parametrize(
    ("leader", "second", "rounds_left", "is_safe"),
    [((18, 1500), (16, 500), 1, True), ((18, 1499), (16, 500), 1, False),
     ((18, 2500), (14, 500), 2, True), ((18, 2499), (14, 500), 2, False)],
)  # fmt: skip
def test_can_catch_stops_at_the_safe_lead(
    leader: tuple[int, int], second: tuple[int, int], rounds_left: int, *, is_safe: bool
) -> None:
    """NASPA's examples after 11 of 12 games: 9-2 +1500 against 8-3 +500 is safe, +1499 is not."""
    field = replace(make_contest([leader, second], rounds_left=rounds_left), safe_lead=1000)
    assert can_finish_above(field, 1, 0) is not is_safe


@pytest.mark.parametrize(
    ("lead", "spread", "rounds_left", "expected"),
    [
        (3, 900, 2, True),  # a game and a half with two to play
        (4, 800, 2, True),  # two games: level on wins, and 2 x 2 x 200 makes up for 800
        (4, 801, 2, False),
        (5, -999, 2, False),
        (2, 400, 1, True),
        (2, 401, 1, False),
        (0, 5000, 1, True),  # equal scores: a win is enough
    ],
)
def test_can_catch_by_wins_then_by_spread(lead: int, spread: int, rounds_left: int, expected: bool) -> None:
    field = make_contest([(8 + lead, spread), (8, 0)], rounds_left=rounds_left)

    assert can_finish_above(field, 1, 0) is expected


def test_can_catch_with_an_equal_score_without_spread() -> None:
    field = replace(make_contest([(12, 5000), (8, 0)], rounds_left=2), by_spread=False)

    assert can_finish_above(field, 1, 0)
    assert not can_finish_above(
        replace(field, contenders=make_contest([(13, 0), (8, 0)], rounds_left=2).contenders), 1, 0
    )


def test_can_catch_total_points_by_margins() -> None:
    """In two games one player can gain 400 and the other lose 400. Spread counts points twice."""
    field = replace(make_contest([(0, 2 * 3400), (0, 2 * 3000)], rounds_left=2), win=0)

    assert can_finish_above(field, 1, 0)
    assert not can_finish_above(
        replace(field, contenders=make_contest([(0, 6801), (0, 6000)], rounds_left=2).contenders), 1, 0
    )


def test_can_catch_not_in_a_finished_contest() -> None:
    field = make_contest([(8, 10), (8, 10)], rounds_left=0)

    assert not can_finish_above(field, 1, 0)


def test_can_catch_with_an_extra_game() -> None:
    field = make_contest([(10, 0), (8, 0)], rounds_left=0)
    first, second = field.contenders

    assert can_finish_above(replace(field, contenders=(first, replace(second, games_left=1))), 1, 0)


def test_find_gibsonized_positions_names_the_decided_winner() -> None:
    field = make_contest([(14, 900), (9, 100), (8, 50), (4, 0)], rounds_left=2)

    assert find_gibsonized_positions(field) == {0}
    assert list(compute_prize_statuses(field)) == [
        PrizeStatus.DECIDED,
        PrizeStatus.SAFE,  # five half points ahead of the last with two to play
        PrizeStatus.IN_REACH,
        PrizeStatus.IN_REACH,
    ]


def test_can_catch_considers_open_games() -> None:
    field = make_contest([(36, 0), (34, 90), (34, 50), (34, 10)], rounds_left=0, places=2)
    first, second, third, last = field.contenders
    field = replace(field, contenders=(first, second, third, replace(last, games_left=1)))

    assert find_gibsonized_positions(field) == frozenset()
    assert not can_finish_above(field, 2, 1)
    assert can_finish_above(replace(field, by_spread=False), 2, 1)  # their order may depend on that game


def test_find_gibsonized_positions_ignores_ranks_without_prize() -> None:
    field = make_contest([(14, 0), (9, 0), (4, 0)], rounds_left=1, places=1)

    assert find_gibsonized_positions(field) == {0}
    assert find_gibsonized_positions(replace(field, places=2)) == {0, 1}


def test_compute_prize_statuses_of_certain_and_eliminated_players() -> None:
    field = make_contest([(12, 0), (11, 0), (6, 0), (5, 0)], rounds_left=1, places=2)

    assert list(compute_prize_statuses(field)) == [
        PrizeStatus.SAFE,
        PrizeStatus.SAFE,
        PrizeStatus.OUT_OF_REACH,
        PrizeStatus.OUT_OF_REACH,
    ]


def test_compute_prize_statuses_rank_between_prizes_wins_none() -> None:
    field = make_contest([(12, 0), (11, 0), (6, 0), (2, 0)], rounds_left=1, places=3)
    contest_without_prize = replace(field, without_prize=frozenset({1}))

    assert list(compute_prize_statuses(field)) == [
        PrizeStatus.SAFE,
        PrizeStatus.SAFE,
        PrizeStatus.DECIDED,
        PrizeStatus.OUT_OF_REACH,
    ]
    assert list(compute_prize_statuses(contest_without_prize)) == [
        PrizeStatus.IN_REACH,
        PrizeStatus.IN_REACH,
        PrizeStatus.DECIDED,
        PrizeStatus.OUT_OF_REACH,
    ]
    finished_contest = make_contest([(12, 0), (11, 0), (6, 0)], rounds_left=0, places=3)
    assert list(compute_prize_statuses(replace(finished_contest, without_prize=frozenset({1})))) == [
        PrizeStatus.DECIDED,
        PrizeStatus.OUT_OF_REACH,
        PrizeStatus.DECIDED,
    ]


@pytest.mark.parametrize(
    ("decided", "members", "left_over"),
    [
        ((), ((0, 1, 2, 3, 4, 5),), ()),
        ((0,), ((0, 1, 2, 3, 4, 5),), (0,)),  # without a player above: joins the last group
        ((1,), ((0, 1), (2, 3, 4, 5)), ()),  # makes the group above even
        ((2,), ((0, 1), (2, 3, 4, 5)), (2,)),
        ((0, 3), ((1, 2), (0, 3, 4, 5)), (0, 3)),
        ((0, 2), ((1, 2), (0, 3, 4, 5)), (0,)),
        ((5,), ((0, 1, 2, 3, 4, 5),), ()),
    ],
)
def test_split_into_gibson_groups_at_decided_players(
    decided: tuple[int, ...], members: tuple[tuple[int, ...], ...], left_over: tuple[int, ...]
) -> None:
    groups = split_standings_at_decided_positions(make_contest([(6, 0)] * 6, rounds_left=1), decided)

    assert (groups.members, groups.gibsonized_in_last_group) == (members, left_over)
    assert groups.list_group_numbers_by_position(6) == tuple(
        number for position in range(6) for number, group in enumerate(members) if position in group
    )


def test_find_category_prize_pairs_of_the_next_two_close_players() -> None:
    field = make_contest(
        [(12, 0), (10, 0), (10, 0), (6, 0), (5, 0), (4, 0)], rounds_left=1, places=1, classes="aabbbb", swing=100
    )

    assert (
        list_rival_pairs_for_category_prizes(field, "b", 1, range(1, 6)) == ()
    )  # the first of b is four half points ahead
    assert list_rival_pairs_for_category_prizes(field, "b", 2, range(1, 6)) == (
        (3, 4),
    )  # so they play for the second
    assert list_rival_pairs_for_category_prizes(field, "a", 1, range(6)) == ((0, 1),)
    assert list_rival_pairs_for_category_prizes(field, "a", 1, range(1, 6)) == ()


def test_contest_has_one_prize_by_default() -> None:
    """A win counts two half points more than a loss. A game gives at most 200 of spread, a bye 50."""
    players = [PlayerId("p1"), PlayerId("p2")]
    plain = RankContest(tuple(Contender(player, 4) for player in players), 1, 4)
    defaults = {"places": 1, "win": 2, "swing": 200, "by_spread": True, "safe_lead": None, "bye_spread": 50}
    explicit = RankContest(tuple(Contender(player, 4, 0, 0, "") for player in players), 1, 4, **defaults)  # type: ignore[arg-type]
    assert plain == explicit
    assert plain.is_in_last_quarter_of_rounds
