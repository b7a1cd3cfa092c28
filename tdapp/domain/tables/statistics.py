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

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division, Prize, PrizeId, PrizeKind
from tdapp.domain.prizes import AwardedPrize, compute_awarded_prizes
from tdapp.domain.records import Record, RoundRecord, compute_records
from tdapp.domain.ruleset import Outcome
from tdapp.domain.standings import RankedPlayerRow, Standing, compute_standings
from tdapp.domain.tables.table import (
    Column,
    ColumnKind,
    Table,
    make_column_for_each_tuple_item,
    make_columns_from_row_attributes,
)

_BEST_GAME_KINDS = (PrizeKind.HIGH_GAME, PrizeKind.HIGH_PLAY, PrizeKind.BIG_WIN, PrizeKind.HIGH_LOSS)


class AllGamesStatistic(Struct, frozen=True):
    """A number about all played games."""

    key: str
    value: Fraction | None  # an average in points, a share from 0 to 1, or a count


class PlayerAveragesRow(RankedPlayerRow, frozen=True):
    """A player's averages per played game, None before the first game."""

    games: int
    points: Fraction | None
    opponent_points: Fraction | None
    spread: Fraction | None
    highest: int | None


def list_best_games(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[AwardedPrize, ...]:
    prizes = {
        PrizeId(kind.value): Prize(PrizeId(kind.value), division.id, position, kind)
        for position, kind in enumerate(_BEST_GAME_KINDS)
    }
    return compute_awarded_prizes(
        TournamentIndex(replace(index.tournament, prizes=MappingProxyType(prizes))), division, after_round
    )


def list_game_statistics(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[AllGamesStatistic, ...]:
    entries = _list_records_of_played_rounds(index, division, after_round)
    groups = len({(entry.round, entry.table) for entry in entries if entry.opponent is None})
    wins = [entry for entry in entries if entry.outcome is Outcome.WIN and entry.met_players]
    starts = [entry for entry in entries if entry.started]
    won_starts = sum((_WIN_SHARES.get(entry.outcome, Fraction(0)) for entry in starts), Fraction(0))
    return (
        AllGamesStatistic(
            "games-played", Fraction(sum(entry.opponent is not None for entry in entries), 2) + groups
        ),
        AllGamesStatistic("average-score", compute_rounded_mean(entry.points for entry in entries)),
        AllGamesStatistic("average-win", compute_rounded_mean(entry.points for entry in wins)),
        AllGamesStatistic("average-loss", compute_rounded_mean(entry.opponent_points for entry in wins)),
        AllGamesStatistic(
            "average-margin",
            compute_rounded_mean(abs(entry.point_difference) for entry in entries if entry.met_players),
        ),
        AllGamesStatistic("starts-won", won_starts / len(starts) if starts else None),
    )


def make_player_averages_table(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> Table[PlayerAveragesRow]:
    records = compute_records(index, division, after_round)
    rows = []
    for standing in compute_standings(index, division, after_round):
        entries = [entry for entry in records[standing.player.id] if entry.is_played]
        points = [entry.points for entry in entries if entry.points is not None]
        opponent_points = compute_rounded_mean(entry.opponent_points for entry in entries)
        spread = compute_rounded_mean(entry.point_difference for entry in entries if entry.met_players)
        highest = max(points, default=None)
        rows.append(
            PlayerAveragesRow(
                standing, len(entries), compute_rounded_mean(points), opponent_points, spread, highest
            )
        )
    return Table("averages", _COLUMNS, tuple(rows))


_WIN_SHARES: Mapping[Outcome | None, Fraction] = {Outcome.WIN: Fraction(1), Outcome.DRAW: Fraction(1, 2)}
_RANK_COLUMN: Column[RankedPlayerRow] = Column(
    "rank", ColumnKind.NUMBER, attrgetter("standing.rank_unless_disqualified")
)
_NAME_COLUMN: Column[RankedPlayerRow] = Column("name", ColumnKind.NAME, attrgetter("standing.player.name"))
_COLUMNS: tuple[Column[Any], ...] = (
    _RANK_COLUMN,
    _NAME_COLUMN,
    Column("games", ColumnKind.NUMBER, attrgetter("games")),
    Column("average", ColumnKind.AVERAGE, attrgetter("points")),
    Column("average_against", ColumnKind.AVERAGE, attrgetter("opponent_points")),
    Column("average_spread", ColumnKind.SIGNED, attrgetter("spread")),
    Column("highest", ColumnKind.NUMBER, attrgetter("highest")),
)


class RankHistoryRow(RankedPlayerRow, frozen=True):
    """A player's rank and match points after each round."""

    places: tuple[int | None, ...]  # None: not listed
    points: tuple[Fraction | None, ...]  # None: not listed


def compute_rank_history(
    index: TournamentIndex,
    division: Division,
    after_round: int,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[RankHistoryRow, ...]:
    history: dict[str, list[Standing | None]] = {}
    standings: tuple[Standing, ...] = ()
    for number in range(1, after_round + 1):
        standings = compute_standings(index, division, number)
        rows = {row.key: row for row in standings}
        for key in rows.keys() - history.keys():
            history[key] = [None] * (number - 1)
        for key, past_standings in history.items():
            past_standings.append(rows.get(key))
        if progress is not None:
            progress(number, after_round)
    return tuple(
        RankHistoryRow(
            row,
            tuple(standing.rank_unless_disqualified if standing else None for standing in history[row.key]),
            tuple(standing.match_points if standing else None for standing in history[row.key]),
        )
        for row in standings
    )


def make_rank_history_table(rows: tuple[RankHistoryRow, ...], *, points: bool = False) -> Table[RankHistoryRow]:
    rounds = len(rows[0].places) if rows else 0
    kind, field = (ColumnKind.POINTS, "points") if points else (ColumnKind.NUMBER, "places")
    numbers = map(str, range(1, rounds + 1))
    return Table(
        "course", (_RANK_COLUMN, _NAME_COLUMN, *make_column_for_each_tuple_item(kind, field, numbers)), rows
    )


BIN_WIDTHS = (5, 10, 20, 25, 50, 100, 200, 500)  # in points
MAX_BINS = 16


class DistributionBin(Struct, frozen=True):
    """The number of values in a range of points."""

    key: str
    lowest: int  # points, included
    highest: int  # points, included
    count: int


class PointsDistribution(Struct, frozen=True):
    """A distribution of values over ranges of points."""

    bins: tuple[DistributionBin, ...]
    count: int
    lowest: int | None
    highest: int | None
    mean: Fraction | None  # rounded to tenths
    median: Fraction | None

    @property
    def fullest_bin(self) -> DistributionBin | None:
        return max(self.bins, key=lambda bin_: bin_.count, default=None)


def compute_score_distribution(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> PointsDistribution:
    return _make_points_distribution(
        [
            entry.points
            for entry in _list_records_of_played_rounds(index, division, after_round)
            if entry.points is not None
        ]
    )


def compute_margin_distribution(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> PointsDistribution:
    entries = _list_records_of_played_rounds(index, division, after_round)
    margins = {entry.game: abs(entry.point_difference) for entry in entries if entry.game is not None}
    return _make_points_distribution(list(margins.values()))


def compute_rounded_mean(numbers: Iterable[int | None]) -> Fraction | None:
    """Return the mean, rounded half up to tenths."""
    values = [number for number in numbers if number is not None]
    return Fraction((20 * sum(values) + len(values)) // (2 * len(values)), 10) if values else None


def make_distribution_table(distribution: PointsDistribution) -> Table[DistributionBin]:
    return Table("distribution", _BIN_COLUMNS, distribution.bins)


def _list_records_of_played_rounds(
    index: TournamentIndex, division: Division, after_round: int | None
) -> list[RoundRecord]:
    return [
        entry
        for record in compute_records(index, division, after_round).values()
        for entry in record
        if entry.is_played
    ]


def _make_points_distribution(values: Sequence[int]) -> PointsDistribution:
    if not values:
        return PointsDistribution((), 0, None, None, None, None)
    lowest, highest = min(values), max(values)
    width = next((size for size in BIN_WIDTHS if highest // size - lowest // size < MAX_BINS), BIN_WIDTHS[-1])
    counts = Counter(value // width for value in values)
    bins = tuple(
        DistributionBin(str(start), start, start + width - 1, counts[start // width])
        for start in range(lowest // width * width, highest + 1, width)
    )
    sorted_values, half = sorted(values), len(values) // 2
    middle = sorted_values[half] if len(values) % 2 else Fraction(sorted_values[half - 1] + sorted_values[half], 2)
    return PointsDistribution(bins, len(values), lowest, highest, compute_rounded_mean(values), Fraction(middle))


_BIN_COLUMNS: tuple[Column[DistributionBin], ...] = (
    Column("from_points", ColumnKind.NUMBER, attrgetter("lowest")),
    Column("to_points", ColumnKind.NUMBER, attrgetter("highest")),
    Column("how_many", ColumnKind.NUMBER, attrgetter("count")),
)


# Values with the strongest tint.
_MAX_VALUES: Mapping[str, int] = {"start_balance": 3, "in_a_row": 4, "repeats": 3, "byes": 2, "absences": 3}


class StartsAndByesRow(RankedPlayerRow, frozen=True):
    """A player's numbers of starts, repeated pairings and byes."""

    starts: int
    replies: int
    balance: int  # starts minus replies
    in_a_row: int  # latest consecutive starts (positive) or replies (negative)
    repeats: int
    byes: int  # byes for lack of an opponent
    absences: int  # all other unplayed rounds


def make_starts_and_byes_table(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> Table[StartsAndByesRow]:
    records = compute_records(index, division, after_round)
    rows = tuple(
        _make_starts_and_byes_row(standing, records[standing.player.id])
        for standing in compute_standings(index, division, after_round)
    )
    return Table("balance", _BALANCE_COLUMNS, rows)


def compute_imbalance_in_column(row: StartsAndByesRow, column: str) -> float:
    """Return how uneven a value in a column is, from 0 (even) to 1. A difference of one start counts as even."""
    if column not in _MAX_VALUES:
        return 0.0
    value = abs(int(row.balance if column == "start_balance" else getattr(row, column)))
    even_limit = 1 if column in {"start_balance", "in_a_row"} else 0
    return max(0, min(value, _MAX_VALUES[column]) - even_limit) / (_MAX_VALUES[column] - even_limit)


def _make_starts_and_byes_row(standing: Standing, record: Record) -> StartsAndByesRow:
    roles = [entry.started for entry in record if entry.started is not None]
    opponents = Counter(entry.opponent for entry in record if entry.opponent is not None)
    byes = [entry.bye for entry in record if entry.bye is not None]
    streak = len(list(takewhile(lambda started: started == roles[-1], reversed(roles))))
    return StartsAndByesRow(
        standing,
        starts=sum(roles),
        replies=len(roles) - sum(roles),
        balance=2 * sum(roles) - len(roles),
        in_a_row=streak if roles and roles[-1] else -streak,
        repeats=sum(opponents.values()) - len(opponents),
        byes=byes.count(ByeKind.BYE),
        absences=len(byes) - byes.count(ByeKind.BYE),
    )


_BALANCE_COLUMNS: tuple[Column[Any], ...] = (
    _RANK_COLUMN,
    Column("number", ColumnKind.NUMBER, attrgetter("standing.player.number")),
    _NAME_COLUMN,
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "starts", "replies"),
    Column("start_balance", ColumnKind.SIGNED, attrgetter("balance")),
    Column("in_a_row", ColumnKind.SIGNED, attrgetter("in_a_row")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "repeats", "byes", "absences"),
)
