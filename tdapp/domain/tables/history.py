"""The journal of executed commands as a table."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.erasing import ERASE_LABEL
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import SALVAGE_LABEL, Step
from tdapp.domain.model import Game, ResultState
from tdapp.domain.roles import Role
from tdapp.domain.tables.table import Column, ColumnKind, Table


class HistoryRow(Struct, frozen=True):
    """One step (saved change) of the journal."""

    key: str
    seq: int
    at: str
    station: str
    step: Step
    undone: bool  # a later step undid it
    is_redo: bool  # it undoes an undo


def make_history_table(steps: Iterable[Step]) -> Table[HistoryRow]:
    all_steps = tuple(steps)
    undone_numbers = find_undone_step_numbers(all_steps)
    undo_numbers = {step.seq for step in all_steps if step.undoes is not None}
    rows = tuple(
        HistoryRow(
            str(step.seq),
            step.seq,
            step.at,
            step.station,
            step,
            step.seq in undone_numbers,
            step.undoes in undo_numbers,
        )
        for step in reversed(all_steps)
    )
    return Table("history", _COLUMNS, rows)


def find_undone_step_numbers(steps: Iterable[Step]) -> frozenset[int]:
    undone_numbers: set[int] = set()
    for step in reversed(tuple(steps)):
        if step.undoes is not None and step.seq not in undone_numbers:
            undone_numbers.add(step.undoes)
    return frozenset(undone_numbers)


def find_step_that_checked_result(index: TournamentIndex, game: Game, steps: Iterable[Step]) -> Step | None:
    """Return the newest step that checked or certified only this game's result. Skip undone steps."""
    result, players = index.get_result(game.id), index.tournament.players
    label = _CHECK_STEP_LABELS.get(result.state) if result is not None else None
    names = {"first_name": players[game.first].name, "second_name": players[game.second].name}
    facts = {"round": index.tournament.rounds[game.round].number, **names}
    all_steps = tuple(steps)
    undone_numbers = find_undone_step_numbers(all_steps)
    valid_steps = (step for step in reversed(all_steps) if step.undoes is None and step.seq not in undone_numbers)
    return next(
        (step for step in valid_steps if step.label == label and facts.items() <= step.facts.items()), None
    )


def find_station_role(station: str) -> Role | str:
    """Return the role with the same name as a station (computer). If no role has this name, return `station`."""
    return next((role for role in Role if role == station), station)


_CHECK_STEP_LABELS = {ResultState.CHECKED: "check-result", ResultState.FINAL: "certify-result"}
_COLUMNS: tuple[Column[HistoryRow], ...] = (
    Column("seq", ColumnKind.NUMBER, attrgetter("seq")),
    Column("at", ColumnKind.TIME, attrgetter("at")),
    Column("station", ColumnKind.TEXT, lambda row: find_station_role(row.station)),
    Column("step", ColumnKind.STEP, lambda row: row),
    Column("undone", ColumnKind.MARK, attrgetter("undone")),
)


COMMAND_GROUPS = ("results", "rounds", "jury", "players", "settings")
_GROUPS_BY_MODULE = {
    "seats": "results",
    "sheets": "jury",
    "evenings": "rounds",
    "constraints": "players",
    "imports": "players",
    "transfers": "players",
    "entry_desk": "players",
}


def find_group_of_command(label: str) -> str:
    """Return the member of COMMAND_GROUPS to which the command id `label` belongs."""
    from tdapp.domain.commands import COMMANDS  # noqa: PLC0415 - read-only subcommands load no commands

    if label in {ERASE_LABEL, SALVAGE_LABEL}:
        return "players" if label == ERASE_LABEL else "settings"
    command = COMMANDS.get(label)
    module = command.__module__.rpartition(".")[2] if command is not None else "rounds"
    group = _GROUPS_BY_MODULE.get(module, module)
    return group if group in COMMAND_GROUPS else "settings"
