"""What a division's games come to: the best of each kind, averages of all, and each player's averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from types import MappingProxyType

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import Award, awards
from tdapp.domain.records import RoundRecord, records
from tdapp.domain.ruleset import Worth
from tdapp.domain.standings import Standing, standings
from tdapp.domain.tables.distribution import mean
from tdapp.domain.tables.table import Column, Kind, Table

_BEST = (PrizeKind.HIGH_GAME, PrizeKind.HIGH_PLAY, PrizeKind.BIG_WIN, PrizeKind.HIGH_LOSS)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of all games that were played out; `value` is an average in points, a share or a count."""

    key: str
    value: Fraction | None


@dataclass(frozen=True, slots=True)
class AverageRow:
    """A player's averages by game that was played out, None before the first; `highest` is the highest score."""

    standing: Standing
    games: int
    points: Fraction | None
    against: Fraction | None
    spread: Fraction | None
    highest: int | None

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.standing.key


def best(index: Index, division: Division, after: int | None = None) -> tuple[Award, ...]:
    """Return who has the high game, the highest play, the biggest win and the high loss of a division."""
    asked = {
        PrizeId(kind.value): Prize(PrizeId(kind.value), division.id, place, kind)
        for place, kind in enumerate(_BEST)
    }
    return awards(Index(replace(index.tournament, prizes=MappingProxyType(asked))), division, after)


def figures(index: Index, division: Division, after: int | None = None) -> tuple[Figure, ...]:
    """Return how many games there were, what they averaged and how often the starter won."""
    sides = [one for own in records(index, division, after).values() for one in own if one.played]
    wins = [one for one in sides if one.worth is Worth.WIN]
    known = [one for one in sides if one.started]
    won = sum((_SHARE.get(one.worth, Fraction(0)) for one in known), Fraction(0))
    return (
        Figure("games-played", Fraction(len(sides), 2)),
        Figure("average-score", mean(one.points for one in sides)),
        Figure("average-win", mean(one.points for one in wins)),
        Figure("average-loss", mean(one.opponent_points for one in wins)),
        Figure("average-margin", mean(abs(one.margin) for one in sides)),
        Figure("starts-won", won / len(known) if known else None),
    )


def averages(index: Index, division: Division, after: int | None = None) -> Table[AverageRow]:
    """Return the averages of a division's players in the order of the standings."""
    found = records(index, division, after)
    rows = (
        _averages(row, [one for one in found[row.player.id] if one.played])
        for row in standings(index, division, after)
    )
    return Table("averages", _COLUMNS, tuple(rows))


def _averages(row: Standing, played: Sequence[RoundRecord]) -> AverageRow:
    return AverageRow(
        standing=row,
        games=len(played),
        points=mean(one.points for one in played),
        against=mean(one.opponent_points for one in played),
        spread=mean(one.margin for one in played),
        highest=max((one.points for one in played if one.points is not None), default=None),
    )


_SHARE: MappingProxyType[Worth | None, Fraction] = MappingProxyType(
    {Worth.WIN: Fraction(1), Worth.DRAW: Fraction(1, 2)}
)
_COLUMNS: tuple[Column[AverageRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("standing.rank")),
    Column("name", Kind.NAME, attrgetter("standing.player.name")),
    Column("games", Kind.NUMBER, attrgetter("games")),
    Column("average", Kind.POINTS, attrgetter("points")),
    Column("average_against", Kind.POINTS, attrgetter("against")),
    Column("average_spread", Kind.SIGNED, attrgetter("spread")),
    Column("highest", Kind.NUMBER, attrgetter("highest")),
)
