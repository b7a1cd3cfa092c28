"""Point scrabble pairs by places in total points; a stage's seats are settled with its first round."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.bracket import list_players_by_seat
from tdapp.domain.index import Index
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


def test_propose_pairings_by_total_points() -> None:
    t = pair_rounds(make_event(4, rules="nl-points"), results=False)
    losers_score = {1: (300, 299), 2: (500, 499)}  # the second table makes more points, win or lose
    for table, (first, second) in losers_score.items():
        t = commands.enter_result(t, game=get_game_at(t, table).id, first=first, second=second)
    rich = {get_game_at(t, 2).first, get_game_at(t, 2).second}
    draft = propose_pairings(Index(t), DIVISION)
    assert dict(draft.cost)["repeats"] == 0
    assert dict(draft.cost)["score_difference"] == 8
    reasons = {frozenset({game.first, game.second}): game.reason for game in draft.games}
    told = {dict(reason.facts)["better_score"] for reason in reasons.values() if reason}
    assert told == {"500", "499"}
    assert all(len(rich & pair) == 1 for pair in reasons)


def test_list_seats_ignores_a_later_rating() -> None:
    t = pair_rounds(make_event(4, system="round-robin", rounds=3))
    stage = next(iter(t.stages))
    before = list_players_by_seat(Index(t), stage)
    t = commands.edit_player(t, player=get_player(t, 4).id, rating=2900)
    assert list_players_by_seat(Index(t), stage) == before
    t = pair_rounds(pair_rounds(t))
    assert len({frozenset({game.first, game.second}) for game in t.games.values()}) == 6


def test_list_seats_latecomer_in_round_robin_and_knockout() -> None:
    for system, expected in (("round-robin", 4), ("knockout", 3)):
        t = pair_rounds(make_event(3, system=system, rounds=3))
        t = commands.add_player(t, key="late", division=DIVISION, name="Late", rating=2900)
        stage = next(iter(t.stages))
        assert len(list_players_by_seat(Index(t), stage, include_latecomers=system == "round-robin")) == expected
        draft = propose_pairings(Index(t), DIVISION)
        playing = {end for game in draft.games for end in (game.first, game.second)}
        assert (get_player(t, 4).id in playing) == (system == "round-robin")


def test_discard_round_of_the_first_round_frees_the_seats() -> None:
    t = pair_rounds(make_event(4, system="knockout", rounds=2), results=False)
    assert len(t.seeds) == 4
    t = commands.discard_round(t, round=get_last_round(t).id, reason="again")
    assert not t.seeds
