"""Who may do what at a shared tournament: the commands of each role, and the rows that these touch.

The Desk asks before it writes; the database grants the same rows, so that a station which does not ask is refused
all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tdapp.domain.changes import Diff
from tdapp.domain.journal import PASSED_OVER


class Role(StrEnum):
    """What a station is there for."""

    DIRECTOR = "director"  # everything
    ENTRY = "entry"  # results
    JURY = "jury"  # results, sheets and rulings, sanctions, incidents, challenges
    DISPLAY = "display"  # looks on


@dataclass(frozen=True, slots=True)
class Rights:
    """The ids of commands, the kinds of rows that may come, go and change, and those that may only change."""

    commands: frozenset[str]
    rows: frozenset[str]
    changes: frozenset[str] = frozenset()


_ENTRY = frozenset({"enter-result", "enter-results", "clear-result", "check-result", "enter-slip", *PASSED_OVER})
_JURY = _ENTRY | {
    "certify-result",
    "decide-tie",
    "enter-sheet",
    "clear-sheet",
    "rule-on-turn",
    "add-sanction",
    "remove-sanction",
    "note-incident",
    "edit-incident",
    "remove-incident",
    "record-challenge",
    "appeal-challenge",
    "remove-challenge",
}
_STARTS = frozenset({"games"})  # who has started is said on the slip

# The director is not in it: he may do everything. A disqualified player is absent from the next round on.
RIGHTS: Mapping[Role, Rights] = MappingProxyType(
    {
        Role.ENTRY: Rights(_ENTRY, frozenset({"results", "slips", "printings"}), _STARTS),
        Role.JURY: Rights(
            _JURY,
            frozenset(
                {"results", "slips", "sheets", "sanctions", "absences", "incidents", "challenges", "printings"}
            ),
            _STARTS,
        ),
        Role.DISPLAY: Rights(frozenset(), frozenset()),
    }
)


def may(role: Role, label: str, changes: Diff = ()) -> bool:
    """Tell whether a role may do a command, by its id, that makes `changes`."""
    rights = RIGHTS.get(role)
    if rights is None:
        return True
    return label in rights.commands and all(
        item.kind in rights.rows or (item.kind in rights.changes and item.before and item.after)
        for item in changes
    )
