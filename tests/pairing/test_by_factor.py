"""Tests of the factor rule two rounds before the end: the first three players meet the next three."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PrizePairingSettings
from tdapp.pairing.chances import compute_chances, simulate_ranks
from tdapp.pairing.clinch_bounds import Contender, GroupsBetweenGibsonizedPlayers, RankContest
from tdapp.pairing.prize_race import (
    LeaderOpponentRule,
    TournamentWinCounter,
    find_leader_opponent_rule,
    find_leader_rule_for_two_rounds_left,
)

SEED = 5
GROUPS = GroupsBetweenGibsonizedPlayers((tuple(range(8)),))
ROUNDS = ((0, 3), (1, 4), (2, 5), (6, 7)), ((0, 1), (2, 3), (4, 5), (6, 7))


def make_contest(*scores: int) -> RankContest:
    contenders = tuple(
        Contender(PlayerId(f"p{position}"), score, -position, 2) for position, score in enumerate(scores)
    )
    return RankContest(contenders, 2, 8, places=3)


def make_win_counter(contest: RankContest, *, times: int, loss: int) -> TournamentWinCounter:
    settings = PrizePairingSettings(simulations=1000, control_simulations=times, control_loss=loss)
    return TournamentWinCounter(contest, settings, SEED, 8)


@pytest.mark.parametrize("times", [1000, 1300, 1700, 2300, 3001])
def test_find_leader_opponent_rule_by_factor_needs_a_sufficient_share(times: int) -> None:
    contest = make_contest(4, 4, 4, 4, 2, 2, 0, 0)
    rank_shares = simulate_ranks(contest, ROUNDS, times=times, seed=SEED).cumsum(axis=1)
    shares = [Fraction(1000 * int(rank_shares[position + 3, position]), times) for position in range(3)]
    limit = int(min(shares))
    assert 0 < limit < 1000
    for required_share in (0, limit - 1, limit, limit + 1, limit + 2):
        rule = find_leader_rule_for_two_rounds_left(
            contest, GROUPS, make_win_counter(contest, times=times, loss=1000), required_share, SEED
        )
        assert (rule is not None) is all(share >= required_share for share in shares)


@pytest.mark.parametrize("times", [1000, 1700])
def test_find_leader_opponent_rule_by_factor_needs_control_of_the_second_and_third(times: int) -> None:
    contest = make_contest(6, 4, 4, 4, 2, 2, 0, 0)
    win_counter = make_win_counter(contest, times=times, loss=1)
    lost_wins = [
        win_counter.count(ROUNDS, position, True) - win_counter.count(ROUNDS, position, False)
        for position in range(3)
    ]
    limit = 1000 * max(lost_wins[1:]) // times
    assert limit > 1
    for loss in (limit, limit + 1):
        rule = find_leader_rule_for_two_rounds_left(
            contest, GROUPS, make_win_counter(contest, times=times, loss=loss), 0, SEED
        )
        losers = [position for position in (1, 2) if 1000 * lost_wins[position] >= loss * times]
        if losers:
            assert rule == LeaderOpponentRule(losers[0], (losers[0],), 1000 * lost_wins[losers[0]] // times)
        else:
            assert rule == LeaderOpponentRule(factor=True)


def test_find_leader_opponent_rule_decided_leader_has_no_opponent() -> None:
    contest = make_contest(4, 4, 4, 4, 2, 2, 0, 0)
    settings = PrizePairingSettings(simulations=1000, control_simulations=1000, control_loss=1000)
    chances = compute_chances(contest, times=1000, seed=SEED)
    for left_over, expected in (((), LeaderOpponentRule(factor=True)), ((0,), None), ((0, 1), None)):
        groups = replace(GROUPS, gibsonized_in_last_group=left_over)
        assert (
            find_leader_opponent_rule(contest, groups, chances, settings, min_chance_per_mille=0, seed=SEED)
            == expected
        )
