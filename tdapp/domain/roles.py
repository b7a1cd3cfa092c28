"""Who may do what at a shared tournament: the commands of each role, and the rows that these touch.

The Desk asks before it writes; the database grants the same rows, so that a station which does not ask is refused
all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from tdapp.domain.journal import PASSED_OVER
from tdapp.domain.tournament import Diff, changed


class Role(StrEnum):
    """What a station is there for."""

    DIRECTOR = "director"  # everything
    ENTRY = "entry"  # results
    JURY = "jury"  # results, sheets and rulings, sanctions, incidents, challenges
    DISPLAY = "display"  # looks on


class Rights(Struct, frozen=True):
    """The ids of commands, the kinds of rows that may come, go and change, and what may change in others."""

    commands: frozenset[str]
    rows: frozenset[str]
    changes: Mapping[str, frozenset[str]]


_ENTRY = frozenset({
    "enter-result", "enter-results", "clear-result", "check-result", "second-result", "dispute-result",
    "enter-slip", "take-slips", "drop-slips", "arrive", *PASSED_OVER,
})  # fmt: skip
_JURY = _ENTRY | {
    "certify-result", "decide-tie", "enter-sheet", "enter-sheets", "clear-sheet", "settle-forms", "rule-on-turn",
    "rule-on-word", "check-results", "add-sanction", "remove-sanction", "note-incident", "edit-incident",
    "remove-incident", "record-challenge", "appeal-challenge", "remove-challenge", "sign-rulings",
    "decide-verdicts",
}  # fmt: skip
_JURY_ROWS = frozenset({
    "results", "slips", "sheets", "word_rulings", "sanctions", "absences", "incidents", "challenges", "printouts",
})  # fmt: skip
_CHANGES = {
    "games": frozenset({"first", "second", "start"}),  # it is said on the slip
    "players": frozenset({"checked_in"}),
}

# The director is not in it: he may do everything. A disqualified player is absent from the next round on.
RIGHTS: Mapping[Role, Rights] = {
    Role.ENTRY: Rights(_ENTRY, frozenset({"results", "slips", "printouts"}), _CHANGES),
    Role.JURY: Rights(_JURY, _JURY_ROWS, _CHANGES),
    Role.DISPLAY: Rights(frozenset(), frozenset(), {}),
}


def may(role: Role, label: str, changes: Diff = ()) -> bool:
    """Return whether a role may do a command, by its id, that makes `changes`."""
    rights = RIGHTS.get(role)
    if rights is None:
        return True
    return label in rights.commands and all(
        item.kind in rights.rows or changed(item) <= rights.changes.get(item.kind, frozenset()) for item in changes
    )
