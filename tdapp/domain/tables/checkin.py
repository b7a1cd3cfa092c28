"""Who has arrived for the coming round, who is missing, and who was not to come.

Whoever came late and has played since is there, though nobody has checked him in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.latecomers import came_late
from tdapp.domain.model import ByeKind, Division, PlayerId
from tdapp.domain.tables.table import Column, Kind, Table


class CheckInState(StrEnum):
    """How a player stands to the round that people check in for."""

    PRESENT = "present"
    MISSING = "missing"  # expected, and not there yet
    AWAY = "away"  # not to play in this round, whether there or not


@dataclass(frozen=True, slots=True)
class ArrivalRow:
    """A player as one checks in; `kind` is what the round counts as for who is away, None for nothing."""

    key: str
    number: int
    name: str
    club: str
    arrival: CheckInState
    checked_in: bool
    kind: ByeKind | None = None


@dataclass(frozen=True, slots=True)
class Turnout:
    """Who is there and who is not, by number."""

    present: tuple[PlayerId, ...]
    missing: tuple[PlayerId, ...]
    away: tuple[PlayerId, ...]


def coming(index: Index, division: Division) -> int | None:
    """Return the number of the round that people check in for, None when all planned ones are published."""
    number = index.latest(division.id) + 1
    return number if number <= index.planned_rounds(division.id) else None


def arrivals(index: Index, division: Division, number: int) -> Table[ArrivalRow]:
    """Return a division's players as they stand to round `number`, without those who have left for good."""
    rows, late = [], came_late(index, division.id)
    for player in index.players(division.id):
        absence = index.absence(player.id, number)
        if absence is not None and absence.last_round is None:
            continue
        there = player.checked_in or player.id in late
        arrival = CheckInState.PRESENT if there else CheckInState.MISSING
        rows.append(
            ArrivalRow(
                key=player.id,
                number=player.number,
                name=player.name,
                club=player.club,
                arrival=arrival if absence is None else CheckInState.AWAY,
                checked_in=player.checked_in,
                kind=absence.kind if absence else None,
            )
        )
    return Table("arrivals", _COLUMNS, tuple(rows))


def turnout(index: Index, division: Division, number: int) -> Turnout:
    """Return who is present, missing and away from round `number`."""
    rows = arrivals(index, division, number).rows
    present, missing, away = (
        tuple(PlayerId(row.key) for row in rows if row.arrival is one) for one in CheckInState
    )
    return Turnout(present, missing, away)


_COLUMNS: tuple[Column[ArrivalRow], ...] = (
    Column("arrival", Kind.CODE, attrgetter("arrival")),
    Column("number", Kind.NUMBER, attrgetter("number")),
    Column("name", Kind.NAME, attrgetter("name")),
    Column("club", Kind.TEXT, attrgetter("club")),
    Column("counts_as", Kind.CODE, attrgetter("kind")),
)
