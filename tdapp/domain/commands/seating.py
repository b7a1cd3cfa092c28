"""Commands on where a division sits: groups of tables, sessions, tables kept."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import (
    HIGHEST_TABLE,
    KEEP,
    LAST_ROUND,
    Unchanged,
    command,
    found,
    given,
    required,
    within,
)
from tdapp.domain.errors import RuleViolation
from tdapp.domain.mark import N_
from tdapp.domain.model import DivisionId, TableGroup, TableGroupId
from tdapp.domain.tournament import Tournament


@command(N_("Division {division}: sessions and tables kept changed"))
def set_sessions(
    tournament: Tournament, *, division: DivisionId, keep_tables: bool, sessions: tuple[int, ...] = ()
) -> Tournament:
    """Let players keep their tables within a session, or not; `sessions` are the rounds from 2 that begin one."""
    row = found(tournament.divisions, division, "no-such-division")
    for number in sessions:
        within(number, "sessions", low=2, high=LAST_ROUND)
    return tournament.put(replace(row, keep_tables=keep_tables, sessions=tuple(sorted(set(sessions)))))


@command(N_("Tables {first}–{last} named {name}"))
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


@command(N_("Tables {group} changed"))
def edit_table_group(
    tournament: Tournament,
    *,
    group: TableGroupId,
    name: str | Unchanged = KEEP,
    first: int | Unchanged = KEEP,
    last: int | Unchanged = KEEP,
    accessible: bool | Unchanged = KEEP,
) -> Tournament:
    """Change a group of tables."""
    row = found(tournament.table_groups, group, "no-such-table-group")
    fields = given(name=name, first=first, last=last, accessible=accessible)
    return tournament.put(_sound(tournament, replace(row, **fields)))


@command(N_("Tables {group} no longer a group"))
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
