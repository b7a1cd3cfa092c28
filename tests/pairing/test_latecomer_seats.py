"""A latecomer at an open table of three, at a larger table, and where no place is free."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.ruleset import TableRule
from tdapp.domain.tables.groups import make_group_table
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import find_table_for_latecomer, seat_latecomer
from tdapp.pairing.pairing_checker import check_division_pairings
from tdapp.pairing.recheck import recheck_rounds
from tests.building import DIVISION, get_last_round, pair_rounds
from tests.clubs import THREE, enter_points, list_seated_players, make_club


def evening(players: int, here: range, tables: TableRule = THREE) -> Tournament:
    """The first game of an evening for the players in `here`."""
    value = commands.begin_evening(make_club(players, tables), key="e1", division=DIVISION, date="2026-09-01")
    return pair_rounds(check_in(value, here), results=False)


def check_in(value: Tournament, here: range) -> Tournament:
    return commands.check_in(value, players=tuple(PlayerId(f"p{number}") for number in here), present=True)


def late(value: Tournament, number: int) -> Tournament:
    return seat_latecomer(
        value, key=f"late{number}", round=get_last_round(value).id, player=PlayerId(f"p{number}")
    )


def games(value: Tournament) -> tuple[Game, ...]:
    return Index(value).games(get_last_round(value).id)


def test_a_table_of_three_becomes_two_tables_of_two() -> None:
    value = evening(8, range(1, 8))
    (three,) = [players for players in list_seated_players(value) if len(players) == 3]
    before = {game.id: game for game in games(value)}
    table = Index(value).seats(get_last_round(value).id)[0].table

    after = late(value, 8)
    assert not after.seats
    made = [game for game in games(after) if game.id not in before]
    assert {end for game in made for end in (game.first, game.second)} == three | {"p8"}
    assert [game for game in games(after) if game.id in before] == list(before.values())
    assert {game.table for game in games(after)} == {1, 2, 3, 4}
    assert next(game.table for game in made if "p8" not in {game.first, game.second}) == table
    assert {game.reason.code for game in made if game.reason} == {"latecomer-split"}
    assert after.players[PlayerId("p8")].checked_in


def test_players_who_met_tonight_do_not_meet_again_at_the_new_tables() -> None:
    value = evening(6, range(1, 6))
    value = enter_points(value, dict(zip(value.players, (240, 210, 188, 300, 290, 0), strict=True)))
    met = {frozenset(pair) for pair in list_seated_players(value) if len(pair) == 2}
    value = pair_rounds(value, results=False)
    after = late(value, 6)

    assert len(games(after)) == 3
    assert not met & {frozenset({game.first, game.second}) for game in games(after)}


def test_where_tables_of_three_are_preferred_the_latecomer_joins_one() -> None:
    value = evening(8, range(1, 7), TableRule(prefer=3))
    after = late(value, 7)

    assert sorted(map(len, list_seated_players(after))) == [3, 4]
    (seat,) = [seat for seat in Index(after).seats(get_last_round(after).id) if seat.player == "p7"]
    assert (seat.position, seat.reason and seat.reason.code) == (4, "latecomer-joined")
    (row,) = [row for row in make_group_table(Index(after), get_last_round(after)).rows if len(row.seats) == 4]
    assert (row.reason and row.reason.code) == "latecomer-joined"
    full = late(after, 8)
    assert sorted(map(len, list_seated_players(full))) == [4, 4]


def test_where_all_sit_at_one_table_the_latecomer_joins_it() -> None:
    after = late(evening(8, range(1, 7), TableRule(prefer=0)), 7)
    assert list(map(len, list_seated_players(after))) == [7]


def test_an_entered_table_takes_no_latecomer() -> None:
    value = evening(4, range(1, 4))
    value = enter_points(value, {"p1": 240, "p2": 210, "p3": 188})
    item = get_last_round(value)

    assert find_table_for_latecomer(Index(value), item.id, PlayerId("p4")) == 0
    with pytest.raises(RuleViolation, match="nobody-has-bye"):
        late(value, 4)


def test_a_player_with_a_place_is_refused() -> None:
    value = evening(8, range(1, 8))
    assert find_table_for_latecomer(Index(value), get_last_round(value).id, PlayerId("p3")) == 0
    for seated_already in (value, late(value, 8)):
        with pytest.raises(RuleViolation, match="nobody-has-bye"):
            late(seated_already, 3)


def test_others_who_wait_stay_without_a_place() -> None:
    value = check_in(evening(9, range(1, 8)), range(8, 10))
    after = late(value, 8)
    assert PlayerId("p9") not in {end for players in list_seated_players(after) for end in players}
    assert after.players[PlayerId("p9")].checked_in


def test_a_tournament_with_tables_of_three_seats_a_latecomer_too() -> None:
    value = pair_rounds(make_club(7), results=False)
    value = commands.add_player(value, key="late", division=DIVISION, name="Late")
    after = seat_latecomer(value, key="k", round=get_last_round(value).id, player=PlayerId("late"))
    assert list(map(len, list_seated_players(after))) == [2, 2, 2, 2]


@pytest.mark.parametrize("tables", [THREE, TableRule(prefer=3)])
def test_a_round_with_a_latecomer_is_paired_again_as_it_was(tables: TableRule) -> None:
    value = late(evening(8, range(1, 8), tables), 8)

    assert all(row.is_same for row in recheck_rounds(value, DIVISION))
    assert check_division_pairings(value, value.divisions[DIVISION]).findings == ()
