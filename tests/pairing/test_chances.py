"""Tests of the simulated chances: comparison with exact probabilities, and reproducible numbers."""

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
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PrizeKind
from tdapp.domain.standings import compute_standings
from tdapp.pairing import forecast as forecasts
from tdapp.pairing import propose_pairings
from tdapp.pairing.chances import (
    AlwaysWinningPlayer,
    compute_chances,
    count_tournament_wins,
    find_last_player_able_to_reach_each_rank,
    limit_simulation_count,
    pair_simulated_round_by_factor,
    simulate_ranks,
)
from tdapp.pairing.clinch_bounds import (
    GroupsBetweenGibsonizedPlayers,
    PrizeStatus,
    RankContest,
    compute_prize_statuses,
    find_gibsonized_positions,
)
from tdapp.pairing.forecast import compute_forecast
from tests import building
from tests.pairing.test_clinch_bounds import make_contest

TIMES = 40_000
BOUND = NormalDist().inv_cdf(0.9995)  # both sides together: one in a thousand


def is_near_share(count: int, share: float, times: int = TIMES) -> bool:
    """Return whether a count agrees with a share of `times`, except in one case of a thousand."""
    return abs(count - share * times) <= BOUND * sqrt(times * share * (1 - share)) + 0.5


def compute_margin_chance(includes: Callable[[int], bool], swing: int = 250) -> float:
    """Return the chance that `includes` accepts the margin (first minus second) of a game."""
    normal = NormalDist(0, 105)
    return sum(
        normal.cdf(value + 0.5) - normal.cdf(value - 0.5)
        for value in range(-700, 701)
        if includes(max(-swing, min(swing, value)))
    )


def is_margin_of_at_least(lower_limit: int, value: int) -> bool:
    return abs(value) >= lower_limit


TIE = compute_margin_chance(lambda value: value == 0)


def test_compute_chances_one_game_of_equals_is_even() -> None:
    """After a tie the higher player keeps the rank."""
    chances = compute_chances(make_contest([(0, 0), (0, 0)], rounds_left=1), times=TIMES, seed=5)

    assert is_near_share(int(chances.counts[0, 0]), 0.5 + TIE / 2)
    assert chances.counts.sum() == 2 * TIMES


@pytest.mark.parametrize("rounds_left", [2, 3, 5])
def test_compute_chances_of_two_players_are_binomial(rounds_left: int) -> None:
    """The second player is a win behind. With margins of 1 he needs one win more than losses."""
    field = make_contest([(2, 0), (0, 0)], rounds_left=rounds_left, swing=1)
    chances = compute_chances(replace(field, places=1), times=TIMES, seed=11)

    outcomes = ((1, (1 - TIE) / 2), (0, TIE), (-1, (1 - TIE) / 2))
    share = 0.0
    for games in product(outcomes, repeat=rounds_left):
        if sum(value for value, _ in games) >= 1:
            share += float(np.prod([chance for _, chance in games]))
    assert is_near_share(int(chances.counts[1, 0]), share)


def test_compute_chances_of_a_spread_deficit() -> None:
    """The second player, a win and 120 points of spread behind, must win by more than 60."""
    chances = compute_chances(make_contest([(2, 120), (0, 0)], rounds_left=1, swing=250), times=TIMES, seed=8)

    assert is_near_share(int(chances.counts[1, 0]), compute_margin_chance(lambda value: value > 60))


def test_compute_chances_limits_margins_to_the_swing() -> None:
    contest = make_contest([(2, 200), (0, 0)], rounds_left=1, swing=100)

    # A win by 200 only equals the leader's spread, and the leader stays first.
    assert compute_chances(contest, times=TIMES, seed=1).counts[1, 0] == 0
    assert compute_chances(replace(contest, swing=101), times=TIMES, seed=1).counts[1, 0] > 0


@pytest.mark.slow
def test_margin_chances_equal_tournament_games() -> None:
    """Data of tournaments: median 70 to 76, mean 83 to 91, 10 % above 172, 0.4 % ties."""
    assert 0.003 < TIE < 0.005
    assert (
        compute_margin_chance(lambda value: abs(value) <= 70)
        < 0.5
        < compute_margin_chance(lambda value: abs(value) <= 76)
    )
    assert abs(compute_margin_chance(lambda value: abs(value) > 172) - 0.1) < 0.005
    tail_chances = [compute_margin_chance(partial(is_margin_of_at_least, limit), 700) for limit in range(1, 701)]
    assert 83 <= sum(tail_chances) <= 91  # the mean


