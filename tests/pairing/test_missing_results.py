"""Tests of rounds paired while results are missing: the program counts those games as drawn."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId
from tdapp.domain.tournament import Tournament
from tdapp.pairing import list_games_that_can_count_as_draws, propose_pairings
from tdapp.pairing.proposing import assume_draws
from tdapp.pairing.recheck import compare_recomputed_pairings
from tests.building import DIVISION, get_game_at, get_last_round, make_event, pair_rounds


def clear_one_result(tournament: Tournament) -> tuple[Tournament, GameId]:
    game = get_game_at(tournament, 1).id
    return commands.clear_result(tournament, game=game), game


def pair_with_assumed_draws(tournament: Tournament) -> Tournament:
    proposal = propose_pairings(
        TournamentIndex(tournament),
        DIVISION,
        assumed=list_games_that_can_count_as_draws(TournamentIndex(tournament), DIVISION),
    )
    return commands.pair_round(tournament, key=f"r{proposal.number}", proposal=proposal)


def test_propose_pairings_needs_all_results_or_assumed_draws() -> None:
    tournament, game = clear_one_result(pair_rounds(make_event(8), times=2))
    with pytest.raises(CommandError, match="results-missing"):
        propose_pairings(TournamentIndex(tournament), DIVISION)
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION, assumed=[game])
    drawn_proposal = propose_pairings(TournamentIndex(assume_draws(TournamentIndex(tournament), [game])), DIVISION)
    assert (proposal.games, proposal.byes, proposal.cost) == (
        drawn_proposal.games,
        drawn_proposal.byes,
        drawn_proposal.cost,
    )
    assert proposal.assumed == (game,)
    assert proposal.games[0].reason is not None
    assert game not in commands.pair_round(tournament, key="r", proposal=proposal).results


def test_pair_round_stores_assumed_games_and_source() -> None:
    tournament, game = clear_one_result(pair_rounds(make_event(8), times=2))
    tournament = pair_with_assumed_draws(tournament)
    assert (get_last_round(tournament).assumed, get_last_round(tournament).source) == ((game,), 2)
    assert get_last_round(pair_rounds(make_event(8))).assumed == ()


def test_propose_pairings_assumes_games_of_the_standings() -> None:
    tournament, game = clear_one_result(pair_rounds(make_event(8), times=2))
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION, assumed=[game], source_round=1)
    assert (proposal.assumed, proposal.source) == ((), 1)


def test_find_pairing_changes_after_an_assumed_game() -> None:
    tournament, game = clear_one_result(pair_rounds(make_event(10), times=2))
    tournament = pair_with_assumed_draws(tournament)
    row = tournament.games[game]
    changes_by_score = []
    for first, second in ((600, 200), (200, 600), (400, 400)):
        corrected = commands.enter_result(tournament, game=row.id, first=first, second=second)
        changes_by_score.append(compare_recomputed_pairings(tournament, corrected, DIVISION))
    assert changes_by_score[0] or changes_by_score[1]
    assert all(change.round == 3 for changes in changes_by_score for change in changes)


def test_propose_round_refuses_a_proposal_before_a_new_result() -> None:
    tournament, game = clear_one_result(pair_rounds(make_event(8), times=2))
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION, assumed=[game])
    corrected = commands.enter_result(tournament, game=game, first=300, second=400)
    with pytest.raises(CommandError, match="pairing-outdated"):
        commands.propose_round(corrected, key="k", proposal=proposal)


def test_propose_pairings_knockout_assumes_no_results() -> None:
    tournament, game = clear_one_result(pair_rounds(make_event(8, rounds=3, system="knockout")))
    with pytest.raises(CommandError):
        propose_pairings(TournamentIndex(tournament), DIVISION, assumed=[game])
