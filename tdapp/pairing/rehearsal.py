"""What a day would look like: a schedule played through many times, from its first round, on the real entries.

Hides how results are drawn. Every round is paired as the program pairs it. The margin of a game is drawn as the
chances draw it, from a seed and by whole numbers, and moved so that the better player wins as often as the rating
system expects; who has no rating is as strong as somebody drawn from those who have one, another in every play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from statistics import NormalDist, fmean, pstdev

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import drawn
from tdapp.domain.commands.rounds import as_draft
from tdapp.domain.commands.rule import within
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
    Stage,
    StageId,
)
from tdapp.domain.next_round import find_next_round
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.round_clock import usual_length
from tdapp.domain.standings import standings
from tdapp.domain.systems import KNOCKOUT, MANUAL, system_of
from tdapp.domain.tables.statistics import Figure
from tdapp.domain.tournament import Tournament
from tdapp.pairing.chances import DEVIATION, Draws, margins
from tdapp.pairing.field import Tick, no_tick
from tdapp.pairing.formats import rounds_for
from tdapp.pairing.proposing import SYSTEMS, propose

TIMES = 300
MOST_TIMES = 10_000
_WORK = 60_000  # players times rounds in all plays together; a large field is played less often
LEAST = 30  # plays, however large the field
_SWING = 600  # points; no game is decided by more
_TOTAL = 800  # points of both players together, about
_MEAN, _SPREAD = 1500, 200  # of ratings, where too few have one
_SUREST = 0.999  # share of the games that anybody is expected to win
_BEST = 3  # places near the top


class Rehearsal(Struct, frozen=True):
    """A schedule as it went in `times` plays: its `stages`, and its figures as means of a play.

    `best-first` and `best-three` are the shares of plays in which the strongest player won or was among the first
    three; in `rounds-played` somebody played; `float-games` are between score groups; `seconds` is how long these
    rounds take by the round clock, without a break, 0 where no clock tells.
    """

    stages: tuple[Stage, ...]
    times: int
    figures: tuple[Figure, ...]


def affordable(players: int, rounds: int) -> int:
    """Return how often a field of this size is played."""
    return min(TIMES, max(LEAST, _WORK // max(players * rounds, 1)))


def planned(
    index: Index,
    division: DivisionId,
    *,
    system: str | None = None,
    rounds: int | None = None,
    cut: int | None = None,
) -> tuple[Stage, ...]:
    """Return a division's schedule with another system, or as many rounds, in its first stage.

    What is not given stays as planned. A `cut` puts a knockout of so many, 0 nothing, in place of what follows.
    Where the players settle the rounds of a system, `rounds` does not count. Raise RuleViolation for what is none.
    """
    stages, players = index.stages(division), len(index.players(division))
    if not stages:
        raise RuleViolation("all-rounds-paired", rounds=0)
    name = system or stages[0].system
    if name not in SYSTEMS:
        raise RuleViolation("no-such-system", system=name)
    length = within(stages[0].rounds if rounds is None else rounds, "rounds", low=1, high=MOST_ROUNDS)
    first = replace(stages[0], id=StageId("plan"), system=name, rounds=rounds_for(name, players) or length)
    if not cut:
        return (first, *(stages[1:] if cut is None else ()))
    within(cut, "cut", low=2, high=max(players, 2))
    last = Stage(
        StageId("cut"), division, first.position + 1, KNOCKOUT.id, rounds_for(KNOCKOUT.id, cut) or 1, cut=cut
    )
    return (first, last)


def rehearse(
    tournament: Tournament,
    division: DivisionId,
    *,
    system: RatingSystem,
    plans: Sequence[Sequence[Stage]],
    times: int | None = None,
    seconds: int | None = None,
    tick: Tick = no_tick,
) -> tuple[Rehearsal, ...]:
    """Return how a division's day goes by each of some `plans`, which are the stages of schedules.

    Each is played `times` times over, None: as often as is soon done. Nothing that was played counts: each play
    begins before the first round, with whoever is on the list. A round lasts `seconds`, None: as by the rules.
    `tick` hears of every play and may raise. Raise RuleViolation where a round cannot be paired, and
    rehearsal-by-hand for a stage that is paired by hand.
    """
    starts = [_before(tournament, tournament.divisions[division], plan) for plan in plans]
    if any(system_of(stage) is MANUAL for one in starts for stage in one.stages.values()):
        raise RuleViolation("rehearsal-by-hand")
    longest = max(Index(one).planned_rounds(division) for one in starts)
    times = within(
        affordable(len(starts[0].players), longest) if times is None else times, "times", low=1, high=MOST_TIMES
    )
    seconds = seconds or usual_length(tournament.rules_of(tournament.divisions[division]).clock) or 0
    found = []
    for at, (plan, start) in enumerate(zip(plans, starts, strict=True)):
        hall, total = _Hall(start, division, system), dict.fromkeys(_COUNTED, Fraction())
        for number in range(times):
            tick(at * times + number, len(plans) * times)
            for key, value in hall.play(number).items():
                total[key] += value
        means = {key: value / times for key, value in total.items()}
        means |= {"sheets": 2 * means["slips"], "seconds": means["rounds-played"] * seconds}
        found.append(Rehearsal(tuple(plan), times, tuple(Figure(key, means[key]) for key in _SHOWN)))
    return tuple(found)


_COUNTED = ("best-first", "best-three", "rounds-played", "slips", "repeats", "float-games", "byes")
_SHOWN = (*_COUNTED[:3], "seconds", *_COUNTED[3:], "sheets")


def _before(tournament: Tournament, division: Division, stages: Sequence[Stage]) -> Tournament:
    """Return what is left of a tournament before the first round of one division."""
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


class _Hall:
    """Plays one division's schedule through, again and again."""

    def __init__(self, start: Tournament, division: DivisionId, system: RatingSystem) -> None:
        self._start, self._division = start, division
        self._index = Index(start)
        self._players = self._index.players(division)
        self._rounds = self._index.planned_rounds(division)
        self._outcomes = margins(_SWING)
        self._first = propose(self._index, division, kept=False)  # the same in every play
        self._edge = cache(lambda apart: _edge(system, apart))

    def play(self, number: int) -> Mapping[str, Fraction]:
        """Return what came of one play, by the keys of _COUNTED."""
        draws = Draws(drawn(self._start.event.seed, number))
        strength = self._strengths(draws)
        value, counts = self._start, dict.fromkeys(_COUNTED, Fraction())
        for at in range(1, self._rounds + 1):
            index = Index(value)
            if find_next_round(index, value.divisions[self._division]) is None:
                break  # the knockout is decided before its last planned round
            proposal = self._first if at == 1 else propose(index, self._division, kept=False)
            value = as_draft(value, key=f"r{at}", proposal=proposal)
            item = Index(value).round(self._division, at)
            value = commands.publish_round(value, round=item.id)
            value = self._played(value, item, strength, draws, counts)
        best = max(self._players, key=lambda one: (strength[one.id], -one.number)).id
        rows = standings(Index(value), value.divisions[self._division])
        rank = next(row.rank for row in rows if row.player.id == best)
        level = sum(row.rank == rank for row in rows)
        return counts | {
            "best-first": Fraction(rank == 1, level),
            "best-three": Fraction(min(max(_BEST + 1 - rank, 0), level), level),
        }

    def _strengths(self, draws: Draws) -> Mapping[PlayerId, int]:
        known = [one.rating for one in self._players if one.rating is not None]
        mean, spread = (fmean(known), pstdev(known)) if len(known) > 1 else (_MEAN, _SPREAD)
        drawn_now = self._outcomes[draws.take(1, len(self._players))[0]].tolist()
        return {
            one.id: round(mean + spread * far / DEVIATION) if one.rating is None else one.rating
            for one, far in zip(self._players, drawn_now, strict=True)
        }

    def _played(
        self,
        value: Tournament,
        item: Round,
        strength: Mapping[PlayerId, int],
        draws: Draws,
        counts: dict[str, Fraction],
    ) -> Tournament:
        """Return the round with its results, and add up what it had."""
        index, system = Index(value), system_of(value.stages[item.stage])
        games = index.games(item.id)
        far, more = (self._outcomes[row].tolist() for row in draws.take(2, max(len(games), 1)))
        rows = []
        for at, game in enumerate(games):
            margin = far[at] + self._edge(strength[game.first] - strength[game.second])
            rows.append(_result(game, margin or int(system.bracket), more[at], bracket=system.bracket))
            facts = dict(game.reason.facts) if game.reason else {}
            counts["repeats"] += bool(facts.get("meetings")) and not system.bracket
            counts["float-games"] += facts.get("better_score") != facts.get("worse_score") and not system.seated
        counts["rounds-played"] += bool(games)
        counts["slips"] += len(games)
        counts["byes"] += sum(one.kind is ByeKind.BYE for one in index.byes(item.id)) * (not system.bracket)
        return value.put(*rows)


def _edge(system: RatingSystem, apart: int) -> int:
    """Return the points by which a game's margin moves so that who is `apart` higher wins as often as expected."""
    share = min(max(system.expected(apart), 1 - _SUREST), _SUREST)
    return round(DEVIATION * NormalDist().inv_cdf(share))


def _result(game: Game, margin: int, more: int, *, bracket: bool) -> Result:
    """Return a result of that margin; in a bracket who has won it also wins what stays level."""
    margin = max(-_SWING, min(margin, _SWING))
    first = (max(_TOTAL + 3 * more // 5, abs(margin)) + margin) // 2
    ahead = (Forfeit.FIRST if margin > 0 else Forfeit.SECOND) if bracket else None
    return Result(game.id, ResultState.ENTERED, first, first - margin, advances=ahead)
