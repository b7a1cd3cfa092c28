"""The first three against the next three two rounds before the end: the line between may and may not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PrizePairingSettings
from tdapp.pairing.chances import compute_chances, simulate_ranks
from tdapp.pairing.clinch_bounds import Contender, Contest, GibsonGroups
from tdapp.pairing.prize_race import ControlRule, TournamentWinCounter, choose_factor_rule, find_control_rule

SEED = 5
PARTS = GibsonGroups((tuple(range(8)),))
MEET = ((0, 3), (1, 4), (2, 5), (6, 7)), ((0, 1), (2, 3), (4, 5), (6, 7))


def contest(*scores: int) -> Contest:
    people = tuple(Contender(PlayerId(f"p{at}"), one, -at, 2) for at, one in enumerate(scores))
    return Contest(people, 2, 8, places=3)


def wins(given: Contest, *, times: int, loss: int) -> TournamentWinCounter:
    settings = PrizePairingSettings(simulations=1000, control_simulations=times, control_loss=loss)
    return TournamentWinCounter(given, settings, SEED, 8)


@pytest.mark.parametrize("times", [1000, 1300, 1700, 2300, 3001])
def test_choose_factor_pairs_needs_a_sufficient_share(times: int) -> None:
    given = contest(4, 4, 4, 4, 2, 2, 0, 0)
    by_place = simulate_ranks(given, MEET, times=times, seed=SEED).cumsum(axis=1)
    shares = [Fraction(1000 * int(by_place[place + 3, place]), times) for place in range(3)]
    line = int(min(shares))
    assert 0 < line < 1000
    for hope in (0, line - 1, line, line + 1, line + 2):
        found = choose_factor_rule(given, PARTS, wins(given, times=times, loss=1000), hope, SEED)
        assert (found is not None) is all(share >= hope for share in shares)


@pytest.mark.parametrize("times", [1000, 1700])
def test_find_control_factor_needs_control_of_the_second_and_third(times: int) -> None:
    given = contest(6, 4, 4, 4, 2, 2, 0, 0)
    counted = wins(given, times=times, loss=1)
    lost = [counted.count(MEET, place, True) - counted.count(MEET, place, False) for place in range(3)]
    line = 1000 * max(lost[1:]) // times
    assert line > 1
    for loss in (line, line + 1):
        found = choose_factor_rule(given, PARTS, wins(given, times=times, loss=loss), 0, SEED)
        losers = [place for place in (1, 2) if 1000 * lost[place] >= loss * times]
        if losers:
            assert found == ControlRule(losers[0], (losers[0],), 1000 * lost[losers[0]] // times)
        else:
            assert found == ControlRule(factor=True)


def test_find_control_decided_leader_has_no_opponent() -> None:
    given = contest(4, 4, 4, 4, 2, 2, 0, 0)
    settings = PrizePairingSettings(simulations=1000, control_simulations=1000, control_loss=1000)
    found = compute_chances(given, times=1000, seed=SEED)
    for left_over, expected in (((), ControlRule(factor=True)), ((0,), None), ((0, 1), None)):
        parts = replace(PARTS, gibsonized_in_last_group=left_over)
        assert find_control_rule(given, parts, found, settings, fair_chance=0, seed=SEED) == expected
