"""Statistics of a division."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Division, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import AwardedPrize, compute_awards
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Worth
from tdapp.domain.standings import Standing, StandingRow, compute_standings
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_attribute_columns, make_tuple_item_columns

_BEST = (PrizeKind.HIGH_GAME, PrizeKind.HIGH_PLAY, PrizeKind.BIG_WIN, PrizeKind.HIGH_LOSS)


class GameStatistic(Struct, frozen=True):
    """A number about all played games."""

    key: str
    value: Fraction | None  # an average in points, a share from 0 to 1, or a count


class AverageRow(StandingRow, frozen=True):
    """A player's averages per played game, None before the first game."""

    games: int
    points: Fraction | None
    against: Fraction | None
    spread: Fraction | None
    highest: int | None


def find_best_games(index: Index, division: Division, after: int | None = None) -> tuple[AwardedPrize, ...]:
    asked = {
        PrizeId(kind.value): Prize(PrizeId(kind.value), division.id, at, kind) for at, kind in enumerate(_BEST)
    }
    return compute_awards(Index(replace(index.tournament, prizes=MappingProxyType(asked))), division, after)


def list_game_statistics(index: Index, division: Division, after: int | None = None) -> tuple[GameStatistic, ...]:
    sides = _list_played_rounds(index, division, after)
    groups = len({(one.round, one.table) for one in sides if one.opponent is None})
    wins = [one for one in sides if one.worth is Worth.WIN and one.met_players]
    known = [one for one in sides if one.started]
    won = sum((_SHARE.get(one.worth, Fraction(0)) for one in known), Fraction(0))
    return (
        GameStatistic("games-played", Fraction(sum(one.opponent is not None for one in sides), 2) + groups),
        GameStatistic("average-score", compute_rounded_mean(one.points for one in sides)),
        GameStatistic("average-win", compute_rounded_mean(one.points for one in wins)),
        GameStatistic("average-loss", compute_rounded_mean(one.opponent_points for one in wins)),
        GameStatistic("average-margin", compute_rounded_mean(abs(one.margin) for one in sides if one.met_players)),
        GameStatistic("starts-won", won / len(known) if known else None),
    )


def make_average_table(index: Index, division: Division, after: int | None = None) -> Table[AverageRow]:
    found = compute_records(index, division, after)
    rows = []
    for standing in compute_standings(index, division, after):
        played = [one for one in found[standing.player.id] if one.played]
        points = [one.points for one in played if one.points is not None]
        against, spread = (
            compute_rounded_mean(one.opponent_points for one in played),
            compute_rounded_mean(one.margin for one in played if one.met_players),
        )
        highest = max(points, default=None)
        rows.append(AverageRow(standing, len(played), compute_rounded_mean(points), against, spread, highest))
    return Table("averages", _COLUMNS, tuple(rows))


_SHARE: Mapping[Worth | None, Fraction] = {Worth.WIN: Fraction(1), Worth.DRAW: Fraction(1, 2)}
_RANK: Column[StandingRow] = Column("rank", ColumnKind.NUMBER, attrgetter("standing.listed_rank"))
_NAME: Column[StandingRow] = Column("name", ColumnKind.NAME, attrgetter("standing.player.name"))
_COLUMNS: tuple[Column[Any], ...] = (
    _RANK,
    _NAME,
    Column("games", ColumnKind.NUMBER, attrgetter("games")),
    Column("average", ColumnKind.AVERAGE, attrgetter("points")),
    Column("average_against", ColumnKind.AVERAGE, attrgetter("against")),
    Column("average_spread", ColumnKind.SIGNED, attrgetter("spread")),
    Column("highest", ColumnKind.NUMBER, attrgetter("highest")),
)


class RankHistoryRow(StandingRow, frozen=True):
    """A player's rank and match points after each round."""

    places: tuple[int | None, ...]  # rank after each round, None: not listed
    points: tuple[Fraction | None, ...]  # match points after each round, None: not listed


def compute_rank_history(
    index: Index, division: Division, after: int, *, tick: Callable[[int, int], None] | None = None
) -> tuple[RankHistoryRow, ...]:
    found: dict[str, list[Standing | None]] = {}
    ranked: tuple[Standing, ...] = ()
    for number in range(1, after + 1):
        ranked = compute_standings(index, division, number)
        rows = {row.key: row for row in ranked}
        for key in rows.keys() - found.keys():
            found[key] = [None] * (number - 1)
        for key, own in found.items():
            own.append(rows.get(key))
        if tick is not None:
            tick(number, after)
    return tuple(
        RankHistoryRow(
            row,
            tuple(one.listed_rank if one else None for one in found[row.key]),
            tuple(one.match_points if one else None for one in found[row.key]),
        )
        for row in ranked
    )


def make_rank_history_table(rows: tuple[RankHistoryRow, ...], *, points: bool = False) -> Table[RankHistoryRow]:
    rounds = len(rows[0].places) if rows else 0
    kind, field = (ColumnKind.POINTS, "points") if points else (ColumnKind.NUMBER, "places")
    numbers = map(str, range(1, rounds + 1))
    return Table("course", (_RANK, _NAME, *make_tuple_item_columns(kind, field, numbers)), rows)


WIDTHS = (5, 10, 20, 25, 50, 100, 200, 500)  # bin width in points
MOST_BINS = 16


