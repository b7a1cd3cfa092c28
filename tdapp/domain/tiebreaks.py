"""The tie-breaks, each with its id, texts and formula.

Match points are in units. The rule set defines the number of units in one point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import inf
from operator import mul
from typing import Any, NamedTuple

from msgspec import Struct

from tdapp.domain.errors import CommandError
from tdapp.domain.model import Player, PlayerId, UnplayedRoundCounting
from tdapp.domain.records import (
    Number,
    Record,
    SanctionDeductions,
    UnplayedRoundRules,
    compute_match_points_counted_for_opponents,
    compute_opponent_points,
    is_unplayed_round,
    is_voluntarily_unplayed,
    list_resistance_points_by_round,
)
from tdapp.domain.ruleset import Outcome
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import C_, N_, Plural, Text

Group = Sequence[PlayerId]
Values = Mapping[PlayerId, Number | None]
_WIN, _DRAW, _LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS  # cached: access to enum members is slow


class PlayerTotalsOfAllRounds(NamedTuple):
    """A player's totals over all rounds."""

    units: int = 0
    wins: int = 0  # wins, draws and losses include byes and forfeits
    draws: int = 0
    losses: int = 0
    spread: int = 0
    points: int = 0
    starts: int = 0  # starts and replies do not include byes and forfeits
    replies: int = 0


class RecordWithoutOpenGames(NamedTuple):
    """A player's rounds with a result (`entries`), and the totals of these rounds."""

    record: Record
    totals: PlayerTotalsOfAllRounds = PlayerTotalsOfAllRounds()
    entries: Record = ()
    rounds: tuple[int, ...] = ()
    opponents: tuple[PlayerId | None, ...] = ()
    units: tuple[int, ...] = ()
    played_opponents: Sequence[PlayerId | None] = ()  # opponents in played games
    games_won: int = 0


class TieBreakData:
    """The input of the tie-breaks: all players of a division after a round.

    Fines reduce the totals of a player, but not the results of rounds. The constructor is faster with
    earlier TieBreakData as `old_data`.
    """

    def __init__(
        self,
        players: Iterable[Player],
        records: Mapping[PlayerId, Record],
        fines: Mapping[PlayerId, SanctionDeductions],
        unplayed_rules: UnplayedRoundRules,
        least_games: int = 0,
        old_data: TieBreakData | None = None,
    ) -> None:
        self.players = {player.id: player for player in players}
        self.records = records
        self.unplayed_rules = unplayed_rules
        self.least_games = least_games
        old_summaries = old_data.decided_records if old_data else {}
        self.decided_records: Mapping[PlayerId, RecordWithoutOpenGames] = make_records_without_open_games(
            records, old_summaries
        )
        self.totals = {player: summary.totals for player, summary in self.decided_records.items()}
        for player, fine in fines.items():
            totals = self.totals[player]
            self.totals[player] = totals._replace(
                spread=totals.spread - fine.spread, points=totals.points - fine.points
            )
        with_dummies = self.decided_records.items() if unplayed_rules.has_dummy_opponents else ()
        self.dummy_players = {
            player for player, summary in with_dummies if any(map(is_unplayed_round, summary.entries))
        }
        self.points_for_opponents: dict[PlayerId | None, int] = {
            player: totals.units for player, totals in self.totals.items()
        }
        self.points_for_opponents[None] = 0
        for player in self.dummy_players:
            self.points_for_opponents[player] = compute_match_points_counted_for_opponents(
                unplayed_rules, records[player]
            )
        self.resistance: Mapping[PlayerId, Number] = self._sum_resistance_contributions(old_data)
        self.last_round = max((record[-1].round for record in records.values() if record), default=0)

    def _sum_resistance_contributions(self, old_data: TieBreakData | None) -> Mapping[PlayerId, Number]:
        if old_data is None:
            return {player: sum(self.list_round_resistance_contributions(player)) for player in self.totals}
        changed_ids = {
            player
            for player, row in self.decided_records.items()
            if old_data.decided_records.get(player) is not row
        }
        changed_points = dict(old_data.points_for_opponents.items() ^ self.points_for_opponents.items())
        entries = (
            entry
            for player in self.decided_records.keys() & changed_points
            for entry in self.decided_records[player].entries
        )
        affected_ids = changed_ids.union(
            self.dummy_players, old_data.dummy_players, *(entry.met_players for entry in entries)
        )
        return {
            player: sum(self.list_round_resistance_contributions(player))
            if player in affected_ids
            else old_data.resistance[player]
            for player in self.totals
        }

    def list_round_resistance_contributions(self, player: PlayerId) -> Iterable[Number]:
        """Return the match points that each round adds to a player's resistance tie-break.

        The rule set defines the unit, such as half a point.
        """
        summary, points = self.decided_records[player], self.points_for_opponents
        if player in self.dummy_players:
            own_points = self.totals[player].units
            return list_resistance_points_by_round(
                self.unplayed_rules, summary.entries, own_points=own_points, match_points=points
            )
        if None in summary.opponents:
            return map(partial(compute_opponent_points, points), summary.entries)
        return map(points.__getitem__, summary.opponents)

    def count_rounds_won_drawn_or_lost(self, player: PlayerId) -> int:
        """Return the number of decided rounds, including byes."""
        totals = self.totals[player]
        return totals.wins + totals.draws + totals.losses

    def find_lowest_resistance_contribution(self, player: PlayerId) -> Number:
        """Return the smallest number that a round adds to a player's resistance tie-break.

        Usually this is the weakest opponent's match points. If the player missed rounds by choice, search only
        these rounds (FIDE's rules since 2024).
        """
        contributions = list(self.list_round_resistance_contributions(player))
        if player in self.dummy_players and self.unplayed_rules.mode is not UnplayedRoundCounting.FIDE_2009:
            rounds = zip(contributions, self.decided_records[player].entries, strict=True)
            contributions = [
                contribution for contribution, entry in rounds if is_voluntarily_unplayed(entry)
            ] or contributions
        return min(contributions, default=0)