def make_staggered_contest(players: int, rounds_left: int) -> RankContest:
    """Return a contest in which every second player is a win behind the previous one."""
    scores = [(2 * ((players - position) // 2), 37 * (position % 5)) for position in range(players)]
    return make_contest(sorted(scores, reverse=True), rounds_left=rounds_left, places=max(1, players // 4))


@pytest.mark.parametrize(("players", "rounds_left"), [(2, 1), (5, 3), (8, 1), (13, 4), (24, 4), (31, 7)])
def test_compute_chances_gives_each_player_one_rank(players: int, rounds_left: int) -> None:
    chances = compute_chances(make_staggered_contest(players, rounds_left), times=3_001, seed=3)

    assert (chances.counts.sum(axis=0) == 3_001).all()
    assert (chances.counts.sum(axis=1) == 3_001).all()
    assert (chances.counts >= 0).all()


def test_compute_chances_of_equals_are_equal() -> None:
    """Four equal players, two rounds: all have the same chance, but the higher player wins ties."""
    chances = compute_chances(make_contest([(4, 0)] * 4, rounds_left=2, swing=250), times=TIMES, seed=21)

    for position in range(4):
        assert abs(int(chances.counts[position, 0]) / TIMES - 0.25) < BOUND * sqrt(0.1875 / TIMES) + TIE


def test_compute_chances_uncatchable_player_stays_first() -> None:
    field = make_contest([(14, 900), (9, 100), (8, 50), (7, 0), (7, -10), (4, 0)], rounds_left=2)
    chances = compute_chances(field, times=5_000, seed=4)

    assert find_gibsonized_positions(field) == {0}
    assert chances.counts[0, 0] == 5_000


@given(st.integers(0, 2**32))
def test_compute_chances_agrees_with_certain_ranks(seed: int) -> None:
    """Certain ranks occur in every simulation."""
    rng = Random(seed)
    players, rounds_left = rng.randint(2, 12), rng.randint(1, 4)
    scores = sorted(((rng.randint(0, 16), rng.randint(-900, 900)) for _ in range(players)), reverse=True)
    field = make_contest(
        scores, rounds_left=rounds_left, places=rng.randint(1, players), swing=rng.choice([50, 200])
    )
    chances = compute_chances(field, times=400, seed=seed)

    statuses = compute_prize_statuses(field)
    assert len(statuses) == players
    for position, status in enumerate(statuses):
        prize_count = int(chances.counts[position, : field.places].sum())
        assert status is not PrizeStatus.DECIDED or chances.counts[position, position] == chances.simulation_count
        assert status is not PrizeStatus.SAFE or prize_count == chances.simulation_count
        assert status is not PrizeStatus.OUT_OF_REACH or prize_count == 0


def test_compute_chances_bye_is_a_win() -> None:
    """Three players, one round: the third has the bye and passes the loser of the other game."""
    chances = compute_chances(
        make_contest([(4, 0), (4, 0), (4, -400)], rounds_left=1, swing=250), times=TIMES, seed=6
    )

    assert chances.counts[2, 2] == 0
    assert is_near_share(int(chances.counts[2, 1]), 1 - TIE)
    assert is_near_share(int(chances.counts[2, 0]), TIE)


def test_compute_chances_plays_the_current_round_as_paired() -> None:
    """The first and the third play. The second has finished, one half point from both."""
    contenders = make_contest([(6, 0), (5, 0), (4, 0)], rounds_left=0).contenders
    contest = RankContest(
        tuple(replace(contender, games_left=int(position != 1)) for position, contender in enumerate(contenders)),
        rounds_left=0,
        rounds=6,
        swing=250,
        uncounted_rounds=(((0, 2),),),
    )
    chances = compute_chances(contest, times=TIMES, seed=9)

    assert is_near_share(int(chances.counts[2, 0]), 0.5 - TIE / 2)
    assert is_near_share(int(chances.counts[0, 0]), 0.5 + TIE / 2)
    assert chances.counts[1, 0] == 0


def test_compute_chances_without_games_is_final() -> None:
    chances = compute_chances(make_contest([(4, 0), (6, 0)], rounds_left=0), times=100, seed=1)

    assert chances.counts.tolist() == [[100, 0], [0, 100]]  # contenders are in order of the standings


def test_make_factor_round_pairs_within_groups() -> None:
    groups = GroupsBetweenGibsonizedPlayers(((0, 1), (2, 3, 4, 5, 6, 7, 8, 9, 10)))

    assert pair_simulated_round_by_factor(groups, 3, 2, 11) == ((0, 1), (2, 4), (3, 5), (6, 9), (7, 10), (8, 11))
    assert pair_simulated_round_by_factor(groups, 1, 2, 11) == ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11))
    assert pair_simulated_round_by_factor(groups, 9, 9, 11) == ((0, 1), (2, 7), (3, 8), (4, 9), (5, 10), (6, 11))


def test_find_lowest_position_for_each_rank_of_hopeful_players() -> None:
    chances = compute_chances(
        make_contest([(6, 0), (4, 0), (0, 0), (0, -10)], rounds_left=1, swing=250), times=TIMES, seed=13
    )

    assert chances.find_best_reached_ranks().tolist() == [0, 0, 2, 2]
    assert chances.find_best_likely_ranks(100).tolist()[:1] == [0]
    assert find_last_player_able_to_reach_each_rank(chances.find_best_reached_ranks()).tolist() == [1, 1, 3, 3]
    assert find_last_player_able_to_reach_each_rank(np.array([1, 1, 2])).tolist() == [-1, 1, 2]


def test_limit_simulation_count_of_large_fields() -> None:
    small, large = make_staggered_contest(50, 4), make_staggered_contest(500, 8)

    assert limit_simulation_count(small, 100_000) == 100_000
    assert limit_simulation_count(large, 100_000) == 25_000
    assert limit_simulation_count(replace(large, rounds_left=200), 100_000) == 4_000


def test_compute_chances_reports_progress_and_can_stop() -> None:
    progress_steps: list[tuple[int, int]] = []
    compute_chances(
        make_staggered_contest(30, 4),
        times=30_000,
        seed=1,
        progress=lambda done, total: progress_steps.append((done, total)),
    )

    assert progress_steps == sorted(progress_steps)
    assert len(progress_steps) > 3
    assert progress_steps[-1][1] == 60_000

    def stop_after_the_first_step(done: int, _total: int) -> None:
        if done:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        compute_chances(make_staggered_contest(30, 4), times=30_000, seed=1, progress=stop_after_the_first_step)


@pytest.mark.slow
def test_compute_chances_is_equal_in_another_process() -> None:
    script = """
        from tdapp.pairing.chances import compute_chances
        from tests.pairing.test_chances import make_staggered_contest
        print(compute_chances(make_staggered_contest(23, 4), times=2000, seed=99).counts.tolist())
    """
    process = subprocess.run(
        [sys.executable, "-c", dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
        cwd=Path(__file__).parents[2],
    )

    assert process.stdout.strip() == str(
        compute_chances(make_staggered_contest(23, 4), times=2000, seed=99).counts.tolist()
    )


def test_compute_chances_is_reproducible() -> None:
    """Stored counts: another version of numpy may not change them."""
    chances = compute_chances(make_staggered_contest(6, 2), times=1000, seed=1)

    assert chances.counts[:, 0].tolist() == [528, 232, 240, 0, 0, 0]


# tournament wins of a player who wins every game


def test_count_tournament_wins_of_a_leading_player() -> None:
    field = make_contest([(8, 0), (8, 0), (6, 0), (6, 0)], rounds_left=2, swing=250)
    rounds = (
        pair_simulated_round_by_factor(GroupsBetweenGibsonizedPlayers(((0, 1, 2, 3),)), 2, 2, 4),
        ((0, 1), (2, 3)),
    )
    count_wins = partial(count_tournament_wins, field, rounds, times=2_000, seed=7)

    assert count_wins(AlwaysWinningPlayer(0, meets_leader_before_last=True, group=4)) == 2_000


def test_count_tournament_wins_with_and_without_the_leader() -> None:
    """The second, a win behind, beats the leader twice. Otherwise he may not meet him before the last round."""
    field = make_contest([(8, 0), (6, 0), (4, 0), (4, 0), (2, 0), (2, 0)], rounds_left=2, swing=250)
    group = GroupsBetweenGibsonizedPlayers(((0, 1, 2, 3, 4, 5),))
    rounds = (pair_simulated_round_by_factor(group, 2, 2, 6), pair_simulated_round_by_factor(group, 1, 2, 6))
    count_wins = partial(count_tournament_wins, field, rounds, times=4_000, seed=7)

    assert count_wins(AlwaysWinningPlayer(1, meets_leader_before_last=True, group=6)) == 4_000
    assert 1_000 < count_wins(AlwaysWinningPlayer(1, meets_leader_before_last=False, group=6)) < 3_900
    assert count_wins(AlwaysWinningPlayer(5, meets_leader_before_last=True, group=6)) == 0
    assert sum(simulate_ranks(field, rounds, times=4_000, seed=7)[2]) == 4_000


def test_count_tournament_wins_group_of_two_always_meets() -> None:
    field = make_contest([(12, 0), (10, 0), (2, 0), (2, 0)], rounds_left=2, swing=250)
    group = GroupsBetweenGibsonizedPlayers(((0, 1), (2, 3)))
    rounds = (pair_simulated_round_by_factor(group, 2, 2, 4), pair_simulated_round_by_factor(group, 1, 2, 4))
    win_counts = [
        count_tournament_wins(
            field, rounds, AlwaysWinningPlayer(1, meets_leader_before_last=meets, group=2), times=500, seed=3
        )
        for meets in (True, False)
    ]

    assert win_counts == [500, 500]


@pytest.mark.slow
def test_compute_forecast_shares_ranks_as_the_standings() -> None:
    value = building.make_event(8, rounds=4)
    value = commands.pair_round(
        value, key="r1", proposal=propose_pairings(TournamentIndex(value), building.DIVISION)
    )
    before = compute_forecast(TournamentIndex(value), building.DIVISION)
    assert (before.after, before.running, {row.place for row in before.rows}) == (0, False, {1})
    for table in (1, 2):
        value = commands.enter_result(value, game=building.get_game_at(value, table).id, first=400, second=380)
    forecast, ranked = (
        compute_forecast(TournamentIndex(value), building.DIVISION),
        compute_standings(TournamentIndex(value), TournamentIndex(value).divisions[0]),
    )
    assert (forecast.after, forecast.running) == (1, True)
    assert {row.key: row.place for row in forecast.rows} == {row.key: row.rank for row in ranked}


def test_compute_forecast_refuses_a_knockout() -> None:
    with pytest.raises(CommandError, match="chances-in-knockout"):
        compute_forecast(TournamentIndex(building.make_event(8, system="knockout", rounds=3)), building.DIVISION)


def make_event_with_withdrawn_leader(list_withdrawn: bool) -> TournamentIndex:
    """Return eight players after three of four rounds, with the leader withdrawn."""
    value = building.make_event(8, rounds=4)
    value = value.put(replace(value.divisions[building.DIVISION], list_withdrawn=list_withdrawn))
    for number in (1, 2, 3):
        value = commands.pair_round(
            value, key=f"r{number}", proposal=propose_pairings(TournamentIndex(value), building.DIVISION)
        )
        for game in TournamentIndex(value).games(TournamentIndex(value).get_round(building.DIVISION, number).id):
            spread = 9 - int(min(game.first, game.second)[1:])
            first, second = (400 + spread, 380) if game.first < game.second else (380, 400 + spread)
            value = commands.enter_result(value, game=game.id, first=first, second=second)
    leader = compute_standings(TournamentIndex(value), value.divisions[building.DIVISION])[0].player.id
    return TournamentIndex(commands.withdraw_player(value, key="left", player=leader))


@pytest.mark.parametrize("list_withdrawn", [True, False])
def test_compute_forecast_agrees_with_standings_after_a_withdrawal(list_withdrawn: bool) -> None:
    index = make_event_with_withdrawn_leader(list_withdrawn)
    forecast = compute_forecast(index, building.DIVISION)
    ranks = {row.key: row.rank for row in compute_standings(index, index.divisions[0])}

    assert {row.key: row.place for row in forecast.rows} == {row.key: ranks[row.key] for row in forecast.rows}
    assert min(row.place for row in forecast.rows) == (2 if list_withdrawn else 1)
    top = forecast.rows[0]
    assert len(top.shares) == (8 if list_withdrawn else 7)
    assert sum(top.shares) == 1
    first_rank_share = sum(row.shares[0] for row in forecast.rows)
    # One of the others passes the withdrawn leader.
    assert (first_rank_share < 1) if list_withdrawn else (first_rank_share >= 1)
    places = [sum(row.shares[rank] for row in forecast.rows) for rank in range(len(top.shares))]
    assert sum(places) == 7


def test_compute_forecast_before_a_cut_is_about_qualifying() -> None:
    value = building.make_event(8, rounds=3)
    value = commands.add_stage(value, key="k", division=building.DIVISION, system="knockout", rounds=2, cut=4)
    value = commands.add_prize(value, key="z", division=building.DIVISION, kind=PrizeKind.RANK, amount=100)
    value = building.pair_rounds(value, times=2)
    forecast = compute_forecast(TournamentIndex(value), building.DIVISION)
    assert (forecast.rounds_left, forecast.later_rounds, forecast.cut, forecast.places) == (1, 2, 4, 4)
    assert all(row.prize == sum(row.shares[:4]) for row in forecast.rows)
    assert float(sum(row.prize for row in forecast.rows)) == pytest.approx(4, abs=0.05)  # some places are shared
    states = next(
        column for column in forecasts.make_forecast_table(forecast).columns if column.id == "prize_status"
    )
    value = building.pair_rounds(value)
    forecast = compute_forecast(TournamentIndex(value), building.DIVISION)
    assert [str(states.value(row)) for row in forecast.rows] == ["through"] * 4 + ["out"] * 4
    assert [row.prize for row in forecast.rows] == [1] * 4 + [0] * 4
