"""Standings of a division after a round, and the reasons for the ranks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import matches
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division, Player, PlayerId, Stage, StageId
from tdapp.domain.records import (
    Number,
    UnplayedRoundRules,
    compute_fines,
    compute_records,
    fill_missing_rounds_with_absences,
    is_unplayed_round,
)
from tdapp.domain.ruleset import Outcome
from tdapp.domain.stages import (
    count_groups,
    find_evening_players,
    find_first_counted_round,
    find_stage_of_last_published_round,
    find_stage_players_or_none_if_all,
    list_round_numbers_counted_in_standings,
    list_stages_counted_in_standings,
    sort_players_by_seat,
    split_players_in_snake_order,
)
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tiebreaks import TIEBREAKS, TieBreak, TieBreakData, refuse_invalid_tiebreak_order

T = TypeVar("T")
_FEW_GAMES_PENALTY = 10**9  # more than any average


class Standing(NamedTuple):  # cheap to create: a large event has thousands
    """The row of one player in the standings."""

    player: Player
    rank: int  # players equal in all tie-breaks share it
    active: bool
    units: int  # up to `replies` as in `PlayerTotalsOfAllRounds`
    wins: int  # wins, draws and losses include byes
    draws: int
    losses: int
    spread: int
    points: int
    starts: int  # without byes and forfeits
    replies: int  # games that the opponent started
    unit: int  # number of units in a match point
    resistance: Number  # in units
    order: tuple[str, ...]  # ids of the tie-breaks
    figures: tuple[Number | None, ...]  # the tie-breaks of `order` in units; `get_value` returns points
    sort_key: tuple[Number | float, ...]  # lowest for the first rank
    stage: StageId | None = None  # the player's last stage
    group: int = 0  # in that stage; 0: none
    place: int = 0  # rank in the group or knockout, compared before the tie-breaks; 0: none
    out: bool = False
    disqualified: bool = False  # ranks last, without a listed rank
    least_games: int = 0  # needed for averages

    @property
    def key(self) -> str:
        return self.player.id

    @property
    def tiebreak_values(self) -> Mapping[str, Number | None]:
        """The tie-break values by id, to compare players. To show a value, use `get_value`."""
        # match points are in units, see `unit`
        return dict(zip(self.order, self.figures, strict=True))

    @property
    def rank_unless_disqualified(self) -> int | None:
        return None if self.disqualified else self.rank

    @property
    def rank_in_group_or_knockout(self) -> int | None:
        return None if self.disqualified else self.place or None

    @property
    def status(self) -> str:
        return "disqualified" if self.disqualified else "active" if self.active else "withdrawn"

    @property
    def games(self) -> int:
        """The number of decided rounds, including byes."""
        return self.wins + self.draws + self.losses

    @property
    def match_points(self) -> Fraction:
        return Fraction(self.units, self.unit)

    @property
    def games_lost(self) -> Fraction:
        return Fraction(2 * self.losses + self.draws, 2)

    @property
    def resistance_points(self) -> Fraction:
        return Fraction(self.resistance, self.unit)

    def join_tiebreak_values(self, *omitted: str) -> str:
        pairs = ((name, self.get_tiebreak_value(name)) for name in self.tiebreak_values if name not in omitted)
        return " ".join(f"{name} {value}" for name, value in pairs if value is not None)

    def get_tiebreak_value(self, tiebreak: str) -> Fraction | None:
        """Return a tie-break's value as the standings show it. If the tie-break does not apply, return None."""
        value = self.figures[self.order.index(tiebreak)] if tiebreak in self.order else None
        return TIEBREAKS[tiebreak].convert_to_fraction(value, self.unit)


class RankedPlayerRow(Struct, frozen=True):
    """A table row about one player."""

    standing: Standing

    @property
    def key(self) -> str:
        return self.standing.key


class ResistancePointsOfRound(Struct, frozen=True):
    """The points that one round adds to a player's resistance tie-break."""

    round: int
    opponent: Player | None  # None for a bye
    bye: ByeKind | None
    forfeit: bool
    units: Number  # resistance points after all adjustments
    own_units: int  # match points, in units, that the player won in the round
    is_dummy: bool = False
    other_players: tuple[Player, ...] = ()