def make_records_without_open_games(
    records: Mapping[PlayerId, Record], old_summaries: Mapping[PlayerId, RecordWithoutOpenGames]
) -> Mapping[PlayerId, RecordWithoutOpenGames]:
    return {
        player: summary
        if (summary := old_summaries.get(player)) is not None and summary.record is record
        else _make_record_without_open_games(record)
        for player, record in records.items()
    }


def _make_record_without_open_games(record: Record) -> RecordWithoutOpenGames:
    if not record:
        return RecordWithoutOpenGames(record)
    (
        numbers,
        _,
        _,
        opponents,
        started,
        _,
        outcomes,
        units,
        points,
        _,
        spreads,
        forfeits,
        _,
        awarded_points,
        _,
        _,
        _,
    ) = zip(*record, strict=True)  # columns take half the time
    if None in outcomes:
        return _make_record_without_open_games(
            tuple(entry for entry in record if entry.outcome is not None)
        )._replace(record=record)
    totals = PlayerTotalsOfAllRounds(
        units=sum(units),
        wins=outcomes.count(_WIN),
        draws=outcomes.count(_DRAW),
        losses=outcomes.count(_LOSS),
        spread=sum(spreads),
        points=sum(filter(None, points)) + sum(awarded_points),
        starts=started.count(True),
        replies=started.count(False),
    )
    if all(opponents) and not any(forfeits):
        return RecordWithoutOpenGames(record, totals, record, numbers, opponents, units, opponents, totals.wins)
    played_entries = [entry for entry in record if entry.is_played]
    played_opponents = [opponent for entry in played_entries for opponent in entry.met_players]
    games_won = sum(entry.outcome is _WIN for entry in played_entries)
    return RecordWithoutOpenGames(record, totals, record, numbers, opponents, units, played_opponents, games_won)


