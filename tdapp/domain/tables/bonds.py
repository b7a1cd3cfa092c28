"""What is wished or ordered for two players, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Bond, DivisionId, PlayerId, Restriction
from tdapp.domain.tables.table import Column, Kind, Table


@dataclass(frozen=True, slots=True)
class BondRow:
    """Two players and what holds for them; `round` is the one in which they are to meet, None for every round."""

    key: str
    bond: Bond
    player: str
    other: str
    round: int | None
    why: str


def of_division(index: Index, division: DivisionId) -> tuple[Restriction, ...]:
    """Return what holds for pairs of a division: what never may be, what is ordered by round, what is wished."""
    players = index.tournament.players
    order = {Bond.NEVER: 0, Bond.TOGETHER: 1, Bond.APART: 2}

    def key(row: Restriction) -> tuple[int, int, int, int]:
        numbers = sorted((players[row.player].number, players[row.other].number))
        return order[row.bond], row.round or 0, numbers[0], numbers[1]

    rows = (row for row in index.tournament.restrictions.values() if players[row.player].division == division)
    return tuple(sorted(rows, key=key))


def bonds(index: Index, division: DivisionId, player: PlayerId | None = None) -> Table[BondRow]:
    """Return what holds for a division's pairs, or for those of one player."""
    names = index.tournament.players
    rows = (
        BondRow(row.id, row.bond, names[row.player].name, names[row.other].name, row.round, row.why)
        for row in of_division(index, division)
        if player in {None, row.player, row.other}
    )
    return Table("bonds", _COLUMNS, tuple(rows))


_COLUMNS: tuple[Column[BondRow], ...] = (
    Column("bond", Kind.CODE, attrgetter("bond")),
    Column("player", Kind.NAME, attrgetter("player")),
    Column("other", Kind.NAME, attrgetter("other")),
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("why", Kind.TEXT, attrgetter("why")),
)
