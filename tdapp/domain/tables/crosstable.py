"""The crosstable of a division: results by player and round, ordered by rank or number."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.standings import StandingRow, compute_standings
from tdapp.domain.tables.players import CardRow, list_cards
from tdapp.domain.tables.standings import deciding_columns
from tdapp.domain.tables.table import Column, Kind, Table, item_columns


class CrossRow(StandingRow, frozen=True):
    """A player's standing and results by round from the first on; None for no result."""

    rounds: tuple[CardRow | None, ...]
    opponents: tuple[int | None, ...]  # unique numbers


class MatrixRow(StandingRow, frozen=True):
    """A player's games against all opponents, in the order of the columns."""

    met: tuple[tuple[CardRow, ...], ...]


def matrix_table(index: Index, division: Division, after: int) -> Table[MatrixRow]:
    """Return the results of all players against all after a round. Column ids are player numbers."""
    ranked = compute_standings(index, division, after)
    places = {row.player.number: at for at, row in enumerate(ranked)}
    found = list_cards(index, division, after)
    rows = []
    for row in ranked:
        met: list[tuple[CardRow, ...]] = [()] * len(ranked)
        for card in found[row.player.id]:
            place = places.get(card.opponent_number or 0)
            if place is not None:
                met[place] = (*met[place], card)
        rows.append(MatrixRow(row, tuple(met)))
    against = item_columns(Kind.TEXT, "met", (str(row.player.number) for row in ranked))
    last = deciding_columns(index, division, after)
    return Table("matrix", (*_COLUMNS, *against, *last), tuple(rows))


def crosstable(index: Index, division: Division, after: int, *, by_number: bool = False) -> Table[CrossRow]:
    """Return the crosstable after a round, ordered by rank or player number."""
    ranked = compute_standings(index, division, after)
    found = list_cards(index, division, after)
    rows = []
    for row in ranked:
        own = {card.round: card for card in found[row.player.id]}
        rounds = tuple(own.get(number) for number in range(1, after + 1))
        met = tuple(card.opponent_number if card else None for card in rounds)
        rows.append(CrossRow(row, rounds, met))
    if by_number:
        rows.sort(key=lambda row: row.standing.player.number)
    by_round = item_columns(Kind.NUMBER, "opponents", (f"round_{number}" for number in range(1, after + 1)))
    return Table("crosstable", (*_COLUMNS, *by_round, *deciding_columns(index, division, after)), tuple(rows))


_COLUMNS: tuple[Column[Any], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("standing.listed_rank")),
    Column("number", Kind.NUMBER, attrgetter("standing.player.number")),
    Column("name", Kind.NAME, attrgetter("standing.player.name")),
)
