"""Players who check in themselves: who may, and who has to go to the desk."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId
from tdapp.domain.roles import Role, is_permitted
from tdapp.domain.slip import make_player_code, make_tablet_code, map_player_codes
from tdapp.domain.tournament import Tournament, compute_diff
from tests.building import event, paired, player

ONE = PlayerId("p1")


def arriving(players: int = 4) -> Tournament:
    return commands.open_check_in(event(players))


def test_arrive_refuses_a_present_player() -> None:
    value = commands.arrive(arriving(), player=ONE, device="a phone")
    assert [player(value, number).checked_in for number in (1, 2)] == [True, False]
    with pytest.raises(RuleViolation, match="arrived-already"):
        commands.arrive(value, player=ONE)


def test_arrive_needs_open_check_in() -> None:
    for value in (event(4), commands.close_check_in(arriving())):
        with pytest.raises(RuleViolation, match="check-in-closed"):
            commands.arrive(value, player=ONE)


def test_arrive_needs_a_coming_round() -> None:
    value = arriving()
    planned = sum(stage.rounds for stage in value.stages.values())
    with pytest.raises(RuleViolation, match="check-in-over"):
        commands.arrive(paired(value, times=planned), player=ONE)


def test_arrive_refuses_withdrawn_and_absent_players() -> None:
    with pytest.raises(RuleViolation, match="arrives-withdrawn"):
        commands.arrive(commands.withdraw_player(arriving(), key="w", player=ONE), player=ONE)
    away = commands.set_absence(arriving(), key="a", player=ONE, first_round=1)
    with pytest.raises(RuleViolation, match="arrives-absent"):
        commands.arrive(away, player=ONE)


def test_is_permitted_entry_desk_changes_check_in_only() -> None:
    before = arriving()
    after = commands.arrive(before, player=ONE)
    assert is_permitted(Role.ENTRY, "arrive", compute_diff(before, after))
    renamed = commands.edit_player(before, player=ONE, name="Somebody Else")
    assert not is_permitted(Role.ENTRY, "arrive", compute_diff(before, renamed))


def test_make_player_code_needs_the_secret() -> None:
    value = replace(event(4), secret="of the tests")  # noqa: S106
    codes = map_player_codes(value)
    assert len(codes) == 4
    assert codes[make_player_code(value, ONE)] == ONE
    assert make_tablet_code(value) not in codes
    assert (map_player_codes(event(4)), make_player_code(event(4), ONE), make_tablet_code(event(4))) == (
        {},
        "",
        "",
    )
