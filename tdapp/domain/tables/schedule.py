"""The schedule of a division, with stages, systems and players, and its table groups."""

from __future__ import annotations

from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Stage
from tdapp.domain.systems import system_of
from tdapp.domain.tables.table import Column, Kind, Table, make_columns


class ScheduleRow(Struct, frozen=True):
    """A stage from round `first` to `last`; `made` of its rounds are paired.

    `groups` is None if the system has no groups.
    """

    key: str
    stage: Stage
    number: int
    first: int
    last: int
    groups: int | None
    made: int

    @property
    def rounds(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    @property
    def counted(self) -> str:
        """Standings basis: `carried-on`, `anew` (from zero), or empty for a play-off."""
        return "play-off-only" if self.stage.play_off else "carried-on" if self.stage.carry else "anew"


def schedule_table(index: Index, division: Division) -> Table[ScheduleRow]:
    rows = []
    for number, stage in enumerate(index.stages(division.id), start=1):
        first = index.first_round(stage.id)
        rows.append(
            ScheduleRow(
                key=stage.id,
                stage=stage,
                number=number,
                first=first,
                last=first + stage.rounds - 1,
                groups=stage.settings.groups if system_of(stage).heeds("groups") else None,
                made=sum(item.stage == stage.id for item in index.rounds(division.id)),
            )
        )
    return Table("schedule", _COLUMNS, tuple(rows))


_COLUMNS: tuple[Column[ScheduleRow], ...] = (
    Column("rounds", Kind.TEXT, attrgetter("rounds"), editable=True),
    Column("system", Kind.CODE, attrgetter("stage.system"), editable=True),
    Column("cut", Kind.NUMBER, attrgetter("stage.cut"), editable=True),
    Column("groups", Kind.NUMBER, attrgetter("groups"), editable=True),
    Column("counted", Kind.CODE, attrgetter("counted"), editable=True),
    Column("behind", Kind.NUMBER, attrgetter("stage.settings.behind"), editable=True),
)


class TableGroupRow(Struct, frozen=True):
    """A named range of tables."""

    key: str
    group: str
    from_table: int
    to_table: int
    accessible: bool


def table_groups(index: Index, division: Division) -> Table[TableGroupRow]:
    """Return a division's table groups by first table."""
    rows = tuple(
        TableGroupRow(row.id, row.name, row.first, row.last, row.accessible)
        for row in index.table_groups(division.id)
    )
    return Table("seating", _GROUP_COLUMNS, rows)


_GROUP_COLUMNS: tuple[Column[TableGroupRow], ...] = (
    Column("group", Kind.TEXT, attrgetter("group"), editable=True),
    *make_columns(Kind.NUMBER, "from_table", "to_table", editable=True),
    Column("accessible", Kind.MARK, attrgetter("accessible")),
)
