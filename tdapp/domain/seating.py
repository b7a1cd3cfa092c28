"""The numbers of the tables at which a division plays.

First come the table groups (ranges of tables with a name). The tables from the division's first table follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice

from tdapp.domain.entries import EventEntry
from tdapp.domain.index import Index
from tdapp.domain.model import Division, TableGroup


def list_tables_of_group(room: TableGroup) -> range:
    return range(room.first, room.last + 1)


def iterate_tables_in_order_of_use(
    groups: Sequence[TableGroup], accessible: Sequence[int], first_table: int
) -> Iterator[int]:
    """Yield the table numbers of a division in the order of use, without end.

    The order is ordinary table groups, `accessible` tables, then tables with higher numbers.
    """
    ordinary = [table for room in groups if not room.accessible for table in list_tables_of_group(room)]
    behind = max([first_table - 1, *ordinary, *accessible]) + 1
    yield from ordinary
    yield from accessible
    yield from count(behind)


def find_tables_in_use(index: Index, division: Division) -> frozenset[int]:
    """Return the tables of table groups, those that the active players need, and those of the newest round."""
    rooms, players = index.table_groups(division.id), index.players(division.id)
    newest = [index.games(item.id) for item in index.rounds(division.id)[-1:]]

    def compute() -> frozenset[int]:
        accessible = [table for room in rooms if room.accessible for table in list_tables_of_group(room)]
        here = sum(not index.has_withdrawn(player.id) for player in players)
        needed = islice(iterate_tables_in_order_of_use(rooms, accessible, division.first_table), max(here // 2, 1))
        taken = (game.table for games in newest for game in games)
        return frozenset({*needed, *taken, *(table for room in rooms for table in list_tables_of_group(room))})

    inputs = (division, rooms, players, index.tournament.absences, *newest)
    return index.cache_by_inputs(("tables in use", division.id), inputs, compute)


def find_divisions_with_changed_tables(event: EventEntry, after: Index) -> Iterator[Mapping[str, object]]:
    """Yield facts about each division whose tables differ from those in the imported file."""
    for entry in event.divisions:
        own = {game.table for item in entry.rounds for game in item.games if game.table is not None}
        rounds = after.rounds(after.division(entry.code).id)
        made = {game.table for item in rounds for game in after.games(item.id)}
        if own and own != made:
            yield {"division": entry.code, "own": sorted(own), "made": sorted(made)}
