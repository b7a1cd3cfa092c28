"""Tests of a latecomer at a table of three, at a larger table, and without a free seat."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.tables.groups import make_table_of_group_tables
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import find_group_table_for_latecomer, seat_latecomer
from tdapp.pairing.pairing_checker import check_division_pairings
from tdapp.pairing.recheck import recheck_rounds
from tests.building import DIVISION, get_last_round, pair_rounds
from tests.clubs import THREE, enter_points, list_seated_players, make_club


def begin_club_evening(players: int, present_numbers: range, tables: PlayersPerTableRule = THREE) -> Tournament:
    """Return the first game of an evening for the players with numbers in `present_numbers`."""
    value = commands.begin_evening(make_club(players, tables), key="e1", division=DIVISION, date="2026-09-01")
    return pair_rounds(check_in(value, present_numbers), results=False)


def check_in(value: Tournament, present_numbers: range) -> Tournament:
    return commands.check_in(
        value, players=tuple(PlayerId(f"p{number}") for number in present_numbers), present=True
    )


def seat_latecomer_number(value: Tournament, number: int) -> Tournament:
    return seat_latecomer(
        value, key=f"late{number}", round=get_last_round(value).id, player=PlayerId(f"p{number}")
    )


def list_games(value: Tournament) -> tuple[Game, ...]:
    return TournamentIndex(value).games(get_last_round(value).id)


def test_seat_latecomer_splits_a_table_of_three() -> None:
    value = begin_club_evening(8, range(1, 8))
    (players_of_three,) = [players for players in list_seated_players(value) if len(players) == 3]
    before = {game.id: game for game in list_games(value)}
    table = TournamentIndex(value).seats(get_last_round(value).id)[0].table

    after = seat_latecomer_number(value, 8)
    assert not after.seats
    new_games = [game for game in list_games(after) if game.id not in before]
    assert {player for game in new_games for player in (game.first, game.second)} == players_of_three | {"p8"}
    assert [game for game in list_games(after) if game.id in before] == list(before.values())
    assert {game.table for game in list_games(after)} == {1, 2, 3, 4}
    assert next(game.table for game in new_games if "p8" not in {game.first, game.second}) == table
    assert {game.reason.code for game in new_games if game.reason} == {"latecomer-split"}
    assert after.players[PlayerId("p8")].checked_in


def test_seat_latecomer_avoids_meetings_of_the_evening() -> None:
    value = begin_club_evening(6, range(1, 6))
    value = enter_points(value, dict(zip(value.players, (240, 210, 188, 300, 290, 0), strict=True)))
    meetings = {frozenset(pair) for pair in list_seated_players(value) if len(pair) == 2}
    value = pair_rounds(value, results=False)
    after = seat_latecomer_number(value, 6)

    assert len(list_games(after)) == 3
    assert not meetings & {frozenset({game.first, game.second}) for game in list_games(after)}


def test_seat_latecomer_joins_a_table_where_threes_are_preferred() -> None:
    value = begin_club_evening(8, range(1, 7), PlayersPerTableRule(prefer=3))
    after = seat_latecomer_number(value, 7)

    assert sorted(map(len, list_seated_players(after))) == [3, 4]
    (seat,) = [seat for seat in TournamentIndex(after).seats(get_last_round(after).id) if seat.player == "p7"]
    assert (seat.position, seat.reason and seat.reason.code) == (4, "latecomer-joined")
    (row,) = [
        row
        for row in make_table_of_group_tables(TournamentIndex(after), get_last_round(after)).rows
        if len(row.seats) == 4
    ]
    assert (row.reason and row.reason.code) == "latecomer-joined"
    with_two_latecomers = seat_latecomer_number(after, 8)
    assert sorted(map(len, list_seated_players(with_two_latecomers))) == [4, 4]


def test_seat_latecomer_drops_the_points_that_phones_sent_for_three_players() -> None:
    value = commands.open_entry(begin_club_evening(8, range(1, 7), PlayersPerTableRule(prefer=3)), key="slips")
    item = get_last_round(value)
    seat = TournamentIndex(value).seats(item.id)[0]
    value = commands.send_points(
        value, round=item.id, table=seat.table, player=seat.player, points=(240, 210, 188), device="d1"
    )
    assert any(seat.sent for seat in value.seats.values())
    after = commands.add_latecomer_to_group_table(
        value, key="late", round=item.id, player=PlayerId("p7"), table=seat.table
    )
    assert len([other for other in after.seats.values() if other.table == seat.table]) == 4
    assert not any(seat.sent for seat in after.seats.values())


def test_seat_latecomer_joins_the_only_table() -> None:
    after = seat_latecomer_number(begin_club_evening(8, range(1, 7), PlayersPerTableRule(prefer=0)), 7)
    assert list(map(len, list_seated_players(after))) == [7]


def test_seat_latecomer_refuses_a_table_with_results() -> None:
    value = begin_club_evening(4, range(1, 4))
    value = enter_points(value, {"p1": 240, "p2": 210, "p3": 188})
    item = get_last_round(value)

    assert find_group_table_for_latecomer(TournamentIndex(value), item.id, PlayerId("p4")) == 0
    with pytest.raises(CommandError, match="nobody-has-bye"):
        seat_latecomer_number(value, 4)


def test_seat_latecomer_refuses_a_seated_player() -> None:
    value = begin_club_evening(8, range(1, 8))
    assert find_group_table_for_latecomer(TournamentIndex(value), get_last_round(value).id, PlayerId("p3")) == 0
    for tournament in (value, seat_latecomer_number(value, 8)):
        with pytest.raises(CommandError, match="nobody-has-bye"):
            seat_latecomer_number(tournament, 3)


def test_seat_latecomer_leaves_other_unpaired_players() -> None:
    value = check_in(begin_club_evening(9, range(1, 8)), range(8, 10))
    after = seat_latecomer_number(value, 8)
    assert PlayerId("p9") not in {player for players in list_seated_players(after) for player in players}
    assert after.players[PlayerId("p9")].checked_in


def test_seat_latecomer_splits_a_table_of_three_without_an_evening() -> None:
    value = pair_rounds(make_club(7), results=False)
    value = commands.add_player(value, key="late", division=DIVISION, name="Late")
    after = seat_latecomer(value, key="k", round=get_last_round(value).id, player=PlayerId("late"))
    assert list(map(len, list_seated_players(after))) == [2, 2, 2, 2]


@pytest.mark.parametrize("tables", [THREE, PlayersPerTableRule(prefer=3)])
def test_recheck_rounds_repeats_a_round_with_a_latecomer(tables: PlayersPerTableRule) -> None:
    value = seat_latecomer_number(begin_club_evening(8, range(1, 8), tables), 8)

    assert all(row.has_same_pairing for row in recheck_rounds(value, DIVISION))
    assert check_division_pairings(value, value.divisions[DIVISION]).findings == ()
