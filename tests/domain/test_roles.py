"""Tests of the permitted commands and changes of each role."""

import pytest
from msgspec.structs import replace

from tdapp.domain.commands import COMMANDS
from tdapp.domain.model import RoundId, StartDecision
from tdapp.domain.roles import RIGHTS, Role, is_permitted
from tdapp.domain.tournament import KINDS, RowChange
from tests.storage.samples import make_played_tournament, make_result

GAME = make_played_tournament().games[next(iter(make_played_tournament().games))]
NEW_RESULT = RowChange("results", "g1-1", None, make_result("g1-1", 1, 2))


def test_rights_name_known_commands_and_rows() -> None:
    assert RIGHTS.keys() == set(Role) - {Role.DIRECTOR}
    for rights in RIGHTS.values():
        assert rights.commands <= COMMANDS.keys()
        assert rights.rows <= KINDS.keys()
        for kind, names in rights.changes.items():
            assert names <= set(KINDS[kind].__struct_fields__)


@pytest.mark.parametrize("role", Role)
def test_is_permitted_only_the_director_pairs(role: Role) -> None:
    assert is_permitted(role, "pair-round") == (role is Role.DIRECTOR)


@pytest.mark.parametrize("role", Role)
def test_is_permitted_all_roles_except_display_enter_results(role: Role) -> None:
    assert is_permitted(role, "enter-result", (NEW_RESULT,)) == (role is not Role.DISPLAY)


def test_rights_of_the_jury_include_those_of_entry() -> None:
    assert RIGHTS[Role.ENTRY].commands < RIGHTS[Role.JURY].commands
    assert RIGHTS[Role.ENTRY].rows < RIGHTS[Role.JURY].rows


def test_is_permitted_changes_the_start_and_removes_no_game() -> None:
    swapped_game = replace(GAME, first=GAME.second, second=GAME.first, start=StartDecision.DRAWN)
    assert is_permitted(Role.ENTRY, "enter-result", (NEW_RESULT, RowChange("games", GAME.id, GAME, swapped_game)))
    for changed_game in (
        replace(GAME, table=9),
        replace(swapped_game, locked=True),
        replace(GAME, round=RoundId("x")),
    ):
        assert not is_permitted(Role.ENTRY, "enter-result", (RowChange("games", GAME.id, GAME, changed_game),))
    assert not is_permitted(Role.ENTRY, "enter-result", (RowChange("games", GAME.id, GAME, None),))
    assert not is_permitted(Role.ENTRY, "enter-result", (RowChange("games", GAME.id, None, GAME),))
    assert not is_permitted(Role.ENTRY, "enter-result", (RowChange("sheets", "x", None, GAME),))
