"""Commands on what everybody may read: how players are named there, and which standings are held back."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import KEEP, LAST_ROUND, Unchanged, command, found, given, within
from tdapp.domain.mark import N_
from tdapp.domain.model import DivisionId, NamesShown
from tdapp.domain.tournament import Tournament


@command(N_("What everybody may read of players changed"))
def set_names_shown(
    tournament: Tournament, *, names: NamesShown | Unchanged = KEEP, details: bool | Unchanged = KEEP
) -> Tournament:
    """Choose how players are named in public, and whether club, country and rating are shown."""
    return tournament.put(replace(tournament.event, **given(names_shown=names, details_shown=details)))


@command(N_("Division {division}: what is held back from the public changed"))
def hold_standings(tournament: Tournament, *, division: DivisionId, after: int | None) -> Tournament:
    """Hold back from the public what came of the rounds after `after` (0: of all); None shows everything."""
    row = found(tournament.divisions, division, "no-such-division")
    if after is not None:
        within(after, "round", low=0, high=LAST_ROUND)
    return tournament.put(replace(row, held_after=after))
