"""Simulates a whole schedule many times from its first round, with the entered players.

Game margins are random, but the same on every run. The better player wins as often as the rating system expects.
Players without a rating get a random rating, with the mean and deviation of the known ratings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from statistics import NormalDist, fmean, pstdev

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import generate_random_bits
from tdapp.domain.commands.rounds import store_draft_round
from tdapp.domain.commands.rule import check_number_in_range
from tdapp.domain.commands.stages import MOST_ROUNDS
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    ByeKind,
    Division,
    DivisionId,
    Game,
    GameSide,
    PlayerId,
    Result,
    ResultState,
    Round,
    Seat,
    Stage,
    StageId,
)
from tdapp.domain.proposal import find_next_round
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.round_clock import compute_usual_round_seconds
from tdapp.domain.standings import compute_standings
from tdapp.domain.systems import KNOCKOUT, MANUAL, get_pairing_system
from tdapp.domain.tables.statistics import AllGamesStatistic
from tdapp.domain.tournament import Tournament
from tdapp.pairing.chances import DEVIATION, RandomNumbers, list_margins_to_choose_at_random
from tdapp.pairing.field import ProgressCallback, ignore_progress
from tdapp.pairing.formats import count_rounds_of_system
from tdapp.pairing.proposing import SYSTEMS, propose_pairings

DEFAULT_SIMULATIONS = 300
MAX_SIMULATIONS = 10_000
_MAX_PLAYER_ROUNDS = 60_000  # players x rounds in all simulations; a large field is simulated less often
MIN_SIMULATIONS = 30
_MAX_MARGIN = 600  # points
_AVERAGE_TOTAL = 800  # points of both players together
_DEFAULT_MEAN, _DEFAULT_DEVIATION = 1500, 200  # of ratings
_MAX_EXPECTED_SCORE = 0.999
_TOP_RANKS = 3


class SimulatedScheduleStatistics(Struct, frozen=True):
    """The figures of a schedule, averaged over many simulations.

    `best-first`: how often the strongest player won. `best-three`: how often this player was in the top three.
    `float-games`: games between score groups. `seconds`: the duration by the round clock without breaks, 0 without
    a clock.
    """

    stages: tuple[Stage, ...]
    times: int  # number of simulations
    figures: tuple[AllGamesStatistic, ...]


def choose_simulation_count(players: int, rounds: int) -> int:
    return min(DEFAULT_SIMULATIONS, max(MIN_SIMULATIONS, _MAX_PLAYER_ROUNDS // max(players * rounds, 1)))


def make_alternative_schedule(
    index: TournamentIndex,
    division: DivisionId,
    *,
    system: str | None = None,
    rounds: int | None = None,
    cut: int | None = None,
) -> tuple[Stage, ...]:
    """Return a division's schedule with another system or number of rounds in the first stage (None: unchanged).

    A `cut` replaces the later stages with a knockout of this number of players. `cut` 0 removes them.
    """
    stages, players = index.stages(division), len(index.players(division))
    if not stages:
        raise CommandError("all-rounds-paired", rounds=0)
    name = system or stages[0].system
    if name not in SYSTEMS:
        raise CommandError("no-such-system", system=name)
    length = check_number_in_range(
        stages[0].rounds if rounds is None else rounds, "rounds", low=1, high=MOST_ROUNDS
    )
    first = replace(
        stages[0], id=StageId("plan"), system=name, rounds=count_rounds_of_system(name, players) or length
    )
    if not cut:
        return (first, *(stages[1:] if cut is None else ()))
    check_number_in_range(cut, "cut", low=2, high=max(players, 2))
    last = Stage(
        StageId("cut"),
        division,
        first.position + 1,
        KNOCKOUT.id,
        count_rounds_of_system(KNOCKOUT.id, cut) or 1,
        cut=cut,
    )
    return (first, last)


def simulate_schedules(
    tournament: Tournament,
    division: DivisionId,
    *,
    system: RatingSystem,
    plans: Sequence[Sequence[Stage]],
    times: int | None = None,
    seconds: int | None = None,
    progress: ProgressCallback = ignore_progress,
) -> tuple[SimulatedScheduleStatistics, ...]:
    """Return the figures of a division for each plan in `plans`.

    Each plan is simulated `times` times (None: fewer for a large field). `seconds` is the duration of a real round
    (None: by the clock in the rules). `progress` is called before each simulation.
    """
    starts = [
        _make_tournament_before_first_round(tournament, tournament.divisions[division], plan) for plan in plans
    ]
    if any(get_pairing_system(stage) is MANUAL for start in starts for stage in start.stages.values()):
        raise CommandError("rehearsal-by-hand")
    longest = max(TournamentIndex(start).count_planned_rounds(division) for start in starts)
    times = check_number_in_range(
        choose_simulation_count(len(starts[0].players), longest) if times is None else times,
        "times",
        low=1,
        high=MAX_SIMULATIONS,
    )
    seconds = (
        seconds
        or compute_usual_round_seconds(tournament.get_ruleset_of_row(tournament.divisions[division]).clock)
        or 0
    )
    figures = []
    for plan_number, (plan, start) in enumerate(zip(plans, starts, strict=True)):
        simulator, totals = (
            _ScheduleSimulator(start, division, system),
            dict.fromkeys(_COUNTED_FIGURES, Fraction()),
        )
        for number in range(times):
            progress(plan_number * times + number, len(plans) * times)
            for key, value in simulator.simulate_schedule(number).items():
                totals[key] += value
        means = {key: value / times for key, value in totals.items()}
        means |= {"sheets": 2 * means["slips"], "seconds": means["rounds-played"] * seconds}
        statistics = tuple(AllGamesStatistic(key, means[key]) for key in _SHOWN_FIGURES)
        figures.append(SimulatedScheduleStatistics(tuple(plan), times, statistics))
    return tuple(figures)


_COUNTED_FIGURES = ("best-first", "best-three", "rounds-played", "slips", "repeats", "float-games", "byes")
_SHOWN_FIGURES = (*_COUNTED_FIGURES[:3], "seconds", *_COUNTED_FIGURES[3:], "sheets")


def _make_tournament_before_first_round(
    tournament: Tournament, division: Division, stages: Sequence[Stage]
) -> Tournament:
    index = TournamentIndex(tournament)
    seeds = index.seeds(stages[0].id) if stages else ()
    players = index.players(division.id)
    absences = [row for player in players for row in index.absences(player.id)]
    player_ids = {player.id for player in players}
    constraints = [row for row in tournament.constraints.values() if row.player in player_ids]
    event = replace(tournament.event, finished=False, check_first=False)
    rules = tournament.rules.values()
    groups = index.table_groups(division.id)
    return Tournament().put(event, *rules, division, *stages, *players, *absences, *seeds, *constraints, *groups)


class _ScheduleSimulator:
    def __init__(self, start: Tournament, division: DivisionId, system: RatingSystem) -> None:
        self._start, self._division = start, division
        self._index = TournamentIndex(start)
        self._players = self._index.players(division)
        self._rounds = self._index.count_planned_rounds(division)
        self._outcomes = list_margins_to_choose_at_random(_MAX_MARGIN)
        self._first_proposal = propose_pairings(self._index, division, with_costs=False)
        self._expected_margin = cache(lambda difference: _compute_expected_margin(system, difference))

    def simulate_schedule(self, number: int) -> Mapping[str, Fraction]:
        draws = RandomNumbers(generate_random_bits(self._start.event.seed, number))
        strength = self._fill_missing_ratings(draws)
        value, counts = self._start, dict.fromkeys(_COUNTED_FIGURES, Fraction())
        for round_number in range(1, self._rounds + 1):
            index = TournamentIndex(value)
            if find_next_round(index, value.divisions[self._division]) is None:
                break  # the knockout is decided before its last planned round
            proposal = self._first_proposal
            if round_number > 1:
                proposal = propose_pairings(index, self._division, with_costs=False)
            value = store_draft_round(value, key=f"r{round_number}", proposal=proposal)
            item = TournamentIndex(value).get_round(self._division, round_number)
            value = commands.publish_round(value, round=item.id)
            value = self._simulate_round_results(value, item, strength, draws, counts)
        strongest_player = max(self._players, key=lambda player: (strength[player.id], -player.number)).id
        standings = compute_standings(TournamentIndex(value), value.divisions[self._division])
        rank = next(row.rank for row in standings if row.player.id == strongest_player)
        tied_count = sum(row.rank == rank for row in standings)
        return counts | {
            "best-first": Fraction(rank == 1, tied_count),
            "best-three": Fraction(min(max(_TOP_RANKS + 1 - rank, 0), tied_count), tied_count),
        }

    def _fill_missing_ratings(self, draws: RandomNumbers) -> Mapping[PlayerId, int]:
        ratings = [player.rating for player in self._players if player.rating is not None]
        mean, spread = float(_DEFAULT_MEAN), float(_DEFAULT_DEVIATION)
        if len(ratings) > 1:
            mean, spread = fmean(ratings), pstdev(ratings)
        deviations = self._outcomes[draws.generate_random_numbers(1, len(self._players))[0]].tolist()
        return {
            player.id: round(mean + spread * deviation / DEVIATION) if player.rating is None else player.rating
            for player, deviation in zip(self._players, deviations, strict=True)
        }

    def _simulate_round_results(
        self,
        tournament: Tournament,
        round_row: Round,
        strength: Mapping[PlayerId, int],
        draws: RandomNumbers,
        counts: dict[str, Fraction],
    ) -> Tournament:
        index, system = TournamentIndex(tournament), get_pairing_system(tournament.stages[round_row.stage])
        games = index.games(round_row.id)
        draw = draws.generate_random_numbers(2, max(len(games), 1))
        margins, total_deviations = (self._outcomes[row].tolist() for row in draw)
        rows: list[Result | Seat] = []
        for game, drawn_margin, total_deviation in zip(games, margins, total_deviations, strict=False):
            margin = drawn_margin + self._expected_margin(strength[game.first] - strength[game.second])
            margin = margin or int(system.is_knockout)  # a knockout has no ties
            rows.append(_make_result_from_margin(game, margin, total_deviation, marks_winner=system.is_knockout))
            facts = dict(game.reason.facts) if game.reason else {}
            counts["repeats"] += bool(facts.get("meetings")) and not system.is_knockout
            counts["float-games"] += facts.get("better_score") != facts.get("worse_score") and not system.has_seats
        tables = index.list_seats_by_table(round_row.id)
        for seats in tables:
            mean = _AVERAGE_TOTAL // (len(seats) + (len(seats) == 1))
            numbers = draws.generate_random_numbers(1, len(seats))[0].tolist()
            for seat, number in zip(seats, numbers, strict=True):
                points = max(0, int(mean + self._outcomes[number] // len(seats)))
                rows.append(replace(seat, points=points, state=ResultState.ENTERED))
        counts["rounds-played"] += bool(games or tables)
        counts["slips"] += len(games) + len(tables)
        if not system.is_knockout:
            counts["byes"] += sum(bye.kind is ByeKind.BYE for bye in index.byes(round_row.id))
        return tournament.put(*rows)


def _compute_expected_margin(system: RatingSystem, difference: int) -> int:
    share = min(max(system.compute_expected_score(difference), 1 - _MAX_EXPECTED_SCORE), _MAX_EXPECTED_SCORE)
    return round(DEVIATION * NormalDist().inv_cdf(share))


def _make_result_from_margin(game: Game, margin: int, total_deviation: int, *, marks_winner: bool) -> Result:
    margin = max(-_MAX_MARGIN, min(margin, _MAX_MARGIN))
    first = (max(_AVERAGE_TOTAL + 3 * total_deviation // 5, abs(margin)) + margin) // 2
    winner = (GameSide.FIRST if margin > 0 else GameSide.SECOND) if marks_winner else None
    return Result(game.id, ResultState.ENTERED, first, first - margin, advances=winner)
