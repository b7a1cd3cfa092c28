"""Which results the jury has still to look over; an event without a jury is left alone."""

from __future__ import annotations

from dataclasses import dataclass

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, DivisionId, Game, ResultState


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of the games played have been looked over; forfeited ones have nothing to look at."""

    checked: int
    unchecked: int

    @property
    def played(self) -> int:
        """The games played."""
        return self.checked + self.unchecked


def unchecked(index: Index, division: DivisionId, after: int | None = None) -> tuple[Game, ...]:
    """Return the games with an entered result up to round `after` (None: all published), by round and table."""
    return tuple(game for game, state in _played(index, division, after) if state is ResultState.ENTERED)


def tally(index: Index, division: Division, after: int | None = None) -> Tally:
    """Return how many games have been looked over up to round `after` (None: all published)."""
    states = [state for _, state in _played(index, division.id, after)]
    waiting = states.count(ResultState.ENTERED)
    return Tally(len(states) - waiting, waiting)


def in_use(index: Index) -> bool:
    """Tell whether results are looked over here: the director wants it so, or somebody has begun to."""
    results = index.tournament.results.values()
    return index.tournament.event.check_first or any(
        result.state is not ResultState.ENTERED and result.forfeit is None for result in results
    )


def require_checked(index: Index, division: DivisionId, number: int) -> None:
    """Raise RuleViolation if round `number` is to wait for the jury: the first round with results unchecked."""
    waiting = unchecked(index, division, number - 1) if index.tournament.event.check_first else ()
    if waiting:
        item = index.tournament.rounds[waiting[0].round]
        tables = [game.table for game in waiting if game.round == item.id]
        raise RuleViolation("unchecked-results", round=item.number, tables=tables, n=len(tables))


def _played(index: Index, division: DivisionId, after: int | None) -> list[tuple[Game, ResultState]]:
    return [
        (game, result.state)
        for item in index.published(division)
        if after is None or item.number <= after
        for game in index.games(item.id)
        if (result := index.result(game.id)) is not None and result.forfeit is None
    ]
