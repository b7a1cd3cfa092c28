"""Who has started, met again and waited how often, as a table; and how far from even each number is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Division, Player
from tdapp.domain.records import Record, records
from tdapp.domain.standings import standings
from tdapp.domain.tables.table import Column, Kind, Table, columns

# Where the tint is deepest.
_FAR: Mapping[str, int] = {"start_balance": 3, "in_a_row": 4, "repeats": 3, "byes": 2, "absences": 3}


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """One player's balance of starts, repeats and byes.

    `balance` is starts minus replies; `in_a_row` how often the player has started (above 0) or replied (below 0)
    in the last games running; `repeats` the games against somebody met before; `byes` those that are worth a win,
    forfeit wins not among them; `absences` all other rounds without a game.
    """

    key: str
    rank: int
    player: int
    name: str
    starts: int
    replies: int
    balance: int
    in_a_row: int
    repeats: int
    byes: int
    absences: int


def balance(index: Index, division: Division, after: int | None = None) -> Table[BalanceRow]:
    """Return every listed player's balance after a round (None: all published), in rank order."""
    known = records(index, division, after)
    rows = (
        _row(standing.player, standing.rank, known[standing.player.id])
        for standing in standings(index, division, after)
    )
    return Table("balance", _COLUMNS, tuple(rows))


def unevenness(row: BalanceRow, column: str) -> float:
    """Return how far a cell is from even, from 0 to 1; a balance of one start or reply is even."""
    if column not in _FAR:
        return 0.0
    value = abs(int(row.balance if column == "start_balance" else getattr(row, column)))
    even = 1 if column in {"start_balance", "in_a_row"} else 0
    return max(0, min(value, _FAR[column]) - even) / (_FAR[column] - even)


def _row(player: Player, rank: int, record: Record) -> BalanceRow:
    roles = [entry.started for entry in record if entry.started is not None]
    met = Counter(entry.opponent for entry in record if entry.opponent is not None)
    byes = [entry.bye for entry in record if entry.bye is not None]
    last = len(list(takewhile(lambda started: started == roles[-1], reversed(roles))))
    return BalanceRow(
        key=player.id,
        rank=rank,
        player=player.number,
        name=player.name,
        starts=sum(roles),
        replies=len(roles) - sum(roles),
        balance=2 * sum(roles) - len(roles),
        in_a_row=last if roles and roles[-1] else -last,
        repeats=sum(met.values()) - len(met),
        byes=byes.count(ByeKind.BYE),
        absences=len(byes) - byes.count(ByeKind.BYE),
    )


_COLUMNS: tuple[Column[BalanceRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("rank")),
    Column("number", Kind.NUMBER, attrgetter("player")),
    Column("name", Kind.NAME, attrgetter("name")),
    *columns(Kind.NUMBER, "starts", "replies"),
    Column("start_balance", Kind.SIGNED, attrgetter("balance")),
    Column("in_a_row", Kind.SIGNED, attrgetter("in_a_row")),
    *columns(Kind.NUMBER, "repeats", "byes", "absences"),
)
