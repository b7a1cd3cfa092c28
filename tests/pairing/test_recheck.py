"""Pairings of earlier rounds after a correction."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import swap_players
from tdapp.pairing.recheck import RoundDifference, find_pairing_changes, restore_presence_at_pairing
from tests.building import DIVISION, get_last_round, get_player, make_event, pair_rounds


def game_in(tournament: Tournament, number: int, table: int) -> Game:
    index = Index(tournament)
    return index.game(index.round(DIVISION, number).id, table)


def turned(tournament: Tournament, number: int, table: int) -> Tournament:
    """The tournament with the other player winning a game."""
    game = game_in(tournament, number, table)
    result = tournament.results[game.id]
    return commands.enter_result(tournament, game=game.id, first=result.second, second=result.first)


def pairs(tournament: Tournament, number: int) -> set[frozenset[PlayerId]]:
    index = Index(tournament)
    return {frozenset({game.first, game.second}) for game in index.games(index.round(DIVISION, number).id)}


def bye(tournament: Tournament, number: int) -> PlayerId:
    index = Index(tournament)
    return index.byes(index.round(DIVISION, number).id)[0].player


def test_find_pairing_changes_from_corrected_results() -> None:
    first = pair_rounds(make_event(8))
    corrected = pair_rounds(turned(first, 1, 1))
    t = pair_rounds(first)
    others = pairs(corrected, 2) - pairs(t, 2)
    assert others
    assert find_pairing_changes(t, turned(t, 1, 1), DIVISION) == (RoundDifference(2, len(others)),)


@pytest.mark.parametrize(("system", "away"), [("swiss", True), ("round-robin", False)])
def test_restore_presence_makes_an_unpaired_player_absent(system: str, away: bool) -> None:
    """If all players have seats, players without a game are present too."""
    t = pair_rounds(make_event(6, system=system))
    six = get_player(t, 6).id
    t = pair_rounds(commands.set_absence(t, key="a", player=six, first_round=2))
    forgotten = t.drop(*Index(t).absences(six))
    item = Index(forgotten).round(DIVISION, 2)
    then = Index(restore_presence_at_pairing(Index(forgotten), forgotten, item, DIVISION))
    absent = [player.number for player in then.players(DIVISION) if then.find_absence(player.id, 2) is not None]
    assert absent == ([6] if away else [])
    assert then.find_absence(six, 3) is None


def test_restore_presence_drops_only_absences_in_a_round_with_a_game() -> None:
    t = pair_rounds(make_event(6), times=2)
    one, other = (get_player(t, number).id for number in (1, 2))
    t = commands.set_absence(commands.set_absence(t, key="b", player=other, first_round=3), key="a", player=one,
                             first_round=3)  # fmt: skip
    whole = Index(t.put(*(replace(row, first_round=2) for row in Index(t).absences(one))))
    then = Index(restore_presence_at_pairing(whole, whole.tournament, whole.round(DIVISION, 2), DIVISION))
    assert then.find_absence(one, 2) is None
    assert not then.absences(one)
    assert then.find_absence(other, 3) is not None


def test_find_pairing_changes_of_the_last_round_is_empty() -> None:
    t = pair_rounds(make_event(8), times=3)
    assert find_pairing_changes(t, turned(t, 3, 1), DIVISION) == ()
    assert find_pairing_changes(t, t, DIVISION) == ()


def test_find_pairing_changes_lists_rounds_in_order() -> None:
    t = pair_rounds(make_event(12), times=4)
    found = find_pairing_changes(t, turned(t, 2, 1), DIVISION)
    numbers = [one.round for one in found]
    assert numbers
    assert numbers == sorted(numbers)
    assert min(numbers) > 2


def test_find_pairing_changes_lists_another_bye() -> None:
    first = pair_rounds(make_event(5))
    index = Index(first)
    table = next(game.table for game in index.games(get_last_round(first).id))
    t, corrected = pair_rounds(first), pair_rounds(turned(first, 1, table))
    found = find_pairing_changes(t, turned(t, 1, table), DIVISION)
    assert [(one.bye_before, one.bye_after) for one in found] == [(bye(t, 2), bye(corrected, 2))]


def test_find_pairing_changes_ignores_latecomers_and_manual_games() -> None:
    t = pair_rounds(make_event(8))
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    one, other = (game_in(t, 2, table).first for table in (1, 4))
    t = swap_players(t, key="s", round=get_last_round(t).id, player=one, other=other)
    t = commands.publish_round(t, round=get_last_round(t).id)
    since = commands.add_player(t, key="new", division=DIVISION, name="Late")
    since = commands.withdraw_player(since, key="w", player=get_player(t, 3).id)
    assert find_pairing_changes(since, turned(since, 1, 2), DIVISION) == find_pairing_changes(
        t, turned(t, 1, 2), DIVISION
    )
    game = game_in(since, 1, 2)
    result = since.results[game.id]
    same = commands.enter_result(since, game=game.id, first=result.first, second=(result.second or 0) - 1)
    assert all(found.tables < 4 for found in find_pairing_changes(since, same, DIVISION))


def test_find_pairing_changes_marks_a_draft() -> None:
    t = pair_rounds(make_event(8))
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    found = find_pairing_changes(t, turned(t, 1, 1), DIVISION)
    assert [(one.round, one.draft) for one in found] == [(2, True)]


def test_find_pairing_changes_of_a_round_robin_is_empty() -> None:
    t = pair_rounds(make_event(6, system="round-robin"), times=3)
    assert find_pairing_changes(t, turned(t, 1, 1), DIVISION) == ()


def test_find_pairing_changes_of_a_knockout_is_empty() -> None:
    t = pair_rounds(make_event(4, rounds=2, system="knockout"), times=2)
    assert find_pairing_changes(t, turned(t, 1, 1), DIVISION) == (RoundDifference(2, 1),)


def test_find_pairing_changes_without_a_result_is_empty() -> None:
    t = pair_rounds(make_event(8), times=2)
    assert find_pairing_changes(t, commands.clear_result(t, game=game_in(t, 1, 1).id), DIVISION) == ()
