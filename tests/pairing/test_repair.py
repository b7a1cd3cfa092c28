"""Every stored round is what its system makes of what was known then: over tournaments made at random."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, GameId, PlayerId, StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import SYSTEMS, list_locked_tables, list_unfinished_games, propose_pairings
from tdapp.pairing.commands import pair_by_hand, seat_latecomer, swap_players
from tdapp.pairing.recheck import RecheckedRound, recheck_rounds
from tests.building import (
    DIVISION,
    enter_results,
    get_game_at,
    get_last_round,
    get_player,
    make_event,
    pair_rounds,
)

ROUNDS = 7


def generated(rng: Random, system: str, players: int) -> Tournament:
    """A tournament in which people come late, leave, return and stay away, and the director moves some by hand."""
    t = make_event(players, rounds=ROUNDS, system=system)
    for number in range(1, players + 1):
        t = commands.edit_player(t, player=get_player(t, number).id, team=f"T{number % 4}", club=f"C{number % 3}")
    for number in range(1, ROUNDS + 1):
        t = disturbed(t, rng, number)
        try:
            proposal = propose_pairings(Index(t), DIVISION, fixed_pairs=list_locked_tables(Index(t), DIVISION))
        except RuleViolation:
            break
        t = commands.propose_round(t, key=f"k{number}", proposal=proposal)
        if rng.random() < 0.3:
            t = moved_by_hand(t, rng, number)
        t = commands.publish_round(t, round=get_last_round(t).id)
        t = with_results(t, rng)
    return t


def disturbed(t: Tournament, rng: Random, number: int) -> Tournament:
    """The tournament before a round with this event; without it if it cannot happen."""
    index = Index(t)
    ids = [row.id for row in index.players(DIVISION)]
    one, other = rng.sample(ids, 2)
    gone = [each for each in ids if index.has_withdrawn(each)] or ids
    happens = [
        partial(commands.withdraw_player, key=f"w{number}", player=one, kind=ByeKind.ABSENT),
        partial(commands.set_absence, key=f"a{number}", player=one, first_round=number),
        partial(commands.return_player, player=gone[0]),
        partial(commands.order_pairing, key=f"o{number}", player=one, other=other, round_number=number),
    ]
    happens += [partial(commands.check_in, players=(one,))] * 3  # nothing that pairings look at
    if number > 1:
        name = f"Late {number}"
        happens.append(partial(commands.add_player, key=f"late{number}", division=DIVISION, name=name))
    else:
        happens.append(partial(commands.forbid_pairing, key="f", player=one, other=other))
    happens.append(partial(commands.keep_apart, key=f"b{number}", player=one, other=other))
    try:
        return rng.choice(happens)(t)
    except RuleViolation:
        return t


def moved_by_hand(t: Tournament, rng: Random, number: int) -> Tournament:
    games = Index(t).games(get_last_round(t).id)
    if len(games) < 2:
        return t
    one, other = rng.sample(games, 2)
    try:
        return swap_players(t, key=f"h{number}", round=get_last_round(t).id, player=one.first, other=other.second)
    except RuleViolation:  # they are never to meet
        return t


def with_results(t: Tournament, rng: Random) -> Tournament:
    for game in Index(t).games(get_last_round(t).id):
        first, second = rng.randint(300, 500), rng.randint(200, 299)
        if rng.random() < 0.5:
            first, second = second, first
        t = commands.enter_result(t, game=game.id, first=first, second=second)
    return t


def check(seed: int, system: str) -> int:
    rng = Random(seed)
    t = generated(rng, system, rng.choice([8, 12]) if system.startswith("team") else rng.randint(6, 15))
    found = recheck_rounds(t, DIVISION)
    assert [one.round for one in found] == [item.number for item in Index(t).rounds(DIVISION)]
    assert all(one.is_same for one in found), (system, seed, [one for one in found if not one.is_same])
    return len(found)


@pytest.mark.parametrize("system", SYSTEMS)
def test_recheck_rounds_pairs_each_round_equally(system: str) -> None:
    assert sum(check(seed, system) for seed in range(4)) > 0


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_recheck_rounds_of_many_tournaments(system: str) -> None:
    tournaments = 10 if system == "prize" else 100  # which plays each round a hundred thousand times
    assert sum(check(seed, system) for seed in range(100, 100 + tournaments)) > tournaments


def test_recheck_rounds_reports_another_pairing() -> None:
    t = pair_rounds(make_event(8), times=2)
    one, other = get_game_at(t, 1), get_game_at(t, 2)
    t = t.put(replace(one, second=other.second), replace(other, second=one.second))
    first, second = recheck_rounds(t, DIVISION)
    assert first.is_same
    assert not second.is_same
    assert second.otherwise == (1, 2)
    assert second.tables == 4


@pytest.mark.parametrize("absent", [False, True])
def test_recheck_rounds_reports_another_bye(absent: bool) -> None:
    t = make_event(8 if absent else 7)
    if absent:
        t = commands.set_absence(t, key="a", player=get_player(t, 8).id, first_round=1)
    t = pair_rounds(t)
    bye, game = Index(t).list_unopposed_byes(get_last_round(t).id)[0], get_game_at(t, 1)
    t = t.put(replace(bye, player=game.first), replace(game, first=bye.player))
    (found,) = recheck_rounds(t, DIVISION)
    assert (found.stored_byes, found.new_byes, found.is_same) == (
        frozenset({game.first}),
        frozenset({bye.player}),
        False,
    )


def test_rechecked_round_is_same_for_equal_tables_and_byes() -> None:
    one, other = (frozenset({PlayerId(name)}) for name in ("p1", "p2"))
    same = RecheckedRound(1, 4, stored_byes=one, new_byes=one)
    assert same.is_same
    failed = RuleViolation("no-pairing-possible")
    for changed in (replace(same, new_byes=other), replace(same, otherwise=(2,)), replace(same, refusal=failed)):
        assert not changed.is_same


def test_recheck_rounds_explains_an_unpairable_round() -> None:
    t = pair_rounds(make_event(8), times=2)
    first = Index(t).games(Index(t).round(DIVISION, 1).id)[0]
    one, other = recheck_rounds(commands.clear_result(t, game=first.id), DIVISION)
    assert (one.refusal, one.is_same, other.is_same, other.otherwise, other.tables) == (
        None,
        True,
        False,
        (),
        4,
    )
    assert other.refusal is not None
    assert other.refusal.code == "results-missing"


def test_recheck_rounds_ignores_manual_changes() -> None:
    t = pair_rounds(make_event(8))
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    one, other = get_game_at(t, 1).first, get_game_at(t, 4).second
    t = pair_by_hand(t, key="h", round=get_last_round(t).id, player=one, other=other)
    t = commands.publish_round(t, round=get_last_round(t).id)
    found = recheck_rounds(t, DIVISION)[1]
    assert found.is_same
    assert len(found.by_hand) == 2


def test_recheck_rounds_keeps_a_table_made_before_pairing() -> None:
    """Neighbours would be 1-2 and 3-4, and the bye 5; with 4-5 at a table 3 has it, by no hand."""
    t = make_event(5, system="king-of-the-hill")
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    t = pair_by_hand(t, key="h", round=get_last_round(t).id, player=get_player(t, 4).id, other=get_player(t, 5).id)
    by_hand = next(game for game in t.games.values() if game.reason is not None and game.reason.code == "by-hand")
    t = commands.lock_game(t, game=by_hand.id)
    t = commands.pair_round(
        t,
        key="n",
        proposal=propose_pairings(Index(t), DIVISION, fixed_pairs=list_locked_tables(Index(t), DIVISION)),
    )
    (found,) = recheck_rounds(t, DIVISION)
    assert (found.is_same, set(found.stored_byes)) == (True, {get_player(t, 3).id})


def test_recheck_rounds_ignores_later_events() -> None:
    t = pair_rounds(make_event(9), times=3)
    late = commands.add_player(t, key="new", division=DIVISION, name="Late")
    late = commands.withdraw_player(late, key="w", player=get_player(late, 2).id)
    assert all(one.is_same for one in recheck_rounds(pair_rounds(late), DIVISION))


def test_recheck_rounds_ignores_a_later_constraint() -> None:
    t = pair_rounds(make_event(8), times=2)
    game = get_game_at(t, 1)
    t = commands.forbid_pairing(t, key="b", player=game.first, other=game.second)
    assert all(one.is_same for one in recheck_rounds(pair_rounds(t), DIVISION))


def test_recheck_rounds_ignores_a_seated_latecomer() -> None:
    t = pair_rounds(make_event(9), results=False)
    t = commands.add_player(t, key="new", division=DIVISION, name="Late")
    t = seat_latecomer(t, key="s", round=get_last_round(t).id, player=get_player(t, 10).id)
    t = pair_rounds(enter_results(t))
    assert all(one.is_same for one in recheck_rounds(t, DIVISION))


def test_recheck_rounds_keeps_assumed_games() -> None:
    t = pair_rounds(make_event(10), times=2)
    open_game = get_game_at(t, 1).id
    t = commands.clear_result(t, game=open_game)
    proposal = propose_pairings(Index(t), DIVISION, assumed=list_unfinished_games(Index(t), DIVISION))
    assert proposal.assumed == (open_game,)
    t = commands.pair_round(t, key="r3", proposal=proposal)
    assert get_last_round(t).assumed == (open_game,)
    for scores in ((300, 500), (500, 300)):
        come = commands.enter_result(t, game=GameId(open_game), first=scores[0], second=scores[1])
        assert recheck_rounds(come, DIVISION)[2].is_same


def test_recheck_rounds_of_a_finished_tournament() -> None:
    t = commands.finish_tournament(pair_rounds(make_event(6, rounds=2), times=2))
    assert [one.is_same for one in recheck_rounds(t, DIVISION)] == [True, True]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("second", ["knockout", "round-robin", "swiss", "king-of-the-hill"])
def test_recheck_rounds_of_later_stages(second: str, seed: int) -> None:
    rng = Random(seed)
    t = commands.edit_stage(make_event(11, rounds=ROUNDS), stage=StageId("s"), rounds=3)
    settings = PairingSettings(behind=1) if second == "swiss" else PairingSettings()
    t = commands.add_stage(t, key="s2", division=DIVISION, system=second, rounds=3, settings=settings, cut=6)
    for number in range(1, ROUNDS):
        if number == 3:
            t = commands.withdraw_player(t, key="w", player=rng.choice(Index(t).players(DIVISION)).id)
        t = commands.pair_round(t, key=f"k{number}", proposal=propose_pairings(Index(t), DIVISION))
        t = with_results(t, rng)
    found = recheck_rounds(t, DIVISION)
    assert len(found) == ROUNDS - 1
    assert all(one.is_same for one in found), [one for one in found if not one.is_same]
