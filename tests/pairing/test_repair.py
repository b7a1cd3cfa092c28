"""Tests of the recheck: stored rounds of random tournaments equal the pairing with the data of that time."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, GameId, PlayerId, StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import SYSTEMS, list_games_that_can_count_as_draws, list_locked_pairs, propose_pairings
from tdapp.pairing.commands import pair_by_hand, seat_latecomer, swap_players
from tdapp.pairing.recheck import RoundPairingComparison, recheck_rounds
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


def generate_tournament(rng: Random, system: str, players: int) -> Tournament:
    """Return a tournament with latecomers, withdrawals, absences and manual changes."""
    tournament = make_event(players, rounds=ROUNDS, system=system)
    for number in range(1, players + 1):
        tournament = commands.edit_player(
            tournament, player=get_player(tournament, number).id, team=f"T{number % 4}", club=f"C{number % 3}"
        )
    for number in range(1, ROUNDS + 1):
        tournament = apply_random_event(tournament, rng, number)
        try:
            proposal = propose_pairings(
                TournamentIndex(tournament),
                DIVISION,
                fixed_pairs=list_locked_pairs(TournamentIndex(tournament), DIVISION),
            )
        except CommandError:
            break
        tournament = commands.propose_round(tournament, key=f"k{number}", proposal=proposal)
        if rng.random() < 0.3:
            tournament = swap_random_players(tournament, rng, number)
        tournament = commands.publish_round(tournament, round=get_last_round(tournament).id)
        tournament = enter_random_results(tournament, rng)
    return tournament


def apply_random_event(tournament: Tournament, rng: Random, number: int) -> Tournament:
    """Return the tournament after a random event, or the same tournament if the event is refused."""
    index = TournamentIndex(tournament)
    players = [row.id for row in index.players(DIVISION)]
    first, second = rng.sample(players, 2)
    withdrawn = [player for player in players if index.has_withdrawn(player)] or players
    events = [
        partial(commands.withdraw_player, key=f"w{number}", player=first, kind=ByeKind.ABSENT),
        partial(commands.set_absence, key=f"a{number}", player=first, first_round=number),
        partial(commands.return_player, player=withdrawn[0]),
        partial(commands.order_pairing, key=f"o{number}", player=first, other=second, round_number=number),
    ]
    events += [partial(commands.check_in, players=(first,))] * 3  # without effect on pairings
    if number > 1:
        name = f"Late {number}"
        events.append(partial(commands.add_player, key=f"late{number}", division=DIVISION, name=name))
    else:
        events.append(partial(commands.forbid_pairing, key="f", player=first, other=second))
    events.append(partial(commands.keep_apart, key=f"b{number}", player=first, other=second))
    try:
        return rng.choice(events)(tournament)
    except CommandError:
        return tournament


def swap_random_players(tournament: Tournament, rng: Random, number: int) -> Tournament:
    games = TournamentIndex(tournament).games(get_last_round(tournament).id)
    if len(games) < 2:
        return tournament
    first, second = rng.sample(games, 2)
    try:
        return swap_players(
            tournament,
            key=f"h{number}",
            round=get_last_round(tournament).id,
            player=first.first,
            other=second.second,
        )
    except CommandError:  # a constraint forbids the pair
        return tournament


def enter_random_results(tournament: Tournament, rng: Random) -> Tournament:
    for game in TournamentIndex(tournament).games(get_last_round(tournament).id):
        first, second = rng.randint(300, 500), rng.randint(200, 299)
        if rng.random() < 0.5:
            first, second = second, first
        tournament = commands.enter_result(tournament, game=game.id, first=first, second=second)
    return tournament


def count_equal_rounds(seed: int, system: str) -> int:
    rng = Random(seed)
    tournament = generate_tournament(
        rng, system, rng.choice([8, 12]) if system.startswith("team") else rng.randint(6, 15)
    )
    rechecks = recheck_rounds(tournament, DIVISION)
    assert [recheck.round for recheck in rechecks] == [
        item.number for item in TournamentIndex(tournament).rounds(DIVISION)
    ]
    assert all(recheck.has_same_pairing for recheck in rechecks), (
        system,
        seed,
        [recheck for recheck in rechecks if not recheck.has_same_pairing],
    )
    return len(rechecks)


@pytest.mark.parametrize("system", SYSTEMS)
def test_recheck_rounds_pairs_each_round_equally(system: str) -> None:
    assert sum(count_equal_rounds(seed, system) for seed in range(4)) > 0


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_recheck_rounds_of_many_tournaments(system: str) -> None:
    tournaments = 10 if system == "prize" else 100  # prize pairing simulates each round 100,000 times
    assert sum(count_equal_rounds(seed, system) for seed in range(100, 100 + tournaments)) > tournaments


def test_recheck_rounds_reports_another_pairing() -> None:
    tournament = pair_rounds(make_event(8), times=2)
    first_game, second_game = get_game_at(tournament, 1), get_game_at(tournament, 2)
    tournament = tournament.put(
        replace(first_game, second=second_game.second), replace(second_game, second=first_game.second)
    )
    first, second = recheck_rounds(tournament, DIVISION)
    assert first.has_same_pairing
    assert not second.has_same_pairing
    assert second.otherwise == (1, 2)
    assert second.tables == 4


@pytest.mark.parametrize("absent", [False, True])
def test_recheck_rounds_reports_another_bye(absent: bool) -> None:
    tournament = make_event(8 if absent else 7)
    if absent:
        tournament = commands.set_absence(tournament, key="a", player=get_player(tournament, 8).id, first_round=1)
    tournament = pair_rounds(tournament)
    bye, game = (
        TournamentIndex(tournament).list_byes_for_lack_of_opponent(get_last_round(tournament).id)[0],
        get_game_at(tournament, 1),
    )
    tournament = tournament.put(replace(bye, player=game.first), replace(game, first=bye.player))
    (recheck,) = recheck_rounds(tournament, DIVISION)
    assert (recheck.stored_byes, recheck.new_byes, recheck.has_same_pairing) == (
        frozenset({game.first}),
        frozenset({bye.player}),
        False,
    )


def test_rechecked_round_is_same_for_equal_tables_and_byes() -> None:
    first, second = (frozenset({PlayerId(name)}) for name in ("p1", "p2"))
    unchanged = RoundPairingComparison(1, 4, stored_byes=first, new_byes=first)
    assert unchanged.has_same_pairing
    refusal = CommandError("no-pairing-possible")
    for changed in (
        replace(unchanged, new_byes=second),
        replace(unchanged, otherwise=(2,)),
        replace(unchanged, refusal=refusal),
    ):
        assert not changed.has_same_pairing


def test_recheck_rounds_explains_an_unpairable_round() -> None:
    tournament = pair_rounds(make_event(8), times=2)
    first_game = TournamentIndex(tournament).games(TournamentIndex(tournament).get_round(DIVISION, 1).id)[0]
    first_recheck, second_recheck = recheck_rounds(commands.clear_result(tournament, game=first_game.id), DIVISION)
    assert (
        first_recheck.refusal,
        first_recheck.has_same_pairing,
        second_recheck.has_same_pairing,
        second_recheck.otherwise,
        second_recheck.tables,
    ) == (
        None,
        True,
        False,
        (),
        4,
    )
    assert second_recheck.refusal is not None
    assert second_recheck.refusal.code == "results-missing"


def test_recheck_rounds_ignores_manual_changes() -> None:
    tournament = pair_rounds(make_event(8))
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    first, second = get_game_at(tournament, 1).first, get_game_at(tournament, 4).second
    tournament = pair_by_hand(tournament, key="h", round=get_last_round(tournament).id, player=first, other=second)
    tournament = commands.publish_round(tournament, round=get_last_round(tournament).id)
    recheck = recheck_rounds(tournament, DIVISION)[1]
    assert recheck.has_same_pairing
    assert len(recheck.by_hand) == 2


def test_recheck_rounds_keeps_a_table_made_before_pairing() -> None:
    """Without the manual table, 1-2 and 3-4 would play. With 4-5 at a table, player 3 has the bye."""
    tournament = make_event(5, system="king-of-the-hill")
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    tournament = pair_by_hand(
        tournament,
        key="h",
        round=get_last_round(tournament).id,
        player=get_player(tournament, 4).id,
        other=get_player(tournament, 5).id,
    )
    by_hand = next(
        game for game in tournament.games.values() if game.reason is not None and game.reason.code == "by-hand"
    )
    tournament = commands.lock_game(tournament, game=by_hand.id)
    tournament = commands.pair_round(
        tournament,
        key="n",
        proposal=propose_pairings(
            TournamentIndex(tournament),
            DIVISION,
            fixed_pairs=list_locked_pairs(TournamentIndex(tournament), DIVISION),
        ),
    )
    (recheck,) = recheck_rounds(tournament, DIVISION)
    assert (recheck.has_same_pairing, set(recheck.stored_byes)) == (True, {get_player(tournament, 3).id})


def test_recheck_rounds_ignores_later_events() -> None:
    tournament = pair_rounds(make_event(9), times=3)
    late = commands.add_player(tournament, key="new", division=DIVISION, name="Late")
    late = commands.withdraw_player(late, key="w", player=get_player(late, 2).id)
    assert all(recheck.has_same_pairing for recheck in recheck_rounds(pair_rounds(late), DIVISION))


def test_recheck_rounds_ignores_a_later_constraint() -> None:
    tournament = pair_rounds(make_event(8), times=2)
    game = get_game_at(tournament, 1)
    tournament = commands.forbid_pairing(tournament, key="b", player=game.first, other=game.second)
    assert all(recheck.has_same_pairing for recheck in recheck_rounds(pair_rounds(tournament), DIVISION))


def test_recheck_rounds_ignores_a_seated_latecomer() -> None:
    tournament = pair_rounds(make_event(9), results=False)
    tournament = commands.add_player(tournament, key="new", division=DIVISION, name="Late")
    tournament = seat_latecomer(
        tournament, key="s", round=get_last_round(tournament).id, player=get_player(tournament, 10).id
    )
    tournament = pair_rounds(enter_results(tournament))
    assert all(recheck.has_same_pairing for recheck in recheck_rounds(tournament, DIVISION))


def test_recheck_rounds_keeps_assumed_games() -> None:
    tournament = pair_rounds(make_event(10), times=2)
    open_game = get_game_at(tournament, 1).id
    tournament = commands.clear_result(tournament, game=open_game)
    proposal = propose_pairings(
        TournamentIndex(tournament),
        DIVISION,
        assumed=list_games_that_can_count_as_draws(TournamentIndex(tournament), DIVISION),
    )
    assert proposal.assumed == (open_game,)
    tournament = commands.pair_round(tournament, key="r3", proposal=proposal)
    assert get_last_round(tournament).assumed == (open_game,)
    for scores in ((300, 500), (500, 300)):
        corrected = commands.enter_result(tournament, game=GameId(open_game), first=scores[0], second=scores[1])
        assert recheck_rounds(corrected, DIVISION)[2].has_same_pairing


def test_recheck_rounds_of_a_finished_tournament() -> None:
    tournament = commands.finish_tournament(pair_rounds(make_event(6, rounds=2), times=2))
    assert [recheck.has_same_pairing for recheck in recheck_rounds(tournament, DIVISION)] == [True, True]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("second", ["knockout", "round-robin", "swiss", "king-of-the-hill"])
def test_recheck_rounds_of_later_stages(second: str, seed: int) -> None:
    rng = Random(seed)
    tournament = commands.edit_stage(make_event(11, rounds=ROUNDS), stage=StageId("s"), rounds=3)
    settings = PairingSettings(behind=1) if second == "swiss" else PairingSettings()
    tournament = commands.add_stage(
        tournament, key="s2", division=DIVISION, system=second, rounds=3, settings=settings, cut=6
    )
    for number in range(1, ROUNDS):
        if number == 3:
            tournament = commands.withdraw_player(
                tournament, key="w", player=rng.choice(TournamentIndex(tournament).players(DIVISION)).id
            )
        tournament = commands.pair_round(
            tournament, key=f"k{number}", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
        )
        tournament = enter_random_results(tournament, rng)
    rechecks = recheck_rounds(tournament, DIVISION)
    assert len(rechecks) == ROUNDS - 1
    assert all(recheck.has_same_pairing for recheck in rechecks), [
        recheck for recheck in rechecks if not recheck.has_same_pairing
    ]
