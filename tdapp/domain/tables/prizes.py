"""The prizes of a division with their winners."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, PlayerId, Prize, PrizeKind
from tdapp.domain.prizes import LUCK, Award, compute_awards
from tdapp.domain.publishing import list_distinct_players
from tdapp.domain.tables.table import Column, Kind, Table


class PrizeRow(Struct, frozen=True):
    """One prize; `number` is its position in the list.

    `place` and `games` (the number of margins added) are None if its kind has none. `winners` are names.
    `each` is the amount of the first winner; others get the same or a cent less.
    """

    key: str
    number: int
    prize: Prize
    award: Award
    place: int | None
    games: int | None
    winners: str
    each: int | None


def prize_table(index: Index, division: Division, after: int | None = None) -> Table[PrizeRow]:
    """Return a division's prizes with their winners after a round, in the order of the list."""
    names = list_distinct_players(index)
    awards = compute_awards(index, division, after)
    rows = tuple(_prize_row(number, award, names) for number, award in enumerate(awards, 1))
    return Table("prizes", _COLUMNS, rows)


def _prize_row(number: int, award: Award, names: Mapping[PlayerId, Player]) -> PrizeRow:
    prize, winners = award.prize, award.winners
    return PrizeRow(
        key=prize.id,
        number=number,
        prize=prize,
        award=award,
        place=None if prize.kind is PrizeKind.HAND else prize.place,
        games=prize.games if prize.kind in LUCK else None,
        winners="; ".join(names[winner.player.id].name for winner in winners),
        each=winners[0].share if winners and prize.amount else None,
    )


_COLUMNS: tuple[Column[PrizeRow], ...] = (
    Column("kind", Kind.CODE, attrgetter("prize.kind"), editable=True),
    Column("prize_place", Kind.NUMBER, attrgetter("place"), editable=True),
    Column("category", Kind.TEXT, attrgetter("prize.category"), editable=True),
    Column("prize_games", Kind.NUMBER, attrgetter("games"), editable=True),
    Column("amount", Kind.MONEY, attrgetter("prize.amount"), editable=True),
    Column("text", Kind.TEXT, attrgetter("prize.text"), editable=True),
    Column("winners", Kind.NAME, attrgetter("winners")),
    Column("each", Kind.MONEY, attrgetter("each")),
)
