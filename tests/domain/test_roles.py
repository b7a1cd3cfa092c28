"""Each role does its own and no more."""

import pytest

from tdapp.domain.changes import Change
from tdapp.domain.commands import COMMANDS
from tdapp.domain.roles import RIGHTS, Role, may
from tdapp.domain.tournament import KINDS
from tests.storage.samples import played, result

GAME = played().games[next(iter(played().games))]
CAME = Change("results", "g1-1", None, result("g1-1", 1, 2))


def test_commands_and_rows_are_known() -> None:
    for rights in RIGHTS.values():
        assert rights.commands <= COMMANDS.keys()
        assert rights.rows | rights.changes <= KINDS.keys()


@pytest.mark.parametrize("role", Role)
def test_only_the_director_pairs(role: Role) -> None:
    assert may(role, "pair-round") == (role is Role.DIRECTOR)


@pytest.mark.parametrize("role", Role)
def test_all_but_a_display_enter_results(role: Role) -> None:
    assert may(role, "enter-result", (CAME,)) == (role is not Role.DISPLAY)


def test_what_entry_does_the_jury_does() -> None:
    assert RIGHTS[Role.ENTRY].commands < RIGHTS[Role.JURY].commands
    assert RIGHTS[Role.ENTRY].rows < RIGHTS[Role.JURY].rows


def test_who_started_may_change_but_no_game_may_go() -> None:
    assert may(Role.ENTRY, "enter-result", (CAME, Change("games", GAME.id, GAME, GAME)))
    assert not may(Role.ENTRY, "enter-result", (Change("games", GAME.id, GAME, None),))
    assert not may(Role.ENTRY, "enter-result", (Change("games", GAME.id, None, GAME),))
    assert not may(Role.ENTRY, "enter-result", (Change("sheets", "x", None, GAME),))