def find_tiebreak_order(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[str, ...]:
    if division.order:
        return division.order
    stage = find_stage_of_last_published_round(index, division.id, after_round)
    stages = list_stages_counted_in_standings(index, stage) if stage else index.stages(division.id)
    return index.tournament.get_ruleset_of_row(division).get_tiebreak_order_for_system(
        stages[0].system if stages else "other"
    )


def compute_standings(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[Standing, ...]:
    """Return the standings. Equal players are sorted by number.

    Players who did not qualify for the current stage follow, in the order of their last stage.
    Raises CommandError for an unknown tie-break.
    """
    return index.get_cached_value_after_round("standings", division, after_round, _compute_standings)


def make_division_that_lists_withdrawn(division: Division) -> Division:
    return division if division.list_withdrawn else replace(division, list_withdrawn=True)


def _compute_standings(
    index: TournamentIndex, division: Division, after_round: int | None
) -> tuple[Standing, ...]:
    return _move_disqualified_last(index, _rank_division(index, division, after_round), after_round)


def _move_disqualified_last(
    index: TournamentIndex, rows: tuple[Standing, ...], after_round: int | None
) -> tuple[Standing, ...]:
    punished_ids = {sanction.player for sanction in index.tournament.sanctions.values()}
    disqualified_ids = {player for player in punished_ids if index.is_disqualified(player, after_round)}
    disqualified_rows = [row for row in rows if row.player.id in disqualified_ids] if disqualified_ids else []
    if not disqualified_rows:
        return rows
    new_rows = []
    for row in rows:
        if row.player.id not in disqualified_ids:
            higher_in_group = (
                sum(
                    other_row.group == row.group and other_row.place < row.place for other_row in disqualified_rows
                )
                if row.group
                else 0
            )
            higher_count = sum(other_row.rank < row.rank for other_row in disqualified_rows)
            new_rows.append(row._replace(rank=row.rank - higher_count, place=row.place - higher_in_group))
    last_rank = len(new_rows) + 1
    return (*new_rows, *(row._replace(rank=last_rank, disqualified=True) for row in disqualified_rows))


def _rank_division(index: TournamentIndex, division: Division, after_round: int | None) -> tuple[Standing, ...]:
    names = find_tiebreak_order(index, division, after_round)
    refuse_invalid_tiebreak_order(names)
    players = index.players(division.id)
    next_round = index.get_last_published_round_number(division.id, after_round) + 1
    absent_ids = {row.player for row in index.tournament.absences.values()}
    withdrawn_ids = {player for player in absent_ids if index.has_withdrawn_by_round(player, next_round)}
    listed_players = [player for player in players if division.list_withdrawn or player.id not in withdrawn_ids]
    stage = find_stage_of_last_published_round(index, division.id, after_round)
    if stage is not None and stage.play_off:
        rows = _list_standings_before_stage(index, division, stage, listed_players, withdrawn_ids)
        return _break_ties_by_play_off_ranks(rows, _rank_knockout(index, stage, after_round))
    data = build_tiebreak_data(index, division, after_round, stage)
    ranking = _StageRanker(index, data, [TIEBREAKS[name] for name in names], stage, withdrawn_ids)
    if stage is None:
        return ranking.rank_players(listed_players)
    if stage.evening:  # only the players who came
        evening_players = find_evening_players(index, stage, after_round)
        return ranking.rank_players([player for player in players if player.id in evening_players])
    stage_players = find_stage_players_or_none_if_all(index, stage)
    qualified_players = [
        player for player in listed_players if stage_players is None or player.id in stage_players
    ]
    standings = ranking.rank_stage(stage, qualified_players, after_round)
    if len(qualified_players) == len(listed_players):
        return standings
    unqualified_players = [player for player in listed_players if player not in qualified_players]
    return standings + _rank_unqualified_after_qualified(
        _list_standings_before_stage(index, division, stage, unqualified_players, withdrawn_ids),
        len(qualified_players),
    )


class _StageRanker(Struct, frozen=True):
    index: TournamentIndex
    data: TieBreakData
    order: Sequence[TieBreak]
    stage: Stage | None
    withdrawn_ids: Set[PlayerId]

    def rank_stage(self, stage: Stage, players: Sequence[Player], after_round: int | None) -> tuple[Standing, ...]:
        if get_pairing_system(stage).is_knockout:
            return self._rank_by_bracket(players, _rank_knockout(self.index, stage, after_round))
        if count_groups(stage) > 1:
            return self._rank_by_group(stage, players)
        return self.rank_players(players)

    def _rank_by_bracket(
        self, players: Sequence[Player], bracket_ranks: Mapping[PlayerId, int]
    ) -> tuple[Standing, ...]:
        """Leave a rank vacant if both players forfeited the match for it."""
        unlisted_ids = bracket_ranks.keys() - {player.id for player in players}
        players_by_rank: dict[int, list[Player]] = {}
        for player in players:
            players_by_rank.setdefault(bracket_ranks.get(player.id, len(players)), []).append(player)
        standings: list[Standing] = []
        for bracket_rank in sorted(players_by_rank):
            higher_count = sum(bracket_ranks[player] < bracket_rank for player in unlisted_ids)
            rank = max(len(standings) + 1, min(bracket_rank, len(players)) - higher_count)
            rows = {row.player.id: row for row in self.rank_players(players_by_rank[bracket_rank])}
            standings += (
                rows[player.id]._replace(rank=rank, place=bracket_rank) for player in players_by_rank[bracket_rank]
            )
        return tuple(standings)

    def _rank_by_group(self, stage: Stage, players: Sequence[Player]) -> tuple[Standing, ...]:
        players_by_rank: dict[int, list[Player]] = {}
        group_numbers: dict[PlayerId, int] = {}
        for number, seats in enumerate(
            split_players_in_snake_order(sort_players_by_seat(self.index, stage.id), count_groups(stage)), start=1
        ):
            for row in self.rank_players([player for player in players if player.id in seats]):
                group_numbers[row.player.id] = number
                players_by_rank.setdefault(row.rank, []).append(row.player)
        standings: list[Standing] = []
        for group_rank in sorted(players_by_rank):
            higher_count = len(standings)
            for row in self.rank_players(sorted(players_by_rank[group_rank], key=lambda player: player.number)):
                group = group_numbers[row.player.id]
                standings.append(row._replace(rank=higher_count + row.rank, group=group, place=group_rank))
        return tuple(standings)

    def rank_players(self, listed_players: Sequence[Player]) -> tuple[Standing, ...]:
        player_ids = [player.id for player in listed_players]
        columns: list[list[Number | None]] = []
        keys: list[list[Number | float]] = []
        for tiebreak in self.order:
            values: dict[PlayerId, Number | None] = {}
            for group in (
                _group_equal_players(_map_players_to_column_values(player_ids, keys))
                if tiebreak.among_tied
                else [player_ids]
            ):
                values.update(tiebreak.values(self.data, group))
            columns.append([values[player] for player in player_ids])
            keys.append(
                self._penalise_players_with_few_games(
                    tiebreak, player_ids, tiebreak.compute_sort_keys(columns[-1])
                )
            )
        names = tuple(tiebreak.id for tiebreak in self.order)
        figures, lines = (
            _map_players_to_column_values(player_ids, columns),
            _map_players_to_column_values(player_ids, keys),
        )
        data, stage = self.data, self.stage.id if self.stage else None
        rows: list[Standing] = []
        for group in _group_equal_players(lines):
            rank = len(rows) + 1
            for player in group:
                row = (data.players[player], rank, player not in self.withdrawn_ids, *data.totals[player],
                       data.unplayed_rules.unit, data.resistance[player], names, figures[player], lines[player],
                       stage, 0, 0, False, False, data.least_games)  # fmt: skip
                rows.append(tuple.__new__(Standing, row))
        return tuple(rows)

    def _penalise_players_with_few_games(
        self, tiebreak: TieBreak, players: Sequence[PlayerId], keys: list[Number | float]
    ) -> list[Number | float]:
        data = self.data
        if not tiebreak.needs_games or not data.least_games:
            return keys
        pairs = zip(players, keys, strict=True)
        return [
            key + _FEW_GAMES_PENALTY * (data.count_rounds_won_drawn_or_lost(player) < data.least_games)
            for player, key in pairs
        ]


def _map_players_to_column_values(
    players: Sequence[PlayerId], columns: Sequence[Sequence[T]]
) -> dict[PlayerId, tuple[T, ...]]:
    lines = list(zip(*columns, strict=True)) or [()] * len(players)
    return dict(zip(players, lines, strict=True))


def _group_equal_players(keys: Mapping[PlayerId, tuple[Number | float, ...]]) -> list[list[PlayerId]]:
    ascending = sorted(keys, key=keys.__getitem__)  # stable: equal players stay sorted by number
    return [list(part) for _, part in groupby(ascending, key=keys.__getitem__)]


def _list_standings_before_stage(
    index: TournamentIndex,
    division: Division,
    stage: Stage,
    listed_players: Iterable[Player],
    withdrawn_ids: Set[PlayerId],
) -> tuple[Standing, ...]:
    player_ids = {player.id for player in listed_players}
    standings = compute_standings(
        index, make_division_that_lists_withdrawn(division), index.get_first_round_number(stage.id) - 1
    )
    return tuple(
        row._replace(active=row.player.id not in withdrawn_ids) for row in standings if row.player.id in player_ids
    )


def _rank_unqualified_after_qualified(
    unqualified_rows: Sequence[Standing], qualified_count: int
) -> tuple[Standing, ...]:
    ranks = [row.rank for row in unqualified_rows]  # ascending
    return tuple(
        row._replace(rank=qualified_count + 1 + bisect_left(ranks, row.rank), out=True) for row in unqualified_rows
    )


def _break_ties_by_play_off_ranks(
    earlier_rows: Sequence[Standing], play_off_ranks: Mapping[PlayerId, int]
) -> tuple[Standing, ...]:
    keys = {row.key: (row.rank, play_off_ranks.get(row.player.id, len(earlier_rows))) for row in earlier_rows}
    ascending = sorted(keys.values())
    rows = [row._replace(rank=1 + bisect_left(ascending, keys[row.key])) for row in earlier_rows]
    return tuple(sorted(rows, key=lambda row: row.rank))


def _rank_knockout(index: TournamentIndex, stage: Stage, after_round: int | None) -> Mapping[PlayerId, int]:
    seeds = {seed.number: seed.player for seed in index.seeds(stage.id)}
    return matches.compute_current_knockout_ranks(matches.build_matches(index, stage, seeds, after_round))


def list_resistance_breakdown(
    index: TournamentIndex, division: Division, player: PlayerId, after_round: int | None = None
) -> tuple[ResistancePointsOfRound, ...]:
    data = index.get_cached_value_after_round(
        "tiebreak_data", division, after_round, _build_tiebreak_data_after_round
    )
    rounds = zip(
        data.decided_records[player].entries, data.list_round_resistance_contributions(player), strict=True
    )
    return tuple(
        ResistancePointsOfRound(
            round=entry.round,
            opponent=data.players[entry.opponent] if entry.opponent else None,
            bye=entry.bye,
            forfeit=entry.forfeit,
            units=contribution,
            own_units=entry.units,
            is_dummy=data.unplayed_rules.has_dummy_opponents and is_unplayed_round(entry),
            other_players=tuple(data.players[player_id] for player_id in entry.other_players),
        )
        for entry, contribution in rounds
    )


def _build_tiebreak_data_after_round(
    index: TournamentIndex, division: Division, after_round: int | None
) -> TieBreakData:
    return build_tiebreak_data(
        index, division, after_round, find_stage_of_last_published_round(index, division.id, after_round)
    )


def build_tiebreak_data(
    index: TournamentIndex, division: Division, after_round: int | None, stage: Stage | None
) -> TieBreakData:
    """Return the tie-break data after a round, from the results that count in `stage` (None: all results).

    With FIDE's rules for unplayed rounds, a player's missing rounds count as absences.
    """
    rules = index.tournament.get_ruleset_of_row(division)
    records = compute_records(index, division, after_round)
    rounds = [item.number for item in index.list_published_rounds(division.id, after_round)]
    counting_rounds = list_round_numbers_counted_in_standings(index, stage) if stage else frozenset(rounds)
    if not counting_rounds.issuperset(rounds):
        rounds = [number for number in rounds if number in counting_rounds]
        records = {
            player: tuple(row for row in record if row.round in counting_rounds)
            for player, record in records.items()
        }
    unplayed_rules = UnplayedRoundRules(
        division.unplayed,
        rules.match_point_denominator,
        rules.get_match_points_as_integer(Outcome.WIN),
        rules.get_match_points_as_integer(Outcome.DRAW),
        len(rounds),
    )
    if unplayed_rules.has_dummy_opponents:
        records = fill_missing_rounds_with_absences(records, rounds)
    fines = compute_fines(
        index, division, after_round, first_round=find_first_counted_round(index, stage) if stage else 1
    )
    players = index.players(division.id)
    return index.update_cached_value(
        ("tiebreak_data", division.id, after_round in {None, index.get_last_published_round_number(division.id)}),
        (),
        lambda old_data: TieBreakData(players, records, fines, unplayed_rules, rules.least_games, old_data),
    )


class RankReason(Struct, frozen=True):
    """Why a player ranks above another: a code, and the values for its message."""

    code: str  # id of the tie-break that decides, or another reason
    facts: Mapping[str, str | int | Fraction]


def find_ranks_vacant_by_double_forfeit(rows: Sequence[Standing]) -> tuple[int, ...]:
    ranks = [row.rank_unless_disqualified for row in rows if row.rank_unless_disqualified is not None]
    positions = range(1, len(ranks) + 1)
    return tuple(
        position
        for position in positions
        if position not in ranks and sum(rank < position for rank in ranks) < position
    )


def explain_rank(row: Standing, other_row: Standing) -> RankReason:
    facts: dict[str, str | int | Fraction] = {"player": row.player.name, "other": other_row.player.name}
    stage_reason = _find_stage_rank_reason(row, other_row)
    if stage_reason:
        return RankReason(
            stage_reason, MappingProxyType({**facts, "place": row.place, "other_place": other_row.place})
        )
    for (tiebreak, _), key, other_key in zip(
        row.tiebreak_values.items(), row.sort_key, other_row.sort_key, strict=True
    ):
        if key == other_key:
            continue
        value, other_value = row.get_tiebreak_value(tiebreak), other_row.get_tiebreak_value(tiebreak)
        facts["tiebreak"] = tiebreak
        if TIEBREAKS[tiebreak].needs_games and other_row.games < other_row.least_games <= row.games:
            facts["n"] = other_row.least_games - other_row.games
            return RankReason("games-short", MappingProxyType(facts))
        if value is None or other_value is None:
            return RankReason("no-value", MappingProxyType(facts))
        return RankReason(tiebreak, MappingProxyType({**facts, "value": value, "other_value": other_value}))
    if row.rank != other_row.rank:
        return RankReason("play-off", MappingProxyType(facts))
    numbers = {"number": row.player.number, "other_number": other_row.player.number}
    return RankReason("equal", MappingProxyType({**facts, **numbers}))


def _find_stage_rank_reason(row: Standing, other_row: Standing) -> str:
    if other_row.disqualified and not row.disqualified:
        return "other-disqualified"
    if row.stage != other_row.stage:
        return "stage-played"
    if row.place != other_row.place:
        return "group-place" if row.group else "bracket-place"
    return "equal-in-bracket" if row.place and not row.group else ""


def map_rank_reasons(rows: Sequence[Standing]) -> Mapping[str, RankReason]:
    return MappingProxyType({row.key: explain_rank(row, next_row) for row, next_row in pairwise(rows)})
