"""Tests of table groups, sessions, and players who need an accessible table."""

from __future__ import annotations

import pytest

from tdapp.domain.commands import (
    add_table_group,
    edit_player,
    edit_table_group,
    remove_division,
    remove_table_group,
    set_sessions,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.model import DivisionId, PlayerId, TableGroupId
from tdapp.domain.tournament import Tournament
from tests.pairing.random_states import A, make_tournament


def build_event_with_tables() -> Tournament:
    """Return a tournament. Its division has tables 1 to 10 of a hall."""
    return add_table_group(make_tournament(4), key="h", division=A, name=" Hall ", first=1, last=10)


def test_add_table_group_edit_and_remove() -> None:
    tournament = build_event_with_tables()
    assert tournament.table_groups[TableGroupId("h")].name == "Hall"
    edited_tournament = edit_table_group(tournament, group=TableGroupId("h"), last=12, accessible=True)
    row = edited_tournament.table_groups[TableGroupId("h")]
    assert (row.first, row.last, row.accessible) == (1, 12, True)
    assert not remove_table_group(edited_tournament, group=TableGroupId("h")).table_groups


@pytest.mark.parametrize(("first", "last", "code"), [(10, 12, "tables-taken"), (12, 11, "number-out-of-range")])
def test_add_table_group_refuses_invalid_tables(first: int, last: int, code: str) -> None:
    with pytest.raises(CommandError) as error:
        add_table_group(build_event_with_tables(), key="s", division=A, name="Stage", first=first, last=last)
    assert error.value.code == code


def test_edit_table_group_refuses_a_removed_group() -> None:
    with pytest.raises(CommandError, match="no-such-table-group"):
        edit_table_group(make_tournament(4), group=TableGroupId("h"), name="Hall")


def test_set_sessions_sorts_rounds_after_the_first() -> None:
    row = set_sessions(make_tournament(4), division=A, keep_tables=True, sessions=(9, 5, 9)).divisions[A]
    assert (row.keep_tables, row.sessions) == (True, (5, 9))
    with pytest.raises(CommandError, match="number-out-of-range"):
        set_sessions(make_tournament(4), division=A, keep_tables=True, sessions=(1,))


def test_edit_player_needs_an_accessible_table() -> None:
    players_with_needs = edit_player(make_tournament(4), player=PlayerId("p1"), needs_access=True)
    assert players_with_needs.players[PlayerId("p1")].needs_access
    assert (
        not edit_player(players_with_needs, player=PlayerId("p1"), needs_access=False)
        .players[PlayerId("p1")]
        .needs_access
    )


def test_remove_division_removes_its_table_groups() -> None:
    tournament = build_event_with_tables()
    empty_tournament = tournament.drop(*tournament.players.values())
    assert not remove_division(empty_tournament, division=DivisionId("a")).table_groups