class TieBreak(Struct, frozen=True):
    """A criterion that ranks tied players."""

    id: str
    # values for a group of tied players, None for a player to whom the tie-break does not apply
    values: Callable[[TieBreakData, Group], Values]
    # values in many simulated tournaments, an integer array; the second argument is the ranks so far
    simulated: Callable[[Any, Any], Any]
    kind: ColumnKind
    short_name: str
    name: str
    value_text: Text  # text of the value
    reason_text: str  # sentence about a rank that this tie-break decides
    higher_is_better: bool = True
    divisor: Callable[[int], int] = lambda _unit: 1  # number of units in one displayed point
    among_tied: bool = False  # the value depends on which players are tied
    needs_games: bool = False  # players with too few games by the rule set rank behind the others

    @property
    def text_id(self) -> str:
        return f"tiebreak.{self.id}"

    def compute_sort_keys(self, values: Iterable[Number | None]) -> list[Number | float]:
        """Return one sort key for each value. The best value gets the lowest key, a missing value the highest."""
        if self.higher_is_better:
            return [inf if value is None else -value for value in values]
        return [inf if value is None else value for value in values]

    def convert_to_fraction(self, value: Number | None, unit: int) -> Fraction | None:
        return None if value is None else Fraction(value, self.divisor(unit))


