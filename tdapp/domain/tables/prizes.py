"""The prizes of a division as a list, each with who gets it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Prize, PrizeKind
from tdapp.domain.prizes import LUCK, Award, awards
from tdapp.domain.tables.table import Column, Kind, Table

# The kinds of which a place is given; of a prize by hand there is one.
_PLACED = frozenset(PrizeKind) - {PrizeKind.HAND}


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """One prize; `number` is its place in the list."""

    number: int
    award: Award

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.prize.id

    @property
    def prize(self) -> Prize:
        """What is given."""
        return self.award.prize

    @property
    def place(self) -> int | None:
        """The place it is for."""
        return self.prize.place if self.prize.kind in _PLACED else None

    @property
    def games(self) -> int | None:
        """How many margins are added, None where none are."""
        return self.prize.games if self.prize.kind in LUCK else None

    @property
    def winners(self) -> str:
        """The names of those who get it."""
        return "; ".join(winner.player.name for winner in self.award.winners)

    @property
    def each(self) -> int | None:
        """What the first of them gets: the others get as much, or a cent less."""
        winners = self.award.winners
        return winners[0].share if winners and self.prize.amount else None


def table(index: Index, division: Division, after: int | None = None) -> Table[PrizeRow]:
    """Return a division's prizes with their winners after a round, in the order of the list."""
    rows = tuple(PrizeRow(number, award) for number, award in enumerate(awards(index, division, after), 1))
    return Table("prizes", _COLUMNS, rows)


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
