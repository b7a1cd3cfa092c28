"""Simulates the remaining rounds many times and counts the final ranks of each player.

The seed and integer arithmetic make the figures equal on every machine. Margins have a normal distribution, which
fits published results (median 71, mean 84, 10 % above 172, one tie in 260). They are at most the largest spread
that a game is assumed to change (`swing`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.clinch_bounds import (
    Contest,
    GibsonGroups,
    Pairs,
    find_gibsonized_positions,
    split_into_gibson_groups,
)
from tdapp.pairing.ending import SimulationRanker
from tdapp.pairing.field import Tick, ignore_progress

if TYPE_CHECKING:
    import numpy.typing as npt

DEVIATION = 105  # points; of the difference of two scores
_DRAWS = 1 << 16  # distinct outcomes of a game
_WORK = 100_000_000  # games and byes in all simulations together; a large field is simulated less often
_RANKED = 25_000_000  # the same where the whole order of the standings ranks each end
_LEAST = 4_000  # simulations, however large the field
_CELLS = 1 << 18  # of a batch: players x simulations


class RankChances(Struct, frozen=True):
    """How often each player reached each rank in many simulations. A shared rank counts for each player."""

    counts: Ints  # [position, rank]; the last rows are absent players with a rank
    simulation_count: int
    factor: int  # most ranks between opponents in a Gibson group

    @property
    def has_shared_ranks(self) -> bool:
        return bool((self.counts.sum(axis=0) != self.simulation_count).any())

    def count_rank_or_better(self) -> Ints:
        return self.counts.cumsum(axis=1)

    def find_likely_ranks(self, per_mille: int) -> Ints:
        """Return for each position the best rank that is likely.

        The player reached this rank or a better one in at least `per_mille` ‰ of the simulations.
        """
        found: Ints = np.argmax(self.count_rank_or_better() * 1000 >= per_mille * self.simulation_count, axis=1)
        return found

    def find_best_ranks(self) -> Ints:
        found: Ints = np.argmax(self.counts > 0, axis=1)
        return found


def find_lowest_positions(ranks: Ints) -> Ints:
    """Return for each rank the last position whose value in `ranks` is at most this rank.

    Positions count from 0. The value is -1 if no position has such a rank.
    """
    places = np.arange(len(ranks))
    reached = ranks[:, None] <= places[None, :]
    found: Ints = np.where(reached, places[:, None], -1).max(axis=0)
    return found


def compute_chances(contest: Contest, *, times: int, seed: int, tick: Tick = ignore_progress) -> RankChances:
    """Return the chances of all players in the remaining rounds.

    In each simulated round, each Gibson group is paired by a factor f: player 1 meets player 1 + f, and so on up
    to player f, who meets player 2f. The players below meet top half against bottom half. In the last round
    neighbours in the standings meet.

    A first run uses the number of remaining rounds as f. It counts the players who ever catch the highest
    player without a decided rank. If they are fewer than f, a second run uses their number as f.

    `tick` gets the progress; its exception stops the work.
    """
    parts = split_into_gibson_groups(contest, find_gibsonized_positions(contest))
    if not contest.rounds_left and not contest.uncounted_rounds:
        return RankChances(simulate_ranks(contest, (), times=1, seed=seed) * times, times, 0)
    times = choose_simulation_count(contest, times)
    widest = max(contest.rounds_left, 1)
    rounds = make_simulated_rounds(contest, parts, widest)
    found = simulate_ranks(contest, rounds, times=times, seed=seed, tick=lambda done, total: tick(done, 2 * total))
    factor = _count_overtakers(contest, found)
    if factor >= min(widest, max(map(len, parts.members)) // 2):
        return RankChances(found, times, widest)
    rounds = make_simulated_rounds(contest, parts, factor)
    found = simulate_ranks(
        contest, rounds, times=times, seed=seed, tick=lambda done, total: tick(total + done, 2 * total)
    )
    return RankChances(found, times, factor)


def choose_simulation_count(contest: Contest, times: int) -> int:
    games = max(1, contest.count * (contest.rounds_left + len(contest.uncounted_rounds)))
    return min(times, max(_LEAST, (_RANKED if contest.ranking_data else _WORK) // games))


def _count_overtakers(contest: Contest, counts: Ints) -> int:
    decided = find_gibsonized_positions(contest)
    top = next((place for place in range(contest.count) if place not in decided), 0)
    now = (
        int(SimulationRanker(contest.ranking_data, 0).rank_people((), 1)[0, top]) if contest.ranking_data else top
    )
    below = counts[top + 1 : contest.count, : now + 1].any(axis=1)
    return max(1, int(np.argmin(np.append(below, False))))


# --- rounds


def make_factor_round(groups: GibsonGroups, rounds_left: int, factor: int, count: int) -> Pairs:
    even = [[*group, count] if len(group) % 2 else [*group] for group in groups.members]
    return tuple(pair for group in even for pair in _pair_by_factor(group, rounds_left, factor))


def _pair_by_factor(group: Sequence[int], rounds_left: int, factor: int) -> list[tuple[int, int]]:
    if rounds_left == 1:
        return list(zip(group[::2], group[1::2], strict=True))
    apart = min(rounds_left, factor, len(group) // 2)
    rest = group[2 * apart :]
    half = len(rest) // 2
    return [*zip(group, group[apart : 2 * apart], strict=False), *zip(rest, rest[half:], strict=False)]


def make_simulated_rounds(contest: Contest, groups: GibsonGroups, factor: int) -> tuple[Pairs, ...]:
    count = contest.count
    coming = tuple(make_factor_round(groups, left, factor, count) for left in range(contest.rounds_left, 0, -1))
    return (*contest.uncounted_rounds, *coming)


# --- simulating


class AlwaysWinningPlayer(Struct, frozen=True):
    """A player who wins every simulated game."""

    position: int
    meets_leader: bool  # in all rounds before the last, otherwise in none
    group: int  # number of players in the leader's group; if 2, they always meet


class _SimulationTable:
    """The scores in all simulations: a row for each simulation, a column for each rank.

    A cell is (top - key) << bits | position. The key combines score and spread; `top` is greater than every
    key. Sorting the cells of a row ranks the players; position breaks ties.
    """

    def __init__(self, contest: Contest) -> None:
        people = contest.contenders
        self.count = len(people)
        self.bits = self.count.bit_length()  # includes the bye's position
        self.games = max((one.games_left for one in people), default=0)
        low = min(one.spread for one in people)
        reach = contest.swing * (self.games + 1)
        unit = max(one.spread for one in people) - low + 4 * reach + 1  # greater than any difference of spreads
        keys = [unit * (2 * one.score + contest.win * one.games_left) + one.spread - low for one in people]
        gain = self.games * (unit * contest.win + reach)
        top = max(keys) + gain + 1
        size = (top - min(keys) + 2 * gain + 2) << self.bits
        self.kind: type[np.signedinteger[Any]] = np.int32 if size < 2**31 else np.int64
        cells = [(top - key) << self.bits | place for place, key in enumerate(keys)]
        if self.count % 2:
            cells.append((np.iinfo(self.kind).max >> self.bits) << self.bits | self.count)
        self.start = np.array(cells, dtype=self.kind)
        self.win = unit * contest.win
        self.bye = (self.win + min(contest.bye_spread, contest.swing)) << self.bits
        self.least = (self.win + 1) << self.bits
        likely = list_margins(contest.swing)
        signed = np.sign(likely) * self.win + likely
        self.outcomes = (signed << self.bits).astype(self.kind)
        self.rows = max(64, _CELLS // len(self.start))  # simulations at a time

    def get_positions(self, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return cells & ((1 << self.bits) - 1)

    def get_rank_of_positions(self, cells: npt.NDArray[Any]) -> Ints:
        return np.argsort(self.get_positions(cells[:, : self.count]), axis=1)

    def get_margins(self, outcomes: npt.NDArray[Any]) -> Ints:
        found: Ints = outcomes.astype(np.int64) >> self.bits
        found -= np.sign(found) * self.win
        return found


def list_margins(swing: int) -> Ints:
    """Return equally likely margins, at most `swing`."""
    scale = DEVIATION * math.sqrt(2)
    below = [round(_DRAWS / 2 * (1 + math.erf((margin + 0.5) / scale))) for margin in range(-swing, swing)]
    counts = np.diff([0, *below, _DRAWS])
    return np.repeat(np.arange(-swing, swing + 1, dtype=np.int64), counts)


class RandomNumbers:
    """Random 16-bit numbers, equal on every machine and with every NumPy version."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(seed)

    def draw_numbers(self, rows: int, columns: int) -> npt.NDArray[np.uint16]:
        words = np.asarray(self._source.random_raw(-(-rows * columns // 4))).astype("<u8")
        return words.view("<u2")[: rows * columns].reshape(rows, columns)


def _convert_pairs_to_slices(pairs: Sequence[tuple[int, int]]) -> list[tuple[slice, slice, slice]]:
    found, at = [], 0
    while at < len(pairs):
        one, other = pairs[at]
        end = at + 1
        step = pairs[end][0] - one if end < len(pairs) and pairs[end][0] > one else 1
        while end < len(pairs) and pairs[end] == (one + step * (end - at), other + step * (end - at)):
            end += 1
        last = step * (end - at - 1) + 1
        found.append((slice(one, one + last, step), slice(other, other + last, step), slice(at, end)))
        at = end
    return found


def simulate_ranks(
    contest: Contest, rounds: Sequence[Pairs], *, times: int, seed: int, tick: Tick = ignore_progress
) -> Ints:
    """Return how often each player has each final rank after `rounds`.

    A round contains pairs of ranks. A rank equal to the number of players means the bye.
    """
    count = (
        len(SimulationRanker(contest.ranking_data, len(rounds)).ranked) if contest.ranking_data else contest.count
    )
    total = np.zeros(count * count, dtype=np.int64)
    rows = np.arange(count) * count
    for ranks in _simulate_batches(contest, rounds, times=times, seed=seed, tick=tick):
        total += np.bincount((ranks + rows).ravel(), minlength=count * count)
    return total.reshape(count, count)


def _simulate_batches(
    contest: Contest,
    rounds: Sequence[Pairs],
    *,
    times: int,
    seed: int,
    tick: Tick = ignore_progress,
    favoured: AlwaysWinningPlayer | None = None,
) -> Iterator[npt.NDArray[Any]]:
    board, draws = _SimulationTable(contest), RandomNumbers(seed)
    ready = [_SimulatedRound(pairs, contest.count) for pairs in rounds]
    ranking = SimulationRanker(contest.ranking_data, len(rounds)) if contest.ranking_data else None
    for done in range(0, times, board.rows):
        tick(done, times)
        cells = np.tile(board.start, (min(board.rows, times - done), 1))
        legs = []
        for number, item in enumerate(ready, start=1):
            outcomes = item.draw_outcomes(board, cells, draws, favoured, last=number == len(ready))
            if ranking:
                who = board.get_positions(cells[:, : contest.count])
                legs.append(item.encode_games(board.get_margins(outcomes), who, ranking.bits, len(ranking.people)))
            item.apply_outcomes(board, cells, outcomes)
        yield ranking.rank_people(legs, len(cells)) if ranking else board.get_rank_of_positions(cells)
    tick(times, times)


class _SimulatedRound:
    def __init__(self, pairs: Pairs, count: int) -> None:
        games = sorted(pair for pair in pairs if pair[1] < count)
        self.size = len(games)
        self._runs = _convert_pairs_to_slices(games)
        self._waiting = next((one for one, other in pairs if other == count), None)
        self._game = np.full(count + 1, -1)  # of each place
        self._side = np.ones(count + 1, dtype=np.int64)  # 1 for a pair's first player, -1 for its second
        for number, (one, other) in enumerate(games):
            self._game[[one, other]] = number
            self._side[other] = -1
        self._met = dict(games)  # opponent of the first rank

    def draw_outcomes(
        self,
        board: _SimulationTable,
        cells: npt.NDArray[Any],
        draws: RandomNumbers,
        favoured: AlwaysWinningPlayer | None,
        *,
        last: bool,
    ) -> npt.NDArray[Any]:
        found = np.take(board.outcomes, draws.draw_numbers(len(cells), self.size))
        if favoured is not None:
            self._let_favoured_win(board, cells, found, favoured, last=last)
        return found

    def apply_outcomes(self, board: _SimulationTable, cells: npt.NDArray[Any], outcomes: npt.NDArray[Any]) -> None:
        for one, other, games in self._runs:
            cells[:, one] -= outcomes[:, games]
            cells[:, other] += outcomes[:, games]
        if self._waiting is not None:
            cells[:, self._waiting] -= board.bye
        cells.sort(axis=1)

    def encode_games(self, margins: npt.NDArray[Any], players: npt.NDArray[Any], bits: int, people: int) -> Ints:
        count = players.shape[1]
        place = np.full(count, -1)
        for one, other in self._met.items():
            place[[one, other]] = other, one
        playing = np.flatnonzero(place >= 0)
        made = np.full(players.shape, count, dtype=np.int64)
        if self._waiting is not None:
            made[:, self._waiting] |= 1 << bits
        margin = margins[:, self._game[playing]] * self._side[playing]
        made[:, playing] = (margin << bits) | players[:, place[playing]]
        found = np.full((len(players), people), count, dtype=np.int64)
        np.put_along_axis(found, players.astype(np.int64), made, axis=1)
        return found

    def _let_favoured_win(
        self,
        board: _SimulationTable,
        cells: npt.NDArray[Any],
        outcomes: npt.NDArray[Any],
        favoured: AlwaysWinningPlayer,
        *,
        last: bool,
    ) -> None:
        rows = np.arange(len(cells))
        place = np.argmax(board.get_positions(cells) == favoured.position, axis=1)
        opposite = self._met.get(0)
        if not last and opposite is not None:
            if favoured.meets_leader:
                self._swap_players(cells, rows[place > 0], place, opposite)
                place = np.where(place > 0, opposite, place)
            elif opposite + 1 < min(favoured.group, board.count):
                meeting = place == opposite
                self._swap_players(cells, rows[meeting], place, opposite + 1)
                place = np.where(meeting, opposite + 1, place)
        game, side = self._game[place], self._side[place].astype(board.kind)
        playing = game >= 0
        won = np.maximum(np.abs(outcomes[rows, game]), board.least)
        outcomes[rows[playing], game[playing]] = (won * side)[playing]

    @staticmethod
    def _swap_players(
        cells: npt.NDArray[Any], rows: npt.NDArray[Any], column: npt.NDArray[Any], other: int
    ) -> None:
        own = column[rows]
        cells[rows, own], cells[rows, other] = cells[rows, other].copy(), cells[rows, own].copy()


def count_tournament_wins(
    contest: Contest, rounds: Sequence[Pairs], favoured: AlwaysWinningPlayer, *, times: int, seed: int
) -> int:
    simulated = _simulate_batches(contest, rounds, times=times, seed=seed, favoured=favoured)
    return sum(int((ranks[:, favoured.position] == 0).sum()) for ranks in simulated)
