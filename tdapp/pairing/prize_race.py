"""The contest for prizes before a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.bracket import generate_random_bits
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId, PrizeKind, Stage
from tdapp.domain.pairing_settings import PrizePairingSettings
from tdapp.domain.proposal import get_source_round_or_previous
from tdapp.domain.records import compute_records, find_spread_cap, list_configured_spread_caps
from tdapp.domain.ruleset import Outcome, UnplayedRoundPointsSource
from tdapp.domain.stages import (
    count_groups,
    find_first_counted_round,
    sort_players_by_seat,
    split_players_in_snake_order,
)
from tdapp.domain.standings import build_tiebreak_data, find_tiebreak_order
from tdapp.domain.systems import get_pairing_system
from tdapp.pairing import chances
from tdapp.pairing.arrays import Ints
from tdapp.pairing.chances import (
    AlwaysWinningPlayer,
    RankChances,
    count_tournament_wins,
    find_last_player_able_to_reach_each_rank,
    limit_simulation_count,
    pair_remaining_rounds_by_factor,
    pair_simulated_round_by_factor,
    simulate_ranks,
)
from tdapp.pairing.clinch_bounds import (
    Contender,
    GroupsBetweenGibsonizedPlayers,
    Pairs,
    RankContest,
    find_gibsonized_positions,
    split_standings_at_decided_positions,
)
from tdapp.pairing.ending import RoundResultValues, SimulationRankingData
from tdapp.pairing.field import Entrant, PairingField, ProgressCallback, ignore_progress

DEFAULT_PRIZE_COUNT = 3  # at most a quarter of the field
_SCORE_TIEBREAKS = frozenset({"wins", "losses"})
_LOSSES = {Outcome.LOSS: 2, Outcome.DRAW: 1, Outcome.WIN: 0}  # in halves
_DEFAULT_AVERAGE = 380  # points of a player in a game, before the first game


class PrizeRace(Struct, frozen=True):
    """The contest for prizes, with simulated chances. Positions and ranks count from 0."""

    contest: RankContest
    settings: PrizePairingSettings
    decided_positions: frozenset[int]
    groups: GroupsBetweenGibsonizedPlayers
    chances: RankChances
    best_ranks: Ints  # for each position, the best rank that it reached in a simulation
    lowest_rivals: Ints  # for each rank, the last position with a fair chance of this rank

    @property
    def last_position_with_prize_chance(self) -> int:
        return int(self.lowest_rivals[min(self.contest.places, len(self.lowest_rivals)) - 1])

    def can_win_prize_in_simulation(self, position: int) -> bool:
        return int(self.best_ranks[position]) < self.contest.places


def compute_prize_race(
    contest: RankContest,
    settings: PrizePairingSettings,
    *,
    seed: int,
    progress: ProgressCallback = ignore_progress,
) -> PrizeRace:
    decided_positions = find_gibsonized_positions(contest)
    rank_chances = chances.compute_chances(contest, times=settings.simulations, seed=seed, progress=progress)
    return PrizeRace(
        contest=contest,
        settings=settings,
        decided_positions=decided_positions,
        groups=split_standings_at_decided_positions(contest, decided_positions),
        chances=rank_chances,
        best_ranks=rank_chances.find_best_reached_ranks(),
        lowest_rivals=chances.find_last_player_able_to_reach_each_rank(
            rank_chances.find_best_likely_ranks(get_min_contender_chance_per_mille(settings, contest.rounds_left))
        ),
    )


def get_min_contender_chance_per_mille(settings: PrizePairingSettings, rounds_left: int) -> int:
    """Return the least chance, in ‰, at which a player still counts as a contender for a rank."""
    return _get_value_for_rounds_left(settings.hopefulness, rounds_left)


def make_simulation_seed(field: PairingField, purpose: int = 0) -> int:
    return generate_random_bits(field.seed, field.number, -1, purpose)


def build_rank_contest(
    index: TournamentIndex,
    stage: Stage,
    field: PairingField,
    *,
    games_to_simulate: Mapping[int, Pairs] | None = None,
) -> RankContest:
    """Return the contest for ranks and prizes before a round.

    Scores come from the standings in `field`. `games_to_simulate` are games missing from these standings, by round
    number (None: all games after these standings). Without a prize list, a quarter of the players get a prize, at
    least one and at most three.
    """
    rules, division = index.tournament.get_ruleset_of_row(stage), index.tournament.divisions[stage.division]
    order = find_tiebreak_order(index, division, field.number - 1)
    rounds_left = count_rounds_left_before_cut(index, stage, field.number)
    settings = stage.settings.contention
    by_points = order[0] == "points"
    games_to_simulate = (
        map_games_to_simulate_by_round(index, field) if games_to_simulate is None else games_to_simulate
    )
    game_counts = Counter(position for pairs in games_to_simulate.values() for pair in pairs for position in pair)
    average_points = _compute_average_points_per_round(index, division, field.number - 1)
    prize_ranks = list_prize_ranks(index, stage.division)
    default_places = max(1, min(DEFAULT_PRIZE_COUNT, len(field.entrants) // 4))
    return RankContest(
        contenders=tuple(
            _make_contender(
                entrant,
                rules.match_point_denominator,
                rounds_left + game_counts[position],
                average_points * game_counts[position] if by_points else None,
            )
            for position, entrant in enumerate(field.entrants)
        ),
        rounds_left=rounds_left,
        rounds=rounds_left + field.number - find_first_counted_round(index, stage),
        places=min(len(field.entrants), max(prize_ranks, default=default_places)),
        win=0
        if by_points
        else rules.get_match_points_as_integer(Outcome.WIN) - rules.get_match_points_as_integer(Outcome.LOSS),
        swing=_get_value_for_rounds_left(settings.gibson_spread, rounds_left),
        by_spread=next((name for name in order if name not in _SCORE_TIEBREAKS), "") in {"spread", "points"},
        safe_lead=rules.gibson.lead,
        bye_spread=0 if by_points else rules.byes.bye.spread,
        without_prize=frozenset(range(max(prize_ranks, default=0))) - {rank - 1 for rank in prize_ranks},
        class_prizes=_count_category_prizes(index, stage.division),
        uncounted_rounds=tuple(games_to_simulate.values()),
    )


def _make_contender(entrant: Entrant, unit: int, rounds_left: int, open_game_points: int | None) -> Contender:
    points = Fraction(entrant.points)
    score, spread = (
        (int(points * unit), entrant.spread)
        if open_game_points is None
        else (0, 2 * (int(points) + open_game_points))
    )
    return Contender(entrant.player, score, spread, rounds_left, entrant.category.strip().casefold())


def _compute_average_points_per_round(index: TournamentIndex, division: Division, after_round: int) -> int:
    scores = [
        e.points
        for record in compute_records(index, division, after_round).values()
        for e in record
        if e.points is not None
    ]
    return sum(scores) // len(scores) if scores else _DEFAULT_AVERAGE


def build_ranking_data(
    index: TournamentIndex, stage: Stage, field: PairingField, open_rounds: Iterable[int]
) -> SimulationRankingData:
    division = index.tournament.divisions[stage.division]
    rules, caps = index.tournament.get_ruleset_of_row(division), list_configured_spread_caps(index, division)
    source = get_source_round_or_previous(field.number, field.source)
    rounds_left = count_rounds_left_before_cut(index, stage, field.number)
    numbers = (*open_rounds, *range(field.number, field.number + rounds_left))
    tiebreak_data = build_tiebreak_data(index, division, source, stage)
    average_points = _compute_average_points_per_round(index, division, source)
    groups = split_players_in_snake_order(sort_players_by_seat(index, stage.id), count_groups(stage))
    ranked_ids = set(tiebreak_data.players)
    if not division.list_withdrawn:
        ranked_ids = {player for player in ranked_ids if not index.has_withdrawn(player)}
    bye = rules.byes.bye
    points = bye.award.points if bye.award.by is UnplayedRoundPointsSource.FIXED else average_points
    loss, draw, win = (
        RoundResultValues(rules.get_match_points_as_integer(outcome), losses, 0, average_points)
        for outcome, losses in _LOSSES.items()
    )
    unplayed_rules, later_rounds = tiebreak_data.unplayed_rules, sum(number > source for number in numbers)
    return SimulationRankingData(
        order=find_tiebreak_order(index, division, source),
        earlier_results=tiebreak_data,
        players=tuple(entrant.player for entrant in field.entrants),
        groups={player: number for number, group in enumerate(groups) for player in group if player in ranked_ids},
        round_values=(
            loss,
            draw,
            win,
            RoundResultValues(
                rules.get_match_points_as_integer(bye.counts_as), _LOSSES.get(bye.counts_as, 0), bye.spread, points
            ),
        ),
        remaining_rounds=numbers,
        remaining_spread_caps=tuple(find_spread_cap(caps, number) for number in numbers),
        rounds_left=rounds_left,
        unplayed_rules=replace(unplayed_rules, rounds=unplayed_rules.rounds + later_rounds),
    )


def map_games_to_simulate_by_round(
    index: TournamentIndex, field: PairingField, *, open_only: bool = False
) -> Mapping[int, Pairs]:
    positions, source = field.map_player_positions(), get_source_round_or_previous(field.number, field.source)
    games_by_round = {}
    for item in index.list_published_rounds(index.tournament.stages[field.stage].division):
        games = index.list_open_games(item.id) if open_only else index.games(item.id)
        if item.number < field.number and (open_only or item.number > source):
            ends = [sorted((positions.get(game.first, -1), positions.get(game.second, -1))) for game in games]
            games_by_round[item.number] = tuple(sorted((first, second) for first, second in ends if first >= 0))
    return {number: pairs for number, pairs in games_by_round.items() if pairs}


def count_rounds_left_before_cut(index: TournamentIndex, stage: Stage, number: int) -> int:
    rounds_left = max(0, index.get_first_round_number(stage.id) + stage.rounds - number)
    for item in index.stages(stage.division):
        if item.position <= stage.position:
            continue
        if not item.carry or item.cut is not None or item.play_off or get_pairing_system(item).is_knockout:
            break
        rounds_left += item.rounds
    return rounds_left


def find_next_stage_with_cut(index: TournamentIndex, stage: Stage) -> Stage | None:
    later_stages = [item for item in index.stages(stage.division) if item.position > stage.position]
    return next((item for item in later_stages if item.cut is not None and not item.play_off), None)


def list_prize_ranks(index: TournamentIndex, division: DivisionId) -> frozenset[int]:
    return frozenset(
        prize.place for prize in index.prizes(division) if prize.kind is PrizeKind.RANK and not prize.category
    )


def _count_category_prizes(index: TournamentIndex, division: DivisionId) -> tuple[tuple[str, int], ...]:
    prize_counts: dict[str, int] = {}
    for prize in index.prizes(division):
        name = prize.category.strip().casefold()
        if name and prize.kind in {PrizeKind.RANK, PrizeKind.CATEGORY}:
            prize_counts[name] = max(prize_counts.get(name, prize.place), prize.place)
    return tuple(sorted(prize_counts.items()))


def _get_value_for_rounds_left(values: Sequence[int], rounds_left: int) -> int:
    return values[min(max(rounds_left, 1), len(values)) - 1]


Rounds = tuple[Pairs, ...]

_MIN_SIMULATIONS = 1_000  # of one player
_FACTOR_PLAYERS = 6  # they meet by factor three with two rounds left
_MANY_ROUNDS = 4  # with more remaining rounds, only a player who wins all simulations must meet the leader


class LeaderOpponentRule(Struct, frozen=True):
    """A rule for the leader's opponent in the next round.

    Without the rule, the player at `position` could win all games and still not win the tournament.
    """

    position: int = 0
    opponents: tuple[int, ...] = ()  # positions; the leader must meet one of them
    share: int = 0  # ‰ of simulations: tournament wins with the game against the leader minus wins without it
    factor: bool = False  # another rule applies instead: each of the first three meets one of the next three


class TournamentWinCounter:
    """Simulates a player who wins all games, and counts how often this player finishes first."""

    def __init__(self, contest: RankContest, settings: PrizePairingSettings, seed: int, group: int) -> None:
        self._contest = contest
        self._group = group
        self._seed = seed
        times = limit_simulation_count(contest, 10 * settings.control_simulations) // 10
        self.times = max(_MIN_SIMULATIONS, times)
        self.threshold = settings.control_loss
        self.count = cache(self._count_tournament_wins)

    def _count_tournament_wins(self, rounds: Rounds, position: int, meets_leader_before_last: bool) -> int:
        favoured = AlwaysWinningPlayer(position, meets_leader_before_last, self._group)
        return count_tournament_wins(self._contest, rounds, favoured, times=self.times, seed=self._seed)


def find_leader_opponent_rule(
    contest: RankContest,
    groups: GroupsBetweenGibsonizedPlayers,
    rank_chances: RankChances,
    settings: PrizePairingSettings,
    *,
    min_chance_per_mille: int,
    seed: int,
) -> LeaderOpponentRule | None:
    """Return the rule for the leader's opponent in the next round, or None if no rule is needed.

    If a player needs a game against the leader to win the tournament, the rule names this player. With two rounds
    left, another rule is possible: the first three players meet the next three.
    `min_chance_per_mille` is the least chance, in ‰, at which a player still competes for a rank.
    """
    rounds_left, leaders = contest.rounds_left, groups.members[0]
    if rounds_left < 2 or 0 in groups.gibsonized_in_last_group:  # noqa: PLR2004
        return None
    wins = TournamentWinCounter(contest, settings, seed, len(leaders))
    if rounds_left == 2 and leaders[:_FACTOR_PLAYERS] == tuple(range(_FACTOR_PLAYERS)):  # noqa: PLR2004
        factor_rule = find_leader_rule_for_two_rounds_left(contest, groups, wins, min_chance_per_mille, seed)
        if factor_rule is not None:
            return factor_rule
    if rounds_left > settings.control_rounds:
        return None
    rounds = pair_remaining_rounds_by_factor(contest, groups, rank_chances.factor)
    last = min(
        int(
            find_last_player_able_to_reach_each_rank(rank_chances.find_best_likely_ranks(min_chance_per_mille))[0]
        ),
        leaders[-1],
    )
    return find_leader_opponent_rule_by_simulation(
        wins, rounds, last, rounds_left, is_first=rounds_left == settings.control_rounds
    )


def find_leader_rule_for_two_rounds_left(
    contest: RankContest,
    groups: GroupsBetweenGibsonizedPlayers,
    wins: TournamentWinCounter,
    min_chance_per_mille: int,
    seed: int,
) -> LeaderOpponentRule | None:
    count = contest.contender_count
    rounds = (
        pair_simulated_round_by_factor(groups, 3, 3, count),
        pair_simulated_round_by_factor(groups, 1, 1, count),
    )
    # player 4 needs a fair chance of rank 1, player 5 of rank 2, and player 6 of rank 3 (or better)
    rank_counts = simulate_ranks(contest, rounds, times=wins.times, seed=seed).cumsum(axis=1)
    if any(
        1000 * int(rank_counts[position + 3, position]) < min_chance_per_mille * wins.times
        for position in range(3)
    ):
        return None
    for position in (1, 2):
        lost_wins = wins.count(rounds, position, True) - wins.count(rounds, position, False)
        if 1000 * lost_wins >= wins.threshold * wins.times:
            return LeaderOpponentRule(position, (position,), 1000 * lost_wins // wins.times)
    return LeaderOpponentRule(factor=True)


def find_leader_opponent_rule_by_simulation(
    wins: TournamentWinCounter, rounds: Rounds, last: int, rounds_left: int, *, is_first: bool
) -> LeaderOpponentRule | None:
    """Return a rule for the leader's next opponent, or None if no rule is needed.

    The leader is position 0, the pursuers are positions 1 to `last`. In each simulation, one pursuer wins all
    games. Find the best-placed pursuer who needs games against the leader to finish first. The leader must meet
    this pursuer.

    With more than four rounds left, the pursuer one position higher is also possible. This does not apply to the
    first round that can have a rule (`is_first`).
    """

    def count_wins_lost_without_leader(position: int) -> int:
        return wins.count(rounds, position, True) - wins.count(rounds, position, False)

    def is_leader_game_needed(position: int) -> bool:
        is_sure = rounds_left <= _MANY_ROUNDS or wins.count(rounds, position, True) == wins.times
        return is_sure and 1000 * count_wins_lost_without_leader(position) >= wins.threshold * wins.times

    loser = _find_pursuer_who_must_meet_leader(wins, rounds, last) if rounds_left == 2 else None  # noqa: PLR2004
    lower, upper = 1, last
    while loser is None and lower <= upper:  # binary search
        middle = (lower + upper) // 2
        lower, upper = (lower, middle - 1) if is_leader_game_needed(middle) else (middle + 1, upper)
    if loser is None and lower <= last:
        loser = lower
    if loser is None:
        return None
    alternatives = (loser - 1,) if rounds_left > _MANY_ROUNDS and not is_first and loser > 1 else ()
    return LeaderOpponentRule(
        loser, (*alternatives, loser), 1000 * count_wins_lost_without_leader(loser) // wins.times
    )


def _find_pursuer_who_must_meet_leader(wins: TournamentWinCounter, rounds: Rounds, last: int) -> int | None:
    for position in range(1, last + 1):
        wins_meeting, wins_avoiding = (wins.count(rounds, position, meets) for meets in (True, False))
        if wins_avoiding < wins.times or wins_meeting < wins.times:
            return position if wins_meeting > wins_avoiding else None
    return None
