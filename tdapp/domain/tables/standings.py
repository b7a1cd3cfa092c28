"""The standings of a division as a table, and those of one class of it, with ranks of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player
from tdapp.domain.prizes import all_classes, belongs
from tdapp.domain.standings import Standing, StandingRow, order_of, standings
from tdapp.domain.tables.table import Column, Kind, Table, columns
from tdapp.domain.tiebreaks import TIEBREAKS

# Tie-breaks that a column of their own shows anyway.
_SHOWN = frozenset({"wins", "losses", "spread", "points"})


def table(index: Index, division: Division, after: int | None = None, *, group: int = 0) -> Table[Standing]:
    """Return the standings after a round (None: all published rounds), the chosen tie-breaks shown.

    With a `group` those of the players of that group alone, ranked by their places in it.
    """
    rows = standings(index, division, after)
    columns = [*_COLUMNS]
    columns[5:5] = [_tiebreak(name) for name in order_of(index, division, after) if name not in _SHOWN]
    if group:
        rows = tuple(replace(row, rank=row.place) for row in rows if row.group == group and not row.out)
    elif rows and rows[0].group:
        columns.insert(2, _GROUP)
    return Table("standings", tuple(columns), rows)


def _tiebreak(name: str) -> Column[Standing]:
    return Column(name, TIEBREAKS[name].kind, lambda row: row.shown(name), words=TIEBREAKS[name].key)


_COLUMNS: tuple[Column[Standing], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("rank")),
    Column("name", Kind.NAME, attrgetter("player.name")),
    Column("games", Kind.NUMBER, attrgetter("games")),
    Column("wins", Kind.POINTS, attrgetter("match_points")),
    Column("losses", Kind.POINTS, attrgetter("games_lost")),
    Column("spread", Kind.SIGNED, attrgetter("spread")),
    *columns(Kind.NUMBER, "points", "starts"),
    Column("rating", Kind.NUMBER, attrgetter("player.rating")),
)
_GROUP: Column[Standing] = Column("stage_group", Kind.NUMBER, lambda row: row.group or None)


@dataclass(frozen=True, slots=True)
class ClassRow(StandingRow):
    """A player's rank in a class, beside the rank in the division."""

    place: int

    @property
    def player(self) -> Player:
        """The player at this rank."""
        return self.standing.player

    @property
    def active(self) -> bool:
        """Whether the player has not left for good."""
        return self.standing.active


def class_named(index: Index, division: Division, category: str) -> str:
    """Return a class of the division as it is written there; raise RuleViolation if it has no players."""
    known = all_classes(index.players(division.id))
    for one in known:
        if one.casefold() == category.strip().casefold():
            return one
    if not known:
        raise RuleViolation("no-classes", division=division.code)
    raise RuleViolation("no-such-class", category=category, known=", ".join(known))


def class_table(index: Index, division: Division, category: str, after: int | None = None) -> Table[ClassRow]:
    """Return the standings of a class after a round; equals share a rank in it as they do in the division."""
    whole = table(index, division, after)
    inside = [row for row in whole.rows if belongs(row.player, category)]
    first: dict[int, int] = {}
    rows = tuple(ClassRow(row, first.setdefault(row.rank, place)) for place, row in enumerate(inside, 1))
    columns = [Column(one.id, one.kind, _from_standing(one.value)) for one in whole.columns]
    own: Column[ClassRow] = Column("class_rank", Kind.NUMBER, attrgetter("place"))
    return Table("class_standings", (own, *columns), rows)


def _from_standing(value: Callable[[Standing], object]) -> Callable[[ClassRow], object]:
    return lambda row: value(row.standing)
