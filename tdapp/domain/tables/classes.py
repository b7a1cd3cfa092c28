"""The standings of one class of a division: its players in the division's order, with a rank of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player
from tdapp.domain.prizes import all_classes, belongs
from tdapp.domain.standings import Standing
from tdapp.domain.tables import standings
from tdapp.domain.tables.table import Column, Kind, Table


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A player's place in a class, beside the place in the division."""

    place: int
    standing: Standing

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return self.standing.key

    @property
    def player(self) -> Player:
        """Who stands there."""
        return self.standing.player

    @property
    def active(self) -> bool:
        """Whether the player has not left for good."""
        return self.standing.active


def class_named(index: Index, division: Division, category: str) -> str:
    """Return a class of the division as it is written there; raise RuleViolation if nobody is in it."""
    known = all_classes(index.players(division.id))
    for one in known:
        if one.casefold() == category.strip().casefold():
            return one
    if not known:
        raise RuleViolation("no-classes", division=division.code)
    raise RuleViolation("no-such-class", category=category, known=", ".join(known))


def table(index: Index, division: Division, category: str, after: int | None = None) -> Table[ClassRow]:
    """Return the standings of a class after a round; equals share a rank in it as they do in the division."""
    whole = standings.table(index, division, after)
    rows: list[ClassRow] = []
    for standing in whole.rows:
        if belongs(standing.player, category):
            equal = bool(rows) and rows[-1].standing.rank == standing.rank
            rows.append(ClassRow(rows[-1].place if equal else len(rows) + 1, standing))
    columns = [Column(one.id, one.kind, _of_standing(one.value)) for one in whole.columns]
    own: Column[ClassRow] = Column("class_rank", Kind.NUMBER, attrgetter("place"))
    return Table("class_standings", (own, *columns), tuple(rows))


def _of_standing(value: Callable[[Standing], object]) -> Callable[[ClassRow], object]:
    return lambda row: value(row.standing)
