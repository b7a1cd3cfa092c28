"""Commands on incidents: what happened at a table, and the extra time given for it."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import (
    HIGHEST_TABLE,
    KEEP,
    LAST_ROUND,
    LONGEST_NOTE,
    Unchanged,
    command,
    found,
    given,
    text,
    within,
)
from tdapp.domain.errors import RuleViolation
from tdapp.domain.mark import N_
from tdapp.domain.model import DivisionId, Incident, IncidentId, IncidentKind, PlayerId
from tdapp.domain.tournament import Tournament

MOST_SECONDS = 36_000


@command(N_("Incident noted: {kind:IncidentKind}"))
def note_incident(  # noqa: PLR0913 - an incident's fields
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    kind: IncidentKind,
    at: str,
    round_number: int | None = None,
    table: int | None = None,
    player: PlayerId | None = None,
    seconds: int = 0,
    note: str = "",
    author: str = "",
) -> Tournament:
    """Note what happened at a table; `at` is UTC in ISO 8601, `seconds` (up to ten hours) were given or lost."""
    found(tournament.divisions, division, "no-such-division")
    row = Incident(
        IncidentId(key), division, kind, text(at, "at"), round_number, table, player, seconds, note, author
    )
    return tournament.put(_sound(tournament, row))


@command(N_("Incident corrected"))
def edit_incident(  # noqa: PLR0913 - an incident's fields
    tournament: Tournament,
    *,
    incident: IncidentId,
    kind: IncidentKind | Unchanged = KEEP,
    round_number: int | Unchanged | None = KEEP,
    table: int | Unchanged | None = KEEP,
    player: PlayerId | Unchanged | None = KEEP,
    seconds: int | Unchanged = KEEP,
    note: str | Unchanged = KEEP,
    author: str | Unchanged = KEEP,
) -> Tournament:
    """Correct what was noted; None empties a field, and as `player` says both or nobody in particular."""
    row = found(tournament.incidents, incident, "no-such-incident")
    fields = given(
        kind=kind, round=round_number, table=table, player=player, seconds=seconds, note=note, author=author
    )
    return tournament.put(_sound(tournament, replace(row, **fields)))


@command(N_("Incident taken off the log"))
def remove_incident(tournament: Tournament, *, incident: IncidentId) -> Tournament:
    """Take an incident off the log."""
    return tournament.drop(found(tournament.incidents, incident, "no-such-incident"))


def _sound(tournament: Tournament, row: Incident) -> Incident:
    """Return the row with its texts trimmed; raise RuleViolation where a field does not fit."""
    if row.player is not None:
        found(tournament.players, row.player, "no-such-player")
    if row.round is not None:
        within(row.round, "round", low=1, high=LAST_ROUND)
    if row.table is not None:
        within(row.table, "table", low=1, high=HIGHEST_TABLE)
    if row.kind is IncidentKind.EXTRA_TIME and not row.seconds:
        raise RuleViolation("extra-time-missing")
    return replace(
        row,
        seconds=within(row.seconds, "seconds", low=0, high=MOST_SECONDS),
        note=text(row.note, "note", longest=LONGEST_NOTE),
        author=text(row.author, "author"),
    )
