"""Computes the final ranks of many simulated tournaments at once, by the tie-breaks of the division.

Arrays have a row for each simulation and a column for each player: first the players of the field, then an
imaginary opponent (dummy) for byes, then absent players. All numbers are integers. In a simulated game, each
player scores the average score of the games played, plus or minus half the random margin.

Terms:

* Unit: a fraction of a match point, such as 1/2.
* Resistance of a player: the sum of the opponents' match points. Cut 1 omits the lowest opponent, median omits the
  lowest and the highest.
* Sonneborn-Berger: the sum of each opponent's match points times the match points won against that opponent.
* Dummy: with some rules, a round without a game counts as a game against a dummy. The rules limit its score.
* Sort key: one integer for several tie-breaks. Each tie-break is a digit of it, the most important first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from tdapp.domain.model import ByeKind, PlayerId, UnplayedRoundCounting
from tdapp.domain.records import (
    Record,
    RoundRecord,
    UnplayedRoundRules,
    compute_highest_dummy_opponent_points,
    compute_match_points_counted_for_opponents,
    fill_missing_rounds_with_absences,
    is_unplayed_round,
    is_voluntarily_unplayed,
)
from tdapp.domain.ruleset import Outcome
from tdapp.domain.tiebreaks import TIEBREAKS, TieBreakData
from tdapp.pairing.arrays import Flags, Ints, np

_HUGE = 1 << 40  # more than any sum
_MAX_KEY = 1 << 62  # of a sort key
_WIN, _BYE, _ABSENT = 2, 3, 4  # kinds of rounds; 0 and 1 are loss and draw


class RoundResultValues(NamedTuple):
    """The result of a player in one round: match points, losses, spread and points."""

    units: int  # match points in units
    losses: int = 0  # in halves
    spread: int = 0
    points: int = 0  # average score of a game, or points for a bye


class SimulationRankingData(Struct, frozen=True):
    """The data for the final ranking of the simulated tournaments."""

    order: tuple[str, ...]  # ids of the tie-breaks
    earlier_results: TieBreakData
    players: tuple[PlayerId, ...]
    groups: Mapping[PlayerId, int]
    round_values: tuple[
        RoundResultValues, RoundResultValues, RoundResultValues, RoundResultValues
    ]  # of a loss, a draw, a win and a bye
    remaining_rounds: tuple[int, ...]  # round numbers
    remaining_spread_caps: tuple[int | None, ...]
    rounds_left: int
    unplayed_rules: UnplayedRoundRules

    def get_record_with_future_absences(self, player: PlayerId) -> Record:
        """Return the rounds of a player, including future absences if they count for tie-breaks."""
        record = self.earlier_results.records[player]
        if not self.unplayed_rules.has_dummy_opponents or player in self.players:
            return record
        rounds = {*(entry.round for entry in record), *self.remaining_rounds}
        return fill_missing_rounds_with_absences({player: record}, rounds)[player]

    def compute_score_adjustment_for_opponents(self, player: PlayerId) -> int:
        is_still_playing = (
            self.rounds_left
            and player in self.players
            and self.unplayed_rules.mode is not UnplayedRoundCounting.FIDE_2009
        )
        if is_still_playing or not self.unplayed_rules.has_dummy_opponents:
            return 0
        record = self.get_record_with_future_absences(player)
        return compute_match_points_counted_for_opponents(self.unplayed_rules, record) - sum(
            e.units for e in record
        )


class _RoundResultArrays(NamedTuple):
    opponents: Ints
    units: Ints
    took_part: Flags
    has_game: Flags
    dummy_limit: Ints | None = None  # highest score of the dummy; -1: no dummy
    is_limited_by_own_score: Flags | None = None  # the player's own score also limits the dummy's score
    is_voluntary: Flags | None = None  # the cut tie-breaks omit these rounds first


class _SimulatedRoundMargins(NamedTuple):
    kind: Ints
    margin: Ints
    cap: int | None


class SimulatedResultsRanker:
    """Ranks the players at the end of many simulations. It prepares the earlier rounds only once."""

    def __init__(self, ending: SimulationRankingData, rounds: int) -> None:
        earlier_results, first_round = ending.earlier_results, len(ending.remaining_rounds) - rounds
        self.ending, self.dummy = ending, len(ending.players)
        self.numbers, self.caps = ending.remaining_rounds[first_round:], ending.remaining_spread_caps[first_round:]
        absent_players = [player for player in earlier_results.players if player not in frozenset(ending.players)]
        all_players: tuple[PlayerId | None, ...] = (*ending.players, None, *absent_players)
        self.bits, self.all_players = len(all_players).bit_length(), all_players
        absent_positions = range(self.dummy + 1, len(all_players))
        ranked_absent = (position for position in absent_positions if all_players[position] in ending.groups)
        self.ranked_positions = [*range(self.dummy), *ranked_absent]
        self.groups = self.make_array_by_player(
            lambda player: ending.groups.get(player, len(all_players)), len(all_players)
        )
        self.adjustment = self.make_array_by_player(ending.compute_score_adjustment_for_opponents)
        ratings = {player.id: player.rating for player in earlier_results.players.values()}
        self.rating = self.make_array_by_player(
            lambda player: -_HUGE if (rating := ratings[player]) is None else rating, -_HUGE
        )

    def make_array_by_player(self, get_value: Callable[[PlayerId], int], dummy: int = 0) -> Ints:
        return np.array(
            [[dummy if player is None else get_value(player) for player in self.all_players]], dtype=np.int64
        )

    @cached_property
    def rounds_before_simulation(self) -> Sequence[_RoundResultArrays]:
        positions, ending = {player: column for column, player in enumerate(self.all_players)}, self.ending
        records = {
            player: [e for e in ending.get_record_with_future_absences(player) if e.outcome is not None]
            for player in positions
            if player
        }
        round_count = max(map(len, records.values()), default=0)
        shape = (round_count, 1, len(self.all_players))
        opponents, dummy_limits = np.full(shape, self.dummy), np.full(shape, -1)
        units = np.zeros(shape, np.int64)
        took_part, has_game, is_limited_by_own_score, is_voluntary = np.zeros((4, *shape), np.bool_)
        for player, record in records.items():
            for number, entry in enumerate(record):
                cell = number, 0, positions[player]
                opponents[cell] = positions[entry.opponent] if entry.opponent else self.dummy
                units[cell], took_part[cell], has_game[cell] = (
                    entry.units,
                    True,
                    entry.is_played and not entry.other_players,
                )
                if ending.unplayed_rules.has_dummy_opponents and is_unplayed_round(entry):
                    dummy_limits[cell], is_limited_by_own_score[cell] = compute_highest_dummy_opponent_points(
                        ending.unplayed_rules, record, entry
                    )
                    is_voluntary[cell] = (
                        is_voluntarily_unplayed(entry)
                        and ending.unplayed_rules.mode is not UnplayedRoundCounting.FIDE_2009
                    )
        columns = [opponents, units, took_part, has_game]
        if ending.unplayed_rules.has_dummy_opponents:
            columns += [dummy_limits, is_limited_by_own_score, is_voluntary]
        return [_RoundResultArrays(*arrays) for arrays in zip(*columns, strict=True)]

    def rank_players(self, rounds: Sequence[Ints], rows: int) -> Ints:
        """Return the rank (from 0) of each ranked player in each simulation. Equal players share a rank.

        `rounds` has an array for each round, with rows for simulations and columns for players. A cell contains
        `margin * 2**self.bits` plus the opponent's column number. The number `self.dummy` means a bye (margin 1)
        or an absence (margin 0).
        """
        outcomes = SimulatedTieBreaks(self, rounds, rows)
        ranks = outcomes.compute_ranks(self.groups)
        if len(set(self.ending.groups.values())) > 1:
            players_above = np.array([[int((self.groups < group).sum()) for group in self.groups[0]]])
            ranks_in_groups = np.where(
                self.groups < len(self.all_players), ranks - players_above, len(self.all_players)
            )
            ranks = outcomes.compute_ranks(ranks_in_groups)
        return ranks[:, self.ranked_positions]


class SimulatedTieBreaks:
    """The final results of a batch of simulations. Each method computes one tie-break."""

    def __init__(self, ranking: SimulatedResultsRanker, rounds: Sequence[Ints], rows: int) -> None:
        self.ranking, self.shape = ranking, (rows, len(ranking.all_players))
        columns = zip(*ranking.ending.round_values, RoundResultValues(0), strict=True)
        self._round_values = dict(zip(RoundResultValues._fields, map(np.array, columns), strict=True))
        self.units = self._make_tiebreak_array_before_simulation("wins")
        self.match_points_for_opponents = np.repeat(ranking.adjustment, rows, axis=0)
        self._outcomes: list[_SimulatedRoundMargins] = []
        coded_rounds = zip(rounds, ranking.numbers, ranking.caps, strict=True)
        self._simulated_rounds = [self._decode_simulated_round(*coded_round) for coded_round in coded_rounds]
        self.match_points_for_opponents += self.units

    def _make_tiebreak_array_before_simulation(self, name: str) -> Ints:
        earlier_results = self.ranking.ending.earlier_results
        values = TIEBREAKS[name].values(earlier_results, list(earlier_results.players))
        column = self.ranking.make_array_by_player(lambda player: int(values[player] or 0))
        return np.repeat(column, self.shape[0], axis=0)

    @property
    def rounds(self) -> Sequence[_RoundResultArrays]:
        return [*self.ranking.rounds_before_simulation, *self._simulated_rounds]

    def _decode_simulated_round(self, game_codes: Ints, number: int, cap: int | None) -> _RoundResultArrays:
        ending = self.ranking.ending
        opponents, margin = game_codes & ((1 << self.ranking.bits) - 1), game_codes >> self.ranking.bits
        has_game = opponents != self.ranking.dummy
        kind = np.where(has_game, np.sign(margin) + 1, np.where(margin > 0, _BYE, _ABSENT))
        units, units_before = self._round_values["units"][kind], self.units
        self.units = units_before + units
        self._outcomes.append(_SimulatedRoundMargins(kind, margin * has_game, cap))
        arrays = _RoundResultArrays(opponents, units, kind != _ABSENT, has_game)
        if not ending.unplayed_rules.has_dummy_opponents:
            return arrays
        is_bye, bye_units = kind == _BYE, ending.round_values[_BYE].units
        entry = RoundRecord(number, bye=ByeKind.BYE, outcome=Outcome.WIN, units=bye_units)
        limit, is_limited = compute_highest_dummy_opponent_points(ending.unplayed_rules, (), entry)
        if ending.unplayed_rules.mode is UnplayedRoundCounting.FIDE_2009:
            self.match_points_for_opponents += is_bye * (ending.unplayed_rules.draw - bye_units)
        dummy_limit = np.where(is_bye, limit if is_limited else limit + units_before, -1)
        return arrays._replace(dummy_limit=dummy_limit, is_limited_by_own_score=is_bye & is_limited)

    def compute_ranks(self, first_key: Ints) -> Ints:
        key = np.broadcast_to(first_key, self.shape)
        key_count = int(key.max()) + 1
        for name in self.ranking.ending.order:
            tiebreak = TIEBREAKS[name]
            key = _compute_competition_ranks(key) if tiebreak.among_tied else key
            values: Ints = tiebreak.simulated(self, key)
            worse = -values if tiebreak.higher_is_better else values
            lowest = worse.min()
            span = int(worse.max() - lowest) + 1
            if key_count * span > _MAX_KEY:
                key, key_count = _compute_competition_ranks(key), self.shape[1]
            key, key_count = key * span + (worse - lowest), key_count * span
        return _compute_competition_ranks(key)

    def get_opponent_values(self, values: Ints, opponents: Ints) -> Ints:
        rows = np.arange(len(values))[:, None] * values.shape[1]
        opponent_values: Ints = values.ravel()[opponents + rows]
        return opponent_values

    def list_opponent_scores_by_round(self) -> Iterator[tuple[_RoundResultArrays, Ints]]:
        for arrays in self.rounds:
            scores = self.get_opponent_values(self.match_points_for_opponents, arrays.opponents)
            if arrays.dummy_limit is not None and arrays.is_limited_by_own_score is not None:
                scores = np.where(arrays.dummy_limit < 0, scores, arrays.dummy_limit)
                scores = np.where(arrays.is_limited_by_own_score, np.minimum(scores, self.units), scores)
            yield arrays, scores

    def resistance(self) -> Ints:
        return sum((scores for _, scores in self.list_opponent_scores_by_round()), np.zeros(self.shape, np.int64))

    def resistance_cut1(self) -> Ints:
        return self._sum_opponent_scores_without_lowest(without_highest=False)

    def resistance_median(self) -> Ints:
        return self._sum_opponent_scores_without_lowest(without_highest=True)

    def sonneborn_berger(self) -> Ints:
        return sum(
            (scores * arrays.units for arrays, scores in self.list_opponent_scores_by_round()),
            np.zeros(self.shape, np.int64),
        )

    def rating(self) -> Ints:
        return self.ranking.rating

    def _sum_opponent_scores_without_lowest(self, *, without_highest: bool) -> Ints:
        total = np.zeros(self.shape, np.int64)
        highest, second_highest = np.full(self.shape, -1), np.full(self.shape, -1)
        lowest, lowest_voluntary = np.full(self.shape, _HUGE), np.full(self.shape, _HUGE)
        for arrays, scores in self.list_opponent_scores_by_round():
            total += scores
            lowest = np.where(arrays.took_part, np.minimum(lowest, scores), lowest)
            if arrays.is_voluntary is not None:
                new_lowest = np.minimum(lowest_voluntary, scores)
                lowest_voluntary = np.where(arrays.is_voluntary, new_lowest, lowest_voluntary)
            counted_scores = np.where(arrays.took_part, scores, -1)
            second_highest = np.maximum(second_highest, np.minimum(highest, counted_scores))
            highest = np.maximum(highest, counted_scores)
        lowest = np.where(highest < 0, 0, np.where(lowest_voluntary < _HUGE, lowest_voluntary, lowest))
        total -= lowest
        if not without_highest:
            return total
        return total - np.maximum(np.where(lowest == highest, second_highest, highest), 0)

    def losses(self) -> Ints:
        later_losses = (self._round_values["losses"][outcome.kind] for outcome in self._outcomes)
        return sum(later_losses, self._make_tiebreak_array_before_simulation("losses"))

    def spread(self) -> Ints:
        spreads = self._make_tiebreak_array_before_simulation("spread")
        for kind, margin, cap in self._outcomes:
            limit = _HUGE if cap is None else cap
            spreads += np.clip(self._round_values["spread"][kind] + margin, -limit, limit)
        return spreads

    def points(self) -> Ints:
        points = self._round_values["points"]
        later_points = (points[kind] + ((margin + 1) >> 1) for kind, margin, _ in self._outcomes)
        return sum(later_points, self._make_tiebreak_array_before_simulation("points"))

    def average_points_sort_key(self) -> Ints:
        records = self.ranking.ending.earlier_results.decided_records
        earlier_counts = self.ranking.make_array_by_player(
            lambda player: sum(
                entry.points is not None or entry.awarded_points > 0 for entry in records[player].entries
            )
        )
        points = self._round_values["points"]
        later_counts = (((kind <= _WIN) | (points[kind] > 0)).astype(np.int64) for kind, _, _ in self._outcomes)
        return self._compute_penalised_average(self.points(), sum(later_counts, earlier_counts))

    def percentage_sort_key(self) -> Ints:
        return self._compute_penalised_average(self.units, self._count_rounds_with_result_by_player())

    def _count_rounds_with_result_by_player(self) -> Ints:
        earlier_counts = self.ranking.make_array_by_player(
            self.ranking.ending.earlier_results.count_rounds_won_drawn_or_lost
        )
        return sum(((kind != _ABSENT).astype(np.int64) for kind, _, _ in self._outcomes), earlier_counts)

    def _compute_penalised_average(self, total: Ints, count: Ints) -> Ints:
        penalty = np.where(
            self._count_rounds_with_result_by_player() < self.ranking.ending.earlier_results.least_games,
            _HUGE >> 1,
            0,
        )
        averages = total * len(self.rounds) ** 2 // np.maximum(count, 1)
        return np.where(count > 0, averages - penalty, -_HUGE)

    def cumulative(self) -> Ints:
        ranking = self.ranking
        end_round = max(ranking.ending.earlier_results.last_round, *ranking.numbers, 0) + 1

        def compute_earlier_cumulative_score(player: PlayerId) -> int:
            record = ranking.ending.earlier_results.decided_records[player]
            numbered_units = zip(record.rounds, record.units, strict=True)
            return sum(units * (end_round - number) for number, units in numbered_units)

        earlier_sums = np.repeat(
            ranking.make_array_by_player(compute_earlier_cumulative_score), self.shape[0], axis=0
        )
        numbered_rounds = zip(ranking.numbers, self._simulated_rounds, strict=True)
        return sum((arrays.units * (end_round - number) for number, arrays in numbered_rounds), earlier_sums)

    def opponents_rating_sort_key(self) -> Ints:
        """Return the average rating of each player's opponents, times n² and rounded down (n: number of rounds).

        Different averages differ by at least 1/n², so they give different integers.
        """
        total, count = np.zeros(self.shape, np.int64), np.zeros(self.shape, np.int64)
        for arrays in self.rounds:
            rating = self.ranking.rating[0][arrays.opponents]
            is_rated = arrays.has_game & (rating > -_HUGE)
            total, count = total + np.where(is_rated, rating, 0), count + is_rated
        return np.where(count > 0, total * len(self.rounds) ** 2 // np.maximum(count, 1), -_HUGE)

    def games_won(self) -> Ints:
        win_units = self.ranking.ending.round_values[_WIN].units
        later_wins = (arrays.has_game & (arrays.units == win_units) for arrays in self._simulated_rounds)
        return sum(later_wins, self._make_tiebreak_array_before_simulation("games-won"))

    def head_to_head(self, ranks: Ints) -> Ints:
        """Return each player's match points (scaled to integers) against players of the same rank in `ranks`.

        If some players of the same rank have not met, the value is 0 for all of them.
        """
        rows, columns = self.shape
        group = ranks + np.arange(rows)[:, None] * columns
        size = np.bincount(group.ravel(), minlength=rows * columns)[group]
        row, player = np.nonzero((size > 1) & (size <= len(self.rounds) + 1) & (self.ranking.groups < columns))
        own_group = group[row, player]
        units, opponent_count = np.zeros(len(row), np.int64), np.zeros(len(row), np.int64)
        earlier_opponents: list[Ints] = []
        for arrays in self.rounds:
            opponents = np.broadcast_to(arrays.opponents, self.shape)[row, player]
            took_part = np.broadcast_to(arrays.took_part, self.shape)[row, player]
            is_in_group = took_part & (group[row, opponents] == own_group)
            units += np.broadcast_to(arrays.units, self.shape)[row, player] * is_in_group
            is_new = [opponents != previous for previous in earlier_opponents] or [is_in_group]
            opponent_count += is_in_group & np.logical_and.reduce(is_new)
            earlier_opponents.append(opponents)
        unmet = np.bincount(own_group[opponent_count < size[row, player] - 1], minlength=rows * columns)
        values = np.zeros(self.shape, np.int64)
        values[row, player] = np.where(unmet[own_group] > 0, 0, units)
        return values


def _compute_competition_ranks(keys: Ints) -> Ints:
    order = np.argsort(keys, axis=1)
    ascending = np.take_along_axis(keys, order, axis=1)
    rises = np.zeros(keys.shape, np.int64)
    rises[:, 1:] = (ascending[:, 1:] != ascending[:, :-1]) * np.arange(1, keys.shape[1])
    ranks = np.empty(keys.shape, np.int64)
    np.put_along_axis(ranks, order, np.maximum.accumulate(rises, axis=1), axis=1)
    return ranks
