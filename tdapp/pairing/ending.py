"""Computes the final ranks of many simulated tournaments at once, by the tie-breaks of the division.

Arrays have a row for each simulation and a column for each person: the players of the field, an imaginary opponent
(dummy) for byes, then absent players. All numbers are integers. The mean of the two scores of every simulated game
is the usual score.

Terms:

* Match points are counted in units, so that halves and other fractions become integers (`RoundValue.units`).
* Resistance of a player: the sum of the opponents' match points. Its variants leave out the lowest contribution
  (cut 1), or the lowest and the highest (median).
* Sonneborn-Berger: each opponent's match points times the match points won against that opponent.
* A round without a game can count as a game against a dummy, whose score the rules limit.
* Sort key: one integer that sorts like several tie-breaks one after the other. Each tie-break
  becomes a digit of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from tdapp.domain.model import ByeKind, PlayerId, Unplayed
from tdapp.domain.records import (
    Record,
    RoundRecord,
    UnplayedRoundRules,
    compute_dummy_points_limit,
    compute_match_points_for_opponents,
    fill_missing_rounds,
    is_unplayed_round,
    is_voluntarily_unplayed,
)
from tdapp.domain.ruleset import Worth
from tdapp.domain.tiebreaks import TIEBREAKS, RankedField
from tdapp.pairing.arrays import Flags, Ints, np

_MUCH = 1 << 40  # more than any sum
_ROOM = 1 << 62  # of a key into which tie-breaks are packed
_WIN, _BYE, _NOTHING = 2, 3, 4  # kinds of rounds, next to loss and draw


class RoundValue(NamedTuple):
    """The value of a round for a player in the final ranking."""

    units: int  # match points
    losses: int = 0  # in halves
    spread: int = 0
    points: int = 0  # usual score of a game, or points for a bye


class RankingData(Struct, frozen=True):
    """The data for the final ranking of the simulated tournaments."""

    order: tuple[str, ...]  # ids of the tie-breaks
    earlier_results: RankedField
    players: tuple[PlayerId, ...]
    groups: Mapping[PlayerId, int]
    round_values: tuple[
        RoundValue, RoundValue, RoundValue, RoundValue
    ]  # values of a loss, a draw, a win and a bye
    remaining_rounds: tuple[int, ...]  # numbers
    remaining_spread_caps: tuple[int | None, ...]
    rounds_left: int
    unplayed_rules: UnplayedRoundRules

    def get_record(self, player: PlayerId) -> Record:
        """Return the rounds of a player, including future absences if they count for tie-breaks."""
        record = self.earlier_results.records[player]
        if not self.unplayed_rules.uses_dummies or player in self.players:
            return record
        return fill_missing_rounds({player: record}, {*(entry.round for entry in record), *self.remaining_rounds})[
            player
        ]

    def compute_match_point_adjustment(self, player: PlayerId) -> int:
        lapsed = self.rounds_left and player in self.players and self.unplayed_rules.mode is not Unplayed.FIDE_2009
        record = self.get_record(player)
        return (
            0
            if lapsed or not self.unplayed_rules.uses_dummies
            else compute_match_points_for_opponents(self.unplayed_rules, record) - sum(e.units for e in record)
        )


class _RoundArrays(NamedTuple):
    """The results of all people in one round, as arrays.

    A round without a game may count as a game against a dummy.
    """

    opponents: Ints
    units: Ints
    took_part: Flags
    has_game: Flags
    dummy_limit: Ints | None = None  # of its score; -1: no dummy
    is_limited_by_own_score: Flags | None = None  # the player's own score also limits the dummy's score
    voluntary: Flags | None = None  # rounds that the cut tie-breaks remove first


class _SimulatedMargins(NamedTuple):
    kind: Ints
    margin: Ints
    cap: int | None


class SimulationRanker:
    """Ranks the players at the end of many simulations. The earlier rounds are prepared only once."""

    def __init__(self, ending: RankingData, rounds: int) -> None:
        past, start = ending.earlier_results, len(ending.remaining_rounds) - rounds
        self.ending, self.dummy = ending, len(ending.players)
        self.numbers, self.caps = ending.remaining_rounds[start:], ending.remaining_spread_caps[start:]
        away = [player for player in past.players if player not in frozenset(ending.players)]
        people: tuple[PlayerId | None, ...] = (*ending.players, None, *away)
        self.bits, self.people = len(people).bit_length(), people
        others = (at for at, player in enumerate(people) if at > self.dummy and player in ending.groups)
        self.ranked = [*range(self.dummy), *others]
        self.groups = self.make_people_column(lambda player: ending.groups.get(player, len(people)), len(people))
        self.adjustment = self.make_people_column(ending.compute_match_point_adjustment)
        self.rating = self.make_people_column(
            lambda player: -_MUCH if (r := past.players[player].rating) is None else r, -_MUCH
        )

    def make_people_column(self, value: Callable[[PlayerId], int], dummy: int = 0) -> Ints:
        return np.array([[dummy if player is None else value(player) for player in self.people]], dtype=np.int64)

    @cached_property
    def earlier_rounds(self) -> Sequence[_RoundArrays]:
        at, ending = {player: position for position, player in enumerate(self.people)}, self.ending
        records = {
            player: [e for e in ending.get_record(player) if e.worth is not None] for player in at if player
        }
        longest = max(map(len, records.values()), default=0)
        shape = (longest, 1, len(self.people))
        met, most = np.full(shape, self.dummy), np.full(shape, -1)
        units = np.zeros(shape, np.int64)
        there, game, own, left_out = np.zeros((4, *shape), np.bool_)
        for player, record in records.items():
            for number, entry in enumerate(record):
                cell = number, 0, at[player]
                met[cell] = at[entry.opponent] if entry.opponent else self.dummy
                units[cell], there[cell], game[cell] = (
                    entry.units,
                    True,
                    entry.is_played and not entry.other_players,
                )
                if ending.unplayed_rules.uses_dummies and is_unplayed_round(entry):
                    most[cell], own[cell] = compute_dummy_points_limit(ending.unplayed_rules, record, entry)
                    left_out[cell] = (
                        is_voluntarily_unplayed(entry) and ending.unplayed_rules.mode is not Unplayed.FIDE_2009
                    )
        if not ending.unplayed_rules.uses_dummies:
            return [_RoundArrays(*arrays) for arrays in zip(met, units, there, game, strict=True)]
        return [_RoundArrays(*arrays) for arrays in zip(met, units, there, game, most, own, left_out, strict=True)]

    def rank_people(self, rounds: Sequence[Ints], rows: int) -> Ints:
        """Return the ranks (from 0), in each of `rows` simulations, of all people to rank.

        Equal people share a rank.

        Each array in `rounds` contains the code `margin << bits | opponent` for each person. The dummy as
        opponent means a bye.
        """
        ends = SimulatedOutcomes(self, rounds, rows)
        found = ends.compute_ranks(self.groups)
        if len(set(self.ending.groups.values())) > 1:
            above = np.array([[int((self.groups < group).sum()) for group in self.groups[0]]])
            found = ends.compute_ranks(np.where(self.groups < len(self.people), found - above, len(self.people)))
        return found[:, self.ranked]


class SimulatedOutcomes:
    """The final results of a batch of simulations.

    Methods compute one value for each person: a row for each simulation, a column for each person.
    """

    def __init__(self, ranking: SimulationRanker, rounds: Sequence[Ints], rows: int) -> None:
        self.ranking, self.shape = ranking, (rows, len(ranking.people))
        columns = zip(*ranking.ending.round_values, RoundValue(0), strict=True)
        self._gained = dict(zip(RoundValue._fields, map(np.array, columns), strict=True))
        self.units = self._get_values_so_far("wins")
        self.brought = np.repeat(ranking.adjustment, rows, axis=0)
        self._outcomes: list[_SimulatedMargins] = []
        self._later = [self._decode_round(*one) for one in zip(rounds, ranking.numbers, ranking.caps, strict=True)]
        self.brought += self.units

    def _get_values_so_far(self, name: str) -> Ints:
        past = self.ranking.ending.earlier_results
        known = TIEBREAKS[name].values(past, list(past.players))
        return np.repeat(
            self.ranking.make_people_column(lambda player: int(known[player] or 0)), self.shape[0], axis=0
        )

    @property
    def rounds(self) -> Sequence[_RoundArrays]:
        return [*self.ranking.earlier_rounds, *self._later]

    def _decode_round(self, coded: Ints, number: int, cap: int | None) -> _RoundArrays:
        ending = self.ranking.ending
        met, margin = coded & ((1 << self.ranking.bits) - 1), coded >> self.ranking.bits
        game = met != self.ranking.dummy
        kind = np.where(game, np.sign(margin) + 1, np.where(margin > 0, _BYE, _NOTHING))
        units, before = self._gained["units"][kind], self.units
        self.units = before + units
        self._outcomes.append(_SimulatedMargins(kind, margin * game, cap))
        arrays = _RoundArrays(met, units, kind != _NOTHING, game)
        if not ending.unplayed_rules.uses_dummies:
            return arrays
        bye, worth = kind == _BYE, ending.round_values[_BYE].units
        entry = RoundRecord(number, bye=ByeKind.BYE, worth=Worth.WIN, units=worth)
        most, own = compute_dummy_points_limit(ending.unplayed_rules, (), entry)
        if ending.unplayed_rules.mode is Unplayed.FIDE_2009:
            self.brought += bye * (ending.unplayed_rules.draw - worth)
        return arrays._replace(
            dummy_limit=np.where(bye, most if own else most + before, -1), is_limited_by_own_score=bye & own
        )

    def compute_ranks(self, first: Ints) -> Ints:
        key = np.broadcast_to(first, self.shape)
        room = int(key.max()) + 1
        for name in self.ranking.ending.order:
            tiebreak = TIEBREAKS[name]
            key = _compute_dense_ranks(key) if tiebreak.among_tied else key
            values: Ints = tiebreak.simulated(self, key)
            worse = -values if tiebreak.higher_is_better else values
            least = worse.min()
            span = int(worse.max() - least) + 1
            if room * span > _ROOM:
                key, room = _compute_dense_ranks(key), self.shape[1]
            key, room = key * span + (worse - least), room * span
        return _compute_dense_ranks(key)

    def get_opponent_values(self, values: Ints, met: Ints) -> Ints:
        rows = np.arange(len(values))[:, None] * values.shape[1]
        found: Ints = values.ravel()[met + rows]
        return found

    def list_opponent_scores_by_round(self) -> Iterator[tuple[_RoundArrays, Ints]]:
        for arrays in self.rounds:
            part = self.get_opponent_values(self.brought, arrays.opponents)
            if arrays.dummy_limit is not None and arrays.is_limited_by_own_score is not None:
                part = np.where(arrays.dummy_limit < 0, part, arrays.dummy_limit)
                part = np.where(arrays.is_limited_by_own_score, np.minimum(part, self.units), part)
            yield arrays, part

    def resistance(self) -> Ints:
        return sum((part for _, part in self.list_opponent_scores_by_round()), np.zeros(self.shape, np.int64))

    def resistance_cut1(self) -> Ints:
        return self._compute_cut_resistance(drops_highest=False)

    def resistance_median(self) -> Ints:
        return self._compute_cut_resistance(drops_highest=True)

    def sonneborn_berger(self) -> Ints:
        return sum(
            (part * arrays.units for arrays, part in self.list_opponent_scores_by_round()),
            np.zeros(self.shape, np.int64),
        )

    def rating(self) -> Ints:
        return self.ranking.rating

    def _compute_cut_resistance(self, *, drops_highest: bool) -> Ints:
        total, most, second = np.zeros(self.shape, np.int64), np.full(self.shape, -1), np.full(self.shape, -1)
        least, chosen = np.full(self.shape, _MUCH), np.full(self.shape, _MUCH)
        for arrays, part in self.list_opponent_scores_by_round():
            total += part
            least = np.where(arrays.took_part, np.minimum(least, part), least)
            if arrays.voluntary is not None:
                chosen = np.where(arrays.voluntary, np.minimum(chosen, part), chosen)
            shown = np.where(arrays.took_part, part, -1)
            second = np.maximum(second, np.minimum(most, shown))
            most = np.maximum(most, shown)
        least = np.where(most < 0, 0, np.where(chosen < _MUCH, chosen, least))
        total -= least
        return total - np.maximum(np.where(least == most, second, most), 0) if drops_highest else total

    def losses(self) -> Ints:
        return sum((self._gained["losses"][one.kind] for one in self._outcomes), self._get_values_so_far("losses"))

    def spread(self) -> Ints:
        found = self._get_values_so_far("spread")
        for kind, margin, cap in self._outcomes:
            most = _MUCH if cap is None else cap
            found += np.clip(self._gained["spread"][kind] + margin, -most, most)
        return found

    def points(self) -> Ints:
        later = (self._gained["points"][kind] + ((margin + 1) >> 1) for kind, margin, _ in self._outcomes)
        return sum(later, self._get_values_so_far("points"))

    def average(self) -> Ints:
        decided = self.ranking.ending.earlier_results.decided_records
        before = self.ranking.make_people_column(
            lambda player: sum(one.points is not None or one.awarded_points > 0 for one in decided[player].entries)
        )
        gained = self._gained["points"]
        later = (((one.kind <= _WIN) | (gained[one.kind] > 0)).astype(np.int64) for one in self._outcomes)
        return self._divide_by_games(self.points(), sum(later, before))

    def percentage(self) -> Ints:
        return self._divide_by_games(self.units, self._count_games())

    def _count_games(self) -> Ints:
        before = self.ranking.make_people_column(self.ranking.ending.earlier_results.count_games)
        return sum(((one.kind != _NOTHING).astype(np.int64) for one in self._outcomes), before)

    def _divide_by_games(self, total: Ints, count: Ints) -> Ints:
        behind = np.where(self._count_games() < self.ranking.ending.earlier_results.least_games, _MUCH >> 1, 0)
        found = total * len(self.rounds) ** 2 // np.maximum(count, 1)
        return np.where(count > 0, found - behind, -_MUCH)

    def cumulative(self) -> Ints:
        ranking = self.ranking
        beyond = max(ranking.ending.earlier_results.last_round, *ranking.numbers, 0) + 1
        decided = ranking.ending.earlier_results.decided_records
        found = ranking.make_people_column(
            lambda player: sum(
                units * (beyond - number)
                for number, units in zip(decided[player].rounds, decided[player].units, strict=True)
            )
        )
        later = zip(ranking.numbers, self._later, strict=True)
        return sum(
            (arrays.units * (beyond - number) for number, arrays in later), np.repeat(found, self.shape[0], axis=0)
        )

    def opponents_rating(self) -> Ints:
        """Return the average rating of the opponents times the square of the number of rounds.

        With this factor different averages remain different integers.
        """
        total, count = np.zeros(self.shape, np.int64), np.zeros(self.shape, np.int64)
        for arrays in self.rounds:
            rating = self.ranking.rating[0][arrays.opponents]
            rated = arrays.has_game & (rating > -_MUCH)
            total, count = total + np.where(rated, rating, 0), count + rated
        return np.where(count > 0, total * len(self.rounds) ** 2 // np.maximum(count, 1), -_MUCH)

    def games_won(self) -> Ints:
        won = self.ranking.ending.round_values[_WIN].units
        return sum(
            (later.has_game & (later.units == won) for later in self._later), self._get_values_so_far("games-won")
        )

    def head_to_head(self, ranks: Ints) -> Ints:
        """Return the match points from games against people of the same rank in `ranks`, as multiples of the unit.

        The value is 0 unless all people of that rank have met.
        """
        rows, people = self.shape
        group = ranks + np.arange(rows)[:, None] * people
        size = np.bincount(group.ravel(), minlength=rows * people)[group]
        row, person = np.nonzero((size > 1) & (size <= len(self.rounds) + 1) & (self.ranking.groups < people))
        mine, won, others = group[row, person], np.zeros(len(row), np.int64), np.zeros(len(row), np.int64)
        seen: list[Ints] = []
        for arrays in self.rounds:
            met = np.broadcast_to(arrays.opponents, self.shape)[row, person]
            among = np.broadcast_to(arrays.took_part, self.shape)[row, person] & (group[row, met] == mine)
            won += np.broadcast_to(arrays.units, self.shape)[row, person] * among
            others += among & np.logical_and.reduce([met != before for before in seen] or [among])
            seen.append(met)
        missed = np.bincount(mine[others < size[row, person] - 1], minlength=rows * people)
        found = np.zeros(self.shape, np.int64)
        found[row, person] = np.where(missed[mine] > 0, 0, won)
        return found


def _compute_dense_ranks(keys: Ints) -> Ints:
    order = np.argsort(keys, axis=1)
    ascending = np.take_along_axis(keys, order, axis=1)
    rises = np.zeros(keys.shape, np.int64)
    rises[:, 1:] = (ascending[:, 1:] != ascending[:, :-1]) * np.arange(1, keys.shape[1])
    found = np.empty(keys.shape, np.int64)
    np.put_along_axis(found, order, np.maximum.accumulate(rises, axis=1), axis=1)
    return found