def refuse_invalid_tiebreak_order(order: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in order:
        if name not in TIEBREAKS:
            raise CommandError("unknown-tiebreak", tiebreak=name, known=", ".join(TIEBREAKS))
        if name in seen:
            raise CommandError("repeated-tiebreak", tiebreak=name)
        seen.add(name)


def _make_function_mapping_group_values(
    value: Callable[[TieBreakData, PlayerId], Number | None],
) -> Callable[[TieBreakData, Group], Values]:
    return lambda data, group: {player: value(data, player) for player in group}


def _compute_resistance_without_extremes(data: TieBreakData, player: PlayerId) -> Number:
    lowest = data.find_lowest_resistance_contribution(player)
    contributions = list(data.list_round_resistance_contributions(player))
    if contributions:
        contributions.remove(lowest)
    return data.resistance[player] - lowest - max(contributions, default=0)


def _sum_cumulative_points(data: TieBreakData, player: PlayerId) -> int:
    summary, next_round = data.decided_records[player], data.last_round + 1
    weighted_units: int = sum(map(mul, summary.units, summary.rounds))
    return next_round * summary.totals.units - weighted_units


def _average_opponents_ratings(data: TieBreakData, group: Group) -> Values:
    ratings: dict[PlayerId | None, int | None] = {
        player_id: player.rating for player_id, player in data.players.items()
    }
    return {
        player: _average_rating(map(ratings.__getitem__, data.decided_records[player].played_opponents))
        for player in group
    }


def _average_rating(ratings: Iterable[int | None]) -> Fraction | None:
    known_ratings = [rating for rating in ratings if rating is not None]
    return Fraction(sum(known_ratings), len(known_ratings)) if known_ratings else None


def _compute_average_points_of_player(data: TieBreakData, player: PlayerId) -> Fraction | None:
    games = sum(
        entry.points is not None or entry.awarded_points > 0 for entry in data.decided_records[player].entries
    )
    return Fraction(data.totals[player].points, games) if games else None


def _compute_match_point_percentage(data: TieBreakData, player: PlayerId) -> Fraction | None:
    games = data.count_rounds_won_drawn_or_lost(player)
    return Fraction(100 * data.totals[player].units, games * (data.unplayed_rules.win or 1)) if games else None


def _sum_head_to_head_units(data: TieBreakData, group: Group) -> Values:
    if len(group) == 1:
        return dict.fromkeys(group)
    group_ids = set(group)
    games = {
        player: [
            entry for entry in data.records[player] if group_ids.intersection(entry.met_players) and entry.outcome
        ]
        for player in group
    }
    opponent_sets = [
        group_ids.intersection(opponent for entry in entries for opponent in entry.met_players)
        for entries in games.values()
    ]
    if any(len(opponents) < len(group_ids) - 1 for opponents in opponent_sets):
        return dict.fromkeys(group)
    return {player: sum(entry.units for entry in entries) for player, entries in games.items()}


def _get_match_point_divisor(units_per_match_point: int) -> int:
    return units_per_match_point


_declare_mean = partial(TieBreak, kind=ColumnKind.AVERAGE, needs_games=True)  # per game

# `wins` are match points (nl-reglement I.2), byes and forfeits included; `games-won` counts games played out only.
# `resistance` is known as Buchholz or Solkoff elsewhere.
_ALL_TIEBREAKS = (
    TieBreak(
        "wins",
        _make_function_mapping_group_values(lambda data, player: data.totals[player].units),
        lambda ends, _: ends.units,
        ColumnKind.POINTS,
        short_name=N_("Wins"),
        name=N_("Wins: the sum of the match points"),
        value_text=Plural("{value:points} win", "{value:points} wins", "value"),
        reason_text=N_("{player} is ahead of {other} on wins: {value:points} against {other_value:points}"),
        divisor=_get_match_point_divisor,
    ),
    TieBreak(
        "losses",
        _make_function_mapping_group_values(
            lambda data, player: 2 * data.totals[player].losses + data.totals[player].draws
        ),
        lambda ends, _: ends.losses(),
        ColumnKind.POINTS,
        short_name=N_("Losses"),
        name=N_("Losses; a draw counts as half a loss"),
        value_text=Plural("{value:points} loss", "{value:points} losses", "value"),
        reason_text=N_(
            "{player} is ahead of {other} with fewer losses: {value:points} against {other_value:points}"
        ),
        higher_is_better=False,
        divisor=lambda _unit: 2,
    ),
    TieBreak(
        "spread",
        _make_function_mapping_group_values(lambda data, player: data.totals[player].spread),
        lambda ends, _: ends.spread(),
        ColumnKind.SIGNED,
        short_name=N_("Spread"),
        name=N_("Sum of the spreads of all games"),
        value_text=C_("tie-break rule", "spread {value:signed}"),
        reason_text=N_("{player} is ahead of {other} on spread: {value:signed} against {other_value:signed}"),
    ),
    TieBreak(
        "points",
        _make_function_mapping_group_values(lambda data, player: data.totals[player].points),
        lambda ends, _: ends.points(),
        ColumnKind.NUMBER,
        short_name=N_("Points"),
        name=N_("Total points"),
        value_text=Plural("{value:points} point", "{value:points} points", "value"),
        reason_text=N_(
            "{player} is ahead of {other} on total points: {value:points} against {other_value:points}"
        ),
    ),
    TieBreak(
        "resistance",
        _make_function_mapping_group_values(lambda data, player: data.resistance[player]),
        lambda ends, _: ends.resistance(),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "Resist."),
        name=N_("Resistance points: the sum of the opponents’ match points"),
        value_text=Plural("{value:points} resistance point", "{value:points} resistance points", "value"),
        reason_text=N_(
            "{player} is ahead of {other} on resistance points: {value:points} against {other_value:points}"
        ),
        divisor=_get_match_point_divisor,
    ),
    TieBreak(
        "resistance-cut1",
        _make_function_mapping_group_values(
            lambda data, player: data.resistance[player] - data.find_lowest_resistance_contribution(player)
        ),
        lambda ends, _: ends.resistance_cut1(),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "Resist. −1"),
        name=N_("Resistance points without the weakest opponent"),
        value_text=Plural(
            "{value:points} resistance point without the weakest opponent",
            "{value:points} resistance points without the weakest opponent",
            "value",
        ),
        reason_text=N_(
            "{player} is ahead of {other} on resistance points without the weakest opponent: {value:points} "
            "against {other_value:points}"
        ),
        divisor=_get_match_point_divisor,
    ),
    TieBreak(
        "resistance-median",
        _make_function_mapping_group_values(_compute_resistance_without_extremes),
        lambda ends, _: ends.resistance_median(),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "Resist. med."),
        name=N_("Resistance points without the weakest and the strongest opponent"),
        value_text=Plural(
            "{value:points} resistance point without the weakest and the strongest opponent",
            "{value:points} resistance points without the weakest and the strongest opponent",
            "value",
        ),
        reason_text=N_(
            "{player} is ahead of {other} on resistance points without the weakest and the strongest "
            "opponent: {value:points} against {other_value:points}"
        ),
        divisor=_get_match_point_divisor,
    ),
    TieBreak(
        "sonneborn-berger",
        _make_function_mapping_group_values(
            lambda data, player: sum(
                map(mul, data.list_round_resistance_contributions(player), data.decided_records[player].units)
            )
        ),
        lambda ends, _: ends.sonneborn_berger(),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "SB"),
        name=N_("Sonneborn-Berger: match points of beaten opponents, plus half those of opponents in drawn games"),
        value_text=N_("Sonneborn-Berger {value:points}"),
        reason_text=N_(
            "{player} is ahead of {other} on Sonneborn-Berger: {value:points} against {other_value:points}"
        ),
        divisor=lambda unit: unit * unit,
    ),
    TieBreak(
        "head-to-head",
        _sum_head_to_head_units,
        lambda ends, ranks: ends.head_to_head(ranks),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "H2H"),
        name=N_("Games between the tied players"),
        value_text=Plural(
            "{value:points} win among the tied players", "{value:points} wins among the tied players", "value"
        ),
        reason_text=N_(
            "{player} is ahead of {other} on games between the tied players: {value:points} against "
            "{other_value:points}"
        ),
        divisor=_get_match_point_divisor,
        among_tied=True,
    ),
    TieBreak(
        "cumulative",
        _make_function_mapping_group_values(_sum_cumulative_points),
        lambda ends, _: ends.cumulative(),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "Cumul."),
        name=N_("Cumulative: the sum of the match points after each round"),
        value_text=C_("tie-break rule", "cumulative {value:points}"),
        reason_text=N_(
            "{player} is ahead of {other} on the sum of the match points after each round: {value:points} "
            "against {other_value:points}"
        ),
        divisor=_get_match_point_divisor,
    ),
    TieBreak(
        "games-won",
        _make_function_mapping_group_values(lambda data, player: data.decided_records[player].games_won),
        lambda ends, _: ends.games_won(),
        ColumnKind.NUMBER,
        short_name=C_("tie-break rule", "Won"),
        name=N_("Number of games won"),
        value_text=Plural("{value:points} game won", "{value:points} games won", "value"),
        reason_text=N_("{player} is ahead of {other} on games won: {value:points} against {other_value:points}"),
    ),
    _declare_mean(
        "average",
        _make_function_mapping_group_values(_compute_average_points_of_player),
        lambda ends, _: ends.average_points_sort_key(),
        short_name=C_("tie-break rule", "Avg"),
        name=N_("Average points per game"),
        value_text=C_("tie-break rule", "average {value:points}"),
        reason_text=N_(
            "{player} is ahead of {other} on average points per game: {value:points} against {other_value:points}"
        ),
    ),
    _declare_mean(
        "percentage",
        _make_function_mapping_group_values(_compute_match_point_percentage),
        lambda ends, _: ends.percentage_sort_key(),
        short_name=C_("tie-break rule", "%"),
        name=N_("Match points as a percentage of the possible points"),
        value_text=N_("{value:points} per cent"),
        reason_text=N_(
            "{player} is ahead of {other} on percentage of match points: {value:points} against "
            "{other_value:points}"
        ),
    ),
    TieBreak(
        "rating",
        _make_function_mapping_group_values(lambda data, player: data.players[player].rating),
        lambda ends, _: ends.rating(),
        ColumnKind.NUMBER,
        short_name=N_("Rating"),
        name=N_("Rating"),
        value_text=C_("tie-break rule", "rating {value:points}"),
        reason_text=N_("{player} is ahead of {other} on rating: {value:points} against {other_value:points}"),
    ),
    TieBreak(
        "opponents-rating",
        _average_opponents_ratings,
        lambda ends, _: ends.opponents_rating_sort_key(),
        ColumnKind.POINTS,
        short_name=C_("tie-break rule", "Opp. rating"),
        name=N_("Average rating of the opponents"),
        value_text=N_("average rating of the opponents {value:points}"),
        reason_text=N_(
            "{player} is ahead of {other} on the average rating of the opponents: {value:points} against "
            "{other_value:points}"
        ),
    ),
)

TIEBREAKS: Mapping[str, TieBreak] = {tiebreak.id: tiebreak for tiebreak in _ALL_TIEBREAKS}
