"""Tests of pairing by total points, and of seats fixed with the first round of a stage."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.bracket import list_players_in_seed_order
from tdapp.domain.index import TournamentIndex
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


def test_propose_pairings_by_total_points() -> None:
    tournament = pair_rounds(make_event(4, rules="nl-points"), results=False)
    scores_by_table = {1: (300, 299), 2: (500, 499)}  # the players of table 2 have more points
    for table, (first, second) in scores_by_table.items():
        tournament = commands.enter_result(
            tournament, game=get_game_at(tournament, table).id, first=first, second=second
        )
    high_scorers = {get_game_at(tournament, 2).first, get_game_at(tournament, 2).second}
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
    assert dict(proposal.cost)["repeats"] == 0
    assert dict(proposal.cost)["score_difference"] == 8
    reasons = {frozenset({game.first, game.second}): game.reason for game in proposal.games}
    scores = {dict(reason.facts)["better_score"] for reason in reasons.values() if reason}
    assert scores == {"500", "499"}
    assert all(len(high_scorers & pair) == 1 for pair in reasons)


def test_list_players_by_seat_ignores_a_later_rating() -> None:
    tournament = pair_rounds(make_event(4, system="round-robin", rounds=3))
    stage = next(iter(tournament.stages))
    before = list_players_in_seed_order(TournamentIndex(tournament), stage)
    tournament = commands.edit_player(tournament, player=get_player(tournament, 4).id, rating=2900)
    assert list_players_in_seed_order(TournamentIndex(tournament), stage) == before
    tournament = pair_rounds(pair_rounds(tournament))
    assert len({frozenset({game.first, game.second}) for game in tournament.games.values()}) == 6


def test_list_players_by_seat_latecomer_in_round_robin_and_knockout() -> None:
    for system, expected in (("round-robin", 4), ("knockout", 3)):
        tournament = pair_rounds(make_event(3, system=system, rounds=3))
        tournament = commands.add_player(tournament, key="late", division=DIVISION, name="Late", rating=2900)
        stage = next(iter(tournament.stages))
        assert (
            len(
                list_players_in_seed_order(
                    TournamentIndex(tournament), stage, include_latecomers=system == "round-robin"
                )
            )
            == expected
        )
        proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
        playing = {player for game in proposal.games for player in (game.first, game.second)}
        assert (get_player(tournament, 4).id in playing) == (system == "round-robin")


def test_discard_round_of_the_first_round_frees_the_seats() -> None:
    tournament = pair_rounds(make_event(4, system="knockout", rounds=2), results=False)
    assert len(tournament.seeds) == 4
    tournament = commands.discard_round(tournament, round=get_last_round(tournament).id, reason="again")
    assert not tournament.seeds
