"""What a change to a draft would bring, before it is accepted.

Hides how two versions of a round are laid beside each other; the change itself is any pure command.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tdapp.domain.bracket import groups_of
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Game, PlayerId, RoundId, Scalar
from tdapp.domain.stages import group_count
from tdapp.domain.tournament import Tournament

# Criteria of which it is shown at how many tables they cost something; of the others the sum.
BY_TABLE = ("repeats", "guard", "floats", "apart", "avoid")


@dataclass(frozen=True, slots=True)
class TrialGame:
    """A table as the pairing has it.

    `better_score` and `worse_score` are match points, `meetings` counts earlier ones, `costs` are those BY_TABLE
    that this table costs something by.
    """

    table: int
    first: PlayerId
    second: PlayerId
    better_score: Fraction
    worse_score: Fraction
    meetings: int
    costs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A round beside itself changed: `cost` by criterion (more, or below 0 less), `tables` where others meet.

    `counts` are before and after: at how many tables each of BY_TABLE costs something. `gaps` are the sums of the
    differences of match points, `bye` who waits, both before and after; `across` is how many tables more have
    players of two groups.
    """

    cost: tuple[tuple[str, int], ...]
    counts: tuple[tuple[str, int, int], ...]
    gaps: tuple[Fraction, Fraction]
    bye: tuple[PlayerId | None, PlayerId | None]
    tables: tuple[TrialGame, ...]
    across: int = 0

    @property
    def worth(self) -> int:
        """Below 0 where the change is better, above 0 where it is worse, 0 where it costs the same."""
        if self.across:
            return self.across
        return next((1 if more > 0 else -1 for _, more in self.cost if more), 0)


def trial(tournament: Tournament, round_id: RoundId, command: Callable[[Tournament], Tournament]) -> Trial:
    """Return what `command` would change in a draft; raise what it raises."""
    before, after = Index(tournament), Index(command(tournament))
    old, new = ([_trial_game(game) for game in index.games(round_id)] for index in (before, after))
    known = {frozenset({game.first, game.second}) for game in old}
    costs = dict(tournament.rounds[round_id].cost)
    return Trial(
        cost=tuple((name, cost - costs.get(name, 0)) for name, cost in after.tournament.rounds[round_id].cost),
        counts=tuple((name, _count(old, name), _count(new, name)) for name in BY_TABLE),
        gaps=(_gaps(old), _gaps(new)),
        bye=(_waiting(before, round_id), _waiting(after, round_id)),
        tables=tuple(game for game in new if frozenset({game.first, game.second}) not in known),
        across=_across(before, new, round_id) - _across(before, old, round_id),
    )


def _across(index: Index, games: Sequence[TrialGame], round_id: RoundId) -> int:
    """Return at how many tables players of two groups meet."""
    stage = index.tournament.stages[index.tournament.rounds[round_id].stage]
    groups = groups_of(index, stage) if group_count(stage) > 1 else ()
    group_of = {player: number for number, group in enumerate(groups) for player in group}
    return sum(group_of.get(game.first) != group_of.get(game.second) for game in games)


def _count(games: Sequence[TrialGame], name: str) -> int:
    return sum(name in game.costs for game in games)


def _gaps(games: Sequence[TrialGame]) -> Fraction:
    return sum((abs(game.better_score - game.worse_score) for game in games), Fraction())


def _trial_game(game: Game) -> TrialGame:
    facts: dict[str, Scalar] = dict(game.reason.facts) if game.reason else {}
    costs = dict(game.reason.cost) if game.reason else {}
    return TrialGame(
        table=game.table,
        first=game.first,
        second=game.second,
        better_score=Fraction(facts.get("better_score") or 0),
        worse_score=Fraction(facts.get("worse_score") or 0),
        meetings=int(facts.get("meetings") or 0),
        costs=tuple(name for name, cost in costs.items() if cost and name in BY_TABLE),
    )


def _waiting(index: Index, round_id: RoundId) -> PlayerId | None:
    return next((bye.player for bye in index.byes(round_id) if bye.kind is ByeKind.BYE), None)