class DistributionBin(Struct, frozen=True):
    """The number of values in a range of points."""

    key: str
    low: int  # points, included
    high: int  # points, included
    count: int


class Distribution(Struct, frozen=True):
    """A distribution of values over ranges of points."""

    bins: tuple[DistributionBin, ...]
    count: int
    low: int | None
    high: int | None
    mean: Fraction | None  # rounded to tenths
    median: Fraction | None

    @property
    def fullest(self) -> DistributionBin | None:
        return max(self.bins, key=lambda one: one.count, default=None)


def compute_score_distribution(index: Index, division: Division, after: int | None = None) -> Distribution:
    return _make_distribution(
        [entry.points for entry in _list_played_rounds(index, division, after) if entry.points is not None]
    )


def compute_margin_distribution(index: Index, division: Division, after: int | None = None) -> Distribution:
    sides = _list_played_rounds(index, division, after)
    found = {entry.game: abs(entry.margin) for entry in sides if entry.game is not None}
    return _make_distribution(list(found.values()))


def compute_rounded_mean(numbers: Iterable[int | None]) -> Fraction | None:
    """Return the mean, rounded half up to tenths."""
    known = [number for number in numbers if number is not None]
    return Fraction((20 * sum(known) + len(known)) // (2 * len(known)), 10) if known else None


def make_distribution_table(distribution: Distribution) -> Table[DistributionBin]:
    return Table("distribution", _BIN_COLUMNS, distribution.bins)


def _list_played_rounds(index: Index, division: Division, after: int | None) -> list[RoundRecord]:
    return [one for own in compute_records(index, division, after).values() for one in own if one.played]


def _make_distribution(values: Sequence[int]) -> Distribution:
    if not values:
        return Distribution((), 0, None, None, None, None)
    low, high = min(values), max(values)
    width = next((one for one in WIDTHS if high // one - low // one < MOST_BINS), WIDTHS[-1])
    counts = Counter(value // width for value in values)
    bins = tuple(
        DistributionBin(str(start), start, start + width - 1, counts[start // width])
        for start in range(low // width * width, high + 1, width)
    )
    ordered, half = sorted(values), len(values) // 2
    middle = ordered[half] if len(values) % 2 else Fraction(ordered[half - 1] + ordered[half], 2)
    return Distribution(bins, len(values), low, high, compute_rounded_mean(values), Fraction(middle))


_BIN_COLUMNS: tuple[Column[DistributionBin], ...] = (
    Column("from_points", ColumnKind.NUMBER, attrgetter("low")),
    Column("to_points", ColumnKind.NUMBER, attrgetter("high")),
    Column("how_many", ColumnKind.NUMBER, attrgetter("count")),
)


# Values with the strongest tint.
_FAR: Mapping[str, int] = {"start_balance": 3, "in_a_row": 4, "repeats": 3, "byes": 2, "absences": 3}


class BalanceRow(StandingRow, frozen=True):
    """A player's numbers of starts, repeated pairings and byes, which show how evenly they are distributed."""

    starts: int
    replies: int
    balance: int  # starts minus replies
    in_a_row: int  # latest consecutive starts (positive) or replies (negative)
    repeats: int
    byes: int  # unplayed rounds worth a win
    absences: int  # all other unplayed rounds


def make_balance_table(index: Index, division: Division, after: int | None = None) -> Table[BalanceRow]:
    known = compute_records(index, division, after)
    rows = tuple(
        _make_balance_row(standing, known[standing.player.id])
        for standing in compute_standings(index, division, after)
    )
    return Table("balance", _BALANCE_COLUMNS, rows)


def compute_unevenness(row: BalanceRow, column: str) -> float:
    """Return how uneven a value in a column is, from 0 (even) to 1. A difference of one start counts as even."""
    if column not in _FAR:
        return 0.0
    value = abs(int(row.balance if column == "start_balance" else getattr(row, column)))
    even = 1 if column in {"start_balance", "in_a_row"} else 0
    return max(0, min(value, _FAR[column]) - even) / (_FAR[column] - even)


def _make_balance_row(standing: Standing, record: Record) -> BalanceRow:
    roles = [entry.started for entry in record if entry.started is not None]
    met = Counter(entry.opponent for entry in record if entry.opponent is not None)
    byes = [entry.bye for entry in record if entry.bye is not None]
    last = len(list(takewhile(lambda started: started == roles[-1], reversed(roles))))
    return BalanceRow(
        standing,
        starts=sum(roles),
        replies=len(roles) - sum(roles),
        balance=2 * sum(roles) - len(roles),
        in_a_row=last if roles and roles[-1] else -last,
        repeats=sum(met.values()) - len(met),
        byes=byes.count(ByeKind.BYE),
        absences=len(byes) - byes.count(ByeKind.BYE),
    )


_BALANCE_COLUMNS: tuple[Column[Any], ...] = (
    _RANK,
    Column("number", ColumnKind.NUMBER, attrgetter("standing.player.number")),
    _NAME,
    *make_attribute_columns(ColumnKind.NUMBER, "starts", "replies"),
    Column("start_balance", ColumnKind.SIGNED, attrgetter("balance")),
    Column("in_a_row", ColumnKind.SIGNED, attrgetter("in_a_row")),
    *make_attribute_columns(ColumnKind.NUMBER, "repeats", "byes", "absences"),
)
