"""Simulates a whole schedule many times from its first round, with the entered players.

Margins are drawn as in `chances`, from a seed, and shifted so that the better player wins as often as the rating
system expects. Players without a rating get a random one, with the mean and deviation of the known ratings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from statistics import NormalDist, fmean, pstdev

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import draw_random_bits
from tdapp.domain.commands.rounds import store_draft
from tdapp.domain.commands.rule import check_range
from tdapp.domain.commands.stages import MOST_ROUNDS
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import (
    ByeKind,
    Division,
    DivisionId,
    Forfeit,
    Game,
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
from tdapp.domain.round_clock import compute_usual_length
from tdapp.domain.standings import compute_standings
from tdapp.domain.systems import KNOCKOUT, MANUAL, get_system
from tdapp.domain.tables.statistics import GameStatistic
from tdapp.domain.tournament import Tournament
from tdapp.pairing.chances import DEVIATION, RandomNumbers, list_margins
from tdapp.pairing.field import Tick, ignore_progress
from tdapp.pairing.formats import count_rounds_of_system
from tdapp.pairing.proposing import SYSTEMS, propose_pairings

TIMES = 300
MOST_TIMES = 10_000
_WORK = 60_000  # players times rounds in all plays together; a large field is played less often
LEAST = 30  # plays, however large the field
_SWING = 600  # points; no game is decided by more
_TOTAL = 800  # points of both players together, about
_MEAN, _SPREAD = 1500, 200  # default deviation of ratings
_SUREST = 0.999  # least expected share of wins
_BEST = 3  # places near the top


class ScheduleFigures(Struct, frozen=True):
    """The figures of a schedule, as means of many simulations.

    `best-first` and `best-three` are how often the strongest player won or was in the top three. `float-games`
    are games between score groups. `seconds` is the duration by the round clock without breaks, 0 without a
    clock.
    """

    stages: tuple[Stage, ...]
    times: int  # number of simulations
    figures: tuple[GameStatistic, ...]


def choose_simulation_count(players: int, rounds: int) -> int:
    return min(TIMES, max(LEAST, _WORK // max(players * rounds, 1)))


def plan_schedule(
    index: Index,
    division: DivisionId,
    *,
    system: str | None = None,
    rounds: int | None = None,
    cut: int | None = None,
) -> tuple[Stage, ...]:
    """Return a division's schedule with another system or number of rounds in the first stage (None: unchanged).

    A `cut` replaces the later stages by a knockout of this many players, `cut` 0 removes them.
    """
    stages, players = index.stages(division), len(index.players(division))
    if not stages:
        raise RuleViolation("all-rounds-paired", rounds=0)
    name = system or stages[0].system
    if name not in SYSTEMS:
        raise RuleViolation("no-such-system", system=name)
    length = check_range(stages[0].rounds if rounds is None else rounds, "rounds", low=1, high=MOST_ROUNDS)
    first = replace(
        stages[0], id=StageId("plan"), system=name, rounds=count_rounds_of_system(name, players) or length
    )
    if not cut:
        return (first, *(stages[1:] if cut is None else ()))
    check_range(cut, "cut", low=2, high=max(players, 2))
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
    tick: Tick = ignore_progress,
) -> tuple[ScheduleFigures, ...]:
    """Return the figures of a division for each plan in `plans`, with all listed players.

    Each plan is simulated `times` times (None: a number that needs little time). A round lasts `seconds`
    (None: by the rules). `tick` is called after each simulation; its exception stops the work.
    """
    starts = [_rewind_to_start(tournament, tournament.divisions[division], plan) for plan in plans]
    if any(get_system(stage) is MANUAL for one in starts for stage in one.stages.values()):
        raise RuleViolation("rehearsal-by-hand")
    longest = max(Index(one).count_planned_rounds(division) for one in starts)
    times = check_range(
        choose_simulation_count(len(starts[0].players), longest) if times is None else times,
        "times",
        low=1,
        high=MOST_TIMES,
    )
    seconds = seconds or compute_usual_length(tournament.rules_of(tournament.divisions[division]).clock) or 0
    found = []
    for at, (plan, start) in enumerate(zip(plans, starts, strict=True)):
        hall, total = _ScheduleSimulator(start, division, system), dict.fromkeys(_COUNTED, Fraction())
        for number in range(times):
            tick(at * times + number, len(plans) * times)
            for key, value in hall.simulate_schedule(number).items():
                total[key] += value
        means = {key: value / times for key, value in total.items()}
        means |= {"sheets": 2 * means["slips"], "seconds": means["rounds-played"] * seconds}
        found.append(ScheduleFigures(tuple(plan), times, tuple(GameStatistic(key, means[key]) for key in _SHOWN)))
    return tuple(found)


_COUNTED = ("best-first", "best-three", "rounds-played", "slips", "repeats", "float-games", "byes")
_SHOWN = (*_COUNTED[:3], "seconds", *_COUNTED[3:], "sheets")


def _rewind_to_start(tournament: Tournament, division: Division, stages: Sequence[Stage]) -> Tournament:
    index = Index(tournament)
    seeds = index.seeds(stages[0].id) if stages else ()
    players = index.players(division.id)
    absences = [row for player in players for row in index.absences(player.id)]
    here = {player.id for player in players}
    bound = [row for row in tournament.constraints.values() if row.player in here]
    event = replace(tournament.event, finished=False, check_first=False)
    rules = tournament.rules.values()
    return Tournament().put(
        event, *rules, division, *stages, *players, *absences, *seeds, *bound, *index.table_groups(division.id)
    )


class _ScheduleSimulator:
    def __init__(self, start: Tournament, division: DivisionId, system: RatingSystem) -> None:
        self._start, self._division = start, division
        self._index = Index(start)
        self._players = self._index.players(division)
        self._rounds = self._index.count_planned_rounds(division)
        self._outcomes = list_margins(_SWING)
        self._first = propose_pairings(self._index, division, with_costs=False)  # the same in every play
        self._edge = cache(lambda apart: _compute_expected_margin(system, apart))

    def simulate_schedule(self, number: int) -> Mapping[str, Fraction]:
        draws = RandomNumbers(draw_random_bits(self._start.event.seed, number))
        strength = self._draw_strengths(draws)
        value, counts = self._start, dict.fromkeys(_COUNTED, Fraction())
        for at in range(1, self._rounds + 1):
            index = Index(value)
            if find_next_round(index, value.divisions[self._division]) is None:
                break  # the knockout is decided before its last planned round
            proposal = self._first if at == 1 else propose_pairings(index, self._division, with_costs=False)
            value = store_draft(value, key=f"r{at}", proposal=proposal)
            item = Index(value).round(self._division, at)
            value = commands.publish_round(value, round=item.id)
            value = self._play_round(value, item, strength, draws, counts)
        best = max(self._players, key=lambda one: (strength[one.id], -one.number)).id
        rows = compute_standings(Index(value), value.divisions[self._division])
        rank = next(row.rank for row in rows if row.player.id == best)
        level = sum(row.rank == rank for row in rows)
        return counts | {
            "best-first": Fraction(rank == 1, level),
            "best-three": Fraction(min(max(_BEST + 1 - rank, 0), level), level),
        }

    def _draw_strengths(self, draws: RandomNumbers) -> Mapping[PlayerId, int]:
        known = [one.rating for one in self._players if one.rating is not None]
        mean, spread = (fmean(known), pstdev(known)) if len(known) > 1 else (_MEAN, _SPREAD)
        drawn_now = self._outcomes[draws.draw_numbers(1, len(self._players))[0]].tolist()
        return {
            one.id: round(mean + spread * far / DEVIATION) if one.rating is None else one.rating
            for one, far in zip(self._players, drawn_now, strict=True)
        }

    def _play_round(
        self,
        value: Tournament,
        item: Round,
        strength: Mapping[PlayerId, int],
        draws: RandomNumbers,
        counts: dict[str, Fraction],
    ) -> Tournament:
        index, system = Index(value), get_system(value.stages[item.stage])
        games = index.games(item.id)
        far, more = (self._outcomes[row].tolist() for row in draws.draw_numbers(2, max(len(games), 1)))
        rows: list[Result | Seat] = []
        for at, game in enumerate(games):
            margin = far[at] + self._edge(strength[game.first] - strength[game.second])
            rows.append(
                _make_result(game, margin or int(system.is_knockout), more[at], bracket=system.is_knockout)
            )
            facts = dict(game.reason.facts) if game.reason else {}
            counts["repeats"] += bool(facts.get("meetings")) and not system.is_knockout
            counts["float-games"] += facts.get("better_score") != facts.get("worse_score") and not system.has_seats
        tables = index.list_seats_by_table(item.id)
        for seats in tables:
            mean = _TOTAL // (len(seats) + (len(seats) == 1))
            points = draws.draw_numbers(1, len(seats))[0].tolist()
            made = [mean + self._outcomes[one] // len(seats) for one in points]
            rows += [
                replace(seat, points=max(0, int(one)), state=ResultState.ENTERED)
                for seat, one in zip(seats, made, strict=True)
            ]
        counts["rounds-played"] += bool(games or tables)
        counts["slips"] += len(games) + len(tables)
        counts["byes"] += sum(one.kind is ByeKind.BYE for one in index.byes(item.id)) * (not system.is_knockout)
        return value.put(*rows)


def _compute_expected_margin(system: RatingSystem, difference: int) -> int:
    share = min(max(system.compute_expected_score(difference), 1 - _SUREST), _SUREST)
    return round(DEVIATION * NormalDist().inv_cdf(share))


def _make_result(game: Game, margin: int, average: int, *, bracket: bool) -> Result:
    margin = max(-_SWING, min(margin, _SWING))
    first = (max(_TOTAL + 3 * average // 5, abs(margin)) + margin) // 2
    ahead = (Forfeit.FIRST if margin > 0 else Forfeit.SECOND) if bracket else None
    return Result(game.id, ResultState.ENTERED, first, first - margin, advances=ahead)
