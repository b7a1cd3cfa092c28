"""The crosstable of a division: each player's rounds side by side, in the order of the standings or by number."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.standings import StandingRow, standings
from tdapp.domain.tables.players import CardRow, cards
from tdapp.domain.tables.table import Column, Kind, Table


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
    return Table("matrix", (*_FIRST, *map(_against, range(1, len(rows) + 1))), tuple(rows))


def _against(number: int) -> Column[MatrixRow]:
    return Column(str(number), Kind.TEXT, lambda row: row.met[number - 1])


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
    return Table("crosstable", (*_COLUMNS, *(_round(number) for number in range(1, after + 1))), tuple(rows))


def _round(number: int) -> Column[CrossRow]:
    return Column(f"round_{number}", Kind.NUMBER, lambda row: row.opponents[number - 1])


_COLUMNS: tuple[Column[CrossRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("standing.rank")),
    Column("number", Kind.NUMBER, attrgetter("standing.player.number")),
    Column("name", Kind.NAME, attrgetter("standing.player.name")),
    Column("wins", Kind.POINTS, attrgetter("standing.match_points")),
    Column("spread", Kind.SIGNED, attrgetter("standing.spread")),
)
_FIRST: tuple[Column[MatrixRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("standing.rank")),
    Column("name", Kind.NAME, attrgetter("standing.player.name")),
)
