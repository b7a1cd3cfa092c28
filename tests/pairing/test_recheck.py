"""Tests of changes to later pairings after a correction of a result."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import swap_players
from tdapp.pairing.recheck import DifferentlyPairedRound, compare_recomputed_pairings, restore_presence_at_pairing
from tests.building import DIVISION, get_last_round, get_player, make_event, pair_rounds


def get_game_of_round(tournament: Tournament, number: int, table: int) -> Game:
    index = TournamentIndex(tournament)
    return index.get_game(index.get_round(DIVISION, number).id, table)


def reverse_result(tournament: Tournament, number: int, table: int) -> Tournament:
    """Return the tournament with the result of a game reversed."""
    game = get_game_of_round(tournament, number, table)
    result = tournament.results[game.id]
    return commands.enter_result(tournament, game=game.id, first=result.second, second=result.first)


def list_pairs(tournament: Tournament, number: int) -> set[frozenset[PlayerId]]:
    index = TournamentIndex(tournament)
    return {frozenset({game.first, game.second}) for game in index.games(index.get_round(DIVISION, number).id)}


def get_bye_player(tournament: Tournament, number: int) -> PlayerId:
    index = TournamentIndex(tournament)
    return index.byes(index.get_round(DIVISION, number).id)[0].player


def test_find_pairing_changes_from_corrected_results() -> None:
    first = pair_rounds(make_event(8))
    corrected = pair_rounds(reverse_result(first, 1, 1))
    tournament = pair_rounds(first)
    new_pairs = list_pairs(corrected, 2) - list_pairs(tournament, 2)
    assert new_pairs
    assert compare_recomputed_pairings(tournament, reverse_result(tournament, 1, 1), DIVISION) == (
        DifferentlyPairedRound(2, len(new_pairs)),
    )


@pytest.mark.parametrize(("system", "is_absent"), [("swiss", True), ("round-robin", False)])
def test_restore_presence_at_pairing_makes_an_unpaired_player_absent(system: str, is_absent: bool) -> None:
    """In a system with seats, players without a game count as present."""
    tournament = pair_rounds(make_event(6, system=system))
    player_6 = get_player(tournament, 6).id
    tournament = pair_rounds(commands.set_absence(tournament, key="a", player=player_6, first_round=2))
    without_absence = tournament.drop(*TournamentIndex(tournament).absences(player_6))
    item = TournamentIndex(without_absence).get_round(DIVISION, 2)
    restored = TournamentIndex(
        restore_presence_at_pairing(TournamentIndex(without_absence), without_absence, item, DIVISION)
    )
    absent = [
        player.number for player in restored.players(DIVISION) if restored.find_absence(player.id, 2) is not None
    ]
    assert absent == ([6] if is_absent else [])
    assert restored.find_absence(player_6, 3) is None


def test_restore_presence_at_pairing_drops_only_absences_in_a_round_with_a_game() -> None:
    tournament = pair_rounds(make_event(6), times=2)
    first, second = (get_player(tournament, number).id for number in (1, 2))
    tournament = commands.set_absence(tournament, key="b", player=second, first_round=3)
    tournament = commands.set_absence(tournament, key="a", player=first, first_round=3)
    index = TournamentIndex(
        tournament.put(*(replace(row, first_round=2) for row in TournamentIndex(tournament).absences(first)))
    )
    restored = TournamentIndex(
        restore_presence_at_pairing(index, index.tournament, index.get_round(DIVISION, 2), DIVISION)
    )
    assert restored.find_absence(first, 2) is None
    assert not restored.absences(first)
    assert restored.find_absence(second, 3) is not None


def test_find_pairing_changes_of_the_last_round_is_empty() -> None:
    tournament = pair_rounds(make_event(8), times=3)
    assert compare_recomputed_pairings(tournament, reverse_result(tournament, 3, 1), DIVISION) == ()
    assert compare_recomputed_pairings(tournament, tournament, DIVISION) == ()


def test_find_pairing_changes_lists_rounds_in_order() -> None:
    tournament = pair_rounds(make_event(12), times=4)
    changes = compare_recomputed_pairings(tournament, reverse_result(tournament, 2, 1), DIVISION)
    numbers = [change.round for change in changes]
    assert numbers
    assert numbers == sorted(numbers)
    assert min(numbers) > 2


def test_find_pairing_changes_lists_another_bye() -> None:
    first = pair_rounds(make_event(5))
    index = TournamentIndex(first)
    table = next(game.table for game in index.games(get_last_round(first).id))
    tournament, corrected = pair_rounds(first), pair_rounds(reverse_result(first, 1, table))
    changes = compare_recomputed_pairings(tournament, reverse_result(tournament, 1, table), DIVISION)
    assert [(change.bye_before, change.bye_after) for change in changes] == [
        (get_bye_player(tournament, 2), get_bye_player(corrected, 2))
    ]


def test_find_pairing_changes_ignores_latecomers_and_manual_games() -> None:
    tournament = pair_rounds(make_event(8))
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    first, second = (get_game_of_round(tournament, 2, table).first for table in (1, 4))
    tournament = swap_players(tournament, key="s", round=get_last_round(tournament).id, player=first, other=second)
    tournament = commands.publish_round(tournament, round=get_last_round(tournament).id)
    with_latecomer = commands.add_player(tournament, key="new", division=DIVISION, name="Late")
    with_latecomer = commands.withdraw_player(with_latecomer, key="w", player=get_player(tournament, 3).id)
    assert compare_recomputed_pairings(
        with_latecomer, reverse_result(with_latecomer, 1, 2), DIVISION
    ) == compare_recomputed_pairings(tournament, reverse_result(tournament, 1, 2), DIVISION)
    game = get_game_of_round(with_latecomer, 1, 2)
    result = with_latecomer.results[game.id]
    corrected = commands.enter_result(
        with_latecomer, game=game.id, first=result.first, second=(result.second or 0) - 1
    )
    assert all(change.tables < 4 for change in compare_recomputed_pairings(with_latecomer, corrected, DIVISION))


def test_find_pairing_changes_marks_a_draft() -> None:
    tournament = pair_rounds(make_event(8))
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    changes = compare_recomputed_pairings(tournament, reverse_result(tournament, 1, 1), DIVISION)
    assert [(change.round, change.draft) for change in changes] == [(2, True)]


def test_find_pairing_changes_of_a_round_robin_is_empty() -> None:
    tournament = pair_rounds(make_event(6, system="round-robin"), times=3)
    assert compare_recomputed_pairings(tournament, reverse_result(tournament, 1, 1), DIVISION) == ()


def test_find_pairing_changes_of_a_knockout_names_the_final() -> None:
    tournament = pair_rounds(make_event(4, rounds=2, system="knockout"), times=2)
    assert compare_recomputed_pairings(tournament, reverse_result(tournament, 1, 1), DIVISION) == (
        DifferentlyPairedRound(2, 1),
    )


def test_find_pairing_changes_without_a_result_is_empty() -> None:
    tournament = pair_rounds(make_event(8), times=2)
    assert (
        compare_recomputed_pairings(
            tournament, commands.clear_result(tournament, game=get_game_of_round(tournament, 1, 1).id), DIVISION
        )
        == ()
    )
