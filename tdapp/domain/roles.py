"""Permissions of each role at a shared tournament, on which several computers (stations) work.

The station's program and the database both check permissions before a change.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from tdapp.domain.journal import SKIPPED_LABELS
from tdapp.domain.tournament import Diff, find_changed_fields


class Role(StrEnum):
    """The role of a station at a shared tournament."""

    DIRECTOR = "director"  # everything
    ENTRY = "entry"  # results, check-in
    JURY = "jury"  # results, sheets and rulings, sanctions, incidents, challenges
    DISPLAY = "display"  # reads only


class RolePermissions(Struct, frozen=True):
    """The permissions of a role."""

    commands: frozenset[str]
    rows: frozenset[str]  # kinds of rows that the role can add, delete and change
    changes: Mapping[str, frozenset[str]]  # fields that the role can change, by kind of row


_ENTRY_COMMANDS = frozenset({
    "enter-result", "enter-results", "clear-result", "check-result", "second-result", "dispute-result",
    "enter-slip", "take-slips", "drop-slips", "arrive", "check-in", "enter-seats", "clear-seats", "enter-break-up",
    "send-points", "take-points", "drop-points", *SKIPPED_LABELS,
})  # fmt: skip
_JURY_COMMANDS = _ENTRY_COMMANDS | {
    "certify-result", "decide-tie", "enter-sheet", "enter-sheets", "clear-sheet", "settle-forms", "rule-on-turn",
    "rule-on-word", "check-results", "add-sanction", "remove-sanction", "note-incident", "edit-incident",
    "remove-incident", "record-challenge", "appeal-challenge", "remove-challenge", "sign-rulings",
    "decide-verdicts", "check-seats",
}  # fmt: skip
_JURY_ROWS = frozenset({
    "results", "slips", "sheets", "word_rulings", "sanctions", "absences", "incidents", "challenges", "printouts",
})  # fmt: skip
_CHANGEABLE_FIELDS = {
    "games": frozenset({"first", "second", "start"}),  # a slip states who started
    "players": frozenset({"checked_in"}),
    "seats": frozenset({"points", "left", "state", "turns", "break_up", "sent", "device"}),
}

# The director may do everything. The jury can change absences because a disqualification adds one.
RIGHTS: Mapping[Role, RolePermissions] = {
    Role.ENTRY: RolePermissions(_ENTRY_COMMANDS, frozenset({"results", "slips", "printouts"}), _CHANGEABLE_FIELDS),
    Role.JURY: RolePermissions(_JURY_COMMANDS, _JURY_ROWS, _CHANGEABLE_FIELDS),
    Role.DISPLAY: RolePermissions(frozenset(), frozenset(), {}),
}


def is_permitted(role: Role, command: str, changes: Diff = ()) -> bool:
    rights = RIGHTS.get(role)
    if rights is None:
        return True
    return command in rights.commands and all(
        item.kind in rights.rows or find_changed_fields(item) <= rights.changes.get(item.kind, frozenset())
        for item in changes
    )
