"""Commands on where a division sits: groups of tables, sessions, tables kept."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import HIGHEST_TABLE, LAST_ROUND, command, found, given, required, within
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import DivisionId, TableGroup, TableGroupId
from tdapp.domain.tournament import Tournament


@command
def set_sessions(
    tournament: Tournament, *, division: DivisionId, keep_tables: bool, sessions: tuple[int, ...] = ()
) -> Tournament:
    """Let players keep their tables within a session, or not; `sessions` are the rounds from 2 that begin one."""
    row = found(tournament.divisions, division, "no-such-division")
    for number in sessions:
        within(number, "sessions", low=2, high=LAST_ROUND)
    return tournament.put(replace(row, keep_tables=keep_tables, sessions=tuple(sorted(set(sessions)))))


@command
def add_table_group(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    name: str,
    first: int,
    last: int,
    accessible: bool = False,
) -> Tournament:
    """Name a run of tables; the division then sits at its groups' tables in the order of their numbers."""
    found(tournament.divisions, division, "no-such-division")
    group = TableGroup(TableGroupId(key), division, name, first, last, accessible)
    return tournament.put(_sound(tournament, group))


@command
def edit_table_group(
    tournament: Tournament,
    *,
    group: TableGroupId,
    name: str | None = None,
    first: int | None = None,
    last: int | None = None,
    accessible: bool | None = None,
) -> Tournament:
    """Change a group of tables; None leaves a field as it is."""
    row = found(tournament.table_groups, group, "no-such-table-group")
    fields = given(name=name, first=first, last=last, accessible=accessible)
    return tournament.put(_sound(tournament, replace(row, **fields)))


@command
def remove_table_group(tournament: Tournament, *, group: TableGroupId) -> Tournament:
    """Take a group of tables away; games already paired stay where they are."""
    return tournament.drop(found(tournament.table_groups, group, "no-such-table-group"))


def _sound(tournament: Tournament, row: TableGroup) -> TableGroup:
    """Return the group with its name trimmed; raise RuleViolation where it is upside down or shares a table."""
    within(row.first, "first", low=1, high=HIGHEST_TABLE)
    within(row.last, "last", low=row.first, high=HIGHEST_TABLE)
    for other in tournament.table_groups.values():
        if other.id != row.id and other.first <= row.last and row.first <= other.last:
            raise RuleViolation("tables-taken", name=other.name, first=other.first, last=other.last)
    return replace(row, name=required(row.name, "name"))
