"""Simulates the remaining rounds many times and counts the final ranks of each player.

The seed and integer arithmetic give the same figures on every machine. Simulated margins have a normal
distribution, limited to the largest assumed margin (`RankContest.swing`). It fits published results: median margin
71 points, mean 84, 10 % above 172, one tied game in 260.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.clinch_bounds import (
    GroupsBetweenGibsonizedPlayers,
    Pairs,
    RankContest,
    find_gibsonized_positions,
    split_standings_at_decided_positions,
)
from tdapp.pairing.ending import SimulatedResultsRanker
from tdapp.pairing.field import ProgressCallback, ignore_progress

if TYPE_CHECKING:
    import numpy.typing as npt

DEVIATION = 105  # points; of the difference of two scores
_OUTCOME_COUNT = 1 << 16  # equally likely outcomes of a game
_MAX_GAMES = 100_000_000  # games and byes in all simulations; a large field is simulated less often
_MAX_GAMES_WITH_TIEBREAKS = 25_000_000  # instead, if all tie-breaks rank the players
_MIN_SIMULATIONS = 4_000
_BATCH_CELLS = 1 << 18  # players x simulations


class RankChances(Struct, frozen=True):
    """How often each player reached each rank in many simulations. Players who share a rank all reach it."""

    counts: Ints  # [position, rank]; absent players come last
    simulation_count: int
    factor: int  # f in `compute_chances`

    @property
    def has_shared_ranks(self) -> bool:
        return bool((self.counts.sum(axis=0) != self.simulation_count).any())

    def count_simulations_with_rank_or_better(self) -> Ints:
        return self.counts.cumsum(axis=1)

    def find_best_likely_ranks(self, min_per_mille: int) -> Ints:
        """Return, for each player, the best likely rank (from 0).

        The player reached this rank or a better one in at least `min_per_mille` ‰ of the simulations.
        """
        is_likely = self.count_simulations_with_rank_or_better() * 1000 >= min_per_mille * self.simulation_count
        likely_ranks: Ints = np.argmax(is_likely, axis=1)
        return likely_ranks

    def find_best_reached_ranks(self) -> Ints:
        best_ranks: Ints = np.argmax(self.counts > 0, axis=1)
        return best_ranks


def find_last_player_able_to_reach_each_rank(best_ranks: Ints) -> Ints:
    """Return, for each rank, the lowest-placed player who can reach this rank or a better one (-1: no player).

    `best_ranks` has the best possible rank of each player. Players and ranks count from 0.
    Example: [0, 0, 1] gives [1, 2, 2].
    """
    positions = np.arange(len(best_ranks))
    is_reached = best_ranks[:, None] <= positions[None, :]
    last_positions: Ints = np.where(is_reached, positions[:, None], -1).max(axis=0)
    return last_positions


def compute_chances(
    contest: RankContest, *, times: int, seed: int, progress: ProgressCallback = ignore_progress
) -> RankChances:
    """Return the chances of all players in the remaining rounds.

    Gibsonized players (with a decided rank) divide the standings into groups. The pairing of a group uses a
    number f. If f is 3, players 1, 2 and 3 meet players 4, 5 and 6. Of the remaining players, the top half meets
    the bottom half. In the last round, neighbours in the standings meet.

    First, simulate with the number of remaining rounds as f. Count the players who can catch the leader (the
    highest player without a decided rank). If this count is smaller than f, simulate again with the count as f.
    """
    groups = split_standings_at_decided_positions(contest, find_gibsonized_positions(contest))
    if not contest.rounds_left and not contest.uncounted_rounds:
        return RankChances(simulate_ranks(contest, (), times=1, seed=seed) * times, times, 0)
    times = limit_simulation_count(contest, times)
    max_factor = max(contest.rounds_left, 1)
    rounds = pair_remaining_rounds_by_factor(contest, groups, max_factor)
    counts = simulate_ranks(
        contest, rounds, times=times, seed=seed, progress=lambda count, total: progress(count, 2 * total)
    )
    factor = _count_players_who_can_catch_leader(contest, counts)
    if factor >= min(max_factor, max(map(len, groups.members)) // 2):
        return RankChances(counts, times, max_factor)
    rounds = pair_remaining_rounds_by_factor(contest, groups, factor)
    counts = simulate_ranks(
        contest, rounds, times=times, seed=seed, progress=lambda count, total: progress(total + count, 2 * total)
    )
    return RankChances(counts, times, factor)


def limit_simulation_count(contest: RankContest, times: int) -> int:
    games = max(1, contest.contender_count * (contest.rounds_left + len(contest.uncounted_rounds)))
    max_games = _MAX_GAMES_WITH_TIEBREAKS if contest.ranking_data else _MAX_GAMES
    return min(times, max(_MIN_SIMULATIONS, max_games // games))


def _count_players_who_can_catch_leader(contest: RankContest, counts: Ints) -> int:
    decided_positions = find_gibsonized_positions(contest)
    leader = next(
        (position for position in range(contest.contender_count) if position not in decided_positions), 0
    )
    current_rank = leader
    if contest.ranking_data:
        current_rank = int(SimulatedResultsRanker(contest.ranking_data, 0).rank_players((), 1)[0, leader])
    is_overtaker = counts[leader + 1 : contest.contender_count, : current_rank + 1].any(axis=1)
    return max(1, int(np.argmin(np.append(is_overtaker, False))))


# --- rounds


def pair_simulated_round_by_factor(
    groups: GroupsBetweenGibsonizedPlayers, rounds_left: int, factor: int, count: int
) -> Pairs:
    even_groups = [[*group, count] if len(group) % 2 else [*group] for group in groups.members]
    return tuple(pair for group in even_groups for pair in _pair_group_by_factor(group, rounds_left, factor))


def _pair_group_by_factor(group: Sequence[int], rounds_left: int, factor: int) -> list[tuple[int, int]]:
    if rounds_left == 1:
        return list(zip(group[::2], group[1::2], strict=True))
    distance = min(rounds_left, factor, len(group) // 2)
    upper, lower = group[: 2 * distance], group[2 * distance :]
    half = len(lower) // 2
    return [*zip(upper, upper[distance:], strict=False), *zip(lower, lower[half:], strict=False)]


def pair_remaining_rounds_by_factor(
    contest: RankContest, groups: GroupsBetweenGibsonizedPlayers, factor: int
) -> tuple[Pairs, ...]:
    remaining = range(contest.rounds_left, 0, -1)
    factor_rounds = (
        pair_simulated_round_by_factor(groups, rounds_left, factor, contest.contender_count)
        for rounds_left in remaining
    )
    return (*contest.uncounted_rounds, *factor_rounds)


# --- simulating


class AlwaysWinningPlayer(Struct, frozen=True):
    """A player who wins every simulated game."""

    position: int
    meets_leader_before_last: bool  # in all rounds before the last, otherwise in none
    group: int  # number of players in the leader's group; if 2, they always meet


class _StandingsEncoding:
    """The simulated standings: a row for each simulation, a column for each rank.

    A cell is (top - key) << bits | position. The position is the player's rank before the simulation. The key
    combines score and spread, and `top` is greater than every key. So sorting a row ranks the players.
    """

    def __init__(self, contest: RankContest) -> None:
        contenders = contest.contenders
        self.count = len(contenders)
        self.bits = self.count.bit_length()  # of a position; the bye is position `count`
        self.games = max((contender.games_left for contender in contenders), default=0)
        lowest_spread = min(contender.spread for contender in contenders)
        max_change = contest.swing * (self.games + 1)
        highest_spread = max(contender.spread for contender in contenders)
        unit = highest_spread - lowest_spread + 4 * max_change + 1  # greater than any difference of spreads
        keys = [
            unit * (2 * contender.score + contest.win * contender.games_left) + contender.spread - lowest_spread
            for contender in contenders
        ]
        max_gain = self.games * (unit * contest.win + max_change)
        top = max(keys) + max_gain + 1
        max_cell = (top - min(keys) + 2 * max_gain + 2) << self.bits
        self.dtype: type[np.signedinteger[Any]] = np.int32 if max_cell < 2**31 else np.int64
        cells = [(top - key) << self.bits | position for position, key in enumerate(keys)]
        if self.count % 2:
            cells.append((np.iinfo(self.dtype).max >> self.bits) << self.bits | self.count)
        self.start = np.array(cells, dtype=self.dtype)
        self.win = unit * contest.win
        self.bye = (self.win + min(contest.bye_spread, contest.swing)) << self.bits
        self.smallest_win = (self.win + 1) << self.bits
        margins = list_margins_to_choose_at_random(contest.swing)
        outcomes = np.sign(margins) * self.win + margins
        self.outcomes = (outcomes << self.bits).astype(self.dtype)
        self.rows = max(64, _BATCH_CELLS // len(self.start))  # of a batch

    def decode_player_positions(self, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return cells & ((1 << self.bits) - 1)

    def decode_rank_of_each_player(self, cells: npt.NDArray[Any]) -> Ints:
        return np.argsort(self.decode_player_positions(cells[:, : self.count]), axis=1)

    def decode_margins(self, outcomes: npt.NDArray[Any]) -> Ints:
        margins: Ints = outcomes.astype(np.int64) >> self.bits
        margins -= np.sign(margins) * self.win
        return margins


def list_margins_to_choose_at_random(max_margin: int) -> Ints:
    """Return margins from -`max_margin` to `max_margin` for a random choice. Likely margins occur more often."""
    scale = DEVIATION * math.sqrt(2)
    shares = ((1 + math.erf((margin + 0.5) / scale)) / 2 for margin in range(-max_margin, max_margin))
    counts = np.diff([0, *(round(_OUTCOME_COUNT * share) for share in shares), _OUTCOME_COUNT])
    return np.repeat(np.arange(-max_margin, max_margin + 1, dtype=np.int64), counts)


class RandomNumbers:
    """Random 16-bit numbers, equal on every machine and with every NumPy version."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(seed)

    def generate_random_numbers(self, rows: int, columns: int) -> npt.NDArray[np.uint16]:
        words = np.asarray(self._source.random_raw(-(-rows * columns // 4))).astype("<u8")
        return words.view("<u2")[: rows * columns].reshape(rows, columns)


def _convert_pairs_to_slices(pairs: Sequence[tuple[int, int]]) -> list[tuple[slice, slice, slice]]:
    slices, start = [], 0
    while start < len(pairs):
        upper, lower = pairs[start]
        end = start + 1
        step = pairs[end][0] - upper if end < len(pairs) and pairs[end][0] > upper else 1
        while end < len(pairs) and pairs[end] == (upper + step * (end - start), lower + step * (end - start)):
            end += 1
        length = step * (end - start - 1) + 1
        slices.append((slice(upper, upper + length, step), slice(lower, lower + length, step), slice(start, end)))
        start = end
    return slices


def simulate_ranks(
    contest: RankContest,
    rounds: Sequence[Pairs],
    *,
    times: int,
    seed: int,
    progress: ProgressCallback = ignore_progress,
) -> Ints:
    """Return how often each player has each final rank after `rounds`.

    A round contains pairs of ranks. A rank equal to the number of players means the bye.
    """
    count = (
        len(SimulatedResultsRanker(contest.ranking_data, len(rounds)).ranked_positions)
        if contest.ranking_data
        else contest.contender_count
    )
    total = np.zeros(count * count, dtype=np.int64)
    rows = np.arange(count) * count
    for ranks in _simulate_batches(contest, rounds, times=times, seed=seed, progress=progress):
        total += np.bincount((ranks + rows).ravel(), minlength=count * count)
    return total.reshape(count, count)


def _simulate_batches(
    contest: RankContest,
    rounds: Sequence[Pairs],
    *,
    times: int,
    seed: int,
    progress: ProgressCallback = ignore_progress,
    favoured: AlwaysWinningPlayer | None = None,
) -> Iterator[npt.NDArray[Any]]:
    encoding, draws = _StandingsEncoding(contest), RandomNumbers(seed)
    simulated_rounds = [_RoundSimulator(pairs, contest.contender_count) for pairs in rounds]
    ranking = SimulatedResultsRanker(contest.ranking_data, len(rounds)) if contest.ranking_data else None
    for finished_count in range(0, times, encoding.rows):
        progress(finished_count, times)
        cells = np.tile(encoding.start, (min(encoding.rows, times - finished_count), 1))
        encoded_rounds = []
        for number, simulated_round in enumerate(simulated_rounds, start=1):
            is_last = number == len(simulated_rounds)
            outcomes = simulated_round.draw_random_outcomes(encoding, cells, draws, favoured, is_last=is_last)
            if ranking:
                positions = encoding.decode_player_positions(cells[:, : contest.contender_count])
                margins = encoding.decode_margins(outcomes)
                games = simulated_round.pack_margins_and_opponents_by_player(
                    margins, positions, ranking.bits, len(ranking.all_players)
                )
                encoded_rounds.append(games)
            simulated_round.apply_outcomes_and_sort_standings(encoding, cells, outcomes)
        yield (
            ranking.rank_players(encoded_rounds, len(cells))
            if ranking
            else encoding.decode_rank_of_each_player(cells)
        )
    progress(times, times)


class _RoundSimulator:
    def __init__(self, pairs: Pairs, count: int) -> None:
        games = sorted(pair for pair in pairs if pair[1] < count)
        self.size = len(games)
        self._slices = _convert_pairs_to_slices(games)
        self._bye_rank = next((rank for rank, opponent_rank in pairs if opponent_rank == count), None)
        self._game = np.full(count + 1, -1)  # of each rank
        self._side = np.ones(count + 1, dtype=np.int64)  # of each rank: 1 for a pair's first player, else -1
        for number, (rank, opponent_rank) in enumerate(games):
            self._game[[rank, opponent_rank]] = number
            self._side[opponent_rank] = -1
        self._opponents = dict(games)  # of the first rank of each pair

    def draw_random_outcomes(
        self,
        encoding: _StandingsEncoding,
        cells: npt.NDArray[Any],
        draws: RandomNumbers,
        favoured: AlwaysWinningPlayer | None,
        *,
        is_last: bool,
    ) -> npt.NDArray[Any]:
        outcomes = np.take(encoding.outcomes, draws.generate_random_numbers(len(cells), self.size))
        if favoured is not None:
            self._force_win_of_favoured_player(encoding, cells, outcomes, favoured, is_last=is_last)
        return outcomes

    def apply_outcomes_and_sort_standings(
        self, encoding: _StandingsEncoding, cells: npt.NDArray[Any], outcomes: npt.NDArray[Any]
    ) -> None:
        for ranks, opponent_ranks, games in self._slices:
            cells[:, ranks] -= outcomes[:, games]
            cells[:, opponent_ranks] += outcomes[:, games]
        if self._bye_rank is not None:
            cells[:, self._bye_rank] -= encoding.bye
        cells.sort(axis=1)

    def pack_margins_and_opponents_by_player(
        self, margins: npt.NDArray[Any], positions: npt.NDArray[Any], bits: int, column_count: int
    ) -> Ints:
        count = positions.shape[1]
        opponent_ranks = np.full(count, -1)
        for rank, opponent_rank in self._opponents.items():
            opponent_ranks[[rank, opponent_rank]] = opponent_rank, rank
        ranks = np.flatnonzero(opponent_ranks >= 0)
        codes_by_rank = np.full(positions.shape, count, dtype=np.int64)
        if self._bye_rank is not None:
            codes_by_rank[:, self._bye_rank] |= 1 << bits
        own_margins = margins[:, self._game[ranks]] * self._side[ranks]
        codes_by_rank[:, ranks] = (own_margins << bits) | positions[:, opponent_ranks[ranks]]
        codes_by_player = np.full((len(positions), column_count), count, dtype=np.int64)
        np.put_along_axis(codes_by_player, positions.astype(np.int64), codes_by_rank, axis=1)
        return codes_by_player

    def _force_win_of_favoured_player(
        self,
        encoding: _StandingsEncoding,
        cells: npt.NDArray[Any],
        outcomes: npt.NDArray[Any],
        favoured: AlwaysWinningPlayer,
        *,
        is_last: bool,
    ) -> None:
        rows = np.arange(len(cells))
        ranks = np.argmax(encoding.decode_player_positions(cells) == favoured.position, axis=1)
        leader_opponent = self._opponents.get(0)
        if not is_last and leader_opponent is not None:
            if favoured.meets_leader_before_last:
                self._swap_with_player_at_rank(cells, rows[ranks > 0], ranks, leader_opponent)
                ranks = np.where(ranks > 0, leader_opponent, ranks)
            elif leader_opponent + 1 < min(favoured.group, encoding.count):
                is_opponent = ranks == leader_opponent
                self._swap_with_player_at_rank(cells, rows[is_opponent], ranks, leader_opponent + 1)
                ranks = np.where(is_opponent, leader_opponent + 1, ranks)
        game, side = self._game[ranks], self._side[ranks].astype(encoding.dtype)
        is_playing = game >= 0
        winning_outcomes = np.maximum(np.abs(outcomes[rows, game]), encoding.smallest_win)
        outcomes[rows[is_playing], game[is_playing]] = (winning_outcomes * side)[is_playing]

    @staticmethod
    def _swap_with_player_at_rank(
        cells: npt.NDArray[Any], rows: npt.NDArray[Any], ranks: npt.NDArray[Any], rank: int
    ) -> None:
        old_ranks = ranks[rows]
        cells[rows, old_ranks], cells[rows, rank] = cells[rows, rank].copy(), cells[rows, old_ranks].copy()


def count_tournament_wins(
    contest: RankContest, rounds: Sequence[Pairs], favoured: AlwaysWinningPlayer, *, times: int, seed: int
) -> int:
    batches = _simulate_batches(contest, rounds, times=times, seed=seed, favoured=favoured)
    return sum(int((ranks[:, favoured.position] == 0).sum()) for ranks in batches)
