"""Rounds paired while results are missing: those games are taken as drawn, and the round says so."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import GameId
from tdapp.domain.tournament import Tournament
from tdapp.pairing import list_unfinished_games, propose_pairings
from tdapp.pairing.proposing import assume_draws
from tdapp.pairing.recheck import find_pairing_changes
from tests.building import DIVISION, get_game_at, get_last_round, make_event, pair_rounds


def one_missing(t: Tournament) -> tuple[Tournament, GameId]:
    game = get_game_at(t, 1).id
    return commands.clear_result(t, game=game), game


def assumed(t: Tournament) -> Tournament:
    proposal = propose_pairings(Index(t), DIVISION, assumed=list_unfinished_games(Index(t), DIVISION))
    return commands.pair_round(t, key=f"r{proposal.number}", proposal=proposal)


def test_propose_pairings_needs_all_results_or_assumed_draws() -> None:
    t, game = one_missing(pair_rounds(make_event(8), times=2))
    with pytest.raises(RuleViolation, match="results-missing"):
        propose_pairings(Index(t), DIVISION)
    found = propose_pairings(Index(t), DIVISION, assumed=[game])
    drawn = propose_pairings(Index(assume_draws(Index(t), [game])), DIVISION)
    assert (found.games, found.byes, found.cost) == (drawn.games, drawn.byes, drawn.cost)
    assert found.assumed == (game,)
    assert found.games[0].reason is not None
    assert game not in commands.pair_round(t, key="r", proposal=found).results


def test_pair_round_stores_assumed_games_and_source() -> None:
    t, game = one_missing(pair_rounds(make_event(8), times=2))
    t = assumed(t)
    assert (get_last_round(t).assumed, get_last_round(t).source) == ((game,), 2)
    assert get_last_round(pair_rounds(make_event(8))).assumed == ()


def test_propose_pairings_assumes_games_of_the_standings() -> None:
    t, game = one_missing(pair_rounds(make_event(8), times=2))
    on_first = propose_pairings(Index(t), DIVISION, assumed=[game], source_round=1)
    assert (on_first.assumed, on_first.source) == ((), 1)


def test_find_pairing_changes_after_an_assumed_game() -> None:
    t, game = one_missing(pair_rounds(make_event(10), times=2))
    t = assumed(t)
    row = t.games[game]
    told = []
    for first, second in ((600, 200), (200, 600), (400, 400)):
        come = commands.enter_result(t, game=row.id, first=first, second=second)
        told.append(find_pairing_changes(t, come, DIVISION))
    assert told[0] or told[1]
    assert all(one.round == 3 for found in told for one in found)


def test_propose_round_refuses_a_proposal_before_a_new_result() -> None:
    t, game = one_missing(pair_rounds(make_event(8), times=2))
    proposal = propose_pairings(Index(t), DIVISION, assumed=[game])
    come = commands.enter_result(t, game=game, first=300, second=400)
    with pytest.raises(RuleViolation, match="pairing-outdated"):
        commands.propose_round(come, key="k", proposal=proposal)


def test_propose_pairings_knockout_assumes_no_results() -> None:
    t, game = one_missing(pair_rounds(make_event(8, rounds=3, system="knockout")))
    with pytest.raises(RuleViolation):
        propose_pairings(Index(t), DIVISION, assumed=[game])
