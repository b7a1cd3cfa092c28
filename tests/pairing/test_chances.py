"""The simulation beside exact probabilities, and the same figures everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import PrizeKind
from tdapp.domain.standings import compute_standings
from tdapp.pairing import forecast as forecasts
from tdapp.pairing import propose_pairings
from tdapp.pairing.chances import (
    AlwaysWinningPlayer,
    choose_simulation_count,
    compute_chances,
    count_tournament_wins,
    find_lowest_positions,
    make_factor_round,
    simulate_ranks,
)
from tdapp.pairing.clinch_bounds import (
    Contest,
    GibsonGroups,
    PrizeStatus,
    compute_prize_statuses,
    find_gibsonized_positions,
)
from tdapp.pairing.forecast import compute_forecast
from tests import building
from tests.pairing.test_clinch_bounds import contest

TIMES = 40_000
BOUND = NormalDist().inv_cdf(0.9995)  # both sides together: one in a thousand


def near(count: int, share: float, times: int = TIMES) -> bool:
    """Return whether a count is what a share of `times` brings, but for one case in a thousand."""
    return abs(count - share * times) <= BOUND * sqrt(times * share * (1 - share)) + 0.5


def margin(of: Callable[[int], bool], swing: int = 250) -> float:
    """Return the chance of these margins (first minus second) in a game."""
    normal = NormalDist(0, 105)
    return sum(
        normal.cdf(value + 0.5) - normal.cdf(value - 0.5)
        for value in range(-700, 701)
        if of(max(-swing, min(swing, value)))
    )


def _at_least(least: int, value: int) -> bool:
    return abs(value) >= least


TIE = margin(lambda value: value == 0)


def test_compute_chances_one_game_of_equals_is_even() -> None:
    """The higher player keeps the place after a tie."""
    found = compute_chances(contest([(0, 0), (0, 0)], left=1), times=TIMES, seed=5)

    assert near(int(found.counts[0, 0]), 0.5 + TIE / 2)
    assert found.counts.sum() == 2 * TIMES


@pytest.mark.parametrize("left", [2, 3, 5])
def test_compute_chances_of_two_players_are_binomial(left: int) -> None:
    """The second is a win behind; with margins of 1 he has to win one game more than he loses."""
    field = contest([(2, 0), (0, 0)], left=left, swing=1)
    found = compute_chances(replace(field, places=1), times=TIMES, seed=11)

    outcomes = ((1, (1 - TIE) / 2), (0, TIE), (-1, (1 - TIE) / 2))
    share = 0.0
    for games in product(outcomes, repeat=left):
        if sum(value for value, _ in games) >= 1:
            share += float(np.prod([chance for _, chance in games]))
    assert near(int(found.counts[1, 0]), share)


def test_compute_chances_of_a_spread_deficit() -> None:
    """Level wins after the last game: the second, a win behind and 120 in spread, needs to win by more than 60."""
    found = compute_chances(contest([(2, 120), (0, 0)], left=1, swing=250), times=TIMES, seed=8)

    assert near(int(found.counts[1, 0]), margin(lambda value: value > 60))


def test_compute_chances_limits_margins_to_the_swing() -> None:
    behind = contest([(2, 200), (0, 0)], left=1, swing=100)

    assert (
        compute_chances(behind, times=TIMES, seed=1).counts[1, 0] == 0
    )  # 200 would only be level, and the first stays
    assert compute_chances(replace(behind, swing=101), times=TIMES, seed=1).counts[1, 0] > 0


@pytest.mark.slow
def test_list_margins_equals_tournament_games() -> None:
    """Figures from tournament records: median 70 to 76, mean 83 to 91, a tenth above 172, 0.4 % ties."""
    assert 0.003 < TIE < 0.005
    assert margin(lambda value: abs(value) <= 70) < 0.5 < margin(lambda value: abs(value) <= 76)
    assert abs(margin(lambda value: abs(value) > 172) - 0.1) < 0.005
    beyond = [margin(partial(_at_least, least), 700) for least in range(1, 701)]
    assert 83 <= sum(beyond) <= 91  # the mean


def field_of(players: int, left: int) -> Contest:
    """Return a field in which every other player is a win behind the one above."""
    scores = [(2 * ((players - place) // 2), 37 * (place % 5)) for place in range(players)]
    return contest(sorted(scores, reverse=True), left=left, places=max(1, players // 4))


@pytest.mark.parametrize(("players", "left"), [(2, 1), (5, 3), (8, 1), (13, 4), (24, 4), (31, 7)])
def test_compute_chances_gives_each_player_one_rank(players: int, left: int) -> None:
    found = compute_chances(field_of(players, left), times=3_001, seed=3)

    assert (found.counts.sum(axis=0) == 3_001).all()
    assert (found.counts.sum(axis=1) == 3_001).all()
    assert (found.counts >= 0).all()


def test_compute_chances_of_equals_are_equal() -> None:
    """Four equals, two rounds: by symmetry 1 and 2 are like 3 and 4, but the higher player wins equal sums."""
    found = compute_chances(contest([(4, 0)] * 4, left=2, swing=250), times=TIMES, seed=21)

    for place in range(4):
        assert abs(int(found.counts[place, 0]) / TIMES - 0.25) < BOUND * sqrt(0.1875 / TIMES) + TIE


def test_compute_chances_uncatchable_player_stays_first() -> None:
    field = contest([(14, 900), (9, 100), (8, 50), (7, 0), (7, -10), (4, 0)], left=2)
    found = compute_chances(field, times=5_000, seed=4)

    assert find_gibsonized_positions(field) == {0}
    assert found.counts[0, 0] == 5_000


@given(st.integers(0, 2**32))
def test_compute_chances_agrees_with_certain_ranks(seed: int) -> None:
    """The result of counting holds in every simulation."""
    rng = Random(seed)
    players, left = rng.randint(2, 12), rng.randint(1, 4)
    scores = sorted(((rng.randint(0, 16), rng.randint(-900, 900)) for _ in range(players)), reverse=True)
    field = contest(scores, left=left, places=rng.randint(1, players), swing=rng.choice([50, 200]))
    found = compute_chances(field, times=400, seed=seed)

    sure = compute_prize_statuses(field)
    assert len(sure) == players
    for place, certain in enumerate(sure):
        prized = int(found.counts[place, : field.places].sum())
        assert certain is not PrizeStatus.DECIDED or found.counts[place, place] == found.simulation_count
        assert certain is not PrizeStatus.SAFE or prized == found.simulation_count
        assert certain is not PrizeStatus.OUT_OF_REACH or prized == 0


def test_compute_chances_bye_is_a_win() -> None:
    """Three players, one round: the third has the bye, and passes who loses among the first two."""
    found = compute_chances(contest([(4, 0), (4, 0), (4, -400)], left=1, swing=250), times=TIMES, seed=6)

    assert found.counts[2, 2] == 0
    assert near(int(found.counts[2, 1]), 1 - TIE)
    assert near(int(found.counts[2, 0]), TIE)


def test_compute_chances_plays_the_current_round_as_paired() -> None:
    """The first and the third play; the second is done, between them: 1 behind the first, 1 before the third."""
    people = contest([(6, 0), (5, 0), (4, 0)], left=0).contenders
    waiting = Contest(
        tuple(replace(one, games_left=int(place != 1)) for place, one in enumerate(people)),
        rounds_left=0,
        rounds=6,
        swing=250,
        uncounted_rounds=(((0, 2),),),
    )
    found = compute_chances(waiting, times=TIMES, seed=9)

    assert near(int(found.counts[2, 0]), 0.5 - TIE / 2)
    assert near(int(found.counts[0, 0]), 0.5 + TIE / 2)
    assert found.counts[1, 0] == 0


def test_compute_chances_without_games_is_final() -> None:
    found = compute_chances(contest([(4, 0), (6, 0)], left=0), times=100, seed=1)

    assert found.counts.tolist() == [[100, 0], [0, 100]]  # the order given is that of the standings


def test_make_factor_round_pairs_within_groups() -> None:
    parts = GibsonGroups(((0, 1), (2, 3, 4, 5, 6, 7, 8, 9, 10)))

    assert make_factor_round(parts, 3, 2, 11) == ((0, 1), (2, 4), (3, 5), (6, 9), (7, 10), (8, 11))
    assert make_factor_round(parts, 1, 2, 11) == ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11))
    assert make_factor_round(parts, 9, 9, 11) == ((0, 1), (2, 7), (3, 8), (4, 9), (5, 10), (6, 11))


def test_find_lowest_positions_of_hopeful_players() -> None:
    found = compute_chances(contest([(6, 0), (4, 0), (0, 0), (0, -10)], left=1, swing=250), times=TIMES, seed=13)

    assert found.find_best_ranks().tolist() == [0, 0, 2, 2]
    assert found.find_likely_ranks(100).tolist()[:1] == [0]
    assert find_lowest_positions(found.find_best_ranks()).tolist() == [1, 1, 3, 3]
    assert find_lowest_positions(np.array([1, 1, 2])).tolist() == [-1, 1, 2]


def test_choose_simulation_count_of_large_fields() -> None:
    small, large = field_of(50, 4), field_of(500, 8)

    assert choose_simulation_count(small, 100_000) == 100_000
    assert choose_simulation_count(large, 100_000) == 25_000
    assert choose_simulation_count(replace(large, rounds_left=200), 100_000) == 4_000


def test_compute_chances_reports_progress_and_can_stop() -> None:
    told: list[tuple[int, int]] = []
    compute_chances(field_of(30, 4), times=30_000, seed=1, progress=lambda done, total: told.append((done, total)))

    assert told == sorted(told)
    assert len(told) > 3
    assert told[-1][1] == 60_000

    def stop(done: int, _total: int) -> None:
        if done:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        compute_chances(field_of(30, 4), times=30_000, seed=1, progress=stop)


@pytest.mark.slow
def test_compute_chances_is_equal_in_another_process() -> None:
    script = """
        from tdapp.pairing.chances import compute_chances
        from tests.pairing.test_chances import field_of
        print(compute_chances(field_of(23, 4), times=2000, seed=99).counts.tolist())
    """
    said = subprocess.run(
        [sys.executable, "-c", dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
        cwd=Path(__file__).parents[2],
    )

    assert said.stdout.strip() == str(compute_chances(field_of(23, 4), times=2000, seed=99).counts.tolist())


def test_compute_chances_is_reproducible() -> None:
    """Written down when the simulation was made: another version of numpy may not change them."""
    found = compute_chances(field_of(6, 2), times=1000, seed=1)

    assert found.counts[:, 0].tolist() == [528, 232, 240, 0, 0, 0]


# a player who wins every game


def test_count_tournament_wins_of_a_leading_player() -> None:
    field = contest([(8, 0), (8, 0), (6, 0), (6, 0)], left=2, swing=250)
    rounds = (make_factor_round(GibsonGroups(((0, 1, 2, 3),)), 2, 2, 4), ((0, 1), (2, 3)))
    wins = partial(count_tournament_wins, field, rounds, times=2_000, seed=7)

    assert wins(AlwaysWinningPlayer(0, meets_leader=True, group=4)) == 2_000


def test_count_tournament_wins_with_and_without_the_leader() -> None:
    """The second, a win behind, beats the leader twice; without meeting him before the last round he may not."""
    field = contest([(8, 0), (6, 0), (4, 0), (4, 0), (2, 0), (2, 0)], left=2, swing=250)
    group = GibsonGroups(((0, 1, 2, 3, 4, 5),))
    rounds = (make_factor_round(group, 2, 2, 6), make_factor_round(group, 1, 2, 6))
    wins = partial(count_tournament_wins, field, rounds, times=4_000, seed=7)

    assert wins(AlwaysWinningPlayer(1, meets_leader=True, group=6)) == 4_000
    assert 1_000 < wins(AlwaysWinningPlayer(1, meets_leader=False, group=6)) < 3_900
    assert wins(AlwaysWinningPlayer(5, meets_leader=True, group=6)) == 0
    assert sum(simulate_ranks(field, rounds, times=4_000, seed=7)[2]) == 4_000


def test_count_tournament_wins_group_of_two_always_meets() -> None:
    field = contest([(12, 0), (10, 0), (2, 0), (2, 0)], left=2, swing=250)
    group = GibsonGroups(((0, 1), (2, 3)))
    rounds = (make_factor_round(group, 2, 2, 4), make_factor_round(group, 1, 2, 4))
    wins = [
        count_tournament_wins(
            field, rounds, AlwaysWinningPlayer(1, meets_leader=meets, group=2), times=500, seed=3
        )
        for meets in (True, False)
    ]

    assert wins == [500, 500]


@pytest.mark.slow
def test_compute_forecast_shares_ranks_as_the_standings() -> None:
    value = building.make_event(8, rounds=4)
    value = commands.pair_round(value, key="r1", proposal=propose_pairings(Index(value), building.DIVISION))
    before = compute_forecast(Index(value), building.DIVISION)
    assert (before.after, before.running, {row.place for row in before.rows}) == (0, False, {1})
    for table in (1, 2):
        value = commands.enter_result(value, game=building.get_game_at(value, table).id, first=400, second=380)
    found, ranked = (
        compute_forecast(Index(value), building.DIVISION),
        compute_standings(Index(value), Index(value).divisions[0]),
    )
    assert (found.after, found.running) == (1, True)
    assert {row.key: row.place for row in found.rows} == {row.key: row.rank for row in ranked}


def test_compute_forecast_refuses_a_knockout() -> None:
    with pytest.raises(RuleViolation, match="chances-in-knockout"):
        compute_forecast(Index(building.make_event(8, system="knockout", rounds=3)), building.DIVISION)


def played_with_a_leader_who_left(listed: bool) -> Index:
    """Return eight players after three of four rounds, the leader of whom has left."""
    value = building.make_event(8, rounds=4)
    value = value.put(replace(value.divisions[building.DIVISION], list_withdrawn=listed))
    for number in (1, 2, 3):
        value = commands.pair_round(
            value, key=f"r{number}", proposal=propose_pairings(Index(value), building.DIVISION)
        )
        for game in Index(value).games(Index(value).round(building.DIVISION, number).id):
            spread = 9 - int(min(game.first, game.second)[1:])
            first, second = (400 + spread, 380) if game.first < game.second else (380, 400 + spread)
            value = commands.enter_result(value, game=game.id, first=first, second=second)
    leader = compute_standings(Index(value), value.divisions[building.DIVISION])[0].player.id
    return Index(commands.withdraw_player(value, key="left", player=leader))


@pytest.mark.parametrize("listed", [True, False])
def test_compute_forecast_agrees_with_standings_after_a_withdrawal(listed: bool) -> None:
    index = played_with_a_leader_who_left(listed)
    found = compute_forecast(index, building.DIVISION)
    ranks = {row.key: row.rank for row in compute_standings(index, index.divisions[0])}

    assert {row.key: row.place for row in found.rows} == {row.key: ranks[row.key] for row in found.rows}
    assert min(row.place for row in found.rows) == (2 if listed else 1)
    top = found.rows[0]
    assert len(top.shares) == (8 if listed else 7)
    assert sum(top.shares) == 1
    first = sum(row.shares[0] for row in found.rows)
    assert (first < 1) if listed else (first >= 1)  # who has left is passed by one of many
    places = [sum(row.shares[place] for row in found.rows) for place in range(len(top.shares))]
    assert sum(places) == 7


def test_compute_forecast_before_a_cut_is_about_qualifying() -> None:
    value = building.make_event(8, rounds=3)
    value = commands.add_stage(value, key="k", division=building.DIVISION, system="knockout", rounds=2, cut=4)
    value = commands.add_prize(value, key="z", division=building.DIVISION, kind=PrizeKind.RANK, amount=100)
    value = building.pair_rounds(value, times=2)
    found = compute_forecast(Index(value), building.DIVISION)
    assert (found.rounds_left, found.later_rounds, found.cut, found.places) == (1, 2, 4, 4)
    assert all(row.prize == sum(row.shares[:4]) for row in found.rows)
    assert float(sum(row.prize for row in found.rows)) == pytest.approx(4, abs=0.05)  # some places are shared
    states = next(column for column in forecasts.make_forecast_table(found).columns if column.id == "prize_status")
    value = building.pair_rounds(value)
    found = compute_forecast(Index(value), building.DIVISION)
    assert [str(states.value(row)) for row in found.rows] == ["through"] * 4 + ["out"] * 4
    assert [row.prize for row in found.rows] == [1] * 4 + [0] * 4
