"""The difference of two tournaments: what is written, journalled, undone and announced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from tdapp.domain.tournament import KINDS, Row, Tournament


@dataclass(frozen=True, slots=True)
class Change:
    """One row that came (`before` None), went (`after` None) or became another."""

    kind: str
    id: str
    before: Row | None
    after: Row | None


Diff = tuple[Change, ...]


def changed(change: Change) -> frozenset[str]:
    """Return the fields in which a row has become another: all of them, with its id, where it came or went."""
    rows = [row for row in (change.before, change.after) if row is not None]
    names = frozenset(item.name for row in rows for item in fields(row))
    if len(rows) == 1:
        return names
    return frozenset(name for name in names if getattr(change.before, name) != getattr(change.after, name))


class Conflict(Exception):
    """A row is no longer what the diff expects; `change` says what it expected, `found` what there is."""

    def __init__(self, change: Change, found: Row | None) -> None:
        super().__init__(f"{change.kind} {change.id}")
        self.change = change
        self.found = found


def diff(old: Tournament, new: Tournament) -> Diff:
    """Return the changes that lead from `old` to `new`, parents before children."""
    found: list[Change] = []
    for kind in KINDS:
        before, after = old.rows(kind), new.rows(kind)
        if before is not after:
            found.extend(_row_changes(kind, before, after))
    return tuple(found)


def _row_changes(kind: str, before: Mapping[str, Row], after: Mapping[str, Row]) -> list[Change]:
    changes = [Change(kind, key, row, None) for key, row in before.items() if key not in after]
    for key, row in after.items():
        old = before.get(key)
        if old is not row and old != row:
            changes.append(Change(kind, key, old, row))
    return changes


def inverse(changes: Diff) -> Diff:
    """Return the diff that takes `changes` back."""
    return tuple(Change(item.kind, item.id, item.after, item.before) for item in reversed(changes))


def apply(tournament: Tournament, changes: Diff) -> Tournament:
    """Return `tournament` with `changes` made; raise Conflict where a row is not what the diff expects."""
    for change in changes:
        found = tournament.rows(change.kind).get(change.id)
        if found != change.before:
            raise Conflict(change, found)
    gone = [item.before for item in changes if item.after is None and item.before is not None]
    there = [item.after for item in changes if item.after is not None]
    return tournament.drop(*gone).put(*there)
