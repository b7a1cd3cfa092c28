"""Tests of check-in and of the absence of missing players."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, GameSide, PlayerId, StageId
from tdapp.domain.tables.players import (
    CheckInState,
    find_check_in_round,
    group_players_by_presence,
    make_check_in_table,
)
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, enter_results, get_last_round, get_player, make_event, pair_rounds


def list_player_ids(value: Tournament, *numbers: int) -> tuple[PlayerId, ...]:
    return tuple(get_player(value, number).id for number in numbers)


def check_in_players(value: Tournament, *numbers: int) -> Tournament:
    return commands.check_in(value, players=list_player_ids(value, *numbers), present=True)


def test_make_arrival_table_present_missing_and_absent() -> None:
    value = check_in_players(make_event(6), 1, 2, 5)
    (absent_id,) = list_player_ids(value, 6)
    value = commands.set_absence(value, key="a", player=absent_id, first_round=1, kind=ByeKind.REQUESTED)
    turnout = group_players_by_presence(TournamentIndex(value), value.divisions[DIVISION], 1)
    assert (turnout.present, turnout.missing, turnout.away) == (
        list_player_ids(value, 1, 2, 5),
        list_player_ids(value, 3, 4),
        (absent_id,),
    )
    kinds = {
        row.key: row.kind for row in make_check_in_table(TournamentIndex(value), value.divisions[DIVISION], 1).rows
    }
    assert kinds[absent_id] is ByeKind.REQUESTED


def test_make_arrival_table_omits_withdrawn_players() -> None:
    value = make_event(4)
    (withdrawn_id,) = list_player_ids(value, 4)
    value = commands.withdraw_player(value, key="w", player=withdrawn_id)
    assert withdrawn_id not in {
        row.key for row in make_check_in_table(TournamentIndex(value), value.divisions[DIVISION], 1).rows
    }


def test_miss_round_makes_missing_players_absent_for_one_round() -> None:
    value = check_in_players(make_event(6), 1, 2, 3, 4)
    absent_tournament = commands.miss_round(value, key="m", players=list_player_ids(value, 5, 6), round_number=1)
    index = TournamentIndex(absent_tournament)
    assert [index.find_absence(player_id, 1) is None for player_id in list_player_ids(value, 4, 5, 6)] == [
        True,
        False,
        False,
    ]
    assert index.find_absence(list_player_ids(value, 5)[0], 2) is None
    late_arrival = check_in_players(absent_tournament, 5)
    row = next(
        row
        for row in make_check_in_table(TournamentIndex(late_arrival), late_arrival.divisions[DIVISION], 1).rows
        if row.number == 5
    )
    assert row.arrival is CheckInState.PRESENT
    assert group_players_by_presence(
        TournamentIndex(late_arrival), late_arrival.divisions[DIVISION], 1
    ).away == list_player_ids(value, 6)


def test_check_in_keeps_an_earlier_absence() -> None:
    value = make_event(4)
    first_id, second_id = list_player_ids(value, 1, 2)
    value = commands.set_absence(value, key="a", player=first_id, first_round=1, kind=ByeKind.REQUESTED)
    value = commands.set_absence(value, key="b", player=second_id, first_round=1, last_round=2)
    new_tournament = check_in_players(value, 1, 2)
    assert new_tournament.absences == value.absences


@pytest.mark.parametrize("rounds", [3, 5])
def test_count_turnout_late_player_with_a_game_is_present(rounds: int) -> None:
    value = check_in_players(make_event(6, rounds=rounds), 1, 2, 3, 4)
    late_id, absent_id = list_player_ids(value, 5, 6)
    value = commands.miss_round(value, key="m", players=(late_id, absent_id), round_number=1)
    value = pair_rounds(value)
    division = value.divisions[DIVISION]
    assert group_players_by_presence(TournamentIndex(value), division, 2).missing == (late_id, absent_id)
    value = pair_rounds(value, results=False)
    assert group_players_by_presence(TournamentIndex(value), division, 3).missing == (late_id, absent_id)
    value = enter_results(value)
    assert group_players_by_presence(TournamentIndex(value), division, 3).missing == ()
    value = commands.check_in(value, players=(late_id,), present=False)
    assert group_players_by_presence(TournamentIndex(value), division, 3).away == (late_id,)
    value = check_in_players(value, 5)
    assert (
        group_players_by_presence(TournamentIndex(value), division, 3).missing
        == group_players_by_presence(TournamentIndex(value), division, 3).away
        == ()
    )


def test_check_in_adds_no_empty_absence() -> None:
    """A second absence and an absence after the last round would be empty."""
    value = commands.miss_round(
        make_event(6, rounds=2), key="m", players=list_player_ids(make_event(6), 5), round_number=1
    )
    value = pair_rounds(value, times=2)
    late_ids = list_player_ids(value, 5)
    assert commands.check_in(value, players=late_ids, present=False).absences == value.absences
    longer_absence = commands.edit_stage(value, stage=StageId("s"), rounds=3)
    assert (
        len(commands.check_in(longer_absence, players=late_ids, present=False).absences) == len(value.absences) + 1
    )
    absent_tournament = commands.miss_round(longer_absence, key="n", players=late_ids, round_number=3)
    assert (
        commands.check_in(absent_tournament, players=late_ids, present=False).absences
        == absent_tournament.absences
    )


def test_count_turnout_player_with_earlier_games_is_missing() -> None:
    value = commands.miss_round(
        make_event(4), key="m", players=list_player_ids(make_event(4), 3, 4), round_number=1
    )
    value = pair_rounds(value, times=2)
    game = next(
        game
        for game in TournamentIndex(value).games(get_last_round(value).id)
        if list_player_ids(value, 4)[0] in {game.first, game.second}
    )
    own_forfeit = GameSide.FIRST if game.first == list_player_ids(value, 4)[0] else GameSide.SECOND
    for forfeit in (own_forfeit, GameSide.BOTH):
        value = commands.enter_result(value, game=game.id, forfeit=forfeit)
        assert (
            list_player_ids(value, 4)[0]
            in group_players_by_presence(TournamentIndex(value), value.divisions[DIVISION], 3).missing
        )
    value = commands.enter_result(value, game=game.id, forfeit=own_forfeit.swapped)
    assert (
        list_player_ids(value, 4)[0]
        in group_players_by_presence(TournamentIndex(value), value.divisions[DIVISION], 3).present
    )
    value = commands.enter_result(value, game=game.id, first=400, second=399)
    assert (
        list_player_ids(value, 4)[0]
        in group_players_by_presence(TournamentIndex(value), value.divisions[DIVISION], 3).present
    )
    value = commands.miss_round(value, key="n", players=list_player_ids(value, 4), round_number=3)
    value = pair_rounds(value)
    assert (
        list_player_ids(value, 4)[0]
        in group_players_by_presence(TournamentIndex(value), value.divisions[DIVISION], 4).missing
    )


def test_miss_round_refuses_a_second_absence() -> None:
    value = make_event(4)
    with pytest.raises(CommandError) as error:
        commands.miss_round(value, key="m", players=list_player_ids(value, 1, 1), round_number=1)
    assert error.value.code == "already-absent"


def test_find_check_in_round_while_a_round_is_planned() -> None:
    value = make_event(4, rounds=2)
    assert find_check_in_round(TournamentIndex(value), value.divisions[DIVISION]) == 1
    value = pair_rounds(value)
    assert find_check_in_round(TournamentIndex(value), value.divisions[DIVISION]) == 2
    value = pair_rounds(value)
    assert find_check_in_round(TournamentIndex(value), value.divisions[DIVISION]) is None
