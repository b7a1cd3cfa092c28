"""The journal as a table: what was done, when, by which station, and whether it is still in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.journal import Step
from tdapp.domain.roles import Role
from tdapp.domain.tables.table import Column, Kind, Table


class HistoryRow(Struct, frozen=True):
    """One step, for the catalogue to put into words; `undone` if it is no longer in force.

    `again`: it takes back a step that took one back, so that the first is done again.
    """

    key: str
    seq: int
    at: str
    station: str
    step: Step
    undone: bool
    again: bool


def history(steps: Iterable[Step]) -> Table[HistoryRow]:
    """Return the steps of the journal, newest first."""
    known = tuple(steps)
    undone, back = standing_undone(known), {step.seq for step in known if step.undoes is not None}
    rows = tuple(
        HistoryRow(str(step.seq), step.seq, step.at, step.station, step, step.seq in undone, step.undoes in back)
        for step in reversed(known)
    )
    return Table("history", _COLUMNS, rows)


def standing_undone(steps: Iterable[Step]) -> frozenset[int]:
    """Return the numbers of the steps that have been taken back and not done again."""
    undone: set[int] = set()
    for step in reversed(tuple(steps)):
        if step.undoes is not None and step.seq not in undone:
            undone.add(step.undoes)
    return frozenset(undone)


def newest(steps: Iterable[Step], label: str, facts: Mapping[str, object]) -> Step | None:
    """Return the newest step with `label` and these facts among its own that is still in force, if any."""
    known = tuple(steps)
    undone = standing_undone(known)
    standing = (step for step in reversed(known) if step.undoes is None and step.seq not in undone)
    return next((step for step in standing if step.label == label and facts.items() <= step.facts.items()), None)


_COLUMNS: tuple[Column[HistoryRow], ...] = (
    Column("seq", Kind.NUMBER, attrgetter("seq")),
    Column("at", Kind.TIME, attrgetter("at")),
    Column("station", Kind.TEXT, lambda row: next((one for one in Role if one == row.station), row.station)),
    Column("step", Kind.STEP, lambda row: row),
    Column("undone", Kind.MARK, attrgetter("undone")),
)
