"""Commands on what everybody may read: how players are named there, and which standings are held back."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import LAST_ROUND, command, found, within
from tdapp.domain.model import DivisionId, NamesShown
from tdapp.domain.tournament import Tournament


@command
def set_names_shown(
    tournament: Tournament, *, names: NamesShown | None = None, details: bool | None = None
) -> Tournament:
    """Choose how players are named in public, and whether club, country and rating are shown; None leaves it."""
    event = tournament.event
    return tournament.put(
        replace(
            event,
            names_shown=event.names_shown if names is None else names,
            details_shown=event.details_shown if details is None else details,
        )
    )


@command
def hold_standings(tournament: Tournament, *, division: DivisionId, after: int | None) -> Tournament:
    """Hold back from the public what came of the rounds after `after` (0: of all); None shows everything."""
    row = found(tournament.divisions, division, "no-such-division")
    if after is not None:
        within(after, "round", low=0, high=LAST_ROUND)
    return tournament.put(replace(row, held_after=after))
