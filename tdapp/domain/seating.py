"""The numbers of the tables at which a division plays.

A division first uses its table groups (ranges of tables with a name). Then it uses higher numbers, at least
`Division.first_table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice

from tdapp.domain.entries import EventEntry
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, TableGroup


def list_tables_of_group(group: TableGroup) -> range:
    return range(group.first, group.last + 1)


def iterate_tables_in_order_of_use(
    groups: Sequence[TableGroup], accessible: Sequence[int], first_table: int
) -> Iterator[int]:
    """Yield the table numbers of a division in the order of use, without end.

    Ordinary table groups come first, then `accessible` tables, then higher numbers.
    """
    ordinary = [table for group in groups if not group.accessible for table in list_tables_of_group(group)]
    next_table = max([first_table - 1, *ordinary, *accessible]) + 1
    yield from ordinary
    yield from accessible
    yield from count(next_table)


def find_table_numbers_of_division(index: TournamentIndex, division: Division) -> frozenset[int]:
    """Return the tables in a division's table groups and newest round.

    If the active players need more tables, add higher numbers.
    """
    groups, players = index.table_groups(division.id), index.players(division.id)
    newest_games = [index.games(item.id) for item in index.rounds(division.id)[-1:]]

    def compute_tables() -> frozenset[int]:
        accessible = [table for group in groups if group.accessible for table in list_tables_of_group(group)]
        active_count = sum(not index.has_withdrawn(player.id) for player in players)
        needed = islice(
            iterate_tables_in_order_of_use(groups, accessible, division.first_table), max(active_count // 2, 1)
        )
        used_tables = (game.table for games in newest_games for game in games)
        return frozenset(
            {*needed, *used_tables, *(table for group in groups for table in list_tables_of_group(group))}
        )

    inputs = (division, groups, players, index.tournament.absences, *newest_games)
    return index.get_cached_value_or_compute(("tables in use", division.id), inputs, compute_tables)


def compare_tables_with_imported_event(
    imported_event: EventEntry, index: TournamentIndex
) -> Iterator[Mapping[str, object]]:
    """Yield the values of the message "tables-moved" for each division whose tables changed in the import."""
    for entry in imported_event.divisions:
        file_tables = {game.table for item in entry.rounds for game in item.games if game.table is not None}
        rounds = index.rounds(index.get_division(entry.code).id)
        new_tables = {game.table for item in rounds for game in index.games(item.id)}
        if file_tables and file_tables != new_tables:
            yield {"division": entry.code, "own": sorted(file_tables), "made": sorted(new_tables)}
