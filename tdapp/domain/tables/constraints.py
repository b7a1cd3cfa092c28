"""What is wished or ordered for two players, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Constraint, ConstraintKind, DivisionId, PlayerId
from tdapp.domain.tables.table import Column, Kind, Table, columns


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """Two players and what holds for them; `round` is the one in which they are to meet, None for every round."""

    key: str
    kind: ConstraintKind
    player: str
    other: str
    round: int | None
    why: str


def constraints_in(index: Index, division: DivisionId) -> tuple[Constraint, ...]:
    """Return what holds for pairs of a division: what never may be, what is ordered by round, what is wished."""
    players = index.tournament.players
    order = {ConstraintKind.NEVER: 0, ConstraintKind.TOGETHER: 1, ConstraintKind.APART: 2}

    def key(row: Constraint) -> tuple[int, int, int, int]:
        numbers = sorted((players[row.player].number, players[row.other].number))
        return order[row.kind], row.round or 0, numbers[0], numbers[1]

    rows = (row for row in index.tournament.constraints.values() if players[row.player].division == division)
    return tuple(sorted(rows, key=key))


def constraints(index: Index, division: DivisionId, player: PlayerId | None = None) -> Table[ConstraintRow]:
    """Return what holds for a division's pairs, or for those of one player."""
    names = index.tournament.players
    rows = (
        ConstraintRow(row.id, row.kind, names[row.player].name, names[row.other].name, row.round, row.why)
        for row in constraints_in(index, division)
        if player in {None, row.player, row.other}
    )
    return Table("constraints", _COLUMNS, tuple(rows))


_COLUMNS: tuple[Column[ConstraintRow], ...] = (
    Column("constraint", Kind.CODE, attrgetter("kind")),
    *columns(Kind.NAME, "player", "other"),
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("why", Kind.TEXT, attrgetter("why")),
)
