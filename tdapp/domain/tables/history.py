"""The journal as a table: action, time, station and whether the step is still in effect.

Groups of steps for filters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.commands import COMMANDS
from tdapp.domain.erasing import ERASED
from tdapp.domain.journal import SALVAGED, Step
from tdapp.domain.roles import Role
from tdapp.domain.tables.table import Column, Kind, Table


class HistoryRow(Struct, frozen=True):
    """One step for the catalogue; `undone` if it is no longer in effect.

    `again`: the step undoes an undo, so that the first step is in effect again.
    """

    key: str
    seq: int
    at: str
    station: str
    step: Step
    undone: bool
    again: bool


def history_table(steps: Iterable[Step]) -> Table[HistoryRow]:
    known = tuple(steps)
    undone, back = undone_steps(known), {step.seq for step in known if step.undoes is not None}
    rows = tuple(
        HistoryRow(str(step.seq), step.seq, step.at, step.station, step, step.seq in undone, step.undoes in back)
        for step in reversed(known)
    )
    return Table("history", _COLUMNS, rows)


def undone_steps(steps: Iterable[Step]) -> frozenset[int]:
    undone: set[int] = set()
    for step in reversed(tuple(steps)):
        if step.undoes is not None and step.seq not in undone:
            undone.add(step.undoes)
    return frozenset(undone)


def find_newest(steps: Iterable[Step], label: str, facts: Mapping[str, object]) -> Step | None:
    """Return the newest step in effect with `label` and these facts, if any."""
    known = tuple(steps)
    undone = undone_steps(known)
    standing = (step for step in reversed(known) if step.undoes is None and step.seq not in undone)
    return next((step for step in standing if step.label == label and facts.items() <= step.facts.items()), None)


_COLUMNS: tuple[Column[HistoryRow], ...] = (
    Column("seq", Kind.NUMBER, attrgetter("seq")),
    Column("at", Kind.TIME, attrgetter("at")),
    Column("station", Kind.TEXT, lambda row: next((one for one in Role if one == row.station), row.station)),
    Column("step", Kind.STEP, lambda row: row),
    Column("undone", Kind.MARK, attrgetter("undone")),
)


GROUPS = ("results", "rounds", "jury", "players", "settings")
_GROUP_OF_MODULE = {"sheets": "jury", "constraints": "players", "imports": "players", "transfers": "players",
                    "merging": "players",
                    "entry_desk": "players"}  # fmt: skip


def group_of(label: str) -> str:
    """Return the group of a step in GROUPS: the module of its command ("rounds" for pairing steps)."""
    if label in {ERASED, SALVAGED}:
        return "players" if label == ERASED else "settings"
    command = COMMANDS.get(label)
    module = command.__module__.rpartition(".")[2] if command is not None else "rounds"
    group = _GROUP_OF_MODULE.get(module, module)
    return group if group in GROUPS else "settings"
