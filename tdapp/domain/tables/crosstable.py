"""The crosstable of a division: each player's rounds side by side, in the order of the standings or by number."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.standings import StandingRow, standings
from tdapp.domain.tables.players import CardRow, cards
from tdapp.domain.tables.table import Column, Kind, Table, item_columns


@dataclass(frozen=True, slots=True)
class CrossRow(StandingRow):
    """A player's standing and what each round from the first on brought, None for a round without anything."""

    rounds: tuple[CardRow | None, ...]
    opponents: tuple[int | None, ...]  # their ranks


@dataclass(frozen=True, slots=True)
class MatrixRow(StandingRow):
    """A player's games against everybody, in the order of the rows; this one is number `place`, from 1."""

    place: int
    met: tuple[tuple[CardRow, ...], ...]


def matrix(index: Index, division: Division, after: int) -> Table[MatrixRow]:
    """Return everybody against everybody after a round; the columns have the rows' places for ids, from 1."""
    ranked = standings(index, division, after)
    places = {row.player.number: place for place, row in enumerate(ranked)}
    found = cards(index, division, after)
    rows = []
    for own, row in enumerate(ranked, 1):
        met: list[tuple[CardRow, ...]] = [()] * len(ranked)
        for card in found[row.player.id]:
            place = places.get(card.opponent_number or 0)
            if place is not None:
                met[place] = (*met[place], card)
        rows.append(MatrixRow(row, own, tuple(met)))
    against = item_columns(Kind.TEXT, "met", map(str, range(1, len(rows) + 1)))
    return Table("matrix", (_RANK, _NAME, *against), tuple(rows))


def table(index: Index, division: Division, after: int, *, by_number: bool = False) -> Table[CrossRow]:
    """Return the crosstable after a round, in the order of the standings or of the players' numbers."""
    ranked = standings(index, division, after)
    ranks = {row.player.number: row.rank for row in ranked}
    found = cards(index, division, after)
    rows = []
    for row in ranked:
        own = {card.round: card for card in found[row.player.id]}
        rounds = tuple(own.get(number) for number in range(1, after + 1))
        met = tuple(ranks.get(card.opponent_number or 0) if card else None for card in rounds)
        rows.append(CrossRow(row, rounds, met))
    if by_number:
        rows.sort(key=lambda row: row.standing.player.number)
    by_round = item_columns(Kind.NUMBER, "opponents", (f"round_{number}" for number in range(1, after + 1)))
    return Table("crosstable", (*_COLUMNS, *by_round), tuple(rows))


_RANK: Column[StandingRow] = Column("rank", Kind.NUMBER, attrgetter("standing.rank"))
_NAME: Column[StandingRow] = Column("name", Kind.NAME, attrgetter("standing.player.name"))
_COLUMNS: tuple[Column[Any], ...] = (
    _RANK,
    Column("number", Kind.NUMBER, attrgetter("standing.player.number")),
    _NAME,
    Column("wins", Kind.POINTS, attrgetter("standing.match_points")),
    Column("spread", Kind.SIGNED, attrgetter("standing.spread")),
)
