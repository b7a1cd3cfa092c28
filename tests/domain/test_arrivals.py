"""Tests of check-in by the players themselves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.model import PlayerId
from tdapp.domain.roles import Role, is_permitted
from tdapp.domain.slip import make_player_code, make_tablet_code, map_player_codes_to_players
from tdapp.domain.tournament import Tournament, compute_diff
from tests.building import get_player, make_event, pair_rounds

PLAYER_ID = PlayerId("p1")


def open_check_in(players: int = 4) -> Tournament:
    return commands.open_check_in(make_event(players))


def test_arrive_refuses_a_present_player() -> None:
    value = commands.arrive(open_check_in(), player=PLAYER_ID, device="a phone")
    assert [get_player(value, number).checked_in for number in (1, 2)] == [True, False]
    with pytest.raises(CommandError, match="arrived-already"):
        commands.arrive(value, player=PLAYER_ID)


def test_arrive_needs_open_check_in() -> None:
    for value in (make_event(4), commands.close_check_in(open_check_in())):
        with pytest.raises(CommandError, match="check-in-closed"):
            commands.arrive(value, player=PLAYER_ID)


def test_arrive_needs_a_coming_round() -> None:
    value = open_check_in()
    planned = sum(stage.rounds for stage in value.stages.values())
    with pytest.raises(CommandError, match="check-in-over"):
        commands.arrive(pair_rounds(value, times=planned), player=PLAYER_ID)


def test_arrive_refuses_withdrawn_and_absent_players() -> None:
    with pytest.raises(CommandError, match="arrives-withdrawn"):
        commands.arrive(commands.withdraw_player(open_check_in(), key="w", player=PLAYER_ID), player=PLAYER_ID)
    absent = commands.set_absence(open_check_in(), key="a", player=PLAYER_ID, first_round=1)
    with pytest.raises(CommandError, match="arrives-absent"):
        commands.arrive(absent, player=PLAYER_ID)


def test_is_permitted_entry_desk_changes_check_in_only() -> None:
    old_tournament = open_check_in()
    new_tournament = commands.arrive(old_tournament, player=PLAYER_ID)
    assert is_permitted(Role.ENTRY, "arrive", compute_diff(old_tournament, new_tournament))
    renamed = commands.edit_player(old_tournament, player=PLAYER_ID, name="Somebody Else")
    assert not is_permitted(Role.ENTRY, "arrive", compute_diff(old_tournament, renamed))


def test_make_player_code_needs_the_secret() -> None:
    value = replace(make_event(4), secret="of the tests")  # noqa: S106
    codes = map_player_codes_to_players(value)
    assert len(codes) == 4
    assert codes[make_player_code(value, PLAYER_ID)] == PLAYER_ID
    assert make_tablet_code(value) not in codes
    assert (
        map_player_codes_to_players(make_event(4)),
        make_player_code(make_event(4), PLAYER_ID),
        make_tablet_code(make_event(4)),
    ) == (
        {},
        "",
        "",
    )
